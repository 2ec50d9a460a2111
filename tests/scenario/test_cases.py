"""Scenarios that come true and scenarios that do not: each case is a pack in one file, and what must be found stands at
its line as ``# !! code``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludoloom.compiler.cli.scenarios import run_scenarios
from ludoloom.compiler.pipeline import check, load

CASES = sorted((Path(__file__).parent.parent / "cases" / "scenarios").glob("*.yaml"))
MARK = re.compile(r"# !! (\S+)")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_case(case: Path, tmp_path: Path) -> None:
    text = case.read_text(encoding="utf-8")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    meant = {(number, match[1]) for number, line in enumerate(text.split("\n"), 1) if (match := MARK.search(line))}
    assert meant, "a case without a fault proves little"
    findings = list(check([tmp_path]).bag)
    if not findings:
        game = load([str(tmp_path)], scenarios=True).games[0]
        results = run_scenarios(game, lambda _name, _span: True)
        findings = results.findings
        assert len(results.passed) + len(results.failed) == len(game.scenarios.nodes)
        assert results.passed, "a case without a scenario that passes proves little"
    found = {(finding.span.line, finding.code): finding.message for finding in findings}
    assert set(found) == meant, "\n".join(f"{line}: {code}: {message}" for (line, code), message in found.items())
