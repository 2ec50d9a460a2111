"""Sets of things: runs of words in a frame, 30 members each; bit `b` of word `k` is the thing `first` + 30 `k` + `b`.

The same source runs in plain Python and under numba. The interpreter has the frequent operations in its loop; here is
what it shares with specialised code (`specialise.py`), and what that code wants as a function.
"""

from __future__ import annotations

from ludoloom.runtime.isa import SET_BITS
from ludoloom.runtime.machine import H_HEAD, H_NEXT, H_PLACES
from ludoloom.runtime.things import in_play

SET_MASK = (1 << SET_BITS) - 1


def next_bit(word: int, k: int) -> int:
    """The lowest set bit of a set's word from bit `k` on; 30 if there is none."""
    if k >= SET_BITS:
        return SET_BITS
    if k > 0:
        word = word >> k << k
    word &= SET_MASK
    if word == 0:
        return SET_BITS
    return (word & -word).bit_length() - 1


def next_member(state: list[int], at: int, words: int, k: int) -> int:
    """The lowest bit from `k` on of a set whose words begin at `at`; 30 `words` or more if there is none."""
    if k < 0:
        k = 0
    n = words * SET_BITS
    while k < n:
        bit = next_bit(state[at + k // SET_BITS], k % SET_BITS)
        k += bit - k % SET_BITS
        if bit < SET_BITS:
            break
    return k


def clear(state: list[int], at: int, members: int) -> None:
    """Write the empty set of so many possible members."""
    for k in range((members + SET_BITS - 1) // SET_BITS):
        state[at + k] = 0


def set_in_play(consts: list[int], state: list[int], at: int, first: int, n: int) -> None:
    """The set at `at` := those of the `n` things from `first` that are in play."""
    clear(state, at, n)
    for k in range(n):
        if in_play(consts, state, first + k) != 0:
            state[at + k // SET_BITS] |= 1 << (k % SET_BITS)


def set_at_place(consts: list[int], state: list[int], at: int, first: int, n: int, z: int) -> None:
    """The set at `at` := those of the `n` things from `first` that lie at place `z` (0: none)."""
    clear(state, at, n)
    if z != 0:
        p = state[consts[H_HEAD] + z - consts[H_PLACES]]
        while p != 0:
            k = p - first
            if k >= 0 and k < n:
                state[at + k // SET_BITS] |= 1 << (k % SET_BITS)
            p = state[consts[H_NEXT] + p]


def add_member(state: list[int], at: int, k: int) -> None:
    """Member `k`, counted from 0, comes into the set."""
    state[at + k // SET_BITS] |= 1 << (k % SET_BITS)


def drop_member(state: list[int], at: int, k: int) -> None:
    """Member `k`, counted from 0, goes out of the set."""
    state[at + k // SET_BITS] &= ~(1 << (k % SET_BITS))


def has_member(state: list[int], at: int, k: int) -> int:
    """1 if member `k`, counted from 0, is in the set."""
    return (state[at + k // SET_BITS] >> (k % SET_BITS)) & 1
