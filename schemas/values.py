"""Values that are more than a word: rows (tables and case lists), formulas, parameters, the arguments of a call."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from typing_extensions import TypeAliasType

from ludoloom.schemas.base import ABSENT, Either, Part
from ludoloom.schemas.words import Expr, Id, TypeText, Word

RowKey = Annotated[
    str,
    Word(
        "RowKey",
        "a value, a range, a condition or `else`",
        r"\S",
        "With `depends_on` values (`wolf or bear`) or ranges (`1 to 2`, `5+`), else conditions; `else` comes last.",
    ),
]


class Rows(Part):
    """A table or a list of cases. With `depends_on` the keys are values or ranges of it; without, they are conditions
    and the first that holds wins. `else: impossible` promises that the case never happens."""

    called: ClassVar[str] = "table of rows"
    signs: ClassVar[tuple[str, ...]] = ("rows", "depends_on")

    depends_on: Expr = ABSENT
    """The value that chooses the row."""
    rows: dict[RowKey, RowValue]
    """What it is, row by row: `{0: 1, 1 to 2: 4, 3+: 9}`, or `{hero.ko: 0, else: hero.speed}`."""


Formula = TypeAliasType("Formula", Annotated[Expr | Rows, Either()])
"""An expression, or rows."""

RowValue = TypeAliasType("RowValue", Annotated[Expr | list[Expr] | Rows, Either()])
"""What a row gives: an expression, rows of its own, or a list of values."""

Argument = TypeAliasType("Argument", Annotated[Expr | list[Expr] | Rows, Either()])
"""The value of one parameter."""

Arguments = TypeAliasType("Arguments", Annotated[Expr | Rows | dict[Id, Argument], Either()])
"""What a call is given: its parameters by name, or a value for the first parameter."""


class Param(Part):
    """A parameter with a default, or one that is taken from the caller."""

    called: ClassVar[str] = "parameter"

    is_: TypeText
    """Its type."""
    default: Expr = ABSENT
    """Its value if the caller gives none."""
    implied: Literal[True] = ABSENT
    """If left out, it is the caller's name of the same spelling."""


Params = dict[Id, Annotated[TypeText | Param, Either()]]
"""Parameters by name: `{target: monster, amount: {is: int, default: 1}}`."""
