"""Small words for people: ids, numbers and lists as they are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from ludoloom.runtime.image import TrackRow

LONG: Final = 12
"""Spaces of a track that are still all shown."""


def spoken(name: str) -> str:
    """An id as people read it."""
    return name.replace("_", " ")


def plain(text: str) -> str:
    """A text with its icons as words: ``2 :damage:`` is ``2 damage``."""
    return re.sub(r":([a-z][a-z0-9_]*):", lambda icon: icon[1].replace("_", " "), text)


def cut(text: str, width: int) -> str:
    """A text that fits into so many columns."""
    return text if len(text) <= width else text[: width - 1] + "…"


def counted(texts: Iterable[str], sign: str = " ×") -> list[str]:
    """Equal texts together, with their number: ``Guard ×3``."""
    many: dict[str, int] = {}
    for text in texts:
        many[text] = many.get(text, 0) + 1
    return [text if number == 1 else f"{text}{sign}{number}" for text, number in many.items()]


def runs(numbers: Sequence[int]) -> list[list[int]]:
    """Numbers in rising order, cut where one is left out."""
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return found


def spans(numbers: Sequence[int]) -> str:
    """Numbers in rising order, those in a row from the first to the last: ``0 to 9, 12``."""
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs(numbers))


def few(numbers: Sequence[int]) -> str:
    """The same in a few letters, for pictures: ``1–4, 7``."""
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs(numbers))


def track(row: TrackRow, at: int) -> str:
    """A track with its marker: ``days  0 dawn · 1 · [2] · 3 noon``; a long one only from mark to mark."""
    marks = {space: spoken(name) for name, space in row.marks}
    shown = [
        f"{f'[{space}]' if space == at else space} {marks.get(space, '')}".rstrip()
        for space in range(row.low, row.high + 1)
        if row.high - row.low <= LONG or space == at or space in marks or space in (row.low, row.high)
    ]
    return f"{spoken(row.name)}  {' · '.join(shown)}{' · round again' if row.shape == 'loop' else ''}"
