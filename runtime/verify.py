"""Proof that a program is safe to run: no verified program can read or write outside its words, whatever happens in
the game.

    problems = check_program(program)      sentences; none means proved
    check_image(image)                     raises ImageError with the first ones
    check_state(program, state)            the same for a state that comes from a file

What is proved: opcodes are known and their operands in range; jumps go to instructions of the same procedure; at each
instruction the stack has one depth, however it was reached, and never runs below the frame; locals and sets lie inside
the frame, columns inside the game's words, constants inside the constants; calls fit the procedures; the parts of the
state do not overlap; lists of things at the start are proper lists; every number that stands for a name has its row.
What depends on values is left to the interpreter, which checks it as it runs.

`RULES` says what the operands of each instruction must be; `Op.pops` and `Op.pushes` of the instruction table give the
depths.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from ludoloom.runtime import isa
from ludoloom.runtime.errors import ImageError
from ludoloom.runtime.image import Image, ProcRow, Program
from ludoloom.runtime.isa import BY_CODE, SET_BITS, Op
from ludoloom.runtime.machine import (
    FRAME_WORDS,
    H_COUNT,
    H_FRAME_MAX,
    H_FRAMES,
    H_GROUP,
    H_HEAD,
    H_LIMIT,
    H_LOC,
    H_MAIN,
    H_MAPS,
    H_MOVABLE,
    H_NEXT,
    H_NMAPS,
    H_NPROCS,
    H_NSEATS,
    H_OPT_MAX,
    H_OPTS,
    H_OUT,
    H_PLACES,
    H_PREV,
    H_PROCS,
    H_SEATS,
    H_STACK,
    H_STACK_MAX,
    H_STATE,
    H_TABLE,
    H_TAIL,
    H_THINGS,
    H_WORDS,
    HEADER,
    M_CELL,
    M_FACE,
    M_FACES,
    M_FIRST,
    M_GRID,
    M_HEIGHT,
    M_JOINS,
    M_PLACE,
    M_TILES,
    M_TURN,
    M_WIDTH,
    MAP_WORDS,
    OPTION_WORDS,
    PROC_WORDS,
    R_CP,
    R_FP,
    R_OPTIONS,
    R_OUTCOME,
    R_PC,
    R_PENDING,
    R_PLAYERS,
    R_QUESTION,
    R_SHUFFLES,
    R_SP,
    R_STATUS,
    R_STEP,
    R_WHO,
    REGISTERS,
    ST_ASK,
    ST_BREAK,
    ST_DRAW,
    ST_END,
    ST_FAULT,
    ST_ROLL,
    STACK_MARGIN,
)
from ludoloom.runtime.names import names_of
from ludoloom.runtime.state import things_at

WORD_LOW, WORD_HIGH = -(1 << 31), (1 << 31) - 1
MOST_WORDS = 1 << 26
"""Words that code, constants and a state may have; far beyond any game, small enough for any machine."""
MOST_EVENT_WORDS = 1024
"""Words of one event, so that it fits into the caller's record."""
MOST_PROBLEMS = 20


