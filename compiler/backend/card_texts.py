"""The printed text of a card, its holes filled with what the card prints.

    values: {difficulty: 13}, reach: 0 to 2, text: "Roll {difficulty}+: hit a rival at range {reach}."
    ->  "Roll 13+: hit a rival at range 0-2."

`text: auto` is written first (`texts_auto`). What is not fixed when the card is printed (a formula) keeps its hole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ludoloom.compiler import texts_auto
from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column, Item
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.backend import texts
from ludoloom.compiler.backend.cells import cell_of
from ludoloom.compiler.backend.scopes import self_scope
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.frontend.nodes import Scalar
from ludoloom.runtime import isa


def text_of(unit: Unit, number: int) -> str:
    """The text of a thing; the texts of its faces one after the other."""
    return " / ".join(texts_of(unit, number).values())


def texts_of(
    unit: Unit, number: int, language: str = "", names: Mapping[str, str] = {}, dash: str = "-"
) -> dict[str, str]:
    """The texts of a thing by face ("" where its kind has none), in a language if they are translated. `names` are what
    words and things are called there, `dash` stands within ranges."""
    item = unit.game.things[number - 1].item
    if item is None or not item.text:
        return {}
    thing = E("const", t.Thing(item.kind), data=number)

    def fill(hole: re.Match[str]) -> str:
        name = hole[1].strip()
        found = _value(unit, item, thing, name)
        return hole[0] if found is None else word(unit, *found, names, dash)

    return {
        face: texts.HOLE.sub(fill, _written(unit, item, face, node.text, language))
        for face, node in item.text.items()
        if isinstance(node, Scalar)
    }


def _written(unit: Unit, item: Item, face: str, text: str, language: str) -> str:
    if text == texts_auto.AUTO:
        return texts_auto.write(unit.game, item, language).text
    translated = texts_auto.section(unit.game, language, "texts") if language else {}
    return translated.get(f"{item.id}.{face}" if face else item.id, text)


def cell_value(unit: Unit, number: int, column: Column) -> tuple[t.Type, int] | None:
    """What a thing's printed column holds, with its type; None if that is not one fixed number or word."""
    item = unit.game.things[number - 1].item
    node = cell_of(item, column)
    if item is None or node is None:
        return None
    thing = E("const", t.Thing(item.kind), data=number)
    return _constant(unit, unit.quiet.value(node, self_scope(unit, item.kind, thing, item), column.type))


def _value(unit: Unit, item: Item, thing: E, name: str) -> tuple[t.Type, int] | None:
    """What a hole is filled with, if it is printed on the card."""
    return _constant(
        unit, unit.quiet.scalar(Scalar(item.span, name, name, False), self_scope(unit, item.kind, thing, item))
    )


def _constant(unit: Unit, e: E) -> tuple[t.Type, int] | None:
    """The value of an expression, through the printed columns that it reads."""
    quiet = unit.quiet
    for _ in range(4):
        if e.op == "const" and isinstance(e.data, int):
            return e.type, e.data
        if e.op != "column" or e.data.storage != "printed" or not e.args or e.args[0].op not in ("const", "facet"):
            return None
        base = e.args[0].args[0] if e.args[0].op == "facet" else e.args[0]
        if base.op != "const" or not base.data:
            return None
        number: int = base.data
        owner = unit.game.things[number - 1].item
        cell = cell_of(owner, e.data)
        if owner is None or cell is None:
            return None
        e = quiet.value(cell, self_scope(unit, owner.kind, base, owner), e.data.type)
    return None


def word(unit: Unit, kind: t.Type, value: int, names: Mapping[str, str] = {}, dash: str = "-") -> str:
    """A value as it is printed."""
    if isinstance(kind, t.Enum):
        members = unit.infer.members_of(kind)
        member = members[value - 1] if 0 < value <= len(members) else "none"
        return names.get(member, member)
    if isinstance(kind, t.Range):
        low, high = (value & 0x7FFF) - isa.RANGE_BIAS, (value >> 15) - isa.RANGE_BIAS
        return str(low) if low == high else f"{low}+" if high >= isa.RANGE_MAX else f"{low}{dash}{high}"
    if isinstance(kind, t.Thing | t.ItemOf) and 0 < value <= len(unit.game.things):
        item = unit.game.things[value - 1].item
        if item is not None and item.id in names:
            return names[item.id]
        return item.title if item is not None and item.title else texts.title(unit.game.things[value - 1].name)
    return str(value)
