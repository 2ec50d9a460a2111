"""The printed text of a card, its holes filled with what the card prints.

    values: {difficulty: 13}, reach: 0 to 2, text: "Roll {difficulty}+: hit a rival at range {reach}."
    ->  "Roll 13+: hit a rival at range 0-2."

`text: auto` is written first (`texts_auto`). What is not fixed when the card is printed (a formula) keeps its hole.
"""

from __future__ import annotations

import re

from ludoloom.compiler import texts_auto
from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Item
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.backend import texts
from ludoloom.compiler.backend.cells import cell_of
from ludoloom.compiler.backend.scopes import self_scope
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.frontend.nodes import Scalar
from ludoloom.runtime import isa


def text_of(unit: Unit, number: int) -> str:
    """The text of a thing; the texts of its faces one after the other."""
    item = unit.game.things[number - 1].item
    if item is None or not item.text:
        return ""
    parts = [_written(unit, item, node.text) for node in item.text.values() if isinstance(node, Scalar)]
    thing = E("const", t.Thing(item.kind), data=number)

    def fill(hole: re.Match[str]) -> str:
        name = hole[1].strip()
        found = _value(unit, item, thing, name)
        return hole[0] if found is None else _word(unit, *found)

    return texts.HOLE.sub(fill, " / ".join(parts))


def _written(unit: Unit, item: Item, text: str) -> str:
    return texts_auto.write(unit.game, item).text if text == texts_auto.AUTO else text


def _value(unit: Unit, item: Item, thing: E, name: str) -> tuple[t.Type, int] | None:
    """What a hole is filled with, if it is printed on the card."""
    quiet = unit.quiet
    e = quiet.scalar(Scalar(item.span, name, name, False), self_scope(unit, item.kind, thing, item))
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


def _word(unit: Unit, kind: t.Type, value: int) -> str:
    if isinstance(kind, t.Enum):
        members = unit.infer.members_of(kind)
        return members[value - 1] if 0 < value <= len(members) else "none"
    if isinstance(kind, t.Range):
        low, high = (value & 0x7FFF) - isa.RANGE_BIAS, (value >> 15) - isa.RANGE_BIAS
        return str(low) if low == high else f"{low}+" if high >= isa.RANGE_MAX else f"{low}-{high}"
    if isinstance(kind, t.Thing | t.ItemOf) and 0 < value <= len(unit.game.things):
        item = unit.game.things[value - 1].item
        return item.title if item is not None and item.title else texts.title(unit.game.things[value - 1].name)
    return str(value)