@dataclass(slots=True)
class Proof:
    """What is known of a program that was checked: for each reachable instruction the depth of the stack above the
    frame and the procedure, for each place to which a call returns the instruction that calls."""

    problems: list[str] = field(default_factory=list[str])
    starts: set[int] = field(default_factory=set[int])
    depth: dict[int, int] = field(default_factory=dict[int, int])
    proc: dict[int, int] = field(default_factory=dict[int, int])
    returns: dict[int, int] = field(default_factory=dict[int, int])

    def add(self, text: str) -> None:
        """Report a problem; a hopeless file gives only the first ones."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(text)


@dataclass(frozen=True, slots=True)
class Site:
    """Where an operand is checked: the program, the procedure, the instructions of the procedure."""

    program: Program
    proc: ProcRow
    starts: frozenset[int]


Rule = Callable[[Site, tuple[int, ...]], str]
"""Takes the place and the operands, gives what is wrong, or nothing."""


# --- rules for operands --------------------------------------------------------------------------------------------
def words_of(members: int) -> int:
    """Words of a set of so many possible members."""
    return (members + SET_BITS - 1) // SET_BITS


def nothing(_site: Site, _operands: tuple[int, ...]) -> str:
    return ""


def in_frame(site: Site, first: int, words: int) -> str:
    if words < 0 or first < 0 or first + words > site.proc.nlocals:
        return f"words {first} to {first + words - 1} lie outside the frame of {site.proc.nlocals}"
    return ""


def in_words(site: Site, first: int, words: int) -> str:
    if words < 1 or first < REGISTERS or first + words > site.program.consts[H_WORDS]:
        return f"state words {first} to {first + words - 1} are not the game's"
    return ""


def in_consts(site: Site, first: int, words: int) -> str:
    if words < 0 or first < 0 or first + words > len(site.program.consts):
        return f"constants {first} to {first + words - 1} do not exist"
    return ""


def is_label(site: Site, pc: int) -> str:
    return "" if pc in site.starts else f"{pc} is no instruction of the procedure"


def below(what: str, number: int, count: int) -> str:
    return "" if 0 <= number < count else f"there is no {what} {number}"


def local(site: Site, o: tuple[int, ...]) -> str:
    return in_frame(site, o[0], 1)


def local_run(site: Site, o: tuple[int, ...]) -> str:
    return in_frame(site, o[0], o[1])


def thing_row(_site: Site, o: tuple[int, ...]) -> str:
    return "" if o[0] >= 1 and o[1] >= 1 else "a row of things begins with thing 1 at the least and has at least one"


def state_column(site: Site, o: tuple[int, ...]) -> str:
    return in_words(site, o[0], o[2])


def const_column(site: Site, o: tuple[int, ...]) -> str:
    return in_consts(site, o[0], o[2])


def read_word(site: Site, o: tuple[int, ...]) -> str:
    # Reading a register harms nothing (how many play, which step).
    return "" if 0 <= o[0] < REGISTERS else in_words(site, o[0], 1)


def write_word(site: Site, o: tuple[int, ...]) -> str:
    return in_words(site, o[0], 1)


def label(site: Site, o: tuple[int, ...]) -> str:
    return is_label(site, o[0])


def switch(site: Site, o: tuple[int, ...]) -> str:
    wrong = in_consts(site, o[0], o[1])
    for k in range(0 if wrong else o[1]):
        wrong = wrong or is_label(site, site.program.consts[o[0] + k])
    return wrong


def called(site: Site, o: tuple[int, ...]) -> str:
    return below("procedure", o[0], len(site.program.procs))


def unwound(site: Site, o: tuple[int, ...]) -> str:
    wrong = called(site, o)
    return wrong or ("an unwound procedure gives results" if site.program.procs[o[0]].nret else "")


def settled(site: Site, o: tuple[int, ...]) -> str:
    wrong = unwound(site, o)
    return wrong or ("a settling procedure takes arguments" if site.program.procs[o[0]].nargs else "")


def shape(_site: Site, o: tuple[int, ...]) -> str:
    return "" if all(0 <= n <= STACK_MARGIN for n in o) else "no procedure has so many words"


def one_up_or_down(_site: Site, o: tuple[int, ...]) -> str:
    return "" if o[0] in (1, -1) else "a group depth changes by 1"


def event(site: Site, o: tuple[int, ...]) -> str:
    wrong = below("event", o[0], len(site.program.events))
    if wrong:
        return wrong
    names = names_of(site.program)
    words = sum(names.size(kind) for kind in site.program.events[o[0]].types)
    if o[1] != words or words > MOST_EVENT_WORDS:
        return f"the event has {words} words, not {o[1]}"
    return ""


def fault(site: Site, o: tuple[int, ...]) -> str:
    return below("fault", o[0], len(site.program.faults))


def outcome(site: Site, o: tuple[int, ...]) -> str:
    return below("outcome", o[0], len(site.program.outcomes))


def set_members(site: Site, o: tuple[int, ...]) -> str:
    if o[1] < 0 or o[2] < 0 or o[1] + o[2] > WORD_HIGH:
        return "the members of the set do not exist"
    return in_frame(site, o[0], words_of(o[2]))


def set_pair(site: Site, o: tuple[int, ...]) -> str:
    return in_frame(site, o[0], o[2]) or in_frame(site, o[1], o[2]) or below("operation on sets", o[3], 4)


def set_first(first: int, words: int) -> str:
    return "" if first >= 0 and first + words * SET_BITS <= WORD_HIGH else "the members of the set do not exist"


def set_next(site: Site, o: tuple[int, ...]) -> str:
    return in_frame(site, o[0], o[2]) or set_first(o[1], o[2]) or in_frame(site, o[3], 1) or is_label(site, o[4])


def set_row(site: Site, o: tuple[int, ...]) -> str:
    if o[1] < 0 or o[4] < 0 or o[1] * o[4] > MOST_WORDS:
        return "the rows of sets do not exist"
    return in_frame(site, o[0], o[1]) or in_consts(site, o[2], o[1] * o[4])


def top_or_bottom(_site: Site, o: tuple[int, ...]) -> str:
    return below("end of a pile", o[0], 2)


def growing(site: Site, o: tuple[int, ...]) -> str:
    return below("growing map", o[0], site.program.consts[H_NMAPS])


def tiles_of(site: Site, o: tuple[int, ...]) -> str:
    wrong = growing(site, o)
    return wrong or in_frame(site, o[1], words_of(map_word(site.program, o[0], M_TILES)))


def cells_of(site: Site, o: tuple[int, ...]) -> str:
    wrong = growing(site, o)
    if wrong:
        return wrong
    cells = map_word(site.program, o[0], M_WIDTH) * map_word(site.program, o[0], M_HEIGHT)
    return in_frame(site, o[1], words_of(cells))


def options(site: Site, o: tuple[int, ...]) -> str:
    return in_frame(site, o[0], o[2]) or set_first(o[1], o[2]) or below("label", o[3], len(site.program.labels))


def question(site: Site, o: tuple[int, ...]) -> str:
    return below("question", o[0], len(site.program.questions))


def answer_word(_site: Site, o: tuple[int, ...]) -> str:
    return below("word of an option", o[0], OPTION_WORDS)


def die(site: Site, o: tuple[int, ...]) -> str:
    wrong = below("die", o[0], len(site.program.dice))
    if wrong:
        return wrong
    faces = len(site.program.dice[o[0]].faces)
    if o[1] != faces or faces < 1:
        return f"the die has {faces} faces, not {o[1]}"
    if faces > site.program.consts[H_OPT_MAX]:
        return f"the die has {faces} faces, more than a question can hold"
    return ""


def step(site: Site, o: tuple[int, ...]) -> str:
    return below("step", o[0], len(site.program.steps))


RULES: dict[int, Rule] = {
    isa.PUSH: nothing,
    isa.POP: nothing,
    isa.DUP: nothing,
    isa.LDL: local,
    isa.STL: local,
    isa.LDX: local_run,
    isa.STX: local_run,
    isa.LDF: state_column,
    isa.STF: state_column,
    isa.LDC: const_column,
    isa.LDS: read_word,
    isa.STS: write_word,
    isa.TAB: const_column,
    isa.ADD: nothing,
    isa.SUB: nothing,
    isa.MUL: nothing,
    isa.DIV: nothing,
    isa.MOD: nothing,
    isa.MIN: nothing,
    isa.MAX: nothing,
    isa.EQ: nothing,
    isa.NE: nothing,
    isa.LT: nothing,
    isa.LE: nothing,
    isa.NOT: nothing,
    isa.INR: nothing,
    isa.MKR: nothing,
    isa.BOUND: nothing,
    isa.JMP: label,
    isa.JZ: label,
    isa.JNZ: label,
    isa.SWITCH: switch,
    isa.CALL: called,
    isa.CALLI: shape,
    isa.RET: nothing,
    isa.UNWIND: unwound,
    isa.SETTLE: settled,
    isa.GROUP: one_up_or_down,
    isa.EVENT: event,
    isa.FAULT: fault,
    isa.END: outcome,
    isa.SNEW: local_run,
    isa.SADD: set_members,
    isa.SDEL: set_members,
    isa.SHAS: set_members,
    isa.SOP: set_pair,
    isa.SCNT: local_run,
    isa.SNEXT: set_next,
    isa.SPUSH: local_run,
    isa.SPOP: local_run,
    isa.SALL: set_members,
    isa.SPLAY: set_members,
    isa.SAT: set_members,
    isa.SROW: set_row,
    isa.LOC: thing_row,
    isa.MOVE: top_or_bottom,
    isa.MOVALL: top_or_bottom,
    isa.ZCNT: nothing,
    isa.ZTOP: top_or_bottom,
    isa.ZAT: nothing,
    isa.DRAW: nothing,
    isa.SHUF: nothing,
    isa.MLINKS: tiles_of,
    isa.MNEXT: tiles_of,
    isa.MGAPS: cells_of,
    isa.MDIST: growing,
    isa.MLINE: growing,
    isa.MLAY: growing,
    isa.MLIFT: growing,
    isa.MENDS: growing,
    isa.OPT: nothing,
    isa.OPTS: options,
    isa.NOPT: nothing,
    isa.ASK: question,
    isa.ANS: answer_word,
    isa.ROLL: die,
    isa.INPLAY: nothing,
    isa.STEP: step,
}


# --- the whole -----------------------------------------------------------------------------------------------------
def check_image(image: Image) -> None:
    """Refuse an image of which not every program is proved safe."""
    if not image.programs:
        raise ImageError("the image holds no program")
    fewest, most = image.players
    if not 1 <= fewest <= most:
        raise ImageError("the image is for no number of players")
    for program in image.programs:
        name = " + ".join(program.modes) or "base"
        problems = check_program(program)
        if not problems and program.consts[H_NSEATS] < most:
            problems = [f"there are {program.consts[H_NSEATS]} seats for {most} players"]
        if not problems:
            problems = check_options(image, program)
        if problems:
            raise ImageError(f"the program '{name}' is not safe to run: " + "; ".join(problems[:3]))


def check_options(image: Image, program: Program) -> list[str]:
    """What is wrong with the image's tables that speak of this program."""
    problems: list[str] = []
    for row in image.options:
        if not REGISTERS <= row.word < program.consts[H_WORDS]:
            problems.append(f"the option '{row.name}' has no word in the state")
        if not row.values or not 0 <= row.start < len(row.values):
            problems.append(f"the option '{row.name}' does not start with one of its values")
    last = -1
    for place in program.places:
        if place.pc < last or not 0 <= place.file < len(image.files):
            problems.append("the places of the instructions are out of order")
            break
        last = place.pc
    return problems


