"""The scalars of the language: ids, names of declared things, expressions, types, ranges, texts.

Each is a plain string (or number) for Pydantic with an annotation that names it. The name becomes a definition of the
JSON Schema (``KindName``, ``VerbName`` …), so that the schema of one pack can replace a pattern by the pack's own ids
and the editor completes them."""

from __future__ import annotations

import keyword
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from ludoloom.schemas.keys import ID, PATH
from ludoloom.schemas.quick import Barring

EVENT: Final = r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$"
EXPRESSION: Final = r"([^-0-9\s]|[0-9]\s*-)"
"""A text that is more than a number: a number in quotes is a slip, not an expression."""
RANGE: Final = r"^(-?[0-9]+ to -?[0-9]+|-?[0-9]+\+)$"
SOMETHING: Final = r"\S"
KEYWORDS: Final = tuple(sorted(word for word in keyword.kwlist if word.islower()))


@dataclass(frozen=True, slots=True)
class Word:
    """Annotation of a string: `name` is its definition in the JSON Schema, `called` what messages call it, `barred`
    words that fit the pattern but mean something else here, `example` one that is right, as it is written in YAML."""

    name: str
    called: str
    pattern: str
    description: str = ""
    barred: tuple[str, ...] = ()
    example: str = ""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        text = core_schema.str_schema(strict=True, pattern=self.pattern)
        if not self.barred:
            return text
        return core_schema.no_info_after_validator_function(Barring(frozenset(self.barred)), text)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        written: dict[str, Any] = {"$named": self.name, "type": "string", "pattern": self.pattern}
        if self.barred:
            written["not"] = {"enum": list(self.barred)}
        if self.description:
            written["$about"] = self.description
        return written


@dataclass(frozen=True, slots=True)
class Scalar:
    """Annotation of a place for a number, a yes/no or a text, all three without a choice of form: one error if none
    fits."""

    name: str
    called: str
    pattern: str
    description: str = ""
    numbers: bool = True
    flags: bool = True

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        members: list[CoreSchema | tuple[CoreSchema, str]] = [core_schema.str_schema(strict=True, pattern=self.pattern)]
        if self.numbers:
            members.append(core_schema.int_schema(strict=True))
        if self.flags:
            members.append(core_schema.bool_schema(strict=True))
        return core_schema.union_schema(
            members, mode="left_to_right", custom_error_type="scalar", custom_error_message="another value is wanted"
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        kinds = ["string", *(["integer"] if self.numbers else []), *(["boolean"] if self.flags else [])]
        written: dict[str, Any] = {"$named": self.name, "type": kinds, "pattern": self.pattern}
        if self.description:
            written["$about"] = self.description
        return written


@dataclass(frozen=True, slots=True)
class Anything:
    """Annotation of a place that this level leaves open: a cell, whose kind says what it must be."""

    name: str = "AnyValue"
    called: str = "any value"

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.any_schema()

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        inner = {"$to": self.name}
        return {
            "$named": self.name,
            "type": ["string", "integer", "boolean", "array", "object"],
            "items": inner,
            "additionalProperties": inner,
        }


Open = Annotated[object, Anything()]

# --- new names --------------------------------------------------------------------------------------------------------
Id = Annotated[str, Word("Id", "an id in snake_case", ID, "A new name: small letters, digits and `_`.", KEYWORDS)]

# --- names of what is declared elsewhere ------------------------------------------------------------------------------
GameName = Annotated[str, Word("GameName", "the id of a game", ID)]
KindName = Annotated[str, Word("KindName", "the name of a kind", ID, "A kind of this game.")]
ItemName = Annotated[str, Word("ItemName", "the id of a thing", PATH, "An item, or one of its copies.")]
PhaseName = Annotated[str, Word("PhaseName", "the name of a phase", ID, "A phase of this game.")]
WindowName = Annotated[str, Word("WindowName", "the name of a window", ID, "A window of this game.")]
DieName = Annotated[str, Word("DieName", "the name of a die", ID, "A die of this game.")]
RollName = Annotated[str, Word("RollName", "the name of a die or roll", ID, "A die or a roll of this game.")]
VerbName = Annotated[str, Word("VerbName", "the name of a verb", ID, "A verb or an action of this game.")]
OptionName = Annotated[str, Word("OptionName", "the name of an option", ID, "An option of this game.")]
ModeName = Annotated[str, Word("ModeName", "the name of a mode", ID, "A mode of this game.")]
CountName = Annotated[str, Word("CountName", "the name of a count", ID, "A row of `counts`.")]
Member = Annotated[str, Word("Member", "a word in snake_case", ID)]
Name = Annotated[str, Word("Name", "a name", ID, "A name that is declared elsewhere.")]
EventName = Annotated[
    str,
    Word("EventName", "a verb, an action, a roll or `phase.step`", EVENT, "A verb, an action, a roll or `phase.step`."),
]
Path = Annotated[str, Word("Path", "a name such as `hero.energy`", PATH, "Names with dots, such as `hero.energy`.")]
RuleId = Annotated[str, Word("RuleId", "the id of a rule", r"^[a-z0-9_]+([.-][a-z0-9_-]+)*$", "A rule of the ledger.")]
CellName = Annotated[
    str, Word("CellName", "a cell such as `b2`", r"^[a-z]+[1-9][0-9]*$", "Column letter and row number, as in a sheet.")
]

# --- values -----------------------------------------------------------------------------------------------------------
Text = Annotated[str, Word("Text", "a text", SOMETHING, "Words for people.")]
TypeText = Annotated[
    str,
    Word(
        "TypeText",
        "a type",
        SOMETHING,
        "`int`, `bool`, `0 to 7`, an enumeration, a kind, `hero or none`, `item of hero`, `set of hero`, "
        "`list of need`, `range`, `text`, `zone`, `condition`, `effect`, `table of hit to blow`.",
    ),
]
Expr = Annotated[
    int | bool | str,
    Scalar(
        "Expr",
        "an expression",
        EXPRESSION,
        "An expression: `hero.energy + 1`, `monsters.where(asleep)`, `3`.",
    ),
]
RangeText = Annotated[
    int | str,
    Scalar("RangeText", "a range such as `0 to 2` or `5+`", RANGE, "`3`, `0 to 2` or `5+`.", flags=False),
]
CountText = Annotated[
    int | str,
    Scalar(
        "CountText",
        "a number, a range such as `1 to 3`, or `any`",
        EXPRESSION,
        "`2`, `1 to 3`, `any` or an expression.",
        flags=False,
    ),
]
Version = Annotated[
    str,
    Word(
        "Version",
        "a version such as 1.0.0",
        r"^[0-9]+\.[0-9]+\.[0-9]+$",
        "Three numbers: `1.0.0`.",
        example="1.0.0",
    ),
]
VersionRange = Annotated[
    str,
    Word(
        "VersionRange",
        'a range of versions such as ">=1.0 <2"',
        r"^((>=|<=|>|<|==)?[0-9]+(\.[0-9]+){0,2})( (>=|<=|>|<|==)?[0-9]+(\.[0-9]+){0,2})*$",
        '`">=1.0 <2"`: versions of the game that fit.',
        example='">=1.0 <2"',
    ),
]
