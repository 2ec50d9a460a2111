"""The three forms of output, on the same findings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludoloom.compiler.diagnostics.model import Diagnostic, Related
from ludoloom.compiler.diagnostics.render import github, text
from ludoloom.compiler.diagnostics.render import json as as_json
from ludoloom.compiler.diagnostics.render.display import expand, visible, width
from ludoloom.compiler.diagnostics.sources import Sources
from ludoloom.compiler.frontend.nodes import Span

GAME = "cards:\n  guard:\n    cost: 2\n    text: x\n\n\n    # more\n    health: 1\n    cost: 3\n"


def at(line: int, column: int, end: int, file: str = "cards/a.yaml") -> Span:
    return Span(file, line, column, line, end)


def found(code: str = "duplicate-key", line: int = 9, message: str = "twice", file: str = "cards/a.yaml") -> Diagnostic:
    return Diagnostic(code, at(line, 5, 9, file), message)


TWICE = Diagnostic(
    "duplicate-key",
    at(9, 5, 9),
    "the key `cost` is written twice",
    "keep one of the two",
    (Related(at(3, 5, 9), "first written here"),),
)


def shown(*findings: Diagnostic, colour: bool = False, **files: str) -> str:
    texts = {"cards/a.yaml": GAME, **{name.replace("_", "."): content for name, content in files.items()}}
    return text.render(findings, Sources(texts=texts).lines, colour=colour)


def test_text_shows_the_line_the_other_place_and_what_to_do() -> None:
    assert shown(TWICE) == (
        "error[duplicate-key]: the key `cost` is written twice\n"
        " --> cards/a.yaml:9:5\n"
        "  |\n"
        "3 |     cost: 2\n"
        "  |     ---- first written here\n"
        "...\n"
        "9 |     cost: 3\n"
        "  |     ^^^^\n"
        "  = help: keep one of the two\n"
    )


def test_text_shows_places_in_other_files() -> None:
    other = Related(Span("b.yaml", 112, 1, 112, 5), "and here")
    rows = shown(
        Diagnostic("duplicate-key", at(3, 5, 9), "twice", "", (other,)), b_yaml="\n" * 111 + "cost: 1\n"
    ).splitlines()
    assert rows[1:] == [
        "   --> cards/a.yaml:3:5",
        "    |",
        "  3 |     cost: 2",
        "    |     ^^^^",
        "   ::: b.yaml:112:1",
        "    |",
        "112 | cost: 1",
        "    | ---- and here",
    ]


def test_text_needs_no_file() -> None:
    finding = Diagnostic("nothing-checked", Span("missing", 1, 1, 1, 1), "no YAML file was found here", "look")
    assert shown(finding).splitlines() == [
        "error[nothing-checked]: no YAML file was found here",
        " --> missing:1:1",
        "  = help: look",
    ]


def test_text_keeps_long_lines_and_wild_places_in_bounds() -> None:
    long = "a: " + "x" * 500 + " no " + "y" * 500
    rows = shown(Diagnostic("unquoted-text", Span("b.yaml", 1, 505, 1, 507), "m"), b_yaml=long).splitlines()
    assert len(rows[3]) < 200
    assert rows[3][rows[4].index("^") :].startswith("no")
    assert "…" in rows[3]
    wild = Diagnostic("unquoted-text", Span("b.yaml", 1, 99, 7, 99), "m")
    assert shown(wild, b_yaml="short\n").splitlines()[4] == "  |      ^"


def test_text_sends_nothing_to_the_terminal_that_it_obeys() -> None:
    evil = "name: \x1b[31mred\u202e\n"
    output = shown(Diagnostic("unquoted-text", Span("b.yaml", 1, 7, 1, 8), "a \x1b[2J b"), b_yaml=evil)
    assert "\x1b" not in output
    assert "\u202e" not in output
    assert "\u241b[31mred" in output


def test_text_has_colours_only_if_asked() -> None:
    assert "\x1b[" not in shown(TWICE)
    assert "\x1b[1;31m" in shown(TWICE, colour=True)


@pytest.mark.parametrize(
    ("line", "cells"), [("a\tb", [0, 1, 4, 5]), ("火b", [0, 2, 3]), ("e\u0301b", [0, 1, 1, 2]), ("", [0])]
)
def test_cells(line: str, cells: list[int]) -> None:
    assert expand(line)[1] == cells


def test_widths() -> None:
    assert [width(character) for character in "aé火🔥\u0301\u200d"] == [1, 1, 2, 2, 0, 0]
    assert visible("a\tb\x07") == "a\tb\u2407"


# --- json


def test_json_is_whole_and_comes_back() -> None:
    data = json.loads(as_json.render([TWICE], {"files": 1}))
    assert data["form"] == 1
    assert data["summary"] == {"files": 1}
    [row] = data["findings"]
    assert (row["code"], row["severity"], row["line"], row["column"], row["end_line"], row["end_column"]) == (
        "duplicate-key",
        "error",
        9,
        5,
        9,
        9,
    )
    assert row["related"][0]["message"] == "first written here"
    assert as_json.finding_of(row) == TWICE


def test_l32_json_paths_have_forward_slashes() -> None:
    [row] = json.loads(as_json.render([found(file="cards\\a.yaml")], {}))["findings"]
    assert row["file"] == "cards/a.yaml"


# --- github


def test_l33_commas_colons_and_line_breaks_stay_whole() -> None:
    finding = Diagnostic("duplicate-key", at(2, 3, 7, "cards/we,ird: 50%.yaml"), "first line\nsecond: 100%, done")
    row = github.render([finding], {}).splitlines()[0]
    assert row == (
        "::error file=cards/we%2Cird%3A 50%25.yaml,line=2,endLine=2,title=duplicate-key,col=3,endColumn=6"
        "::first line%0Asecond: 100%25, done"
    )


def test_l34_a_message_is_not_escaped_like_a_property() -> None:
    assert github.escape_message("a, b: c") == "a, b: c"
    assert github.escape_property("a, b: c") == "a%2C b%3A c"
    assert github.escape_message("50%\r\n") == "50%25%0D%0A"


def test_l35_the_host_shows_ten_so_the_most_telling_come_first() -> None:
    findings = [found("duplicate-key", line) for line in range(1, 41)]
    findings += [found("merge-key", line) for line in range(1, 11)]
    findings += [found("duplicate-key", 1, file=f"f{number}.yaml") for number in range(6)]
    findings += [found("unused-allow", line) for line in range(1, 5)]
    rows = github.render(findings, {}).splitlines()
    annotations = [row for row in rows if row.startswith("::")]
    errors = [row for row in annotations if row.startswith("::error")]
    assert annotations[:10] == errors
    assert len(errors) == 10
    first = [(row.split("title=")[1].split(",")[0], row.split("file=")[1].split(",")[0]) for row in errors]
    assert len(set(first[:8])) == 8, "one of each code and file before any repeats"
    assert annotations[-1] == (
        "::notice title=ludoloom::60 findings in all: 56 errors, 4 warnings, 0 notes; "
        "14 are shown here, all stand in the log"
    )
    assert len([row for row in rows if row.startswith(" ")]) == 46, "the rest stands in the log"
    assert not any("::" in row for row in rows if row.startswith(" "))


def test_github_says_nothing_about_nothing() -> None:
    assert github.render([], {}) == ""


def test_github_files_are_relative_to_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "packs").mkdir()
    monkeypatch.chdir(tmp_path / "packs")
    environment = {"GITHUB_WORKSPACE": str(tmp_path)}
    assert "file=packs/cards/a.yaml," in github.render([found()], environment)
    assert "file=other.yaml," in github.render([found(file="../other.yaml")], environment)
