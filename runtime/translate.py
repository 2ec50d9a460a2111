"""One piece of a procedure as one Python function: what `specialise.py` asks for each entry.

    LDL 2; LDF 33 3 9; JZ L404        if l2 < 3 or l2 >= 12: … return leave(…)
                                      if state[l2 + 30] == 0: …

Words of the frame are variables `l0`, `l1` …, unless some instruction finds them by a number (`blocks.looked_up`);
what lies on the stack at the end of a block is in `s0`, `s1` …. In between the stack holds texts: an instruction takes
the texts of its words and puts a text in their place, so that several of them become one expression. A text that reads
the state is computed before the state changes.

`left` is what the budget has left. It is looked at where a function begins, at the head of a loop and after a call, for
all that can run before the next look; what has run since (`spent`) is subtracted when somebody else must know.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Final

from ludoloom.runtime import isa
from ludoloom.runtime import machine as m
from ludoloom.runtime.blocks import cut, decoded, left_out, looked_up
from ludoloom.runtime.forms import FORMS, numbers
from ludoloom.runtime.image import Program
from ludoloom.runtime.isa import NIL, Op
from ludoloom.runtime.nest import Arm, Nest
from ludoloom.runtime.verify import Proof, effect

SOFT: Final = -1
"""A function is left at an instruction that only the interpreter knows."""
HARD: Final = -2
"""It is left before a fault, or for lack of budget: the interpreter goes on alone until the game stops."""
WORD_MAX: Final = 2147483647
CONTROL: Final = frozenset({isa.JMP, isa.JZ, isa.JNZ, isa.SWITCH, isa.SNEXT, isa.RET})
"""What ends a block of its own accord."""
_SUMS: Final = {isa.ADD: "+", isa.SUB: "-", isa.MUL: "*"}


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a function begins: a place of the code, its procedure, the depth of the stack there. `fresh`: it is called
    with the arguments of its procedure; otherwise it finds its frame in the state, and goes on."""

    pc: int
    proc: int
    depth: int
    fresh: bool

    @property
    def name(self) -> str:
        return f"{'f' if self.fresh else 'g'}{self.pc}"


@dataclass(frozen=True, slots=True)
class Word:
    """A word on the stack, not yet computed: `text` is its number, or `test` a condition, and the word 1 if it holds.
    `uses`: the words of the frame that are variables in it; `reads`: it looks at the state."""

    text: str = ""
    test: str = ""
    uses: frozenset[int] = frozenset()
    reads: bool = False

    @property
    def number(self) -> str:
        return self.text or f"(1 if {self.test} else 0)"

    @property
    def holds(self) -> str:
        return self.test or f"{self.text} != 0"

    @property
    def fails(self) -> str:
        return f"not ({self.test})" if self.test else f"{self.text} == 0"

    @property
    def constant(self) -> bool:
        return self.text.lstrip("-").isdigit()

    @property
    def simple(self) -> bool:
        return self.constant or self.text.isidentifier()


def translate(program: Program, proof: Proof, entry: Entry, called: Container[int]) -> str:
    """The function of an entry, as source. `called`: the procedures that have a function; raises `TooTangled`."""
    return Writer(program, proof, entry, called).function()


def paid(spent: int) -> list[str]:
    """What has run, taken from the budget."""
    return [f"left -= {spent}"] if spent else []


