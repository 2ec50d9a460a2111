"""Where things lie: each place holds a list of things, top first, linked through the state.

What lies where is one relation, kept in five arrays: where a thing lies, the things below and above it there, the
first, last and number of things of a place. Everything that moves goes through `put`, so the arrays always agree.

A thing whose place in the order is not known (its pile was shuffled) carries the number of that shuffle, its *group*.
The things of one group lie beside each other. Nothing reads an unknown order: `settle_order` fixes one position by
chance first.

All functions take the constants and the state; what can go wrong is returned as a fault number (0: nothing did). The
same source runs in plain Python and under numba.
"""

from __future__ import annotations

from ludoloom.runtime.machine import (
    FA_FULL,
    FA_NONE,
    FA_PLACE,
    H_COUNT,
    H_GROUP,
    H_HEAD,
    H_LIMIT,
    H_LOC,
    H_MAPS,
    H_MOVABLE,
    H_NEXT,
    H_NMAPS,
    H_OUT,
    H_PLACES,
    H_PREV,
    H_TAIL,
    H_THINGS,
    M_CELL,
    M_FIRST,
    M_GRID,
    M_TILES,
    MAP_WORDS,
    R_SHUFFLES,
)


def is_place(consts: list[int], z: int) -> bool:
    """Whether `z` is the number of a place."""
    return consts[H_PLACES] <= z and z <= consts[H_THINGS]


def in_play(consts: list[int], state: list[int], p: int) -> int:
    """1 if the thing lies somewhere, and not in a zone marked out of play."""
    if p < 1 or p > consts[H_MOVABLE]:
        return 0
    z = state[consts[H_LOC] + p]
    if z == 0 or consts[consts[H_OUT] + z - consts[H_PLACES]] != 0:
        return 0
    return 1


def unlink(consts: list[int], state: list[int], p: int) -> None:
    """Take `p` out of the list of its place; it lies nowhere then."""
    z = state[consts[H_LOC] + p]
    if z == 0:
        return
    k = z - consts[H_PLACES]
    below = state[consts[H_NEXT] + p]
    above = state[consts[H_PREV] + p]
    if above == 0:
        state[consts[H_HEAD] + k] = below
    else:
        state[consts[H_NEXT] + above] = below
    if below == 0:
        state[consts[H_TAIL] + k] = above
    else:
        state[consts[H_PREV] + below] = above
    state[consts[H_COUNT] + k] -= 1
    state[consts[H_LOC] + p] = 0
    state[consts[H_NEXT] + p] = 0
    state[consts[H_PREV] + p] = 0


def link(consts: list[int], state: list[int], p: int, z: int, above: int, below: int) -> None:
    """Put `p`, which lies nowhere, at place `z` between two neighbours (0: the end of the list)."""
    k = z - consts[H_PLACES]
    if above == 0:
        state[consts[H_HEAD] + k] = p
    else:
        state[consts[H_NEXT] + above] = p
    if below == 0:
        state[consts[H_TAIL] + k] = p
    else:
        state[consts[H_PREV] + below] = p
    state[consts[H_LOC] + p] = z
    state[consts[H_NEXT] + p] = below
    state[consts[H_PREV] + p] = above
    state[consts[H_COUNT] + k] += 1


def leave_grid(consts: list[int], state: list[int], p: int) -> None:
    """If `p` is a tile on a growing map, empty its cell."""
    for m in range(consts[H_NMAPS]):
        at = consts[H_MAPS] + m * MAP_WORDS
        k = p - consts[at + M_FIRST]
        if k >= 0 and k < consts[at + M_TILES]:
            cell = state[consts[at + M_CELL] + k]
            if cell != 0:
                state[consts[at + M_GRID] + cell - 1] = 0
                state[consts[at + M_CELL] + k] = 0


