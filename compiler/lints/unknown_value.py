"""`unknown-value`, `unknown-icon`, `unclosed-bracket`: a hole of a printed text that is no value or column or is never
closed, an icon that nobody declares.

    values: {damage: 2}, text: "Deal {damge} :hit: to {victim."

Log lines are looked at where they are lowered.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludoloom.compiler.backend.texts import HOLE, place, unclosed_holes, unknown_icons
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.lints.texts import hole, known, printed_texts
from ludoloom.compiler.lints.whole import Whole


def check(whole: Whole, bag: Bag) -> None:
    whole.everywhere(bag, _unknown)


def _unknown(unit: Unit) -> Iterable[Diagnostic]:
    seen: set[tuple[object, ...]] = set()
    for item, node in printed_texts(unit.game):
        # A set of cards often says one thing, in words that mean the same on each.
        says = (node.text, item.kind, item.values.names() if item.values is not None else ())
        if says in seen:
            continue
        columns, sound = unit.game.kinds[item.kind].columns, True
        for found in HOLE.finditer(node.text):
            name = found[1].strip()
            if name in columns or (item.values is not None and name in item.values):
                continue
            sound = False
            span = place(node, *found.span())
            if hole(unit, item, name, span) is None:
                hint = did_you_mean(name, known(unit, item)) or "a hole names one of the item's `values` or columns"
                yield Diagnostic("unknown-value", span, f"`{name}` is no value or column of `{item.id}`", hint)
        marks = Bag()
        unclosed_holes(node, marks)
        unknown_icons(node, unit.game.icons, marks)
        yield from marks
        if sound and not marks.findings:
            seen.add(says)
