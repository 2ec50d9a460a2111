"""``ludoloom test``: what it prints, and the code that it leaves with."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import GAMES, Call  # pyright: ignore[reportMissingImports]

LUCK = GAMES / "press_luck"
PACK = """pack: {id: demo, version: 1.0.0, title: Demo, players: 2}
state: {pot: 0 to 9}
play: [round]
phases:
  round:
    do:
      - ask: {says: "On?", by: player_1}
        then: [{gain: {what: pot, amount: 1}}]
        else: [{gain: {what: pot, amount: 2}}]
end: {full: {whenever: pot == 9, winners: none}}
"""
SCENARIOS = """scenarios:
  going_on: {when: [{answer: "yes"}], then: {pot: 1}, proves: [demo.pot.one]}
"""
LEDGER = """game: demo
rules:
  - {id: demo.pot.one, tier: core, rule: Yes is one.}
  - {id: demo.pot.two, tier: core, rule: No is two., open: nobody says no}
  - {id: demo.pot.real, tier: physical, rule: The pot is a bowl.}
"""


def demo(scenarios: str = SCENARIOS, ledger: str = LEDGER) -> Path:
    folder = Path("demo")
    (folder / "scenarios").mkdir(parents=True, exist_ok=True)
    (folder / "game.yaml").write_text(PACK, encoding="utf-8")
    (folder / "rulebook.yaml").write_text(ledger, encoding="utf-8")
    (folder / "scenarios" / "asking.scenario.yaml").write_text(scenarios, encoding="utf-8")
    return folder


def test_scenarios_that_pass(call: Call) -> None:
    done = call("test", LUCK)
    assert (done.code, done.out, done.err) == (0, "", "4 scenarios: 4 passed\n")


def test_a_scenario_that_fails_is_shown_at_its_line(call: Call) -> None:
    done = call("test", demo(SCENARIOS.replace("pot: 1}", "pot: 2}")))
    assert done.code == 1
    assert "error[scenario-failed]: `pot` is `1`, not `2` (scenario `going_on`)" in done.out
    assert "--> demo/scenarios/asking.scenario.yaml:2:" in done.out
    assert done.err == "1 scenario: 0 passed, 1 failed\n"


def test_what_is_not_offered_lists_what_is(call: Call) -> None:
    done = call("test", demo(SCENARIOS.replace('"yes"', '"true!"')))
    assert done.code == 1
    assert "error[decision-not-offered]" in done.out
    assert "did you mean `true`?; on offer: true, false" in done.out


def test_other_forms(call: Call) -> None:
    folder = demo(SCENARIOS.replace("pot: 1}", "pot: 2}"))
    data = json.loads(call("test", folder, "--format", "json").out)
    assert [row["code"] for row in data["findings"]] == ["scenario-failed"]
    assert call("test", folder, "--format", "github").out.startswith(
        "::error file=demo/scenarios/asking.scenario.yaml,line=2"
    )


def test_some_of_them(call: Call) -> None:
    file = LUCK / "scenarios" / "turns.scenario.yaml"
    assert call("test", file).err == "4 scenarios: 4 passed\n"
    assert call("test", LUCK, "-k", "fifty").err == "1 scenario: 1 passed\n"
    none = call("test", LUCK, "-k", "sixty")
    assert (none.code, none.err) == (1, "no scenario was found\n")
    assert call("test", "nowhere").code == 2


def test_rules(call: Call) -> None:
    done = call("test", demo(), "--rules")
    assert done.code == 0
    assert done.out.splitlines() == [
        "demo/rulebook.yaml:4: demo.pot.two: nobody says no",
        "rules: 1 proved, 1 open, 1 not applicable of 3",
    ]
    assert call("test", "demo", "--rules", "--strict").code == 1
    assert call("test", "demo", "--strict").code == 1
    closed = demo(ledger="\n".join(line for line in LEDGER.splitlines() if "pot.two" not in line) + "\n")
    assert call("test", closed, "--rules", "--strict").code == 0


def test_coverage(call: Call) -> None:
    done = call("test", demo(), "--coverage")
    assert done.code == 0
    assert "demo/game.yaml:9: never executed" in done.out
    assert "demo/game.yaml:8:" not in done.out
    assert done.out.splitlines()[-1].startswith("coverage: ")
    more = SCENARIOS + '  stopping: {when: [{answer: "no"}], then: {pot: 2}}\n'
    assert call("test", demo(more), "--coverage").out.splitlines()[-1].endswith("100%")


def test_a_name_in_a_scenario_that_means_nothing_is_found_by_check(call: Call) -> None:
    folder = demo(SCENARIOS.replace("pot: 1", "pott: 1").replace("pot.one", "pot.won"))
    done = call("check", folder)
    assert done.code == 1
    assert "error[unknown-word]" in done.out
    assert "error[unknown-rule]" in done.out


def test_a_game_is_judged_alone_and_an_expansion_with_its_game(call: Call) -> None:
    both = call("test", GAMES / "snail_derby", GAMES / "snail_weather")
    assert both.code == 0, both.out
    assert both.err.endswith("4 scenarios: 4 passed\n")
    added = call("test", GAMES / "snail_derby", "--with", GAMES / "snail_weather")
    assert added.err.endswith("1 scenario: 1 passed\n")


def test_a_pack_may_be_named_by_its_id(call: Call) -> None:
    done = call("test", "press_luck", "--packs", GAMES)
    assert done.code == 0, done.out
    assert done.err == call("test", LUCK).err
    wrong = call("test", "pres_luck", "--packs", GAMES)
    assert wrong.code == 2
    assert "did you mean `press_luck`?" in wrong.err
