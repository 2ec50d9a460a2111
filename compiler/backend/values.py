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

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.typed import E, Rows, Var
from ludoloom.compiler.backend.layout import Universe
from ludoloom.compiler.backend.proc import Label, Proc
from ludoloom.compiler.backend.unit import Unit
from ludoloom.runtime import isa

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

ONE_WORD: dict[str, OneWord] = {}
"""How expressions that are one word are lowered, by their `op`."""
SETS: dict[str, Builder] = {}
"""How sets are built, by the `op` of the expression."""


def one_word(*ops: str) -> Callable[[OneWord], OneWord]:
    """Registers a function that leaves one word on the stack."""

    def register(put: OneWord) -> OneWord:
        for op in ops:
            assert op not in ONE_WORD, op
            ONE_WORD[op] = put
        return put

    return register


def set_of(*ops: str) -> Callable[[Builder], Builder]:
    """Registers a function that builds a set at a slot of the frame."""

    def register(build: Builder) -> Builder:
        for op in ops:
            assert op not in SETS, op
            SETS[op] = build
        return build

    return register


@dataclass(slots=True)
class Values:
    """Lowers expressions into one procedure."""

    unit: Unit
    proc: Proc

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
        ONE_WORD[e.op](self, e)

    def places(self, kind: t.Type) -> tuple[int, int]:
        """The row of things that places of this type are; any place, if the type does not say."""
        if isinstance(kind, t.Thing) and kind.kinds and kind.kinds[0] in self.unit.game.kinds:
            declared = self.unit.game.kinds[self.unit.game.kinds[kind.kinds[0]].root]
            if declared.family in ("space", "tile") and declared.count:
                return declared.first, declared.count
        return self.unit.game.first_place, len(self.unit.game.things) - self.unit.game.first_place + 1

    def face_column(self, kind: t.Type) -> tuple[int, int, int]:
        """Offset, first and count of the face up of things of a kind; faces are numbered from 1, the first is up at
        the start."""
        assert isinstance(kind, t.Thing)
        declared = self.unit.game.kinds[self.unit.game.kinds[kind.kinds[0]].root]
        offset = self.unit.layout.word(f"face.{declared.name}", max(declared.count, 1))
        for number in range(declared.count):
            self.unit.layout.initial[offset + number] = 1
        return offset, declared.first, max(declared.count, 1)

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
        SETS[e.op](self, e, slot, universe)

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


OneWord = Callable[[Values, E], None]
Builder = Callable[[Values, E, int, Universe], None]
