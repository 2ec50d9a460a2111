"""Maps: drawn, listed, growing. Their spaces become items and are linked.

    isle: {kind: island, origin: original, legend: {m: moor, h: hill}, drawing: ["m h", "h m"], at: {b2: {wet: true}}}

A drawn row is split at blanks, or letter by letter where it has none. Cells are named as in a sheet: the letter of the
column, the number of the row, `a1` at the top left. A letter of the legend stands for a value of the space kind's first
printed column, for several cells in braces, for a kind built on it, or for `none`: no space there. Without a legend `-`
is no space and everything else is one. With `links: hex` every second row stands half a cell to the right.

A listed space names its neighbours under `links`, and they name it back; `one_way` names those that need not.
"""

from __future__ import annotations

import re
from typing import Final

from ludoloom.compiler.analysis.declare_items import read_item
from ludoloom.compiler.analysis.model import Game, Item, Kind, MapDecl
from ludoloom.compiler.analysis.names import did_you_mean
from ludoloom.compiler.analysis.outlines import HEXAGON, POINT, SQUARE, rectangle
from ludoloom.compiler.analysis.tree import entries, number, text, words
from ludoloom.compiler.analysis.types import Enum
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span

MOST_CELLS: Final = 4096
_GRID = re.compile(r"([1-9]\d*) x ([1-9]\d*)")
_TURNS: Final = {"": 1, "none": 1, "half": 2, "quarter": 4}
_LINKS: Final = ("orthogonal", "diagonal_too", "hex", "none")
_SPACE_KEYS: Final = ("leads_to", "links", "one_way", "centre", "extent")
"""What a space says beside its columns."""
_CELL = re.compile(r"([a-z]{1,2})([1-9]\d{0,3})")

# Steps from a cell (column, row), in the order of the compass from north.
_SQUARE: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
_CORNERS: Final = ((1, -1), (1, 1), (-1, 1), (-1, -1))


