"""Run a program in plain Python, over lists that refuse what numba would not forgive, compiled, and specialised."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import FunctionType
from typing import Any, cast

from ludoloom.runtime import grid, jit, sets, things, tiers, vm
from ludoloom.runtime.image import Program
from ludoloom.runtime.machine import (
    FRAME_WORDS,
    H_FRAME_MAX,
    H_FRAMES,
    H_STACK,
    H_STACK_MAX,
    R_CP,
    R_OPTIONS,
    R_SP,
    ST_ASK,
    ST_BREAK,
    ST_DRAW,
    ST_FULL,
    ST_ROLL,
)
from ludoloom.runtime.specialise import Special, specialise
from ludoloom.runtime.state import begin
from ludoloom.runtime.verify import prove


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
    special: Special | None = None,
) -> tuple[int, list[int], list[int]]:
    """Play to the end or till the answers are used up: status, state, all that was recorded.

    An answer is taken modulo the number of options. `room` is the size of the record buffer. `special`: run with these
    functions, in plain Python.
    """
    state: Any = Strict(begin(program, players, seed, asked, forced))
    code: Any = Strict(program.code)
    consts: Any = Strict(program.consts)
    record: Any = Strict([0] * room)
    run, answer = vm.run, vm.answer
    if machine is not None:
        state, consts, record = (machine.vector(part) for part in (state, consts, record))
        code = machine.code(program.code)
        run, answer = machine.run, machine.answer
    if special is not None:
        code, run = (code, Strict(special.laid)), in_plain_python(special)
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


def in_plain_python(special: Special) -> Callable[..., int]:
    """`tiers.run` with the functions of a program around it, uncompiled."""
    names: dict[str, Any] = {}
    for module in (things, sets, grid, vm, tiers):
        names.update(vars(module))
    exec(compile(special.source, "<special>", "exec"), names)
    return FunctionType(tiers.run.__code__, names)


def specialised(program: Program, places: Iterable[int] | None = None) -> Special:
    """The functions that begin at these places, or at every one where the verifier knows the stack."""
    proof = prove(program)
    assert proof.problems == []
    return specialise(program, proof, proof.depth if places is None else places)


def read(program: Program, state: Sequence[int]) -> list[int]:
    """A state without what nobody reads: the words above the stack's top and the newest frame."""
    c = program.consts
    found = [int(word) for word in state]
    for first, end in (
        (c[H_STACK] + found[R_SP], c[H_STACK] + c[H_STACK_MAX]),
        (c[H_FRAMES] + found[R_CP] * FRAME_WORDS, c[H_FRAMES] + c[H_FRAME_MAX] * FRAME_WORDS),
    ):
        found[first:end] = [0] * (end - first)
    return found
