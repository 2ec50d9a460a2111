"""Questions about sets that one word answers: is there any, are all, how many, the sum, the smallest, is it among
them.

    gamblers.where(stake > 2).any   ->  a loop that ends at the first
    hand.sum(rank)                  ->  a loop that adds into a slot
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.backend.near import can_narrow, narrow
from ludoloom.compiler.backend.values import Values, one_word
from ludoloom.runtime import isa


@one_word("any")
def _any(values: Values, e: E) -> None:
    inner = e.args[0]
    if inner.op == "where":
        _search(values, inner, want=True)
        return
    with values.proc.block():
        slot, universe = values.set(inner)
        values.proc.put(isa.SCNT, slot, universe.words)
        values.proc.push(0)
        values.proc.put(isa.NE)


@one_word("empty")
def _empty(values: Values, e: E) -> None:
    _any(values, e)
    values.proc.put(isa.NOT)


@one_word("all")
def _all(values: Values, e: E) -> None:
    _search(values, e, want=False)


def _search(values: Values, where: E, want: bool) -> None:
    """1 if some member passes (want) or none fails the test of a where, found by a loop that ends early."""
    with values.proc.block():
        it, condition = where.data
        slot, universe = values.set(where.args[0])
        if want and can_narrow(values, where):
            whole, slot = slot, values.proc.slot(universe.words)
            values.proc.put(isa.SOP, slot, whole, universe.words, 0)
            condition = narrow(values, where, slot, universe)
        it.slot = values.proc.slot()
        found, end = values.proc.label(), values.proc.label()

        def test() -> None:
            (values.jump_if if want else values.jump_if_not)(condition, found)

        values.loop(slot, universe, it.slot, test)
        values.proc.push(0 if want else 1)
        values.proc.put(isa.JMP, end)
        values.proc.set(found)
        values.proc.push(1 if want else 0)
        values.proc.set(end)


@one_word("count")
def _count(values: Values, e: E) -> None:
    with values.proc.block():
        slot, universe = values.set(e.args[0])
        values.proc.put(isa.SCNT, slot, universe.words)


@one_word("only")
def _only(values: Values, e: E) -> None:
    with values.proc.block():
        slot, universe = values.set(e.args[0])
        at, end = values.proc.slot(), values.proc.label()
        values.proc.push(0)
        values.proc.store(at)
        values.proc.put(isa.SCNT, slot, universe.words)
        values.proc.push(1)
        values.proc.put(isa.EQ)
        values.proc.put(isa.JZ, end)
        values.proc.put(isa.SNEXT, slot, universe.first, universe.words, at, end)
        values.proc.set(end)
        values.proc.load(at)


@one_word("sum")
def _sum(values: Values, e: E) -> None:
    with values.proc.block():
        total = values.proc.slot()
        values.proc.push(0)
        values.proc.store(total)
        it, number = e.data

        def add() -> None:
            values.proc.load(total)
            values.put(number)
            values.proc.put(isa.ADD)
            values.proc.store(total)

        values.each(e.args[0], it, add)
        values.proc.load(total)


@one_word("min_of", "max_of")
def _min_of(values: Values, e: E) -> None:
    with values.proc.block():
        best = values.proc.slot()
        best_of(values, e, best, largest=e.op == "max_of")
        values.proc.load(best)


def best_of(values: Values, e: E, best: int, largest: bool) -> None:
    """The smallest or largest number over a set into slot `best`. Members whose number is missing are passed over; NIL
    if there is no other."""
    it, number = e.data
    values.proc.push(isa.NIL)
    values.proc.store(best)

    def better() -> None:
        keep, skip = values.proc.label(), values.proc.label()
        value = values.proc.slot()
        values.put(number)
        values.proc.store(value)
        if t.missing(number.type):
            values.proc.load(value)
            values.proc.push(isa.NIL)
            values.proc.put(isa.EQ)
            values.proc.put(isa.JNZ, skip)
        values.proc.load(best)
        values.proc.push(isa.NIL)
        values.proc.put(isa.EQ)
        values.proc.put(isa.JNZ, keep)
        values.proc.load(best if largest else value)
        values.proc.load(value if largest else best)
        values.proc.put(isa.LT)
        values.proc.put(isa.JZ, skip)
        values.proc.set(keep)
        values.proc.load(value)
        values.proc.store(best)
        values.proc.set(skip)

    values.each(e.args[0], it, better)


@one_word("has")
def _has(values: Values, e: E) -> None:
    thing, whole = e.args
    if whole.op == "in_play" and isinstance(thing.type, t.Thing):
        kind = values.unit.game.kinds[whole.data]
        if all(values.unit.infer.is_a(name, kind.name) for name in thing.type.kinds):
            values.put(thing)
            values.proc.put(isa.INPLAY)
            return
    with values.proc.block():
        slot, universe = values.set(whole)
        values.put(thing)
        values.proc.put(isa.SHAS, slot, universe.first, universe.count)
