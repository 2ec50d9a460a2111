"""Statements become instructions, from top to bottom.

A statement is one verb: ``{lose: {what: hero.energy, amount: 1}}``. What it needs stands inside, what follows from it
beside (`as`, `then`, `else`, `do`, `on …`). The table `CORE` names the core verbs; any other name is a verb of the
game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend import settle
from ludoloom.compiler.backend.proc import Label, Proc
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.runtime import isa

BESIDE = frozenset(("as", "then", "else", "do"))
RESERVED = frozenset(("self", "it", "active", "phase", "options", "none", "true", "false"))
REVEALS = frozenset(("move", "draw", "turn", "place", "show", "set", "run", "open", "roll", "group"))
"""Verbs after which nobody can say any more that an answer is still sealed."""

CORE: dict[str, Core] = {}
"""The core verbs by name: what each does with what stands inside and beside it."""
CLAUSES: dict[str, tuple[str, ...]] = {}
"""What may stand beside a core verb."""
_others: list[Core] = []
"""What is done with any other verb: the one entry calls a verb of the game (`acts`)."""


def core(name: str, *clauses: str) -> Callable[[Core], Core]:
    """Registers a core verb, and the clauses that may stand beside it."""

    def register(verb: Core) -> Core:
        assert name not in CORE, name
        CORE[name] = verb
        CLAUSES[name] = clauses
        return verb

    return register


def of_the_game(call: Core) -> Core:
    """Registers what is done with a verb that is no core verb."""
    assert not _others
    _others.append(call)
    return call


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
                after = _others[0](self, argument, beside, scope, key)
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

    def lost(self, beside: Map, scope: Scope) -> Scope:
        """The scope behind a statement that was reported: the name of its result is known, what it is is not."""
        return self.bind(beside.get("as"), t.Unknown(), scope)[1]

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

    def in_loop(self, name: str, end: Label, body: Callable[[], None]) -> None:
        """Run `body` where ``stop: name`` goes to `end`."""
        self.loops.setdefault(name, []).append((end, self.groups))
        body()
        self.loops[name].pop()

    def leave_groups(self, down_to: int = 0) -> None:
        """What is left early ends the groups in which it stands: all that waits for their end happens now."""
        for _ in range(down_to, self.groups):
            self.proc.put(isa.GROUP, -1)
        if self.groups > down_to:
            settle.settle(self.unit, self.proc, None)

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


Core = Callable[[Statements, Node, Map, Scope, Scalar], Scope]