def check_program(program: Program) -> list[str]:
    """What is wrong with a program; nothing if it is proved safe."""
    return prove(program).problems


def prove(program: Program) -> Proof:
    """Check a program and keep what was found on the way."""
    proof = Proof()
    check_vectors(program, proof)
    if not proof.problems:
        check_header(program, proof)
    if not proof.problems:
        check_rows(program, proof)
    if not proof.problems:
        check_code(program, proof)
    if not proof.problems:
        for text in check_places(program, program.start):
            proof.add(f"at the start {text}")
    return proof


_PROOFS: dict[int, tuple[Program, Proof]] = {}
_KEPT = 16


def proof_of(program: Program) -> Proof:
    """What `prove` finds, worked out once (of the last few programs; a program that is played does not change)."""
    known = _PROOFS.get(id(program))
    if known is None or known[0] is not program:
        if len(_PROOFS) >= _KEPT:
            _PROOFS.clear()
        known = _PROOFS[id(program)] = (program, prove(program))
    return known[1]


def check_vectors(program: Program, proof: Proof) -> None:
    """Code, constants and the start state are words, and not absurdly many."""
    for name, words in (("code", program.code), ("constants", program.consts), ("start state", program.start)):
        if len(words) > MOST_WORDS:
            proof.add(f"the {name} has {len(words)} words")
        elif words and (min(words) < WORD_LOW or max(words) > WORD_HIGH):
            proof.add(f"the {name} holds a number beyond 32 bits")
    if len(program.consts) < HEADER:
        proof.add("the constants have no header")
    elif not program.code:
        proof.add("there is no code")


