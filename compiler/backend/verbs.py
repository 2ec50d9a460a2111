"""All modules that register how something is lowered, in one list: importing this one fills the tables."""

from __future__ import annotations

from ludoloom.compiler.backend import (
    acts,
    assigned,
    changes,
    choices,
    dice,
    flow,
    formulas,
    loops,
    maps,
    rolls,
    sets,
    singles,
    tallies,
    things,
)
from ludoloom.compiler.backend.statements import BESIDE, CORE

VALUES = (singles, tallies, sets, formulas, maps, assigned, dice)
"""Expressions, by the `op` that analysis gave them."""
VERBS = (flow, changes, things, choices, loops, rolls, acts)
"""The core verbs; `acts` calls those of the game."""

__all__ = ["BESIDE", "CORE", "VALUES", "VERBS"]
