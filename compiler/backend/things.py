"""The verbs that move and show things: `move`, `draw`, `shuffle`, `turn`, `place`, `show`.

{move: {what: card, to: discard}}   ->  LD card; LD discard; MOVE; a settle point
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.members import Members
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend import assigned, settle
from ludoloom.compiler.backend.proc import Label
from ludoloom.compiler.backend.statements import Statements, core
from ludoloom.compiler.frontend.nodes import Map, Node, Scalar, Span
from ludoloom.runtime import isa
from ludoloom.runtime.image import TextRow


@core("move")
def move(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    inside = st.inside(node, "what", "to", "at")
    what_node, to_node = st.need(inside, "what"), st.need(inside, "to")
    what = st.unit.infer.value(what_node, scope)
    to = st.place(to_node, scope)
    bottom = _at(st, inside)
    if to is None or isinstance(what.type, t.Unknown):
        return scope
    if isinstance(what.type, t.Zone):
        check_holds(st, to, what.type.holds, what_node.span)
        st.values.put(what)
        st.values.put(to)
        st.proc.put(isa.MOVALL, bottom)
    elif isinstance(what.type, t.SetOf | t.ListOf):
        if isinstance(what.type.of, t.Thing):
            check_holds(st, to, what.type.of.kinds, what_node.span)
        with st.proc.block():
            goal = Var("to", to.type, slot=st.proc.slot())
            st.values.put(to)
            st.proc.store(goal.slot)
            it = Var("it", what.type.of)

            def one() -> None:
                st.proc.load(it.slot)
                st.proc.load(goal.slot)
                st.proc.put(isa.MOVE, bottom)

            st.values.each(st.unit.infer.as_set(what), it, one)
    elif isinstance(what.type, t.Thing):
        if t.missing(what.type):
            st.unit.bag.add(
                "maybe-none",
                what_node.span,
                "what is moved may be none",
                "ask first: `… is not none`, or choose from it",
            )
        check_holds(st, to, what.type.kinds, what_node.span)
        st.values.put(what)
        st.values.put(to)
        st.proc.put(isa.MOVE, bottom)
    else:
        st.unit.bag.add("wrong-type", what_node.span, f"{t.show(what.type)} cannot be moved")
    st.settle(settle.PLACES)
    return scope


@core("draw", "as", "then", "else")
def draw(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    inside = st.inside(node, "from", "to", "count", "at")
    source = zone(st, st.need(inside, "from"), scope)
    to = st.place(st.need(inside, "to"), scope)
    count_node = inside.get("count")
    if source is None or to is None:
        return st.lost(beside, scope)
    assert isinstance(source.type, t.Zone)
    if source.type.order == "none":
        st.unit.bag.add(
            "top-of-unordered",
            node.span,
            "the zone has no order, so it has no top",
            "give it `order: pile`, or choose from it",
        )
    holds = source.type.holds or tuple(kind.name for kind in st.unit.game.kinds.values())
    check_holds(st, to, holds, node.span)
    result: t.Type = t.SetOf(t.Thing(*holds)) if count_node is not None else t.Thing(*holds, missing=True)
    var, after = st.bind(beside.get("as"), result, scope)
    some, end = st.proc.slot(), st.proc.label()
    universe = st.unit.universe(t.Thing(*holds))
    with st.proc.block():
        pile, goal, drawn = (st.proc.slot() for _ in range(3))
        st.values.put(source)
        st.proc.store(pile)
        st.values.put(to)
        st.proc.store(goal)
        st.proc.push(0)
        st.proc.store(some)
        if var is not None:
            if count_node is not None:
                st.proc.put(isa.SNEW, var.slot, universe.words)
            else:
                st.proc.push(0)
                st.proc.store(var.slot)

        def one(stop: Label) -> None:
            refill(st, source, pile, scope)
            st.proc.load(pile)
            st.proc.put(isa.DRAW)
            st.proc.store(drawn)
            st.proc.load(drawn)
            st.proc.put(isa.JZ, stop)
            st.proc.load(drawn)
            st.proc.load(goal)
            st.proc.put(isa.MOVE, _at(st, inside))
            st.proc.push(1)
            st.proc.store(some)
            if var is not None:
                st.proc.load(drawn)
                if count_node is not None:
                    st.proc.put(isa.SADD, var.slot, universe.first, universe.count)
                else:
                    st.proc.store(var.slot)

        if count_node is None:
            one(end)
        else:
            left = st.proc.slot()
            count = st.unit.infer.need_int(st.unit.infer.value(count_node, scope, t.Int()), count_node.span)
            st.unit.not_negative(count, count_node.span, "the count", "write how many are drawn")
            st.values.put(count)
            st.proc.store(left)
            top = st.proc.label()
            st.proc.set(top)
            st.proc.count_down(left, end)
            one(end)
            st.proc.put(isa.JMP, top)
        st.proc.set(end)
    st.settle(settle.PLACES)
    st.then_else(beside, some, after.prove(var.name) if var is not None else after, after, key.span)
    return after


@core("shuffle")
def shuffle(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    pile = zone(st, node, scope)
    if pile is None:
        return scope
    assert isinstance(pile.type, t.Zone)
    if pile.type.order == "none":
        st.unit.bag.add(
            "top-of-unordered", node.span, "a zone without order cannot be shuffled", "give it `order: pile`"
        )
    st.unit.shuffled.append(pile)
    st.values.put(pile)
    st.proc.put(isa.SHUF)
    return scope


@core("turn")
def turn(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    inside = st.inside(node, "what", "to")
    what_node, to_node = st.need(inside, "what"), st.need(inside, "to")
    what = st.unit.infer.value(what_node, scope)
    if not isinstance(what.type, t.Thing):
        if not isinstance(what.type, t.Unknown):
            st.unit.bag.add("wrong-type", what_node.span, f"{t.show(what.type)} cannot be turned")
        return scope
    kind = st.unit.game.kinds[what.type.kinds[0]]
    if not kind.faces:
        st.unit.bag.add(
            "wrong-type", what_node.span, f"{kind.name} has no faces", "declare `faces: [back, front]` in the kind"
        )
        return scope
    faces = t.Enum(Members(st.unit.game).faces_enum(kind))
    to = st.unit.infer.value(to_node, scope, faces)
    offset, first, count = st.values.face_column(what.type)
    st.values.put(to)
    st.values.put(what)
    st.proc.put(isa.STF, offset, first, count)
    st.settle(settle.FACES, settle.PLACES)
    return scope


@core("place")
def place(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    assigned.place(st, node, scope)
    st.settle(settle.PLACES)
    return scope


@core("show")
def show(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> Scope:
    """A private look: only the player sees the report."""
    inside = st.inside(node, "what", "to")
    what_node, to_node = st.need(inside, "what"), st.need(inside, "to")
    what = st.unit.infer.value(what_node, scope)
    seat = st.player(to_node, scope, to_node.span)
    if seat is None or isinstance(what.type, t.Unknown):
        return scope
    if isinstance(what.type, t.Zone):
        it = Var("it", t.Thing(*what.type.holds))
        st.values.each(st.unit.infer.as_set(what), it, lambda: _report_look(st, seat, E("var", it.type, data=it)))
    else:
        _report_look(st, seat, what)
    return scope


def check_holds(st: Statements, to: E, kinds: tuple[str, ...], span: Span) -> None:
    """A zone takes only what it holds."""
    if isinstance(to.type, t.Zone) and to.type.holds:
        wrong = [kind for kind in kinds if not any(st.unit.infer.is_a(kind, held) for held in to.type.holds)]
        if wrong and len(wrong) == len(kinds):
            st.unit.bag.add("holds-other-kind", span, f"the zone holds {' or '.join(to.type.holds)}, not {wrong[0]}")


def _at(st: Statements, inside: Map) -> int:
    at = inside.get("at")
    if at is None:
        return 0
    if isinstance(at, Scalar) and at.text in ("top", "bottom"):
        return int(at.text == "bottom")
    st.unit.bag.add("wrong-type", at.span, "`at` is `top` or `bottom`")
    return 0


def zone(st: Statements, node: Node, scope: Scope) -> E | None:
    e = st.unit.infer.value(node, scope)
    if isinstance(e.type, t.Zone):
        return e
    if not isinstance(e.type, t.Unknown):
        st.unit.bag.add("wrong-type", node.span, f"{t.show(e.type)} is no zone")
    return None


def refill(st: Statements, source: E, pile: int, scope: Scope) -> None:
    """An empty pile that has a `refill` takes it first."""
    declared = (
        source.data
        if source.op == "zone_of"
        else next((z for z in st.unit.game.zones.values() if source.op == "const" and z.first == source.data), None)
    )
    if declared is None or declared.refill is None:
        return
    origin = declared.refill.get("from")
    if origin is None:
        return
    own = Scope(self_=source.args[0]) if source.op == "zone_of" else Scope()
    where = zone(st, origin, own)
    if where is None:
        return
    assert isinstance(where.type, t.Zone)
    assert isinstance(source.type, t.Zone)
    for kind in where.type.holds if source.type.holds else ():
        if not any(st.unit.infer.is_a(kind, held) for held in source.type.holds):
            holds = " or ".join(source.type.holds)
            message = f"`{declared.name}` holds {holds}, and from here comes {kind} too"
            hint = "fill it from a zone that holds nothing else"
            st.unit.bag.add("holds-other-kind", origin.span, message, hint)
    full = st.proc.label()
    st.proc.load(pile)
    st.proc.put(isa.ZCNT)
    st.proc.put(isa.JNZ, full)
    st.values.put(where)
    st.proc.load(pile)
    st.proc.put(isa.MOVALL, 1)
    shuffled = declared.refill.get("shuffled")
    if isinstance(shuffled, Scalar) and shuffled.value is True:
        st.proc.load(pile)
        st.proc.put(isa.SHUF)
    st.proc.set(full)


def _report_look(st: Statements, seat: E, what: E) -> None:
    columns: list[tuple[str, E]] = [("what", E(what.op, what.type, what.args, what.data))]
    if what.op == "facet" and isinstance(what.type, t.Thing):
        kind = st.unit.game.kinds[what.type.kinds[0]]
        columns[0] = ("what", what.args[0])
        for column in kind.columns.values():
            if column.face == what.data and isinstance(column.type, t.Int | t.Enum | t.Bool | t.Thing):
                columns.append((column.name, E("column", column.type, (what,), column)))
    st.values.put(seat)
    for _, e in columns:
        st.values.put(e)
    names = ("player", *(name for name, _ in columns))
    text = "{player} looks at {what}" + "".join(f", {name}: {{{name}}}" for name in names[2:])
    types = (st.unit.row(seat.type), *(st.unit.row(e.type) for _, e in columns))
    st.proc.put(isa.EVENT, st.unit.event(TextRow("show", text, names, types, private=True)), len(names))
