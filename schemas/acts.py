"""The act, the one form of everything that happens: actions, verbs, triggers, acts of cards, phases. And rolls.

The sections of an act are read from top to bottom, and there is one order in which to write them: `SECTIONS`.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal

from pydantic import ConfigDict, Field, model_validator

from ludoloom.schemas.base import ABSENT, Either, Part
from ludoloom.schemas.choices import ChoiceFrom, Choices, NamedSet
from ludoloom.schemas.keys import SECTIONS, STARTS
from ludoloom.schemas.quick import one_start
from ludoloom.schemas.statements import Block, Branches, RollCall
from ludoloom.schemas.values import Formula, Params
from ludoloom.schemas.words import DieName, EventName, Expr, Id, Name, Path, Text, TypeText, Word

Needs = dict[Id, Expr]
Costs = dict[Path, Expr]
Steps = dict[Id, Block]
Event = Annotated[EventName | list[EventName], Either()]
Moment = Annotated[
    str,
    Word(
        "Moment",
        "`before …` or `after …`",
        r"^(before|after) [a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$",
        "`before step`, `after attack`.",
    ),
]


class Act(Branches):
    """What all acts have in common."""

    called: ClassVar[str] = "act"

    says: Text = ABSENT
    """The line of the log, with parameters in braces: `"{hero} enters {tile}"`."""
    needs: Needs = ABSENT
    """Named conditions; all must hold."""
    choose: Choices = ABSENT
    """Named choices, made in order before anything happens; each must have an option."""
    cost: Costs = ABSENT
    """What is paid, column by column: `{hero.energy: 1}`. All of it must be payable."""
    roll: RollCall = ABSENT
    """One roll; its outcomes are dealt with under `on <outcome>`."""
    do: Block = ABSENT
    """What happens in any case."""
    steps: Steps = ABSENT
    """What happens, in named parts that windows, `stop` and patches can speak of."""


class Verb(Act):
    """A verb of the game: called by statements, with parameters."""

    called: ClassVar[str] = "verb"

    with_: Params = ABSENT
    """The parameters: `{to: monster, amount: int}`."""
    gives: Annotated[TypeText | list[Id], Either()] = ABSENT
    """The type of the result, or the list of its outcomes."""


class Action(Verb):
    """What a player may do when a window offers it."""

    called: ClassVar[str] = "action"

    who: NamedSet = ABSENT
    """Who may do it, under a name: `{hero: heroes}`."""


class CardAct(Act):
    """What can be done with a card or piece. It stands in the kind; an item's own is laid over it."""

    called: ClassVar[str] = "act of a card"

    during: Event = ABSENT
    """Only in a window that this verb opened."""
    who: NamedSet = ABSENT
    """Who may do it, under a name: `{hero: owner}`."""


class Trigger(Act):
    """An act that starts by itself."""

    called: ClassVar[str] = "trigger"

    before: Event = ABSENT
    """Runs before this verb, action, roll or `phase.step`."""
    after: Event = ABSENT
    """Runs after it."""
    instead_of: Event = ABSENT
    """Runs in its place; `proceed` lets it happen after all."""
    whenever: Expr = ABSENT
    """Runs when this condition comes true."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": [key]} for key in STARTS]})

    @model_validator(mode="after")
    def one_start(self) -> Trigger:
        """A trigger has exactly one start."""
        return one_start(self)


class Turns(Part):
    """Whose turns a phase is made of."""

    called: ClassVar[str] = "`turns`"

    of: Expr
    """Who takes turns: `heroes`."""
    order: Literal["clockwise", "counter_clockwise"] = ABSENT
    """In which order; left out: clockwise."""
    skip: Expr = ABSENT
    """A condition on the one whose turn it would be: `ko`."""


class Phase(Act):
    """A part of the game. With `turns` it goes round the seats, and again until `until` holds or `stop` ends it."""

    called: ClassVar[str] = "phase"

    turns: Turns = ABSENT
    """Whose turns it is made of; `active` is then the one whose turn it is."""
    until: Expr = ABSENT
    """Ends when this holds."""


class Commitment(ChoiceFrom):
    """What each side of a roll lays down secretly before the dice are rolled."""

    called: ClassVar[str] = "commitment"

    into: Expr
    """The zone in which the chosen things lie, face down, until all are in."""
    turned_up: Expr = ABSENT
    """The zone in which they are turned up together then, before the dice are rolled."""


class Dice(Part):
    """Several dice of one sort."""

    called: ClassVar[str] = "`dice`"

    die: DieName
    """The die."""
    count: Formula = ABSENT
    """How many; left out: one."""
    keep: Literal["highest", "lowest", "sum"] = ABSENT
    """What counts; left out: the sum."""


class Again(Part):
    """May be rolled again, as often as it is paid; the last roll counts."""

    called: ClassVar[str] = "`again`"

    by: Expr
    """Who decides."""
    needs: Needs = ABSENT
    """Named conditions; all must hold."""
    cost: Costs = ABSENT
    """What a new roll costs."""


class RollRule(Part):
    """How something is rolled: dice, what is added, and what the total means."""

    called: ClassVar[str] = "roll"

    says: Text = ABSENT
    """The words of it: `"roll {need}+"`."""
    with_: Params = ABSENT
    """The parameters."""
    sides: Annotated[list[Name], Field(min_length=2, max_length=2)] = ABSENT
    """Two parameters: both roll, against each other; below they are `side` and `other`."""
    commit: dict[Id, Commitment] = ABSENT
    """What each side chooses secretly beforehand."""
    dice: Annotated[DieName | Dice, Either()]
    """A die, or `{die: d6, count: 2, keep: highest}`."""
    add: dict[Id, Formula] = ABSENT
    """Named numbers that are added."""
    again: Again = ABSENT
    """Whether it may be rolled again."""
    outcomes: dict[Id, Expr] = ABSENT
    """Conditions by name; the first that holds is the outcome, the last is `else`."""
    do: Block = ABSENT
    """What happens after each such roll."""


class Closing(Part):
    """Who closes the window."""

    called: ClassVar[str] = "`closes`"

    by: Expr
    """The player who may close it."""


class Window(Part):
    """A moment in which players may act. Only what is legal is offered; who has nothing to do is not asked."""

    called: ClassVar[str] = "window"

    opens: list[Moment] = ABSENT
    """When it opens by itself: `before step`, `after attack`; else `open` opens it."""
    who: Expr
    """Who may act in it."""
    order: Literal["free", "in_turn", "opponent_first"] = ABSENT
    """In which order they are asked; left out: free, all who can do something at once."""
    offers: list[Expr]
    """The acts it offers: actions by name, and acts of cards: `powers.use`."""
    closes: Annotated[Literal["all_passed", "one"] | Closing, Either()] = ABSENT
    """When it closes: all have passed in a row, after one act, or when somebody closes it."""


ACT_KEYS: Final[frozenset[str]] = frozenset(SECTIONS)
"""All sections of all acts: a known one in the wrong sort of act is told apart from an unknown key."""
