"""A state by numbers: begin one, read and lay the things of a place, run a formula in a copy.

A state is a flat list of words (see `machine.py`). Copying the list copies the game.
"""

from __future__ import annotations

import hashlib
from array import array

from ludoloom.runtime.errors import GameError
from ludoloom.runtime.image import Program
from ludoloom.runtime.machine import (
    FA_NONE,
    FA_OWN,
    FAULT_TEXT,
    FRAME_WORDS,
    H_FRAMES,
    H_GROUP,
    H_HEAD,
    H_LOC,
    H_MAIN,
    H_MAPS,
    H_MOVABLE,
    H_NEXT,
    H_NMAPS,
    H_NSEATS,
    H_OPTS,
    H_PLACES,
    H_SEATS,
    H_STACK,
    H_TABLE,
    H_THINGS,
    H_WORDS,
    M_GRID,
    M_HEIGHT,
    M_TILES,
    M_TURN,
    M_WIDTH,
    MAP_WORDS,
    OPTION_WORDS,
    R_ASKED,
    R_BREAK,
    R_CP,
    R_FAULT,
    R_FORCED,
    R_FP,
    R_GROUP,
    R_OPTIONS,
    R_OUTCOME,
    R_PC,
    R_PENDING,
    R_PLAYERS,
    R_QUESTION,
    R_SEED_HIGH,
    R_SEED_LOW,
    R_SP,
    R_STALE,
    R_STATUS,
    R_STEP,
    R_WHO,
    R_WINNERS,
    REGISTERS,
    ST_ASK,
    ST_DRAW,
    ST_END,
    ST_ROLL,
)
from ludoloom.runtime.things import put
from ludoloom.runtime.vm import SEED_HALF, run, start

FORMULA_BUDGET = 5_000_000
"""Instructions that one formula may take."""


def begin(program: Program, players: int, seed: int, asked: bool, forced: bool) -> list[int]:
    """The state of a new game before its first instruction: registers set, the first `players` seats at the table."""
    consts = program.consts
    state = list(program.start)
    for k in range(REGISTERS):
        state[k] = 0
    state[R_OUTCOME] = -1
    state[R_STEP] = -1
    state[R_BREAK] = -1
    reseed(state, seed)
    state[R_ASKED] = int(asked)
    state[R_FORCED] = int(forced)
    state[R_PLAYERS] = players
    for k in range(min(players, consts[H_NSEATS])):
        lay_at(consts, state, consts[H_SEATS] + k, consts[H_TABLE], bottom=True)
    start(consts, state, consts[H_MAIN])
    return state


def reseed(state: list[int], seed: int) -> None:
    """Lay a seed (60 bits) into the registers."""
    state[R_SEED_LOW] = seed & SEED_HALF
    state[R_SEED_HIGH] = seed >> 30 & SEED_HALF


def things_at(consts: list[int], state: list[int], place: int) -> list[int]:
    """What lies at a place, top first."""
    found: list[int] = []
    if not consts[H_PLACES] <= place <= consts[H_THINGS]:
        return found
    p = state[consts[H_HEAD] + place - consts[H_PLACES]]
    while p and len(found) <= consts[H_MOVABLE]:
        found.append(p)
        p = state[consts[H_NEXT] + p]
    return found


def place_of(consts: list[int], state: list[int], thing: int) -> int:
    """Where a thing lies, 0 if nowhere."""
    return state[consts[H_LOC] + thing] if 1 <= thing <= consts[H_MOVABLE] else 0


def lay_at(consts: list[int], state: list[int], thing: int, place: int, *, bottom: bool = False) -> None:
    """Put a thing at a place (0: nowhere); its position in the order is known then."""
    fault = put(consts, state, thing, place, int(bottom))
    if fault != FA_NONE:
        raise GameError(FAULT_TEXT[fault])
    state[consts[H_GROUP] + thing] = 0


def empty_place(consts: list[int], state: list[int], place: int) -> None:
    """Take everything away from a place."""
    for thing in things_at(consts, state, place):
        lay_at(consts, state, thing, 0)


