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
    R_DECISIONS,
    R_OUTCOME,
    R_STATUS,
    R_WINNERS,
    ST_END,
    ST_FAULT,
)
from ludoloom.runtime.names import names_of
from ludoloom.runtime.state import reseed

AGENTS = ("random",)
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
    code: Any = program.code
    consts: Any = program.consts
    record: Any = [0]
    if machine is not None:
        code, consts, record = machine.vector(program.code), machine.vector(program.consts), machine.vector([0])
    summary = Summary(fast=machine is not None)
    for number in range(games):
        state = list(first)
        reseed(state, seed + number)
        if machine is not None:
            vector = machine.vector(state)
            machine.playout(code, consts, vector, record, budget, decisions)
            state = vector.tolist()
        else:
            vm.playout(code, consts, state, record, budget, decisions)
        account(summary, image, program, state, seed + number)
        if progress is not None:
            progress(number + 1)
    return summary


def account(summary: Summary, image: Image, program: Program, state: list[int], seed: int) -> None:
    """Add one finished game to the summary."""
    names = names_of(program)
    summary.games += 1
    summary.lengths.append(state[R_DECISIONS])
    if state[R_STATUS] == ST_END:
        row = state[R_OUTCOME]
        outcome = program.outcomes[row].name if 0 <= row < len(program.outcomes) else "end"
        summary.outcomes[outcome] = summary.outcomes.get(outcome, 0) + 1
        for k, seat in enumerate(names.seats):
            if state[R_WINNERS] >> k & 1:
                name = names.thing(seat)
                summary.winners[name] = summary.winners.get(name, 0) + 1
    elif state[R_STATUS] == ST_FAULT:
        game = Game.restored(image, program, state, {}, [], [])
        fault = game.fault
        if fault is not None:
            summary.faults.append(Stopped(seed, fault.text, fault.file, fault.line, state[R_DECISIONS]))
    else:
        summary.unfinished += 1
