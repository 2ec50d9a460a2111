"""Read and write a state by names, as scenarios and saves do.

    read(program, state, "ann.energy")        a column: its value
    read(program, state, "ann.tile")          where it stands, by the kind of the place (`ann.at`: whatever it is)
    read(program, state, "deck")               what lies there, top first; "deck.count": how many
    write(program, state, "wolf_1", "isle.b2")     put a thing at a place ("none": nowhere)
    write(program, state, "deck", ["ace", "king"])  a pile: these on top, in this order; other zones: exactly these

A path is the longest name of a thing at its front, then at most one word; or a word of the game; or ``options.x``.
Values are plain, as `names.Names.value` gives them. What does not exist is told with the nearest names.
"""

from __future__ import annotations

from typing import Any, cast

from ludoloom.runtime.errors import GameError, unknown
from ludoloom.runtime.grid import lay
from ludoloom.runtime.image import ColumnRow, Program
from ludoloom.runtime.machine import (
    FA_NONE,
    FAULT_TEXT,
    H_GROUP,
    H_MOVABLE,
    M_CELL,
    M_FIRST,
    M_TILES,
    M_TURN,
    R_STEP,
)
from ludoloom.runtime.names import NONE, Names, names_of
from ludoloom.runtime.state import empty_place, evaluate, lay_at, place_of, set_order, things_at
from ludoloom.runtime.views import is_place, known_order, parameterless, read_column

AT = "at"
"""The word for where a thing lies, of whatever kind the place is."""
STEP = "step"


def read(program: Program, state: list[int], path: str) -> Any:
    """The value at a path."""
    names = names_of(program)
    thing, word = split(names, path)
    if thing == 0:
        if word == STEP and STEP not in names.game_words:
            return program.steps[state[R_STEP]] if 0 <= state[R_STEP] < len(program.steps) else None
        return read_word(program, state, game_word(names, word), 0)
    if not word:
        if thing in names.zones or (is_place(program, thing) and thing > program.consts[H_MOVABLE]):
            return contents(program, state, names, thing)
        return location(program, state, names, thing)
    column = names.column(thing, word)
    if column is not None:
        return read_word(program, state, column, thing)
    match word:
        case "count" if is_place(program, thing):
            return len(things_at(program.consts, state, thing))
        case "top" | "bottom" if is_place(program, thing):
            return end_of(program, state, names, thing, word)
        case "things" if is_place(program, thing):
            return contents(program, state, names, thing)
        case "turn" if (tile := grid_of(program, names, thing)) is not None:
            return state[program.consts[tile[1] + M_TURN] + tile[2]]
        case "in_play":
            return place_of(program.consts, state, thing) != 0
        case _:
            pass
    place = place_of(program.consts, state, thing)
    if word == AT:
        return location(program, state, names, thing)
    if word in names.kinds:
        return location(program, state, names, thing) if place and covers(names, word, place) else None
    members = of_kind(names, word)
    if members is not None and is_place(program, thing):
        here = things_at(program.consts, state, thing)
        return [names.thing(p) for p in known_order(program, state, here) if p in members]
    raise GameError(no_word(names, thing, word))


def write(program: Program, state: list[int], path: str, value: Any) -> None:
    """Set what stands at a path; printed columns and formulas cannot be set."""
    names = names_of(program)
    thing, word = split(names, path)
    if thing == 0:
        write_word(program, state, game_word(names, word), 0, value)
        return
    column = names.column(thing, word) if word else None
    if column is not None:
        write_word(program, state, column, thing, value)
        return
    if word == "turn" and (tile := grid_of(program, names, thing)) is not None:
        if isinstance(value, bool) or not isinstance(value, int):
            raise GameError(f"{value!r} is no number of quarter turns")
        state[program.consts[tile[1] + M_TURN] + tile[2]] = value & 3
        return
    movable = thing <= program.consts[H_MOVABLE]
    if is_place(program, thing) and (word == "things" or (not word and isinstance(value, (list, tuple)))):
        fill(program, state, names, thing, value)
        return
    if not word and is_place(program, thing) and not movable:
        fill(program, state, names, thing, [] if value in (None, NONE) else [value])
        return
    if word in ("", AT) or word in names.kinds:
        if not movable:
            raise GameError(f"'{names.thing(thing)}' cannot be moved")
        move(program, state, names, thing, value, word)
        return
    if word in ("count", "top", "bottom", "in_play"):
        raise GameError(
            f"'{path}' follows from what lies where and cannot be set; set '{names.thing(thing)}' to a list"
        )
    raise GameError(no_word(names, thing, word))


def paths(program: Program) -> list[str]:
    """Every path that `write` can set to hold a whole game: words of the game, columns, where things lie."""
    names = names_of(program)
    found = [name for name, row in names.game_words.items() if row.storage == "state"]
    for thing in range(1, len(program.things) + 1):
        found += [f"{names.thing(thing)}.{row.name}" for row in names.columns(thing) if row.storage == "state"]
    return found


# --- parts ---------------------------------------------------------------------------------------------------------
def split(names: Names, path: str) -> tuple[int, str]:
    """The thing at the front of a path and the word after it; thing 0: a word of the game."""
    if path in names.things:
        return names.things[path], ""
    if path in names.game_words or path.startswith("options.") or path == STEP:
        return 0, path
    front, _, word = path.rpartition(".")
    if front in names.things:
        return names.things[front], word
    first = front.split(".")[0] if front else path
    if first in names.things or first in names.game_words:
        raise GameError(f"'{path}' has one word too many" if front else unknown("word", path, names.game_words))
    raise GameError(unknown("thing or word of the game", front or path, [*names.game_words, *names.things]))


