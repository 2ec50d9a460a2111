"""What a caller did wrong, in a sentence, and the names that come nearest to a wrong one."""

from __future__ import annotations

from collections.abc import Iterable


class GameError(Exception):
    """A request that cannot be met; the text says why and what would do."""


class ImageError(Exception):
    """A file that is no image, a damaged one, or a program that is not safe to run; the text says why."""


class SaveError(Exception):
    """A save or a recording that does not fit; the text says why."""


def distance(a: str, b: str, most: int) -> int:
    """How many letters must be added, removed, replaced or swapped with the next to turn `a` into `b`, at most `most`
    + 1.
    """
    if abs(len(a) - len(b)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        older, before, row = before, row, [i]
        for j, right in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]


def nearest(word: str, names: Iterable[str], count: int = 3) -> list[str]:
    """The names that a typing slip would turn into `word`, best first."""
    word = word[:80].lower()
    most = max(1, len(word) // 3)
    found: list[tuple[int, str]] = []
    for name in names:
        steps = distance(word, name.lower(), most)
        if steps <= most or (len(word) > 2 and name.lower().startswith(word)):
            found.append((steps, name))
    return [name for _, name in sorted(found)[:count]]


def unknown(what: str, word: object, names: Iterable[str]) -> str:
    """The sentence for a name that does not exist: the nearest ones, or all if they are few."""
    all_names = list(names)
    near = nearest(str(word), all_names)
    tail = ""
    if near:
        tail = "; did you mean " + " or ".join(f"'{name}'" for name in near) + "?"
    elif 0 < len(all_names) <= 12:
        tail = "; there is " + ", ".join(f"'{name}'" for name in all_names)
    return f"there is no {what} called '{word}'{tail}"
