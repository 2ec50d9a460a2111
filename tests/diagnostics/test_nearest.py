"""Did you mean …"""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoloom.compiler.diagnostics.nearest import did_you_mean, distance, nearest
from ludoloom.compiler.diagnostics.wording import clip, count, either

WORDS = ["health", "cost", "core_range", "core_damage", "text", "is", "fire"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("helth", "health"),
        ("Cost", "cost"),
        ("core-range", "core_range"),
        ("core_rnage", "core_range"),
        ("core_demage", "core_damage"),
        ("txet", "text"),
        ("fier", "fire"),
        ("iss", "is"),
        ("zebra", None),
        ("x", None),
        ("", None),
        ("cost", None),
    ],
)
def test_nearest(word: str, meant: str | None) -> None:
    assert nearest(word, WORDS) == meant


def test_hint() -> None:
    assert did_you_mean("helth", WORDS) == "did you mean `health`?"
    assert did_you_mean("zebra", WORDS) == ""


@pytest.mark.parametrize(
    ("first", "second", "apart"), [("", "", 0), ("ab", "ba", 1), ("abc", "axc", 1), ("abc", "abcd", 1)]
)
def test_distance(first: str, second: str, apart: int) -> None:
    assert distance(first, second, 3) == distance(second, first, 3) == apart


def test_long_words_and_many_candidates_take_no_time() -> None:
    begun = time.process_time()
    nearest("y" * 100_000, ["x" * 100_000])
    nearest("some_word_here", [f"candidate_{number}" for number in range(20_000)])
    assert time.process_time() - begun < 2


def slow_nearest(word: str, known: list[str]) -> str | None:
    """What `nearest` says, without its shortcuts."""
    allowed = 3 if len(word) >= 10 else 2 if len(word) >= 6 else 1 if len(word) >= 3 else 0
    plain = word.lower().replace("-", "_").replace(" ", "_")
    rows = [(distance(plain, each.lower().replace("-", "_"), 9), k, each) for k, each in enumerate(known)]
    rows = [row for row in rows if row[0] <= allowed and row[2] != word]
    return min(rows)[2] if word and rows else None


@settings(deadline=None)
@given(st.text("abcdX_- é", max_size=12), st.lists(st.text("abcdX_- é", min_size=1, max_size=13), max_size=30))
def test_shortcuts_change_nothing(word: str, known: list[str]) -> None:
    assert nearest(word, known) == slow_nearest(word, known)


def test_one_mistake_in_thousands_of_places_takes_no_time() -> None:
    known = [f"candidate_{number}" for number in range(4_000)]
    begun = time.process_time()
    for _ in range(4_000):
        nearest("candidat_77", known)
    assert nearest("candidat_77", known) == "candidate_77"
    assert time.process_time() - begun < 4


def test_words_of_messages() -> None:
    assert [count(1, "file"), count(0, "file"), count(2, "goose", "geese")] == ["1 file", "0 files", "2 geese"]
    assert [either(["a"]), either(["a", "b"]), either(["a", "b", "c"]), either([])] == ["a", "a or b", "a, b or c", ""]
    assert either(list("abcdefgh")) == "a, b, c, d, e, f or 2 more"
    assert clip("a\n  b") == "a b"
    assert clip("x" * 50) == "x" * 39 + "…"
