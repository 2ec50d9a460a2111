"""Game trees of the tiny games, counted whole: the numbers are known, so a rule that is read otherwise shows."""

from __future__ import annotations

from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ludoloom.compiler.pipeline import load
from ludoloom.runtime.game import Game
from ludoloom.runtime.image import Image

GAMES = Path(__file__).parent


def image_of(name: str) -> Image:
    image = load([str(GAMES / name)]).games[0].image
    assert image is not None
    return image


def count_games(game: Game, known: dict[tuple[int, ...], int]) -> int:
    """How many ways lead from here to an end; `known` fills with every position on them."""
    key = game.key()
    if key not in known:
        found = 0 if game.options else 1
        for index in range(len(game.options)):
            following = game.fork()
            following.apply(index)
            found += count_games(following, known)
        known[key] = found
    return known[key]


def test_tic_tac_toe() -> None:
    # Forced choices are asked too: the ninth mark is a move like the others. Compiled where that is possible: it is
    # three times as fast.
    game = Game.new(image_of("tic_tac_toe"), forced=True, fast=find_spec("numba") is not None)
    known: dict[tuple[int, ...], int] = {}
    assert count_games(game, known) == 255_168
    assert len(known) == 5_478


def histories(game: Game, labels: tuple[str, ...] = ()) -> dict[tuple[str, ...], Game]:
    """All ways to the end by the labels on them, chance among them."""
    if not game.options:
        return {labels: game}
    found: dict[tuple[str, ...], Game] = {}
    for option in game.options:
        following = game.fork()
        following.apply(option.index)
        found |= histories(following, (*labels, option.label))
    return found


def test_kuhn_poker_has_thirty_ways_to_end() -> None:
    ends = histories(Game.new(image_of("kuhn_poker"), asked=True))
    assert len(ends) == 30
    assert len({labels[:2] for labels in ends}) == 6, "the deals"
    lines = {tuple(label.split(" ")[0] for label in labels[2:]) for labels in ends}
    assert lines == {
        ("check", "check"),
        ("check", "bet", "fold"),
        ("check", "bet", "call"),
        ("bet", "fold"),
        ("bet", "call"),
    }
    for game in ends.values():
        view = game.view()["things"]
        assert view["ann"]["payoff"] == -view["bob"]["payoff"] != 0


def test_kuhn_poker_at_random_is_worth_an_eighth_to_the_first_player() -> None:
    # Both players take each option alike: the value follows by hand from the thirty ends.
    def value(game: Game) -> Fraction:
        options = game.options
        if not options:
            return Fraction(game.view()["things"]["ann"]["payoff"])
        total = Fraction(0)
        for option in options:
            following = game.fork()
            following.apply(option.index)
            total += value(following)
        return total / len(options)

    assert value(Game.new(image_of("kuhn_poker"), asked=True)) == Fraction(1, 8)


def test_kuhn_poker_against_open_spiel() -> None:
    spiel: Any = pytest.importorskip("pyspiel")

    def returns(state: Any, labels: tuple[str, ...]) -> dict[tuple[str, ...], float]:
        if state.is_terminal():
            return {labels: state.returns()[0]}
        found: dict[tuple[str, ...], float] = {}
        for action in state.legal_actions():
            words_here = ["jack", "queen", "king"] if state.is_chance_node() else ["pass", "bet"]
            word = words_here[int(action)]
            found |= returns(state.child(action), (*labels, word))
        return found

    words = {"check": "pass", "fold": "pass", "bet": "bet", "call": "bet"}
    ours = {
        tuple(words.get(label.split(" ")[0], label) for label in labels): game.view()["things"]["ann"]["payoff"]
        for labels, game in histories(Game.new(image_of("kuhn_poker"), asked=True)).items()
    }
    assert ours == returns(spiel.load_game("kuhn_poker").new_initial_state(), ())
