"""What a choice offers: a `choose` as it is written, its sets built in the frame, how many may be taken.

choose: {card: {from: hand, count: 1 to 2}}   ->  one `Choice`; an `Offer` of a set; two slots with 1 and 2
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend import texts
from ludoloom.compiler.backend.layout import Universe
from ludoloom.compiler.backend.proc import Label
from ludoloom.compiler.backend.records import Choice
from ludoloom.compiler.backend.statements import Statements
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.runtime import isa
from ludoloom.runtime.image import QuestionRow

KEYS = frozenset(
    (
        "from",
        "by",
        "count",
        "in_order",
        "such_that",
        "optional",
        "secret",
        "assign",
        "to",
        "pair",
        "reuse",
        "turns",
        "prefer",
        "says",
    )
)
_NOWHERE = Span("", 1, 1, 1, 1)
SECRET: tuple[tuple[Scalar, Node], ...] = (
    (Scalar(_NOWHERE, "secret", "secret", True), Scalar(_NOWHERE, True, "true", True)),
)
"""The entry `secret: true`, for choices that are sealed by where they stand."""


def read(st: Statements, node: Node, key: Scalar) -> list[Choice]:
    """The choices of a `choose` mapping, in order."""
    if not isinstance(node, Map):
        st.unit.bag.add("wrong-type", node.span, "`choose` names its choices: `{name: set}`")
        return []
    found: list[Choice] = []
    for name, value in node:
        if isinstance(value, Map) and "rows" not in value:
            for option, _ in value:
                if option.text not in KEYS:
                    st.unit.bag.add(
                        "unknown-key",
                        option.span,
                        f"a choice has no `{option.text}`",
                        did_you_mean(option.text, sorted(KEYS)),
                    )
            source = value.get("from") or value.get("to")
            if source is None:
                st.unit.bag.add(
                    "missing-key", value.span, f"the choice `{name.text}` does not say from what", "add `from: …`"
                )
                continue
            if "in_order" in value and "count" not in value:
                st.unit.bag.add(
                    "wrong-clause",
                    value.span,
                    "one thing alone has no order",
                    "add `count: …`, or leave `in_order` out",
                )
            found.append(Choice(name.text, name, source, value))
        else:
            found.append(Choice(name.text, name, value, Map(value.span, ())))
    return found


@dataclass(slots=True)
class Offer:
    """What a choice offers, built: a set in the frame, or the numbers from slot `low` to slot `high`."""

    of: t.Type
    slot: int = -1
    universe: Universe = field(default=Universe(1, 1))
    low: int = -1
    high: int = -1


def _members(st: Statements, node: Items) -> E | None:
    """A list of enumeration members that belong to one enumeration, as a set."""
    names = [item.text for item in node.items if isinstance(item, Scalar)]
    if len(names) != len(node.items):
        return None
    fits = [name for name, members in st.unit.game.enums.items() if names and all(each in members for each in names)]
    if len(fits) != 1:
        return None
    members = st.unit.game.enums[fits[0]]
    return E("things", t.SetOf(t.Enum(fits[0])), data=tuple(members.index(name) + 1 for name in names), span=node.span)


def offer(st: Statements, choice: Choice, scope: Scope) -> Offer | None:
    """Build what a choice offers."""
    infer, proc = st.unit.infer, st.proc
    source = choice.source
    if isinstance(source, Items):
        listed = _members(st, source)
        if listed is None:
            return _first_filled(st, source, scope)
        e = listed
    else:
        e = infer.value(source, scope)
    if isinstance(e.type, t.Range):
        if e.op == "const":
            low, high = (e.data & 0x7FFF) - isa.RANGE_BIAS, (e.data >> 15) - isa.RANGE_BIAS
            if high >= isa.RANGE_MAX:
                return _without_end(st, source)
            parts: tuple[E, E] = (E("const", t.Int(), data=low), E("const", t.Int(), data=high))
        else:
            parts = (e.args[0], e.args[1])
            if parts[1].op == "const" and parts[1].data == isa.RANGE_OPEN:
                return _without_end(st, source)
            if all(end.op == "const" for end in parts) and parts[1].data - parts[0].data >= isa.RANGE_MAX:
                message = f"a choice among {parts[1].data - parts[0].data + 1} numbers is too large"
                st.unit.bag.add("number-unbounded", source.span, message, "write ends that are closer to each other")
                return None
        low_slot, high_slot = proc.slot(), proc.slot()
        st.values.put(parts[0])
        proc.store(low_slot)
        st.values.put(parts[1])
        proc.store(high_slot)
        return Offer(t.Int(), low=low_slot, high=high_slot)
    whole = infer.as_set(e)
    if not isinstance(whole.type, t.SetOf) or isinstance(whole.type.of, t.Unknown):
        return None
    slot = proc.slot(st.unit.universe(whole.type.of).words)
    universe = st.unit.universe(whole.type.of)
    st.values.set_into(whole, slot, universe)
    fold_alike(st, slot, universe, whole.type.of)
    return Offer(whole.type.of, slot, universe)


def _without_end(st: Statements, source: Node) -> None:
    st.unit.bag.add("number-unbounded", source.span, "a choice of a number needs an upper end", "write `0 to …`")


def _first_filled(st: Statements, source: Items, scope: Scope) -> Offer | None:
    """Sets tried in turn: the first that is not empty."""
    infer, proc = st.unit.infer, st.proc
    wholes = [infer.as_set(infer.value(item, scope)) for item in source.items]
    common = infer.common([whole.type.of for whole in wholes if isinstance(whole.type, t.SetOf)])
    if isinstance(common, t.Unknown):
        return None
    universe = st.unit.universe(common)
    slot, end = proc.slot(universe.words), proc.label()
    for whole in wholes:
        st.values.set_into(whole, slot, universe)
        proc.put(isa.SCNT, slot, universe.words)
        proc.put(isa.JNZ, end)
    proc.set(end)
    fold_alike(st, slot, universe, common)
    return Offer(common, slot, universe)


def fold_alike(st: Statements, slot: int, universe: Universe, of: t.Type) -> None:
    """Things that cannot be told apart (declared by their kind) are one option: the first of them."""
    if not isinstance(of, t.Thing) or len(of.kinds) != 1:
        return
    kind = st.unit.game.kinds[of.kinds[0]]
    if kind.alike is None:
        return
    proc = st.proc
    with proc.block():
        one, two = Var("one", of, slot=proc.slot()), Var("two", of, slot=proc.slot())

        def compare() -> None:
            first, later = E("var", of, data=two), E("var", of, data=one)
            done, top = proc.label(), proc.label()
            proc.push(0)
            proc.store(two.slot)
            proc.set(top)
            proc.put(isa.SNEXT, slot, universe.first, universe.words, two.slot, done)
            proc.load(two.slot)
            proc.load(one.slot)
            proc.put(isa.LT)
            proc.put(isa.JZ, done)
            for op in ("item", "loc"):
                st.values.put(E(op, of, (first,)))
                st.values.put(E(op, of, (later,)))
                proc.put(isa.EQ)
                proc.put(isa.JZ, top)
            for name in kind.alike or ():
                column = kind.columns.get(name)
                if column is None:
                    continue
                st.values.put(E("column", column.type, (first,), column))
                st.values.put(E("column", column.type, (later,), column))
                proc.put(isa.EQ)
                proc.put(isa.JZ, top)
            proc.load(one.slot)
            proc.put(isa.SDEL, slot, universe.first, universe.count)
            proc.set(done)

        st.values.loop(slot, universe, one.slot, compare)


def jump_if_empty(st: Statements, offered: Offer, label: Label) -> None:
    if offered.slot >= 0:
        st.proc.put(isa.SCNT, offered.slot, offered.universe.words)
        st.proc.put(isa.JZ, label)
    else:
        st.proc.load(offered.low)
        st.proc.load(offered.high)
        st.proc.put(isa.LE)
        st.proc.put(isa.JZ, label)


def each_offered(st: Statements, offered: Offer, at: int, body: Callable[[], None]) -> None:
    """Run `body` for each offered value, which lies in slot `at`."""
    proc = st.proc
    if offered.slot >= 0:
        st.values.loop(offered.slot, offered.universe, at, body)
        return
    top, end = proc.label(), proc.label()
    proc.load(offered.low)
    proc.store(at)
    proc.set(top)
    proc.load(at)
    proc.load(offered.high)
    proc.put(isa.LE)
    proc.put(isa.JZ, end)
    body()
    proc.load(at)
    proc.push(1)
    proc.put(isa.ADD)
    proc.store(at)
    proc.put(isa.JMP, top)
    proc.set(end)


def least_of(choice: Choice) -> int:
    count = choice.options.get("count")
    if isinstance(count, Scalar):
        if type(count.value) is int:
            return count.value
        head = count.text.partition(" to ")[0].rstrip("+").strip()
        return int(head) if head.isdigit() else 0
    return 1


def bounds(st: Statements, choice: Choice, offered: Offer, scope: Scope) -> tuple[int, int]:
    """How many may be chosen, in two slots."""
    proc = st.proc
    count = choice.options.get("count")
    assert count is not None
    low, high = proc.slot(), proc.slot()
    if isinstance(count, Scalar) and count.text == "any":
        proc.push(0)
        proc.store(low)
        proc.put(isa.SCNT, offered.slot, offered.universe.words)
        proc.store(high)
        return low, high
    e = st.unit.infer.value(count, scope, t.Range())
    ends: tuple[E, E]
    if e.op == "range":
        ends = (e.args[0], e.args[1])
    else:
        packed = e.data if e.op == "const" and isinstance(e.data, int) else 0
        lowest, highest = (packed & 0x7FFF) - isa.RANGE_BIAS, (packed >> 15) - isa.RANGE_BIAS
        ends = (E("const", t.Int(), data=lowest), E("const", t.Int(), data=highest))
    for end, slot in zip(ends, (low, high), strict=True):
        st.values.put(end)
        proc.store(slot)
    return low, high


def put_question(st: Statements, choice: Choice, of: t.Type, who: int, secret: bool | None = None) -> None:
    says = choice.options.get("says")
    text = says.text if isinstance(says, Scalar) else f"choose {texts.title(choice.name).lower()}"
    row = QuestionRow(st.act, choice.name, text, st.unit.row(of), choice.flag("secret") if secret is None else secret)
    st.proc.load(who)
    st.proc.put(isa.ASK, st.unit.question(row))
