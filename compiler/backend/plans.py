"""An assignment in the frame: its two sides, the pairs that were made, tiles laid for trial.

assign: {piece: drawn}, to: {gap: tile.gaps}   ->  rows of slots for pieces, gaps and turns; a set of gaps left
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
from ludoloom.compiler.backend.values import Values
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar
from ludoloom.runtime import isa

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


def each_pair(
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


def lay(st: Statements, plan: Plan, at: int) -> None:
    """Lay the tile of a pair as the pair says; it may lie elsewhere on the map."""
    assert plan.map is not None
    for row in (plan.left, plan.right, plan.turn):
        st.proc.load(at)
        st.proc.put(isa.LDX, row, SIZE)
    st.proc.put(isa.MLAY, maps.number_of(st.unit, plan.map))


def lift(st: Statements, plan: Plan, at: int) -> None:
    """Put the tile of a pair back to where it came from."""
    for row in (plan.left, plan.homes):
        st.proc.load(at)
        st.proc.put(isa.LDX, row, SIZE)
    st.proc.put(isa.MOVE, 0)


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


def result_of(name: str, plan: Plan) -> E:
    var = Var(name, t.Assigned(plan.left_type, plan.right_type, name), slot=plan.left)
    var.parts = {"plan": plan}
    return E("var", var.type, data=var)


def give_back(st: Statements, plan: Plan, right: int) -> None:
    """A right one (0: none) is a target again."""
    st.proc.load(right)
    st.proc.put(isa.SADD, plan.targets, plan.universe.first, plan.universe.count)
