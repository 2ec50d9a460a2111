"""What a game declares, after reading, merging and naming: the input of everything that types and lowers.

Values that are written in the language (formulas, bounds, acts, statements) stay YAML nodes here: they keep their
places, and typing them needs the whole table of names first. `declare.py` builds this model out of the merged tree.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ludoloom.compiler.analysis.outlines import Outline
from ludoloom.compiler.analysis.types import Type
from ludoloom.compiler.frontend.nodes import Map, Node, Scalar, Span


@dataclass(slots=True)
class Param:
    """A parameter: ``name: type`` or ``{is: type, default: 1}`` or ``{is: type, implied: true}``."""

    name: str
    type: Type
    span: Span
    default: Node | None = None
    implied: bool = False


@dataclass(slots=True)
class Column:
    """A column of a kind, or a state word or formula of the game (`kind` is then empty).

    `storage`: ``printed`` (a cell of the item, the same for ever), ``state`` (changes), ``computed`` (a formula). A
    printed column may be *formula*: its type is what the formula gives, and `params` are the words it may use
    (``with``), at most one. `low`/`high` are the bounds of a number column (``0 to health_max``; a missing high is
    ``5+``), as nodes of expressions.
    """

    name: str
    kind: str
    storage: str
    type: Type
    span: Span
    seen_by: str = "everyone"
    face: str = ""
    default: Node | None = None
    start: Node | None = None
    low: Node | None = None
    high: Node | None = None
    bounded: bool = False
    params: tuple[Param, ...] = ()
    formula: Node | None = None
    within: tuple[int, int] | None = None
    """Between which numbers a formula lies, as far as is known (see `bounds.py`); set with its type."""
    is_formula: bool = False
    """Printed column whose cells are formulas (declared with ``with``, or one of whose cells is written as rows or
    words)."""
    says: str = ""


@dataclass(slots=True)
class ZoneDecl:
    """A zone of the game (`kind` empty) or of each thing of a kind."""

    name: str
    kind: str
    span: Span
    holds: tuple[str, ...]
    order: str = "none"  # none, pile, row
    limit: Node | None = None
    seen_by: str = "everyone"
    count_seen_by: str = "everyone"
    out_of_play: bool = False
    refill: Map | None = None
    first: int = 0
    """Number of the zone, or of the zone of the kind's first thing; the others follow in a row."""


@dataclass(slots=True)
class Kind:
    """A kind. `columns`, `zones`, `acts` … hold the inherited ones too; `base` is the kind it `is_a`, `root` the last
    base."""

    name: str
    family: str
    plural: str
    span: Span
    base: str = ""
    root: str = ""
    columns: dict[str, Column] = field(default_factory=dict[str, Column])
    zones: dict[str, ZoneDecl] = field(default_factory=dict[str, ZoneDecl])
    acts: dict[str, Map] = field(default_factory=dict[str, Map])
    act_places: dict[str, Span] = field(default_factory=dict[str, Span])
    """Where the name of each act stands; of one that is laid over another, the last."""
    variants: dict[str, Node] = field(default_factory=dict[str, Node])
    triggers: dict[str, Map] = field(default_factory=dict[str, Map])
    modifiers: dict[str, Map] = field(default_factory=dict[str, Map])
    faces: tuple[str, ...] = ()
    open_faces: bool = False
    """Whether what stands on faces that do not show is known."""
    alike: tuple[str, ...] | None = None
    """Columns in which things of one item at one place must agree to be one option; None: each is an option of its
    own."""
    active_while: Node | None = None
    owner: str = ""
    owner_storage: str = ""  # "", printed, state: where the built-in column `owner` lies (it is in `columns` too)
    stands_on: str = ""  # the kind of place; x.<stands_on> is where x stands
    spaces: str = ""  # a map's kind: the kind of its spaces
    starts_in: Node | None = None
    first: int = 0
    count: int = 0


