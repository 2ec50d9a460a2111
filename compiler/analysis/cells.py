"""Checks the items of a game against the columns of their kinds.

    kinds: {hero: {family: piece, fields: {speed: int}}}
    pieces: {ann: {kind: hero, origin: printed, sped: 3}}      unknown-key at `sped`: did you mean `speed`?

`kind_specs` tells the schemas what the columns are; they derive a test of each kind (`ludoloom.schemas.cell_checks`)
and, where something is wrong, a model that says what (`derive`). A cell that is missing is reported at the item, with
the column's place beside it.

An item that was found right once is right while its kind says the same: in another combination of modes, or in another
run, if its file is kept (`frontend/kept.py`)."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Final

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column, Game, Item, Kind
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Node, Scalar
from ludoloom.compiler.frontend.shape import CellsOfKinds, check_order
from ludoloom.compiler.frontend.whole import Reason, Whole, show_path
from ludoloom.schemas.keys import SECTIONS
from ludoloom.schemas.specs import CellType, ColumnSpec, KindSpec

PARTS: Final = "parts"
"""The made-up section of records inside items: they are checked with the item that holds them."""

OWNER: Final = "owner"

RIGHT: Final = "right"
"""The fact about an item that it was found right: the fingerprints of what its kind said then."""


def check_cells(game: Game, bag: Bag) -> bool:
    """Check the cells, acts and variants of all items and report all findings; whether they are sound."""
    specs = kind_specs(game)
    cells, marks = CellsOfKinds(specs), {name: _mark(name, specs) for name in specs}
    declared = _declared(game)
    sound, own = True, Bag()
    for item in game.items.values():
        if item.section == PARTS:
            continue
        facts, mark = item.node.facts, marks[item.kind]
        if mark in facts.get(RIGHT, ""):
            continue
        path = _path(item)
        whole = Whole(item.node, path, path[-1], item.key.span, declared)
        right = cells.check(whole, item.kind, own)
        for name, act in item.acts.items():
            check_order(act, SECTIONS, own, (*path, name))
        _check_variants(item, path, own)
        if right and not own.findings:
            facts[RIGHT] = f"{facts[RIGHT]} {mark}" if RIGHT in facts else mark
            continue
        for row in own.findings:
            bag.add(row.code, row.span, row.message, row.hint, row.related, row.path)
        sound, own = right and sound, Bag()
    return sound


def _check_variants(item: Item, path: tuple[str, ...], bag: Bag) -> None:
    """A variant gives other numbers to what the item's `values` name."""
    known = item.values.names() if item.values is not None else ()
    for name, numbers in item.variants.items():
        for key, _ in numbers:
            if key.text not in known:
                hint = did_you_mean(key.text, known) or "name it under `values`, with its usual number"
                message = f"`{item.id}` has no value `{key.text}` for `{name}` to change"
                bag.add("unknown-key", key.span, message, hint, path=show_path((*path, name, key.text)))


def _mark(kind: str, specs: dict[str, KindSpec]) -> str:
    """The fingerprint of all that decides whether an item of the kind is right: what the kind says, and the kinds of
    the records that its items hold."""
    told: dict[str, KindSpec] = {}
    todo = [kind]
    while todo:
        name = todo.pop()
        if name in specs and name not in told:
            told[name] = specs[name]
            todo += [inner for column in specs[name].columns for inner in _kinds_in(column.type)]
    return blake2b(repr(sorted(told.items())).encode(), digest_size=9).hexdigest()


def _kinds_in(cell: CellType | None) -> tuple[str, ...]:
    return () if cell is None else (*cell.kinds, *_kinds_in(cell.of), *_kinds_in(cell.key))


def _path(item: Item) -> tuple[str, ...]:
    """The way to an item in its file; a space of a map (``isle.b2``) stands inside the map."""
    return ("maps", *item.id.split(".")) if "." in item.id else (item.section, item.id)


def _declared(game: Game) -> Reason:
    """Where the column is declared that an item does not fill."""

    def find(part: Any, key: str) -> tuple[Related, ...]:
        kind = game.kinds.get(part.of_kind)
        if kind is None:
            return ()
        found = [column for column in kind.columns.values() if key in (column.name, column.face)]
        return (Related(found[0].span, f"the column is declared here, in the kind `{kind.name}`"),) if found else ()

    return find


def kind_specs(game: Game) -> dict[str, KindSpec]:
    """What the schemas need to know about each kind."""
    return {name: _kind(game, kind) for name, kind in game.kinds.items()}


def _kind(game: Game, kind: Kind) -> KindSpec:
    columns = tuple(_column(game, kind, column) for column in kind.columns.values() if column.storage == "printed")
    return KindSpec(kind.name, kind.family, columns, kind.faces, tuple(kind.acts), tuple(kind.variants))


def _column(game: Game, kind: Kind, column: Column) -> ColumnSpec:
    cell = _cell(game, column.type, column)
    # A space of a drawn map fills only what its letter and `at` say; and `… or none` is none where nothing is said, but
    # an owner that some items print is printed by all (`none`: it is nobody's).
    needed = column.default is None and kind.family != "space" and (not cell.missing or column.name == OWNER)
    return ColumnSpec(column.name, cell, needed, column.is_formula, column.face)


def _cell(game: Game, kind: t.Type, column: Column | None = None) -> CellType:
    """The cells of a type."""
    match kind:
        case t.Int(missing=missing):
            low = _number(column.low) if column is not None else None
            high = _number(column.high) if column is not None else None
            return CellType("int", missing, low=low, high=high)
        case t.Bool():
            return CellType("bool")
        case t.Range():
            return CellType("range")
        case t.Text():
            return CellType("text")
        case t.Condition():
            return CellType("condition")
        case t.Effect():
            return CellType("effect")
        case t.Enum(name=name, missing=missing):
            return CellType("word", missing, members=tuple(game.enums.get(name, ())))
        case t.Thing(kinds=(name,), missing=missing) if _is_part(game, name):
            return CellType("part", missing, kinds=(name,))
        case t.Thing(kinds=kinds, missing=missing):
            return CellType("thing", missing, kinds=kinds)
        case t.ItemOf(kind=name, missing=missing):
            return CellType("thing", missing, kinds=(name,))
        case t.Zone():
            return CellType("thing", kinds=("zone",))
        case t.SetOf(of=of):
            return CellType("set", of=_cell(game, of))
        case t.ListOf(of=of):
            return CellType("list", of=_cell(game, of))
        case t.TableOf(key=key, value=value):
            return CellType("table", of=_cell(game, value), key=_cell(game, key))
        case _:
            return CellType("open")


def _is_part(game: Game, name: str) -> bool:
    return name in game.kinds and game.kinds[name].family == "part"


def _number(node: Node | None) -> int | None:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, int) else None
