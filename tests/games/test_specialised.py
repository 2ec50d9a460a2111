"""Every game here, every shipped one and every example of the manual plays alike with functions of its own: after each
decision the same state, word for word, and the same record. In plain Python, so without numba too."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ludoloom.compiler.pipeline import load
from ludoloom.runtime import vm
from ludoloom.runtime.busy import busy_places
from ludoloom.runtime.chance import chance
from ludoloom.runtime.machine import R_BOTS, R_OPTIONS, ST_ASK
from ludoloom.runtime.opening import prepare
from ludoloom.runtime.state import reseed
from ludoloom.runtime.verify import proof_of

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "runtime"))
# The tests' own ways of running are no package of the project.
ways: Any = import_module("ways")
GAMES = sorted((ROOT / "games").glob("*/game.yaml")) + sorted((ROOT.parent / "content").glob("*/game.yaml"))
EXAMPLES = sorted({path.parent for path in (ROOT / "cases" / "snippets").glob("*/*.scenario.yaml")})
PACKS = [path.parent for path in GAMES] + EXAMPLES
BUDGET = 2_000_000


@pytest.mark.parametrize("pack", PACKS, ids=lambda path: path.name)
def test_a_game_goes_the_same_way(pack: Path) -> None:
    image = load([str(pack)], packs_dirs=[ROOT / "games", ROOT / "cases" / "snippets"]).games[0].image
    assert image is not None
    program, first, _ = prepare(image, image.players[0], {}, 0)
    large = len(program.code) > 5000
    entries = [] if large else [row.entry for row in program.procs]
    special = ways.specialised(program, [*entries, *busy_places(program, proof_of(program), first)])
    assert special.entries
    run = ways.in_plain_python(special)
    for seed in range(1 if large else 3):
        plain, other = list(first), list(first)
        reseed(plain, seed)
        reseed(other, seed)
        for _ in range(60 if large else 40):
            records = [0] * 4096, [0] * 4096
            status = vm.run(program.code, program.consts, plain, records[0], BUDGET)
            assert run((program.code, special.laid), program.consts, other, records[1], BUDGET) == status
            assert ways.read(program, other) == ways.read(program, plain)
            assert records[0] == records[1]
            if status != ST_ASK:
                break
            for state in (plain, other):
                vm.answer(program.consts, state, chance(state, R_BOTS, state[R_OPTIONS]))
