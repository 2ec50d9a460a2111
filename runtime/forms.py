"""What an instruction is in Python source: the table behind `translate.py`.

    LDF off first n        fault  {a} < {first} or {a} >= {end}        value  state[{a} + {base}]

A row knows nothing of frame, stack and jumps; the instructions that do are functions of `translate.py` and
`translate_sets.py`. The names in braces are the words taken from the stack (`{a}` the deepest), the operands as the
instruction table calls them, and what `numbers` adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ludoloom.runtime import isa
from ludoloom.runtime import machine as m
from ludoloom.runtime.image import Program
from ludoloom.runtime.isa import NIL, Op

UNTRANSLATED: Final = frozenset(
    {isa.ASK, isa.ROLL, isa.DRAW, isa.ZTOP, isa.ZAT, isa.UNWIND, isa.CALLI, isa.FAULT, isa.END}
)
"""Questions, chance, ends and what finds its way at run time: rare, and left to the interpreter."""


@dataclass(frozen=True, slots=True)
class Form:
    """One row.

    `fault`: leave if this holds (`acts`: finding out changes the state, if it does not hold); `do`: what changes;
    `test` or `value`: what is given (`reads`: from the state); `wrong`: leave if this holds of the value `{it}`.
    """

    fault: str = ""
    do: str = ""
    value: str = ""
    test: str = ""
    wrong: str = ""
    reads: bool = False
    acts: bool = False


_OUTSIDE = "{a} < {first} or {a} >= {end}"
_MISSING = "{a} == {nil} or {b} == {nil}"
_BEYOND = (
    f"min({{a}}, {{b}}) < {-isa.RANGE_BIAS} or {{a}} >= {isa.RANGE_MAX}"
    f" or ({{b}} >= {isa.RANGE_MAX} and {{b}} != {isa.RANGE_OPEN})"
)
_LOST = "lost(consts, {map}, {a}, {b})"
_NO_TILE = "not is_tile(consts, {map}, {a})"

FORMS: Final[dict[int, Form]] = {
    isa.LDF: Form(fault=_OUTSIDE, value="state[{a} + {base}]", reads=True),
    isa.STF: Form(fault="{b} < {first} or {b} >= {end}", do="state[{b} + {base}] = {a}"),
    isa.LDC: Form(fault=_OUTSIDE, value="consts[{a} + {base}]"),
    isa.LDS: Form(value="state[{k}]", reads=True),
    isa.STS: Form(do="state[{k}] = {a}"),
    isa.TAB: Form(value="(consts[{a} + {row}] if {low} <= {a} < {stop} else {nil})"),
    isa.EQ: Form(test="{a} == {b}"),
    isa.NE: Form(test="{a} != {b}"),
    isa.LT: Form(test="{a} < {b}"),
    isa.LE: Form(test="{a} <= {b}"),
    isa.INR: Form(test="in_range({a}, {b})"),
    isa.MKR: Form(
        fault=_BEYOND,
        value="make_range({a}, {b})",
    ),
    isa.BOUND: Form(fault="{a} < {b} or {a} > {c}", value="{a}"),
    isa.DIV: Form(fault="{b} == 0 or " + _MISSING, value="{a} // {b}"),
    isa.MOD: Form(fault="{b} == 0 or " + _MISSING, value="{a} % {b}"),
    isa.MIN: Form(fault=_MISSING, value="min({a}, {b})"),
    isa.MAX: Form(fault=_MISSING, value="max({a}, {b})"),
    isa.GROUP: Form(do="state[{group}] += {d}"),
    isa.LOC: Form(
        fault="{a} < 0 or {a} > {things}", value="place_among(consts, state, {a}, {first}, {end})", reads=True
    ),
    isa.MOVE: Form(fault="put(consts, state, {a}, {b}, {o}) != 0", do="state[{a} + {groups}] = 0", acts=True),
    isa.MOVALL: Form(fault="put_all(consts, state, {a}, {b}, {o}) != 0", acts=True),
    isa.ZCNT: Form(
        fault="{a} != 0 and ({a} < {places} or {a} > {things})",
        value="(state[{a} + {counts}] if {a} != 0 else 0)",
        reads=True,
    ),
    isa.SHUF: Form(fault="shuffle(consts, state, {a}) != 0", acts=True),
    isa.MENDS: Form(value="closed_ends(consts, state, {map})", reads=True),
    isa.MLAY: Form(
        fault=_NO_TILE + " or lay(consts, state, {map}, {a}, {b}, {c}) != 0",
        do="state[{a} + {groups}] = 0",
        acts=True,
    ),
    isa.MLIFT: Form(fault=_NO_TILE + " or lift(consts, state, {map}, {a}) != 0", acts=True),
    isa.MDIST: Form(
        fault=_LOST,
        value="steps(consts, state, {map}, {a}, {b}, {top}, {limit})",
        wrong="{it} == {no_room}",
        reads=True,
    ),
    isa.MLINE: Form(fault=_LOST, value="straight(consts, state, {map}, {a}, {b})", reads=True),
    isa.OPT: Form(fault="not add_option(consts, state, {a}, {b}, {c}, {d})", acts=True),
    isa.NOPT: Form(value="(state[{options}] if state[{stale}] == 0 else 0)", reads=True),
    isa.ANS: Form(value="state[{answer} + {k}]", reads=True),
    isa.INPLAY: Form(value="in_play(consts, state, {a})", reads=True),
    isa.STEP: Form(fault="state[{pause}] == {k}", do="state[{step}] = {k}"),
}

_FIXED: Final[dict[str, object]] = {
    "nil": NIL,
    "no_room": -1,
    "group": m.R_GROUP,
    "options": m.R_OPTIONS,
    "stale": m.R_STALE,
    "answer": m.R_ANS,
    "pause": m.R_BREAK,
    "step": m.R_STEP,
}


def numbers(program: Program, op: Op, operands: tuple[int, ...]) -> dict[str, object]:
    """The operands of an instruction by name, and what follows from them: `end` and `base` of a row of things, `row`
    and `stop` of a table, the constants of a growing `map`, and where the parts of the state lie."""
    o = dict(zip(op.operands, operands, strict=True))
    c = program.consts
    found: dict[str, object] = {**_FIXED, **o}
    found["places"], found["things"] = c[m.H_PLACES], c[m.H_THINGS]
    found["groups"] = c[m.H_GROUP]
    found["counts"] = c[m.H_COUNT] - c[m.H_PLACES]
    found["limit"] = c[m.H_STACK] + c[m.H_STACK_MAX]
    if "first" in o and "n" in o:
        found["end"] = o["first"] + o["n"]
    if "off" in o:
        found["base"] = o["off"] - o.get("first", 0)
        found["row"] = o["off"] - o.get("low", 0)
        found["stop"] = o.get("low", 0) + o.get("n", 0)
    if "m" in o:
        found["map"] = c[m.H_MAPS] + o["m"] * m.MAP_WORDS
    return found
