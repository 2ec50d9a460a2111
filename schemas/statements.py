"""The statements: the core verbs, and the call of a verb of the game.

A statement is one verb. *Inside* it stands what it needs (`{gain: {what: hero.energy, amount: 1}}`), *beside* it what
follows (`then`, `else`, `do`, `as`, `on <outcome>`). Each core verb has a model for the whole statement and, where it
needs more than a value, one for what stands inside. Which model checks a statement is decided by the verb alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

from pydantic import ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema
from typing_extensions import TypeAliasType

from ludoloom.schemas.base import ABSENT, Either, Part
from ludoloom.schemas.choices import Choices
from ludoloom.schemas.keys import BESIDE, ID, ON
from ludoloom.schemas.quick import bounded, one_verb
from ludoloom.schemas.values import Argument, Arguments, Formula, Rows
from ludoloom.schemas.words import EventName, Expr, Id, Name, RollName, Text, WindowName, Word

if TYPE_CHECKING:
    Block = list[object]  # what it truly is, a list of statements, holds itself; see the end of this module


class OnKey:
    """Annotation of the keys `on <outcome>`."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        text = core_schema.str_schema(strict=True, pattern=ON)
        return core_schema.custom_error_schema(text, "strange_key", custom_error_message="an unknown key")


class Branches(Part):
    """What has branches: beside its keys, `on <outcome>` with statements."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[Annotated[str, OnKey()], Block]

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        written = super().__get_pydantic_json_schema__(schema, handler)
        inner = handler.resolve_ref_schema(written)
        inner["patternProperties"] = {ON: inner.pop("additionalProperties")}
        inner["additionalProperties"] = False
        return written


# --- deciding and repeating -------------------------------------------------------------------------------------------
class If(Part):
    """`then` if the condition holds, `else` if not."""

    called: ClassVar[str] = "`if`"
    signs: ClassVar[tuple[str, ...]] = ("if",)
    if_: Expr
    """The condition."""
    then: Block
    """What is done if it holds."""
    else_: Block = ABSENT
    """What is done if it does not."""


class Match(Branches):
    """Does what stands under `on <value>`, or else under `on other`."""

    called: ClassVar[str] = "`match`"
    signs: ClassVar[tuple[str, ...]] = ("match",)
    match: Expr
    """The value that decides."""


class Each(Part):
    """A set to run through, with the one who decides the order."""

    called: ClassVar[str] = "set to run through"
    from_: Expr
    """The set."""
    by: Expr = ABSENT
    """Who decides the order; left out: order of seats, or the printed order."""


EachOf = Annotated[dict[Id, Annotated[Expr | Each, Either()]], Field(min_length=1, max_length=1)]


class ForEach(Part):
    """Does the statements for each thing of a set, one after the other."""

    called: ClassVar[str] = "`for_each`"
    signs: ClassVar[tuple[str, ...]] = ("for_each",)
    for_each: EachOf
    """`{hero: heroes}`, or `{monster: {from: monsters, by: active}}` where somebody decides the order."""
    do: Block
    """What is done for each."""


class Together(Part):
    """Does the statements for all of a set at once: choices stay unseen until all are in."""

    called: ClassVar[str] = "`together`"
    signs: ClassVar[tuple[str, ...]] = ("together",)
    together: EachOf
    """`{hero: heroes}`."""
    do: Block
    """What is done for each."""


class Rounds(Part):
    """How long to repeat: `times`, `while`, or both."""

    called: ClassVar[str] = "`repeat`"
    times: Formula = ABSENT
    """How many times at most."""
    while_: Expr = ABSENT
    """Goes on only while this holds."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    @model_validator(mode="after")
    def bounded(self) -> Rounds:
        """An empty mapping says nothing about how long."""
        return bounded(self)


class Repeat(Part):
    """Does the statements again and again."""

    called: ClassVar[str] = "`repeat`"
    signs: ClassVar[tuple[str, ...]] = ("repeat",)
    repeat: Rounds
    """`{times: 3}`, `{while: deck.any}`, or both."""
    do: Block
    """What is repeated."""


class Group(Part):
    """Statements that count as one happening: triggers and the end of the game are looked at behind the last."""

    called: ClassVar[str] = "`group`"
    signs: ClassVar[tuple[str, ...]] = ("group",)
    group: Block
    """The statements."""


class Let(Part):
    """Gives values a name for what follows."""

    called: ClassVar[str] = "`let`"
    signs: ClassVar[tuple[str, ...]] = ("let",)
    let: Annotated[dict[Id, Formula], Field(min_length=1)]
    """`{attack: enemy.attacks.at(hit)}`."""


class Give(Part):
    """Gives the result of the verb."""

    called: ClassVar[str] = "`give`"
    signs: ClassVar[tuple[str, ...]] = ("give",)
    give: Formula
    """The result."""


class Stop(Part):
    """Ends a `repeat`, a `for_each`, the `turn`, or an act or phase by its name."""

    called: ClassVar[str] = "`stop`"
    signs: ClassVar[tuple[str, ...]] = ("stop",)
    stop: Name
    """`repeat`, `for_each`, `turn`, or the name of an act or phase."""


