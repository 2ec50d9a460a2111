"""`random`: takes any option alike."""

from __future__ import annotations

from collections.abc import Sequence

from ludoloom.runtime.agents.model import Luck
from ludoloom.runtime.game import Game


class RandomAgent:
    """Takes any option alike."""

    def __init__(self, luck: Luck) -> None:
        self._luck = luck

    def choose(self, game: Game, options: Sequence[int]) -> int:
        return self._luck.one_of(options)
