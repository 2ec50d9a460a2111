"""Agents: they win where they should, they are the same every time, and they know no more than a player does."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ludoloom.compiler.pipeline import load
from ludoloom.runtime import jit, named
from ludoloom.runtime.agents import AGENTS, agent, seats
from ludoloom.runtime.errors import GameError
from ludoloom.runtime.game import Game
from ludoloom.runtime.image import Image

GAMES = Path(__file__).parent
FAST = jit.available()

SEALED = """
pack: {id: demo, version: 1.0.0, title: Demo, players: 2}
kinds:
  gambler:
    family: player
    plural: gamblers
    state: {number: 0 to 3, score: 0 to 9, side: {is: side, start: left, seen_by: owner}}
    zones: {hand: {holds: card, seen_by: owner, count_seen_by: everyone}}
  card: {family: card, plural: cards, starts_in: deck, fields: {rank: int}, state: {dirty: bool}}
  token: {family: piece, plural: tokens, starts_in: street, faces: [back, front], fields: {front: {prize: int}}}
enums: {side: [left, right]}
players: {ann: {kind: gambler, origin: original}, bob: {kind: gambler, origin: original}}
cards:
  low: {kind: card, origin: original, copies: 3, rank: 1}
  high: {kind: card, origin: original, copies: 3, rank: 5}
pieces:
  good: {kind: token, origin: original, copies: 2, front: {prize: 3}}
  bad: {kind: token, origin: original, copies: 2, front: {prize: 0}}
zones: {deck: {holds: card, order: pile, seen_by: nobody}, street: {holds: token, order: row}}
state: {rounds: 0 to 3}
play: [deal, guess]
phases:
  deal:
    do:
      - shuffle: deck
      - for_each: {gambler: gamblers}
        do: [{draw: {from: deck, to: gambler.hand, count: 2}}]
  guess:
    turns: {of: gamblers}
    steps:
      numbers:
        - together: {gambler: gamblers}
          do:
            - choose: {number: {from: 1 to 3, by: gambler}}
              then: [{set: {what: gambler.number, to: number}}]
        - if: ann.number == bob.number
          then: [{gain: {what: bob.score, amount: 2}}]
      take:
        - choose: {taken: {from: tokens.where(showing == back), by: active}}
          then:
            - turn: {what: taken, to: front}
            - gain: {what: active.score, amount: taken.front.prize}
        - if: active.hand.any
          then: [{gain: {what: active.score, amount: active.hand.sum(rank)}}]
        - if: active.side == right and cards.where(dirty).any
          then: [{lose: {what: active.score, amount: 1}}]
        - gain: {what: rounds, amount: 1}
