"""`greedy`: one step ahead. Takes the option after which its goals stand best, over several deals and dice."""

from __future__ import annotations

from collections.abc import Sequence

from ludoloom.runtime.agents.model import Luck
from ludoloom.runtime.game import Game

TRIES = 8
FOLLOWING = 2
"""Answers after the option: an act often asks for a target before anything happens."""


class GreedyAgent:
    """Takes what looks best at once; of several any."""

    def __init__(self, luck: Luck, tries: int = TRIES) -> None:
        self._luck = luck
        self._tries = tries

    def choose(self, game: Game, options: Sequence[int]) -> int:
        if len(options) == 1:
            return options[0]
        totals = game.rollouts(options, self._tries, depth=FOLLOWING, seed=self._luck.seed())
        best = max(totals)
        return self._luck.one_of([option for option, total in zip(options, totals, strict=True) if total == best])
