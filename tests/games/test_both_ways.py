"""Every game here and every shipped one plays alike in plain Python and under numba: outcomes, lengths, faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoloom.compiler.pipeline import load
from ludoloom.runtime.jit import available
from ludoloom.runtime.simulate import simulate

ROOT = Path(__file__).parent.parent.parent
LONGEST = 1500
"""Answers of a game; one that goes on by chance for longer is compared up to there."""
PACKS = [path.parent for folder in ("tests/games", "content") for path in sorted((ROOT / folder).glob("*/game.yaml"))]


@pytest.mark.skipif(not available(), reason="numba is an extra")
@pytest.mark.parametrize("pack", PACKS, ids=lambda path: path.name)
def test_games_are_the_same_both_ways(pack: Path) -> None:
    image = load([str(pack)]).games[0].image
    assert image is not None
    many = 4 if "content" in pack.parts else 20
    plain, fast = (
        simulate(image, many, players=image.players[0], seed=5, fast=how, decisions=LONGEST) for how in (False, True)
    )
    assert (plain.outcomes, plain.lengths, plain.faults) == (fast.outcomes, fast.lengths, fast.faults)
    assert sum(plain.outcomes.values()) + plain.unfinished == many
