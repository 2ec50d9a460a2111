"""Assignments: each left thing (or each of n points) gets a right one.

    layout: {by: pilot, assign: {piece: drawn}, to: {gap: tile.gaps}, turns: quarter,
             prefer: [{fewest: labyrinth.closed_ends}]}

The left things lie in a row of the frame, beside each its right one and its turn. All whole assignments are walked like
the leaves of a tree, pair by pair; a right one that serves once is taken out of the set meanwhile. For `prefer` the
tiles are laid for trial on the way down and lifted on the way back, so that each leaf costs one tile and its numbers.
The player is asked pair by pair, and only pairs that some best whole assignment has are offered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import MapDecl
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend import maps
from ludoloom.compiler.backend.cells import cell_of, members
from ludoloom.compiler.backend.layout import Universe
from ludoloom.compiler.backend.proc import Label
from ludoloom.compiler.backend.records import Choice
from ludoloom.compiler.backend.statements import Statements
from ludoloom.compiler.backend.values import Values, one_word, set_of
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar
from ludoloom.runtime import isa
from ludoloom.runtime.image import QuestionRow, TextRow, TypeRow

SIZE = 8
"""Most left things of one assignment: more would make more whole assignments than can be walked."""


@dataclass(slots=True)
class Plan:
    """An assignment in the frame: `left`, `right` and `turn` are rows of SIZE slots, `count` how many are in use."""

    left_name: str
    right_name: str
    left_type: t.Type
    right_type: t.Type
    left: int
    right: int
    turn: int
    count: int
    targets: int
    universe: Universe
    turns: int
    pair: Node | None
    reuse: Node | None
    prefer: list[tuple[Node, bool]] = field(default_factory=list[tuple[Node, bool]])
    map: MapDecl | None = None
    homes: int = 0
    """A row of slots: where the tiles came from."""

    @property
    def once(self) -> bool:
        """Whether a right one serves a single left one, and so is no target while it is given away."""
        never = not isinstance(self.reuse, Scalar) or self.reuse.text == "never"
        return never and not isinstance(self.left_type, t.Int)

    @property
    def on_the_way(self) -> bool:
        """Whether tiles are laid while the assignments are walked. Not if a condition says which pairs are allowed: it
        is asked about the map as it is. And only where counting tells that there is a whole one: else tiles would be
        moved for nothing."""
        return self.map is not None and bool(self.prefer) and self.pair is None and self.once


def _head(st: Statements, choice: Choice, key: str) -> tuple[str, Node] | None:
    node = choice.options.get(key)
    if not isinstance(node, Map) or len(node) != 1:
        st.unit.bag.add("wrong-type", choice.options.span, f"`{key}` names its element: `{{name: set}}`")
        return None
    (name, value) = node.entries[0]
    return name.text, value


def prepare(st: Statements, choice: Choice, scope: Scope, fail: Label) -> Plan | None:
    """Read an assignment and put its two sides into the frame; go to `fail` if there are too many left things."""
    unit, proc, infer = st.unit, st.proc, st.unit.infer
    left, right = _head(st, choice, "assign"), _head(st, choice, "to")
    if left is None or right is None:
        return None
    things = infer.value(left[1], scope)
    goals = infer.as_set(infer.value(right[1], scope))
    if (
        not isinstance(goals.type, t.SetOf)
        or isinstance(goals.type.of, t.Unknown)
        or isinstance(things.type, t.Unknown)
    ):
        return None
    points = isinstance(things.type, t.Int)
    whole = things if points else infer.as_set(things)
    left_type: t.Type = t.Int() if points else whole.type.of if isinstance(whole.type, t.SetOf) else t.Unknown()
    rows = [proc.slot(SIZE) for _ in range(3)]
    count = proc.slot()
    universe = unit.universe(goals.type.of)
    targets = proc.slot(universe.words)
    if points:
        st.values.put(things)
        proc.store(count)
    else:
        proc.push(0)
        proc.store(count)
        it = Var("it", left_type)

        def add() -> None:
            proc.load(count)
            proc.push(SIZE)
            proc.put(isa.LT)
            proc.put(isa.JZ, fail)
            proc.load(it.slot)
            proc.load(count)
            proc.put(isa.STX, rows[0], SIZE)
            proc.load(count)
            proc.push(1)
            proc.put(isa.ADD)
            proc.store(count)

        st.values.each(whole, it, add)
    proc.push(SIZE)
    proc.load(count)
    proc.put(isa.LT)
    proc.put(isa.JNZ, fail)
    st.values.set_into(goals, targets, universe)
    turns = choice.options.get("turns")
    plan = Plan(
        left[0],
        right[0],
        left_type,
        goals.type.of,
        rows[0],
        rows[1],
        rows[2],
        count,
        targets,
        universe,
        4 if isinstance(turns, Scalar) and turns.text == "quarter" else 1,
        choice.options.get("pair"),
        choice.options.get("reuse"),
    )
    if isinstance(goals.type.of, t.Cell):
        plan.map = unit.game.maps[goals.type.of.map]
    prefer = choice.options.get("prefer")
    for entry in prefer.items if isinstance(prefer, Items) else ():
        if isinstance(entry, Map) and len(entry) == 1 and entry.entries[0][0].text in ("most", "fewest"):
            plan.prefer.append((entry.entries[0][1], entry.entries[0][0].text == "most"))
        else:
            unit.bag.add("wrong-type", entry.span, "a preference is `{fewest: number}` or `{most: number}`")
    return plan


def _walk(st: Statements, plan: Plan, scope: Scope, fixed: int, whole: Callable[[Label], None]) -> None:
    """Go through all whole assignments that keep the first pairs (slot `fixed` says how many), running `whole` for
    each; it may jump to the label it is given to go on with the next."""
    proc = st.proc
    trial = plan.on_the_way
    with proc.block():
        at, cursor = proc.slot(), proc.slot()
        enter, deeper, advance, seek, again, exhausted, back = (proc.label() for _ in range(7))
        if trial:
            _each_pair(st, plan, lambda pair: _lay(st, plan, pair), limit=fixed)
        proc.load(fixed)
        proc.store(at)
        proc.set(enter)
        proc.load(at)
        proc.load(plan.count)
        proc.put(isa.LT)
        proc.put(isa.JNZ, deeper)
        whole(back)
        proc.put(isa.JMP, back)
        proc.set(deeper)
        proc.push(0)
        proc.load(at)
        proc.put(isa.STX, plan.right, SIZE)
        proc.push(plan.turns)
        proc.load(at)
        proc.put(isa.STX, plan.turn, SIZE)
        proc.set(advance)
        if plan.turns > 1:
            proc.load(at)
            proc.put(isa.LDX, plan.turn, SIZE)
            proc.push(1)
            proc.put(isa.ADD)
            proc.put(isa.DUP)
            proc.store(cursor)
            _put_period(st, plan, at)
            proc.put(isa.LT)
            proc.put(isa.JZ, seek)
            proc.load(cursor)
            proc.load(at)
            proc.put(isa.STX, plan.turn, SIZE)
            _descend(st, plan, at, enter)
        proc.set(seek)
        proc.load(at)
        proc.put(isa.LDX, plan.right, SIZE)
        proc.store(cursor)
        if plan.once:
            _give_back(st, plan, cursor)
        proc.set(again)
        proc.put(isa.SNEXT, plan.targets, plan.universe.first, plan.universe.words, cursor, exhausted)
        _allowed(st, plan, scope, at, cursor, again)
        if plan.once:
            proc.load(cursor)
            proc.put(isa.SDEL, plan.targets, plan.universe.first, plan.universe.count)
        proc.load(cursor)
        proc.load(at)
        proc.put(isa.STX, plan.right, SIZE)
        proc.push(0)
        proc.load(at)
        proc.put(isa.STX, plan.turn, SIZE)
        _descend(st, plan, at, enter)
        proc.set(exhausted)
        if trial:
            _lift(st, plan, at)
        proc.set(back)
        proc.load(at)
        proc.push(1)
        proc.put(isa.SUB)
        proc.put(isa.DUP)
        proc.store(at)
        proc.load(fixed)
        proc.put(isa.LT)
        proc.put(isa.JZ, advance)
        if trial:
            _each_pair(st, plan, lambda pair: _lift(st, plan, pair), reverse=True, limit=fixed)


def _descend(st: Statements, plan: Plan, at: int, enter: Label) -> None:
    """The pair at `at` stands: on to the next one."""
    proc = st.proc
    if plan.on_the_way:
        _lay(st, plan, at)
    proc.load(at)
    proc.push(1)
    proc.put(isa.ADD)
    proc.store(at)
    proc.put(isa.JMP, enter)


def _give_back(st: Statements, plan: Plan, right: int) -> None:
    """A right one (0: none) is a target again."""
    st.proc.load(right)
    st.proc.put(isa.SADD, plan.targets, plan.universe.first, plan.universe.count)


def _lay(st: Statements, plan: Plan, at: int) -> None:
    """Lay the tile of a pair as the pair says; it may lie elsewhere on the map."""
    assert plan.map is not None
    for row in (plan.left, plan.right, plan.turn):
        st.proc.load(at)
        st.proc.put(isa.LDX, row, SIZE)
    st.proc.put(isa.MLAY, maps.number_of(st.unit, plan.map))


def _lift(st: Statements, plan: Plan, at: int) -> None:
    """Put the tile of a pair back to where it came from."""
    for row in (plan.left, plan.homes):
        st.proc.load(at)
        st.proc.put(isa.LDX, row, SIZE)
    st.proc.put(isa.MOVE, 0)


def _put_period(st: Statements, plan: Plan, at: int) -> None:
    """Leave how many turns of a tile look different: a tile with four ways has one, a straight one two."""
    unit, proc = st.unit, st.proc
    if plan.map is None or not isinstance(plan.left_type, t.Thing):
        proc.push(plan.turns)
        return
    kind = unit.game.kinds[unit.game.kinds[plan.map.grows_with].root]
    periods = [_period(unit_masks) for unit_masks in masks(st.values, plan.map)]
    proc.load(at)
    proc.put(isa.LDX, plan.left, SIZE)
    proc.put(isa.LDC, unit.layout.table(periods or [1]), kind.first, max(kind.count, 1))


def masks(values: Values, growing: MapDecl) -> list[list[int]]:
    """For each tile of a growing map the paths of each of its faces as bits (north 1, east 2, south 4, west 8)."""
    unit = values.unit
    kind = unit.game.kinds[unit.game.kinds[growing.grows_with].root]
    found: list[list[int]] = []
    for thing in unit.game.things[kind.first - 1 : kind.first - 1 + kind.count]:
        row: list[int] = []
        own = unit.game.kinds[thing.kind]
        for face in own.faces or ("",):
            column = own.columns.get(f"{face}.{growing.joins}") if face else None
            column = column or own.columns.get(growing.joins)
            node = cell_of(thing.item, column) if column is not None else None
            mask = 0
            if column is not None and node is not None:
                inside = members(unit.infer.value(node, Scope(), column.type)) or []
                mask = sum(1 << (member - 1) for member in set(inside))
            row.append(mask)
        found.append(row)
    return found


def _period(faces: list[int]) -> int:
    """The smallest number of quarter turns after which all faces look the same."""

    def turned(mask: int, by: int) -> int:
        return ((mask << by) | (mask >> (4 - by))) & 15

    for by in (1, 2):
        if all(turned(mask, by) == mask for mask in faces):
            return by
    return 4


def _allowed(st: Statements, plan: Plan, scope: Scope, at: int, cursor: int, again: Label) -> None:
    """Go to `again` if the right one under the cursor may not serve the left one at `at`."""
    proc, unit = st.proc, st.unit
    reuse = plan.reuse.text if isinstance(plan.reuse, Scalar) else "never"
    right = Var(plan.right_name, plan.right_type, slot=cursor)
    left = Var(plan.left_name, plan.left_type)
    with proc.block():
        if not isinstance(plan.left_type, t.Int):
            left.slot = proc.slot()
            proc.load(at)
            proc.put(isa.LDX, plan.left, SIZE)
            proc.store(left.slot)
        if plan.pair is not None:
            inner = scope.bind_var(right) if isinstance(plan.left_type, t.Int) else scope.bind_var(right).bind_var(left)
            st.values.jump_if_not(unit.infer.condition(plan.pair, inner), again)
        if isinstance(plan.left_type, t.Int):
            first = proc.label()
            proc.load(at)
            proc.put(isa.JZ, first)
            proc.load(at)
            proc.push(1)
            proc.put(isa.SUB)
            proc.put(isa.LDX, plan.right, SIZE)
            proc.load(cursor)
            # points cannot be told apart: only rising orders, strictly rising where none may serve twice
            proc.put(isa.LE if reuse == "always" else isa.LT)
            proc.put(isa.JZ, again)
            proc.set(first)
            return
        if reuse == "always" or plan.once:
            return
        other, top, end, following = proc.slot(), proc.label(), proc.label(), proc.label()
        proc.push(0)
        proc.store(other)
        proc.set(top)
        proc.load(other)
        proc.load(at)
        proc.put(isa.LT)
        proc.put(isa.JZ, end)
        proc.load(other)
        proc.put(isa.LDX, plan.right, SIZE)
        proc.load(cursor)
        proc.put(isa.NE)
        proc.put(isa.JNZ, following)
        column = (
            unit.game.kinds[plan.left_type.kinds[0]].columns.get(reuse) if isinstance(plan.left_type, t.Thing) else None
        )
        if column is None:
            assert plan.reuse is not None
            unit.bag.add(
                "wrong-type",
                plan.reuse.span,
                f"`{reuse}` is no column of {t.show(plan.left_type)}",
                "`reuse` is never, always or a column",
            )
        else:
            earlier = Var("earlier", plan.left_type, slot=proc.slot())
            proc.load(other)
            proc.put(isa.LDX, plan.left, SIZE)
            proc.store(earlier.slot)
            st.values.put(E("column", column.type, (E("var", plan.left_type, data=earlier),), column))
            st.values.put(E("column", column.type, (E("var", plan.left_type, data=left),), column))
            proc.put(isa.EQ)
            proc.put(isa.JNZ, again)
        proc.set(following)
        proc.load(other)
        proc.push(1)
        proc.put(isa.ADD)
        proc.store(other)
        proc.put(isa.JMP, top)
        proc.set(end)


def _each_pair(
    st: Statements, plan: Plan, body: Callable[[int], None], *, reverse: bool = False, limit: int | None = None
) -> None:
    """Run `body` with the index of each pair in a slot, or of the first pairs (slot `limit` says how many)."""
    proc = st.proc
    count = plan.count if limit is None else limit
    with proc.block():
        at, top, end = proc.slot(), proc.label(), proc.label()
        if reverse:
            proc.load(count)
            proc.store(at)
            proc.set(top)
            proc.load(at)
            proc.put(isa.JZ, end)
            proc.load(at)
            proc.push(1)
            proc.put(isa.SUB)
            proc.store(at)
            body(at)
        else:
            inner = proc.slot()
            proc.push(0)
            proc.store(at)
            proc.set(top)
            proc.load(at)
            proc.load(count)
            proc.put(isa.LT)
            proc.put(isa.JZ, end)
            proc.load(at)
            proc.store(inner)
            proc.load(at)
            proc.push(1)
            proc.put(isa.ADD)
            proc.store(at)
            body(inner)
        proc.put(isa.JMP, top)
        proc.set(end)


def _score(st: Statements, plan: Plan, scope: Scope, into: int) -> None:
    """Read the preferred numbers into slots, with the tiles of all pairs laid for it."""
    proc = st.proc
    trial = plan.map is not None and not plan.on_the_way
    if trial:
        _each_pair(st, plan, lambda at: _lay(st, plan, at))
    for place, (node, most) in enumerate(plan.prefer):
        st.values.put(st.unit.infer.value(node, scope, t.Int()))
        if not most:
            proc.push(-1)
            proc.put(isa.MUL)
        proc.store(into + place)
    if trial:
        _each_pair(st, plan, lambda at: _lift(st, plan, at), reverse=True)


def _compare(st: Statements, count: int, one: int, two: int, better: Label, worse: Label) -> None:
    """Compare two rows of numbers, the first that differs decides; falls through if they are equal."""
    proc = st.proc
    for place in range(count):
        proc.load(two + place)
        proc.load(one + place)
        proc.put(isa.LT)
        proc.put(isa.JNZ, better)
        proc.load(one + place)
        proc.load(two + place)
        proc.put(isa.LT)
        proc.put(isa.JNZ, worse)


def feasible(st: Statements, choice: Choice, scope: Scope, fail: Label) -> Scope:
    """Fall through if some whole assignment exists, else go to `fail`."""
    proc = st.proc
    with proc.block():
        plan = prepare(st, choice, scope, fail)
        if plan is None:
            return scope.bind(**{choice.name: E("const", t.Unknown(), data=0)})
        zero = proc.slot()
        found = proc.label()
        proc.push(0)
        proc.store(zero)
        _walk(st, plan, scope, zero, lambda _: proc.put(isa.JMP, found))
        proc.put(isa.JMP, fail)
        proc.set(found)
    return scope.bind(**{choice.name: _result(choice.name, plan)})


def _result(name: str, plan: Plan) -> E:
    var = Var(name, t.Assigned(plan.left_type, plan.right_type, name), slot=plan.left)
    var.parts = {"plan": plan}
    return E("var", var.type, data=var)


def make(st: Statements, choice: Choice, scope: Scope, who: int, fail: Label) -> Scope:
    """Ask pair by pair. Without left things the assignment is empty; without any whole one go to `fail`."""
    proc, unit = st.proc, st.unit
    plan = prepare(st, choice, scope, fail)
    if plan is None:
        return scope.bind(**{choice.name: E("const", t.Unknown(), data=0)})
    if choice.flag("optional"):
        _decline(st, choice, who, fail)
    scores = max(1, len(plan.prefer))
    best, score, plan.homes = proc.slot(scores), proc.slot(scores), proc.slot(SIZE)
    fixed, any_found = proc.slot(), proc.slot()
    proc.push(0)
    proc.store(any_found)
    proc.push(0)
    proc.store(fixed)
    if plan.map is not None:

        def remember(at: int) -> None:
            proc.load(at)
            proc.put(isa.LDX, plan.left, SIZE)
            proc.put(isa.LOC, unit.game.first_place, len(unit.game.things) - unit.game.first_place + 1)
            proc.load(at)
            proc.put(isa.STX, plan.homes, SIZE)

        _each_pair(st, plan, remember)

    def first_pass(following: Label) -> None:
        """The best numbers over all whole assignments."""
        if not plan.prefer:
            proc.push(1)
            proc.store(any_found)
            proc.put(isa.JMP, known)
            return
        _score(st, plan, scope, score)
        take = proc.label()
        proc.load(any_found)
        proc.put(isa.JZ, take)
        _compare(st, len(plan.prefer), score, best, take, following)
        proc.put(isa.JMP, following)
        proc.set(take)
        proc.push(1)
        proc.store(any_found)
        for place in range(len(plan.prefer)):
            proc.load(score + place)
            proc.store(best + place)

    known = proc.label()
    if plan.on_the_way:
        proc.put(isa.SCNT, plan.targets, plan.universe.words)
        proc.load(plan.count)
        proc.put(isa.LT)
        proc.put(isa.JNZ, fail)
    _walk(st, plan, scope, fixed, first_pass)
    proc.set(known)
    proc.load(any_found)
    proc.put(isa.JZ, fail)
    if plan.once and not plan.prefer:
        # The walk was left at the first whole one.
        with proc.block():
            given = proc.slot()

            def free(at: int) -> None:
                proc.load(at)
                proc.put(isa.LDX, plan.right, SIZE)
                proc.store(given)
                _give_back(st, plan, given)

            _each_pair(st, plan, free)
    top, end = proc.label(), proc.label()
    proc.set(top)
    proc.load(fixed)
    proc.load(plan.count)
    proc.put(isa.LT)
    proc.put(isa.JZ, end)
    last_right, last_turn = proc.slot(), proc.slot()
    proc.push(0)
    proc.store(last_right)
    proc.push(-1)
    proc.store(last_turn)
    label = _label(st, plan)

    def offer(following: Label) -> None:
        new = proc.label()
        proc.load(fixed)
        proc.put(isa.LDX, plan.right, SIZE)
        proc.load(last_right)
        proc.put(isa.NE)
        proc.put(isa.JNZ, new)
        proc.load(fixed)
        proc.put(isa.LDX, plan.turn, SIZE)
        proc.load(last_turn)
        proc.put(isa.EQ)
        proc.put(isa.JNZ, following)
        proc.set(new)
        if plan.prefer:
            _score(st, plan, scope, score)
            _compare(st, len(plan.prefer), score, best, following, following)
        proc.load(fixed)
        proc.put(isa.LDX, plan.right, SIZE)
        proc.store(last_right)
        proc.load(fixed)
        proc.put(isa.LDX, plan.turn, SIZE)
        proc.store(last_turn)
        proc.load(who)
        proc.push(label)
        proc.load(last_right)
        proc.load(last_turn)
        proc.put(isa.OPT)

    _walk(st, plan, scope, fixed, offer)
    about = 0
    if isinstance(plan.left_type, t.Thing):
        about = unit.layout.word("about")
        proc.load(fixed)
        proc.put(isa.LDX, plan.left, SIZE)
        proc.put(isa.STS, about)
    row = QuestionRow(
        st.act, choice.name, _question(plan, choice), unit.row(plan.right_type), choice.flag("secret"), about=about
    )
    proc.load(who)
    proc.put(isa.ASK, unit.question(row))
    for word, slots in ((2, plan.right), (3, plan.turn)):
        proc.put(isa.ANS, word)
        proc.load(fixed)
        proc.put(isa.STX, slots, SIZE)
    if plan.once:
        proc.put(isa.ANS, 2)
        proc.put(isa.SDEL, plan.targets, plan.universe.first, plan.universe.count)
    proc.load(fixed)
    proc.push(1)
    proc.put(isa.ADD)
    proc.store(fixed)
    proc.put(isa.JMP, top)
    proc.set(end)
    return scope.bind(**{choice.name: _result(choice.name, plan)})


def _decline(st: Statements, choice: Choice, who: int, fail: Label) -> None:
    """An optional assignment asks first whether it is wanted at all."""
    proc = st.proc
    for word in (1, 0):
        proc.load(who)
        proc.push(0)
        proc.push(word)
        proc.push(0)
        proc.put(isa.OPT)
    proc.load(who)
    proc.put(
        isa.ASK,
        st.unit.question(
            QuestionRow(st.act, f"{choice.name}_wanted", f"{choice.name.replace('_', ' ')}?", TypeRow("bool"))
        ),
    )
    proc.put(isa.ANS, 2)
    proc.put(isa.JZ, fail)


def _question(plan: Plan, choice: Choice) -> str:
    left = "{about}" if isinstance(plan.left_type, t.Thing) else f"the next {plan.left_name.replace('_', ' ')}"
    return f"{choice.name.replace('_', ' ')}: {plan.right_name.replace('_', ' ')} for {left}"


def _label(st: Statements, plan: Plan) -> int:
    if plan.turns == 1:
        return 0
    text = f"{{{plan.right_name}}}, turned {{turns}}"
    key = f"pair.{plan.right_name}.{st.unit.row(plan.right_type).of}"
    return st.unit.label(
        key, TextRow(plan.right_name, text, (plan.right_name, "turns"), (st.unit.row(plan.right_type), TypeRow("int")))
    )


# --- reading a made assignment


def place(st: Statements, node: Node, scope: Scope) -> None:
    """``place: layout``: the tiles are laid for good."""
    e = st.unit.infer.value(node, scope)
    if isinstance(e.type, t.Unknown):
        return
    plan = _plan(e)
    if plan is None or plan.map is None:
        st.unit.bag.add("wrong-type", node.span, "only an assignment of tiles to gaps is placed")
        return
    _each_pair(st, plan, lambda at: _lay(st, plan, at))


def _plan(e: E) -> Plan | None:
    return e.data.parts.get("plan") if e.op == "var" and isinstance(e.data, Var) else None


def _pairs(values: Values, plan: Plan, body: Callable[[int], None]) -> None:
    _each_pair(Statements(values.unit, values.proc, ""), plan, body)


@set_of("assigned_targets")
def _targets(values: Values, e: E, slot: int, universe: Universe) -> None:
    """All right ones that serve."""
    plan = _plan(e.args[0])
    values.proc.put(isa.SNEW, slot, universe.words)
    if plan is None:
        return

    def add(at: int) -> None:
        values.proc.load(at)
        values.proc.put(isa.LDX, plan.right, SIZE)
        values.proc.put(isa.SADD, slot, universe.first, universe.count)

    _pairs(values, plan, add)


@set_of("assigned_things")
def _things(values: Values, e: E, slot: int, universe: Universe) -> None:
    """All left things."""
    plan = _plan(e.args[0])
    values.proc.put(isa.SNEW, slot, universe.words)
    if plan is None:
        return

    def add(at: int) -> None:
        values.proc.load(at)
        values.proc.put(isa.LDX, plan.left, SIZE)
        values.proc.put(isa.SADD, slot, universe.first, universe.count)

    _pairs(values, plan, add)


@set_of("assigned_of")
def _things_of(values: Values, e: E, slot: int, universe: Universe) -> None:
    """The left things that one right one serves."""
    plan, proc = _plan(e.args[0]), values.proc
    proc.put(isa.SNEW, slot, universe.words)
    if plan is None:
        return
    with proc.block():
        goal = proc.slot()
        values.put(e.args[1])
        proc.store(goal)

        def add(at: int) -> None:
            skip = proc.label()
            proc.load(at)
            proc.put(isa.LDX, plan.right, SIZE)
            proc.load(goal)
            proc.put(isa.EQ)
            proc.put(isa.JZ, skip)
            proc.load(at)
            proc.put(isa.LDX, plan.left, SIZE)
            proc.put(isa.SADD, slot, universe.first, universe.count)
            proc.set(skip)

        _pairs(values, plan, add)


@one_word("assigned_of")
def _points_of(values: Values, e: E) -> None:
    """How many points one right one got."""
    plan, proc = _plan(e.args[0]), values.proc
    if plan is None:
        proc.push(0)
        return
    with proc.block():
        goal, total = proc.slot(), proc.slot()
        values.put(e.args[1])
        proc.store(goal)
        proc.push(0)
        proc.store(total)

        def add(at: int) -> None:
            proc.load(at)
            proc.put(isa.LDX, plan.right, SIZE)
            proc.load(goal)
            proc.put(isa.EQ)
            proc.load(total)
            proc.put(isa.ADD)
            proc.store(total)

        _pairs(values, plan, add)
        proc.load(total)


@one_word("assigned_at")
def _target_at(values: Values, e: E) -> None:
    """The right one of a left thing, or 0."""
    plan, proc = _plan(e.args[0]), values.proc
    if plan is None:
        proc.push(0)
        return
    with proc.block():
        thing, found = proc.slot(), proc.slot()
        values.put(e.args[1])
        proc.store(thing)
        proc.push(0)
        proc.store(found)

        def look(at: int) -> None:
            skip = proc.label()
            proc.load(at)
            proc.put(isa.LDX, plan.left, SIZE)
            proc.load(thing)
            proc.put(isa.EQ)
            proc.put(isa.JZ, skip)
            proc.load(at)
            proc.put(isa.LDX, plan.right, SIZE)
            proc.store(found)
            proc.set(skip)

        _pairs(values, plan, look)
        proc.load(found)
