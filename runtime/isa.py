"""The instruction set: one table that is both declaration and manual.

An instruction is a run of integers in the code vector: the opcode, then its operands. A *word* is a 32-bit integer.
`NIL` stands for "no number"; 0 stands for "no thing". Things (pieces, spaces, zones) are numbered from 1 in one row, so
that a column of a kind is a plain array: the word of thing `p` lies at `offset + p - first`.

Stack pictures read `before -> after`, the top of the stack on the right. `L[i]` is word `i` of the running frame (the
arguments come first), `S[k]` word `k` of the state, `C[k]` word `k` of the constants. A *set* is a run of `w` words in
the frame: bit `b` of word `k` stands for the thing `first + 30*k + b` (30 bits a word keep every word positive). An
operand called `label` is a place in the code; in a listing it is shown as a name.

A row of this table is read by the interpreter's tests, the verifier, the listing, the documentation and the coverage
counters. To add an instruction: a `Final` number, a row, a branch in `vm.py`, a case in `tests/runtime/test_isa.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NIL: Final = -2147483648
"""The number that is missing (a distance that does not exist)."""
SET_BITS: Final = 30
"""Members kept in one word of a set."""
RANGE_BIAS: Final = 16384
"""A range is one word: ``(high + BIAS) << 15 | (low + BIAS)``; an open end is the largest value, 16383."""
RANGE_MAX: Final = 16383
RANGE_OPEN: Final = 2147483647
"""What stands for no upper end where a range is made (MKR)."""

# The numbers are grouped, not ordered by frequency: the order of tests in `vm.py` is what counts for speed.
PUSH: Final = 1
POP: Final = 2
DUP: Final = 3
LDL: Final = 4
STL: Final = 5
LDX: Final = 6
STX: Final = 7
LDF: Final = 8
STF: Final = 9
LDC: Final = 10
LDS: Final = 11
STS: Final = 12
TAB: Final = 13
ADD: Final = 14
SUB: Final = 15
MUL: Final = 16
DIV: Final = 17
MOD: Final = 18
MIN: Final = 19
MAX: Final = 20
EQ: Final = 21
NE: Final = 22
LT: Final = 23
LE: Final = 24
NOT: Final = 25
INR: Final = 26
MKR: Final = 27
BOUND: Final = 28
JMP: Final = 29
JZ: Final = 30
JNZ: Final = 31
SWITCH: Final = 32
CALL: Final = 33
CALLI: Final = 34
RET: Final = 35
UNWIND: Final = 36
SETTLE: Final = 37
GROUP: Final = 38
EVENT: Final = 39
FAULT: Final = 40
END: Final = 41
SNEW: Final = 42
SADD: Final = 43
SDEL: Final = 44
SHAS: Final = 45
SOP: Final = 46
SCNT: Final = 47
SNEXT: Final = 48
SPUSH: Final = 49
SPOP: Final = 50
SALL: Final = 51
SPLAY: Final = 52
SAT: Final = 53
SROW: Final = 54
LOC: Final = 55
MOVE: Final = 56
MOVALL: Final = 57
ZCNT: Final = 58
ZTOP: Final = 59
ZAT: Final = 60
DRAW: Final = 61
SHUF: Final = 62
MLINKS: Final = 63
MNEXT: Final = 64
MGAPS: Final = 65
MDIST: Final = 66
MLINE: Final = 67
MLAY: Final = 68
MLIFT: Final = 69
MENDS: Final = 70
OPT: Final = 71
OPTS: Final = 72
NOPT: Final = 73
ASK: Final = 74
ANS: Final = 75
ROLL: Final = 76
INPLAY: Final = 77
STEP: Final = 78

COMPILED: Final = 1024
"""And beyond: no instruction of any image. Specialised code is laid out with these; see `specialise.py`."""


@dataclass(frozen=True, slots=True)
class Op:
    """One row: the number, the name, the operands in order, the words taken from and left on the stack, the meaning.

    `pops` and `pushes` are numbers, or the name of the operand that says how many (``"w"``), or ``"call"`` where the
    called procedure says it. `may_stop` marks the places where the machine may stop to ask. `ends` marks instructions
    after which control does not go on to the next one.
    """

    code: int
    name: str
    operands: tuple[str, ...]
    pops: int | str
    pushes: int | str
    doc: str
    may_stop: bool = False
    ends: bool = False


TABLE: Final[tuple[Op, ...]] = (
    Op(PUSH, "PUSH", ("n",), 0, 1, "-> n"),
    Op(POP, "POP", (), 1, 0, "a ->"),
    Op(DUP, "DUP", (), 1, 2, "a -> a a"),
    Op(LDL, "LDL", ("i",), 0, 1, "-> L[i]"),
    Op(STL, "STL", ("i",), 1, 0, "a -> ; L[i] := a"),
    Op(LDX, "LDX", ("i", "n"), 1, 1, "k -> L[i+k]; fault unless 0 <= k < n"),
    Op(STX, "STX", ("i", "n"), 2, 0, "a k -> ; L[i+k] := a; fault unless 0 <= k < n"),
    Op(
        LDF,
        "LDF",
        ("off", "first", "n"),
        1,
        1,
        "p -> S[off+p-first]; fault if p is not one of the n things from first (a dead reference)",
    ),
    Op(STF, "STF", ("off", "first", "n"), 2, 0, "a p -> ; S[off+p-first] := a; same fault"),
    Op(LDC, "LDC", ("off", "first", "n"), 1, 1, "p -> C[off+p-first]; same fault"),
    Op(LDS, "LDS", ("k",), 0, 1, "-> S[k]"),
    Op(STS, "STS", ("k",), 1, 0, "a -> ; S[k] := a (k lies in the game's words, never in the machine's)"),
    Op(TAB, "TAB", ("off", "low", "n"), 1, 1, "k -> C[off+k-low], or NIL if k is outside low..low+n-1"),
    Op(ADD, "ADD", (), 2, 1, "a b -> a+b; fault beyond 32 bits; fault if a or b is NIL (so for all arithmetic)"),
    Op(SUB, "SUB", (), 2, 1, "a b -> a-b"),
    Op(MUL, "MUL", (), 2, 1, "a b -> a*b"),
    Op(DIV, "DIV", (), 2, 1, "a b -> floor(a/b); fault if b is 0"),
    Op(MOD, "MOD", (), 2, 1, "a b -> a - b*floor(a/b); fault if b is 0"),
    Op(MIN, "MIN", (), 2, 1, "a b -> the smaller"),
    Op(MAX, "MAX", (), 2, 1, "a b -> the larger"),
    Op(EQ, "EQ", (), 2, 1, "a b -> 1 if equal else 0"),
    Op(NE, "NE", (), 2, 1, "a b -> 0 if equal else 1"),
    Op(LT, "LT", (), 2, 1, "a b -> 1 if a < b else 0"),
    Op(LE, "LE", (), 2, 1, "a b -> 1 if a <= b else 0"),
    Op(NOT, "NOT", (), 1, 1, "a -> 1 if a is 0 else 0"),
    Op(INR, "INR", (), 2, 1, "a r -> 1 if a lies in the range r else 0; NIL lies in none"),
    Op(MKR, "MKR", (), 2, 1, "low high -> the range; RANGE_OPEN: no end; fault if it does not hold an end"),
    Op(BOUND, "BOUND", (), 3, 1, "a low high -> a; fault if a is outside"),
    Op(JMP, "JMP", ("label",), 0, 0, "go to label", ends=True),
    Op(JZ, "JZ", ("label",), 1, 0, "a -> ; go to label if a is 0"),
    Op(JNZ, "JNZ", ("label",), 1, 0, "a -> ; go to label if a is not 0"),
    Op(SWITCH, "SWITCH", ("off", "n"), 1, 0, "a -> ; go to C[off+a] if 0 <= a < n, else on"),
    Op(CALL, "CALL", ("proc",), "call", "call", "arguments -> results of the procedure"),
    Op(
        CALLI,
        "CALLI",
        ("nargs", "nret"),
        "nargs+1",
        "nret",
        "arguments p -> results; fault if p is no procedure with nargs argument words and nret result words",
    ),
    Op(RET, "RET", (), "ret", 0, "results -> to the caller; the group depth is what it was at the call", ends=True),
    Op(
        UNWIND,
        "UNWIND",
        ("proc",),
        0,
        0,
        "leave every frame down to and including the newest one of proc, which returns (proc has no results); "
        "fault if there is none",
        ends=True,
    ),
    Op(SETTLE, "SETTLE", ("proc",), 0, 0, "call proc (no arguments, no results) if the group depth is 0"),
    Op(GROUP, "GROUP", ("d",), 0, 0, "add d (1 or -1) to the group depth"),
    Op(EVENT, "EVENT", ("e", "n"), "n", 0, "n words -> ; report event e"),
    Op(FAULT, "FAULT", ("f",), 0, 0, "stop with the fault f (a row of the image's fault texts)", ends=True),
    Op(
        END,
        "END",
        ("e",),
        1,
        0,
        "winners -> ; the game ends with outcome e; winners is a bit set over the seats, seat 1 in bit 0",
        ends=True,
    ),
    Op(SNEW, "SNEW", ("s", "w"), 0, 0, "the set at s becomes empty"),
    Op(
        SADD,
        "SADD",
        ("s", "first", "n"),
        1,
        0,
        "a -> ; add a to the set at s of n possible members from first; 0 is not added; fault if outside",
    ),
    Op(SDEL, "SDEL", ("s", "first", "n"), 1, 0, "a -> ; take a out (nothing if outside)"),
    Op(SHAS, "SHAS", ("s", "first", "n"), 1, 1, "a -> 1 if a is in the set else 0 (0 if outside)"),
    Op(SOP, "SOP", ("s", "t", "w", "o"), 0, 0, "set s := s o t; o: 0 copy, 1 or, 2 and, 3 minus"),
    Op(SCNT, "SCNT", ("s", "w"), 0, 1, "-> how many"),
    Op(
        SNEXT,
        "SNEXT",
        ("s", "first", "w", "i", "label"),
        0,
        0,
        "L[i] := the smallest member greater than L[i]; none: go to label (L[i] is 0 before the first)",
    ),
    Op(SPUSH, "SPUSH", ("s", "w"), 0, "w", "-> the w words of the set, first word deepest"),
    Op(SPOP, "SPOP", ("s", "w"), "w", 0, "w words -> ; the set at s"),
    Op(SALL, "SALL", ("s", "first", "n"), 0, 0, "the set at s := all n things from first"),
    Op(
        SPLAY,
        "SPLAY",
        ("s", "first", "n"),
        0,
        0,
        "the set at s := those of the n things from first that are in play (INPLAY)",
    ),
    Op(
        SAT,
        "SAT",
        ("s", "first", "n"),
        1,
        0,
        "place -> ; the set at s := those of the n things from first that lie at place (0: none)",
    ),
    Op(
        SROW,
        "SROW",
        ("s", "w", "off", "first", "n"),
        1,
        0,
        "p -> ; the set at s := the w words at C[off+(p-first)*w]; fault if p is outside first..first+n-1",
    ),
    Op(
        LOC,
        "LOC",
        ("first", "n"),
        1,
        1,
        "p -> the place where the thing p lies, if it is one of the n things from first, else 0",
    ),
    Op(
        MOVE,
        "MOVE",
        ("o",),
        2,
        0,
        "p z -> ; put the thing p at the place z; o: 0 on top, 1 at the bottom; z 0: nowhere. Its order becomes "
        "known. Fault if z is full",
    ),
    Op(
        MOVALL,
        "MOVALL",
        ("o",),
        2,
        0,
        "y z -> ; put all that lies at y on top (0) or at the bottom (1) of z, in their order, known or not",
    ),
    Op(ZCNT, "ZCNT", (), 1, 1, "z -> how many things lie at z (z 0: none)"),
    Op(
        ZTOP,
        "ZTOP",
        ("o",),
        1,
        1,
        "z -> the top (o 0) or bottom (o 1) thing, or 0; an order not yet known is drawn by chance first",
        may_stop=True,
    ),
    Op(
        ZAT,
        "ZAT",
        (),
        2,
        1,
        "z k -> the k-th thing from the top, counted from 1, or 0; an order not yet known is drawn by chance first",
        may_stop=True,
    ),
    Op(
        DRAW,
        "DRAW",
        (),
        1,
        1,
        "z -> the top thing, or 0; as ZTOP 0, and the drawn thing is reported to the record",
        may_stop=True,
    ),
    Op(SHUF, "SHUF", (), 1, 0, "z -> ; the order of all things at z becomes unknown"),
    Op(MLINKS, "MLINKS", ("m", "s"), 1, 0, "tile -> ; the set of tiles of growing map m joined to it"),
    Op(MNEXT, "MNEXT", ("m", "s"), 1, 0, "tile -> ; the set of tiles beside it, joined or not"),
    Op(
        MGAPS,
        "MGAPS",
        ("m", "s"),
        1,
        0,
        "tile -> ; the set of empty cells (numbered from 1, row by row) that a path of the tile leads to",
    ),
    Op(MDIST, "MDIST", ("m",), 2, 1, "tile tile -> steps along joined tiles, or NIL; NIL too if one of them is 0"),
    Op(
        MLINE,
        "MLINE",
        ("m",),
        2,
        1,
        "tile tile -> steps along one straight joined row, or NIL; NIL too if one of them is 0",
    ),
    Op(
        MLAY,
        "MLAY",
        ("m",),
        3,
        0,
        "tile cell turn -> ; put the tile on the cell, turned by that many quarters clockwise",
    ),
    Op(MLIFT, "MLIFT", ("m",), 1, 0, "tile -> ; take the tile off the map (it lies nowhere)"),
    Op(MENDS, "MENDS", ("m",), 0, 1, "-> how many path ends of the map meet a side without path"),
    Op(OPT, "OPT", (), 4, 0, "player label a b -> ; add an option"),
    Op(
        OPTS,
        "OPTS",
        ("s", "first", "w", "label"),
        1,
        0,
        "player -> ; an option (player, label, member, 0) for each member of the set, in order",
    ),
    Op(NOPT, "NOPT", (), 0, 1, "-> how many options are gathered"),
    Op(
        ASK,
        "ASK",
        ("q",),
        1,
        0,
        "player -> ; ask question q: one of the gathered options (player 0: each option has its own). One "
        "option only: chosen at once and recorded, a stop only if forced ones are asked too. None: fault",
        may_stop=True,
    ),
    Op(ANS, "ANS", ("k",), 0, 1, "-> word k of the chosen option: 0 player, 1 label, 2 a, 3 b"),
    Op(ROLL, "ROLL", ("d", "n"), 0, 1, "-> a face of die d, 0 to n-1, by chance", may_stop=True),
    Op(INPLAY, "INPLAY", (), 1, 1, "p -> 1 if the thing lies somewhere, and not in a zone marked out of play, else 0"),
    Op(
        STEP,
        "STEP",
        ("k",),
        0,
        0,
        "the game stands at step k (a row of the image's steps) of its phase; a stop if the caller waits for this step",
        may_stop=True,
    ),
)

BY_CODE: Final[dict[int, Op]] = {op.code: op for op in TABLE}
BY_NAME: Final[dict[str, Op]] = {op.name: op for op in TABLE}
