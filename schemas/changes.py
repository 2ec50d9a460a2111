"""What changes or ends the game: modifiers, ends, the order of triggers, texts in other languages."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, model_validator

from ludoloom.schemas.base import ABSENT, Either, Part
from ludoloom.schemas.choices import NamedSet
from ludoloom.schemas.keys import CHANGES
from ludoloom.schemas.quick import changing
from ludoloom.schemas.values import Formula
from ludoloom.schemas.words import EventName, Expr, Id, Name, Path, Text


class Changes(Part):
    """Changes a number or a yes/no wherever it is read, in this order: `set_to`, `times`, `add`, `at_least`,
    `at_most`."""

    called: ClassVar[str] = "modifier"
    signs: ClassVar[tuple[str, ...]] = ("changes",)

    changes: Path
    """The formula or column: `hero.core_number`."""
    of: Expr = ABSENT
    """Whose."""
    while_: Expr = ABSENT
    """Only while this holds; parameters of the formula are words here."""
    set_to: Formula = ABSENT
    """The value it becomes."""
    times: Formula = ABSENT
    """By what it is multiplied."""
    add: Formula = ABSENT
    """What is added."""
    at_least: Formula = ABSENT
    """It is not smaller than this."""
    at_most: Formula = ABSENT
    """It is not larger than this."""

    model_config = ConfigDict(json_schema_extra={"anyOf": [{"required": [key]} for key in CHANGES]})

    @model_validator(mode="after")
    def changing(self) -> Changes:
        """A modifier of a number says what becomes of it."""
        return changing(self)


class Lifts(Part):
    """Lifts a named need of an act."""

    called: ClassVar[str] = "modifier"
    signs: ClassVar[tuple[str, ...]] = ("lifts",)

    lifts: Path
    """The need: `walk.not_held`."""
    while_: Expr = ABSENT
    """Only while this holds; names of the act are words here."""


class Forbids(Part):
    """Forbids an act. It beats `lifts`."""

    called: ClassVar[str] = "modifier"
    signs: ClassVar[tuple[str, ...]] = ("forbids",)

    forbids: EventName
    """The act."""
    while_: Expr = ABSENT
    """Only while this holds; names of the act are words here."""


Modifiers = dict[Id, Annotated[Changes | Lifts | Forbids, Either()]]


class End(Part):
    """An end of the game. The first whose condition holds counts."""

    called: ClassVar[str] = "end"

    whenever: Expr
    """The condition."""
    winners: Expr
    """Who wins: `players`, `none`, or a set of players."""
    says: Text = ABSENT
    """The words of it."""


class Goal(Part):
    """What is worth striving for, told to players who are programs. It changes nothing in play."""

    called: ClassVar[str] = "goal"

    for_: NamedSet = ABSENT
    """Whose goal it is, under a name: `{keeper: keepers}`; what the others have counts against them. Left out: shared
    by all."""
    is_: Formula
    """What is counted: a number, or a condition that counts as one or nothing."""
    weight: Annotated[int, Field(ge=-1000, le=1000)]
    """What one of it is worth, in thousandths of a won game; less than nothing for what is to be avoided."""


class ByPlayer(Part):
    """A player who decides."""

    called: ClassVar[str] = "`ties`"

    by: Expr
    """The player."""


class TriggerOrder(Part):
    """In which order triggers run that start at one moment."""

    called: ClassVar[str] = "`trigger_order`"

    groups: list[Name] = ABSENT
    """First those of the rules (`rules`), then those of kinds, in this order."""
    ties: Annotated[Literal["seats"] | ByPlayer, Either()] = ABSENT
    """Within a group: by seats from the active player, or as somebody decides."""


class Language(Part):
    """The texts of the game in another language."""

    called: ClassVar[str] = "language"

    says: dict[Path, Text] = ABSENT
    """The `says` of acts, by name."""
    names: dict[Path, Text] = ABSENT
    """The names of things, by id."""
    texts: dict[Path, Text] = ABSENT
    """The texts of items, by id (`id.face` where there are faces)."""
