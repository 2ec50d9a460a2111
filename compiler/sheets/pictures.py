"""What the pictures of a pack are: their kind, their size in pixels. The one door to Pillow.

A picture is looked at before it is set: one that is no picture, or is too coarse for the size at which it is printed,
is a finding at the line that names it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

SUFFIXES: Final = (".png", ".jpg", ".jpeg", ".webp", ".svg")
LARGEST: Final = 60 * 1024 * 1024
"""Bytes of a picture file."""
LARGEST_VECTOR: Final = 8 * 1024 * 1024
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
            return _vector(path.read_bytes())
        return _raster(path)
    except OSError as error:
        return error.strerror or "it cannot be read"


def _vector(data: bytes) -> Picture | str:
    """An SVG must be whole and stand alone: Typst would fail on anything else, without saying which picture it was."""
    if len(data) > LARGEST_VECTOR:
        return f"it has more than {LARGEST_VECTOR // 1024 // 1024} MB"
    if b"<!ENTITY" in data:
        return "it declares entities of XML, which pictures need not"
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        return f"it is no whole SVG picture ({error})"
    if root.tag.rpartition("}")[2] != "svg":
        return "it is no SVG picture"
    for part in root.iter():
        if part.tag.rpartition("}")[2] in ("image", "feImage"):
            link = next((value for name, value in part.items() if name.rpartition("}")[2] == "href"), "")
            if link and not link.startswith(("data:", "#")):
                return f"it links to another picture, `{link[:60]}`"
    return Picture(0, 0)


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
