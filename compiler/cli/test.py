"""``ludoloom test``: run the scenarios of packs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoloom.compiler.cli.check import Form
from ludoloom.compiler.cli.game import PacksDirs, WithPacks, check_all
from ludoloom.compiler.cli.output import Colour, wants_colour, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from ludoloom.compiler.cli.scenarios import Results, RuleState
    from ludoloom.compiler.diagnostics.model import Diagnostic
    from ludoloom.compiler.frontend.nodes import Span
    from ludoloom.compiler.pipeline import Compiled


def run(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH|ID]...",
            help="Packs by folder or id, or files or folders of scenarios in them. [default: .]",
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", "-k", metavar="TEXT", help="Only scenarios whose name holds this text.")
    ] = None,
    rules: Annotated[
        bool, typer.Option("--rules", help="List the rules of the ledger that no scenario proves.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 while a rule is open, too.")] = False,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="List the lines with effects that no scenario executes.")
    ] = False,
    form: Annotated[Form, typer.Option("--format", help="For people, programs or GitHub Actions.")] = Form.text,
    with_packs: WithPacks = None,
    packs: PacksDirs = None,
    colour: Annotated[Colour, typer.Option("--color", help="Colours in the text form.")] = Colour.auto,
) -> int:
    """Run scenarios, the tests of content: given / when / then.

    What does not come true is shown at its line, with what was on offer instead. With `--rules` the ledger of the pack
    (`rulebook.yaml`) is read too: a rule is proved when a scenario that passes names it under `proves`. With
    `--coverage` all lines with effects are listed that never ran. Exits with 1 if a scenario fails, or if there is
    none.

    \b
    ludoloom test                                   the pack in this folder
    ludoloom test press_luck --packs games          a game by its id
    ludoloom test my_game/scenarios/turns.scenario.yaml
    ludoloom test my_game -k bank                   scenarios with `bank` in their name
    ludoloom test my_game --rules --strict          is every rule proved?
    ludoloom test my_game --coverage
    """
    chosen = names or ["."]
    from ludoloom.compiler.cli.scenarios import rule_states, run_scenarios
    from ludoloom.compiler.diagnostics.silences import in_order
    from ludoloom.compiler.diagnostics.wording import count

    checked = check_all(chosen, with_packs or [], [str(each) for each in packs or ()], scenarios=True)
    wanted = _Wanted(_places(chosen, checked.games, bool(with_packs)), name)
    results = [run_scenarios(game, _own(game, wanted), watch=coverage) for game in checked.games]
    findings = in_order(finding for result in results for finding in result.findings)
    write(_render(findings, form, wants_colour(colour)))
    code = 1 if findings else 0
    ran = sum(len(result.passed) + len(result.failed) for result in results)
    failed = sum(len(result.failed) for result in results)
    if rules or strict:
        states = [state for result in results for state in rule_states(result.game.tree, results)]
        if rules:
            _tell_rules(states)
        if strict and any(state.state == "open" for state in states):
            code = 1
    if coverage:
        _tell_coverage(results)
    if not ran:
        print("no scenario was found", file=sys.stderr)
        return 1
    print(
        f"{count(ran, 'scenario')}: {ran - failed} passed" + (f", {failed} failed" if failed else ""), file=sys.stderr
    )
    return code


def _places(names: list[str], games: list[Compiled], with_packs: bool) -> list[Path]:
    """The files and folders in which scenarios are looked for: those named, those of a pack named by its id, and with
    `--with` those of the expansions."""
    ids = {name for name in names if not os.path.lexists(name)}
    found = [Path(name) for name in names if name not in ids]
    for game in games:
        found += [pack.folder for pack in game.tree.packs if pack.id in ids]
        found += [pack.folder for pack in game.tree.packs[1:]] if with_packs else []
    return found


class _Wanted:
    """Which scenarios are meant: those in the files and folders that were named, with the text in their name."""

    def __init__(self, paths: list[Path], name: str | None) -> None:
        self.paths = [Path(os.path.abspath(path)) for path in paths]
        self.name = name

    def __call__(self, name: str, span: Span) -> bool:
        if self.name is not None and self.name not in name:
            return False
        file = Path(os.path.abspath(span.file))
        return any(file == path or path in file.parents for path in self.paths)


def _own(game: Compiled, wanted: Callable[[str, Span], bool]) -> Callable[[str, Span], bool]:
    """The scenarios that speak of this combination of packs: those of a game are about the game alone, since an
    expansion may change what they prove; with expansions only theirs are judged."""
    base = {file.shown for file in game.tree.packs[0].files} if len(game.tree.packs) > 1 else set[str]()
    return lambda name, span: span.file not in base and wanted(name, span)


def _render(findings: list[Diagnostic], form: Form, colour: bool) -> str:
    if form is Form.json:
        from ludoloom.compiler.diagnostics.render import json

        return json.render(findings, {"failures": len(findings)})
    if form is Form.github:
        from ludoloom.compiler.diagnostics.render import github

        return github.render(findings)
    from ludoloom.compiler.diagnostics.render import text
    from ludoloom.compiler.diagnostics.sources import Sources

    shown = text.render(findings, Sources().lines, colour=colour)
    return shown + "\n" if shown else ""


def _tell_rules(states: list[RuleState]) -> None:
    """The rules and examples that are open, and how many rules are not."""
    for state in states:
        if state.state == "open":
            write(f"{state.span.file}:{state.span.line}: {state.id}: {state.reason}\n")
    listed = [state for state in states if state.section == "rules"]
    numbers = {word: sum(state.state == word for state in listed) for word in ("proved", "open", "not applicable")}
    write(f"rules: {', '.join(f'{number} {word}' for word, number in numbers.items())} of {len(listed)}\n")


def _tell_coverage(results: list[Results]) -> None:
    """The lines that never ran, and how much did."""
    lines: dict[tuple[str, int], bool] = {}
    for result in results:
        for place, ran in result.executed.items():
            lines[place] = lines.get(place, False) or ran
    for (file, line), ran in sorted(lines.items()):
        if not ran:
            write(f"{file}:{line}: never executed\n")
    done = sum(lines.values())
    share = 100 * done // len(lines) if lines else 100
    write(f"coverage: {done} of {len(lines)} lines with effects, {share}%\n")
