"""Models of a game's own kinds: from the columns that a kind declares, the model of its items.

    kinds: {hero: {family: piece, fields: {speed: int, element: element or none}}}

gives a model with the keys `speed` (a strict number, needed) and `element` (one of the members, or `none`), beside the
keys that all items have (`items.py` checks those), the kind's acts, and its variants. The compiler says what the
columns are (`KindSpec`); nothing here knows a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Union

from pydantic import Field

from ludoloom.schemas.acts import CardAct
from ludoloom.schemas.base import Either, Part, part_class
from ludoloom.schemas.keys import COMMON, MAP_KEYS, PATH, SPACE_KEYS
from ludoloom.schemas.specs import CellType, KindSpec
from ludoloom.schemas.statements import Block
from ludoloom.schemas.values import Formula, RowKey
from ludoloom.schemas.words import Expr, Id, Open, Scalar, Text, Word

RangeCell = Annotated[
    int | str,
    Scalar(
        "RangeCell",
        "a range such as `0 to 2` or `5+`",
        r"^-?\w+( to -?\w+|\+)$",
        "`3`, `0 to 2` or `5+`.",
        flags=False,
    ),
]
NoneWord = Literal["none"]
Variant = Annotated[dict[Id, Formula], Field(min_length=1)]


@dataclass(slots=True)
class ItemModels:
    """Makes the model of each kind once. Kinds of records may hold each other; a record inside itself stays open.
    A model follows from its kind alone, whatever was asked for before: what is made inside of a record is made for
    there."""

    kinds: Mapping[str, KindSpec]
    _made: dict[tuple[str, frozenset[str]], type[Part]] = field(
        default_factory=dict[tuple[str, frozenset[str]], type[Part]]
    )
    _open: frozenset[str] = frozenset()
    """The records in which the making stands."""

    def item(self, kind: str) -> type[Part]:
        """The model of an item of this kind."""
        outside = self._open
        if (kind, outside) not in self._made:
            spec = self.kinds[kind]
            common = () if spec.family == "part" else COMMON
            if spec.family == "map":
                common = (*common, *MAP_KEYS)
            elif spec.family == "space":
                common = (*common, *SPACE_KEYS)
            fields: dict[str, Any] = dict.fromkeys(common, (Open, False))
            if spec.family == "part":
                self._open = outside | {kind}
            fields |= self._columns(spec, "")
            for face in spec.faces:
                inner = {"text": (Text, False), **self._columns(spec, face)}
                needed = any(need for _, need in inner.values())
                fields[face] = (part_class(f"{kind}_{face}", inner, called="face", of_kind=kind), needed)
            fields |= dict.fromkeys(spec.acts, (CardAct, False))
            fields |= dict.fromkeys(spec.variants, (Variant, False))
            self._open = outside
            self._made[kind, outside] = part_class(kind, fields, called=kind.replace("_", " "), of_kind=kind)
        return self._made[kind, outside]

    def _columns(self, spec: KindSpec, face: str) -> dict[str, tuple[Any, bool]]:
        return {
            column.name: (self._cell(column.type, column.formula), column.needed)
            for column in spec.columns
            if column.face == face
        }

    def _cell(self, cell: CellType, formula: bool = False) -> Any:
        """The annotation of a cell."""
        if formula and cell.tag not in ("effect", "part", "table"):
            return Formula
        match cell.tag:
            case "int":
                bounds = Field(ge=cell.low, le=cell.high)
                number = Annotated[int, bounds]
                return Annotated[Union[number, NoneWord], Either()] if cell.missing else number  # noqa: UP007
            case "bool":
                return bool
            case "range":
                return RangeCell
            case "text":
                return Text
            case "condition":
                return Formula
            case "effect":
                return Block
            case "word":
                words = (*cell.members, *(("none",) if cell.missing else ()))
                return Literal[words] if words else Open  # an enumeration without members is a finding of its own
            case "thing":
                called = f"the id of {'one of ' if len(cell.kinds) > 1 else ''}{' or '.join(cell.kinds) or 'a thing'}"
                return Annotated[str, Word(f"id_of_{'_or_'.join(cell.kinds) or 'a_thing'}", called, PATH)]
            case "set":
                one = self._cell(cell.of) if cell.of else Expr
                return Annotated[Union[one, list[one]], Either()]  # noqa: UP007
            case "list":
                return list[self._cell(cell.of) if cell.of else Open]
            case "table":
                key = self._cell(cell.key) if cell.key and cell.key.tag == "word" else RowKey
                return dict[key, self._cell(cell.of, formula=cell.of.tag not in ("part", "text")) if cell.of else Open]
            case "part":
                return Open if cell.kinds[0] in self._open else self.item(cell.kinds[0])
            case _:
                return Open