class Writer:
    """Writes one function."""

    def __init__(self, program: Program, proof: Proof, entry: Entry, called: Container[int]) -> None:
        self.program, self.consts, self.proof, self.entry, self.called = program, program.consts, proof, entry, called
        self.row = program.procs[entry.proc]
        own = [pc for pc, proc in proof.proc.items() if proc == entry.proc]
        self.looked_up = looked_up(program, own)
        self.groups = any(program.code[pc] == isa.GROUP for pc in own)
        self.blocks = cut(program, entry.pc, called)
        self.nest = Nest(entry.pc, {pc: block.then for pc, block in self.blocks.items()}, self.block, paid)
        self.needs = self.budgets()
        self.variables = [i for i in range(self.row.nlocals) if i not in self.looked_up]
        self.stack: list[Word] = []
        self.lines: list[str | Arm] = []
        self.spent = 0
        self.temps = 0

    # --- the whole
    def function(self) -> str:
        """The function, and before it the one that writes its variables to where the interpreter has them."""
        named = "".join(f", l{i}" for i in self.variables)
        kept = "".join(f"    state[fp + {i}] = l{i}\n" for i in self.variables)
        keep = (
            f"def {self.keeper}(state, pc, sp, fp, cp, left, how{named}):\n{kept}"
            f"    return leave(state, pc, sp - {self.consts[m.H_STACK]}, fp - {self.consts[m.H_STACK]}, cp, left, how)"
        )
        lines = self.beginning() + self.nest.text(1)
        body = "\n".join("    " * level + line for level, line in lines)
        return f"{keep}\n\n\n{self.head()}\n{body}"

    def head(self) -> str:
        """The first line. A function of a whole procedure takes its arguments."""
        arguments = ""
        if self.entry.fresh:
            arguments = "".join(f", a{i}" if i in self.looked_up else f", l{i}" for i in range(self.row.nargs))
        return f"def {self.entry.name}(consts, state, record, fp, cp, left{arguments}):"

    def beginning(self) -> list[tuple[int, str]]:
        """The lines that set all variables."""
        if self.entry.fresh:
            lines = [f"l{i} = 0" for i in self.variables if i >= self.row.nargs]
            lines += [f"state[fp + {i}] = {f'a{i}' if i < self.row.nargs else 0}" for i in sorted(self.looked_up)]
        else:
            lines = [f"l{i} = state[fp + {i}]" for i in self.variables]
            lines += [f"s{k} = state[{self.at(k)}]" for k in range(self.entry.depth)]
        if self.groups:
            lines.append(f"group = state[{m.R_GROUP}]")
        return [(1, line) for line in lines]

    def budgets(self) -> dict[tuple[int, int], int]:
        """For each instruction of each block how many may run from there on before the budget is looked at again."""
        needs: dict[tuple[int, int], int] = {}
        for node in reversed(self.nest.order):
            head = self.nest.origin[node]
            then = [to for to in self.nest.follows[node] if to not in self.nest.loops]
            after = max((needs.get((to, self.nest.origin[to]), 0) for to in then), default=0)
            for pc, op, operands in reversed(self.blocks[head].rows):
                if left_out(op, operands, self.called):
                    after = 0
                else:
                    after = 1 if op.code in (isa.CALL, isa.SETTLE) else 1 + after
                needs[node, pc] = after
        return needs

    def block(self, node: int, spent: int) -> Sequence[str | Arm]:
        """The lines of a block, or of a copy of it, and where it goes on."""
        head = self.nest.origin[node]
        block = self.blocks[head]
        self.lines, self.spent = [], spent
        self.stack = [Word(f"s{k}") for k in range(self.proof.depth[head])]
        look = node == self.entry.pc or node in self.nest.loops
        for pc, op, operands in block.rows:
            if look and self.needs[node, pc]:
                self.unless(pc, f"left < {self.needs[node, pc]}")
            look = op.code in (isa.CALL, isa.SETTLE)
            if left_out(op, operands, self.called):
                self.leave(pc, SOFT)
                return self.lines
            OWN.get(op.code, form)(self, pc, op, operands)
            self.spent += op.code not in CONTROL and not look
        if block.rows[-1][1].code not in CONTROL:
            self.flush()
            self.lines.append(Arm("", block.then[0], self.spent))
        return self.lines

    # --- words
    def at(self, k: int) -> str:
        """Where word `k` of the stack lies in the state."""
        return f"fp + {self.row.nlocals + k}"

    def temp(self, text: str) -> str:
        """A new variable with this value."""
        self.temps += 1
        self.lines.append(f"t{self.temps} = {text}")
        return f"t{self.temps}"

    def compute(self, k: int) -> None:
        """Word `k` of the stack becomes a variable of its own."""
        if not self.stack[k].constant:
            self.stack[k] = Word(self.temp(self.stack[k].number))

    def simplify(self, count: int) -> None:
        """The upper words of the stack become names or numbers, so that they can be said several times."""
        for k in range(len(self.stack) - count, len(self.stack)):
            if not self.stack[k].simple:
                self.compute(k)

    def settle(self, above: int) -> None:
        """The state is about to change: what is read from it is read now, the upper words aside."""
        for k in range(len(self.stack) - above):
            if self.stack[k].reads:
                self.compute(k)

    def touch(self, i: int) -> None:
        """Word `i` of the frame is about to change."""
        for k, word in enumerate(self.stack):
            if i in word.uses or (i in self.looked_up and word.reads):
                self.compute(k)

    def top(self, count: int) -> list[str]:
        """The texts of the upper words."""
        return [word.number for word in self.stack[len(self.stack) - count :]]

    def drop(self, count: int) -> None:
        """Take words from the stack."""
        del self.stack[len(self.stack) - count :]

    def load(self, i: int) -> Word:
        """Word `i` of the frame."""
        if i in self.looked_up:
            return Word(f"state[fp + {i}]", reads=True)
        return Word(f"l{i}", uses=frozenset((i,)))

    def store(self, i: int, text: str) -> None:
        """Word `i` of the frame becomes this."""
        self.touch(i)
        to = self.load(i).text
        if text != to:
            self.lines.append(f"{to} = {text}")

    def flush(self) -> None:
        """At the end of a block the stack lies in the variables that the next one begins with."""
        for k, word in enumerate(self.stack):
            if word.text != f"s{k}":
                self.lines.append(f"s{k} = {word.number}")

    # --- leaving
    def unless(self, pc: int, fault: str) -> None:
        """Leave before the instruction at `pc` if this holds; the stack is as it was before."""
        self.lines.append(f"if {fault}:")
        self.leave(pc, HARD, "    ")

    def leave(self, pc: int, how: int, indent: str = "") -> None:
        """Write all words to where the interpreter has them, and leave."""
        for line in self.leaving(pc, len(self.stack), how):
            self.lines.append(indent + line)

    def leaving(self, pc: int, depth: int, how: int) -> list[str]:
        """The lines that leave."""
        left = f"left - {self.spent}" if self.spent else "left"
        kept = f"{self.keeper}(state, {pc}, {self.at(depth)}, fp, cp, {left}, {how}{self.frame})"
        return [*self.kept(depth), f"return {kept}{self.nothing}"]

    def kept(self, depth: int) -> list[str]:
        """The lines that write so many words of the stack."""
        return [f"state[{self.at(k)}] = {self.stack[k].number}" for k in range(depth)]

    @property
    def keeper(self) -> str:
        return f"k{self.entry.name}"

    @property
    def frame(self) -> str:
        return "".join(f", l{i}" for i in self.variables)

    @property
    def nothing(self) -> str:
        """Results where there are none."""
        return ", 0" * self.row.nret


