"""The tiny games against rules that others wrote: the same legal moves, the same end, the same result, move for move.

Three are compared with open_spiel, where that is installed (`pip install open_spiel`); the dice game, which it does not
have, with a model of a few lines written here."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ludoloom.compiler.pipeline import load
from ludoloom.runtime.game import Game, Option
from ludoloom.runtime.image import Image

GAMES = Path(__file__).parent

needs_open_spiel = pytest.mark.skipif(find_spec("pyspiel") is None, reason="open_spiel is not installed")


@cache
def image_of(name: str) -> Image:
    image = load([str(GAMES / name)]).games[0].image
    assert image is not None
    return image


def begin(name: str, *, asked: bool = False) -> Game:
    """A new game of a tiny pack in which forced moves are asked for too."""
    return Game.new(image_of(name), asked=asked, forced=True, fast=False)


def square(option: Option) -> int:
    """Action of tic-tac-toe: squares row by row."""
    column, line = option.label.removeprefix("board.")
    return (int(line) - 1) * 3 + "abc".index(column)


def column(option: Option) -> int:
    """Action of connect four: the column."""
    return "abcdefg".index(option.label.removeprefix("rack.")[0])


def line_of_betting(option: Option) -> int:
    """Action of Kuhn poker: the card dealt, or 0 for what puts nothing into the pot and 1 for what does."""
    if option.act in ("check", "fold"):
        return 0
    return 1 if option.act in ("bet", "call") else ("jack", "queen", "king").index(option.label)


def points(game: Game) -> list[float]:
    """Returns of a game with a winner: 1 and -1, or 0 for both."""
    assert game.result is not None
    won = [player in game.result.winners for player in game.players]
    return [float(mine - (sum(won) - mine)) for mine in won]


def payoffs(game: Game) -> list[float]:
    things = game.view()["things"]
    return [float(things[player]["payoff"]) for player in game.players]


@needs_open_spiel
@pytest.mark.parametrize(
    ("name", "action", "returns", "times"),
    [
        ("tic_tac_toe", square, points, 60),
        ("connect_four", column, points, 12),
        ("kuhn_poker", line_of_betting, payoffs, 60),
    ],
)
def test_move_for_move(
    name: str, action: Callable[[Option], int], returns: Callable[[Game], list[float]], times: int
) -> None:
    pyspiel: Any = import_module("pyspiel")
    theirs = pyspiel.load_game(name)
    chance = random.Random(name)
    for _ in range(times):
        game, state = begin(name, asked=name == "kuhn_poker"), theirs.new_initial_state()
        while not state.is_terminal():
            actions = {action(option): option.index for option in game.options}
            assert len(actions) == len(game.options)
            assert sorted(actions) == state.legal_actions()
            assert (game.status == "chance") == state.is_chance_node()
            if not state.is_chance_node():
                seat = {option.player for option in game.options} | {game.question.player}
                assert seat - {""} == {game.players[state.current_player()]}
            chosen = chance.choice(state.legal_actions())
            game.apply(actions[chosen])
            state.apply_action(chosen)
        assert game.status == "end"
        assert returns(game) == state.returns()


def test_press_your_luck_against_a_model_of_it() -> None:
    chance = random.Random(3)
    for _ in range(40):
        game = begin("press_luck", asked=True)
        scores, turns, seat, pot, rolling = [0, 0], [10, 10], 0, 0, True
        while max(scores) < 50 and max(turns) > 0:
            if rolling:
                assert [option.label for option in game.options] == ["1", "2", "3", "4", "5", "6"]
                face = chance.randint(1, 6)
                game.apply(str(face))
                pot = 0 if face == 1 else pot + face
                rolling = False
                if face > 1 and scores[seat] + pot < 50:
                    assert game.question.player == game.players[seat]
                    assert [option.label for option in game.options] == ["true", "false"]
                    again = chance.random() < 0.7
                    game.apply("true" if again else "false")
                    rolling = again
                if rolling:
                    continue
            scores[seat] += pot
            turns[seat] -= 1
            seat, pot, rolling = 1 - seat, 0, True
            things = game.view()["things"]
            assert [things[player]["score"] for player in game.players] == scores
            if game.status != "end":  # who reaches fifty ends the game before the turn is counted
                assert [things[player]["turns_left"] for player in game.players] == turns
        assert game.status == "end"
        assert game.result is not None
        best = max(scores)
        assert game.result.winners == tuple(
            player for player, own in zip(game.players, scores, strict=True) if own == best
        )
        assert game.result.outcome == ("reached" if best >= 50 else "out_of_turns")
