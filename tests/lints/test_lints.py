"""The checks of the whole game, on the text cases under tests/cases/lints and on every game of this tree.

A file of cases is cut by lines ``#### name`` into cases, a case by lines ``=== path`` into files. ``# !! code``
stands at the end of each line that has a finding; a line without it has none, which is as much a part of the case.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludoloom.compiler.pipeline import check

TESTS = Path(__file__).parent.parent
CASES = TESTS / "cases" / "lints"
MARK = re.compile(r"# !! (.+)$")


def cases() -> list[tuple[str, dict[str, str]]]:
    """Name and files of each case."""
    found: list[tuple[str, dict[str, str]]] = []
    for file in sorted(CASES.glob("*.txt")):
        shown = ""
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("#### "):
                found.append((f"{file.stem}: {line[5:].strip()}", {}))
            elif line.startswith("=== "):
                shown = line[4:].strip()
                found[-1][1][shown] = ""
            elif found and shown in found[-1][1]:
                found[-1][1][shown] += line + "\n"
    return found


ALL = cases()


def test_there_are_cases() -> None:
    assert len(ALL) > 20


@pytest.mark.parametrize("files", [files for _, files in ALL], ids=[name for name, _ in ALL])
def test_case(files: dict[str, str], tmp_path: Path) -> None:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    expected = sorted(
        (name, number, code)
        for name, text in files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if (marked := MARK.search(line))
        for code in marked[1].split()
    )
    bag = check([tmp_path]).bag
    found = sorted((Path(each.span.file).relative_to(tmp_path).as_posix(), each.span.line, each.code) for each in bag)
    assert found == expected, "\n".join(f"{each.span.line}: {each.code}: {each.message}" for each in bag)


GAMES = sorted(
    path.parent for path in [*TESTS.glob("games/*/game.yaml"), *(TESTS.parent / "content").glob("*/game.yaml")]
)


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_no_false_alarm(game: Path) -> None:
    alarms = [
        (each.span.file, each.span.line, each.code, each.message)
        for each in check([game]).bag
        if each.severity != "note"
    ]
    assert alarms == []
