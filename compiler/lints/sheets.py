"""What `sheets` and `icons` say, against the kinds, columns, icons and files that they name: `unknown-word`,
`unknown-icon`, `picture-missing`, `template-missing`, `face-without-template`, `deck-of-two-sizes`, `colours-alike`.

    sheets: {spell: {corner: coast}}        `spell` has no column `coast`; did you mean `cost`?

What shows only when faces are drawn is found by `ludoloom sheets` (`compiler/sheets/fit.py`).
"""

from __future__ import annotations

from collections.abc import Iterable

from ludoloom.compiler.analysis.tree import text
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.lints.whole import Whole


def check(whole: Whole, bag: Bag) -> None:
    if not any(unit.game.sheets or unit.game.icons for unit in whole.units):
        return
    from ludoloom.compiler.sheets import icons
    from ludoloom.compiler.sheets.looks import looks
    from ludoloom.compiler.sheets.sources import Sources

    sources = Sources.of(whole.tree)
    templates = sources.names()

    def found(unit: Unit) -> Iterable[Diagnostic]:
        mine = Bag()
        for name, node in unit.game.icons.items():
            icons.path_of(name, text(node), node.span, sources, mine)
        if unit.game.sheets:
            looks(unit.game, mine, templates=templates)
        return mine.findings

    whole.everywhere(bag, found)
