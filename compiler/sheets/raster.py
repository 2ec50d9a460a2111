"""Pictures as pixels: the door to Pillow for what is written (`pictures.py` looks at what packs bring).

to_rgb(png_bytes, 300)              a PNG without transparency that knows its resolution
converted(picture, colour, 4)       every pixel through a function of colours, by a table of 33 × 33 × 33"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

Colour = tuple[float, ...]
"""Parts from 0 to 1: red, green, blue; or cyan, magenta, yellow, black; or white."""
_STEPS: Final = 33


def available() -> bool:
    """Whether Pillow is installed (`pip install ludoloom[print]`)."""
    return find_spec("PIL") is not None


@dataclass(frozen=True, slots=True)
class Picture:
    """What a picture file says of itself."""

    width: int
    height: int
    mode: str
    dpi: float


def look(path: Path) -> Picture:
    """Size, colours and resolution of a picture file, read whole: a damaged one raises OSError."""
    from PIL import Image

    with Image.open(path) as image:
        image.load()
        dpi = image.info.get("dpi", (0.0, 0.0))
        return Picture(image.width, image.height, image.mode, float(dpi[0]))


def to_rgb(path: Path, dpi: float, grey: bool = False) -> None:
    """Make a picture opaque on white, in RGB (with `grey`: without colours), with its resolution written in."""
    from PIL import Image

    with Image.open(path) as image:
        opaque = Image.new("RGB", image.size, "white")
        rgba = image.convert("RGBA")
        opaque.paste(rgba, mask=rgba.getchannel("A"))
    if grey:
        opaque = opaque.convert("L").convert("RGB")
    opaque.save(path, format="PNG", dpi=(dpi, dpi), compress_level=4)


def converted(image: Any, colour: Callable[[Colour], Colour], channels: int) -> bytes:
    """The pixels of an RGB image after `colour`, row by row, `channels` (1 or 4) bytes each."""
    from PIL import ImageFilter

    rgb = image.convert("RGB")
    if channels == 1:
        return rgb.convert("L").tobytes()
    table: list[float] = []
    steps = [step / (_STEPS - 1) for step in range(_STEPS)]
    for blue in steps:
        for green in steps:
            for red in steps:
                table += colour((red, green, blue))
    return rgb.filter(ImageFilter.Color3DLUT(_STEPS, table, channels=4, target_mode="CMYK")).tobytes()


def most_ink(pixels: bytes, channels: int = 4) -> float:
    """The largest sum of the inks of one pixel, in per cent."""
    from PIL import Image, ImageMath

    if channels != 4:
        return max(pixels, default=0) / 2.55
    image = Image.frombytes("CMYK", (len(pixels) // 4, 1), pixels)
    cyan, magenta, yellow, black = (band.convert("I") for band in image.split())
    total: Any = ImageMath.lambda_eval(
        lambda inks: inks["c"] + inks["m"] + inks["y"] + inks["k"], c=cyan, m=magenta, y=yellow, k=black
    )
    return float(total.getextrema()[1]) / 2.55
