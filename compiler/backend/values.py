"""Typed expressions become instructions.

    hero.energy >= 2          LDL hero; LDF energy; … LE
    heroes.where(ko).any      a set in the frame, a loop over it, a jump

`Values.put` leaves a value of one word on the stack; `Values.set_into` builds a set in the frame;
`Values.jump_if_not` is the short form for conditions. Nothing here reports anything: what arrives is sound, or was
reported and is compiled to a harmless word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column, MapDecl
from ludoloom.compiler.analysis.typed import E, Rows, Var
from ludoloom.compiler.backend import maps
from ludoloom.compiler.backend.layout import Universe
from ludoloom.compiler.backend.proc import Label, Proc
from ludoloom.compiler.backend.unit import Unit
from ludoloom.runtime import isa

if TYPE_CHECKING:
    from ludoloom.compiler.backend.values import Values as Known

_TWO: dict[str, int] = {
    "add": isa.ADD,
    "sub": isa.SUB,
    "mul": isa.MUL,
    "div": isa.DIV,
    "mod": isa.MOD,
    "min": isa.MIN,
    "max": isa.MAX,
    "eq": isa.EQ,
    "ne": isa.NE,
    "lt": isa.LT,
    "le": isa.LE,
    "in_range": isa.INR,
    "range": isa.MKR,
}
FAR = 1 << 29
"""Farther than any place that can be reached."""


@dataclass(slots=True)
class Values:
    """Lowers expressions into one procedure."""

    unit: Unit
    proc: Proc

    @property
    def known(self) -> Known:
        """This object as functions of other modules know it: a type checker reads the file of a checkout under two
        names, by its folder and by its package, and takes the class for two."""
        return cast("Known", self)

    # --- one word ---------------------------------------------------------------------------------------------------

    def put(self, e: E) -> None:
        """Leave the value of `e` on the stack (a set: its words, the first deepest)."""
        if isinstance(e.type, t.SetOf | t.ListOf):
            with self.proc.block():
                slot, universe = self.set(e)
                self.proc.put(isa.SPUSH, slot, universe.words)
            return
        if e.op in _TWO:
            self.put(e.args[0])
            self.put(e.args[1])
            self.proc.put(_TWO[e.op])
            return
        getattr(self, f"_{e.op}")(e)

    def _const(self, e: E) -> None:
        self.proc.push(e.data)

    def _var(self, e: E) -> None:
        self.proc.load(e.data.slot)

    def _field(self, e: E) -> None:
        var, name = e.data
        self.proc.load(var.parts[name])

    def _word(self, e: E) -> None:
        self.proc.put(isa.LDS, self.unit.layout.word(e.data))

    def _column(self, e: E) -> None:
        from ludoloom.compiler.backend.formulas import read_column

        read_column(self.known, e.data, e.args)

    def _facet(self, e: E) -> None:
        self.put(e.args[0])

    def _neg(self, e: E) -> None:
        self.proc.push(0)
        self.put(e.args[0])
        self.proc.put(isa.SUB)

    def _not(self, e: E) -> None:
        self.put(e.args[0])
        self.proc.put(isa.NOT)

    def _and(self, e: E) -> None:
        no, end = self.proc.label(), self.proc.label()
        self.jump_if_not(e, no)
        self.proc.push(1)
        self.proc.put(isa.JMP, end)
        self.proc.set(no)
        self.proc.push(0)
        self.proc.set(end)

    _or = _and

    def _rows(self, e: E) -> None:
        self.rows(e, self.put)

    def _by_kind(self, e: E) -> None:
        end = self.proc.label()
        for number, (kind, value) in enumerate(e.data):
            following = self.proc.label()
            if number + 1 < len(e.data):
                self.put(E("is_kind", t.Bool(), e.args, (kind,)))
                self.proc.put(isa.JZ, following)
            self.put(value)
            self.proc.put(isa.JMP, end)
            self.proc.set(following)
        self.proc.set(end)

    def _is_kind(self, e: E) -> None:
        with self.proc.block():
            slot = self.proc.slot()
            self.put(e.args[0])
            self.proc.store(slot)
            for number, name in enumerate(e.data):
                kind = self.unit.game.kinds[name]
                self.proc.push(kind.first)
                self.proc.load(slot)
                self.proc.put(isa.LE)
                self.proc.load(slot)
                self.proc.push(kind.first + kind.count - 1)
                self.proc.put(isa.LE)
                self.proc.put(isa.MUL)
                if number:
                    self.proc.put(isa.MAX)

    def _loc(self, e: E) -> None:
        self.put(e.args[0])
        self.proc.put(isa.LOC, *self.places(e.type))

    def places(self, kind: t.Type) -> tuple[int, int]:
        """The row of things that places of this type are; any place, if the type does not say."""
        if isinstance(kind, t.Thing) and kind.kinds and kind.kinds[0] in self.unit.game.kinds:
            declared = self.unit.game.kinds[self.unit.game.kinds[kind.kinds[0]].root]
            if declared.family in ("space", "tile") and declared.count:
                return declared.first, declared.count
        return self.unit.game.first_place, len(self.unit.game.things) - self.unit.game.first_place + 1

    def _item(self, e: E) -> None:
        things = self.unit.game.things
        firsts = [thing.item.things[0] if thing.item else number for number, thing in enumerate(things, 1)]
        self.put(e.args[0])
        self.proc.put(isa.LDC, self.unit.layout.table(firsts), 1, len(firsts))

    def _showing(self, e: E) -> None:
        offset, first, count = self.face_column(e.args[0].type)
        self.put(e.args[0])
        self.proc.put(isa.LDF, offset, first, count)

    def face_column(self, kind: t.Type) -> tuple[int, int, int]:
        """Offset, first and count of the face up of things of a kind; faces are numbered from 1, the first is up at
        the start."""
        assert isinstance(kind, t.Thing)
        declared = self.unit.game.kinds[self.unit.game.kinds[kind.kinds[0]].root]
        offset = self.unit.layout.word(f"face.{declared.name}", max(declared.count, 1))
        for number in range(declared.count):
            self.unit.layout.initial[offset + number] = 1
        return offset, declared.first, max(declared.count, 1)

    def _zone_of(self, e: E) -> None:
        zone = e.data
        kind = self.unit.game.kinds[zone.kind]
        self.put(e.args[0])
        self.proc.push(zone.first - kind.first)
        self.proc.put(isa.ADD)

    def _zone_count(self, e: E) -> None:
        self.put(e.args[0])
        self.proc.put(isa.ZCNT)

    def _top(self, e: E) -> None:
        self.put(e.args[0])
        self.proc.put(isa.ZTOP, e.data)

    def _nth(self, e: E) -> None:
        if isinstance(e.args[0].type, t.Zone):
            self.put(e.args[0])
            self.put(e.args[1])
            self.proc.put(isa.ZAT)
            return
        with self.proc.block():
            slot, universe = self.set(e.args[0])
            left, at = self.proc.slot(), self.proc.slot()
            self.put(e.args[1])
            self.proc.store(left)
            end = self.proc.label()

            def count() -> None:
                self.proc.load(left)
                self.proc.push(1)
                self.proc.put(isa.SUB)
                self.proc.put(isa.DUP)
                self.proc.store(left)
                self.proc.put(isa.JZ, end)

            self.loop(slot, universe, at, count)
            self.proc.push(0)
            self.proc.store(at)
            self.proc.set(end)
            self.proc.load(at)

    def _table_at(self, e: E) -> None:
        from ludoloom.compiler.backend.formulas import table_at

        table_at(self.known, e)

    def _next_seat(self, e: E) -> None:
        self.put(e.args[0])
        self.proc.put(isa.CALL, self._next(e.args[0].type).number)

    _next_thing = _next_seat
    _opponent = _next_seat

    def _next(self, kind: t.Type) -> Proc:
        """The procedure that gives the next thing of a kind in play, in a circle."""
        assert isinstance(kind, t.Thing)
        declared = self.unit.game.kinds[self.unit.game.kinds[kind.kinds[0]].root]

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

        return self.unit.proc(f"next.{declared.name}", 1, 1, build)

    def _map_of(self, e: E) -> None:
        self.put(e.args[0])
        maps.map_of(self.known, e)

    def _location(self, e: E) -> None:
        self.put(e.args[0])
        maps.location(self.known)

    def _closed_ends(self, e: E) -> None:
        self.proc.put(isa.MENDS, maps.growing_number(self.unit, e.args[0]))

    def _distance(self, e: E) -> None:
        maps.distance(self.known, e.args[0], e.args[1], isa.MDIST)

    def _line(self, e: E) -> None:
        maps.distance(self.known, e.args[0], e.args[1], isa.MLINE)

    def _face_column(self, e: E) -> None:
        from ludoloom.compiler.backend.rolls import face_column

        face_column(self.known, e)

    # --- tests of sets ----------------------------------------------------------------------------------------------

    def _any(self, e: E) -> None:
        inner = e.args[0]
        if inner.op == "where":
            self._search(inner, want=True)
            return
        with self.proc.block():
            slot, universe = self.set(inner)
            self.proc.put(isa.SCNT, slot, universe.words)
            self.proc.push(0)
            self.proc.put(isa.NE)

    def _empty(self, e: E) -> None:
        self._any(e)
        self.proc.put(isa.NOT)

    def _search(self, where: E, want: bool) -> None:
        """1 if some member passes (want) or none fails the test of a where, found by a loop that ends early."""
        with self.proc.block():
            slot, universe = self.set(where.args[0])
            it, condition = where.data
            it.slot = self.proc.slot()
            found, end = self.proc.label(), self.proc.label()

            def test() -> None:
                (self.jump_if if want else self.jump_if_not)(condition, found)

            self.loop(slot, universe, it.slot, test)
            self.proc.push(0 if want else 1)
            self.proc.put(isa.JMP, end)
            self.proc.set(found)
            self.proc.push(1 if want else 0)
            self.proc.set(end)

    def _all(self, e: E) -> None:
        self._search(e, want=False)

    def _count(self, e: E) -> None:
        with self.proc.block():
            slot, universe = self.set(e.args[0])
            self.proc.put(isa.SCNT, slot, universe.words)

    def _only(self, e: E) -> None:
        with self.proc.block():
            slot, universe = self.set(e.args[0])
            at, end = self.proc.slot(), self.proc.label()
            self.proc.push(0)
            self.proc.store(at)
            self.proc.put(isa.SCNT, slot, universe.words)
            self.proc.push(1)
            self.proc.put(isa.EQ)
            self.proc.put(isa.JZ, end)
            self.proc.put(isa.SNEXT, slot, universe.first, universe.words, at, end)
            self.proc.set(end)
            self.proc.load(at)

    def _sum(self, e: E) -> None:
        with self.proc.block():
            total = self.proc.slot()
            self.proc.push(0)
            self.proc.store(total)
            it, number = e.data

            def add() -> None:
                self.proc.load(total)
                self.put(number)
                self.proc.put(isa.ADD)
                self.proc.store(total)

            self.each(e.args[0], it, add)
            self.proc.load(total)

    def _min_of(self, e: E) -> None:
        with self.proc.block():
            best = self.proc.slot()
            self._best(e, best, largest=e.op == "max_of")
            self.proc.load(best)

    _max_of = _min_of

    def _best(self, e: E, best: int, largest: bool) -> None:
        """The smallest or largest number over a set into slot `best`, NIL for an empty one."""
        it, number = e.data
        self.proc.push(isa.NIL)
        self.proc.store(best)

        def better() -> None:
            keep, skip = self.proc.label(), self.proc.label()
            value = self.proc.slot()
            self.put(number)
            self.proc.store(value)
            self.proc.load(best)
            self.proc.push(isa.NIL)
            self.proc.put(isa.EQ)
            self.proc.put(isa.JNZ, keep)
            self.proc.load(best if largest else value)
            self.proc.load(value if largest else best)
            self.proc.put(isa.LT)
            self.proc.put(isa.JZ, skip)
            self.proc.set(keep)
            self.proc.load(value)
            self.proc.store(best)
            self.proc.set(skip)

        self.each(e.args[0], it, better)

    def _has(self, e: E) -> None:
        thing, whole = e.args
        if whole.op == "in_play" and isinstance(thing.type, t.Thing):
            kind = self.unit.game.kinds[whole.data]
            if all(self.unit.infer.is_a(name, kind.name) for name in thing.type.kinds):
                self.put(thing)
                self.proc.put(isa.INPLAY)
                return
        with self.proc.block():
            slot, universe = self.set(whole)
            self.put(thing)
            self.proc.put(isa.SHAS, slot, universe.first, universe.count)

    def _at_zone(self, e: E) -> None:
        self.put(e.args[0])
        self.proc.put(isa.LOC, *self.places(e.args[1].type))
        self.put(e.args[1])
        self.proc.put(isa.EQ)

    # --- assignments ------------------------------------------------------------------------------------------------

    def _assigned_of(self, e: E) -> None:
        from ludoloom.compiler.backend import assign

        assign.points_of(self.known, e)

    def _assigned_at(self, e: E) -> None:
        from ludoloom.compiler.backend import assign

        assign.target_at(self.known, e)

    # --- conditions -------------------------------------------------------------------------------------------------

    def jump_if_not(self, e: E, label: Label) -> None:
        """Go to `label` unless `e` holds."""
        if e.op == "and":
            for part in e.args:
                self.jump_if_not(part, label)
        elif e.op == "or":
            yes = self.proc.label()
            self.jump_if(e.args[0], yes)
            self.jump_if_not(e.args[1], label)
            self.proc.set(yes)
        elif e.op == "not":
            self.jump_if(e.args[0], label)
        elif e.op == "const":
            if not e.data:
                self.proc.put(isa.JMP, label)
        else:
            self.put(e)
            self.proc.put(isa.JZ, label)

    def jump_if(self, e: E, label: Label) -> None:
        """Go to `label` if `e` holds."""
        if e.op == "or":
            for part in e.args:
                self.jump_if(part, label)
        elif e.op == "and":
            no = self.proc.label()
            self.jump_if_not(e.args[0], no)
            self.jump_if(e.args[1], label)
            self.proc.set(no)
        elif e.op == "not":
            self.jump_if_not(e.args[0], label)
        elif e.op == "const":
            if e.data:
                self.proc.put(isa.JMP, label)
        else:
            self.put(e)
            self.proc.put(isa.JNZ, label)

    def rows(self, e: E, value: Callable[[E], None]) -> None:
        """Cases in order; `value` says what is done with the value of the case that holds."""
        rows: Rows = e.data
        end = self.proc.label()
        with self.proc.block():
            if rows.subject is not None:
                var, subject = rows.subject
                var.slot = self.proc.slot()
                self.put(subject)
                self.proc.store(var.slot)
            for condition, result in rows.cases:
                following = self.proc.label()
                self.jump_if_not(condition, following)
                value(result)
                self.proc.put(isa.JMP, end)
                self.proc.set(following)
            if rows.otherwise is not None:
                value(rows.otherwise)
            else:
                place = rows.impossible or e.span
                with self.proc.at(place):
                    self.proc.put(isa.FAULT, self.unit.fault("no row fits"))
        self.proc.set(end)

    # --- sets -------------------------------------------------------------------------------------------------------

    def set(self, e: E) -> tuple[int, Universe]:
        """Build the set in new slots of the frame."""
        universe = self.unit.universe(e.type.of) if isinstance(e.type, t.SetOf | t.ListOf) else Universe(1, 1)
        if e.op == "var" and e.data.slot >= 0:
            return e.data.slot, universe
        slot = self.proc.slot(universe.words)
        self.set_into(e, slot, universe)
        return slot, universe

    def set_into(self, e: E, slot: int, universe: Universe) -> None:
        """Build the set at `slot`, as a set of `universe`."""
        natural = self.unit.universe(e.type.of) if isinstance(e.type, t.SetOf | t.ListOf) else universe
        if e.op == "things" or (isinstance(e.type, t.SetOf) and isinstance(e.type.of, t.Unknown)):
            natural = universe
        if natural != universe and e.op not in ("union", "single"):
            with self.proc.block():
                inner = self.proc.slot(natural.words)
                self.set_into(e, inner, natural)
                self.proc.put(isa.SNEW, slot, universe.words)
                at = self.proc.slot()

                def add() -> None:
                    self.proc.load(at)
                    self.proc.put(isa.SADD, slot, universe.first, universe.count)

                self.loop(inner, natural, at, add)
            return
        getattr(self, f"_set_{e.op}")(e, slot, universe)

    def loop(self, slot: int, universe: Universe, at: int, body: Callable[[], None]) -> None:
        """Run `body` for each member; the member lies in slot `at`."""
        top, end = self.proc.label(), self.proc.label()
        self.proc.push(0)
        self.proc.store(at)
        self.proc.set(top)
        self.proc.put(isa.SNEXT, slot, universe.first, universe.words, at, end)
        with self.proc.block():
            body()
        self.proc.put(isa.JMP, top)
        self.proc.set(end)

    def each(self, e: E, it: Var, body: Callable[[], None]) -> None:
        """Run `body` for each member of a set expression, bound to `it`: of things chosen in order in that order."""
        with self.proc.block():
            if e.op == "var" and "order" in e.data.parts:
                it.slot = self.proc.slot()
                self.in_order(e.data, it.slot, body)
                return
            slot, universe = self.set(e)
            it.slot = self.proc.slot()
            self.loop(slot, universe, it.slot, body)

    def in_order(self, chosen: Var, at: int, body: Callable[[], None]) -> None:
        """Run `body` for each of the things that were chosen in order; the thing lies in slot `at`."""
        proc = self.proc
        order, size = chosen.parts["order"]
        count, top, end = proc.slot(), proc.label(), proc.label()
        proc.push(0)
        proc.store(count)
        proc.set(top)
        proc.load(count)
        proc.put(isa.SCNT, chosen.slot, self.unit.words(chosen.type))
        proc.put(isa.LT)
        proc.put(isa.JZ, end)
        proc.load(count)
        proc.put(isa.LDX, order, size)
        proc.store(at)
        proc.load(count)
        proc.push(1)
        proc.put(isa.ADD)
        proc.store(count)
        body()
        proc.put(isa.JMP, top)
        proc.set(end)

    def _set_var(self, e: E, slot: int, universe: Universe) -> None:
        self.proc.put(isa.SOP, slot, e.data.slot, universe.words, 0)

    def _set_const(self, e: E, slot: int, universe: Universe) -> None:
        self.proc.put(isa.SNEW, slot, universe.words)

    def _set_things(self, e: E, slot: int, universe: Universe) -> None:
        self.proc.put(isa.SNEW, slot, universe.words)
        for number in e.data:
            self.proc.push(number)
            self.proc.put(isa.SADD, slot, universe.first, universe.count)

    def _set_single(self, e: E, slot: int, universe: Universe) -> None:
        self.proc.put(isa.SNEW, slot, universe.words)
        self.put(e.args[0])
        self.proc.put(isa.SADD, slot, universe.first, universe.count)

    def _set_in_play(self, e: E, slot: int, universe: Universe) -> None:
        self.proc.put(isa.SPLAY, slot, universe.first, universe.count)
        self.mask(slot, universe, (e.data,))

    def _set_all_of(self, e: E, slot: int, universe: Universe) -> None:
        self.proc.put(isa.SALL, slot, universe.first, universe.count)
        self.mask(slot, universe, (e.data,))

    def _set_at(self, e: E, slot: int, universe: Universe) -> None:
        self.put(e.args[0])
        self.proc.put(isa.SAT, slot, universe.first, universe.count)
        self.mask(slot, universe, e.data)

    def mask(self, slot: int, universe: Universe, kinds: tuple[str, ...]) -> None:
        """Keep the things of these kinds, where the universe holds others too."""
        declared = [self.unit.game.kinds[name] for name in kinds]
        members = [number for kind in declared for number in range(kind.first, kind.first + kind.count)]
        if len(set(members)) >= universe.count:
            return
        with self.proc.block():
            kept = self.proc.slot(universe.words)
            inside = [m for m in members if universe.first <= m < universe.first + universe.count]
            row = self.unit.layout.table(self.unit.layout.bits(inside, universe))
            self.proc.push(1)
            self.proc.put(isa.SROW, kept, universe.words, row, 1, 1)
            self.proc.put(isa.SOP, slot, kept, universe.words, 2)

    def filter(self, slot: int, universe: Universe, at: int, keep: Callable[[Label], None]) -> None:
        """Take out the members for which `keep` does not jump to its label."""

        def test() -> None:
            stays = self.proc.label()
            keep(stays)
            self.proc.load(at)
            self.proc.put(isa.SDEL, slot, universe.first, universe.count)
            self.proc.set(stays)

        self.loop(slot, universe, at, test)

    def _set_owned(self, e: E, slot: int, universe: Universe) -> None:
        self.proc.put(isa.SPLAY, slot, universe.first, universe.count)
        self.mask(slot, universe, (e.data,))
        with self.proc.block():
            owner, at = self.proc.slot(), self.proc.slot()
            self.put(e.args[0])
            self.proc.store(owner)
            column: Column = self.unit.game.kinds[e.data].columns["owner"]
            it = Var("it", t.Thing(e.data), slot=at)

            def keep(stays: Label) -> None:
                self.put(E("column", column.type, (E("var", it.type, data=it),), column))
                self.proc.load(owner)
                self.proc.put(isa.EQ)
                self.proc.put(isa.JNZ, stays)

            self.filter(slot, universe, at, keep)

    def _set_where(self, e: E, slot: int, universe: Universe) -> None:
        self.set_into(e.args[0], slot, universe)
        it, condition = e.data
        with self.proc.block():
            it.slot = self.proc.slot()
            self.filter(slot, universe, it.slot, lambda stays: self.jump_if(condition, stays))

    def _set_union(self, e: E, slot: int, universe: Universe) -> None:
        self.set_into(e.args[0], slot, universe)
        with self.proc.block():
            other = self.proc.slot(universe.words)
            self.set_into(e.args[1], other, universe)
            self.proc.put(isa.SOP, slot, other, universe.words, 1)

    def _set_minus(self, e: E, slot: int, universe: Universe) -> None:
        self.set_into(e.args[0], slot, universe)
        with self.proc.block():
            other = self.proc.slot(universe.words)
            self.set_into(e.args[1], other, universe)
            self.proc.put(isa.SOP, slot, other, universe.words, 3)

    def _set_rows(self, e: E, slot: int, universe: Universe) -> None:
        self.rows(e, lambda value: self.set_into(value, slot, universe))

    def _set_column(self, e: E, slot: int, universe: Universe) -> None:
        from ludoloom.compiler.backend.formulas import read_set

        read_set(self.known, e.data, e.args, slot, universe)

    def _set_by_kind(self, e: E, slot: int, universe: Universe) -> None:
        end = self.proc.label()
        for kind, value in e.data:
            following = self.proc.label()
            self.put(E("is_kind", t.Bool(), e.args, (kind,)))
            self.proc.put(isa.JZ, following)
            self.set_into(value, slot, universe)
            self.proc.put(isa.JMP, end)
            self.proc.set(following)
        self.proc.put(isa.SNEW, slot, universe.words)
        self.proc.set(end)

    def _set_least(self, e: E, slot: int, universe: Universe) -> None:
        """All members with the smallest (largest) number; a missing number counts as none of them."""
        self.set_into(e.args[0], slot, universe)
        it, number = e.data
        with self.proc.block():
            best = self.proc.slot()
            inner = E("var", t.SetOf(it.type), data=Var("set", t.SetOf(it.type), slot=slot))
            self._best_known(E(e.op, t.Int(), (inner,), (it, number)), best, largest=e.op == "most")
            it.slot = self.proc.slot()

            def keep(stays: Label) -> None:
                self.put(number)
                self.proc.load(best)
                self.proc.put(isa.EQ)
                self.proc.put(isa.JNZ, stays)

            self.filter(slot, universe, it.slot, keep)

    _set_most = _set_least

    def _best_known(self, e: E, best: int, largest: bool) -> None:
        """As `_best`, but members whose number is missing are passed over; all missing: NIL, which all of them
        equal."""
        it, number = e.data
        self.proc.push(isa.NIL)
        self.proc.store(best)

        def better() -> None:
            keep, skip = self.proc.label(), self.proc.label()
            value = self.proc.slot()
            self.put(number)
            self.proc.store(value)
            self.proc.load(value)
            self.proc.push(isa.NIL)
            self.proc.put(isa.EQ)
            self.proc.put(isa.JNZ, skip)
            self.proc.load(best)
            self.proc.push(isa.NIL)
            self.proc.put(isa.EQ)
            self.proc.put(isa.JNZ, keep)
            self.proc.load(best if largest else value)
            self.proc.load(value if largest else best)
            self.proc.put(isa.LT)
            self.proc.put(isa.JZ, skip)
            self.proc.set(keep)
            self.proc.load(value)
            self.proc.store(best)
            self.proc.set(skip)

        self.each(e.args[0], it, better)

    def _set_links(self, e: E, slot: int, universe: Universe) -> None:
        maps.neighbours(self.known, e.args[0], slot, universe, "links")

    def _set_next_to(self, e: E, slot: int, universe: Universe) -> None:
        maps.neighbours(self.known, e.args[0], slot, universe, "next_to")

    def _set_gaps(self, e: E, slot: int, universe: Universe) -> None:
        growing: MapDecl = e.data
        self.put(e.args[0])
        self.proc.put(isa.MGAPS, maps.number_of(self.unit, growing), slot)

    def _set_between(self, e: E, slot: int, universe: Universe) -> None:
        maps.between(self.known, e, slot, universe)

    def _set_spaces(self, e: E, slot: int, universe: Universe) -> None:
        maps.spaces(self.known, e.args[0], slot, universe)

    def _set_steps_toward(self, e: E, slot: int, universe: Universe) -> None:
        """The neighbours that are one step nearer."""
        with self.proc.block():
            start, goal, left = Var("start", e.args[0].type), Var("goal", e.args[1].type), self.proc.slot()
            start.slot, goal.slot = self.proc.slot(), self.proc.slot()
            self.put(e.args[0])
            self.proc.store(start.slot)
            self.put(e.args[1])
            self.proc.store(goal.slot)
            here, there = E("var", start.type, data=start), E("var", goal.type, data=goal)
            maps.distance(self.known, here, there, isa.MDIST)
            self.proc.store(left)
            empty, end = self.proc.label(), self.proc.label()
            self.proc.load(left)
            self.proc.push(isa.NIL)
            self.proc.put(isa.EQ)
            self.proc.put(isa.JNZ, empty)
            maps.neighbours(self.known, here, slot, universe, "links")
            it = Var("it", e.args[0].type, slot=self.proc.slot())

            def keep(stays: Label) -> None:
                maps.distance(self.known, E("var", it.type, data=it), there, isa.MDIST)
                self.proc.load(left)
                self.proc.push(1)
                self.proc.put(isa.SUB)
                self.proc.put(isa.EQ)
                self.proc.put(isa.JNZ, stays)

            self.filter(slot, universe, it.slot, keep)
            self.proc.put(isa.JMP, end)
            self.proc.set(empty)
            self.proc.put(isa.SNEW, slot, universe.words)
            self.proc.set(end)

    def _set_nearest(self, e: E, slot: int, universe: Universe) -> None:
        """Members with the fewest steps from the place, where each stands; who cannot be reached is no nearest one,
        but a farthest."""
        place, whole = e.args
        assert isinstance(whole.type, t.SetOf)
        far = e.op == "farthest"
        with self.proc.block():
            start = Var("start", place.type, slot=self.proc.slot())
            self.put(place)
            self.proc.store(start.slot)
            here = E("var", start.type, data=start)
            it = Var("it", whole.type.of)
            element = E("var", it.type, data=it)
            there = maps.place_of(self.unit, element)
            steps = E("distance", t.Int(missing=True), (here, there))
            if far:
                missing = E("eq", t.Bool(), (steps, E("const", t.Int(missing=True), data=isa.NIL)))
                steps = E("rows", t.Int(), data=Rows(((missing, E("const", t.Int(), data=FAR)),), steps))
                self._set_least(E("most", whole.type, (whole,), (it, steps)), slot, universe)
            else:
                reached = E(
                    "where",
                    whole.type,
                    (whole,),
                    (it, E("ne", t.Bool(), (steps, E("const", t.Int(missing=True), data=isa.NIL)))),
                )
                again = Var("it", whole.type.of)
                inner = E(
                    "distance", t.Int(missing=True), (here, maps.place_of(self.unit, E("var", again.type, data=again)))
                )
                self._set_least(E("least", whole.type, (reached,), (again, inner)), slot, universe)

    _set_farthest = _set_nearest

    def _set_assigned_targets(self, e: E, slot: int, universe: Universe) -> None:
        from ludoloom.compiler.backend import assign

        assign.targets(self.known, e, slot, universe)

    def _set_assigned_things(self, e: E, slot: int, universe: Universe) -> None:
        from ludoloom.compiler.backend import assign

        assign.things(self.known, e, slot, universe)

    def _set_assigned_of(self, e: E, slot: int, universe: Universe) -> None:
        from ludoloom.compiler.backend import assign

        assign.things_of(self.known, e, slot, universe)
