"""Triggers and windows round a verb, action, roll or step: before it, instead of it, after it.

    before windows -> before triggers -> (cancelled?) -> instead_of chain -> the deed -> after triggers -> after windows

A replacement whose needs hold runs in place of the deed; its `proceed` goes on with the next replacement, at last the
deed itself, with the parameters that it changed. Each trigger is a procedure that says whether it ran.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Param
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend import ties
from ludoloom.compiler.backend.acts import legal, run, signature
from ludoloom.compiler.backend.dice import result_scope
from ludoloom.compiler.backend.heads import Parts, parameters
from ludoloom.compiler.backend.modifiers import for_sources, source_scope, sources
from ludoloom.compiler.backend.proc import Label, Proc
from ludoloom.compiler.backend.records import Hooks, Source, Trigger
from ludoloom.compiler.backend.statements import Statements
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values
from ludoloom.compiler.backend.windows import window_of
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar
from ludoloom.runtime import isa

STARTS = ("before", "instead_of", "after")


def targets(node: Node | None) -> list[Scalar]:
    """One target or a list of them."""
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Items):
        return [item for item in node.items if isinstance(item, Scalar)]
    return []


def collect(unit: Unit) -> dict[str, Hooks]:
    """All hooks, by target; unknown targets are findings."""
    game = unit.game
    steps = [
        f"{name}.{step.text}"
        for name, phase in game.phases.items()
        if isinstance(steps := phase.get("steps"), Map)
        for step, _ in steps
    ]
    known = [*game.verbs, *game.actions, *game.rolls, *steps]
    found: dict[str, Hooks] = {}

    def hooks(target: Scalar, text: str) -> Hooks | None:
        if text not in known:
            unit.infer.unknown(
                text,
                target.span,
                f"there is no verb, action, roll or step `{text}`",
                did_you_mean(text, known),
            )
            return None
        return found.setdefault(text, Hooks())

    for name, node, source in ties.ordered(unit, sources(unit, "triggers")):
        starts = [start for start in STARTS if start in node]
        if not starts and "whenever" not in node:
            unit.bag.add(
                "missing-key",
                node.span,
                f"the trigger `{name}` does not say when",
                "add `before`, `after`, `instead_of` or `whenever`",
            )
        for start in starts:
            for target in targets(node.get(start)):
                place = hooks(target, target.text)
                if place is not None:
                    getattr(place, start).append(Trigger(name, node, source))
    for name, node in game.windows.items():
        for target in targets(node.get("opens")):
            when, _, text = target.text.partition(" ")
            if when not in ("before", "after"):
                unit.bag.add(
                    "wrong-type",
                    target.span,
                    f"`{target.text}` does not say when the window opens",
                    "write `before <verb>` or `after <verb>`",
                )
                continue
            place = hooks(target, text.strip())
            if place is not None:
                (place.opens_before if when == "before" else place.opens_after).append(name)
                unit.called.add(f"window.{name}")
    return found


def body_of(unit: Unit, name: str, node: Map, source: Source) -> Proc:
    """The procedure of a `whenever` trigger: the thing that carries it is its argument."""
    first = 1 if source.kind else 0

    def build(proc: Proc) -> None:
        thing = E("var", t.Thing(source.kind), data=Var("self", t.Thing(source.kind), slot=0)) if source.kind else None
        scope = source_scope(unit, source, thing, Scope())
        st = Statements(unit, proc, name, by=unit.player_of(thing) if thing is not None else None)
        fail = proc.label()
        with proc.at(node.span):
            says = node.get("says")
            run(st, Parts(name, (node,)), scope, fail, tested=False, log=says if isinstance(says, Scalar) else None)
            proc.set(fail)
            proc.put(isa.RET)

    return unit.proc(f"trigger.{source.kind}.{source.item.id if source.item else ''}.{name}", first, 0, build)


def hooked(unit: Unit, target: str, params: tuple[Param, ...], words: int, results: int, core: Proc) -> Proc:
    """The procedure that runs `core` with all that lies round it; `core` itself if nothing does."""
    hooks = unit.hooks.get(target)
    if hooks is None or not hooks.any:
        return core

    def build(proc: Proc) -> None:
        _round(unit, proc, target, hooks, params, words, results, core)

    return unit.proc(f"around.{core.name}", words, results, build)


def _scope(unit: Unit, params: tuple[Param, ...], first: int = 0) -> Scope:
    return parameters(unit, params, Scope(), first)


def _put(proc: Proc, words: int, first: int = 0) -> None:
    for word in range(words):
        proc.load(first + word)


def _round(
    unit: Unit, proc: Proc, target: str, hooks: Hooks, params: tuple[Param, ...], words: int, results: int, core: Proc
) -> None:
    values = Values(unit, proc)
    scope = _scope(unit, params)
    cancelled, outer = None, 0
    if hooks.opens_before or hooks.before:
        # The mark of the same verb further out is put aside: what answers a verb may call it too.
        cancelled, outer = unit.layout.word(f"cancelled.{target}"), proc.slot()
        proc.put(isa.LDS, cancelled)
        proc.store(outer)
        proc.push(0)
        proc.put(isa.STS, cancelled)
    for name in hooks.opens_before:
        _put(proc, words)
        proc.put(isa.CALL, window_of(unit, name, target).number)
    _all(values, hooks.before, _Calls(values, target, params, words, 0, 0), scope)
    if cancelled is not None:
        go = proc.label()
        proc.put(isa.LDS, cancelled)
        proc.load(outer)
        proc.put(isa.STS, cancelled)
        proc.put(isa.JZ, go)
        for _ in range(results):
            proc.push(0)
        proc.put(isa.RET)
        proc.set(go)
    _put(proc, words)
    proc.put(isa.CALL, _chain(unit, target, hooks, 0, params, words, results, core).number)
    result = proc.slot(max(results, 1))
    for word in reversed(range(results)):
        proc.store(result + word)
    _all(values, hooks.after, _Calls(values, target, params, words, result, results), scope)
    for name in hooks.opens_after:
        _put(proc, words)
        proc.put(isa.CALL, window_of(unit, name, target).number)
    for word in range(results):
        proc.load(result + word)
    proc.put(isa.RET)


@dataclass(frozen=True, slots=True)
class _Calls:
    """How the triggers at one target are called: with the thing, the words of the parameters, those of the result."""

    values: Values
    target: str
    params: tuple[Param, ...]
    words: int
    result: int
    results: int

    def arguments(self, thing: E | None) -> None:
        if thing is not None:
            self.values.put(thing)
        _put(self.values.proc, self.words)
        _put(self.values.proc, self.results, self.result)

    def run(self, trigger: Trigger, thing: E | None) -> None:
        """Call the trigger for one thing."""
        body = _procedure(self.values.unit, trigger, self.target, self.params, self.words, self.results)
        self.arguments(thing)
        self.values.proc.put(isa.CALL, body.number)
        self.values.proc.put(isa.POP)

    def test(self, trigger: Trigger, thing: E | None, skip: Label) -> None:
        """Go to `skip` unless the head of the trigger is met."""
        ready = _ready(self.values.unit, trigger, self.target, self.params, self.words, self.results)
        self.arguments(thing)
        self.values.proc.put(isa.CALL, ready.number)
        self.values.proc.put(isa.JZ, skip)


def _all(values: Values, triggers: list[Trigger], calls: _Calls, scope: Scope) -> None:
    """Call all triggers of one moment for each thing that carries them: group by group, and within a group as written,
    seat by seat, or as somebody decides."""
    unit = values.unit
    by = ties.decider(unit)
    for group in ties.grouped(unit, triggers, lambda trigger: trigger.source):
        carriers = [trigger.source for trigger in group]
        if by is not None and ties.several(unit, carriers):
            _asked(values, group, calls, scope, by)
        elif ties.seats_count(unit, carriers):

            def of_seat(seat: int, group: list[Trigger] = group) -> None:
                for trigger in group:

                    def run(guard: ties.Guard | None, trigger: Trigger = trigger) -> None:
                        def one(thing: E | None, inner: Scope) -> None:
                            skip = values.proc.label()
                            if guard is not None:
                                guard(thing, skip)
                            calls.run(trigger, thing)
                            values.proc.set(skip)

                        for_sources(values, trigger.source, scope, one)

                    ties.in_turn(values, trigger.source, seat, run)

            ties.by_seats(values, of_seat)
        else:
            for trigger in group:
                for_sources(values, trigger.source, scope, lambda thing, _, trigger=trigger: calls.run(trigger, thing))


def _asked(values: Values, group: list[Trigger], calls: _Calls, scope: Scope, by: Node) -> None:
    """Somebody decides: those that are ready and have not run are offered, the chosen one runs, and so on."""
    unit, proc = values.unit, values.proc
    with proc.block():
        poll, top, end = ties.Poll(values, by), proc.label(), proc.label()
        done = [
            proc.slot(unit.universe(t.Thing(trigger.source.kind)).words if trigger.source.kind else 1)
            for trigger in group
        ]
        for slot, trigger in zip(done, group, strict=True):
            proc.put(isa.SNEW, slot, unit.universe(t.Thing(trigger.source.kind)).words if trigger.source.kind else 1)
        proc.set(top)
        poll.begin()
        for slot, trigger in zip(done, group, strict=True):

            def one(thing: E | None, inner: Scope, slot: int = slot, trigger: Trigger = trigger) -> None:
                skip = proc.label()
                if thing is None:
                    proc.load(slot)
                else:
                    universe = unit.universe(thing.type)
                    values.put(thing)
                    proc.put(isa.SHAS, slot, universe.first, universe.count)
                proc.put(isa.JNZ, skip)
                calls.test(trigger, thing, skip)
                poll.offer(trigger.name, trigger.source, thing)
                proc.set(skip)

            for_sources(values, trigger.source, scope, one)
        poll.ask(end)
        for slot, trigger in zip(done, group, strict=True):
            following = proc.label()
            with proc.block():
                poll.unless_chosen(trigger.name, trigger.source, following)
                thing: E | None = None
                if trigger.source.kind:
                    thing = E("var", t.Thing(trigger.source.kind), data=Var("self", t.Unknown(), slot=proc.slot()))
                    universe = unit.universe(thing.type)
                    proc.put(isa.ANS, 2)
                    proc.store(thing.data.slot)
                    values.put(thing)
                    proc.put(isa.SADD, slot, universe.first, universe.count)
                else:
                    proc.push(1)
                    proc.store(slot)
                calls.run(trigger, thing)
                proc.put(isa.JMP, top)
            proc.set(following)
        proc.set(end)


def _ready(unit: Unit, trigger: Trigger, target: str, params: tuple[Param, ...], words: int, results: int) -> Proc:
    """The test of a trigger's head, with the same arguments as the trigger."""
    source = trigger.source
    first = 1 if source.kind else 0

    def build(proc: Proc) -> None:
        thing = E("var", t.Thing(source.kind), data=Var("self", t.Thing(source.kind), slot=0)) if source.kind else None
        words_ = _with_result(unit, target, _scope(unit, params, first), first + words, results)
        scope = source_scope(unit, source, thing, words_)
        st = Statements(unit, proc, trigger.name, by=unit.player_of(thing) if thing is not None else None)
        with proc.at(trigger.node.span):
            legal(st, Parts(trigger.name, (trigger.node,)), scope)

    name = f"ready.{source.kind}.{source.item.id if source.item else ''}.{trigger.name}@{target}"
    return unit.proc(name, first + words + results, 1, build)