def map_word(program: Program, m: int, word: int) -> int:
    """A word of the row of growing map `m`."""
    return program.consts[program.consts[H_MAPS] + m * MAP_WORDS + word]


def state_parts(program: Program) -> list[tuple[str, int, int]]:
    """Name, first word and number of words of each part of the state."""
    c = program.consts
    places = c[H_THINGS] - c[H_PLACES] + 1
    parts = [
        ("registers", 0, REGISTERS),
        ("game's words", REGISTERS, c[H_WORDS] - REGISTERS),
        ("places of things", c[H_LOC] + 1, c[H_MOVABLE]),
        ("things below", c[H_NEXT] + 1, c[H_MOVABLE]),
        ("things above", c[H_PREV] + 1, c[H_MOVABLE]),
        ("groups", c[H_GROUP] + 1, c[H_MOVABLE]),
        ("tops", c[H_HEAD], places),
        ("bottoms", c[H_TAIL], places),
        ("counts", c[H_COUNT], places),
        ("frames", c[H_FRAMES], c[H_FRAME_MAX] * FRAME_WORDS),
        ("options", c[H_OPTS], c[H_OPT_MAX] * OPTION_WORDS),
        ("stack", c[H_STACK], c[H_STACK_MAX]),
    ]
    for m in range(c[H_NMAPS]):
        parts.append(
            (
                f"grid of map {m}",
                map_word(program, m, M_GRID),
                map_word(program, m, M_WIDTH) * map_word(program, m, M_HEIGHT),
            )
        )
        parts.append((f"cells of map {m}", map_word(program, m, M_CELL), map_word(program, m, M_TILES)))
        turn = map_word(program, m, M_TURN)
        if not REGISTERS <= turn < c[H_WORDS]:
            # Turns are read modulo 4, so they may as well be a column of the game.
            parts.append((f"turns of map {m}", turn, map_word(program, m, M_TILES)))
    return parts


