"""What a straight way crosses: squares, hexagons, boxes and points, in whole numbers."""

import pytest

from ludoloom.compiler.analysis.outlines import HEXAGON, POINT, SQUARE, Outline, Point, crosses, rectangle

# By hand on squared paper: the cells between, from the cell at 0, 0 to the cell so far across and down.
SQUARES: dict[tuple[int, int], set[tuple[int, int]]] = {
    (0, 0): set(),
    (0, 1): set(),
    (0, 3): {(0, 1), (0, 2)},
    (1, 1): set(),
    (1, 2): {(0, 1), (1, 1)},
    (1, 3): {(0, 1), (1, 2)},
    (1, 4): {(0, 1), (0, 2), (1, 2), (1, 3)},
    (2, 0): {(1, 0)},
    (2, 1): {(1, 0), (1, 1)},
    (2, 2): {(1, 1)},
    (2, 3): {(0, 1), (1, 1), (1, 2), (2, 2)},
    (2, 4): {(0, 1), (1, 1), (1, 2), (1, 3), (2, 3)},
}


def _met(goal: Point, spots: dict[Point, Point], outline: Outline) -> set[Point]:
    ends = {(0, 0), goal}
    return {cell for cell, at in spots.items() if cell not in ends and crosses((0, 0), spots[goal], at, outline)}


@pytest.mark.parametrize("goal", SQUARES)
@pytest.mark.parametrize(("across", "down"), [(1, 1), (-1, 1), (1, -1), (-1, -1)])
def test_squares_in_all_four_directions(goal: tuple[int, int], across: int, down: int) -> None:
    spots = {(x, y): (1000 * x, 1000 * y) for x in range(-5, 6) for y in range(-5, 6)}
    expected = {(across * x, down * y) for x, y in SQUARES[goal]}
    assert _met((across * goal[0], down * goal[1]), spots, SQUARE) == expected


def test_hexagons() -> None:
    spots = {(x, y): (1000 * x + 500 * (y % 2), 866 * y) for x in range(-3, 4) for y in range(-3, 4)}
    assert _met((3, 0), spots, HEXAGON) == {(1, 0), (2, 0)}
    assert _met((1, 2), spots, HEXAGON) == {(0, 1)}
    assert _met((0, 2), spots, HEXAGON) == set(), "along the edge between two cells lies neither"
    assert _met((1, 1), spots, HEXAGON) == {(0, 1), (1, 0)}


def test_boxes_of_any_size() -> None:
    wide = rectangle(30_000, 10_000)
    assert crosses((0, 10_000), (20_000, -10_000), (10_000, 0), wide)
    assert crosses((0, 10_000), (0, -10_000), (10_000, 0), wide)
    assert not crosses((0, 10_000), (20_000, 10_000), (10_000, 0), wide)
    assert not crosses((0, 10_000), (0, 5_000), (10_000, 0), wide), "it ends at the side"
    assert not crosses((-5_000, 10_000), (-5_000, -10_000), (10_000, 0), wide), "along the side"


def test_points_lie_on_the_way_or_not() -> None:
    assert crosses((0, 0), (20, 20), (10, 10), POINT)
    assert not crosses((0, 0), (20, 20), (10, 11), POINT)
    assert not crosses((0, 0), (20, 20), (30, 30), POINT)
    assert not crosses((0, 0), (0, 0), (0, 0), POINT)
