"""A choice: who picks what out of what."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from ludoloom.schemas.base import ABSENT, Either, Part
from ludoloom.schemas.values import Rows
from ludoloom.schemas.words import CountText, Expr, Id

NamedSet = Annotated[dict[Id, Expr], Field(min_length=1, max_length=1)]
"""One new name and the set it runs through: `{hero: heroes}`."""


class ChoiceFrom(Part):
    """One thing, or several, out of a set, a range, a list of values, or the first of several sets that is not
    empty."""

    called: ClassVar[str] = "choice"

    from_: Annotated[Expr | list[Expr] | Rows, Either()]
    """A set, a range, a list of values, or a list of sets tried in turn: the first that is not empty."""
    by: Expr = ABSENT
    """Who chooses; left out: the act's `who`."""
    count: CountText = ABSENT
    """How many: `2`, `1 to 3` or `any`; the name is then a set, chosen one by one."""
    in_order: bool = ABSENT
    """Whether the order of the chosen things matters."""
    such_that: Expr = ABSENT
    """A condition on the whole choice: `paid.sum(value) >= 4`."""
    optional: bool = ABSENT
    """Whether the chooser may decline; the name may then be none."""
    secret: bool = ABSENT
    """Whether the others see only that something was chosen, and how many."""


class Fewest(Part):
    """Keep the layouts with the smallest number."""

    called: ClassVar[str] = "preference"
    signs: ClassVar[tuple[str, ...]] = ("fewest",)

    fewest: Expr
    """The number, read as if the layout were laid."""


class Most(Part):
    """Keep the layouts with the largest number."""

    called: ClassVar[str] = "preference"
    signs: ClassVar[tuple[str, ...]] = ("most",)

    most: Expr
    """The number, read as if the layout were laid."""


class Assignment(Part):
    """Gives each left thing a right one, pair by pair."""

    called: ClassVar[str] = "assignment"
    signs: ClassVar[tuple[str, ...]] = ("assign",)

    assign: NamedSet
    """The left things, or a number of points: `{shot: hero.shots}`. Each of them gets a right one."""
    to: NamedSet
    """The right things: `{gap: tile.gaps}`."""
    pair: Expr = ABSENT
    """The condition on a left and a right thing that go together."""
    reuse: Expr = ABSENT
    """`never` (the default), `always`, or a column of the left things: a right one may serve again where that
    differs."""
    turns: Literal["half", "quarter"] = ABSENT
    """The left things may also be turned, by these steps."""
    prefer: list[Annotated[Fewest | Most, Either()]] = ABSENT
    """Keeps only the best whole layouts; the first line counts most."""
    by: Expr = ABSENT
    """Who chooses; left out: the act's `who`."""
    such_that: Expr = ABSENT
    """A condition on the whole assignment."""
    optional: bool = ABSENT
    """Whether the chooser may decline."""
    secret: bool = ABSENT
    """Whether the others see only that something was chosen."""


Choice = TypeAliasType("Choice", Annotated[Expr | ChoiceFrom | Assignment, Either()])
"""A set to choose from, or a choice with its conditions."""

Choices = dict[Id, Choice]
"""Choices by name, made in order."""
