"""The act: the one form of everything that happens (verbs, actions, card acts, triggers).

Read from top to bottom: `needs`, `choose`, `cost`, `roll` with `on …`, `do`. An action becomes two procedures:
*legal* (could it be done; asks nobody, writes nothing) and *run*. A verb becomes one, which gives 1 when it was done
and 0 when its head could not be met, or what `gives` says. A card act is its kind's section with the item's laid over
it, one pair of procedures for each item.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.declare_types import read_params
from ludoloom.compiler.analysis.model import Item, Kind, Param
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Rows, Var
from ludoloom.compiler.backend import choices, eyes, rolls, settle, texts
from ludoloom.compiler.backend.modifiers import jump_if_forbidden, jump_if_lifted
from ludoloom.compiler.backend.proc import Label, Proc
from ludoloom.compiler.backend.records import Action, Signature
from ludoloom.compiler.backend.statements import Statements
from ludoloom.compiler.backend.triggers import hooked
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.runtime import isa
from ludoloom.runtime.image import TextRow


@dataclass(frozen=True, slots=True)
class Parts:
    """An act as written: `layers` are the kind's section and the item's, laid one over the other by name."""

    name: str
    layers: tuple[Map, ...]
    item: Item | None = None
    kind: Kind | None = None

    @property
    def span(self) -> Span:
        return self.layers[-1].span

    def merged(self, section: str) -> list[tuple[Scalar, Node]]:
        """The entries of a mapping section over all layers; a later layer replaces an entry of the same name."""
        found: dict[str, tuple[Scalar, Node]] = {}
        for layer in self.layers:
            node = layer.get(section)
            if isinstance(node, Map):
                found.update({key.text: (key, value) for key, value in node})
        return list(found.values())

    def last(self, section: str) -> Node | None:
        """The section of the uppermost layer that has it."""
        for layer in reversed(self.layers):
            node = layer.get(section)
            if node is not None:
                return node
        return None

    @property
    def needs_name(self) -> str:
        """By what name modifiers lift its needs and forbid it."""
        return self.name.rpartition(".")[2] if self.kind is not None else self.name


# --- heads ----------------------------------------------------------------------------------------------------------


def bind_values(unit: Unit, parts: Parts, scope: Scope, st: Statements | None = None) -> Scope:
    """The item's `values` and its kind's `variants` as words; with `st` they are frozen into slots, as when an act
    starts."""
    item, kind = parts.item, parts.kind
    if kind is None or scope.self_ is None:
        return scope
    variants: dict[str, E] = {}
    for name, node in kind.variants.items():
        e = unit.infer.condition(node, scope)
        if st is not None and e.op != "const":
            e = _freeze(st, name, e)
        variants[name] = e
    scope = scope.bind(**variants)
    if item is None or item.values is None:
        return scope
    bound: dict[str, E] = {}
    for key, node in item.values:
        base = unit.infer.value(node, scope)
        cases: list[tuple[E, E]] = []
        for variant, overrides in item.variants.items():
            other = overrides.get(key.text)
            if other is not None and variant in variants:
                cases.append((variants[variant], unit.infer.value(other, scope, base.type)))
        value = E("rows", base.type, data=Rows(tuple(cases), base), span=key.span) if cases else base
        if st is not None and value.op != "const" and unit.words(value.type) == 1:
            value = _freeze(st, key.text, value)
        bound[key.text] = value
    return scope.bind(**bound)


def _freeze(st: Statements, name: str, e: E) -> E:
    var = Var(name, e.type, e.span, st.proc.slot())
    st.values.put(e)
    st.proc.store(var.slot)
    return E("var", e.type, data=var, span=e.span)


def test_needs(st: Statements, parts: Parts, scope: Scope, fail: Label) -> Scope:
    """Go to `fail` unless nothing forbids the act and every need holds or is lifted. Gives the scope with what was
    proved."""
    jump_if_forbidden(st.values, parts.needs_name, scope, fail)
    for name, node in parts.merged("needs"):
        condition = st.unit.infer.condition(node, scope)
        if st.offers:
            eyes.look(st, condition, st.by, node.span, "this offer")
        st.given.append(condition)
        with st.proc.at(node.span):
            lifted = [
                each
                for each in st.unit.modifiers
                if each.what == "lifts" and each.target == f"{parts.needs_name}.{name.text}"
            ]
            if lifted:
                met = st.proc.label()
                st.values.jump_if(condition, met)
                jump_if_lifted(st.values, parts.needs_name, name.text, scope, met)
                st.proc.put(isa.JMP, fail)
                st.proc.set(met)
            else:
                st.values.jump_if_not(condition, fail)
        scope = scope.prove(*st.unit.infer.proofs(node))
    return scope


class CostTest:
    """Tests whether a price can be paid; `words` are the words in it, for choices that it depends on."""

    def __init__(self, st: Statements, parts: Parts) -> None:
        self.st = st
        self.entries = parts.merged("cost")
        found: set[str] = set()
        for key, node in self.entries:
            texts_of = [key.text] + ([node.text] if isinstance(node, Scalar) else [])
            for text in texts_of:
                found |= set(text.replace(".", " ").replace("(", " ").replace(")", " ").split())
        self.words = frozenset(found)

    def __call__(self, scope: Scope, fail: Label) -> None:
        for key, node in self.entries:
            e = self.st.target(key, scope)
            if e is None:
                continue
            self.st.unit.infer.uses.note(e, self.st.unit.game)
            if self.st.offers:
                eyes.look(self.st, e, self.st.by, key.span, "this offer")
            if not isinstance(e.type, t.Int):
                self.st.unit.bag.add("unknown-cost", key.span, f"`{key.text}` is no number that could be paid")
                continue
            with self.st.proc.block(), self.st.proc.at(key.span):
                thing = self.st.held(e) if e.op == "column" else None
                low, _ = self.st.bounds(e, thing)
                self.st.values.put(self.st.unit.infer.value(node, scope, t.Int()))
                self.st.read(e, thing)
                if low is not None:
                    self.st.values.put(low)
                    self.st.proc.put(isa.SUB)
                self.st.proc.put(isa.LE)
                self.st.proc.put(isa.JZ, fail)

    def pay(self, scope: Scope) -> list[str]:
        """Pay the price; gives the keys of what was written. It settles when the act is over."""
        written: list[str] = []
        for key, node in self.entries:
            e = self.st.target(key, scope)
            if e is None or not isinstance(e.type, t.Int):
                continue
            with self.st.proc.block(), self.st.proc.at(key.span, effect=True):
                thing = self.st.held(e) if e.op == "column" else None
                self.st.read(e, thing)
                self.st.values.put(self.st.unit.infer.value(node, scope, t.Int()))
                self.st.proc.put(isa.SUB)
                self.st.write(e, thing)
            written.append(settle.key_of(e))
        return written


def legal(st: Statements, parts: Parts, scope: Scope) -> None:
    """The whole test of a head: leaves 1 or 0 and returns."""
    proc = st.proc
    fail = proc.label()
    scope = bind_values(st.unit, parts, scope)
    scope = test_needs(st, parts, scope, fail)
    cost = CostTest(st, parts)
    listed = _choices(st, parts)
    choices.feasible(st, listed, scope, fail, cost)
    proc.push(1)
    proc.put(isa.RET)
    proc.set(fail)
    proc.push(0)
    proc.put(isa.RET)


def _choices(st: Statements, parts: Parts) -> list[choices.Choice]:
    merged = parts.merged("choose")
    if not merged:
        return []
    listed = choices.read(st, Map(parts.span, tuple(merged)), merged[0][0])
    for choice in listed:
        if choice.flag("optional"):
            st.unit.bag.add(
                "optional-in-head",
                choice.key.span,
                f"`{choice.name}` is optional in the head of an act",
                "what may be declined is asked in `do`",
            )
    return listed


def run(st: Statements, parts: Parts, scope: Scope, fail: Label, tested: bool, log: Scalar | None = None) -> None:
    """Do an act: head, then what happens. `tested`: its needs were tested just now."""
    unit, proc = st.unit, st.proc
    scope = bind_values(unit, parts, scope, st)
    if not tested:
        scope = test_needs(st, parts, scope, fail)
    else:
        for _, node in parts.merged("needs"):
            st.given.append(unit.infer.condition(node, scope))
            scope = scope.prove(*unit.infer.proofs(node))
    cost = CostTest(st, parts)
    listed = _choices(st, parts)
    if len(listed) > 1 and not tested:
        with proc.block():
            choices.feasible(st, listed, scope, fail, cost)
    scope = choices.make(st, listed, scope, fail, cost)
    if not tested:
        cost(scope, fail)
    written = cost.pay(scope)
    if log is not None:
        texts.report(st, parts.name, log, scope)
    base, own = parts.layers[0], parts.layers[-1]
    if base is not own:
        _body(st, base, scope)
    rolled = parts.last("roll")
    outcomes = {key.text: (key, value) for layer in (base, own) for key, value in layer if key.text.startswith("on ")}
    if rolled is not None:
        scope = rolls.statement(
            st, rolled, Map(parts.span, tuple(outcomes.values())), scope, Scalar(rolled.span, "roll", "roll", False)
        )
    elif outcomes:
        unit.bag.add(
            "unknown-outcome", next(iter(outcomes.values()))[0].span, "nothing was rolled here", "add `roll: …` above"
        )
    _body(st, own, scope)
    if written:
        settle.settle(unit, proc, set(written))


def _body(st: Statements, layer: Map, scope: Scope) -> None:
    """`do`, or `steps` one after the other."""
    st.block(layer.get("do"), scope)
    steps = layer.get("steps")
    if isinstance(steps, Map):
        for _, block in steps:
            st.block(block, scope)


# --- verbs ----------------------------------------------------------------------------------------------------------


def signature(unit: Unit, name: str) -> Signature:
    """The signature of a verb of the game."""
    cached = unit.signatures.get(name)
    if cached is not None:
        return cached
    node = unit.game.verbs[name]
    params = read_params(node.get("with"), unit.type_words())
    gives = node.get("gives")
    result: t.Type | None = None
    outcomes: tuple[str, ...] = ()
    if isinstance(gives, Items):
        outcomes = tuple(item.text for item in gives.items if isinstance(item, Scalar))
        unit.game.enums[f"gives.{name}"] = list(outcomes)
        result = t.Enum(f"gives.{name}")
    elif gives is not None:
        result = read_params(
            Map(gives.span, ((Scalar(gives.span, "gives", "gives", False), gives),)), unit.type_words()
        )[0].type
    found = Signature(params, result, outcomes)
    unit.signatures[name] = found
    return found


def verb_of(unit: Unit, name: str) -> Proc:
    """The procedure of a verb, with all that happens before, instead of and after it."""
    signed = signature(unit, name)
    words = sum(unit.words(param.type) for param in signed.params)
    results = unit.words(signed.result) if signed.result is not None else 1
    return hooked(unit, name, signed.params, words, results, verb_core(unit, name))


def verb_core(unit: Unit, name: str) -> Proc:
    """The procedure of a verb itself."""
    signed = signature(unit, name)
    node = unit.game.verbs[name]
    words = sum(unit.words(param.type) for param in signed.params)
    results = unit.words(signed.result) if signed.result is not None else 1

    def build(proc: Proc) -> None:
        scope = parameters(unit, signed.params, Scope(), 0)
        st = Statements(
            unit,
            proc,
            name,
            by=_by_parameter(unit, scope, signed.params),
            result=signed.result,
            done_flag=signed.result is None,
        )
        fail = proc.label()
        says = node.get("says")
        with proc.at(node.span):
            parts = Parts(name, (node,))
            run(st, parts, scope, fail, tested=False, log=says if isinstance(says, Scalar) else None)
            if proc.reachable() or signed.result is None:
                st.return_default()
            proc.set(fail)
            for _ in range(results):
                proc.push(0)
            proc.put(isa.RET)
        if signed.result is not None and not st.gave:
            gives = node.get("gives")
            unit.bag.add(
                "gives-missing", gives.span if gives else node.span, f"`{name}` never gives its result", "add `give: …`"
            )

    return unit.proc(f"verb.{name}", words, results, build)


def _by_parameter(unit: Unit, scope: Scope, params: tuple[Param, ...]) -> E | None:
    """Who is asked inside a verb: its one parameter that is a player or stands for one, if there is just one such."""
    seats = [
        unit.player_of(scope.names[param.name])
        for param in params
        if isinstance(param.type, t.Thing) and unit.game.kinds[param.type.kinds[0]].family in ("player", "piece")
    ]
    found = [seat for seat in seats if seat is not None]
    return found[0] if len(found) == 1 else None


def parameters(unit: Unit, params: tuple[Param, ...], scope: Scope, first: int) -> Scope:
    """Bind parameters to the first words of the frame."""
    slot = first
    for param in params:
        scope = scope.bind_var(Var(param.name, param.type, param.span, slot))
        slot += unit.words(param.type)
    return scope


def put_arguments(
    st: Statements, params: tuple[Param, ...], argument: Node, scope: Scope, what: str, key: Scalar
) -> None:
    """Leave the arguments of a call on the stack: from a mapping by name, or one value for the first parameter."""
    unit = st.unit
    given: dict[str, Node] = {}
    names = [param.name for param in params]
    if isinstance(argument, Map) and "rows" not in argument:
        for name, value in argument:
            if name.text not in names:
                unit.bag.add(
                    "unknown-parameter",
                    name.span,
                    f"`{what}` has no parameter `{name.text}`",
                    did_you_mean(name.text, names),
                )
            else:
                given[name.text] = value
    elif isinstance(argument, Items):
        unit.bag.add(
            "wrong-type",
            argument.span,
            f"a list cannot be what `{what}` is called with",
            f"name the parameters: `{{{what}: {{{names[0] if names else 'name'}: …}}}}`",
        )
        return
    elif not (isinstance(argument, Scalar) and argument.value is None):
        if not params:
            unit.bag.add("unknown-parameter", argument.span, f"`{what}` takes nothing", f"write `{what}` alone")
        else:
            given[names[0]] = argument
    for param in params:
        node = given.get(param.name)
        if node is not None:
            e = unit.infer.value(node, scope, param.type)
        elif param.implied and param.name in scope.names:
            unit.infer.uses.read_name(scope.names[param.name])
            e = unit.infer.fit(scope.names[param.name], param.type, key.span)
        elif param.default is not None:
            e = unit.infer.value(param.default, Scope(), param.type)
        else:
            if param.implied:
                unit.bag.add(
                    "implied-missing",
                    key.span,
                    f"`{what}` takes `{param.name}` from its caller, where nothing has this name",
                    f"give it: `{{{what}: {{{param.name}: …}}}}`",
                )
            else:
                unit.bag.add(
                    "missing-parameter",
                    key.span,
                    f"`{what}` needs `{param.name}`",
                    f"write `{{{what}: {{{param.name}: …}}}}`",
                )
            e = (
                E("const", param.type, data=0)
                if not isinstance(param.type, t.SetOf)
                else E("things", param.type, data=())
            )
        st.values.put(e)


def call_verb(st: Statements, name: str, argument: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    """A statement that calls a verb of the game."""
    from ludoloom.compiler.backend.statements import CORE

    unit, proc = st.unit, st.proc
    if name not in unit.game.verbs:
        known = [*CORE, *unit.game.verbs]
        hint = did_you_mean(name, known)
        if name in unit.game.actions:
            hint = "an action is offered by a window; make the deed a verb and call it from both"
        unit.infer.unknown(name, key.span, f"there is no verb `{name}`", hint)
        return scope
    unit.called.add(f"verb.{name}")
    signed = signature(unit, name)
    put_arguments(st, signed.params, argument, scope, name, key)
    proc.put(isa.CALL, verb_of(unit, name).number)
    result = signed.result
    for clause, _ in beside:
        allowed = (
            clause.text == "as"
            or (clause.text in ("then", "else") and (result is None or isinstance(result, t.Bool)))
            or (clause.text.startswith("on ") and signed.outcomes)
        )
        if not allowed:
            unit.bag.add(
                "wrong-clause",
                clause.span,
                f"`{clause.text}` does not belong to `{name}`",
                "`then`/`else` follow a verb that may fail, `on …` one that gives outcomes, `as` names a result",
            )
    if result is None or isinstance(result, t.Bool):
        if beside.get("as") is not None and result is not None:
            var, after = st.bind(beside.get("as"), result, scope)
            if var is not None:
                proc.store(var.slot)
            return after
        if beside.get("then") is None and beside.get("else") is None:
            proc.put(isa.POP)
            return scope
        with proc.block():
            flag = proc.slot()
            proc.store(flag)
            st.then_else(beside, flag, scope, scope, key.span)
        return scope
    if signed.outcomes and beside.get("as") is None:
        with proc.block():
            slot = proc.slot()
            proc.store(slot)
            rolls.outcomes(st, list(signed.outcomes), slot, beside, scope, key, name, first=1)
        return scope
    var, after = st.bind(beside.get("as"), result, scope)
    if var is not None:
        st.store(var)
    else:
        st.discard(unit.words(result))
    return after


# --- actions and card acts ------------------------------------------------------------------------------------------


def _who(unit: Unit, parts: Parts) -> tuple[Scalar, Node] | None:
    merged = parts.merged("who")
    if len(merged) != 1:
        unit.bag.add(
            "nobody-can-act", parts.span, f"`{parts.name}` does not say who may do it", "add `who: {name: set}`"
        )
        return None
    return merged[0]


def doers(unit: Unit, parts: Parts, scope: Scope) -> tuple[str, E] | None:
    """Who may do an act: the name and the set."""
    who = _who(unit, parts)
    if who is None:
        return None
    whole = unit.infer.as_set(unit.infer.value(who[1], scope))
    if not isinstance(whole.type, t.SetOf) or not isinstance(whole.type.of, t.Thing):
        return None
    return who[0].text, whole


def action_of(unit: Unit, name: str, during: str = "") -> Action:
    """An action of the game, as a window opened round the verb `during` offers it."""
    parts = Parts(name, (unit.game.actions[name],))
    return _action(unit, parts, during, None)


def card_act(unit: Unit, item: Item, act: str, during: str) -> Action:
    """An item's act: its kind's section with the item's over it."""
    kind = unit.game.kinds[item.kind]
    layers = (kind.acts[act], item.acts[act]) if act in item.acts else (kind.acts[act],)
    return _action(unit, Parts(f"{item.id}.{act}", layers, item, kind), during, item)


