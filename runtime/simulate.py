"""Many games played by programs, and what came of them.

    summary = simulate(image, 1000, players=2, seed=1)
    summary.outcomes         {"won": 412, "lost": 588}

Game k is the game of seed `seed` + k, whatever runs it: plain Python and numba give the same summary. Games at random
are played inside the machine; where other agents play, or the cards are counted, each decision comes from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludoloom.runtime import jit
from ludoloom.runtime.agents.seats import RANDOM, seats
from ludoloom.runtime.cards import CardCounts, CardRow, thing_used
from ludoloom.runtime.errors import GameError
from ludoloom.runtime.game import BUDGET, Game
from ludoloom.runtime.image import Image, Program
from ludoloom.runtime.machine import R_DECISIONS, R_OUTCOME, R_STATUS, R_WINNERS, ST_END, ST_FAULT
from ludoloom.runtime.names import names_of
from ludoloom.runtime.opening import prepare
from ludoloom.runtime.playouts import Playouts, Row

FEW = 20
"""Games with counted cards that plain Python plays."""
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
    cards: list[CardRow] = field(default_factory=list[CardRow])
    """For each card who held it, used it, won with and without it; empty unless it was asked for."""

    def data(self) -> dict[str, Any]:
        """The summary as plain data, the same on every machine."""
        ordered = sorted(self.lengths)
        data: dict[str, Any] = {
            "games": self.games,
            "outcomes": dict(sorted(self.outcomes.items())),
            "winners": dict(sorted(self.winners.items())),
            "decisions": {
                "least": ordered[0] if ordered else 0,
                "median": median(ordered),
                "mean": round(sum(ordered) / len(ordered), 2) if ordered else 0,
                "most": ordered[-1] if ordered else 0,
            },
            "unfinished": self.unfinished,
            "faults": [
                {"seed": row.seed, "text": row.text, "file": row.file, "line": row.line, "decisions": row.decisions}
                for row in self.faults
            ],
        }
        if self.cards:
            data["cards"] = {
                row.name: {
                    "held": row.held,
                    "won": row.won,
                    "missed": row.missed,
                    "won_without": row.won_without,
                    "uses": row.uses,
                }
                for row in self.cards
            }
        return data


def median(ordered: Sequence[int]) -> int | float:
    """The number in the middle; of an even number of them the mean of the two there, which is whole or ends in .5."""
    if not ordered:
        return 0
    twice = ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]
    return twice / 2 if twice % 2 else twice // 2


def simulate(
    image: Image,
    games: int,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    seed: int = 0,
    *,
    agent: str = "random",
    begin: Sequence[str] = (),
    cards: bool = False,
    fast: bool | None = None,
    budget: int = BUDGET,
    decisions: int = MOST_DECISIONS,
    progress: Callable[[int], None] | None = None,
) -> Summary:
    """Play `games` games. `agent`: who plays, one for all seats or one for each with commas (see `agents/`). `begin`:
    labels of the answers that every game begins with. `cards`: count what cards do to the chances. `fast`: True asks
    for numba, False forbids it, None takes it where it is installed, as soon as it is worth
    its start. `progress` is called with the number of games played, after each."""
    if games < 0:
        raise GameError("the number of games cannot be negative")
    if decisions < 1:
        raise GameError("a game is given up after one answer at the earliest")
    thought = any(part.strip() != RANDOM for part in agent.split(","))
    soon = fast or (fast is None and (thought or (cards and games >= FEW)))
    machine = jit.machine() if soon else None
    summary = Summary(fast=machine is not None)
    if games == 0:
        return summary

    def opened(number: int) -> Game:
        game = Game.new(image, players, options, seed + number, fast=machine is not None, budget=budget)
        for label in begin:
            game.apply(label)
        return game

    seats(agent, Game.new(image, players, options, seed + games - 1, fast=False, budget=budget), seed)
    if thought or cards:
        counts = CardCounts()
        for number in range(games):
            game = opened(number)
            _play(game, RANDOM if not thought else agent, seed + number, decisions, counts if cards else None)
            account(summary, game.program, seed + number, _row(game), lambda game=game: game)
            if progress is not None:
                progress(summary.games)
        summary.cards = counts.rows()
        return summary
    program, first, _ = prepare(image, players, options or {}, seed)
    patient = fast is None and machine is None
    playouts = Playouts(program, first, budget, decisions, machine, games=games, patient=patient)
    while summary.games < games:
        if begin:
            playouts.start_from(opened(summary.games).state)
        for row in playouts.next(seed + summary.games):
            number = summary.games
            account(summary, program, seed + number, row, lambda number=number: playouts.last(image, seed + number))
            if progress is not None:
                progress(summary.games)
    summary.fast = playouts.compiled
    return summary


def _play(game: Game, agent: str, seed: int, decisions: int, counts: CardCounts | None) -> None:
    """Play a game to its end, or as far as so many decisions go."""
    decide = seats(agent, game, seed)
    uses: dict[int, list[int]] = {}
    for _ in range(decisions):
        if game.status != "ask":
            break
        index = decide(game)
        if counts is not None and (thing := thing_used(game, index)):
            player = game.options[index].player
            uses.setdefault(thing, []).append(game.names.number(player))
        game.apply(index)
    if counts is not None and game.status == "end":
        counts.add(game, uses)


def _row(game: Game) -> Row:
    state = game.state
    return state[R_STATUS], state[R_OUTCOME], state[R_WINNERS], state[R_DECISIONS]


def account(summary: Summary, program: Program, seed: int, result: Row, game: Callable[[], Game]) -> None:
    """Add one finished game to the summary; `game` gives it where more must be known of it."""
    status, outcome, winners, decisions = result
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
        fault = game().fault
        assert fault is not None, "a game that is played again ends as it did"
        summary.faults.append(Stopped(seed, fault.text, fault.file, fault.line, decisions))
    else:
        summary.unfinished += 1
