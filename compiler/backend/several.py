"""Choices of several: taken one by one, and only such that the whole can still come true.

    choose: {pair: {from: hand, count: 2, such_that: pair.sum(rank) > 9}}

Before each question what could not be completed any more is left out; `complete` tries the ways to go on.
"""

from __future__ import annotations

from collections.abc import Callable

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import Var
from ludoloom.compiler.backend import texts
from ludoloom.compiler.backend.offers import Offer, bounds, put_question
from ludoloom.compiler.backend.proc import Label
from ludoloom.compiler.backend.records import Choice
from ludoloom.compiler.backend.statements import Statements
from ludoloom.runtime import isa

TRIES = 500
"""How many ways to go on a choice of several looks at before it takes for granted that one of them is right."""
LONGEST = 64
"""Most things of one choice whose order counts."""

Follows = Callable[[Scope, Label], None]
"""Falls through if what comes after a choice can be chosen and paid, else goes to the label."""
Holds = Callable[[Label], None]
"""Falls through if a choice of several is whole as it stands, else goes to the label."""


def several(
    st: Statements,
    choice: Choice,
    offered: Offer,
    scope: Scope,
    who: int,
    fail: Label,
    follows: Follows,
    depends: bool,
) -> Scope:
    """A choice of several: built one by one, with "done" once enough are taken.
    `depends`: what follows speaks of it."""
    proc = st.proc
    count = choice.options.get("count")
    assert count is not None
    if offered.slot < 0:
        st.unit.bag.add("wrong-type", count.span, "several numbers cannot be chosen at once")
        return scope
    low, high = bounds(st, choice, offered, scope)
    proc.load(low)
    proc.put(isa.SCNT, offered.slot, offered.universe.words)
    proc.put(isa.LE)
    proc.put(isa.JZ, fail)
    chosen = Var(choice.name, t.SetOf(offered.of), choice.key.span, proc.slot(offered.universe.words))
    inner = scope.bind_var(chosen)
    proc.put(isa.SNEW, chosen.slot, offered.universe.words)
    order = _order(st, choice, chosen, offered, high)
    tested = depends or choice.options.get("such_that") is not None
    holds = holding(st, choice, inner, follows)
    top, end, taken = proc.label(), proc.label(), proc.slot()
    proc.set(top)
    proc.put(isa.SCNT, chosen.slot, offered.universe.words)
    proc.load(high)
    proc.put(isa.LT)
    proc.put(isa.JZ, end)
    if tested:

        def keep(stays: Label) -> None:
            _with_one_more(st, choice, scope, follows, chosen, taken, offered, (low, high), stays)

        st.values.filter(offered.slot, offered.universe, taken, keep)
    proc.put(isa.SCNT, offered.slot, offered.universe.words)
    proc.put(isa.JZ, end)
    proc.load(who)
    proc.put(isa.OPTS, offered.slot, offered.universe.first, offered.universe.words, 0)
    skip = proc.label()
    proc.load(low)
    proc.put(isa.SCNT, chosen.slot, offered.universe.words)
    proc.put(isa.LE)
    proc.put(isa.JZ, skip)
    if tested:
        with proc.block():
            holds(skip)
    proc.load(who)
    proc.push(st.unit.label("choice.done", texts.row(st.unit, "done", "done", ())))
    proc.push(0)
    proc.push(0)
    proc.put(isa.OPT)
    proc.set(skip)
    put_question(st, choice, offered.of, who)
    proc.put(isa.ANS, 2)
    proc.store(taken)
    proc.load(taken)
    proc.put(isa.JZ, end)
    if order is not None:
        proc.load(taken)
        proc.put(isa.SCNT, chosen.slot, offered.universe.words)
        proc.put(isa.STX, *order)
    proc.load(taken)
    proc.put(isa.SADD, chosen.slot, offered.universe.first, offered.universe.count)
    proc.load(taken)
    proc.put(isa.SDEL, offered.slot, offered.universe.first, offered.universe.count)
    proc.put(isa.JMP, top)
    proc.set(end)
    if tested:
        with proc.block():
            holds(fail)
    return inner


