"""All whole assignments are walked like the leaves of a tree, pair by pair.

A right one that serves once is taken out of the set meanwhile. For `prefer` the tiles are laid for trial on the way
down and lifted on the way back, so that each leaf costs one tile and its numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend.plans import SIZE, Plan, each_pair, give_back, lay, lift, masks
from ludoloom.compiler.backend.proc import Label
from ludoloom.compiler.backend.statements import Statements
from ludoloom.compiler.frontend.nodes import Scalar
from ludoloom.runtime import isa


def walk(st: Statements, plan: Plan, scope: Scope, fixed: int, whole: Callable[[Label], None]) -> None:
    """Go through all whole assignments that keep the first pairs (slot `fixed` says how many), running `whole` for
    each; it may jump to the label it is given to go on with the next."""
    proc = st.proc
    trial = plan.on_the_way
    with proc.block():
        at, cursor = proc.slot(), proc.slot()
        enter, deeper, advance, seek, again, exhausted, back = (proc.label() for _ in range(7))
        if trial:
            each_pair(st, plan, lambda pair: lay(st, plan, pair), limit=fixed)
        proc.load(fixed)
        proc.store(at)
        proc.set(enter)
        proc.load(at)
        proc.load(plan.count)
        proc.put(isa.LT)
        proc.put(isa.JNZ, deeper)
        whole(back)
        proc.put(isa.JMP, back)
        proc.set(deeper)
        proc.push(0)
        proc.load(at)
        proc.put(isa.STX, plan.right, SIZE)
        proc.push(plan.turns)
        proc.load(at)
        proc.put(isa.STX, plan.turn, SIZE)
        proc.set(advance)
        if plan.turns > 1:
            proc.load(at)
            proc.put(isa.LDX, plan.turn, SIZE)
            proc.push(1)
            proc.put(isa.ADD)
            proc.put(isa.DUP)
            proc.store(cursor)
            _put_period(st, plan, at)
            proc.put(isa.LT)
            proc.put(isa.JZ, seek)
            proc.load(cursor)
            proc.load(at)
            proc.put(isa.STX, plan.turn, SIZE)
            _descend(st, plan, at, enter)
        proc.set(seek)
        proc.load(at)
        proc.put(isa.LDX, plan.right, SIZE)
        proc.store(cursor)
        if plan.once:
            give_back(st, plan, cursor)
        proc.set(again)
        proc.put(isa.SNEXT, plan.targets, plan.universe.first, plan.universe.words, cursor, exhausted)
        _allowed(st, plan, scope, at, cursor, again)
        if plan.once:
            proc.load(cursor)
            proc.put(isa.SDEL, plan.targets, plan.universe.first, plan.universe.count)
        proc.load(cursor)
        proc.load(at)
        proc.put(isa.STX, plan.right, SIZE)
        proc.push(0)
        proc.load(at)
        proc.put(isa.STX, plan.turn, SIZE)
        _descend(st, plan, at, enter)
        proc.set(exhausted)
        if trial:
            lift(st, plan, at)
        proc.set(back)
        proc.load(at)
        proc.push(1)
        proc.put(isa.SUB)
        proc.put(isa.DUP)
        proc.store(at)
        proc.load(fixed)
        proc.put(isa.LT)
        proc.put(isa.JZ, advance)
        if trial:
            each_pair(st, plan, lambda pair: lift(st, plan, pair), reverse=True, limit=fixed)


def _descend(st: Statements, plan: Plan, at: int, enter: Label) -> None:
    """The pair at `at` stands: on to the next one."""
    proc = st.proc
    if plan.on_the_way:
        lay(st, plan, at)
    proc.load(at)
    proc.push(1)
    proc.put(isa.ADD)
    proc.store(at)
    proc.put(isa.JMP, enter)


def _put_period(st: Statements, plan: Plan, at: int) -> None:
    """Leave how many turns of a tile look different: a tile with four ways has one, a straight one two."""
    unit, proc = st.unit, st.proc
    if plan.map is None or not isinstance(plan.left_type, t.Thing):
        proc.push(plan.turns)
        return
    kind = unit.game.kinds[unit.game.kinds[plan.map.grows_with].root]
    periods = [_period(unit_masks) for unit_masks in masks(st.values, plan.map)]
    proc.load(at)
    proc.put(isa.LDX, plan.left, SIZE)
    proc.put(isa.LDC, unit.layout.table(periods or [1]), kind.first, max(kind.count, 1))


def _period(faces: list[int]) -> int:
    """The smallest number of quarter turns after which all faces look the same."""

    def turned(mask: int, by: int) -> int:
        return ((mask << by) | (mask >> (4 - by))) & 15

    for by in (1, 2):
        if all(turned(mask, by) == mask for mask in faces):
            return by
    return 4


def _allowed(st: Statements, plan: Plan, scope: Scope, at: int, cursor: int, again: Label) -> None:
    """Go to `again` if the right one under the cursor may not serve the left one at `at`."""
    proc, unit = st.proc, st.unit
    reuse = plan.reuse.text if isinstance(plan.reuse, Scalar) else "never"
    right = Var(plan.right_name, plan.right_type, slot=cursor)
    left = Var(plan.left_name, plan.left_type)
    with proc.block():
        if not isinstance(plan.left_type, t.Int):
            left.slot = proc.slot()
            proc.load(at)
            proc.put(isa.LDX, plan.left, SIZE)
            proc.store(left.slot)
        if plan.pair is not None:
            inner = scope.bind_var(right) if isinstance(plan.left_type, t.Int) else scope.bind_var(right).bind_var(left)
            st.values.jump_if_not(unit.infer.condition(plan.pair, inner), again)
        if isinstance(plan.left_type, t.Int):
            first = proc.label()
            proc.load(at)
            proc.put(isa.JZ, first)
            proc.load(at)
            proc.push(1)
            proc.put(isa.SUB)
            proc.put(isa.LDX, plan.right, SIZE)
            proc.load(cursor)
            # points cannot be told apart: only rising orders, strictly rising where none may serve twice
            proc.put(isa.LE if reuse == "always" else isa.LT)
            proc.put(isa.JZ, again)
            proc.set(first)
            return
        if reuse == "always" or plan.once:
            return
        other, top, end, following = proc.slot(), proc.label(), proc.label(), proc.label()
        proc.push(0)
        proc.store(other)
        proc.set(top)
        proc.load(other)
        proc.load(at)
        proc.put(isa.LT)
        proc.put(isa.JZ, end)
        proc.load(other)
        proc.put(isa.LDX, plan.right, SIZE)
        proc.load(cursor)
        proc.put(isa.NE)
        proc.put(isa.JNZ, following)
        column = (
            unit.game.kinds[plan.left_type.kinds[0]].columns.get(reuse) if isinstance(plan.left_type, t.Thing) else None
        )
        if column is None:
            assert plan.reuse is not None
            unit.bag.add(
                "wrong-type",
                plan.reuse.span,
                f"`{reuse}` is no column of {t.show(plan.left_type)}",
                "`reuse` is never, always or a column",
            )
        else:
            earlier = Var("earlier", plan.left_type, slot=proc.slot())
            proc.load(other)
            proc.put(isa.LDX, plan.left, SIZE)
            proc.store(earlier.slot)
            st.values.put(E("column", column.type, (E("var", plan.left_type, data=earlier),), column))
            st.values.put(E("column", column.type, (E("var", plan.left_type, data=left),), column))
            proc.put(isa.EQ)
            proc.put(isa.JNZ, again)
        proc.set(following)
        proc.load(other)
        proc.push(1)
        proc.put(isa.ADD)
        proc.store(other)
        proc.put(isa.JMP, top)
        proc.set(end)


def score_into(st: Statements, plan: Plan, scope: Scope, into: int) -> None:
    """Read the preferred numbers into slots, with the tiles of all pairs laid for it."""
    proc = st.proc
    trial = plan.map is not None and not plan.on_the_way
    if trial:
        each_pair(st, plan, lambda at: lay(st, plan, at))
    for place, (node, most) in enumerate(plan.prefer):
        st.values.put(st.unit.infer.value(node, scope, t.Int()))
        if not most:
            proc.push(-1)
            proc.put(isa.MUL)
        proc.store(into + place)
    if trial:
        each_pair(st, plan, lambda at: lift(st, plan, at), reverse=True)


def compare(st: Statements, count: int, one: int, two: int, better: Label, worse: Label) -> None:
    """Compare two rows of numbers, the first that differs decides; falls through if they are equal."""
    proc = st.proc
    for place in range(count):
        proc.load(two + place)
        proc.load(one + place)
        proc.put(isa.LT)
        proc.put(isa.JNZ, better)
        proc.load(one + place)
        proc.load(two + place)
        proc.put(isa.LT)
        proc.put(isa.JNZ, worse)
