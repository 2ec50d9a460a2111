"""`search`: flat Monte Carlo. Options are tried by playing on at random; the better half is tried again, until one is
left (sequential halving, which spends its tries where the choice is open; see Karnin, Koren and Somekh, 2013).

The budget is a number of tries for each decision, shared by the rounds, so that the same seed gives the same choice on
every machine; or a time, where that does not matter. A try ends after so many answers and is judged by the goals: the
shorter, the more tries, and the more depends on what the goals say.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from ludoloom.runtime.agents.model import Luck
from ludoloom.runtime.game import Game

TRIES = 200
DEPTH = 40
IN_ONE_GO = 4
"""Tries of an option between two looks at the clock."""


class SearchAgent:
    """Tries the options and takes the one that did best."""

    def __init__(self, luck: Luck, tries: int = TRIES, depth: int = DEPTH, seconds: float = 0.0) -> None:
        self._luck = luck
        self._tries = tries
        self._depth = depth
        self._seconds = seconds

    def choose(self, game: Game, options: Sequence[int]) -> int:
        left = list(options)
        lot = {option: self._luck.below(1 << 30) for option in left}  # which of equals is taken
        rounds = max(1, (len(left) - 1).bit_length())
        totals = dict.fromkeys(left, 0)
        while len(left) > 1:
            began = time.perf_counter()
            count = IN_ONE_GO if self._seconds else max(1, self._tries // (rounds * len(left)))
            while True:
                found = game.rollouts(left, count, depth=self._depth, seed=self._luck.seed())
                for option, total in zip(left, found, strict=True):
                    totals[option] += total
                if time.perf_counter() - began >= self._seconds / rounds:
                    break
            left.sort(key=lambda option: (-totals[option], lot[option]))
            del left[(len(left) + 1) // 2 :]
        return left[0]
