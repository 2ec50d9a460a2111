"""The exported schemas: checked in as they are written, each key described, each key used in the corpus."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from schema_corpus import GOOD, bare, corpus

import ludoloom.schemas as schemas
from ludoloom.schemas.acts import Action, CardAct, Phase, RollRule, Trigger, Verb
from ludoloom.schemas.base import Part, keys_of
from ludoloom.schemas.docs import key_docs
from ludoloom.schemas.export import CHECKED_IN, language_schema, ledger_schema, text_of
from ludoloom.schemas.keys import ROLL_SECTIONS, SECTIONS
from ludoloom.schemas.quick import FOLDER

Json = dict[str, Any]


@pytest.mark.parametrize("name", CHECKED_IN)
def test_checked_in(name: str) -> None:
    file = Path(schemas.__path__[0]) / "json" / name
    assert file.read_text(encoding="utf-8") == text_of(CHECKED_IN[name]()), "run: python -m ludoloom.schemas.export"


def test_checkers() -> None:
    """In a process of its own: what other tests have built of the models changes how Pydantic puts the same."""
    program = "import json; from ludoloom.schemas.export import checkers; print(json.dumps(checkers()))"
    env = {"PYTHONPATH": str(Path(__file__).parents[2] / ".pypath"), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    found = {file.stem: file.read_text(encoding="utf-8") for file in FOLDER.iterdir()}
    assert found == json.loads(done.stdout), "run: python -m ludoloom.schemas.export"


def parts(base: type[Part] = Part) -> Iterator[type[Part]]:
    """All models of the language; the ones made for patches and from kinds have no text of their own."""
    for part in base.__subclasses__():
        if part.__module__.startswith("ludoloom.schemas.") and not part.__module__.endswith(".base"):
            yield part
            yield from parts(part)


def test_every_key_is_described() -> None:
    bare_keys = [f"{part.__name__}.{key}" for part in parts() for key in keys_of(part) if key not in key_docs(part)]
    assert bare_keys == []
    assert len(list(parts())) > 80


def test_every_key_is_in_the_corpus() -> None:
    """So the agreement of schema and model is tried on each of them."""

    def keys(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in cast("dict[str, object]", value).items():
                yield key
                yield from keys(inner)
        elif isinstance(value, list):
            for inner in cast("list[object]", value):
                yield from keys(inner)

    used = {key for path in corpus() if GOOD in path.parents for key in keys(bare(path))}
    assert {key for part in parts() for key in keys_of(part)} - used == set()


@pytest.mark.parametrize("schema", [language_schema(), ledger_schema()], ids=["language", "ledger"])
def test_every_reference_leads_somewhere(schema: Json) -> None:
    def references(node: object) -> Iterator[str]:
        if isinstance(node, dict):
            for key, inner in cast("Json", node).items():
                if key == "$ref":
                    assert set(cast("Json", node)) == {"$ref"}, "draft 7 reads nothing beside a reference"
                    yield str(inner)
                else:
                    assert not key.startswith("$") or key == "$schema"
                    yield from references(inner)
        elif isinstance(node, list):
            for inner in cast("list[object]", node):
                yield from references(inner)

    wanted = {reference.removeprefix("#/definitions/") for reference in references(schema)}
    assert wanted == set(schema["definitions"]) or wanted < set(schema["definitions"])
    assert wanted - set(schema["definitions"]) == set()


def test_written_the_same_each_time() -> None:
    assert json.dumps(language_schema()) == json.dumps(language_schema())


@pytest.mark.parametrize("part", [Action, CardAct, Phase, Trigger, Verb])
def test_sections_of_acts_are_known(part: type[Part]) -> None:
    assert set(keys_of(part)) <= set(SECTIONS)


def test_sections_of_rolls_are_in_order() -> None:
    assert keys_of(RollRule) == ROLL_SECTIONS
