"""Where things lie on pages: arithmetic, without a file."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import near
from toys import card, deck, face

from ludoloom.compiler.sheets.impose import grid_for, impose
from ludoloom.compiler.sheets.marks import Line, Text, inked, marks
from ludoloom.compiler.sheets.model import Printable, Size
from ludoloom.compiler.sheets.pages import EDGE, Document, DoesNotFit, Layout, Page
from ludoloom.compiler.sheets.paper import PAPERS

A4, LETTER = PAPERS["a4"], PAPERS["letter"]


@pytest.mark.parametrize(
    ("size", "a4", "letter"),
    [
        ((63, 88), 9, 9),
        ((63.5, 88.9), 9, 9),
        ((57, 89), 10, 9),
        ((70, 120), 4, 4),
        ((44, 68), 16, 18),
        ((41, 63), 21, 20),
        ((59, 92), 9, 8),
        ((70, 70), 8, 6),
        ((63, 63), 12, 12),
        ((89, 89), 6, 6),
    ],
)
def test_how_many_fit(size: tuple[float, float], a4: int, letter: int) -> None:
    for paper, expected in ((A4, a4), (LETTER, letter)):
        grid = grid_for(Size(*size), Layout(paper))
        assert grid is not None
        assert grid.count == expected, paper.title


@pytest.mark.parametrize(("gap", "count"), [(0.0, 9), (6.0, 8)])
def test_a_gap_for_bleed_turns_the_paper(gap: float, count: int) -> None:
    grid = grid_for(Size(63, 88), Layout(A4, gap=gap))
    assert grid is not None
    assert grid.count == count


def test_what_is_larger_than_the_paper_has_no_grid() -> None:
    assert grid_for(Size(300, 200), Layout(A4)) is None


@pytest.mark.parametrize("backs", ["long", "short", "fold", "separate", "none"])
@pytest.mark.parametrize("count", [*range(1, 11), 18, 27])
def test_l50_l51_full_sheets_leave_no_blank_page(backs: str, count: int) -> None:
    layout = Layout(A4, backs=backs)  # type: ignore[arg-type]
    grid = grid_for(Size(63, 88), layout)
    assert grid is not None
    sheets = math.ceil(count / grid.count)
    documents = impose(deck(count), layout)
    assert sum(len(document.pages) for document in documents) == sheets * (
        2 if backs in ("long", "short", "separate") else 1
    )
    assert all(page.placed for document in documents for page in document.pages)


def test_l58_each_front_has_its_back_behind_it_and_what_has_none_stays_apart() -> None:
    things = [*deck(30), *[card(f"token{n}", back=None) for n in range(5)]]
    both, alone = impose(things, Layout(A4))
    assert [page.side for page in both.pages] == ["front", "back"] * 4
    for front, back in zip(both.pages[::2], both.pages[1::2], strict=True):
        assert [each.face.item for each in front.placed] == [each.face.item for each in back.placed]
        assert front.sheet == back.sheet
    assert [page.side for page in alone.pages] == ["front"]
    assert len(alone.pages[0].placed) == 5


def test_a_poster_with_a_back_does_not_break_the_pairs_of_the_others() -> None:
    both, alone = impose([*deck(1), card("board", size=Size(500, 200)), *deck(1)], Layout(A4))
    assert [page.side for page in both.pages] == ["front", "back"]
    faces = [page.placed[0].face.key for page in alone.pages]
    assert faces == ["board.front"] * 3 + ["board.back"] * 3


def test_what_has_no_back_uses_the_whole_page_where_others_are_folded() -> None:
    folded, alone = impose([*deck(4), *[card(f"t{n}", back=None) for n in range(9)]], Layout(A4, "fold"))
    assert len(folded.pages) == len(alone.pages) == 1
    assert alone.pages[0].grid is not None
    assert alone.pages[0].grid.fold is None


def test_paper_stands_upright_where_that_is_wanted() -> None:
    grid = grid_for(Size(57, 89), Layout(A4, upright=True))
    assert grid is not None
    assert (grid.columns, grid.rows) == (3, 3)


def test_sizes_have_pages_of_their_own() -> None:
    things = [card("a"), card("b", size=Size(44, 68)), card("c"), card("d", size=Size(44, 68))]
    (document,) = impose(things, Layout(A4, backs="none"))
    assert [[each.face.item for each in page.placed] for page in document.pages] == [["a", "c"], ["b", "d"]]


def test_a_place_does_not_depend_on_how_many_there_are() -> None:
    one = impose(deck(1), Layout(A4))[0].pages[0].placed[0]
    nine = impose(deck(9), Layout(A4))[0].pages[0].placed[0]
    assert one.trim == nine.trim


def test_a_back_of_another_size_is_refused() -> None:
    thing = Printable("odd", "card", "card", "Odd", 1, face("odd.front"), face("odd.back", "back", Size(60, 88)))
    with pytest.raises(DoesNotFit, match="`odd`: the front is 63 × 88 mm, the back 60 × 88 mm"):
        impose([thing], Layout(A4))


def test_l57_backs_are_the_mirror_of_the_fronts_where_the_grid_is_not_square() -> None:
    document = impose(deck(10, size=Size(57, 89)), Layout(A4, furniture=False))[0]
    front, back = document.pages
    assert front.size == back.size == Size(297, 210)
    for each, other in zip(front.placed, back.placed, strict=True):
        assert other.trim.x == each.trim.x  # the long edges lie above and below
        assert other.trim.bottom == near(210 - each.trim.y)


def test_l68_hexagons_lie_on_their_centres() -> None:
    size = Size(31.2, 27)
    things = [card(f"hex{n}", back=None, size=size) for n in range(48)]
    (document,) = impose(things, Layout(A4, gap=2))
    grid = grid_for(size, Layout(A4, gap=2))
    assert grid is not None
    for placed in document.pages[0].placed:
        row, column = divmod(placed.cell, grid.columns)
        middle = (placed.trim.x + size.width / 2, placed.trim.y + size.height / 2)
        columns, rows = grid.columns - 1, grid.rows - 1
        across = (column - columns / 2) * (size.width + 2) + document.pages[0].size.width / 2
        down = (row - rows / 2) * (size.height + 2) + document.pages[0].size.height / 2
        assert middle == near((across, down), 0.05)


def test_a_hexagon_is_cut_along_its_outline() -> None:
    thing = Printable("h", "hex", "tile", "H", 1, face("h.front", size=Size(31.2, 27), shape="hexagon"))
    (document,) = impose([thing], Layout(A4, furniture=False))
    lines = [mark for mark in marks(document.pages[0], document, "T") if isinstance(mark, Line)]
    assert len(lines) == 6
    sides = [math.hypot(line.x2 - line.x1, line.y2 - line.y1) for line in lines]
    assert sides == near([15.6] * 6, 0.05)


# --- properties ------------------------------------------------------------------------------------------------------

SIZES = st.builds(Size, st.floats(20, 400).map(lambda x: round(x, 2)), st.floats(20, 400).map(lambda x: round(x, 2)))
LAYOUTS = st.builds(
    Layout,
    paper=st.sampled_from([A4, LETTER]),
    backs=st.sampled_from(["long", "short", "fold", "separate", "none"]),
    gap=st.floats(0, 8).map(lambda x: round(x, 2)),
    bleed=st.floats(0, 3),
    back_bleed=st.floats(0, 3),
    marks=st.sampled_from(["corners", "lines", "none"]),
    furniture=st.booleans(),
    safe=st.booleans(),
)
THINGS = st.lists(st.tuples(SIZES, st.integers(0, 30), st.booleans()), min_size=1, max_size=4).map(
    lambda rows: [
        card(f"t{n}", copies=copies, back="" if back else None, size=size)
        for n, (size, copies, back) in enumerate(rows)
    ]
)


@given(THINGS, LAYOUTS)
@settings(max_examples=150, deadline=None)
def test_every_copy_is_printed_once_and_nothing_overlaps(things: list[Printable], layout: Layout) -> None:
    try:
        documents = impose(things, layout)
    except DoesNotFit:
        return
    printed: Counter[tuple[str, int]] = Counter()
    for document in documents:
        assert document.pages
        assert document.sheets == len({page.sheet for page in document.pages})
        for page in document.pages:
            assert page.placed
            if page.window is None or (page.window.row, page.window.column) == (0, 0):
                printed.update((placed.face.key, placed.copy) for placed in page.placed)
            _check_page(page, document)
    expected: Counter[tuple[str, int]] = Counter()
    for thing in things:
        for copy in range(1, thing.copies + 1):
            expected[thing.front.key, copy] += 1
            if thing.back is not None and layout.backs != "none":
                expected[thing.back.key, copy] += 1
    assert printed == expected
    for document in documents:
        if document.name == "" and layout.backs in ("long", "short"):
            assert [page.side for page in document.pages] == ["front", "back"] * document.sheets


def _check_page(page: Page, document: Document) -> None:
    layout = document.layout
    slack = 0.02
    for placed in page.placed:
        assert placed.clip.x >= -slack
        assert placed.clip.y >= -slack
        assert placed.clip.right <= page.size.width + slack
        assert placed.clip.bottom <= page.size.height + slack
    for n, placed in enumerate(page.placed):
        for other in page.placed[n + 1 :]:
            assert not placed.clip.meets(other.clip, slack)
            assert not placed.trim.meets(other.trim, slack)
    if layout.marks == "corners" and page.side != "back" and page.window is None:
        ink = inked(page.placed)
        for mark in marks(page, document, "T"):
            if isinstance(mark, Line) and not mark.dashed and not layout.furniture:
                outside = (
                    max(mark.x1, mark.x2) < ink.x
                    or min(mark.x1, mark.x2) > ink.right
                    or max(mark.y1, mark.y2) < ink.y
                    or min(mark.y1, mark.y2) > ink.bottom
                )
                assert outside, mark


@given(st.floats(200, 900), st.floats(200, 900), st.sampled_from([A4, LETTER]))
@settings(max_examples=80, deadline=None)
def test_the_pages_of_a_poster_cover_it(width: float, height: float, paper: object) -> None:
    layout = Layout(paper)  # type: ignore[arg-type]
    if grid_for(Size(width, height), layout) is not None:
        return
    (document,) = impose([card("board", back=None, size=Size(width, height))], layout)
    last = document.pages[-1].window
    assert last is not None
    assert len(document.pages) == last.rows * last.columns
    across = sorted(
        {
            (round(page.placed[0].clip.x - page.placed[0].trim.x, 4), round(page.placed[0].clip.width, 4))
            for page in document.pages
        }
    )
    assert across[0][0] == near(0, 0.001)
    assert across[-1][0] + across[-1][1] == near(width, 0.001)
    for (start, length), (following, _) in pairwise(across):
        assert start + length - following == near(layout.overlap, 0.001)


def test_a_poster_without_end_is_refused() -> None:
    with pytest.raises(DoesNotFit, match="more than 64"):
        impose([card("world", back=None, size=Size(5000, 5000))], Layout(A4))


# --- marks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", [A4, LETTER])
def test_the_first_page_has_a_ruler_and_a_frame(paper: object) -> None:
    document = impose(deck(30), Layout(paper))[0]  # type: ignore[arg-type]
    first = marks(document.pages[0], document, "Toy")
    ruler = [line for line in first if isinstance(line, Line) and _length(line) == near(100)]
    assert len(ruler) == 1
    frame = [line for line in first if isinstance(line, Line) and _length(line) in (63, 88)]
    assert len(frame) == 4
    (text,) = [mark for mark in first if isinstance(mark, Text)]
    assert text.words == "Toy · 1/4 front · print at 100 %: ruler 100 mm, frame 63 × 88 mm"
    later = [mark.words for mark in marks(document.pages[-1], document, "Toy") if isinstance(mark, Text)]
    assert later == ["Toy · 4/4 back"]


def test_a_poster_tells_where_it_goes_and_has_a_ruler_on_its_first_page() -> None:
    (document,) = impose([card("board", back=None, size=Size(500, 400))], Layout(A4))
    first, last = (marks(document.pages[at], document, "Toy") for at in (0, -1))
    assert [line for line in first if isinstance(line, Line) and _length(line) == 100]
    assert not [line for line in last if isinstance(line, Line) and _length(line) == 100]
    words = [mark.words for mark in first if isinstance(mark, Text)]
    count = len(document.pages)
    assert f"Toy · board.front · row 1 of 2, column 1 of 3 · sheet 1/{count}" in words
    assert words.count("glue") == 2
    assert "glue" not in [mark.words for mark in last if isinstance(mark, Text)]
    (bare,) = impose([card("board", back=None, size=Size(500, 400))], Layout(A4, marks="none", furniture=False))
    assert marks(bare.pages[0], bare, "Toy") == []


def _length(line: Line) -> float:
    return round(math.hypot(line.x2 - line.x1, line.y2 - line.y1), 6)


def test_nothing_is_drawn_where_printers_do_not_print() -> None:
    for paper in (A4, LETTER):
        for backs in ("long", "fold", "none"):
            for style in ("corners", "lines"):
                for document in impose(
                    [*deck(12), card("board", back=None, size=Size(400, 300))], Layout(paper, backs, marks=style)
                ):  # type: ignore[arg-type]
                    for page in document.pages:
                        for mark in marks(page, document, "Toy"):
                            xs, ys = (
                                ((mark.x,), (mark.y,))
                                if isinstance(mark, Text)
                                else ((mark.x1, mark.x2), (mark.y1, mark.y2))
                            )
                            assert min(*xs, *ys) >= EDGE - 0.001
                            assert max(xs) <= page.size.width - EDGE + 0.001
                            assert max(ys) <= page.size.height - EDGE + 0.001


def test_backs_carry_no_marks_for_the_knife() -> None:
    document = impose(deck(3), Layout(A4, furniture=False))[0]
    assert marks(document.pages[1], document, "Toy") == []
    assert len(marks(document.pages[0], document, "Toy")) == 2 * 4 + 2 * 2


def test_full_lines_go_from_edge_to_edge() -> None:
    document = impose(deck(9), Layout(A4, marks="lines", furniture=False))[0]
    lines = marks(document.pages[0], document, "Toy")
    assert len(lines) == 8
    assert all(isinstance(line, Line) and _length(line) > 190 for line in lines)


def test_the_safe_zone_is_shown_where_asked() -> None:
    document = impose(deck(1), Layout(A4, safe=True, furniture=False, marks="none"))[0]
    lines = marks(document.pages[0], document, "Toy")
    assert sorted({_length(line) for line in lines if isinstance(line, Line)}) == [57, 82]
