"""Columns are read: a word of the state, a printed constant, a formula's procedure; modifiers lie around what they
change.

    hero.energy        LDF                 hero.core_number(target)   CALL formula.hero.core_number
    card.mp            LDC                 quest.back.turn_when       CALLI of the entry that the item prints

Printed cells are typed here once for each column. If all are constants the column is a table; if one is a formula,
all become procedures and the table holds their numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column, Item, ThingDecl
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend.cells import cell_of, members, part_key
from ludoloom.compiler.backend.layout import Universe
from ludoloom.compiler.backend.modifiers import apply_changes, changes_of
from ludoloom.compiler.backend.proc import Proc
from ludoloom.compiler.backend.records import Printed
from ludoloom.compiler.backend.scopes import self_scope
from ludoloom.compiler.backend.statements import Statements
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values, one_word, set_of
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar
from ludoloom.runtime import isa

# --- printed columns ------------------------------------------------------------------------------------------------


def printed(unit: Unit, column: Column) -> Printed:
    """The table of a printed column."""
    key = f"printed.{column.kind}.{column.face}.{column.name}"
    cached = unit.printed.get(key)
    if cached is not None:
        return cached
    kind = unit.game.kinds[column.kind]
    things = unit.game.things[kind.first - 1 : kind.first - 1 + kind.count]
    if isinstance(column.type, t.Effect):
        result = Printed(unit.layout.fresh([0] * max(kind.count, 1)), True)
        unit.printed[key] = result
        _procedures(unit, column, things, result.offset, lambda item, node: _effect(unit, column, item, node))
        return result
    if isinstance(column.type, t.TableOf):
        keys = unit.infer.members_of(column.type.key) if isinstance(column.type.key, t.Enum) else []
        if not keys:
            unit.bag.add(
                "wrong-type",
                column.span,
                f"a table has a row for each value of an enumeration, not for each {t.show(column.type.key)}",
            )
        width = max(len(keys), 1)
        rows: list[int] = []
        for thing in things:
            rows += _table_rows(unit, column, column.type.value, keys, thing) if keys else [0]
        result = Printed(unit.layout.table(rows or [0]), False, width)
        unit.printed[key] = result
        return result
    expected: t.Type = t.Bool() if isinstance(column.type, t.Condition) else column.type
    cells = {} if column.params or isinstance(column.type, t.Condition) else _constants(unit, column, things, expected)
    if isinstance(column.type, t.SetOf | t.ListOf):
        universe = unit.universe(column.type.of)
        rows = []
        for thing in things:
            inside = cells.get(thing.number) or []
            rows += unit.layout.bits(inside if isinstance(inside, list) else [], universe)
        result = Printed(unit.layout.table(rows or [0]), False, universe.words)
    elif column.params or isinstance(column.type, t.Condition) or any(cell is None for cell in cells.values()):
        result = Printed(unit.layout.fresh([0] * max(kind.count, 1)), True)
        unit.printed[key] = result
        _procedures(
            unit, column, things, result.offset, lambda item, node: _formula(unit, column, item, node, expected)
        )
        return result
    else:
        values = [value if isinstance(value := cells.get(thing.number), int) else 0 for thing in things]
        result = Printed(unit.layout.table(values or [0]), False)
    unit.printed[key] = result
    return result


def _table_rows(unit: Unit, column: Column, value: t.Type, keys: list[str], thing: ThingDecl) -> list[int]:
    """The rows of one thing's table in the order of the keys, as numbers; none where a row is not written."""
    nothing = isa.NIL if isinstance(value, t.Int) else 0
    item, name = thing.item, part_key(column)
    written: dict[str, int] = {}
    if item is not None and name in item.parts:
        written = {
            row.rpartition(".")[2]: number for row, number in zip(item.part_ids[name], item.parts[name], strict=True)
        }
    elif item is not None and isinstance(cell := cell_of(item, column), Map):
        scope = self_scope(unit, item.kind, E("const", t.Thing(item.kind), data=thing.number), item)
        for key, node in cell:
            e = unit.infer.value(node, scope, value)
            if e.op == "const" and isinstance(e.data, int):
                written[key.text] = e.data
            else:
                unit.bag.add(
                    "wrong-type",
                    node.span,
                    "a row of a table is a fixed value",
                    "make it a column of rows: `{depends_on: …, rows: {…}}`",
                )
    return [written.get(key, nothing) for key in keys]