def check_header(program: Program, proof: Proof) -> None:
    """The parts of the state and of the constants lie where they can, and do not overlap."""
    c = program.consts
    size = c[H_STATE]
    if size != len(program.start) or size > MOST_WORDS:
        proof.add(f"the start state has {len(program.start)} words, not {size}")
        return
    things, movable, first_place = c[H_THINGS], c[H_MOVABLE], c[H_PLACES]
    if not (0 <= movable <= things <= MOST_WORDS and 1 <= first_place <= things + 1):
        proof.add("the things are not numbered in a row")
        return
    if not (0 <= c[H_NMAPS] <= things and c[H_MAPS] >= 0 and c[H_MAPS] + c[H_NMAPS] * MAP_WORDS <= len(c)):
        proof.add("the growing maps lie outside the constants")
        return
    for m in range(c[H_NMAPS]):
        check_map(program, m, proof)
    if proof.problems:
        return
    if c[H_FRAME_MAX] < 1 or c[H_OPT_MAX] < 1 or c[H_STACK_MAX] < STACK_MARGIN or c[H_WORDS] < REGISTERS:
        proof.add(f"frames, options or the stack are too small (a stack has at least {STACK_MARGIN} words)")
    taken: list[tuple[int, int, str]] = []
    for name, first, words in state_parts(program):
        if words < 0 or first < 0 or first + words > size:
            proof.add(f"the {name} lie outside the state")
        elif words:
            taken.append((first, first + words, name))
    taken.sort()
    for (_, end, name), (begin, _, other) in pairwise(taken):
        if begin < end:
            proof.add(f"the {name} and the {other} overlap")
    places = things - first_place + 1
    for name, first, words in (
        ("procedures", c[H_PROCS], c[H_NPROCS] * PROC_WORDS),
        ("limits of places", c[H_LIMIT], places),
        ("marks of places out of play", c[H_OUT], places),
    ):
        if words < 0 or first < 0 or first + words > len(c):
            proof.add(f"the {name} lie outside the constants")
    if c[H_NSEATS] < 1 or c[H_SEATS] < 1 or c[H_SEATS] + c[H_NSEATS] - 1 > movable:
        proof.add("the seats are no movable things")
    if not first_place <= c[H_TABLE] <= things:
        proof.add("the table is no place")
    elif not proof.problems and 0 < c[c[H_LIMIT] + c[H_TABLE] - first_place] < c[H_NSEATS]:
        proof.add("the table has no room for all seats")


def check_map(program: Program, m: int, proof: Proof) -> None:
    """The row of a growing map is sound (its parts of the state are checked with the others)."""
    c = program.consts
    width, height = map_word(program, m, M_WIDTH), map_word(program, m, M_HEIGHT)
    first, tiles, faces = map_word(program, m, M_FIRST), map_word(program, m, M_TILES), map_word(program, m, M_FACES)
    if not (1 <= width <= 1024 and 1 <= height <= 1024):
        proof.add(f"the grid of map {m} is {width} x {height}")
    if not c[H_PLACES] <= map_word(program, m, M_PLACE) <= c[H_THINGS]:
        proof.add(f"map {m} is no place")
    if tiles < 0 or first < 1 or first + tiles - 1 > c[H_MOVABLE]:
        proof.add(f"the tiles of map {m} are no movable things")
        return
    if first <= map_word(program, m, M_PLACE) < first + tiles:
        proof.add(f"map {m} is one of its own tiles")
    joins = map_word(program, m, M_JOINS)
    if not (1 <= faces <= 64 and joins >= 0 and joins + tiles * faces <= len(c)):
        proof.add(f"the paths of map {m} lie outside the constants")
    face = map_word(program, m, M_FACE)
    if face != -1 and not (face >= REGISTERS and face + tiles <= c[H_WORDS]):
        proof.add(f"the faces of map {m} are no words of the game")
    turn = map_word(program, m, M_TURN)
    if REGISTERS <= turn < c[H_WORDS] < turn + tiles:
        proof.add(f"the turns of map {m} lie half in the game's words")


def check_rows(program: Program, proof: Proof) -> None:
    """The tables of names agree with the numbers."""
    c = program.consts
    if len(program.things) != c[H_THINGS]:
        proof.add(f"there are {len(program.things)} names for {c[H_THINGS]} things")
    if len(program.procs) != c[H_NPROCS]:
        proof.add(f"there are {len(program.procs)} names for {c[H_NPROCS]} procedures")
        return
    for k, proc in enumerate(program.procs):
        row = c[H_PROCS] + k * PROC_WORDS
        if tuple(c[row : row + PROC_WORDS]) != (proc.entry, proc.nargs, proc.nlocals, proc.nret):
            proof.add(f"the procedure '{proc.name}' differs between the constants and the names")
        if not (0 <= proc.nargs <= proc.nlocals <= c[H_STACK_MAX] and 0 <= proc.nret <= STACK_MARGIN):
            proof.add(f"the frame of '{proc.name}' is impossible")
        if proc.nargs > STACK_MARGIN or proc.nret > proc.nlocals + STACK_MARGIN:
            proof.add(f"the procedure '{proc.name}' takes or gives too many words")
    main = c[H_MAIN]
    if not 0 <= main < len(program.procs) or program.procs[main].nargs or program.procs[main].nret:
        proof.add("the procedure that plays the game is missing, or takes or gives words")
    elif program.procs[main].nlocals + STACK_MARGIN > c[H_STACK_MAX]:
        proof.add("the stack has no room for the procedure that plays the game")
    for kind in program.kinds:
        if kind.count < 0 or kind.first < 0 or kind.first + kind.count - 1 > c[H_THINGS]:
            proof.add(f"the things of the kind '{kind.name}' do not exist")
    for zone in program.zones:
        if not c[H_PLACES] <= zone.thing <= c[H_THINGS] or not 0 <= zone.owner <= c[H_THINGS]:
            proof.add(f"the zone '{zone.name}' is no place or belongs to nothing")
    check_columns(program, proof)


