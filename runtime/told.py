"""What a game tells: what is asked, the options, what happened, what was decided, how it ended or why it stopped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Option:
    """One answer. `label` is unique among the options and stays the same in other games (scenarios and recordings use
    it); `text` is the sentence for a person; `value` what is chosen, `act` the act of it, `words` the numbers behind
    it."""

    index: int
    player: str
    act: str
    label: str
    text: str
    value: Any
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: `player` (empty: each option has its own; chance has none), the act that asks, the name of the
    choice, the sentence, whether the answer stays secret, and for chance ``roll`` or ``draw``."""

    player: str
    act: str
    name: str
    text: str
    secret: bool = False
    chance: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. `text` tells all; `Game.log` tells what one player may read. `values` are the words by
    name.
    """

    act: str
    text: str
    values: dict[str, Any]
    words: tuple[int, ...]
    private: bool = False
    row: int = -1
    unseen: tuple[frozenset[int], ...] = ()
    """For each seat, in order, the things of this event that the seat did not know then."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A recorded answer. `kind` is choice, roll or draw; `name` the choice, die or pile; `index` its place among the
    options (-1 where chance drew by itself); `forced`: it was the only one and nobody was asked."""

    kind: str
    player: str
    name: str
    label: str
    index: int
    forced: bool = False
    act: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """How the game ended: the outcome's name and sentence (empty: the program came to its end without one), the
    winners.
    """

    outcome: str
    text: str
    winners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """Why the game stopped: the sentence, and the place in the YAML whose instruction could not be done."""

    number: int
    text: str
    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.text}" if self.file else self.text