def _order(st: Statements, choice: Choice, chosen: Var, offered: Offer, high: int) -> tuple[int, int] | None:
    """With `in_order`: a row of slots for the things in the order in which they are chosen; what runs through the
    chosen things keeps to it (`Values.in_order`)."""
    if not choice.flag("in_order"):
        return None
    proc, size = st.proc, min(offered.universe.count, LONGEST)
    if size < offered.universe.count:
        proc.load(high)
        proc.push(size)
        proc.put(isa.MIN)
        proc.store(high)
    order = proc.slot(size), size
    chosen.parts["order"] = order
    return order


def holding(st: Statements, choice: Choice, inner: Scope, follows: Follows) -> Holds:
    """What must be true of the whole: `such_that`, and that what follows can be chosen and paid."""
    such_that = choice.options.get("such_that")

    def holds(otherwise: Label) -> None:
        if such_that is not None:
            st.values.jump_if_not(st.unit.infer.condition(such_that, inner), otherwise)
        follows(inner, otherwise)

    return holds


def _with_one_more(
    st: Statements,
    choice: Choice,
    scope: Scope,
    follows: Follows,
    chosen: Var,
    more: int,
    offered: Offer,
    bounds: tuple[int, int],
    found: Label,
) -> None:
    """Go to `found` if the choice can become whole once the thing in slot `more` is chosen too."""
    proc, words = st.proc, offered.universe.words
    with proc.block():
        start, left = proc.slot(words), proc.slot(words)
        proc.put(isa.SOP, start, chosen.slot, words, 0)
        proc.put(isa.SOP, left, offered.slot, words, 0)
        proc.load(more)
        proc.put(isa.SADD, start, offered.universe.first, offered.universe.count)
        proc.load(more)
        proc.put(isa.SDEL, left, offered.universe.first, offered.universe.count)
        whole = Var(choice.name, t.SetOf(offered.of), slot=proc.slot(words))
        holds = holding(st, choice, scope.bind_var(whole), follows)
        complete(st, whole, start, Offer(offered.of, left, offered.universe), *bounds, holds, found)


def complete(
    st: Statements, whole: Var, start: int, left: Offer, low: int, high: int, holds: Holds, found: Label
) -> None:
    """Go to `found` if the set at `start` with none, some or all of `left` is whole; fall through if no such way is
    there. All ways are tried, each thing with those behind it, built in `whole`."""
    proc, universe = st.proc, left.universe
    words = universe.words
    with proc.block():
        at, last, tries, taken = proc.slot(), proc.slot(), proc.slot(), proc.slot(words)
        test, more, back, none = (proc.label() for _ in range(4))
        proc.put(isa.SOP, whole.slot, start, words, 0)
        proc.push(TRIES)
        proc.store(tries)
        proc.push(0)
        proc.store(at)
        proc.set(test)
        proc.load(low)
        proc.put(isa.SCNT, whole.slot, words)
        proc.put(isa.LE)
        proc.put(isa.JZ, more)
        with proc.block():
            holds(more)
        proc.put(isa.JMP, found)
        proc.set(more)
        proc.load(tries)
        proc.push(1)
        proc.put(isa.SUB)
        proc.put(isa.DUP)
        proc.store(tries)
        proc.put(isa.JZ, found)
        proc.put(isa.SCNT, whole.slot, words)
        proc.load(high)
        proc.put(isa.LT)
        proc.put(isa.JZ, back)
        proc.put(isa.SNEXT, left.slot, universe.first, words, at, back)
        proc.load(at)
        proc.put(isa.SADD, whole.slot, universe.first, universe.count)
        proc.put(isa.JMP, test)
        proc.set(back)
        proc.put(isa.SOP, taken, whole.slot, words, 0)
        proc.put(isa.SOP, taken, start, words, 3)
        proc.push(0)
        proc.store(last)

        def later() -> None:
            proc.load(at)
            proc.store(last)

        st.values.loop(taken, universe, at, later)
        proc.load(last)
        proc.put(isa.JZ, none)
        proc.load(last)
        proc.put(isa.SDEL, whole.slot, universe.first, universe.count)
        proc.load(last)
        proc.store(at)
        proc.put(isa.JMP, more)
        proc.set(none)
