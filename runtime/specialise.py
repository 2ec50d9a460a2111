"""Bytecode to Python source: the busiest places of one game, as functions that numba compiles.

    344  SNEXT 1 3 1 2 L412         while True:
    350  LDL 2                          t1 = next_bit(l1, l2 + -2)
    352  LDF 33 3 9                     if t1 >= 30: break
    356  JZ L404                        l2 = t1 + 3
         …                              if l2 < 3 or l2 >= 12: return …
                                        if state[l2 + 30] == 0: …

The interpreter reads each instruction, its operands and the top of the stack from memory, and jumps through a table.
Here all that is known beforehand is written into the source: operands, offsets, how deep the stack is (the verifier has
proved it), which block follows which. Words of the frame and the stack are variables, as long as nothing finds them by
a number.

**There is one meaning, the interpreter's.** A function can leave at any instruction: it writes its words to where the
interpreter has them, frame by frame, and the interpreter goes on there. So what is rare is not translated at all
(`forms.UNTRANSLATED`), and whatever goes wrong leaves before the instruction that faults: faults, full records and the
end of the budget are the interpreter's own. At a stop the states are the same word for word, those words apart that lie
above the top of the stack and the newest frame, which nobody reads.

**Entries.** A function begins at a place of the code: where a procedure does, or behind a question. The code is laid
anew with `COMPILED + k` in the place of the first instruction there; `tiers.py` runs the interpreter and the functions
by turns. A function calls others directly, procedures that call each other in a circle aside.

Only a verified program is translated, and nothing of it gets into the source but numbers.

`busy.py` says which places are worth it, `translate.py` writes a function, `nest.py` its loops.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ludoloom.runtime import isa
from ludoloom.runtime import machine as m
from ludoloom.runtime.blocks import decoded
from ludoloom.runtime.forms import UNTRANSLATED
from ludoloom.runtime.image import Program
from ludoloom.runtime.isa import COMPILED
from ludoloom.runtime.nest import TooTangled
from ludoloom.runtime.translate import Entry, translate
from ludoloom.runtime.translate_sets import SETS
from ludoloom.runtime.verify import Proof, jumps

assert SETS


@dataclass(frozen=True, slots=True)
class Special:
    """A program's functions as source (`enter` runs one of them), and its code, laid anew to lead there. `inlined` are
    the names of those that are best written into who calls them."""

    source: str
    laid: list[int]
    entries: list[Entry]
    inlined: frozenset[str]


def specialise(program: Program, proof: Proof, places: Iterable[int]) -> Special:
    """Translate what begins at these places; what cannot be translated is left out."""
    parts = ["# Written by ludoloom from the bytecode of a game; see runtime/specialise.py."]
    called: set[int] = set()
    entries: list[Entry] = []
    for entry in _callees_first(program, proof, _wanted(program, proof, places)):
        # The outermost procedure ends the game when it returns, which only the interpreter knows.
        if entry.proc == program.consts[m.H_MAIN] or _begins_outside(program, entry, called):
            continue
        try:
            parts.append(translate(program, proof, entry, called))
        except TooTangled:
            continue
        entries.append(entry)
        if entry.fresh:
            called.add(entry.proc)
    laid = list(program.code)
    # Of two functions that begin at one place, the interpreter takes the one that finds its frame.
    for k, entry in enumerate(entries):
        laid[entry.pc] = COMPILED + k
    inlined = _called_once("\n".join(parts), entries)
    parts.append(_enter(program, entries))
    return Special("\n\n\n".join(parts) + "\n", laid, entries, inlined)


def _called_once(source: str, entries: Iterable[Entry]) -> frozenset[str]:
    """The functions that one place calls, and `enter`, which the loop of `tiers.py` calls."""
    calls = Counter(re.findall(r"= (f[0-9]+)\(", source))
    return frozenset({"enter", *(entry.name for entry in entries if calls[entry.name] <= 1)})


def _wanted(program: Program, proof: Proof, places: Iterable[int]) -> list[Entry]:
    """What shall begin at the places. Where a procedure begins with a loop, the interpreter comes to its first
    instruction again in the middle of its work: then there is a function for those who call, and one for it."""
    known = sorted(set(places) & proof.depth.keys())
    targets: set[int] = set()
    for pc in proof.depth:
        op, operands, _ = decoded(program.code, pc)
        targets.update(jumps(program, op, operands))
    wanted: list[Entry] = []
    for pc in known:
        begins = pc == program.procs[proof.proc[pc]].entry
        for fresh in [True] * begins + [False] * (not begins or pc in targets):
            wanted.append(Entry(pc, proof.proc[pc], proof.depth[pc], fresh))
    return wanted


def _begins_outside(program: Program, entry: Entry, called: set[int]) -> bool:
    """Whether the first instruction is the interpreter's: a function that leaves at once would never get on."""
    op, operands, _ = decoded(program.code, entry.pc)
    return op.code in UNTRANSLATED or (op.code in (isa.CALL, isa.SETTLE) and operands[0] not in called)


def _callees_first(program: Program, proof: Proof, wanted: Sequence[Entry]) -> list[Entry]:
    """The entries so that a procedure comes before those that call it, circles aside."""
    calls: dict[int, list[int]] = {entry.proc: [] for entry in wanted}
    for pc in sorted(proof.depth):
        if proof.proc[pc] in calls and program.code[pc] in (isa.CALL, isa.SETTLE) and program.code[pc + 1] in calls:
            calls[proof.proc[pc]].append(program.code[pc + 1])
    order: dict[int, int] = {}
    seen: set[int] = set()
    for proc in calls:
        todo = [(proc, 0)]
        while todo:
            at, k = todo.pop()
            if k == 0 and at in seen:
                continue
            seen.add(at)
            if k < len(calls[at]):
                todo += [(at, k + 1), (calls[at][k], 0)]
            else:
                order[at] = len(order)
    return sorted(wanted, key=lambda entry: (order[entry.proc], entry.pc, not entry.fresh))


def _enter(program: Program, entries: Sequence[Entry]) -> str:
    """The function that runs entry `k` in the newest frame: 0 if its procedure has returned, else how it was left."""
    stack, frames = program.consts[m.H_STACK], program.consts[m.H_FRAMES]
    lines = [
        "def enter(k, consts, state, record, budget):",
        f"    fp = state[{m.R_FP}] + {stack}",
        f"    cp = state[{m.R_CP}]",
        f"    left = budget - state[{m.R_SPENT}]",
        "    n = 0",
    ]
    for k, entry in enumerate(entries):
        row = program.procs[entry.proc]
        arguments = "".join(f", state[fp + {i}]" for i in range(row.nargs)) if entry.fresh else ""
        results = [f"r{i}" for i in range(row.nret)]
        called = f"{entry.name}(consts, state, record, fp, cp, left{arguments})"
        lines.append(f"    {'elif' if k else 'if'} k == {k}:")
        lines.append(f"        {', '.join(['left', *results])} = {called}")
        if results:
            lines.append("        if left >= 0:")
            lines += [f"            state[fp + {i}] = {name}" for i, name in enumerate(results)]
            lines.append(f"            n = {row.nret}")
    lines += [
        "    if left < 0:",
        f"        state[{m.R_SPENT}] = budget - state[{m.R_SPENT}]",
        "        return left",
        f"    give_back(state, {frames} + cp * {m.FRAME_WORDS} - {m.FRAME_WORDS}, fp + n - {stack}, cp - 1)",
        f"    state[{m.R_SPENT}] = budget - left",
        "    return 0",
    ]
    return "\n".join(lines)
