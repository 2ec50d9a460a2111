"""The reader's cases: each file of ``tests/cases/read`` says, at the line that causes it, which findings it gives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.read import read

CASES = sorted((Path(__file__).parent.parent / "cases" / "read").glob("*.yaml"))
_MARK = re.compile(r"# !! (.*)$")


def expected(text: str) -> list[tuple[int, str]]:
    """The marks of a case: line and code."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if match := _MARK.search(line):
            found += [(number, code) for code in match[1].split()]
    return sorted(found)


def findings(data: bytes) -> list[tuple[int, str]]:
    bag = Bag()
    read(data, "case.yaml", bag)
    return sorted((finding.span.line, finding.code) for finding in bag)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    data = path.read_bytes()
    assert expected(data.decode()), "a case without marks proves nothing"
    assert findings(data) == expected(data.decode())


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_slow_parser_finds_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "__with_libyaml__", False)
    assert findings(path.read_bytes()) == expected(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_line_breaks_of_windows_change_nothing(path: Path) -> None:
    data = path.read_bytes().replace(b"\n", b"\r\n")
    assert findings(data) == expected(path.read_text(encoding="utf-8"))
