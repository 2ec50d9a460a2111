"""Questions: who is asked, what is offered, what follows.

    choose: {target: {from: hero.monsters_in(reach), by: hero}}

becomes: build the set, leave out what would leave a later choice empty, offer each member, ask, keep the answer under
its name. The same code serves `choose` statements and the heads of acts; there the test "could this be done at all"
(`feasible`) is also a procedure of its own.
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend import assign, eyes
from ludoloom.compiler.backend.branches import outcomes
from ludoloom.compiler.backend.heads import CostTest
from ludoloom.compiler.backend.offers import bounds, each_offered, jump_if_empty, least_of, offer, put_question, read
from ludoloom.compiler.backend.proc import Label
from ludoloom.compiler.backend.records import Choice
from ludoloom.compiler.backend.several import Holds, complete, holding, several
from ludoloom.compiler.backend.statements import Statements, core
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar
from ludoloom.runtime import isa
from ludoloom.runtime.image import QuestionRow, TypeRow


def feasible(st: Statements, choices: list[Choice], scope: Scope, fail: Label, cost: CostTest | None = None) -> None:
    """Fall through if all choices can be made (and paid) from here, else go to `fail`; asks nobody."""
    proc = st.proc
    if not choices:
        if cost is not None:
            cost(scope, fail)
        return
    choice, rest = choices[0], choices[1:]
    with proc.block(), proc.at(choice.key.span):
        if choice.assigns:
            bound = assign.feasible(st, choice, scope, fail)
            feasible(st, rest, bound, fail, cost)
            return
        offered = offer(st, choice, scope)
        if offered is None:
            return
        least = least_of(choice)
        depends = any(later.mentions(choice.name) for later in rest) or (
            cost is not None and cost.mentions(choice.name)
        )
        if choice.options.get("count") is not None:
            if offered.slot < 0:
                return  # reported where it is made
            if depends or choice.options.get("such_that") is not None:
                low, high = bounds(st, choice, offered, scope)
                whole = Var(choice.name, t.SetOf(offered.of), slot=proc.slot(offered.universe.words))
                none = proc.slot(offered.universe.words)
                proc.put(isa.SNEW, none, offered.universe.words)
                found = proc.label()
                holds = holding(
                    st,
                    choice,
                    scope.bind_var(whole),
                    lambda inner, otherwise: feasible(st, rest, inner, otherwise, cost),
                )
                complete(st, whole, none, offered, low, high, holds, found)
                proc.put(isa.JMP, fail)
                proc.set(found)
                return
            if least:
                proc.push(least)
                proc.put(isa.SCNT, offered.slot, offered.universe.words)
                proc.put(isa.LE)
                proc.put(isa.JZ, fail)
            whole = Var(choice.name, t.SetOf(offered.of), slot=offered.slot)
            feasible(st, rest, scope.bind_var(whole), fail, cost)
            return
        jump_if_empty(st, offered, fail)
        var = Var(choice.name, offered.of, slot=proc.slot())
        inner = scope.bind_var(var)
        if not depends and choice.options.get("such_that") is None:
            # What follows does not speak of it, so any member serves (a placeholder keeps the words known).
            feasible(st, rest, inner, fail, cost)
            return
        found, end = proc.label(), proc.label()

        holds = holding(st, choice, inner, lambda whole, otherwise: feasible(st, rest, whole, otherwise, cost))

        def one() -> None:
            following = proc.label()
            holds(following)
            proc.put(isa.JMP, found)
            proc.set(following)

        each_offered(st, offered, var.slot, one)
        proc.put(isa.JMP, fail)
        proc.set(found)
        proc.set(end)


def make(st: Statements, choices: list[Choice], scope: Scope, fail: Label, cost: CostTest | None = None) -> Scope:
    """Ask for all choices in order; go to `fail` where one has nothing to offer. Gives the scope with their names."""
    proc = st.proc
    for place, choice in enumerate(choices):
        rest = choices[place + 1 :]
        with proc.at(choice.key.span):
            st.check_name(choice.name, choice.key.span, scope)
            st.unit.infer.uses.bind(choice.name, choice.key.span, "the choice")
            seat = st.player(choice.options.get("by"), scope, choice.key.span)
            who = proc.slot()
            if seat is not None:
                st.values.put(seat)
                proc.store(who)
            eyes.asked(st, choice, scope, seat)
            if choice.assigns:
                made = assign.make(st, choice, scope, who, fail).names[choice.name]
                scope = scope.bind(**{choice.name: E(made.op, made.type, made.args, made.data, choice.key.span)})
                continue
            offered = offer(st, choice, scope)
            if offered is None:
                scope = scope.bind(**{choice.name: E("const", t.Unknown(), data=0)})
                continue
            speaks = any(later.mentions(choice.name) for later in rest) or (
                cost is not None and cost.mentions(choice.name)
            )
            if choice.options.get("count") is not None:

                def follows(inner: Scope, otherwise: Label, rest: list[Choice] = rest) -> None:
                    feasible(st, rest, inner, otherwise, cost)

                scope = several(st, choice, offered, scope, who, fail, follows, speaks)
                if choice.flag("secret"):
                    eyes.seal(st, scope.names.get(choice.name), seat)
                continue
            optional = choice.flag("optional")
            var = Var(choice.name, offered.of, choice.key.span, proc.slot())
            inner = scope.bind_var(var)
            tested = speaks or choice.options.get("such_that") is not None

            def goes_on(whole: Scope, otherwise: Label, rest: list[Choice] = rest) -> None:
                feasible(st, rest, whole, otherwise, cost)

            if tested and offered.slot >= 0:
                holds = holding(st, choice, scope.bind_var(Var(choice.name, offered.of, slot=var.slot)), goes_on)

                def keep(stays: Label, holds: Holds = holds) -> None:
                    drop = proc.label()
                    holds(drop)
                    proc.put(isa.JMP, stays)
                    proc.set(drop)

                st.values.filter(offered.slot, offered.universe, var.slot, keep)
            jump_if_empty(st, offered, fail)
            if offered.slot >= 0:
                proc.load(who)
                proc.put(isa.OPTS, offered.slot, offered.universe.first, offered.universe.words, 0)
            else:
                some = proc.slot()
                proc.push(0)
                proc.store(some)

                holds = holding(st, choice, inner, goes_on)

                def add(
                    number: Var = var,
                    holds: Holds = holds,
                    test: bool = tested,
                    some: int = some,
                    who: int = who,
                ) -> None:
                    skip = proc.label()
                    if test:
                        holds(skip)
                        proc.push(1)
                        proc.store(some)
                    proc.load(who)
                    proc.push(0)
                    proc.load(number.slot)
                    proc.push(0)
                    proc.put(isa.OPT)
                    proc.set(skip)

                each_offered(st, offered, var.slot, add)
                if tested:
                    proc.load(some)
                    proc.put(isa.JZ, fail)
            if optional:
                none = isa.NIL if isinstance(offered.of, t.Int) else 0
                for number in ("who", 0, none, 0):
                    proc.load(who) if number == "who" else proc.push(int(number))
                proc.put(isa.OPT)
            put_question(st, choice, offered.of, who)
            proc.put(isa.ANS, 2)
            proc.store(var.slot)
            if optional:
                proc.load(var.slot)
                if isinstance(offered.of, t.Int):
                    proc.push(isa.NIL)
                    proc.put(isa.NE)
                proc.put(isa.JZ, fail)
            scope = inner
            if choice.flag("secret"):
                eyes.seal(st, scope.names.get(choice.name), seat)
    return scope


# --- statements -----------------------------------------------------------------------------------------------------


@core("choose", "then", "else")
def choose(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    """``choose: {…}`` with `then` (all made) and `else` (one had nothing to offer, or was declined)."""
    proc = st.proc
    listed = read(st, node, key)
    with proc.block():
        fail, end = proc.label(), proc.label()
        if len(listed) > 1:
            with proc.block():
                feasible(st, listed, scope, fail)
        inner = make(st, listed, scope, fail)
        inner = inner.prove(*(each.name for each in listed))
        st.branch(beside.get("then"), inner, key.span)
        if beside.get("else") is not None:
            proc.put(isa.JMP, end)
        proc.set(fail)
        st.branch(beside.get("else"), scope, key.span)
        proc.set(end)
    if beside.get("then") is None and beside.get("else") is None:
        st.unit.bag.add("wrong-clause", key.span, "nothing follows from this choice", "add `then: [...]`")
    return scope


@core("ask", "then", "else", "on")
def ask(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    """``ask: {says: "…", by: who}`` with `then`/`else`, or with `answers` and `on`."""
    proc, unit = st.proc, st.unit
    inside = st.inside(node, "says", "by", "answers", "secret")
    says = inside.get("says")
    text = says.text if isinstance(says, Scalar) else "yes or no"
    seat = st.player(inside.get("by"), scope, key.span)
    answers = inside.get("answers")
    with proc.block():
        who, value = proc.slot(), proc.slot()
        if seat is not None:
            st.values.put(seat)
            proc.store(who)
        names = [item.text for item in answers.items if isinstance(item, Scalar)] if isinstance(answers, Items) else []
        if names:
            enum = f"answers.{st.act}.{len(unit.questions)}"
            unit.game.enums[enum] = names
            kind, words = TypeRow("enum", enum), list(range(1, len(names) + 1))
        else:
            kind, words = TypeRow("bool"), [1, 0]
        for word in words:
            proc.load(who)
            proc.push(0)
            proc.push(word)
            proc.push(0)
            proc.put(isa.OPT)
        proc.load(who)
        secret = inside.get("secret")
        row = QuestionRow(st.act, "answer", text, kind, isinstance(secret, Scalar) and secret.value is True)
        proc.put(isa.ASK, unit.question(row))
        proc.put(isa.ANS, 2)
        proc.store(value)
        if not names:
            st.then_else(beside, value, scope, scope, key.span)
            for on, _ in beside:
                if on.text.startswith("on "):
                    unit.bag.add(
                        "wrong-clause",
                        on.span,
                        "a yes/no question has `then` and `else`",
                        "name the answers: `answers: [a, b]`",
                    )
            return scope
        for on, _ in beside:
            if not on.text.startswith("on "):
                unit.bag.add(
                    "wrong-clause",
                    on.span,
                    f"`{on.text}` does not belong to a question with answers",
                    "write `on <answer>`",
                )
        outcomes(st, names, value, beside, scope, key, "the question", first=1, word="answer", all_needed=True)
    return scope
