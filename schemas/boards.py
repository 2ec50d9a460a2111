"""Where things lie and what is thrown: zones, tracks, dice, maps."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from ludoloom.schemas.base import ABSENT, Either, Part
from ludoloom.schemas.statements import Block
from ludoloom.schemas.words import (
    CellName,
    Expr,
    Id,
    ItemName,
    KindName,
    Member,
    Name,
    Open,
    RangeText,
    Text,
    Word,
)

Origin = Literal["printed", "original"]
StandIn = list[Text]
Seen = Literal["everyone", "owner", "nobody"]


class Refill(Part):
    """From where an empty pile is filled again."""

    called: ClassVar[str] = "`refill`"

    from_: Expr
    """The zone whose things come back."""
    shuffled: bool = ABSENT
    """Whether they are shuffled."""


class Zone(Part):
    """A place where things lie: a deck, a hand, a supply. In a kind: one for each piece of the kind."""

    called: ClassVar[str] = "zone"

    holds: Annotated[KindName | list[KindName], Either()]
    """The kind, or the list of kinds, that may lie here."""
    order: Literal["none", "pile", "row"] = ABSENT
    """`pile` has a top and a bottom, `row` has places; left out: none."""
    max: Annotated[int, Field(ge=1)] = ABSENT
    """How many things fit: a whole number."""
    seen_by: Seen = ABSENT
    """Who sees what lies here: `everyone` (if left out), `owner` or `nobody`."""
    count_seen_by: Seen = ABSENT
    """Who sees how many things lie here; left out: everyone."""
    out_of_play: bool = ABSENT
    """Things that lie here do not count as in play."""
    refill: Refill = ABSENT
    """From where it is filled when something is drawn and nothing is left."""


class Mark(Part):
    """A named space of a track."""

    called: ClassVar[str] = "mark"

    at: int
    """The space."""
    reached: Block = ABSENT
    """What happens when the marker lands on it or passes it."""


class Track(Part):
    """A row of numbered spaces with one marker."""

    called: ClassVar[str] = "track"

    origin: Origin = ABSENT
    """`printed`: the rulebook gives it; `original`: written here."""
    stand_in: StandIn = ABSENT
    """What of a printed track the rulebook does not give."""
    title: Text = ABSENT
    """What people call it."""
    shape: Literal["line", "loop"] = ABSENT
    """`loop` begins again behind its last space; left out: line."""
    spaces: RangeText
    """The spaces: `0 to 20`."""
    start: Annotated[int | Name, Either()] = ABSENT
    """Where the marker starts: a space, or a mark; left out: the first space."""
    marks: dict[Id, Mark] = ABSENT
    """Named spaces."""


class Face(Part):
    """A face of a die: its columns, and how often it is on the die."""

    called: ClassVar[str] = "face"
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[Id, Expr]

    times: Annotated[int, Field(ge=1, le=1000)] = ABSENT
    """On how many sides of the die it is; left out: one."""


class Die(Part):
    """A die: numbers, or faces with columns of their own."""

    called: ClassVar[str] = "die"

    origin: Origin = ABSENT
    """`printed`: the rulebook gives it; `original`: written here."""
    stand_in: StandIn = ABSENT
    """What of a printed die the rulebook does not give."""
    title: Text = ABSENT
    """What people call it."""
    faces: Annotated[RangeText | list[Face], Either()]
    """`1 to 6`, or a list of faces: `[{side: heads, times: 2}, {side: tails}]`."""


class Space(Part):
    """A space of a listed map; other keys are the columns of its kind."""

    called: ClassVar[str] = "space"
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[Id, Open]

    links: list[Name] = ABSENT
    """The spaces that one can go to from here."""
    one_way: list[Name] = ABSENT
    """The links among them that do not lead back."""
    centre: Annotated[list[int], Field(min_length=2, max_length=2)] = ABSENT
    """Where its centre lies, `[across, down]`: what `between` measures by."""
    extent: Annotated[list[int], Field(min_length=2, max_length=2)] = ABSENT
    """How big it is round its centre, `[across, down]`, for `between`; left out, it is a point."""


Letter = Annotated[str, Word("Letter", "one character", r"^\S$", "One character of the drawing.")]


class Board(Part):
    """What all maps have in common. Other keys are the columns of the map's kind."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[Id, Open]

    kind: KindName = ABSENT
    """The map's kind; it names the kind of the spaces."""
    origin: Origin = ABSENT
    """`printed`: the rulebook gives it; `original`: written here."""
    stand_in: StandIn = ABSENT
    """What of a printed map the rulebook does not give."""
    title: Text = ABSENT
    """What people call it."""


class DrawnMap(Board):
    """A map that is drawn with letters; its cells are named as in a sheet: `a1`, `b1` …"""

    called: ClassVar[str] = "drawn map"
    signs: ClassVar[tuple[str, ...]] = ("drawing", "legend")

    links: Literal["orthogonal", "diagonal_too", "hex", "none"] = ABSENT
    """Which cells are linked; left out: orthogonal."""
    legend: dict[Letter, Expr]
    """What each letter stands for: the first column of the kind of the spaces."""
    drawing: list[Text]
    """The rows, from top to bottom, letters with blanks between: `["p p m", "m p p"]`."""
    at: dict[CellName, dict[Id, Open]] = ABSENT
    """The other columns of single cells: `{b2: {leads_to: cave}}`."""


class ListedMap(Board):
    """A map whose spaces are listed with their links."""

    called: ClassVar[str] = "listed map"
    signs: ClassVar[tuple[str, ...]] = ("spaces",)

    spaces: dict[Id, Space]
    """The spaces by name."""


class GrowingMap(Board):
    """A map that grows in play, out of tiles."""

    called: ClassVar[str] = "growing map"
    signs: ClassVar[tuple[str, ...]] = ("grows_with", "grid")

    grows_with: KindName
    """The kind of the tiles."""
    grid: Annotated[
        str, Word("Grid", "a size such as `21 x 21`", r"^[1-9][0-9]* x [1-9][0-9]*$", "Width and height in cells.")
    ]
    """The room for it: `21 x 21`."""
    joins: Member
    """The column of the tiles that says on which sides they join."""
    turns: Literal["none", "half", "quarter"] = ABSENT
    """How tiles may be turned; left out: none."""
    first: dict[ItemName, CellName]
    """The tile that lies there at the start, and its cell: `{start_tile: k11}`."""


Map = Annotated[DrawnMap | ListedMap | GrowingMap, Either()]
