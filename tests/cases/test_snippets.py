"""The examples of the manual (snippets/) and what each construct means (lower/), as small packs that are played.

A folder is a pack: it must be without a finding (notes aside), and its scenarios must come true. snippets/README.md
says what each snippet shows.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ludoloom.compiler.pipeline import Compiled, load
from ludoloom.runtime.scenario import Runner

HERE = Path(__file__).parent
PACKS = sorted({file.parent for part in ("snippets", "lower") for file in (HERE / part).rglob("*.scenario.yaml")})
NAMES = [pack.relative_to(HERE).as_posix() for pack in PACKS]


@cache
def compiled(name: str) -> tuple[list[str], Compiled]:
    """The findings about a pack, and what it became."""
    checked = load([str(HERE / name)], packs_dirs=[HERE / "snippets"], scenarios=True)
    findings = [row for row in checked.bag if row.severity != "note"]
    return [f"{row.span.file}:{row.span.line} {row.code}: {row.message}" for row in findings], checked.games[0]


@pytest.mark.parametrize("name", NAMES)
def test_pack(name: str) -> None:
    findings, game = compiled(name)
    assert findings == []
    assert game.image is not None
    # an expansion changes what its game's own scenarios say
    own = [plan for label, plan in game.scenarios.plans.items() if f"{name}/" in game.scenarios.nodes[label].span.file]
    assert own
    runner = Runner(game.image)
    failures = [
        f"{plan['name']} {'.'.join(map(str, failure.path))}: {failure.message} {failure.offered or ''}"
        for plan in own
        for failure in runner.run(plan).failures
    ]
    assert failures == []
