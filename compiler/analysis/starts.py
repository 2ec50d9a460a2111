"""Where things lie at first: `starts_in` of an item, else of its kind.

    starts_in: supply          a zone of the game          starts_in: isle.b2      a space
    starts_in: red.hand        a zone of a seat            starts_in: owner.pile   a zone of the printed owner
    starts_in: start_tile      a tile of a growing map

Checked here, because all of it is printed: the zone holds that kind, and has room.
"""

from __future__ import annotations

from ludoloom.compiler.analysis.model import Game, Item, ThingDecl
from ludoloom.compiler.analysis.names import did_you_mean
from ludoloom.compiler.analysis.number import is_a
from ludoloom.compiler.analysis.tree import number, text
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.frontend.nodes import Node, Scalar, Span


def place_things(game: Game, removed: dict[str, Span], bag: Bag) -> None:
    """Set `ThingDecl.starts`."""
    full: dict[int, list[Item]] = {}
    for item in game.items.values():
        node = item.starts_in or game.kinds[item.kind].starts_in
        if not isinstance(node, Scalar) or node.text in ("none", ""):
            continue
        family = game.kinds[item.kind].family
        if family in ("space", "map", "part", "player"):
            bag.add(
                "holds-other-kind",
                node.span,
                f"{_what(item)} is of the family {family}, which does not lie in a place",
                "leave `starts_in` out",
            )
            continue
        place = _place(game, item, node, removed, bag)
        if not place:
            continue
        _check_holds(game, item, node, game.things[place - 1], bag)
        for thing in item.things:
            game.things[thing - 1].starts = place
            full.setdefault(place, []).append(item)
    for place, items in full.items():
        _check_room(game, game.things[place - 1], items, bag)


def _place(game: Game, item: Item, node: Scalar, removed: dict[str, Span], bag: Bag) -> int:
    name = node.text
    if name.startswith("owner."):
        owner = item.cells.get("owner")
        if owner is None or text(owner) == "none":
            bag.add(
                "unknown-word",
                node.span,
                f"`{item.id}` has no printed owner, so `{name}` is no place",
                f"write an `owner` at `{item.id}`, or let it start elsewhere",
                (Related(item.span, f"`{item.id}` is here"),),
            )
            return 0
        name = text(owner) + name.removeprefix("owner")
    found = game.names.get(name, 0)
    if found >= game.first_place > 0:
        return found
    if found:
        hint = "write a zone, a space or a tile"
        bag.add("wrong-type", node.span, f"`{name}` is no place: it can hold nothing", hint)
        return 0
    if name in removed:
        gone = Related(removed[name], "removed here")
        bag.add("removed-but-used", node.span, f"`{name}` is used here, but it has been removed", "", (gone,))
        return 0
    places = [thing.name for thing in game.things[game.first_place - 1 :]]
    word = name if node.text == name else node.text
    bag.add("unknown-word", node.span, f"there is no place `{word}`", did_you_mean(name, places))
    return 0


def _check_holds(game: Game, item: Item, node: Node, place: ThingDecl, bag: Bag) -> None:
    zone = place.zone
    if zone is None or not zone.holds or any(is_a(game, item.kind, kind) for kind in zone.holds):
        return
    bag.add(
        "holds-other-kind",
        node.span,
        f"{_what(item)} is of the kind `{item.kind}`, but `{place.name}` holds {' and '.join(zone.holds)}",
        f"add `{item.kind}` to what the zone `holds`, or let it start elsewhere",
        (Related(zone.span, "the zone is declared here"),),
    )


def _what(item: Item) -> str:
    """Who starts there: the item, or all of a kind that says it for them (one finding then, not one for each)."""
    return f"`{item.id}`" if item.starts_in is not None else f"each `{item.kind}`"


def _check_room(game: Game, place: ThingDecl, items: list[Item], bag: Bag) -> None:
    zone = place.zone
    limit = number(zone.limit) if zone else None
    if zone is None or zone.limit is None or limit is None or len(items) <= limit:
        return
    bag.add(
        "zone-too-small",
        zone.limit.span,
        f"`{place.name}` has room for {limit}, but {len(items)} things start there",
        "make `max` larger, or let some start elsewhere",
        (Related(items[limit].span, "the first one that finds no room"),),
    )
