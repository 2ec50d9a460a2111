"""Numbers: every thing of the game in one row from 1.

First what only moves (pieces, cards, encounters, quests, seats, then printed records, which never move), then what
moves and holds (tiles), then what only holds (spaces, maps, the built-in place `table`, the zones). Things of one root
kind stand in a row, those of a kind built on it in a row within that: so a column is an array and a set of things a run
of bits."""

from __future__ import annotations

from typing import Final

from ludoloom.compiler.analysis.model import Game, Item, Kind, ThingDecl, ZoneDecl
from ludoloom.compiler.diagnostics.model import Bag, Related

MOST_THINGS: Final = 20_000
TABLE: Final = "table"
"""The place where the seats in play lie."""

_MOVING: Final = ("card", "encounter", "quest", "piece", "player", "part")
_ORDER: Final = (_MOVING, ("tile",), ("space", "map"))


def number_things(game: Game, bag: Bag) -> bool:
    """Fill `game.things`, `names` and every `first`, `count`, `things`; False if there are too many to go on."""
    zones = sum(sum(item.copies for item in _items_of(game, zone.kind)) for zone in _kind_zones(game))
    total = sum(item.copies for item in game.items.values()) + zones + len(game.zones) + 1
    if total > MOST_THINGS:
        bag.add(
            "too-large",
            game.span,
            f"the game has {total:,} things (copies, spaces and zones of pieces counted); "
            f"at most {MOST_THINGS:,} are allowed",
        )
        return False
    roots = [kind for kind in game.kinds.values() if not kind.base or kind.base not in game.kinds]
    by_kind: dict[str, list[Item]] = {}
    for item in game.items.values():
        by_kind.setdefault(item.kind, []).append(item)
    for part in _ORDER:
        # parts are numbered behind what really moves
        for family in part:
            for root in roots:
                if root.family == family:
                    _number_kind(game, root, by_kind, bag)
        if part is _MOVING:
            game.first_place = len(game.things) + 1
        if part is not _ORDER[-1]:
            game.movable = len(game.things)
    _thing(game, TABLE, "", None)
    for zone in game.zones.values():
        zone.first = _thing(game, zone.name, "", None, zone=zone)
    for zone in _kind_zones(game):
        kind = game.kinds[zone.kind]
        zone.first = len(game.things) + 1
        for number in range(kind.first, kind.first + kind.count):
            _thing(game, f"{game.things[number - 1].name}.{zone.name}", "", None, owner=number, zone=zone)
    _number_maps(game)
    for item in game.items.values():
        for column, ids in item.part_ids.items():
            item.parts[column] = [game.items[one].things[0] for one in ids if game.items[one].things]
    return True


def _kind_zones(game: Game) -> list[ZoneDecl]:
    return [zone for kind in game.kinds.values() for zone in kind.zones.values() if zone.kind == kind.name]


def _items_of(game: Game, kind: str) -> list[Item]:
    return [item for item in game.items.values() if is_a(game, item.kind, kind)]


def is_a(game: Game, kind: str, base: str) -> bool:
    """Whether a kind is the other one or built on it."""
    at = kind
    while at:
        if at == base:
            return True
        found = game.kinds.get(at)
        at = found.base if found else ""
    return False


def _number_kind(game: Game, kind: Kind, by_kind: dict[str, list[Item]], bag: Bag) -> None:
    kind.first = len(game.things) + 1
    for item in by_kind.get(kind.name, ()):
        for k in range(1, item.copies + 1):
            name = item.id if item.copies == 1 else f"{item.id}_{k}"
            if name in game.names:
                _taken(name, item, game, bag)
            item.things.append(_thing(game, name, kind.name, item))
    for child in game.kinds.values():
        if child.base and child.base == kind.name:
            _number_kind(game, child, by_kind, bag)
    kind.count = len(game.things) + 1 - kind.first


def _taken(name: str, item: Item, game: Game, bag: Bag) -> None:
    other = game.things[game.names[name] - 1].item
    copy = f"a copy of `{item.id}`" if name != item.id else f"`{item.id}`"
    first = f"a copy of `{other.id}`" if other and name != other.id else "another thing"
    bag.add(
        "name-taken",
        item.span,
        f"{copy} cannot be called `{name}`: {first} is called so already",
        "rename one of them",
        (Related(other.span, f"{first} is here"),) if other else (),
    )


def _thing(game: Game, name: str, kind: str, item: Item | None, owner: int = 0, zone: ZoneDecl | None = None) -> int:
    number = len(game.things) + 1
    game.things.append(ThingDecl(number, name, kind, item, owner, zone))
    game.names.setdefault(name, number)
    return number


def _number_maps(game: Game) -> None:
    for board in game.maps.values():
        board.thing = game.names.get(board.name, 0)
        board.spaces = [game.names[name] for name in board.space_ids if name in game.names]
        board.links = {
            game.names[name]: [game.names[other] for other in others]
            for name, others in board.links_of.items()
            if name in game.names
        }
        board.centres = {game.names[name]: centre for name, centre in board.centres_of.items() if name in game.names}
        board.outlines = {game.names[name]: each for name, each in board.outlines_of.items() if name in game.names}
        board.leads_to = {game.names[name]: door.text for name, door in board.doors.items() if door.text in game.maps}


def seat_names(most: int) -> list[str]:
    """The names of the built-in seats."""
    return [f"player_{k}" for k in range(1, most + 1)]
