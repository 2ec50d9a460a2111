"""What `sheets` says, against the kinds, columns, icons and files that it names: `unknown-word`, `unknown-icon`,
`template-missing`, `face-without-template`, `deck-of-two-sizes`, `colours-alike`.

    sheets: {spell: {corner: coast}}        `spell` has no column `coast`; did you mean `cost`?

What shows only when faces are drawn is found by `ludoloom sheets` (`compiler/sheets/fit.py`).
"""

from __future__ import annotations

from collections.abc import Iterable

from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.lints.whole import Whole


def check(whole: Whole, bag: Bag) -> None:
    if not any(unit.game.sheets for unit in whole.units):
        return
    from ludoloom.compiler.sheets.looks import looks
    from ludoloom.compiler.sheets.sources import Sources

    templates = Sources.of(whole.tree).names()

    def found(unit: Unit) -> Iterable[Diagnostic]:
        mine = Bag()
        looks(unit.game, mine, templates=templates)
        return mine.findings

    whole.everywhere(bag, found)
