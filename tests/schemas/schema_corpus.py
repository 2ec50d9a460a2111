"""The corpus of good and bad files of the schemas. A bad file marks the line of each finding with ``# !! code``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import jsonschema

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Map, plain
from ludoloom.compiler.frontend.read import read

FOLDER: Final = Path(__file__).parent.parent / "cases" / "schemas"
GOOD: Final = FOLDER / "good"

NOT_EXPRESSIBLE: Final = {
    "column_without_type": "whether a mapping among the fields is a column or a face follows from `faces`",
    "face_that_is_none": "whether a mapping among the fields is a column or a face follows from `faces`",
    "two_verbs": "a statement of the game has one verb, whose name the schema of the language does not know",
}
"""Files that only the check of shape refuses, and why a JSON Schema cannot say it."""

_MARK = re.compile(r"# !! (.+)$")


def corpus() -> list[Path]:
    return sorted(FOLDER.rglob("*.yaml"))


def tree(path: Path) -> Map:
    bag = Bag()
    found = read(path.read_bytes(), path.name, bag)
    assert found is not None
    assert list(bag) == []
    return found


def bare(path: Path) -> Any:
    return plain(tree(path))


class Schema:
    """A JSON Schema that judges."""

    def __init__(self, schema: dict[str, Any]) -> None:
        jsonschema.Draft7Validator.check_schema(schema)
        self._validator: Any = jsonschema.Draft7Validator(schema)

    def accepts(self, value: object) -> bool:
        return bool(self._validator.is_valid(value))


def marked(text: str) -> list[tuple[int, str]]:
    """Line and code of each finding that a file says it has."""
    return [
        (number, code)
        for number, line in enumerate(text.splitlines(), 1)
        if (mark := _MARK.search(line))
        for code in mark[1].split()
    ]
