"""Kinds: what the things of a game are, column by column; enumerations, options, words of the game."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from ludoloom.schemas.acts import CardAct, Trigger
from ludoloom.schemas.base import ABSENT, Either, Part
from ludoloom.schemas.boards import Seen, Zone
from ludoloom.schemas.changes import Modifiers
from ludoloom.schemas.quick import faces_exist
from ludoloom.schemas.values import Params, Rows
from ludoloom.schemas.words import Expr, Id, KindName, Member, Name, Open, Text, TypeText

Family = Literal["card", "encounter", "quest", "map", "space", "tile", "piece", "player", "part"]


class PrintedColumn(Part):
    """A printed column. With `with` its cells are formulas: what is printed is the formula."""

    called: ClassVar[str] = "column"
    signs: ClassVar[tuple[str, ...]] = ("is", "default", "with", "seen_by")

    is_: TypeText
    """Its type."""
    default: Open = ABSENT
    """The cell of items that do not fill it."""
    with_: Params = ABSENT
    """The words that a formula in a cell may use, at most one: `{target: monster}`."""
    seen_by: Seen = ABSENT
    """Who sees it: `everyone` (if left out), `owner` or `nobody`."""


class StateColumn(Part):
    """A column, or a word of the game, that changes in play."""

    called: ClassVar[str] = "column"

    is_: TypeText
    """Its type; a range is a number with bounds: `0 to health_max`."""
    start: Expr = ABSENT
    """Its value at the start; left out: lower bound, no, or none."""
    seen_by: Seen = ABSENT
    """Who sees it: `everyone` (if left out), `owner` or `nobody`."""


class Computed(Part):
    """A formula with a parameter, or with words for people."""

    called: ClassVar[str] = "formula"

    is_: Annotated[Expr | Rows, Either()]
    """The formula."""
    with_: Params = ABSENT
    """Its parameter, at most one: `{target: monster}`."""
    says: Text = ABSENT
    """Its words in generated texts: `"a monster in range {reach}"`."""


Fields = dict[
    Id, Annotated[TypeText | PrintedColumn | dict[Id, Annotated[TypeText | PrintedColumn, Either()]], Either()]
]
States = dict[Id, Annotated[TypeText | StateColumn, Either()]]
Formulae = dict[Id, Annotated[Expr | Rows | Computed, Either()]]


class Kind(Part):
    """A kind of thing. `fields` are printed, `state` changes in play, `computed` are formulas."""

    called: ClassVar[str] = "kind"

    family: Family = ABSENT
    """What it is in general; left out only with `is_a`."""
    is_a: KindName = ABSENT
    """The kind on which it builds: it has all that one's columns and acts."""
    plural: Id = ABSENT
    """The word for all of them in play: `heroes`."""
    owner: KindName = ABSENT
    """The kind of its owners; gives it the column `owner`."""
    stands_on: KindName = ABSENT
    """The kind of place on which it stands; gives it a word of that name: `hero.tile`."""
    spaces: KindName = ABSENT
    """Of a map: the kind of its spaces."""
    starts_in: Expr = ABSENT
    """Where its items lie at the start."""
    faces: Annotated[list[Id], Field(min_length=1)] = ABSENT
    """Its faces; the first one shows at the start. Each has columns of its own."""
    open_faces: bool = ABSENT
    """`true`: everybody knows what stands on the faces that do not show."""
    alike: list[Name] = ABSENT
    """Copies at one place that are equal in these columns are one option."""
    active_while: Expr = ABSENT
    """When its triggers and modifiers count; left out: while it is in play."""
    fields: Fields = ABSENT
    """Printed columns: `{attack: int, element: element or none}`; of a face: `{front: {role: role}}`."""
    state: States = ABSENT
    """Columns that change: `{wounds: 0 to 7}`."""
    zones: dict[Id, Zone] = ABSENT
    """Zones that each of them has: `{hand: {holds: card}}`."""
    computed: Formulae = ABSENT
    """Formulas: `{ko: health == 0}`."""
    variants: dict[Id, Expr] = ABSENT
    """Conditions by name under which an item may replace its `values`."""
    acts: dict[Id, CardAct] = ABSENT
    """What can be done with one; an item's own is laid over it."""
    triggers: dict[Id, Trigger] = ABSENT
    """What happens by itself."""
    modifiers: Modifiers = ABSENT
    """What it changes while it is active."""

    @model_validator(mode="after")
    def faces_exist(self) -> Kind:
        """A mapping of columns among the fields is a face, which `faces` names (or the kind that this one builds
        on)."""
        return faces_exist(self)


class OneOf(Part):
    """An option with several values."""

    called: ClassVar[str] = "option"
    signs: ClassVar[tuple[str, ...]] = ("one_of",)

    one_of: Annotated[list[Id], Field(min_length=2)]
    """The values."""
    start: Member = ABSENT
    """The value if nothing is chosen; left out: the first."""
    name: Text
    """What people call it."""


class YesNo(Part):
    """An option that is on or off."""

    called: ClassVar[str] = "option"
    signs: ClassVar[tuple[str, ...]] = ("is",)

    is_: Literal["bool"]
    """`bool`."""
    start: bool = ABSENT
    """The value if nothing is chosen; left out: no."""
    name: Text
    """What people call it."""


Option = Annotated[OneOf | YesNo, Either()]
Enumeration = Annotated[list[Id], Field(min_length=1)]
