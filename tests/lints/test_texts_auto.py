"""`text: auto`: what is written, in the game's own words and in those of a translation."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ludoloom.compiler.compile import lowered
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.pipeline import load
from ludoloom.compiler.texts_auto import write

PACK = Path(__file__).parent.parent / "cases" / "lints" / "auto.yaml"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    shutil.copy(PACK, tmp_path / "game.yaml")
    return tmp_path


def test_what_is_printed(pack: Path) -> None:
    checked = load([str(pack)])
    assert [finding.message for finding in checked.bag] == []
    image = checked.games[0].image
    assert image is not None
    texts = {thing.name: thing.text for thing in image.programs[0].things if thing.text}
    assert texts == {
        "heist": "Roll 4+: take 2 chips from a rival with 1 chips; gain 2 chips. Missed: gain 1 chips.",
        "gift": "Take floor + 1 chips from a gambler; gain 3 chips.",
    }


def test_in_another_language(pack: Path) -> None:
    game = lowered(load([str(pack)]).games[0].tree, Bag()).game
    written = write(game, game.items["heist"], "fr")
    assert written.text == (
        "Lancez {need}+: prenez {loot} jetons à un rival de {floor} jetons; gagnez {loot} jetons. "
        "Missed: gagnez 1 jetons."
    )
    assert written.speechless == []
