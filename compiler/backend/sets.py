"""Sets are built in the frame: what is in play, what lies somewhere, what passes a test, the members with the least.

gamblers.where(stake > 2)   ->  SPLAY of the gamblers, a loop that takes out those who fail
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend.layout import Universe
from ludoloom.compiler.backend.near import narrow
from ludoloom.compiler.backend.proc import Label
from ludoloom.compiler.backend.tallies import best_of
from ludoloom.compiler.backend.values import Values, set_of
from ludoloom.runtime import isa


@set_of("var")
def _var(values: Values, e: E, slot: int, universe: Universe) -> None:
    values.proc.put(isa.SOP, slot, e.data.slot, universe.words, 0)


@set_of("const")
def _const(values: Values, e: E, slot: int, universe: Universe) -> None:
    values.proc.put(isa.SNEW, slot, universe.words)


@set_of("things")
def _things(values: Values, e: E, slot: int, universe: Universe) -> None:
    values.proc.put(isa.SNEW, slot, universe.words)
    for number in e.data:
        values.proc.push(number)
        values.proc.put(isa.SADD, slot, universe.first, universe.count)


@set_of("single")
def _single(values: Values, e: E, slot: int, universe: Universe) -> None:
    values.proc.put(isa.SNEW, slot, universe.words)
    values.put(e.args[0])
    values.proc.put(isa.SADD, slot, universe.first, universe.count)


@set_of("in_play")
def _in_play(values: Values, e: E, slot: int, universe: Universe) -> None:
    values.proc.put(isa.SPLAY, slot, universe.first, universe.count)
    values.mask(slot, universe, (e.data,))


@set_of("all_of")
def _all_of(values: Values, e: E, slot: int, universe: Universe) -> None:
    values.proc.put(isa.SALL, slot, universe.first, universe.count)
    values.mask(slot, universe, (e.data,))


@set_of("at")
def _at(values: Values, e: E, slot: int, universe: Universe) -> None:
    values.put(e.args[0])
    values.proc.put(isa.SAT, slot, universe.first, universe.count)
    values.mask(slot, universe, e.data)


@set_of("owned")
def _owned(values: Values, e: E, slot: int, universe: Universe) -> None:
    values.proc.put(isa.SPLAY, slot, universe.first, universe.count)
    values.mask(slot, universe, (e.data,))
    with values.proc.block():
        owner, at = values.proc.slot(), values.proc.slot()
        values.put(e.args[0])
        values.proc.store(owner)
        column: Column = values.unit.game.kinds[e.data].columns["owner"]
        it = Var("it", t.Thing(e.data), slot=at)

        def keep(stays: Label) -> None:
            values.put(E("column", column.type, (E("var", it.type, data=it),), column))
            values.proc.load(owner)
            values.proc.put(isa.EQ)
            values.proc.put(isa.JNZ, stays)

        values.filter(slot, universe, at, keep)


@set_of("where")
def _where(values: Values, e: E, slot: int, universe: Universe) -> None:
    values.set_into(e.args[0], slot, universe)
    it, _ = e.data
    left = narrow(values, e, slot, universe)
    with values.proc.block():
        it.slot = values.proc.slot()
        values.filter(slot, universe, it.slot, lambda stays: values.jump_if(left, stays))


@set_of("union", "minus")
def _two(values: Values, e: E, slot: int, universe: Universe) -> None:
    values.set_into(e.args[0], slot, universe)
    with values.proc.block():
        other = values.proc.slot(universe.words)
        values.set_into(e.args[1], other, universe)
        values.proc.put(isa.SOP, slot, other, universe.words, 1 if e.op == "union" else 3)


@set_of("rows")
def _rows(values: Values, e: E, slot: int, universe: Universe) -> None:
    values.rows(e, lambda value: values.set_into(value, slot, universe))


@set_of("by_kind")
def _by_kind(values: Values, e: E, slot: int, universe: Universe) -> None:
    end = values.proc.label()
    for kind, value in e.data:
        following = values.proc.label()
        values.put(E("is_kind", t.Bool(), e.args, (kind,)))
        values.proc.put(isa.JZ, following)
        values.set_into(value, slot, universe)
        values.proc.put(isa.JMP, end)
        values.proc.set(following)
    values.proc.put(isa.SNEW, slot, universe.words)
    values.proc.set(end)


@set_of("least", "most")
def _least(values: Values, e: E, slot: int, universe: Universe) -> None:
    """All members with the smallest (largest) number; a missing number counts as none of them."""
    values.set_into(e.args[0], slot, universe)
    it, number = e.data
    with values.proc.block():
        best = values.proc.slot()
        inner = E("var", t.SetOf(it.type), data=Var("set", t.SetOf(it.type), slot=slot))
        best_of(values, E(e.op, t.Int(), (inner,), (it, number)), best, largest=e.op == "most")
        it.slot = values.proc.slot()

        def keep(stays: Label) -> None:
            values.put(number)
            values.proc.load(best)
            values.proc.put(isa.EQ)
            values.proc.put(isa.JNZ, stays)

        values.filter(slot, universe, it.slot, keep)
