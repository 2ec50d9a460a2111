"""The verbs that go through a set: `for_each`, one after the other, and `together`, which hides the answers until all
are in.

    {for_each: {gambler: gamblers}, do: [...]}   ->  a loop over a set in the frame
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend import eyes, texts
from ludoloom.compiler.backend.choices import make
from ludoloom.compiler.backend.layout import Universe
from ludoloom.compiler.backend.lists import entries
from ludoloom.compiler.backend.offers import SECRET, Offer, fold_alike, jump_if_empty, read
from ludoloom.compiler.backend.proc import Label
from ludoloom.compiler.backend.records import Choice
from ludoloom.compiler.backend.statements import Statements, core
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar
from ludoloom.runtime import isa
from ludoloom.runtime.image import QuestionRow


@core("for_each", "do")
def for_each(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    """Each member in turn, in seat or printed order, or in the order that somebody chooses. What has left play
    meanwhile is passed over."""
    proc, infer = st.proc, st.unit.infer
    head = _loop_head(st, node, "for_each")
    if head is None:
        return scope
    name, source, options = head
    e = infer.value(source, scope)
    if isinstance(e.type, t.Unknown):
        return scope
    if e.op == "column" and isinstance(e.type, t.ListOf) and e.data.storage == "printed":
        _for_list(st, name, e, beside, scope, key)
        return scope
    whole = infer.as_set(e)
    if not isinstance(whole.type, t.SetOf) or isinstance(whole.type.of, t.Unknown):
        return scope
    of = whole.type.of
    with proc.block():
        slot, universe = _own_set(st, whole)
        var, inner = st.new(name.text, of, scope, name.span)
        end = proc.label()
        leaves = _leaves_play(whole) and isinstance(of, t.Thing)
        by = options.get("by")
        if by is not None:
            eyes.look(st, whole, st.player(by, scope, key.span), source.span, "this choice")
            st.in_loop(
                "for_each",
                end,
                lambda: _ordered(st, Offer(of, slot, universe), var, inner, by, beside, scope, key, leaves, end),
            )
            proc.set(end)
            return scope

        if whole.op == "var" and "order" in whole.data.parts:

            def next_one() -> None:
                st.branch(beside.get("do"), inner, key.span)

            st.in_loop("for_each", end, lambda: st.values.in_order(whole.data, var.slot, next_one))
            proc.set(end)
            return scope

        def one() -> None:
            skip = proc.label()
            if leaves:
                proc.load(var.slot)
                proc.put(isa.INPLAY)
                proc.put(isa.JZ, skip)
            st.branch(beside.get("do"), inner, key.span)
            proc.set(skip)

        st.in_loop("for_each", end, lambda: st.values.loop(slot, universe, var.slot, one))
        proc.set(end)
    return scope


def _loop_head(st: Statements, node: Node, what: str) -> tuple[Scalar, Node, Map] | None:
    """``{name: set}`` or ``{name: {from: set, by: who}}``."""
    if not isinstance(node, Map) or len(node) != 1:
        st.unit.bag.add("wrong-type", node.span, f"`{what}` names its element: `{{name: set}}`")
        return None
    (name, value) = node.entries[0]
    if isinstance(value, Map) and "rows" not in value:
        inside = st.inside(value, "from", "by")
        return name, st.need(inside, "from"), inside
    return name, value, Map(value.span, ())


def _leaves_play(e: E) -> bool:
    """Whether the set was made of things in play, which may have left it when their turn comes."""
    while e.op in ("where", "least", "most", "minus", "union", "nearest", "farthest") and e.args:
        e = e.args[1] if e.op in ("nearest", "farthest") else e.args[0]
    if e.op == "at":
        return not isinstance(e.args[0].type, t.Zone)
    return e.op in ("in_play", "owned")


def _for_list(st: Statements, name: Scalar, e: E, beside: Map, scope: Scope, key: Scalar) -> None:
    """The entries of a printed list in their order, repeats included."""
    proc = st.proc
    assert isinstance(e.type, t.ListOf)
    with proc.block():
        table, width, count, first = entries(st.unit, e.data)
        base, at, end, top = proc.slot(), proc.slot(), proc.label(), proc.label()
        st.values.put(e.args[0])
        proc.push(first)
        proc.put(isa.SUB)
        proc.push(width)
        proc.put(isa.MUL)
        proc.store(base)
        proc.push(0)
        proc.store(at)
        var, inner = st.new(name.text, e.type.of, scope, name.span)
        proc.set(top)
        proc.load(at)
        proc.load(base)
        proc.put(isa.TAB, table, 0, count * width)
        proc.put(isa.LT)
        proc.put(isa.JZ, end)
        proc.load(at)
        proc.push(1)
        proc.put(isa.ADD)
        proc.store(at)
        proc.load(base)
        proc.load(at)
        proc.put(isa.ADD)
        proc.put(isa.TAB, table, 0, count * width)
        proc.store(var.slot)
        st.in_loop("for_each", end, lambda: st.branch(beside.get("do"), inner, key.span))
        proc.put(isa.JMP, top)
        proc.set(end)


def _ordered(
    st: Statements,
    offered: Offer,
    var: Var,
    inner: Scope,
    by: Node,
    beside: Map,
    scope: Scope,
    key: Scalar,
    leaves: bool,
    end: Label,
) -> None:
    """The next of those left is chosen each time; one left is a forced move."""
    proc = st.proc
    who, top = proc.slot(), proc.label()
    proc.set(top)
    if leaves:
        it = proc.slot()

        def here(stays: Label) -> None:
            proc.load(it)
            proc.put(isa.INPLAY)
            proc.put(isa.JNZ, stays)

        st.values.filter(offered.slot, offered.universe, it, here)
    jump_if_empty(st, offered, end)
    seat = st.player(by, scope, key.span)
    if seat is not None:
        st.values.put(seat)
        proc.store(who)
    with proc.block():
        shown = proc.slot(offered.universe.words)
        proc.put(isa.SOP, shown, offered.slot, offered.universe.words, 0)
        fold_alike(st, shown, offered.universe, offered.of)
        proc.load(who)
        proc.put(isa.OPTS, shown, offered.universe.first, offered.universe.words, 0)
    row = QuestionRow(st.act, var.name, f"which {texts.title(var.name).lower()} is next", st.unit.row(offered.of))
    proc.load(who)
    proc.put(isa.ASK, st.unit.question(row))
    proc.put(isa.ANS, 2)
    proc.store(var.slot)
    proc.load(var.slot)
    proc.put(isa.SDEL, offered.slot, offered.universe.first, offered.universe.count)
    st.branch(beside.get("do"), inner, key.span)
    proc.put(isa.JMP, top)


def _own_set(st: Statements, whole: E) -> tuple[int, Universe]:
    """The members that there are now: what the loop does to a set with a name does not change them."""
    slot, universe = st.values.set(whole)
    if whole.op == "var":
        copy = st.proc.slot(universe.words)
        st.proc.put(isa.SOP, copy, slot, universe.words, 0)
        slot = copy
    return slot, universe


@core("together", "do")
def together(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    """Choices that nobody sees until all are in: what stands before a choice is done for all, then all are asked,
    then what comes after is done for all."""
    proc, infer = st.proc, st.unit.infer
    head = _loop_head(st, node, "together")
    body = beside.get("do")
    if head is None or not isinstance(body, Items):
        if head is not None:
            st.unit.bag.add("missing-key", key.span, "`together` needs `do: [...]`")
        return scope
    name, source, _ = head
    whole = infer.as_set(infer.value(source, scope))
    if not isinstance(whole.type, t.SetOf) or not isinstance(whole.type.of, t.Thing):
        return scope
    of = whole.type.of
    with proc.block():
        slot, universe = _own_set(st, whole)
        var, inner = st.new(name.text, of, scope, name.span)
        index = E("sub", t.Int(), (E("var", of, data=var), E("const", t.Int(), data=universe.first)))
        run: list[Node] = []

        def flush() -> None:
            if run:
                part = Items(key.span, tuple(run))
                st.values.loop(slot, universe, var.slot, lambda: st.branch(part, inner, key.span))
                run.clear()

        for statement in body.items:
            chosen = statement.get("choose") if isinstance(statement, Map) else None
            if chosen is None or not isinstance(statement, Map):
                run.append(statement)
                continue
            flush()
            _asked_together(st, chosen, statement, slot, universe, var, inner, index, key)
        flush()
    return scope


def _asked_together(
    st: Statements,
    chosen: Node,
    statement: Map,
    slot: int,
    universe: Universe,
    var: Var,
    inner: Scope,
    index: E,
    key: Scalar,
) -> None:
    proc = st.proc
    listed = read(st, chosen, key)
    if len(listed) != 1 or listed[0].assigns or listed[0].options.get("count") is not None:
        st.unit.bag.add(
            "wrong-clause",
            chosen.span,
            "inside `together` a `choose` makes one choice of one thing",
            "write several `choose` one after the other",
        )
        return
    choice = listed[0]
    size = universe.count
    answers, made = proc.slot(size), proc.slot(size)
    types: list[t.Type] = []

    def question() -> None:
        fail, end = proc.label(), proc.label()
        secret = Choice(
            choice.name, choice.key, choice.source, Map(choice.options.span, choice.options.entries + SECRET)
        )
        bound = make(st, [secret], inner, fail)
        types.append(bound.names[choice.name].type)
        st.values.put(bound.names[choice.name])
        st.values.put(index)
        proc.put(isa.STX, answers, size)
        proc.push(1)
        st.values.put(index)
        proc.put(isa.STX, made, size)
        proc.put(isa.JMP, end)
        proc.set(fail)
        proc.push(0)
        st.values.put(index)
        proc.put(isa.STX, made, size)
        proc.set(end)

    st.values.loop(slot, universe, var.slot, question)
    st.sealed.clear()

    def follow() -> None:
        flag, answer = proc.slot(), Var(choice.name, types[0], choice.key.span, proc.slot())
        st.values.put(index)
        proc.put(isa.LDX, made, size)
        proc.store(flag)
        st.values.put(index)
        proc.put(isa.LDX, answers, size)
        proc.store(answer.slot)
        st.then_else(statement, flag, inner.bind_var(answer), inner, key.span)

    st.values.loop(slot, universe, var.slot, follow)
