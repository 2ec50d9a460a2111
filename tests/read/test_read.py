"""The tree: values, places, what is kept of a broken file, and that no input does harm."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span, plain
from ludoloom.compiler.frontend.read import DEEPEST, read, read_path
from ludoloom.compiler.frontend.scalars import Complaint, meaning, quoted
from ludoloom.compiler.frontend.source import LARGEST_FILE, split_lines

CASES = Path(__file__).parent.parent / "cases" / "read"


def tree_of(source: str) -> Map:
    bag = Bag()
    tree = read(source.encode(), "f.yaml", bag)
    assert not bag.findings, bag.findings
    assert tree is not None
    return tree


def codes(source: str | bytes) -> list[str]:
    bag = Bag()
    read(source if isinstance(source, bytes) else source.encode(), "f.yaml", bag)
    return [finding.code for finding in bag]


def cut(source: str, span: Span) -> str:
    """The text at a place."""
    lines = split_lines(source)
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    inner = lines[span.line : span.end_line - 1]
    return "\n".join([lines[span.line - 1][span.column - 1 :], *inner, lines[span.end_line - 1][: span.end_column - 1]])


def test_values_and_places() -> None:
    source = 'pack: {id: demo, players: 2}\ncards:\n  a:\n    text: "x: y"\n    steps: [one, -2, true]\n'
    tree = tree_of(source)
    assert plain(tree) == {
        "pack": {"id": "demo", "players": 2},
        "cards": {"a": {"text": "x: y", "steps": ["one", -2, True]}},
    }
    card = tree.get("cards").get("a")  # type: ignore[union-attr]
    assert isinstance(card, Map)
    assert card.span == Span("f.yaml", 4, 5, 5, 27)
    steps = card.get("steps")
    assert isinstance(steps, Items)
    assert [cut(source, item.span) for item in steps] == ["one", "-2", "true"]
    assert cut(source, steps.span) == "[one, -2, true]"
    text = card.get("text")
    assert isinstance(text, Scalar)
    assert (text.value, text.text, text.plain) == ("x: y", "x: y", False)
    assert cut(source, text.span) == '"x: y"'


def test_a_plain_text_over_two_lines_has_no_columns_of_its_own() -> None:
    tree = tree_of("a: one\n  two\nb: one two\n")
    first, second = tree.get("a"), tree.get("b")
    assert isinstance(first, Scalar)
    assert isinstance(second, Scalar)
    assert (first.value, first.plain) == ("one two", False)
    assert (second.value, second.plain) == ("one two", True)


def test_block_texts() -> None:
    assert plain(tree_of("a: |\n  one\n  # two\nb: >\n  one\n  two\n")) == {"a": "one\n# two\n", "b": "one two\n"}


def test_a_broken_item_is_left_out_and_its_neighbours_stay() -> None:
    bag = Bag()
    tree = read(b"cards:\n  a: {x: 1}\n  b:\n    x: 1\n   c: 2\n  d: {x: 3}\nmaps:\n  e: {x: 4}\n", "f.yaml", bag)
    assert [finding.code for finding in bag] == ["indentation"]
    assert tree is not None
    assert plain(tree) == {"cards": {"a": {"x": 1}}, "maps": {"e": {"x": 4}}}


def test_a_section_that_comes_again_after_an_error_is_one_written_twice() -> None:
    assert codes("a: {x: 1\nb: 1\na: 2\n") == ["unclosed-bracket", "duplicate-key"]


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a: ", "}"), ("\n- ", ""), ("\n- - ", "")])
def test_nesting_is_bounded(opening: str, closing: str) -> None:
    lines = opening.startswith("\n")
    first, opening = ("\n", opening[1:]) if lines else ("", opening)
    fits = (DEEPEST - 1) // opening.count("-") if lines else DEEPEST - 1
    assert codes("a: " + first + opening * 40_000) == ["nested-too-deep"]
    assert codes("a: " + first + opening * fits + "1" + closing * fits) == []
    assert codes("a: " + first + opening * (fits + 1) + "1" + closing * (fits + 1)) == ["nested-too-deep"]


def test_size_is_bounded(tmp_path: Path) -> None:
    assert codes(b"#" * (LARGEST_FILE + 1)) == ["file-too-large"]
    path = tmp_path / "large.yaml"
    path.write_bytes(b"a: 1\n" + b"#" * LARGEST_FILE)
    bag = Bag()
    assert read_path(path, "large.yaml", bag) is None
    assert [finding.code for finding in bag] == ["file-too-large"]
    assert bag.findings[0].message == "the file has more than the 8 MB that are read"


def test_many_mistakes_take_no_more_than_a_while() -> None:
    found = codes("cards:\n" + "".join(f"  c{n}:\n    text: a: b\n" for n in range(20_000)))
    assert set(found) == {"unquoted-text"}
    assert len(found) > 5


def test_what_cannot_be_read(tmp_path: Path) -> None:
    for name in ("missing.yaml", "folder.yaml"):
        if name == "folder.yaml":
            (tmp_path / name).mkdir()
        bag = Bag()
        assert read_path(tmp_path / name, name, bag) is None
        assert [finding.code for finding in bag] == ["unreadable"]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no path there")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    bag = Bag()
    assert read_path(tmp_path / "pipe.yaml", "pipe.yaml", bag) is None
    assert [finding.code for finding in bag] == ["unreadable"]


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\x85", "\u2028", "\ufeff"])
def test_invisible_characters_are_found_where_they_stand(character: str) -> None:
    bag = Bag()
    tree = read(f"a: 1\nb: x{character}y\nc: no\n".encode(), "f.yaml", bag)
    assert [(finding.code, finding.span.line, finding.span.column) for finding in bag] == [
        ("control-character", 2, 5),
        ("yaml-reads-differently", 3, 4),
    ]
    assert tree is not None
    assert f"U+{ord(character):04X}" in bag.findings[0].message


@pytest.mark.parametrize("space", ["\u00a0", "\u2003", "\u200b", "\u3000"])
def test_strange_spaces_in_an_indentation(space: str) -> None:
    bag = Bag()
    text = f"a:\n  b: 1\n {space}c: 2\n{space}{space}d: [\u00a0, 3]\ne: |\n  {space}so goes the song\n"
    tree = read(text.encode(), "f.yaml", bag)
    assert [(finding.code, finding.span.line, finding.span.column) for finding in bag] == [
        ("control-character", 3, 2),
        ("control-character", 4, 1),
    ]
    assert tree is not None
    assert plain(tree) == {"a": {"b": 1, "c": 2, "d": ["\u00a0", 3]}, "e": f"{space}so goes the song\n"}


def test_a_wrong_byte_is_found_where_it_stands() -> None:
    bag = Bag()
    assert read("a: ö\nb: ".encode() + "ö".encode("latin-1") + b"\n", "f.yaml", bag) is None
    finding = bag.findings[0]
    assert (finding.code, finding.span.line, finding.span.column) == ("wrong-encoding", 2, 4)


# --- properties

Value: TypeAlias = "int | bool | str | list[Value] | dict[str, Value]"

words = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="\ufeff"), max_size=12
)
keys = st.from_regex(r"[a-z]{2}[a-z0-9_]{0,6}", fullmatch=True).filter(
    lambda word: not isinstance(meaning(word), (Complaint, bool))
)
values = st.recursive(
    st.integers(-(2**31), 2**31 - 1) | st.booleans() | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def written(value: Value, depth: int, block: bool) -> str:
    """A value as YAML, in lines of its own or in brackets."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    pad = "\n" + "  " * depth
    if isinstance(value, list):
        items = [written(item, depth + 1, block) for item in value]
        if block and items:
            return "".join(f"{pad}- {item.lstrip()}" if "\n" not in item else f"{pad}-{item}" for item in items)
        return f"[{', '.join(items)}]"
    pairs = [(key, written(item, depth + 1, block)) for key, item in value.items()]
    if block and pairs:
        return "".join(f"{pad}{key}: {item}" for key, item in pairs)
    return "{" + ", ".join(f"{key}: {item}" for key, item in pairs) + "}"


