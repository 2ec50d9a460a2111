"""Scenarios: given / when / then, the tests of content.

```yaml
scenarios:
  banking_keeps_the_points:
    given: {at: turn.act, active: player_1, player_1.points: 0, pot: 7}
    when: [{act: bank, by: player_1}]
    then: {player_1.points: 7, pot: 0, active: player_2}
    proves: [dice.bank]
```

A scenario plays the game from its set-up (`setup` answers its questions, the first option where it says nothing) until
the step `at` begins for the first time, lays the other lines of `given` over the state, makes the decisions of `when`
in order, and compares what `then` names. Chance is always scripted: each die and each draw is a line of its own. A
forced decision (one option) need not be written.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

from ludoloom.schemas.base import ABSENT, Either, Part
from ludoloom.schemas.words import SOMETHING, EventName, Expr, Id, Name, OptionName, Path, RuleId, Text, Word

StateValue = Annotated[Expr | list[Expr], Either()]
"""A value of the state in words: a number, yes/no, an id, or a list (the things of a zone, for a pile from the top)."""

StatePath = Annotated[
    str,
    Word(
        "StatePath",
        "a place in the state such as `hero.energy`",
        r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$",
        "A word of the game, a column (`hero.energy`), where a piece is (`piece`, `piece.tile`), a zone (`deck`, "
        "`hero.hand`, `deck.count`), a track.",
    ),
]


StateWords = Annotated[
    str,
    Word(
        "StateWords",
        "an expression such as `hero.energy` or `monsters.count`",
        SOMETHING,
        "A place in the state, or any expression: `hero.energy`, `heroes.where(ko).count`.",
    ),
]


class ActStep(Part):
    """Somebody acts."""

    called: ClassVar[str] = "decision"
    signs: ClassVar[tuple[str, ...]] = ("act",)

    act: Path
    """An action, or the act of a card: `walk`, `burning_hands.use`."""
    by: Name = ABSENT
    """The player or piece that acts; left out: whoever is offered it."""
    choose: dict[Id, StateValue] = ABSENT
    """The choices of its head by name: `{target: wolf_1}`."""


class AnswerStep(Part):
    """Somebody answers a question."""

    called: ClassVar[str] = "decision"
    signs: ClassVar[tuple[str, ...]] = ("answer",)

    answer: StateValue
    """The chosen thing, number or answer; `done` ends a choice of several, `none` declines; a list for several
    choices."""
    to: Id = ABSENT
    """The name of the choice that is answered; checked if given."""
    by: Name = ABSENT
    """Who answers; checked if given."""


class DieStep(Part):
    """A die shows this."""

    called: ClassVar[str] = "decision"
    signs: ClassVar[tuple[str, ...]] = ("die",)

    die: Annotated[int | Text | list[Annotated[int | Text, Either()]], Either()]
    """The number, or the words of the face (one is enough if no other face has it); a list for several dice."""


class DrawStep(Part):
    """This is drawn."""

    called: ClassVar[str] = "decision"
    signs: ClassVar[tuple[str, ...]] = ("draw",)

    draw: Annotated[Path | list[Path], Either()]
    """The thing; a list for several in a row."""


class RefusedStep(Part):
    """This decision is not offered here; the game goes on as if it were not written."""

    called: ClassVar[str] = "decision"
    signs: ClassVar[tuple[str, ...]] = ("refused",)

    refused: Annotated[ActStep | AnswerStep, Either()]
    """`{act: walk, by: hero}` or `{answer: thing}`."""


class PassStep(Part):
    """Somebody passes in a window, or closes it."""

    called: ClassVar[str] = "decision"
    signs: ClassVar[tuple[str, ...]] = ("pass",)

    pass_: Name
    """The window."""
    by: Name = ABSENT
    """Who passes; left out: whoever is asked."""


Decision = Annotated[ActStep | AnswerStep | DieStep | DrawStep | RefusedStep | PassStep, Either()]


class Given(Part):
    """Where the game stands: the step, and any part of the state by name."""

    called: ClassVar[str] = "`given`"
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[StatePath, StateValue]

    at: EventName = ABSENT
    """The step that is about to begin: `phase.step`; left out: the start of the game."""
    active: Name = ABSENT
    """Whose turn it is."""


class Offered(Part):
    """What is on offer."""

    called: ClassVar[str] = "`options`"

    present: list[Text] = ABSENT
    """Decisions that are offered: acts by name, or options by their words."""
    absent: list[Text] = ABSENT
    """Decisions that are not."""


class Then(Part):
    """What must be true afterwards: any part of the state by name or expression, and what was seen on the way."""

    called: ClassVar[str] = "`then`"
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[StateWords, StateValue]

    events: list[Text] = ABSENT
    """Lines of the log, or the names of what they report, that came in this order; others may lie between."""
    options: Offered = ABSENT
    """What is on offer."""
    fault: Text = ABSENT
    """The words of the fault that stopped the game."""
    end: Name = ABSENT
    """The end that was reached; `none`: the game goes on."""
    winners: list[Name] = ABSENT
    """Who has won, all of them; `[]`: nobody."""


class Scenario(Part):
    """A test of content: given / when / then."""

    called: ClassVar[str] = "scenario"

    title: Text = ABSENT
    """What it shows, in a line."""
    players: Annotated[int, Field(ge=1)] = ABSENT
    """The number of players; left out: the fewest."""
    seed: Annotated[int, Field(ge=0)] = ABSENT
    """The seed of what is not scripted during set-up."""
    options: dict[OptionName, Annotated[bool | Name, Either()]] = ABSENT
    """Options of the game: `{long_game: true}`."""
    setup: list[Decision] = ABSENT
    """Decisions of the set-up, in order; where it says nothing the first option is taken."""
    given: Given = ABSENT
    """Where the game stands."""
    when: list[Decision] = ABSENT
    """Decisions and chance, in order."""
    then: Then = ABSENT
    """What must be true afterwards."""
    proves: list[RuleId] = ABSENT
    """The rules of the ledger that it proves."""
