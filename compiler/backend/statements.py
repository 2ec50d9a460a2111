"""Statements become instructions, from top to bottom.

A statement is one verb: ``{lose: {what: hero.energy, amount: 1}}``. What it needs stands inside, what follows from it
beside (`as`, `then`, `else`, `do`, `on …`). The table `CORE` names the core verbs; any other name is a verb of the
game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend import assign, choices, rolls, settle
from ludoloom.compiler.backend.formulas import run_effect
from ludoloom.compiler.backend.proc import Label, Proc
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.runtime import isa
from ludoloom.runtime.image import TextRow

if TYPE_CHECKING:
    from ludoloom.compiler.backend.statements import Statements as Known

BESIDE = frozenset(("as", "then", "else", "do"))


@dataclass(slots=True)
class Statements:
    """Lowers the statements of one act into one procedure.

    `by` is who is asked where nothing else is said; `result` what `give` returns (None: nothing); `finish` emits the
    normal return; `proceed` and `cancels` exist inside a trigger or window of an interrupted verb."""

    unit: Unit
    proc: Proc
    act: str
    by: E | None = None
    result: t.Type | None = None
    done_flag: bool = False
    proceed: Callable[[Statements, Node, Scope], None] | None = None
    cancels: tuple[str, ...] = ()
    phase: str = ""
    turn: Proc | None = None
    loops: dict[str, list[tuple[Label, int]]] = field(default_factory=dict[str, list[tuple[Label, int]]])
    """Where `stop` goes, and how many groups were open there."""
    groups: int = 0
    depth: int = 0
    gave: bool = False
    offers: bool = False
    """It is tested whether the act can be offered: what is read decides an offer."""
    given: list[E] = field(default_factory=list[E])
    """Conditions that hold here."""
    sealed: list[tuple[Var, E | None]] = field(default_factory=list[tuple[Var, "E | None"]])
    """Answers that the other players do not see yet, and who gave them."""

    @property
    def known(self) -> Known:
        """This object as functions of other modules know it (see `Values.known`)."""
        return cast("Known", self)

    @property
    def values(self) -> Values:
        return Values(self.unit, self.proc)

    # --- blocks -----------------------------------------------------------------------------------------------------

    def block(self, node: Node | None, scope: Scope) -> None:
        """A list of statements; names bound by one are words in those after it."""
        if node is None:
            return
        if not isinstance(node, Items):
            self.unit.bag.add(
                "wrong-type",
                node.span,
                "a list of statements is expected here",
                "write `[{verb: …}]`, or each statement on a line of its own with `- `",
            )
            return
        with self.proc.block():
            for item in node.items:
                scope = self.statement(item, scope)

    def statement(self, node: Node, scope: Scope) -> Scope:
        """One statement; gives the scope for those after it."""
        if isinstance(node, Scalar):
            name, argument, beside = node.text, Scalar(node.span, None, "", False), Map(node.span, ())
            key = node
        elif isinstance(node, Map):
            verbs = [(key, value) for key, value in node if key.text not in BESIDE and not key.text.startswith("on ")]
            if len(verbs) != 1:
                what = "two verbs in one statement" if verbs else "a statement without a verb"
                span = verbs[1][0].span if verbs else node.span
                self.unit.bag.add(
                    "wrong-clause", span, what, "each statement of a list is one verb with what belongs to it"
                )
                return scope
            (key, argument) = verbs[0]
            name = key.text
            beside = Map(node.span, tuple(entry for entry in node if entry[0] is not key))
        else:
            self.unit.bag.add(
                "wrong-type",
                node.span,
                "a list cannot be a statement",
                "write the statements directly, or `group: [...]`",
            )
            return scope
        with self.proc.at(key.span, effect=True):
            core = CORE.get(name)
            if core is not None:
                self._beside(name, beside)
                after = core(self, argument, beside, scope, key)
            else:
                after = self.call(name, argument, beside, scope, key)
        if core is None or name in REVEALS:
            self.sealed.clear()
        return after

    def _beside(self, name: str, beside: Map) -> None:
        """Only the clauses that a core verb knows may stand beside it."""
        allowed = CLAUSES.get(name, ())
        for key, _ in beside:
            word = "on" if key.text.startswith("on ") else key.text
            if word not in allowed:
                hint = (
                    f"`{name}` knows {' and '.join(f'`{each}`' for each in allowed)}"
                    if allowed
                    else f"nothing stands beside `{name}`"
                )
                self.unit.bag.add("wrong-clause", key.span, f"`{key.text}` does not belong to `{name}`", hint)

    # --- helpers ----------------------------------------------------------------------------------------------------

    def inside(self, node: Node, *known: str) -> Map:
        """The mapping inside a verb; unknown keys are findings."""
        if not isinstance(node, Map):
            self.unit.bag.add(
                "wrong-type", node.span, f"a mapping with {', '.join(f'`{each}`' for each in known)} is expected here"
            )
            return Map(node.span, ())
        for key, _ in node:
            if key.text not in known:
                self.unit.bag.add(
                    "unknown-key", key.span, f"`{key.text}` is not known here", did_you_mean(key.text, known)
                )
        return node

    def need(self, node: Map, key: str) -> Node:
        """The value of a key that must be there."""
        found = node.get(key)
        if found is None:
            self.unit.bag.add("missing-key", node.span, f"`{key}` is missing")
            return Scalar(node.span, 0, "0", False)
        return found

    def bind(self, name: Node | None, value_type: t.Type, scope: Scope) -> tuple[Var | None, Scope]:
        """A name for a result (`as`)."""
        if name is None:
            return None, scope
        if not isinstance(name, Scalar) or not name.text.isidentifier():
            self.unit.bag.add("wrong-type", name.span, "`as` takes a name")
            return None, scope
        self.unit.infer.uses.bind(name.text, name.span, "the result")
        return self.new(name.text, value_type, scope, name.span)

    def new(self, name: str, value_type: t.Type, scope: Scope, span: Span) -> tuple[Var, Scope]:
        """Bind a new name of the act to new slots."""
        var = Var(name, value_type, span, self.proc.slot(self.unit.words(value_type)))
        self.check_name(name, span, scope)
        return var, scope.bind_var(var)

    def check_name(self, name: str, span: Span, scope: Scope) -> None:
        """A bound name must be free."""
        if name in RESERVED:
            self.unit.bag.add("reserved-word", span, f"`{name}` is a word of the language", "give it another name")
        elif name in scope.names:
            self.unit.bag.add("name-taken", span, f"`{name}` is already a name of this act", "give it another name")

    def store(self, var: Var) -> None:
        """Take the value of `var` from the stack."""
        if isinstance(var.type, t.SetOf | t.ListOf):
            self.proc.put(isa.SPOP, var.slot, self.unit.words(var.type))
        else:
            self.proc.store(var.slot)

    def discard(self, words: int) -> None:
        for _ in range(words):
            self.proc.put(isa.POP)

    def settle(self, *writes: str) -> None:
        """A settle point after a statement that wrote these."""
        settle.settle(self.unit, self.proc, set(writes))

    def player(self, node: Node | None, scope: Scope, span: Span) -> E | None:
        """Who is asked: `by`, or the act's own."""
        if node is None:
            if self.by is None:
                self.unit.bag.add("who-decides", span, "it is not said who decides", "add `by: …`")
            return self.by
        who = self.unit.infer.value(node, scope)
        if isinstance(who.type, t.Unknown):
            return None
        seat = self.unit.player_of(who) if isinstance(who.type, t.Thing) else None
        if seat is None:
            self.unit.bag.add(
                "who-decides",
                node.span,
                f"{t.show(who.type)} is no player and has no owner",
                "`by` is a player, or a thing that a player owns",
            )
        return seat

    def nested(self, scope: Scope, body: Callable[[], None], span: Span) -> None:
        """Run `body` one level deeper; too deep is a finding."""
        self.depth += 1
        if self.depth == 5:
            self.unit.bag.add(
                "deep-nesting",
                span,
                "this block is nested more than four levels deep",
                "give the inner block a name as a verb",
            )
        body()
        self.depth -= 1

    def branch(self, node: Node | None, scope: Scope, span: Span) -> None:
        self.nested(scope, lambda: self.block(node, scope), span)

    def return_default(self) -> None:
        """The normal end of the act."""
        if self.result is not None:
            self.proc.put(isa.FAULT, self.unit.fault("the verb ended without `give`"))
            return
        if self.done_flag:
            self.proc.push(1)
        self.proc.put(isa.RET)

    # --- flow -------------------------------------------------------------------------------------------------------

    def do_if(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        condition = self.unit.infer.condition(node, scope)
        otherwise, end = self.proc.label(), self.proc.label()
        self.values.jump_if_not(condition, otherwise)
        self.given.append(condition)
        self.branch(beside.get("then"), scope.prove(*self.unit.infer.proofs(node)), key.span)
        self.given.pop()
        if beside.get("else") is not None:
            self.proc.put(isa.JMP, end)
        self.proc.set(otherwise)
        self.branch(beside.get("else"), scope.prove(*self.unit.infer.denials(node)), key.span)
        self.proc.set(end)
        if not beside.get("then") and not beside.get("else"):
            self.unit.bag.add("wrong-clause", key.span, "nothing follows from this `if`", "add `then: [...]`")
        return scope

    def do_match(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        value = self.unit.infer.value(node, scope)
        with self.proc.block():
            var = Var("match", value.type, slot=self.proc.slot())
            self.values.put(value)
            self.proc.store(var.slot)
            end = self.proc.label()
            covered: list[tuple[int, int, Scalar]] = []
            for on, block in beside:
                text = on.text[3:].strip()
                following = self.proc.label()
                if text != "other":
                    word = Scalar(on.span.within(3, len(on.text)) if on.plain else on.span, text, text, on.plain)
                    self.values.jump_if_not(self.unit.infer.row_key(word, (var, value), scope, covered), following)
                self.branch(block, scope, key.span)
                self.proc.put(isa.JMP, end)
                self.proc.set(following)
            self.proc.set(end)
        return scope

    def do_for_each(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        choices.for_each(self.known, node, beside, scope, key)
        return scope

    def do_together(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        choices.together(self.known, node, beside, scope, key)
        return scope

    def do_repeat(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        inside = self.inside(node, "times", "while")
        times, condition = inside.get("times"), inside.get("while")
        body = beside.get("do")
        if times is None and not _may_end(body):
            self.unit.bag.add(
                "unbounded-repeat",
                key.span,
                "nothing ends this `repeat`",
                "add `times: …`, a choice, or a `stop: repeat`",
            )
        with self.proc.block():
            left = self.proc.slot()
            if times is not None:
                self.values.put(self.unit.infer.need_int(self.unit.infer.value(times, scope, t.Int()), times.span))
                self.proc.store(left)
            top, end = self.proc.here(), self.proc.label()
            top = self.proc.label()
            self.proc.set(top)
            if times is not None:
                self.proc.push(0)
                self.proc.load(left)
                self.proc.put(isa.LT)
                self.proc.put(isa.JZ, end)
                self.proc.load(left)
                self.proc.push(1)
                self.proc.put(isa.SUB)
                self.proc.store(left)
            inner = scope
            if condition is not None:
                self.values.jump_if_not(self.unit.infer.condition(condition, scope), end)
                inner = scope.prove(*self.unit.infer.proofs(condition))
            self.in_loop("repeat", end, lambda: self.branch(body, inner, key.span))
            self.proc.put(isa.JMP, top)
            self.proc.set(end)
        return scope

    def in_loop(self, name: str, end: Label, body: Callable[[], None]) -> None:
        """Run `body` where ``stop: name`` goes to `end`."""
        self.loops.setdefault(name, []).append((end, self.groups))
        body()
        self.loops[name].pop()

    def do_group(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        self.proc.put(isa.GROUP, 1)
        self.groups += 1
        self.block(node, scope)
        self.groups -= 1
        self.proc.put(isa.GROUP, -1)
        settle.settle(self.unit, self.proc, None)
        return scope

    def leave_groups(self, down_to: int = 0) -> None:
        """What is left early ends the groups in which it stands: all that waits for their end happens now."""
        for _ in range(down_to, self.groups):
            self.proc.put(isa.GROUP, -1)
        if self.groups > down_to:
            settle.settle(self.unit, self.proc, None)

    def do_let(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        if not isinstance(node, Map):
            self.unit.bag.add("wrong-type", node.span, "`let` names values: `{name: value}`")
            return scope
        for name, value in node:
            e = self.unit.infer.value(value, scope)
            if isinstance(e.type, t.Zone):
                e = self.unit.infer.as_set(e)
            if isinstance(e.type, t.NoneType):
                self.unit.bag.add("maybe-none", value.span, "`none` alone has no type", "name a value that may be none")
                continue
            kind = t.SetOf(e.type.of) if isinstance(e.type, t.ListOf) else e.type
            self.unit.infer.uses.bind(name.text, name.span, "the value")
            var, inner = self.new(name.text, kind, scope, name.span)
            var.parts["is"] = e
            if isinstance(kind, t.SetOf):
                self.values.set_into(self.unit.infer.as_set(e), var.slot, self.unit.universe(kind.of))
            else:
                self.values.put(e)
                self.proc.store(var.slot)
            scope = inner
        return scope

    def do_give(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        self.gave = True
        if self.result is None:
            self.unit.bag.add(
                "gives-missing", key.span, "this act says nothing of a result", "add `gives: …` to the verb"
            )
            return scope
        value = self.unit.infer.value(node, scope, self.result)
        if isinstance(self.result, t.SetOf):
            value = self.unit.infer.as_set(value)
        self.values.put(value)
        self.leave_groups()
        self.proc.put(isa.RET)
        return scope

    def do_stop(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        what = node.text if isinstance(node, Scalar) else ""
        game = self.unit.game
        if self.loops.get(what):
            end, groups = self.loops[what][-1]
            self.leave_groups(groups)
            self.proc.put(isa.JMP, end)
            return scope
        if what in ("repeat", "for_each"):
            self.unit.bag.add("stop-outside", node.span, f"there is no `{what}` around this `stop`")
            return scope
        self.leave_groups()
        if what == self.act and what not in game.phases:
            if self.result is not None:
                self.unit.bag.add("gives-missing", node.span, f"`{what}` must give a result", "write `give: …`")
            if self.done_flag:
                self.proc.push(1)
            self.proc.put(isa.RET)
        elif what == "turn":
            from ludoloom.compiler.backend.phases import turns_of

            names = [name for name, phase in game.phases.items() if "turns" in phase]
            if not names:
                self.unit.bag.add("stop-outside", node.span, "no phase has turns")
                return scope
            target = turns_of(self.unit, names[0] if self.phase not in names else self.phase)
            self.proc.put(isa.UNWIND, target.number)
        elif what in game.phases:
            from ludoloom.compiler.backend.phases import phase_of

            self.proc.put(isa.UNWIND, phase_of(self.unit, what).number)
        elif what in game.actions or what in game.verbs:
            from ludoloom.compiler.backend.acts import action_of, verb_core

            if what in game.verbs:
                target = verb_core(self.unit, what)
                if target.results:
                    self.unit.bag.add(
                        "stop-outside",
                        node.span,
                        f"`{what}` can only be stopped by its own statements",
                        "its caller is told whether it was done: let the inner verb give that, and stop there",
                    )
                    return scope
                self.proc.put(isa.UNWIND, target.number)
            else:
                self.proc.put(isa.UNWIND, action_of(self.unit, what).run.number)
        else:
            known = ["repeat", "for_each", "turn", self.act, *game.phases, *game.actions, *game.verbs]
            self.unit.bag.add(
                "stop-outside", node.span, f"`{what}` is nothing that could be stopped here", did_you_mean(what, known)
            )
        return scope

    def do_run(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        from ludoloom.compiler.backend.phases import phase_of

        if isinstance(node, Scalar) and node.text in self.unit.game.phases:
            self.unit.called.add(f"phase.{node.text}")
            self.proc.put(isa.CALL, phase_of(self.unit, node.text).number)
            return scope
        what = node.get("what") if isinstance(node, Map) else node
        if what is None:
            self.unit.bag.add("missing-key", node.span, "`run` needs a phase, or `what: ` an effect")
            return scope
        e = self.unit.infer.value(what, scope)
        if isinstance(e.type, t.Unknown):
            return scope
        if not isinstance(e.type, t.Effect) or e.op != "column":
            self.unit.bag.add(
                "wrong-type",
                what.span,
                f"{t.show(e.type)} cannot be run",
                "`run` takes a phase or a column of type effect",
            )
            return scope
        given = node if isinstance(node, Map) else Map(node.span, ())
        for name, _ in given:
            if name.text != "what" and name.text not in dict(e.type.params):
                self.unit.bag.add(
                    "unknown-parameter",
                    name.span,
                    f"the effect has no parameter `{name.text}`",
                    did_you_mean(name.text, dict(e.type.params)),
                )

        def complain(name: str) -> None:
            self.unit.bag.add("missing-parameter", given.span, f"the effect needs `{name}`")

        run_effect(self.values, e.data, e.args[0], given, scope, complain)
        return scope

    def do_open(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        from ludoloom.compiler.backend.windows import window_of

        name = node.text if isinstance(node, Scalar) else ""
        if name not in self.unit.game.windows:
            self.unit.infer.unknown(
                name, node.span, f"there is no window `{name}`", did_you_mean(name, self.unit.game.windows)
            )
            return scope
        self.unit.called.add(f"window.{name}")
        self.proc.put(isa.CALL, window_of(self.unit, name, "").number)
        return scope

    def do_cancel(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        name = node.text if isinstance(node, Scalar) else ""
        if name not in self.cancels:
            hint = (
                f"here {' or '.join(f'`{each}`' for each in self.cancels)} can be cancelled"
                if self.cancels
                else "only triggers `before` a verb and cards played `during` it can cancel it"
            )
            self.unit.bag.add("cancel-outside", node.span, f"`{name}` is not interrupted here", hint)
            return scope
        self.proc.push(1)
        self.proc.put(isa.STS, self.unit.layout.word(f"cancelled.{name}"))
        return scope

    def do_proceed(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        if self.proceed is None:
            self.unit.bag.add(
                "cancel-outside",
                key.span,
                "nothing was interrupted that could proceed",
                "`proceed` belongs into a trigger `instead_of` a verb",
            )
            return scope
        self.proceed(self, node, scope)
        return scope

    # --- asking and chance ------------------------------------------------------------------------------------------

    def do_choose(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        choices.choose(self.known, node, beside, scope, key)
        return scope

    def do_ask(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        choices.ask(self.known, node, beside, scope, key)
        return scope

    def do_roll(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        return rolls.statement(self.known, node, beside, scope, key)

    # --- changes ----------------------------------------------------------------------------------------------------

    def target(self, node: Node, scope: Scope) -> E | None:
        """What is changed: a state column of a thing, a word of the game, a track, `active`."""
        e = self.unit.infer.value(node, scope)
        if isinstance(e.type, t.Unknown):
            return None
        self.unit.infer.uses.written(e, self.unit.game)
        if e.op == "word" and str(e.data).partition(".")[0] in ("state", "track", "active"):
            return e
        if e.op == "column" and e.data.storage == "state":
            return e
        what = (
            "is printed and never changes"
            if e.op == "column" and e.data.storage == "printed"
            else "is a formula"
            if e.op == "column"
            else "is nothing that changes"
        )
        text = node.text if isinstance(node, Scalar) else "this"
        self.unit.bag.add("wrong-type", node.span, f"`{text}` {what}", "only `state`, tracks and `active` are set")
        return None

    def bounds(self, e: E, thing: E | None) -> tuple[E | None, E | None]:
        """The bounds of a number that changes."""
        one, infer = t.Int(), self.unit.infer
        if e.op == "word" and str(e.data).startswith("track."):
            track = self.unit.game.tracks[str(e.data)[6:]]
            return E("const", one, data=track.low), E("const", one, data=track.high)
        column = e.data if e.op == "column" else self.unit.game.state.get(str(e.data)[6:])
        if column is None or not column.bounded:
            return None, None
        scope = Scope(self_=thing)
        low = infer.value(column.low, scope, one) if column.low is not None else None
        high = infer.value(column.high, scope, one) if column.high is not None else None
        return low, high

    def held(self, e: E) -> E:
        """The thing whose column is written, evaluated once into a slot."""
        thing = e.args[0]
        if thing.op in ("var", "const"):
            return thing
        var = Var("target", thing.type, slot=self.proc.slot())
        self.values.put(thing)
        self.proc.store(var.slot)
        return E("var", thing.type, data=var)

    def write(self, e: E, thing: E | None) -> None:
        """Take the new value from the stack."""
        if thing is None:
            self.proc.put(isa.STS, self.unit.layout.word(e.data))
            return
        offset, first, count = self.unit.layout.column(e.data)
        self.values.put(thing)
        self.proc.put(isa.STF, offset, first, count)

    def read(self, e: E, thing: E | None) -> None:
        if thing is None:
            self.values.put(e)
            return
        offset, first, count = self.unit.layout.column(e.data)
        self.values.put(thing)
        self.proc.put(isa.LDF, offset, first, count)

    def do_set(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        inside = self.inside(node, "what", "to")
        e = self.target(self.need(inside, "what"), scope)
        if e is None:
            return scope
        with self.proc.block():
            thing = self.held(e) if e.op == "column" else None
            expected = self._taken(e)
            value = self.unit.infer.value(self.need(inside, "to"), scope, expected)
            self.values.put(value)
            low, high = self.bounds(e, thing)
            if low is not None or high is not None:
                self.values.put(low or E("const", t.Int(), data=-(2**31) + 1))
                self.values.put(high or E("const", t.Int(), data=2**31 - 1))
                self.proc.put(isa.BOUND)
            self.write(e, thing)
        self.settle(settle.key_of(e))
        return scope

    def _taken(self, e: E) -> t.Type:
        """What `set` may put there: what was declared, whatever is known of the value that is there now."""
        if e.op == "column":
            return self.unit.infer.maybe(e.type) if e.data.name == "owner" else e.data.type
        return self.unit.game.state[e.data[6:]].type if str(e.data).startswith("state.") else e.type

    def do_gain(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        inside = self.inside(node, "what", "amount")
        e = self.target(self.need(inside, "what"), scope)
        if e is None:
            return scope
        if not isinstance(e.type, t.Int):
            self.unit.bag.add("wrong-type", inside.span, f"{t.show(e.type)} cannot be gained or lost", "use `set`")
            return scope
        amount_node = self.need(inside, "amount")
        var, after = self.bind(beside.get("as"), t.Int(), scope)
        with self.proc.block():
            thing = self.held(e) if e.op == "column" else None
            amount = self.unit.infer.value(amount_node, scope, t.Int())
            before = self.proc.slot()
            self.read(e, thing)
            self.proc.store(before)
            self.proc.load(before)
            self.values.put(self.unit.infer.need_int(amount, amount_node.span))
            self.proc.put(isa.ADD if key.text == "gain" else isa.SUB)
            low, high = self.bounds(e, thing)
            if low is not None:
                self.values.put(low)
                self.proc.put(isa.MAX)
            if high is not None:
                self.values.put(high)
                self.proc.put(isa.MIN)
            self.write(e, thing)
            if var is not None:
                self.read(e, thing)
                self.proc.load(before)
                self.proc.put(isa.SUB)
                if key.text == "lose":
                    self.values.proc.push(-1)
                    self.proc.put(isa.MUL)
                self.proc.store(var.slot)
        self.settle(settle.key_of(e))
        return after

    def do_advance(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        """Space by space; each mark is met before the next step."""
        inside = self.inside(node, "what", "amount")
        what = self.need(inside, "what")
        name = what.text if isinstance(what, Scalar) else ""
        track = self.unit.game.tracks.get(name)
        if track is None:
            self.unit.infer.unknown(
                name, what.span, f"there is no track `{name}`", did_you_mean(name, self.unit.game.tracks)
            )
            return scope
        amount_node = inside.get("amount")
        amount = (
            self.unit.infer.value(amount_node, scope, t.Int())
            if amount_node is not None
            else E("const", t.Int(), data=1)
        )
        word = self.unit.layout.word(f"track.{name}")
        walked, after = self.bind(beside.get("as"), t.Int(), scope)
        if walked is not None:
            self.proc.push(0)
            self.proc.store(walked.slot)
        with self.proc.block():
            left = self.proc.slot()
            self.values.put(self.unit.infer.need_int(amount, inside.span))
            self.proc.store(left)
            top, end, on = self.proc.label(), self.proc.label(), self.proc.label()
            self.proc.set(top)
            self.proc.push(0)
            self.proc.load(left)
            self.proc.put(isa.LT)
            self.proc.put(isa.JZ, end)
            self.proc.load(left)
            self.proc.push(1)
            self.proc.put(isa.SUB)
            self.proc.store(left)
            self.proc.put(isa.LDS, word)
            self.proc.push(track.high)
            self.proc.put(isa.LT)
            wrap = self.proc.label()
            self.proc.put(isa.JZ, wrap)
            self.proc.put(isa.LDS, word)
            self.proc.push(1)
            self.proc.put(isa.ADD)
            self.proc.put(isa.STS, word)
            self.proc.put(isa.JMP, on)
            self.proc.set(wrap)
            if track.shape == "loop":
                self.proc.push(track.low)
                self.proc.put(isa.STS, word)
            else:
                self.proc.put(isa.JMP, end)
            self.proc.set(on)
            if walked is not None:
                self.proc.load(walked.slot)
                self.proc.push(1)
                self.proc.put(isa.ADD)
                self.proc.store(walked.slot)
            for mark in track.marks.values():
                if mark.reached is None:
                    continue
                at = self.unit.infer.value(mark.at, Scope(), t.Int())
                following = self.proc.label()
                self.proc.put(isa.LDS, word)
                self.values.put(at)
                self.proc.put(isa.EQ)
                self.proc.put(isa.JZ, following)
                with self.proc.at(mark.span):
                    self.proc.put(isa.CALL, self._mark(name, mark.name, mark.reached).number)
                self.proc.set(following)
            self.settle(f"track.{name}")
            self.proc.put(isa.JMP, top)
            self.proc.set(end)
        return after

    def _mark(self, track: str, mark: str, reached: Node) -> Proc:
        def build(proc: Proc) -> None:
            Statements(self.unit, proc, act=f"{track}.{mark}").block(reached, Scope())
            proc.put(isa.RET)

        return self.unit.proc(f"mark.{track}.{mark}", 0, 0, build)

    # --- things -----------------------------------------------------------------------------------------------------

    def place(self, node: Node, scope: Scope) -> E | None:
        """Where something is put: a zone, a place, or none."""
        e = self.unit.infer.value(node, scope)
        if isinstance(e.type, t.Unknown):
            return None
        if isinstance(e.type, t.Zone | t.NoneType):
            return e
        if isinstance(e.type, t.Thing):
            if t.missing(e.type):
                self.unit.bag.add("maybe-none", node.span, "this place may be none", "ask first, or choose from it")
            if all(self.unit.game.kinds[kind].family in ("space", "tile", "map") for kind in e.type.kinds):
                return e
        self.unit.bag.add(
            "wrong-type", node.span, f"{t.show(e.type)} is no place", "a zone, a space or a tile is expected"
        )
        return None

    def do_move(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        inside = self.inside(node, "what", "to", "at")
        what_node, to_node = self.need(inside, "what"), self.need(inside, "to")
        what = self.unit.infer.value(what_node, scope)
        to = self.place(to_node, scope)
        bottom = self._at(inside)
        if to is None or isinstance(what.type, t.Unknown):
            return scope
        if isinstance(what.type, t.Zone):
            self.check_holds(to, what.type.holds, what_node.span)
            self.values.put(what)
            self.values.put(to)
            self.proc.put(isa.MOVALL, bottom)
        elif isinstance(what.type, t.SetOf | t.ListOf):
            if isinstance(what.type.of, t.Thing):
                self.check_holds(to, what.type.of.kinds, what_node.span)
            with self.proc.block():
                goal = Var("to", to.type, slot=self.proc.slot())
                self.values.put(to)
                self.proc.store(goal.slot)
                it = Var("it", what.type.of)

                def one() -> None:
                    self.proc.load(it.slot)
                    self.proc.load(goal.slot)
                    self.proc.put(isa.MOVE, bottom)

                self.values.each(self.unit.infer.as_set(what), it, one)
        elif isinstance(what.type, t.Thing):
            if t.missing(what.type):
                self.unit.bag.add(
                    "maybe-none",
                    what_node.span,
                    "what is moved may be none",
                    "ask first: `… is not none`, or choose from it",
                )
            self.check_holds(to, what.type.kinds, what_node.span)
            self.values.put(what)
            self.values.put(to)
            self.proc.put(isa.MOVE, bottom)
        else:
            self.unit.bag.add("wrong-type", what_node.span, f"{t.show(what.type)} cannot be moved")
        self.settle(settle.PLACES)
        return scope

    def check_holds(self, to: E, kinds: tuple[str, ...], span: Span) -> None:
        """A zone takes only what it holds."""
        if isinstance(to.type, t.Zone) and to.type.holds:
            wrong = [kind for kind in kinds if not any(self.unit.infer.is_a(kind, held) for held in to.type.holds)]
            if wrong and len(wrong) == len(kinds):
                self.unit.bag.add(
                    "holds-other-kind", span, f"the zone holds {' or '.join(to.type.holds)}, not {wrong[0]}"
                )

    def _at(self, inside: Map) -> int:
        at = inside.get("at")
        if at is None:
            return 0
        if isinstance(at, Scalar) and at.text in ("top", "bottom"):
            return int(at.text == "bottom")
        self.unit.bag.add("wrong-type", at.span, "`at` is `top` or `bottom`")
        return 0

    def zone(self, node: Node, scope: Scope) -> E | None:
        e = self.unit.infer.value(node, scope)
        if isinstance(e.type, t.Zone):
            return e
        if not isinstance(e.type, t.Unknown):
            self.unit.bag.add("wrong-type", node.span, f"{t.show(e.type)} is no zone")
        return None

    def do_draw(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        inside = self.inside(node, "from", "to", "count", "at")
        source = self.zone(self.need(inside, "from"), scope)
        to = self.place(self.need(inside, "to"), scope)
        count_node = inside.get("count")
        if source is None or to is None:
            return scope
        assert isinstance(source.type, t.Zone)
        if source.type.order == "none":
            self.unit.bag.add(
                "top-of-unordered",
                node.span,
                "the zone has no order, so it has no top",
                "give it `order: pile`, or choose from it",
            )
        holds = source.type.holds or tuple(kind.name for kind in self.unit.game.kinds.values())
        self.check_holds(to, holds, node.span)
        result: t.Type = t.SetOf(t.Thing(*holds)) if count_node is not None else t.Thing(*holds, missing=True)
        var, after = self.bind(beside.get("as"), result, scope)
        some, end = self.proc.slot(), self.proc.label()
        universe = self.unit.universe(t.Thing(*holds))
        with self.proc.block():
            pile, goal, drawn = (self.proc.slot() for _ in range(3))
            self.values.put(source)
            self.proc.store(pile)
            self.values.put(to)
            self.proc.store(goal)
            self.proc.push(0)
            self.proc.store(some)
            if var is not None:
                if count_node is not None:
                    self.proc.put(isa.SNEW, var.slot, universe.words)
                else:
                    self.proc.push(0)
                    self.proc.store(var.slot)

            def one(stop: Label) -> None:
                self.refill(source, pile, scope)
                self.proc.load(pile)
                self.proc.put(isa.DRAW)
                self.proc.store(drawn)
                self.proc.load(drawn)
                self.proc.put(isa.JZ, stop)
                self.proc.load(drawn)
                self.proc.load(goal)
                self.proc.put(isa.MOVE, self._at(inside))
                self.proc.push(1)
                self.proc.store(some)
                if var is not None:
                    self.proc.load(drawn)
                    if count_node is not None:
                        self.proc.put(isa.SADD, var.slot, universe.first, universe.count)
                    else:
                        self.proc.store(var.slot)

            if count_node is None:
                one(end)
            else:
                left = self.proc.slot()
                self.values.put(
                    self.unit.infer.need_int(self.unit.infer.value(count_node, scope, t.Int()), count_node.span)
                )
                self.proc.store(left)
                top = self.proc.label()
                self.proc.set(top)
                self.proc.push(0)
                self.proc.load(left)
                self.proc.put(isa.LT)
                self.proc.put(isa.JZ, end)
                self.proc.load(left)
                self.proc.push(1)
                self.proc.put(isa.SUB)
                self.proc.store(left)
                one(end)
                self.proc.put(isa.JMP, top)
            self.proc.set(end)
        self.settle(settle.PLACES)
        self.then_else(beside, some, after.prove(var.name) if var is not None else after, after, key.span)
        return after

    def then_else(self, beside: Map, flag: int, yes: Scope, no: Scope, span: Span) -> None:
        """`then` if the word in a slot is not 0, else `else`."""
        if beside.get("then") is None and beside.get("else") is None:
            return
        otherwise, end = self.proc.label(), self.proc.label()
        self.proc.load(flag)
        self.proc.put(isa.JZ, otherwise)
        self.branch(beside.get("then"), yes, span)
        self.proc.put(isa.JMP, end)
        self.proc.set(otherwise)
        self.branch(beside.get("else"), no, span)
        self.proc.set(end)

    def refill(self, source: E, pile: int, scope: Scope) -> None:
        """An empty pile that has a `refill` takes it first."""
        declared = (
            source.data
            if source.op == "zone_of"
            else next(
                (z for z in self.unit.game.zones.values() if source.op == "const" and z.first == source.data), None
            )
        )
        if declared is None or declared.refill is None:
            return
        origin = declared.refill.get("from")
        if origin is None:
            return
        own = Scope(self_=source.args[0]) if source.op == "zone_of" else Scope()
        where = self.zone(origin, own)
        if where is None:
            return
        full = self.proc.label()
        self.proc.load(pile)
        self.proc.put(isa.ZCNT)
        self.proc.put(isa.JNZ, full)
        self.values.put(where)
        self.proc.load(pile)
        self.proc.put(isa.MOVALL, 1)
        shuffled = declared.refill.get("shuffled")
        if isinstance(shuffled, Scalar) and shuffled.value is True:
            self.proc.load(pile)
            self.proc.put(isa.SHUF)
        self.proc.set(full)

    def do_shuffle(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        zone = self.zone(node, scope)
        if zone is None:
            return scope
        assert isinstance(zone.type, t.Zone)
        if zone.type.order == "none":
            self.unit.bag.add(
                "top-of-unordered", node.span, "a zone without order cannot be shuffled", "give it `order: pile`"
            )
        self.values.put(zone)
        self.proc.put(isa.SHUF)
        return scope

    def do_turn(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        inside = self.inside(node, "what", "to")
        what_node, to_node = self.need(inside, "what"), self.need(inside, "to")
        what = self.unit.infer.value(what_node, scope)
        if not isinstance(what.type, t.Thing):
            if not isinstance(what.type, t.Unknown):
                self.unit.bag.add("wrong-type", what_node.span, f"{t.show(what.type)} cannot be turned")
            return scope
        kind = self.unit.game.kinds[what.type.kinds[0]]
        if not kind.faces:
            self.unit.bag.add(
                "wrong-type", what_node.span, f"{kind.name} has no faces", "declare `faces: [back, front]` in the kind"
            )
            return scope
        from ludoloom.compiler.analysis.members import Members

        faces = t.Enum(Members(self.unit.game).faces_enum(kind))
        to = self.unit.infer.value(to_node, scope, faces)
        offset, first, count = self.values.face_column(what.type)
        self.values.put(to)
        self.values.put(what)
        self.proc.put(isa.STF, offset, first, count)
        self.settle(settle.FACES, settle.PLACES)
        return scope

    def do_place(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        assign.place(self.known, node, scope)
        self.settle(settle.PLACES)
        return scope

    def do_show(self, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        """A private look: only the player sees the report."""
        inside = self.inside(node, "what", "to")
        what_node, to_node = self.need(inside, "what"), self.need(inside, "to")
        what = self.unit.infer.value(what_node, scope)
        seat = self.player(to_node, scope, to_node.span)
        if seat is None or isinstance(what.type, t.Unknown):
            return scope
        if isinstance(what.type, t.Zone):
            it = Var("it", t.Thing(*what.type.holds))
            self.values.each(
                self.unit.infer.as_set(what), it, lambda: self._report_look(seat, E("var", it.type, data=it))
            )
        else:
            self._report_look(seat, what)
        return scope

    def _report_look(self, seat: E, what: E) -> None:
        columns: list[tuple[str, E]] = [("what", E(what.op, what.type, what.args, what.data))]
        if what.op == "facet" and isinstance(what.type, t.Thing):
            kind = self.unit.game.kinds[what.type.kinds[0]]
            columns[0] = ("what", what.args[0])
            for column in kind.columns.values():
                if column.face == what.data and isinstance(column.type, t.Int | t.Enum | t.Bool | t.Thing):
                    columns.append((column.name, E("column", column.type, (what,), column)))
        self.values.put(seat)
        for _, e in columns:
            self.values.put(e)
        names = ("player", *(name for name, _ in columns))
        text = "{player} looks at {what}" + "".join(f", {name}: {{{name}}}" for name in names[2:])
        types = (self.unit.row(seat.type), *(self.unit.row(e.type) for _, e in columns))
        self.proc.put(isa.EVENT, self.unit.event(TextRow("show", text, names, types, private=True)), len(names))

    # --- verbs of the game ------------------------------------------------------------------------------------------

    def call(self, name: str, argument: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
        from ludoloom.compiler.backend.acts import call_verb

        return call_verb(self.known, name, argument, beside, scope, key)


def _may_end(body: Node | None) -> bool:
    """Whether a block holds a choice or a `stop` at any depth: what can end a `repeat` without `times`."""
    if isinstance(body, Items):
        return any(_may_end(item) for item in body.items)
    if isinstance(body, Map):
        return any(key.text in ("stop", "choose", "ask", "give", "open") or _may_end(value) for key, value in body)
    return False


RESERVED = frozenset(("self", "it", "active", "phase", "options", "none", "true", "false"))

REVEALS = frozenset(("move", "draw", "turn", "place", "show", "set", "run", "open", "roll", "group"))
"""Verbs after which nobody can say any more that an answer is still sealed."""

Core = Callable[[Statements, Node, Map, Scope, Scalar], Scope]
CORE: dict[str, Core] = {
    "if": Statements.do_if,
    "match": Statements.do_match,
    "for_each": Statements.do_for_each,
    "together": Statements.do_together,
    "repeat": Statements.do_repeat,
    "group": Statements.do_group,
    "let": Statements.do_let,
    "give": Statements.do_give,
    "stop": Statements.do_stop,
    "run": Statements.do_run,
    "open": Statements.do_open,
    "cancel": Statements.do_cancel,
    "proceed": Statements.do_proceed,
    "choose": Statements.do_choose,
    "ask": Statements.do_ask,
    "roll": Statements.do_roll,
    "set": Statements.do_set,
    "gain": Statements.do_gain,
    "lose": Statements.do_gain,
    "advance": Statements.do_advance,
    "move": Statements.do_move,
    "draw": Statements.do_draw,
    "shuffle": Statements.do_shuffle,
    "turn": Statements.do_turn,
    "place": Statements.do_place,
    "show": Statements.do_show,
}
CLAUSES: dict[str, tuple[str, ...]] = {
    "if": ("then", "else"),
    "match": ("on",),
    "for_each": ("do",),
    "together": ("do",),
    "repeat": ("do",),
    "choose": ("then", "else"),
    "ask": ("then", "else", "on"),
    "roll": ("on", "as"),
    "gain": ("as",),
    "lose": ("as",),
    "advance": ("as",),
    "draw": ("as", "then", "else"),
}
