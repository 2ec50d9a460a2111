"""Items: the cards, pieces and other things of a game. Their cells are the columns of their kind and are checked when
the kinds are known (`derive.py`); here stands what all items have in common."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

from ludoloom.schemas.acts import Trigger
from ludoloom.schemas.base import ABSENT, Either, Part
from ludoloom.schemas.boards import Origin, StandIn
from ludoloom.schemas.changes import Modifiers
from ludoloom.schemas.values import Formula
from ludoloom.schemas.words import Expr, Id, KindName, Open, Text

Texts = Annotated[Text | dict[Id, Text], Either()]


class Item(Part):
    """A thing of a kind. Other keys are cells: the columns of its kind, its kind's acts and variants."""

    called: ClassVar[str] = "item"
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[Id, Open]

    kind: KindName = ABSENT
    """Its kind; left out where the game has only one kind for this section."""
    origin: Origin = ABSENT
    """`printed`: the rulebook gives it; `original`: written here because the rulebook does not print it."""
    stand_in: StandIn = ABSENT
    """What of a printed item the rulebook does not give: columns, `values.damage`, `text`, sections of its acts."""
    title: Text = ABSENT
    """What people call it; left out: its id."""
    copies: Annotated[int, Field(ge=1)] = ABSENT
    """How many of it there are; they are named `wolf_1`, `wolf_2` …"""
    starts_in: Expr = ABSENT
    """Where it lies at the start."""
    text: Texts = ABSENT
    """Its printed text, with `{value}` and `:icon:`; `auto` is written from its act; by face where its kind has
    faces."""
    values: dict[Id, Formula] = ABSENT
    """Named numbers that text and acts share: `{difficulty: 13, damage: 2}`."""
    triggers: dict[Id, Trigger] = ABSENT
    """What happens by itself."""
    modifiers: Modifiers = ABSENT
    """What it changes while it is active."""
