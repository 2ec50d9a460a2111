"""Expansions of shipped games, written and kept outside of them: they check without a finding, prove their scenarios,
build, and play to the end."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ludoloom.compiler.pipeline import Checked, load
from ludoloom.runtime.game import Game
from ludoloom.runtime.game import load as read
from ludoloom.runtime.image import Image
from ludoloom.runtime.scenario import Runner
from ludoloom.runtime.serial import write_image

ROOT = Path(__file__).resolve().parents[2]
PACK = ROOT / "tests" / "cases" / "expansions" / "seventh_hero"
NEW = "mirel"
CARDS = 15


@cache
def checked() -> Checked:
    return load([str(ROOT / "content" / "boktor")], [str(PACK)], scenarios=True)


@cache
def image() -> Image:
    found = checked().games[0].image
    assert found is not None
    return found


def test_it_checks_without_a_finding() -> None:
    assert [f"{each.span}: {each.message}" for each in checked().bag] == []
    assert ("seventh_hero", "0.1.0") in image().packs


def test_its_scenarios_hold() -> None:
    (game,) = checked().games
    runner = Runner(image())
    own = [
        name
        for name in game.scenarios.plans
        if Path(game.scenarios.place(name, "").file).resolve().is_relative_to(PACK)
    ]
    assert len(own) == 2
    for name in own:
        outcome = runner.run(game.scenarios.plans[name])
        assert outcome.passed, [failure.message for failure in outcome.failures]


def test_it_adds_a_hero_with_a_deck_and_exchanges_a_card() -> None:
    things = {row.name: row for row in image().programs[0].things}
    assert things[NEW].kind == "hero"
    assert things["claws_of_the_roc"].title == "Beak of the Roc"
    assert things["claws_of_the_roc"].origin == "original"
    game = Game.new(image(), 2, seed=3)
    for answer in ("galios", NEW, "heka"):
        game.apply(answer)
    assert game.view()["zones"]["mirel.pile"]["count"] + game.view()["zones"]["mirel.offer"]["count"] == CARDS


def test_the_built_file_plays_to_the_end(tmp_path: Path) -> None:
    write_image(image(), tmp_path / "boktor.loom")
    game = Game.new(read(tmp_path / "boktor.loom"), 2, seed=1)
    wanted = ["galios", NEW]
    for _ in range(5000):
        if game.status != "ask":
            break
        labels = [option.label for option in game.options]
        mine = next((label for label in wanted if label in labels), None)
        if mine is not None:
            wanted.remove(mine)
        game.apply(mine if mine is not None else 7 * len(game.decisions) % len(labels))
    assert wanted == []
    assert game.status == "end", game.status_text()
    assert any(decision.label.startswith("use") and NEW in decision.label for decision in game.decisions)
