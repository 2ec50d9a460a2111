"""The ledger of a pack, `rulebook.yaml`: what the rulebook says, rule by rule, so that scenarios can prove it.

```yaml
game: dice
rules:
- {id: dice.bank, tier: core, rule: "Points are safe once they are banked."}
- {id: dice.team, tier: mode, rule: "Two teams of two.", open: "teams are not built yet"}
```
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from ludoloom.schemas.base import ABSENT, Either, Part
from ludoloom.schemas.words import GameName, Open, RuleId, Text, Word

FreeKey = Annotated[str, Word("FreeKey", "a key", r"\S")]
LineText = Annotated[
    str, Word("LineText", "lines such as `12-15`", r"\S", "Lines of the rulebook: `12-15`, `12-15, 40`.")
]
Rules = list[RuleId]


class Rule(Part):
    """A rule of the game, as one statement that can be tested."""

    called: ClassVar[str] = "rule"

    id: RuleId
    """Its id: `game.part.name`."""
    lines: LineText = ABSENT
    """Where the rulebook says it."""
    tier: Literal["core", "mode", "physical"]
    """`core`; `mode`: of a variant; `physical`: nothing for software to do."""
    rule: Text
    """The statement, in own words."""
    open: Text = ABSENT
    """Why no scenario proves it yet."""
    not_applicable: Text = ABSENT
    """Why no scenario can."""


class Component(Part):
    """How many of a component the box holds."""

    called: ClassVar[str] = "component"

    name: Text
    """The component."""
    count: Annotated[int, Field(ge=0)] = ABSENT
    """How many; left out: the rulebook does not say."""
    lines: LineText = ABSENT
    """Where the rulebook says it."""
    note: Text = ABSENT
    """What else there is to say."""


class Example(Part):
    """A worked example of the rulebook; it becomes a scenario."""

    called: ClassVar[str] = "example"

    id: RuleId
    """Its id."""
    origin: Text = ABSENT
    """Where it comes from: `text`, `figure` …"""
    lines: LineText = ABSENT
    """Where the rulebook gives it."""
    rules: Rules
    """The rules it shows."""
    given: Text
    """Where the game stands."""
    when: Text
    """What happens."""
    then: Text
    """What must come of it."""
    open: Text = ABSENT
    """Why no scenario proves it yet."""
    not_applicable: Text = ABSENT
    """Why no scenario can."""


class Ambiguity(Part):
    """A gap or contradiction of the rulebook, and how it is read here."""

    called: ClassVar[str] = "ambiguity"

    id: RuleId
    """Its id."""
    lines: LineText = ABSENT
    """Where it is in the rulebook."""
    question: Text
    """What is unclear."""
    options: list[Text]
    """How it could be read."""
    ruling: Text
    """How it is read here."""
    why: Text
    """Why."""
    data: Open = ABSENT
    """Numbers and lists of the ruling."""


class Deciding(Part):
    """Who chooses what, and when."""

    called: ClassVar[str] = "decision"

    id: RuleId
    """Its id."""
    who: Text
    """Who chooses."""
    when: Text = ABSENT
    """When."""
    among: Text
    """Among what."""
    visibility: Text = ABSENT
    """Who sees the choice."""
    secret: Annotated[bool | Text, Either()] = ABSENT
    """Whether it is secret, or how far."""
    lines: LineText = ABSENT
    """Where the rulebook says it."""
    rule: RuleId = ABSENT
    """The rule that asks for it."""
    rules: Rules = ABSENT
    """The rules that ask for it."""


class Hidden(Part):
    """What not everybody may see."""

    called: ClassVar[str] = "hidden information"

    id: RuleId = ABSENT
    """Its id."""
    what: Text
    """What is hidden."""
    known_to: Text = ABSENT
    """Who knows it."""
    hidden_from: Text = ABSENT
    """Who does not."""
    public_part: Text = ABSENT
    """What of it everybody sees."""
    until: Text = ABSENT
    """How long."""
    revealed: Text = ABSENT
    """When it is revealed."""
    lines: LineText = ABSENT
    """Where the rulebook says it."""
    rules: Rules = ABSENT
    """The rules about it."""


class Mechanism(Part):
    """What an engine needs for the game."""

    called: ClassVar[str] = "mechanism"

    name: Text
    """The mechanism."""
    rules: Rules
    """The rules that need it."""


class PrintedFact(Part):
    """A component as printed; other keys are what it shows."""

    called: ClassVar[str] = "printed fact"
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[FreeKey, Open]

    name: Text
    """The component."""
    lines: LineText = ABSENT
    """Where the rulebook shows it."""


class Ledger(Part):
    """The ledger of a pack: what its rulebook says."""

    called: ClassVar[str] = "ledger"

    game: GameName
    """The id of the game."""
    rules: list[Rule]
    """Every rule, as one statement that can be tested."""
    components: list[Component] = ABSENT
    """The counts that the rulebook prints."""
    printed: Annotated[list[PrintedFact] | dict[FreeKey, Open], Either()] = ABSENT
    """Facts that the rulebook prints and content reproduces: a list, or lists by what they are about."""
    examples: list[Example] = ABSENT
    """Worked examples."""
    ambiguities: list[Ambiguity] = ABSENT
    """Gaps and contradictions, with a ruling."""
    decisions: list[Deciding] = ABSENT
    """Who chooses what, and when."""
    hidden_information: list[Hidden] = ABSENT
    """What not everybody may see."""
    mechanisms: list[Mechanism] = ABSENT
    """What an engine needs."""
