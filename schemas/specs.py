"""What the compiler says about the columns of a kind, for those who make a model of it (`derive.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tag = Literal[
    "int", "bool", "range", "text", "condition", "effect", "word", "thing", "set", "list", "table", "part", "open"
]


@dataclass(frozen=True, slots=True)
class CellType:
    """What a cell may hold. `word`: one of `members`; `thing`: the id of one of the `kinds`; `part`: a record of the
    kind `kinds[0]`; `set`, `list` and `table` are made `of` others (a table by `key`). `low` and `high` bound a
    number."""

    tag: Tag
    missing: bool = False
    members: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    of: CellType | None = None
    key: CellType | None = None
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class ColumnSpec:
    """A printed column. `formula`: its cells are formulas."""

    name: str
    type: CellType
    needed: bool
    formula: bool = False
    face: str = ""


@dataclass(frozen=True, slots=True)
class KindSpec:
    """A kind, as far as its items are concerned."""

    name: str
    family: str
    columns: tuple[ColumnSpec, ...] = ()
    faces: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
