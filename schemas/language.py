"""The whole of a file: a mapping of sections, each of which may be left out. A pack is the union of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from ludoloom.schemas.acts import Action, Phase, RollRule, Trigger, Verb, Window
from ludoloom.schemas.base import ABSENT, Part
from ludoloom.schemas.boards import Die, Map, Track, Zone
from ludoloom.schemas.changes import End, Goal, Language, Modifiers, TriggerOrder
from ludoloom.schemas.items import Item
from ludoloom.schemas.kinds import Enumeration, Formulae, Kind, Option, States
from ludoloom.schemas.loose import loose
from ludoloom.schemas.pack import Count, Pack
from ludoloom.schemas.scenario import Scenario
from ludoloom.schemas.sheet import Sheet
from ludoloom.schemas.words import Expr, Id, KindName, ModeName, Open, Path, PhaseName, Text

Items = dict[Id, Item]


class Content(Part):
    """The sections that a file may declare and a mode or an expansion may add to."""

    called: ClassVar[str] = "overlay"

    counts: dict[Id, Count] = ABSENT
    """Component counts, as printed on the box."""
    facts: dict[Path, Open] = ABSENT
    """Printed values that must stay: `{knight.speed: 3}`."""
    enums: dict[Id, Enumeration] = ABSENT
    """Enumerations: `{element: [fire, ice]}`."""
    state: States = ABSENT
    """Words of the game that change in play."""
    computed: Formulae = ABSENT
    """Formulas of the game."""
    kinds: dict[Id, Kind] = ABSENT
    """The kinds of things."""
    cards: Items = ABSENT
    """Items of kinds of the family card."""
    encounters: Items = ABSENT
    """Items of kinds of the family encounter."""
    quests: Items = ABSENT
    """Items of kinds of the family quest."""
    tiles: Items = ABSENT
    """Items of kinds of the family tile."""
    spaces: Items = ABSENT
    """Items of kinds of the family space that lie on no map."""
    pieces: Items = ABSENT
    """Items of kinds of the family piece."""
    players: Items = ABSENT
    """The seats, of a kind of the family player."""
    maps: dict[Id, Map] = ABSENT
    """Maps: drawn, listed, or growing."""
    zones: dict[Id, Zone] = ABSENT
    """Zones of the game."""
    tracks: dict[Id, Track] = ABSENT
    """Tracks."""
    dice: dict[Id, Die] = ABSENT
    """Dice."""
    phases: dict[Id, Phase] = ABSENT
    """The phases, of which `play` names the first."""
    windows: dict[Id, Window] = ABSENT
    """Moments in which players may act."""
    rolls: dict[Id, RollRule] = ABSENT
    """How something is rolled."""
    actions: dict[Id, Action] = ABSENT
    """What players may do in windows."""
    verbs: dict[Id, Verb] = ABSENT
    """The verbs of the game."""
    triggers: dict[Id, Trigger] = ABSENT
    """What happens by itself."""
    trigger_order: TriggerOrder = ABSENT
    """In which order triggers run that start at one moment."""
    modifiers: Modifiers = ABSENT
    """What changes numbers, needs and acts."""
    end: dict[Id, End] = ABSENT
    """The ends of the game; the first whose condition holds counts."""
    goals: dict[Id, Goal] = ABSENT
    """What players who are programs strive for before the game is over."""
    icons: dict[Id, Text] = ABSENT
    """Pictures for `:icon:` in texts."""
    languages: dict[Id, Language] = ABSENT
    """Texts in other languages."""
    sheets: dict[KindName, Sheet] = ABSENT
    """How the things of each kind are printed."""


class Whole(Content):
    """What may be replaced or patched."""

    called: ClassVar[str] = "overlay"

    play: list[PhaseName] = ABSENT
    """The phases of the game, in order."""
    options: dict[Id, Option] = ABSENT
    """What is chosen before the game starts."""


if TYPE_CHECKING:
    Patch = Whole
else:
    Patch = loose(Whole)

Section = Literal[
    "counts", "facts", "enums", "state", "computed", "kinds", "cards", "encounters", "quests", "tiles", "spaces",
    "pieces", "players", "maps", "zones", "tracks", "dice", "phases", "windows", "rolls", "actions", "verbs",
    "triggers", "modifiers", "end", "goals", "icons", "languages", "sheets", "options",
]  # fmt: skip
Remove = dict[Section, list[Path]]


class Mode(Part):
    """A way to play, switched by an option: an overlay of the game."""

    called: ClassVar[str] = "mode"

    while_: Expr
    """The option: `options.long_game`, or `options.level == hard`."""
    excludes: list[ModeName] = ABSENT
    """Modes that cannot be on together with it."""
    requires: list[ModeName] = ABSENT
    """Modes that must be on too."""
    add: Content = ABSENT
    """New things, in their sections."""
    patch: Patch = ABSENT
    """Changes to things: mappings are merged, all else is replaced."""
    replace: Whole = ABSENT
    """Things that take the place of others."""
    remove: Remove = ABSENT
    """Things that are taken out."""


class File(Whole):
    """A file of a pack: a mapping of sections."""

    called: ClassVar[str] = "file"

    pack: Pack = ABSENT
    """The manifest of the pack; in one of its files."""
    modes: dict[Id, Mode] = ABSENT
    """Ways to play, switched by options."""
    scenarios: dict[Id, Scenario] = ABSENT
    """Tests of the content: given / when / then."""
    patch: Patch = ABSENT
    """Changes to things of the game: mappings are merged, all else is replaced."""
    replace: Whole = ABSENT
    """Things that take the place of others."""
    remove: Remove = ABSENT
    """Things that are taken out."""