def _procedure(
    unit: Unit,
    trigger: Trigger,
    target: str,
    params: tuple[Param, ...],
    words: int,
    results: int,
    chain: Proc | None = None,
) -> Proc:
    """One trigger at one target: arguments are the thing (if any), the parameters, the result words; 1 if it ran."""
    source = trigger.source
    first = 1 if source.kind else 0

    def build(proc: Proc) -> None:
        thing = E("var", t.Thing(source.kind), data=Var("self", t.Thing(source.kind), slot=0)) if source.kind else None
        scope = source_scope(
            unit, source, thing, _with_result(unit, target, _scope(unit, params, first), first + words, results)
        )
        by = unit.player_of(thing) if thing is not None else None
        st = Statements(unit, proc, trigger.name, by=by, cancels=(target,) if "before" in trigger.node else ())
        if chain is not None:
            following = chain
            st.proceed = lambda inner, node, where: _proceed(inner, node, where, params, following, target)
        fail = proc.label()
        says = trigger.node.get("says")
        with proc.at(trigger.node.span):
            run(
                st,
                Parts(trigger.name, (trigger.node,)),
                scope,
                fail,
                tested=False,
                log=says if isinstance(says, Scalar) else None,
            )
            proc.push(1)
            proc.put(isa.RET)
            proc.set(fail)
            proc.push(0)
            proc.put(isa.RET)

    name = f"trigger.{source.kind}.{source.item.id if source.item else ''}.{trigger.name}@{target}"
    return unit.proc(name, first + words + results, 1, build)


