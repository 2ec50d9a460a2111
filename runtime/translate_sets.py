"""The instructions of sets as source: the other half of `translate.py`.

A set of at most 30 members is one variable, and its instructions are arithmetic; a larger one lies in the state, and
its instructions are calls of `sets.py`.
"""

from __future__ import annotations

from typing import Final

from ludoloom.runtime import isa
from ludoloom.runtime import machine as m
from ludoloom.runtime.blocks import decoded, words_of_map
from ludoloom.runtime.isa import SET_BITS, Op
from ludoloom.runtime.nest import Arm
from ludoloom.runtime.sets import SET_MASK
from ludoloom.runtime.translate import OWN, Own, Word, Writer
from ludoloom.runtime.verify import words_of

_MAPS: Final = {isa.MLINKS: "links", isa.MNEXT: "next_to", isa.MGAPS: "gaps"}


def snew(w: Writer, _pc: int, _op: Op, o: tuple[int, ...]) -> None:
    for k in range(o[1]):
        w.store(o[0] + k, "0")


def sall(w: Writer, _pc: int, _op: Op, o: tuple[int, ...]) -> None:
    for k in range(words_of(o[2])):
        w.store(o[0] + k, str((1 << min(SET_BITS, o[2] - k * SET_BITS)) - 1))


def sadd(w: Writer, pc: int, _op: Op, o: tuple[int, ...]) -> None:
    w.simplify(1)
    (a,) = w.top(1)
    w.unless(pc, f"{a} != 0 and ({a} < {o[1]} or {a} >= {o[1] + o[2]})")
    change(w, o, a, "|", "add_member")


def sdel(w: Writer, _pc: int, _op: Op, o: tuple[int, ...]) -> None:
    w.simplify(1)
    (a,) = w.top(1)
    change(w, o, a, "& ~", "drop_member")


def change(w: Writer, o: tuple[int, ...], a: str, sign: str, verb: str) -> None:
    """Put a member in, or take it out."""
    s, first, n = o
    w.drop(1)
    w.touch(s)
    own = w.load(s).text
    single = f"{own} = {own} {sign}(1 << {a} - {first})"
    w.lines.append(f"if {first} <= {a} < {first + n}:")
    w.lines.append("    " + (single if words_of(n) == 1 else f"{verb}(state, fp + {s}, {a} - {first})"))


def shas(w: Writer, _pc: int, _op: Op, o: tuple[int, ...]) -> None:
    s, first, n = o
    w.simplify(1)
    (a,) = w.top(1)
    uses = w.stack.pop().uses
    own = w.load(s)
    found = f"{own.text} >> {a} - {first} & 1" if words_of(n) == 1 else f"has_member(state, fp + {s}, {a} - {first})"
    w.stack.append(Word(f"({found} if {first} <= {a} < {first + n} else 0)", "", uses | own.uses, own.reads))


def sop(w: Writer, _pc: int, _op: Op, o: tuple[int, ...]) -> None:
    for k in range(o[2]):
        a, b = w.load(o[0] + k).text, w.load(o[1] + k).text
        w.store(o[0] + k, (b, f"{a} | {b}", f"{a} & {b}", f"{a} & ~{b}")[o[3]])


def scnt(w: Writer, _pc: int, _op: Op, o: tuple[int, ...]) -> None:
    words = [w.load(o[0] + k) for k in range(o[1])]
    text = " + ".join(f"({word.text} & {SET_MASK}).bit_count()" for word in words) or "0"
    uses = frozenset[int]().union(*(word.uses for word in words))
    w.stack.append(Word(f"({text})", "", uses, any(word.reads for word in words)))


