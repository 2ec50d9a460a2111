"""Modifiers: while they are in force, a number is larger, a need is lifted, an act is forbidden.

They are inlined where the number, need or act is used, once for each thing that may carry them. The order is fixed:
set_to, times, add, at_least, at_most, each over all modifiers in the order of the files.
"""

from __future__ import annotations

from collections.abc import Callable

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend.proc import Label
from ludoloom.compiler.backend.records import Modifier, Source
from ludoloom.compiler.backend.scopes import values_scope
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Map, Node, Scalar
from ludoloom.runtime import isa

_ORDER = ("set_to", "times", "add", "at_least", "at_most")
_OPS = {"times": isa.MUL, "add": isa.ADD, "at_least": isa.MAX, "at_most": isa.MIN}


def sources(unit: Unit, family: str) -> list[tuple[str, Map, Source]]:
    """All triggers or modifiers of the game, its kinds and its items, in this order."""
    found: list[tuple[str, Map, Source]] = []
    own: dict[str, Map] = getattr(unit.game, family)
    found += [(name, node, Source()) for name, node in own.items()]
    for kind in unit.game.kinds.values():
        for name, node in getattr(kind, family).items():
            base = unit.game.kinds.get(kind.base)
            if base is None or name not in getattr(base, family):
                found.append((name, node, Source(kind.name)))
    for item in unit.game.items.values():
        found += [(name, node, Source(item.kind, item)) for name, node in getattr(item, family).items()]
    return found


def collect(unit: Unit) -> list[Modifier]:
    """All modifiers of the game."""
    found: list[Modifier] = []
    for name, node, source in sources(unit, "modifiers"):
        for what in ("changes", "lifts", "forbids"):
            target = node.get(what)
            if isinstance(target, Scalar):
                found.append(Modifier(name, node, source, what, target.text))
    return found


def check_targets(unit: Unit) -> None:
    """Each modifier must name something that exists."""
    game = unit.game
    columns = [f"{kind.name}.{column}" for kind in game.kinds.values() for column in kind.columns]
    acts = [*game.actions, *game.verbs, *(name for kind in game.kinds.values() for name in kind.acts)]
    for modifier in unit.modifiers:
        node = modifier.node.get(modifier.what)
        assert node is not None
        head = modifier.target.partition(".")[0]
        if modifier.what == "changes" and modifier.target not in columns and modifier.target not in game.computed:
            unit.bag.add(
                "number-nobody-reads",
                node.span,
                f"there is no number `{modifier.target}`",
                did_you_mean(modifier.target, [*columns, *game.computed]),
            )
        elif modifier.what == "forbids" and modifier.target not in acts:
            unit.bag.add(
                "unknown-need", node.span, f"there is no act `{modifier.target}`", did_you_mean(modifier.target, acts)
            )
        elif modifier.what == "lifts":
            acts_by_name = {
                **game.verbs,
                **game.actions,
                **{name: act for kind in game.kinds.values() for name, act in kind.acts.items()},
            }
            act = acts_by_name.get(head)
            needs = act.get("needs") if act is not None else None
            known = [f"{head}.{need}" for need in needs.names()] if isinstance(needs, Map) else []
            if modifier.target not in known:
                unit.bag.add(
                    "unknown-need",
                    node.span,
                    f"there is no need `{modifier.target}`",
                    did_you_mean(modifier.target, known or [f"{name}.…" for name in acts_by_name]),
                )


def changes_of(unit: Unit, column: Column) -> list[Modifier]:
    """The modifiers that change a column."""
    if not any(each.what == "changes" and each.target.endswith(column.name) for each in unit.modifiers):
        return []
    names = {column.name} if not column.kind else {f"{column.kind}.{column.name}"}
    if column.kind:
        names |= {
            f"{kind.name}.{column.name}" for kind in unit.game.kinds.values() if unit.infer.is_a(kind.name, column.kind)
        }
    return [each for each in unit.modifiers if each.what == "changes" and each.target in names]


def in_force(unit: Unit, source: Source, thing: E, scope: Scope) -> E | None:
    """The condition under which a source counts: its kind's `active_while`, or being in play."""
    if not source.kind:
        return None
    kind = unit.game.kinds[source.kind]
    own = Scope(self_=thing)
    if kind.active_while is not None:
        active = unit.infer.condition(kind.active_while, own)
        unit.tested(active, kind.active_while.span, "this `active_while`")
        return active
    return E("has", t.Bool(), (thing, E("in_play", t.SetOf(t.Thing(source.kind)), data=source.kind)))