def check_columns(program: Program, proof: Proof) -> None:
    """Each column lies where its storage says, and each formula takes its thing and gives its words."""
    c = program.consts
    for column in program.columns:
        name = f"{column.kind}.{column.name}" if column.kind else column.name
        count = column.count if column.kind else 1
        words = count * column.words
        if column.kind and (count < 0 or column.first < 1 or column.first + count - 1 > c[H_THINGS]):
            proof.add(f"the things of the column '{name}' do not exist")
        elif column.words < 1 or words > MOST_WORDS:
            proof.add(f"the column '{name}' has no words")
        elif column.storage == "state":
            if count and not (column.offset >= REGISTERS and column.offset + words <= c[H_WORDS]):
                proof.add(f"the column '{name}' lies outside the game's words")
        elif column.storage == "printed":
            if not (column.offset >= 0 and column.offset + words <= len(c)):
                proof.add(f"the column '{name}' lies outside the constants")
        elif column.storage == "computed":
            if not 0 <= column.offset < len(program.procs):
                proof.add(f"the column '{name}' has no procedure")
            elif program.procs[column.offset].nret != column.words:
                proof.add(f"the procedure of the column '{name}' does not give its {column.words} words")
        else:
            proof.add(f"the column '{name}' is stored in no known way")


def decode(program: Program, proof: Proof) -> dict[int, Op]:
    """The instruction at each place of the code where one begins."""
    found: dict[int, Op] = {}
    pc, code = 0, program.code
    while pc < len(code):
        op = BY_CODE.get(code[pc])
        if op is None:
            proof.add(f"at {pc} there is no opcode {code[pc]}")
            return found
        if pc + len(op.operands) >= len(code):
            proof.add(f"at {pc} the code ends within {op.name}")
            return found
        found[pc] = op
        pc += 1 + len(op.operands)
    return found


def check_code(program: Program, proof: Proof) -> None:
    """Walk all procedures: operands, jumps, and the depth of the stack at each instruction."""
    instructions = decode(program, proof)
    if proof.problems:
        return
    proof.starts = set(instructions)
    entries: dict[int, int] = {}
    for k, proc in enumerate(program.procs):
        if proc.entry not in instructions:
            proof.add(f"the procedure '{proc.name}' begins at {proc.entry}, where no instruction does")
        elif proc.entry in entries:
            proof.add(
                f"the procedures '{program.procs[entries[proc.entry]].name}' and '{proc.name}' begin at one place"
            )
        entries[proc.entry] = k
    if proof.problems:
        return
    order = sorted(entries)
    if order[0] != 0:
        proof.add("there is code before the first procedure")
    pcs = sorted(instructions)
    at = 0
    for entry, end in zip(order, [*order[1:], len(program.code)], strict=True):
        own: list[int] = []
        while at < len(pcs) and pcs[at] < end:
            own.append(pcs[at])
            at += 1
        check_procedure(program, entries[entry], own, instructions, proof)


def check_procedure(program: Program, number: int, own: list[int], instructions: dict[int, Op], proof: Proof) -> None:
    """Check one procedure, whose instructions begin at `own`."""
    proc = program.procs[number]
    site = Site(program, proc, frozenset(own))
    for pc in own:
        op = instructions[pc]
        operands = tuple(program.code[pc + 1 : pc + 1 + len(op.operands)])
        wrong = RULES[op.code](site, operands)
        if wrong:
            proof.add(f"{op.name} at {pc} in '{proc.name}': {wrong}")
    if proof.problems:
        return
    depths: dict[int, int] = {proc.entry: 0}
    waiting = [proc.entry]
    while waiting:
        pc = waiting.pop()
        op = instructions[pc]
        operands = tuple(program.code[pc + 1 : pc + 1 + len(op.operands)])
        depth = depths[pc]
        pops, pushes = effect(program, proc, op, operands)
        if depth < pops:
            proof.add(f"{op.name} at {pc} in '{proc.name}' takes {pops} words from a stack of {depth}")
            return
        after = depth - pops + pushes
        if max(depth, after) > STACK_MARGIN:
            proof.add(f"'{proc.name}' stacks more than {STACK_MARGIN} words")
            return
        following = pc + 1 + len(op.operands)
        if op.code in (isa.CALL, isa.CALLI, isa.SETTLE):
            proof.returns[following] = pc
        targets = list(jumps(program, op, operands))
        if not op.ends:
            targets.append(following)
        for target in targets:
            if target not in site.starts:
                proof.add(f"'{proc.name}' runs on beyond its end at {pc}")
                return
            if target not in depths:
                depths[target] = after
                waiting.append(target)
            elif depths[target] != after:
                proof.add(f"at {target} in '{proc.name}' the stack holds {depths[target]} or {after} words")
                return
    proof.depth.update(depths)
    proof.proc.update(dict.fromkeys(depths, number))


