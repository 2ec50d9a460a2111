"""The manifest of a pack; what the box holds; modes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import Field

from ludoloom.schemas.base import ABSENT, Either, Part
from ludoloom.schemas.words import CountName, CountText, Expr, GameName, Id, Text, Version, VersionRange


class GamePack(Part):
    """A game that stands alone."""

    called: ClassVar[str] = "pack"
    rather: ClassVar[Mapping[str, str]] = {"players": "`extends:` and a game, if it is an expansion"}

    id: Id
    """The id of the game."""
    version: Version
    """Its version: `1.0.0`."""
    title: Text
    """What people call it."""
    players: CountText
    """How many can play: `2`, or `1 to 4`."""
    incomplete: list[CountName] = ABSENT
    """Rows of `counts` that the pack does not reach yet."""


class ExpansionPack(Part):
    """An expansion of a game."""

    called: ClassVar[str] = "expansion"
    signs: ClassVar[tuple[str, ...]] = ("extends",)

    id: Id
    """The id of the expansion."""
    version: Version
    """Its version: `1.0.0`."""
    title: Text
    """What people call it."""
    extends: Annotated[dict[GameName, VersionRange], Field(min_length=1)]
    """The game it extends and the versions that fit: `{chess: ">=1.0 <2"}`."""
    players: CountText = ABSENT
    """How many can play with it, if that changes."""
    incomplete: list[CountName] = ABSENT
    """Rows of `counts` that the pack does not reach yet."""


Pack = Annotated[GamePack | ExpansionPack, Either()]


class Count(Part):
    """A component count, as printed on the box."""

    called: ClassVar[str] = "count"

    of: Expr
    """What is counted: plurals, kinds, items, and sums of them."""
    is_: Annotated[int, Field(ge=0)]
    """How many there are."""
