"""Colours: from what an author writes to what Typst draws with, in the colours that were asked for.

    Palette.of("#8a3b2e")    main, dark, tint, faint, on (what is legible on main)

Grey is what a greyscale printer makes of a colour. CMYK is worked out plainly, without a profile, with all grey in the
black and never more than `MOST_INK`: a service that wants its own profile converts the file afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from ludoloom.compiler.sheets.model import Colours

MOST_INK: Final = 240
"""Per cent of ink that lies on one place at most (DriveThruCards)."""
DARK: Final = "#231f1c"
LIGHT: Final = "#ffffff"


class Rgb(NamedTuple):
    """Parts of red, green and blue from 0 to 1."""

    red: float
    green: float
    blue: float


def parse(text: str) -> Rgb:
    """``"#8a3b2e"``."""
    return Rgb(*(int(text[at : at + 2], 16) / 255 for at in (1, 3, 5)))


def shown(colour: Rgb) -> str:
    return "#" + "".join(f"{round(255 * min(1, max(0, part))):02x}" for part in colour)


def mixed(colour: Rgb, other: Rgb, part: float) -> Rgb:
    """`part` of `other` in `colour`."""
    return Rgb(*(one + (two - one) * part for one, two in zip(colour, other, strict=True)))


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def luminance(colour: Rgb) -> float:
    """How much light it gives, from 0 to 1."""
    return 0.2126 * _linear(colour.red) + 0.7152 * _linear(colour.green) + 0.0722 * _linear(colour.blue)


def lightness(colour: Rgb) -> float:
    """How light it looks, from 0 to 100 (L* of CIELAB): equal steps look equal, in grey too."""
    light = luminance(colour)
    return 116 * light ** (1 / 3) - 16 if light > 0.008856 else 903.3 * light


def contrast(one: Rgb, two: Rgb) -> float:
    """From 1 (the same) to 21 (black on white)."""
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def typst(colour: Rgb, colours: Colours) -> str:
    """The colour as a Typst expression."""
    if colours == "grey":
        return f"luma({round(_grey(colour) * 255)})"
    if colours == "cmyk":
        return f"cmyk({', '.join(f'{part:.1f}%' for part in cmyk(colour))})"
    return f'rgb("{shown(colour)}")'


def _grey(colour: Rgb) -> float:
    light = luminance(colour)
    return 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def cmyk(colour: Rgb) -> tuple[float, float, float, float]:
    """Per cent of the four inks; near-black is black alone, so that small text needs one plate."""
    black = 1 - max(colour)
    if max(colour) < 0.2 and max(colour) - min(colour) < 0.06:
        return 0, 0, 0, 100
    inks = [(1 - part - black) / (1 - black) * 100 for part in colour]
    much = sum(inks)
    room = MOST_INK - black * 100
    if much > room:
        inks = [ink * room / much for ink in inks]
    return inks[0], inks[1], inks[2], black * 100


@dataclass(frozen=True, slots=True)
class Palette:
    """A colour with what goes with it: `dark` for words on light ground; `tint` and `faint` for grounds, `soft` and
    `pale` for patterns on them; `on` for words on the colour itself, `veil` for patterns on it and `edge` for lines.
    All are opaque: what shows through is no good to some print services."""

    main: Rgb
    dark: Rgb
    tint: Rgb
    faint: Rgb
    soft: Rgb
    pale: Rgb
    on: Rgb
    veil: Rgb
    edge: Rgb

    @classmethod
    def of(cls, text: str) -> Palette:
        main = parse(text)
        dark, step = main, 0.0
        while contrast(dark, parse(LIGHT)) < 7 and step < 1:
            step += 0.06
            dark = mixed(main, parse(DARK), step)
        on = max((parse(LIGHT), parse(DARK)), key=lambda each: contrast(main, each) * (1.6 if each.red > 0.9 else 1))
        tint, faint = mixed(main, Rgb(1, 1, 1), 0.72), mixed(main, Rgb(1, 1, 1), 0.9)
        return cls(
            main, dark, tint, faint, mixed(tint, main, 0.24), mixed(tint, main, 0.13),
            on, mixed(main, on, 0.3), mixed(main, on, 0.75),
        )  # fmt: skip
