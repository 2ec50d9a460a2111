"""Maps as text: what is drawn where, at which width, and that walls have gaps where ways are."""

from __future__ import annotations

from ludoloom.compiler.cli import maps
from ludoloom.compiler.cli.maps import Laid, Surface
from ludoloom.runtime.image import SpaceRow


def surface(width: int = 80, marks: dict[str, str] | None = None, **inside: list[str]) -> Surface:
    return Surface(
        title=lambda name: name.capitalize(),
        inside=lambda name: inside.get(name, []),
        ground=lambda name: ["moor"] if name == "a" else [],
        short=lambda text, width: text[:width],
        marks=marks or {},
        width=width,
    )


def test_a_drawn_map() -> None:
    cells = {(0, 0): "a", (1, 0): "b", (0, 1): "c"}
    assert maps.grid(surface(marks={"b": "[1]"}, c=["Guard", "Wolf"]), "Isle", cells, False) == [
        "Isle",
        "         a           b",
        "  1     moor        [1]",
        "  2 Guard, Wolf",
    ]


def test_every_second_row_of_a_map_of_hexes_is_shifted() -> None:
    found = maps.grid(surface(), "Isle", {(x, y): "b" for x in range(2) for y in range(2)}, True)
    assert found[2:] == ["  1  ·   ·", "  2    ·   ·"]


def test_a_crowded_cell_grows_and_nothing_is_cut() -> None:
    cells = {(x, 0): f"cell{x}" for x in range(10)}
    found = maps.grid(surface(70, cell0=["One", "Two", "Three"]), "Isle", cells, False)
    assert [line[4:9].strip() for line in found[2:]] == ["One,", "Two,", "Three"]
    assert all(len(line) <= 70 for line in found)


FIELD = {
    "goal": SpaceRow(1, 10, 0, 20, 10, (2, 3)),
    "left": SpaceRow(2, 5, 10, 10, 10, (1, 3)),
    "right": SpaceRow(3, 15, 10, 10, 10, (1, 2)),
}


def test_a_placed_map_is_drawn_as_it_lies_with_gaps_for_ways() -> None:
    ways = {"goal": ["left", "right"], "left": ["goal"], "right": ["goal"]}
    assert maps.placed(surface(29, left=["Gash", "Mauler"]), "Field", FIELD, ways) == [
        "Field",
        "┌───────────────────────────┐",
        "│                           │",
        "│           Goal            │",
        "│                           │",
        "├─────╴ ╶─────┬─────╴ ╶─────┤",
        "│    Left     │             │",
        "│Gash, Mauler │    Right    │",
        "│             │             │",
        "└─────────────┴─────────────┘",
    ]


def test_ways_between_spaces_that_do_not_touch_are_told() -> None:
    apart = {"here": SpaceRow(1, 0, 0, 10, 10, ()), "there": SpaceRow(2, 20, 0, 10, 10, ())}
    assert maps.placed(surface(), "Sea", apart, {"here": ["there"], "there": []})[-1] == "also: Here → There"
    assert maps.placed(surface(), "Sea", apart, {"here": ["there"], "there": ["here"]})[-1] == "also: Here – There"


def test_spaces_without_a_size_take_what_is_free() -> None:
    ports = {name: SpaceRow(k, 10 * k, 0, 0, 0, ()) for k, name in enumerate(("harbour", "strait", "bay"))}
    found = maps.placed(surface(40), "Sea", ports, {"harbour": ["strait"], "strait": ["harbour", "bay"], "bay": []})
    assert "Harbour" in found[3]
    assert found[3].count("│") == 2, "both inner walls have a gap"


def test_what_cannot_be_drawn_is_listed() -> None:
    crossing = {"one": SpaceRow(1, 0, 0, 10, 10, ()), "two": SpaceRow(2, 5, 0, 10, 10, ())}
    assert maps.placed(surface(), "Knot", crossing, {}) == []
    assert maps.placed(surface(20), "Field", FIELD, {}) == [], "there is no room"
    assert maps.listed(surface(marks={"b": "[2]"}, b=["Gull"]), "Knot", {"a": ["b"], "b": [], "c": []}) == [
        "Knot",
        "A: moor  → B",
        "[2] B: Gull",
        "C",
    ]


def test_tiles_are_joined_where_both_have_a_way() -> None:
    laid = {(13, 13): Laid("gate", 2), (14, 13): Laid("bend", 8 | 4)}
    assert maps.growing(surface(28, gate=["Hero"]), "Maze", laid) == [
        "Maze",
        "         n           o",
        "    ┌──────────┐┌──────────┐",
        "    │   Gate   └┘          │",
        " 14 │   Hero        Bend   │",
        "    │          ┌┐          │",
        "    └──────────┘└───┐ ┌────┘",
    ]


def test_cells_that_are_offered_are_dotted() -> None:
    found = maps.growing(surface(28), "Maze", {(0, 0): Laid("gate", 2), (1, 0): Laid("", 0, "[1–3]")})
    assert found[4] == "  1 │   Gate    ·  [1–3]   ·"


def test_a_map_wider_than_the_screen_is_drawn_in_parts() -> None:
    found = maps.growing(surface(40), "Maze", {(x, 0): Laid(f"tile{x}", 0) for x in range(6)})
    assert all(len(line) <= 40 for line in found)
    assert [line.split() for line in found if line.split()[0] in "abcdef"] == [["a", "b", "c"], ["d", "e", "f"]]
    assert "Tile5" in "\n".join(found)
