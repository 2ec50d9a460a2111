"""`no-end`: a game that is played and never says how it ends, so that nobody can win it.

    play: [rounds]      and no section `end`

Where `endless-phase` is reported too, an end is what that asks for.
"""

from __future__ import annotations

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.lints.whole import Whole


def check(whole: Whole, bag: Bag) -> None:
    if any(finding.code == "endless-phase" for finding in bag):
        return  # an end is what that asks for
    for unit in whole.units:
        if unit.game.play and not unit.game.end:
            message = "the game has no `end`: whatever happens, nobody wins or loses"
            bag.add("no-end", unit.game.play[0].span, message, "add `end: {won: {whenever: …, winners: …}}`")
