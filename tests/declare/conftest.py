"""What the tests of the declared game share: packs written to a folder, then declared in every combination of modes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from ludoloom.compiler.analysis.declare import declare
from ludoloom.compiler.analysis.model import Game
from ludoloom.compiler.analysis.tree import GameTree
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.packs import load_game


class Declared:
    """The games of a folder, their trees, and all findings."""

    def __init__(self, folder: Path, files: dict[str, str], names: Sequence[str], with_packs: Sequence[str]) -> None:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        bag = Bag()
        self.trees: list[GameTree] = load_game(
            [str(folder / name) for name in names], [str(folder / name) for name in with_packs], [folder], bag
        )
        self.games: list[Game] = [declare(tree, modes, bag) for tree in self.trees for modes in tree.combinations]
        self.findings: list[Diagnostic] = list(bag)

    @property
    def codes(self) -> list[str]:
        return [finding.code for finding in self.findings]


DeclareFiles = Callable[..., Declared]


@pytest.fixture
def declared(tmp_path: Path) -> DeclareFiles:
    """Write files and declare what they hold: ``declared({"game.yaml": …})``."""

    def run(files: dict[str, str], names: Sequence[str] = (".",), with_packs: Sequence[str] = ()) -> Declared:
        return Declared(tmp_path, files, names, with_packs)

    return run


@pytest.fixture
def game(declared: DeclareFiles) -> Callable[[str], Game]:
    """The game of one file that must be without findings; the line of the pack is written for it."""

    def run(text: str) -> Game:
        done = declared({"game.yaml": "pack: {id: demo, version: 1.0.0, title: Demo, players: 2}\n" + text})
        assert [(finding.code, finding.message) for finding in done.findings] == []
        return done.games[0]

    return run
