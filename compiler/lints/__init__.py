"""Checks that need the whole game, one a file; each says in its docstring what it finds.

They run when everything else was found right: then what nothing reads is a finding, and not the shadow of a misspelt
word.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ludoloom.compiler.analysis.tree import GameTree
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.lints import (
    bare_number,
    endless_phase,
    hidden_leak,
    name_unused,
    never_active,
    never_called,
    no_end,
    no_says,
    nothing_is_played,
    sheets,
    test_draws,
    translations,
    trigger_cycle,
    two_replacements,
    unbounded_recursion,
    unknown_value,
    unused,
    window_cycle,
)
from ludoloom.compiler.lints.whole import Whole, whole_of

RULES: Final[tuple[Callable[[Whole, Bag], None], ...]] = (
    hidden_leak.check,
    test_draws.check,
    trigger_cycle.check,
    unbounded_recursion.check,
    two_replacements.check,
    window_cycle.check,
    endless_phase.check,
    nothing_is_played.check,
    no_end.check,
    never_called.check,
    never_active.check,
    name_unused.check,
    unused.check,
    unknown_value.check,
    bare_number.check,
    no_says.check,
    translations.check,
    sheets.check,
)


def lint(tree: GameTree, units: list[Unit], bag: Bag) -> None:
    """Run all checks over a game, lowered in each combination of its modes."""
    whole = whole_of(tree, units)
    for rule in RULES:
        rule(whole, bag)
