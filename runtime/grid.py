"""Growing maps: tiles laid on the cells of a grid, joined where paths meet.

A tile has for each of its faces four bits of paths (north, east, south, west as printed) and lies turned by quarters
clockwise. Two tiles side by side are *joined* if both have a path to the common side. Cells are numbered from 1, row
by row; sets of tiles and of cells are written to the state at `to` as runs of words with 30 bits each.

Searches keep their notes in the free part of the stack (`scratch` … `limit`), so that they allocate nothing. The same
source runs in plain Python and under numba. `at` is where the map's row of constants begins.
"""

from __future__ import annotations

from ludoloom.runtime.isa import NIL, SET_BITS
from ludoloom.runtime.machine import (
    FA_CELL,
    FA_NONE,
    M_CELL,
    M_FACE,
    M_FACES,
    M_FIRST,
    M_GRID,
    M_HEIGHT,
    M_JOINS,
    M_PLACE,
    M_TILES,
    M_TURN,
    M_WIDTH,
)
from ludoloom.runtime.things import put

NO_ROOM = -1
"""What a search returns when the stack has no room for its notes (no distance is negative)."""


def is_tile(consts: list[int], at: int, tile: int) -> bool:
    """Whether `tile` is one of the tiles of the map."""
    k = tile - consts[at + M_FIRST]
    return k >= 0 and k < consts[at + M_TILES]


def paths(consts: list[int], state: list[int], at: int, tile: int) -> int:
    """The sides (bit 0 north, 1 east, 2 south, 3 west) to which the tile has a path as it lies."""
    k = tile - consts[at + M_FIRST]
    face = 0
    if consts[at + M_FACE] >= 0:
        # Faces are numbered from 1, as all enumerations are.
        face = state[consts[at + M_FACE] + k] - 1
        if face < 0 or face >= consts[at + M_FACES]:
            face = 0
    printed = consts[consts[at + M_JOINS] + k * consts[at + M_FACES] + face]
    turn = state[consts[at + M_TURN] + k] & 3
    return ((printed << turn) | (printed >> (4 - turn))) & 15


def beside(consts: list[int], at: int, cell: int, side: int) -> int:
    """The cell on that side of a cell, or 0 at the edge of the grid."""
    width = consts[at + M_WIDTH]
    if side == 0:
        return cell - width if cell > width else 0
    if side == 1:
        return cell + 1 if cell % width != 0 else 0
    if side == 2:
        return cell + width if cell + width <= width * consts[at + M_HEIGHT] else 0
    return cell - 1 if cell % width != 1 and width != 1 else 0


def neighbour(consts: list[int], state: list[int], at: int, cell: int, side: int) -> int:
    """The tile on that side of a cell, or 0."""
    near = beside(consts, at, cell, side)
    if near == 0:
        return 0
    return state[consts[at + M_GRID] + near - 1]


def joined(consts: list[int], state: list[int], at: int, tile: int, side: int) -> int:
    """The tile that is joined to `tile` on that side, or 0."""
    cell = state[consts[at + M_CELL] + tile - consts[at + M_FIRST]]
    if cell == 0 or (paths(consts, state, at, tile) >> side) & 1 == 0:
        return 0
    other = neighbour(consts, state, at, cell, side)
    if other == 0 or (paths(consts, state, at, other) >> ((side + 2) & 3)) & 1 == 0:
        return 0
    return other