def set_order(consts: list[int], state: list[int], place: int, things: list[int]) -> None:
    """Lay things on a place so that they are the top ones there, in this order; all other things there stay beneath."""
    for thing in reversed(things):
        lay_at(consts, state, thing, place)


def fault_text(program: Program, fault: int) -> str:
    """The sentence of a fault number."""
    if fault >= FA_OWN:
        row = fault - FA_OWN
        return program.faults[row] if row < len(program.faults) else f"fault {row}"
    return FAULT_TEXT.get(fault, "no fault")


def evaluate(program: Program, state: list[int], proc: int, arguments: list[int]) -> list[int]:
    """The result words of a procedure that only reads, run in a copy of the state."""
    if not 0 <= proc < len(program.procs):
        raise GameError(f"there is no procedure {proc}")
    row = program.procs[proc]
    if len(arguments) != row.nargs:
        raise GameError(f"'{row.name}' takes {row.nargs} words, not {len(arguments)}")
    scratch = list(state)
    base = program.consts[H_STACK]
    scratch[base : base + len(arguments)] = arguments
    scratch[R_BREAK] = -1
    scratch[R_OUTCOME] = -1
    start(program.consts, scratch, proc)
    status = run(program.code, program.consts, scratch, [0], FORMULA_BUDGET)
    if status != ST_END or scratch[R_OUTCOME] >= 0:
        why = fault_text(program, scratch[R_FAULT]) if scratch[R_FAULT] else "it asks or ends the game"
        raise GameError(f"'{row.name}' has no value here: {why}")
    return scratch[base : base + row.nret]


def position(program: Program, state: list[int], *, machine: bool = False) -> list[int]:
    """The words that make the position, so that two ways to it give the same list.

    Left out are counters, seeds, what was shuffled when, dead words. A pile of unknown order counts as the set of its
    things. With `machine` the place in the program, the frames and the stack are part of it too.
    """
    consts = program.consts
    status = state[R_STATUS]
    found = [status, state[R_OUTCOME], state[R_WINNERS], state[R_FAULT], state[R_PLAYERS]]
    found += state[REGISTERS : consts[H_WORDS]]
    ordered = {row.thing for row in program.zones if row.order != "none"}
    for place in range(consts[H_PLACES], consts[H_THINGS] + 1):
        things = things_at(consts, state, place)
        found.append(-len(things))
        if place not in ordered:
            found += sorted(things)
            continue
        k = 0
        while k < len(things):
            group = state[consts[H_GROUP] + things[k]]
            end = k + 1
            while group and end < len(things) and state[consts[H_GROUP] + things[end]] == group:
                end += 1
            found += sorted(things[k:end])
            # one thing alone is known, whatever was shuffled
            found.append(0 if end - k == 1 else end - k)
            k = end
    for k in range(consts[H_NMAPS]):
        at = consts[H_MAPS] + k * MAP_WORDS
        grid, turns = consts[at + M_GRID], consts[at + M_TURN]
        found += state[grid : grid + consts[at + M_WIDTH] * consts[at + M_HEIGHT]]
        found += state[turns : turns + consts[at + M_TILES]]
    if status in (ST_ASK, ST_ROLL, ST_DRAW) and not state[R_PENDING]:
        at = consts[H_OPTS]
        found += [state[R_QUESTION], state[R_WHO]]
        found += state[at : at + state[R_OPTIONS] * OPTION_WORDS]
    if machine and status != ST_END:
        found += [state[k] for k in (R_PC, R_SP, R_FP, R_CP, R_GROUP, R_STEP, R_PENDING, R_STALE)]
        found += state[consts[H_FRAMES] : consts[H_FRAMES] + state[R_CP] * FRAME_WORDS]
        found += state[consts[H_STACK] : consts[H_STACK] + state[R_SP]]
    return found


def fingerprint(words: list[int]) -> str:
    """A short digest of words, the same on every machine."""
    return hashlib.sha256(",".join(map(str, words)).encode()).hexdigest()


def pack(state: list[int]) -> bytes:
    """A state as bytes of this machine, for keeping many."""
    return array("i", state).tobytes()


def unpack(data: bytes) -> list[int]:
    """The state again."""
    words = array("i")
    words.frombytes(data)
    return words.tolist()
