"""How a game begins: the first value of every word, and the first tile of every growing map.

What is a plain number goes into the start state; what is a formula of printed values (`start: health_max`) is worked
out by the first instructions of the game.
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.backend import maps
from ludoloom.compiler.backend.proc import Proc
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values
from ludoloom.compiler.frontend.nodes import Scalar
from ludoloom.runtime import isa


def begin(unit: Unit, proc: Proc) -> None:
    """Set what the game starts with."""
    values = Values(unit, proc)
    turns = unit.game.kinds[unit.infer.active_kind()]
    if turns.family == "player":
        # The first seat is always in play, so whoever asks `active` before the first turn is not answered by nobody.
        unit.layout.initial[unit.layout.word("active")] = turns.first
    for name, column in unit.game.state.items():
        _word(values, f"state.{name}", column)
    for name, track in unit.game.tracks.items():
        word = unit.layout.word(f"track.{name}")
        start = track.low
        if isinstance(track.start, Scalar):
            mark = track.marks.get(track.start.text)
            node = mark.at if mark is not None else track.start
            e = unit.infer.value(node, Scope(), t.Int())
            start = e.data if e.op == "const" else track.low
        unit.layout.initial[word] = start
    for kind in unit.game.kinds.values():
        for column in kind.columns.values():
            if column.storage == "state" and column.kind == kind.name:
                _column(values, column)
    for number, declared in enumerate(maps.growing(unit)):
        if declared.first is None:
            continue
        item, cell = declared.first
        tile = unit.game.items[item].things[0] if item in unit.game.items and unit.game.items[item].things else 0
        if tile and cell:
            with proc.at(declared.span):
                proc.push(tile)
                proc.push(cell)
                proc.push(0)
                proc.put(isa.MLAY, number)


def _first(column: Column) -> int:
    """What a word holds where its declaration says no start: none, no, the first member."""
    kind = column.type
    if isinstance(kind, t.Int) and kind.missing:
        return isa.NIL
    return 1 if isinstance(kind, t.Enum) and not kind.missing else 0


def _start(values: Values, column: Column, scope: Scope) -> E | None:
    """The expression of the first value: `start`, else the lower bound."""
    node = column.start if column.start is not None else column.low if column.bounded else None
    return values.unit.infer.value(node, scope, column.type) if node is not None else None


def _word(values: Values, key: str, column: Column) -> None:
    word = values.unit.layout.word(key)
    e = _start(values, column, Scope())
    if e is None:
        values.unit.layout.initial[word] = _first(column)
    elif e.op == "const":
        values.unit.layout.initial[word] = e.data
    else:
        with values.proc.at(column.span):
            values.put(e)
            values.proc.put(isa.STS, word)


def _column(values: Values, column: Column) -> None:
    unit, proc = values.unit, values.proc
    kind = unit.game.kinds[column.kind]
    offset, first, count = unit.layout.column(column)
    for thing in unit.game.things[kind.first - 1 : kind.first - 1 + kind.count]:
        word = offset + thing.number - first
        cell = thing.item.cells.get(column.name) if thing.item is not None else None
        self_ = E("const", t.Thing(thing.kind), data=thing.number)
        if cell is not None:
            e = unit.infer.value(cell, Scope(self_=self_), column.type)
        else:
            e = _start(values, column, Scope(self_=self_))
        if e is None:
            unit.layout.initial[word] = _first(column)
        elif e.op == "const":
            unit.layout.initial[word] = e.data
        else:
            with proc.at(column.span):
                values.put(e)
                proc.push(thing.number)
                proc.put(isa.STF, offset, first, count)
