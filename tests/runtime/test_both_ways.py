"""Random programs give the same in plain Python and compiled, and none of them leaves its words.

The programs are made of statements that leave the stack as it was: operands are pushed, one instruction runs, its
results go to words of the game. Operands are mostly sensible, so that programs get far, and sometimes not, so that
they fault.
"""

from __future__ import annotations

import random

import pytest
from asm import COLUMN, FIRST_SEAT, FIRST_TILE, FIRST_ZONE, MAP, PIECES, TABLE, assemble, image_of
from tiny import TOKENS, tokens
from ways import Strict, play

from ludoloom.runtime import jit, vm
from ludoloom.runtime.image import Program
from ludoloom.runtime.isa import NIL
from ludoloom.runtime.machine import R_STATUS, REGISTERS, ST_FAULT
from ludoloom.runtime.serial import from_bytes, to_bytes
from ludoloom.runtime.simulate import simulate
from ludoloom.runtime.state import begin
from ludoloom.runtime.verify import check_places, check_program, check_state, prove

PLACES = list(range(FIRST_TILE, TABLE + 1))
SUMS = ["ADD", "SUB", "MUL", "DIV", "MOD", "MIN", "MAX", "EQ", "NE", "LT", "LE", "INR", "MKR"]
NUMBERS = [0, 1, 2, 3, 5, 7, 30, -1, -4, 1 << 20, NIL, 2147483647]


