"""Fewer instructions that mean the same, before a procedure becomes code.

    PUSH 0, EQ, JZ @a            JNZ @a
    PUSH 1, JMP @b … b: JZ @c    JMP to what follows b
    JMP @d … d: JMP @e           JMP @e

The lowering says yes and no as numbers, because whoever asks may want either; where it is asked only for a jump, the
number is left out here. What nothing reaches goes too. In real games it is one instruction in six of those that run.

An instruction that counts for coverage is jumped over only by one of the same place that counts too: what an author
wrote and what ran stay the same thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ludoloom.compiler.backend.proc import Ins, Label, Proc
from ludoloom.runtime import isa

_OPPOSITE: Final = {isa.JZ: isa.JNZ, isa.JNZ: isa.JZ}
_ROUNDS: Final = 20
"""Each round can only make a procedure shorter; a few are enough for what the lowering writes."""


def shorten(proc: Proc, tables: Sequence[Label] = ()) -> None:
    """Shorten a procedure in place. `tables` are the labels of its jump tables."""
    for _ in range(_ROUNDS):
        if not _round(proc, tables):
            return


def _round(proc: Proc, tables: Sequence[Label]) -> bool:
    code = proc.code
    before = len(code)
    labels = {id(label): label for ins in code for label in ins.operands if isinstance(label, Label)}
    labels.update((id(label), label) for label in tables)
    changed = False
    for label in labels.values():
        end = _through(code, label.at)
        changed = changed or end != label.at
        label.at = end
    targets = {label.at for label in labels.values()}
    kept: list[Ins | None] = list(code)
    at = 0
    while at < len(code):
        at += _window(code, kept, at, targets)
    changed = changed or any(new is not old for new, old in zip(kept, code, strict=True))
    for dead in set(range(len(code))) - _reached(kept, tables):
        kept[dead] = None
    numbers: list[int] = []
    count = 0
    for ins in kept:
        numbers.append(count)
        count += ins is not None
    numbers.append(count)
    proc.code = [ins for ins in kept if ins is not None]
    live = {id(label): label for ins in proc.code for label in ins.operands if isinstance(label, Label)}
    live.update((id(label), label) for label in tables)
    for label in live.values():
        label.at = numbers[label.at]
    return changed or len(proc.code) < before


def _through(code: Sequence[Ins], at: int) -> int:
    """Where a jump to this place comes to in the end."""
    for _ in range(8):
        ins = code[at] if at < len(code) else None
        if ins is None or ins.op != isa.JMP or ins.effect:
            break
        label = ins.operands[0]
        assert isinstance(label, Label)
        at = label.at
    return at


def _window(code: Sequence[Ins], kept: list[Ins | None], at: int, targets: set[int]) -> int:
    """Look at the instructions from one on; what they become is written to `kept`. Returns how many were looked at."""
    first = code[at]
    second = code[at + 1] if at + 1 < len(code) and at + 1 not in targets else None
    third = code[at + 2] if second is not None and at + 2 < len(code) and at + 2 not in targets else None
    if first.op in _OPPOSITE and second is not None and second.op == isa.JMP and _label(first).at == at + 2:
        return _replace(kept, at, 2, Ins(_OPPOSITE[first.op], second.operands, second.span, second.effect))
    if (
        first.op in _OPPOSITE
        and second is not None
        and second.op == isa.JMP
        and _label(second).at <= at < _label(first).at
    ):
        # Back into the loop by one instruction, and out of it, which happens once, by two.
        kept[at] = Ins(_OPPOSITE[first.op], second.operands, first.span, first.effect)
        kept[at + 1] = Ins(isa.JMP, first.operands, second.span, second.effect)
        return 2
    if first.op == isa.JMP:
        return _jump(code, kept, at)
    if second is None or second.effect != first.effect:
        return 1
    if first.op == isa.NOT and second.op in _OPPOSITE:
        return _replace(kept, at, 2, Ins(_OPPOSITE[second.op], second.operands, first.span, first.effect))
    if first.op != isa.PUSH:
        return 1
    value = first.operands[0]
    if value == 0 and second.op in (isa.EQ, isa.NE) and third is not None and third.op in _OPPOSITE:
        if third.effect != first.effect:
            return 1
        op = _OPPOSITE[third.op] if second.op == isa.EQ else third.op
        return _replace(kept, at, 3, Ins(op, third.operands, first.span, first.effect))
    if second.op in _OPPOSITE:
        jumps = (value == 0) == (second.op == isa.JZ)
        if jumps or not first.effect:
            return _replace(kept, at, 2, Ins(isa.JMP, second.operands, first.span, first.effect) if jumps else None)
    if second.op == isa.JMP:
        label = _label(second)
        goal = code[label.at] if label.at < len(code) else None
        if goal is not None and goal.op in _OPPOSITE and _one_place(first, goal):
            jumps = (value == 0) == (goal.op == isa.JZ)
            to = Label(_label(goal).at if jumps else label.at + 1)
            return _replace(kept, at, 2, Ins(isa.JMP, (to,), first.span, first.effect))
    return 1


def _one_place(ins: Ins, other: Ins) -> bool:
    """Whether it is all the same for coverage which of the two runs."""
    return ins.effect == other.effect and (not ins.effect or ins.span == other.span)


def _jump(code: Sequence[Ins], kept: list[Ins | None], at: int) -> int:
    """A jump to the next instruction is none, and one to the end of the procedure is that end."""
    ins = code[at]
    label = _label(ins)
    if not ins.effect and label.at == at + 1:
        return _replace(kept, at, 1, None)
    goal = code[label.at] if label.at < len(code) else None
    if goal is not None and goal.op == isa.RET and goal.effect == ins.effect:
        return _replace(kept, at, 1, Ins(isa.RET, (), ins.span, ins.effect))
    return 1


def _label(ins: Ins) -> Label:
    label = ins.operands[0]
    assert isinstance(label, Label)
    return label


def _replace(kept: list[Ins | None], at: int, count: int, ins: Ins | None) -> int:
    """One instruction, or none, instead of several."""
    kept[at : at + count] = [*[None] * (count - 1), ins]
    return count


def _reached(kept: Sequence[Ins | None], tables: Sequence[Label]) -> set[int]:
    """The instructions that control can come to."""
    seen: set[int] = set()
    todo = [0, *(label.at for label in tables)]
    while todo:
        at = todo.pop()
        while at < len(kept) and at not in seen:
            seen.add(at)
            ins = kept[at]
            if ins is not None:
                todo += [operand.at for operand in ins.operands if isinstance(operand, Label)]
                if isa.BY_CODE[ins.op].ends:
                    break
            at += 1
    return seen