def clear_set(state: list[int], to: int, members: int) -> None:
    """Write the empty set of so many possible members."""
    for k in range((members + SET_BITS - 1) // SET_BITS):
        state[to + k] = 0


def links(consts: list[int], state: list[int], at: int, tile: int, to: int) -> None:
    """The set of tiles joined to `tile`."""
    clear_set(state, to, consts[at + M_TILES])
    for side in range(4):
        other = joined(consts, state, at, tile, side)
        if other != 0:
            k = other - consts[at + M_FIRST]
            state[to + k // SET_BITS] |= 1 << (k % SET_BITS)


def next_to(consts: list[int], state: list[int], at: int, tile: int, to: int) -> None:
    """The set of tiles beside `tile`, joined or not."""
    clear_set(state, to, consts[at + M_TILES])
    cell = state[consts[at + M_CELL] + tile - consts[at + M_FIRST]]
    if cell == 0:
        return
    for side in range(4):
        other = neighbour(consts, state, at, cell, side)
        if other != 0:
            k = other - consts[at + M_FIRST]
            state[to + k // SET_BITS] |= 1 << (k % SET_BITS)


def gaps(consts: list[int], state: list[int], at: int, tile: int, to: int) -> None:
    """The set of empty cells to which a path of `tile` leads."""
    clear_set(state, to, consts[at + M_WIDTH] * consts[at + M_HEIGHT])
    cell = state[consts[at + M_CELL] + tile - consts[at + M_FIRST]]
    if cell == 0:
        return
    open_sides = paths(consts, state, at, tile)
    for side in range(4):
        if (open_sides >> side) & 1 != 0:
            near = beside(consts, at, cell, side)
            if near != 0 and state[consts[at + M_GRID] + near - 1] == 0:
                state[to + (near - 1) // SET_BITS] |= 1 << ((near - 1) % SET_BITS)


def distance(consts: list[int], state: list[int], at: int, a: int, b: int, scratch: int, limit: int) -> int:
    """Steps from tile to tile along joined tiles, NIL if there is no way, NO_ROOM if the stack is too full to
    search.
    """
    first = consts[at + M_FIRST]
    tiles = consts[at + M_TILES]
    if state[consts[at + M_CELL] + a - first] == 0 or state[consts[at + M_CELL] + b - first] == 0:
        return NIL
    if a == b:
        return 0
    queue = scratch + tiles
    if queue + tiles > limit:
        return NO_ROOM
    for k in range(tiles):
        state[scratch + k] = -1
    state[scratch + a - first] = 0
    state[queue] = a
    head = 0
    tail = 1
    while head < tail:
        tile = state[queue + head]
        head += 1
        steps = state[scratch + tile - first] + 1
        cell = state[consts[at + M_CELL] + tile - first]
        open_sides = paths(consts, state, at, tile)
        for side in range(4):
            if (open_sides >> side) & 1 == 0:
                continue
            # What was met before is not asked for its paths: half of all neighbours are where the search came from.
            other = neighbour(consts, state, at, cell, side)
            if other == 0 or state[scratch + other - first] >= 0:
                continue
            if (paths(consts, state, at, other) >> ((side + 2) & 3)) & 1 == 0:
                continue
            if other == b:
                return steps
            state[scratch + other - first] = steps
            state[queue + tail] = other
            tail += 1
    return NIL


def line(consts: list[int], state: list[int], at: int, a: int, b: int) -> int:
    """Steps from tile to tile along one straight row of joined tiles, or NIL."""
    first = consts[at + M_FIRST]
    if state[consts[at + M_CELL] + a - first] == 0 or state[consts[at + M_CELL] + b - first] == 0:
        return NIL
    if a == b:
        return 0
    for side in range(4):
        tile = a
        steps = 0
        while tile != 0:
            tile = joined(consts, state, at, tile, side)
            steps += 1
            if tile == b:
                return steps
    return NIL


def lay(consts: list[int], state: list[int], at: int, tile: int, cell: int, turn: int) -> int:
    """Put the tile on the cell, turned by that many quarters clockwise; a fault number if nothing can lie there."""
    if cell < 1 or cell > consts[at + M_WIDTH] * consts[at + M_HEIGHT]:
        return FA_CELL
    there = state[consts[at + M_GRID] + cell - 1]
    if there != 0 and there != tile:
        return FA_CELL
    fault = put(consts, state, tile, consts[at + M_PLACE], 1)
    if fault != FA_NONE:
        return fault
    k = tile - consts[at + M_FIRST]
    state[consts[at + M_GRID] + cell - 1] = tile
    state[consts[at + M_CELL] + k] = cell
    state[consts[at + M_TURN] + k] = turn & 3
    return FA_NONE


def lift(consts: list[int], state: list[int], at: int, tile: int) -> int:
    """Take the tile off the map, so that it lies nowhere; a tile that is not on the map stays where it is."""
    if state[consts[at + M_CELL] + tile - consts[at + M_FIRST]] == 0:
        return FA_NONE
    return put(consts, state, tile, 0, 0)


def closed_ends(consts: list[int], state: list[int], at: int) -> int:
    """How many path ends of laid tiles meet a side of another tile that has no path."""
    first = consts[at + M_FIRST]
    ends = 0
    for k in range(consts[at + M_TILES]):
        cell = state[consts[at + M_CELL] + k]
        if cell != 0:
            open_sides = paths(consts, state, at, first + k)
            for side in range(4):
                if (open_sides >> side) & 1 != 0:
                    other = neighbour(consts, state, at, cell, side)
                    if other != 0 and (paths(consts, state, at, other) >> ((side + 2) & 3)) & 1 == 0:
                        ends += 1
    return ends
