"""What a position is worth to a player: -1000 for a lost game, 1000 for a won one, what the goals say in between.

`stands` is the one source for plain Python and numba (see `jit.py`), so that playouts are judged inside the machine;
`value` and `goals` are the same for a caller.

A game that nobody wins is a tie among rivals (0). Where all goals are shared, or one plays alone, it is lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ludoloom.runtime.errors import GameError
from ludoloom.runtime.image import Program
from ludoloom.runtime.machine import (
    H_SEATS,
    H_STACK,
    R_ASKED,
    R_BREAK,
    R_OUTCOME,
    R_PLAYERS,
    R_STATUS,
    R_WINNERS,
    ST_END,
)
from ludoloom.runtime.state import evaluate
from ludoloom.runtime.vm import run, start

WON = 1000
JUDGE = "goals"
SHARED = "goal.shared."
OWN = "goal.own."
JUDGE_BUDGET = 1_000_000
"""Instructions that all goals together may take."""


def stands(
    code: list[int], consts: list[int], state: list[int], record: list[int], seat: int, judge: int, together: int
) -> int:
    """How well a seat stands. The state is used up: a game that goes on is judged in it by the procedure `judge`
    (-1: there are no goals). `together`: 1 if all win or lose together."""
    if state[R_STATUS] == ST_END:
        winners = state[R_WINNERS]
        won = winners >> (seat - consts[H_SEATS]) & 1
        if together == 1 or state[R_PLAYERS] == 1:
            return WON if won == 1 else -WON
        if winners == 0:
            return 0
        many = 0
        while winners > 0:
            many += winners & 1
            winners >>= 1
        return 2 * WON // many - WON if won == 1 else -WON
    if judge < 0:
        return 0
    state[R_BREAK] = -1
    state[R_OUTCOME] = -1
    state[R_ASKED] = 0
    state[consts[H_STACK]] = seat
    start(consts, state, judge)
    status = run(code, consts, state, record, JUDGE_BUDGET)
    if status != ST_END or state[R_OUTCOME] >= 0:
        return 0
    return state[consts[H_STACK]]


@dataclass(frozen=True, slots=True)
class Goals:
    """The procedures that work out goals: the one of all together (-1: none), one for each goal by name. `together`
    says whether none of them is a race."""

    judge: int
    each: tuple[tuple[str, int], ...]
    together: bool


@lru_cache(maxsize=64)
def _goals(names: tuple[str, ...]) -> Goals:
    judge = names.index(JUDGE) if JUDGE in names else -1
    each = tuple(
        (name.removeprefix(SHARED).removeprefix(OWN), number)
        for number, name in enumerate(names)
        if name.startswith((SHARED, OWN))
    )
    return Goals(judge, each, judge >= 0 and not any(name.startswith(OWN) for name in names))


def goals_of(program: Program) -> Goals:
    """The goals that a program declares."""
    return _goals(tuple(row.name for row in program.procs))


def goals(program: Program, state: list[int], seat: int) -> dict[str, int]:
    """What each goal counts for a seat."""
    found: dict[str, int] = {}
    for name, proc in goals_of(program).each:
        try:
            (found[name],) = evaluate(program, state, proc, [seat])
        except GameError:
            found[name] = 0
    return found


def value(program: Program, state: list[int], seat: int) -> int:
    """How well a seat stands."""
    declared = goals_of(program)
    return stands(program.code, program.consts, list(state), [0], seat, declared.judge, int(declared.together))
