"""What of a game stands on its larger sheets: the tracks of a player, the spaces of a map.

state: {honey: 0 to 9}     ->  a track of ten boxes on the sheet of each player
drawing: ["c h", "h l"]    ->  four spaces with their places and colours
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column, Item
from ludoloom.compiler.backend import texts
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.frontend.nodes import Node, Scalar
from ludoloom.compiler.sheets.cells import cells
from ludoloom.compiler.sheets.looks import COLOURS, Look
from ludoloom.compiler.sheets.render import Code
from ludoloom.compiler.sheets.spaces import map_cells, places

MOST_BOXES = 31
"""A longer track is one box for a number."""


def tracks(unit: Unit, item: Item, names: Mapping[str, str], labels: Mapping[str, str]) -> list[dict[str, object]]:
    """The columns of an item that change in play: numbers as tracks, a yes/no as one box."""
    found: list[dict[str, object]] = []
    for column in unit.game.kinds[item.kind].columns.values():
        if column.storage != "state" or column.seen_by == "nobody":
            continue
        label = labels.get(column.name) or names.get(column.name) or texts.title(column.name)
        if isinstance(column.type, t.Bool):
            found.append({"label": label, "boxes": [""], "start": None})
        elif isinstance(column.type, t.Int):
            found.append(_track(item, column, label))
    return found


def _track(item: Item, column: Column, label: str) -> dict[str, object]:
    low, high = _bound(item, column.low), _bound(item, column.high)
    boxes = list(range(low, high + 1)) if low is not None and high is not None and high - low < MOST_BOXES else []
    start = _bound(item, column.start) if column.start is not None else low
    return {"label": label, "boxes": [str(box) for box in boxes], "start": None if start is None else str(start)}


def _bound(item: Item, node: Node | None) -> int | None:
    """A bound, or a start, that is a number or a printed column of the same item."""
    for _ in range(3):
        if not isinstance(node, Scalar):
            return None
        if isinstance(node.value, int) and not isinstance(node.value, bool):
            return node.value
        node = item.cells.get(node.text)
    return None


def zones(unit: Unit, item: Item, names: Mapping[str, str]) -> list[str]:
    """The names of the zones that each thing of the item's kind has."""
    kind = unit.game.kinds[item.kind]
    return [names.get(zone.name) or texts.title(zone.name) for zone in kind.zones.values()]


def board(
    unit: Unit, item: Item, look: Look, names: Mapping[str, str], palette: Callable[[str], dict[str, Code]]
) -> dict[str, object] | None:
    """The spaces of a map with their places as parts of its width and height, and the links between them; None for
    anything that is no map, or one that grows."""
    declared = unit.game.maps.get(item.id)
    if declared is None or declared.grows_with or not declared.space_ids:
        return None
    lie = places(declared)
    spaces: list[dict[str, object]] = []
    for number, name in enumerate(declared.space_ids):
        space = unit.game.items.get(name)
        printed = cells(unit, space, "", names, look.labels) if space is not None else {}
        wordy = [cell for cell in printed.values() if cell.wordy]
        colour = next(
            (look.colours[c.name][m] for c in wordy for m in c.members if m in look.colours.get(c.name, ())),
            COLOURS[_shade(wordy[0].members, unit, number) % len(COLOURS)]
            if wordy and wordy[0].members
            else look.colour,
        )
        told = wordy[:2] if look.show is None else [cell for cell in wordy if cell.name in look.show]
        x, y, width, height = lie[name]
        spaces.append(
            {
                "name": name.rpartition(".")[2],
                "title": (space.title if space is not None else "") or name.rpartition(".")[2],
                "words": ", ".join(cell.value for cell in told),
                "x": x,
                "y": y,
                "width": width,
                "height": height,
                "colours": palette(colour),
            }
        )
    place = {name: number for number, name in enumerate(declared.space_ids)}
    links = sorted(
        {
            (min(place[one], place[two]), max(place[one], place[two]))
            for one, others in declared.links_of.items()
            for two in others
            if one in place and two in place
        }
    )
    drawn = bool(declared.centres_of)
    return {"spaces": spaces, "links": [list(link) for link in links], "drawn": drawn, "cell": map_cells(declared)}


def _shade(members: tuple[str, ...], unit: Unit, number: int) -> int:
    """The same words have the same colour: their place in their enumeration."""
    for enum in unit.game.enums.values():
        if members[0] in enum:
            return enum.index(members[0])
    return number
