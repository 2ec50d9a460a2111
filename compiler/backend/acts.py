"""The act: the one form of everything that happens (verbs, actions, card acts, triggers).

Read from top to bottom: `needs`, `choose`, `cost`, `roll` with `on …`, `do`. An action becomes two procedures:
*legal* (could it be done; asks nobody, writes nothing) and *run*. A verb becomes one, which gives 1 when it was done
and 0 when its head could not be met, or what `gives` says. A card act is its kind's section with the item's laid over
it, one pair of procedures for each item.
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.declare_types import read_params
from ludoloom.compiler.analysis.model import Item, Param
from ludoloom.compiler.analysis.proofs import proofs
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend import choices, rolls, settle, texts
from ludoloom.compiler.backend.branches import outcomes
from ludoloom.compiler.backend.heads import CostTest, Parts, bind_values, doers, parameters, put_arguments, test_needs
from ludoloom.compiler.backend.proc import Label, Proc
from ludoloom.compiler.backend.records import Action, Alike, Signature
from ludoloom.compiler.backend.statements import CORE, Statements, of_the_game
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.kept import LOOKED, PASSED
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar
from ludoloom.runtime import isa
from ludoloom.runtime.image import TextRow


def legal(st: Statements, parts: Parts, scope: Scope) -> None:
    """The whole test of a head: leaves 1 or 0 and returns."""
    proc = st.proc
    fail = proc.label()
    scope = bind_values(st.unit, parts, scope)
    scope = test_needs(st, parts, scope, fail, logged=False)
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
        scope = test_needs(st, parts, scope, fail, logged=log is not None)
    else:
        for _, node in parts.merged("needs"):
            st.given.append(unit.infer.condition(node, scope))
            scope = scope.prove(*proofs(node))
    cost = CostTest(st, parts)
    listed = _choices(st, parts)
    if len(listed) > 1 and not tested:
        with proc.block():
            choices.feasible(st, listed, scope, fail, cost)
    seen = len(unit.eyes)
    scope = choices.make(st, listed, scope, fail, cost)
    unit.tests += unit.eyes[seen:]  # what a head offers is worked out whenever it is asked whether the act is
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
        scope = rolls.roll(
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
    return unit.makers.hooked(unit, name, signed.params, words, results, verb_core(unit, name))


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


@of_the_game
def call_verb(st: Statements, argument: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    """A statement that calls a verb of the game."""
    name = key.text
    unit, proc = st.unit, st.proc
    if name not in unit.game.verbs:
        known = [*CORE, *unit.game.verbs]
        hint = did_you_mean(name, known)
        if name in unit.game.actions:
            hint = "an action is offered by a window; make the deed a verb and call it from both"
        unit.infer.unknown(name, key.span, f"there is no verb `{name}`", hint)
        return st.lost(beside, scope)
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
            outcomes(st, list(signed.outcomes), slot, beside, scope, key, f"`{name}`", first=1)
        return scope
    var, after = st.bind(beside.get("as"), result, scope)
    if var is not None:
        st.store(var)
    else:
        st.discard(unit.words(result))
    return after


def _by_parameter(unit: Unit, scope: Scope, params: tuple[Param, ...]) -> E | None:
    """Who is asked inside a verb: its one parameter that is a player or stands for one, if there is just one such."""
    seats = [
        unit.player_of(scope.names[param.name])
        for param in params
        if isinstance(param.type, t.Thing) and unit.game.kinds[param.type.kinds[0]].family in ("player", "piece")
    ]
    found = [seat for seat in seats if seat is not None]
    return found[0] if len(found) == 1 else None


# --- actions and card acts ------------------------------------------------------------------------------------------


def action_of(unit: Unit, name: str, during: str = "") -> Action:
    """An action of the game, as a window opened round the verb `during` offers it."""
    parts = Parts(name, (unit.game.actions[name],))
    return _action(unit, parts, during, None)


def card_act(unit: Unit, item: Item, act: str, during: str) -> Action:
    """An item's act: its kind's section with the item's over it. A check that wants no code lowers the first of those
    that say the same, and the others only if something is wrong with that."""
    kind = unit.game.kinds[item.kind]
    own = item.acts.get(act)
    parts = Parts(f"{item.id}.{act}", (kind.acts[act],) if own is None else (kind.acts[act], own), item, kind)
    known = unit.actions.get(_key(parts.name, during))
    if known is not None or not unit.checking:
        return known or _action(unit, parts, during, item)
    says = (act, during, fingerprint(parts))
    group = unit.alike.get(says)
    if group is not None:
        unit.actions[_key(parts.name, during)] = group.first
        if group.judged:
            _pass_by(item, act)
        else:
            group.waiting.append(item)
        return group.first
    if own is not None:
        own.facts[LOOKED] = ""
    reports = unit.bag.reports
    # Between these two lie the steps that lower it.
    unit.queue.append(lambda: _begin(unit, unit.alike[says]))
    made = _action(unit, parts, during, item)
    unit.queue.append(lambda: _judge(unit, says, act, during))
    unit.alike[says] = Alike(made, unit.bag.reports == reports)
    return made


def _begin(unit: Unit, group: Alike) -> None:
    group.reports = unit.bag.reports


def _judge(unit: Unit, says: object, act: str, during: str) -> None:
    """The first of some acts that say the same has been lowered: are the others right too?"""
    group = unit.alike[says]
    if group.right and unit.bag.reports == group.reports:
        group.judged = True
        for item in group.waiting:
            _pass_by(item, act)
        return
    del unit.alike[says]
    if group.waiting:
        # What is wrong may lie in its numbers, so the next is looked at, and the rest wait for that.
        item = group.waiting.pop()
        del unit.actions[_key(f"{item.id}.{act}", during)]
        card_act(unit, item, act, during)
        unit.alike[says].waiting = group.waiting


def _pass_by(item: Item, act: str) -> None:
    if act in item.acts:
        item.acts[act].facts[PASSED] = ""


def _key(name: str, during: str) -> str:
    return f"{name}@{during}" if during else name


def _action(unit: Unit, parts: Parts, during: str, item: Item | None) -> Action:
    first = 1 if item is not None else 0
    params = signature(unit, during).params if during in unit.game.verbs else ()
    words = sum(unit.words(param.type) for param in params)
    key = _key(parts.name, during)
    self_ = E("var", t.Thing(item.kind), data=Var("self", t.Thing(item.kind), slot=0)) if item is not None else None
    cached = unit.actions.get(key)
    if cached is not None:
        return cached
    name, of = _doer(unit, parts, self_)

    def scope_of() -> Scope:
        scope = Scope(self_=self_)
        scope = scope.bind_var(Var(name, of, slot=first))
        return parameters(unit, params, scope, first + 1)

    def context(proc: Proc, scope: Scope) -> Statements:
        doer = scope.names[name]
        by = doer if isinstance(of, t.Unknown) else unit.player_of(doer)
        return Statements(unit, proc, parts.name, by=by, cancels=(during,) if during else ())

    def build_legal(proc: Proc) -> None:
        scope = scope_of()
        with proc.at(parts.span):
            st = context(proc, scope)
            st.offers = True
            legal(st, parts, scope)

    def build_run(proc: Proc) -> None:
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
        run_proc = unit.makers.hooked(unit, parts.name, own, first + 1 + words, 0, run_core)
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
    own: list[object] = [parts.kind.name, *(layer.outline for layer in parts.layers[1:])]
    if item.values is not None:
        own.append(_flat(item.values))
    own += [(name, node.outline) for name, node in item.variants.items()]
    return tuple(own)


def _flat(values: Map) -> object:
    """The outline of a mapping that most often holds a few numbers; a digest would take longer."""
    rows: list[object] = []
    for key, value in values.entries:
        if not isinstance(value, Scalar):
            return values.outline
        rows.append((key.text, None if type(value.value) is int else (value.value,)))
    return tuple(rows)


def _default_log(parts: Parts, who: str) -> Scalar:
    text = (
        f"{{{who}}}: {texts.title(parts.name)}"
        if parts.item is None
        else f"{{{who}}}: {parts.item.title or texts.title(parts.item.id)}"
    )
    return Scalar(parts.span, text, text, False)
