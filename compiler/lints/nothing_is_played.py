"""`nothing-is-played`: a game with phases of which none is ever run, so that it is over before it begins.

    phases: {rounds: {...}}      and no section `play`, or an empty one

A pack without phases only declares components, and is not to be played yet.
"""

from __future__ import annotations

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.lints.whole import Whole


def check(whole: Whole, bag: Bag) -> None:
    if whole.played:
        return
    # A mode may bring phases too, so each combination is looked at; the first phase speaks for all.
    for unit in whole.units:
        for name in unit.game.phases:
            bag.add(
                "nothing-is-played",
                unit.game.places[f"phases.{name}"],
                "no phase is ever run: the game is over before it begins",
                f"add `play: [{name}]` with the phases in their order",
            )
            return
