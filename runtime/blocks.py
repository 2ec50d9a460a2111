"""A piece of a procedure as blocks: runs of instructions that one jump leads into and one leads out of.

cut(program, 344, {8})        the blocks that the instruction at 344 leads to; procedure 8 can be called directly
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field

from ludoloom.runtime import isa
from ludoloom.runtime import machine as m
from ludoloom.runtime.forms import UNTRANSLATED
from ludoloom.runtime.image import Program
from ludoloom.runtime.isa import BY_CODE, Op
from ludoloom.runtime.verify import jumps, map_word, words_of

Row = tuple[int, Op, tuple[int, ...]]
"""An instruction: its place, its row of the table, its operands."""


@dataclass(slots=True)
class Block:
    """Instructions that follow each other; `then` are the blocks that may follow."""

    rows: list[Row] = field(default_factory=list[Row])
    then: list[int] = field(default_factory=list[int])


def decoded(code: Sequence[int], pc: int) -> tuple[Op, tuple[int, ...], int]:
    """The instruction at a place, its operands, the place of the next."""
    op = BY_CODE[code[pc]]
    after = pc + 1 + len(op.operands)
    return op, tuple(code[pc + 1 : after]), after


def left_out(op: Op, operands: tuple[int, ...], called: Container[int]) -> bool:
    """Whether the interpreter runs this instruction: it is not translated, or calls what is not."""
    return op.code in UNTRANSLATED or (op.code == isa.CALL and operands[0] not in called)


def cut(program: Program, entry: int, called: Container[int]) -> dict[int, Block]:
    """The blocks that `entry` leads to, by the place of their first instruction."""
    heads = _heads(program, entry)
    blocks: dict[int, Block] = {}
    todo = [entry]
    while todo:
        head = todo.pop()
        if head not in blocks:
            blocks[head] = _block(program, head, heads, called)
            todo += blocks[head].then
    return blocks


def _heads(program: Program, entry: int) -> set[int]:
    """The places where a block begins: those that are jumped to, and those behind a jump."""
    heads = {entry}
    todo, seen = [entry], set[int]()
    while todo:
        pc = todo.pop()
        while pc not in seen:
            seen.add(pc)
            op, operands, after = decoded(program.code, pc)
            if op.code in UNTRANSLATED:
                break
            targets = jumps(program, op, operands)
            heads.update(targets)
            todo += targets
            if op.ends:
                break
            if targets:
                heads.add(after)
            pc = after
    return heads


def _block(program: Program, head: int, heads: Container[int], called: Container[int]) -> Block:
    """The block that begins at a place."""
    block = Block()
    pc = head
    while True:
        op, operands, after = decoded(program.code, pc)
        block.rows.append((pc, op, operands))
        if left_out(op, operands, called) or op.code == isa.RET:
            return block
        targets = jumps(program, op, operands)
        if op.ends or targets or after in heads:
            block.then = list(dict.fromkeys(targets if op.ends else [*targets, after]))
            return block
        pc = after


def looked_up(program: Program, own: Iterable[int]) -> set[int]:
    """The words of a frame that some instruction finds by a number, so that they cannot be variables."""
    found: set[int] = set()
    for pc in own:
        op, o, _ = decoded(program.code, pc)
        at, words = 0, 0
        if op.code in (isa.LDX, isa.STX):
            at, words = o[0], o[1]
        elif op.code in (isa.SADD, isa.SDEL, isa.SHAS, isa.SAT, isa.SPLAY):
            at, words = o[0], words_of(o[2])
        elif op.code in (isa.SNEXT, isa.OPTS):
            at, words = o[0], o[2]
        elif op.code in (isa.MLINKS, isa.MNEXT, isa.MGAPS):
            at, words = o[1], words_of_map(program, op.code, o[0])
        if words > 1:
            found.update(range(at, at + words))
    return found


def words_of_map(program: Program, code: int, number: int) -> int:
    """Words of the set that an instruction writes for a growing map."""
    if code == isa.MGAPS:
        return words_of(map_word(program, number, m.M_WIDTH) * map_word(program, number, m.M_HEIGHT))
    return words_of(map_word(program, number, m.M_TILES))
