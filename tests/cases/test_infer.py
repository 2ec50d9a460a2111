"""What the compiler finds in words, types and acts.

Each case is a pack in one file (infer/*.yaml). ``# !! code`` stands at the end of every line that has a finding, with a
code for each finding; there are no others.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from ludoloom.compiler.pipeline import check_folder

CASES = sorted((Path(__file__).parent / "infer").glob("*.yaml"))
MARK = re.compile(r"# !! ([a-z -]+)$")


def marked(text: str) -> list[tuple[int, str]]:
    """Line and code of every finding that is expected."""
    lines = enumerate(text.splitlines(), 1)
    return sorted((number, code) for number, line in lines if (mark := MARK.search(line)) for code in mark[1].split())


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_case(case: Path, tmp_path: Path) -> None:
    text = case.read_text(encoding="utf-8")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    found = check_folder(tmp_path).findings
    wanted = Counter(marked(text))
    got = Counter((each.span.line, each.code) for each in found)
    told = {(each.span.line, each.code): f"{each.span.column}: {each.message} ({each.hint})" for each in found}
    assert wanted, "a case expects something"
    assert not got - wanted, [(where, told[where]) for where in got - wanted]
    assert not wanted - got, list(wanted - got)


@pytest.mark.parametrize(
    ("subject", "rows", "gap"),
    [
        ("pot", "0 to 2: 1, 4 to 9: 2", "3"),
        ("pot", "0: 1, 2: 1, 5 to 8: 2", "1, 3 to 4, 9"),
        ("tide", "1 to 5: 1", "0, 6 to 12"),
        ("other", "0 to 12: 1", "below 0, 13+"),
        ("players.count", "1 to 20000: 1", "0, 20001+"),
    ],
)
def test_words_of_a_gap(subject: str, rows: str, gap: str, tmp_path: Path) -> None:
    text = (
        "pack: {id: demo, version: 1.0.0, title: Demo, players: 2}\n"
        "state: {pot: 0 to 9, other: {is: int, start: 0}}\n"
        "tracks: {tide: {origin: original, spaces: 0 to 12}}\n"
        f"computed: {{size: {{depends_on: {subject}, rows: {{{rows}}}}}}}\n"
        "play: [round]\n"
        "phases: {round: {do: [{gain: {what: pot, amount: size}}, {gain: {what: other, amount: tide}}]}}\n"
        "end: {over: {whenever: pot > 3, winners: none}}\n"
    )
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    gaps = [each.message for each in check_folder(tmp_path).findings if each.code == "table-gap"]
    assert gaps == [f"no row for {gap}"]
