"""What the pictures of a pack are: their kind, their size in pixels. The one door to Pillow.

A picture is looked at before it is set: one that is no picture, or is too coarse for the size at which it is printed,
is a finding at the line that names it."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SUFFIXES: Final = (".png", ".jpg", ".jpeg", ".webp", ".svg")
LARGEST: Final = 60 * 1024 * 1024
"""Bytes of a picture file."""
MOST_PIXELS: Final = 100_000_000
FINE: Final = 200
"""Dots per inch under which a picture looks coarse, told as a warning."""
COARSE: Final = 150
"""Dots per inch under which it is not printed."""


@dataclass(frozen=True, slots=True)
class Picture:
    """`width` and `height` in pixels; both 0 for an SVG, which has none."""

    width: int
    height: int

    def dpi(self, width: float, height: float) -> float | None:
        """How finely it is printed when it fills a box of so many millimetres; None if it has no pixels."""
        if not self.width or not self.height:
            return None
        return min(self.width / width, self.height / height) * 25.4


def look_at(path: Path) -> Picture | str:
    """The picture, or why it is none."""
    try:
        if path.stat().st_size > LARGEST:
            return f"it has more than {LARGEST // 1024 // 1024} MB"
        if path.suffix.lower() == ".svg":
            head = path.read_bytes()[:4096]
            return Picture(0, 0) if re.search(rb"<svg[\s>]", head) else "it is no SVG picture"
        return _raster(path)
    except OSError as error:
        return error.strerror or "it cannot be read"


def _raster(path: Path) -> Picture | str:
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(path, formats=("PNG", "JPEG", "WEBP")) as found:
                width, height = found.size
                if width * height > MOST_PIXELS:
                    return f"it has {width} x {height} pixels, which is more than can be meant"
                found.verify()
    except UnidentifiedImageError:
        return "it is no picture that can be printed (PNG, JPEG, WebP or SVG)"
    except (ValueError, SyntaxError, Image.DecompressionBombError) as error:
        return f"it is damaged ({error})"
    return Picture(width, height)
