"""The models of a patch: the same keys as the models they patch, none of them needed, and steps that may say where they
go.

A patch merges mappings and replaces everything else whole, so the loosening goes down through mappings and ends at
lists and at rows."""

from __future__ import annotations

import types
from functools import cache
from typing import Annotated, Any, ClassVar, Final, Union, cast, get_args, get_origin

from typing_extensions import TypeAliasType

from ludoloom.schemas.acts import Steps
from ludoloom.schemas.base import ABSENT, Either, Part, alias, extras_of, part_class
from ludoloom.schemas.statements import Block, Branches
from ludoloom.schemas.values import Rows
from ludoloom.schemas.words import Id, Name


class NewStep(Part):
    """A new step among those of an act or phase."""

    called: ClassVar[str] = "new step"

    after: Name = ABSENT
    """The step that it follows."""
    before: Name = ABSENT
    """The step that follows it."""
    do: Block
    """What happens."""


PatchedSteps = dict[Id, Annotated[Block | NewStep, Either()]]

_WHOLE: Final = (Rows, Branches)


@cache
def _loose_part(part: type[Part]) -> type[Part]:
    """The part with no key needed. Built on the bare base, so that no rule about the whole (a trigger has one start) is
    inherited: the overlay is checked when it is merged."""
    fields: dict[str, tuple[Any, bool]] = {}
    for name, info in part.model_fields.items():
        written = Annotated[(info.annotation, *info.metadata)] if info.metadata else info.annotation
        fields[info.alias or alias(name)] = (PatchedSteps if info.annotation == Steps else loose(written), False)
    branches = issubclass(part, Branches)
    return part_class(
        f"{part.__name__}Patch",
        fields,
        base=Branches if branches else Part,
        extras=None if branches else extras_of(part),
        called=part.called,
        signs=part.signs,
        patched=part,
    )


def loose(annotation: Any) -> Any:
    """The annotation with every mapping of fixed keys loosened."""
    if isinstance(annotation, TypeAliasType):
        inner = loose(annotation.__value__)
        return annotation if inner is annotation.__value__ else inner
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *notes = get_args(annotation)
        loosened = loose(inner)
        if loosened is inner:
            return annotation
        notes = [Either(loose=True) if isinstance(note, Either) else note for note in notes]
        return Annotated[(loosened, *notes)]
    if origin in (Union, types.UnionType):
        members = [loose(member) for member in get_args(annotation)]
        return (
            annotation
            if all(a is b for a, b in zip(members, get_args(annotation), strict=True))
            else Union[tuple(members)]  # noqa: UP007
        )
    if origin is dict:
        key, value = get_args(annotation)
        loosened = loose(value)
        return annotation if loosened is value else dict[key, loosened]
    if isinstance(annotation, type) and issubclass(annotation, Part) and annotation not in _WHOLE:
        return _loose_part(annotation)
    return cast("Any", annotation)