@dataclass(slots=True)
class Item:
    """A printed thing. `cells` are its columns as written (faces' cells under ``face.column``), `things` its copies."""

    id: str
    kind: str
    span: Span
    key: Scalar
    node: Map
    section: str
    cells: dict[str, Node] = field(default_factory=dict[str, Node])
    acts: dict[str, Map] = field(default_factory=dict[str, Map])
    values: Map | None = None
    variants: dict[str, Map] = field(default_factory=dict[str, Map])
    """``on_element: {difficulty: 3}`` under its variant's name (``on_element``)."""
    text: dict[str, Node] = field(default_factory=dict[str, Node])
    """By face ("" where the kind has none)."""
    triggers: dict[str, Map] = field(default_factory=dict[str, Map])
    modifiers: dict[str, Map] = field(default_factory=dict[str, Map])
    starts_in: Node | None = None
    copies: int = 1
    origin: str = ""
    stand_in: tuple[str, ...] = ()
    title: str = ""
    things: list[int] = field(default_factory=list[int])
    part_ids: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Ids of the records written in a column of parts (``claws.attacks.1``), which are items of their own."""
    parts: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """The same records by number; of a table in the order of its rows."""


@dataclass(slots=True)
class ThingDecl:
    """One numbered thing: a piece, a space, a zone, a map."""

    number: int
    name: str
    kind: str  # for a zone: ""
    item: Item | None
    owner: int = 0  # a zone's piece
    zone: ZoneDecl | None = None
    starts: int = 0  # the place where it lies at first (starts_in), 0: nowhere


@dataclass(slots=True)
class Mark:
    name: str
    span: Span
    at: Node
    reached: Node | None


@dataclass(slots=True)
class Track:
    """`shape` line or loop; spaces low..high; its place is a word of the game."""

    name: str
    span: Span
    shape: str
    low: int
    high: int
    start: Node | None
    marks: dict[str, Mark] = field(default_factory=dict[str, Mark])


@dataclass(slots=True)
class Die:
    """`faces`: for each face (copies written out) its columns; a die of numbers has the one column `face`."""

    name: str
    span: Span
    columns: dict[str, Type] = field(default_factory=dict[str, Type])
    faces: list[dict[str, int]] = field(default_factory=list[dict[str, int]])
    labels: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class MapDecl:
    """A map. Static: `spaces` are thing numbers, `links` between them (numbers, both ways unless declared one-way),
    `centres` and `outlines` for `between`. Growing (`grows_with`): width x height cells, `first` (item, cell), `joins`
    the column of paths."""

    name: str
    span: Span
    kind: str
    thing: int = 0
    spaces: list[int] = field(default_factory=list[int])
    links: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    centres: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    outlines: dict[int, Outline] = field(default_factory=dict[int, Outline])
    form: str = "listed"
    """How one that is drawn is linked; listed for all others."""
    grows_with: str = ""
    width: int = 0
    height: int = 0
    joins: str = ""
    turns: int = 1
    first: tuple[str, int] | None = None
    leads_to: dict[int, str] = field(default_factory=dict[int, str])
    space_ids: list[str] = field(default_factory=list[str])
    """The ids of the spaces (``board.a1``) in order; with them what is known before things have numbers:"""
    links_of: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    centres_of: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    outlines_of: dict[str, Outline] = field(default_factory=dict[str, Outline])
    doors: dict[str, Scalar] = field(default_factory=dict[str, Scalar])


@dataclass(slots=True)
class OptionDecl:
    name: str
    span: Span
    title: str
    type: Type  # Bool or Enum("options.<name>")
    values: tuple[str, ...]
    start: int


@dataclass(slots=True)
class Game:
    """The whole game (one combination of modes), names resolved to declarations."""

    id: str
    title: str
    version: str
    span: Span
    packs: list[tuple[str, str]]
    players: tuple[int, int]
    player_kind: str
    modes: tuple[str, ...] = ()
    enums: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    options: dict[str, OptionDecl] = field(default_factory=dict[str, OptionDecl])
    state: dict[str, Column] = field(default_factory=dict[str, Column])
    computed: dict[str, Column] = field(default_factory=dict[str, Column])
    kinds: dict[str, Kind] = field(default_factory=dict[str, Kind])
    items: dict[str, Item] = field(default_factory=dict[str, Item])
    things: list[ThingDecl] = field(default_factory=list[ThingDecl])
    """things[0] is number 1. Order: what only moves, then what moves and holds (tiles), then what only holds."""
    movable: int = 0
    first_place: int = 0
    zones: dict[str, ZoneDecl] = field(default_factory=dict[str, ZoneDecl])
    tracks: dict[str, Track] = field(default_factory=dict[str, Track])
    dice: dict[str, Die] = field(default_factory=dict[str, Die])
    maps: dict[str, MapDecl] = field(default_factory=dict[str, MapDecl])
    play: list[Scalar] = field(default_factory=list[Scalar])
    phases: dict[str, Map] = field(default_factory=dict[str, Map])
    windows: dict[str, Map] = field(default_factory=dict[str, Map])
    rolls: dict[str, Map] = field(default_factory=dict[str, Map])
    actions: dict[str, Map] = field(default_factory=dict[str, Map])
    verbs: dict[str, Map] = field(default_factory=dict[str, Map])
    triggers: dict[str, Map] = field(default_factory=dict[str, Map])
    modifiers: dict[str, Map] = field(default_factory=dict[str, Map])
    trigger_order: Map | None = None
    end: dict[str, Map] = field(default_factory=dict[str, Map])
    goals: dict[str, Map] = field(default_factory=dict[str, Map])
    icons: dict[str, Node] = field(default_factory=dict[str, Node])
    languages: Map | None = None
    sheets: dict[str, tuple[Scalar, Map]] = field(default_factory=dict[str, tuple[Scalar, Map]])
    """How the things of a kind are printed, by kind."""
    counts: dict[str, Map] = field(default_factory=dict[str, Map])
    facts: dict[str, tuple[Scalar, Node]] = field(default_factory=dict[str, tuple[Scalar, Node]])
    incomplete: tuple[str, ...] = ()
    scenarios: dict[str, Map] = field(default_factory=dict[str, Map])
    ledger: Map | None = None
    removed: dict[str, Span] = field(default_factory=dict[str, Span])
    """What an overlay has taken out, and where it says so: a name that is not found may be one of these."""
    places: dict[str, Span] = field(default_factory=dict[str, Span])
    """Where the names of what stays a tree stand: ``phases.night``, ``windows.moves``."""
    names: dict[str, int] = field(default_factory=dict[str, int])
    """Every thing by name: pieces, copies (wolf_1), spaces (isle.b2), game zones, maps, seats (player_1)."""