def _while(unit: Unit, node: Node, scope: Scope) -> E:
    """The condition of a modifier, which is asked wherever the number is read."""
    e = unit.infer.condition(node, scope)
    unit.tested(e, node.span, "this `while`")
    return e


def source_scope(unit: Unit, source: Source, thing: E | None, scope: Scope) -> Scope:
    """The words of a trigger or modifier: those of the act, the item's values, `self`."""
    inner = Scope(dict(scope.names), thing, None, scope.proven)
    return values_scope(unit, inner, source.item)


def for_sources(values: Values, source: Source, scope: Scope, body: Callable[[E | None, Scope], None]) -> None:
    """Run `body` for each thing that carries the source and is in force."""
    unit, proc = values.unit, values.proc
    things = source.things(unit.game)
    if not source.kind:
        body(None, source_scope(unit, source, None, scope))
        return
    if len(things) == 1:
        _one(values, source, E("const", t.Thing(source.kind), data=things[0]), scope, body)
        return
    if not things:
        return
    with proc.block():
        it = Var("self", t.Thing(source.kind), slot=proc.slot())
        whole = E("things", t.SetOf(t.Thing(source.kind)), data=tuple(things))
        if source.item is None:
            whole = E("in_play", t.SetOf(t.Thing(source.kind)), data=source.kind)
        slot, universe = values.set(whole)
        values.loop(slot, universe, it.slot, lambda: _one(values, source, E("var", it.type, data=it), scope, body))


def _one(values: Values, source: Source, thing: E, scope: Scope, body: Callable[[E | None, Scope], None]) -> None:
    skip = values.proc.label()
    condition = in_force(values.unit, source, thing, scope)
    if condition is not None:
        values.jump_if_not(condition, skip)
    body(thing, source_scope(values.unit, source, thing, scope))
    values.proc.set(skip)


def apply_changes(values: Values, column: Column, changes: list[Modifier], scope: Scope, subject: E | None) -> None:
    """Change the value on the stack by all modifiers in force."""
    unit, proc = values.unit, values.proc
    with proc.block():
        value = proc.slot()
        proc.store(value)
        if subject is not None and column.kind not in scope.names:
            scope = scope.bind(**{column.kind: subject})
        for step in _ORDER:
            for change in changes:
                node = change.node.get(step)
                if node is None:
                    continue

                def change_it(thing: E | None, inner: Scope, change: Modifier = change, step: str = step) -> None:
                    skip = proc.label()
                    of, condition, node = change.node.get("of"), change.node.get("while"), change.node.get(step)
                    assert node is not None
                    with proc.at(node.span, effect=True):
                        if of is not None and subject is not None:
                            whom = unit.infer.value(of, inner)
                            test = "has" if isinstance(whom.type, t.SetOf) else "eq"
                            values.jump_if_not(E(test, t.Bool(), (subject, whom)), skip)
                        if condition is not None:
                            values.jump_if_not(_while(unit, condition, inner), skip)
                        if step in _OPS:
                            proc.load(value)
                        values.put(unit.infer.value(node, inner, column.type))
                        if step in _OPS:
                            proc.put(_OPS[step])
                        proc.store(value)
                    proc.set(skip)

                for_sources(values, change.source, scope, change_it)
        proc.load(value)


def jump_if_lifted(values: Values, act: str, need: str, scope: Scope, label: Label) -> None:
    """Go to `label` if a modifier in force lifts this need."""
    _jump_if(
        values,
        [each for each in values.unit.modifiers if each.what == "lifts" and each.target == f"{act}.{need}"],
        scope,
        label,
    )


def jump_if_forbidden(values: Values, act: str, scope: Scope, label: Label) -> None:
    """Go to `label` if a modifier in force forbids this act."""
    _jump_if(
        values, [each for each in values.unit.modifiers if each.what == "forbids" and each.target == act], scope, label
    )


def _jump_if(values: Values, modifiers: list[Modifier], scope: Scope, label: Label) -> None:
    for modifier in modifiers:

        def test(thing: E | None, inner: Scope, modifier: Modifier = modifier) -> None:
            condition = modifier.node.get("while")
            with values.proc.at(modifier.node.span, effect=True):
                if condition is None:
                    values.proc.put(isa.JMP, label)
                else:
                    values.jump_if(_while(values.unit, condition, inner), label)

        for_sources(values, modifier.source, scope, test)
