"""Where a game spends its time: the places of its code that are worth a function of their own (`specialise.py`).

A few random games are played; every few hundred instructions it is noted where the machine stands. What most of the
notes lie in is chosen, procedure by procedure, as long as it is not too much to compile: a large game has a few dozen
busy procedures among hundreds. In a procedure that a question, chance or the call of something unchosen interrupts, a
function begins behind that too, if it is often gone on with there.

The notes follow from the program alone, so the same game gives the same places, and its machine code is found again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from typing import Final

from ludoloom.runtime import isa, vm
from ludoloom.runtime.blocks import decoded, left_out
from ludoloom.runtime.chance import chance
from ludoloom.runtime.image import Program
from ludoloom.runtime.machine import (
    FA_BUDGET,
    FA_NONE,
    H_MAIN,
    R_BOTS,
    R_FAULT,
    R_OPTIONS,
    R_PC,
    R_SPENT,
    R_STATUS,
    ST_ASK,
    ST_FAULT,
    ST_RUNNING,
)
from ludoloom.runtime.state import reseed
from ludoloom.runtime.verify import Proof

NOTES: Final = 4000
GAMES: Final = 1000
STEP: Final = 150
"""Instructions from note to note, at the least."""
SHARE: Final = 0.995
"""Of the notes, what lies in chosen procedures."""
MOST: Final = 2000
"""Instructions that are translated at most; numba takes about 25 ms for each."""
NEAR: Final = 16
"""Words of code behind an interruption that are looked at."""
OFTEN: Final = 200
"""One note in so many must lie there."""


def busy_places(program: Program, proof: Proof, first: Sequence[int]) -> list[int]:
    """The places of a program, from games that begin with the state `first`."""
    notes = note_places(program, first)
    own: dict[int, list[int]] = {}
    for pc in sorted(proof.depth):
        own.setdefault(proof.proc[pc], []).append(pc)
    # The outermost procedure ends the game when it returns, which only the interpreter knows.
    weights = {proc: sum(notes[pc] for pc in pcs) for proc, pcs in own.items() if proc != program.consts[H_MAIN]}
    chosen = choose(weights, {proc: len(pcs) for proc, pcs in own.items()})
    places = [program.procs[proc].entry for proc in chosen]
    leaving = who_leaves(program, own, chosen)
    for proc in leaving:
        for pc in own[proc]:
            _, _, after = decoded(program.code, pc)
            near = sum(notes[word] for word in range(after, after + NEAR))
            if interrupts(program, pc, chosen, leaving) and near * OFTEN >= NOTES:
                places.append(after)
    return sorted(set(places) & proof.depth.keys())


def note_places(program: Program, first: Sequence[int]) -> Counter[int]:
    """How often the budget ended at each place of the code."""
    notes: Counter[int] = Counter()
    count, wait = 0, STEP
    for seed in range(GAMES):
        state = list(first)
        reseed(state, seed)
        while count < NOTES:
            state[R_SPENT] = 0
            status = vm.run(program.code, program.consts, state, [0], wait)
            if status == ST_ASK:
                wait = max(1, wait - state[R_SPENT])
                vm.answer(program.consts, state, chance(state, R_BOTS, state[R_OPTIONS]))
            elif status == ST_FAULT and state[R_FAULT] == FA_BUDGET:
                notes[state[R_PC]] += 1
                count += 1
                # Unequal steps, lest they fall in with a loop.
                wait = STEP + count * 7919 % STEP
                state[R_STATUS], state[R_FAULT] = ST_RUNNING, FA_NONE
            else:
                break
    return notes


def choose(weights: Mapping[int, int], sizes: Mapping[int, int]) -> set[int]:
    """The busiest procedures, until enough or too much is chosen."""
    chosen: set[int] = set()
    total, noted, size = sum(weights.values()), 0, 0
    for proc in sorted(weights, key=lambda proc: (-weights[proc], proc)):
        if weights[proc] == 0 or noted >= SHARE * total:
            break
        noted += weights[proc]
        if size + sizes[proc] <= MOST:
            chosen.add(proc)
            size += sizes[proc]
    return chosen


def who_leaves(program: Program, own: Mapping[int, Sequence[int]], chosen: Container[int]) -> set[int]:
    """The chosen procedures that something interrupts: the interpreter must go on with them."""
    leaving: set[int] = set()
    while True:
        more = {
            proc
            for proc, pcs in own.items()
            if proc in chosen and proc not in leaving and any(interrupts(program, pc, chosen, leaving) for pc in pcs)
        }
        if not more:
            return leaving
        leaving |= more


def interrupts(program: Program, pc: int, chosen: Container[int], leaving: Container[int]) -> bool:
    """Whether a function may be left at this instruction, or in what it calls."""
    op, operands, _ = decoded(program.code, pc)
    if op.code in (isa.CALL, isa.SETTLE):
        return operands[0] not in chosen or operands[0] in leaving
    return left_out(op, operands, chosen)