def _action(unit: Unit, parts: Parts, during: str, item: Item | None) -> Action:
    first = 1 if item is not None else 0
    params = signature(unit, during).params if during in unit.game.verbs else ()
    words = sum(unit.words(param.type) for param in params)
    key = f"{parts.name}@{during}" if during else parts.name
    self_ = E("var", t.Thing(item.kind), data=Var("self", t.Thing(item.kind), slot=0)) if item is not None else None
    cached = unit.actions.get(key)
    if cached is not None:
        return cached
    name, of = _doer(unit, parts, self_)
    alike = (parts.needs_name, during, fingerprint(parts)) if unit.checking else None

    def scope_of() -> Scope:
        scope = Scope(self_=self_)
        scope = scope.bind_var(Var(name, of, slot=first))
        return parameters(unit, params, scope, first + 1)

    def context(proc: Proc, scope: Scope) -> Statements:
        doer = scope.names[name]
        by = doer if isinstance(of, t.Unknown) else unit.player_of(doer)
        return Statements(unit, proc, parts.name, by=by, cancels=(during,) if during else ())

    def build_legal(proc: Proc) -> None:
        if alike in unit.sound:
            return
        scope = scope_of()
        with proc.at(parts.span):
            st = context(proc, scope)
            st.offers = True
            legal(st, parts, scope)

    def build_run(proc: Proc) -> None:
        if alike in unit.sound:
            return
        before = len(unit.bag.findings)
        build_deed(proc)
        if alike is not None and len(unit.bag.findings) == before:
            unit.sound.add(alike)

    def build_deed(proc: Proc) -> None:
        scope = scope_of()
        st = context(proc, scope)
        fail = proc.label()
        with proc.at(parts.span):
            says = parts.last("says")
            log = says if isinstance(says, Scalar) else _default_log(parts, name)
            run(st, parts, scope, fail, tested=True, log=log)
            proc.set(fail)
            proc.put(isa.RET)

    label_name = parts.name if item is None else f"{item.kind}.{parts.name.rpartition('.')[2]}"
    title = texts.title(parts.name) if item is None else "{self}"
    names = (name,) if item is None else (name, "self")
    types = (unit.row(of),) if item is None else (unit.row(of), unit.row(t.Thing(item.kind)))
    act = parts.name if item is None else parts.name.rpartition(".")[2]
    label = unit.label(label_name, TextRow(act, f"{{{name}}}: {title}", names, types))
    legal_proc = unit.proc(f"legal.{key}", first + 1 + words, 1, build_legal)
    run_core = unit.proc(f"run.{key}", first + 1 + words, 0, build_run)
    run_proc = run_core
    if item is None:
        own = (Param(name, of, parts.span), *params)
        run_proc = hooked(unit, parts.name, own, first + 1 + words, 0, run_core)
    made = Action(legal_proc, run_proc, label, name, of)
    unit.actions[key] = made
    return made


