"""Every scenario of the tiny games and of the shipped ones, each as a test of its own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Map
from ludoloom.compiler.packs import load_game, packs_beneath
from ludoloom.compiler.pipeline import Compiled, load
from ludoloom.runtime.scenario import Runner

ROOT = Path(__file__).resolve().parent.parent.parent
PACKS = [*packs_beneath(ROOT / "tests" / "games"), *packs_beneath(ROOT / "content")]


def names(pack: Path) -> list[str]:
    """The scenarios that stand in a pack, read without compiling it: an expansion may change what those of its game
    expect."""
    section = load_game([str(pack)], [], [pack.parent], Bag())[0].sections.get("scenarios")
    keys = [key for key, _ in section] if isinstance(section, Map) else []
    return [key.text for key in keys if Path(key.span.file).resolve().is_relative_to(pack)]


@cache
def compiled(pack: Path) -> tuple[Compiled, Runner]:
    checked = load([str(pack)], packs_dirs=[pack.parent], scenarios=True)
    game = checked.games[0]
    assert game.image is not None, [f"{row.span.file}:{row.span.line}: {row.message}" for row in checked.bag]
    return game, Runner(game.image)


@pytest.mark.parametrize(
    ("pack", "name"), [pytest.param(pack, name, id=f"{pack.name}-{name}") for pack in PACKS for name in names(pack)]
)
def test_scenario(pack: Path, name: str) -> None:
    game, runner = compiled(pack)
    outcome = runner.run(game.scenarios.plans[name])
    told: list[str] = []
    for failure in outcome.failures:
        span = game.scenarios.place(name, failure.path)
        told.append(f"{span.file}:{span.line}: {failure.message}; on offer: {', '.join(failure.offered)}")
    assert outcome.passed, "\n".join(told)


def test_every_pack_has_scenarios() -> None:
    assert {"snail_derby", "snail_weather"} <= {pack.name for pack in PACKS}
    assert len(PACKS) >= 6
    assert [pack.name for pack in PACKS if not names(pack)] == []
