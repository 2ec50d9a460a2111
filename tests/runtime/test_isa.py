"""Every row of the instruction table: a branch of the interpreter, a rule of the verifier, a listing, and a case here.

A case is a program that writes what it finds to the words w0, w1 … of the game, and what they must be. Each runs in
plain Python and compiled, and both give the same state.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from asm import COLUMN, FIRST_TILE, FIRST_ZONE, MAP, PIECES, assemble, image_of
from ways import play

from ludoloom.runtime import jit, vm
from ludoloom.runtime.isa import BY_CODE, BY_NAME, NIL, RANGE_OPEN, TABLE
from ludoloom.runtime.listing import listing
from ludoloom.runtime.machine import (
    FA_BOUND,
    FA_CELL,
    FA_DEAD,
    FA_DIVISION,
    FA_ENTRY,
    FA_FRAMES,
    FA_FULL,
    FA_INDEX,
    FA_NIL,
    FA_NOBODY,
    FA_OPTIONS,
    FA_OVERFLOW,
    FA_OWN,
    FA_PLACE,
    FA_RANGE,
    FA_STACK,
    FA_UNWIND,
    R_FAULT,
    R_OUTCOME,
    R_STEP,
    R_WINNERS,
    REC_CHOICE,
    REC_DRAW,
    REC_EVENT,
    REC_ROLL,
    REGISTERS,
    ST_ASK,
    ST_END,
    ST_FAULT,
)
from ludoloom.runtime.names import range_word
from ludoloom.runtime.verify import RULES, check_program

DECK = FIRST_ZONE
HAND = FIRST_ZONE + 1
PAIR = FIRST_ZONE + 2
BOX = FIRST_ZONE + 3
T1, T2, T3 = FIRST_TILE, FIRST_TILE + 1, FIRST_TILE + 2

FACES = COLUMN + PIECES
"""The words of the faces up of the tiles."""
END = "PUSH 0\nEND 1"
LAID = f"""
PUSH {T1}\nPUSH 6\nPUSH 0\nMLAY 0      # all sides
PUSH {T2}\nPUSH 2\nPUSH 4\nMLAY 0      # above it, north and south
PUSH {T3}\nPUSH 5\nPUSH 0\nMLAY 0      # left of it, east
"""
"""Three tiles on the grid of 4 x 3: T2 on cell 2, T3 on cell 5, T1 on cell 6."""


def w(k: int) -> str:
    """Store the top of the stack in word k of the game."""
    return f"STS {REGISTERS + k}"


CASES: dict[str, tuple[str, list[int]]] = {
    "PUSH": (f"PUSH -5\n{w(0)}", [-5]),
    "POP": (f"PUSH 1\nPUSH 2\nPOP\n{w(0)}", [1]),
    "DUP": (f"PUSH 4\nDUP\n{w(0)}\n{w(1)}", [4, 4]),
    "LDL": (f"LDL 3\n{w(0)}", [0]),
    "STL": (f"PUSH 8\nSTL 2\nLDL 2\n{w(0)}", [8]),
    "LDX": (f"PUSH 8\nSTL 2\nPUSH 1\nLDX 1 3\n{w(0)}", [8]),
    "STX": (f"PUSH 9\nPUSH 2\nSTX 1 3\nLDL 3\n{w(0)}", [9]),
    "LDF": (f"PUSH 7\nPUSH 2\nSTF =column 1 6\nPUSH 2\nLDF =column 1 6\n{w(0)}", [7]),
    "STF": (f"PUSH 7\nPUSH 6\nSTF =column 1 6\nPUSH 6\nLDF =column 1 6\n{w(0)}", [7]),
    "LDC": (f"PUSH 6\nLDC =table 1 6\n{w(0)}", [60]),
    "LDS": (f"PUSH 3\n{w(1)}\nLDS {REGISTERS + 1}\n{w(0)}", [3, 3]),
    "STS": (f"PUSH 3\n{w(7)}", [0, 0, 0, 0, 0, 0, 0, 3]),
    "TAB": (f"PUSH 11\nTAB =table 10 6\n{w(0)}\nPUSH 16\nTAB =table 10 6\n{w(1)}", [20, NIL]),
    "ADD": (f"PUSH 3\nPUSH -5\nADD\n{w(0)}", [-2]),
    "SUB": (f"PUSH 3\nPUSH -5\nSUB\n{w(0)}", [8]),
    "MUL": (f"PUSH 3\nPUSH -5\nMUL\n{w(0)}", [-15]),
    "DIV": (f"PUSH -7\nPUSH 2\nDIV\n{w(0)}\nPUSH 7\nPUSH -2\nDIV\n{w(1)}", [-4, -4]),
    "MOD": (f"PUSH -7\nPUSH 2\nMOD\n{w(0)}\nPUSH 7\nPUSH -2\nMOD\n{w(1)}", [1, -1]),
    "MIN": (f"PUSH 3\nPUSH -5\nMIN\n{w(0)}", [-5]),
    "MAX": (f"PUSH 3\nPUSH -5\nMAX\n{w(0)}", [3]),
    "EQ": (f"PUSH 3\nPUSH 3\nEQ\n{w(0)}\nPUSH 3\nPUSH 4\nEQ\n{w(1)}", [1, 0]),
    "NE": (f"PUSH 3\nPUSH 3\nNE\n{w(0)}\nPUSH 3\nPUSH 4\nNE\n{w(1)}", [0, 1]),
    "LT": (f"PUSH 3\nPUSH 3\nLT\n{w(0)}\nPUSH 3\nPUSH 4\nLT\n{w(1)}", [0, 1]),
    "LE": (f"PUSH 3\nPUSH 3\nLE\n{w(0)}\nPUSH 5\nPUSH 4\nLE\n{w(1)}", [1, 0]),
    "NOT": (f"PUSH 3\nNOT\n{w(0)}\nPUSH 0\nNOT\n{w(1)}", [0, 1]),
    "INR": (
        f"PUSH 2\nPUSH {range_word('0 to 2')}\nINR\n{w(0)}\nPUSH 3\nPUSH {range_word('0 to 2')}\nINR\n{w(1)}\n"
        f"PUSH 99999\nPUSH {range_word('5+')}\nINR\n{w(2)}\nPUSH {NIL}\nPUSH {range_word('5+')}\nINR\n{w(3)}\n"
        f"PUSH -3\nPUSH {range_word('-4 to -3')}\nINR\n{w(4)}",
        [1, 0, 1, 0, 1],
    ),
    "MKR": (
        f"PUSH 1\nPUSH 3\nMKR\n{w(0)}\nPUSH -16384\nPUSH {RANGE_OPEN}\nMKR\n{w(1)}",
        [range_word("1 to 3"), range_word("-16384+")],
    ),
    "BOUND": (f"PUSH 2\nPUSH 0\nPUSH 2\nBOUND\n{w(0)}", [2]),
    "JMP": (f"JMP @on\nPUSH 1\n{w(0)}\non:\nPUSH 2\n{w(1)}", [0, 2]),
    "JZ": (f"PUSH 0\nJZ @on\nPUSH 1\n{w(0)}\non:\nPUSH 5\nJZ @off\nPUSH 2\n{w(1)}\noff:", [0, 2]),
    "JNZ": (f"PUSH 5\nJNZ @on\nPUSH 1\n{w(0)}\non:\nPUSH 0\nJNZ @off\nPUSH 2\n{w(1)}\noff:", [0, 2]),
    "CALL": (f"PUSH 20\nPUSH 3\nCALL &less\n{w(0)}", [17]),
    "CALLI": (f"PUSH 20\nPUSH 3\nPUSH 1\nCALLI 2 1\n{w(0)}", [17]),
    "RET": (f"PUSH 20\nPUSH 3\nCALL &less\nPUSH 1\nCALL &less\n{w(0)}", [16]),
    "UNWIND": (f"PUSH 5\nCALL &outer\n{w(0)}\nLDS {REGISTERS + 3}\n{w(2)}", [5, 0, 1, 1]),
    "SETTLE": ("SETTLE &count\nGROUP 1\nSETTLE &count\nGROUP -1\nSETTLE &count", [0, 2]),
    "GROUP": ("GROUP 1\nGROUP 1\nGROUP -1\nSETTLE &count\nGROUP -1\nSETTLE &count", [0, 1]),
    "SNEW": (f"PUSH 3\nSTL 1\nSNEW 1 1\nLDL 1\n{w(0)}", [0]),
    "SADD": (f"SNEW 1 1\nPUSH 3\nSADD 1 1 6\nPUSH 0\nSADD 1 1 6\nLDL 1\n{w(0)}", [0b100]),
    "SDEL": (f"SALL 1 1 6\nPUSH 3\nSDEL 1 1 6\nPUSH 9\nSDEL 1 1 6\nLDL 1\n{w(0)}", [0b111011]),
    "SHAS": (f"SALL 1 2 3\nPUSH 4\nSHAS 1 2 3\n{w(0)}\nPUSH 5\nSHAS 1 2 3\n{w(1)}\nPUSH 1\nSHAS 1 2 3\n{w(2)}", [1]),
    "SOP": (
        f"PUSH 6\nSTL 1\nPUSH 3\nSTL 2\nSOP 1 2 1 1\nLDL 1\n{w(0)}\nSOP 1 2 1 3\nLDL 1\n{w(1)}\n"
        f"SOP 1 2 1 0\nLDL 1\n{w(2)}\nPUSH 6\nSTL 2\nSOP 1 2 1 2\nLDL 1\n{w(3)}",
        [7, 4, 3, 2],
    ),
    "SCNT": (f"SALL 1 1 40\nSCNT 1 2\n{w(0)}", [40]),
    "SNEXT": (
        f"SNEW 1 2\nPUSH 3\nSADD 1 3 40\nPUSH 31\nSADD 1 3 40\nPUSH 42\nSADD 1 3 40\nPUSH 0\nSTL 0\n"
        f"next:\nSNEXT 1 3 2 0 @out\nLDS {REGISTERS}\nPUSH 100\nMUL\nLDL 0\nADD\n{w(0)}\nJMP @next\nout:",
        [33142],
    ),
    "SPUSH": (f"SALL 1 1 40\nSPUSH 1 2\n{w(0)}\n{w(1)}", [1023, (1 << 30) - 1]),
    "SPOP": (f"PUSH 5\nPUSH 6\nSPOP 1 2\nLDL 1\n{w(0)}\nLDL 2\n{w(1)}", [5, 6]),
    "SALL": (f"PUSH 7\nSTL 2\nSALL 1 1 30\nLDL 1\n{w(0)}\nLDL 2\n{w(1)}", [(1 << 30) - 1, 7]),
    "SPLAY": (
        f"PUSH 2\nPUSH {DECK}\nMOVE 0\nPUSH 3\nPUSH {BOX}\nMOVE 0\nSPLAY 1 1 6\nLDL 1\n{w(0)}\n"
        f"SPLAY 1 7 2\nLDL 1\n{w(1)}",
        [0b10, 0b11],
    ),
    "SAT": (
        f"PUSH 2\nPUSH {DECK}\nMOVE 0\nPUSH 6\nPUSH {DECK}\nMOVE 0\nPUSH 7\nPUSH {DECK}\nMOVE 0\n"
        f"PUSH {DECK}\nSAT 1 1 6\nLDL 1\n{w(0)}\nPUSH 0\nSAT 1 1 6\nLDL 1\n{w(1)}",
        [0b100010, 0],
    ),
    "SROW": (f"PUSH 1\nSROW 1 2 =rows 1 3\nLDL 1\n{w(0)}\nLDL 2\n{w(1)}", [0b11, 0b1010]),
    "LOC": (
        f"PUSH 2\nLOC 1 99\n{w(0)}\nPUSH 2\nPUSH {T1}\nMOVE 0\nPUSH 2\nLOC 1 99\n{w(1)}\nPUSH {DECK}\nLOC 1 99\n{w(2)}",
        [0, T1],
    ),
    "MOVE": (
        f"PUSH 2\nPUSH {DECK}\nMOVE 0\nPUSH 3\nPUSH {DECK}\nMOVE 0\nPUSH 4\nPUSH {DECK}\nMOVE 1\n"
        f"PUSH {DECK}\nZTOP 0\n{w(0)}\nPUSH {DECK}\nZTOP 1\n{w(1)}\nPUSH 3\nPUSH 0\nMOVE 0\nPUSH {DECK}\nZCNT\n{w(2)}",
        [3, 4, 2],
    ),
    "MOVALL": (
        f"PUSH 1\nPUSH {HAND}\nMOVE 1\nPUSH 2\nPUSH {HAND}\nMOVE 1\nPUSH 3\nPUSH {DECK}\nMOVE 1\n"
        f"PUSH {HAND}\nPUSH {DECK}\nMOVALL 0\nPUSH {DECK}\nPUSH 1\nZAT\n{w(0)}\nPUSH {DECK}\nPUSH 2\nZAT\n{w(1)}\n"
        f"PUSH {DECK}\nPUSH 3\nZAT\n{w(2)}\nPUSH {DECK}\nPUSH {HAND}\nMOVALL 1\nPUSH {HAND}\nZTOP 0\n{w(3)}",
        [1, 2, 3, 1],
    ),
    "ZCNT": (
        f"PUSH {DECK}\nZCNT\n{w(0)}\nPUSH 2\nPUSH {DECK}\nMOVE 0\nPUSH {DECK}\nZCNT\n{w(1)}\nPUSH 0\nZCNT\n{w(2)}",
        [0, 1],
    ),
    "ZTOP": (f"PUSH {DECK}\nZTOP 0\n{w(0)}\nPUSH 2\nPUSH {DECK}\nMOVE 0\nPUSH {DECK}\nZTOP 1\n{w(1)}", [0, 2]),
    "ZAT": (f"PUSH 2\nPUSH {DECK}\nMOVE 0\nPUSH {DECK}\nPUSH 1\nZAT\n{w(0)}\nPUSH {DECK}\nPUSH 2\nZAT\n{w(1)}", [2, 0]),
    "DRAW": (f"PUSH 2\nPUSH {DECK}\nMOVE 0\nPUSH {DECK}\nDRAW\n{w(0)}\nPUSH {HAND}\nDRAW\n{w(1)}", [2, 0]),
    "SHUF": (f"PUSH 2\nPUSH {DECK}\nMOVE 0\nPUSH {DECK}\nSHUF\nPUSH {DECK}\nDRAW\n{w(0)}\nPUSH {DECK}\nSHUF", [2]),
    "MLINKS": (f"{LAID}PUSH {T1}\nMLINKS 0 1\nLDL 1\n{w(0)}\nPUSH {T3}\nMLINKS 0 1\nLDL 1\n{w(1)}", [0b110, 1]),
    "MNEXT": (f"{LAID}PUSH {T2}\nMNEXT 0 1\nLDL 1\n{w(0)}", [1]),
    "MGAPS": (f"{LAID}PUSH {T1}\nMGAPS 0 1\nLDL 1\n{w(0)}\nPUSH {T2}\nMGAPS 0 1\nLDL 1\n{w(1)}", [1 << 6 | 1 << 9, 0]),
    "MDIST": (f"{LAID}PUSH {T2}\nPUSH {T3}\nMDIST 0\n{w(0)}\nPUSH {T2}\nDUP\nMDIST 0\n{w(1)}", [2, 0]),
    "MLINE": (f"{LAID}PUSH {T2}\nPUSH {T3}\nMLINE 0\n{w(0)}\nPUSH {T1}\nPUSH {T2}\nMLINE 0\n{w(1)}", [NIL, 1]),
    "MLAY": (
        f"PUSH {T3}\nPUSH 6\nPUSH 5\nMLAY 0\nPUSH {T1}\nPUSH 7\nPUSH 0\nMLAY 0\n"
        f"PUSH {T1}\nPUSH {T3}\nMDIST 0\n{w(0)}\nPUSH {T3}\nLOC 1 99\n{w(1)}\nPUSH {T3}\nPUSH 6\nPUSH 0\nMLAY 0\n"
        f"PUSH {T1}\nPUSH {T3}\nMDIST 0\n{w(2)}",
        [NIL, MAP, 1],
    ),
    "MLIFT": (
        f"{LAID}PUSH {T1}\nMLIFT 0\nPUSH {T1}\nLOC 1 99\n{w(0)}\nPUSH {T2}\nPUSH {T3}\nMDIST 0\n{w(1)}",
        [0, NIL],
    ),
    "MENDS": (f"{LAID}MENDS 0\n{w(0)}\nPUSH {T2}\nPUSH 2\nPUSH 1\nMLAY 0\nMENDS 0\n{w(1)}", [0, 1]),
    "OPT": (f"PUSH 7\nPUSH 0\nPUSH 3\nPUSH 4\nOPT\nPUSH 7\nASK 0\nANS 0\n{w(0)}\nANS 3\n{w(1)}", [7, 4]),
    "OPTS": (
        f"SNEW 1 1\nPUSH 5\nSADD 1 1 6\nPUSH 8\nOPTS 1 1 1 1\nPUSH 8\nASK 0\nANS 2\n{w(0)}\nANS 1\n{w(1)}",
        [5, 1],
    ),
    "NOPT": (
        f"NOPT\n{w(0)}\nSALL 1 1 6\nPUSH 7\nOPTS 1 1 1 0\nNOPT\n{w(1)}\nSNEW 1 1\nPUSH 7\nOPTS 1 1 1 0\nNOPT\n{w(2)}",
        [0, 6, 6],
    ),
    "ASK": (f"PUSH 7\nPUSH 0\nPUSH 3\nPUSH 4\nOPT\nPUSH 7\nASK 0\nNOPT\n{w(0)}\nANS 2\n{w(1)}", [0, 3]),
    "ANS": (f"PUSH 7\nPUSH 1\nPUSH 3\nPUSH 4\nOPT\nPUSH 7\nASK 0\nANS 1\n{w(0)}", [1]),
    "ROLL": (f"ROLL 1 1\n{w(0)}\nROLL 0 6\nPUSH {range_word('0 to 5')}\nINR\n{w(1)}", [0, 1]),
    "INPLAY": (
        f"PUSH 7\nINPLAY\n{w(0)}\nPUSH 0\nINPLAY\n{w(1)}\nPUSH 1\nPUSH {BOX}\nMOVE 0\nPUSH 1\nINPLAY\n{w(2)}",
        [1],
    ),
    "STEP": (f"STEP 1\nLDS {R_STEP}\n{w(0)}", [1]),
    "EVENT": ("PUSH 3\nEVENT 0 1\nEVENT 1 0", []),
    "END": ("PUSH 3\nEND 0", []),
    "FAULT": ("FAULT 0", []),
    "SWITCH": (
        f"PUSH 1\nSWITCH =jumps 2\nJMP @over\na:\nPUSH 1\n{w(0)}\nJMP @over\nb:\nPUSH 2\n{w(0)}\n"
        f"over:\nPUSH 2\nSWITCH =jumps 2\nPUSH 9\n{w(1)}",
        [2, 9],
    ),
}

PROCEDURES = f"""
proc less 2 2 1
    LDL 0\nLDL 1\nSUB\nRET
