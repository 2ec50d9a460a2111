"""Instructions a second, in plain Python and compiled: ``python tests/bench/vm.py``.

Three programs: a loop of the most frequent instructions, a small game with a deck, dice, sets and questions, and a
large game as it is really played (the figure that counts; its instructions are counted once, in plain Python).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from clock import ROOT, row
from games import SHIPPED, image_of, vectors

from ludoloom.runtime import jit, vm
from ludoloom.runtime.chance import chance
from ludoloom.runtime.image import Image, Program
from ludoloom.runtime.machine import R_BOTS, R_OPTIONS, R_SPENT, ST_ASK
from ludoloom.runtime.state import begin, reseed

sys.path.append(str(ROOT / "tests" / "runtime"))
BUDGET = 2_000_000_000

# The tests' assembler and their tiny game are no package of the project.
assemble: Callable[[str], Program] = import_module("asm").assemble
TOKENS: str = import_module("tiny").TOKENS

LOOP = """
proc main 0 4 0
    PUSH {rounds}
    STL 0
again:
    LDL 0
    JZ @done
    LDL 0
    PUSH 1
    SUB
    STL 0
    PUSH 3
    PUSH 1
    STF =column 1 6
    PUSH 1
    LDF =column 1 6
    LDS 33
    ADD
    PUSH 7
    EQ
    JNZ @done
    LDL 0
    CALL &same
    POP
    JMP @again
done:
    PUSH 0
    END 0
proc same 1 2 1
    LDL 0
    STL 1
    LDL 1
    RET
"""


def loop(machine: jit.Machine | None, rounds: int) -> float:
    """Million instructions a second of the loop."""
    program = assemble(LOOP.format(rounds=rounds))
    code, consts, state, record = small(program, machine)
    run = machine.run if machine else vm.run
    begun = time.process_time()
    run(code, consts, state, record, BUDGET)
    return int(state[R_SPENT]) / (time.process_time() - begun) / 1e6


def games(machine: jit.Machine | None, count: int) -> float:
    """Random games of the token game a second."""
    code, consts, first, record = small(assemble(TOKENS), machine)
    begun = time.process_time()
    play(machine, code, consts, first, record, count)
    return count / (time.process_time() - begun)


def play(machine: jit.Machine | None, code: Any, consts: Any, first: Any, record: Any, count: int) -> None:
    """Play random games of the seeds 0, 1, …"""
    playouts = machine.playouts if machine else vm.playouts
    results: Any = [0] * (count * vm.RESULT_WORDS)
    playouts(
        code, consts, first, first.copy(), record, BUDGET, 100_000, 0, machine.vector(results) if machine else results
    )


def small(program: Program, machine: jit.Machine | None) -> tuple[Any, Any, Any, Any]:
    """Code, constants, a new state and a record that records nothing."""
    parts = (program.code, program.consts, begin(program, 2, 1, False, False), [0])
    if machine is None:
        return parts
    code, consts, state, record = (machine.vector(part) for part in parts)
    return code, consts, state, record


def instructions(image: Image, count: int) -> int:
    """How many instructions so many random games take: what is spent between decisions, added up."""
    code, consts, first, record = vectors(image, 2, None)
    total = 0
    for seed in range(count):
        state = first.copy()
        reseed(state, seed)
        while vm.run(code, consts, state, record, BUDGET) == ST_ASK:
            total += state[R_SPENT]
            vm.answer(consts, state, chance(state, R_BOTS, state[R_OPTIONS]))
        total += state[R_SPENT]
    return total


def real(machine: jit.Machine | None, image: Image, count: int, total: int) -> float:
    """Million instructions a second of a large game."""
    code, consts, first, record = vectors(image, 2, machine)
    begun = time.process_time()
    play(machine, code, consts, first, record, count)
    return total / (time.process_time() - begun) / 1e6


def main() -> None:
    """Print the figures for both ways."""
    image = image_of(SHIPPED / "boktor")
    few = instructions(image, 3)
    print(f"{image.title}: {few / 3 / 1e6:.1f} million instructions a game")
    row("plain Python: a loop", f"{loop(None, 100_000):,.1f} M/s")
    row("plain Python: a small game", f"{games(None, 2000):,.0f} games/s")
    row("plain Python: a large game", f"{real(None, image, 3, few):,.1f} M/s", "at least 3 M/s")
    begun = time.perf_counter()
    machine = jit.machine()
    if machine is None:
        print(jit.why_not())
        return
    loop(machine, 10)
    games(machine, 1)
    row("numba: ready after", f"{time.perf_counter() - begun:.1f} s", "about 50 s once, when its cache is empty")
    row("numba: a loop", f"{loop(machine, 10_000_000):,.1f} M/s")
    row("numba: a small game", f"{games(machine, 20_000):,.0f} games/s")
    many = instructions(image, 12)
    row("numba: a large game", f"{real(machine, image, 12, many):,.1f} M/s", "at least 200 M/s")


if __name__ == "__main__":
    main()
