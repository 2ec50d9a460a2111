"""``simulate`` with agents, with a beginning, and what it tells of the cards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludoloom.runtime import jit

from .conftest import GAMES, Call  # pyright: ignore[reportMissingImports]

DRAFT = """
pack: {id: draft, version: 1.0.0, title: Draft, players: 2}
kinds:
  mage: {family: player, plural: mages, state: {life: {is: 0 to 9, start: 5}}, zones: {book: {holds: spell}}}
  spell:
    family: card
    plural: spells
    starts_in: table_zone
    acts: {cast: {who: {mage: mages}, needs: {held: self in mage.book, turn: mage == active}}}
  event: {family: encounter, plural: events, starts_in: pile}
players: {ann: {kind: mage, origin: original}, bob: {kind: mage, origin: original}}
zones: {table_zone: {holds: spell}, pile: {holds: event, order: pile}, shown: {holds: event, order: pile}}
cards:
  bolt: {kind: spell, origin: original, copies: 2, cast: {do: [{lose: {what: mage.opponent.life, amount: 3}}]}}
  spark: {kind: spell, origin: original, copies: 2, cast: {do: [{lose: {what: mage.opponent.life, amount: 0}}]}}
  ward: {kind: spell, origin: original, copies: 2, cast: {do: [{gain: {what: mage.life, amount: 1}}]}}
encounters: {storm: {kind: event, origin: original, copies: 12}}
actions: {wait: {who: {mage: mages}, needs: {turn: mage == active}, do: []}}
windows: {moment: {who: mages, order: free, offers: [spells.cast, wait], closes: one}}
play: [pick, fight]
phases:
  pick:
    do:
      - for_each: {mage: mages}
        do:
          - choose: {spell: {from: table_zone.spells, by: mage}}
            then: [{move: {what: spell, to: mage.book}}]
  fight:
    turns: {of: mages}
    steps:
      act: [{open: moment}]
      weather: [{draw: {from: pile, to: shown}}]
end:
  won: {whenever: mages.where(life == 0).any, winners: mages.where(life > 0)}
  tired: {whenever: pile.empty, winners: mages.most(life)}
goals: {life: {for: {mage: mages}, is: mage.life, weight: 50}}
"""


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here is worth the time that compiling takes."""
    monkeypatch.setattr(jit, "machine", lambda: None)


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    folder = tmp_path / "draft"
    folder.mkdir()
    (folder / "game.yaml").write_text(DRAFT, encoding="utf-8")
    return folder


def test_agents_by_seat(call: Call) -> None:
    done = call("simulate", GAMES / "press_luck", "-n", "12", "--agent", "greedy:4,random", "--json")
    assert done.code == 0, done.err
    winners = json.loads(done.out)["winners"]
    assert winners["red"] > winners["blue"]
    assert done.out == call("simulate", GAMES / "press_luck", "-n", "12", "--agent", "greedy:4,random", "--json").out


def test_games_at_random_are_the_same_whoever_counts(call: Call, draft: Path) -> None:
    alone = json.loads(call("simulate", draft, "-n", "9", "--seed", "3", "--json").out)
    counted = json.loads(call("simulate", draft, "-n", "9", "--seed", "3", "--json", "--cards").out)
    assert counted.pop("cards")
    assert counted == alone
    begun = ("--begin", "ward_1", "--begin", "ward_2", "--json")
    alone = json.loads(call("simulate", draft, "-n", "9", *begun).out)
    counted = json.loads(call("simulate", draft, "-n", "9", *begun, "--cards").out)
    assert counted.pop("cards")["ward"]["held"] == 18
    assert counted == alone


def test_a_beginning_is_laid_down(call: Call, draft: Path) -> None:
    picks = ("--begin", "bolt_1", "--begin", "spark_1")
    done = call("simulate", draft, "-n", "20", "--agent", "greedy:3", "--cards", *picks, "--json")
    data = json.loads(done.out)
    assert data["winners"] == {"ann": 20}
    assert data["cards"] == {
        "bolt": {"held": 20, "won": 20, "missed": 20, "won_without": 0, "uses": 40},
        "spark": {"held": 20, "won": 0, "missed": 20, "won_without": 20, "uses": data["cards"]["spark"]["uses"]},
        "ward": {"held": 0, "won": 0, "missed": 40, "won_without": 20, "uses": 0},
    }
    random = call("simulate", draft, "-n", "20", *picks, "--json")
    assert json.loads(random.out)["winners"].get("ann", 0) >= 15
    wrong = call("simulate", draft, "-n", "2", "--begin", "fireball")
    assert (wrong.code, "there is no option called 'fireball'" in wrong.err) == (2, True)


def test_cards_are_told_best_first(call: Call, draft: Path) -> None:
    done = call("simulate", draft, "-n", "60", "--cards")
    lines = done.out.splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("card"))
    assert lines[head].split() == ["card", "held", "used", "won", "with", "without", "difference", "between"]
    first = lines[head + 1].split()
    assert first[0] == "bolt"
    assert first[5].startswith("+")
    assert "storm" not in done.out, "cards that no player holds are the game's own"
    assert "cards" not in json.loads(call("simulate", draft, "-n", "2", "--json").out)


def test_a_limit_of_answers(call: Call, draft: Path) -> None:
    data = json.loads(call("simulate", draft, "-n", "3", "--limit", "4", "--json").out)
    assert data["unfinished"] == 3
    data = json.loads(call("simulate", draft, "-n", "3", "--limit", "4", "--agent", "greedy", "--json").out)
    assert data["unfinished"] == 3


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("serch", "did you mean 'search'"),
        ("search:deep", "'deep' is no budget for the agent 'search'"),
        ("random,random,random", "there are 2 players, and 3 agents"),
    ],
)
def test_a_wrong_agent_is_wrong_use(call: Call, draft: Path, agent: str, words: str) -> None:
    done = call("simulate", draft, "-n", "2", "--agent", agent)
    assert done.code == 2
    assert words in done.err
