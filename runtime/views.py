"""Who sees what, derived from what the game declares of its zones, columns and faces.

A *viewer* is the number of a seat, or 0 for somebody who sees everything. A thing is *known* to a viewer unless it
lies in a zone that the viewer does not see; what is not known is spoken of by the name of its kind. A column is seen
by everyone, by the owner of its thing, or by nobody, and one that is printed on a face only while that face shows.
"""

from __future__ import annotations

from typing import Any

from ludoloom.runtime.errors import GameError
from ludoloom.runtime.image import ColumnRow, Program, TypeRow
from ludoloom.runtime.machine import (
    H_GROUP,
    H_MOVABLE,
    H_NSEATS,
    H_PLACES,
    H_SEATS,
    H_TABLE,
    H_THINGS,
    M_CELL,
    M_FIRST,
    M_TILES,
    M_TURN,
    R_PLAYERS,
    R_STEP,
)
from ludoloom.runtime.names import Names, names_of
from ludoloom.runtime.state import evaluate, place_of, things_at

EVERYONE = 0
SHOWING = "showing"
"""The built-in column that says which face of a thing is up."""
_OWNERS = 8
"""How many owners of owners are followed to a player."""


def seat_of(program: Program, state: list[int], thing: int) -> int:
    """The player to whom a thing belongs (a player belongs to itself, a zone to its thing), 0 if to nobody."""
    names = names_of(program)
    first, seats = program.consts[H_SEATS], program.consts[H_NSEATS]
    for _ in range(_OWNERS):
        if first <= thing < first + seats:
            return thing
        zone = names.zones.get(thing)
        if zone is not None:
            thing = zone.owner
            continue
        column = names.column(thing, "owner") if thing else None
        if column is None:
            return 0
        thing = read_column(program, state, column, thing)[0]
    return 0


def read_column(program: Program, state: list[int], column: ColumnRow, thing: int) -> list[int]:
    """The words of a column of a thing (of the game, if the column has no kind)."""
    k = thing - column.first if column.kind else 0
    if column.kind and not 0 <= k < column.count:
        raise GameError(f"'{names_of(program).thing(thing)}' has no column '{column.name}'")
    if column.storage == "computed":
        return evaluate(program, state, column.offset, [thing] if column.kind else [])
    words = program.consts if column.storage == "printed" else state
    at = column.offset + k * column.words
    return words[at : at + column.words]


def parameterless(program: Program, column: ColumnRow) -> bool:
    """Whether a column can be read without an argument of its own."""
    if column.storage != "computed":
        return True
    return program.procs[column.offset].nargs == (1 if column.kind else 0)


def allowed(program: Program, state: list[int], seen_by: str, owner: int, viewer: int) -> bool:
    """Whether the words ``everyone``, ``owner``, ``nobody`` let the viewer see what belongs to `owner`."""
    if viewer == EVERYONE or seen_by == "everyone":
        return True
    return seen_by == "owner" and owner != 0 and seat_of(program, state, owner) == viewer


def knows(program: Program, state: list[int], thing: int, viewer: int) -> bool:
    """Whether the viewer knows which thing this is."""
    zone = names_of(program).zones.get(place_of(program.consts, state, thing))
    return zone is None or allowed(program, state, zone.seen_by, zone.owner, viewer)


def sees_column(program: Program, state: list[int], column: ColumnRow, thing: int, viewer: int) -> bool:
    """Whether the viewer sees a column of a thing that is known."""
    if not allowed(program, state, column.seen_by, thing if column.kind else 0, viewer):
        return False
    if not column.face or viewer == EVERYONE or showing(program, state, thing) in ("", column.face):
        return True
    return open_faces(program, thing)


def open_faces(program: Program, thing: int) -> bool:
    """Whether everybody knows what stands on the faces of a thing that do not show."""
    names = names_of(program)
    kind = names.kinds.get(names.kind_of(thing))
    return kind is not None and kind.open_faces


def showing(program: Program, state: list[int], thing: int) -> str:
    """The face of a thing that is up; empty if its kind has no faces."""
    names = names_of(program)
    kind = names.kinds.get(names.kind_of(thing))
    column = names.column(thing, SHOWING)
    if kind is None or column is None or not kind.faces:
        return ""
    face = read_column(program, state, column, thing)[0]
    return kind.faces[face - 1] if 1 <= face <= len(kind.faces) else ""


def unknown_members(program: Program, state: list[int], kind: TypeRow, words: list[int], viewer: int) -> list[int]:
    """The things that a value names and the viewer does not know."""
    if viewer == EVERYONE:
        return []
    if kind.tag == "thing":
        members = [words[0]] if words and words[0] else []
    elif kind.tag == "set":
        names = names_of(program)
        members = [names.things[name] for name in names.value(kind, words) if name in names.things]
    else:
        return []
    return [member for member in members if not knows(program, state, member, viewer)]


