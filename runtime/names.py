"""Numbers into words and back, for one program.

    names = names_of(program)
    names.value(TypeRow("thing", "player"), [3])     'ann'
    names.words(TypeRow("enum", "suit"), "clubs") [1]

Members of an enumeration are numbered from 1, 0 is none. Values are plain: numbers (None where missing), True and
False, names, lists of names for sets, ``0 to 2`` and ``5+`` for ranges.
"""

from __future__ import annotations

import re
from typing import Any, cast

from ludoloom.runtime.errors import GameError, unknown
from ludoloom.runtime.image import ColumnRow, KindRow, Program, TypeRow, ZoneRow
from ludoloom.runtime.isa import NIL, RANGE_BIAS, RANGE_MAX, SET_BITS
from ludoloom.runtime.machine import (
    H_MAPS,
    H_NMAPS,
    H_NSEATS,
    H_SEATS,
    M_HEIGHT,
    M_PLACE,
    M_WIDTH,
    MAP_WORDS,
)

NONE = "none"
_RANGE = re.compile(r"^\s*(-?\d+)\s*(?:to\s*(-?\d+)|(\+))?\s*$")
_HOLE = re.compile(r"\{\s*([\w.()]+)\s*\}")


class Names:
    """The tables of one program, turned into dictionaries once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.things: dict[str, int] = {row.name: number for number, row in enumerate(program.things, 1)}
        self.kinds: dict[str, KindRow] = {row.name: row for row in program.kinds}
        self.zones: dict[int, ZoneRow] = {row.thing: row for row in program.zones}
        self.game_words: dict[str, ColumnRow] = {row.name: row for row in program.columns if not row.kind}
        self.steps: dict[str, int] = {name: number for number, name in enumerate(program.steps)}
        self._columns: dict[str, list[ColumnRow]] = {}
        self._faced: dict[str, list[ColumnRow]] = {}
        for row in program.columns:
            if row.kind:
                key = f"{row.face}.{row.name}" if row.face else row.name
                self._columns.setdefault(key, []).append(row)
                if row.face:
                    self._faced.setdefault(row.name, []).append(row)
        consts = program.consts
        self.seats: list[int] = [consts[H_SEATS] + k for k in range(consts[H_NSEATS])]
        self.maps: dict[str, int] = {}
        """Growing maps by name: where the row of each begins in the constants."""
        for k in range(consts[H_NMAPS]):
            at = consts[H_MAPS] + k * MAP_WORDS
            self.maps[self.thing(consts[at + M_PLACE])] = at

    # --- things and columns ----------------------------------------------------------------------------------------
    def thing(self, number: int) -> str:
        """The name of a thing; ``none`` for 0."""
        if 1 <= number <= len(self.program.things):
            return self.program.things[number - 1].name
        return NONE

    def kind_of(self, number: int) -> str:
        """The kind of a thing, ``zone`` for a zone."""
        return self.program.things[number - 1].kind or "zone"

    def family(self, number: int) -> str:
        """The family of a thing's kind, empty for a zone."""
        kind = self.kinds.get(self.program.things[number - 1].kind)
        return kind.family if kind is not None else ""

    def number(self, name: str) -> int:
        """The number of a thing; a sentence if there is none of that name."""
        found = self.things.get(name)
        if found is None:
            raise GameError(unknown("thing", name, self.things))
        return found

    def column(self, thing: int, name: str) -> ColumnRow | None:
        """The column of that name (``price``, ``back.price``) that covers a thing, if there is one: of two, the one of
        the narrower kind. A name that only columns of faces have means the first of them."""
        best: ColumnRow | None = None
        for row in self._columns.get(name) or self._faced.get(name, ()):
            if row.first <= thing < row.first + row.count and (best is None or row.count < best.count):
                best = row
        return best

    def columns(self, thing: int) -> list[ColumnRow]:
        """All columns that cover a thing, in their declared order, each name of each face once."""
        found = [self.column(thing, key) for key in self._columns]
        return [row for row in found if row is not None]

    def set_first(self, of: str) -> tuple[int, int]:
        """The first possible member of a set and how many there are: of a kind (``token``, or several: ``token|tile``),
        an enumeration, or the cells of a growing map."""
        if of in self.program.enums:
            return 1, max(1, len(self.program.enums[of]))
        if of in self.maps:
            at = self.maps[of]
            return 1, self.program.consts[at + M_WIDTH] * self.program.consts[at + M_HEIGHT]
        roots = [self.root(self.kinds[name]) for name in of.split("|") if name in self.kinds]
        filled = [row for row in roots if row.count]
        if not filled:
            return 1, 1
        first = min(row.first for row in filled)
        return first, max(row.first + row.count for row in filled) - first

    def root(self, kind: KindRow) -> KindRow:
        """The widest kind to which all things of a kind belong: sets of derived kinds have its members."""
        best = kind
        for row in self.program.kinds:
            covers = row.first <= kind.first and kind.first + kind.count <= row.first + row.count
            if covers and kind.count and row.count > best.count:
                best = row
        return best

    def members(self, of: str) -> list[str]:
        """The names of all possible members of a set, in order."""
        first, count = self.set_first(of)
        if of in self.program.enums:
            return list(self.program.enums[of])
        if of in self.maps:
            return [self.cell_name(of, first + k) or NONE for k in range(count)]
        return [self.thing(first + k) for k in range(count)]

    def size(self, kind: TypeRow) -> int:
        """How many words a value of the type takes."""
        if kind.tag != "set":
            return 1
        return max(1, (self.set_first(kind.of)[1] + SET_BITS - 1) // SET_BITS)

    # --- words to values -------------------------------------------------------------------------------------------
    def value(self, kind: TypeRow, words: list[int]) -> Any:
        """What the words of a value mean."""
        word = words[0] if words else 0
        match kind.tag:
            case "bool":
                return word != 0
            case "enum":
                members = self.program.enums.get(kind.of, [])
                return members[word - 1] if 1 <= word <= len(members) else None
            case "thing":
                return self.thing(word) if word else None
            case "set":
                return [
                    name
                    for k, name in enumerate(self.members(kind.of)[: len(words) * SET_BITS])
                    if words[k // SET_BITS] >> (k % SET_BITS) & 1
                ]
            case "range":
                low, high = (word & 32767) - RANGE_BIAS, (word >> 15 & 32767) - RANGE_BIAS
                if high == RANGE_MAX:
                    return f"{low}+"
                return str(low) if low == high else f"{low} to {high}"
            case "cell":
                return self.cell_name(kind.of, word)
            case _:
                return None if word == NIL else word

    def show(self, kind: TypeRow, words: list[int]) -> str:
        """A value as it stands in a label: ``none``, ``true``, names, members joined by commas."""
        value = self.value(kind, words)
        if value is None:
            return NONE
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, list):
            return ", ".join(str(member) for member in value) or NONE  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        return str(value)

    def title(self, kind: TypeRow, words: list[int]) -> str:
        """A value as it stands in a sentence: things by their titles."""
        if kind.tag == "thing" and words and 1 <= words[0] <= len(self.program.things):
            row = self.program.things[words[0] - 1]
            return row.title or row.name
        if kind.tag == "set":
            members: list[str] = self.value(kind, words)
            return ", ".join(self.named(name) for name in members) or NONE
        return self.show(kind, words).replace("_", " ") if kind.tag == "enum" else self.show(kind, words)

    def named(self, name: str) -> str:
        """The title of a thing by its name; another name in plain words."""
        if name in self.things:
            return self.program.things[self.things[name] - 1].title or name
        return name.replace("_", " ")

    # --- values to words -------------------------------------------------------------------------------------------
    def words(self, kind: TypeRow, value: object) -> list[int]:
        """The words of a value; a sentence if it does not fit the type."""
        absent = value is None or value == NONE
        match kind.tag:
            case "bool":
                if isinstance(value, bool):
                    return [int(value)]
                if value in ("true", "false"):
                    return [int(value == "true")]
                raise GameError(f"{value!r} is neither true nor false")
            case "enum":
                members = self.program.enums.get(kind.of, [])
                if value in members:
                    return [members.index(str(value)) + 1]
                if absent:
                    return [0]
                raise GameError(unknown(kind.of, value, members))
            case "thing":
                return [0 if absent else self.member(kind.of, value)]
            case "set":
                members = self.members(kind.of)
                words = [0] * self.size(kind)
                listed = cast("list[object]", value) if isinstance(value, (list, tuple)) else [value]
                for member in [] if absent else listed:
                    if member not in members:
                        raise GameError(unknown(kind.of or "thing", member, members))
                    k = members.index(str(member))
                    words[k // SET_BITS] |= 1 << (k % SET_BITS)
                return words
            case "range":
                return [range_word(value)]
            case "cell":
                return [0 if absent else self.cell(kind.of, str(value))]
            case _:
                if absent:
                    return [NIL]
                if isinstance(value, bool) or not isinstance(value, int):
                    raise GameError(f"{value!r} is no number")
                if abs(value) > 2147483647:
                    raise GameError(f"{value} leaves the 32-bit range")
                return [value]

    def member(self, kind: str, value: object) -> int:
        """The number of a thing of a kind, by its name; the nearest names of that kind otherwise."""
        row = self.kinds.get(kind)
        number = self.things.get(str(value))
        if row is None:
            return self.number(str(value))
        if number is None or not row.first <= number < row.first + row.count:
            own = [self.thing(row.first + k) for k in range(row.count)]
            if number is not None:
                raise GameError(f"'{value}' is a {self.kind_of(number)}, but a {kind} stands here")
            raise GameError(unknown(kind, value, own))
        return number

    # --- cells of growing maps -------------------------------------------------------------------------------------
    def cell_name(self, growing: str, cell: int) -> str | None:
        """The name of a cell, as in a sheet: the column's letters, the row's number."""
        at = self.map_at(growing)
        width = self.program.consts[at + M_WIDTH]
        if cell < 1 or cell > width * self.program.consts[at + M_HEIGHT]:
            return None
        return column_letters((cell - 1) % width) + str((cell - 1) // width + 1)

    def cell(self, growing: str, name: str) -> int:
        """The number of a cell by its name (``k11``)."""
        at = self.map_at(growing)
        width, height = self.program.consts[at + M_WIDTH], self.program.consts[at + M_HEIGHT]
        found = re.fullmatch(r"([a-z]{1,3})([1-9]\d{0,3})", name)
        if found:
            x, y = letters_column(found[1]), int(found[2]) - 1
            if x < width and y < height:
                return y * width + x + 1
        last = f"{column_letters(width - 1)}{height}"
        own = self.thing(self.program.consts[at + M_PLACE])
        raise GameError(f"the map '{own}' has no cell '{name}'; its cells are a1 to {last}")

    def map_at(self, growing: str) -> int:
        """Where the row of a growing map begins; a game with one needs no name."""
        if growing in self.maps:
            return self.maps[growing]
        if len(self.maps) == 1:
            return next(iter(self.maps.values()))
        raise GameError(unknown("growing map", growing, self.maps))

    # --- sentences -------------------------------------------------------------------------------------------------
    def fill(self, text: str, values: dict[str, str]) -> str:
        """A sentence with its holes filled; a hole without a value stays as it is."""
        return _HOLE.sub(lambda hole: values.get(hole[1], hole[0]), text)


def column_letters(x: int) -> str:
    """The letters of a column counted from 0: a, b, … z, aa, ab …"""
    letters = ""
    x += 1
    while x > 0:
        x, digit = divmod(x - 1, 26)
        letters = chr(97 + digit) + letters
    return letters


def letters_column(letters: str) -> int:
    """The column counted from 0 that the letters name."""
    x = 0
    for letter in letters:
        x = x * 26 + ord(letter) - 96
    return x - 1


def range_word(value: object) -> int:
    """A range as one word: a number, ``0 to 2`` or ``5+``."""
    found = _RANGE.match(str(value)) if not isinstance(value, bool) else None
    if found is None:
        raise GameError(f"{value!r} is no range; write '0 to 2', '5+' or a number")
    low = int(found[1])
    high = RANGE_MAX if found[3] else int(found[2]) if found[2] else low
    if low > high or low < -RANGE_BIAS or (high >= RANGE_MAX and not found[3]):
        holds = f"{-RANGE_BIAS} to {RANGE_MAX - 1}"
        raise GameError(f"the range {value} goes beyond what a range holds ({holds}) or ends before it begins")
    return (high + RANGE_BIAS) << 15 | (low + RANGE_BIAS)


_CACHE: dict[int, Names] = {}
_KEPT = 16


def names_of(program: Program) -> Names:
    """The dictionaries of a program, made once (the last few programs are remembered)."""
    found = _CACHE.get(id(program))
    if found is None or found.program is not program:
        if len(_CACHE) >= _KEPT:
            _CACHE.clear()
        found = _CACHE[id(program)] = Names(program)
    return found