def effect(program: Program, proc: ProcRow, op: Op, operands: tuple[int, ...]) -> tuple[int, int]:
    """Words that an instruction takes from the stack and leaves there."""
    if op.pops == "call":
        target = program.procs[operands[0]]
        return target.nargs, target.nret
    return amount(proc, op, op.pops, operands), amount(proc, op, op.pushes, operands)


def amount(proc: ProcRow, op: Op, what: int | str, operands: tuple[int, ...]) -> int:
    """A number of words as the table states it: a number, the name of an operand (``n``, ``nargs+1``), or ``ret``."""
    if isinstance(what, int):
        return what
    if what == "ret":
        return proc.nret
    name, _, more = what.partition("+")
    return operands[op.operands.index(name)] + int(more or 0)


def jumps(program: Program, op: Op, operands: tuple[int, ...]) -> list[int]:
    """Where an instruction may go besides the next one."""
    if op.code == isa.SWITCH:
        return program.consts[operands[0] : operands[0] + operands[1]]
    # OPTS has a label too, but that is the words of an option.
    if "label" in op.operands and op.code != isa.OPTS:
        return [operands[op.operands.index("label")]]
    return []


# --- states --------------------------------------------------------------------------------------------------------
def check_places(program: Program, state: list[int]) -> list[str]:
    """What is wrong with the lists of things and the grids of a state."""
    c = program.consts
    movable, first = c[H_MOVABLE], c[H_PLACES]
    problems: list[str] = []
    for p in range(1, movable + 1):
        links = (state[c[H_NEXT] + p], state[c[H_PREV] + p])
        z = state[c[H_LOC] + p]
        if not all(0 <= other <= movable for other in links) or z == p or not (z == 0 or first <= z <= c[H_THINGS]):
            return [f"the thing {p} lies at no place"]
    listed = 0
    for z in range(first, c[H_THINGS] + 1):
        k = z - first
        head, tail, count = state[c[H_HEAD] + k], state[c[H_TAIL] + k], state[c[H_COUNT] + k]
        if not (0 <= head <= movable and 0 <= tail <= movable):
            return [f"the list of place {z} begins nowhere"]
        things = things_at(c, state, z)
        above = 0
        groups: list[int] = []
        for p in things:
            if state[c[H_LOC] + p] != z or state[c[H_PREV] + p] != above:
                return [f"the list of place {z} is no list"]
            group = state[c[H_GROUP] + p]
            if not groups or groups[-1] != group:
                groups.append(group)
            above = p
        if len(things) != count or above != tail:
            return [f"the list of place {z} is no list"]
        unknown = [group for group in groups if group]
        if len(unknown) != len(set(unknown)) or any(group < 0 for group in unknown):
            return [f"the unknown order of place {z} is in pieces"]
        listed += count
    if listed != sum(1 for p in range(1, movable + 1) if state[c[H_LOC] + p]):
        problems.append("a thing lies at a place whose list does not hold it")
    for m in range(c[H_NMAPS]):
        problems += check_grid(program, state, m)
    return problems


def check_grid(program: Program, state: list[int], m: int) -> list[str]:
    """What is wrong with the grid of a growing map."""
    cells = map_word(program, m, M_WIDTH) * map_word(program, m, M_HEIGHT)
    first, tiles = map_word(program, m, M_FIRST), map_word(program, m, M_TILES)
    grid, where = map_word(program, m, M_GRID), map_word(program, m, M_CELL)
    laid = 0
    for k in range(tiles):
        cell = state[where + k]
        if cell == 0:
            continue
        lies = state[program.consts[H_LOC] + first + k] == map_word(program, m, M_PLACE)
        if not 0 < cell <= cells or state[grid + cell - 1] != first + k or not lies:
            return [f"the tile {first + k} is not where the grid of map {m} has it"]
        laid += 1
    if sum(1 for k in range(cells) if state[grid + k]) != laid:
        return [f"the grid of map {m} holds what is no laid tile"]
    return []


