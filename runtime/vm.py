"""The interpreter: one loop that runs every game.

`run` takes code, constants and a state, and goes on until a player or chance is asked, the game ends, a fault stops
it, or the record is full. It works on integers in flat vectors only, so the same source runs as plain Python over
lists and, compiled by numba (see `jit.py`), over int32 arrays; both give the same states and records, word for word.

    status = run(code, consts, state, record, budget)
    if status == ST_ASK: answer(consts, state, 0); status = run(…)

What stops keeps its place: an instruction that asks leaves everything as it was and runs again when the answer is
there (R_PENDING), and one whose report does not fit into the record runs again when the caller has emptied it. So a
state can be copied, saved or forked at every stop.

The loop trusts what `verify.py` has proved of a program: operands, jump targets, stack depths, frames. It checks what
depends on the values of a running game: references, indices, bounds, overflow, depth of calls, the budget.

The record is a buffer of words: ``record[0]`` says how many of the following words are in use. A buffer of length 1
records nothing. An entry too long for an empty buffer is left out.

The tests of the opcode are a split by number first, then by how often real games use the instruction: plain Python
walks them one by one (numba makes a jump table of them). Comparisons are spelt out (``a == 1 or a == 2``) where a
tuple would be shorter, because numba would build the tuple.
"""

# ruff: noqa: SIM109
# The loop is too long for pyright to follow each word round it; all names are declared int.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from ludoloom.runtime.chance import chance
from ludoloom.runtime.grid import NO_ROOM, closed_ends, distance, gaps, is_tile, lay, lift, line, links, next_to
from ludoloom.runtime.isa import (
    ADD,
    ANS,
    ASK,
    BOUND,
    CALL,
    CALLI,
    COMPILED,
    DIV,
    DRAW,
    DUP,
    END,
    EQ,
    EVENT,
    FAULT,
    GROUP,
    INPLAY,
    INR,
    JMP,
    JNZ,
    JZ,
    LDC,
    LDF,
    LDL,
    LDS,
    LDX,
    LE,
    LOC,
    LT,
    MAX,
    MDIST,
    MENDS,
    MGAPS,
    MIN,
    MKR,
    MLAY,
    MLIFT,
    MLINE,
    MLINKS,
    MNEXT,
    MOD,
    MOVALL,
    MOVE,
    MUL,
    NE,
    NIL,
    NOPT,
    NOT,
    OPT,
    OPTS,
    POP,
    PUSH,
    RANGE_BIAS,
    RANGE_MAX,
    RANGE_OPEN,
    RET,
    ROLL,
    SADD,
    SALL,
    SAT,
    SCNT,
    SDEL,
    SET_BITS,
    SETTLE,
    SHAS,
    SHUF,
    SNEW,
    SNEXT,
    SOP,
    SPLAY,
    SPOP,
    SPUSH,
    SROW,
    STEP,
    STF,
    STL,
    STS,
    STX,
    SUB,
    SWITCH,
    TAB,
    UNWIND,
    ZAT,
    ZCNT,
    ZTOP,
)
from ludoloom.runtime.machine import (
    FA_BOUND,
    FA_BUDGET,
    FA_DEAD,
    FA_DIVISION,
    FA_ENTRY,
    FA_FRAMES,
    FA_INDEX,
    FA_NIL,
    FA_NOBODY,
    FA_NONE,
    FA_OPTIONS,
    FA_OVERFLOW,
    FA_OWN,
    FA_PLACE,
    FA_RANGE,
    FA_STACK,
    FA_UNWIND,
    FRAME_WORDS,
    H_COUNT,
    H_FRAME_MAX,
    H_FRAMES,
    H_GROUP,
    H_LOC,
    H_MAPS,
    H_MOVABLE,
    H_NEXT,
    H_NPROCS,
    H_OPT_MAX,
    H_OPTS,
    H_PLACES,
    H_PROCS,
    H_STACK,
    H_STACK_MAX,
    H_THINGS,
    MAP_WORDS,
    OPTION_WORDS,
    PROC_WORDS,
    R_ANS,
    R_ASKED,
    R_BOTS,
    R_BREAK,
    R_CHOSEN,
    R_CP,
    R_DECISIONS,
    R_DECKS,
    R_DICE,
    R_FAULT,
    R_FORCED,
    R_FP,
    R_GROUP,
    R_OPTIONS,
    R_OUTCOME,
    R_PC,
    R_PENDING,
    R_QUESTION,
    R_SEED_HIGH,
    R_SEED_LOW,
    R_SP,
    R_SPENT,
    R_STALE,
    R_STATUS,
    R_STEP,
    R_WHO,
    R_WINNERS,
    REC_CHOICE,
    REC_DRAW,
    REC_EVENT,
    REC_ROLL,
    ST_ASK,
    ST_BREAK,
    ST_COMPILED,
    ST_DRAW,
    ST_END,
    ST_FAULT,
    ST_FULL,
    ST_ROLL,
    ST_RUNNING,
    STACK_MARGIN,
)
from ludoloom.runtime.sets import SET_MASK, set_at_place, set_in_play
from ludoloom.runtime.things import (
    end_of,
    in_play,
    is_place,
    put,
    put_all,
    settle_order,
    shuffle,
    step_along,
    unknown_run,
)

