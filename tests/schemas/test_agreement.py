"""The exported JSON Schema and the check of shape say the same about every file.

Beside the corpus, thousands of small slips are made in the good files (a key misspelt, left out, doubled in another
place; a value replaced by one of another sort), so that a key whose schema and model differ does not stay unseen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import ValidationError
from schema_corpus import GOOD, NOT_EXPRESSIBLE, Schema, bare, corpus

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.compiler.frontend.shape import check_shape
from ludoloom.schemas.base import Part
from ludoloom.schemas.export import language_schema, ledger_schema
from ludoloom.schemas.language import File
from ludoloom.schemas.ledger import Ledger

Json = Any
SLIPS = 120
"""Slips tried in each good file; a fixed choice, so that a failure comes again."""


@pytest.fixture(scope="module")
def validators() -> dict[type[Part], Schema]:
    return {
        File: Schema(language_schema()),
        Ledger: Schema(ledger_schema()),
    }


def model_of(path: Path) -> type[Part]:
    return Ledger if path.name == "rulebook.yaml" else File


def accepted(model: type[Part], value: Json) -> bool:
    try:
        model.model_validate(value)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("path", corpus(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_same_verdict(path: Path, validators: dict[type[Part], Schema]) -> None:
    model, value = model_of(path), bare(path)
    good = GOOD in path.parents
    assert accepted(model, value) is good
    if path.stem in NOT_EXPRESSIBLE:
        assert validators[model].accepts(value), "it is expressible after all: take it off the list"
    else:
        assert validators[model].accepts(value) is good


def places(value: Json, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place of a value, its root left out."""
    inner = cast("dict[str, Json]", value).items() if isinstance(value, dict) else enumerate(cast("list[Json]", value))
    for key, one in inner:
        yield (*path, key)
        if isinstance(one, dict | list):
            yield from places(one, (*path, key))


def changed(value: Json, path: tuple[str | int, ...], change: str) -> Json:
    """A copy of the value with one slip at a place; only what lies on the way is copied."""
    key, rest = path[0], path[1:]
    copy: Json = value.copy()
    if rest:
        copy[key] = changed(value[key], rest, change)
    elif change == "misspelt" and isinstance(copy, dict):
        return {(f"{name}x" if name == key else name): one for name, one in cast("dict[str, Json]", copy).items()}
    elif change == "missing":
        del copy[key]
    else:
        copy[key] = VALUES[change] if change in VALUES else value[key]
    return copy


VALUES: dict[str, Json] = {
    "number": 7,
    "flag": True,
    "word": "some_word",
    "quoted": "12",
    "words": "Some Words.",
    "list": ["some_word"],
    "mapping": {"some_word": 1},
    "nothing": [],
    "empty": {},
}
CHANGES = ("misspelt", "missing", *VALUES)


def slips(path: Path, most: int = SLIPS) -> list[tuple[tuple[str | int, ...], str]]:
    every = [(place, change) for place in places(bare(path)) for change in CHANGES]
    return random.Random(path.name).sample(every, min(most, len(every)))


@pytest.mark.parametrize("path", [path for path in corpus() if GOOD in path.parents], ids=lambda path: path.name)
def test_same_verdict_on_slips(path: Path, validators: dict[type[Part], Schema]) -> None:
    model, value = model_of(path), bare(path)
    differ: list[str] = []
    for place, change in slips(path):
        slip = changed(value, place, change)
        verdict = accepted(model, slip)
        if verdict is not validators[model].accepts(slip) and not excused(place, change, slip):
            differ.append(f"{'.'.join(map(str, place))} {change}: the model says {verdict}")
    assert differ == []


def node(value: Json, line: int = 1) -> Node:
    """The value as a tree, each entry on a line of its own."""
    span = Span("slip.yaml", line, 1, line, 2)
    if isinstance(value, dict):
        rows = enumerate(cast("dict[str, Json]", value).items(), line + 1)
        return Map(span, tuple((Scalar(span, key, key, True), node(one, at)) for at, (key, one) in rows))
    if isinstance(value, list):
        return Items(span, tuple(node(one, at) for at, one in enumerate(cast("list[Json]", value), line + 1)))
    return Scalar(span, value, str(value), isinstance(value, str) and not value.isdigit())


@pytest.mark.parametrize("path", [path for path in corpus() if GOOD in path.parents], ids=lambda path: path.name)
def test_a_slip_is_always_told(path: Path) -> None:
    """Whatever the model refuses becomes a finding with words, a place and a way to it; nothing else does."""
    model, value = model_of(path), bare(path)
    for place, change in slips(path, 600):
        slip = changed(value, place, change)
        tree, bag = node(slip), Bag()
        assert isinstance(tree, Map)
        sound = check_shape(tree, path.name, bag)
        errors = [finding for finding in bag if finding.severity == "error"]
        assert sound is (not errors) is accepted(model, slip), (place, change)
        assert all(finding.message and (finding.path or finding.code == "missing-key") for finding in errors)
        if change == "misspelt":
            assert len(errors) <= 1, (place, [finding.message for finding in errors])


def excused(place: tuple[str | int, ...], change: str, value: Json) -> bool:
    """Slips that make one of the rules that a JSON Schema cannot express: a column is a face, a statement has two
    verbs."""
    at: Json = value
    for key in place[:-1]:
        at = at[key]
    in_fields = "fields" in place or "faces" in place
    in_block = any(isinstance(key, int) for key in place) and isinstance(at, dict) and change == "misspelt"
    return in_fields or in_block
