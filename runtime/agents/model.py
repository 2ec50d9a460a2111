"""What an agent is: something that is asked with a game and the numbers of the options it may take, and names one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

from ludoloom.runtime.game import Game


class Agent(Protocol):
    """A player who is a program. It may look at the game as its players do, and at forks; it changes nothing."""

    def choose(self, game: Game, options: Sequence[int]) -> int:
        """The number of one of these options of the question."""
        ...


class Luck:
    """An agent's own luck, apart from that of the game: the same in every version of Python."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def below(self, n: int) -> int:
        """A number from 0 to n-1."""
        return int(self._random.random() * n)

    def seed(self) -> int:
        """A seed for looking ahead."""
        return self.below(1 << 40)

    def one_of(self, options: Sequence[int]) -> int:
        """One of the options."""
        return options[self.below(len(options))]
