"""A program with functions of its own plays as the interpreter does: states, records, faults, budgets.

The written source runs here in plain Python, over lists that refuse negative indices and too large numbers; at the end
a game is compiled too.
"""

from __future__ import annotations

import random
import re

import pytest
from asm import assemble
from test_both_ways import make
from tiny import TOKENS, TURNS
from ways import play, read, specialised

from ludoloom.runtime import isa, jit
from ludoloom.runtime.busy import busy_places
from ludoloom.runtime.forms import FORMS, UNTRANSLATED
from ludoloom.runtime.isa import BY_CODE, COMPILED
from ludoloom.runtime.machine import FA_BUDGET, R_FAULT, R_SPENT, R_STATUS, ST_FAULT
from ludoloom.runtime.playouts import Playouts
from ludoloom.runtime.state import begin
from ludoloom.runtime.translate import OWN
from ludoloom.runtime.verify import check_program, prove

LOOPS = """
proc main 0 2 0
    CALL &outer
    PUSH 0
    END 0
proc outer 0 3 0
    PUSH 40
    STL 0
again:
    LDL 0
    CALL &inner
    STL 1
    LDL 0
    PUSH 1
    SUB
    DUP
    STL 0
    JNZ @again
    RET
proc inner 1 3 1
    LDL 0
    STL 1
more:
    LDL 1
    PUSH 3
    LT
    JNZ @out
    LDL 1
    PUSH 2
    SUB
    STL 1
    LDL 2
    PUSH 1
    ADD
    STL 2
    JMP @more
out:
    LDL 2
    RET
"""


