"""Whether the cells of an item are right, told from the columns of its kind alone: `derive.py` without Pydantic.

    kinds: {hero: {family: piece, fields: {speed: 0 to 9}}}      gives {"speed": 7} -> True, {"sped": 7} -> False

Each kind of cell is a test of bare values; cells that hold the language (acts, formulas, texts) are tested by the
checkers that are shipped with the package (`quick.py`). What is not accepted here is looked at by the model, which also
tells what is wrong; so a test may be too strict, never too lax."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from ludoloom.schemas.keys import COMMON, MAP_KEYS, PATH, SPACE_KEYS
from ludoloom.schemas.quick import shipped
from ludoloom.schemas.specs import CellType, ColumnSpec, KindSpec

Accepts = Callable[[object], bool]

_PATH: Final = re.compile(PATH)
_LANGUAGE: Final = {"range": "range", "text": "text", "condition": "formula", "effect": "block"}
"""Tags of cells that the shipped checkers look at."""


class Unknown(Exception):
    """There is no checker for something: the model has to look."""


def anything(_value: object) -> bool:
    """Accepts all values."""
    return True


@dataclass(slots=True)
class ItemChecks:
    """Makes the test of each kind once. A record inside itself stays open, as in `derive.py`."""

    kinds: Mapping[str, KindSpec]
    _made: dict[str, Accepts | None] = field(default_factory=dict[str, Accepts | None])

    def of(self, kind: str) -> Accepts | None:
        """The test of an item of this kind; None if there is none."""
        if kind not in self._made:
            try:
                self._made[kind] = self._item(self.kinds[kind], frozenset())
            except Unknown:
                self._made[kind] = None
        return self._made[kind]

    def _item(self, spec: KindSpec, inside: frozenset[str]) -> Accepts:
        keys: dict[str, Accepts] = {}
        if spec.family == "part":
            inside |= {spec.name}
        else:
            keys = dict.fromkeys(COMMON, anything)
        if spec.family in ("map", "space"):
            keys |= dict.fromkeys(MAP_KEYS if spec.family == "map" else SPACE_KEYS, anything)
        own = [column for column in spec.columns if not column.face]
        needed = {column.name for column in own if column.needed}
        keys |= self._columns(own, inside)
        for face in spec.faces:
            columns = [column for column in spec.columns if column.face == face]
            least = {column.name for column in columns if column.needed}
            keys[face] = mapping({"text": language("text"), **self._columns(columns, inside)}, least)
            needed |= {face} if least else set()
        keys |= {act: language("act") for act in spec.acts}
        keys |= {variant: language("variant") for variant in spec.variants}
        return mapping(keys, needed)

    def _columns(self, columns: list[ColumnSpec], inside: frozenset[str]) -> dict[str, Accepts]:
        return {column.name: self._cell(column.type, inside, formula=column.formula) for column in columns}

    def _cell(self, cell: CellType | None, inside: frozenset[str], *, formula: bool = False) -> Accepts:
        if cell is None:
            raise Unknown
        if formula and cell.tag not in ("effect", "part", "table"):
            return language("formula")
        match cell.tag:
            case "int":
                return number(cell)
            case "bool":
                return lambda value: value is True or value is False
            case "word":
                words = frozenset((*cell.members, "none") if cell.missing else cell.members)
                return (lambda value: type(value) is str and value in words) if words else anything
            case "thing":
                return lambda value: type(value) is str and _PATH.fullmatch(value) is not None
            case "set":
                one = self._cell(cell.of, inside)
                several = all_of(one)
                return lambda value: several(value) or one(value)
            case "list":
                return all_of(self._cell(cell.of, inside))
            case "table":
                key = self._cell(cell.key, inside) if cell.key and cell.key.tag == "word" else language("row_key")
                inner = self._cell(cell.of, inside, formula=cell.of is not None and cell.of.tag not in ("part", "text"))
                return lambda value: (
                    type(value) is dict
                    and all(key(name) and inner(each) for name, each in cast("dict[object, object]", value).items())
                )
            case "part":
                return anything if cell.kinds[0] in inside else self._item(self.kinds[cell.kinds[0]], inside)
            case "open":
                return anything
            case _:
                return language(_LANGUAGE.get(cell.tag, ""))


def language(name: str) -> Accepts:
    """The shipped checker of a form of the language."""
    checker = shipped(name)
    if checker is None:
        raise Unknown
    return checker


def mapping(keys: Mapping[str, Accepts], needed: set[str]) -> Accepts:
    """Accepts a mapping with these keys and no others."""
    tests = dict(keys)

    def accepts(value: object) -> bool:
        if type(value) is not dict:
            return False
        cells = cast("dict[str, object]", value)
        if not needed <= cells.keys():
            return False
        for name, cell in cells.items():
            test = tests.get(name)
            if test is None or not (test is anything or test(cell)):
                return False
        return True

    return accepts


def all_of(one: Accepts) -> Accepts:
    """Accepts a list of what `one` accepts."""
    return lambda value: type(value) is list and all(map(one, cast("list[object]", value)))


def number(cell: CellType) -> Accepts:
    """Accepts a number within bounds, or `none` where it may be missing."""
    low = float("-inf") if cell.low is None else cell.low
    high = float("inf") if cell.high is None else cell.high

    def accepts(value: object) -> bool:
        if type(value) is int:
            return low <= value <= high
        return cell.missing and value == "none" and type(value) is str

    return accepts
