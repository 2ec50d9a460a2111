"""Goals: what is worth striving for, worked out for one seat by procedures of their own, which nothing in the game
calls.

    goals: {honey: {for: {keeper: keepers}, is: keeper.honey, weight: 20}}

    goal.own.honey   seat -> 20 times the honey of all keepers that belong to the seat (`goal.shared.…` without `for`)
    goals            seat -> how well it stands: what all share, and by how much it is ahead of the best of the others

Players who are programs ask them (`runtime/agents`), in thousandths of a won game, so `goals` stays between -900 and
900: no hope is as good as a victory.
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.eye import EVERYBODY, Eye
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend.proc import Proc
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values
from ludoloom.compiler.frontend.nodes import Map, Node, Scalar
from ludoloom.runtime import isa

MOST = 900
"""What all goals together may count; a won game counts 1000."""
LOWEST = -(2**31) + 1


def goals_of(unit: Unit) -> Proc | None:
    """The procedure that tells how well a seat stands; None if the game has no goals."""
    if not unit.game.goals:
        return None
    own = {name: goal_of(unit, name, node) for name, node in unit.game.goals.items()}
    shared = [proc for name, proc in own.items() if unit.game.goals[name].get("for") is None]
    rivals = [proc for name, proc in own.items() if unit.game.goals[name].get("for") is not None]

    def build(proc: Proc) -> None:
        _sum(proc, shared, 0)
        if rivals:
            _sum(proc, rivals, 0)
            _lead(unit, proc, rivals)
            proc.put(isa.ADD)
        proc.push(-MOST)
        proc.put(isa.MAX)
        proc.push(MOST)
        proc.put(isa.MIN)
        proc.put(isa.RET)

    return unit.proc("goals", 1, 1, build)


def _sum(proc: Proc, goals: list[Proc], seat: int) -> None:
    """Leave what the goals count for the seat in a slot."""
    proc.push(0)
    for goal in goals:
        proc.load(seat)
        proc.put(isa.CALL, goal.number)
        proc.put(isa.ADD)


def _lead(unit: Unit, proc: Proc, rivals: list[Proc]) -> None:
    """Take from the number on the stack what the best of the other seats in play has."""
    seats = unit.game.kinds[unit.game.player_kind]
    other, best = proc.slot(), proc.slot()
    proc.push(seats.first)
    proc.store(other)
    proc.push(LOWEST)
    proc.store(best)
    top, following, alone = (proc.label() for _ in range(3))
    proc.set(top)
    proc.load(other)
    proc.load(0)
    proc.put(isa.EQ)
    proc.put(isa.JNZ, following)
    proc.load(other)
    proc.put(isa.INPLAY)
    proc.put(isa.JZ, following)
    _sum(proc, rivals, other)
    proc.load(best)
    proc.put(isa.MAX)
    proc.store(best)
    proc.set(following)
    proc.load(other)
    proc.push(1)
    proc.put(isa.ADD)
    proc.put(isa.DUP)
    proc.store(other)
    proc.push(seats.first + seats.count)
    proc.put(isa.LT)
    proc.put(isa.JNZ, top)
    proc.load(best)
    proc.push(LOWEST)
    proc.put(isa.EQ)
    proc.put(isa.JNZ, alone)
    proc.load(best)
    proc.put(isa.SUB)
    proc.set(alone)


def goal_of(unit: Unit, name: str, node: Map) -> Proc:
    """The procedure of one goal: a seat in, its weighted number out."""
    formula, weight, whose = node.get("is"), node.get("weight"), node.get("for")
    times = weight.value if isinstance(weight, Scalar) and type(weight.value) is int else 0

    def build(proc: Proc) -> None:
        values = Values(unit, proc)
        with proc.at(node.span):
            if formula is None:
                proc.push(0)
            elif isinstance(whose, Map) and len(whose) == 1:
                _of_seat(values, whose, formula)
            else:
                e = _number(unit, formula, Scope())
                unit.eyes.append(Eye(e, EVERYBODY, formula.span, "this goal, which all share,"))
                values.put(e)
            proc.push(times)
            proc.put(isa.MUL)
            proc.put(isa.RET)

    return unit.proc(f"goal.{'shared' if whose is None else 'own'}.{name}", 1, 1, build)


def _number(unit: Unit, node: Node, scope: Scope) -> E:
    """The typed formula: a number, or yes or no (one or nothing)."""
    e = unit.infer.value(node, scope)
    return e if isinstance(e.type, t.Bool) else unit.infer.fit(e, t.Int(), node.span)


def _of_seat(values: Values, whose: Map, formula: Node) -> None:
    """Leave the sum of the formula over those of a set that belong to the seat in the first slot."""
    unit, proc = values.unit, values.proc
    ((name, source),) = whose.entries
    whole = unit.infer.as_set(unit.infer.value(source, Scope()))
    of = whole.type.of if isinstance(whole.type, t.SetOf) else t.Unknown()
    if isinstance(of, t.Unknown):
        proc.push(0)
        return
    it = Var(name.text, of, span=name.span)
    seat = unit.player_of(E("var", of, data=it)) if isinstance(of, t.Thing) else None
    if seat is None:
        what = f"{t.show(of)} is no player and has no owner"
        unit.bag.add("wrong-type", source.span, what, "a goal is for players, or for things that a player owns")
        proc.push(0)
        return
    e = _number(unit, formula, Scope().bind_var(it))
    unit.eyes.append(Eye(whole, EVERYBODY, source.span, "whose goal this is"))
    unit.eyes.append(Eye(e, seat, formula.span, "this goal"))
    total = proc.slot()
    proc.push(0)
    proc.store(total)

    def add() -> None:
        skip = proc.label()
        values.put(seat)
        proc.load(0)
        proc.put(isa.EQ)
        proc.put(isa.JZ, skip)
        proc.load(total)
        values.put(e)
        proc.put(isa.ADD)
        proc.store(total)
        proc.set(skip)

    values.each(whole, it, add)
    proc.load(total)
