"""Words of the language that the compiler looks at by itself. They stand here, without any model, because a check of
what is known to be right needs nothing else of the schemas; a test sees to it that the models know the same."""

from __future__ import annotations

from typing import Final

ID: Final = r"^[a-z][a-z0-9_]*$"
"""A name."""

PATH: Final = r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$"
"""Names with dots."""

ON: Final = r"^on [a-z0-9_+-]+( (or|to) [a-z0-9_+-]+)*$"
"""A key for what follows some outcomes."""

BESIDE: Final = ("as", "then", "else", "do")
"""Keys that stand beside a verb and are none."""

SECTIONS: Final = (
    "says", "turns", "until", "with", "gives", "before", "after", "instead_of", "whenever", "during", "who", "needs",
    "choose", "cost", "roll", "on …", "do", "steps",
)  # fmt: skip
"""The order of an act's sections. The first of the phases' own (`turns`, `until`) stand where their reader looks
first."""

ROLL_SECTIONS: Final = ("says", "with", "sides", "commit", "dice", "add", "again", "outcomes", "do")
"""The order of a roll's sections."""

STARTS: Final = ("before", "after", "instead_of", "whenever")
"""The sections that make an act a trigger."""

CHANGES: Final = ("set_to", "times", "add", "at_least", "at_most")
"""What a modifier can do to a number, in the order in which it is done."""

COMMON: Final = (
    "kind", "origin", "stand_in", "title", "copies", "starts_in", "text", "values", "triggers", "modifiers",
)  # fmt: skip
"""Keys of all items."""

MAP_KEYS: Final = ("links", "legend", "drawing", "at", "spaces", "grows_with", "grid", "joins", "turns", "first")
"""Keys of the items of `maps`; `boards.py` checks them."""

SPACE_KEYS: Final = ("links", "one_way")
"""Keys of the spaces of a listed map."""

ITEM_SECTIONS: Final = ("cards", "encounters", "quests", "tiles", "spaces", "pieces", "players")
"""The sections that hold items; `maps` hold maps, which have a form of their own."""
