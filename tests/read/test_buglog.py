"""Faults that people met with other tools, one test each, under the numbers of the bug log that this project began
with."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.diagnostics.render import text
from ludoloom.compiler.diagnostics.sources import Sources
from ludoloom.compiler.frontend.nodes import Map, Scalar, plain
from ludoloom.compiler.frontend.read import read

ROOT = Path(__file__).parent.parent.parent


def tried(source: str | bytes) -> tuple[Map | None, list[Diagnostic]]:
    bag = Bag()
    tree = read(source if isinstance(source, bytes) else source.encode(), "cards.yaml", bag)
    return tree, bag.findings


def places(findings: list[Diagnostic]) -> list[tuple[str, int, int]]:
    return [(finding.code, finding.span.line, finding.span.column) for finding in findings]


def test_l01_norway_stays_text_or_is_an_error() -> None:
    tree, findings = tried("locales: [de, fr, no]\nfaction: {code: NO}\nflags: [on, off, y, Yes]\n")
    assert places(findings) == [
        ("yaml-reads-differently", 1, 19),
        ("yaml-reads-differently", 2, 17),
        *[("yaml-reads-differently", 3, column) for column in (9, 13, 18, 21)],
    ]
    assert findings[0].message == "`no` without quotes is read as the yes/no value false"
    assert findings[0].hint == 'write "no" for the text, or false'
    assert tree is not None
    assert plain(tree)["locales"] == ["de", "fr", None]  # type: ignore[index]


def test_l02_a_key_written_twice_shows_both_places() -> None:
    _, findings = tried("guard:\n  cost: 2\n  text: x\n  cost: 3\n")
    assert places(findings) == [("duplicate-key", 4, 3)]
    assert [(other.span.line, other.span.column) for other in findings[0].related] == [(2, 3)]


def test_l03_merge_keys_are_refused_with_the_form_to_write() -> None:
    _, findings = tried(
        "base: &guard {cost: 2, health: 3}\none: {<<: *guard, cost: 4}\ntwo:\n  <<: *guard\n  <<: *guard\n"
    )
    assert places(findings) == [("merge-key", 2, 7), ("merge-key", 4, 3), ("merge-key", 5, 3)]
    assert "write the keys out" in findings[0].hint


@pytest.mark.parametrize(("before", "after"), [("", "\n".join(f"  k{n}: {n}" for n in range(30))), ("\n", "")])
def test_l04_the_second_key_is_the_place(before: str, after: str) -> None:
    _, findings = tried(f"card:{before}\n  cost: 2\n  text: x\n  cost: 3" + ("\n" + after if after else ""))
    line = 4 + len(before)
    assert places(findings) == [("duplicate-key", line, 3)]
    assert findings[0].span.end_column == 7
    assert findings[0].related[0].span.line == line - 2


def test_l05_a_leading_zero_is_never_a_number() -> None:
    tree, findings = tried("id: 0123\nposition: 010\nquoted: '0123'\n")
    assert places(findings) == [("yaml-reads-differently", 1, 5), ("yaml-reads-differently", 2, 11)]
    assert tree is not None
    assert plain(tree) == {"id": None, "position": None, "quoted": "0123"}


def test_l06_stages_with_leading_zeros_are_all_found() -> None:
    _, findings = tried("stages:\n" + "".join(f"  {n:02}: text\n" for n in range(1, 13)))
    assert places(findings) == [("yaml-reads-differently", line, 3) for line in range(2, 11)]


def test_l07_a_tab_as_indentation_is_named() -> None:
    _, findings = tried("card:\n  cost: 2\n\thealth: 3\n")
    assert places(findings) == [("tab-indentation", 3, 1)]
    assert "a tab is used for indentation" in findings[0].message


def test_l08_a_tab_before_a_comment_is_accepted() -> None:
    tree, findings = tried("cost: 3\t# printed value\n")
    assert not findings
    assert tree is not None
    assert plain(tree) == {"cost": 3}


def test_l09_a_colon_in_text_shows_the_quoted_form() -> None:
    tree, findings = tried("a:\n  text: Forced: take 2 harm\nb:\n  text: - draw a card\nc:\n  text: # of rounds\n")
    assert places(findings) == [("unquoted-text", 2, 9), ("unquoted-text", 4, 9), ("empty-value", 6, 3)]
    assert findings[0].hint == 'write `text: "Forced: take 2 harm"`'
    assert findings[1].hint == 'write `text: "- draw a card"`'
    assert findings[2].hint == 'write `text: "# of rounds"` if it is text'
    assert tree is not None
    assert plain(tree)["a"] == {"text": "Forced: take 2 harm"}  # type: ignore[index]


def test_l10_the_locale_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "cards.yaml").write_bytes("card: {text: “curly” 火, cost: no}\n".encode())
    answers: list[bytes] = []
    for locale in ("C", "en_US.ISO-8859-1", "C.UTF-8"):
        environment = {**os.environ, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        environment |= {"PYTHONPATH": str(ROOT / ".pypath"), "LUDOLOOM_CACHE": str(tmp_path / "cache")}
        command = [sys.executable, "-m", "ludoloom", "check", "cards.yaml", "--no-cache"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
        assert done.returncode == 1, done.stderr
        answers.append(done.stdout)
    assert "“curly” 火" in answers[0].decode()
    assert len(set(answers)) == 1


def test_l11_a_byte_order_mark_moves_nothing() -> None:
    tree, findings = tried(b"\xef\xbb\xbfcard: no\n")
    assert tree is not None
    assert tree.names() == ("card",)
    assert places(findings) == [("yaml-reads-differently", 1, 7)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_l11_other_encodings_are_named(encoding: str) -> None:
    tree, findings = tried("card: {cost: 1}\n".encode(encoding))
    assert tree is None
    assert places(findings) == [("wrong-encoding", 1, 1)]
    assert findings[0].hint == "save it as UTF-8"


def test_l12_a_bomb_of_aliases_is_refused_at_once() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    names = "abcdefghi"
    lines += [f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in pairwise(names)]
    begun = time.perf_counter()
    tree, findings = tried("\n".join(lines))
    assert time.perf_counter() - begun < 0.5
    assert {finding.code for finding in findings} == {"anchor"}
    assert len(findings) == 9
    assert tree is not None
    assert len(repr(plain(tree))) < 2000


def test_l13_ten_thousand_cards_take_seconds_at_most() -> None:
    card = '  card_{n}: {{kind: guard, cost: {n}, text: "Deal {{damage}} to it.", traits: [elf, guard]}}\n'
    source = "cards:\n" + "".join(card.format(n=n) for n in range(10_000))
    begun = time.perf_counter()
    tree, findings = tried(source)
    assert time.perf_counter() - begun < 5
    assert not findings
    assert tree is not None
    cards = tree.get("cards")
    assert isinstance(cards, Map)
    assert len(cards) == 10_000


def test_l14_marks_of_a_merge_get_one_message() -> None:
    rows = [f"  card_{n}: {{cost: {n}}}" for n in range(50_000)]
    rows[25_000:25_002] = ["<<<<<<< ours", rows[25_000], "=======", rows[25_001], ">>>>>>> theirs"]
    begun = time.perf_counter()
    tree, findings = tried("cards:\n" + "\n".join(rows))
    assert time.perf_counter() - begun < 5
    assert tree is None
    assert places(findings) == [("merge-conflict", 25_002, 1)]
    assert [other.span.line for other in findings[0].related] == [25_004, 25_006]


def test_l25_file_names_of_ours_are_claimed_by_nobody() -> None:
    # What the documented layout asks for. The public catalogue claims names by pattern, and never these.
    claimed = {
        "build.yaml",
        "deploy.yaml",
        "config.yaml",
        "action.yaml",
        "galaxy.yaml",
        "meta/main.yaml",
        "tasks/main.yaml",
    }
    ours = {path.name for path in (ROOT / "content").rglob("*.yaml")} | {"game.yaml", "rulebook.yaml"}
    assert not ours & claimed
    assert not any(
        path.parent.name in ("tasks", "handlers", "vars", "meta") for path in (ROOT / "content").rglob("*.yaml")
    )


def test_l26_a_second_document_is_refused_and_checked_all_the_same() -> None:
    tree, findings = tried("one: {cost: 1}\n---\ntwo: {cost: no}\n")
    assert places(findings) == [("several-documents", 2, 1), ("yaml-reads-differently", 3, 13)]
    assert tree is not None
    assert tree.names() == ("one", "two")


@pytest.mark.parametrize("blank", [7, 8])
def test_l37_the_caret_stands_under_the_word(blank: int) -> None:
    source = "# \n" * blank + "card: {名: 火の守護者 🔥,\ttext: no}\n"
    tree, findings = tried(source)
    assert tree is not None
    value = tree.get("card").get("text")  # type: ignore[union-attr]
    assert isinstance(value, Scalar)
    assert findings[0].span == value.span
    assert findings[0].span.column == source.splitlines()[blank].index("no}") + 1
    rows = text.render(findings, Sources(texts={"cards.yaml": source}).lines).splitlines()
    shown, mark = rows[3], rows[4]
    assert shown.startswith(f"{blank + 1} |")
    wide = sum(2 if ord(character) > 0x2FFF else 1 for character in shown[: shown.index("no}")])
    assert mark.index("^") == wide
    assert mark.count("^") == 2
