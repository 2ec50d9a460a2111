"""How wide a text stands on a terminal, and what of it may be sent there.

A caret stands under its word only if tabs, wide characters (`火`, `🔥`) and marks that take no room are counted as the
terminal does. What would move the cursor or change the screen is shown as a sign instead."""

from __future__ import annotations

import unicodedata
from typing import Final

TAB: Final = 4


def visible(text: str) -> str:
    """`text` with a sign for each character that a terminal would obey (escapes, changes of direction); tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if character == "\t" else _sign(character) for character in text)


def _sign(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)  # the picture of the control character
    if code == 0x7F:
        return "\u2421"
    if (
        unicodedata.category(character) in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp")
        or unicodedata.bidirectional(character) in _TURNS
    ):
        return "\ufffd"
    return character


_TURNS: Final = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def width(character: str) -> int:
    """The cells that a character takes."""
    if character.isascii():
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def expand(line: str) -> tuple[str, list[int]]:
    """The line as shown, and for each character (and the end) the cell where it begins.

    >>> expand("a\\tb火c")
    ('a   b火c', [0, 1, 4, 5, 7, 8])
    """
    shown: list[str] = []
    cells: list[int] = []
    at = 0
    for character in visible(line):
        cells.append(at)
        if character == "\t":
            step = TAB - at % TAB
            shown.append(" " * step)
        else:
            step = width(character)
            shown.append(character)
        at += step
    cells.append(at)
    return "".join(shown), cells
