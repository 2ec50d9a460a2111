"""``# ludoloom: allow CODE reason``."""

from __future__ import annotations

import pytest

from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.diagnostics.silences import settle
from ludoloom.compiler.frontend.nodes import Span
from ludoloom.compiler.frontend.read import read


def settled(source: str, *found: tuple[str, int]) -> list[tuple[str, int]]:
    """The findings of a file, with some more (code, line) that a later stage would find."""
    bag = Bag()
    read(source.encode(), "f.yaml", bag)
    for code, line in found:
        bag.add(code, Span("f.yaml", line, 1, line, 2), "found")
    return [(finding.code, finding.span.line) for finding in settle(bag)]


def test_at_the_end_of_its_line() -> None:
    assert settled("a: 1  # ludoloom: allow bad-allow it is meant so\n", ("bad-allow", 1)) == []


def test_alone_above_the_line() -> None:
    source = "# ludoloom: allow bad-allow one\n# ludoloom: allow unused-allow two\n\n# a word\na: 1\n"
    assert settled(source, ("bad-allow", 5), ("unused-allow", 5)) == []


def test_only_its_code_on_its_line() -> None:
    source = "a: 1  # ludoloom: allow bad-allow why\nb: 2\n"
    assert settled(source, ("bad-allow", 1), ("bad-allow", 2), ("allow-of-error", 1)) == [
        ("allow-of-error", 1),
        ("bad-allow", 2),
    ]


def test_what_it_does_not_silence_is_reported_with_it() -> None:
    assert settled("a: 1  # ludoloom: allow bad-allow why\n") == [("unused-allow", 1)]


def test_nobody_knows_whether_it_is_used_while_there_are_errors() -> None:
    assert settled("a: no  # ludoloom: allow bad-allow why\n") == [("yaml-reads-differently", 1)]


@pytest.mark.parametrize(
    ("comment", "code"),
    [
        ("allow bad-allow", "bad-allow"),
        ("allow", "bad-allow"),
        ("ignore bad-allow why", "bad-allow"),
        ("allow bad-alow why", "bad-allow"),
        ("allow duplicate-key why", "allow-of-error"),
    ],
)
def test_comments_that_are_none(comment: str, code: str) -> None:
    assert settled(f"a: 1  # ludoloom: {comment}\n") == [(code, 1)]


def test_a_near_code_is_offered() -> None:
    bag = Bag()
    read(b"a: 1  # ludoloom: allow bad-alow why\n", "f.yaml", bag)
    assert bag.findings[0].hint == "did you mean `bad-allow`?"


@pytest.mark.parametrize(
    "source", ['a: "x # ludoloom: allow y"\n', "a: |\n  # ludoloom: allow y\nb: 1\n", "a: x#ludoloom:y\n"]
)
def test_text_is_no_comment(source: str) -> None:
    assert settled(source) == []


def test_an_error_cannot_be_silenced_by_its_line() -> None:
    bag = Bag()
    bag.findings.append(Diagnostic("duplicate-key", Span("f.yaml", 1, 1, 1, 2), "x"))
    assert [finding.code for finding in settle(bag)] == ["duplicate-key"]
