"""Rolls: dice, what is added, what it comes to.

    roll: {hero_roll: difficulty}      ->  CALL roll.hero_roll; outcome, total and face are left
    on success: [...]                  ->  a jump on the outcome

A named roll is a procedure, so that triggers can lie round it; a bare die is one instruction. An opposed roll
(`sides`) leaves a total and a face for each side.
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Die, Param, ZoneDecl
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend import choices, settle, texts
from ludoloom.compiler.backend.branches import outcomes
from ludoloom.compiler.backend.dice import (
    die_of,
    face_value,
    outcomes_of,
    params_of,
    result,
    sides_of,
    throw,
    words_of,
)
from ludoloom.compiler.backend.heads import CostTest, Parts, parameters, put_arguments
from ludoloom.compiler.backend.offers import SECRET
from ludoloom.compiler.backend.proc import Proc
from ludoloom.compiler.backend.records import Choice
from ludoloom.compiler.backend.statements import Statements, core
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar
from ludoloom.runtime import isa
from ludoloom.runtime.image import OUTCOMES, QuestionRow, TextRow, TypeRow

# --- the procedure --------------------------------------------------------------------------------------------------


def roll_of(unit: Unit, name: str) -> Proc:
    """The procedure of a named roll, with what lies round it."""
    params = params_of(unit, name)
    words = sum(unit.words(param.type) for param in params)
    results = words_of(unit, name)

    def build(proc: Proc) -> None:
        _build(unit, proc, name, params, words)

    return unit.makers.hooked(unit, name, params, words, results, unit.proc(f"roll.{name}", words, results, build))


def _build(unit: Unit, proc: Proc, name: str, params: tuple[Param, ...], words: int) -> None:
    node = unit.game.rolls[name]
    die = die_of(unit, name)
    scope = parameters(unit, params, Scope(), 0)
    st = Statements(unit, proc, name)
    says = node.get("says")
    sides = sides_of(unit, name)
    written = node.get("sides")
    if isinstance(written, Items) and not sides:
        unit.bag.add(
            "wrong-type", written.span, "two different parameters roll against each other", "write `[first, second]`"
        )
    for side in sides:
        if side not in scope.names:
            unit.bag.add(
                "unknown-word", node.span, f"`{side}` is no parameter of the roll", did_you_mean(side, scope.names)
            )
            return
    if die is None:
        for _ in range(words_of(unit, name)):
            proc.push(0)
        proc.put(isa.RET)
        return
    with proc.at(node.span, effect=True):
        if isinstance(says, Scalar):
            texts.report(st, name, says, scope)
        laid = _commit(st, node, sides, scope)
        results: list[tuple[Var, dict[str, E]]] = []
        for number, side in enumerate(sides or ("",)):
            inner = scope.bind(**laid[number])
            if side:
                inner = inner.bind(side=scope.names[side], other=scope.names[sides[1 - number]])
            results.append(_side(st, node, die, name, inner))
        again = node.get("again")
        if isinstance(again, Map) and not sides:
            _again(st, again, node, die, name, scope, results[0][0])
        named = scope.bind_var(results[0][0]) if not sides else scope
        if sides:
            totals = {
                side: E("field", t.Int(), data=(var, "total")) for side, (var, _) in zip(sides, results, strict=True)
            }
            named = named.bind(total=E("sides", t.Unknown(), data=totals))
        else:
            named = named.bind(total=E("field", t.Int(), data=(results[0][0], "total")), **results[0][1])
        st.block(node.get("do"), named)
        _outcome(st, node, name, named)
        for var, _ in results:
            proc.load(var.parts["total"])
            proc.load(var.parts["face"])
        proc.put(isa.RET)


def _side(st: Statements, node: Map, die: Die, name: str, scope: Scope) -> tuple[Var, dict[str, E]]:
    """Throw for one side: the result, and what was added by name."""
    proc, unit = st.proc, st.unit
    var = result(unit, name, die, proc.slot(), proc.slot())
    _throw_all(st, node, die, scope, var)
    added: dict[str, E] = {}
    add = node.get("add")
    if isinstance(add, Map):
        for key, value in add:
            number = Var(key.text, t.Int(), key.span, proc.slot())
            st.values.put(unit.infer.value(value, scope.bind(**added), t.Int()))
            proc.store(number.slot)
            added[key.text] = E("var", t.Int(), data=number)
            proc.load(var.parts["total"])
            proc.load(number.slot)
            proc.put(isa.ADD)
            proc.store(var.parts["total"])
    return var, added


def _throw_all(st: Statements, node: Map, die: Die, scope: Scope, var: Var) -> None:
    """One die, or several of which the highest or lowest is kept, or all summed."""
    proc, unit = st.proc, st.unit
    total, face = var.parts["total"], var.parts["face"]
    dice = node.get("dice")
    count = dice.get("count") if isinstance(dice, Map) else None
    if count is None:
        throw(st.values, die)
        proc.store(face)
        face_value(st.values, die, face)
        proc.store(total)
        return
    assert isinstance(dice, Map)
    keep = dice.get("keep")
    kept = keep.text if isinstance(keep, Scalar) else "sum"
    if kept not in ("highest", "lowest", "sum"):
        unit.bag.add("wrong-type", keep.span if keep else dice.span, f"`keep` is highest, lowest or sum, not `{kept}`")
    with proc.block():
        left, thrown, value, first = (proc.slot() for _ in range(4))
        st.values.put(unit.infer.value(count, scope, t.Int()))
        proc.store(left)
        proc.push(0)
        proc.store(total)
        proc.push(1)
        proc.store(first)
        top, end = proc.label(), proc.label()
        proc.set(top)
        proc.push(0)
        proc.load(left)
        proc.put(isa.LT)
        proc.put(isa.JZ, end)
        proc.load(left)
        proc.push(1)
        proc.put(isa.SUB)
        proc.store(left)
        throw(st.values, die)
        proc.store(thrown)
        face_value(st.values, die, thrown)
        proc.store(value)
        if kept == "sum":
            proc.load(total)
            proc.load(value)
            proc.put(isa.ADD)
            proc.store(total)
            proc.load(thrown)
            proc.store(face)
        else:
            take = proc.label()
            proc.load(first)
            proc.put(isa.JNZ, take)
            proc.load(total if kept == "highest" else value)
            proc.load(value if kept == "highest" else total)
            proc.put(isa.LT)
            proc.put(isa.JZ, top)
            proc.set(take)
            proc.push(0)
            proc.store(first)
            proc.load(value)
            proc.store(total)
            proc.load(thrown)
            proc.store(face)
        proc.put(isa.JMP, top)
        proc.set(end)


def _commit(st: Statements, node: Map, sides: tuple[str, ...], scope: Scope) -> list[dict[str, E]]:
    """Sealed choices of each side in turn, laid into zones and turned up together: the sets by name, for each side."""
    commit = node.get("commit")
    found: list[dict[str, E]] = [{} for _ in sides or ("",)]
    if not isinstance(commit, Map):
        return found
    proc, unit = st.proc, st.unit
    for number, side in enumerate(sides or ("",)):
        inner = scope.bind(side=scope.names[side], other=scope.names[sides[1 - number]]) if side else scope
        for key, choice in commit:
            if not isinstance(choice, Map):
                unit.bag.add("wrong-type", choice.span, "a commitment says `from`, `count` and `into`")
                continue
            into = choice.get("into")
            st.by = unit.player_of(inner.names["side"]) if side else st.by
            own = tuple(entry for entry in choice if entry[0].text not in ("into", "turned_up"))
            options = Map(choice.span, own + SECRET)
            source = choice.get("from")
            if source is None:
                unit.bag.add("missing-key", choice.span, "`from` is missing")
                continue
            var = Var(key.text, t.Unknown(), key.span)
            fail, end = proc.label(), proc.label()
            sealed = Choice(key.text, key, source, options)
            bound = choices.make(st, [sealed], Scope(inner.names, inner.self_, inner.it, inner.proven), fail)
            e = bound.names[key.text]
            whole = unit.infer.as_set(e)
            var = Var(key.text, whole.type, key.span, proc.slot(unit.words(whole.type)))
            if isinstance(whole.type, t.SetOf):
                st.values.set_into(whole, var.slot, unit.universe(whole.type.of))
            proc.put(isa.JMP, end)
            proc.set(fail)
            proc.put(isa.SNEW, var.slot, unit.words(var.type))
            proc.set(end)
            if into is not None and isinstance(whole.type, t.SetOf):
                _lay(st, var, into, inner, sealed=bool(side))
            found[number][key.text] = E("var", var.type, data=var, span=key.span)
    st.sealed.clear()
    for side, laid in zip(sides or ("",), found, strict=True):
        inner = scope.bind(side=scope.names[side]) if side else scope
        for key, choice in commit:
            shown = choice.get("turned_up") if isinstance(choice, Map) else None
            var = laid[key.text].data if key.text in laid else None
            if shown is not None and isinstance(var, Var) and isinstance(var.type, t.SetOf):
                _lay(st, var, shown, inner, sealed=False)
    settle.settle(unit, proc, {settle.PLACES})
    return found


def _lay(st: Statements, laid: Var, where: Node, scope: Scope, *, sealed: bool) -> None:
    """Move the things of a set to a zone. `sealed`: others are still to choose, so they may not see what lies there."""
    place = st.place(where, scope)
    if place is None or not isinstance(laid.type, t.SetOf):
        return
    zone = place.data if place.op == "zone_of" else None
    if sealed and isinstance(zone, ZoneDecl) and zone.seen_by == "everyone":
        st.unit.bag.add(
            "secret-read-early",
            where.span,
            f"what is laid down here is secret until all have chosen, and everybody sees what lies in `{zone.name}`",
            "let its owner see it (`seen_by: owner, count_seen_by: everyone`); `turned_up: zone` shows it then",
        )
    it = Var("it", laid.type.of)

    def lay() -> None:
        st.proc.load(it.slot)
        st.values.put(place)
        st.proc.put(isa.MOVE, 1)

    st.values.each(E("var", laid.type, data=laid), it, lay)


def _again(st: Statements, again: Map, node: Map, die: Die, name: str, scope: Scope, var: Var) -> None:
    """Roll anew as often as it is wished and paid; the last throw counts."""
    proc, unit = st.proc, st.unit
    parts = Parts(f"{name}.again", (again,))
    cost = CostTest(st, parts)
    seat = st.player(again.get("by"), scope, again.span)
    top, end = proc.label(), proc.label()
    with proc.block(), proc.at(again.span):
        who = proc.slot()
        proc.set(top)
        for _, need in parts.merged("needs"):
            st.values.jump_if_not(unit.infer.condition(need, scope), end)
        cost(scope, end)
        if seat is not None:
            st.values.put(seat)
            proc.store(who)
        for word in (1, 0):
            proc.load(who)
            proc.push(0)
            proc.push(word)
            proc.push(0)
            proc.put(isa.OPT)
        proc.load(who)
        proc.put(isa.ASK, unit.question(QuestionRow(name, "again", "roll again?", TypeRow("bool"))))
        proc.put(isa.ANS, 2)
        proc.put(isa.JZ, end)
        written = cost.pay(scope)
        _throw_all(st, node, die, scope, var)
        settle.settle(unit, proc, set(written))
        proc.put(isa.JMP, top)
        proc.set(end)


def _outcome(st: Statements, node: Map, name: str, scope: Scope) -> None:
    """Leave the number of the outcome, the first that holds."""
    proc, unit = st.proc, st.unit
    outcomes = node.get("outcomes")
    if not isinstance(outcomes, Map):
        proc.push(0)
        return
    end = proc.label()
    last = False
    unit.infer.else_last(outcomes.entries, "else", by_value=True)
    for number, (_, value) in enumerate(outcomes):
        if isinstance(value, Scalar) and value.text == "else":
            proc.push(number)
            last = True
            break
        following = proc.label()
        st.values.jump_if_not(unit.infer.condition(value, scope), following)
        proc.push(number)
        proc.put(isa.JMP, end)
        proc.set(following)
    if not last:
        unit.bag.add("rows-without-else", outcomes.span, "no outcome says `else`", "the last outcome is `name: else`")
        proc.push(0)
    proc.set(end)
    _tell(unit, proc, name)


def _tell(unit: Unit, proc: Proc, name: str) -> None:
    """Report the outcome, which lies on the stack. The sentence is empty, so that no log shows it: programs read it,
    and whoever works out the odds of a roll (`runtime/foresee.py`)."""
    told = TextRow(name, "", ("outcome",), (TypeRow("enum", f"{OUTCOMES}{name}"),))
    proc.put(isa.DUP)
    proc.push(1)
    proc.put(isa.ADD)
    proc.put(isa.EVENT, unit.event(told), 1)


# --- the statement --------------------------------------------------------------------------------------------------


@core("roll", "on", "as")
def roll(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    """``roll: die`` or ``roll: {name: arguments}`` with `on <outcome>`; `roll` is a word for what follows."""
    unit, proc = st.unit, st.proc
    argument: Node
    if isinstance(node, Map) and len(node) == 1:
        (name_node, argument) = node.entries[0]
    elif isinstance(node, Scalar):
        name_node, argument = node, Scalar(node.span, None, "", False)
    else:
        unit.bag.add("wrong-type", node.span, "`roll` takes a die, or `{roll: parameters}`")
        return scope
    name = name_node.text
    if name in unit.game.dice:
        die = unit.game.dice[name]
        var = Var("roll", t.Rolled(name), name_node.span, proc.slot())
        var.parts = {"total": var.slot, "face": proc.slot()}
        throw(st.values, die)
        proc.store(var.parts["face"])
        face_value(st.values, die, var.parts["face"])
        proc.store(var.parts["total"])
        bound = scope.bind(roll=E("var", var.type, data=var))
        for clause, _ in beside:
            if clause.text.startswith("on "):
                unit.bag.add(
                    "unknown-outcome",
                    clause.span,
                    f"the die `{name}` has no outcomes",
                    "declare a roll with `outcomes`, or ask `roll.face`",
                )
        return _named(st, beside, var, bound)
    if name not in unit.game.rolls:
        unit.infer.unknown(
            name,
            name_node.span,
            f"there is no roll or die `{name}`",
            did_you_mean(name, [*unit.game.rolls, *unit.game.dice]),
        )
        return _lost(beside, scope)
    unit.called.add(f"roll.{name}")
    put_arguments(st, params_of(unit, name), argument, scope, name, name_node)
    proc.put(isa.CALL, roll_of(unit, name).number)
    sides = sides_of(unit, name)
    die = die_of(unit, name)
    outcome = proc.slot()
    slots = [(proc.slot(), proc.slot()) for _ in sides or ("",)]
    for total, face in reversed(slots):
        proc.store(face)
        proc.store(total)
    proc.store(outcome)
    if die is None or ("sides" in unit.game.rolls[name] and not sides):
        return _lost(beside, scope)
    var = result(unit, name, die, *slots[0])
    bound = scope.bind(roll=E("var", var.type, data=var))
    if sides:
        totals = {
            side: E("field", t.Int(), data=(_half(var, slots[number]), "total")) for number, side in enumerate(sides)
        }
        var.parts["sides"] = totals
    bound = _named(st, beside, var, bound)
    outcomes(st, outcomes_of(unit, name), outcome, beside, bound, key, f"`{name}`")
    return bound


def _lost(beside: Map, scope: Scope) -> Scope:
    """The words for the result of a roll that is wrong and was reported."""
    names = ["roll", *(value.text for key, value in beside if key.text == "as" and isinstance(value, Scalar))]
    return scope.bind(**{name: E("const", t.Unknown(), data=0) for name in names})


def _half(var: Var, slots: tuple[int, int]) -> Var:
    """One side's result of an opposed roll."""
    return Var(var.name, var.type, var.span, slots[0], {"total": slots[0], "face": slots[1]})


def _named(st: Statements, beside: Map, var: Var, scope: Scope) -> Scope:
    name = beside.get("as")
    if isinstance(name, Scalar):
        st.check_name(name.text, name.span, scope)
        st.unit.infer.uses.bind(name.text, name.span, "the result")
        return scope.bind(**{name.text: E("var", var.type, data=var, span=name.span)})
    return scope
