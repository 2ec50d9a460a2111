"""Where the machine's own numbers lie: the registers at the head of a state, the header at the head of the constants.

A state is one vector of 32-bit integers::

    [registers | game words | columns | links of things | places | grids | frames | options | stack]

and the constants are one vector beside the code::

    [header | procedures | places | maps | dice | printed columns, tables, jump tables, set rows]

The header tells the interpreter where each part of the state lies, so that one interpreter serves every game.
"""

from __future__ import annotations

from typing import Final

# --- registers: S[k] ------------------------------------------------------------------------------------------------
R_STATUS: Final = 0  # one of the ST_ numbers below
R_PC: Final = 1
R_SP: Final = 2  # next free word of the stack, counted from the start of the stack part
R_FP: Final = 3  # first word of the running frame, counted likewise
R_CP: Final = 4  # frames in use
R_GROUP: Final = 5  # group depth of the running frame
R_FAULT: Final = 6  # row of the fault texts (a FA_ number below is a built-in one)
R_OUTCOME: Final = 7  # row of the outcomes, -1 while the game runs
R_WINNERS: Final = 8  # bit set over the seats
R_SEED_LOW: Final = 9  # the seed's two halves of 30 bits
R_SEED_HIGH: Final = 10
R_DICE: Final = 11  # how many numbers each random stream has given
R_DECKS: Final = 12
R_BOTS: Final = 13
R_QUESTION: Final = 14  # row of the questions while asking; for chance: die number or pile
R_WHO: Final = 15  # player asked; 0: each option has its own
R_OPTIONS: Final = 16  # options gathered
R_ANS: Final = 17  # four words: player, label, a, b of the chosen option
R_ASKED: Final = 21  # 1: chance is asked from outside
R_FORCED: Final = 22  # 1: questions with one option are asked too
R_SHUFFLES: Final = 23  # how many groups of unknown order have been made
R_STEP: Final = 24  # row of the steps where the game stands, -1 before the first
R_BREAK: Final = 25  # stop when this step begins; -1: nowhere
R_DECISIONS: Final = 26  # decisions made, forced ones counted
R_PLAYERS: Final = 27  # seats in play
R_SPENT: Final = 28  # instructions run since the last decision, against the budget
R_PENDING: Final = 29  # 1: the answer in R_ANS waits for the instruction at R_PC, which runs again to take it
R_CHOSEN: Final = 30  # which option was answered
R_STALE: Final = 31  # 1: the options are those of the last question; the next OPT begins a new list
REGISTERS: Final = 32
"""The game's own words begin here."""

ST_RUNNING: Final = 0
ST_ASK: Final = 1  # a player is asked
ST_ROLL: Final = 2  # chance: a face of die R_QUESTION; the options are (0, 0, face, 0)
ST_DRAW: Final = 3  # chance: a thing of the pile R_QUESTION; the options are (0, 0, thing, 0)
ST_END: Final = 4
ST_FAULT: Final = 5
ST_BREAK: Final = 6  # the step R_BREAK is about to begin
ST_FULL: Final = 7  # the record buffer is full: empty it and go on
ST_COMPILED: Final = 8  # specialised code goes on here (in code that was laid anew for it, nowhere else)

# --- built-in faults (the image's own fault rows follow from FA_OWN) -----------------------------------------------
FA_NONE: Final = 0
FA_DEAD: Final = 1  # a column of a thing that is none or of another kind
FA_OVERFLOW: Final = 2
FA_DIVISION: Final = 3
FA_NIL: Final = 4  # arithmetic on a missing number
FA_BOUND: Final = 5
FA_FULL: Final = 6  # a zone is full
FA_BUDGET: Final = 7
FA_STACK: Final = 8
FA_FRAMES: Final = 9
FA_OPTIONS: Final = 10  # more options than a question can hold
FA_NOBODY: Final = 11  # a question without options
FA_UNWIND: Final = 12
FA_INDEX: Final = 13  # LDX, STX, SADD, ZAT beyond their end
FA_ENTRY: Final = 14  # CALLI to what is no procedure of that shape
FA_CELL: Final = 15  # a tile on an occupied or missing cell
FA_PLACE: Final = 16  # MOVE of what cannot move, or to what is no place
FA_RANGE: Final = 17  # MKR of a number beyond what a range can hold
FA_OWN: Final = 32