end: {over: {whenever: rounds == 2, winners: gamblers.most(score)}}
goals: {score: {for: {gambler: gamblers}, is: gambler.score, weight: 40}}
"""


@cache
def game_of(name: str) -> Image:
    image = load([str(GAMES / name)]).games[0].image
    assert image is not None
    return image


@cache
def sealed() -> Image:
    with TemporaryDirectory() as folder:
        (Path(folder) / "game.yaml").write_text(SEALED, encoding="utf-8")
        checked = load([folder])
    image = checked.games[0].image
    assert image is not None, list(checked.bag)
    return image


def played(image: Image, who: str, seed: int, *, fast: bool = FAST, players: int | None = None) -> Game:
    """A game to its end."""
    game = Game.new(image, players, seed=seed, fast=fast)
    decide = seats(who, game, seed)
    while game.status == "ask":
        game.apply(decide(game))
    assert game.status == "end", game.status_text()
    return game


def wins(image: Image, who: str, winner: str, games: int) -> int:
    ended = [played(image, who, seed).result for seed in range(games)]
    return sum(1 for result in ended if result is not None and result.winners == (winner,))


def test_search_never_loses_tic_tac_toe_moving_first() -> None:
    results = [played(game_of("tic_tac_toe"), "search:150,random", seed).result for seed in range(20)]
    assert all(result is not None and result.winners != ("player_2",) for result in results)
    assert sum(1 for result in results if result is not None and result.winners) >= 18


@pytest.mark.skipif(not FAST, reason="a million decisions are too many for plain Python")
def test_search_beats_random_at_connect_four() -> None:
    first = wins(game_of("connect_four"), "search:100x42,random", "player_1", 5)
    second = wins(game_of("connect_four"), "random,search:100x42", "player_2", 5)
    assert first + second >= 9


@pytest.mark.parametrize("who", ["search:100", "greedy"])
def test_goals_help_to_press_the_luck(who: str) -> None:
    assert wins(game_of("press_luck"), f"{who},random", "red", 40) >= 24


@pytest.mark.parametrize("who", ["random", "greedy", "search:24x10,random", "greedy:3,search:12"])
def test_the_same_seed_gives_the_same_game_both_ways(who: str) -> None:
    for image in (sealed(), game_of("kuhn_poker")):
        plain = [played(image, who, seed, fast=False).digest() for seed in range(3)]
        assert plain == [played(image, who, seed, fast=False).digest() for seed in range(3)]
        if FAST:
            assert plain == [played(image, who, seed, fast=True).digest() for seed in range(3)]
    assert len({played(game_of("kuhn_poker"), who, seed).digest() for seed in range(12)}) > 1


def asked_of(image: Image, step: str, player: str, **laid: object) -> Game:
    """A game that asks a player, at a step, with things laid as they are told."""
    game = Game.new(image, seed=5, fast=False)
    assert game.step == step or game.run_until(step)
    for path, value in laid.items():
        named.write(game.program, game.state, path.replace("__", "."), value)
    game.changed()
    if game.status == "break":
        game.resume()
    assert game.question.player in ("", player)
    return game


def sums(game: Game) -> list[int]:
    return game.rollouts(range(len(game.options)), 30, depth=8, seed=3)


def test_what_the_other_holds_decides_nothing() -> None:
    image = game_of("kuhn_poker")
    worlds = [
        asked_of(image, "betting.speak", "ann", ann__hand=["queen"], bob__hand=[held], deck=[left])
        for held, left in (("jack", "king"), ("king", "jack"))
    ]
    assert sums(worlds[0]) == sums(worlds[1])
    for who in AGENTS:
        first, second = (agent(who, 9).choose(world, [0, 1]) for world in worlds)
        assert first == second, who
    best = asked_of(image, "betting.speak", "ann", ann__hand=["king"], bob__hand=["jack"], deck=["queen"])
    assert sums(best) != sums(worlds[0]), "what the player itself holds counts"


def test_a_secret_answer_decides_nothing() -> None:
    image = sealed()
    seen: list[list[int]] = []
    for number in range(3):
        game = Game.new(image, seed=5, fast=False)
        assert (game.question.player, game.question.secret) == ("ann", True)
        game.apply(number)
        assert game.question.player == "bob"
        seen.append(sums(game))
        numbers = {game.resample("bob", seed).digest() for seed in range(9)}
        assert len(numbers) > 1
        again = game.fork()
        again.apply(0)
        again.undo()
        assert sums(again) == seen[-1], "undo knows of the secret too"
    assert seen[0] == seen[1] == seen[2]
    own = game_after(image, [1])
    assert {own.resample("ann", seed).fork().decisions[-1].label for seed in range(9)} == {"2"}


def game_after(image: Image, answers: list[int]) -> Game:
    game = Game.new(image, seed=5, fast=False)
    for answer in answers:
        game.apply(answer)
    return game


def test_hidden_columns_and_hands_are_dealt_anew_and_what_is_seen_stays() -> None:
    image = sealed()
    game = asked_of(image, "guess.take", "ann", ann__hand=["low_1", "high_1"], bob__hand=["low_2", "low_3"])
    worlds = [game.resample("ann", seed) for seed in range(40)]
    hands = {tuple(named.read(world.program, world.state, "bob.hand")) for world in worlds}
    assert len(hands) > 3
    assert {tuple(named.read(world.program, world.state, "ann.hand")) for world in worlds} == {("low_1", "high_1")}
    assert {named.read(world.program, world.state, "bob.side") for world in worlds} == {"left", "right"}
    assert {named.read(world.program, world.state, "ann.side") for world in worlds} == {"left"}
    for world in worlds:
        assert {option.label for option in world.options} == {option.label for option in game.options}
        assert world.view("ann")["zones"]["bob.hand"] == {"count": 2}
    lows, highs, mine = ["low_2", "low_3"], ["high_2", "high_3"], ["low_1", "high_1"]
    one = asked_of(image, "guess.take", "ann", ann__hand=mine, bob__hand=lows, deck=highs, bob__side="left")
    two = asked_of(image, "guess.take", "ann", ann__hand=mine, bob__hand=highs, deck=lows, bob__side="right")
    assert sums(one) == sums(two)


def test_what_lies_face_down_is_any_of_its_kind() -> None:
    image = sealed()
    rows = [["good_1", "bad_1", "good_2", "bad_2"], ["bad_1", "good_1", "bad_2", "good_2"]]
    games = [asked_of(image, "guess.take", "ann", street=row) for row in rows]
    by_place: list[list[int]] = []
    for game, row in zip(games, rows, strict=True):
        totals = dict(zip([option.label for option in game.options], sums(game), strict=True))
        by_place.append([totals[name] for name in row])
    assert by_place[0] == by_place[1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("serch", "did you mean"),
        ("search:", "is no budget"),
        ("search:fast", "tries and depth"),
        ("search:0", "tries and depth"),
        ("search:40x0", "tries and depth"),
        ("search:0s", "tries and depth"),
        ("search:0.00s", "tries and depth"),
        ("greedy:0", "a number of tries"),
        ("random:5", "`random` alone"),
        ("greedy:0.1s", "a number of tries"),
        ("greedy,greedy,greedy", "there are 2 players, and 3 agents"),
    ],
)
def test_a_wrong_agent_is_told_what_to_write(text: str, words: str) -> None:
    game = Game.new(game_of("kuhn_poker"), seed=1)
    with pytest.raises(GameError) as caught:
        seats(text, game)
    assert words in str(caught.value) or (words == "did you mean" and "search" in str(caught.value))


def test_a_budget_in_seconds_is_kept() -> None:
    game = Game.new(game_of("tic_tac_toe"), seed=1, fast=False)
    assert 0 <= agent("search:0.05s", 1).choose(game, range(9)) < 9


def test_rollouts_of_what_is_not_offered() -> None:
    game = Game.new(game_of("kuhn_poker"), seed=1, fast=False)
    with pytest.raises(GameError, match="there is no option 7"):
        game.rollouts([7], 1)
