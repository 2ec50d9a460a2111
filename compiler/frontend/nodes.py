"""What a YAML file becomes: a tree of scalars, maps and lists, each with the exact place where it was written.

The tree is immutable; overlays (patches, modes, expansions) build new trees out of old nodes, so a value keeps the
place of its author through inheritance and merging."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Generic, TypeVar, cast, dataclass_transform

Kind = TypeVar("Kind")
Found = TypeVar("Found")


@dataclass_transform(frozen_default=True)
def record(kind: type[Kind]) -> type[Kind]:
    """A dataclass that is immutable for the type checker alone: a guard at run time makes each node three times slower
    to create, and a pack has hundreds of thousands."""
    return dataclass(slots=True, unsafe_hash=True)(kind)


@record
class Span:
    """A run of characters: `file` as shown to the author, lines and columns from 1, counted in code points; the end is
    the place behind the last character."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def within(self, start: int, end: int) -> Span:
        """The part from character `start` to `end` of a one-line text that begins at this span's start."""
        return Span(self.file, self.line, self.column + start, self.line, self.column + end)


@record
class Scalar:
    """`value` is None (nothing usable is written; the reader has reported it, so nobody does again), a bool, an int or
    the text itself; `text` is what stands in the file without quotes. `plain` means: written without quotes on one
    line, so that character k of `text` stands at ``span.column + k``."""

    span: Span
    value: str | int | bool | None
    text: str
    plain: bool


@record
class Items:
    """A list."""

    span: Span
    items: tuple[Node, ...]

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@dataclass_transform(frozen_default=True)
def lasting(kind: type[Kind]) -> type[Kind]:
    """The same with a dictionary of its own, for what is worked out once and kept."""
    return dataclass(unsafe_hash=True)(kind)


class Once(Generic[Found]):
    """An attribute that is worked out when it is first asked for (`functools.cached_property` takes a lock for it,
    which in Python 3.11 costs more than most of what is worked out here)."""

    def __init__(self, work: Callable[[Any], Found]) -> None:
        self.work, self.name, self.__doc__ = work, work.__name__, work.__doc__

    def __get__(self, node: object, kind: object = None) -> Found:
        if node is None:
            return cast(Any, self)  # asked of the class, as tools that look around do
        found = vars(node)[self.name] = self.work(node)
        return found


@lasting
class Map:
    """A mapping, in the order of the file. Keys are scalars; `key.text` is the name. Keys are unique (the reader sees
    to it)."""

    span: Span
    entries: tuple[tuple[Scalar, Node], ...]

    @Once
    def _by_name(self) -> dict[str, tuple[Scalar, Node]]:
        return {key.text: (key, value) for key, value in self.entries}

    def get(self, name: str) -> Node | None:
        """The value under `name`, or None."""
        found = self._by_name.get(name)
        return found[1] if found else None

    def key(self, name: str) -> Scalar | None:
        """The key node itself, for its place."""
        found = self._by_name.get(name)
        return found[0] if found else None

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[tuple[Scalar, Node]]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def names(self) -> tuple[str, ...]:
        return tuple(self._by_name)

    @Once
    def outline(self) -> str:
        """What is said here, plain numbers and places aside: mappings that differ in nothing else have the same, also
        in another run."""
        found: list[object] = []
        _outline(self, found)
        return blake2b(repr(found).encode(), digest_size=12).hexdigest()

    @Once
    def facts(self) -> dict[str, str]:
        """What a stage has found out about this mapping and wants to know again, under a name of its own. Only what
        follows from the words of the mapping and what the fact itself names may stand here: it is kept with the
        file."""
        return {}


Node = Scalar | Items | Map


def _outline(node: Node, found: list[object]) -> None:
    """The words of a tree in order. Numbers stand for what no author can write: 0 a number, 1 to 4 brackets."""
    if isinstance(node, Map):
        found.append(3)
        for key, value in node.entries:
            found.append(key.text)
            # Most nodes are scalars: to look at them here rather than by a call halves the time.
            if isinstance(value, Scalar):
                found.append(0 if type(value.value) is int else value.value)
            else:
                _outline(value, found)
        found.append(4)
    elif isinstance(node, Items):
        found.append(1)
        for item in node.items:
            _outline(item, found)
        found.append(2)
    else:
        found.append(0 if type(node.value) is int else node.value)


def plain(node: Node) -> object:
    """The bare value of a tree: dicts, lists, strings, numbers."""
    if isinstance(node, Scalar):
        return node.value
    # Most nodes are scalars: taking their value here rather than by a call halves the time.
    if isinstance(node, Items):
        return [item.value if isinstance(item, Scalar) else plain(item) for item in node.items]
    return {key.text: value.value if isinstance(value, Scalar) else plain(value) for key, value in node.entries}