proc count 0 0 0
    LDS {REGISTERS + 1}\nPUSH 1\nADD\n{w(1)}\nRET
proc outer 1 1 1
    CALL &stopped
    LDL 0\nRET
proc stopped 0 2 0
    GROUP 1\nPUSH 4\nCALL &inner\nPUSH 8\n{w(3)}\nRET
proc inner 1 3 0
    PUSH 1\n{w(3)}\nUNWIND &stopped
"""

FAULTS: dict[str, tuple[str, int]] = {
    "column of nothing": ("PUSH 0\nLDF =column 1 6\nPOP", FA_DEAD),
    "column of another kind": ("PUSH 1\nPUSH 7\nSTF =column 1 6", FA_DEAD),
    "printed column of nothing": ("PUSH 0\nLDC =table 1 6\nPOP", FA_DEAD),
    "row of sets of nothing": ("PUSH 4\nSROW 1 2 =rows 1 3", FA_DEAD),
    "sum too large": ("PUSH 2147483647\nPUSH 1\nADD\nPOP", FA_OVERFLOW),
    "sum too small": ("PUSH -2147483647\nPUSH 1\nSUB\nPOP", FA_OVERFLOW),
    "product too large": ("PUSH 65536\nPUSH 65536\nMUL\nPOP", FA_OVERFLOW),
    "division": ("PUSH 1\nPUSH 0\nDIV\nPOP", FA_DIVISION),
    "remainder": ("PUSH 1\nPUSH 0\nMOD\nPOP", FA_DIVISION),
    "missing number": (f"PUSH {NIL}\nPUSH 0\nADD\nPOP", FA_NIL),
    "range of a missing number": (f"PUSH {NIL}\nPUSH 0\nMKR\nPOP", FA_NIL),
    "range of a number too large": ("PUSH 0\nPUSH 16383\nMKR\nPOP", FA_RANGE),
    "range above a number too large": (f"PUSH 16383\nPUSH {RANGE_OPEN}\nMKR\nPOP", FA_RANGE),
    "range of a number too small": ("PUSH -16385\nPUSH 0\nMKR\nPOP", FA_RANGE),
    "below a bound": ("PUSH -1\nPUSH 0\nPUSH 5\nBOUND\nPOP", FA_BOUND),
    "above a bound": ("PUSH 6\nPUSH 0\nPUSH 5\nBOUND\nPOP", FA_BOUND),
    "local array read": ("PUSH 3\nLDX 1 3\nPOP", FA_INDEX),
    "local array written": ("PUSH 3\nPUSH -1\nSTX 1 3", FA_INDEX),
    "stranger in a set": ("SNEW 1 1\nPUSH 7\nSADD 1 1 6", FA_INDEX),
    "full zone": (f"PUSH 1\nPUSH {PAIR}\nMOVE 0\nPUSH 2\nPUSH {PAIR}\nMOVE 0\nPUSH 3\nPUSH {PAIR}\nMOVE 0", FA_FULL),
    "all into a full zone": (
        f"PUSH 1\nPUSH {PAIR}\nMOVE 0\nPUSH 2\nPUSH {DECK}\nMOVE 0\nPUSH 3\nPUSH {DECK}\nMOVE 0\n"
        f"PUSH {DECK}\nPUSH {PAIR}\nMOVALL 0",
        FA_FULL,
    ),
    "move a place": (f"PUSH {DECK}\nPUSH {HAND}\nMOVE 0", FA_PLACE),
    "move nothing": (f"PUSH 0\nPUSH {HAND}\nMOVE 0", FA_PLACE),
    "move to a piece": ("PUSH 1\nPUSH 2\nMOVE 0", FA_PLACE),
    "move into itself": (f"PUSH {T1}\nPUSH {T1}\nMOVE 0", FA_PLACE),
    "shuffle a piece": ("PUSH 1\nSHUF", FA_PLACE),
    "draw from a piece": ("PUSH 1\nDRAW\nPOP", FA_PLACE),
    "count at a piece": ("PUSH 1\nZCNT\nPOP", FA_PLACE),
    "set at a piece": ("PUSH 1\nSAT 1 1 6", FA_PLACE),
    "occupied cell": (f"{LAID}PUSH {T1}\nPUSH 2\nPUSH 0\nMLAY 0", FA_CELL),
    "missing cell": (f"PUSH {T1}\nPUSH 13\nPUSH 0\nMLAY 0", FA_CELL),
    "not a tile": ("PUSH 1\nPUSH 1\nPUSH 0\nMLAY 0", FA_DEAD),
    "no options": ("PUSH 7\nASK 0", FA_NOBODY),
    "options used up": ("PUSH 7\nPUSH 0\nPUSH 0\nPUSH 0\nOPT\nPUSH 7\nASK 0\nPUSH 7\nASK 0", FA_NOBODY),
    "too many options": ("again:\nPUSH 7\nPUSH 0\nPUSH 0\nPUSH 0\nOPT\nJMP @again", FA_OPTIONS),
    "no entry": ("PUSH 99\nCALLI 0 0", FA_ENTRY),
    "entry of another shape": ("PUSH 1\nCALLI 0 0", FA_ENTRY),
    "nothing to stop": ("UNWIND &stopped", FA_UNWIND),
    "endless calls": ("CALL &count\nPUSH 1\nCALL &outer\nPOP\nCALL &deep", FA_FRAMES),
    "large frames": ("CALL &wide", FA_STACK),
    "own fault": ("FAULT 0", FA_OWN),
}


def program(body: str, extra: str = ""):
    """The program of a body with the procedures that the cases call."""
    jumps = "a b" if "=jumps" in body else ""
    return assemble(f"proc main 0 6 0\n{body}\n{END}\n{PROCEDURES}\n{extra}", jumps=jumps)


@pytest.mark.parametrize("name", sorted(CASES))
def test_what_an_instruction_does(name: str, checked: jit.Machine) -> None:
    body, expected = CASES[name]
    prog = program(body)
    assert re.search(rf"\b{name}\b", body + PROCEDURES)
    assert check_program(prog) == []
    status, state, told = play(prog)
    assert play(prog, machine=checked) == (status, state, told)
    if name == "FAULT":
        assert (status, state[R_FAULT]) == (ST_FAULT, FA_OWN)
        return
    assert status == ST_END, state[R_FAULT]
    assert state[REGISTERS : REGISTERS + len(expected)] == expected
    assert (state[R_OUTCOME], state[R_WINNERS]) == ((0, 3) if name == "END" else (1, 0))
    if name == "EVENT":
        assert told == [REC_EVENT, 0, 1, 3, REC_EVENT, 1, 0]


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_what_stops_the_game(name: str, checked: jit.Machine) -> None:
    body, fault = FAULTS[name]
    extra = "proc deep 0 0 0\n    CALL &deep\n    RET\nproc wide 0 500 0\n    CALL &wide\n    RET"
    prog = program(body, extra)
    assert check_program(prog) == []
    status, state, told = play(prog)
    assert (status, state[R_FAULT]) == (ST_FAULT, fault)
    assert play(prog, machine=checked) == (status, state, told)


def test_every_row_has_a_branch_a_rule_a_listing_and_a_case() -> None:
    source = Path(vm.__file__).read_text(encoding="utf-8")
    prog = program("\n".join(body for body, _ in CASES.values() if "@" not in body and "=jumps" not in body))
    listed = listing(image_of(prog), prog)
    for op in TABLE:
        # DIV and MOD, MIN and MAX … share their operands' test; each has its own comparison all the same.
        assert re.search(rf"\bop == {op.name}\b", source), f"{op.name} has no branch"
        assert op.code in RULES, f"{op.name} has no rule"
        assert op.name in CASES, f"{op.name} has no case"
        body, _ = CASES[op.name]
        if "@" in body or "=jumps" in body:
            own = program(body)
            assert re.search(rf"^ +\d+  {op.name}\b", listing(image_of(own), own), re.M)
        else:
            assert re.search(rf"^ +\d+  {op.name}\b", listed, re.M), f"{op.name} is not listed"


def test_table_is_whole() -> None:
    assert len(BY_CODE) == len(BY_NAME) == len(TABLE)
    assert all(op.doc for op in TABLE)
    assert sorted(RULES) == sorted(BY_CODE)


def test_the_face_up_has_its_own_paths(checked: jit.Machine) -> None:
    turned = f"PUSH 2\nSTS {FACES + 1}\n"
    body = f"{LAID}PUSH {T1}\nMLINKS 0 1\nLDL 1\n{w(0)}\n{turned}PUSH {T1}\nMLINKS 0 1\nLDL 1\n{w(1)}\nMENDS 0\n{w(2)}"
    prog = program(body)
    # The back of the second tile has no paths: one of the first tile's ends is closed then.
    assert play(prog)[1][REGISTERS : REGISTERS + 3] == [0b110, 0b100, 1]
    assert play(prog) == play(prog, machine=checked)


def test_reports() -> None:
    body = f"PUSH 2\nPUSH {DECK}\nMOVE 0\nPUSH {DECK}\nSHUF\nPUSH {DECK}\nDRAW\nPOP\nROLL 1 1\nPOP\n" + CASES["ASK"][0]
    _, _, told = play(program(body))
    assert told == [REC_DRAW, DECK, 2, REC_ROLL, 1, 0, REC_CHOICE, 0, 7, 0, 7, 0, 3, 4]


def test_forced_questions_stop_when_wanted() -> None:
    status, _, told = play(program(CASES["ASK"][0]), forced=True)
    assert status == ST_ASK
    assert told == []
    status, _, told = play(program(CASES["ASK"][0]), answers=[0], forced=True)
    assert status == ST_END
    assert told == [REC_CHOICE, 0, 7, 0, 7, 0, 3, 4]
