"""What an option is told to cost and to come to, against figures worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ludoloom.compiler.pipeline import load
from ludoloom.runtime.errors import GameError
from ludoloom.runtime.foresee import Chance, Outlook, Price
from ludoloom.runtime.game import Game

ARENA = """
pack: {id: arena, version: 1.0.0, title: Arena, players: 2}
kinds:
  fighter:
    family: player
    plural: fighters
    state: {breath: {is: 0 to 9, start: 6}, luck: {is: 0 to 9, start: 2}, life: {is: 0 to 9, start: 9}}
    zones: {hand: {holds: charm, seen_by: owner, count_seen_by: everyone}}
    computed: {reach: 0}
  charm: {family: card, plural: charms, starts_in: deck, fields: {weight: int}}
players: {ann: {kind: fighter, origin: original}, bob: {kind: fighter, origin: original}}
cards:
  feather: {kind: charm, origin: original, weight: 2}
  pebble: {kind: charm, origin: original, weight: 3}
  brick: {kind: charm, origin: original, weight: 4}
  anvil: {kind: charm, origin: original, weight: 5}
zones: {deck: {holds: charm, order: pile, seen_by: nobody}}
dice: {d6: {origin: original, faces: 1 to 6}}
rolls:
  strike:
    with: {need: int}
    dice: d6
    add: {reach: active.reach}
    outcomes: {deadly: total >= 6, hit: total >= need, miss: else}
  heap: {dice: {die: d6, count: 9}, outcomes: {much: total > 30, little: else}}
  second_try:
    dice: d6
    again: {by: active, needs: {still: active.luck > 0}, cost: {active.luck: 1}}
    outcomes: {good: total >= 5, bad: else}
windows:
  moment:
    who: fighters
    order: free
    offers: [thrust, lunge, throw, gamble, juggle, risk, rest, boldly, blindly]
    closes: one
actions:
  thrust:
    who: {fighter: fighters}
    needs: {turn: fighter == active}
    cost: {fighter.breath: 2}
    roll: {strike: 4}
    on deadly: [{harm: 3}]
    on hit: [{harm: 1}]
    on miss: []
  lunge:
    who: {fighter: fighters}
    needs: {turn: fighter == active}
    choose: {power: 1 to 3}
    cost: {fighter.breath: power, fighter.luck: 1}
    roll: {strike: 7 - power}
    on deadly or hit: [{harm: 1}]
    on miss: []
  throw:
    who: {fighter: fighters}
    needs: {turn: fighter == active}
    do:
      - roll: d6
      - if: roll.face > 4
        then: [{harm: roll.face}]
        else: [stumble]
  gamble:
    who: {fighter: fighters}
    needs: {turn: fighter == active}
    roll: second_try
    on good: [{harm: 1}]
    on bad: []
  juggle: {who: {fighter: fighters}, needs: {turn: fighter == active}, roll: heap, on much: [{harm: 1}], on little: []}
  risk:
    who: {fighter: fighters}
    needs: {turn: fighter == active}
    do:
      - choose: {nerve: {from: 0 to 1, by: fighter.opponent}}
        then: [{roll: {strike: nerve + 3}, on deadly: [], on hit: [], on miss: []}]
  rest: {who: {fighter: fighters}, needs: {turn: fighter == active}, do: [{gain: {what: fighter.breath, amount: 1}}]}
  boldly:
    who: {fighter: fighters}
    needs: {turn: fighter == active}
    roll: {strike: fighter.hand.sum(weight)}
    on deadly or hit: [{harm: 1}]
    on miss: []
  blindly:
    who: {fighter: fighters}
    needs: {turn: fighter == active}
    cost: {fighter.breath: 1}
    roll: {strike: fighter.opponent.hand.sum(weight)}
    on deadly or hit: [{harm: 1}]
    on miss: []
verbs:
  harm: {says: "{amount} harm is done", with: {amount: int}, do: [{lose: {what: active.opponent.life, amount: amount}}]}
  stumble: {says: "a stumble"}
  boast: {says: "the crowd shouts {times}", with: {times: int}}
modifiers: {rage: {changes: fighter.reach, while: fighter.life < 5, add: 1}}
play: [deal, fight]
phases:
  deal: {do: [{shuffle: deck}, {for_each: {fighter: fighters}, do: [{draw: {from: deck, to: fighter.hand}}]}]}
  fight: {turns: {of: fighters}, steps: {act: [{open: moment}], after: [{roll: d6}, {boast: roll.face}]}}
