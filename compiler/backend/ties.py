"""Several triggers at one moment: in which order they run.

    trigger_order: {groups: [rules, monster, magic_item], ties: {by: active}}

First by groups (`settle.ordered`). Within a group the order of the seats counts, from the active one round the table,
after what belongs to nobody; or somebody is asked which of those that are ready comes next, until none is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend import texts
from ludoloom.compiler.backend.proc import Label
from ludoloom.compiler.backend.records import Source
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values
from ludoloom.compiler.frontend.nodes import Map, Node, Scalar
from ludoloom.runtime import isa
from ludoloom.runtime.image import QuestionRow, TextRow, TypeRow

T = TypeVar("T")


def rank(unit: Unit, source: Source) -> int:
    """The place of a source's group in `trigger_order.groups`; what is in none comes last."""
    order = unit.game.trigger_order
    groups = order.get("groups") if order is not None else None
    if groups is None or isinstance(groups, Scalar | Map):
        return 0
    names = [group.text for group in groups.items if isinstance(group, Scalar)]
    for place, name in enumerate(names):
        if (name == "rules" and not source.kind) or (
            source.kind and name in unit.game.kinds and unit.infer.is_a(source.kind, name)
        ):
            return place
    return len(names)


def ordered(unit: Unit, triggers: list[tuple[str, Map, Source]]) -> list[tuple[str, Map, Source]]:
    """Triggers in the order of `trigger_order.groups` (kinds, and `rules` for the game's own), else as written."""
    return sorted(triggers, key=lambda entry: rank(unit, entry[2]))


def grouped(unit: Unit, entries: Iterable[T], source: Callable[[T], Source]) -> list[list[T]]:
    """Entries that are in order already, cut into their groups."""
    found: list[list[T]] = []
    last = -1
    for entry in entries:
        place = rank(unit, source(entry))
        if not found or place != last:
            found.append([])
        found[-1].append(entry)
        last = place
    return found


def decider(unit: Unit) -> Node | None:
    """Who decides the order within a group, if somebody does."""
    order = unit.game.trigger_order
    ties = order.get("ties") if order is not None else None
    return ties.get("by") if isinstance(ties, Map) else None


def several(unit: Unit, sources: Iterable[Source]) -> bool:
    """Whether more than one trigger can be due at one moment."""
    return sum(len(source.things(unit.game)) if source.kind else 1 for source in sources) > 1


def seats_count(unit: Unit, sources: Iterable[Source]) -> bool:
    """Whether what carries these triggers can belong to different players."""
    if unit.game.players[1] < 2:
        return False
    owned = [source for source in sources if source.kind and _owner(unit, source.kind)]
    return several(unit, owned)


def _owner(unit: Unit, kind: str) -> bool:
    return unit.player_of(E("var", t.Thing(kind), data=Var("self", t.Thing(kind)))) is not None


def by_seats(values: Values, body: Callable[[int], None]) -> None:
    """Run `body` with a seat in a slot: 0 for what belongs to nobody, then each seat in play from the active one on."""
    unit, proc = values.unit, values.proc
    kind = unit.game.kinds[unit.game.player_kind]
    of = t.Thing(kind.name)
    with proc.block():
        seat, first, started, begin, top, end = (
            proc.slot(),
            proc.slot(),
            proc.slot(),
            proc.label(),
            proc.label(),
            proc.label(),
        )
        active = E("word", t.Thing(unit.infer.active_kind()), data="active")
        for slot in (seat, first, started):
            proc.push(0)
            proc.store(slot)
        proc.set(top)
        body(seat)
        proc.load(started)
        proc.put(isa.JZ, begin)
        values.put(E("next_seat", of, (E("var", of, data=Var("seat", of, slot=seat)),)))
        proc.store(seat)
        proc.load(seat)
        proc.load(first)
        proc.put(isa.EQ)
        proc.put(isa.JNZ, end)
        proc.put(isa.JMP, top)
        proc.set(begin)
        _seat_or_first(values, active, first)
        proc.push(1)
        proc.store(started)
        proc.load(first)
        proc.store(seat)
        proc.put(isa.JMP, top)
        proc.set(end)


