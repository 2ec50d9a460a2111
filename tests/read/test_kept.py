"""A file that is kept says what the file says, without being read; what was laid aside is read when somebody looks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.kept import LOOKED, PASSED, Aside, Kept, Shelf
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar
from ludoloom.compiler.frontend.read import read

ROOT = Path(__file__).parents[2]
FILES = sorted(
    [*ROOT.glob("content/**/*.yaml"), *ROOT.glob("tests/games/**/*.yaml"), *ROOT.glob("tests/cases/**/*.yaml")]
)
TEXT = b"""cards:
  trip:
    kind: trap   # ludoloom: allow unused it is fun
    "cost": 2
    text: >
      Two
      lines.
    tags: [a, "b: c", true]
    use: {needs: {rich: "x >= 2"}, do: [{take: 1}]}
    idle: {do: [{give: 3}]}
"""


def nodes(node: Node) -> Iterator[Node]:
    yield node
    if isinstance(node, Items):
        for item in node:
            yield from nodes(item)
    elif isinstance(node, Map):
        for key, value in node:
            yield key
            yield from nodes(value)


def kept(data: bytes, shown: str = "a.yaml", mark: str = "") -> tuple[Map, Kept]:
    """The tree of a file, and the same as it comes back; inside of items the mappings are marked `mark`."""
    bag, shelf = Bag(), Shelf()
    tree = read(data, shown, bag)
    assert tree is not None
    if mark:
        for _, section in tree:
            for _, item in section if isinstance(section, Map) else ():
                for _, part in item if isinstance(item, Map) else ():
                    if isinstance(part, Map):
                        part.facts[mark] = ""
    shelf.put("name", tree, bag.silences)
    rows = shelf.filled()
    assert rows is not None
    found = Shelf(rows).take("name", data, shown)
    assert found is not None
    assert found.silences == bag.silences
    return tree, found


@pytest.mark.parametrize("mark", ["", PASSED])
def test_what_comes_back_is_what_was_read(mark: str) -> None:
    many = 0
    for file in FILES:
        data = file.read_bytes()
        bag = Bag()
        if read(data, "x.yaml", bag) is None or bag.findings:
            continue
        tree, found = kept(data, "x.yaml", mark)
        assert found.tree == tree, file
        assert list(nodes(found.tree)) == list(nodes(tree))
        many += 1
    assert many > 100


def test_the_silences_come_back() -> None:
    _, found = kept(TEXT)
    assert [(silence.line, silence.code, silence.reason) for silence in found.silences] == [(3, "unused", "it is fun")]


def test_what_was_passed_by_is_laid_aside_until_somebody_looks() -> None:
    tree, found = kept(TEXT, mark=PASSED)
    card = found.tree.get("cards")
    assert isinstance(card, Map)
    card = card.get("trip")
    assert isinstance(card, Map)
    act = card.get("use")
    assert isinstance(act, Aside)
    assert act.closed
    assert act.names() == ("needs", "do")
    assert "needs" in act
    assert len(act) == 2
    assert act.get("who") is act.key("who") is None
    assert act.closed
    assert not found.changed
    needs = act.get("needs")
    assert isinstance(needs, Map)
    assert isinstance(needs.get("rich"), Scalar)
    assert not act.closed
    assert found.changed
    assert act == tree.get("cards").get("trip").get("use")  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue, reportUnknownMemberType]
    other = card.get("idle")
    assert isinstance(other, Aside)
    assert other.closed


def test_what_somebody_looked_at_is_kept_whole() -> None:
    shelf = Shelf()
    tree = read(TEXT, "a.yaml", Bag())
    assert tree is not None
    use = tree.get("cards").get("trip").get("use")  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
    assert isinstance(use, Map)
    use.facts[PASSED] = use.facts[LOOKED] = ""
    shelf.put("name", tree, [])
    found = Shelf(shelf.filled() or {}).take("name", TEXT, "a.yaml")
    assert found is not None
    assert not any(isinstance(node, Aside) for node in nodes(found.tree))


def test_facts_of_a_file_and_its_items_are_kept_and_new_ones_noticed() -> None:
    tree = read(TEXT, "a.yaml", Bag())
    assert tree is not None
    tree.facts["written"] = "Two lines"
    shelf = Shelf()
    shelf.put("name", tree, [])
    rows = shelf.filled() or {}
    again = Shelf(rows)
    found = again.take("name", TEXT, "a.yaml")
    assert found is not None
    assert found.tree.facts == {"written": "Two lines"}
    assert again.filled() is None
    section = found.tree.get("cards")
    assert isinstance(section, Map)
    item = section.get("trip")
    assert isinstance(item, Map)
    item.facts["right"] = "mark"
    assert found.changed
    third = Shelf(again.filled() or {}).take("name", TEXT, "a.yaml")
    assert third is not None
    section = third.tree.get("cards")
    assert isinstance(section, Map)
    item = section.get("trip")
    assert isinstance(item, Map)
    assert item.facts == {"right": "mark"}


def test_the_outline_tells_words_apart_but_not_numbers() -> None:
    def outline(text: str) -> str:
        tree = read(text.encode(), "a.yaml", Bag())
        assert tree is not None
        return tree.outline

    assert outline("a: {b: 1, c: [x, -20]}") == outline("a:\n  b: 12\n  c:\n  - x\n  - 3")
    different = [
        "a: {b: 1}",
        "a: {b: '1'}",
        "a: {b: '#'}",
        "a: {b: '0'}",
        "a: {b: true}",
        "a: {b: 'true'}",
        "a: {b: false}",
        "a: {b: [1]}",
        "a: {b: [1, 1]}",
        "a: {b: [[1], 1]}",
        "a: {b: [[1, 1]]}",
        "a: {b: {c: 1}}",
        "a: {b: [{c: 1}]}",
        "a: {c: 1}",
        "a: {b: x, c: y}",
        "a: {b: 'x, c: y'}",
    ]
    assert len({outline(text) for text in different}) == len(different)


@pytest.mark.parametrize(
    "row",
    [
        "",
        "[]",
        "{}",
        "7",
        "null",
        "[[],[]]",
        "[[[1,1,1,1]],[[1]]]",
        "[[[1,1,1,1],[1,1]],[]]",
        "[[[1,1,1,1],7,7],[]]",
        "[" * 100_000,
    ],
)
def test_a_damaged_row_is_worth_nothing(row: str) -> None:
    assert Shelf({"name": row}).take("name", TEXT, "a.yaml") is None


def test_rows_are_ascii_and_hold_no_line_ends() -> None:
    data = 'a: "é\\n\\u2028\\U0001F600"\n'.encode()
    tree = read(data, "a.yaml", Bag())
    assert tree is not None
    shelf = Shelf()
    shelf.put("name", tree, [])
    [row] = (shelf.filled() or {}).values()
    assert row.isascii()
    assert len(row.splitlines()) == 1
    assert json.loads(row)
