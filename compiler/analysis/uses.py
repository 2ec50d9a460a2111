"""What the formulas of a game read, counted while they are typed: from it follows what nothing reads.

strength: shown.sum(rank)        columns gambler..rank, zone gambler.shown
set: {what: pot, to: 0}          nothing: what a statement changes is not read by it
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column, Game
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.frontend.nodes import Span


def column_key(column: Column) -> str:
    """The name of a column in the counts; columns of the game itself have no kind."""
    return f"{column.kind}.{column.face}.{column.name}"


@dataclass(slots=True)
class Uses:
    """`words` counts reads of columns and of words of the game (``state.pot``); `bound` are the names that acts give to
    values, by the place where they stand, `read` those places that something reads."""

    words: Counter[str] = field(default_factory=Counter[str])
    zones: set[str] = field(default_factory=set[str])
    bound: dict[Span, tuple[str, str]] = field(default_factory=dict[Span, tuple[str, str]])
    read: set[Span] = field(default_factory=set[Span])

    def note(self, e: E, game: Game, times: int = 1) -> None:
        """Count what one word of a formula reads."""
        if e.op == "column":
            self.words[column_key(e.data)] += times
        elif e.op == "word":
            self.words[str(e.data)] += times
        elif e.op == "zone_of":
            self.zones.add(f"{e.data.kind}.{e.data.name}")
        elif e.op == "const" and isinstance(e.type, t.Zone):
            number: int = e.data
            self.zones.add(game.things[number - 1].name)

    def written(self, e: E, game: Game) -> None:
        """Take back what was counted for a column or word that a statement changes."""
        if e.op in ("column", "word"):
            self.note(e, game, -1)

    def bind(self, name: str, span: Span, what: str) -> None:
        """A name is given in an act; `what` says how (a choice, a `let`)."""
        self.bound[span] = (name, what)

    def read_name(self, bound: E | None) -> None:
        """A name of the act is read."""
        if bound is not None and bound.span is not None:
            self.read.add(bound.span)
