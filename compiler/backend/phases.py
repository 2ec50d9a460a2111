"""Phases: the order of play. A phase runs its steps once, or once for each turn of its seats until something stops it.

    rounds: {turns: {of: heroes, order: clockwise, skip: ko}, steps: {hero: [...], monsters: [...]}}

Each step has a name (``rounds.hero``) at which windows open, scenarios begin and saves resume.
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend import settle
from ludoloom.compiler.backend.proc import Proc
from ludoloom.compiler.backend.start import begin
from ludoloom.compiler.backend.statements import Statements
from ludoloom.compiler.backend.triggers import hooked
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Map, Node, Scalar
from ludoloom.runtime import isa


def main_of(unit: Unit) -> Proc:
    """The procedure that plays the game: its phases in order. Where they end without an end, the game is over for
    all."""

    def build(proc: Proc) -> None:
        begin(unit, proc)
        for phase in unit.game.play:
            if phase.text not in unit.game.phases:
                unit.infer.unknown(
                    phase.text,
                    phase.span,
                    f"there is no phase `{phase.text}`",
                    did_you_mean(phase.text, unit.game.phases),
                )
                continue
            unit.called.add(f"phase.{phase.text}")
            with proc.at(phase.span):
                proc.put(isa.CALL, phase_of(unit, phase.text).number)
        proc.push(0)
        proc.put(isa.END, len(unit.game.end))

    return unit.proc("main", 0, 0, build)


def phase_of(unit: Unit, name: str) -> Proc:
    """The procedure of a phase."""
    node = unit.game.phases[name]

    def build(proc: Proc) -> None:
        number = list(unit.game.phases).index(name) + 1
        word = unit.layout.word("phase")
        before = proc.slot()
        with proc.at(node.span):
            proc.put(isa.LDS, word)
            proc.store(before)
            proc.push(number)
            proc.put(isa.STS, word)
            settle.settle(unit, proc, {"phase"})
            turns = node.get("turns")
            if isinstance(turns, Map):
                _turns(unit, proc, name, node, turns)
            else:
                _steps(unit, proc, name, node)
            proc.load(before)
            proc.put(isa.STS, word)
            proc.put(isa.RET)

    return unit.proc(f"phase.{name}", 0, 0, build)


def turns_of(unit: Unit, name: str) -> Proc:
    """The procedure of one turn of a phase."""
    node = unit.game.phases[name]

    def build(proc: Proc) -> None:
        with proc.at(node.span):
            _steps(unit, proc, name, node)
            proc.put(isa.RET)

    return unit.proc(f"turn.{name}", 0, 0, build)


def _steps(unit: Unit, proc: Proc, name: str, node: Map) -> None:
    steps = node.get("steps")
    if isinstance(steps, Map):
        for key, block in steps:
            with proc.at(key.span):
                proc.put(isa.STEP, _number(unit, f"{name}.{key.text}"))
                proc.put(isa.CALL, _step(unit, name, f"{name}.{key.text}", block).number)
        return
    proc.put(isa.STEP, _number(unit, name))
    block = node.get("do")
    if block is not None:
        proc.put(isa.CALL, _step(unit, name, name, block).number)


def _number(unit: Unit, step: str) -> int:
    if step not in unit.steps:
        unit.steps.append(step)
    return unit.steps.index(step)


def _step(unit: Unit, phase: str, step: str, block: Node) -> Proc:
    def build(proc: Proc) -> None:
        Statements(unit, proc, step, phase=phase).block(block, Scope())
        proc.put(isa.RET)

    return hooked(unit, step, (), 0, 0, unit.proc(f"step.{step}", 0, 0, build))


def _turns(unit: Unit, proc: Proc, name: str, node: Map, turns: Map) -> None:
    of = turns.get("of")
    if of is None:
        unit.bag.add("missing-key", turns.span, "`turns` does not say whose", "add `of: …`")
        return
    whole = unit.infer.as_set(unit.infer.value(of, Scope()))
    if not isinstance(whole.type, t.SetOf) or not isinstance(whole.type.of, t.Thing):
        return
    following = _following(unit, name, whole, turns)
    active = unit.layout.word("active")
    values = Values(unit, proc)
    top, end = proc.label(), proc.label()

    def take(inclusive: int) -> None:
        proc.put(isa.LDS, active)
        proc.push(inclusive)
        proc.put(isa.CALL, following.number)
        proc.put(isa.DUP)
        proc.put(isa.STS, active)
        proc.put(isa.JZ, end)
        settle.settle(unit, proc, {"active"})

    take(1)
    proc.set(top)
    proc.put(isa.CALL, turns_of(unit, name).number)
    until = node.get("until")
    if until is not None:
        values.jump_if(unit.infer.condition(until, Scope()), end)
    take(0)
    proc.put(isa.JMP, top)
    proc.set(end)


def _following(unit: Unit, name: str, whole: E, turns: Map) -> Proc:
    """The procedure that gives the next seat from one on (that one too, if asked), in a circle, or 0 if nobody can."""
    assert isinstance(whole.type, t.SetOf)
    assert isinstance(whole.type.of, t.Thing)
    of = whole.type.of
    kind = unit.game.kinds[unit.game.kinds[of.kinds[0]].root]
    skip = turns.get("skip")
    order = turns.get("order")
    if isinstance(order, Scalar) and order.text not in ("clockwise", "counter_clockwise"):
        unit.bag.add("wrong-type", order.span, f"turns go `clockwise` or `counter_clockwise`, not `{order.text}`")
    back = isinstance(order, Scalar) and order.text == "counter_clockwise"
    first, last = kind.first, kind.first + kind.count - 1

    def build(proc: Proc) -> None:
        values = Values(unit, proc)
        at, left = Var("at", of, slot=proc.slot()), proc.slot()
        top, test, step, none = (proc.label() for _ in range(4))
        proc.load(0)
        proc.store(at.slot)
        proc.push(kind.count + 1)
        proc.store(left)
        inside = proc.label()
        values.put(E("is_kind", t.Bool(), (E("var", of, data=at),), (kind.name,)))
        proc.put(isa.JNZ, inside)
        proc.push(last if back else first)
        proc.store(at.slot)
        proc.put(isa.JMP, test)
        proc.set(inside)
        proc.load(1)
        proc.put(isa.JNZ, test)
        proc.set(top)
        proc.load(left)
        proc.push(1)
        proc.put(isa.SUB)
        proc.put(isa.DUP)
        proc.store(left)
        proc.put(isa.JZ, none)
        wrap = proc.label()
        proc.load(at.slot)
        proc.push(first if back else last)
        proc.put(isa.EQ)
        proc.put(isa.JNZ, wrap)
        proc.load(at.slot)
        proc.push(-1 if back else 1)
        proc.put(isa.ADD)
        proc.store(at.slot)
        proc.put(isa.JMP, test)
        proc.set(wrap)
        proc.push(last if back else first)
        proc.store(at.slot)
        proc.set(test)
        member = E("has", t.Bool(), (E("var", of, data=at), whole))
        values.jump_if_not(member, top)
        if skip is not None:
            it = E("var", of, data=at)
            values.jump_if(unit.infer.condition(skip, Scope(it=it)), top)
        proc.set(step)
        proc.load(at.slot)
        proc.put(isa.RET)
        proc.set(none)
        proc.push(0)
        proc.put(isa.RET)

    return unit.proc(f"following.{name}", 2, 1, build)
