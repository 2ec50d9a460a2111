"""A mapping as it is checked for its shape, with what a finding about it needs to know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoloom.compiler.diagnostics.model import Related
from ludoloom.compiler.frontend.nodes import Map, Span

if TYPE_CHECKING:
    from ludoloom.schemas.base import Part

Path = tuple[str | int, ...]


def show_path(path: Sequence[str | int]) -> str:
    """``cards.trip.use.do[2].amount``"""
    words = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return words.removeprefix(".")


Reason = Callable[["type[Part]", str], tuple[Related, ...]]
"""Where a key of a part was declared, for a finding that misses it."""


@dataclass(frozen=True, slots=True)
class Whole:
    """What was validated: a mapping, the way to it from the top of its file, and how to speak of it as a whole: its
    name, the place of its name, and where its keys were declared."""

    tree: Map
    path: Path = ()
    name: str = ""
    place: Span | None = None
    declared: Reason | None = None
