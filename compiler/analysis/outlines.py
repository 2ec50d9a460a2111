"""What a space looks like on paper, and whether a straight way crosses it.

    crosses((0, 0), (1000, 2000), (0, 1000), SQUARE)   ->  True: a bit of the way lies inside
    crosses((0, 0), (1000, 1000), (0, 1000), SQUARE)   ->  False: it touches a corner and no more

An outline is a convex shape round a centre, given by its corners and by the axes across its sides, each with how far
the shape reaches along it. All in whole numbers: what is crossed must not depend on how a machine rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Outline:
    """`sides`: axis and reach, as (across, down, reach); a point of the shape has a product with the axis below it."""

    corners: tuple[Point, ...]
    sides: tuple[tuple[int, int, int], ...]


def rectangle(width: int, height: int) -> Outline:
    """A box of this size; both numbers are even."""
    x, y = width // 2, height // 2
    return Outline(((-x, -y), (x, -y), (x, y), (-x, y)), ((1, 0, x), (0, 1, y)))


SQUARE: Final = rectangle(1000, 1000)
"""A cell of a drawn map, whose neighbours lie 1000 away."""
HEXAGON: Final = Outline(
    ((0, -578), (500, -289), (500, 289), (0, 578), (-500, 289), (-500, -289)),
    ((1, 0, 500), (500, 866, 500_000), (500, -866, 500_000)),
)
"""A cell of a drawn map with links to six sides."""
POINT: Final = Outline(((0, 0),), ())
"""A space whose size nobody gave: it is crossed by a way that leads through its centre."""


def crosses(start: Point, goal: Point, centre: Point, outline: Outline) -> bool:
    """Whether the way from `start` to `goal` runs through the inside of an outline at `centre`.

    They are apart exactly if a line keeps them apart that runs along the way or along a side of the shape."""
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    ox, oy = centre[0] - start[0], centre[1] - start[1]
    across = [dx * (oy + y) - dy * (ox + x) for x, y in outline.corners]
    if outline is POINT:
        return across[0] == 0 and 0 < dx * ox + dy * oy < dx * dx + dy * dy
    if not min(across) < 0 < max(across):
        return False
    for x, y, reach in outline.sides:
        near, far = -(ox * x + oy * y), (dx - ox) * x + (dy - oy) * y
        if min(near, far) >= reach or max(near, far) <= -reach:
            return False
    return True
