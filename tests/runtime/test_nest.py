"""Jumps become loops again: the nested source visits the blocks that the jumps would."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from ludoloom.runtime.nest import Arm, Nest, TooTangled, untangled


def source(follows: dict[int, list[int]]) -> str:
    """A function over the blocks: each notes its number; a list of choices says which way it goes."""

    def body(nest: Nest, node: int, spent: int) -> Sequence[str | Arm]:
        block = nest.origin[node]
        lines: list[str | Arm] = [f"way.append({block})"]
        then = follows[block]
        if not then:
            return [*lines, *pay(spent + 1), "return paid"]
        lines += ["if not choices: return -1", f"k = choices.pop() % {len(then)}"]
        lines += [Arm(f"k == {k}", to, spent + 1) for k, to in enumerate(then[:-1])]
        return [*lines, Arm("", then[-1], spent + 1)]

    def pay(spent: int) -> list[str]:
        return [f"paid += {spent}"] if spent else []

    def own(node: int, spent: int) -> Sequence[str | Arm]:
        return body(nest, node, spent)

    nest = Nest(0, follows, own, pay)
    text = "\n".join("    " * level + line for level, line in nest.text(1))
    return f"def walk(choices, way):\n    paid = 0\n{text}\n"


def walk(follows: dict[int, list[int]], choices: list[int]) -> list[int]:
    """The blocks that the jumps visit."""
    at, way, left = 0, [0], list(choices)
    while follows[at] and left:
        at = follows[at][left.pop() % len(follows[at])]
        way.append(at)
    return way


def check(follows: dict[int, list[int]], chance: random.Random) -> None:
    names: dict[str, Any] = {}
    exec(source(follows), names)
    for _ in range(20):
        choices = [chance.randrange(6) for _ in range(40)]
        way: list[int] = []
        paid = names["walk"](list(choices), way)
        assert way == walk(follows, choices), follows
        assert paid in (-1, len(way)), follows


def test_a_loop_is_a_while() -> None:
    text = source({0: [1], 1: [2, 3], 2: [1], 3: []})
    assert text.count("while True:") == 1
    assert text.count("continue") == 1
    check({0: [1], 1: [2, 3], 2: [1], 3: []}, random.Random(1))


def test_random_blocks() -> None:
    chance = random.Random(2)
    for _ in range(300):
        n = chance.randrange(2, 9)
        follows = {
            k: list(dict.fromkeys(chance.randrange(n) for _ in range(chance.choice([0, 1, 2, 2, 3])))) for k in range(n)
        }
        reached = {0}
        while more := {to for block in reached for to in follows[block]} - reached:
            reached |= more
        try:
            check({block: follows[block] for block in reached}, chance)
        except TooTangled:
            continue


def test_a_loop_with_two_ways_in_is_copied_in_part() -> None:
    follows = {0: [1, 2], 1: [2], 2: [1, 3], 3: []}
    graph, origin = untangled(0, follows)
    assert sorted(origin.values()) in ([0, 1, 1, 2, 3], [0, 1, 2, 2, 3])
    assert len(graph) == 5
    check(follows, random.Random(3))


def test_what_is_too_deep_is_refused() -> None:
    n = 25
    # Each loop begins in the one before and ends behind all of them.
    follows = {k: [k + 1] for k in range(n)}
    follows |= {n + k: [n - 1 - k, n + k + 1] for k in range(n)}
    follows[2 * n] = []
    with pytest.raises(TooTangled, match="too many loops"):
        source(follows)