class Maker:
    """Writes one random program."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.labels = 0

    def pick(self, *usual: int) -> int:
        """One of the usual operands; now and then any number at all."""
        return self.chance.choice(NUMBERS) if self.chance.random() < 0.02 else self.chance.choice(usual)

    def thing(self) -> int:
        return self.pick(*range(1, FIRST_ZONE))

    def piece(self) -> int:
        return self.pick(*range(1, PIECES + 1))

    def tile(self) -> int:
        return self.pick(FIRST_TILE, FIRST_TILE + 1, FIRST_TILE + 2)

    def place(self) -> int:
        return self.pick(FIRST_ZONE, FIRST_ZONE, FIRST_ZONE + 1, *PLACES)

    def keep(self) -> str:
        return f"STS {REGISTERS + self.chance.randrange(8)}"

    def value(self) -> str:
        return self.chance.choice(
            [
                f"PUSH {self.pick(*NUMBERS)}",
                f"LDS {REGISTERS + self.chance.randrange(8)}",
                f"LDL {self.chance.randrange(12)}",
                f"PUSH {self.piece()}\nLDF {COLUMN} 1 {PIECES}",
                "NOPT",
                f"ANS {self.chance.randrange(4)}",
                "ROLL 0 6",
            ]
        )

    def statement(self, depth: int = 0) -> str:
        """One statement; `depth` bounds blocks within blocks."""
        c = self.chance
        sets = c.choice([2, 4, 6])
        wholes = [
            lambda: f"{self.value()}\n{self.value()}\n{c.choice(SUMS)}\n{self.keep()}",
            lambda: f"{self.value()}\nNOT\n{self.keep()}",
            lambda: f"{self.value()}\nSTL {c.randrange(12)}",
            lambda: f"{self.value()}\nPUSH {self.pick(0, 1, 2)}\nSTX 8 4",
            lambda: f"PUSH {self.pick(0, 1, 2)}\nLDX 8 4\n{self.keep()}",
            lambda: f"{self.value()}\nPUSH {self.piece()}\nSTF {COLUMN} 1 {PIECES}",
            lambda: f"PUSH {self.piece()}\nLDC =table 1 6\n{self.keep()}",
            lambda: f"{self.value()}\nTAB =table 1 6\n{self.keep()}",
            lambda: f"{self.value()}\nPUSH -100\nPUSH {NUMBERS[9]}\nBOUND\n{self.keep()}",
            lambda: f"PUSH {self.thing()}\nPUSH {self.place()}\nMOVE {c.randrange(2)}",
            lambda: f"PUSH {self.piece()}\nPUSH {FIRST_ZONE}\nMOVE {c.randrange(2)}",
            lambda: f"PUSH {self.place()}\nPUSH {self.pick(FIRST_ZONE, FIRST_ZONE + 1)}\nMOVALL {c.randrange(2)}",
            lambda: f"PUSH {self.pick(FIRST_ZONE, FIRST_ZONE + 1)}\nSHUF",
            lambda: f"PUSH {self.place()}\nDRAW\n{self.keep()}",
            lambda: f"PUSH {self.place()}\nZTOP {c.randrange(2)}\n{self.keep()}",
            lambda: f"PUSH {self.place()}\nPUSH {self.pick(1, 2, 3)}\nZAT\n{self.keep()}",
            lambda: f"PUSH {self.place()}\nZCNT\n{self.keep()}",
            lambda: f"PUSH {self.thing()}\nLOC 1 99\n{self.keep()}",
            lambda: f"PUSH {self.thing()}\nINPLAY\n{self.keep()}",
            lambda: f"PUSH {self.tile()}\nPUSH {self.pick(*range(1, 13))}\nPUSH {self.pick(0, 1, 2, 3)}\nMLAY 0",
            lambda: f"PUSH {self.tile()}\nMLIFT 0",
            lambda: f"PUSH {self.tile()}\n{c.choice(['MLINKS', 'MNEXT', 'MGAPS'])} 0 {sets}",
            lambda: f"PUSH {self.tile()}\nPUSH {self.tile()}\n{c.choice(['MDIST', 'MLINE'])} 0\n{self.keep()}",
            lambda: f"MENDS 0\n{self.keep()}",
            lambda: f"SALL {sets} 1 6",
            lambda: f"SNEW {sets} 1",
            lambda: f"PUSH {self.piece()}\nSADD {sets} 1 6",
            lambda: f"PUSH {self.piece()}\nSDEL {sets} 1 6",
            lambda: f"PUSH {self.piece()}\nSHAS {sets} 1 6\n{self.keep()}",
            lambda: f"SOP {sets} {c.choice([2, 4, 6])} 2 {c.randrange(4)}",
            lambda: f"SCNT {sets} 2\n{self.keep()}",
            lambda: f"SPLAY {sets} 1 {FIRST_ZONE - 1}",
            lambda: f"PUSH {self.place()}\nSAT {sets} 1 {FIRST_ZONE - 1}",
            lambda: f"PUSH {self.pick(1, 2, 3)}\nSROW {sets} 2 =rows 1 3",
            lambda: f"SPUSH {sets} 2\nSPOP {c.choice([2, 4, 6])} 2",
            lambda: f"PUSH {self.piece()}\nEVENT 0 1",
            lambda: f"STEP {c.randrange(2)}",
            lambda: f"PUSH {self.piece()}\nPUSH {self.piece()}\nCALL &helper\n{self.keep()}",
            lambda: f"PUSH {self.piece()}\nPUSH {self.piece()}\nPUSH {self.pick(1)}\nCALLI 2 1\n{self.keep()}",
            lambda: "CALL &stopped",
            lambda: "GROUP 1\nSETTLE &settle\nGROUP -1\nSETTLE &settle",
            self.question,
        ]
        if depth < 3:
            wholes += [lambda: self.branch(depth), lambda: self.loop(depth), lambda: self.each(depth, sets)]
        return c.choice(wholes)()

    def question(self) -> str:
        count = self.chance.randrange(1, 4)
        options = "\n".join(
            f"PUSH {FIRST_SEAT}\nPUSH {self.chance.randrange(2)}\n{self.value()}\n{self.value()}\nOPT"
            for _ in range(count)
        )
        return f"{options}\nPUSH {self.chance.choice([0, FIRST_SEAT])}\nASK 0"

    def block(self, depth: int) -> str:
        return "\n".join(self.statement(depth + 1) for _ in range(self.chance.randrange(1, 4)))

    def label(self) -> str:
        self.labels += 1
        return f"l{self.labels}"

    def branch(self, depth: int) -> str:
        here = self.label()
        return f"{self.value()}\n{self.chance.choice(['JZ', 'JNZ'])} @{here}\n{self.block(depth)}\n{here}:"

    def loop(self, depth: int) -> str:
        here, counter = self.label(), 12 + depth
        again = f"LDL {counter}\nPUSH 1\nSUB\nDUP\nSTL {counter}\nJNZ @{here}"
        return f"PUSH 3\nSTL {counter}\n{here}:\n{self.block(depth)}\n{again}"

    def each(self, depth: int, sets: int) -> str:
        here, out, cursor = self.label(), self.label(), 16 + depth
        return (
            f"PUSH 0\nSTL {cursor}\n{here}:\nSNEXT {sets} 1 2 {cursor} @{out}\n{self.block(depth)}\nJMP @{here}\n{out}:"
        )

    def text(self) -> str:
        body = "\n".join(self.statement() for _ in range(self.chance.randrange(5, 60)))
        return (
            f"proc main 0 20 0\n{body}\nPUSH 1\nEND 0\n"
            f"proc helper 2 5 1\nLDL 0\nLDL 1\nMAX\nRET\n"
            f"proc stopped 0 1 0\nCALL &inner\nRET\n"
            f"proc inner 0 12 0\n{self.value()}\nJZ @go\nUNWIND &stopped\ngo:\nRET\n"
            f"proc settle 0 12 0\n{self.value()}\n{self.keep()}\nRET\n"
        )


def make(seed: int) -> Program:
    """A random program that the verifier accepts."""
    prog = assemble(Maker(seed).text())
    assert check_program(prog) == []
    return prog


@pytest.mark.parametrize("block", range(10))
def test_random_programs_go_the_same_way(block: int, checked: jit.Machine) -> None:
    for seed in range(block * 30, block * 30 + 30):
        prog = make(seed)
        asked, room = seed % 3 == 0, (1, 20, 400)[seed % 3]
        answers = [random.Random(seed).randrange(1000) for _ in range(30)]
        plain = play(prog, answers, asked=asked, seed=seed, budget=3000, room=room)
        fast = play(prog, answers, checked, asked=asked, seed=seed, budget=3000, room=room)
        assert plain == fast, f"program {seed}"
        assert check_places(prog, plain[1]) == [], f"program {seed}"
        if plain[1][R_STATUS] != ST_FAULT:
            assert check_state(prog, plain[1]) == [], f"program {seed}"


def test_a_full_record_loses_nothing() -> None:
    for seed in range(40):
        prog = make(seed)
        answers = list(range(30))
        large = play(prog, answers, seed=seed, budget=3000, room=100_000)
        small = play(prog, answers, seed=seed, budget=3000, room=12)
        assert small[2] == large[2]
        assert small[0] == large[0]


def test_damaged_programs_are_refused_or_harmless() -> None:
    """Flip words of programs and their constants: what is still accepted stays within its words."""
    chance = random.Random(4)
    accepted = 0
    for seed in range(60):
        prog = make(seed)
        for _ in range(25):
            damaged = from_bytes(to_bytes(image_of(prog))).programs[0]
            words = chance.choice([damaged.code, damaged.code, damaged.consts])
            at = chance.randrange(len(words))
            words[at] = chance.choice(
                [words[at] + 1, words[at] - 1, 0, -1, chance.randrange(100), chance.choice(NUMBERS)]
            )
            if not -(1 << 31) <= words[at] < 1 << 31 or check_program(damaged):
                continue
            accepted += 1
            _, state, _ = play(damaged, list(range(20)), seed=seed, budget=1000)
            assert check_places(damaged, state) == []
    assert accepted > 100


def test_damaged_states_are_refused_or_harmless() -> None:
    chance = random.Random(5)
    prog = assemble(TOKENS)
    proof = prove(prog)
    state = begin(prog, 2, 3, True, False)
    states: list[list[int]] = []
    for turn in range(12):
        vm.run(prog.code, prog.consts, state, [0], 1000)
        states.append(list(state))
        assert check_state(prog, state, proof) == []
        vm.answer(prog.consts, state, turn % 2)
    accepted = 0
    for _ in range(4000):
        damaged = list(chance.choice(states))
        used = [k for k, word in enumerate(damaged) if word] if chance.random() < 0.5 else range(200)
        damaged[chance.choice(list(used))] = chance.choice([0, 1, -1, 2, 7, 9, 12, 500, chance.choice(NUMBERS)])
        if check_state(prog, damaged, proof):
            continue
        accepted += 1
        strict = Strict(damaged)
        for turn in range(20):
            vm.run(Strict(prog.code), Strict(prog.consts), strict, Strict([0]), 1000)
            vm.answer(prog.consts, strict, turn % 2)
    assert accepted > 100


def test_playouts_agree(checked: jit.Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "machine", lambda: checked)
    image = tokens()
    plain = simulate(image, 40, 2, seed=11, fast=False)
    fast = simulate(image, 40, 2, seed=11, fast=True)
    assert fast.fast
    assert not plain.fast
    assert plain.data() == fast.data()
    assert plain.lengths == fast.lengths
    assert plain.outcomes == {"won": 40}
    assert MAP < TABLE
