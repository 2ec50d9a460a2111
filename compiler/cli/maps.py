"""Maps as lines of text: pure functions from what lies where to strings.

    grid      a drawn map: letters above, numbers at the left, every second row shifted where cells have six sides
    placed    a listed map whose spaces say where they lie: boxes, as on the paper
    listed    any other map: a line a space, with the ways from it
    growing   tiles that were laid: boxes, too

A gap in the wall between two boxes is a way. What stands in a cell or box is wrapped, never cut off in the middle of a
list; a number in brackets is that of the option which means the place.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ludoloom.runtime.image import SpaceRow
from ludoloom.runtime.names import column_letters

NARROW: Final = 3
"""Fewest columns of a cell."""
WIDE: Final = 16
"""Most columns of a cell, and of the inside of a tile."""
TILE: Final = 9
"""Fewest columns inside a tile or box."""
ROOM: Final = 26
"""Most columns of a box."""

_CORNERS: Final = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""A character of a wall by the sides to which it goes on: 1 up, 2 right, 4 down, 8 left."""


@dataclass(frozen=True, slots=True)
class Surface:
    """What the pictures need to know. `inside`: the things that lie at a place, in words; `ground`: what a place itself
    shows; `short`: a word in few letters; `marks`: the options that mean a place."""

    title: Callable[[str], str]
    inside: Callable[[str], list[str]]
    ground: Callable[[str], list[str]]
    short: Callable[[str, int], str]
    marks: Mapping[str, str]
    width: int


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile on a growing map, or a cell into which one could go (`name` is empty). `sides`: 1 north, 2 east, 4 south,
    8 west."""

    name: str
    sides: int
    mark: str = ""


# --- drawn ------------------------------------------------------------------------------------------------------------


def grid(surface: Surface, title: str, cells: Mapping[tuple[int, int], str], hexes: bool) -> list[str]:
    """A drawn map; `cells` are the names of its spaces by column and row."""
    columns, rows = 1 + max(x for x, _ in cells), 1 + max(y for _, y in cells)
    room = (surface.width - 4 - (WIDE // 2 if hexes else 0)) // columns - 1
    widest = max(NARROW, min(WIDE, room))
    words = {at: cell_words(surface, name, widest) for at, name in cells.items()}
    width = max(NARROW, *(len(line) for lines in words.values() for line in lines))
    shift = (width + 1) // 2 if hexes else 0
    found = [title, ("    " + " ".join(column_letters(x).center(width) for x in range(columns))).rstrip()]
    for y in range(rows):
        height = max(len(words.get((x, y), ())) for x in range(columns))
        indent = " " * (shift if y % 2 else 0)
        for k in range(height):
            texts = [line_of(words.get((x, y), []), k, height).center(width) for x in range(columns)]
            found.append(f"{y + 1 if k == (height - 1) // 2 else '':>3} {indent}{' '.join(texts)}".rstrip())
    return found


def line_of(lines: Sequence[str], k: int, height: int) -> str:
    """Line `k` of some lines that stand in the middle of `height`."""
    k -= (height - len(lines)) // 2
    return lines[k] if 0 <= k < len(lines) else ""


def cell_words(surface: Surface, name: str, width: int) -> list[str]:
    """What is written into a cell: what the space shows, its option, what lies there; a dot if there is nothing."""
    told = [surface.ground(name), [surface.marks.get(name, "")], surface.inside(name)]
    lines = [wrapped([surface.short(text, width) for text in texts if text], width) for texts in told]
    return [line for part in lines for line in part] or ["·"]


def wrapped(parts: Sequence[str], width: int) -> list[str]:
    """Parts of a list with commas between them, on lines of at most so many columns."""
    lines: list[str] = []
    for number, part in enumerate(parts):
        text = part if number + 1 == len(parts) else f"{part},"
        if lines and len(lines[-1]) + 1 + len(text) <= width:
            lines[-1] += f" {text}"
        else:
            lines += textwrap.wrap(text, width, break_on_hyphens=False) or [text]
    return lines


# --- boxes ------------------------------------------------------------------------------------------------------------


class Canvas:
    """Characters at (column, row). Walls are kept by the sides to which they go on, so that boxes may share them."""

    def __init__(self) -> None:
        self.walls: dict[tuple[int, int], int] = {}
        self.texts: dict[tuple[int, int], str] = {}

    def box(self, left: int, top: int, right: int, bottom: int) -> None:
        """The walls of a box; the bounds are the columns and rows of its walls."""
        for x in range(left, right):
            for y in (top, bottom):
                self.wall(x, y, 2)
                self.wall(x + 1, y, 8)
        for y in range(top, bottom):
            for x in (left, right):
                self.wall(x, y, 4)
                self.wall(x, y + 1, 1)

    def wall(self, x: int, y: int, sides: int) -> None:
        self.walls[x, y] = self.walls.get((x, y), 0) | sides

    def gap_across(self, x: int, y: int) -> None:
        """A way through a wall that runs from left to right."""
        self.walls[x, y] = 0
        self.walls[x - 1, y] = self.walls.get((x - 1, y), 0) & ~2
        self.walls[x + 1, y] = self.walls.get((x + 1, y), 0) & ~8

    def gap_down(self, x: int, y: int) -> None:
        """A way through a wall that runs from top to bottom."""
        self.walls[x, y] = 0
        for at, sides in ((y - 1, 4), (y + 1, 1)):
            if (x, at) in self.walls:
                self.walls[x, at] &= ~sides

    def write(self, x: int, y: int, text: str) -> None:
        for k, letter in enumerate(text):
            self.texts[x + k, y] = letter

    def lines(self) -> list[str]:
        every = [*self.walls, *self.texts]
        if not every:
            return []
        columns, rows = 1 + max(x for x, _ in every), 1 + max(y for _, y in every)
        return [
            "".join(self.texts.get((x, y)) or _CORNERS[self.walls.get((x, y), 0)] for x in range(columns)).rstrip()
            for y in range(rows)
        ]


def box_words(surface: Surface, name: str, width: int) -> list[str]:
    """What is written into a box: the option that means the place, its name, what it shows, what lies there."""
    mark = surface.marks.get(name, "")
    head = f"{mark} {surface.title(name)}" if mark else surface.title(name)
    lines = textwrap.wrap(head, width) + textwrap.wrap(", ".join(surface.ground(name)), width)
    return lines + wrapped(surface.inside(name), width)


def spread(edges: Sequence[int], covered: Callable[[int], bool], wide: int, empty: int) -> list[int]:
    """Where the walls at these edges are drawn, if what is covered gets `wide` columns and what is not `empty`."""
    found = [0]
    for k in range(len(edges) - 1):
        found.append(found[-1] + (wide if covered(k) else empty))
    return found


def placed(
    surface: Surface, title: str, spaces: Mapping[str, SpaceRow], ways: Mapping[str, Sequence[str]]
) -> list[str]:
    """A listed map as it lies on the paper; nothing where its spaces overlap or there is no room for them."""
    size = nearest(list(spaces.values()))
    bounds: dict[str, tuple[int, int, int, int]] = {}
    for name, row in spaces.items():
        half_x, half_y = (row.width or size) // 2, (row.height or size) // 2
        bounds[name] = (row.x - half_x, row.y - half_y, row.x + half_x, row.y + half_y)
    if overlapping(list(bounds.values())):
        return []
    across = sorted({each for box in bounds.values() for each in (box[0], box[2])})
    down = sorted({each for box in bounds.values() for each in (box[1], box[3])})
    columns = {name: (across.index(box[0]), across.index(box[2])) for name, box in bounds.items()}
    rows = {name: (down.index(box[1]), down.index(box[3])) for name, box in bounds.items()}
    filled = [any(first <= k < last for first, last in columns.values()) for k in range(len(across) - 1)]
    wide = min(ROOM, (surface.width - 1 - 3 * filled.count(False)) // max(1, filled.count(True)))
    if wide < TILE + 1:
        return []
    xs = spread(across, filled.__getitem__, wide, 3)
    words = {name: box_words(surface, name, xs[last] - xs[first] - 1) for name, (first, last) in columns.items()}
    ys = [0]
    for k in range(len(down) - 1):
        ends = [ys[first] + len(words[name]) + 1 for name, (first, last) in rows.items() if last == k + 1]
        any_here = any(first <= k < last for first, last in rows.values())
        ys.append(max(ys[k] + (4 if any_here else 1), *ends))
    canvas = Canvas()
    for name in spaces:
        canvas.box(xs[columns[name][0]], ys[rows[name][0]], xs[columns[name][1]], ys[rows[name][1]])
    apart: list[str] = []
    for name, others in ways.items():
        for other in others:
            both = name in ways.get(other, ())
            if not (both and name > other) and not open_way(canvas, xs, ys, (columns, rows), name, other):
                apart.append(f"{surface.title(name)} {'–' if both else '→'} {surface.title(other)}")
    for name, lines in words.items():
        left, top, bottom = xs[columns[name][0]], ys[rows[name][0]], ys[rows[name][1]]
        inner = xs[columns[name][1]] - left - 1
        start = top + 1 + (bottom - top - 1 - len(lines)) // 2
        for k, line in enumerate(lines):
            canvas.write(left + 1 + (inner - len(line)) // 2, start + k, line)
    more = textwrap.wrap(f"also: {', '.join(apart)}", surface.width) if apart else []
    return [title, *canvas.lines(), *more]


def open_way(
    canvas: Canvas,
    xs: Sequence[int],
    ys: Sequence[int],
    spans: tuple[Mapping[str, tuple[int, int]], Mapping[str, tuple[int, int]]],
    name: str,
    other: str,
) -> bool:
    """Open the wall that two boxes share; False if they share none."""
    columns, rows = spans
    left, right = max(columns[name][0], columns[other][0]), min(columns[name][1], columns[other][1])
    top, bottom = max(rows[name][0], rows[other][0]), min(rows[name][1], rows[other][1])
    if left < right and top == bottom:
        canvas.gap_across((xs[left] + xs[right]) // 2, ys[top])
    elif left == right and top < bottom:
        canvas.gap_down(xs[left], (ys[top] + ys[bottom]) // 2)
    else:
        return False
    return True


def nearest(spaces: Sequence[SpaceRow]) -> int:
    """The distance of the two centres that lie nearest together: how big a space may be whose size nobody gave."""
    steps = [
        max(abs(one.x - other.x), abs(one.y - other.y)) for k, one in enumerate(spaces) for other in spaces[k + 1 :]
    ]
    return max(2, min(steps, default=2))


def overlapping(boxes: Sequence[tuple[int, int, int, int]]) -> bool:
    """Whether two of the boxes share more than walls."""
    return any(
        a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for k, a in enumerate(boxes) for b in boxes[k + 1 :]
    )


def listed(surface: Surface, title: str, ways: Mapping[str, Sequence[str]]) -> list[str]:
    """A line a space: what lies there, and where one can go from it."""
    found = [title]
    for name, others in ways.items():
        here = ", ".join([*surface.ground(name), *surface.inside(name)])
        mark = surface.marks.get(name, "")
        head = f"{mark} {surface.title(name)}" if mark else surface.title(name)
        to = f"  → {', '.join(map(surface.title, others))}" if others else ""
        found += textwrap.wrap(f"{head}: {here}{to}" if here else head + to, surface.width, subsequent_indent="    ")
    return found


# --- growing ----------------------------------------------------------------------------------------------------------


def growing(surface: Surface, title: str, laid: Mapping[tuple[int, int], Laid]) -> list[str]:
    """A growing map; what is too wide for the screen is drawn in parts, from left to right."""
    left, right = min(x for x, _ in laid), max(x for x, _ in laid)
    inner = max(TILE, min(WIDE, (surface.width - 4) // (right - left + 1) - 2))
    at_once = max(1, (surface.width - 4) // (inner + 2))
    found = [title]
    for first in range(left, right + 1, at_once):
        last = min(right, first + at_once - 1)
        found += part({at: tile for at, tile in laid.items() if first <= at[0] <= last}, surface, inner)
    return found


def part(laid: Mapping[tuple[int, int], Laid], surface: Surface, inner: int) -> list[str]:
    """Some columns of a growing map."""
    left, right = min(x for x, _ in laid), max(x for x, _ in laid)
    top, bottom = min(y for _, y in laid), max(y for _, y in laid)
    words = {at: tile_words(tile, surface, inner) for at, tile in laid.items()}
    found = ["    " + "".join(column_letters(x).center(inner + 2) for x in range(left, right + 1)).rstrip()]
    for y in range(top, bottom + 1):
        here = [(laid.get((x, y)), words.get((x, y), [])) for x in range(left, right + 1)]
        height = max(3, *(len(lines) for _, lines in here)) if any(tile for tile, _ in here) else 1
        boxes = [tile_box(tile, lines, inner, height) for tile, lines in here]
        for k, row in enumerate(zip(*boxes, strict=True)):
            found.append(f"{y + 1 if k == (height + 1) // 2 else '':>3} {''.join(row)}".rstrip())
    return found


def tile_words(tile: Laid, surface: Surface, inner: int) -> list[str]:
    return textwrap.wrap(tile.mark, inner) if not tile.name else box_words(surface, tile.name, inner)


def tile_box(tile: Laid | None, lines: Sequence[str], inner: int, height: int) -> list[str]:
    """The lines of one box with its walls; blanks for a cell where nothing lies."""
    if tile is None:
        return [" " * (inner + 2)] * (height + 2)
    middle = [line_of(lines, k, height).center(inner) for k in range(height)]
    if not tile.name:
        dots = "·" * (inner + 2)
        return [dots, *(f"·{line}·" for line in middle), dots]
    half = (inner - 3) // 2
    ends = "─" * half, "─" * (inner - 3 - half)
    shut = "─" * inner
    found = [f"┌{f'{ends[0]}┘ └{ends[1]}' if tile.sides & 1 else shut}┐"]
    door = height // 2
    for k, line in enumerate(middle):
        west = {door - 1: "┘", door: " ", door + 1: "┐"}.get(k, "│") if tile.sides & 8 else "│"
        east = {door - 1: "└", door: " ", door + 1: "┌"}.get(k, "│") if tile.sides & 2 else "│"
        found.append(west + line + east)
    return [*found, f"└{f'{ends[0]}┐ ┌{ends[1]}' if tile.sides & 4 else shut}┘"]
