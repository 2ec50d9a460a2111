"""Random games of one program, played inside the machine as fast as pays.

    playouts = Playouts(program, first, budget, decisions, games=1000, patient=True)
    playouts.next(7)              status, outcome, winners and decisions of the game of seed 7, and of some after it

A game can be played in plain Python, by the compiled interpreter, or with functions of its own (`specialise.py`); the
same games come of it. What is faster takes its time to start, so it is started when the games that are left, or those
that were played, take longer. The clock decides nothing else.
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

AT_ONCE = 32
"""Games that the compiled machine plays before anybody is told of them."""
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

clock = time.process_time


class Playouts:
    """`games` games of one program from one beginning. `machine` plays them, or plain Python, which if it is `patient`
    gives way to the compiled machine when that pays."""

    def __init__(
        self,
        program: Program,
        first: list[int],
        budget: int,
        decisions: int,
        machine: jit.Machine | None = None,
        *,
        games: int = 0,
        patient: bool = False,
    ) -> None:
        self.program = program
        self.first = first
        self.limits = (budget, decisions)
        self.patient = patient and machine is None
        self.left = games
        self.spent, self.done = 0.0, 0
        """Seconds and games of the way in which they are played now; the first ones of a machine do not count."""
        self.warm = self.hurried = self.moved = False
        self.take(machine)

    @property
    def compiled(self) -> bool:
        """Whether a machine plays."""
        return self.machine is not None

    def take(self, machine: jit.Machine | None) -> None:
        """Play with this machine from now on."""
        self.machine, self.warm = machine, False
        self.spent, self.done = 0.0, 0
        self.play: Callable[..., None] = machine.playouts if machine else vm.playouts
        vector: Callable[[list[int]], Any] = machine.vector if machine else list[int]
        code = (machine.code if machine else list[int])(self.program.code)
        self.parts: list[Any] = [code, *(vector(part) for part in (self.program.consts, self.first, self.first, [0]))]

    def start_from(self, first: list[int]) -> None:
        """Begin the next game here; each game has a beginning of its own then."""
        self.first, self.moved = first, True
        self.parts[2] = self.machine.vector(first) if self.machine else list(first)

    def next(self, seed: int) -> list[Row]:
        """The rows of the next games, from that of `seed` on: at least one, as long as games are left."""
        if self.patient and (self.spent <= PATIENCE or not self.compile()):
            row = self.in_plain_python(seed)
            if row is not None:
                self.left, self.done = self.left - 1, self.done + 1
                return [row]
        if self.machine is not None and self.done and not self.moved:
            self.hurry(self.spent / self.done * self.left)
        count = min(AT_ONCE, self.left) if self.machine is not None and not self.moved else 1
        begun = clock()
        rows = self.results(seed, count)
        if self.warm:
            self.spent, self.done = self.spent + clock() - begun, self.done + count
        self.left, self.warm = self.left - count, True
        return rows

    def results(self, seed: int, count: int) -> list[Row]:
        """The rows of the games of so many seeds, played in the way of now."""
        rows = self.machine.blank(count * RESULT_WORDS) if self.machine else [0] * (count * RESULT_WORDS)
        self.play(*self.parts, *self.limits, seed, rows)
        words = jit.listed(rows)
        return list(zip(words[::4], words[1::4], words[2::4], words[3::4], strict=True))

    def in_plain_python(self, seed: int) -> Row | None:
        """The row of one game; None if meanwhile the compiled machine was taken, which begins it again."""
        code, consts, first, state, record = self.parts
        budget, most = self.limits
        state[:] = first
        reseed(state, seed)
        asked, status = 0, ST_ASK
        while status == ST_ASK and asked < most:
            begun = clock()
            status = vm.playout(code, consts, state, record, budget, min(STRETCH, most - asked))
            asked += STRETCH
            self.spent += clock() - begun
            if status == ST_ASK and self.patient and self.spent > PATIENCE and self.compile():
                return None
        return state[R_STATUS], state[R_OUTCOME], state[R_WINNERS], state[R_DECISIONS]

    def compile(self) -> bool:
        """Take the compiled machine if what is left in plain Python, or has been played in it, takes longer than its
        start. Whether it was taken."""
        machine = jit.machine()
        if machine is None:
            self.patient = False
            return False
        left = self.spent / self.done * self.left if self.done else 0.0
        if max(left, self.spent) < machine.start:
            return False
        self.patient = False
        self.take(machine)
        return True

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
