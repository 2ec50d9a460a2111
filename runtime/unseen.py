"""What one player cannot know of a position, as a table by which it can be dealt anew.

Things that the player does not see, and that could be exchanged as far as the player knows, form a *class*: they are
of one kind, belong to the same owner, and came from the same place. A class counts only if it tells something: one of
its things lies in a zone that others see, or has a known place in a pile, or lies face down (a shuffled pile alone
has no order to be known). Columns that are hidden from the player are drawn anew where all their values are known
(yes or no, members of an enumeration); others are taken as they were at the start.

Not known to the runtime is what a player remembers: a card that was shown and went back into the pile is unknown
again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from ludoloom.runtime.image import ColumnRow, Program
from ludoloom.runtime.machine import (
    H_GROUP,
    H_LOC,
    H_MOVABLE,
    H_OPTS,
    OPTION_WORDS,
    R_OPTIONS,
    R_QUESTION,
    R_STATUS,
    ST_ASK,
)
from ludoloom.runtime.names import Names, names_of
from ludoloom.runtime.rollout import swap
from ludoloom.runtime.state import place_of, things_at
from ludoloom.runtime.views import allowed, open_faces, showing

_ENUM, _BOOL = "enum", "bool"
NOTHING: Final = [0, 0]
"""The table of a seat that nothing is hidden from."""
_FIXED: WeakKeyDictionary[Names, list[_Fixed]] = WeakKeyDictionary()
Key = tuple[str, int, int, str]
"""Kind, owner, where it lay at the start, the face that shows."""


def table(program: Program, state: list[int], viewer: int) -> list[int]:
    """What `rollout.redeal` deals anew for a seat.

    ``[classes, (things, columns, options, thing …, (offset, first) …, option word …) …, words, (word, low, high) …]``:
    the things of a class change places among each other, the values of their columns stay where they were, and so
    does what options mean; words get a value from low to high.
    """
    names = names_of(program)
    classes = [things for things, told in _classes(program, state, names, viewer).values() if told and len(things) > 1]
    offered = _offered(program, state)
    found = [len(classes)]
    for things in classes:
        columns = [(row.offset, row.first) for row in names.columns(things[0]) if row.storage == "state"]
        options = [word for word in offered if state[word] in things]
        found += [len(things), len(columns), len(options), *things]
        for offset, first in columns:
            found += [offset, first]
        found += options
    words = list(_words(program, state, names, viewer))
    return [*found, len(words), *(word for row in words for word in row)]


def levelled(program: Program, state: list[int], unseen: list[int]) -> list[int]:
    """The state with the things of each class in the order of their numbers, wherever they lie: the same one whatever
    the truth is, so that no decision of a program can depend on it."""
    consts = program.consts
    found = list(state)
    at = 1
    for _ in range(unseen[0]):
        things = unseen[at + 3 : at + 3 + unseen[at]]
        slots = sorted(things, key=lambda thing: _slot(program, state, thing))
        lies = {thing: thing for thing in things}  # who lies where the thing lay in the beginning
        for slot, wanted in zip(slots, sorted(things), strict=True):
            here = lies[slot]
            if here != wanted:
                swap(consts, found, unseen, at, here, wanted)
                there = next(each for each, who in lies.items() if who == wanted)
                lies[slot], lies[there] = wanted, here
        at += 3 + unseen[at] + 2 * unseen[at + 1] + unseen[at + 2]
    return found


def _slot(program: Program, state: list[int], thing: int) -> tuple[int, int]:
    """The place where a thing lies, and how many lie above it."""
    place = place_of(program.consts, state, thing)
    return place, things_at(program.consts, state, place).index(thing)


@dataclass(frozen=True, slots=True)
class _Fixed:
    """What never changes of a thing: the class that it falls into (but for the face), and its faces that have columns
    of their own and are hidden while they do not show."""

    kind: str
    owner: int
    began: int
    faces: frozenset[str]


def _fixed(program: Program) -> list[_Fixed]:
    """The things that can move, from number 1 on; worked out once for a program."""
    names = names_of(program)
    found = _FIXED.get(names)
    if found is None:
        found = [
            _Fixed(
                names.kind_of(thing),
                _owner(program, names, thing),
                program.start[program.consts[H_LOC] + thing],
                frozenset(row.face for row in names.columns(thing) if row.face and not open_faces(program, thing)),
            )
            for thing in range(1, program.consts[H_MOVABLE] + 1)
        ]
        _FIXED[names] = found
    return found


def _classes(program: Program, state: list[int], names: Names, viewer: int) -> dict[Key, tuple[list[int], bool]]:
    """The things that are unknown to the viewer, class by class, and whether they tell something."""
    lies, group = program.consts[H_LOC], program.consts[H_GROUP]
    growing = {names.number(name) for name in names.maps}
    hidden = {
        zone.thing: zone.seen_by != "nobody"
        for zone in program.zones
        if zone.seen_by != "everyone" and not allowed(program, state, zone.seen_by, zone.owner, viewer)
    }
    found: dict[Key, tuple[list[int], bool]] = {}
    for thing, fixed in enumerate(_fixed(program), 1):
        place = state[lies + thing]
        if place in hidden:
            told, face = hidden[place] or state[group + thing] == 0, ""
        elif fixed.faces and place and place not in growing:
            told, face = True, showing(program, state, thing)
            if fixed.faces <= {face}:
                continue
        else:
            continue
        key = (fixed.kind, fixed.owner, fixed.began, face)
        things, before = found.get(key, ([], False))
        found[key] = ([*things, thing], before or told)
    return found


def _offered(program: Program, state: list[int]) -> list[int]:
    """The words of the options of a question that name things."""
    if state[R_STATUS] != ST_ASK:
        return []
    found: list[int] = []
    for k in range(state[R_OPTIONS]):
        at = program.consts[H_OPTS] + k * OPTION_WORDS
        label = state[at + 1]
        types = program.labels[label].types if label else (program.questions[state[R_QUESTION]].type,)
        found += [at + 2 + place for place, kind in enumerate(types[:2]) if kind.tag in ("thing", "set")]
    return found


def _owner(program: Program, names: Names, thing: int) -> int:
    """The owner that is printed on a thing, 0 if there is none."""
    column = names.column(thing, "owner")
    if column is None or column.storage != "printed":
        return 0
    return program.consts[column.offset + (thing - column.first) * column.words]


def _words(program: Program, state: list[int], names: Names, viewer: int) -> list[tuple[int, int, int]]:
    """The words of columns whose value is hidden from the viewer, each with its lowest and highest value."""
    found: list[tuple[int, int, int]] = []
    for row in program.columns:
        if row.storage != "state" or row.seen_by == "everyone" or row.words != 1:
            continue
        for k in range(row.count if row.kind else 1):
            if allowed(program, state, row.seen_by, row.first + k if row.kind else 0, viewer):
                continue
            word = row.offset + k
            low, high = _values(program, names, row, word)
            found.append((word, low, high))
    return found


def _values(program: Program, names: Names, row: ColumnRow, word: int) -> tuple[int, int]:
    if row.type.tag == _BOOL:
        return 0, 1
    if row.type.tag == _ENUM:
        return 1, len(names.members(row.type.of))
    return program.start[word], program.start[word]