RESULT_WORDS = 4
"""Words that `playouts` writes for each game."""
SEED_HALF = (1 << 30) - 1
WORD_MAX = 2147483647
"""The largest number; the smallest is its negative, because the word below that is NIL."""


def fits(record: list[int], words: int) -> bool:
    """Whether an entry can be written now (or need not be: nothing is recorded, or it is too long for any buffer)."""
    size = len(record)
    return size == 1 or record[0] + words < size or record[0] == 0


def note(record: list[int], kind: int, a: int, b: int) -> None:
    """Write an entry of three words."""
    used = record[0]
    if used + 3 < len(record):
        record[used + 1] = kind
        record[used + 2] = a
        record[used + 3] = b
        record[0] = used + 3


def note_event(record: list[int], state: list[int], event: int, words: int, n: int) -> None:
    """Write an event with `n` words that begin at `words` in the state."""
    used = record[0]
    if used + 3 + n < len(record):
        record[used + 1] = REC_EVENT
        record[used + 2] = event
        record[used + 3] = n
        for k in range(n):
            record[used + 4 + k] = state[words + k]
        record[0] = used + 3 + n


def note_choice(record: list[int], state: list[int], question: int, player: int) -> None:
    """Write the choice that lies in the answer registers."""
    used = record[0]
    if used + 8 < len(record):
        record[used + 1] = REC_CHOICE
        record[used + 2] = question
        record[used + 3] = player
        record[used + 4] = state[R_CHOSEN]
        for k in range(OPTION_WORDS):
            record[used + 5 + k] = state[R_ANS + k]
        record[0] = used + 8


def add_option(consts: list[int], state: list[int], player: int, label: int, a: int, b: int) -> bool:
    """Add an option to those gathered since the last question; False if there is no room."""
    if state[R_STALE] != 0:
        state[R_STALE] = 0
        state[R_OPTIONS] = 0
    n = state[R_OPTIONS]
    if n >= consts[H_OPT_MAX]:
        return False
    at = consts[H_OPTS] + n * OPTION_WORDS
    state[at] = player
    state[at + 1] = label
    state[at + 2] = a
    state[at + 3] = b
    state[R_OPTIONS] = n + 1
    return True


def choose(consts: list[int], state: list[int], index: int) -> None:
    """Copy option `index` into the answer registers."""
    at = consts[H_OPTS] + index * OPTION_WORDS
    for k in range(OPTION_WORDS):
        state[R_ANS + k] = state[at + k]
    state[R_CHOSEN] = index


def offer_faces(consts: list[int], state: list[int], die: int, n: int) -> bool:
    """The options of chance for a die: its faces; False if there is no room."""
    state[R_QUESTION] = die
    state[R_WHO] = 0
    state[R_STALE] = 1
    fits_in = n <= consts[H_OPT_MAX]
    if fits_in:
        for face in range(n):
            add_option(consts, state, 0, 0, face, 0)
    return fits_in


def offer_things(consts: list[int], state: list[int], z: int, group: int) -> bool:
    """The options of chance for a pile: its things of one group, in the order of their numbers; False if there is no
    room.
    """
    state[R_QUESTION] = z
    state[R_WHO] = 0
    state[R_STALE] = 1
    for p in range(1, consts[H_MOVABLE] + 1):
        here = state[consts[H_LOC] + p] == z and state[consts[H_GROUP] + p] == group
        if here and not add_option(consts, state, 0, 0, p, 0):
            return False
    return True