def check_state(program: Program, state: list[int], proof: Proof | None = None) -> list[str]:
    """What is wrong with a state that comes from outside, as it stands at a stop; nothing if the game can go on from
    it.
    """
    c = program.consts
    if len(state) != c[H_STATE]:
        return [f"the state has {len(state)} words, not {c[H_STATE]}"]
    if min(state) < WORD_LOW or max(state) > WORD_HIGH:
        return ["the state holds a number beyond 32 bits"]
    proof = proof or proof_of(program)
    problems = check_places(program, state)
    if problems:
        return problems
    status = state[R_STATUS]
    if status not in (ST_ASK, ST_ROLL, ST_DRAW, ST_END, ST_FAULT, ST_BREAK) or state[R_PENDING]:
        problems.append("the machine does not stand at a stop")
    if not 1 <= state[R_PLAYERS] <= c[H_NSEATS] or state[R_SHUFFLES] < 0:
        problems.append("the registers hold impossible numbers")
    if not -1 <= state[R_STEP] < len(program.steps) or not -1 <= state[R_OUTCOME] < len(program.outcomes):
        problems.append("the state stands at an unknown step or outcome")
    if status in (ST_ASK, ST_ROLL, ST_DRAW):
        problems += check_question(program, state)
    if status not in (ST_END, ST_FAULT):
        problems += check_frames(program, state, proof)
    return problems


def check_question(program: Program, state: list[int]) -> list[str]:
    """The question and options of a state that waits for an answer."""
    c = program.consts
    status, row, count = state[R_STATUS], state[R_QUESTION], state[R_OPTIONS]
    if not 1 <= count <= c[H_OPT_MAX] or not 0 <= state[R_WHO] <= c[H_THINGS]:
        return ["the question has no options"]
    options = [state[c[H_OPTS] + k * OPTION_WORDS : c[H_OPTS] + (k + 1) * OPTION_WORDS] for k in range(count)]
    if status == ST_ASK:
        if not 0 <= row < len(program.questions):
            return ["an unknown question is asked"]
        if any(not 0 <= option[0] <= c[H_THINGS] or not 0 <= option[1] < len(program.labels) for option in options):
            return ["an option has an unknown label or player"]
        return []
    offered = [option[2] for option in options]
    if status == ST_ROLL:
        if not 0 <= row < len(program.dice) or offered != list(range(len(program.dice[row].faces))):
            return ["an unknown die is rolled"]
        return []
    things = things_at(c, state, row)
    group = {state[c[H_GROUP] + p] for p in offered} if set(offered) <= set(things) else set[int]()
    run = sorted(p for p in things if state[c[H_GROUP] + p] in group)
    return [] if len(group) == 1 and 0 not in group and run == offered else ["what can be drawn does not lie there"]


def check_frames(program: Program, state: list[int], proof: Proof) -> list[str]:
    """The frames fit together: each begins where its call left the arguments, and the stack is as deep as was
    proved.
    """
    c = program.consts
    count, pc = state[R_CP], state[R_PC]
    if not 1 <= count <= c[H_FRAME_MAX] or pc not in proof.depth:
        return ["the machine stands at no instruction"]
    stops = {ST_ASK: (isa.ASK,), ST_ROLL: (isa.ROLL,), ST_DRAW: (isa.DRAW, isa.ZTOP, isa.ZAT), ST_BREAK: (isa.STEP,)}
    if program.code[pc] not in stops.get(state[R_STATUS], ()):
        return ["the machine stands at another instruction than the one that stopped it"]
    frames = [state[c[H_FRAMES] + k * FRAME_WORDS : c[H_FRAMES] + (k + 1) * FRAME_WORDS] for k in range(count)]
    base = 0
    for k, (back, caller, number, _) in enumerate(frames):
        if not 0 <= number < len(program.procs):
            return ["a frame belongs to no procedure"]
        proc = program.procs[number]
        if k:
            outer = frames[k - 1][2]
            call = proof.returns.get(back, -1)
            if proof.proc.get(call) != outer or caller != base or not fits(program, call, number):
                return ["a frame returns to where nothing was called"]
            base += program.procs[outer].nlocals + proof.depth.get(back, -1) - proc.nret
        inside = proof.proc.get(pc if k == count - 1 else frames[k + 1][0])
        if inside != number or base < 0 or base + proc.nlocals + STACK_MARGIN > c[H_STACK_MAX]:
            return ["a frame does not fit its procedure"]
    if state[R_FP] != base or state[R_SP] != base + program.procs[frames[-1][2]].nlocals + proof.depth[pc]:
        return ["the stack is not as deep as it must be"]
    return []


def fits(program: Program, call: int, number: int) -> bool:
    """Whether the calling instruction can have called this procedure."""
    if program.code[call] != isa.CALLI:
        return program.code[call + 1] == number
    proc = program.procs[number]
    return (program.code[call + 1], program.code[call + 2]) == (proc.nargs, proc.nret)