# --- instructions --------------------------------------------------------------------------------------------------
def form(w: Writer, pc: int, op: Op, o: tuple[int, ...]) -> None:
    """An instruction of the table `FORMS`."""
    row = FORMS[op.code]
    taken, _ = effect(w.program, w.row, op, o)
    if row.fault or row.wrong or row.value.count("{a}") > 1:
        w.simplify(taken)
    if row.acts or row.do:
        w.settle(0 if row.acts else taken)
    words = w.stack[len(w.stack) - taken :]
    names = numbers(w.program, op, o)
    names["top"] = w.at(len(w.stack))
    names.update(zip("abcd", (word.number for word in words), strict=False))
    if row.fault:
        w.unless(pc, row.fault.format(**names))
    value, test, reads = row.value.format(**names), row.test.format(**names), row.reads
    if row.wrong:
        value, reads = w.temp(value), False
        w.unless(pc, row.wrong.format(it=value, **names))
    w.drop(taken)
    if row.do:
        w.lines.append(row.do.format(**names))
    if value or test:
        uses = frozenset[int]().union(*(word.uses for word in words))
        w.stack.append(Word(value, test, uses, reads or any(word.reads for word in words)))


def push(w: Writer, _pc: int, _op: Op, o: tuple[int, ...]) -> None:
    w.stack.append(Word(str(o[0])))


