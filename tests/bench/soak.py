"""Many random games of one pack, for every first answer and every number of players, and in every mode: none may be
stopped by a fault or go on without end; and the same games step by step in plain Python and compiled.

    python tests/bench/soak.py content/boktor                        1,000 games each, 300 a mode, 20 compared
    python tests/bench/soak.py content/boktor -n 50 -m 20 -c 2

Prints a row for each combination and leaves with 1 if anything is wrong. `--only WORD` runs the rows that have it.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent / ".pypath"))

from ludoloom.compiler.pipeline import load
from ludoloom.runtime.chance import chance
from ludoloom.runtime.game import Game
from ludoloom.runtime.image import Image
from ludoloom.runtime.machine import R_BOTS, R_OPTIONS
from ludoloom.runtime.simulate import simulate

SEED = 20_000


@dataclass(frozen=True, slots=True)
class Row:
    """One combination: how many games are played and how many compared."""

    games: int
    compared: int
    players: int
    begin: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict[str, str])

    def __str__(self) -> str:
        chosen = [f"{name}={value}" for name, value in self.options.items()]
        return " ".join([*self.begin, *chosen, f"{self.players} players"])


def rows(image: Image, games: int, mode_games: int, compared: int) -> Iterator[Row]:
    """Every first answer with every number of players; then every combination of modes, its games shared out among the
    numbers of players, as are the compared ones everywhere."""
    least, most = image.players
    first = Game.new(image, least, seed=SEED)
    for option in first.options:
        for part, players in enumerate(range(least, most + 1)):
            yield Row(games, share(compared, part, most - least + 1), players, (option.label,))
    switches = [row for row in image.options if any(row.modes)]
    for values in itertools.product(*[row.values for row in switches]):
        chosen = {row.name: value for row, value in zip(switches, values, strict=True)}
        modes = {row.modes[row.values.index(chosen[row.name])] for row in switches} - {""}
        if modes and any(set(program.modes) == modes for program in image.programs):
            for part, players in enumerate(range(least, most + 1)):
                games_here = share(mode_games, part, most - least + 1)
                yield Row(games_here, share(compared, part, most - least + 1), players, (), chosen)


def share(many: int, part: int, parts: int) -> int:
    """The part of a number, shared out as evenly as it goes."""
    return many * (part + 1) // parts - many * part // parts


def differs(image: Image, row: Row, seed: int) -> int:
    """Play a game both ways with the same answers, and compare the state at each; at which answer they differ, or 0."""
    ways = [Game.new(image, row.players, row.options, seed, fast=fast) for fast in (False, True)]
    for label in row.begin:
        for game in ways:
            game.apply(label)
    for number in itertools.count(1):
        plain, fast = ways
        if plain.state != fast.state:
            return number
        if plain.status != "ask":
            return 0 if (plain.events, plain.decisions) == (fast.events, fast.decisions) else number
        for game in ways:
            game.apply(chance(game.state, R_BOTS, game.state[R_OPTIONS]))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("pack")
    parser.add_argument("-n", "--games", type=int, default=1000)
    parser.add_argument("-m", "--mode-games", type=int, default=300)
    parser.add_argument("-c", "--compared", type=int, default=20)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    image = load([asked.pack]).games[0].image
    assert image is not None
    wrong = 0
    total = 0
    for row in rows(image, asked.games, asked.mode_games, asked.compared):
        if asked.only not in str(row):
            continue
        began = time.perf_counter()
        summary = simulate(image, row.games, row.players, row.options, SEED, begin=row.begin, fast=True)
        other = [seed for seed in range(SEED, SEED + row.compared) if differs(image, row, seed)]
        wrong += len(summary.faults) + summary.unfinished + len(other)
        total += row.games
        lengths = sorted(summary.lengths)
        told = ", ".join(f"{name} {many}" for name, many in sorted(summary.outcomes.items()))
        stopped = f"{len(summary.faults)} faults, {summary.unfinished} without end"
        print(
            f"{row!s:<28} {row.games:>5} games: {stopped}; {told}; "
            f"{lengths[len(lengths) // 2] if lengths else 0} decisions; {row.compared} compared, {len(other)} differ "
            f"({time.perf_counter() - began:.0f} s)",
            flush=True,
        )
        for fault in summary.faults[:3]:
            print(f"  seed {fault.seed}: {fault.file}:{fault.line}: {fault.text}")
    print(f"{total} games, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
