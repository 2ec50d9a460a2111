"""Packs after reading and the game's tree after merging, with the small readers that the declaring passes share.

The passes that work on these trees say nothing about a wrong shape (a list where a mapping must stand): the shape check
has reported it with better words. They pass over such a place and go on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span


@dataclass(slots=True)
class SourceFile:
    """A file of a pack: `name` inside the pack (posix), `shown` as findings name it; `tree` None if unreadable."""

    name: str
    shown: str
    tree: Map | None


@dataclass(slots=True)
class Pack:
    """A pack as read: `manifest` is its `pack` section, `span` the place of its key, `extends` pack id -> range."""

    id: str
    version: str
    title: str
    folder: Path
    shown: str
    span: Span
    manifest: Map
    extends: dict[str, tuple[Scalar, Node]]
    files: list[SourceFile]
    ledger: SourceFile | None = None

    @property
    def is_game(self) -> bool:
        return not self.extends


@dataclass(slots=True)
class Mode:
    """A mode: it is on while the option has the value (``"true"`` for a yes/no option)."""

    name: str
    key: Scalar
    node: Map
    option: str
    value: str
    excludes: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()


@dataclass(slots=True)
class GameTree:
    """A game with its expansions, merged: `sections` is what all files say together, modes not yet laid over it.

    `places` is kept for what an overlay has changed: path (``cards.trip.values.damage``) -> where the value stood at
    first, then where each overlay wrote it. `removed` names what an overlay took out, for the message when something
    still uses it."""

    id: str
    packs: list[Pack]
    sections: Map
    modes: dict[str, Mode] = field(default_factory=dict[str, Mode])
    combinations: list[tuple[str, ...]] = field(default_factory=lambda: [()])
    places: dict[str, tuple[Span, ...]] = field(default_factory=dict[str, tuple[Span, ...]])
    removed: dict[str, Span] = field(default_factory=dict[str, Span])

    def file_names(self) -> dict[str, str]:
        """Each file as findings show it -> its name wherever the packs lie (``demo/cards/fire.yaml``)."""
        return {file.shown: f"{pack.id}/{file.name}" for pack in self.packs for file in pack.files}


def text(node: Node | None) -> str:
    """The words of a scalar, without quotes; empty for anything else."""
    return node.text if isinstance(node, Scalar) else ""


def as_map(node: Node | None) -> Map | None:
    """The node if it is a mapping."""
    return node if isinstance(node, Map) else None


def entries(node: Node | None) -> tuple[tuple[Scalar, Node], ...]:
    """The entries of a mapping; none for anything else."""
    return node.entries if isinstance(node, Map) else ()


def words(node: Node | None) -> list[Scalar]:
    """The scalars of a list, or the one scalar that stands for a list of one."""
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Items):
        return [item for item in node.items if isinstance(item, Scalar)]
    return []


def number(node: Node | None) -> int | None:
    """The whole number written here, if it is one."""
    if isinstance(node, Scalar) and isinstance(node.value, int) and not isinstance(node.value, bool):
        return node.value
    return None


def part(scalar: Scalar, start: int, end: int) -> Scalar:
    """Characters `start` to `end` of a scalar as a scalar of its own, at its own place if the text lies in one line."""
    piece = scalar.text[start:end]
    left = len(piece) - len(piece.lstrip())
    word = piece.strip()
    span = scalar.span.within(start + left, start + left + len(word)) if scalar.plain else scalar.span
    digits = word[1:] if word.startswith("-") else word
    value: int | str = int(word) if digits.isdecimal() and digits.isascii() and len(digits) < 12 else word
    return Scalar(span, value, word, scalar.plain)
