"""Many games played at random, and what came of them.

    summary = simulate(image, 1000, players=2, seed=1)
    summary.outcomes         {"won": 412, "lost": 588}

Game k is the game of seed `seed` + k, whatever runs it: plain Python and numba give the same summary.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ludoloom.runtime import jit, vm
from ludoloom.runtime.errors import GameError, unknown
from ludoloom.runtime.game import BUDGET, Game, prepare
from ludoloom.runtime.image import Image, Program
from ludoloom.runtime.machine import (
    ST_END,
    ST_FAULT,
)
from ludoloom.runtime.names import names_of
from ludoloom.runtime.vm import RESULT_WORDS

AGENTS = ("random",)
AT_ONCE = 32
"""Games that the compiled machine plays before anybody is told of them."""
MOST_DECISIONS = 100_000
"""Answers after which a game is given up as unfinished."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """A game that a fault stopped: its seed (play it again with it), the sentence, the place in the YAML."""

    seed: int
    text: str
    file: str
    line: int
    decisions: int


@dataclass(slots=True)
class Summary:
    """What came of the games. `lengths` are decisions a game, in the order of the games; `unfinished` were given up."""

    games: int = 0
    outcomes: dict[str, int] = field(default_factory=dict[str, int])
    winners: dict[str, int] = field(default_factory=dict[str, int])
    lengths: list[int] = field(default_factory=list[int])
    unfinished: int = 0
    faults: list[Stopped] = field(default_factory=list[Stopped])
    fast: bool = False

    def data(self) -> dict[str, Any]:
        """The summary as plain data, the same on every machine."""
        ordered = sorted(self.lengths)
        return {
            "games": self.games,
            "outcomes": dict(sorted(self.outcomes.items())),
            "winners": dict(sorted(self.winners.items())),
            "decisions": {
                "least": ordered[0] if ordered else 0,
                "median": ordered[len(ordered) // 2] if ordered else 0,
                "mean": round(sum(ordered) / len(ordered), 2) if ordered else 0,
                "most": ordered[-1] if ordered else 0,
            },
            "unfinished": self.unfinished,
            "faults": [
                {"seed": row.seed, "text": row.text, "file": row.file, "line": row.line, "decisions": row.decisions}
                for row in self.faults
            ],
        }


def simulate(
    image: Image,
    games: int,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    seed: int = 0,
    *,
    agent: str = "random",
    fast: bool | None = None,
    budget: int = BUDGET,
    decisions: int = MOST_DECISIONS,
    progress: Callable[[int], None] | None = None,
) -> Summary:
    """Play `games` games. `fast`: True asks for numba, False forbids it, None takes it where it is installed and the
    games are many enough to be worth its start. `progress` is called with the number of games played, after each."""
    if agent not in AGENTS:
        raise GameError(unknown("agent", agent, AGENTS))
    if games < 0:
        raise GameError("the number of games cannot be negative")
    machine = jit.machine() if fast or (fast is None and games >= 200) else None
    if games == 0:
        return Summary(fast=machine is not None)
    program, first, _ = prepare(image, players, options or {}, seed)
    prepare(image, players, options or {}, seed + games - 1)
    summary = Summary(fast=machine is not None)
    playouts = Playouts(program, first, budget, decisions, machine)
    at_once = AT_ONCE if machine else 1
    for done in range(0, games, at_once):
        for row in playouts.results(seed + done, min(at_once, games - done)):
            account(summary, playouts, image, seed + summary.games, row)
            if progress is not None:
                progress(summary.games)
    return summary


class Playouts:
    """Games of one program from one beginning, played in plain Python or by the compiled machine."""

    def __init__(
        self, program: Program, first: list[int], budget: int, decisions: int, machine: jit.Machine | None
    ) -> None:
        self.program = program
        self.limits = (budget, decisions)
        self.play: Callable[..., None] = machine.playouts if machine else vm.playouts
        self.vector: Callable[[list[int]], Any] = machine.vector if machine else _own
        self.parts: list[Any] = [self.vector(part) for part in (program.code, program.consts, first, first, [0])]

    def results(self, seed: int, count: int) -> list[tuple[int, int, int, int]]:
        """Status, outcome, winners and decisions of the games of so many seeds."""
        rows: list[int] = self.vector([0] * (count * RESULT_WORDS))
        self.play(*self.parts, *self.limits, seed, rows)
        words = [int(word) for word in rows]
        return list(zip(words[::4], words[1::4], words[2::4], words[3::4], strict=True))

    def last(self, seed: int) -> list[int]:
        """The state in which the game of a seed ends; the game is played again for it."""
        self.results(seed, 1)
        return [int(word) for word in self.parts[3]]


def _own(words: list[int]) -> list[int]:
    return list(words)


def account(summary: Summary, playouts: Playouts, image: Image, seed: int, result: tuple[int, int, int, int]) -> None:
    """Add one finished game to the summary."""
    status, outcome, winners, decisions = result
    program = playouts.program
    summary.games += 1
    summary.lengths.append(decisions)
    if status == ST_END:
        name = program.outcomes[outcome].name if 0 <= outcome < len(program.outcomes) else "end"
        summary.outcomes[name] = summary.outcomes.get(name, 0) + 1
        names = names_of(program)
        for k, seat in enumerate(names.seats if winners else ()):
            if winners >> k & 1:
                name = names.thing(seat)
                summary.winners[name] = summary.winners.get(name, 0) + 1
    elif status == ST_FAULT:
        fault = Game.restored(image, program, playouts.last(seed), {}, [], []).fault
        if fault is not None:
            summary.faults.append(Stopped(seed, fault.text, fault.file, fault.line, decisions))
    else:
        summary.unfinished += 1
