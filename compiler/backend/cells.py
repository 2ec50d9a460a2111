"""What an item writes into a column, as it stands in the file."""

from __future__ import annotations

from ludoloom.compiler.analysis.model import Column, Item
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.frontend.nodes import Node


def part_key(column: Column) -> str:
    """Under what name an item keeps its cell of a column."""
    return f"{column.face}.{column.name}" if column.face else column.name


def cell_of(item: Item | None, column: Column) -> Node | None:
    """What an item writes into a column."""
    return item.cells.get(part_key(column), column.default) if item is not None else None


def members(e: E) -> list[int] | None:
    """The members of a set that is written out, or None if it is not."""
    if e.op == "things":
        return list(e.data)
    if e.op == "const":
        return [e.data] if e.data else []
    if e.op == "single":
        return members(e.args[0])
    if e.op == "union":
        one, two = members(e.args[0]), members(e.args[1])
        return None if one is None or two is None else one + two
    return None
