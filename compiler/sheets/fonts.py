"""The fonts of faces, and which characters they have. The one door to fonttools.

All faces are set in two families that come as packages, so that a sheet looks the same on every machine and the tables
of the fonts can be read: Source Sans Pro for texts, Source Serif Pro for titles. Both are under the SIL Open Font
License 1.1, which allows to embed them. Typst does not say when a font lacks a character; it prints nothing, or takes
it from elsewhere. So the texts are compared with the tables before they are set.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final, cast

TEXT: Final = "Source Sans Pro"
TITLE: Final = "Source Serif Pro"
LICENCES: Final = {
    TEXT: "SIL Open Font License 1.1, © Adobe; package font-source-sans-pro",
    TITLE: "SIL Open Font License 1.1, © Adobe; package font-source-serif-pro",
}
_PACKAGES: Final = {TEXT: "font_source_sans_pro", TITLE: "font_source_serif_pro"}
_STYLES: Final = ("Regular", "It", "Semibold", "SemiboldIt", "Bold", "BoldIt")
_UNSEEN: Final = frozenset("\n\t \u00a0\u00ad\u200b\u202f\u2009\u2060")
"""What needs no glyph: spaces, and places where a line may break."""


def available() -> bool:
    """Whether the packages are installed (`pip install ludoloom[print]`)."""
    return all(find_spec(name) is not None for name in (*_PACKAGES.values(), "fontTools"))


@cache
def files() -> tuple[Path, ...]:
    """The font files, in a fixed order."""
    found: list[Path] = []
    for family, package in _PACKAGES.items():
        if find_spec(package) is None:
            continue
        folder = Path(cast("str", import_module(package).__file__)).parent / "files"
        stem = family.replace(" ", "")
        found += [path for style in _STYLES if (path := folder / f"{stem}-{style}.otf").is_file()]
    return tuple(found)


@cache
def characters(family: str) -> frozenset[int]:
    """The code points for which every style of a family that is used has a glyph."""
    from fontTools.ttLib import TTFont

    stem = family.replace(" ", "")
    tables: list[frozenset[int]] = []
    for path in files():
        if path.name.startswith(f"{stem}-"):
            with TTFont(path, lazy=True) as font:
                tables.append(frozenset(cast("dict[int, str]", font.getBestCmap())))
    return tables[0].intersection(*tables) if tables else frozenset[int]()


def missing(text: str, families: Iterable[str] = (TEXT,)) -> list[str]:
    """The characters of a text that none of the families has, each once, in order."""
    known = frozenset[int]().union(*(characters(family) for family in families))
    return [sign for sign in dict.fromkeys(text) if sign not in _UNSEEN and ord(sign) not in known]
