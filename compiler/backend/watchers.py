"""Watchers: what waits for a condition to come true.

A *watcher* is a `whenever` trigger or an `end`. What its condition reads is worked out once; statements that write
none of it do not ask it. Triggers first, in the declared order, again and again until none fires; then the ends, of
which the first that holds counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column
from ludoloom.compiler.analysis.names import word_set
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var, walk
from ludoloom.compiler.backend import ties
from ludoloom.compiler.backend.cells import cell_of
from ludoloom.compiler.backend.modifiers import changes_of, in_force, source_scope, sources
from ludoloom.compiler.backend.proc import Label, Proc
from ludoloom.compiler.backend.records import Source, Watcher
from ludoloom.compiler.backend.scopes import self_scope
from ludoloom.compiler.backend.settle import FACES, PLACES
from ludoloom.compiler.backend.triggers import body_of
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values
from ludoloom.compiler.frontend.nodes import Node, Scalar
from ludoloom.runtime import isa

_READS_PLACES = word_set(
    """loc in_play at owned at_zone zone_count top nth next_seat next_thing opponent links next_to gaps distance line
    steps_toward nearest farthest closed_ends map_of"""
)


@dataclass(slots=True)
class Reads:
    """What conditions read, worked out once for each column."""

    unit: Unit
    _columns: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def of(self, e: E) -> frozenset[str]:
        """Keys of all columns and words that the expression reads, through formulas too."""
        found: set[str] = set()
        for node in walk(e):
            if node.op in _READS_PLACES:
                found.add(PLACES)
            elif node.op == "showing":
                found.add(FACES)
            elif node.op == "word":
                found.add(str(node.data))
            elif node.op == "column":
                found |= self.column(node.data)
        return frozenset(found)

    def column(self, column: Column) -> frozenset[str]:
        """What reading a column reads."""
        key = f"{column.kind}.{column.face}.{column.name}"
        if key in self._columns:
            return self._columns[key]
        found: set[str] = {key}
        self._columns[key] = frozenset(found)
        infer = self.unit.infer
        thing = E("var", t.Thing(column.kind), data=Var("self", t.Thing(column.kind))) if column.kind else None
        params = {param.name: E("var", param.type, data=Var(param.name, param.type)) for param in column.params}
        if column.formula is not None:
            found |= self.of(infer.value(column.formula, Scope(params, thing)))
        elif column.storage == "printed" and (
            column.params or column.is_formula or isinstance(column.type, t.Condition)
        ):
            expected: t.Type = t.Bool() if isinstance(column.type, t.Condition) else column.type
            for item in self.unit.game.items.values():
                node = cell_of(item, column) if infer.is_a(item.kind, column.kind) else None
                if node is not None and thing is not None:
                    scope = self_scope(
                        self.unit,
                        item.kind,
                        E("var", t.Thing(item.kind), data=Var("self", t.Thing(item.kind), parts={"item": item})),
                        item,
                    ).bind(**params)
                    found |= self.of(infer.value(node, scope, expected))
        for change in changes_of(self.unit, column):
            inner = Scope(dict(params), None)
            if change.source.kind:
                inner = Scope(
                    dict(params), E("var", t.Thing(change.source.kind), data=Var("self", t.Thing(change.source.kind)))
                )
            inner = source_scope(
                self.unit, change.source, inner.self_, inner.bind(**({column.kind: thing} if thing is not None else {}))
            )
            for part in ("of", "while", "set_to", "times", "add", "at_least", "at_most"):
                node = change.node.get(part)
                if node is not None:
                    found |= self.of(infer.value(node, inner))
            found.add(PLACES)
        self._columns[key] = frozenset(found)
        return self._columns[key]


def collect(unit: Unit) -> list[Watcher]:
    """All watchers of the game: triggers in their order, then ends."""
    reads = Reads(unit)
    found: list[Watcher] = []
    for name, node, source in ties.ordered(unit, sources(unit, "triggers")):
        condition = node.get("whenever")
        if condition is None:
            continue
        thing = E("var", t.Thing(source.kind), data=Var("self", t.Thing(source.kind))) if source.kind else None
        scope = source_scope(unit, source, thing, Scope())
        keys = set(reads.of(unit.infer.condition(condition, scope)))
        force = in_force(unit, source, thing, scope) if thing is not None else None
        if force is not None:
            keys |= reads.of(force)
        found.append(Watcher(name, node, source, reads=frozenset(keys)))
    for number, (name, node) in enumerate(unit.game.end.items()):
        condition = node.get("whenever")
        if condition is not None:
            found.append(Watcher(name, node, Source(), number, reads.of(unit.infer.condition(condition, Scope()))))
    return found


def settling(unit: Unit, concerned: tuple[int, ...]) -> Proc:
    """The procedure that asks the watchers at these places."""
    watchers = [unit.watchers[place] for place in concerned]

    def build(proc: Proc) -> None:
        again = proc.here()
        triggers = [watcher for watcher in watchers if watcher.end < 0]
        for group in ties.grouped(unit, triggers, lambda watcher: watcher.source):
            _group(unit, proc, group, again)
        for watcher in watchers:
            if watcher.end >= 0:
                _end(unit, proc, watcher)
        proc.put(isa.RET)

    return unit.proc("settle." + ".".join(map(str, concerned)), 0, 0, build)


def _group(unit: Unit, proc: Proc, group: list[Watcher], again: Label) -> None:
    """The triggers of one group: as written, seat by seat, or as somebody decides."""
    values = Values(unit, proc)
    sources_ = [watcher.source for watcher in group]
    by = ties.decider(unit)
    if by is not None and ties.several(unit, sources_):
        _asked(values, group, by, again)
    elif ties.seats_count(unit, sources_):

        def of_seat(seat: int) -> None:
            for watcher in group:
                ties.in_turn(
                    values,
                    watcher.source,
                    seat,
                    lambda guard, watcher=watcher: _trigger(values, watcher, again, guard),
                )

        ties.by_seats(values, of_seat)
    else:
        for watcher in group:
            _trigger(values, watcher, again)


def _asked(values: Values, group: list[Watcher], by: Node, again: Label) -> None:
    """Offer all that have come true; the chosen one fires, and everything is looked at anew."""
    proc = values.proc
    with proc.block():
        poll, none = ties.Poll(values, by), proc.label()
        poll.begin()
        for watcher in group:
            _trigger(values, watcher, again, offer=poll)
        poll.ask(none)
        for watcher in group:
            following = proc.label()
            with proc.block(), proc.at(watcher.node.span):
                poll.unless_chosen(watcher.name, watcher.source, following)
                thing: E | None = None
                if watcher.source.kind:
                    thing = E("var", t.Thing(watcher.source.kind), data=Var("self", t.Unknown(), slot=proc.slot()))
                    proc.put(isa.ANS, 2)
                    proc.store(thing.data.slot)
                proc.push(1)
                _memory(values, watcher, thing, isa.STS, isa.STF)
                if thing is not None:
                    values.put(thing)
                proc.put(isa.CALL, body_of(values.unit, watcher.name, watcher.node, watcher.source).number)
                proc.put(isa.JMP, again)
            proc.set(following)
        proc.set(none)


def _memory(values: Values, watcher: Watcher, thing: E | None, word_op: int, column_op: int) -> None:
    """Read or write whether the condition held when it was last looked at, for the thing that carries the trigger."""
    unit, source = values.unit, watcher.source
    key = f"watch.{source.kind}.{source.item.id if source.item else ''}.{watcher.name}"
    if thing is None:
        values.proc.put(word_op, unit.layout.word(key))
        return
    kind = unit.game.kinds[source.kind]
    offset = unit.layout.word(key, max(kind.count, 1))
    values.put(thing)
    values.proc.put(column_op, offset, kind.first, max(kind.count, 1))


def _trigger(
    values: Values, watcher: Watcher, again: Label, guard: ties.Guard | None = None, offer: ties.Poll | None = None
) -> None:
    """Fire when the condition has come true: what it was is remembered for each thing that carries the trigger.
    `guard` passes things over; with `offer` what would fire is offered instead."""
    unit, proc, source = values.unit, values.proc, watcher.source
    condition = watcher.node.get("whenever")
    assert condition is not None
    with proc.block(), proc.at(watcher.node.span):
        if not source.kind:
            test = unit.infer.condition(condition, source_scope(unit, source, None, Scope()))
            unit.tested(test, condition.span, "this `whenever`")
            _fire(values, watcher, None, again, test, guard, offer)
            return
        it = Var("self", t.Thing(source.kind), slot=proc.slot())
        thing = E("var", it.type, data=it)
        scope = source_scope(unit, source, thing, Scope())
        force = in_force(unit, source, thing, scope)
        test = unit.infer.condition(condition, scope)
        unit.tested(test, condition.span, "this `whenever`")
        whole = E("things", t.SetOf(it.type), data=tuple(source.things(unit.game)))
        if source.item is None:
            whole = E("all_of", t.SetOf(it.type), data=source.kind)
        slot, universe = values.set(whole)
        both = E("and", t.Bool(), (force, test)) if force is not None else test
        values.loop(slot, universe, it.slot, lambda: _fire(values, watcher, thing, again, both, guard, offer))


def _fire(
    values: Values,
    watcher: Watcher,
    thing: E | None,
    again: Label,
    condition: E,
    guard: ties.Guard | None,
    offer: ties.Poll | None,
) -> None:
    proc = values.proc
    off, end = proc.label(), proc.label()
    if guard is not None:
        guard(thing, end)
    values.jump_if_not(condition, off)
    _memory(values, watcher, thing, isa.LDS, isa.LDF)
    proc.put(isa.JNZ, end)
    if offer is not None:
        offer.offer(watcher.name, watcher.source, thing)
        proc.put(isa.JMP, end)
    else:
        proc.push(1)
        _memory(values, watcher, thing, isa.STS, isa.STF)
        body = body_of(values.unit, watcher.name, watcher.node, watcher.source)
        if thing is not None:
            values.put(thing)
        proc.put(isa.CALL, body.number)
        proc.put(isa.JMP, again)
    proc.set(off)
    proc.push(0)
    _memory(values, watcher, thing, isa.STS, isa.STF)
    proc.set(end)


def _end(unit: Unit, proc: Proc, watcher: Watcher) -> None:
    values = Values(unit, proc)
    condition = watcher.node.get("whenever")
    assert condition is not None
    skip = proc.label()
    with proc.block(), proc.at(watcher.node.span, effect=True):
        over = unit.infer.condition(condition, Scope())
        unit.tested(over, condition.span, "this end")
        values.jump_if_not(over, skip)
        winners(values, watcher.node.get("winners"))
        proc.put(isa.END, watcher.end)
    proc.set(skip)


def winners(values: Values, node: Node | None) -> None:
    """Leave the winners' seats as a bit set on the stack."""
    unit, proc = values.unit, values.proc
    if node is None or (isinstance(node, Scalar) and node.value == "none"):
        proc.push(0)
        return
    kind = unit.game.kinds[unit.game.player_kind]
    with proc.block():
        seats = proc.slot()
        proc.put(isa.SNEW, seats, 1)
        whole = unit.infer.as_set(unit.infer.value(node, Scope()))
        of = whole.type.of if isinstance(whole.type, t.SetOf) else t.Unknown()
        if isinstance(of, t.Thing):
            it = Var("winner", of)

            def add() -> None:
                seat = unit.player_of(E("var", of, data=it))
                if seat is None:
                    unit.bag.add(
                        "wrong-type",
                        node.span,
                        f"{t.show(of)} is no player and has no owner",
                        "winners are players, or things that a player owns",
                    )
                    return
                values.put(seat)
                proc.put(isa.SADD, seats, kind.first, max(kind.count, 1))

            values.each(whole, it, add)
        elif not isinstance(of, t.Unknown):
            unit.bag.add("wrong-type", node.span, f"winners are players, not {t.show(of)}")
        proc.load(seats)
