"""What of an item is printed: its columns, as words.

    element: fire, reach: 0 to 2, cost: 3    ->    Cell("element", "Element", "Fire", members=("fire",)), …

Only what is the same for ever and may be seen by everybody is printed: printed columns, not formulas over the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column, Item
from ludoloom.compiler.backend import card_texts, texts
from ludoloom.compiler.backend.cells import cell_of, part_key
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar


@dataclass(frozen=True, slots=True)
class Cell:
    """A printed column of an item. `value` is empty for a yes (its label says it), `members` are the words or ids that
    it holds."""

    name: str
    label: str
    value: str
    members: tuple[str, ...] = ()
    wordy: bool = False
    """Words of a list rather than a number: it can stand in a sentence."""
    rows: tuple[tuple[Cell, ...], ...] = ()
    """Of a column that holds records: the columns of each."""
    record: str = ""
    """... and their kind."""


def cells(unit: Unit, item: Item, face: str, names: Mapping[str, str], labels: Mapping[str, str]) -> dict[str, Cell]:
    """The printed columns of an item on one of its faces, by name, in the order of the kind."""
    found: dict[str, Cell] = {}
    for column in unit.game.kinds[item.kind].columns.values():
        if column.storage != "printed" or column.seen_by != "everyone" or column.params:
            continue
        if column.face not in ("", face):
            continue
        label = labels.get(column.name) or names.get(column.name) or column.name.replace("_", " ").capitalize()
        if part_key(column) in item.part_ids:
            rows = _rows(unit, item, column, names, labels)
            if rows:
                found[column.name] = Cell(column.name, label, "", rows=rows, record=_record(unit, item, column))
        elif (cell := _cell(unit, item, column, names)) is not None:
            found[column.name] = Cell(column.name, label, *cell)
    return found


def _record(unit: Unit, item: Item, column: Column) -> str:
    """The kind of the records of a column."""
    parts = (unit.game.items.get(name) for name in item.part_ids[part_key(column)])
    return next((part.kind for part in parts if part is not None), "")


def _rows(
    unit: Unit, item: Item, column: Column, names: Mapping[str, str], labels: Mapping[str, str]
) -> tuple[tuple[Cell, ...], ...]:
    """The records of a column, each as the cells of its own columns."""
    parts = [unit.game.items[name] for name in item.part_ids[part_key(column)] if name in unit.game.items]
    rows = (tuple(cells(unit, part, "", names, labels).values()) for part in parts)
    return tuple(row for row in rows if row)


def _cell(unit: Unit, item: Item, column: Column, names: Mapping[str, str]) -> tuple[str, tuple[str, ...], bool] | None:
    """Value, members, wordy; None if there is nothing to print."""
    node = cell_of(item, column)
    if isinstance(column.type, t.Int | t.Range) and column.default is not None and part_key(column) not in item.cells:
        return None  # what is usual is not printed
    match column.type:
        case t.Text():
            return (node.text, (), True) if isinstance(node, Scalar) and node.text else None
        case t.ListOf() | t.SetOf():
            members = _listed(node)
            return (", ".join(_word(unit, each, names) for each in members), members, True) if members else None
        case t.Bool():
            held = card_texts.cell_value(unit, item.things[0], column) if item.things else None
            return ("", ("true",), False) if held is not None and held[1] else None
        case t.Int() | t.Enum() | t.Range() | t.Thing() | t.ItemOf():
            return _fixed(unit, item, column, names)
        case _:
            return None


def _fixed(
    unit: Unit, item: Item, column: Column, names: Mapping[str, str]
) -> tuple[str, tuple[str, ...], bool] | None:
    held = card_texts.cell_value(unit, item.things[0], column) if item.things else None
    if held is None:
        return None
    kind, value = held
    if isinstance(kind, t.Int) or isinstance(column.type, t.Int):
        missing = isinstance(column.type, t.Int) and column.type.missing and cell_of(item, column) is None
        return None if missing else (str(value), (), False)
    if isinstance(column.type, t.Range):
        return card_texts.word(unit, column.type, value, dash="–"), (), False
    if not value:
        return None
    if isinstance(column.type, t.Enum):
        member = card_texts.word(unit, column.type, value)
        return _word(unit, member, names), (member,), True
    thing = unit.game.things[value - 1] if value <= len(unit.game.things) else None
    if thing is None or (thing.item is not None and thing.item.section == "parts"):
        return None
    name = thing.item.id if thing.item is not None else thing.name
    return card_texts.word(unit, column.type, value, names), (name,), True


def _listed(node: Node | None) -> tuple[str, ...]:
    rows = node.items if isinstance(node, Items) else (node,) if isinstance(node, Scalar) else ()
    if any(isinstance(each, Map) for each in rows):
        return ()
    return tuple(each.text for each in rows if isinstance(each, Scalar) and each.text not in ("", "none"))


def _word(unit: Unit, member: str, names: Mapping[str, str]) -> str:
    """A word or id as people read it."""
    if member in names:
        return names[member]
    item = unit.game.items.get(member)
    return item.title if item is not None and item.title else texts.title(member)