# --- calling and interrupting -----------------------------------------------------------------------------------------
class RunEffect(Part):
    """Runs an effect that stands in a column; other keys are its parameters."""

    called: ClassVar[str] = "`run`"
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[Id, Argument]
    what: Expr
    """The column: `quest.front.effect`."""


class Run(Part):
    """Runs a phase, or an effect that stands in a column."""

    called: ClassVar[str] = "`run`"
    signs: ClassVar[tuple[str, ...]] = ("run",)
    run: Annotated[Name | RunEffect, Either()]
    """A phase, or `{what: column of effects, parameters}`."""


class Open(Part):
    """Opens a window: those it names may act."""

    called: ClassVar[str] = "`open`"
    signs: ClassVar[tuple[str, ...]] = ("open",)
    open: WindowName
    """The window."""


class Cancel(Part):
    """Ends the interrupted verb, as soon as the cancelling act is done."""

    called: ClassVar[str] = "`cancel`"
    signs: ClassVar[tuple[str, ...]] = ("cancel",)
    cancel: EventName
    """The interrupted verb."""


class Proceed(Part):
    """In `instead_of`: lets the verb happen after all."""

    called: ClassVar[str] = "`proceed`"
    signs: ClassVar[tuple[str, ...]] = ("proceed",)
    proceed: dict[Id, Argument]
    """Parameters that are changed, or `{}`."""


# --- asking and rolling -----------------------------------------------------------------------------------------------
class Choose(Part):
    """Asks for one choice or more; `then` runs if all are made, `else` if one cannot be made or is declined."""

    called: ClassVar[str] = "`choose`"
    signs: ClassVar[tuple[str, ...]] = ("choose",)
    choose: Annotated[Choices, Field(min_length=1)]
    """`{target: monsters}`, `{target: {from: monsters, by: active, optional: true}}`."""
    then: Block = ABSENT
    """What is done with what was chosen."""
    else_: Block = ABSENT
    """What is done if nothing was."""


class Question(Part):
    """A question with answers."""

    called: ClassVar[str] = "`ask`"
    says: Text
    """The question."""
    by: Expr = ABSENT
    """Who answers; left out: the act's `who`."""
    answers: Annotated[list[Id], Field(min_length=2)] = ABSENT
    """The answers; left out: yes or no."""


class Ask(Branches):
    """Asks a question: `then` and `else` for yes and no, or `on <answer>`."""

    called: ClassVar[str] = "`ask`"
    signs: ClassVar[tuple[str, ...]] = ("ask",)
    ask: Question
    """`{says: "Ignore it?", by: hero}`."""
    then: Block = ABSENT
    """What is done on yes."""
    else_: Block = ABSENT
    """What is done on no."""


RollCall = Annotated[
    RollName | Annotated[dict[RollName, Arguments], Field(min_length=1, max_length=1)],
    Either(),
]
"""A die or roll by name, or `{roll: parameters}`."""


class Roll(Branches):
    """Rolls; the result is `roll`."""

    called: ClassVar[str] = "`roll`"
    signs: ClassVar[tuple[str, ...]] = ("roll",)
    roll: RollCall
    """A die, a roll, or a roll with its parameters: `{hero_roll: 13}`."""


# --- changing ---------------------------------------------------------------------------------------------------------
class Setting(Part):
    """A column and its new value."""

    called: ClassVar[str] = "`set`"
    what: Expr
    """The column or word of the game."""
    to: Formula
    """Its new value."""


class Set(Part):
    """Gives a column a value."""

    called: ClassVar[str] = "`set`"
    signs: ClassVar[tuple[str, ...]] = ("set",)
    set: Setting
    """`{what: hero.energy, to: 3}`."""
    as_: Id = ABSENT
    """A name for what it came to."""


class Change(Part):
    """A column and by how much it changes."""

    called: ClassVar[str] = "change"
    what: Expr
    """The column or word of the game."""
    amount: Formula
    """By how much; it stops at the bounds."""


class Gain(Part):
    """Adds to a column; stops at its upper bound."""

    called: ClassVar[str] = "`gain`"
    signs: ClassVar[tuple[str, ...]] = ("gain",)
    gain: Change
    """`{what: hero.energy, amount: 1}`."""
    as_: Id = ABSENT
    """A name for what it came to."""


class Lose(Part):
    """Takes from a column; stops at its lower bound."""

    called: ClassVar[str] = "`lose`"
    signs: ClassVar[tuple[str, ...]] = ("lose",)
    lose: Change
    """`{what: hero.health, amount: 2}`."""
    as_: Id = ABSENT
    """A name for what it came to."""


class Step(Part):
    """A track and how far."""

    called: ClassVar[str] = "`advance`"
    what: Expr
    """The track."""
    amount: Formula
    """How many spaces."""


class Advance(Part):
    """Moves the marker of a track space by space; each mark on the way is reached."""

    called: ClassVar[str] = "`advance`"
    signs: ClassVar[tuple[str, ...]] = ("advance",)
    advance: Step
    """`{what: days, amount: 1}`."""
    as_: Id = ABSENT
    """A name for what it came to."""


