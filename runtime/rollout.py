"""Looking ahead inside the machine: what a player does not see is dealt anew, an option is taken, the game is played on
at random for a while, and what has come of it is judged.

    rollouts(code, consts, first, state, record, unseen, budget, (…), options, totals)

One source for plain Python and numba (see `jit.py`), like the interpreter itself. Every option is tried with the same
deals and the same dice (the seeds `seed`, `seed` + 1 …), so that the difference between two options is less a matter
of luck.
"""

from __future__ import annotations

from ludoloom.runtime.chance import chance
from ludoloom.runtime.machine import (
    H_GROUP,
    H_HEAD,
    H_LOC,
    H_NEXT,
    H_PLACES,
    H_PREV,
    H_SEATS,
    H_STACK,
    H_TAIL,
    R_ASKED,
    R_BOTS,
    R_BREAK,
    R_FORCED,
    R_OUTCOME,
    R_PLAYERS,
    R_SEED_HIGH,
    R_SEED_LOW,
    R_STATUS,
    R_WINNERS,
    ST_END,
)
from ludoloom.runtime.vm import SEED_HALF, answer, playout, run, start

WON = 1000
"""What a won game is worth; a lost one is worth as much less than nothing."""
JUDGE_BUDGET = 1_000_000
"""Instructions that all goals together may take."""


def exchange(consts: list[int], state: list[int], a: int, b: int) -> None:
    """Two things change places: each lies where the other lay, between the same neighbours, its order known or not as
    the other's was."""
    place_a = state[consts[H_LOC] + a]
    place_b = state[consts[H_LOC] + b]
    below_a = state[consts[H_NEXT] + a]
    below_b = state[consts[H_NEXT] + b]
    above_a = state[consts[H_PREV] + a]
    above_b = state[consts[H_PREV] + b]
    group = state[consts[H_GROUP] + a]
    state[consts[H_GROUP] + a] = state[consts[H_GROUP] + b]
    state[consts[H_GROUP] + b] = group
    settle_at(consts, state, a, place_b, b if below_b == a else below_b, b if above_b == a else above_b)
    settle_at(consts, state, b, place_a, a if below_a == b else below_a, a if above_a == b else above_a)


def settle_at(consts: list[int], state: list[int], p: int, place: int, below: int, above: int) -> None:
    """Write that `p` lies at a place between two others, for them and for the place too."""
    state[consts[H_LOC] + p] = place
    state[consts[H_NEXT] + p] = below
    state[consts[H_PREV] + p] = above
    if below != 0:
        state[consts[H_PREV] + below] = p
    elif place != 0:
        state[consts[H_TAIL] + place - consts[H_PLACES]] = p
    if above != 0:
        state[consts[H_NEXT] + above] = p
    elif place != 0:
        state[consts[H_HEAD] + place - consts[H_PLACES]] = p


def swap(consts: list[int], state: list[int], unseen: list[int], at: int, a: int, b: int) -> None:
    """Two things of the class whose row begins at `at` change places; the values of their columns stay there, and an
    option that meant one means the other, since it meant what lies there."""
    exchange(consts, state, a, b)
    own = at + 3 + unseen[at]
    for k in range(unseen[at + 1]):
        base = unseen[own + 2 * k] - unseen[own + 2 * k + 1]
        word = state[base + a]
        state[base + a] = state[base + b]
        state[base + b] = word
    own += 2 * unseen[at + 1]
    for k in range(unseen[at + 2]):
        word = state[unseen[own + k]]
        if word == a:
            state[unseen[own + k]] = b
        elif word == b:
            state[unseen[own + k]] = a


def redeal(consts: list[int], state: list[int], unseen: list[int]) -> None:
    """Deal anew by chance (stream R_BOTS) what the table names; `unseen.table` says what its words are."""
    at = 1
    for _ in range(unseen[0]):
        for i in range(unseen[at] - 1, 0, -1):
            j = chance(state, R_BOTS, i + 1)
            if i != j:
                swap(consts, state, unseen, at, unseen[at + 3 + i], unseen[at + 3 + j])
        at += 3 + unseen[at] + 2 * unseen[at + 1] + unseen[at + 2]
    for _ in range(unseen[at]):
        low = unseen[at + 2]
        state[unseen[at + 1]] = low + chance(state, R_BOTS, unseen[at + 3] - low + 1)
        at += 3


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
    record[0] = 0
    status = run(code, consts, state, record, JUDGE_BUDGET)
    if status != ST_END or state[R_OUTCOME] >= 0:
        return 0
    return state[consts[H_STACK]]


def rollouts(
    code: list[int],
    consts: list[int],
    first: list[int],
    state: list[int],
    record: list[int],
    unseen: list[int],
    budget: int,
    seed: int,
    count: int,
    depth: int,
    seat: int,
    judge: int,
    together: int,
    options: list[int],
    totals: list[int],
) -> None:
    """Try each of the options `count` times from the state `first` and add to `totals` how well `seat` stands `depth`
    answers later. `state` is a vector of the same length to play in."""
    for row in range(len(options)):
        for k in range(count):
            for word in range(len(first)):
                state[word] = first[word]
            state[R_SEED_LOW] = (seed + k) & SEED_HALF
            state[R_SEED_HIGH] = (seed + k) >> 30 & SEED_HALF
            state[R_ASKED] = 0
            state[R_FORCED] = 0
            state[R_BREAK] = -1
            redeal(consts, state, unseen)
            answer(consts, state, options[row])
            record[0] = 0
            playout(code, consts, state, record, budget, depth)
            totals[row] += stands(code, consts, state, record, seat, judge, together)