def snext(w: Writer, pc: int, _op: Op, o: tuple[int, ...]) -> None:
    s, first, words, i, label = o
    w.flush()
    cursor = w.load(i).text
    if words == 1:
        found = w.temp(f"next_bit({w.load(s).text}, {cursor} + {1 - first})")
    else:
        found = w.temp(f"next_member(state, fp + {s}, {words}, {cursor} + {1 - first})")
    _, _, after = decoded(w.program.code, pc)
    w.lines.append(Arm(f"{found} >= {words * SET_BITS}", label, w.spent + 1))
    w.lines.append(f"{cursor} = {found} + {first}")
    w.lines.append(Arm("", after, w.spent + 1))


def spush(w: Writer, _pc: int, _op: Op, o: tuple[int, ...]) -> None:
    w.stack += [w.load(o[0] + k) for k in range(o[1])]


def spop(w: Writer, _pc: int, _op: Op, o: tuple[int, ...]) -> None:
    w.simplify(o[1])
    # The words may be those of a set that changes meanwhile.
    texts = [w.temp(text) for text in w.top(o[1])] if o[1] > 1 else w.top(o[1]) if o[1] else []
    w.drop(o[1])
    for k, text in enumerate(texts):
        w.store(o[0] + k, text)


def srow(w: Writer, pc: int, _op: Op, o: tuple[int, ...]) -> None:
    s, words, off, first, n = o
    w.simplify(1)
    (a,) = w.top(1)
    w.unless(pc, f"{a} < {first} or {a} >= {first + n}")
    at = w.temp(f"{a} * {words} + {off - first * words}")
    w.drop(1)
    for k in range(words):
        w.store(s + k, f"consts[{at} + {k}]")


def fill(w: Writer, pc: int, op: Op, o: tuple[int, ...]) -> None:
    """SPLAY, SAT, MLINKS, MNEXT, MGAPS: a function writes the set to its place in the state."""
    if op.code == isa.SPLAY:
        s, words = o[0], words_of(o[2])
        done = f"set_in_play(consts, state, fp + {s}, {o[1]}, {o[2]})"
    else:
        w.simplify(1)
        (a,) = w.top(1)
        if op.code == isa.SAT:
            s, words = o[0], words_of(o[2])
            w.unless(pc, f"{a} != 0 and ({a} < {w.consts[m.H_PLACES]} or {a} > {w.consts[m.H_THINGS]})")
            done = f"set_at_place(consts, state, fp + {s}, {o[1]}, {o[2]}, {a})"
        else:
            s, words = o[1], words_of_map(w.program, op.code, o[0])
            at = w.consts[m.H_MAPS] + o[0] * m.MAP_WORDS
            w.unless(pc, f"not is_tile(consts, {at}, {a})")
            done = f"{_MAPS[op.code]}(consts, state, {at}, {a}, fp + {s})"
        w.drop(1)
    w.settle(0)
    for k in range(words):
        w.touch(s + k)
    w.lines.append(done)
    w.lines += [f"l{s + k} = state[fp + {s + k}]" for k in range(words) if s + k not in w.looked_up]


def opts(w: Writer, pc: int, _op: Op, o: tuple[int, ...]) -> None:
    s, first, words, label = o
    w.settle(0)
    w.simplify(1)
    (who,) = w.top(1)
    w.lines += [f"state[fp + {s + k}] = l{s + k}" for k in range(words) if s + k not in w.looked_up]
    w.unless(pc, f"not add_options(consts, state, fp + {s}, {first}, {words}, {label}, {who})")
    w.drop(1)


SETS: Final[dict[int, Own]] = {
    isa.SNEW: snew,
    isa.SALL: sall,
    isa.SADD: sadd,
    isa.SDEL: sdel,
    isa.SHAS: shas,
    isa.SOP: sop,
    isa.SCNT: scnt,
    isa.SNEXT: snext,
    isa.SPUSH: spush,
    isa.SPOP: spop,
    isa.SROW: srow,
    isa.SPLAY: fill,
    isa.SAT: fill,
    isa.MLINKS: fill,
    isa.MNEXT: fill,
    isa.MGAPS: fill,
    isa.OPTS: opts,
}
OWN.update(SETS)