def cell_name(column: int, row: int) -> str:
    """`a1` for the cell at the top left; the 27th column is `aa`."""
    letters = chr(97 + column) if column < 26 else chr(96 + column // 26) + chr(97 + column % 26)
    return f"{letters}{row + 1}"


def cell_place(name: str) -> tuple[int, int] | None:
    """Column and row of a cell's name, from 0."""
    found = _CELL.fullmatch(name)
    if not found:
        return None
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - 96
    return column - 1, int(found[2]) - 1


def declare_maps(game: Game, section: Node | None, bag: Bag) -> None:
    """Fill `game.maps`; spaces are put into `game.items` and named by their ids until they are numbered."""
    for key, node in entries(section):
        item = game.items.get(key.text)
        if not isinstance(node, Map) or item is None or item.section != "maps":
            continue
        board = MapDecl(key.text, key.span, item.kind)
        kind = game.kinds[item.kind]
        if "grows_with" in node:
            _growing(game, board, node, bag)
        else:
            space = game.kinds.get(kind.spaces)
            if space is None:
                if "drawing" in node or "spaces" in node:
                    bag.add(
                        "missing-key",
                        kind.span,
                        f"the kind `{kind.name}` does not say of what kind the spaces of its maps are",
                        "write `spaces: …`, a kind of the family space",
                        (Related(key.span, "this map has spaces"),),
                    )
                continue
            if "drawing" in node:
                _drawn(game, board, node, space, item, bag)
            elif "spaces" in node:
                _listed(game, board, node, space, item, bag)
        game.maps[board.name] = board


# --- drawn ------------------------------------------------------------------------------------------------------------


def _drawn(game: Game, board: MapDecl, node: Map, space: Kind, item: Item, bag: Bag) -> None:
    rows = words(node.get("drawing"))
    grid = [_split(row) for row in rows]
    if not grid or not grid[0]:
        return
    if len(grid) * max(len(row) for row in grid) > MOST_CELLS or max(len(row) for row in grid) > 26 * 26:
        bag.add("too-large", rows[0].span, f"`{board.name}` has more than {MOST_CELLS} cells")
        return
    for row, line in zip(rows, grid, strict=True):
        if len(line) != len(grid[0]):
            bag.add(
                "rows-differ",
                row.span,
                f"this row of `{board.name}` has {len(line)} cells, the first one {len(grid[0])}",
                "draw every row as long as the first",
                (Related(rows[0].span, "the first row"),),
            )
            return
    legend = {key.text: (key, value) for key, value in entries(node.get("legend"))}
    extra = {key.text: (key, value) for key, value in entries(node.get("at"))}
    cells: dict[tuple[int, int], str] = {}
    for y, (row, line) in enumerate(zip(rows, grid, strict=True)):
        for x, (letter, at) in enumerate(line):
            made = _cell(game, letter, _letter(row, letter, at), legend, space, board, bag)
            if made is None:
                continue
            kind, values = made
            name = cell_name(x, y)
            more = extra.get(name)
            if more is not None and isinstance(more[1], Map):
                values = {**values, **{key.text: (key, value) for key, value in more[1]}}
            cells[x, y] = _space(game, board, name, kind, values, row.span, item, bag)
    ids = set(cells.values())
    for name, (key, _) in extra.items():
        if f"{board.name}.{name}" not in ids:
            bag.add(
                "unknown-word",
                key.span,
                f"`{board.name}` has no space `{name}`",
                f"its cells go from a1 to {cell_name(len(grid[0]) - 1, len(grid) - 1)}",
            )
    board.form = how = text(node.get("links")) or "orthogonal"
    if how not in _LINKS:
        return
    _link_cells(game, board, cells, how)
    if how != "none":
        _check_reach(game, board, bag)


def _split(row: Scalar) -> list[tuple[str, int]]:
    """The letters of a drawn row with their places in its text."""
    if " " in row.text.strip():
        return [(found[0], found.start()) for found in re.finditer(r"\S+", row.text)]
    return [(letter, at) for at, letter in enumerate(row.text) if letter != " "]


def _letter(row: Scalar, letter: str, at: int) -> Span:
    """The place of a letter. A drawing is mostly quoted; on one line the quote shifts it by one."""
    span = row.span
    if span.line != span.end_line:
        return span
    shift = at if row.plain else at + 1
    if not row.plain and span.end_column - span.column != len(row.text) + 2:
        return span
    return span.within(shift, shift + len(letter))


def _cell(
    game: Game,
    letter: str,
    span: Span,
    legend: dict[str, tuple[Scalar, Node]],
    space: Kind,
    board: MapDecl,
    bag: Bag,
) -> tuple[Kind, dict[str, tuple[Scalar, Node]]] | None:
    """The kind and the cells that a letter stands for; None: no space."""
    found = legend.get(letter)
    if found is None:
        if letter == "-":
            return None
        if legend:
            bag.add(
                "unknown-letter",
                span,
                f"the legend of `{board.name}` does not know `{letter}`",
                f"its letters are {' '.join(legend)}",
                (Related(next(iter(legend.values()))[0].span, "the legend"),),
            )
            return None
        return space, {}
    key, value = found
    if isinstance(value, Map):
        return space, {name.text: (name, cell) for name, cell in value}
    first = next((column for column in space.columns.values() if column.storage == "printed"), None)
    word = text(value)
    kind = game.kinds.get(word)
    member = first is not None and isinstance(first.type, Enum) and word in game.enums.get(first.type.name, ())
    if kind is not None and kind.root == space.root and not member:
        return kind, {}
    if word == "none":
        return None
    if first is None:
        bag.add(
            "unknown-word",
            value.span,
            f"`{space.name}` has no printed column that the letter `{letter}` could fill",
            f"write `{letter}: {space.name}` for a space, `{letter}: none` for none",
            (Related(space.span, "the kind of the spaces"),),
        )
        return space, {}
    return space, {first.name: (Scalar(key.span, first.name, first.name, False), value)}


def _space(
    game: Game,
    board: MapDecl,
    name: str,
    kind: Kind,
    cells: dict[str, tuple[Scalar, Node]],
    span: Span,
    item: Item,
    bag: Bag,
) -> str:
    """One space as an item of its own, called ``map.cell``; `leads_to` belongs to the map, not to the kind."""
    inner = Map(span, tuple(row for word, row in cells.items() if word not in _SPACE_KEYS))
    key = Scalar(span, name, name, False)
    made = read_item(key, inner, kind, "spaces", bag, f"{board.name}.{name}")
    made.origin = item.origin
    made.title = name if kind.spaces else made.title
    game.items[made.id] = made
    board.space_ids.append(made.id)
    leads = cells.get("leads_to")
    if leads is not None and isinstance(leads[1], Scalar):
        board.doors[made.id] = leads[1]
    return made.id


def _link_cells(game: Game, board: MapDecl, cells: dict[tuple[int, int], str], how: str) -> None:
    for (x, y), name in cells.items():
        shift = y % 2
        if how == "hex":
            board.centres_of[name] = (1000 * x + 500 * shift, 866 * y)
            board.outlines_of[name] = HEXAGON
            steps = ((shift, -1), (1, 0), (shift, 1), (shift - 1, 1), (-1, 0), (shift - 1, -1))
        else:
            board.centres_of[name] = (1000 * x, 1000 * y)
            board.outlines_of[name] = SQUARE
            steps = () if how == "none" else _SQUARE if how == "orthogonal" else _SQUARE + _CORNERS
        board.links_of[name] = [cells[x + dx, y + dy] for dx, dy in steps if (x + dx, y + dy) in cells]


# --- listed -----------------------------------------------------------------------------------------------------------


def _listed(game: Game, board: MapDecl, node: Map, space: Kind, item: Item, bag: Bag) -> None:
    listed = {key.text: (key, value) for key, value in entries(node.get("spaces")) if isinstance(value, Map)}
    if len(listed) > MOST_CELLS:
        bag.add("too-large", board.span, f"`{board.name}` has more than {MOST_CELLS} spaces")
        return
    for name, (key, value) in listed.items():
        assert isinstance(value, Map)
        cells = {inner.text: (inner, cell) for inner, cell in value}
        made = _space(game, board, name, space, cells, key.span, item, bag)
        _lie(board, made, value, bag)
        ways = board.links_of.setdefault(made, [])
        one_way = {word.text for word in words(value.get("one_way"))}
        for block in ("links", "one_way"):
            for word in words(value.get(block)):
                if word.text == name:
                    bag.add(
                        "self-link",
                        word.span,
                        f"`{name}` is linked to itself",
                        "take it out of the list",
                    )
                elif word.text not in listed:
                    bag.add(
                        "unknown-word",
                        word.span,
                        f"`{board.name}` has no space `{word.text}`",
                        did_you_mean(word.text, listed),
                    )
                else:
                    if f"{board.name}.{word.text}" not in ways:
                        ways.append(f"{board.name}.{word.text}")
                    if word.text not in one_way:
                        _check_back(name, word, listed[word.text], bag)
    _check_reach(game, board, bag)


def _check_back(name: str, word: Scalar, other: tuple[Scalar, Node], bag: Bag) -> None:
    key, value = other
    blocks = ("links", "one_way") if isinstance(value, Map) else ()
    back = [one.text for block in blocks if isinstance(value, Map) for one in words(value.get(block))]
    if name not in back:
        bag.add(
            "one-sided-link",
            word.span,
            f"`{name}` is linked to `{word.text}`, but `{word.text}` not to `{name}`",
            f"add `{name}` to the links of `{word.text}`, or write the way under `one_way`",
            (Related(key.span, f"`{word.text}` is here"),),
        )


def _lie(board: MapDecl, name: str, space: Map, bag: Bag) -> None:
    """Where a space lies on the paper and how big it is there; an extent without a centre has nothing to lie round."""
    centre, size = _two(space.get("centre")), space.get("extent")
    if centre is not None:
        board.centres_of[name] = (1000 * centre[0], 1000 * centre[1])
        board.outlines_of[name] = POINT
    if size is None:
        return
    extent = _two(size)
    if centre is None or extent is None or min(extent) < 1:
        bag.add("wrong-type", size.span, "an extent is `[across, down]` round a `centre`, both more than 0")
        return
    board.outlines_of[name] = rectangle(1000 * extent[0], 1000 * extent[1])


def _two(node: Node | None) -> tuple[int, int] | None:
    if not isinstance(node, Items) or len(node.items) != 2:
        return None
    x, y = number(node.items[0]), number(node.items[1])
    return (x, y) if x is not None and y is not None else None


def _check_reach(game: Game, board: MapDecl, bag: Bag) -> None:
    """Spaces that no way joins to the rest, links taken both ways; a door to another map is a way too."""
    if len(board.space_ids) < 2:
        return
    ways: dict[str, set[str]] = {name: set() for name in board.space_ids}
    for name, others in board.links_of.items():
        for other in others:
            ways[name].add(other)
            ways[other].add(name)
    seen = {board.space_ids[0]}
    todo = [board.space_ids[0]]
    while todo:
        for other in ways[todo.pop()] - seen:
            seen.add(other)
            todo.append(other)
    lost = [name for name in board.space_ids if name not in seen and name not in board.doors]
    if lost:
        names = [name.removeprefix(f"{board.name}.") for name in lost]
        bag.add(
            "unreachable",
            game.items[lost[0]].span,
            f"no way leads from {board.space_ids[0].removeprefix(board.name + '.')} to {', '.join(names[:8])}"
            + (f" and {len(names) - 8} more" if len(names) > 8 else "")
            + f" on `{board.name}`",
            "link them, or allow this finding if it is meant so",
        )


# --- growing ----------------------------------------------------------------------------------------------------------


def _growing(game: Game, board: MapDecl, node: Map, bag: Bag) -> None:
    tile = node.get("grows_with")
    kind = game.kinds.get(text(tile))
    if kind is None or kind.family != "tile":
        if isinstance(tile, Scalar):
            tiles = [one.name for one in game.kinds.values() if one.family == "tile"]
            bag.add(
                "unknown-word",
                tile.span,
                f"`{tile.text}` is no kind of the family tile",
                did_you_mean(tile.text, tiles),
            )
        return
    board.grows_with = kind.name
    grid = node.get("grid")
    found = _GRID.fullmatch(text(grid))
    if found is None:
        return
    board.width, board.height = (int(digits) if len(digits) < 6 else MOST_CELLS + 1 for digits in found.groups())
    assert grid is not None
    if board.width * board.height > MOST_CELLS or board.width > 26 * 26:
        bag.add("too-large", grid.span, f"`{board.name}` has more than {MOST_CELLS} cells")
        board.width = board.height = 1
        return
    joins = node.get("joins")
    if isinstance(joins, Scalar):
        columns = {column.name for column in kind.columns.values()}
        if joins.text not in columns:
            bag.add(
                "unknown-word",
                joins.span,
                f"`{kind.name}` has no column `{joins.text}`",
                did_you_mean(joins.text, columns),
            )
        else:
            board.joins = joins.text
    turns = node.get("turns")
    board.turns = _TURNS.get(text(turns), 1)
    _first_tile(game, board, node, kind, bag)
    tiles = sum(item.copies for item in game.items.values() if _of_kind(game, item, kind.name))
    if tiles > board.width * board.height:
        bag.add(
            "map-too-small",
            grid.span,
            f"`{board.name}` has {board.width * board.height} cells for {tiles} tiles",
            "make the grid larger",
        )


def _first_tile(game: Game, board: MapDecl, node: Map, kind: Kind, bag: Bag) -> None:
    for key, place in entries(node.get("first")):
        item = game.items.get(key.text)
        if item is None or not _of_kind(game, item, kind.name):
            tiles = [one.id for one in game.items.values() if _of_kind(game, one, kind.name)]
            bag.add("unknown-word", key.span, f"there is no {kind.name} `{key.text}`", did_you_mean(key.text, tiles))
            continue
        at = cell_place(text(place))
        if at is None or at[0] >= board.width or at[1] >= board.height:
            last = cell_name(board.width - 1, board.height - 1)
            message = f"`{board.name}` has no cell `{text(place)}`"
            bag.add("map-too-small", place.span, message, f"its cells go from a1 to {last}")
            continue
        board.first = (item.id, at[1] * board.width + at[0] + 1)


def _of_kind(game: Game, item: Item, name: str) -> bool:
    at = item.kind
    while at and at != name:
        at = game.kinds[at].base
    return at == name


# --- maps in maps -----------------------------------------------------------------------------------------------------


def check_nesting(game: Game, bag: Bag) -> None:
    """`leads_to` names a map, and no map lies, through its cells, within itself."""
    inside: dict[str, list[tuple[str, Scalar]]] = {}
    first: dict[str, Scalar] = {}
    for board in game.maps.values():
        for door in board.doors.values():
            if door.text == "none":
                continue
            if door.text not in game.maps:
                bag.add("unknown-word", door.span, f"there is no map `{door.text}`", did_you_mean(door.text, game.maps))
                continue
            inside.setdefault(board.name, []).append((door.text, door))
            if door.text in first:
                bag.add(
                    "two-locations",
                    door.span,
                    f"two cells lead to `{door.text}`, so it has no one location",
                    "let one of them lead there, or draw the map twice under two names",
                    (Related(first[door.text].span, "the first one"),),
                )
            first.setdefault(door.text, door)
    done: set[str] = set()
    for start in game.maps:
        trail: list[str] = []
        _descend(start, trail, inside, done, bag)


def _descend(
    name: str, trail: list[str], inside: dict[str, list[tuple[str, Scalar]]], done: set[str], bag: Bag
) -> None:
    stack: list[tuple[str, int]] = [(name, 0)]
    while stack:
        at, k = stack.pop()
        ways = inside.get(at, [])
        if k == 0:
            if at in done:
                continue
            trail.append(at)
        if k >= len(ways):
            trail.pop()
            done.add(at)
            continue
        stack.append((at, k + 1))
        to, door = ways[k]
        if to in trail:
            bag.add(
                "nesting-cycle",
                door.span,
                f"`{to}` lies within itself: {' leads to '.join([*trail[trail.index(to) :], to])}",
                "let one of the cells lead nowhere",
            )
        elif to not in done:
            stack.append((to, 0))