class Movement(Part):
    """What moves where."""

    called: ClassVar[str] = "`move`"
    what: Expr
    """The thing, or the set of things."""
    to: Expr
    """The zone, space or other place."""
    at: Literal["bottom", "top"] = ABSENT
    """Where in a pile; left out: on top."""


class Move(Part):
    """Moves a thing or a set of things to a place."""

    called: ClassVar[str] = "`move`"
    signs: ClassVar[tuple[str, ...]] = ("move",)
    move: Movement
    """`{what: card, to: discard}`."""


class Drawing(Part):
    """From where to where, and how many."""

    called: ClassVar[str] = "`draw`"
    from_: Expr
    """The pile."""
    to: Expr
    """The zone it goes to."""
    count: Formula = ABSENT
    """How many; left out: one."""


class Draw(Part):
    """Draws from the top of a pile."""

    called: ClassVar[str] = "`draw`"
    signs: ClassVar[tuple[str, ...]] = ("draw",)
    draw: Drawing
    """`{from: deck, to: hero.hand, count: 2}`."""
    as_: Id = ABSENT
    """A name for what was drawn."""
    then: Block = ABSENT
    """What is done if something was drawn."""
    else_: Block = ABSENT
    """What is done if there was nothing to draw."""


class Shuffle(Part):
    """Shuffles a pile."""

    called: ClassVar[str] = "`shuffle`"
    signs: ClassVar[tuple[str, ...]] = ("shuffle",)
    shuffle: Expr
    """The pile."""


class Turning(Part):
    """What is turned, and how."""

    called: ClassVar[str] = "`turn`"
    what: Expr
    """The piece."""
    to: Expr
    """The face that shows, or a number of quarter turns."""


class Turn(Part):
    """Turns a piece to a face, or by quarter turns."""

    called: ClassVar[str] = "`turn`"
    signs: ClassVar[tuple[str, ...]] = ("turn",)
    turn: Turning
    """`{what: card, to: front}`."""


class Place(Part):
    """Lays tiles as an assignment says."""

    called: ClassVar[str] = "`place`"
    signs: ClassVar[tuple[str, ...]] = ("place",)
    place: Expr
    """The assignment."""


class Showing(Part):
    """What is shown to whom."""

    called: ClassVar[str] = "`show`"
    what: Expr
    """A face or a zone."""
    to: Expr
    """The player, or the players."""


class Show(Part):
    """Shows what is hidden, for a moment."""

    called: ClassVar[str] = "`show`"
    signs: ClassVar[tuple[str, ...]] = ("show",)
    show: Showing
    """`{what: token.front, to: player}`."""


# --- a verb of the game -----------------------------------------------------------------------------------------------
CORE: Final[tuple[type[Part], ...]] = (
    If, Match, ForEach, Together, Repeat, Group, Let, Give, Stop, Run, Open, Cancel, Proceed, Choose, Ask, Roll,
    Set, Gain, Lose, Advance, Move, Draw, Shuffle, Turn, Place, Show,
)  # fmt: skip
CORE_VERBS: Final = tuple(part.signs[0] for part in CORE)
BareVerb = Annotated[
    str, Word("BareVerb", "the name of a verb", ID, "A verb of this game that has no parameters.", CORE_VERBS)
]


class Call(Part):
    """A verb of the game with its parameters: `{damage: {to: target, amount: 2}}`. One parameter may stand alone:
    `{damage: target}`."""

    called: ClassVar[str] = "statement"
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Told]
    as_: Id = ABSENT
    """A name for the result."""
    then: Block = ABSENT
    """What is done if the verb was done, or gave yes."""
    else_: Block = ABSENT
    """What is done if it could not be done, or gave no."""

    @model_validator(mode="after")
    def one_verb(self) -> Call:
        """One key is the verb; all others are branches with statements."""
        return one_verb(self)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        written = super().__get_pydantic_json_schema__(schema, handler)
        inner = handler.resolve_ref_schema(written)
        inner["patternProperties"] = {ON: {"$to": "Block"}}
        inner["additionalProperties"] = {"$to": "Arguments"}
        inner["propertyNames"] = {"pattern": f"{ID}|{ON}", "not": {"enum": ["do"]}}
        inner["not"] = {"propertyNames": {"pattern": f"^({'|'.join(BESIDE)})$|{ON}"}}
        return written


Statement = TypeAliasType(
    "Statement",
    Annotated[
        BareVerb
        | If | Match | ForEach | Together | Repeat | Group | Let | Give | Stop | Run | Open | Cancel | Proceed | Choose
        | Ask | Roll | Set | Gain | Lose | Advance | Move | Draw | Shuffle | Turn | Place | Show
        | Call,
        Either(),
    ],
)  # fmt: skip
"""One statement: a core verb, a verb of the game, or the bare name of a verb without parameters."""

if not TYPE_CHECKING:
    Block = TypeAliasType("Block", list[Statement])
    """Statements, done in order."""

Told = TypeAliasType("Told", Annotated[Expr | Block | Rows | dict[Id, Argument], Either()])
"""What stands beside the name of a verb of the game: its arguments; behind `on …` the list is what is done."""
