"""How much stack and how many frames a program needs: the longest way through its calls.

Recursion has no longest way; it gets room for `ROUNDS` more of the largest frame, and a fault beyond.
"""

from __future__ import annotations

from ludoloom.compiler.backend.proc import Label, Proc
from ludoloom.runtime import isa
from ludoloom.runtime.machine import STACK_MARGIN

ROUNDS = 48
SLACK = 16


def needs(procs: list[Proc]) -> tuple[int, int]:
    """Words of stack and number of frames."""
    own = [proc.size + highest(proc, procs) for proc in procs]
    entries = [
        proc.number
        for proc in procs
        if proc.name.startswith(("cell.", "nothing.", "legal.", "run.", "never.", "around.run."))
    ]
    calls: list[list[int]] = []
    for proc in procs:
        found: set[int] = set()
        for ins in proc.code:
            if ins.op in (isa.CALL, isa.SETTLE):
                found.add(plain(ins.operands[0]))
            elif ins.op == isa.CALLI:
                found.update(
                    number
                    for number in entries
                    if procs[number].arguments == ins.operands[0] and procs[number].results == ins.operands[1]
                )
        calls.append(sorted(found))
    depth: dict[int, tuple[int, int]] = {}
    loops = False
    state = [0] * len(procs)
    for root in range(len(procs)):
        stack: list[tuple[int, int]] = [(root, 0)]
        while stack:
            at, child = stack.pop()
            if child == 0:
                if state[at] == 2:
                    continue
                state[at] = 1
            if child < len(calls[at]):
                stack.append((at, child + 1))
                following = calls[at][child]
                if state[following] == 1:
                    loops = True
                elif state[following] == 0:
                    stack.append((following, 0))
                continue
            words = max((depth[each][0] for each in calls[at] if each in depth), default=0)
            frames = max((depth[each][1] for each in calls[at] if each in depth), default=0)
            depth[at] = (own[at] + words, 1 + frames)
            state[at] = 2
    words = max(each[0] for each in depth.values())
    frames = max(each[1] for each in depth.values())
    if loops:
        words += ROUNDS * max(own)
        frames += ROUNDS
    return words + STACK_MARGIN + SLACK, frames + SLACK


def plain(operand: int | Label) -> int:
    """An operand that is a number."""
    assert isinstance(operand, int)
    return operand


def highest(proc: Proc, procs: list[Proc]) -> int:
    """The most words that a procedure has on the stack above its frame."""
    best = 0
    seen: dict[int, int] = {}
    todo = [(0, 0)]
    while todo:
        at, depth = todo.pop()
        while at < len(proc.code) and seen.get(at, -1) < 0:
            seen[at] = depth
            ins = proc.code[at]
            op = isa.BY_CODE[ins.op]
            pops, pushes = _effect(ins.op, ins.operands, procs, op.pops, op.pushes, op.operands)
            depth = depth - pops + pushes
            best = max(best, depth, depth + pops)
            for operand in ins.operands:
                if isinstance(operand, Label):
                    todo.append((operand.at, depth))
            if op.ends:
                break
            at += 1
    return best


def _effect(
    code: int,
    operands: tuple[int | Label, ...],
    procs: list[Proc],
    pops: int | str,
    pushes: int | str,
    names: tuple[str, ...],
) -> tuple[int, int]:
    if code == isa.CALL:
        target = procs[plain(operands[0])]
        return target.arguments, target.results

    def number(value: int | str) -> int:
        if isinstance(value, int):
            return value
        if value == "nargs+1":
            return plain(operands[names.index("nargs")]) + 1
        if value in names:
            return plain(operands[names.index(value)])
        return 0

    return number(pops), number(pushes)