def _with_result(unit: Unit, target: str, scope: Scope, slot: int, results: int) -> Scope:
    """The words for the result of what has just been done: `result` of a verb, `roll` of a roll."""
    if not results:
        return scope
    if target in unit.game.rolls:
        return result_scope(unit, target, scope, slot)
    if target in unit.game.verbs:
        kind = signature(unit, target).result or t.Bool()
        return scope.bind(result=E("var", kind, data=Var("result", kind, slot=slot)))
    return scope


def _chain(
    unit: Unit, target: str, hooks: Hooks, place: int, params: tuple[Param, ...], words: int, results: int, core: Proc
) -> Proc:
    """The replacements from `place` on, then the deed."""
    if place >= len(hooks.instead_of):
        return core
    trigger = hooks.instead_of[place]

    def build(proc: Proc) -> None:
        values = Values(unit, proc)
        following = _chain(unit, target, hooks, place + 1, params, words, results, core)
        body = _procedure(unit, trigger, target, params, words, 0, following)
        ran = proc.label()

        def attempt(thing: E | None, inner: Scope) -> None:
            if thing is not None:
                values.put(thing)
            _put(proc, words)
            proc.put(isa.CALL, body.number)
            proc.put(isa.JNZ, ran)

        for_sources(values, trigger.source, _scope(unit, params), attempt)
        _put(proc, words)
        proc.put(isa.CALL, following.number)
        proc.put(isa.RET)
        proc.set(ran)
        for _ in range(results):
            proc.push(1)
        proc.put(isa.RET)

    return unit.proc(f"instead.{place}.{core.name}", words, results, build)


def _proceed(st: Statements, node: Node, scope: Scope, params: tuple[Param, ...], chain: Proc, target: str) -> None:
    """Go on with the interrupted deed, with the parameters that are given anew."""
    given = node if isinstance(node, Map) else Map(node.span, ())
    names = [param.name for param in params]
    for key, _ in given:
        if key.text not in names:
            st.unit.bag.add(
                "unknown-parameter",
                key.span,
                f"`{target}` has no parameter `{key.text}`",
                did_you_mean(key.text, names),
            )
    for param in params:
        new = given.get(param.name)
        st.values.put(st.unit.infer.value(new, scope, param.type) if new is not None else scope.names[param.name])
    st.proc.put(isa.CALL, chain.number)
    st.discard(chain.results)