def know(consts: list[int], state: list[int], record: list[int], z: int, t: int, bottom: int) -> int:
    """Make known what lies where `t` lies, the topmost (or lowest) thing of unknown order at `z`.

    Returns ST_RUNNING when it is known, ST_DRAW when chance is asked from outside first, ST_FAULT if it has too many
    options.
    """
    run_length = unknown_run(consts, state, t, bottom)
    p = t
    if state[R_PENDING] != 0:
        p = state[R_ANS + 2]
        state[R_PENDING] = 0
    elif run_length > 1:
        if state[R_ASKED] != 0:
            if offer_things(consts, state, z, state[consts[H_GROUP] + t]):
                return ST_DRAW
            return ST_FAULT
        p = step_along(consts, state, t, bottom, chance(state, R_DECKS, run_length))
    settle_order(consts, state, t, p, bottom)
    if run_length > 1:
        note(record, REC_DRAW, z, p)
    return ST_RUNNING


def run(code: list[int], consts: list[int], state: list[int], record: list[int], budget: int) -> int:
    """Go on until something stops the game; the status, which also lies in the state.

    `budget` bounds the instructions between two decisions that a player really has (a forced one renews nothing, so
    that rules without end come to an end).
    """
    status = state[R_STATUS]
    if status == ST_END or status == ST_FAULT:
        return status
    if state[R_PENDING] == 0 and (status == ST_ASK or status == ST_ROLL or status == ST_DRAW):
        return status
    passing = status == ST_BREAK
    fault = FA_NONE
    left = budget - state[R_SPENT]
    if status != ST_RUNNING:
        # The instruction that stopped runs again; it was counted already.
        left += 1
    status = ST_RUNNING
    stack = consts[H_STACK]
    limit = stack + consts[H_STACK_MAX]
    frames = consts[H_FRAMES]
    procs = consts[H_PROCS]
    things = consts[H_THINGS]
    first_place = consts[H_PLACES]
    pc: int = state[R_PC]
    sp: int = stack + state[R_SP]
    fp: int = stack + state[R_FP]
    cp: int = state[R_CP]
    callee: int = 0
    back: int = 0
    op: int = 0
    a: int = 0
    b: int = 0
    k: int = 0
    n: int = 0
    p: int = 0
    t: int = 0
    z: int = 0
    at: int = 0
    row: int = 0
    frame: int = 0
    first: int = 0
    here: int = 0
    low: int = 0
    high: int = 0
    word: int = 0
    bottom: int = 0
    member: int = 0
    noted: bool = False

    while left > 0:
        left -= 1
        op = code[pc]
        # Each branch goes on with `continue`, stops with `break`, or sets `callee` and `back` and falls out of the
        # tests to the call at the end of the loop.
        if op < ADD:
            if op < LDX:
                if op == LDL:
                    state[sp] = state[fp + code[pc + 1]]
                    sp += 1
                    pc += 2
                    continue
                if op == PUSH:
                    state[sp] = code[pc + 1]
                    sp += 1
                    pc += 2
                    continue
                if op == STL:
                    sp -= 1
                    state[fp + code[pc + 1]] = state[sp]
                    pc += 2
                    continue
                if op == DUP:
                    state[sp] = state[sp - 1]
                    sp += 1
                    pc += 1
                    continue
                if op == POP:
                    sp -= 1
                    pc += 1
                    continue
            if op == LDX:
                k = state[sp - 1]
                if k < 0 or k >= code[pc + 2]:
                    fault = FA_INDEX
                    break
                state[sp - 1] = state[fp + code[pc + 1] + k]
                pc += 3
                continue
            if op == LDF:
                k = state[sp - 1] - code[pc + 2]
                if k < 0 or k >= code[pc + 3]:
                    fault = FA_DEAD
                    break
                state[sp - 1] = state[code[pc + 1] + k]
                pc += 4
                continue
            if op == LDC:
                k = state[sp - 1] - code[pc + 2]
                if k < 0 or k >= code[pc + 3]:
                    fault = FA_DEAD
                    break
                state[sp - 1] = consts[code[pc + 1] + k]
                pc += 4
                continue
            if op == STF:
                k = state[sp - 1] - code[pc + 2]
                if k < 0 or k >= code[pc + 3]:
                    fault = FA_DEAD
                    break
                sp -= 2
                state[code[pc + 1] + k] = state[sp]
                pc += 4
                continue
            if op == STX:
                k = state[sp - 1]
                if k < 0 or k >= code[pc + 2]:
                    fault = FA_INDEX
                    break
                sp -= 2
                state[fp + code[pc + 1] + k] = state[sp]
                pc += 3
                continue
            if op == LDS:
                state[sp] = state[code[pc + 1]]
                sp += 1
                pc += 2
                continue
            if op == STS:
                sp -= 1
                state[code[pc + 1]] = state[sp]
                pc += 2
                continue
            if op == TAB:
                k = state[sp - 1] - code[pc + 2]
                if k < 0 or k >= code[pc + 3]:
                    state[sp - 1] = NIL
                else:
                    state[sp - 1] = consts[code[pc + 1] + k]
                pc += 4
                continue
        elif op < JMP:
            if op >= EQ:
                if op == LT:
                    sp -= 1
                    state[sp - 1] = 1 if state[sp - 1] < state[sp] else 0
                    pc += 1
                    continue
                if op == EQ:
                    sp -= 1
                    state[sp - 1] = 1 if state[sp - 1] == state[sp] else 0
                    pc += 1
                    continue
                if op == NE:
                    sp -= 1
                    state[sp - 1] = 1 if state[sp - 1] != state[sp] else 0
                    pc += 1
                    continue
                if op == NOT:
                    state[sp - 1] = 1 if state[sp - 1] == 0 else 0
                    pc += 1
                    continue
                if op == LE:
                    sp -= 1
                    state[sp - 1] = 1 if state[sp - 1] <= state[sp] else 0
                    pc += 1
                    continue
                if op == INR:
                    sp -= 1
                    a = state[sp - 1]
                    low = (state[sp] & 32767) - RANGE_BIAS
                    high = ((state[sp] >> 15) & 32767) - RANGE_BIAS
                    if a != NIL and low <= a and (a <= high or high == RANGE_MAX):
                        state[sp - 1] = 1
                    else:
                        state[sp - 1] = 0
                    pc += 1
                    continue
                if op == BOUND:
                    a = state[sp - 3]
                    if a < state[sp - 2] or a > state[sp - 1]:
                        fault = FA_BOUND
                        break
                    sp -= 2
                    pc += 1
                    continue
                if op == MKR:
                    low = state[sp - 2]
                    high = state[sp - 1]
                    if low == NIL or high == NIL:
                        fault = FA_NIL
                        break
                    if high == RANGE_OPEN:
                        high = RANGE_MAX
                    elif high >= RANGE_MAX:
                        fault = FA_RANGE
                        break
                    if min(low, high) < -RANGE_BIAS or low >= RANGE_MAX:
                        fault = FA_RANGE
                        break
                    sp -= 1
                    state[sp - 1] = ((high + RANGE_BIAS) << 15) | (low + RANGE_BIAS)
                    pc += 1
                    continue
            else:
                a = state[sp - 2]
                b = state[sp - 1]
                if a == NIL or b == NIL:
                    fault = FA_NIL
                    break
                if op == ADD:
                    a = a + b
                elif op == SUB:
                    a = a - b
                elif op == MUL:
                    a = a * b
                elif op == MIN:
                    a = min(a, b)
                elif op == MAX:
                    a = max(a, b)
                elif b == 0:
                    fault = FA_DIVISION
                    break
                elif op == DIV:
                    a = a // b
                elif op == MOD:
                    a = a % b
                if a > WORD_MAX or a < -WORD_MAX:
                    fault = FA_OVERFLOW
                    break
                sp -= 1
                state[sp - 1] = a
                pc += 1
                continue
        elif op < SNEW:
            if op == JZ:
                sp -= 1
                if state[sp] == 0:
                    pc = code[pc + 1]
                else:
                    pc += 2
                continue
            if op == JMP:
                pc = code[pc + 1]
                continue
            if op == JNZ:
                sp -= 1
                if state[sp] != 0:
                    pc = code[pc + 1]
                else:
                    pc += 2
                continue
            if op == RET:
                frame = frames + (cp - 1) * FRAME_WORDS
                n = consts[procs + state[frame + 2] * PROC_WORDS + 3]
                for k in range(n):
                    state[fp + k] = state[sp - n + k]
                sp = fp + n
                fp = stack + state[frame + 1]
                state[R_GROUP] = state[frame + 3]
                cp -= 1
                if cp == 0:
                    status = ST_END
                    break
                pc = state[frame]
                continue
            if op == SETTLE:
                back = pc + 2
                if state[R_GROUP] != 0:
                    pc = back
                    continue
                callee = code[pc + 1]
            elif op == CALL:
                callee = code[pc + 1]
                back = pc + 2
            elif op == SWITCH:
                sp -= 1
                k = state[sp]
                if k >= 0 and k < code[pc + 2]:
                    pc = consts[code[pc + 1] + k]
                else:
                    pc += 3
                continue
            elif op == EVENT:
                n = code[pc + 2]
                if not fits(record, n + 3):
                    status = ST_FULL
                    break
                sp -= n
                note_event(record, state, code[pc + 1], sp, n)
                pc += 3
                continue
            elif op == GROUP:
                state[R_GROUP] += code[pc + 1]
                pc += 2
                continue
            elif op == CALLI:
                callee = state[sp - 1]
                if callee < 0 or callee >= consts[H_NPROCS]:
                    fault = FA_ENTRY
                    break
                row = procs + callee * PROC_WORDS
                if consts[row + 1] != code[pc + 1] or consts[row + 3] != code[pc + 2]:
                    fault = FA_ENTRY
                    break
                # No room is lost by dropping the number already: a call that faults is not resumed.
                sp -= 1
                back = pc + 3
            elif op == UNWIND:
                k = cp - 1
                while k >= 0 and state[frames + k * FRAME_WORDS + 2] != code[pc + 1]:
                    k -= 1
                if k < 0:
                    fault = FA_UNWIND
                    break
                # The frame that is left last begins where the next newer one says that its caller's does.
                while cp - 1 > k:
                    cp -= 1
                    fp = stack + state[frames + cp * FRAME_WORDS + 1]
                frame = frames + k * FRAME_WORDS
                sp = fp
                fp = stack + state[frame + 1]
                state[R_GROUP] = state[frame + 3]
                cp = k
                if cp == 0:
                    status = ST_END
                    break
                pc = state[frame]
                continue
            elif op == FAULT:
                fault = FA_OWN + code[pc + 1]
                break
            elif op == END:
                sp -= 1
                state[R_OUTCOME] = code[pc + 1]
                state[R_WINNERS] = state[sp]
                status = ST_END
                break
        elif op < LOC:
            at = fp + code[pc + 1]
            if op == SNEXT:
                first = code[pc + 2]
                n = code[pc + 3] * SET_BITS
                here = fp + code[pc + 4]
                k = state[here] + 1 - first
                if k < 0:
                    k = 0
                while k < n:
                    word = (state[at + k // SET_BITS] & SET_MASK) >> (k % SET_BITS)
                    if word == 0:
                        k += SET_BITS - k % SET_BITS
                        continue
                    k += (word & -word).bit_length() - 1
                    break
                if k < n:
                    state[here] = first + k
                    pc += 6
                else:
                    pc = code[pc + 5]
                continue
            if op == SADD:
                a = state[sp - 1]
                if a != 0:
                    k = a - code[pc + 2]
                    if k < 0 or k >= code[pc + 3]:
                        fault = FA_INDEX
                        break
                    state[at + k // SET_BITS] |= 1 << (k % SET_BITS)
                sp -= 1
                pc += 4
                continue
            if op == SNEW:
                for k in range(code[pc + 2]):
                    state[at + k] = 0
                pc += 3
                continue
            if op == SHAS:
                k = state[sp - 1] - code[pc + 2]
                if k < 0 or k >= code[pc + 3]:
                    state[sp - 1] = 0
                else:
                    state[sp - 1] = (state[at + k // SET_BITS] >> (k % SET_BITS)) & 1
                pc += 4
                continue
            if op == SAT:
                z = state[sp - 1]
                if z != 0 and (z < first_place or z > things):
                    fault = FA_PLACE
                    break
                set_at_place(consts, state, at, code[pc + 2], code[pc + 3], z)
                sp -= 1
                pc += 4
                continue
            if op == SCNT:
                n = 0
                for k in range(code[pc + 2]):
                    n += (state[at + k] & SET_MASK).bit_count()
                state[sp] = n
                sp += 1
                pc += 3
                continue
            if op == SOP:
                t = fp + code[pc + 2]
                for k in range(code[pc + 3]):
                    if code[pc + 4] == 0:
                        state[at + k] = state[t + k]
                    elif code[pc + 4] == 1:
                        state[at + k] |= state[t + k]
                    elif code[pc + 4] == 2:
                        state[at + k] &= state[t + k]
                    else:
                        state[at + k] &= ~state[t + k]
                pc += 5
                continue
            if op == SPLAY:
                set_in_play(consts, state, at, code[pc + 2], code[pc + 3])
                pc += 4
                continue
            if op == SPUSH:
                for k in range(code[pc + 2]):
                    state[sp] = state[at + k]
                    sp += 1
                pc += 3
                continue
            if op == SPOP:
                n = code[pc + 2]
                sp -= n
                for k in range(n):
                    state[at + k] = state[sp + k]
                pc += 3
                continue
            if op == SALL:
                n = code[pc + 3]
                k = 0
                while n >= SET_BITS:
                    state[at + k] = SET_MASK
                    k += 1
                    n -= SET_BITS
                if n > 0:
                    state[at + k] = (1 << n) - 1
                pc += 4
                continue
            if op == SDEL:
                k = state[sp - 1] - code[pc + 2]
                if k >= 0 and k < code[pc + 3]:
                    state[at + k // SET_BITS] &= ~(1 << (k % SET_BITS))
                sp -= 1
                pc += 4
                continue
            if op == SROW:
                k = state[sp - 1] - code[pc + 4]
                n = code[pc + 2]
                if k < 0 or k >= code[pc + 5]:
                    fault = FA_DEAD
                    break
                row = code[pc + 3] + k * n
                for j in range(n):
                    state[at + j] = consts[row + j]
                sp -= 1
                pc += 6
                continue
        elif op < MLINKS:
            if op == LOC:
                p = state[sp - 1]
                if p < 0 or p > things:
                    fault = FA_DEAD
                    break
                z = state[consts[H_LOC] + p] if p > 0 and p <= consts[H_MOVABLE] else 0
                k = z - code[pc + 1]
                state[sp - 1] = z if k >= 0 and k < code[pc + 2] else 0
                pc += 3
                continue
            if op == ZCNT:
                z = state[sp - 1]
                if z != 0:
                    if not is_place(consts, z):
                        fault = FA_PLACE
                        break
                    state[sp - 1] = state[consts[H_COUNT] + z - first_place]
                pc += 1
                continue
            if op == MOVE:
                p = state[sp - 2]
                fault = put(consts, state, p, state[sp - 1], code[pc + 1])
                if fault != FA_NONE:
                    break
                state[consts[H_GROUP] + p] = 0
                sp -= 2
                pc += 2
                continue
            if op == MOVALL:
                fault = put_all(consts, state, state[sp - 2], state[sp - 1], code[pc + 1])
                if fault != FA_NONE:
                    break
                sp -= 2
                pc += 2
                continue
            if op == SHUF:
                fault = shuffle(consts, state, state[sp - 1])
                if fault != FA_NONE:
                    break
                sp -= 1
                pc += 1
                continue
            if op == ZAT:
                z = state[sp - 2]
                k = state[sp - 1]
                t = 0
                if z != 0:
                    if not is_place(consts, z):
                        fault = FA_PLACE
                        break
                    if k >= 1 and k <= state[consts[H_COUNT] + z - first_place]:
                        t = end_of(consts, state, z, 0)
                while t != 0:
                    if state[consts[H_GROUP] + t] != 0:
                        if not fits(record, 3):
                            status = ST_FULL
                            break
                        status = know(consts, state, record, z, t, 0)
                        if status != ST_RUNNING:
                            break
                        # What lies here now has the neighbours that `t` had: begin again, this far all is known.
                        t = end_of(consts, state, z, 0)
                        k = state[sp - 1]
                        continue
                    k -= 1
                    if k == 0:
                        break
                    t = state[consts[H_NEXT] + t]
                if status != ST_RUNNING:
                    if status == ST_FAULT:
                        fault = FA_OPTIONS
                    break
                sp -= 1
                state[sp - 1] = t
                pc += 1
                continue
            if op == DRAW or op == ZTOP:
                z = state[sp - 1]
                bottom = 0
                back = pc + 1
                if op == ZTOP:
                    bottom = code[pc + 1]
                    back = pc + 2
                if z == 0:
                    pc = back
                    continue
                if not is_place(consts, z):
                    fault = FA_PLACE
                    break
                if not fits(record, 3):
                    status = ST_FULL
                    break
                t = end_of(consts, state, z, bottom)
                noted = op == ZTOP or t == 0
                if t != 0 and state[consts[H_GROUP] + t] != 0:
                    noted = noted or unknown_run(consts, state, t, bottom) > 1
                    status = know(consts, state, record, z, t, bottom)
                    if status != ST_RUNNING:
                        if status == ST_FAULT:
                            fault = FA_OPTIONS
                        break
                    t = end_of(consts, state, z, bottom)
                if not noted:
                    note(record, REC_DRAW, z, t)
                state[sp - 1] = t
                pc = back
                continue
        elif op < OPT:
            at = consts[H_MAPS] + code[pc + 1] * MAP_WORDS
            if op <= MGAPS:
                t = state[sp - 1]
                if not is_tile(consts, at, t):
                    fault = FA_DEAD
                    break
                if op == MLINKS:
                    links(consts, state, at, t, fp + code[pc + 2])
                elif op == MNEXT:
                    next_to(consts, state, at, t, fp + code[pc + 2])
                elif op == MGAPS:
                    gaps(consts, state, at, t, fp + code[pc + 2])
                sp -= 1
                pc += 3
                continue
            if op == MENDS:
                state[sp] = closed_ends(consts, state, at)
                sp += 1
                pc += 2
                continue
            if op == MLAY:
                t = state[sp - 3]
                if not is_tile(consts, at, t):
                    fault = FA_DEAD
                    break
                fault = lay(consts, state, at, t, state[sp - 2], state[sp - 1])
                if fault != FA_NONE:
                    break
                state[consts[H_GROUP] + t] = 0
                sp -= 3
                pc += 2
                continue
            if op == MLIFT:
                t = state[sp - 1]
                if not is_tile(consts, at, t):
                    fault = FA_DEAD
                    break
                fault = lift(consts, state, at, t)
                if fault != FA_NONE:
                    break
                sp -= 1
                pc += 2
                continue
            a = state[sp - 2]
            b = state[sp - 1]
            if a == 0 or b == 0:
                state[sp - 2] = NIL
                sp -= 1
                pc += 2
                continue
            if not is_tile(consts, at, a) or not is_tile(consts, at, b):
                fault = FA_DEAD
                break
            if op == MDIST:
                k = distance(consts, state, at, a, b, sp, limit)
                if k == NO_ROOM:
                    fault = FA_STACK
                    break
                state[sp - 2] = k
            elif op == MLINE:
                state[sp - 2] = line(consts, state, at, a, b)
            sp -= 1
            pc += 2
            continue
        else:
            if op == OPT:
                if not add_option(consts, state, state[sp - 4], state[sp - 3], state[sp - 2], state[sp - 1]):
                    fault = FA_OPTIONS
                    break
                sp -= 4
                pc += 1
                continue
            if op == OPTS:
                at = fp + code[pc + 1]
                first = code[pc + 2]
                for k in range(code[pc + 3] * SET_BITS):
                    member = (state[at + k // SET_BITS] >> (k % SET_BITS)) & 1
                    if member != 0 and not add_option(consts, state, state[sp - 1], code[pc + 4], first + k, 0):
                        fault = FA_OPTIONS
                        break
                if fault != FA_NONE:
                    break
                sp -= 1
                pc += 5
                continue
            if op == NOPT:
                state[sp] = state[R_OPTIONS] if state[R_STALE] == 0 else 0
                sp += 1
                pc += 1
                continue
            if op == ASK:
                n = state[R_OPTIONS]
                if state[R_PENDING] == 0:
                    if n == 0 or state[R_STALE] != 0:
                        fault = FA_NOBODY
                        break
                    state[R_QUESTION] = code[pc + 1]
                    state[R_WHO] = state[sp - 1]
                    if n > 1 or state[R_FORCED] != 0:
                        status = ST_ASK
                        break
                    choose(consts, state, 0)
                if not fits(record, 8):
                    status = ST_FULL
                    break
                note_choice(record, state, code[pc + 1], state[R_ANS] if state[sp - 1] == 0 else state[sp - 1])
                state[R_PENDING] = 0
                state[R_STALE] = 1
                state[R_DECISIONS] += 1
                if n > 1:
                    left = budget
                sp -= 1
                pc += 2
                continue
            if op == ANS:
                state[sp] = state[R_ANS + code[pc + 1]]
                sp += 1
                pc += 2
                continue
            if op == ROLL:
                n = code[pc + 2]
                if not fits(record, 3):
                    status = ST_FULL
                    break
                if state[R_PENDING] != 0:
                    k = state[R_ANS + 2]
                    state[R_PENDING] = 0
                elif n == 1:
                    k = 0
                elif state[R_ASKED] != 0:
                    if offer_faces(consts, state, code[pc + 1], n):
                        status = ST_ROLL
                    else:
                        fault = FA_OPTIONS
                    break
                else:
                    k = chance(state, R_DICE, n)
                note(record, REC_ROLL, code[pc + 1], k)
                state[sp] = k
                sp += 1
                pc += 3
                continue
            if op == INPLAY:
                state[sp - 1] = in_play(consts, state, state[sp - 1])
                pc += 1
                continue
            if op == STEP:
                state[R_STEP] = code[pc + 1]
                if state[R_BREAK] == code[pc + 1] and not passing:
                    status = ST_BREAK
                    break
                passing = False
                pc += 2
                continue
            if op >= COMPILED:
                # Nothing has run here yet.
                left += 1
                status = ST_COMPILED
                break

        # A call: the arguments lie on the stack and become the first words of the new frame.
        if cp >= consts[H_FRAME_MAX]:
            fault = FA_FRAMES
            break
        row = procs + callee * PROC_WORDS
        n = consts[row + 1]
        a = sp - n
        b = a + consts[row + 2]
        if b + STACK_MARGIN > limit:
            fault = FA_STACK
            break
        frame = frames + cp * FRAME_WORDS
        state[frame] = back
        state[frame + 1] = fp - stack
        state[frame + 2] = callee
        state[frame + 3] = state[R_GROUP]
        cp += 1
        fp = a
        while sp < b:
            state[sp] = 0
            sp += 1
        pc = consts[row]

    if fault != FA_NONE:
        status = ST_FAULT
    elif status == ST_RUNNING:
        fault = FA_BUDGET
        status = ST_FAULT
    state[R_STATUS] = status
    state[R_FAULT] = fault
    state[R_PC] = pc
    state[R_SP] = sp - stack
    state[R_FP] = fp - stack
    state[R_CP] = cp
    state[R_SPENT] = budget - left
    return status


def answer(consts: list[int], state: list[int], index: int) -> int:
    """Choose option `index` where the machine has stopped to ask a player or chance; the next `run` takes it.

    Returns 0, or 1 if nothing is asked or there is no such option (nothing changes then).
    """
    status = state[R_STATUS]
    if state[R_PENDING] != 0 or (status != ST_ASK and status != ST_ROLL and status != ST_DRAW):
        return 1
    if index < 0 or index >= state[R_OPTIONS]:
        return 1
    choose(consts, state, index)
    state[R_PENDING] = 1
    state[R_STALE] = 1
    return 0


def start(consts: list[int], state: list[int], proc: int) -> None:
    """Make the machine ready to run a procedure without a caller; its arguments lie at the bottom of the stack
    already.
    """
    row = consts[H_PROCS] + proc * PROC_WORDS
    frame = consts[H_FRAMES]
    state[frame] = 0
    state[frame + 1] = 0
    state[frame + 2] = proc
    state[frame + 3] = 0
    for k in range(consts[row + 1], consts[row + 2]):
        state[consts[H_STACK] + k] = 0
    state[R_STATUS] = ST_RUNNING
    state[R_PC] = consts[row]
    state[R_FP] = 0
    state[R_SP] = consts[row + 2]
    state[R_CP] = 1
    state[R_GROUP] = 0
    state[R_FAULT] = FA_NONE
    state[R_PENDING] = 0
    state[R_STALE] = 1
    state[R_SPENT] = 0


def playout(
    code: list[int], consts: list[int], state: list[int], record: list[int], budget: int, decisions: int
) -> int:
    """Play on at random (stream R_BOTS) until the game stops for good or so many questions have been answered.

    What is recorded is thrown away. Returns the status of the last run: ST_ASK means that the bound was reached.
    """
    asked = 0
    while True:
        status = run(code, consts, state, record, budget)
        if status == ST_FULL:
            record[0] = 0
        elif status == ST_ASK or status == ST_ROLL or status == ST_DRAW:
            if asked >= decisions:
                return status
            asked += 1
            answer(consts, state, chance(state, R_BOTS, state[R_OPTIONS]))
        elif status != ST_BREAK:
            return status


def playouts(
    code: list[int],
    consts: list[int],
    first: list[int],
    state: list[int],
    record: list[int],
    budget: int,
    decisions: int,
    seed: int,
    results: list[int],
) -> None:
    """Play games at random, each from the state `first`, of the seeds from `seed` on; as many as `results` has rows.

    `state` is a vector of the same length to play in; it holds the last game afterwards. A row of results is the
    status, the outcome, the winners and the number of decisions.
    """
    for game in range(len(results) // RESULT_WORDS):
        for k in range(len(first)):
            state[k] = first[k]
        state[R_SEED_LOW] = (seed + game) & SEED_HALF
        state[R_SEED_HIGH] = (seed + game) >> 30 & SEED_HALF
        row = game * RESULT_WORDS
        results[row] = playout(code, consts, state, record, budget, decisions)
        results[row + 1] = state[R_OUTCOME]
        results[row + 2] = state[R_WINNERS]
        results[row + 3] = state[R_DECISIONS]
