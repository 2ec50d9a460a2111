"""The state of a game as lines of text, as one player may see it: pure functions from a game to strings.

game    pot 7   turn Red
tracks  the spaces of each, the marker in brackets
map     what `maps.py` draws: cells, boxes, tiles
places  what lies where, alike things together
zones   how many things, and which, if the player may know; the player's own cards with what is printed on them"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ludoloom.compiler.cli import maps
from ludoloom.compiler.cli.words import counted, cut, few, plain, spoken, track
from ludoloom.runtime.foresee import WINDOW
from ludoloom.runtime.game import Game, Option
from ludoloom.runtime.grid import paths
from ludoloom.runtime.image import ColumnRow, MapRow, Program, ThingRow
from ludoloom.runtime.machine import (
    H_MOVABLE,
    H_OUT,
    H_PLACES,
    H_TABLE,
    M_CELL,
    M_FIRST,
    M_TILES,
    M_TURN,
    M_WIDTH,
    R_QUESTION,
)
from ludoloom.runtime.names import Names, letters_column
from ludoloom.runtime.views import seat_of

View = dict[str, Any]

WIDTH: Final = 100
_HIDDEN_WORDS: Final = ("phase",)
GRIDS: Final = ("orthogonal", "diagonal_too", "hex", "none")
"""Maps that are drawn with letters, whose cells have no room for whole names."""
SIDES: Final = ("north", "east", "south", "west")
_FEW: Final = 8
"""Sorts of pieces that are named beside the player who owns them, if there are no more."""
_SINGLE: Final = ("int", "bool", "enum", "range", "thing")
"""Types of columns that are told beside a card."""


class Board:
    """Draws what a player (None: everybody) may see of a game. `marks` are the options that mean a place, by its name;
    of a cell without a tile by the map and the cell: ``labyrinth n13``."""

    def __init__(
        self, game: Game, player: str | None, width: int = WIDTH, marks: Mapping[str, str] | None = None
    ) -> None:
        self.game, self.player, self.width, self.marks = game, player, width, marks or {}
        self.program: Program = game.program
        self.names: Names = game.names
        self.view: View = game.view(player, formulas=False)
        self.things: dict[str, View] = self.view["things"]
        self.rows: dict[str, ThingRow] = {row.name: row for row in self.program.things}
        self.lying: dict[str, list[str]] = {}
        """What is known to lie at each place."""
        for name, view in self.things.items():
            if "at" in view:
                self.lying.setdefault(view["at"], []).append(name)

    def lines(self) -> list[str]:
        """The whole picture, an empty line between its parts."""
        parts = [
            [*self.words(), *self.tracks()],
            *self.drawn(),
            *self.growing(),
            self.people(),
            self.pieces(),
            self.zones(),
        ]
        found: list[str] = []
        for part in parts:
            if part:
                found += ([""] if found else []) + part
        return found

    def wrap(self, text: str, indent: int = 4) -> list[str]:
        """A text on lines that fit, all but the first indented."""
        return textwrap.wrap(text, self.width, subsequent_indent=" " * indent, break_on_hyphens=False) or [""]

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
        tracks = {row.name for row in self.program.tracks}
        told = [
            f"{'turn' if name == 'active' else spoken(name)} {self.shown(value)}"
            for name, value in self.view["game"].items()
            if name not in tracks
            and not name.startswith("options.")
            and name not in _HIDDEN_WORDS
            and (self.tells(self.names.game_words[name], 0, value) or (name == "active" and value is not None))
        ]
        return self.wrap("   ".join(told)) if told else []

    def tells(self, column: ColumnRow, thing: int, value: Any) -> bool:
        """Whether a value says something. What is still as it was at the start says nothing, a number apart; a zero
        does where most others have more."""
        if type(value) is int:
            return value != 0 or self.matters(column)
        if column.storage != "state":
            return value not in (None, False)
        k = column.offset + (thing - column.first if column.kind else 0)
        return self.game.state[k] != self.program.start[k]

    def matters(self, column: ColumnRow) -> bool:
        """Whether most numbers of a column are not zero."""
        if column.storage != "state":
            return False
        words = self.game.state[column.offset : column.offset + max(1, column.count)]
        return 2 * (len(words) - words.count(0)) > len(words)

    def tracks(self) -> list[str]:
        """The tracks: those whose marker has moved in full, the others by name."""
        found: list[str] = []
        waiting: list[str] = []
        for row in self.program.tracks:
            at = self.view["game"].get(row.name)
            if at is None:
                continue
            if at == self.program.start[self.names.game_words[row.name].offset]:
                waiting.append(spoken(row.name))
            else:
                found += self.wrap(track(row, at))
        return found + (self.wrap(f"at the start: {', '.join(waiting)}") if waiting else [])

    def changing(self, name: str) -> dict[str, Any]:
        """The columns of a thing that can change and say something now."""
        number = self.names.things[name]
        view = self.things.get(name, {})
        return {
            row.name: view[row.name]
            for row in self.names.columns(number)
            if row.storage == "state"
            and row.name in view
            and row.name not in ("owner", "showing")
            and self.tells(row, number, view[row.name])
        }

    def described(self, name: str) -> str:
        """A thing with what has changed about it: ``Ann (coins 3)``."""
        told = ", ".join(self.fact(key, value) for key, value in self.changing(name).items())
        return f"{self.title(name)} ({told})" if told else self.title(name)

    def fact(self, name: str, value: Any) -> str:
        """A column in words: ``coins 3``, ``tired``, ``not tired``, ``no helper``."""
        if isinstance(value, bool):
            return spoken(name) if value else f"not {spoken(name)}"
        return f"no {spoken(name)}" if value is None else f"{spoken(name)} {self.shown(value)}"

    def printed(self, name: str) -> list[str]:
        """What is printed on a thing in single words and numbers, as far as it shows and says something."""
        number = self.names.things[name]
        view = self.things.get(name, {})
        return [
            self.fact(row.name, view[row.name])
            for row in self.names.columns(number)
            if row.storage == "printed" and row.type.tag in _SINGLE and view.get(row.name) and row.name != "owner"
        ]

    def base(self, name: str) -> str:
        """The title of a thing; of one of several copies that of all."""
        item = self.rows[name].item
        return re.sub(r" \d+$", "", self.title(name)) if item not in ("", name) else self.title(name)

    def alike(self, names: Iterable[str]) -> list[str]:
        """Things in words, copies of one item that are alike together: ``Guard ×3``."""
        return counted(self.described(name).replace(self.title(name), self.base(name), 1) for name in names)

    # --- maps --------------------------------------------------------------------------------------------------------

    def at(self, place: str) -> list[str]:
        """The things known to lie at a place."""
        return self.lying.get(place, [])

    def surface(self) -> maps.Surface:
        """What the pictures need to know of this game."""
        return maps.Surface(
            self.title,
            lambda place: counted((self.base(name) for name in self.at(place)), "×"),
            self.ground,
            self.short,
            self.marks,
            self.width,
        )

    def ground(self, place: str) -> list[str]:
        """What a place itself shows: its words of a list, and what has changed about it."""
        sorts = [] if place in self.plain_places() else self.sorts(place)
        changed = [
            self.title(value) if isinstance(value, str) else self.fact(key, value)
            for key, value in self.changing(place).items()
        ]
        return [*sorts, *changed]

    def sorts(self, place: str) -> list[str]:
        """The words of a list that are printed on a place."""
        view = self.things.get(place, {})
        # A kind with faces may have a column of one name on each.
        return list(
            dict.fromkeys(
                spoken(view[row.name])
                for row in self.names.columns(self.names.things[place])
                if row.storage == "printed" and row.type.tag == "enum" and view.get(row.name)
            )
        )

    def plain_places(self) -> set[str]:
        """The spaces of maps on which all are of one sort, so that to tell of it would tell nothing."""
        if self._plain_places is None:
            self._plain_places = set()
            for row in self.program.maps:
                names = [self.names.thing(space.thing) for space in row.spaces]
                if len({tuple(self.sorts(name)) for name in names}) == 1:
                    self._plain_places.update(names)
        return self._plain_places

    _plain_places: set[str] | None = None

    def short(self, text: str, width: int) -> str:
        """A text for a narrow cell: the initials of several words with their numbers, the beginning of one."""
        words = text.split()
        if len(words) < 2:
            return cut(text, width)
        return cut("".join(word[0] if word.isalpha() else word for word in words), width)

    def drawn(self) -> list[list[str]]:
        """The maps that are known whole."""
        return [self.chart(row) for row in self.program.maps]

    def chart(self, row: MapRow) -> list[str]:
        surface, title = self.surface(), self.title(row.name)
        spaces = {self.names.thing(space.thing): space for space in row.spaces}
        if row.form in GRIDS:
            return maps.grid(
                surface, title, {(space.x, space.y): name for name, space in spaces.items()}, row.form == "hex"
            )
        ways = {name: [self.names.thing(thing) for thing in space.links] for name, space in spaces.items()}
        picture = maps.placed(surface, title, spaces, ways) if row.form == "placed" else []
        return picture or maps.listed(surface, title, ways)

    def growing(self) -> list[list[str]]:
        """The maps that are laid out of tiles, with the cells that are offered now."""
        found: list[list[str]] = []
        for name, at in self.names.maps.items():
            consts, state = self.program.consts, self.game.state
            width = consts[at + M_WIDTH]
            laid: dict[tuple[int, int], maps.Laid] = {}
            for key, mark in self.marks.items():
                of, _, cell = key.partition(" ")
                place = re.fullmatch(r"([a-z]+)(\d+)", cell)
                if of == name and place:
                    laid[letters_column(place[1]), int(place[2]) - 1] = maps.Laid("", 0, mark)
            for k in range(consts[at + M_TILES]):
                cell = state[consts[at + M_CELL] + k]
                if cell:
                    tile = consts[at + M_FIRST] + k
                    sides = paths(consts, state, at, tile)
                    laid[(cell - 1) % width, (cell - 1) // width] = maps.Laid(self.names.thing(tile), sides)
            if laid:
                found.append(maps.growing(self.surface(), self.title(name), laid))
        return found

    def turned(self, growing: str, tile: int, turn: int) -> str:
        """The sides to which a tile of a growing map has ways if it is turned so: ``north, east``."""
        at = self.names.map_at(growing)
        k = tile - self.program.consts[at + M_FIRST]
        if not 0 <= k < self.program.consts[at + M_TILES]:
            return ""
        state = list(self.game.state)
        state[self.program.consts[at + M_TURN] + k] = turn
        sides = paths(self.program.consts, state, at, tile)
        return ", ".join(name for bit, name in enumerate(SIDES) if sides >> bit & 1)

    # --- who and what ------------------------------------------------------------------------------------------------

    def people(self) -> list[str]:
        """The players in play with what has changed about them and the few pieces that they own."""
        pieces: dict[int, list[str]] = {}
        for name in self.things:
            number = self.names.things[name]
            if self.names.family(number) == "piece" and not self.lies_aside(self.things[name].get("at", "")):
                pieces.setdefault(seat_of(self.program, self.game.state, number), []).append(self.base(name))
        found: list[str] = []
        for name in self.view["players"]:
            own = counted(pieces.get(self.names.things[name], []))
            with_pieces = f": {', '.join(own)}" if 0 < len(own) <= _FEW else ""
            if with_pieces or self.changing(name):
                found += self.wrap(f"{self.described(name)}{with_pieces}")
        return found

    def lies_aside(self, place: str) -> bool:
        """Whether what lies there is out of play."""
        consts = self.program.consts
        number = self.names.things.get(place, 0)
        return number >= consts[H_PLACES] and bool(consts[consts[H_OUT] + number - consts[H_PLACES]])

    def pieces(self) -> list[str]:
        """What stands on spaces and tiles, place by place, with what has changed about it; left out where the picture
        of the map has said it all."""
        in_cells = {
            self.names.thing(space.thing) for row in self.program.maps if row.form in GRIDS for space in row.spaces
        }
        found: list[str] = []
        for place in self.places_in_play():
            inside = self.alike(self.at(place))
            if inside and (place in in_cells or inside != counted(self.base(name) for name in self.at(place))):
                found += self.wrap(f"{self.title(place)}: {', '.join(inside)}")
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
        """How many things lie in each zone, and which, if that may be known; what the player holds comes last, a line
        or more for each card with a text. Empty zones and what is out of play are left out."""
        found: list[str] = []
        own: list[str] = []
        for name, row in self.view["zones"].items():
            things: list[str] = row.get("things", [])
            many = row.get("count", len(things))
            if not many or self.lies_aside(name):
                continue
            title = f"{self.zone_title(name)} ({many})"
            if self.mine(name) and any(self.rows[thing].text or self.printed(thing) for thing in things):
                own += [title, *self.hand(things)]
            else:
                found += self.wrap(f"{title}: {', '.join(self.alike(things))}" if things else title)
        return found + ([""] if found and own else []) + own

    def mine(self, zone: str) -> bool:
        """Whether a zone holds what the player who looks has to choose from: it is the player's own, and no pile."""
        number = self.names.things.get(zone, 0)
        if self.player is None or (number in self.names.zones and self.names.zones[number].order == "pile"):
            return False
        return seat_of(self.program, self.game.state, number) == self.names.things[self.player]

    def hand(self, things: Iterable[str]) -> list[str]:
        """Cards with what is printed on them, copies together."""
        copies: dict[str, int] = {}
        for name in things:
            facts = ", ".join(self.printed(name))
            text = plain(self.rows[name].text)
            told = self.described(name).replace(self.title(name), self.base(name), 1)
            line = f"{told}{f' · {facts}' if facts else ''}{f' · {text}' if text else ''}"
            copies[line] = copies.get(line, 0) + 1
        found: list[str] = []
        for line, number in copies.items():
            many = f"{number} × " if number > 1 else ""
            found += [f"  {part}" for part in textwrap.wrap(many + line, self.width - 2, subsequent_indent="    ")]
        return found

    def place_title(self, name: str) -> str:
        """Where something lies, for people."""
        return self.zone_title(name) if self.names.things.get(name, 0) in self.names.zones else self.title(name)

    def zone_title(self, name: str) -> str:
        owner, _, zone = name.rpartition(".")
        return f"{self.title(owner)}, {spoken(zone)}" if owner in self.rows else self.title(name)

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


def marks_of(game: Game, options: Sequence[Option]) -> dict[str, str]:
    """Which of these options, numbered from 1, mean a place: ``{"board.b2": "[3]", "labyrinth n13": "[1–4]"}``."""
    numbers: dict[str, list[int]] = {}
    if game.status != "ask":
        return {}
    question = game.program.questions[game.state[R_QUESTION]]
    for number, option in enumerate(options, 1):
        row = option.words[1]
        label = game.program.labels[row] if row else None
        kind = question.type if label is None else label.types[0] if label.types else None
        if kind is None or option.value is None or question.name == WINDOW:
            continue
        if kind.tag == "cell":
            numbers.setdefault(f"{kind.of or next(iter(game.names.maps))} {option.value}", []).append(number)
        elif kind.tag == "thing" and game.names.things.get(str(option.value), 0) >= game.program.consts[H_PLACES]:
            numbers.setdefault(str(option.value), []).append(number)
    return {name: f"[{few(each)}]" for name, each in numbers.items()}
