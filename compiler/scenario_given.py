"""What `given` of a scenario lays over the game must be a state that play could come to.

    given: {year: 9, penny: till, bank: [penny]}     ->  `year` goes to 4; `penny` would lie in two places

A rule that works only beyond the bounds of a column proves nothing, and of two places the one that is laid last would
count without a word. Nor does a seat that does not play: whatever is said of it, nothing would come of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludoloom.compiler.analysis.model import Column, Game, ThingDecl
from ludoloom.compiler.analysis.tree import number, text
from ludoloom.compiler.backend.cells import cell_of
from ludoloom.compiler.diagnostics.model import Diagnostic, Related
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar


def beyond(game: Game, path: str, value: Node) -> str:
    """The sentence about a number that its column, word or track cannot be; empty if it can."""
    found = number(value)
    if found is None:
        return ""
    low, high = _bounds(game, path)
    if low is not None and found < low:
        return f"`{path}` is {low} or more, not {found}"
    if high is not None and found > high:
        return f"`{path}` is {high} or less, not {found}"
    return ""


def _bounds(game: Game, path: str) -> tuple[int | None, int | None]:
    """The bounds of what is set, as far as they are written as numbers or printed on the thing."""
    if path in game.tracks:
        return game.tracks[path].low, game.tracks[path].high
    thing, column = None, game.state.get(path)
    if column is None:
        front, _, word = path.rpartition(".")
        if front not in game.names:
            return None, None
        thing = game.things[game.names[front] - 1]
        column = game.kinds[thing.kind].columns.get(word) if thing.kind in game.kinds else None
    if column is None or not column.bounded:
        return None, None
    return _bound(game, column.low, column, thing), _bound(game, column.high, column, thing)


def _bound(game: Game, node: Node | None, column: Column, thing: ThingDecl | None) -> int | None:
    """A bound: a number, or what is printed on the thing in the column of this name."""
    if thing is not None and (other := game.kinds[thing.kind].columns.get(text(node))) is not None:
        return number(cell_of(thing.item, other)) if other.storage == "printed" and other is not column else None
    return number(node)


def seat_left_out(game: Game, players: int, path: str) -> str:
    """The seat that a path leads to, itself, by a word about it or by a zone of it, if so many players leave it out;
    else nothing."""
    number = game.names.get(path) or game.names.get(path.rpartition(".")[0], 0)
    seats = game.kinds.get(game.player_kind)
    if not number or seats is None:
        return ""
    number = game.things[number - 1].owner or number
    return game.things[number - 1].name if seats.first + players <= number < seats.first + seats.count else ""


def placed_twice(game: Game, given: Map) -> Iterator[Diagnostic]:
    """Things that `given` lays in two places, or twice among what lies in one. A line for the thing and one for what
    lies in its zone may say the same: the second tells the order."""
    seen: dict[str, tuple[str, Node, bool]] = {}
    for key, value in given:
        listed = isinstance(value, Items)
        for thing, place, node in _laid(game, key, value):
            before, there, was_listed = seen.setdefault(thing, (place, node, listed))
            if there is node or (before == place and not (listed and was_listed)):
                continue
            second = f"in `{before}` before" if before != place else "there before"
            related = (Related(there.span, "it is laid here first"),)
            message = f"`{thing}` is laid in `{place}` here, and {second}"
            yield Diagnostic("placed-twice", node.span, message, "lay it in one place", related)


def _laid(game: Game, key: Scalar, value: Node) -> Iterator[tuple[str, str, Node]]:
    """The things of a line with the place where it lays them."""
    front, _, word = key.text.rpartition(".")
    name = front if word in ("at", "things") and front in game.names else key.text
    if name not in game.names:
        if front not in game.names or word not in game.kinds:
            return
        kind = game.kinds.get(game.things[game.names[front] - 1].kind)
        if kind is not None and word in kind.columns:  # a column that names a thing, not where it lies
            return
        name = front
    if isinstance(value, Items):
        for node in value.items:
            if text(node) in game.names:
                yield text(node), name, node
    elif game.names[name] > game.movable:
        if text(value) != "none":
            yield text(value), name, value
    else:
        yield name, text(value), value