@pytest.mark.parametrize("block", range(6))
def test_random_programs_go_the_same_way(block: int) -> None:
    for seed in range(block * 40, block * 40 + 40):
        prog = make(seed)
        chance = random.Random(seed)
        places = [pc for pc in prove(prog).depth if chance.random() < (0.05, 0.3, 1.0)[seed % 3]]
        special = specialised(prog, places)
        asked, room, budget = seed % 4 == 0, (1, 20, 400)[seed % 3], (3000, 90, 40)[seed // 3 % 3]
        answers = [chance.randrange(1000) for _ in range(30)]
        plain = play(prog, answers, asked=asked, seed=seed, budget=budget, room=room)
        other = play(prog, answers, asked=asked, seed=seed, budget=budget, room=room, special=special)
        assert plain[0] == other[0], f"program {seed}"
        assert read(prog, plain[1]) == read(prog, other[1]), f"program {seed}"
        assert plain[2] == other[2], f"program {seed}"


def test_the_budget_ends_at_the_same_instruction() -> None:
    prog = assemble(LOOPS)
    special = specialised(prog)
    for budget in [*range(1, 300), 2000, 100_000]:
        plain, other = play(prog, budget=budget), play(prog, budget=budget, special=special)
        assert read(prog, plain[1]) == read(prog, other[1]), f"budget {budget}"
        assert plain[1][R_STATUS] != ST_FAULT or (plain[1][R_FAULT], plain[1][R_SPENT]) == (FA_BUDGET, budget)


def test_a_procedure_that_begins_with_a_loop_keeps_what_it_has() -> None:
    """The interpreter comes back to its first instruction, where a function begins too."""
    prog = assemble(
        "proc main 0 0 0\nCALL &turns\nSTS 32\nPUSH 0\nEND 0\n"
        "proc turns 0 2 1\nagain:\nLDL 0\nPUSH 1\nADD\nSTL 0\nROLL 0 6\nLDL 1\nADD\nSTL 1\n"
        "LDL 0\nPUSH 5\nLT\nJNZ @again\nLDL 1\nRET"
    )
    special = specialised(prog, [prog.procs[1].entry])
    assert [entry.fresh for entry in special.entries] == [True, False]
    for asked in (False, True):
        plain, other = play(prog, range(9), asked=asked), play(prog, range(9), asked=asked, special=special)
        assert read(prog, plain[1]) == read(prog, other[1])
        assert plain[1][32] > 0


def test_what_one_place_calls_is_to_be_compiled_into_it() -> None:
    prog = assemble(
        "proc main 0 0 0\nCALL &outer\nPUSH 0\nEND 0\n"
        "proc outer 0 1 0\nPUSH 3\nCALL &once\nCALL &twice\nCALL &twice\nSTL 0\nRET\n"
        "proc once 1 1 1\nLDL 0\nPUSH 1\nADD\nRET\nproc twice 1 1 1\nLDL 0\nPUSH 2\nADD\nRET"
    )
    special = specialised(prog, [proc.entry for proc in prog.procs])
    names = [f"f{prog.procs[number].entry}" for number in (1, 2, 3)]
    assert [name in special.inlined for name in ("enter", *names)] == [True, True, True, False]


def test_procedures_in_a_circle_are_called_by_the_interpreter() -> None:
    prog = assemble(
        "proc main 0 1 0\nPUSH 8\nCALL &down\nSTS 32\nPUSH 0\nEND 0\n"
        "proc down 1 1 1\nLDL 0\nJZ @none\nLDL 0\nPUSH 1\nSUB\nCALL &up\nRET\nnone:\nPUSH 7\nRET\n"
        "proc up 1 1 1\nLDL 0\nCALL &down\nPUSH 1\nADD\nRET"
    )
    special = specialised(prog)
    plain, other = play(prog), play(prog, special=special)
    assert read(prog, plain[1]) == read(prog, other[1])
    assert plain[1][32] == 15


def test_a_small_game_goes_the_same_way() -> None:
    prog = assemble(TOKENS)
    special = specialised(prog)
    for seed in range(20):
        for forced in (False, True):
            answers = [random.Random(seed).randrange(1000) for _ in range(40)]
            plain = play(prog, answers, seed=seed, asked=seed % 2 == 0, forced=forced, budget=5000)
            other = play(prog, answers, seed=seed, asked=seed % 2 == 0, forced=forced, budget=5000, special=special)
            assert (plain[0], plain[2]) == (other[0], other[2])
            assert read(prog, plain[1]) == read(prog, other[1])


def test_every_instruction_is_translated_or_left_out() -> None:
    assert FORMS.keys() | OWN.keys() | UNTRANSLATED == BY_CODE.keys()
    assert not FORMS.keys() & OWN.keys()
    assert not UNTRANSLATED & (FORMS.keys() | OWN.keys())


def test_nothing_but_numbers_gets_into_the_source() -> None:
    """Names that a game gives to things cannot be told from the source."""
    word = re.compile(r"[a-z_]+[0-9]*|-?[0-9]+|[-+*&|~<>=!.,:()\[\] /%]")
    for seed in range(10):
        for line in specialised(make(seed)).source.splitlines():
            if not line.startswith("#"):
                assert word.sub("", line) == "", line


def test_code_that_was_laid_anew_is_no_program() -> None:
    prog = assemble(LOOPS)
    special = specialised(prog)
    assert max(special.laid) >= COMPILED > max(BY_CODE)
    prog.code[:] = special.laid
    assert "there is no opcode" in check_program(prog)[0]


def test_the_busy_places_follow_from_the_program() -> None:
    prog = assemble(LOOPS.replace("PUSH 40", "PUSH 400"))
    first, proof = begin(prog, 2, 1, False, False), prove(prog)
    places = busy_places(prog, proof, first)
    assert places == busy_places(prog, proof, first)
    inner = next(row for row in prog.procs if row.name == "inner")
    assert inner.entry in places
    # What calls `inner`, which nothing interrupts, needs no place behind the call.
    assert {proof.proc[pc] for pc in places} <= {1, 2}
    assert all(pc == prog.procs[proof.proc[pc]].entry for pc in places)


def test_a_question_is_interrupted_and_gone_on_with() -> None:
    prog = assemble(TURNS)
    proof = prove(prog)
    places = busy_places(prog, proof, begin(prog, 2, 1, False, False))
    behind = {pc + 2 for pc in proof.depth if prog.code[pc] == isa.ASK}
    assert behind & set(places)
    special = specialised(prog, places)
    assert behind & {entry.pc for entry in special.entries}


@pytest.mark.slow
def test_compiled_functions_give_the_same_games(checked: jit.Machine) -> None:
    prog = assemble(TURNS)
    first = begin(prog, 2, 0, False, False)
    special = jit.specialised(prog, busy_places(prog, prove(prog), first), checked=True)
    for seed in (3, 4):
        answers = [random.Random(seed).randrange(1000) for _ in range(40)]
        plain, fast = play(prog, answers, seed=seed), play(prog, answers, special, seed=seed)
        assert (plain[0], plain[2]) == (fast[0], fast[2])
        assert read(prog, plain[1]) == read(prog, fast[1])
    ways = [Playouts(prog, first, 5000, 1000, machine) for machine in (None, checked, special)]
    rows = [way.results(7, 30) for way in ways]
    assert rows[0] == rows[1] == rows[2]
