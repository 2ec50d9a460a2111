"""Chance: the numbers, shuffled piles, and chance that is asked from outside."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from asm import FIRST_ZONE, assemble
from ways import play

from ludoloom.runtime import jit, vm
from ludoloom.runtime.chance import chance, mix
from ludoloom.runtime.machine import (
    H_GROUP,
    R_BOTS,
    R_DECKS,
    R_DICE,
    R_OPTIONS,
    R_QUESTION,
    R_SEED_HIGH,
    R_SEED_LOW,
    REC_DRAW,
    REC_ROLL,
    REGISTERS,
    ST_ASK,
    ST_DRAW,
    ST_END,
    ST_ROLL,
)
from ludoloom.runtime.state import begin, position, things_at

DECK = FIRST_ZONE
HAND = FIRST_ZONE + 1
FILL = "".join(f"PUSH {k}\nPUSH {DECK}\nMOVE 1\n" for k in (1, 2, 3))
DRAW_ALL = "".join(f"PUSH {DECK}\nDRAW\nDUP\nSTS {REGISTERS + k}\nPUSH {HAND}\nMOVE 1\n" for k in (0, 1, 2))


def registers(seed: int = 0) -> list[int]:
    state = [0] * REGISTERS
    state[R_SEED_LOW], state[R_SEED_HIGH] = seed & (1 << 30) - 1, seed >> 30
    return state


def test_numbers_stay_what_they_are() -> None:
    # Recorded games depend on these: a change of the generator is a change of the format.
    state = registers(12345)
    assert [chance(state, R_DICE, 6) for _ in range(12)] == [2, 1, 4, 5, 4, 0, 3, 1, 5, 1, 1, 4]
    assert state[R_DICE] == 12


@pytest.mark.parametrize("n", [1, 2, 6, 7, 20, 52])
def test_each_number_is_equally_likely(n: int) -> None:
    state = registers(99)
    rounds = 2000 * n
    counts = Counter(chance(state, R_DECKS, n) for _ in range(rounds))
    assert sorted(counts) == list(range(n))
    spread = sum((count - 2000) ** 2 / 2000 for count in counts.values())
    assert spread < n + 5 * (2 * n) ** 0.5 + 1


def test_large_ranges_reject_instead_of_favouring() -> None:
    state = registers(3)
    n = 3 << 29
    numbers = [chance(state, R_BOTS, n) for _ in range(4000)]
    assert max(numbers) < n
    assert 0.47 < sum(number < n // 2 for number in numbers) / 4000 < 0.53
    assert state[R_BOTS] > 4000


def test_streams_do_not_shift_each_other() -> None:
    one, two = registers(5), registers(5)
    for _ in range(7):
        chance(two, R_DICE, 6)
    assert [chance(one, R_DECKS, 100) for _ in range(9)] == [chance(two, R_DECKS, 100) for _ in range(9)]
    assert len({mix(k) for k in range(10_000)}) == 10_000


def test_both_ways_draw_the_same(checked: jit.Machine) -> None:
    prog = assemble(f"proc main 0 1 0\n{FILL}PUSH {DECK}\nSHUF\n{DRAW_ALL}ROLL 0 6\nPOP\nPUSH 0\nEND 1")
    for seed in range(60):
        assert play(prog, seed=seed * 7919, players=2) == play(prog, machine=checked, seed=seed * 7919, players=2)


def test_a_shuffled_pile_gives_every_order_equally_often() -> None:
    prog = assemble(f"proc main 0 1 0\n{FILL}PUSH {DECK}\nSHUF\n{DRAW_ALL}PUSH 0\nEND 1")
    orders = Counter(tuple(play(prog, seed=seed)[1][REGISTERS : REGISTERS + 3]) for seed in range(1200))
    assert sorted(orders) == sorted(permutations((1, 2, 3)))
    assert min(orders.values()) > 140


def test_asked_draws_offer_what_is_unknown() -> None:
    prog = assemble(f"proc main 0 1 0\n{FILL}PUSH {DECK}\nSHUF\n{DRAW_ALL}PUSH 0\nEND 1")
    status, state, told = play(prog, asked=True)
    assert (status, state[R_QUESTION], state[R_OPTIONS]) == (ST_DRAW, DECK, 3)
    assert told == []
    status, state, told = play(prog, answers=[1], asked=True)
    assert (status, state[R_OPTIONS]) == (ST_DRAW, 2)
    # The last one is known to be the third; nobody is asked.
    status, state, told = play(prog, answers=[1, 1], asked=True)
    assert status == ST_END
    assert state[REGISTERS : REGISTERS + 3] == [2, 3, 1]
    assert told == [REC_DRAW, DECK, 2, REC_DRAW, DECK, 3, REC_DRAW, DECK, 1]
    # What chance answers uses up no number of the stream.
    assert state[R_DECKS] == 0


def test_asked_rolls_offer_the_faces() -> None:
    prog = assemble(f"proc main 0 1 0\nROLL 1 1\nPOP\nROLL 0 6\nSTS {REGISTERS}\nPUSH 0\nEND 1")
    status, state, told = play(prog, asked=True)
    assert (status, state[R_OPTIONS]) == (ST_ROLL, 6)
    status, state, told = play(prog, answers=[4], asked=True)
    assert (status, state[REGISTERS], state[R_DICE]) == (ST_END, 4, 0)
    assert told == [REC_ROLL, 1, 0, REC_ROLL, 0, 4]


def test_what_was_put_back_on_top_is_known() -> None:
    body = f"{FILL}PUSH {DECK}\nSHUF\nPUSH 2\nPUSH {DECK}\nMOVE 0\n{DRAW_ALL}PUSH 0\nEND 1"
    prog = assemble(f"proc main 0 1 0\n{body}")
    firsts = {play(prog, seed=seed)[1][REGISTERS] for seed in range(20)}
    seconds = {play(prog, seed=seed)[1][REGISTERS + 1] for seed in range(20)}
    assert (firsts, seconds) == ({2}, {1, 3})


@pytest.mark.parametrize(
    ("look", "found"),
    [
        (f"PUSH {DECK}\nZTOP 0", "top"),
        (f"PUSH {DECK}\nZTOP 1", "bottom"),
        (f"PUSH {DECK}\nPUSH 2\nZAT", "second"),
    ],
)
def test_a_look_fixes_what_was_seen(look: str, found: str) -> None:
    body = f"{FILL}PUSH {DECK}\nSHUF\n{look}\nSTS {REGISTERS + 3}\n{DRAW_ALL}PUSH 0\nEND 1"
    prog = assemble(f"proc main 0 1 0\n{body}")
    seen: set[int] = set()
    for seed in range(30):
        _, state, _ = play(prog, seed=seed)
        drawn = state[REGISTERS : REGISTERS + 3]
        assert state[REGISTERS + 3] == drawn[{"top": 0, "bottom": 2, "second": 1}[found]]
        seen.add(state[REGISTERS + 3])
    assert seen == {1, 2, 3}
    # Asked, each unknown position on the way is asked for.
    status, state, _ = play(prog, answers=[2] if found != "second" else [2, 0], asked=True)
    # The third of three is known when the others are.
    assert status == (ST_END if found == "second" else ST_DRAW)
    assert state[REGISTERS + 3] == (1 if found == "second" else 3)


def test_moving_all_keeps_what_is_unknown() -> None:
    body = f"{FILL}PUSH {DECK}\nSHUF\nPUSH {DECK}\nPUSH {HAND}\nMOVALL 0\nPUSH {HAND}\nPUSH {DECK}\nMOVALL 1\n"
    prog = assemble(f"proc main 0 1 0\n{body}{DRAW_ALL}PUSH 0\nEND 1")
    assert len({play(prog, seed=seed)[1][REGISTERS] for seed in range(20)}) == 3


def test_position_of_a_shuffled_pile_has_no_order() -> None:
    one = assemble(f"proc main 0 1 0\n{FILL}PUSH {DECK}\nSHUF\nSTEP 0\nPUSH 0\nEND 1")
    swap = f"PUSH 3\nPUSH {DECK}\nMOVE 0\n"
    two = assemble(f"proc main 0 1 0\n{FILL}{swap}PUSH {DECK}\nSHUF\nPUSH {DECK}\nSHUF\nSTEP 0\nPUSH 0\nEND 1")
    three = assemble(f"proc main 0 1 0\n{FILL}{swap}STEP 0\nPUSH 0\nEND 1")
    keys = [position(prog, play(prog)[1]) for prog in (one, two, three)]
    assert keys[0] == keys[1] != keys[2]
    state = play(one)[1]
    assert [state[one.consts[H_GROUP] + p] for p in things_at(one.consts, state, DECK)] == [1, 1, 1]


def test_questions_with_one_option_are_no_rest_from_the_budget() -> None:
    body = "again:\nPUSH 7\nPUSH 0\nPUSH 1\nPUSH 0\nOPT\nPUSH 7\nASK 0\nJMP @again"
    prog = assemble(f"proc main 0 1 0\n{body}")
    status, _, told = play(prog, budget=1000)
    assert status != ST_ASK
    assert len(told) > 100
    forced = play(prog, answers=[0] * 2000, budget=1000, forced=True)
    assert forced[0] == status
    assert forced[2] == told


def test_answers_that_are_none_change_nothing() -> None:
    prog = assemble("proc main 0 1 0\nROLL 0 6\nPOP\nPUSH 0\nEND 1")
    state = begin(prog, 2, 1, True, False)
    assert vm.answer(prog.consts, state, 0) == 1
    assert vm.run(prog.code, prog.consts, state, [0], 100) == ST_ROLL
    before = list(state)
    assert vm.answer(prog.consts, state, 6) == 1
    assert vm.answer(prog.consts, state, -1) == 1
    assert vm.run(prog.code, prog.consts, state, [0], 100) == ST_ROLL
    assert state == before
    assert vm.answer(prog.consts, state, 5) == 0
    assert vm.answer(prog.consts, state, 5) == 1