def nodes(node: Node) -> list[Node]:
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Items):
        return [node, *(inner for item in node for inner in nodes(item))]
    return [node, *(inner for key, value in node for inner in (key, *nodes(value)))]


@given(st.dictionaries(keys, values, min_size=1, max_size=4), st.booleans())
@settings(max_examples=150, deadline=None)
def test_what_is_written_is_read(value: dict[str, Value], block: bool) -> None:
    source = written(value, 0, block).lstrip("\n") + "\n"
    tree = tree_of(source)
    assert plain(tree) == value
    for node in nodes(tree):
        shown = cut(source, node.span)
        if isinstance(node, Scalar):
            assert shown in (node.text, quoted(node.text))
        elif isinstance(node, Items) and not block:
            assert shown[0] + shown[-1] == "[]"


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_no_damage_to_a_file_does_harm(data: st.DataObject) -> None:
    source = data.draw(st.sampled_from([path.read_text(encoding="utf-8") for path in sorted(CASES.glob("*.yaml"))]))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(source)))
        gone = data.draw(st.integers(0, 20))
        source = (
            source[:at] + data.draw(st.text("{}[]:,-#&*!|>'\"%@`\t\n\\ ?=~ax1é火\r", max_size=4)) + source[at + gone :]
        )
    bag = Bag()
    read(source.encode(), "f.yaml", bag)
    lines = split_lines(source)
    for finding in bag:
        for span in (finding.span, *(related.span for related in finding.related)):
            assert 1 <= span.line <= len(lines)
            assert 1 <= span.column <= len(lines[span.line - 1]) + 1
            assert (span.line, span.column) <= (span.end_line, span.end_column)
        assert finding.message
        assert "\n" not in finding.message


@given(st.binary(max_size=60))
@settings(max_examples=200, deadline=None)
def test_no_bytes_do_harm(data: bytes) -> None:
    bag = Bag()
    assert read(data, "f.yaml", bag) is not None or bag.findings
