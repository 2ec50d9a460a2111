"""The verbs that say what comes next: conditions, repetition, names for values, results, ends, and what is run, opened,
cancelled.

    {if: stake > 2, then: [...], else: [...]}   ->  a jump over each block
    {stop: repeat}                              ->  a jump out of the loop, or UNWIND out of what called
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.proofs import denials, proofs
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import Var
from ludoloom.compiler.backend import settle
from ludoloom.compiler.backend.formulas import run_effect
from ludoloom.compiler.backend.statements import Statements, core
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar
from ludoloom.runtime import isa


@core("if", "then", "else")
def if_(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    condition = st.unit.infer.condition(node, scope)
    otherwise, end = st.proc.label(), st.proc.label()
    st.values.jump_if_not(condition, otherwise)
    st.given.append(condition)
    st.branch(beside.get("then"), scope.prove(*proofs(node)), key.span)
    st.given.pop()
    if beside.get("else") is not None:
        st.proc.put(isa.JMP, end)
    st.proc.set(otherwise)
    st.branch(beside.get("else"), scope.prove(*denials(node)), key.span)
    st.proc.set(end)
    if not beside.get("then") and not beside.get("else"):
        st.unit.bag.add("wrong-clause", key.span, "nothing follows from this `if`", "add `then: [...]`")
    return scope


@core("match", "on")
def match(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    value = st.unit.infer.value(node, scope)
    with st.proc.block():
        var = Var("match", value.type, slot=st.proc.slot())
        st.values.put(value)
        st.proc.store(var.slot)
        end = st.proc.label()
        covered: list[tuple[int, int, Scalar]] = []
        st.unit.infer.else_last(beside.entries, "on other")
        for on, block in beside:
            text = on.text[3:].strip()
            following = st.proc.label()
            if text != "other":
                word = Scalar(on.span.within(3, len(on.text)) if on.plain else on.span, text, text, on.plain)
                st.values.jump_if_not(st.unit.infer.row_key(word, (var, value), scope, covered), following)
            st.branch(block, scope, key.span)
            st.proc.put(isa.JMP, end)
            st.proc.set(following)
        st.proc.set(end)
    return scope


@core("repeat", "do")
def repeat(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    inside = st.inside(node, "times", "while")
    times, condition = inside.get("times"), inside.get("while")
    body = beside.get("do")
    if times is None and not _may_end(body):
        st.unit.bag.add(
            "unbounded-repeat",
            key.span,
            "nothing ends this `repeat`",
            "add `times: …`, a choice, or a `stop: repeat`",
        )
    with st.proc.block():
        left = st.proc.slot()
        if times is not None:
            count = st.unit.infer.need_int(st.unit.infer.value(times, scope, t.Int()), times.span)
            st.unit.not_negative(count, times.span, "`times`", "write how often it is done")
            st.values.put(count)
            st.proc.store(left)
        top, end = st.proc.label(), st.proc.label()
        st.proc.set(top)
        if times is not None:
            st.proc.count_down(left, end)
        inner = scope
        if condition is not None:
            st.values.jump_if_not(st.unit.infer.condition(condition, scope), end)
            inner = scope.prove(*proofs(condition))
        st.in_loop("repeat", end, lambda: st.branch(body, inner, key.span))
        st.proc.put(isa.JMP, top)
        st.proc.set(end)
    return scope


@core("group")
def group(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    st.proc.put(isa.GROUP, 1)
    st.groups += 1
    st.block(node, scope)
    st.groups -= 1
    st.proc.put(isa.GROUP, -1)
    settle.settle(st.unit, st.proc, None)
    return scope


@core("let")
def let(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    if not isinstance(node, Map):
        st.unit.bag.add("wrong-type", node.span, "`let` names values: `{name: value}`")
        return scope
    for name, value in node:
        e = st.unit.infer.value(value, scope)
        if isinstance(e.type, t.Zone):
            e = st.unit.infer.as_set(e)
        if isinstance(e.type, t.NoneType):
            st.unit.bag.add("maybe-none", value.span, "`none` alone has no type", "name a value that may be none")
            continue
        kind = t.SetOf(e.type.of) if isinstance(e.type, t.ListOf) else e.type
        st.unit.infer.uses.bind(name.text, name.span, "the value")
        var, inner = st.new(name.text, kind, scope, name.span)
        var.parts["is"] = e
        if isinstance(kind, t.SetOf):
            st.values.set_into(st.unit.infer.as_set(e), var.slot, st.unit.universe(kind.of))
        else:
            st.values.put(e)
            st.proc.store(var.slot)
        scope = inner
    return scope


@core("give")
def give(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    st.gave = True
    if st.result is None:
        st.unit.bag.add("gives-missing", key.span, "this act says nothing of a result", "add `gives: …` to the verb")
        return scope
    value = st.unit.infer.value(node, scope, st.result)
    if isinstance(st.result, t.SetOf):
        value = st.unit.infer.as_set(value)
    st.values.put(value)
    st.leave_groups()
    st.proc.put(isa.RET)
    return scope


@core("stop")
def stop(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    what = node.text if isinstance(node, Scalar) else ""
    game = st.unit.game
    if st.loops.get(what):
        end, groups = st.loops[what][-1]
        st.leave_groups(groups)
        st.proc.put(isa.JMP, end)
        return scope
    if what in ("repeat", "for_each"):
        st.unit.bag.add("stop-outside", node.span, f"there is no `{what}` around this `stop`")
        return scope
    st.leave_groups()
    if what == st.act and what not in game.phases:
        if st.result is not None:
            st.unit.bag.add("gives-missing", node.span, f"`{what}` must give a result", "write `give: …`")
        if st.done_flag:
            st.proc.push(1)
        st.proc.put(isa.RET)
    elif what == "turn":
        names = [name for name, phase in game.phases.items() if "turns" in phase]
        if not names:
            st.unit.bag.add("stop-outside", node.span, "no phase has turns")
            return scope
        target = st.unit.makers.turns(st.unit, names[0] if st.phase not in names else st.phase)
        st.proc.put(isa.UNWIND, target.number)
    elif what in game.phases:
        st.proc.put(isa.UNWIND, st.unit.makers.phase(st.unit, what).number)
    elif what in game.actions or what in game.verbs:
        if what in game.verbs:
            target = st.unit.makers.verb_core(st.unit, what)
            if target.results:
                st.unit.bag.add(
                    "stop-outside",
                    node.span,
                    f"`{what}` can only be stopped by its own statements",
                    "its caller is told whether it was done: let the inner verb give that, and stop there",
                )
                return scope
            st.proc.put(isa.UNWIND, target.number)
        else:
            st.proc.put(isa.UNWIND, st.unit.makers.action(st.unit, what).run.number)
    else:
        known = ["repeat", "for_each", "turn", st.act, *game.phases, *game.actions, *game.verbs]
        st.unit.bag.add(
            "stop-outside", node.span, f"`{what}` is nothing that could be stopped here", did_you_mean(what, known)
        )
    return scope


@core("run")
def run(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    if isinstance(node, Scalar) and node.text in st.unit.game.phases:
        st.unit.called.add(f"phase.{node.text}")
        st.proc.put(isa.CALL, st.unit.makers.phase(st.unit, node.text).number)
        return scope
    what = node.get("what") if isinstance(node, Map) else node
    if what is None:
        st.unit.bag.add("missing-key", node.span, "`run` needs a phase, or `what: ` an effect")
        return scope
    e = st.unit.infer.value(what, scope)
    if isinstance(e.type, t.Unknown):
        return scope
    if not isinstance(e.type, t.Effect) or e.op != "column":
        st.unit.bag.add(
            "wrong-type",
            what.span,
            f"{t.show(e.type)} cannot be run",
            "`run` takes a phase or a column of type effect",
        )
        return scope
    given = node if isinstance(node, Map) else Map(node.span, ())
    for name, _ in given:
        if name.text != "what" and name.text not in dict(e.type.params):
            st.unit.bag.add(
                "unknown-parameter",
                name.span,
                f"the effect has no parameter `{name.text}`",
                did_you_mean(name.text, dict(e.type.params)),
            )

    def complain(name: str) -> None:
        st.unit.bag.add("missing-parameter", given.span, f"the effect needs `{name}`")

    run_effect(st.values, e.data, e.args[0], given, scope, complain)
    return scope


@core("open")
def open_(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    name = node.text if isinstance(node, Scalar) else ""
    if name not in st.unit.game.windows:
        st.unit.infer.unknown(name, node.span, f"there is no window `{name}`", did_you_mean(name, st.unit.game.windows))
        return scope
    st.unit.called.add(f"window.{name}")
    st.proc.put(isa.CALL, st.unit.makers.window(st.unit, name, "").number)
    return scope


@core("cancel")
def cancel(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    name = node.text if isinstance(node, Scalar) else ""
    if name not in st.cancels:
        hint = (
            f"here {' or '.join(f'`{each}`' for each in st.cancels)} can be cancelled"
            if st.cancels
            else "only triggers `before` a verb and cards played `during` it can cancel it"
        )
        st.unit.bag.add("cancel-outside", node.span, f"`{name}` is not interrupted here", hint)
        return scope
    st.proc.push(1)
    st.proc.put(isa.STS, st.unit.layout.word(f"cancelled.{name}"))
    return scope


@core("proceed")
def proceed(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    if st.proceed is None:
        st.unit.bag.add(
            "cancel-outside",
            key.span,
            "nothing was interrupted that could proceed",
            "`proceed` belongs into a trigger `instead_of` a verb",
        )
        return scope
    st.proceed(st, node, scope)
    return scope


def _may_end(body: Node | None) -> bool:
    """Whether a block holds a choice or a `stop` at any depth: what can end a `repeat` without `times`."""
    if isinstance(body, Items):
        return any(_may_end(item) for item in body.items)
    if isinstance(body, Map):
        return any(key.text in ("stop", "choose", "ask", "give", "open") or _may_end(value) for key, value in body)
    return False
