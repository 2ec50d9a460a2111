"""Printed lists whose entries may repeat (`spawns: [wolf, wolf]`): a table of constants, one row a thing: count,
entries."""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.backend.cells import cell_of, part_key
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.frontend.nodes import Items


def entries(unit: Unit, column: Column) -> tuple[int, int, int, int]:
    """Offset of the table, words a row, rows, first thing."""
    assert isinstance(column.type, t.ListOf)
    kind = unit.game.kinds[column.kind]
    rows: list[list[int]] = []
    for thing in unit.game.things[kind.first - 1 : kind.first - 1 + kind.count]:
        row: list[int] = []
        if thing.item is not None and part_key(column) in thing.item.parts:
            row = list(thing.item.parts[part_key(column)])
        elif thing.item is not None:
            node = cell_of(thing.item, column)
            if isinstance(node, Items):
                found = [unit.infer.value(item, Scope(), column.type.of) for item in node.items]
                row = [e.data for e in found if e.op == "const" and isinstance(e.data, int)]
        rows.append(row)
    width = 1 + max((len(row) for row in rows), default=0)
    table: list[int] = []
    for row in rows:
        table += [len(row), *row, *([0] * (width - 1 - len(row)))]
    return unit.layout.table(table or [0]), width, max(kind.count, 1), kind.first
