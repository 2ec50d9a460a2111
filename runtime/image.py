"""A compiled game: plain data that needs neither YAML nor the compiler.

An image holds one *program* for each allowed combination of the game's modes (a mode is an overlay of content that is
chosen before the game starts, so each combination is linked on its own and costs nothing at run time), and the tables
of names that turn numbers back into words. All rows are plain tuples of numbers and strings, so that writing and
reading them is one loop.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

OUTCOMES: Final = "roll."
"""Before the name of a roll: the enumeration of its outcomes, by which an event without a sentence reports one."""


@dataclass(frozen=True, slots=True)
class TypeRow:
    """What a word means: `tag` is one of int, bool, enum, thing, set, range, cell; `of` names the enumeration,
    the kind (several: ``token|tile``) or the growing map. Members of an enumeration are numbered from 1, 0 is none.
    """

    tag: str
    of: str = ""


@dataclass(frozen=True, slots=True)
class KindRow:
    """A kind: its things are first..first+count-1 (those of kinds built on it included)."""

    name: str
    plural: str
    family: str
    first: int
    count: int
    faces: tuple[str, ...] = ()
    open_faces: bool = False


@dataclass(frozen=True, slots=True)
class ThingRow:
    """Thing number = place in the list + 1. `item` is the printed thing of which this is a copy; `owner` for a zone of
    a thing.
    """

    name: str
    kind: str
    item: str
    title: str
    origin: str = ""
    text: str = ""
    owner: int = 0


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """A column of a kind (`kind` empty: a word of the game). `storage`: state (offset in the state), printed (offset
    in the constants), computed (offset is a procedure, which takes the thing unless the word is the game's).
    `seen_by`: everyone, owner, nobody. `face` names the face on which a printed column stands, if the kind has
    faces."""

    kind: str
    name: str
    storage: str
    offset: int
    first: int
    count: int
    type: TypeRow
    seen_by: str = "everyone"
    face: str = ""
    words: int = 1


@dataclass(frozen=True, slots=True)
class ZoneRow:
    """A place that is a zone. `order`: none, pile, row. `thing` is its number."""

    name: str
    thing: int
    owner: int
    order: str
    seen_by: str
    count_seen_by: str


@dataclass(frozen=True, slots=True)
class DieRow:
    """A die: one text a face; `columns` holds for each column of the faces its values."""

    name: str
    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextRow:
    """A sentence with holes: `text` holds ``{name}`` for each of `names`, whose words have the `types`. Used for
    events, option labels and questions. `private`: only the player in the first word sees it. `act`: the id of what it
    reports."""

    act: str
    text: str
    names: tuple[str, ...] = ()
    types: tuple[TypeRow, ...] = ()
    private: bool = False


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question: `act` asks it, `name` is the name of the choice ("act" for a window), `text` the sentence, `type`
    what word a of an option means, `secret`: others see that it was answered, not how."""

    act: str
    name: str
    text: str
    type: TypeRow
    secret: bool = False
    chance: str = ""
    about: int = 0
    """A word of the state that holds the thing which the question is about (``{about}`` in the text); 0: none."""


@dataclass(frozen=True, slots=True)
class ProcRow:
    """A procedure: words of arguments, of its frame (arguments included), of results. `entry` is a place in the
    code.
    """

    name: str
    entry: int
    nargs: int
    nlocals: int
    nret: int


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """From place `pc` of the code on, the instructions come from here in the YAML. `effect`: counts for coverage."""

    pc: int
    file: int
    line: int
    column: int
    effect: bool


@dataclass(frozen=True, slots=True)
class TrackRow:
    """A track, for people who look at it: its spaces are low..high, `shape` is line or loop, `marks` are named spaces.
    The marker is the word of the game of this name."""

    name: str
    shape: str
    low: int
    high: int
    marks: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class SpaceRow:
    """A space of a map: its thing, column and row (or the centre on the paper), how big it is there (0: nobody said),
    the things it is linked to."""

    thing: int
    x: int
    y: int
    width: int
    height: int
    links: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MapRow:
    """A map whose spaces are known when the game is compiled. `form`: orthogonal, diagonal_too, hex or none for one
    that is drawn; listed; placed for one that is listed with the centre of every space."""

    name: str
    form: str
    spaces: tuple[SpaceRow, ...]


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    name: str
    text: str


@dataclass(slots=True)
class Program:
    """One playable combination of modes."""

    modes: tuple[str, ...]
    code: list[int]
    consts: list[int]
    start: list[int]
    """The state before the first instruction, no seat in play."""
    procs: list[ProcRow]
    things: list[ThingRow]
    kinds: list[KindRow]
    columns: list[ColumnRow]
    zones: list[ZoneRow]
    dice: list[DieRow]
    labels: list[TextRow]
    """Option labels; an option's words a and b fill the first two names. Label 0 is the value itself."""
    questions: list[QuestionRow]
    events: list[TextRow]
    faults: list[str]
    steps: list[str]
    """``phase.step`` for each row."""
    outcomes: list[OutcomeRow]
    places: list[PlaceRow]
    enums: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    tracks: list[TrackRow] = field(default_factory=list[TrackRow])
    maps: list[MapRow] = field(default_factory=list[MapRow])


@dataclass(slots=True)
class OptionRow:
    """An option of the game, set before it starts: `values` are its words in order (a bool has "false", "true");
    `word` is the place of its word in the state; `mode` names the mode that a value switches on, if any (same order as
    `values`)."""

    name: str
    title: str
    values: tuple[str, ...]
    start: int
    word: int
    modes: tuple[str, ...]


@dataclass(slots=True)
class Image:
    """A whole game. `packs` are (id, version) of the game and the expansions it was compiled with."""

    game: str
    title: str
    packs: list[tuple[str, str]]
    players: tuple[int, int]
    options: list[OptionRow]
    files: list[str]
    programs: list[Program]
