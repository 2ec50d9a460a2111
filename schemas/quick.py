"""The same checks without Pydantic: a model as data, and a checker made from that data alone.

    accepts = shipped("file")       accepts({"pack": {…}}) -> True

Pydantic turns a model into a *core schema*, and its core, written in Rust, turns that into a checker. To import
Pydantic, build the models and their core schemas takes a fifth of a second; to build a checker of a core schema that
lies in `checkers/`, some milliseconds. It is the same core and the same schema, so it accepts the same values; what is
wrong, and where, is told by the models. (`export.py` writes `checkers/`, for one version of the core: with another one
the models are asked.)

A core schema is data but for three things, which are written as data here: the classes of models (nobody looks at their
instances), the two kinds of functions that the annotations use, `Chooser` and `Barring`, and the functions that look at
a whole part (`AFTER`)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar, cast

from pydantic_core import PydanticCustomError, SchemaError, SchemaValidator, __version__

from ludoloom.schemas.keys import BESIDE, CHANGES, ID, ON, STARTS

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

Data = dict[str, Any]
Made = TypeVar("Made")

_TYPES: Final[dict[str, type]] = {"str": str, "int": int, "bool": bool, "list": list, "NoneType": type(None)}
_BENEATH: Final = ("schema", "items_schema", "keys_schema", "values_schema", "extras_schema", "extras_keys_schema")
"""Keys of a core schema that hold another; `choices`, `fields` and `definitions` hold several."""
_IDLE: Final = ("metadata", "serialization", "serialization_alias", "cls", "computed_fields")
"""Keys that decide nothing about what is accepted."""


@dataclass(frozen=True, slots=True)
class Chooser:
    """Which form of an either/or a value has: by its type, a mapping by the first of its keys that is a sign."""

    __name__: ClassVar[str] = "choose"  # the core wants to know
    simple: Mapping[type, str]
    chosen: Mapping[str, str]
    other: str | None

    def __call__(self, value: object) -> str | None:
        if not isinstance(value, dict):
            return self.simple.get(type(value))
        for key in cast("dict[str, object]", value):
            if key in self.chosen:
                return self.chosen[key]
        return self.other


@dataclass(frozen=True, slots=True)
class Barring:
    """Refuses words that fit a pattern but mean something else."""

    words: frozenset[str]

    def __call__(self, word: str) -> str:
        if word in self.words:
            raise PydanticCustomError("barred", "`{word}` means something else here", {"word": word})
        return word


# --- what keys say together -------------------------------------------------------------------------------------------


def one_start(part: Made) -> Made:
    """A trigger has exactly one start."""
    starts = [key for key in STARTS if getattr(part, key) is not None]
    if len(starts) != 1:
        about = {"keys": list(STARTS), "found": starts, "why": "it says when the trigger starts"}
        raise PydanticCustomError("one_of", "exactly one of them is needed", about)
    return part


def bounded(part: Made) -> Made:
    """An empty mapping says nothing about how long."""
    if not cast("Any", part).model_fields_set:
        about = {"keys": ["times", "while"], "found": [], "why": "it says how long"}
        raise PydanticCustomError("one_of", "one of them is needed", about)
    return part


def changing(part: Made) -> Made:
    """A modifier of a number says what becomes of it."""
    if not any(getattr(part, key) is not None for key in CHANGES):
        about = {"keys": list(CHANGES), "found": [], "why": "it says what becomes of the number"}
        raise PydanticCustomError("one_of", "one of them is needed", about)
    return part


def faces_exist(part: Made) -> Made:
    """A mapping of columns among the fields is a face, which `faces` names (or the kind that this one builds on)."""
    kind = cast("Any", part)
    columns, faces = cast("dict[str, object]", kind.fields or {}), cast("Sequence[str]", kind.faces or ())
    strange = [key for key, value in columns.items() if isinstance(value, dict) and key not in faces]
    if strange and not kind.is_a:
        raise PydanticCustomError("no_face", "no face", {"keys": strange, "faces": list(faces)})
    return part


def one_verb(part: Made) -> Made:
    """Of the keys of a call one is the verb; all others are branches with statements."""
    others = cast("dict[str, object]", cast("Any", part).model_extra or {})
    verbs = [key for key in others if re.match(ID, key) and key not in BESIDE]
    if not verbs:
        raise PydanticCustomError("no_verb", "a statement needs a verb")
    if strange := [key for key in others if key != verbs[0] and not re.match(ON, key)]:
        raise PydanticCustomError("strange_key", "an unknown key", {"keys": strange, "verb": verbs[0]})
    if wrong := [key for key, value in others.items() if isinstance(value, list) == (key == verbs[0])]:
        raise PydanticCustomError("call_type", "another value is wanted", {"keys": wrong, "verb": verbs[0]})
    return part


AFTER: Final[Mapping[str, Callable[[Any], Any]]] = {
    "one_start": one_start,
    "bounded": bounded,
    "changing": changing,
    "faces_exist": faces_exist,
    "one_verb": one_verb,
}
"""The functions that look at a whole part, by the names under which the models call them."""


class _Instance:
    """What the core makes of a mapping that is right. Only the functions above look at it."""

    __slots__ = ("__dict__", "__pydantic_extra__", "__pydantic_fields_set__", "__pydantic_private__")

    @property
    def model_fields_set(self) -> set[str]:
        """The keys that are written."""
        return self.__pydantic_fields_set__

    @property
    def model_extra(self) -> dict[str, object] | None:
        """The keys beyond those of the model, with their values."""
        return self.__pydantic_extra__


# --- models as data ---------------------------------------------------------------------------------------------------


class Unfit(Exception):
    """A core schema holds something that cannot be written as data."""


def data_of(schema: CoreSchema) -> str:
    """A core schema as text. The same models give the same text."""
    names: dict[str, str] = {}

    def named(ref: str) -> str:
        return names.setdefault(ref, f"{len(names)}")

    def walk(given: Any) -> Data:
        found: Data = {}
        for key, value in given.items():
            if key in _IDLE:
                continue
            if key in _BENEATH:
                found[key] = walk(value)
            elif key in ("ref", "schema_ref"):
                found[key] = named(value)
            elif key == "definitions":
                found[key] = [walk(each) for each in value]
            elif key == "fields":
                found[key] = {name: walk(each) for name, each in value.items()}
            elif key == "choices":
                rows = cast("dict[str, Data] | list[Data]", value)
                if isinstance(rows, dict):
                    found[key] = {name: walk(each) for name, each in rows.items()}
                else:
                    found[key] = [walk(each) for each in rows]
            elif isinstance(value, Chooser):
                simple = {kind.__name__: tag for kind, tag in value.simple.items()}
                if any(_TYPES.get(name) is not kind for name, kind in zip(simple, value.simple, strict=True)):
                    raise Unfit(f"a choice by {sorted(simple)}")
                found[key] = {"simple": simple, "chosen": dict(value.chosen), "other": value.other}
            elif key == "function" and isinstance(value["function"], Barring):
                found[key] = sorted(value["function"].words)
            elif key == "function" and getattr(value["function"], "__name__", "") in AFTER:
                found[key] = value["function"].__name__
            elif _is_data(value):
                found[key] = value
            else:
                raise Unfit(f"{given['type']}.{key}")
        return found

    return json.dumps(walk(schema), ensure_ascii=True, separators=(",", ":"))


def _is_data(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_is_data, cast("list[Any]", value)))
    if isinstance(value, dict):
        rows = cast("dict[Any, Any]", value)
        return all(isinstance(key, str) and _is_data(each) for key, each in rows.items())
    return value is None or type(value) in (str, int, bool)


def checker_of(data: Data) -> Callable[[object], bool]:
    """Says whether a value is accepted by the models from which `data` was made."""

    def walk(given: Data) -> Data:
        for key in _BENEATH:
            if key in given:
                walk(given[key])
        for several in ("fields", "choices", "definitions"):
            rows = cast("dict[str, Data] | list[Data]", given.get(several, []))
            for each in rows.values() if isinstance(rows, dict) else rows:
                walk(each)
        if given["type"] == "model":
            given["cls"] = _Instance
        elif given["type"] == "tagged-union":
            how = given["discriminator"]
            simple = {_TYPES[name]: tag for name, tag in how["simple"].items()}
            given["discriminator"] = Chooser(simple, how["chosen"], how["other"])
        elif "function" in given:
            how = given["function"]
            function = AFTER[how] if isinstance(how, str) else Barring(frozenset(how))
            given["function"] = {"type": "no-info", "function": function}
        return given

    return SchemaValidator(cast("CoreSchema", walk(data))).isinstance_python


# --- what is shipped --------------------------------------------------------------------------------------------------

FOLDER: Final = Path(__file__).parent / "checkers"
CORE: Final = __version__.rpartition(".")[0]
"""The version of the core, as far as its schemas depend on it."""


def shipped_text(schema: CoreSchema) -> str:
    """A core schema as a file of `checkers/`."""
    return f'{{"core":"{CORE}","schema":{data_of(schema)}}}\n'


@cache
def shipped(name: str) -> Callable[[object], bool] | None:
    """The checker of that name in `checkers/`; None if it is for another core, or cannot be read."""
    try:
        found = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        return checker_of(found["schema"]) if found["core"] == CORE else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, SchemaError):
        return None
