""" "Did you mean …": the known name that an unknown one was most likely meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

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


@dataclass(slots=True)
class _Known:
    """Known words, made ready to be compared with many others: by their length, each with its letters as bits, its
    number, itself without what counts half, and itself. A pack may have thousands, and one mistake stand in thousands
    of places."""

    by_length: dict[int, list[tuple[int, int, str, str]]] = field(
        default_factory=dict[int, list[tuple[int, int, str, str]]]
    )
    answers: dict[str, str | None] = field(default_factory=dict[str, "str | None"])


@lru_cache(maxsize=16)
def _ready(known: tuple[str, ...]) -> _Known:
    made = _Known()
    for number, word in enumerate(known):
        if len(word) <= _LONGEST:
            plain = word.lower().replace("-", "_")
            made.by_length.setdefault(len(plain), []).append((_letters(plain), number, plain, word))
    return made


def _letters(word: str) -> int:
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) & 63)
    return bits


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word nearest to `word`, or None if none is near: one slip in three letters, two in six, three in ten.
    Case and `-` for `_` count as half a slip, so they win over a letter. The first of equally near ones is taken.

    >>> nearest("helth", ["health", "wealth"]), nearest("Cost", ["cost"]), nearest("zebra", ["health"])
    ('health', 'cost', None)
    """
    if not word or len(word) > _LONGEST:
        return None
    ready = _ready(tuple(known))
    if word not in ready.answers:
        ready.answers[word] = _nearest(word, ready)
    return ready.answers[word]


def _nearest(word: str, known: _Known) -> str | None:
    plain = word.lower().replace("-", "_").replace(" ", "_")
    letters = _letters(plain)
    allowed = 3 if len(word) >= 10 else 2 if len(word) >= 6 else 1 if len(word) >= 3 else 0
    best: tuple[int, int, str] | None = None
    for length in range(len(plain) - allowed, len(plain) + allowed + 1):
        for bits, number, candidate, written in known.by_length.get(length, ()):
            # A slip changes at most two kinds of letters.
            if (letters ^ bits).bit_count() > 2 * allowed or written == word:
                continue
            apart = distance(plain, candidate, allowed if best is None else best[0])
            if apart <= allowed and (best is None or (apart, number) < best[:2]):
                best = (apart, number, written)
    return best[2] if best else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The hint itself, or nothing: ``did you mean `health`?``"""
    found = nearest(word, known)
    return f"did you mean `{found}`?" if found else ""
