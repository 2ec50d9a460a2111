"""From the path of a Pydantic error to the form that was checked there, and the words for it.

``walk(File, ("kinds", "hero", "state", "energy", "\\x001", "strat"))`` goes through models, mappings and lists, and
through each either/or by its tag, so that a message can say what stands here, which keys it knows, and what else could
have stood here."""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, Union, cast, get_args, get_origin

from typing_extensions import TypeAliasType

from ludoloom.schemas.base import TAG, Form, Part, alias, bare, extras_of, forms, keys_of
from ludoloom.schemas.words import Anything, Scalar, Word


@dataclass(frozen=True, slots=True)
class Spot:
    """A place: what may stand there, and if it is one form of an either/or, all its forms."""

    annotation: Any
    forms: tuple[Form, ...] = ()

    @property
    def part(self) -> type[Part] | None:
        """The model, if a mapping with fixed keys stands here."""
        inner = bare(self.annotation)
        return inner if isinstance(inner, type) and issubclass(inner, Part) else None

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys known here."""
        return keys_of(self.part) if self.part is not None else ()

    @property
    def other_keys(self) -> tuple[str, ...]:
        """Keys that only other forms of this mapping know."""
        others = [key for form in self.forms if form.part is not None for key in keys_of(form.part)]
        return tuple(key for key in dict.fromkeys(others) if key not in self.keys)

    @property
    def open(self) -> bool:
        """Whether other keys than the known ones are possible."""
        return self.part is not None and extras_of(self.part) is not None


def is_tag(step: str | int) -> bool:
    """Whether a step of an error's path is no step of the file but the choice of a form."""
    return isinstance(step, str) and step.startswith(TAG)


def walk(model: Any, path: Sequence[str | int]) -> Spot:
    """The spot at the end of an error's path."""
    spot = Spot(model)
    for step, next_step in zip(path, (*path, "")[1:], strict=True):
        inner = bare(spot.annotation)
        if is_tag(step):
            found = forms(inner)
            spot = Spot(found[int(str(step)[len(TAG) :])].annotation, found)
            continue
        origin = get_origin(inner)
        if isinstance(inner, type) and issubclass(inner, Part):
            spot = Spot(_under(inner, str(step)))
        elif origin is list:
            spot = Spot(get_args(inner)[0])
        elif origin is dict:
            key, value = get_args(inner)
            if next_step == "[key]":
                return Spot(key)
            spot = Spot(value)
        else:
            return spot
    return spot


def _under(part: type[Part], key: str) -> Any:
    if not part.__pydantic_complete__:
        part.model_rebuild()  # its annotations name models that are defined below it
    for name, info in part.model_fields.items():
        if (info.alias or alias(name)) == key:
            return Annotated[(info.annotation, *info.metadata)] if info.metadata else info.annotation
    more = extras_of(part)
    return get_args(more)[1] if more is not None else Any


_ALIASES: Final = {
    "Statement": "a statement",
    "Block": "a list of statements",
    "Formula": "an expression or rows",
    "RowValue": "an expression, a list or rows",
    "Argument": "an expression, a list or rows",
    "Arguments": "a value or parameters by name",
    "Choice": "a set to choose from, or a mapping with `from` or `assign`",
}


def tell(annotation: Any) -> str:
    """What may stand at a place, in words: ``a number, a word or an expression, or a table of rows``."""
    if isinstance(annotation, TypeAliasType):
        return _ALIASES.get(annotation.__name__) or tell(annotation.__value__)
    if get_origin(annotation) is Annotated:
        inner, *notes = get_args(annotation)
        for note in notes:
            if isinstance(note, Word | Scalar | Anything):
                return note.called
        return tell(inner)
    origin = get_origin(annotation)
    if origin is Literal:
        return any_of(
            [f"`{value}`" if isinstance(value, str) else str(value).lower() for value in get_args(annotation)]
        )
    if origin in (Union, types.UnionType):
        return any_of(_told(annotation))
    if origin is list:
        return "a list"
    if origin is dict:
        return "a mapping"
    if isinstance(annotation, type) and issubclass(annotation, Part):
        sign = annotation.signs[0] if annotation.signs else next((k for k in _needed(annotation)), "")
        return f"a mapping with `{sign}`" if sign else "a mapping"
    simple: dict[Any, str] = {bool: "`true` or `false`", int: "a whole number", str: "a text"}
    return simple.get(cast("Any", annotation), "another value")


def example_of(annotation: Any) -> str:
    """What is right at a place of one word, as it is written in YAML; empty if its annotation names none."""
    notes = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return next((note.example for note in notes if isinstance(note, Word)), "")


def _told(union: Any) -> list[str]:
    told: list[str] = []
    for member in get_args(union):
        words = tell(member)
        if words.startswith("a mapping with") and any(word.startswith("a mapping with") for word in told):
            told = ["a mapping" if word.startswith("a mapping") else word for word in told]
        elif words not in told:
            told.append(words)
    return told


def _needed(part: type[Part]) -> list[str]:
    return [info.alias or alias(name) for name, info in part.model_fields.items() if info.is_required()]


def any_of(words: Sequence[str]) -> str:
    """``a, b or c``."""
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else list(words))


def article(noun: str) -> str:
    """``a zone``, ``an item``; what is a key itself (`` `turns` ``) or plural stands alone."""
    if noun.startswith("`") or noun in ("hidden information",):
        return noun
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
