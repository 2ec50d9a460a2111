""" "Did you mean …": the known name that an unknown one was most likely meant to be."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 64  # longer words are never misspelt names; the table below grows with the square of the length


def distance(first: str, second: str, most: int) -> int:
    """The number of single changes (insert, delete, replace, swap of neighbours) between two words, or ``most + 1`` if
    there are more.

    >>> distance("helth", "health", 2), distance("form", "from", 2), distance("a", "zebra", 2)
    (1, 1, 3)
    """
    if abs(len(first) - len(second)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        older, before, row = before, row, [i]
        for j, other in enumerate(second, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word nearest to `word`, or None if none is near: one slip in three letters, two in six, three in ten.
    Case and `-` for `_` count as half a slip, so they win over a letter. The first of equally near ones is taken.

    >>> nearest("helth", ["health", "wealth"]), nearest("Cost", ["cost"]), nearest("zebra", ["health"])
    ('health', 'cost', None)
    """
    if not word or len(word) > _LONGEST:
        return None
    plain = word.lower().replace("-", "_").replace(" ", "_")
    allowed = 3 if len(word) >= 10 else 2 if len(word) >= 6 else 1 if len(word) >= 3 else 0
    best: tuple[int, str] | None = None
    for candidate in known:
        if candidate == word or len(candidate) > _LONGEST:
            continue
        apart = distance(plain, candidate.lower().replace("-", "_"), allowed if best is None else best[0])
        if apart <= allowed and (best is None or apart < best[0]):
            best = (apart, candidate)
    return best[1] if best else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The hint itself, or nothing: ``did you mean `health`?``"""
    found = nearest(word, known)
    return f"did you mean `{found}`?" if found else ""
