"""What a coach of Boufbowl can know: the own hand, how many cards the other one has, and the table."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from ludoloom.compiler.pipeline import load
from ludoloom.runtime.game import Game
from ludoloom.runtime.image import Image
from ludoloom.runtime.named import read, write

PACK = Path(__file__).resolve().parent.parent.parent / "content" / "boufbowl"
OTHER = {"coach_1": "coach_2", "coach_2": "coach_1"}
HIDDEN = ("hand", "deck", "committed")


@cache
def image() -> Image:
    made = load([str(PACK)]).games[0].image
    assert made is not None
    return made


def cards(game: Game, coach: str, zone: str) -> list[str]:
    """What lies in a zone, as nobody at the table may see it."""
    return game.view()["zones"][f"{coach}.{zone}"].get("things", [])


def seen(game: Game, coach: str) -> tuple[object, ...]:
    """All that a coach is shown: the table, the log, what the coach is offered."""
    offered = [option.label for option in game.options if option.player == coach]
    return game.view(coach), game.log(coach), offered


def positions(seed: int, steps: int, every: int) -> list[Game]:
    """Positions out of a match by chance, each a game of its own."""
    luck, game = random.Random(seed), Game.new(image(), players=2, seed=seed, fast=False)
    found: list[Game] = []
    for step in range(steps):
        if game.status != "ask":
            break
        if step % every == every - 1:
            found.append(game.fork())
        game.apply(luck.randrange(len(game.options)))
    return found


def test_nothing_that_a_coach_is_shown_depends_on_what_is_hidden() -> None:
    """What the coach does not see is dealt anew, and the coach is shown the same."""
    different = 0
    for step, game in enumerate(positions(1, 260, 20)):
        for coach, other in OTHER.items():
            world = game.resample(coach, step)
            assert seen(world, coach) == seen(game, coach), game.step
            assert len(cards(world, other, "hand")) == len(cards(game, other, "hand"))
            different += cards(world, other, "hand") != cards(game, other, "hand")
    assert different > 5, "a test that changes nothing shows nothing"


def test_a_coach_sees_the_own_hand_and_the_number_of_the_others_cards() -> None:
    for game in positions(3, 100, 45):
        for coach, other in OTHER.items():
            zones = game.view(coach)["zones"]
            assert zones[f"{coach}.hand"]["things"] == cards(game, coach, "hand")
            for zone in HIDDEN:
                assert set(zones[f"{other}.{zone}"]) == {"count"}, zone
            assert "things" not in zones[f"{coach}.deck"], "nobody knows the order of the own deck"


def brawl() -> Game:
    """Two players in one zone, both coaches with cards for it; the first has announced that a brawl begins."""
    game = Game.new(image(), players=2, seed=4, fast=False)
    assert game.run_until("play_phase.begin")
    coach = read(game.program, game.state, "active")
    assert isinstance(coach, str)
    teams = {read(game.program, game.state, f"{each}.team"): each for each in OTHER}
    red, blue = teams["red"], teams["blue"]
    for word, value in {
        "active": red,
        f"{red}.hand": ["shove_1", "spiked_fist_1", "grab_1"],
        f"{blue}.hand": ["sidestep_1", "firm_grip_1"],
        "ball.lobber": "none",
        "rusk": "pitch.nb",
        "zephyr": "pitch.nb",
    }.items():
        write(game.program, game.state, word, value)
    game.changed()
    game.resume()
    game.apply(next(option.label for option in game.options if option.label == "brawl (rusk)"))
    return game


def test_commitments_are_sealed_until_both_are_in() -> None:
    """The second coach knows how many cards the first has laid down, not which; then all are turned up."""
    worlds: list[Game] = []
    for laid in ("shove_1", "spiked_fist_1"):
        game = brawl()
        game.apply(laid)
        game.apply("done")
        worlds.append(game)
    second = worlds[0].question.player
    first = OTHER[second]
    assert seen(worlds[0], second) == seen(worlds[1], second)
    assert worlds[0].view(second)["zones"][f"{first}.committed"] == {"count": 1}
    assert worlds[0].view(first) != worlds[1].view(first), "the first coach knows the own cards"
    for game in worlds:
        game.apply("done")
    shown = [set(cards(game, first, "shown") + cards(game, first, "discard")) for game in worlds]
    assert shown == [{"shove_1"}, {"spiked_fist_1"}]
    assert seen(worlds[0], second) != seen(worlds[1], second)


def test_sealed_commitments_are_dealt_anew_in_their_number() -> None:
    game = brawl()
    game.apply("shove_1")
    game.apply("done")
    second = game.question.player
    first = OTHER[second]
    laid = {tuple(cards(game.resample(second, seed), first, "committed")) for seed in range(12)}
    assert {len(each) for each in laid} == {1}
    assert len(laid) > 1
