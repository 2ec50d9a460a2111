"""Running scenarios and telling what came of it, for `test` and for whoever collects them (pytest, editors).

``run_scenarios(game, wanted)`` gives the names of those that passed and failed, what did not come true as findings at
the lines of the scenarios, and with `watch` which lines of the rules were executed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from ludoloom.compiler.analysis.tree import GameTree, as_map, text, words
from ludoloom.compiler.diagnostics.model import Diagnostic, Related
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Items, Map, Span
from ludoloom.compiler.pipeline import Compiled
from ludoloom.runtime.scenario import Failure, Runner

_SHOWN: Final = 12
"""Options that a message lists."""


@dataclass(slots=True)
class Results:
    """What came of the scenarios of one game. `executed` are lines with effects, and whether they ran: (file, line) by
    the names of findings."""

    game: Compiled
    findings: list[Diagnostic] = field(default_factory=list[Diagnostic])
    passed: list[str] = field(default_factory=list[str])
    failed: list[str] = field(default_factory=list[str])
    executed: dict[tuple[str, int], bool] = field(default_factory=dict[tuple[str, int], bool])


def run_scenarios(game: Compiled, wanted: Callable[[str, Span], bool], *, watch: bool = False) -> Results:
    """Run those scenarios of a game (compiled with them) of which `wanted` says yes, by name and place."""
    results = Results(game)
    if game.image is None:
        return results
    runner = Runner(game.image, watch=watch)
    files = {name: shown for shown, name in game.tree.file_names().items()}
    for name, plan in game.scenarios.plans.items():
        if not wanted(name, game.scenarios.nodes[name].span):
            continue
        outcome = runner.run(plan)
        (results.passed if outcome.passed else results.failed).append(name)
        results.findings += [_finding(game, name, failure, files) for failure in outcome.failures]
    if watch:
        results.executed = _coverage(runner, game.image.files, files)
    return results


def _finding(game: Compiled, name: str, failure: Failure, files: dict[str, str]) -> Diagnostic:
    span = game.scenarios.place(name, failure.path)
    related: tuple[Related, ...] = ()
    if failure.fault is not None:
        file, line, column = failure.fault
        related = (Related(Span(files.get(file, file), line, column, line, column + 1), "the game was stopped here"),)
    return Diagnostic(
        failure.code, span, f"{failure.message} (scenario `{name}`)", _hint(failure), related, f"scenarios.{name}"
    )


def _hint(failure: Failure) -> str:
    parts: list[str] = []
    if near := did_you_mean(failure.wanted, failure.offered):
        parts.append(near)
    if failure.offered:
        more = f" and {len(failure.offered) - _SHOWN} more" if len(failure.offered) > _SHOWN else ""
        parts.append(f"on offer: {', '.join(failure.offered[:_SHOWN])}{more}")
    if failure.alone:
        parts.append(f"answered without a line: {', '.join(failure.alone)}")
    return "; ".join(parts)


def _coverage(runner: Runner, names: Sequence[str], files: dict[str, str]) -> dict[tuple[str, int], bool]:
    """Lines with effects, and whether they were executed. A run of instructions counts by its first word: the last ones
    may be where other ways meet again."""
    found: dict[tuple[str, int], bool] = {}
    for program, read in runner.executed():
        for row in program.places:
            if row.effect:
                place = (files.get(names[row.file], names[row.file]), row.line)
                found[place] = found.get(place, False) or row.pc in read
    return found


# --- the ledger ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RuleState:
    """A rule of the ledger: `proved`, `open` or `not applicable`, and why."""

    id: str
    section: str
    state: str
    reason: str
    span: Span


def rule_states(tree: GameTree, results: Sequence[Results]) -> list[RuleState]:
    """How it stands with each rule and worked example of a game's ledgers: a passing scenario that names it proves
    it."""
    proved: set[str] = set()
    for result in results:
        for name in result.passed:
            proved |= {rule.text for rule in words(result.game.scenarios.nodes[name].get("proves"))}
    found: list[RuleState] = []
    for pack in tree.packs:
        ledger = pack.ledger.tree if pack.ledger is not None else None
        for section in ("rules", "examples"):
            rows = ledger.get(section) if ledger is not None else None
            for row in rows.items if isinstance(rows, Items) else ():
                if (rule := as_map(row)) is not None:
                    found.append(_state(rule, section, proved))
    return found


def _state(rule: Map, section: str, proved: set[str]) -> RuleState:
    name = text(rule.get("id"))
    place = (rule.get("id") or rule).span
    if name in proved:
        return RuleState(name, section, "proved", "", place)
    if text(rule.get("tier")) == "physical":
        return RuleState(name, section, "not applicable", "nothing for software to do", place)
    if reason := text(rule.get("not_applicable")):
        return RuleState(name, section, "not applicable", reason, place)
    return RuleState(name, section, "open", text(rule.get("open")) or "no scenario that passes names it", place)
