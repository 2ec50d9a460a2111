"""The interpreter and specialised code, by turns: what one game's fast machine runs.

    status = run((plain, laid), consts, state, record, budget)

`run` is `vm.run` with two codes, the program's own and the one that `specialise.py` has laid anew: where the second
says `COMPILED + k`, function `k` goes on. It gives what the interpreter gives. `enter` is written by `specialise.py`
and put beside these functions (see `jit.py`); the rest is what the written functions call.
"""

from __future__ import annotations

from ludoloom.runtime.grid import distance, is_tile, line
from ludoloom.runtime.isa import COMPILED, NIL, RANGE_BIAS, RANGE_MAX, SET_BITS
from ludoloom.runtime.machine import (
    H_LOC,
    H_MOVABLE,
    R_CP,
    R_FP,
    R_GROUP,
    R_PC,
    R_SP,
    R_SPENT,
    R_STATUS,
    ST_BREAK,
    ST_COMPILED,
    ST_RUNNING,
)
from ludoloom.runtime.vm import add_option
from ludoloom.runtime.vm import run as interpret


def enter(k: int, consts: list[int], state: list[int], record: list[int], budget: int) -> int:
    """Run function `k`. A program that has none goes on with the interpreter."""
    return -2


def run(code: tuple[list[int], list[int]], consts: list[int], state: list[int], record: list[int], budget: int) -> int:
    """Go on until something stops the game, as `vm.run` does."""
    plain, laid = code[0], code[1]
    how = -2 if state[R_STATUS] == ST_BREAK else -1
    while how != -2:
        status = interpret(laid, consts, state, record, budget)
        if status != ST_COMPILED:
            return status
        state[R_STATUS] = ST_RUNNING
        how = 0
        while how == 0:
            if state[R_CP] < 2:
                # The outermost procedure ends the game when it returns, which the interpreter knows.
                how = -2
            elif laid[state[R_PC]] >= COMPILED:
                how = enter(laid[state[R_PC]] - COMPILED, consts, state, record, budget)
            else:
                how = -1
    return interpret(plain, consts, state, record, budget)


def leave(state: list[int], pc: int, sp: int, fp: int, cp: int, left: int, how: int) -> int:
    """The machine stands at `pc` (-1: where a procedure that was called has left it). What is left of the budget waits
    in R_SPENT for `enter`. Gives `how`."""
    if pc >= 0:
        state[R_PC] = pc
        state[R_SP] = sp
        state[R_FP] = fp
        state[R_CP] = cp
        state[R_SPENT] = left
    return how


def keep_frame(state: list[int], frame: int, back: int, fp: int, proc: int, group: int) -> None:
    """Write the frame of a call that was left before it returned."""
    state[frame] = back
    state[frame + 1] = fp
    state[frame + 2] = proc
    state[frame + 3] = group


def give_back(state: list[int], frame: int, sp: int, cp: int) -> None:
    """Return from the newest frame."""
    state[R_PC] = state[frame]
    state[R_SP] = sp
    state[R_FP] = state[frame + 1]
    state[R_GROUP] = state[frame + 3]
    state[R_CP] = cp


def in_range(a: int, r: int) -> bool:
    """Whether a number lies in a range (INR)."""
    low = (r & 32767) - RANGE_BIAS
    high = ((r >> 15) & 32767) - RANGE_BIAS
    return a != NIL and low <= a and (a <= high or high == RANGE_MAX)


def make_range(low: int, high: int) -> int:
    """The range between two numbers that a range can hold (MKR)."""
    high = min(high, RANGE_MAX)  # RANGE_OPEN; others fit
    return ((high + RANGE_BIAS) << 15) | (low + RANGE_BIAS)


def place_among(consts: list[int], state: list[int], p: int, first: int, end: int) -> int:
    """Where a thing lies, if it is one of those places, else 0 (LOC)."""
    z = state[consts[H_LOC] + p] if p > 0 and p <= consts[H_MOVABLE] else 0
    return z if z >= first and z < end else 0


def lost(consts: list[int], at: int, a: int, b: int) -> bool:
    """Whether there is no way to speak of, because one of the two is neither none nor a tile of the map."""
    return a != 0 and b != 0 and (not is_tile(consts, at, a) or not is_tile(consts, at, b))


def steps(consts: list[int], state: list[int], at: int, a: int, b: int, scratch: int, limit: int) -> int:
    """Steps from tile to tile (MDIST); NO_ROOM if the stack is too full to search."""
    if a == 0 or b == 0:
        return NIL
    return distance(consts, state, at, a, b, scratch, limit)


def straight(consts: list[int], state: list[int], at: int, a: int, b: int) -> int:
    """Steps from tile to tile in one row (MLINE)."""
    if a == 0 or b == 0:
        return NIL
    return line(consts, state, at, a, b)


def add_options(consts: list[int], state: list[int], at: int, first: int, words: int, label: int, player: int) -> bool:
    """An option for each member of a set (OPTS); False if there is no room."""
    for k in range(words * SET_BITS):
        member = (state[at + k // SET_BITS] >> (k % SET_BITS)) & 1
        if member != 0 and not add_option(consts, state, player, label, first + k, 0):
            return False
    return True
