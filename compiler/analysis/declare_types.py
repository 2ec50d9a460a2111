"""Types and columns as the author writes them.

    chips: 0 to chips_max              Int, bounds `0` and `chips_max`
    element: element or none           Enum("element", missing)
    reach: {is: range, default: 0}     Range, with a default
    price: {with: {buyer: player}, is: int}        a printed formula of one parameter

A type that cannot be read is reported once and becomes Unknown, which fits everything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ludoloom.compiler.analysis.model import Column, Param
from ludoloom.compiler.analysis.names import BARE, did_you_mean
from ludoloom.compiler.analysis.tree import as_map, entries, number, part, text
from ludoloom.compiler.analysis.types import (
    Bool,
    Condition,
    Effect,
    Enum,
    Int,
    ItemOf,
    ListOf,
    Range,
    SetOf,
    TableOf,
    Text,
    Thing,
    Type,
    Unknown,
    Zone,
    show,
)
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.frontend.nodes import Map, Node, Scalar, Span

_SIMPLE: dict[str, Type] = {
    "int": Int(),
    "bool": Bool(),
    "range": Range(),
    "text": Text(),
    "condition": Condition(),
    "effect": Effect(),
    "zone": Zone(),
}
_WORD = re.compile(r"[A-Za-z_]\w*")
_BOUNDS = re.compile(r"(?P<low>.+?)\s+to\s+(?P<high>.+)|(?P<open>.+)\+")
_TABLE = re.compile(r"table of (?P<key>.+?) to (?P<value>.+)")
_OF = re.compile(r"(?P<what>set|list|item) of (?P<of>.+)")


@dataclass(slots=True)
class TypeWords:
    """What may stand in a type beside the built-in words: enumerations, and kinds with their families."""

    bag: Bag
    enums: Mapping[str, object]
    families: Mapping[str, str]
    removed: Mapping[str, Span] = field(default_factory=dict[str, Span])

    def known(self) -> list[str]:
        return [*_SIMPLE, *self.enums, *self.families]

    def one(self, word: Scalar) -> Type:
        """The type that one word names."""
        name = word.text
        if name in _SIMPLE:
            return _SIMPLE[name]
        if name in self.enums:
            return Enum(name)
        if name in self.families:
            return Thing(name)
        if not _WORD.fullmatch(name):
            self.wrong(word, f"`{name}` is no type")
        elif name in self.removed:
            self.bag.add(
                "removed-but-used",
                word.span,
                f"`{name}` is used here, but it has been removed",
                "remove this too, or keep it",
                (Related(self.removed[name], "removed here"),),
            )
        else:
            self.bag.add(
                "unknown-word",
                word.span,
                f"there is no type, kind or enumeration `{name}`",
                did_you_mean(name, self.known()),
            )
        return Unknown()

    def wrong(self, word: Scalar, message: str) -> Type:
        self.bag.add(
            "wrong-type",
            word.span,
            message,
            "a type is int, `0 to 7`, bool, range, text, condition, effect, zone, an enumeration, a kind, `… or none`, "
            "`item of …`, `set of …`, `list of …` or `table of … to …`",
        )
        return Unknown()


@dataclass(frozen=True, slots=True)
class Written:
    """A type as written: for a bounded number its ends too, as nodes."""

    type: Type
    bounded: bool = False
    low: Node | None = None
    high: Node | None = None


def read_type(node: Scalar, words: TypeWords) -> Written:
    """The type in a scalar."""
    if not isinstance(node.value, str):
        return Written(Unknown())  # the shape check has said that a type belongs here
    found = _TABLE.fullmatch(node.text)
    if found:
        key = _plain(part(node, *found.span("key")), words)
        return Written(TableOf(key, _plain(part(node, *found.span("value")), words)))
    found = _OF.fullmatch(node.text)
    if found and found["what"] != "item":
        of = _plain(part(node, *found.span("of")), words)
        return Written(SetOf(of) if found["what"] == "set" else ListOf(of))
    bare = node.text.removesuffix(" or none")
    found = _BOUNDS.fullmatch(bare) if " of " not in node.text else None
    if found:
        missing = bare != node.text
        if found["open"] is not None:
            return Written(Int(missing), True, part(node, *found.span("open")), None)
        low, high = part(node, *found.span("low")), part(node, *found.span("high"))
        if isinstance(low.value, int) and isinstance(high.value, int) and low.value > high.value:
            words.wrong(node, f"`{node.text}` is empty: {low.text} is more than {high.text}")
        return Written(Int(missing), True, low, high)
    return Written(_plain(node, words))


def _plain(node: Scalar, words: TypeWords) -> Type:
    """A type without bounds: a word, `item of x`, or words joined by `or`."""
    if isinstance(node.value, int):
        return words.wrong(node, f"`{node.text}` is a value, not a type")
    pieces: list[Scalar] = []
    at = 0
    for piece in node.text.split(" or "):
        pieces.append(part(node, at, at + len(piece)))
        at += len(piece) + 4
    named = [piece for piece in pieces if piece.text != "none"]
    missing = len(named) < len(pieces)
    if not named:
        return words.wrong(node, "`none` alone is no type")
    types = [_item(piece, words) for piece in named]
    if any(isinstance(one, Unknown) for one in types):
        return Unknown()
    if len(types) == 1:
        return _maybe(types[0], missing, node, words)
    if all(isinstance(one, Thing) for one in types):
        return Thing(*(kind for one in types if isinstance(one, Thing) for kind in one.kinds), missing=missing)
    return words.wrong(node, f"`{node.text}` joins what cannot stand in one place")


def _item(node: Scalar, words: TypeWords) -> Type:
    found = _OF.fullmatch(node.text)
    if not found:
        return words.one(node)
    of = words.one(part(node, *found.span("of")))
    if found["what"] == "item":
        if isinstance(of, Thing):
            return ItemOf(of.kinds[0])
        return of if isinstance(of, Unknown) else words.wrong(node, f"`{node.text}`: only a kind has items")
    return SetOf(of) if found["what"] == "set" else ListOf(of)


def _maybe(kind: Type, missing: bool, node: Scalar, words: TypeWords) -> Type:
    if not missing:
        return kind
    match kind:
        case Int():
            return Int(missing=True)
        case Enum(name=name):
            return Enum(name, missing=True)
        case Thing(kinds=kinds):
            return Thing(*kinds, missing=True)
        case ItemOf(kind=name):
            return ItemOf(name, missing=True)
        case _:
            return words.wrong(node, f"{show(kind)} cannot be none")


def read_params(node: Node | None, words: TypeWords) -> tuple[Param, ...]:
    """The parameters under `with`: ``name: type`` or ``{is: type, default: 1}`` or ``{is: type, implied: true}``."""
    params: list[Param] = []
    for key, value in entries(node):
        if key.text in BARE:
            words.bag.add(
                "reserved-word",
                key.span,
                f"`{key.text}` is a word of the language and cannot name a parameter",
                "choose another name",
            )
            continue
        inner = as_map(value)
        spelt = inner.get("is") if inner else value
        if not isinstance(spelt, Scalar):
            continue
        written = read_type(spelt, words)
        default = inner.get("default") if inner else None
        implied = inner is not None and text(inner.get("implied")) == "true"
        params.append(Param(key.text, written.type, key.span, default, implied))
    return tuple(params)


def read_column(key: Scalar, node: Node, kind: str, storage: str, words: TypeWords, face: str = "") -> Column | None:
    """A column of a kind or a word of the game, from its declaration; None if its shape is wrong."""
    inner = as_map(node)
    if inner is None or (storage == "computed" and "is" not in inner):
        inner = Map(node.span, ((Scalar(key.span, "is", "is", False), node),))
    spelt = inner.get("is")
    if spelt is None:
        return None
    params = read_params(inner.get("with"), words)
    column = Column(key.text, kind, storage, Unknown(), key.span, face=face, params=params)
    seen_by = inner.get("seen_by")
    column.seen_by = text(seen_by) or "everyone"
    column.says = text(inner.get("says"))
    if storage == "computed":
        column.formula = spelt
        _one_parameter(column, words.bag)
        return column
    if not isinstance(spelt, Scalar):
        return None
    written = read_type(spelt, words)
    column.type = written.type
    column.bounded, column.low, column.high = written.bounded, written.low, written.high
    column.default = inner.get("default")
    column.start = inner.get("start")
    if isinstance(column.type, Effect):
        column.type = Effect(tuple((param.name, param.type) for param in params))
    elif params:
        column.is_formula = True
        _one_parameter(column, words.bag)
    if storage == "state":
        _check_state(column, words.bag)
    return column


def _one_parameter(column: Column, bag: Bag) -> None:
    if len(column.params) > 1:
        bag.add(
            "one-argument-only",
            column.params[1].span,
            f"the formula `{column.name}` has {len(column.params)} parameters; calls have at most one argument",
            "make one of them a column, or write a verb",
        )


def _check_state(column: Column, bag: Bag) -> None:
    kind = column.type
    if isinstance(kind, (ListOf, TableOf, Text, Condition, Effect)):
        bag.add(
            "wrong-type",
            column.span,
            f"`{column.name}` cannot change in play: {show(kind)} is printed",
            "put it under `fields`",
        )
        return
    if isinstance(kind, SetOf):
        bag.add(
            "wrong-type",
            column.span,
            f"`{column.name}` cannot change in play: {show(kind)} is printed or worked out",
            "lay the things in a zone, give each of them a column that is yes or no, or write a formula (`=`)",
        )
        return
    _check_start(column, bag)
    if column.start is None and not _has_start(column):
        bag.add(
            "no-start",
            column.span,
            f"`{column.name}` does not say where it starts",
            f"write `{column.name}: {{is: {show(kind) if not column.bounded else '…'}, start: …}}`",
        )


def _check_start(column: Column, bag: Bag) -> None:
    """A start that is written as a number lies within the bounds that are written as numbers."""
    start, low, high = number(column.start), number(column.low), number(column.high)
    if column.start is None or start is None:
        return
    if low is not None and start < low:
        message, hint = f"`{column.name}` starts at {start}, below its lower bound {low}", f"start at {low} or more"
    elif high is not None and start > high:
        message, hint = f"`{column.name}` starts at {start}, above its upper bound {high}", f"start at {high} or less"
    else:
        return
    bag.add("wrong-type", column.start.span, message, f"{hint}, or widen the bounds")


def _has_start(column: Column) -> bool:
    """No `start` is needed where the type has a natural one: lower bound, no, none."""
    kind = column.type
    if column.bounded or isinstance(kind, (Bool, Unknown)):
        return True
    return bool(getattr(kind, "missing", False))
