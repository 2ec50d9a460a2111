"""Run a program in plain Python, over lists that refuse what numba would not forgive, and compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ludoloom.runtime import jit, vm
from ludoloom.runtime.image import Program
from ludoloom.runtime.machine import R_OPTIONS, ST_ASK, ST_BREAK, ST_DRAW, ST_FULL, ST_ROLL
from ludoloom.runtime.state import begin


class Strict(list[int]):
    """A list of words that knows no negative index, and holds nothing beyond 32 bits."""

    def __getitem__(self, index: Any) -> Any:
        checked(index)
        return cast("list[Any]", super()).__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        checked(index)
        if isinstance(value, int) and not -(1 << 31) <= value < 1 << 31:
            raise OverflowError(f"{value} is no word")
        super().__setitem__(index, value)


def checked(index: object) -> None:
    """Refuse an index that Python would count from the end."""
    if isinstance(index, int) and index < 0:
        raise IndexError(f"negative index {index}")


def play(
    program: Program,
    answers: Sequence[int] = (),
    machine: jit.Machine | None = None,
    *,
    seed: int = 1,
    asked: bool = False,
    forced: bool = False,
    budget: int = 100_000,
    room: int = 400,
    players: int = 2,
) -> tuple[int, list[int], list[int]]:
    """Play to the end or till the answers are used up: status, state, all that was recorded.

    An answer is taken modulo the number of options. `room` is the size of the record buffer.
    """
    state: Any = Strict(begin(program, players, seed, asked, forced))
    code: Any = Strict(program.code)
    consts: Any = Strict(program.consts)
    record: Any = Strict([0] * room)
    run, answer = vm.run, vm.answer
    if machine is not None:
        state, code, consts, record = (machine.vector(part) for part in (state, code, consts, record))
        run, answer = machine.run, machine.answer
    told: list[int] = []
    left = list(answers)
    while True:
        status = int(run(code, consts, state, record, budget))
        told += [int(word) for word in record[1 : int(record[0]) + 1]]
        record[0] = 0
        if status in (ST_FULL, ST_BREAK):
            continue
        if status not in (ST_ASK, ST_ROLL, ST_DRAW) or not left:
            break
        assert answer(consts, state, left.pop(0) % int(state[R_OPTIONS])) == 0
    return status, [int(word) for word in state], told