def put_seat(values: Values, thing: E) -> None:
    """Leave the seat to which a thing belongs, 0 if there is none (a piece that nobody owns)."""
    unit, proc = values.unit, values.proc
    with proc.block():
        at = Var("at", thing.type, slot=proc.slot())
        end = proc.label()
        values.put(thing)
        proc.store(at.slot)
        kind = thing.type
        while isinstance(kind, t.Thing):
            owner = unit.game.kinds[kind.kinds[0]].columns.get("owner")
            if unit.game.kinds[kind.kinds[0]].family == "player":
                break
            if owner is None or not isinstance(owner.type, t.Thing):
                proc.push(0)
                proc.store(at.slot)
                break
            proc.load(at.slot)
            proc.put(isa.JZ, end)
            values.put(E("column", owner.type, (E("var", kind, data=Var("at", kind, slot=at.slot)),), owner))
            proc.store(at.slot)
            kind = t.Thing(*owner.type.kinds)
        proc.set(end)
        proc.load(at.slot)


def _seat_or_first(values: Values, thing: E, slot: int) -> None:
    """Store the seat to which a thing belongs; before the first turn nobody is active, and the first seat stands in."""
    unit, proc = values.unit, values.proc
    known = proc.label()
    put_seat(values, thing)
    proc.store(slot)
    proc.load(slot)
    proc.put(isa.JNZ, known)
    proc.push(unit.game.kinds[unit.game.player_kind].first)
    proc.store(slot)
    proc.set(known)


Guard = Callable[[E | None, Label], None]
"""Goes to the label if the thing that carries a trigger is not due."""


def in_turn(values: Values, source: Source, seat: int, body: Callable[[Guard | None], None]) -> None:
    """Write `body` for the round of `by_seats`. What carries the trigger is passed over unless it belongs to the seat
    in the slot; where all of it belongs to nobody, the whole is looked at once and needs no guard."""
    if source.kind and _owner(values.unit, source.kind):
        body(lambda thing, skip: skip_unless(values, thing, seat, skip))
        return
    end = values.proc.label()
    values.proc.load(seat)
    values.proc.put(isa.JNZ, end)
    body(None)
    values.proc.set(end)


def skip_unless(values: Values, thing: E | None, seat: int, skip: Label) -> None:
    """Go to `skip` unless the thing belongs to the seat in the slot."""
    if thing is None:
        values.proc.push(0)
    else:
        put_seat(values, thing)
    values.proc.load(seat)
    values.proc.put(isa.EQ)
    values.proc.put(isa.JZ, skip)


class Poll:
    """Asks somebody which trigger comes next: offer those that are ready, ask, then see for each whether it was
    chosen."""

    def __init__(self, values: Values, by: Node) -> None:
        self.values = values
        self.count, self.who = values.proc.slot(), values.proc.slot()
        unit = values.unit
        self.whom = unit.infer.value(by, Scope())
        whom = self.whom
        decides = isinstance(whom.type, t.Thing) and unit.player_of(whom) is not None
        if not decides and not isinstance(whom.type, t.Unknown):
            unit.bag.add(
                "who-decides",
                by.span,
                f"{t.show(whom.type)} is no player and has no owner",
                "`by` is a player, or a thing that a player owns",
            )

    def begin(self) -> None:
        """Nothing is offered yet."""
        proc = self.values.proc
        proc.push(0)
        proc.store(self.count)
        _seat_or_first(self.values, self.whom, self.who)

    def label(self, name: str, source: Source) -> int:
        """The label of a trigger's option."""
        unit = self.values.unit
        title = texts.title(name)
        item = source.item.id if source.item is not None else ""
        key = f"trigger.{source.kind}.{item}.{name}"
        if not source.kind:
            return unit.label(key, TextRow(name, title, (), ()))
        return unit.label(key, TextRow(name, f"{{self}}: {title}", ("self",), (unit.row(t.Thing(source.kind)),)))

    def offer(self, name: str, source: Source, thing: E | None) -> None:
        """Offer one trigger that is ready."""
        proc = self.values.proc
        proc.load(self.who)
        proc.push(self.label(name, source))
        if thing is not None:
            self.values.put(thing)
        else:
            proc.push(0)
        proc.push(0)
        proc.put(isa.OPT)
        proc.push(1)
        proc.store(self.count)

    def ask(self, none: Label) -> None:
        """Ask, or go to `none` if nothing was offered."""
        proc = self.values.proc
        proc.load(self.count)
        proc.put(isa.JZ, none)
        proc.load(self.who)
        row = QuestionRow("trigger_order", "next", "what comes next", TypeRow("act"))
        proc.put(isa.ASK, self.values.unit.question(row))

    def unless_chosen(self, name: str, source: Source, skip: Label) -> None:
        """Go to `skip` unless this trigger was chosen (of whichever thing: `ANS 2`)."""
        proc = self.values.proc
        proc.put(isa.ANS, 1)
        proc.push(self.label(name, source))
        proc.put(isa.EQ)
        proc.put(isa.JZ, skip)
