"""The text cases under tests/cases/declare.

A file of cases is cut by lines ``#### name`` into cases, a case by lines ``=== path`` into files of a folder. At the
end of a line stands ``# !! code`` (several codes with blanks between) for each finding whose place is that line. A case
without any must be clean.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / "cases" / "declare"
_MARK = re.compile(r"# !! (.+)$")


def read_cases(path: Path) -> list[tuple[str, dict[str, str]]]:
    """The cases of a file: name, files by path."""
    cases: list[tuple[str, dict[str, str]]] = []
    shown = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#### "):
            cases.append((f"{path.stem}: {line[5:].strip()}", {}))
        elif line.startswith("=== "):
            shown = line[4:].strip()
            cases[-1][1][shown] = ""
        elif cases and shown in cases[-1][1]:
            cases[-1][1][shown] += line + "\n"
    return cases


CASES = [case for path in sorted(FOLDER.glob("*.txt")) for case in read_cases(path)]


def expected(files: dict[str, str]) -> list[tuple[str, int, str]]:
    """(file, line, code) of each finding that must be there."""
    return sorted(
        (path, line, code)
        for path, text in files.items()
        for line, words in enumerate(text.splitlines(), 1)
        if (found := _MARK.search(words))
        for code in found[1].split()
    )


def test_there_are_cases() -> None:
    assert len(CASES) > 60


@pytest.mark.parametrize("files", [files for _, files in CASES], ids=[name for name, _ in CASES])
def test_case(files: dict[str, str], declared: Callable[..., Any], tmp_path: Path) -> None:
    done = declared(files)
    shown = Path(tmp_path).as_posix() + "/"
    found = sorted((one.span.file.removeprefix(shown), one.span.line, one.code) for one in done.findings)
    assert found == expected(files), "\n".join(f"{one.span.line}: {one.code}: {one.message}" for one in done.findings)
