"""Where the spaces of a map lie in print."""

from __future__ import annotations

from ludoloom.compiler.analysis.model import MapDecl
from ludoloom.compiler.analysis.outlines import rectangle
from ludoloom.compiler.frontend.nodes import Span
from ludoloom.compiler.sheets.spaces import map_cells, places

HERE = Span("demo/game.yaml", 1, 1, 1, 2)


def test_a_drawn_map_has_square_cells() -> None:
    drawn = MapDecl("board", HERE, "chart", form="orthogonal", space_ids=["board.a1", "board.b2"])
    drawn.centres_of = {"board.a1": (0, 0), "board.b2": (1000, 1000)}
    assert places(drawn) == {"board.a1": (0, 0, 1, 1), "board.b2": (1, 1, 1, 1)}
    assert map_cells(drawn) == {"across": 2, "down": 2}


def test_the_smallest_side_of_a_listed_space_is_one_cell() -> None:
    field = MapDecl("field", HERE, "chart", space_ids=["field.goal", "field.left", "field.right"])
    field.centres_of = {"field.goal": (10000, 0), "field.left": (0, 10000), "field.right": (20000, 10000)}
    field.outlines_of = {
        "field.goal": rectangle(30000, 10000),
        "field.left": rectangle(10000, 10000),
        "field.right": rectangle(10000, 10000),
    }
    assert places(field) == {"field.goal": (0, 0, 3, 1), "field.left": (0, 1, 1, 1), "field.right": (2, 1, 1, 1)}
    assert map_cells(field) == {"across": 3, "down": 2}


def test_without_extents_the_nearest_neighbours_touch() -> None:
    sea = MapDecl("sea", HERE, "web", space_ids=["sea.a", "sea.b", "sea.c"])
    sea.centres_of = {"sea.a": (0, 0), "sea.b": (5000, 0), "sea.c": (20000, 0)}
    assert places(sea) == {"sea.a": (0, 0, 1, 1), "sea.b": (1, 0, 1, 1), "sea.c": (4, 0, 1, 1)}


def test_without_places_spaces_lie_on_a_ring() -> None:
    web = MapDecl("web", HERE, "web", space_ids=["web.a", "web.b"])
    (x, y, *_), (a, b, *_) = places(web).values()
    assert (round(x, 6), round(a, 6)) == (0.5, 0.5)
    assert (round(y, 6), round(b, 6)) == (0.08, 0.92)
