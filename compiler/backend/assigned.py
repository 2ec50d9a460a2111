"""A made assignment is read and placed: `layout.of(gap)`, `layout.at(piece)`, `place: layout`.

share.of(seat)   ->  a loop over the pairs that counts those whose right one is the seat
"""

from __future__ import annotations

from collections.abc import Callable

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend.layout import Universe
from ludoloom.compiler.backend.plans import SIZE, Plan, each_pair, lay
from ludoloom.compiler.backend.statements import Statements
from ludoloom.compiler.backend.values import Values, one_word, set_of
from ludoloom.compiler.frontend.nodes import Node
from ludoloom.runtime import isa


def place(st: Statements, node: Node, scope: Scope) -> None:
    """``place: layout``: the tiles are laid for good."""
    e = st.unit.infer.value(node, scope)
    if isinstance(e.type, t.Unknown):
        return
    plan = _plan(e)
    if plan is None or plan.map is None:
        st.unit.bag.add("wrong-type", node.span, "only an assignment of tiles to gaps is placed")
        return
    each_pair(st, plan, lambda at: lay(st, plan, at))


def _plan(e: E) -> Plan | None:
    return e.data.parts.get("plan") if e.op == "var" and isinstance(e.data, Var) else None


def _pairs(values: Values, plan: Plan, body: Callable[[int], None]) -> None:
    each_pair(Statements(values.unit, values.proc, ""), plan, body)


@set_of("assigned_targets", "assigned_things")
def _one_side(values: Values, e: E, slot: int, universe: Universe) -> None:
    """All right ones that serve, or all left things."""
    plan = _plan(e.args[0])
    values.proc.put(isa.SNEW, slot, universe.words)
    if plan is None:
        return
    side = plan.right if e.op == "assigned_targets" else plan.left

    def add(at: int) -> None:
        values.proc.load(at)
        values.proc.put(isa.LDX, side, SIZE)
        values.proc.put(isa.SADD, slot, universe.first, universe.count)

    _pairs(values, plan, add)


@set_of("assigned_of")
def _things_of(values: Values, e: E, slot: int, universe: Universe) -> None:
    """The left things that one right one serves."""
    plan, proc = _plan(e.args[0]), values.proc
    proc.put(isa.SNEW, slot, universe.words)
    if plan is None:
        return
    with proc.block():
        goal = proc.slot()
        values.put(e.args[1])
        proc.store(goal)

        def add(at: int) -> None:
            skip = proc.label()
            proc.load(at)
            proc.put(isa.LDX, plan.right, SIZE)
            proc.load(goal)
            proc.put(isa.EQ)
            proc.put(isa.JZ, skip)
            proc.load(at)
            proc.put(isa.LDX, plan.left, SIZE)
            proc.put(isa.SADD, slot, universe.first, universe.count)
            proc.set(skip)

        _pairs(values, plan, add)


@one_word("assigned_of")
def _points_of(values: Values, e: E) -> None:
    """How many points one right one got."""
    plan, proc = _plan(e.args[0]), values.proc
    if plan is None:
        proc.push(0)
        return
    with proc.block():
        goal, total = proc.slot(), proc.slot()
        values.put(e.args[1])
        proc.store(goal)
        proc.push(0)
        proc.store(total)

        def add(at: int) -> None:
            proc.load(at)
            proc.put(isa.LDX, plan.right, SIZE)
            proc.load(goal)
            proc.put(isa.EQ)
            proc.load(total)
            proc.put(isa.ADD)
            proc.store(total)

        _pairs(values, plan, add)
        proc.load(total)


@one_word("assigned_at")
def _target_at(values: Values, e: E) -> None:
    """The right one of a left thing, or 0."""
    plan, proc = _plan(e.args[0]), values.proc
    if plan is None:
        proc.push(0)
        return
    with proc.block():
        thing, found = proc.slot(), proc.slot()
        values.put(e.args[1])
        proc.store(thing)
        proc.push(0)
        proc.store(found)

        def look(at: int) -> None:
            skip = proc.label()
            proc.load(at)
            proc.put(isa.LDX, plan.left, SIZE)
            proc.load(thing)
            proc.put(isa.EQ)
            proc.put(isa.JZ, skip)
            proc.load(at)
            proc.put(isa.LDX, plan.right, SIZE)
            proc.store(found)
            proc.set(skip)

        _pairs(values, plan, look)
        proc.load(found)