def _constants(
    unit: Unit, column: Column, things: list[ThingDecl], expected: t.Type
) -> dict[int, int | list[int] | None]:
    """Per thing the constant of its cell; None where it is a formula; nothing where there is no cell."""
    found: dict[int, int | list[int] | None] = {}
    plain: dict[str, int | list[int]] = {}  # cells that are one text: a constant is the same for every item
    by_item: dict[str, int | list[int] | None] = {}
    key = part_key(column)
    for thing in things:
        item = thing.item
        if item is None:
            continue
        if item.id not in by_item:
            node = item.cells.get(key, column.default)
            if (records := item.parts.get(key)) is not None:
                several = isinstance(column.type, t.SetOf | t.ListOf)
                by_item[item.id] = records if several else records[0] if records else 0
            elif isinstance(node, Scalar) and node.text in plain:
                by_item[item.id] = plain[node.text]
            else:
                if node is None:
                    by_item[item.id] = (
                        isa.NIL
                        if isinstance(expected, t.Int) and expected.missing
                        else []
                        if isinstance(expected, t.SetOf | t.ListOf)
                        else 0
                    )
                else:
                    before = len(unit.bag.findings)
                    e = unit.infer.value(
                        node,
                        self_scope(unit, item.kind, E("const", t.Thing(item.kind), data=thing.number), item),
                        expected,
                    )
                    value = (
                        members(e) if isinstance(expected, t.SetOf | t.ListOf) else e.data if e.op == "const" else None
                    )
                    by_item[item.id] = value
                    if value is not None and isinstance(node, Scalar) and len(unit.bag.findings) == before:
                        plain[node.text] = value
        found[thing.number] = by_item[item.id]
    return found


def _procedures(
    unit: Unit, column: Column, things: list[ThingDecl], offset: int, make: Callable[[Item, Node], Proc]
) -> None:
    for place, thing in enumerate(things):
        node = cell_of(thing.item, column)
        if thing.item is not None and node is not None:
            unit.layout.consts[offset + place] = make(thing.item, node).number
        else:
            unit.layout.consts[offset + place] = _nothing(unit, column).number


def _nothing(unit: Unit, column: Column) -> Proc:
    """What runs where an item prints nothing: no effect, no, zero."""
    effect = isinstance(column.type, t.Effect)
    words = _parameter_words(unit, column)

    def build(proc: Proc) -> None:
        if not effect:
            proc.push(0)
        proc.put(isa.RET)

    return unit.proc(f"nothing.{words}.{int(not effect)}", 1 + words, 0 if effect else 1, build)


def _parameters(column: Column) -> tuple[tuple[str, t.Type], ...]:
    if isinstance(column.type, t.Effect) and column.type.params:
        return column.type.params
    return tuple((param.name, param.type) for param in column.params)


def _parameter_words(unit: Unit, column: Column) -> int:
    return sum(unit.words(kind) for _, kind in _parameters(column))


def _bind_parameters(unit: Unit, scope: Scope, column: Column, first: int) -> Scope:
    slot = first
    for name, kind in _parameters(column):
        scope = scope.bind_var(Var(name, kind, slot=slot))
        slot += unit.words(kind)
    return scope


def _formula(unit: Unit, column: Column, item: Item, node: Node, expected: t.Type) -> Proc:
    def build(proc: Proc) -> None:
        thing = E("var", t.Thing(item.kind), data=Var("self", t.Thing(item.kind), slot=0, parts={"item": item}))
        scope = _bind_parameters(unit, self_scope(unit, item.kind, thing, item), column, 1)
        with proc.at(node.span):
            Values(unit, proc).put(unit.infer.value(node, scope, expected))
            proc.put(isa.RET)

    return unit.proc(
        f"cell.{item.id}.{column.face}.{column.name}", 1 + _parameter_words(unit, column), unit.words(expected), build
    )


def _effect(unit: Unit, column: Column, item: Item, node: Node) -> Proc:
    def build(proc: Proc) -> None:
        thing = E("var", t.Thing(item.kind), data=Var("self", t.Thing(item.kind), slot=0, parts={"item": item}))
        scope = _bind_parameters(unit, self_scope(unit, item.kind, thing, item), column, 1)
        if isinstance(node, Items):
            Statements(unit, proc, act=f"{item.id}.{column.name}").block(node, scope)
        proc.put(isa.RET)

    return unit.proc(f"cell.{item.id}.{column.face}.{column.name}", 1 + _parameter_words(unit, column), 0, build)


# --- formulas -------------------------------------------------------------------------------------------------------


