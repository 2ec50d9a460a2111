"""Of very many findings the first are shown, and nothing else is lost: not the count, not that a check fails."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoloom.compiler.cli.check import check
from ludoloom.compiler.diagnostics.codes import CODES
from ludoloom.compiler.diagnostics.limits import ALIKE, CODE, IN_A_FILE, SHOWN, limited
from ludoloom.compiler.diagnostics.model import Diagnostic
from ludoloom.compiler.diagnostics.silences import in_order
from ludoloom.compiler.frontend.nodes import Span

SEVERITIES = {"unknown-word": "error", "unused": "warning", "count-incomplete": "note"}


def found(code: str, message: str, line: int, file: str = "a.yaml") -> Diagnostic:
    return Diagnostic(code, Span(file, line, 1, line, 2), message)


def test_few_are_left_alone() -> None:
    few = [found("unknown-word", "x", line) for line in range(ALIKE)] + [
        found("unused", str(line), ALIKE + line) for line in range(IN_A_FILE - ALIKE)
    ]
    assert limited(few) == (few, {})
    assert limited([]) == ([], {})


def test_many_that_say_the_same_have_one_cause() -> None:
    many = [found("unknown-word", "x", line, file) for file in ("a.yaml", "b.yaml") for line in range(15)]
    kept, hidden = limited(many)
    assert kept[:SHOWN] == many[:SHOWN]
    [note] = kept[SHOWN:]
    assert (note.code, note.span) == (CODE, many[SHOWN].span)
    assert note.message == "the same is found here and in 26 more places of 2 files: x"
    assert hidden == {"error": 27}


def test_of_one_file_the_errors_are_the_last_to_go() -> None:
    many = [found("unused", f"{line}", line) for line in range(IN_A_FILE)] + [
        found("unknown-word", f"{line}", IN_A_FILE + line) for line in range(IN_A_FILE)
    ]
    other = found("unused", "other", 1, "b.yaml")
    kept, hidden = limited([*many, other])
    assert [row for row in kept if row.code != CODE] == [*many[IN_A_FILE:], other]
    [note] = [row for row in kept if row.code == CODE]
    assert note.span == many[0].span
    assert note.message == f"more is found in this file from here on: {IN_A_FILE} warnings"
    assert hidden == {"warning": IN_A_FILE}


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(SEVERITIES)), st.integers(0, 30), st.integers(1, 9), st.sampled_from("ab")),
        max_size=60,
    ),
    st.integers(1, 30),
)
def test_nothing_is_lost_but_what_is_counted(rows: list[tuple[str, int, int, str]], times: int) -> None:
    many = in_order([found(code, str(says), line, file) for code, says, line, file in rows for _ in range(times)])
    kept, hidden = limited(many)
    assert limited(many) == (kept, hidden)
    assert kept == in_order(kept)
    shown = Counter(row.severity for row in kept if row.code != CODE)
    assert shown + Counter(hidden) == Counter(row.severity for row in many)
    assert ("error" in shown) == any(row.severity == "error" for row in many)
    for file in "ab":
        assert sum(row.span.file == file for row in kept) <= IN_A_FILE + 1
    assert bool(hidden) == any(row.code == CODE for row in kept)


@pytest.mark.parametrize("use_cache", [False, True])
def test_a_misspelt_plural_is_one_cause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use_cache: bool) -> None:
    monkeypatch.setenv("LUDOLOOM_CACHE", str(tmp_path / "cache"))
    cards = "".join(
        f"  card_{n}: {{kind: card, origin: original, use: {{choose: {{who: {{from: seats, if: chips > {n}}}}}, "
        f"do: [{{gain: {{what: who.chips, amount: {n}}}}}]}}}}\n"
        for n in range(60)
    )
    text = (
        "pack: {id: demo, version: 1.0.0, title: Demo, players: 2}\n"
        "kinds:\n"
        "  seat: {family: player, plural: seatz, state: {chips: 0 to 99}, zones: {hand: {holds: card}}}\n"
        "  card: {family: card, plural: cards, owner: seat, acts: {use: {who: {seat: owner}}}}\n"
        "players: {red: {kind: seat}, blue: {kind: seat}}\n"
        f"cards:\n{cards}"
    )
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "game.yaml").write_text(text, encoding="utf-8")
    report = check([tmp_path / "pack"], use_cache=use_cache)
    again = check([tmp_path / "pack"], use_cache=use_cache)
    assert again.data() == report.data()
    assert again.sentence() == report.sentence()
    codes = Counter(finding.code for finding in report.findings)
    assert codes.total() < 10
    assert report.number("error") >= 60
    assert report.failed
    assert CODES[CODE].severity == "note"