def pop(w: Writer, _pc: int, _op: Op, _o: tuple[int, ...]) -> None:
    w.drop(1)


def dup(w: Writer, _pc: int, _op: Op, _o: tuple[int, ...]) -> None:
    w.simplify(1)
    w.stack.append(w.stack[-1])


def ldl(w: Writer, _pc: int, _op: Op, o: tuple[int, ...]) -> None:
    w.stack.append(w.load(o[0]))


def stl(w: Writer, _pc: int, _op: Op, o: tuple[int, ...]) -> None:
    w.store(o[0], w.stack.pop().number)


def ldx(w: Writer, pc: int, _op: Op, o: tuple[int, ...]) -> None:
    w.simplify(1)
    (k,) = w.top(1)
    w.unless(pc, f"{k} < 0 or {k} >= {o[1]}")
    uses = w.stack.pop().uses
    w.stack.append(w.load(o[0]) if o[1] == 1 else Word(f"state[fp + {o[0]} + {k}]", "", uses, reads=True))


def stx(w: Writer, pc: int, _op: Op, o: tuple[int, ...]) -> None:
    w.simplify(2)
    value, k = w.top(2)
    w.unless(pc, f"{k} < 0 or {k} >= {o[1]}")
    w.drop(2)
    if o[1] == 1:
        w.store(o[0], value)
    else:
        w.settle(0)
        w.lines.append(f"state[fp + {o[0]} + {k}] = {value}")


def arithmetic(w: Writer, pc: int, op: Op, _o: tuple[int, ...]) -> None:
    """ADD, SUB, MUL; the product of two conditions is a condition."""
    a, b = w.stack[-2:]
    if op.code == isa.MUL and a.test and b.test:
        w.drop(2)
        w.stack.append(Word("", f"({a.test}) and ({b.test})", a.uses | b.uses, a.reads or b.reads))
        return
    w.simplify(2)
    names = w.top(2)
    total = w.temp(f"{names[0]} {_SUMS[op.code]} {names[1]}")
    # Neither a condition nor a written number is missing.
    asked = [name for name, word in zip(names, (a, b), strict=True) if not word.test and not word.constant]
    missing = [f"{name} == {NIL}" for name in asked]
    w.unless(pc, " or ".join([*missing, f"{total} > {WORD_MAX}", f"{total} < {-WORD_MAX}"]))
    w.drop(2)
    w.stack.append(Word(total))


def negate(w: Writer, _pc: int, _op: Op, _o: tuple[int, ...]) -> None:
    word = w.stack.pop()
    w.stack.append(Word("", word.fails, word.uses, word.reads))


def event(w: Writer, pc: int, _op: Op, o: tuple[int, ...]) -> None:
    w.unless(pc, f"not fits(record, {o[1] + 3})")
    base = len(w.stack) - o[1]
    w.settle(o[1])
    w.lines.append("if len(record) > 1:")
    w.lines += [f"    state[{w.at(base + k)}] = {w.stack[base + k].number}" for k in range(o[1])]
    w.lines.append(f"    note_event(record, state, {o[0]}, {w.at(base)}, {o[1]})")
    w.drop(o[1])


# --- jumps
def jump(w: Writer, _pc: int, _op: Op, o: tuple[int, ...]) -> None:
    w.flush()
    w.lines.append(Arm("", o[0], w.spent + 1))


def branch(w: Writer, pc: int, op: Op, o: tuple[int, ...]) -> None:
    word = w.stack.pop()
    w.flush()
    _, _, after = decoded(w.program.code, pc)
    if o[0] != after:
        w.lines.append(Arm(word.fails if op.code == isa.JZ else word.holds, o[0], w.spent + 1))
    w.lines.append(Arm("", after, w.spent + 1))


