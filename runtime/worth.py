"""What a position is worth to a player: -1000 for a lost game, 1000 for a won one, what the goals say in between.

A game that nobody wins is a tie among rivals (0). Where all goals are shared, or one plays alone, it is lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ludoloom.runtime.errors import GameError
from ludoloom.runtime.image import Program
from ludoloom.runtime.rollout import stands
from ludoloom.runtime.state import evaluate

JUDGE = "goals"
SHARED = "goal.shared."
OWN = "goal.own."


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
