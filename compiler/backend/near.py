"""How far spaces are is printed on the map, so a test of it needs no loop: a table has the set.

    spaces.where(holder == self.holder and it.line(self) == 2)
    ->  all spaces, SROW (those two straight steps from self), and; then a loop with what is left of the test

Only a test that asks nothing but the two spaces is answered so: one is the member, the other a name, the map does not
grow, the number is written out."""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Kind
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend import maps
from ludoloom.compiler.backend.layout import Universe
from ludoloom.compiler.backend.values import Values
from ludoloom.runtime import isa

_STEPS = {"distance": isa.MDIST, "line": isa.MLINE}
_YES = E("const", t.Bool(), data=1)


def narrow(values: Values, where: E, slot: int, universe: Universe) -> E:
    """Take out of the set at `slot` what tables know to fail the test of a `where`; returns what is left of it."""
    it, condition = where.data
    left: list[E] = []
    for test in _tests(condition):
        if not _answered(values, it, test, slot, universe):
            left.append(test)
    rest = left[0] if left else _YES
    for test in left[1:]:
        rest = E("and", t.Bool(), (rest, test), span=condition.span)
    return rest


def can_narrow(values: Values, where: E) -> bool:
    """Whether `narrow` would find anything to do."""
    it, condition = where.data
    return any(_sides(values, it, test) for test in _tests(condition))


def _tests(condition: E) -> list[E]:
    """The tests that all must hold."""
    if condition.op != "and":
        return [condition]
    return [test for side in condition.args for test in _tests(side)]


def _sides(values: Values, it: Var, test: E) -> tuple[E, E, Kind] | None:
    """The asking of steps and the other space of a test ``it.distance(other) == 2``, and the kind of both; None if it
    is none."""
    unit = values.unit
    if test.op != "eq" or test.args[0].op not in _STEPS or test.args[1].op != "const":
        return None
    steps = test.args[0]
    others = [side for side in steps.args if side.op == "var" and side.data is not it]
    members = [side for side in steps.args if side.op == "var" and side.data is it]
    if len(others) != 1 or len(members) != 1:
        return None
    for side in steps.args:
        if not isinstance(side.type, t.Thing) or side.type.missing or maps.map_for(unit, side.type) is not None:
            return None
    roots = {
        unit.game.kinds[name].root
        for side in steps.args
        for name in (side.type.kinds if isinstance(side.type, t.Thing) else ())
    }
    kind = unit.game.kinds[roots.pop()] if len(roots) == 1 else None
    return None if kind is None or kind.family != "space" else (steps, others[0], kind)


def _answered(values: Values, it: Var, test: E, slot: int, universe: Universe) -> bool:
    found = _sides(values, it, test)
    if found is None:
        return False
    steps, other, kind = found
    unit, proc = values.unit, values.proc
    table = maps.table_of(unit, kind, _STEPS[steps.op])
    wanted, first, count = test.args[1].data, kind.first, kind.count
    member_first = steps.args[0].data is it
    rows: list[int] = []
    for place in range(count):
        near = [
            first + member
            for member in range(count)
            if table[member * count + place if member_first else place * count + member] == wanted
        ]
        rows += unit.layout.bits(
            [one for one in near if universe.first <= one < universe.first + universe.count], universe
        )
    with proc.block():
        close = proc.slot(universe.words)
        values.put(other)
        proc.put(isa.SROW, close, universe.words, unit.layout.table(rows), first, max(count, 1))
        proc.put(isa.SOP, slot, close, universe.words, 2)
    return True
