"""A program as a text that a person can read: one instruction a line, names beside the numbers.

    sq: 1 word in, 2 in the frame, 1 out
    game.yaml:12  gain: {what: pot, amount: 1}
        41  LDS 34                  ; pot
        43  PUSH 1
    loop_45:
        45  ADD

`lines(file)` gives the lines of a YAML file, so that each run of instructions stands under the line it comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludoloom.runtime import isa
from ludoloom.runtime.errors import GameError, unknown
from ludoloom.runtime.image import ColumnRow, Image, PlaceRow, Program
from ludoloom.runtime.isa import BY_CODE, Op
from ludoloom.runtime.machine import H_MAPS, M_PLACE, MAP_WORDS
from ludoloom.runtime.names import Names, names_of
from ludoloom.runtime.verify import jumps

Lines = Callable[[str], Sequence[str]]

WIDTH = 26
"""Columns of an instruction before its comment."""
_ENDS = ("top", "bottom")
_SETS = ("copy", "or", "and", "minus")
_ANSWER = ("player", "label", "a", "b")


def listing(image: Image, program: Program, name: str = "", lines: Lines | None = None) -> str:
    """The listing of a whole program, or of the procedures whose name is `name` or begins with ``name.``."""
    order = sorted(range(len(program.procs)), key=lambda number: program.procs[number].entry)
    ends = dict(zip(order, entries_after(program, order), strict=True))
    chosen = [number for number in order if wanted(program.procs[number].name, name)]
    if not chosen:
        raise GameError(unknown("procedure", name, [row.name for row in program.procs]))
    parts = [procedure(image, program, number, ends[number], lines) for number in chosen]
    return "\n".join(parts)


def wanted(proc: str, name: str) -> bool:
    """Whether a procedure belongs to a listing of `name`."""
    return not name or proc == name or proc.startswith((f"{name}.", f"{name}:"))


def entries_after(program: Program, order: list[int]) -> list[int]:
    """Where each procedure ends, in the order of the entries."""
    return [*(program.procs[number].entry for number in order[1:]), len(program.code)]


def procedure(image: Image, program: Program, number: int, end: int, lines: Lines | None) -> str:
    """The listing of one procedure."""
    row = program.procs[number]
    names = names_of(program)
    instructions = decode(program, row.entry, end)
    targets = {target for _, op, operands in instructions for target in jumps(program, op, operands)}
    found = [f"{row.name}: {row.nargs} in, {row.nlocals} in the frame, {row.nret} out"]
    places = {place.pc: place for place in program.places if row.entry <= place.pc < end}
    for pc, op, operands in instructions:
        if pc in targets:
            found.append(f"L{pc}:")
        if pc in places:
            found.append("  " + place_text(image, places[pc], lines))
        text = f"{op.name} " + " ".join(operand_texts(op, operands))
        comment = explain(program, names, op, operands)
        found.append((f"  {pc:6}  {text:<{WIDTH}}" + (f" ; {comment}" if comment else "")).rstrip())
    return "\n".join(found) + "\n"


def decode(program: Program, pc: int, end: int) -> list[tuple[int, Op, tuple[int, ...]]]:
    """The instructions between two places of the code."""
    found: list[tuple[int, Op, tuple[int, ...]]] = []
    while pc < end:
        op = BY_CODE.get(program.code[pc])
        if op is None:
            raise GameError(f"at {pc} there is no opcode {program.code[pc]}")
        operands = tuple(program.code[pc + 1 : pc + 1 + len(op.operands)])
        found.append((pc, op, operands))
        pc += 1 + len(op.operands)
    return found


def operand_texts(op: Op, operands: tuple[int, ...]) -> list[str]:
    """The operands as they are written: places of the code as ``L12``, the missing number as ``NIL``."""
    found: list[str] = []
    for name, operand in zip(op.operands, operands, strict=True):
        if name == "label" and op.code != isa.OPTS:
            found.append(f"L{operand}")
        elif op.code == isa.PUSH and operand == isa.NIL:
            found.append("NIL")
        else:
            found.append(str(operand))
    return found


def place_text(image: Image, place: PlaceRow, lines: Lines | None) -> str:
    """Where the following instructions come from, with the text of the line."""
    file = image.files[place.file] if place.file < len(image.files) else "?"
    source = lines(file) if lines is not None else ()
    text = source[place.line - 1].strip() if 0 < place.line <= len(source) else ""
    return f"{file}:{place.line}:{place.column}" + (f"  {text}" if text else "")


def explain(program: Program, names: Names, op: Op, operands: tuple[int, ...]) -> str:
    """What the numbers of an instruction stand for."""
    match op.code:
        case isa.LDF | isa.STF:
            return column_name(program, "state", operands[0], operands[1])
        case isa.LDC:
            return column_name(program, "printed", operands[0], operands[1])
        case isa.LDS | isa.STS:
            return column_name(program, "state", operands[0], 0)
        case isa.CALL | isa.UNWIND | isa.SETTLE:
            return program.procs[operands[0]].name
        case isa.SWITCH:
            return " ".join(f"L{target}" for target in jumps(program, op, operands))
        case isa.EVENT:
            return quoted(program.events[operands[0]].act, program.events[operands[0]].text)
        case isa.FAULT:
            return program.faults[operands[0]]
        case isa.END:
            return program.outcomes[operands[0]].name
        case isa.SADD | isa.SDEL | isa.SHAS | isa.SALL | isa.SPLAY | isa.SAT:
            return kind_name(program, operands[1], operands[2])
        case isa.SOP:
            return _SETS[operands[3]]
        case isa.SNEXT:
            return f"from {names.thing(operands[1])}" if operands[1] else ""
        case isa.OPTS:
            return label_name(program, operands[3])
        case isa.MOVE | isa.MOVALL | isa.ZTOP:
            return _ENDS[operands[0]]
        case isa.ASK:
            row = program.questions[operands[0]]
            return quoted(f"{row.act}.{row.name}" if row.act else row.name, row.text)
        case isa.ANS:
            return _ANSWER[operands[0]]
        case isa.ROLL:
            return program.dice[operands[0]].name
        case isa.STEP:
            return program.steps[operands[0]]
        case isa.MLINKS | isa.MNEXT | isa.MGAPS | isa.MDIST | isa.MLINE | isa.MLAY | isa.MLIFT | isa.MENDS:
            return names.thing(program.consts[program.consts[H_MAPS] + operands[0] * MAP_WORDS + M_PLACE])
        case _:
            return ""


def quoted(name: str, text: str) -> str:
    """A name and the sentence that goes with it."""
    return f'{name} "{text}"' if text else name


def column_name(program: Program, storage: str, offset: int, first: int) -> str:
    """The column of the things from `first` on whose words begin at `offset` (`first` 0: the game's own word there)."""
    best: ColumnRow | None = None
    for row in program.columns:
        if row.storage != storage or (row.kind == "") != (first == 0):
            continue
        if row.kind:
            # An instruction for a derived kind names its own first thing: its words lie in the same array.
            hit = offset - first == row.offset - row.first and row.first <= first < row.first + row.count
        else:
            hit = row.offset <= offset < row.offset + row.words
        if hit and (best is None or row.count < best.count):
            best = row
    if best is None:
        return ""
    return f"{best.kind}.{best.name}" if best.kind else best.name


def kind_name(program: Program, first: int, count: int) -> str:
    """The kind whose things are exactly these."""
    for row in program.kinds:
        if (row.first, row.count) == (first, count):
            return row.plural or row.name
    return ""


def label_name(program: Program, number: int) -> str:
    """What the options of a label say."""
    row = program.labels[number]
    return quoted(row.act, row.text) if number else "the value"
