"""What the cases cannot show: shared beginnings, coverage, rules that are proved, what failures carry, what `test`
prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoloom.compiler.cli.scenarios import rule_states, run_scenarios
from ludoloom.compiler.pipeline import Compiled, load
from ludoloom.runtime.scenario import Runner, run, says

GAMES = Path(__file__).parent.parent / "games"
PACK = """pack: {id: demo, version: 1.0.0, title: Demo, players: 2}
state: {pot: 0 to 9}
play: [round]
phases:
  round:
    do:
      - ask: {says: "On?", by: player_1}
        then:
          - gain: {what: pot, amount: 1}
        else:
          - gain: {what: pot, amount: 2}
end: {full: {whenever: pot == 9, winners: none}}
scenarios:
  accepts: {when: [{answer: "yes"}], then: {pot: 1}, proves: [demo.pot.one]}
  declines: {when: [{answer: "no"}], then: {pot: 1}, proves: [demo.pot.two]}
"""
LEDGER = """game: demo
rules:
  - {id: demo.pot.one, tier: core, rule: Yes is one.}
  - {id: demo.pot.two, tier: core, rule: No is two.}
  - {id: demo.pot.late, tier: mode, rule: Later., open: the mode is not written yet}
  - {id: demo.pot.real, tier: physical, rule: The pot is a bowl.}
  - {id: demo.pot.none, tier: core, rule: Nothing., not_applicable: says nothing}
examples:
  - {id: demo.ex.one, rules: [demo.pot.one], given: "A pot.", when: "Yes.", then: "One."}
"""


def everything(_name: str, _span: object) -> bool:
    return True


def compiled(folder: Path) -> Compiled:
    checked = load([str(folder)], scenarios=True)
    assert not checked.bag.failed
    return checked.games[0]


@pytest.fixture
def demo(tmp_path: Path) -> Compiled:
    (tmp_path / "game.yaml").write_text(PACK, encoding="utf-8")
    (tmp_path / "rulebook.yaml").write_text(LEDGER, encoding="utf-8")
    return compiled(tmp_path)


def test_a_scenario_alone_and_among_others_goes_the_same_way() -> None:
    game = compiled(GAMES / "press_luck")
    assert game.image is not None
    runner = Runner(game.image)
    for _ in range(2):
        for plan in game.scenarios.plans.values():
            assert runner.run(plan).failures == run(game.image, plan).failures == []
    assert 0 < len(runner.begun) <= len(game.scenarios.plans)


def test_coverage_tells_the_lines_that_ran(demo: Compiled) -> None:
    only_on = run_scenarios(demo, lambda name, _span: name == "accepts", watch=True)
    lines = {line: ran for (_, line), ran in only_on.executed.items()}
    assert lines[9] is True
    assert lines[11] is False
    both = run_scenarios(demo, everything, watch=True)
    assert all(both.executed.values())
    assert not run_scenarios(demo, everything).executed


def test_a_rule_is_proved_by_a_scenario_that_passes(demo: Compiled) -> None:
    states = {
        state.id: (state.state, state.reason) for state in rule_states(demo.tree, [run_scenarios(demo, everything)])
    }
    assert states["demo.pot.one"][0] == "proved"
    assert states["demo.pot.two"] == ("open", "no scenario that passes names it")
    assert states["demo.pot.late"] == ("open", "the mode is not written yet")
    assert states["demo.pot.real"][0] == "not applicable"
    assert states["demo.pot.none"] == ("not applicable", "says nothing")
    assert states["demo.ex.one"][0] == "open"


def test_a_failure_tells_what_came_of_it_and_what_was_offered(demo: Compiled) -> None:
    assert demo.image is not None
    (failure,) = run(demo.image, demo.scenarios.plans["declines"]).failures
    assert (failure.path, failure.message) == (("then", "pot"), "`pot` is `2`, not `1`")
    (failure,) = run(demo.image, {"name": "x", "when": [{"answer": "perhaps"}]}).failures
    assert failure.path == ("when", 0)
    assert failure.offered == ("true", "false")


@pytest.mark.parametrize(
    ("wanted", "there"),
    [
        ("ann finds 12", True),
        ("finds", True),
        ("12 (a pearl)", True),
        ("(a", True),
        ("pearl", True),
        ("finds 1", False),
        ("2 (a", False),
        ("n", False),
        ("a", True),
        ("an", False),
        ("bob", False),
    ],
)
def test_lines_of_the_log_are_found_by_whole_words(wanted: str, there: bool) -> None:
    assert says("Ann finds 12 (a pearl)", wanted) is there


def test_what_is_expected_while_a_die_waits(tmp_path: Path) -> None:
    text = (Path(__file__).parent.parent / "cases" / "scenarios" / "chance.yaml").read_text(encoding="utf-8")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    image = compiled(tmp_path).image
    assert image is not None
    then = {"end": "never"}
    (failure,) = run(image, {"name": "x", "when": [{"die": 3}], "then": then}).failures
    assert failure.message.endswith("; a die is still to be rolled: write `- {die: …}`")
    (failure,) = run(image, {"name": "x", "given": {"at": "round.draw"}, "then": then}).failures
    assert failure.message.endswith("; something is still to be drawn: write `- {draw: …}`")
    present = {"options": {"present": ["6"]}}
    assert not run(image, {"name": "x", "when": [{"die": 3}], "then": present}).failures


def test_more_answers_than_a_choice_takes(tmp_path: Path) -> None:
    text = (Path(__file__).parent.parent / "cases" / "scenarios" / "choices.yaml").read_text(encoding="utf-8")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    image = compiled(tmp_path).image
    assert image is not None
    (failure,) = run(image, {"name": "x", "when": [{"answer": [3, 4]}]}).failures
    assert failure.path == ("when", 0, "answer")
    assert failure.message == "the choice `bid` takes one answer here, and 2 are listed; asked is `answer`"
    when = [{"answer": 3}, {"answer": "no"}, {"answer": ["dime", "crown", "penny"]}]
    (failure,) = run(image, {"name": "x", "when": when}).failures
    assert failure.message.startswith("the choice `laid` takes 2 answers here, and 3 are listed")


def test_a_fault_points_into_the_rules(tmp_path: Path) -> None:
    text = (Path(__file__).parent.parent / "cases" / "scenarios" / "faults.yaml").read_text(encoding="utf-8")
    line = next(number for number, row in enumerate(text.split("\n"), 1) if "6 // parts" in row)
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    results = run_scenarios(compiled(tmp_path), lambda name, _span: name == "unforeseen")
    (finding,) = results.findings
    assert [related.span.line for related in finding.related] == [line]


def test_a_plan_of_options_that_do_not_exist_fails_with_a_sentence(demo: Compiled) -> None:
    assert demo.image is not None
    for options in ({"speed": "fast"}, {"speed": True}):
        (failure,) = run(demo.image, {"name": "x", "options": options}).failures
        assert failure.path == ("options",)
        assert "speed" in failure.message


def test_a_step_that_never_comes(demo: Compiled) -> None:
    assert demo.image is not None
    for at in ("round.never", "nowhere"):
        (failure,) = run(demo.image, {"name": "x", "given": {"at": at}}).failures
        assert failure.path == ("given", "at")
