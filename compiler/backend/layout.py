"""Where everything lies: one growing row of state words, one growing row of constants.

The game's words and columns come first in the state, in the order in which they are asked for; the links of things,
the places, the grids, frames, options and stack follow when the size is known (`emit.py`). Constants grow likewise
behind their header.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ludoloom.compiler.analysis.model import Column, Game, Kind
from ludoloom.runtime.isa import SET_BITS
from ludoloom.runtime.machine import HEADER, REGISTERS


@dataclass(frozen=True, slots=True)
class Universe:
    """What a set may hold: `count` numbers from `first`, in `words` words."""

    first: int
    count: int

    @property
    def words(self) -> int:
        return max(1, -(-self.count // SET_BITS))


@dataclass(slots=True)
class Layout:
    """Hands out offsets for one program."""

    game: Game
    size: int = REGISTERS
    words: dict[str, int] = field(default_factory=dict[str, int])
    columns: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    consts: list[int] = field(default_factory=lambda: [0] * HEADER)
    initial: dict[int, int] = field(default_factory=dict[int, int])
    """State words that do not start at 0."""
    _rows: dict[tuple[int, ...], int] = field(default_factory=dict[tuple[int, ...], int])

    def __post_init__(self) -> None:
        # An image names the word of an option once for all its programs, so it is the same in each of them.
        for name in self.game.options:
            self.word(f"option.{name}")

    def word(self, key: str, count: int = 1) -> int:
        """The offset of a word of the game (``active``, ``state.pot``, ``track.days``, ``option.mega``)."""
        if key not in self.words:
            self.words[key] = self.size
            self.size += count
        return self.words[key]

    def column(self, column: Column) -> tuple[int, int, int]:
        """Offset, first thing and number of things of a state column."""
        kind = self.game.kinds[column.kind]
        key = (column.kind, f"{column.face}.{column.name}")
        if key not in self.columns:
            self.columns[key] = self.size
            self.size += max(kind.count, 1)
        return self.columns[key], kind.first, max(kind.count, 1)

    def table(self, values: list[int]) -> int:
        """The offset of a run of constants (the same run is kept once)."""
        key = tuple(values)
        if key not in self._rows:
            self._rows[key] = len(self.consts)
            self.consts.extend(values)
        return self._rows[key]

    def fresh(self, values: list[int]) -> int:
        """The offset of a run of constants of its own (to be filled in later)."""
        offset = len(self.consts)
        self.consts.extend(values)
        return offset

    @staticmethod
    def bits(members: list[int], universe: Universe) -> list[int]:
        """A set as words."""
        words = [0] * universe.words
        for member in members:
            at = member - universe.first
            words[at // SET_BITS] |= 1 << at % SET_BITS
        return words

    def span_of(self, kinds: list[Kind]) -> Universe:
        """The smallest row of things that holds all things of these kinds."""
        filled = [kind for kind in kinds if kind.count]
        if not filled:
            return Universe(1, 1)
        first = min(kind.first for kind in filled)
        last = max(kind.first + kind.count for kind in filled)
        return Universe(first, last - first)