def formula(unit: Unit, column: Column) -> Proc:
    """The procedure of a computed column, or of one that modifiers change: arguments are the thing (if any) and the
    parameter."""
    own = 1 if column.kind else 0

    def build(proc: Proc) -> None:
        values = Values(unit, proc)
        thing: E | None = None
        scope = Scope()
        if column.kind:
            var = Var(column.kind, t.Thing(column.kind), slot=0)
            thing = E("var", var.type, data=var)
            scope = Scope(self_=thing)
        scope = _bind_parameters(unit, scope, column, own)
        expected: t.Type = t.Bool() if isinstance(column.type, t.Condition) else column.type
        changes = changes_of(unit, column)
        with proc.at(column.span):
            if column.formula is not None:
                values.put(
                    unit.infer.value(column.formula, scope, None if isinstance(expected, t.Unknown) else expected)
                )
            elif thing is not None:
                arguments = (thing, *(scope.names[name] for name, _ in _parameters(column)))
                _raw(values, column, arguments)
            if changes:
                apply_changes(values, column, changes, scope, thing)
            proc.put(isa.RET)

    return unit.proc(
        f"formula.{column.kind}.{column.face}.{column.name}",
        own + _parameter_words(unit, column),
        unit.words(column.type),
        build,
    )


def _raw(values: Values, column: Column, args: tuple[E, ...]) -> None:
    """Read a column without its modifiers."""
    unit, proc = values.unit, values.proc
    if column.storage == "state":
        offset, first, count = unit.layout.column(column)
        values.put(args[0])
        proc.put(isa.LDF, offset, first, count)
        return
    table = printed(unit, column)
    kind = unit.game.kinds[column.kind]
    if not table.formula:
        values.put(args[0])
        proc.put(isa.LDC, table.offset, kind.first, max(kind.count, 1))
        return
    for arg in args:
        values.put(arg)
    values.put(args[0])
    proc.put(isa.LDC, table.offset, kind.first, max(kind.count, 1))
    words = 1 + sum(unit.words(arg.type) for arg in args[1:])
    result = 0 if isinstance(column.type, t.Effect) else 1
    proc.put(isa.CALLI, words, result)


@one_word("column")
def _read_column(values: Values, e: E) -> None:
    """Leave the value of a column on the stack."""
    column: Column = e.data
    if column.storage == "computed" or changes_of(values.unit, column):
        for arg in e.args:
            values.put(arg)
        values.proc.put(isa.CALL, formula(values.unit, column).number)
        return
    _raw(values, column, e.args)


@set_of("column")
def _read_set(values: Values, e: E, slot: int, universe: Universe) -> None:
    """Build the set that a column holds."""
    column: Column = e.data
    unit, proc = values.unit, values.proc
    if column.storage == "computed":
        for arg in e.args:
            values.put(arg)
        proc.put(isa.CALL, formula(unit, column).number)
        proc.put(isa.SPOP, slot, universe.words)
        return
    table = printed(unit, column)
    kind = unit.game.kinds[column.kind]
    values.put(e.args[0])
    proc.put(isa.SROW, slot, universe.words, table.offset, kind.first, max(kind.count, 1))


@one_word("table_at")
def _table_at(values: Values, e: E) -> None:
    """A row of a printed table: `enemy.attacks.at(hit)`."""
    unit, proc = values.unit, values.proc
    base, key = e.args
    column: Column = base.data
    kind = unit.game.kinds[column.kind]
    table = printed(unit, column)
    values.put(base.args[0])
    proc.push(kind.first)
    proc.put(isa.SUB)
    proc.push(table.words)
    proc.put(isa.MUL)
    values.put(key)
    proc.put(isa.ADD)
    proc.put(isa.TAB, table.offset, 1, max(kind.count, 1) * table.words)


def run_effect(
    values: Values, column: Column, thing: E, given: Map, scope: Scope, complain: Callable[[str], None]
) -> None:
    """Run the statements that an item prints in an effect column, with the arguments that `run` gives."""
    unit, proc = values.unit, values.proc
    values.put(thing)
    for name, kind in _parameters(column):
        node = given.get(name)
        if node is None:
            if name in scope.names:
                unit.infer.uses.read_name(scope.names[name])
                values.put(unit.infer.fit(scope.names[name], kind, given.span))
                continue
            complain(name)
            for _ in range(unit.words(kind)):
                proc.push(0)
            continue
        values.put(unit.infer.value(node, scope, kind))
    table = printed(unit, column)
    declared = unit.game.kinds[column.kind]
    values.put(thing)
    proc.put(isa.LDC, table.offset, declared.first, max(declared.count, 1))
    proc.put(isa.CALLI, 1 + _parameter_words(unit, column), 0)