def game_word(names: Names, word: str) -> ColumnRow:
    """A word of the game."""
    row = names.game_words.get(word)
    if row is None:
        raise GameError(unknown("word of the game", word, names.game_words))
    return row


def no_word(names: Names, thing: int, word: str) -> str:
    """The sentence for a word that a thing does not have."""
    own = [row.name for row in names.columns(thing)]
    return f"'{names.thing(thing)}' has no '{word}': " + unknown("column", word, own)


def read_word(program: Program, state: list[int], row: ColumnRow, thing: int) -> Any:
    """The value of a column or a word of the game."""
    if not parameterless(program, row):
        raise GameError(f"'{row.name}' needs an argument")
    if row.storage == "computed":
        words = evaluate(program, state, row.offset, [thing] if row.kind else [])
    else:
        words = read_column(program, state, row, thing)
    return names_of(program).value(row.type, words)


def write_word(program: Program, state: list[int], row: ColumnRow, thing: int, value: Any) -> None:
    """Set a column or a word of the game."""
    if row.storage != "state":
        how = "printed" if row.storage == "printed" else "a formula"
        raise GameError(f"'{row.name}' is {how} and cannot be set")
    words = names_of(program).words(row.type, value)
    at = row.offset + (thing - row.first) * row.words if row.kind else row.offset
    state[at : at + len(words)] = words


def contents(program: Program, state: list[int], names: Names, place: int) -> list[str]:
    """What lies at a place, top first; things whose order is unknown in the order of their numbers."""
    return [names.thing(thing) for thing in known_order(program, state, things_at(program.consts, state, place))]


def location(program: Program, state: list[int], names: Names, thing: int) -> str | None:
    """Where a thing lies: the place's name, with the cell on a growing map; None: nowhere."""
    place = place_of(program.consts, state, thing)
    if not place:
        return None
    tile = grid_of(program, names, thing)
    cell = state[program.consts[tile[1] + M_CELL] + tile[2]] if tile is not None else 0
    return f"{tile[0]}.{names.cell_name(tile[0], cell)}" if tile is not None and cell else names.thing(place)


def end_of(program: Program, state: list[int], names: Names, place: int, word: str) -> str | None:
    """The top or bottom thing; None if there is none or nobody can know it yet."""
    things = things_at(program.consts, state, place)
    if not things:
        return None
    thing = things[0 if word == "top" else -1]
    return None if state[program.consts[H_GROUP] + thing] else names.thing(thing)


def grid_of(program: Program, names: Names, thing: int) -> tuple[str, int, int] | None:
    """For a tile: the growing map it can lie on, where that map's row begins, which of its tiles it is."""
    for name, at in names.maps.items():
        k = thing - program.consts[at + M_FIRST]
        if 0 <= k < program.consts[at + M_TILES]:
            return name, at, k
    return None


def covers(names: Names, kind: str, thing: int) -> bool:
    """Whether a thing is of a kind."""
    row = names.kinds[kind]
    return row.first <= thing < row.first + row.count


def of_kind(names: Names, plural: str) -> range | None:
    """The things of the kind with this plural."""
    for row in names.kinds.values():
        if row.plural == plural:
            return range(row.first, row.first + row.count)
    return None


def fill(program: Program, state: list[int], names: Names, place: int, value: Any) -> None:
    """Lay things at a place: on top of a pile, or as all that lies in another place. An empty list empties either."""
    if not isinstance(value, (list, tuple)):
        raise GameError(f"'{names.thing(place)}' holds things: write a list")
    things = [names.number(str(name)) for name in cast("list[Any]", value)]
    if len(set(things)) != len(things):
        raise GameError(f"the list for '{names.thing(place)}' names a thing twice")
    for thing in things:
        if thing > program.consts[H_MOVABLE]:
            raise GameError(f"'{names.thing(thing)}' cannot be moved")
    zone = names.zones.get(place)
    if not things or zone is None or zone.order != "pile":
        empty_place(program.consts, state, place)
    try:
        set_order(program.consts, state, place, things)
    except GameError as error:
        raise GameError(f"'{names.thing(place)}' cannot hold that: {error}") from None


def move(program: Program, state: list[int], names: Names, thing: int, value: Any, word: str) -> None:
    """Put a thing at a place, by the place's name, or on a cell of a growing map (``island.k11``)."""
    consts = program.consts
    if value in (None, NONE):
        lay_at(consts, state, thing, 0)
        return
    text = str(value)
    growing, _, cell = text.rpartition(".")
    tile = grid_of(program, names, thing)
    if tile is not None and text not in names.things and growing in ("", tile[0]):
        turn = state[consts[tile[1] + M_TURN] + tile[2]]
        fault = lay(consts, state, tile[1], thing, names.cell(tile[0], cell), turn)
        if fault != FA_NONE:
            raise GameError(f"'{names.thing(thing)}' cannot lie at '{text}': {FAULT_TEXT[fault]}")
        state[consts[H_GROUP] + thing] = 0
        return
    place = names.number(text)
    if not is_place(program, place):
        raise GameError(f"'{text}' is no place where something can lie")
    if word in names.kinds and not covers(names, word, place):
        raise GameError(f"'{text}' is a {names.kind_of(place)}, but a {word} stands here")
    try:
        lay_at(consts, state, thing, place)
    except GameError as error:
        raise GameError(f"'{names.thing(thing)}' cannot lie at '{text}': {error}") from None
