"""Questions: who is asked, what is offered, what follows.

    choose: {target: {from: hero.monsters_in(reach), by: hero}}

becomes: build the set, leave out what would leave a later choice empty, offer each member, ask, keep the answer under
its name. The same code serves `choose` statements and the heads of acts; there the test "could this be done at all"
(`feasible`) is also a procedure of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend import assign, eyes, texts
from ludoloom.compiler.backend.layout import Universe
from ludoloom.compiler.backend.proc import Label
from ludoloom.compiler.backend.records import Choice
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.runtime import isa
from ludoloom.runtime.image import QuestionRow, TypeRow

if TYPE_CHECKING:
    from ludoloom.compiler.backend.statements import Statements

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


LONGEST = 64
"""Most things of one choice whose order counts."""


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
                    from ludoloom.compiler.diagnostics.nearest import did_you_mean

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
                st.unit.bag.add(
                    "number-unbounded", source.span, "a choice of a number needs an upper end", "write `0 to …`"
                )
                return None
            parts: tuple[E, E] = (E("const", t.Int(), data=low), E("const", t.Int(), data=high))
        else:
            parts = (e.args[0], e.args[1])
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
    _fold_alike(st, slot, universe, whole.type.of)
    return Offer(whole.type.of, slot, universe)


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
    _fold_alike(st, slot, universe, common)
    return Offer(common, slot, universe)


def _fold_alike(st: Statements, slot: int, universe: Universe, of: t.Type) -> None:
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


CostTest = Callable[[Scope, Label], None]


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
        least = _least(choice)
        depends = any(later.mentions(choice.name) for later in rest) or (
            cost is not None and cost_mentions(cost, choice.name)
        )
        if choice.options.get("count") is not None:
            if offered.slot < 0:
                return  # reported where it is made
            if depends or choice.options.get("such_that") is not None:
                low, high = _bounds(st, choice, offered, scope)
                whole = Var(choice.name, t.SetOf(offered.of), slot=proc.slot(offered.universe.words))
                none = proc.slot(offered.universe.words)
                proc.put(isa.SNEW, none, offered.universe.words)
                found = proc.label()
                holds = _holds(st, choice, rest, scope.bind_var(whole), cost)
                _complete(st, whole, none, offered, low, high, holds, found)
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
        if not depends:
            # What follows does not speak of it, so any member serves (a placeholder keeps the words known).
            feasible(st, rest, inner, fail, cost)
            return
        found, end = proc.label(), proc.label()

        def one() -> None:
            following = proc.label()
            feasible(st, rest, inner, following, cost)
            proc.put(isa.JMP, found)
            proc.set(following)

        _each_offered(st, offered, var.slot, one)
        proc.put(isa.JMP, fail)
        proc.set(found)
        proc.set(end)


def cost_mentions(cost: CostTest, name: str) -> bool:
    """Whether a price speaks of a choice (the test of an act's cost carries its words)."""
    words: frozenset[str] = getattr(cost, "words", frozenset())
    return name in words


def _least(choice: Choice) -> int:
    count = choice.options.get("count")
    if isinstance(count, Scalar):
        if type(count.value) is int:
            return count.value
        head = count.text.partition(" to ")[0].rstrip("+").strip()
        return int(head) if head.isdigit() else 0
    return 1


def _each_offered(st: Statements, offered: Offer, at: int, body: Callable[[], None]) -> None:
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
            if choice.options.get("count") is not None:
                scope = _several(st, choice, rest, offered, scope, who, fail, cost)
                if choice.flag("secret"):
                    eyes.seal(st, scope.names.get(choice.name), seat)
                continue
            speaks = any(later.mentions(choice.name) for later in rest) or (
                cost is not None and cost_mentions(cost, choice.name)
            )
            optional = choice.flag("optional")
            var = Var(choice.name, offered.of, choice.key.span, proc.slot())
            inner = scope.bind_var(var)
            if speaks and offered.slot >= 0:
                at = Var(choice.name, offered.of, slot=var.slot)

                def keep(stays: Label, at: Var = at, rest: list[Choice] = rest, scope: Scope = scope) -> None:
                    drop = proc.label()
                    feasible(st, rest, scope.bind_var(at), drop, cost)
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

                def add(
                    number: Var = var,
                    rest: list[Choice] = rest,
                    inner: Scope = inner,
                    test: bool = speaks,
                    some: int = some,
                    who: int = who,
                ) -> None:
                    skip = proc.label()
                    if test:
                        feasible(st, rest, inner, skip, cost)
                        proc.push(1)
                        proc.store(some)
                    proc.load(who)
                    proc.push(0)
                    proc.load(number.slot)
                    proc.push(0)
                    proc.put(isa.OPT)
                    proc.set(skip)

                _each_offered(st, offered, var.slot, add)
                if speaks:
                    proc.load(some)
                    proc.put(isa.JZ, fail)
            if optional:
                none = isa.NIL if isinstance(offered.of, t.Int) else 0
                for number in ("who", 0, none, 0):
                    proc.load(who) if number == "who" else proc.push(int(number))
                proc.put(isa.OPT)
            _ask(st, choice, offered.of, who)
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


def _ask(st: Statements, choice: Choice, of: t.Type, who: int, secret: bool | None = None) -> None:
    says = choice.options.get("says")
    text = says.text if isinstance(says, Scalar) else f"choose {texts.title(choice.name).lower()}"
    row = QuestionRow(st.act, choice.name, text, st.unit.row(of), choice.flag("secret") if secret is None else secret)
    st.proc.load(who)
    st.proc.put(isa.ASK, st.unit.question(row))


def _several(
    st: Statements,
    choice: Choice,
    rest: list[Choice],
    offered: Offer,
    scope: Scope,
    who: int,
    fail: Label,
    cost: CostTest | None,
) -> Scope:
    """A choice of several: built one by one, with "done" once enough are taken."""
    proc = st.proc
    count = choice.options.get("count")
    assert count is not None
    if offered.slot < 0:
        st.unit.bag.add("wrong-type", count.span, "several numbers cannot be chosen at once")
        return scope
    low, high = _bounds(st, choice, offered, scope)
    proc.load(low)
    proc.put(isa.SCNT, offered.slot, offered.universe.words)
    proc.put(isa.LE)
    proc.put(isa.JZ, fail)
    chosen = Var(choice.name, t.SetOf(offered.of), choice.key.span, proc.slot(offered.universe.words))
    inner = scope.bind_var(chosen)
    proc.put(isa.SNEW, chosen.slot, offered.universe.words)
    order = _order(st, choice, chosen, offered, high)
    tested = choice.options.get("such_that") is not None or any(later.mentions(choice.name) for later in rest)
    tested = tested or (cost is not None and cost_mentions(cost, choice.name))
    holds = _holds(st, choice, rest, inner, cost)
    top, end, taken = proc.label(), proc.label(), proc.slot()
    proc.set(top)
    proc.put(isa.SCNT, chosen.slot, offered.universe.words)
    proc.load(high)
    proc.put(isa.LT)
    proc.put(isa.JZ, end)
    if tested:

        def keep(stays: Label) -> None:
            _with_one_more(st, choice, rest, scope, cost, chosen, taken, offered, (low, high), stays)

        st.values.filter(offered.slot, offered.universe, taken, keep)
    proc.put(isa.SCNT, offered.slot, offered.universe.words)
    proc.put(isa.JZ, end)
    proc.load(who)
    proc.put(isa.OPTS, offered.slot, offered.universe.first, offered.universe.words, 0)
    skip = proc.label()
    proc.load(low)
    proc.put(isa.SCNT, chosen.slot, offered.universe.words)
    proc.put(isa.LE)
    proc.put(isa.JZ, skip)
    if tested:
        with proc.block():
            holds(skip)
    proc.load(who)
    proc.push(st.unit.label("choice.done", texts.row(st.unit, "done", "done", ())))
    proc.push(0)
    proc.push(0)
    proc.put(isa.OPT)
    proc.set(skip)
    _ask(st, choice, offered.of, who)
    proc.put(isa.ANS, 2)
    proc.store(taken)
    proc.load(taken)
    proc.put(isa.JZ, end)
    if order is not None:
        proc.load(taken)
        proc.put(isa.SCNT, chosen.slot, offered.universe.words)
        proc.put(isa.STX, *order)
    proc.load(taken)
    proc.put(isa.SADD, chosen.slot, offered.universe.first, offered.universe.count)
    proc.load(taken)
    proc.put(isa.SDEL, offered.slot, offered.universe.first, offered.universe.count)
    proc.put(isa.JMP, top)
    proc.set(end)
    if tested:
        with proc.block():
            holds(fail)
    return inner


def _order(st: Statements, choice: Choice, chosen: Var, offered: Offer, high: int) -> tuple[int, int] | None:
    """With `in_order`: a row of slots for the things in the order in which they are chosen; what runs through the
    chosen things keeps to it (`Values.in_order`)."""
    if not choice.flag("in_order"):
        return None
    proc, size = st.proc, min(offered.universe.count, LONGEST)
    if size < offered.universe.count:
        proc.load(high)
        proc.push(size)
        proc.put(isa.MIN)
        proc.store(high)
    order = proc.slot(size), size
    chosen.parts["order"] = order
    return order


def _bounds(st: Statements, choice: Choice, offered: Offer, scope: Scope) -> tuple[int, int]:
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


Holds = Callable[[Label], None]
"""Falls through if a choice of several is whole as it stands, else goes to the label."""


def _holds(st: Statements, choice: Choice, rest: list[Choice], inner: Scope, cost: CostTest | None) -> Holds:
    """What must be true of the whole: `such_that`, and that what follows can be chosen and paid."""
    such_that = choice.options.get("such_that")

    def holds(otherwise: Label) -> None:
        if such_that is not None:
            st.values.jump_if_not(st.unit.infer.condition(such_that, inner), otherwise)
        feasible(st, rest, inner, otherwise, cost)

    return holds


def _with_one_more(
    st: Statements,
    choice: Choice,
    rest: list[Choice],
    scope: Scope,
    cost: CostTest | None,
    chosen: Var,
    more: int,
    offered: Offer,
    bounds: tuple[int, int],
    found: Label,
) -> None:
    """Go to `found` if the choice can become whole once the thing in slot `more` is chosen too."""
    proc, words = st.proc, offered.universe.words
    with proc.block():
        start, left = proc.slot(words), proc.slot(words)
        proc.put(isa.SOP, start, chosen.slot, words, 0)
        proc.put(isa.SOP, left, offered.slot, words, 0)
        proc.load(more)
        proc.put(isa.SADD, start, offered.universe.first, offered.universe.count)
        proc.load(more)
        proc.put(isa.SDEL, left, offered.universe.first, offered.universe.count)
        whole = Var(choice.name, t.SetOf(offered.of), slot=proc.slot(words))
        holds = _holds(st, choice, rest, scope.bind_var(whole), cost)
        _complete(st, whole, start, Offer(offered.of, left, offered.universe), *bounds, holds, found)


TRIES = 500
"""How many ways to go on a choice of several looks at before it takes for granted that one of them is right."""


def _complete(
    st: Statements, whole: Var, start: int, left: Offer, low: int, high: int, holds: Holds, found: Label
) -> None:
    """Go to `found` if the set at `start` with none, some or all of `left` is whole; fall through if no such way is
    there. All ways are tried, each thing with those behind it, built in `whole`."""
    proc, universe = st.proc, left.universe
    words = universe.words
    with proc.block():
        at, last, tries, taken = proc.slot(), proc.slot(), proc.slot(), proc.slot(words)
        test, more, back, none = (proc.label() for _ in range(4))
        proc.put(isa.SOP, whole.slot, start, words, 0)
        proc.push(TRIES)
        proc.store(tries)
        proc.push(0)
        proc.store(at)
        proc.set(test)
        proc.load(low)
        proc.put(isa.SCNT, whole.slot, words)
        proc.put(isa.LE)
        proc.put(isa.JZ, more)
        with proc.block():
            holds(more)
        proc.put(isa.JMP, found)
        proc.set(more)
        proc.load(tries)
        proc.push(1)
        proc.put(isa.SUB)
        proc.put(isa.DUP)
        proc.store(tries)
        proc.put(isa.JZ, found)
        proc.put(isa.SCNT, whole.slot, words)
        proc.load(high)
        proc.put(isa.LT)
        proc.put(isa.JZ, back)
        proc.put(isa.SNEXT, left.slot, universe.first, words, at, back)
        proc.load(at)
        proc.put(isa.SADD, whole.slot, universe.first, universe.count)
        proc.put(isa.JMP, test)
        proc.set(back)
        proc.put(isa.SOP, taken, whole.slot, words, 0)
        proc.put(isa.SOP, taken, start, words, 3)
        proc.push(0)
        proc.store(last)

        def later() -> None:
            proc.load(at)
            proc.store(last)

        st.values.loop(taken, universe, at, later)
        proc.load(last)
        proc.put(isa.JZ, none)
        proc.load(last)
        proc.put(isa.SDEL, whole.slot, universe.first, universe.count)
        proc.load(last)
        proc.store(at)
        proc.put(isa.JMP, more)
        proc.set(none)


# --- statements -----------------------------------------------------------------------------------------------------


def choose(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> None:
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


def ask(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> None:
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
            return
        end = proc.label()
        seen: set[str] = set()
        for on, block in beside:
            if not on.text.startswith("on "):
                unit.bag.add(
                    "wrong-clause",
                    on.span,
                    f"`{on.text}` does not belong to a question with answers",
                    "write `on <answer>`",
                )
                continue
            following, match = proc.label(), proc.label()
            for name in (part.strip() for part in on.text[3:].split(" or ")):
                if name not in names:
                    from ludoloom.compiler.diagnostics.nearest import did_you_mean

                    unit.bag.add("unknown-outcome", on.span, f"there is no answer `{name}`", did_you_mean(name, names))
                    continue
                seen.add(name)
                proc.load(value)
                proc.push(names.index(name) + 1)
                proc.put(isa.EQ)
                proc.put(isa.JNZ, match)
            proc.put(isa.JMP, following)
            proc.set(match)
            st.branch(block, scope, key.span)
            proc.put(isa.JMP, end)
            proc.set(following)
        proc.set(end)
        for name in names:
            if name not in seen:
                unit.bag.add(
                    "outcome-forgotten",
                    key.span,
                    f"nothing follows from the answer `{name}`",
                    f"add `on {name}: [...]` (`[]` for nothing)",
                )


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


def for_each(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> None:
    """Each member in turn, in seat or printed order, or in the order that somebody chooses. What has left play
    meanwhile is passed over."""
    proc, infer = st.proc, st.unit.infer
    head = _loop_head(st, node, "for_each")
    if head is None:
        return
    name, source, options = head
    e = infer.value(source, scope)
    if isinstance(e.type, t.Unknown):
        return
    if e.op == "column" and isinstance(e.type, t.ListOf) and e.data.storage == "printed":
        _for_list(st, name, e, beside, scope, key)
        return
    whole = infer.as_set(e)
    if not isinstance(whole.type, t.SetOf) or isinstance(whole.type.of, t.Unknown):
        return
    of = whole.type.of
    with proc.block():
        slot, universe = st.values.set(whole)
        if whole.op == "var":
            copy = proc.slot(universe.words)
            proc.put(isa.SOP, copy, slot, universe.words, 0)
            slot = copy
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
            return

        if whole.op == "var" and "order" in whole.data.parts:

            def next_one() -> None:
                st.branch(beside.get("do"), inner, key.span)

            st.in_loop("for_each", end, lambda: st.values.in_order(whole.data, var.slot, next_one))
            proc.set(end)
            return

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


def _for_list(st: Statements, name: Scalar, e: E, beside: Map, scope: Scope, key: Scalar) -> None:
    """The entries of a printed list in their order, repeats included."""
    from ludoloom.compiler.backend.lists import entries

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
        _fold_alike(st, shown, offered.universe, offered.of)
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


def together(st: Statements, node: Node, beside: Map, scope: Scope, key: Scalar) -> None:
    """Choices that nobody sees until all are in: what stands before a choice is done for all, then all are asked,
    then what comes after is done for all."""
    proc, infer = st.proc, st.unit.infer
    head = _loop_head(st, node, "together")
    body = beside.get("do")
    if head is None or not isinstance(body, Items):
        if head is not None:
            st.unit.bag.add("missing-key", key.span, "`together` needs `do: [...]`")
        return
    name, source, _ = head
    whole = infer.as_set(infer.value(source, scope))
    if not isinstance(whole.type, t.SetOf) or not isinstance(whole.type.of, t.Thing):
        return
    of = whole.type.of
    with proc.block():
        slot, universe = st.values.set(whole)
        if whole.op == "var":
            copy = proc.slot(universe.words)
            proc.put(isa.SOP, copy, slot, universe.words, 0)
            slot = copy
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


_NOWHERE = Span("", 1, 1, 1, 1)
SECRET: tuple[tuple[Scalar, Node], ...] = (
    (Scalar(_NOWHERE, "secret", "secret", True), Scalar(_NOWHERE, True, "true", True)),
)
"""The entry `secret: true`, for choices that are sealed by where they stand."""
