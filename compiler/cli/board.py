"""The state of a game as lines of text, as one player may see it: pure functions from a game to strings.

game    pot 7   active Red
map     a grid of cells, or the tiles of a growing map with their paths
places  what lies where, alike things together
zones   how many things, and which, if the player may know"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from ludoloom.runtime.game import Game
from ludoloom.runtime.grid import paths
from ludoloom.runtime.image import Program, ThingRow
from ludoloom.runtime.machine import H_MOVABLE, H_OUT, H_PLACES, H_TABLE, M_CELL, M_FIRST, M_HEIGHT, M_TILES, M_WIDTH
from ludoloom.runtime.names import Names, column_letters

View = dict[str, Any]

_CELL: Final = re.compile(r"^(?P<map>.+)\.(?P<column>[a-z]+)(?P<row>[1-9]\d*)$")
_NARROW: Final = 3
_WIDE: Final = 14
_TILE: Final = 15
"""Inner width of a tile of a growing map."""
_HIDDEN_WORDS: Final = ("phase",)


class Board:
    """Draws what a player (None: everybody) may see of a game."""

    def __init__(self, game: Game, player: str | None) -> None:
        self.game = game
        self.program: Program = game.program
        self.names: Names = game.names
        self.view: View = game.view(player, formulas=False)
        self.things: dict[str, View] = self.view["things"]
        self.rows: dict[str, ThingRow] = {row.name: row for row in self.program.things}

    def lines(self) -> list[str]:
        """The whole picture, an empty line between its parts."""
        parts = [self.words(), *self.grids(), *self.growing(), self.people(), self.pieces(), self.zones()]
        found: list[str] = []
        for part in parts:
            if part:
                found += ([""] if found else []) + part
        return found

    # --- words -------------------------------------------------------------------------------------------------------

    def title(self, name: str) -> str:
        """A thing's name for people."""
        row = self.rows.get(name)
        return (row.title if row is not None else "") or name.replace("_", " ")

    def shown(self, value: Any) -> str:
        """A value for people."""
        if value is None:
            return "–"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, list):
            return ", ".join(self.shown(each) for each in value) or "–"  # pyright: ignore[reportUnknownVariableType]
        return self.title(value) if isinstance(value, str) else str(value)

    def words(self) -> list[str]:
        """The game's own words in a line."""
        told = [
            f"{name.replace('_', ' ')} {self.shown(value)}"
            for name, value in self.view["game"].items()
            if value not in (None, False) and not name.startswith("options.") and name not in _HIDDEN_WORDS
        ]
        return ["   ".join(told)] if told else []

    def changing(self, name: str) -> dict[str, Any]:
        """The columns of a thing that can change and say something now."""
        number = self.names.things[name]
        view = self.things.get(name, {})
        return {
            row.name: view[row.name]
            for row in self.names.columns(number)
            if row.storage == "state" and view.get(row.name) not in (None, False) and row.name != "owner"
        }

    def described(self, name: str) -> str:
        """A thing with what has changed about it: ``Ann (coins 3)``."""
        told = ", ".join(f"{key.replace('_', ' ')} {self.shown(value)}" for key, value in self.changing(name).items())
        return f"{self.title(name)} ({told})" if told else self.title(name)

    def alike(self, names: Iterable[str]) -> list[str]:
        """Things in words, copies of one item that are alike together: ``Guard ×3``."""
        counted: dict[str, int] = {}
        for name in names:
            row = self.rows[name]
            base = self.described(name)
            if row.item and row.item != name:
                base = base.replace(self.title(name), re.sub(r" \d+$", "", self.title(name)), 1)
            counted[base] = counted.get(base, 0) + 1
        return [text if number == 1 else f"{text} ×{number}" for text, number in counted.items()]

    # --- maps --------------------------------------------------------------------------------------------------------

    def at(self, place: str) -> list[str]:
        """The things known to lie at a place."""
        return [name for name, view in self.things.items() if view.get("at") == place]

    def grids(self) -> list[list[str]]:
        """The drawn maps."""
        maps: dict[str, dict[tuple[int, int], str]] = {}
        for name in self.things:
            match = _CELL.match(name)
            if match is not None and self.names.family(self.names.things[name]) == "space":
                column = sum(26**k * (ord(letter) - 96) for k, letter in enumerate(reversed(match["column"])))
                maps.setdefault(match["map"], {})[(int(match["row"]), column)] = self.cell(name)
        return [self.grid(name, cells) for name, cells in maps.items()]

    def cell(self, name: str) -> str:
        """What is written into a cell: what lies there, else what has changed about it, else a dot."""
        inside = self.alike(self.at(name))
        if inside:
            return ", ".join(inside)
        values = [value for value in self.changing(name).values() if value is not True]
        return " ".join(self.short(value) for value in values) or "·"

    def short(self, value: Any) -> str:
        """A value in few letters: the initials of a name and its number."""
        if isinstance(value, str) and value in self.rows:
            words = self.title(value).split()
            return "".join(word[0] if word.isalpha() else word for word in words) if len(words) > 1 else words[0][:4]
        return self.shown(value)

    def grid(self, name: str, cells: dict[tuple[int, int], str]) -> list[str]:
        """One drawn map: letters above, numbers at the left."""
        rows, columns = max(row for row, _ in cells), max(column for _, column in cells)
        width = min(_WIDE, max(_NARROW, *(len(text) for text in cells.values())))
        head = "    " + " ".join(column_letters(column).center(width) for column in range(columns))
        found = [self.title(name), head.rstrip()]
        for row in range(1, rows + 1):
            texts = [cut(cells.get((row, column), ""), width).center(width) for column in range(1, columns + 1)]
            found.append(f"{row:>3} {' '.join(texts)}".rstrip())
        return found

    def growing(self) -> list[list[str]]:
        """The growing maps: each tile a box, open where it has a path."""
        return [picture for name, at in self.names.maps.items() if (picture := self.tiles(name, at))]

    def tiles(self, name: str, at: int) -> list[str]:
        consts, state = self.program.consts, self.game.state
        width = consts[at + M_WIDTH]
        laid: dict[tuple[int, int], int] = {}
        for k in range(consts[at + M_TILES]):
            cell = state[consts[at + M_CELL] + k]
            if cell:
                laid[((cell - 1) // width, (cell - 1) % width)] = consts[at + M_FIRST] + k
        if not laid:
            return []
        top, bottom = min(y for y, _ in laid), max(y for y, _ in laid)
        left, right = min(x for _, x in laid), max(x for _, x in laid)
        assert bottom < consts[at + M_HEIGHT]
        head = "    " + "".join(column_letters(x).center(_TILE + 2) for x in range(left, right + 1))
        found = [self.title(name), head.rstrip()]
        for y in range(top, bottom + 1):
            boxes = [self.tile(at, laid.get((y, x), 0)) for x in range(left, right + 1)]
            for k, row in enumerate(zip(*boxes, strict=True)):
                found.append(f"{y + 1 if k == 2 else '':>3} {''.join(row)}".rstrip())
        return found

    def tile(self, at: int, tile: int) -> list[str]:
        """Five lines of one tile; spaces for an empty cell."""
        if not tile:
            return [" " * (_TILE + 2)] * 5
        sides = paths(self.program.consts, self.game.state, at, tile)
        name = self.names.thing(tile)
        inside = ", ".join(self.alike_short(self.at(name)))
        texts = [self.title(name), inside[:_TILE], inside[_TILE : 2 * _TILE]]
        half = (_TILE - 3) // 2
        edge = "─" * half
        across = f"{edge}───{edge}"
        opened = f"{edge}┘ └{edge}"
        closed_below, opened_below = across, f"{edge}┐ ┌{edge}"
        west, east = (" " if sides & 8 else "│"), (" " if sides & 2 else "│")
        return [
            f"┌{opened if sides & 1 else across}┐",
            f"│{cut(texts[0], _TILE).center(_TILE)}│",
            f"{west}{texts[1].center(_TILE)}{east}",
            f"│{texts[2].center(_TILE)}│",
            f"└{opened_below if sides & 4 else closed_below}┘",
        ]

    def alike_short(self, names: Iterable[str]) -> list[str]:
        """Copies counted, without what changed about them."""
        counted: dict[str, int] = {}
        for name in names:
            base = (
                re.sub(r" \d+$", "", self.title(name)) if self.rows[name].item not in ("", name) else self.title(name)
            )
            counted[base] = counted.get(base, 0) + 1
        return [text if number == 1 else f"{text}×{number}" for text, number in counted.items()]

    # --- who and what ------------------------------------------------------------------------------------------------

    def people(self) -> list[str]:
        """The players in play with what has changed about them."""
        return (
            [self.described(name) for name in self.view["players"]]
            if any(map(self.changing, self.view["players"]))
            else []
        )

    def pieces(self) -> list[str]:
        """What stands on spaces and tiles, or on listed places, place by place."""
        found: list[str] = []
        for place in self.places_in_play():
            inside = self.alike(self.at(place))
            if inside:
                found.append(f"{self.title(place)}: {', '.join(inside)}")
        return found

    def places_in_play(self) -> list[str]:
        """Places that are no zones, in the order of their numbers; those on a drawn map show what lies there already,
        if nothing has changed about it."""
        consts = self.program.consts
        return [
            row.name
            for number, row in enumerate(self.program.things, 1)
            if number >= consts[H_PLACES]
            and number not in self.names.zones
            and number != consts[H_TABLE]
            and row.name not in self.names.maps
        ]

    def zones(self) -> list[str]:
        """How many things lie in each zone, and which, if that may be known. Empty zones and what is out of play are
        left out."""
        consts = self.program.consts
        found: list[str] = []
        for name, row in self.view["zones"].items():
            number = self.names.things.get(name, 0)
            if not row.get("count", len(row.get("things", ()))) or consts[consts[H_OUT] + number - consts[H_PLACES]]:
                continue
            inside = self.alike(row["things"]) if "things" in row else []
            many = row.get("count", len(row.get("things", ())))
            found.append(f"{self.zone_title(name)} ({many})" + (f": {', '.join(inside)}" if inside else ""))
        return found

    def zone_title(self, name: str) -> str:
        owner, _, zone = name.rpartition(".")
        return f"{self.title(owner)}, {zone.replace('_', ' ')}" if owner in self.rows else self.title(name)

    def about(self, name: str) -> list[str]:
        """All that a player may know of one thing: its text and its columns."""
        row, view = self.rows[name], self.things.get(name)
        found = [f"{self.title(name)} ({row.kind.replace('_', ' ')})" if row.kind else self.title(name)]
        if view is None and self.names.things[name] <= self.program.consts[H_MOVABLE]:
            return [*found, "is not in play, or hidden from you"]
        if row.text:
            found.append(plain(row.text))
        found += [
            f"{key.replace('_', ' ')}: {self.shown(value)}" for key, value in (view or {}).items() if key != "kind"
        ]
        return found


def cut(text: str, width: int) -> str:
    """A text that fits into so many columns."""
    return text if len(text) <= width else text[: width - 1] + "…"


def plain(text: str) -> str:
    """A text with its icons as words: ``2 :damage:`` is ``2 damage``."""
    return re.sub(r":([a-z][a-z0-9_]*):", lambda icon: icon[1].replace("_", " "), text)