def put(consts: list[int], state: list[int], p: int, z: int, bottom: int) -> int:
    """Move the thing `p` to the top (or bottom) of place `z`, 0 being nowhere. Its group is kept."""
    if p < 1 or p > consts[H_MOVABLE]:
        return FA_PLACE
    if z != 0:
        if z == p or not is_place(consts, z):
            return FA_PLACE
        k = z - consts[H_PLACES]
        limit = consts[consts[H_LIMIT] + k]
        if limit != 0 and state[consts[H_COUNT] + k] >= limit and state[consts[H_LOC] + p] != z:
            return FA_FULL
    leave_grid(consts, state, p)
    unlink(consts, state, p)
    if z != 0:
        k = z - consts[H_PLACES]
        if bottom != 0:
            link(consts, state, p, z, state[consts[H_TAIL] + k], 0)
        else:
            link(consts, state, p, z, 0, state[consts[H_HEAD] + k])
    return FA_NONE


def put_all(consts: list[int], state: list[int], y: int, z: int, bottom: int) -> int:
    """Move all that lies at `y` to the top (or bottom) of `z`, in their order, known or not. Nothing moves if not all
    fit.
    """
    if y == 0 or y == z:
        return FA_NONE
    if not is_place(consts, y):
        return FA_PLACE
    if z != 0:
        if not is_place(consts, z) or (z <= consts[H_MOVABLE] and state[consts[H_LOC] + z] == y):
            return FA_PLACE
        k = z - consts[H_PLACES]
        limit = consts[consts[H_LIMIT] + k]
        if limit != 0 and state[consts[H_COUNT] + k] + state[consts[H_COUNT] + y - consts[H_PLACES]] > limit:
            return FA_FULL
    end = H_HEAD if bottom != 0 else H_TAIL
    p = state[consts[end] + y - consts[H_PLACES]]
    while p != 0:
        put(consts, state, p, z, bottom)
        p = state[consts[end] + y - consts[H_PLACES]]
    return FA_NONE


def shuffle(consts: list[int], state: list[int], z: int) -> int:
    """The order of all things at `z` becomes unknown: they form a new group."""
    if not is_place(consts, z):
        return FA_PLACE
    state[R_SHUFFLES] += 1
    p = state[consts[H_HEAD] + z - consts[H_PLACES]]
    while p != 0:
        state[consts[H_GROUP] + p] = state[R_SHUFFLES]
        p = state[consts[H_NEXT] + p]
    return FA_NONE


def end_of(consts: list[int], state: list[int], z: int, bottom: int) -> int:
    """The top (or bottom) thing of place `z`, or 0."""
    if bottom != 0:
        return state[consts[H_TAIL] + z - consts[H_PLACES]]
    return state[consts[H_HEAD] + z - consts[H_PLACES]]


def unknown_run(consts: list[int], state: list[int], t: int, bottom: int) -> int:
    """How many things could lie where `t` lies, `t` being the topmost (or lowest) one of its group; 0: its order is
    known.
    """
    group = state[consts[H_GROUP] + t]
    if group == 0:
        return 0
    onward = consts[H_PREV] if bottom != 0 else consts[H_NEXT]
    n = 0
    while t != 0 and state[consts[H_GROUP] + t] == group:
        n += 1
        t = state[onward + t]
    return n


def step_along(consts: list[int], state: list[int], t: int, bottom: int, k: int) -> int:
    """The thing `k` steps below (or above) `t` in its list."""
    onward = consts[H_PREV] if bottom != 0 else consts[H_NEXT]
    while k > 0:
        t = state[onward + t]
        k -= 1
    return t


def settle_order(consts: list[int], state: list[int], t: int, p: int, bottom: int) -> None:
    """Where `t` lies (the topmost, or lowest, of its group), `p` of that group lies from now on; its order is known."""
    if p != t:
        z = state[consts[H_LOC] + t]
        unlink(consts, state, p)
        if bottom != 0:
            link(consts, state, p, z, t, state[consts[H_NEXT] + t])
        else:
            link(consts, state, p, z, state[consts[H_PREV] + t], t)
    state[consts[H_GROUP] + p] = 0
