"""Instructions a second, in plain Python and compiled: ``python tests/bench/vm.py`` (with .pypath on the path).

Two programs: a loop of the most frequent instructions, and a small game with a deck, dice, sets and questions.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / ".pypath"), str(ROOT / "tests" / "runtime")]
# ruff: noqa: E402

from ludoloom.runtime import jit, vm
from ludoloom.runtime.image import Program
from ludoloom.runtime.machine import R_SPENT
from ludoloom.runtime.state import begin, reseed

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
    code, consts, state, record = vectors(program, machine)
    run = machine.run if machine else vm.run
    begun = time.perf_counter()
    run(code, consts, state, record, 2_000_000_000)
    return int(state[R_SPENT]) / (time.perf_counter() - begun) / 1e6


def games(machine: jit.Machine | None, count: int) -> float:
    """Random games of the token game a second."""
    program = assemble(TOKENS)
    code, consts, first, record = vectors(program, machine)
    playout = machine.playout if machine else vm.playout
    begun = time.perf_counter()
    for seed in range(count):
        state = first.copy()
        reseed(state, seed)
        playout(code, consts, state, record, 1_000_000, 1000)
    return count / (time.perf_counter() - begun)


def vectors(program: Program, machine: jit.Machine | None) -> tuple[Any, Any, Any, Any]:
    """Code, constants, a new state and a record that records nothing."""
    parts = (program.code, program.consts, begin(program, 2, 1, False, False), [0])
    if machine is None:
        return parts
    code, consts, state, record = (machine.vector(part) for part in parts)
    return code, consts, state, record


def main() -> None:
    """Print both figures for both ways."""
    print(f"plain Python: {loop(None, 100_000):7.1f} M instructions/s {games(None, 2000):9.0f} games/s")
    begun = time.perf_counter()
    machine = jit.machine()
    if machine is None:
        print(jit.why_not())
        return
    loop(machine, 10)
    games(machine, 1)
    print(f"(numba was ready after {time.perf_counter() - begun:.1f} s)")
    print(f"numba:        {loop(machine, 10_000_000):7.1f} M instructions/s {games(machine, 20_000):9.0f} games/s")


if __name__ == "__main__":
    main()
