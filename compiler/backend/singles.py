"""Values of one word: constants and names, words of the state, tests of kinds, where things lie, the next seat.

    hero.energy   ->  what `formulas` registers, with the thing from here
    phase         ->  LDS phase
    deck.top      ->  LD deck; ZTOP

Each function lowers the expressions whose `op` stands above it.
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.backend.proc import Proc
from ludoloom.compiler.backend.values import Values, one_word
from ludoloom.runtime import isa


@one_word("const")
def _const(values: Values, e: E) -> None:
    values.proc.push(e.data)


@one_word("var")
def _var(values: Values, e: E) -> None:
    values.proc.load(e.data.slot)


@one_word("field")
def _field(values: Values, e: E) -> None:
    var, name = e.data
    values.proc.load(var.parts[name])


@one_word("word")
def _word(values: Values, e: E) -> None:
    values.proc.put(isa.LDS, values.unit.layout.word(e.data))


@one_word("facet")
def _facet(values: Values, e: E) -> None:
    values.put(e.args[0])


@one_word("neg")
def _neg(values: Values, e: E) -> None:
    values.proc.push(0)
    values.put(e.args[0])
    values.proc.put(isa.SUB)


@one_word("not")
def _not(values: Values, e: E) -> None:
    values.put(e.args[0])
    values.proc.put(isa.NOT)


@one_word("and", "or")
def _and(values: Values, e: E) -> None:
    no, end = values.proc.label(), values.proc.label()
    values.jump_if_not(e, no)
    values.proc.push(1)
    values.proc.put(isa.JMP, end)
    values.proc.set(no)
    values.proc.push(0)
    values.proc.set(end)


@one_word("rows")
def _rows(values: Values, e: E) -> None:
    values.rows(e, values.put)


@one_word("by_kind")
def _by_kind(values: Values, e: E) -> None:
    end = values.proc.label()
    for number, (kind, value) in enumerate(e.data):
        following = values.proc.label()
        if number + 1 < len(e.data):
            values.put(E("is_kind", t.Bool(), e.args, (kind,)))
            values.proc.put(isa.JZ, following)
        values.put(value)
        values.proc.put(isa.JMP, end)
        values.proc.set(following)
    values.proc.set(end)


@one_word("is_kind")
def _is_kind(values: Values, e: E) -> None:
    with values.proc.block():
        slot = values.proc.slot()
        values.put(e.args[0])
        values.proc.store(slot)
        for number, name in enumerate(e.data):
            kind = values.unit.game.kinds[name]
            values.proc.push(kind.first)
            values.proc.load(slot)
            values.proc.put(isa.LE)
            values.proc.load(slot)
            values.proc.push(kind.first + kind.count - 1)
            values.proc.put(isa.LE)
            values.proc.put(isa.MUL)
            if number:
                values.proc.put(isa.MAX)


@one_word("loc")
def _loc(values: Values, e: E) -> None:
    values.put(e.args[0])
    values.proc.put(isa.LOC, *values.places(e.type))


@one_word("item")
def _item(values: Values, e: E) -> None:
    things = values.unit.game.things
    firsts = [thing.item.things[0] if thing.item else number for number, thing in enumerate(things, 1)]
    values.put(e.args[0])
    values.proc.put(isa.LDC, values.unit.layout.table(firsts), 1, len(firsts))


@one_word("showing")
def _showing(values: Values, e: E) -> None:
    offset, first, count = values.face_column(e.args[0].type)
    values.put(e.args[0])
    values.proc.put(isa.LDF, offset, first, count)


@one_word("zone_of")
def _zone_of(values: Values, e: E) -> None:
    zone = e.data
    kind = values.unit.game.kinds[zone.kind]
    values.put(e.args[0])
    values.proc.push(zone.first - kind.first)
    values.proc.put(isa.ADD)


@one_word("zone_count")
def _zone_count(values: Values, e: E) -> None:
    values.put(e.args[0])
    values.proc.put(isa.ZCNT)


@one_word("top")
def _top(values: Values, e: E) -> None:
    values.put(e.args[0])
    values.proc.put(isa.ZTOP, e.data)


@one_word("at_zone")
def _at_zone(values: Values, e: E) -> None:
    values.put(e.args[0])
    values.proc.put(isa.LOC, *values.places(e.args[1].type))
    values.put(e.args[1])
    values.proc.put(isa.EQ)


@one_word("nth")
def _nth(values: Values, e: E) -> None:
    if isinstance(e.args[0].type, t.Zone):
        values.put(e.args[0])
        values.put(e.args[1])
        values.proc.put(isa.ZAT)
        return
    with values.proc.block():
        slot, universe = values.set(e.args[0])
        left, at = values.proc.slot(), values.proc.slot()
        values.put(e.args[1])
        values.proc.store(left)
        end = values.proc.label()

        def count() -> None:
            values.proc.load(left)
            values.proc.push(1)
            values.proc.put(isa.SUB)
            values.proc.put(isa.DUP)
            values.proc.store(left)
            values.proc.put(isa.JZ, end)

        values.loop(slot, universe, at, count)
        values.proc.push(0)
        values.proc.store(at)
        values.proc.set(end)
        values.proc.load(at)


@one_word("next_seat", "next_thing", "opponent")
def _next_seat(values: Values, e: E) -> None:
    values.put(e.args[0])
    values.proc.put(isa.CALL, _next(values, e.args[0].type).number)


def _next(values: Values, kind: t.Type) -> Proc:
    """The procedure that gives the next thing of a kind in play, in a circle."""
    assert isinstance(kind, t.Thing)
    declared = values.unit.game.kinds[values.unit.game.kinds[kind.kinds[0]].root]

    def build(proc: Proc) -> None:
        at, top, found = proc.slot(), proc.here(), proc.label()
        top = proc.label()
        proc.load(0)
        proc.store(at)
        proc.set(top)
        wrap, test = proc.label(), proc.label()
        proc.load(at)
        proc.push(declared.first + declared.count - 1)
        proc.put(isa.LT)
        proc.put(isa.JZ, wrap)
        proc.load(at)
        proc.push(1)
        proc.put(isa.ADD)
        proc.store(at)
        proc.put(isa.JMP, test)
        proc.set(wrap)
        proc.push(declared.first)
        proc.store(at)
        proc.set(test)
        proc.load(at)
        proc.put(isa.INPLAY)
        proc.put(isa.JNZ, found)
        proc.load(at)
        proc.load(0)
        proc.put(isa.EQ)
        proc.put(isa.JZ, top)
        proc.set(found)
        proc.load(at)
        proc.put(isa.RET)

    return values.unit.proc(f"next.{declared.name}", 1, 1, build)