def seen_value(program: Program, state: list[int], kind: TypeRow, words: list[int], viewer: int) -> Any:
    """A value as the viewer sees it: a thing that is not known appears as its kind."""
    names = names_of(program)
    hidden = unknown_members(program, state, kind, words, viewer)
    if not hidden:
        return names.value(kind, words)
    if kind.tag == "thing":
        return names.kind_of(words[0])
    unseen = {names.thing(member) for member in hidden}
    members: list[str] = names.value(kind, words)
    return [names.kind_of(names.things[name]) if name in unseen else name for name in members]


def view(program: Program, state: list[int], viewer: int, *, formulas: bool = True) -> dict[str, Any]:
    """All that the viewer sees, by names.

    ``game``: the game's own words. ``players``: the seats in play. ``things``: each known thing that lies somewhere,
    and each place that is no zone, with its kind, where it lies and its columns. ``zones``: how many things and, where
    the viewer sees them, which, top first (the order of a shuffled pile is nobody's to see, so its things stand in the
    order of their numbers).
    """
    names = names_of(program)
    consts = program.consts
    found: dict[str, Any] = {
        "step": program.steps[state[R_STEP]] if 0 <= state[R_STEP] < len(program.steps) else None,
        "players": [names.thing(seat) for seat in names.seats[: state[R_PLAYERS]]],
        "game": {},
        "things": {},
        "zones": {},
    }
    for column in names.game_words.values():
        if sees_column(program, state, column, 0, viewer):
            put_value(found["game"], program, state, names, column, 0, viewer, formulas)
    for thing in range(1, consts[H_THINGS] + 1):
        if thing in names.zones or thing == consts[H_TABLE] or names.family(thing) == "part":
            continue
        place = place_of(consts, state, thing)
        if thing <= consts[H_MOVABLE] and (place == 0 or not knows(program, state, thing, viewer)):
            continue
        row: dict[str, Any] = {"kind": names.kind_of(thing)}
        if place not in (0, consts[H_TABLE]):
            row["at"] = names.thing(place)
        row.update(cell_of(program, state, names, thing))
        for column in names.columns(thing):
            if sees_column(program, state, column, thing, viewer):
                put_value(row, program, state, names, column, thing, viewer, formulas)
        found["things"][names.thing(thing)] = row
    for zone in program.zones:
        things = things_at(consts, state, zone.thing)
        row = {}
        if allowed(program, state, zone.count_seen_by, zone.owner, viewer):
            row["count"] = len(things)
        if allowed(program, state, zone.seen_by, zone.owner, viewer):
            row["things"] = [names.thing(thing) for thing in known_order(program, state, things)]
        if row:
            found["zones"][zone.name or names.thing(zone.thing)] = row
    return found


def put_value(
    row: dict[str, Any],
    program: Program,
    state: list[int],
    names: Names,
    column: ColumnRow,
    thing: int,
    viewer: int,
    formulas: bool,
) -> None:
    """Add a column to a row of the view, unless it is a formula that is not wanted, needs an argument, or has no value
    now.
    """
    if column.storage == "computed" and (not formulas or not parameterless(program, column)):
        return
    if column.type.tag not in ("int", "bool", "enum", "thing", "set", "range", "cell"):
        return
    # Faces may have columns of one name; those of a face that does not show stand under its name.
    down = column.face and showing(program, state, thing) != column.face
    name = f"{column.face}.{column.name}" if down else column.name
    try:
        words = read_column(program, state, column, thing)
        row[name] = seen_value(program, state, column.type, words, viewer)
    except GameError:
        # A formula may be without a value at this moment (a column of a thing that is not there).
        row[name] = None


def cell_of(program: Program, state: list[int], names: Names, thing: int) -> dict[str, Any]:
    """For a tile on a growing map: its cell and how it is turned."""
    for name, at in names.maps.items():
        k = thing - program.consts[at + M_FIRST]
        if 0 <= k < program.consts[at + M_TILES]:
            cell = state[program.consts[at + M_CELL] + k]
            if cell:
                return {"cell": names.cell_name(name, cell), "turn": state[program.consts[at + M_TURN] + k]}
    return {}


def known_order(program: Program, state: list[int], things: list[int]) -> list[int]:
    """The things of a place, those of one unknown order sorted by number, so that nothing shows how they would come."""
    group = program.consts[H_GROUP]
    found: list[int] = []
    k = 0
    while k < len(things):
        end = k + 1
        while state[group + things[k]] and end < len(things) and state[group + things[end]] == state[group + things[k]]:
            end += 1
        found += sorted(things[k:end])
        k = end
    return found


def viewer_number(program: Program, player: str | int | None) -> int:
    """The seat of a player given by name (or by a thing that stands for it later); 0 for None, who sees everything."""
    if player is None:
        return EVERYONE
    names = names_of(program)
    number = player if isinstance(player, int) else names.number(player)
    if number not in names.seats:
        listed = ", ".join(f"'{names.thing(seat)}'" for seat in names.seats)
        raise GameError(f"'{player}' is no player; the players are {listed}")
    return number


def is_place(program: Program, thing: int) -> bool:
    """Whether things can lie at it."""
    return program.consts[H_PLACES] <= thing <= program.consts[H_THINGS]
