"""Assignments: each left thing (or each of n points) gets a right one.

    layout: {by: pilot, assign: {piece: drawn}, to: {gap: tile.gaps}, turns: quarter,
             prefer: [{fewest: labyrinth.closed_ends}]}

The left things lie in a row of the frame, beside each its right one and its turn. All whole assignments are walked like
the leaves of a tree, pair by pair; a right one that serves once is taken out of the set meanwhile. For `prefer` the
tiles are laid for trial on the way down and lifted on the way back, so that each leaf costs one tile and its numbers.
The player is asked pair by pair, and only pairs that some best whole assignment has are offered.
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.backend.plans import SIZE, Plan, each_pair, give_back, prepare, result_of
from ludoloom.compiler.backend.proc import Label
from ludoloom.compiler.backend.records import Choice
from ludoloom.compiler.backend.statements import Statements
from ludoloom.compiler.backend.walks import compare, score_into, walk
from ludoloom.runtime import isa
from ludoloom.runtime.image import QuestionRow, TextRow, TypeRow


def feasible(st: Statements, choice: Choice, scope: Scope, fail: Label) -> Scope:
    """Fall through if some whole assignment exists, else go to `fail`."""
    proc = st.proc
    with proc.block():
        plan = prepare(st, choice, scope, fail)
        if plan is None:
            return scope.bind(**{choice.name: E("const", t.Unknown(), data=0)})
        zero = proc.slot()
        found = proc.label()
        proc.push(0)
        proc.store(zero)
        walk(st, plan, scope, zero, lambda _: proc.put(isa.JMP, found))
        proc.put(isa.JMP, fail)
        proc.set(found)
    return scope.bind(**{choice.name: result_of(choice.name, plan)})


def make(st: Statements, choice: Choice, scope: Scope, who: int, fail: Label) -> Scope:
    """Ask pair by pair. Without left things the assignment is empty; without any whole one go to `fail`."""
    proc, unit = st.proc, st.unit
    plan = prepare(st, choice, scope, fail)
    if plan is None:
        return scope.bind(**{choice.name: E("const", t.Unknown(), data=0)})
    if choice.flag("optional"):
        _decline(st, choice, who, fail)
    scores = max(1, len(plan.prefer))
    best, score, plan.homes = proc.slot(scores), proc.slot(scores), proc.slot(SIZE)
    fixed, any_found = proc.slot(), proc.slot()
    proc.push(0)
    proc.store(any_found)
    proc.push(0)
    proc.store(fixed)
    if plan.map is not None:

        def remember(at: int) -> None:
            proc.load(at)
            proc.put(isa.LDX, plan.left, SIZE)
            proc.put(isa.LOC, unit.game.first_place, len(unit.game.things) - unit.game.first_place + 1)
            proc.load(at)
            proc.put(isa.STX, plan.homes, SIZE)

        each_pair(st, plan, remember)

    def first_pass(following: Label) -> None:
        """The best numbers over all whole assignments."""
        if not plan.prefer:
            proc.push(1)
            proc.store(any_found)
            proc.put(isa.JMP, known)
            return
        score_into(st, plan, scope, score)
        take = proc.label()
        proc.load(any_found)
        proc.put(isa.JZ, take)
        compare(st, len(plan.prefer), score, best, take, following)
        proc.put(isa.JMP, following)
        proc.set(take)
        proc.push(1)
        proc.store(any_found)
        for place in range(len(plan.prefer)):
            proc.load(score + place)
            proc.store(best + place)

    known = proc.label()
    if plan.on_the_way:
        proc.put(isa.SCNT, plan.targets, plan.universe.words)
        proc.load(plan.count)
        proc.put(isa.LT)
        proc.put(isa.JNZ, fail)
    walk(st, plan, scope, fixed, first_pass)
    proc.set(known)
    proc.load(any_found)
    proc.put(isa.JZ, fail)
    if plan.once and not plan.prefer:
        # The walk was left at the first whole one.
        with proc.block():
            given = proc.slot()

            def free(at: int) -> None:
                proc.load(at)
                proc.put(isa.LDX, plan.right, SIZE)
                proc.store(given)
                give_back(st, plan, given)

            each_pair(st, plan, free)
    top, end = proc.label(), proc.label()
    proc.set(top)
    proc.load(fixed)
    proc.load(plan.count)
    proc.put(isa.LT)
    proc.put(isa.JZ, end)
    last_right, last_turn = proc.slot(), proc.slot()
    proc.push(0)
    proc.store(last_right)
    proc.push(-1)
    proc.store(last_turn)
    label = _label(st, plan)

    def offer(following: Label) -> None:
        new = proc.label()
        proc.load(fixed)
        proc.put(isa.LDX, plan.right, SIZE)
        proc.load(last_right)
        proc.put(isa.NE)
        proc.put(isa.JNZ, new)
        proc.load(fixed)
        proc.put(isa.LDX, plan.turn, SIZE)
        proc.load(last_turn)
        proc.put(isa.EQ)
        proc.put(isa.JNZ, following)
        proc.set(new)
        if plan.prefer:
            score_into(st, plan, scope, score)
            compare(st, len(plan.prefer), score, best, following, following)
        proc.load(fixed)
        proc.put(isa.LDX, plan.right, SIZE)
        proc.store(last_right)
        proc.load(fixed)
        proc.put(isa.LDX, plan.turn, SIZE)
        proc.store(last_turn)
        proc.load(who)
        proc.push(label)
        proc.load(last_right)
        proc.load(last_turn)
        proc.put(isa.OPT)

    walk(st, plan, scope, fixed, offer)
    about = 0
    if isinstance(plan.left_type, t.Thing):
        about = unit.layout.word("about")
        proc.load(fixed)
        proc.put(isa.LDX, plan.left, SIZE)
        proc.put(isa.STS, about)
    row = QuestionRow(
        st.act, choice.name, _question(plan, choice), unit.row(plan.right_type), choice.flag("secret"), about=about
    )
    proc.load(who)
    proc.put(isa.ASK, unit.question(row))
    for word, slots in ((2, plan.right), (3, plan.turn)):
        proc.put(isa.ANS, word)
        proc.load(fixed)
        proc.put(isa.STX, slots, SIZE)
    if plan.once:
        proc.put(isa.ANS, 2)
        proc.put(isa.SDEL, plan.targets, plan.universe.first, plan.universe.count)
    proc.load(fixed)
    proc.push(1)
    proc.put(isa.ADD)
    proc.store(fixed)
    proc.put(isa.JMP, top)
    proc.set(end)
    return scope.bind(**{choice.name: result_of(choice.name, plan)})


def _decline(st: Statements, choice: Choice, who: int, fail: Label) -> None:
    """An optional assignment asks first whether it is wanted at all."""
    proc = st.proc
    for word in (1, 0):
        proc.load(who)
        proc.push(0)
        proc.push(word)
        proc.push(0)
        proc.put(isa.OPT)
    proc.load(who)
    proc.put(
        isa.ASK,
        st.unit.question(
            QuestionRow(st.act, f"{choice.name}_wanted", f"{choice.name.replace('_', ' ')}?", TypeRow("bool"))
        ),
    )
    proc.put(isa.ANS, 2)
    proc.put(isa.JZ, fail)


def _question(plan: Plan, choice: Choice) -> str:
    left = "{about}" if isinstance(plan.left_type, t.Thing) else f"the next {plan.left_name.replace('_', ' ')}"
    return f"{choice.name.replace('_', ' ')}: {plan.right_name.replace('_', ' ')} for {left}"


def _label(st: Statements, plan: Plan) -> int:
    if plan.turns == 1:
        return 0
    text = f"{{{plan.right_name}}}, turned {{turns}}"
    key = f"pair.{plan.right_name}.{st.unit.row(plan.right_type).of}"
    return st.unit.label(
        key, TextRow(plan.right_name, text, (plan.right_name, "turns"), (st.unit.row(plan.right_type), TypeRow("int")))
    )