end: {dead: {whenever: fighters.where(life == 0).any, winners: fighters.where(life > 0)}}
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("packs") / "arena"
    folder.mkdir()
    (folder / "game.yaml").write_text(ARENA, encoding="utf-8")
    checked = load([str(folder)])
    image = checked.games[0].image
    assert image is not None, [finding.message for finding in checked.bag.findings]
    return Game.new(image, seed=1)


def outlook(game: Game, act: str) -> Outlook:
    return game.foresee(next(option for option in game.options if option.act == act))


def odds(game: Game, act: str) -> dict[str, tuple[Fraction, Fraction]]:
    return {chance.text: (chance.low, chance.high) for chance in outlook(game, act).chances}


def sixths(*numbers: int) -> tuple[Fraction, Fraction]:
    return Fraction(numbers[0], 6), Fraction(numbers[-1], 6)


def test_named_outcomes(game: Game) -> None:
    assert outlook(game, "thrust") == Outlook(
        (Price("ann", "breath", 2, 2),),
        (
            Chance("deadly", "deadly", *sixths(1)),
            Chance("hit", "hit", *sixths(2)),
            Chance("miss", "miss", *sixths(3)),
        ),
    )


def test_modifiers_are_in_it(game: Game) -> None:
    angry = game.fork()
    column = angry.names.column(angry.names.number("ann"), "life")
    assert column is not None
    angry.state[column.offset] = 3
    angry.changed()
    assert odds(angry, "thrust") == {"deadly": sixths(2), "hit": sixths(2), "miss": sixths(2)}


def test_choices_on_the_way_give_bounds(game: Game) -> None:
    found = outlook(game, "lunge")
    assert found.price == (Price("ann", "breath", 1, 3), Price("ann", "luck", 1, 1))
    assert odds(game, "lunge") == {"deadly": sixths(1), "hit": sixths(0, 2), "miss": sixths(3, 5)}
    chosen = game.fork()
    chosen.apply("lunge (ann)")
    assert [chance.high for chance in chosen.foresee(2).chances] == [Fraction(1, 6), Fraction(2, 6), Fraction(3, 6)]


def test_a_bare_die_is_told_by_the_lines_that_follow(game: Game) -> None:
    assert odds(game, "throw") == {"harm": sixths(2), "a stumble": sixths(4)}


def test_one_throw_counts_where_it_may_be_repeated(game: Game) -> None:
    assert odds(game, "gamble") == {"good": sixths(2), "bad": sixths(4)}


def test_what_cannot_be_said_is_left_out(game: Game) -> None:
    assert outlook(game, "juggle").chances == (), "nine dice fall in too many ways"
    assert outlook(game, "risk").chances == (), "somebody else decides first"
    assert outlook(game, "rest") == Outlook(), "the die of the next step is not the option's own"


def test_what_is_hidden_from_the_player_is_not_given_away(game: Game) -> None:
    weight = {"feather": 2, "pebble": 3, "brick": 4, "anvil": 5}[game.view("ann")["zones"]["ann.hand"]["things"][0]]
    assert odds(game, "boldly") == {"deadly": sixths(1), "hit": sixths(6 - weight), "miss": sixths(weight - 1)}
    assert outlook(game, "blindly") == Outlook((Price("ann", "breath", 1, 1),), ())


def test_nothing_changes_and_the_same_comes_out(game: Game) -> None:
    before, options = game.digest(), game.options
    first = [game.foresee(option) for option in options]
    assert game.digest() == before
    assert game.options == options
    assert [game.foresee(option.index) for option in options] == first


def test_an_outcome_is_an_event_that_no_log_shows(game: Game) -> None:
    played = game.fork()
    seen = len(played.events)
    played.apply("thrust (ann)")
    told = next(event for event in played.events[seen:] if event.act == "strike" and "outcome" in event.values)
    assert told.values["outcome"] in ("deadly", "hit", "miss")
    assert told.text == ""
    assert "" not in played.log()


def test_an_option_that_is_not_there(game: Game) -> None:
    with pytest.raises(GameError, match="there is no option 99"):
        game.foresee(99)
