"""Settle points: after each statement that changed something, what waits for a change is asked.

A *watcher* is a `whenever` trigger or an `end`. A statement says which columns, places or faces it writes; only watchers whose
condition reads one of these are tested, in one procedure for each such group of watchers. Triggers first, in the declared
order, again and again until none fires; then the ends, of which the first that holds counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var, walk
from ludoloom.compiler.backend.formulas import cell_of, self_scope
from ludoloom.compiler.backend.modifiers import Source, changes_of, in_force, source_scope, sources
from ludoloom.compiler.backend.proc import Label, Proc
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values
from ludoloom.compiler.frontend.nodes import Map, Node, Scalar
from ludoloom.runtime import isa

PLACES, FACES = "places", "faces"
_READS_PLACES = frozenset(
    (
        "loc",
        "in_play",
        "at",
        "owned",
        "at_zone",
        "zone_count",
        "top",
        "nth",
        "next_seat",
        "next_thing",
        "opponent",
        "links",
        "next_to",
        "gaps",
    )
    + ("distance", "line", "steps_toward", "nearest", "farthest", "closed_ends", "map_of")
)


@dataclass(slots=True)
class Watcher:
    """A condition that is watched; `source` carries it (the game, for an end)."""

    name: str
    node: Map
    source: Source
    end: int = -1
    """The row of the outcome, or -1 for a trigger."""
    reads: frozenset[str] = frozenset()


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


def key_of(e: E) -> str:
    """The key of what a statement writes."""
    if e.op == "word":
        return str(e.data)
    if e.op == "column":
        return f"{e.data.kind}.{e.data.face}.{e.data.name}"
    return PLACES


def collect(unit: Unit) -> list[Watcher]:
    """All watchers of the game: triggers in their order, then ends."""
    reads = Reads(unit)
    found: list[Watcher] = []
    for name, node, source in ordered(unit, sources(unit, "triggers")):
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


def ordered(unit: Unit, triggers: list[tuple[str, Map, Source]]) -> list[tuple[str, Map, Source]]:
    """Triggers in the order of `trigger_order.groups` (kinds, and `rules` for the game's own), else as written."""
    order = unit.game.trigger_order
    groups = order.get("groups") if order is not None else None
    if groups is None or isinstance(groups, Scalar | Map):
        return triggers
    names = [group.text for group in groups if isinstance(group, Scalar)]

    def rank(entry: tuple[str, Map, Source]) -> int:
        source = entry[2]
        for place, name in enumerate(names):
            if (name == "rules" and not source.kind) or (
                source.kind and name in unit.game.kinds and unit.infer.is_a(source.kind, name)
            ):
                return place
        return len(names)

    return sorted(triggers, key=rank)


def settle(unit: Unit, proc: Proc, writes: set[str] | None) -> None:
    """A settle point after a statement that wrote these keys (None: anything)."""
    concerned = tuple(place for place, watcher in enumerate(unit.watchers) if writes is None or watcher.reads & writes)
    if concerned:
        proc.put(isa.SETTLE, _procedure(unit, concerned).number)


def _procedure(unit: Unit, concerned: tuple[int, ...]) -> Proc:
    watchers = [unit.watchers[place] for place in concerned]

    def build(proc: Proc) -> None:
        again = proc.here()
        for watcher in watchers:
            if watcher.end < 0:
                _trigger(unit, proc, watcher, again)
        for watcher in watchers:
            if watcher.end >= 0:
                _end(unit, proc, watcher)
        proc.put(isa.RET)

    return unit.proc("settle." + ".".join(map(str, concerned)), 0, 0, build)


def _trigger(unit: Unit, proc: Proc, watcher: Watcher, again: Label) -> None:
    """Fire when the condition has come true: what it was is remembered for each thing that carries the trigger."""
    values = Values(unit, proc)
    source = watcher.source
    condition = watcher.node.get("whenever")
    assert condition is not None
    key = f"watch.{source.kind}.{source.item.id if source.item else ''}.{watcher.name}"
    with proc.block(), proc.at(watcher.node.span):
        if not source.kind:
            word = unit.layout.word(key)
            _fire(
                values,
                watcher,
                None,
                again,
                unit.infer.condition(condition, source_scope(unit, source, None, Scope())),
                lambda: proc.put(isa.LDS, word),
                lambda: proc.put(isa.STS, word),
            )
            return
        kind = unit.game.kinds[source.kind]
        offset = unit.layout.word(key, max(kind.count, 1))
        it = Var("self", t.Thing(source.kind), slot=proc.slot())
        thing = E("var", it.type, data=it)
        scope = source_scope(unit, source, thing, Scope())
        force = in_force(unit, source, thing, scope)
        test = unit.infer.condition(condition, scope)
        whole = E("things", t.SetOf(it.type), data=tuple(source.things(unit)))
        if source.item is None:
            whole = E("all_of", t.SetOf(it.type), data=source.kind)
        slot, universe = values.set(whole)

        def load() -> None:
            proc.load(it.slot)
            proc.put(isa.LDF, offset, kind.first, max(kind.count, 1))

        def store() -> None:
            proc.load(it.slot)
            proc.put(isa.STF, offset, kind.first, max(kind.count, 1))

        both = E("and", t.Bool(), (force, test)) if force is not None else test
        values.loop(slot, universe, it.slot, lambda: _fire(values, watcher, thing, again, both, load, store))


def _fire(
    values: Values,
    watcher: Watcher,
    thing: E | None,
    again: Label,
    condition: E,
    load: Callable[[], None],
    store: Callable[[], None],
) -> None:
    from ludoloom.compiler.backend.triggers import body_of

    proc = values.proc
    off, end = proc.label(), proc.label()
    values.jump_if_not(condition, off)
    load()
    proc.put(isa.JNZ, end)
    proc.push(1)
    store()
    body = body_of(values.unit, watcher.name, watcher.node, watcher.source)
    if thing is not None:
        values.put(thing)
    proc.put(isa.CALL, body.number)
    proc.put(isa.JMP, again)
    proc.set(off)
    proc.push(0)
    store()
    proc.set(end)


def _end(unit: Unit, proc: Proc, watcher: Watcher) -> None:
    values = Values(unit, proc)
    condition = watcher.node.get("whenever")
    assert condition is not None
    skip = proc.label()
    with proc.block(), proc.at(watcher.node.span, effect=True):
        values.jump_if_not(unit.infer.condition(condition, Scope()), skip)
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
