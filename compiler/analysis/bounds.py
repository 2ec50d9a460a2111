"""What a number can be, as far as declarations say: so that rows can be known to cover it."""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column, Game, Item
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.frontend.nodes import Node, Scalar
from ludoloom.runtime.isa import RANGE_BIAS, RANGE_MAX


def bounds_of(game: Game, value: E) -> tuple[int, int]:
    """What a number can be, as far as its declaration says: counts and columns know their bounds, the rest is
    open."""
    if value.op == "column" and isinstance(value.data, Column) and value.data.bounded:
        low = _bound(value.data.low, value.args)
        high = _bound(value.data.high, value.args)
        return (low if low is not None else -RANGE_BIAS), (high if high is not None else RANGE_MAX)
    if value.op == "count":
        return 0, RANGE_MAX
    if value.op in ("field", "face_column") and (thrown := _bounds_of_roll(game, value)) is not None:
        return thrown
    if value.op == "word" and str(value.data).startswith("state."):
        column = game.state[str(value.data)[6:]]
        if column.bounded:
            low, high = _fixed(column.low), _fixed(column.high)
            return (low if low is not None else -RANGE_BIAS), (high if high is not None else RANGE_MAX)
    if value.op in ("add", "mul"):
        lows, highs = zip(*(bounds_of(game, arg) for arg in value.args), strict=True)
        if value.op == "add":
            return max(-RANGE_BIAS, sum(lows)), min(RANGE_MAX, sum(highs))
    return -RANGE_BIAS, RANGE_MAX


def _bounds_of_roll(game: Game, value: E) -> tuple[int, int] | None:
    """What a roll's total or a number on its face can be; None where something is added to it."""
    var, name = value.data
    if not isinstance(var.type, t.Rolled):
        return None
    die = game.dice.get(var.type.die)
    if value.op == "field" and var.type.roll:
        return var.parts.get("bounds")
    column = name if value.op == "face_column" else "face"
    if die is None or die.columns.get(column) != t.Int():
        return None
    numbers = [face[column] for face in die.faces]
    return min(numbers), max(numbers)


def _bound(node: Node | None, args: tuple[E, ...]) -> int | None:
    """A bound of a thing's column: a number, or a printed column of the item whose line this is."""
    number = _fixed(node)
    if number is not None or not isinstance(node, Scalar) or not args:
        return number
    thing = args[0]
    item: Item | None = thing.data.parts.get("item") if thing.op == "var" else None
    if item is None:
        return None
    return _fixed(item.cells.get(node.text))


def _fixed(node: Node | None) -> int | None:
    """A bound that is a plain number."""
    return node.value if isinstance(node, Scalar) and type(node.value) is int else None