FAULT_TEXT: Final[dict[int, str]] = {
    FA_DEAD: "a thing was asked for that is not there",
    FA_OVERFLOW: "a number left the 32-bit range",
    FA_DIVISION: "division by zero",
    FA_NIL: "arithmetic on a missing number",
    FA_BOUND: "a value was set beyond its bounds",
    FA_FULL: "a zone is full",
    FA_BUDGET: "the instruction budget is used up: the rules do not come to an end",
    FA_STACK: "the stack is full: calls are nested too deeply",
    FA_FRAMES: "too many nested calls: a verb keeps calling itself",
    FA_OPTIONS: "a question has more options than the machine holds",
    FA_NOBODY: "a question has no options",
    FA_UNWIND: "nothing to stop: the act or phase is not running",
    FA_INDEX: "an index is out of range",
    FA_ENTRY: "an effect was run that is none",
    FA_CELL: "a tile was laid where none can lie",
    FA_PLACE: "something was moved that cannot move, or to what is no place",
    FA_RANGE: "a range was made with a number beyond -16384 to 16382",
}

# --- header of the constants: C[k] ---------------------------------------------------------------------------------
H_THINGS: Final = 0  # things are 1..H_THINGS
H_MOVABLE: Final = 1  # things 1..H_MOVABLE can lie somewhere
H_PLACES: Final = 2  # the first thing that is a place; places are H_PLACES..H_THINGS
H_LOC: Final = 3  # state: word p of thing p (offset + p) is the place where it lies
H_NEXT: Final = 4  # state: the thing below it there
H_PREV: Final = 5
H_GROUP: Final = 6  # state: 0 known order, else the group of unknown order that it belongs to
H_HEAD: Final = 7  # state: offset + z - H_PLACES: the top thing of place z
H_TAIL: Final = 8
H_COUNT: Final = 9
H_LIMIT: Final = 10  # consts: most things at place z (offset + z - H_PLACES), 0: no limit
H_OUT: Final = 11  # consts: 1 if what lies at place z is out of play
H_FRAMES: Final = 12  # state: frames, FRAME_WORDS each
H_FRAME_MAX: Final = 13
H_OPTS: Final = 14  # state: options, OPTION_WORDS each
H_OPT_MAX: Final = 15
H_STACK: Final = 16  # state: the stack
H_STACK_MAX: Final = 17
H_STATE: Final = 18  # words of a state
H_PROCS: Final = (
    19  # consts: PROC_WORDS a procedure: entry, argument words, frame words (arguments included), result words
)
H_NPROCS: Final = 20
H_MAPS: Final = 21  # consts: MAP_WORDS a growing map
H_NMAPS: Final = 22
H_MAIN: Final = 23  # procedure that plays the game (no arguments, no results)
H_SEATS: Final = 24  # the first seat; seats are a row of H_NSEATS things
H_NSEATS: Final = 25
H_TABLE: Final = 26  # the place where the seats in play lie
H_WORDS: Final = (
    27  # game words and columns are S[REGISTERS .. H_WORDS-1]: the only words that LDS, STS, LDF, STF reach
)
HEADER: Final = 32

STACK_MARGIN: Final = 256
"""Free words that a call finds above the frame of the called procedure: the verifier proves that no procedure stacks
more.
"""
FRAME_WORDS: Final = 4  # return pc, caller's fp, procedure, caller's group depth
OPTION_WORDS: Final = 4
PROC_WORDS: Final = 4
MAP_WORDS: Final = 11
# A growing map: M_PLACE the thing that is the map (placed tiles lie there), M_GRID state offset of width*height cells
# (tile or 0), M_WIDTH, M_HEIGHT, M_FIRST and M_TILES the row of its tiles, M_CELL state offset (cell of tile first+k,
# 0 off the map, cells from 1 row by row), M_TURN state offset (quarter turns clockwise), M_FACE state offset of the
# face up (from 1) or -1, M_JOINS consts offset: paths of tile first+k with face f up at offset + k*M_FACES + f - 1 (bit
# 0 north, 1 east, 2 south, 3 west; unturned)
M_PLACE: Final = 0
M_GRID: Final = 1
M_WIDTH: Final = 2
M_HEIGHT: Final = 3
M_FIRST: Final = 4
M_TILES: Final = 5
M_CELL: Final = 6
M_TURN: Final = 7
M_FACE: Final = 8
M_JOINS: Final = 9
M_FACES: Final = 10

# --- the record: what a run reports, in the record buffer, one after the other -------------------------------------
# [REC_EVENT, e, n, words...]  [REC_CHOICE, question, player, index, 4 option words]  [REC_ROLL, die, face]  [REC_DRAW,
# pile, thing]
REC_EVENT: Final = 1
REC_CHOICE: Final = 2
REC_ROLL: Final = 3
REC_DRAW: Final = 4
