"""What the catalogue knows of a game: plain data, in words as people read them.

entries(tree, …)  ->  Catalogue(…, (Entry("spark", "Spark", …), …))
drawn(faces, …)   ->  {"spark.front": Picture("data:image/svg+xml,…", 63, 88)}
page(…)           ->  HTML
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Outline = Literal["card", "tall-hexagon", "wide-hexagon"]


@dataclass(frozen=True, slots=True)
class Words:
    """A text, or an icon in a text (its name)."""

    text: str
    icon: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """What is printed on a face; `face` is empty where a kind has one only."""

    face: str
    parts: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A column of an item. `tokens` are the words by which it can be filtered, none if it is only shown; a value that
    is not `printed` stands in the files alone."""

    name: str
    label: str
    shown: str
    tokens: tuple[str, ...] = ()
    printed: bool = True
    face: str = ""
    """The face on which it stands, where the kind's faces have columns of their own."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A thing that somebody wrote. `item`, `kind`, `family` and `deck` are the words by which it can be chosen."""

    item: str
    kind: str
    family: str
    deck: str
    title: str
    kind_title: str
    texts: tuple[Text, ...]
    values: tuple[Value, ...]
    origin: str
    copies: int
    place: str
    """File, line: ``demo/cards.yaml:12``, from the pack's id on, wherever the pack lies."""
    pack: str
    changed: tuple[str, ...] = ()
    """Places where an expansion or a mode says something else."""
    modes: tuple[str, ...] = ()
    """The modes without which it is not in the game."""
    never: tuple[str, ...] = ()
    """The modes that take it out."""
    front: str = ""
    back: str = ""
    """Keys of its faces."""


@dataclass(frozen=True, slots=True)
class Facet:
    """A column with few values, by which entries are filtered: value and number of entries."""

    name: str
    label: str
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All of a page but its pictures."""

    game: str
    title: str
    language: str
    packs: tuple[str, ...]
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A face as a data URI, and how large it is in print (millimetres)."""

    uri: str
    width: float
    height: float
    outline: Outline = "card"
