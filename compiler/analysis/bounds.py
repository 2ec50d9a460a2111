"""What a number can be, as far as declarations say: so that rows can be known to cover it."""

from __future__ import annotations

from typing import Final

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column, Game, Item
from ludoloom.compiler.analysis.typed import E, Rows, Var
from ludoloom.compiler.frontend.nodes import Node, Scalar

LEAST: Final = -(2**31)
"""No lower end: numbers are greater than this (it stands for the missing number)."""
MOST: Final = 2**31 - 1
"""No upper end, or the greatest number there is, which comes to the same."""
_COUNTS: Final = frozenset(("count", "zone_count", "distance", "line", "closed_ends"))

Bounds = tuple[int, int]
OPEN: Final[Bounds] = (LEAST, MOST)


def bounds_of(game: Game, value: E) -> Bounds:
    """What a number can be, as far as its declaration says: counts, columns and tracks know their bounds, and so does
    what is worked out from them; the rest is open."""
    match value.op:
        case "const" if isinstance(value.data, int):
            return value.data, value.data
        case "column" if isinstance(value.data, Column) and value.data.bounded:
            low, high = _bound(value.data.low, value.args), _bound(value.data.high, value.args)
            return (low if low is not None else LEAST), (high if high is not None else MOST)
        case "column" if isinstance(value.data, Column) and value.data.within is not None:
            return OPEN if _modified(game, value.data) else value.data.within
        case "rows" if isinstance(value.data, Rows):
            rows = value.data
            results = [result for _, result in rows.cases] + ([rows.otherwise] if rows.otherwise is not None else [])
            return _any_of([bounds_of(game, result) for result in results])
        case op if op in _COUNTS:
            return 0, MOST
        case "field" | "face_column":
            return _bounds_of_roll(game, value) or OPEN
        case "word":
            return _bounds_of_word(game, str(value.data))
        case "sum":
            # Any number of things, also none.
            low, high = bounds_of(game, _each(value))
            return (0 if low >= 0 else LEAST), (0 if high <= 0 else MOST)
        case "min_of" | "max_of":
            return bounds_of(game, _each(value))
        case _:
            return _worked_out(game, value)


def _any_of(parts: list[Bounds]) -> Bounds:
    """The bounds of a number that is one of several."""
    return (min(low for low, _ in parts), max(high for _, high in parts)) if parts else OPEN


def _modified(game: Game, column: Column) -> bool:
    """Whether a modifier changes what a formula gives."""
    blocks = [game.modifiers, *(owner.modifiers for owner in (*game.kinds.values(), *game.items.values()))]
    targets = [node.get("changes") for block in blocks for node in block.values()]
    return any(isinstance(each, Scalar) and each.text.rpartition(".")[2] == column.name for each in targets)


def _each(value: E) -> E:
    """The number that is asked of each thing of a set."""
    asked: tuple[Var, E] = value.data
    return asked[1]


def _worked_out(game: Game, value: E) -> Bounds:
    """Arithmetic: an open end stays open."""
    if value.op not in ("add", "sub", "neg", "min", "max"):
        return OPEN
    parts = [bounds_of(game, arg) for arg in value.args]
    if value.op == "min":
        return min(low for low, _ in parts), min(high for _, high in parts)
    if value.op == "max":
        return max(low for low, _ in parts), max(high for _, high in parts)
    if value.op in ("sub", "neg"):
        low, high = parts[-1]
        parts[-1] = (LEAST if high == MOST else -high), (MOST if low == LEAST else -low)
    lows, highs = [low for low, _ in parts], [high for _, high in parts]
    low = LEAST if LEAST in lows else max(LEAST, sum(lows))
    return low, MOST if MOST in highs else min(MOST, sum(highs))


def _bounds_of_word(game: Game, word: str) -> Bounds:
    """A number of the game itself: in its state, or where a track stands."""
    family, _, name = word.partition(".")
    if family == "track":
        track = game.tracks[name]
        return track.low, track.high
    if family == "state" and game.state[name].bounded:
        low, high = _fixed(game.state[name].low), _fixed(game.state[name].high)
        return (low if low is not None else LEAST), (high if high is not None else MOST)
    return OPEN


def show(low: int, high: int) -> str:
    """Numbers as rows name them: `3`, `3 to 5`, `13+`, `below 0`."""
    if low == LEAST:
        return "any number" if high == MOST else f"below {high + 1}"
    if high == MOST:
        return f"{low}+"
    return str(low) if low == high else f"{low} to {high}"


def _bounds_of_roll(game: Game, value: E) -> Bounds | None:
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