def switch(w: Writer, pc: int, _op: Op, o: tuple[int, ...]) -> None:
    w.simplify(1)
    (number,) = w.top(1)
    w.drop(1)
    w.flush()
    _, _, after = decoded(w.program.code, pc)
    w.lines += [Arm(f"{number} == {k}", w.consts[o[0] + k], w.spent + 1) for k in range(o[1])]
    w.lines.append(Arm("", after, w.spent + 1))


def ret(w: Writer, _pc: int, _op: Op, _o: tuple[int, ...]) -> None:
    if w.groups:
        w.settle(0)
        w.lines.append(f"state[{m.R_GROUP}] = group")
    w.lines.append(", ".join([f"return left - {w.spent + 1}", *(w.top(w.row.nret) if w.row.nret else [])]))


# --- calls
def call(w: Writer, pc: int, _op: Op, o: tuple[int, ...]) -> None:
    w.settle(0)
    w.simplify(w.program.procs[o[0]].nargs)
    w.lines += called(w, pc, o[0])
    w.drop(w.program.procs[o[0]].nargs)
    w.stack += [Word(name) for name in results(w, o[0])]
    w.temps += w.program.procs[o[0]].nret
    w.spent = 0


def settle(w: Writer, pc: int, _op: Op, o: tuple[int, ...]) -> None:
    w.settle(0)
    w.lines.append(f"if state[{m.R_GROUP}] == 0:")
    lines = called(w, pc, o[0]) if o[0] in w.called else w.leaving(pc, len(w.stack), SOFT)
    w.lines += ["    " + line for line in lines]
    w.lines += ["else:", *("    " + line for line in paid(w.spent + 1))] if o[0] in w.called else paid(w.spent + 1)
    w.spent = 0


def called(w: Writer, pc: int, proc: int) -> list[str]:
    """The lines that call a procedure: it may find no room, and it may be left before it returns."""
    target, stack = w.program.procs[proc], w.consts[m.H_STACK]
    base = len(w.stack) - target.nargs
    room = stack + w.consts[m.H_STACK_MAX] - m.STACK_MARGIN - target.nlocals
    _, _, after = decoded(w.program.code, pc)
    arguments = "".join(f", {text}" for text in (w.top(target.nargs) if target.nargs else []))
    frame = f"{w.consts[m.H_FRAMES]} + cp * {m.FRAME_WORDS}"
    return [
        f"if cp >= {w.consts[m.H_FRAME_MAX]} or {w.at(base)} > {room}:",
        *("    " + line for line in w.leaving(pc, len(w.stack), HARD)),
        f"g = state[{m.R_GROUP}]",
        f"{', '.join(['left', *results(w, proc)])} = "
        f"f{target.entry}(consts, state, record, {w.at(base)}, cp + 1, left - {w.spent + 1}{arguments})",
        "if left < 0:",
        f"    keep_frame(state, {frame}, {after}, fp - {stack}, {proc}, g)",
        *("    " + line for line in w.kept(base)),
        f"    return {w.keeper}(state, -1, 0, fp, cp, 0, left{w.frame}){w.nothing}",
    ]


def results(w: Writer, proc: int) -> list[str]:
    """The variables that take what a procedure gives."""
    return [f"t{w.temps + 1 + k}" for k in range(w.program.procs[proc].nret)]


Own = Callable[[Writer, int, Op, tuple[int, ...]], None]
OWN: Final[dict[int, Own]] = {
    isa.PUSH: push,
    isa.POP: pop,
    isa.DUP: dup,
    isa.LDL: ldl,
    isa.STL: stl,
    isa.LDX: ldx,
    isa.STX: stx,
    isa.ADD: arithmetic,
    isa.SUB: arithmetic,
    isa.MUL: arithmetic,
    isa.NOT: negate,
    isa.EVENT: event,
    isa.JMP: jump,
    isa.JZ: branch,
    isa.JNZ: branch,
    isa.SWITCH: switch,
    isa.RET: ret,
    isa.CALL: call,
    isa.SETTLE: settle,
}
"""Instructions that know the frame or go elsewhere; `translate_sets.py` adds those of sets."""
