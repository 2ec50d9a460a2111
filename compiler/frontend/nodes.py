"""What a YAML file becomes: a tree of scalars, maps and lists, each with the exact place where it was written.

The tree is immutable; overlays (patches, modes, expansions) build new trees out of old nodes, so a value keeps the
place of its author through inheritance and merging."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, dataclass_transform

Kind = TypeVar("Kind")


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


@lasting
class Map:
    """A mapping, in the order of the file. Keys are scalars; `key.text` is the name. Keys are unique (the reader sees
    to it)."""

    span: Span
    entries: tuple[tuple[Scalar, Node], ...]

    @cached_property
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


Node = Scalar | Items | Map


def plain(node: Node) -> object:
    """The bare value of a tree: dicts, lists, strings, numbers."""
    if isinstance(node, Scalar):
        return node.value
    # Most nodes are scalars: taking their value here rather than by a call halves the time.
    if isinstance(node, Items):
        return [item.value if isinstance(item, Scalar) else plain(item) for item in node.items]
    return {key.text: value.value if isinstance(value, Scalar) else plain(value) for key, value in node.entries}
