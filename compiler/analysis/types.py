"""The types of the language, as plain frozen values; two types are the same if they compare equal.

    int            Int()                       hero            Thing("hero")
    int or none    Int(missing=True)           hero or none    Thing("hero", missing=True)
    bool           Bool()                      item of hero    ItemOf("hero")
    element        Enum("element")             set of hero     SetOf(Thing("hero"))
    range          Range()                     list of need    ListOf(Thing("need"))
    zone           Zone()                      table of a to b TableOf(key, value)
    condition      Condition()                 effect          Effect()

A thing may be of several kinds (what a mixed zone holds): ``Thing("power", "magic_item")``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Int:
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Bool:
    pass


@dataclass(frozen=True, slots=True)
class Enum:
    name: str
    missing: bool = False


@dataclass(frozen=True, slots=True, init=False)
class Thing:
    kinds: tuple[str, ...]
    missing: bool

    def __init__(self, *kinds: str, missing: bool = False) -> None:
        object.__setattr__(self, "kinds", kinds)
        object.__setattr__(self, "missing", missing)


@dataclass(frozen=True, slots=True)
class ItemOf:
    """A printed definition (wolf, not one of the ten wolves): in the state, the number of its first copy."""

    kind: str
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone, of the game or of a piece; `holds` are the kinds it may hold (none: any)."""

    holds: tuple[str, ...] = ()
    order: str = "none"


@dataclass(frozen=True, slots=True)
class Cell:
    """An empty cell of a growing map."""

    map: str


@dataclass(frozen=True, slots=True)
class SetOf:
    of: Type


@dataclass(frozen=True, slots=True)
class ListOf:
    of: Type


@dataclass(frozen=True, slots=True)
class TableOf:
    key: Type
    value: Type


@dataclass(frozen=True, slots=True)
class Range:
    pass


@dataclass(frozen=True, slots=True)
class Text:
    pass


@dataclass(frozen=True, slots=True)
class Condition:
    """A card's own yes/no formula, as a column."""


@dataclass(frozen=True, slots=True)
class Effect:
    """A card's own statements, as a column; `params` are what `run` must give them."""

    params: tuple[tuple[str, Type], ...] = ()


@dataclass(frozen=True, slots=True)
class Rolled:
    """The result of a roll or of a die: `.total`, `.face`, the columns of the face."""

    die: str
    roll: str = ""


@dataclass(frozen=True, slots=True)
class Assigned:
    """The result of an assignment: `.targets`, `.things`, `.of(target)`, `.at(thing)`."""

    left: Type
    right: Type
    name: str = ""


@dataclass(frozen=True, slots=True)
class NoneType:
    """The word `none` itself."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The type of what was already reported: fits everything, so that one mistake gives one finding."""


Type = (
    Int
    | Bool
    | Enum
    | Thing
    | ItemOf
    | Zone
    | Cell
    | SetOf
    | ListOf
    | TableOf
    | Range
    | Text
    | Condition
    | Effect
    | Rolled
    | Assigned
    | NoneType
    | Unknown
)


def missing(kind: Type) -> bool:
    """Whether `none` is among the values."""
    return bool(getattr(kind, "missing", False)) or isinstance(kind, NoneType)


def show(kind: Type) -> str:
    """The type in the words of a designer."""
    tail = " or none" if missing(kind) and not isinstance(kind, NoneType) else ""
    match kind:
        case Int():
            return "int" + tail
        case Bool():
            return "bool"
        case Enum(name=name):
            return name + tail
        case Thing(kinds=kinds):
            return " or ".join(kinds) + tail
        case ItemOf(kind=name):
            return f"item of {name}" + tail
        case Zone():
            return "zone"
        case Cell():
            return "gap"
        case SetOf(of=of):
            return f"set of {show(of)}"
        case ListOf(of=of):
            return f"list of {show(of)}"
        case TableOf(key=key, value=value):
            return f"table of {show(key)} to {show(value)}"
        case Range():
            return "range"
        case Text():
            return "text"
        case Condition():
            return "condition"
        case Effect():
            return "effect"
        case Rolled():
            return "roll"
        case Assigned():
            return "assignment"
        case NoneType():
            return "none"
        case Unknown():
            return "unknown"
