"""Random games of one program, played inside the machine as fast as pays.

    playouts = Playouts(program, first, budget, decisions)
    playouts.results(7, 32)       status, outcome, winners and decisions of the games of the seeds 7 to 38

A game can be played in plain Python, by the compiled interpreter, or with functions of its own (`specialise.py`); the
same games come of it. What is faster takes its time to start: it is started when what is left to play takes longer.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ludoloom.runtime import jit, vm
from ludoloom.runtime.game import Game
from ludoloom.runtime.image import Image, Program
from ludoloom.runtime.machine import R_DECISIONS, R_OUTCOME, R_STATUS, R_WINNERS, ST_ASK
from ludoloom.runtime.state import reseed
from ludoloom.runtime.vm import RESULT_WORDS

PATIENCE = 2.0
"""Seconds of plain Python after which the compiled machine is thought of: to import numba takes one or two."""
STRETCH = 200
"""Decisions in plain Python between two looks at the clock."""
SAVED = 0.4
"""Of the time for random games, what functions of the game's own save at the least."""
WORTH = 2
"""How many times as much as the start it must save: a busy machine compiles slowly."""
LEAST_SAVED = 5
"""Seconds below which it is not tried."""

Row = tuple[int, int, int, int]
"""Status, outcome, winners and decisions of a game."""


class Playouts:
    """Games of one program from one beginning. `machine` plays them; without it plain Python does. With `games`, the
    number that shall be played, the compiled machine takes over when that pays."""

    def __init__(
        self,
        program: Program,
        first: list[int],
        budget: int,
        decisions: int,
        machine: jit.Machine | None = None,
        games: int = 0,
    ) -> None:
        self.program = program
        self.first = first
        self.limits = (budget, decisions)
        self.left = games
        self.patient = games > 0 and machine is None
        self.spent, self.done = 0.0, 0
        self.hurried = False
        self.take(machine)

    @property
    def compiled(self) -> bool:
        """Whether the machine plays."""
        return self.machine is not None

    def take(self, machine: jit.Machine | None) -> None:
        """Play with this machine from now on."""
        self.machine = machine
        self.play: Callable[..., None] = machine.playouts if machine else vm.playouts
        vector: Callable[[list[int]], Any] = machine.vector if machine else list[int]
        code = (machine.code if machine else list[int])(self.program.code)
        self.parts: list[Any] = [code, *(vector(part) for part in (self.program.consts, self.first, self.first, [0]))]

    def start_from(self, first: list[int]) -> None:
        """Begin the following games here."""
        self.first = first
        self.parts[2] = self.machine.vector(first) if self.machine else list(first)

    def results(self, seed: int, count: int) -> list[Row]:
        """The rows of the games of so many seeds."""
        found: list[Row] = []
        while self.patient and len(found) < count:
            row = self.in_plain_python(seed + len(found))
            if row is None:
                break
            found.append(row)
        seed, count = seed + len(found), count - len(found)
        rows = self.machine.blank(count * RESULT_WORDS) if self.machine else [0] * (count * RESULT_WORDS)
        self.play(*self.parts, *self.limits, seed, rows)
        words = jit.listed(rows)
        return [*found, *zip(words[::4], words[1::4], words[2::4], words[3::4], strict=True)]

    def in_plain_python(self, seed: int) -> Row | None:
        """The row of one game; None if meanwhile the compiled machine has been taken, which begins it again."""
        code, consts, first, state, record = self.parts
        budget, most = self.limits
        state[:] = first
        reseed(state, seed)
        asked, status = 0, ST_ASK
        while status == ST_ASK and asked < most:
            begun = time.process_time()
            status = vm.playout(code, consts, state, record, budget, min(STRETCH, most - asked))
            asked += STRETCH
            self.spent += time.process_time() - begun
            if self.spent > PATIENCE and status == ST_ASK and self.compile():
                return None
        self.done, self.left = self.done + 1, self.left - 1
        return state[R_STATUS], state[R_OUTCOME], state[R_WINNERS], state[R_DECISIONS]

    def compile(self) -> bool:
        """Take the compiled machine if that pays: what is left in plain Python, or has been played in it, takes longer
        than its start. Whether it was taken."""
        machine = jit.machine()
        left = self.spent / self.done * self.left if self.done else float("inf")
        if machine is not None and max(left, self.spent) < machine.start:
            return False
        self.patient = False
        self.take(machine)
        return machine is not None

    def hurry(self, seconds: float) -> None:
        """Have functions made for this game alone, if it pays: the games that are left would take so many seconds."""
        if self.hurried or seconds * SAVED < LEAST_SAVED:
            return
        self.hurried = True
        from ludoloom.runtime.busy import busy_places  # few simulations come so far
        from ludoloom.runtime.verify import proof_of

        places = busy_places(self.program, proof_of(self.program), self.first)
        machine = jit.specialised(self.program, places)
        if seconds * SAVED > WORTH * machine.start:
            self.take(machine)

    def last(self, image: Image, seed: int) -> Game:
        """The game of a seed where it ended; it is played again for that."""
        self.results(seed, 1)
        return Game.restored(image, self.program, list(jit.listed(self.parts[3])), {}, [], [])
