"""Chance: numbers that follow from the state alone.

A number is a hash of (seed, stream, how many numbers the stream has given before), so chance needs no hidden
generator, a copied state goes on alike, and one extra die does not shift every shuffle (each stream counts for
itself).

The same source runs in plain Python and under numba: every product is cut to 32 bits at once, so that Python's endless
and numba's 64-bit integers agree.
"""

from __future__ import annotations

from ludoloom.runtime.machine import R_SEED_HIGH, R_SEED_LOW

MASK = 0xFFFFFFFF


def mix(word: int) -> int:
    """Scatter 32 bits: every bit of the result depends on every bit of `word` (two multiply-and-shift rounds)."""
    word = word & MASK
    word = word ^ (word >> 16)
    word = (word * 0x7FEB352D) & MASK
    word = word ^ (word >> 15)
    word = (word * 0x846CA68B) & MASK
    return word ^ (word >> 16)


def chance(state: list[int], stream: int, n: int) -> int:
    """The next number of `stream` (R_DICE, R_DECKS or R_BOTS), 0 to n-1, each equally likely.

    Words that would favour small numbers are thrown away, so `n` may be anything from 1 to 2**31 - 1. The stream's
    counter wraps before it leaves 32 bits.
    """
    fair = 0x100000000 - 0x100000000 % n
    count = state[stream]
    while True:
        word = mix(count + stream * 0x9E3779B9)
        word = mix(word ^ state[R_SEED_LOW])
        word = mix(word + state[R_SEED_HIGH] * 2 + 1)
        count = (count + 1) & 0x7FFFFFFF
        if word < fair:
            break
    state[stream] = count
    return word % n
