"""Small records that several modules of the lowering hand to each other: who carries something, what lies round an
act, what an act takes and gives. The tables of a `Unit` hold them; the modules named beside each make them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Game, Item, Param
from ludoloom.compiler.backend.proc import Proc
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar


@dataclass(frozen=True, slots=True)
class Source:
    """Who carries a trigger or modifier: the game (both empty), a kind (each of its things), an item (each of its
    copies)."""

    kind: str = ""
    item: Item | None = None

    def things(self, game: Game) -> list[int]:
        """The numbers of the things that carry it."""
        if self.item is not None:
            return self.item.things
        if self.kind:
            kind = game.kinds[self.kind]
            return list(range(kind.first, kind.first + kind.count))
        return []


@dataclass(frozen=True, slots=True)
class Modifier:
    """One modifier and what it does (`modifiers`): `target` is ``kind.column``, ``formula``, ``act.need`` or
    ``act``."""

    name: str
    node: Map
    source: Source
    what: str  # changes, lifts, forbids
    target: str


@dataclass(frozen=True, slots=True)
class Trigger:
    """A trigger round an act (`triggers`)."""

    name: str
    node: Map
    source: Source


@dataclass(slots=True)
class Hooks:
    """What lies round one target (`triggers`)."""

    before: list[Trigger] = field(default_factory=list[Trigger])
    instead_of: list[Trigger] = field(default_factory=list[Trigger])
    after: list[Trigger] = field(default_factory=list[Trigger])
    opens_before: list[str] = field(default_factory=list[str])
    opens_after: list[str] = field(default_factory=list[str])

    @property
    def any(self) -> bool:
        return bool(self.before or self.instead_of or self.after or self.opens_before or self.opens_after)


@dataclass(slots=True)
class Watcher:
    """A condition that is watched (`settle`); `source` carries it (the game, for an end)."""

    name: str
    node: Map
    source: Source
    end: int = -1
    """The row of the outcome, or -1 for a trigger."""
    reads: frozenset[str] = frozenset()


@dataclass(slots=True)
class Printed:
    """A printed column, typed (`formulas`): per thing of the kind the constant, or the number of a procedure
    (`formula`)."""

    offset: int
    formula: bool
    words: int = 1


@dataclass(frozen=True, slots=True)
class Signature:
    """What a verb takes and gives (`acts`): `result` None means that it says whether it was done."""

    params: tuple[Param, ...]
    result: t.Type | None
    outcomes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """What a window offers (`acts`): who may do it, the test, the deed, the label of its option."""

    legal: Proc
    run: Proc
    label: int
    who: str
    doer: t.Type


@dataclass(slots=True)
class Alike:
    """Card acts that say the same, plain numbers aside (`acts`): that of the first item, which is lowered, and the
    items that wait for whether it is `right`."""

    first: Action
    right: bool
    judged: bool = False
    reports: int = 0
    """How often something had been reported when the lowering of the first began."""
    waiting: list[Item] = field(default_factory=list[Item])


@dataclass(frozen=True, slots=True)
class Choice:
    """One named choice as written (`choices`); `options` is empty where it is just a value."""

    name: str
    key: Scalar
    source: Node
    options: Map

    @property
    def assigns(self) -> bool:
        return "assign" in self.options

    def flag(self, name: str) -> bool:
        node = self.options.get(name)
        return isinstance(node, Scalar) and node.value is True

    def mentions(self, name: str) -> bool:
        """Whether the choice speaks of another one's name."""
        return _speaks_of(self.source, name) or any(_speaks_of(node, name) for _, node in self.options)


def _speaks_of(node: Node, name: str) -> bool:
    if isinstance(node, Scalar):
        return re.search(rf"\b{re.escape(name)}\b", node.text) is not None
    if isinstance(node, Items):
        return any(_speaks_of(item, name) for item in node.items)
    return any(_speaks_of(key, name) or _speaks_of(value, name) for key, value in node)
