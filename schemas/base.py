"""The ground of all models: `Part`, one mapping of the language, and `Either`, a place where several forms may stand.

A model describes and checks what an author writes; its instances are not used as data (the compiler reads the tree of
nodes, which knows the places). So a key that may be left out is written ``size: Expr = ABSENT``: the type says what a
value must be, and an empty value is never one.

`Either` decides *by dispatch* which form stands at a place: by the type of the value and, among mappings, by a key that
only one form has (its *sign*). Only the chosen form is validated, so one wrong key gives one error, inside the form
that was meant. The same table of signs becomes ``if``/``then`` in the JSON Schema, so both ways of checking choose
alike."""

from __future__ import annotations

import sys
import types
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal, Union, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema
from typing_extensions import TypeAliasType

from ludoloom.schemas.quick import Chooser

ABSENT: Final[Any] = None
"""The default of a key that may be left out."""

TAG: Final = "\x00"
"""First character of the tags that Pydantic puts into the path of an error; no key of a YAML file can begin with it."""

Json = dict[str, Any]


def alias(name: str) -> str:
    """The key of a field: keys that are Python keywords have a trailing underscore as fields (``if_`` -> ``if``)."""
    return name.rstrip("_")


class Part(BaseModel):
    """One mapping of the language. `called` names it in messages; `signs` are the keys by which `Either` recognises
    it."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True, alias_generator=alias)
    called: ClassVar[str] = "mapping"
    signs: ClassVar[tuple[str, ...]] = ()
    rather: ClassVar[Mapping[str, str]] = {}
    """What else may have been meant where a key is missing, for its hint."""
    of_kind: ClassVar[str] = ""
    """Of a model that is derived from a kind: its name."""
    __pydantic_extra__: Any  # pyright: ignore[reportIncompatibleVariableOverride]
    """Overridden by ``dict[key, value]`` in parts that allow other keys."""


def part_class(
    name: str, fields: Mapping[str, tuple[Any, bool]], *, base: type[Part] = Part, extras: Any = None, **about: Any
) -> type[Part]:
    """A part made at run time: keys with their annotations and whether they are needed, `extras` the annotation of
    other keys, `about` its class variables (`called`, `signs`)."""
    body: dict[str, Any] = {"__module__": __name__, "__annotations__": {}}
    for label, value in about.items():
        body[label] = value
        body["__annotations__"][label] = ClassVar[type(value)]
    if extras is not None:
        body["model_config"] = ConfigDict(extra="allow")
        body["__annotations__"]["__pydantic_extra__"] = extras
    for key, (annotation, needed) in fields.items():
        # A field has the name of its key behind `key_`, since keys are the author's words and may be those of a model.
        body["__annotations__"][f"key_{key}"] = Annotated[annotation, Field(alias=key)]
        if not needed:
            body[f"key_{key}"] = ABSENT
    meta = cast("Callable[[str, tuple[type[Part], ...], Json], type[Part]]", type(base))
    return meta(name, (base,), body)


def keys_of(part: type[Part]) -> tuple[str, ...]:
    """The keys that a part knows, in their documented order."""
    return tuple(info.alias or alias(name) for name, info in part.model_fields.items())


def extras_of(part: type[Part]) -> Any:
    """The annotation ``dict[key, value]`` of the keys beyond the declared ones, or None if there may be none."""
    if part.model_config.get("extra") != "allow":
        return None
    for base in part.__mro__:
        if "__pydantic_extra__" in vars(base).get("__annotations__", {}):
            written = vars(base)["__annotations__"]["__pydantic_extra__"]
            return eval(written, vars(sys.modules[base.__module__])) if isinstance(written, str) else written
    return None


@dataclass(frozen=True, slots=True)
class Form:
    """One member of an either/or: `types` are the types of bare value that choose it, `part` the model if it is a
    mapping with fixed keys."""

    annotation: Any
    tag: str
    types: tuple[type, ...]
    part: type[Part] | None = None

    @property
    def signs(self) -> tuple[str, ...]:
        return self.part.signs if self.part is not None else ()


def bare(annotation: Any) -> Any:
    """The annotation without its `Annotated` wrappers and alias names."""
    while True:
        if isinstance(annotation, TypeAliasType):
            annotation = annotation.__value__
        elif get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
        else:
            return annotation


def _types(annotation: Any) -> tuple[type, ...]:
    """The types of bare value that a form accepts."""
    annotation = bare(annotation)
    origin = get_origin(annotation)
    if origin in (Union, types.UnionType):
        return tuple(kind for member in get_args(annotation) for kind in _types(member))
    if origin is Literal:
        return tuple({type(value) for value in cast("tuple[object, ...]", get_args(annotation))})
    if origin in (list, dict):
        return (cast("type", origin),)
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return (dict,)
    return (cast("type", annotation),)


def forms(source: Any) -> tuple[Form, ...]:
    """The members of ``A | B | C``, each with what chooses it."""
    found: list[Form] = []
    for number, member in enumerate(get_args(source)):
        inner = bare(member)
        part = inner if isinstance(inner, type) and issubclass(inner, Part) else None
        found.append(Form(member, f"{TAG}{number}", _types(member), part))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Either:
    """Annotation of a place with several forms: ``Annotated[Expr | Rows, Either()]``. A mapping has the form of which
    it has a sign; a mapping without any has the form that has no signs. In a patch (`loose`) signs may be left out, so
    there each key that only one form knows is a sign, and a mapping without any has the first form."""

    loose: bool = False

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        members = forms(source)
        simple = {kind: form.tag for form in members for kind in form.types if kind is not dict}
        mappings = [form for form in members if dict in form.types]
        signs = self._signs(mappings)
        chosen = {sign: tag for tag, keys in signs.items() for sign in keys}
        other = next((tag for tag, keys in signs.items() if not keys), None)
        if other is None and mappings and (self.loose or len(mappings) == 1):
            other = mappings[0].tag
            if len(mappings) == 1:
                chosen = {}

        return core_schema.tagged_union_schema(
            choices={form.tag: handler.generate_schema(form.annotation) for form in members},
            discriminator=Chooser(simple, chosen, other),
            metadata={"either": {"signs": {tag: list(keys) for tag, keys in signs.items()}, "other": other}},
        )

    def _signs(self, mappings: Sequence[Form]) -> dict[str, tuple[str, ...]]:
        """By form, the keys that choose it."""
        if not self.loose:
            return {form.tag: form.signs for form in mappings}
        known = Counter(key for form in mappings if form.part is not None for key in keys_of(form.part))
        return {
            form.tag: tuple(key for key in keys_of(form.part) if known[key] == 1) if form.part is not None else ()
            for form in mappings
        }