def _doer(unit: Unit, parts: Parts, self_: E | None) -> tuple[str, t.Type]:
    """The name and type of who may do an act; for a card act that leaves it to its kind worked out once for the
    kind."""
    key = (parts.kind.name, parts.needs_name) if parts.kind is not None and "who" not in parts.layers[-1] else None
    known = unit.doers.get(key) if key is not None else None
    if known is not None:
        return known
    found = doers(unit, parts, Scope(self_=self_))
    written = parts.merged("who")
    result: tuple[str, t.Type] = (written[0][0].text if written else "nobody", t.Unknown())
    if found is not None and isinstance(found[1].type, t.SetOf):
        result = (found[0], found[1].type.of)
    if key is not None and parts.item is not None and len(parts.layers) > 1:
        unit.doers[key] = result
    return result


def fingerprint(parts: Parts) -> object:
    """What a card act says, plain numbers aside. Two acts of one kind that agree in it are right or wrong together,
    so a check that wants no code looks at the first of them only (a set of cards often says one thing in many
    strengths)."""
    item = parts.item
    if item is None or parts.kind is None:
        return parts.name
    own: list[object] = [parts.kind.name, *(_shape(layer) for layer in parts.layers[1:])]
    if item.values is not None:
        own.append(_shape(item.values))
    own += [(name, _shape(node)) for name, node in item.variants.items()]
    return tuple(own)


def _shape(node: Node) -> object:
    if isinstance(node, Scalar):
        return "#" if type(node.value) is int else node.text
    if isinstance(node, Items):
        return tuple([_shape(item) for item in node.items])
    return tuple([(key.text, _shape(value)) for key, value in node.entries])


def _default_log(parts: Parts, who: str) -> Scalar:
    text = (
        f"{{{who}}}: {texts.title(parts.name)}"
        if parts.item is None
        else f"{{{who}}}: {parts.item.title or texts.title(parts.item.id)}"
    )
    return Scalar(parts.span, text, text, False)
