"""The JSON Schemas that an editor reads: `language_schema` (every pack), `ledger_schema` (rulebook.yaml); and the
checkers that spare a check the models (`quick.py`).

Pydantic writes the schema of each model; this module sees to what editors need beyond that:

- an either/or becomes ``if``/``then`` by the same signs by which the models choose, so that completion and messages
  speak of the form that was meant, and checking never tries all forms;
- names (`KindName`, `VerbName` …) and shared forms become definitions, which `pack_schema` narrows to the ids of one
  pack;
- no titles and no nulls, descriptions from the docstrings, keys in the order of the models.

Draft 7 is written, the newest that all YAML language servers know.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, cast

from pydantic import TypeAdapter
from pydantic.json_schema import DEFAULT_REF_TEMPLATE, GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from ludoloom.schemas.acts import CardAct
from ludoloom.schemas.base import Json, Part
from ludoloom.schemas.derive import RangeCell, Variant
from ludoloom.schemas.docs import describe
from ludoloom.schemas.language import File
from ludoloom.schemas.ledger import Ledger
from ludoloom.schemas.quick import FOLDER, shipped_text
from ludoloom.schemas.statements import Block
from ludoloom.schemas.values import Formula, RowKey
from ludoloom.schemas.words import Text

DRAFT: Final = "http://json-schema.org/draft-07/schema#"


class _Writer(GenerateJsonSchema):
    """Pydantic's writer with our either/or, our mappings, and without titles and defaults."""

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        about = schema.get("metadata", {}).get("either")
        assert about is not None, "every union of the language is an Either"
        choices = schema["choices"]
        signs: dict[str, list[str]] = about["signs"]
        simple = [self.generate_inner(choice) for tag, choice in choices.items() if tag not in signs]
        if not signs:
            return _any_of(simple)
        forms = {tag: self.generate_inner(choices[tag]) for tag in signs}
        return _any_of([*simple, _dispatch(forms, signs, about["other"])])

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        written: JsonSchemaValue = {"type": "object"}
        if "keys_schema" in schema:
            written["propertyNames"] = self.generate_inner(schema["keys_schema"])
        if "values_schema" in schema:
            written["additionalProperties"] = self.generate_inner(schema["values_schema"])
        if "min_length" in schema:
            written["minProperties"] = schema["min_length"]
        if "max_length" in schema:
            written["maxProperties"] = schema["max_length"]
        return written

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        written = super().model_schema(schema)
        describe(cast("type[Part]", schema["cls"]), written)
        return written

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


_MARKS: Final = ("$named", "$about", "description")
"""Marks of a word (`words.py`): the definition it becomes, and its description; one without `$` is the key's own."""


def _any_of(members: list[JsonSchemaValue]) -> JsonSchemaValue:
    return members[0] if len(members) == 1 else {"anyOf": members}


def _has(signs: list[str]) -> JsonSchemaValue:
    return {"required": signs} if len(signs) == 1 else {"anyOf": [{"required": [sign]} for sign in signs]}


def _dispatch(forms: dict[str, JsonSchemaValue], signs: dict[str, list[str]], other: str | None) -> JsonSchemaValue:
    """A mapping whose form follows from its signs; the form `other` is all other mappings."""
    if len(forms) == 1:
        return next(iter(forms.values()))
    every = [sign for keys in signs.values() for sign in keys]
    rules: list[JsonSchemaValue] = [{"if": _has(keys), "then": forms[tag]} for tag, keys in signs.items() if keys]
    rules.append(_has(every) if other is None else {"if": {"not": _has(every)}, "then": forms[other]})
    # The bare list of signs is what an editor completes before any of them is written.
    return {"type": "object", "properties": {sign: {} for sign in every}, "allOf": rules}


def write(model: type[Part], title: str) -> Json:
    """The JSON Schema of a model, finished."""
    written = model.model_json_schema(schema_generator=_Writer, ref_template=DEFAULT_REF_TEMPLATE)
    definitions: Json = dict(written.pop("$defs", {}))
    named: Json = {}
    written = cast("Json", _finish(written, named))
    finished: Json = {name: _finish(definition, named) for name, definition in definitions.items()}
    assert not finished.keys() & named.keys(), "a model and a word have one name"
    definitions = {**finished, **named}
    definitions = {name: definitions[name] for name in sorted(definitions)}
    return {"$schema": DRAFT, "title": title, **written, "definitions": definitions}


def _finish(node: Any, named: Json) -> Any:
    """Names hoisted to definitions, titles dropped, references in the form of draft 7."""
    if isinstance(node, list):
        return [_finish(item, named) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    node = cast("Json", node)
    name = node.get("$named")
    if isinstance(name, str):
        inner = {key: _finish(value, named) for key, value in node.items() if key not in _MARKS}
        if "$about" in node:
            inner["description"] = node["$about"]
        assert named.setdefault(name, inner) == inner, f"two definitions of {name}"
        return _refer(name, {"description": node["description"]} if "description" in node else {})
    if "$to" in node:
        return _refer(str(node["$to"]), {})
    if "$ref" in node:
        return _refer(
            str(node["$ref"]).rsplit("/", 1)[-1], {k: v for k, v in node.items() if k not in ("$ref", "title")}
        )
    finished: Json = {}
    for key, value in node.items():
        if key == "title" and isinstance(value, str):
            continue
        if key in ("properties", "patternProperties", "$defs"):
            finished[key] = {inner: _finish(schema, named) for inner, schema in cast("Json", value).items()}
        elif key in ("enum", "const", "required"):
            finished[key] = value
        else:
            finished[key] = _finish(value, named)
    return finished


def _refer(name: str, extra: Json) -> Json:
    """A reference; in draft 7 nothing may stand beside one, so a description goes round it."""
    reference = {"$ref": f"#/definitions/{name}"}
    return {**extra, "allOf": [reference]} if extra else reference


def language_schema() -> Json:
    """The schema of a file of any pack."""
    return write(File, "A file of a ludoloom pack")


def ledger_schema() -> Json:
    """The schema of a pack's ledger, `rulebook.yaml`."""
    return write(Ledger, "The ledger of a ludoloom pack")


CHECKED_IN: Final = {"ludoloom.schema.json": language_schema, "ludoloom-ledger.schema.json": ledger_schema}
"""The files of `json/`, and what writes them."""

CHECKERS: Final[dict[str, Any]] = {
    "file": File,
    "ledger": Ledger,
    "act": CardAct,
    "block": Block,
    "formula": Formula,
    "range": RangeCell,
    "row_key": RowKey,
    "text": Text,
    "variant": Variant,
}
"""The files of `checkers/`, and the forms of the language that they accept."""


def text_of(schema: Json) -> str:
    """A schema as it is written to a file."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def checkers() -> dict[str, str]:
    """The files of `checkers/`."""
    return {name: shipped_text(TypeAdapter[Any](form).core_schema) for name, form in CHECKERS.items()}


def main() -> None:
    """Write the schemas and checkers that are checked in: ``python -m ludoloom.schemas.export``."""
    folder = Path(__file__).parent / "json"
    folder.mkdir(exist_ok=True)
    for name, make in CHECKED_IN.items():
        (folder / name).write_text(text_of(make()), encoding="utf-8")
    FOLDER.mkdir(exist_ok=True)
    for name, text in checkers().items():
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
