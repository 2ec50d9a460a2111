"""Shorter code means the same: on instructions one can read, and in whole games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from ludoloom.compiler.backend import emit
from ludoloom.compiler.backend.proc import Label, Proc
from ludoloom.compiler.backend.shorten import shorten
from ludoloom.compiler.pipeline import load
from ludoloom.runtime import isa
from ludoloom.runtime.game import Game

GAMES = Path(__file__).parents[1] / "games"


def shortened(text: str) -> str:
    """``JZ @a / PUSH 1 / a: RET`` as it is afterwards, jumps shown as ``@3`` (the instruction of that number)."""
    proc, labels = Proc("p", 0, 0, 0), dict[str, Label]()
    codes = {op.name: op.code for op in isa.BY_CODE.values()}
    for word in text.split("/"):
        name, colon, rest = word.strip().rpartition(":")
        if colon:
            proc.set(labels.setdefault(name, proc.label()))
        op, *operands = rest.split()
        with proc.at(None, effect=op.endswith("!")):
            proc.put(
                codes[op.rstrip("!")],
                *(labels.setdefault(o[1:], proc.label()) if o[0] == "@" else int(o) for o in operands),
            )
    shorten(proc)
    shown: list[str] = []
    for ins in proc.code:
        parts = [f"@{part.at}" if isinstance(part, Label) else str(part) for part in ins.operands]
        shown.append(" ".join([isa.BY_CODE[ins.op].name, *parts]))
    return " / ".join(shown)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("LDL 0 / PUSH 0 / EQ / JZ @a / POP / a: RET", "LDL 0 / JNZ @3 / POP / RET"),
        ("LDL 0 / PUSH 0 / NE / JZ @a / POP / a: RET", "LDL 0 / JZ @3 / POP / RET"),
        ("LDL 0 / PUSH 1 / EQ / JZ @a / POP / a: RET", "LDL 0 / PUSH 1 / EQ / JZ @5 / POP / RET"),
        ("LDL 0 / NOT / JNZ @a / POP / a: RET", "LDL 0 / JZ @3 / POP / RET"),
        ("LDL 0 / JZ @a / JMP @b / a: POP / b: RET", "LDL 0 / JNZ @3 / POP / RET"),
        # A yes or no that is only asked for a jump; what nothing reaches then is gone.
        ("LDL 0 / JZ @n / PUSH 1 / JMP @e / n: PUSH 0 / e: JZ @x / DUP / x: RET", "LDL 0 / JZ @3 / DUP / RET"),
        ("JMP @a / POP / a: JMP @b / POP / b: DUP / RET", "DUP / RET"),
        ("LDL 0 / JZ @a / PUSH 1 / JMP @b / a: PUSH 0 / b: RET", "LDL 0 / JZ @4 / PUSH 1 / RET / PUSH 0 / RET"),
        # Back into a loop at once.
        ("a: POP / LDL 0 / JNZ @b / JMP @a / DUP / b: RET", "POP / LDL 0 / JZ @0 / RET"),
        (
            "a: POP / LDL 0 / JNZ @b / JMP @a / b: DUP / JNZ @c / RET / c: POP / JNZ @d / JMP @a / RET / d: RET",
            "POP / LDL 0 / JZ @0 / DUP / JNZ @6 / RET / POP / JZ @0 / RET",
        ),
        # A loop without an end stays one.
        ("a: JMP @a", "JMP @0"),
        ("a: JMP @b / b: JMP @a", "JMP @0"),
        # The second instruction is jumped to with another number on the stack.
        (
            "LDL 0 / JZ @a / PUSH 3 / JMP @b / a: PUSH 0 / b: EQ / RET",
            "LDL 0 / JZ @4 / PUSH 3 / JMP @5 / PUSH 0 / EQ / RET",
        ),
        # What counts for coverage is not jumped over.
        ("LDL 0 / JZ @a / RET / a: JMP! @b / POP / b: DUP / RET", "LDL 0 / JZ @3 / RET / JMP @4 / DUP / RET"),
    ],
)
def test_instructions(before: str, after: str) -> None:
    assert shortened(before) == after


def unchanged(proc: Proc, tables: Sequence[Label] = ()) -> None:
    """In the place of `shorten`."""


def played(folder: Path, seed: int) -> tuple[list[str], list[str], str]:
    """The decisions, the log and the last position of a game played by the seed."""
    image = load([str(folder)]).games[0].image
    assert image is not None
    game = Game.new(image, seed=seed, fast=False)
    turn = seed
    while game.status == "ask" and len(game.decisions) < 200:
        turn = turn * 5 % 65521 + 1
        game.apply(turn % len(game.options))
    return [str(decision) for decision in game.decisions], game.log(), game.digest()


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "press_luck", "kuhn_poker"])
def test_games_stay_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    short = [played(GAMES / name, seed) for seed in (3, 4)]
    monkeypatch.setattr(emit, "shorten", unchanged)
    assert [played(GAMES / name, seed) for seed in (3, 4)] == short
    assert all(decisions for decisions, _, _ in short)
