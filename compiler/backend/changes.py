"""The verbs that change a number or a word: `set`, `gain`, `lose`, `advance`.

{gain: {what: gambler.chips, amount: 2}}   ->  LDF; ADD; the bounds of the column; STF; a settle point
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.backend import settle
from ludoloom.compiler.backend.proc import Proc
from ludoloom.compiler.backend.statements import Statements, core
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Map, Node, Scalar
from ludoloom.runtime import isa


@core("set")
def set_(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    inside = st.inside(node, "what", "to")
    e = st.target(st.need(inside, "what"), scope)
    if e is None:
        return scope
    with st.proc.block():
        thing = st.held(e) if e.op == "column" else None
        expected = _taken(st, e)
        value = st.unit.infer.value(st.need(inside, "to"), scope, expected)
        st.values.put(value)
        low, high = st.bounds(e, thing)
        if low is not None or high is not None:
            st.values.put(low or E("const", t.Int(), data=-(2**31) + 1))
            st.values.put(high or E("const", t.Int(), data=2**31 - 1))
            st.proc.put(isa.BOUND)
        st.write(e, thing)
    st.settle(settle.key_of(e))
    return scope


@core("lose", "as")
@core("gain", "as")
def gain(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    inside = st.inside(node, "what", "amount")
    e = st.target(st.need(inside, "what"), scope)
    if e is None:
        return st.lost(beside, scope)
    if not isinstance(e.type, t.Int):
        st.unit.bag.add("wrong-type", inside.span, f"{t.show(e.type)} cannot be gained or lost", "use `set`")
        return st.lost(beside, scope)
    amount_node = st.need(inside, "amount")
    var, after = st.bind(beside.get("as"), t.Int(), scope)
    with st.proc.block():
        thing = st.held(e) if e.op == "column" else None
        amount = st.unit.infer.value(amount_node, scope, t.Int())
        other = "lose" if key.text == "gain" else "gain"
        st.unit.not_negative(amount, amount_node.span, "the amount", f"write `{other}`")
        before = st.proc.slot()
        st.read(e, thing)
        st.proc.store(before)
        st.proc.load(before)
        st.values.put(st.unit.infer.need_int(amount, amount_node.span))
        st.proc.put(isa.ADD if key.text == "gain" else isa.SUB)
        low, high = st.bounds(e, thing)
        if low is not None:
            st.values.put(low)
            st.proc.put(isa.MAX)
        if high is not None:
            st.values.put(high)
            st.proc.put(isa.MIN)
        st.write(e, thing)
        if var is not None:
            st.read(e, thing)
            st.proc.load(before)
            st.proc.put(isa.SUB)
            if key.text == "lose":
                st.values.proc.push(-1)
                st.proc.put(isa.MUL)
            st.proc.store(var.slot)
    st.settle(settle.key_of(e))
    return after


@core("advance", "as")
def advance(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    """Space by space; each mark is met before the next step."""
    inside = st.inside(node, "what", "amount")
    what = st.need(inside, "what")
    name = what.text if isinstance(what, Scalar) else ""
    track = st.unit.game.tracks.get(name)
    if track is None:
        st.unit.infer.unknown(name, what.span, f"there is no track `{name}`", did_you_mean(name, st.unit.game.tracks))
        return st.lost(beside, scope)
    amount_node = inside.get("amount")
    amount = (
        st.unit.infer.value(amount_node, scope, t.Int()) if amount_node is not None else E("const", t.Int(), data=1)
    )
    word = st.unit.layout.word(f"track.{name}")
    walked, after = st.bind(beside.get("as"), t.Int(), scope)
    if walked is not None:
        st.proc.push(0)
        st.proc.store(walked.slot)
    with st.proc.block():
        left = st.proc.slot()
        st.values.put(st.unit.infer.need_int(amount, inside.span))
        st.proc.store(left)
        top, end, on = st.proc.label(), st.proc.label(), st.proc.label()
        st.proc.set(top)
        st.proc.count_down(left, end)
        st.proc.put(isa.LDS, word)
        st.proc.push(track.high)
        st.proc.put(isa.LT)
        wrap = st.proc.label()
        st.proc.put(isa.JZ, wrap)
        st.proc.put(isa.LDS, word)
        st.proc.push(1)
        st.proc.put(isa.ADD)
        st.proc.put(isa.STS, word)
        st.proc.put(isa.JMP, on)
        st.proc.set(wrap)
        if track.shape == "loop":
            st.proc.push(track.low)
            st.proc.put(isa.STS, word)
        else:
            st.proc.put(isa.JMP, end)
        st.proc.set(on)
        if walked is not None:
            st.proc.load(walked.slot)
            st.proc.push(1)
            st.proc.put(isa.ADD)
            st.proc.store(walked.slot)
        for mark in track.marks.values():
            if mark.reached is None:
                continue
            at = st.unit.infer.value(mark.at, Scope(), t.Int())
            following = st.proc.label()
            st.proc.put(isa.LDS, word)
            st.values.put(at)
            st.proc.put(isa.EQ)
            st.proc.put(isa.JZ, following)
            with st.proc.at(mark.span):
                st.proc.put(isa.CALL, _mark(st, name, mark.name, mark.reached).number)
            st.proc.set(following)
        st.settle(f"track.{name}")
        st.proc.put(isa.JMP, top)
        st.proc.set(end)
    return after


def _taken(st: Statements, e: E) -> t.Type:
    """What `set` may put there: what was declared, whatever is known of the value that is there now."""
    if e.op == "column":
        return st.unit.infer.maybe(e.type) if e.data.name == "owner" else e.data.type
    return st.unit.game.state[e.data[6:]].type if str(e.data).startswith("state.") else e.type


def _mark(st: Statements, track: str, mark: str, reached: Node) -> Proc:
    def build(proc: Proc) -> None:
        Statements(st.unit, proc, act=f"{track}.{mark}").block(reached, Scope())
        proc.put(isa.RET)

    return st.unit.proc(f"mark.{track}.{mark}", 0, 0, build)
