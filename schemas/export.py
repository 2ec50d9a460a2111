"""The JSON Schemas that an editor reads: `language_schema` (every pack), `ledger_schema` (rulebook.yaml).

Pydantic writes the schema of each model; this module sees to what editors need beyond that:

- an either/or becomes ``if``/``then`` by the same signs by which the models choose, so that completion and messages
  speak of the form that was meant, and checking never tries all forms;
- names (`KindName`, `VerbName` …) and shared forms become definitions, which `pack_schema` narrows to the ids of one
  pack;
- no titles and no nulls, descriptions from the docstrings, keys in the order of the models.

Draft 7 is written, the newest that all YAML language servers know.
"""

from __future__ import annotations

from typing import Any, Final, cast

from pydantic.json_schema import DEFAULT_REF_TEMPLATE, GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from ludoloom.schemas.base import Json, Part
from ludoloom.schemas.language import File
from ludoloom.schemas.ledger import Ledger

DRAFT: Final = "http://json-schema.org/draft-07/schema#"


class _Writer(GenerateJsonSchema):
    """Pydantic's writer with our either/or, our mappings, and without titles and defaults."""

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        about = schema.get("metadata", {}).get("either")
        assert about is not None, "every union of the language is an Either"
        choices = schema["choices"]
        mappings: list[str] = about["mappings"]
        simple = [self.generate_inner(choice) for tag, choice in choices.items() if tag not in mappings]
        if not mappings:
            return _any_of(simple)
        forms = [(cast("list[str]", about["signs"][tag]), self.generate_inner(choices[tag])) for tag in mappings]
        return _any_of([*simple, _dispatch(forms)])

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

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _any_of(members: list[JsonSchemaValue]) -> JsonSchemaValue:
    return members[0] if len(members) == 1 else {"anyOf": members}


def _has(signs: list[str]) -> JsonSchemaValue:
    return {"required": signs} if len(signs) == 1 else {"anyOf": [{"required": [sign]} for sign in signs]}


def _dispatch(forms: list[tuple[list[str], JsonSchemaValue]]) -> JsonSchemaValue:
    """A mapping whose form follows from its signs; the form without signs is all other mappings."""
    if len(forms) == 1:
        return forms[0][1]
    signed = [(signs, form) for signs, form in forms if signs]
    other = next((form for signs, form in forms if not signs), None)
    every = [sign for signs, _ in signed for sign in signs]
    rules: list[JsonSchemaValue] = [{"if": _has(signs), "then": form} for signs, form in signed]
    if other is not None:
        rules.append({"if": {"not": _has(every)}, "then": other})
    else:
        rules.append(_has(every))
    # The bare list of signs is what an editor completes before any of them is written.
    return {"type": "object", "properties": {sign: {} for sign in every}, "allOf": rules}


def write(model: type[Part], title: str) -> Json:
    """The JSON Schema of a model, finished."""
    written = model.model_json_schema(schema_generator=_Writer, ref_template=DEFAULT_REF_TEMPLATE)
    definitions: Json = dict(written.pop("$defs", {}))
    named: Json = {}
    written = cast("Json", _finish(written, named))
    for name in list(definitions):
        finished = _finish(definitions[name], named)
        # A definition that only points to a name is the name itself.
        definitions[name] = named.get(name, finished)
    definitions = {name: definitions.get(name, named.get(name)) for name in sorted({*definitions, *named})}
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
        inner = {key: _finish(value, named) for key, value in node.items() if key not in ("$named", "description")}
        told = node.get("description")
        first = named.setdefault(name, inner)
        assert _same(first, inner), f"two definitions of {name}"
        if told and "description" not in first:
            first["description"] = told
        extra = {"description": told} if told and told != first.get("description") else {}
        return _refer(name, extra)
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


def _same(first: Json, second: Json) -> bool:
    return {k: v for k, v in first.items() if k != "description"} == {
        k: v for k, v in second.items() if k != "description"
    }


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
