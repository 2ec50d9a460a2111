"""Backs meet their fronts. Each test writes a PDF, reads where fronts and backs lie with another program's eyes, turns
the paper over as a person would, and looks whether every back covers its front, upper edge on upper edge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from reading import Seen, Sheet, near, read
from toys import card, deck

from ludoloom.compiler.sheets.document import source
from ludoloom.compiler.sheets.impose import impose
from ludoloom.compiler.sheets.model import Output, Preamble, Printable, Size
from ludoloom.compiler.sheets.pages import Layout
from ludoloom.compiler.sheets.paper import PAPERS
from ludoloom.compiler.sheets.typeset import available, typeset

pytestmark = pytest.mark.skipif(not available(), reason="needs the extra `print`")

Point = tuple[float, float]


def _write(things: Sequence[Printable], layout: Layout, folder: Path) -> dict[str, list[Sheet]]:
    """The pages of each document."""
    found: dict[str, list[Sheet]] = {}
    for document in impose(things, layout):
        path = folder / f"x{document.name}.pdf"
        result = typeset(source(Preamble(""), [document], "Toy"), {}, [Output(path)], reports=False)
        assert result.ok, result.troubles
        found[document.name] = read(path)
        assert len(found[document.name]) == len(document.pages)
    return found


def _covers(front: Seen, back: Seen, turn: Callable[[Point], Point], size: Size) -> None:
    """The back's corners, turned over, are the front's, its left edge on the front's right one, upper on upper."""
    left, right, upper_right, upper_left = front.corners(size.width, size.height)
    seen = [turn(corner) for corner in back.corners(size.width, size.height)]
    expected = [right, left, upper_left, upper_right]
    for one, other in zip(seen, expected, strict=True):
        assert one == near(other, 0.01), (front.key, back.key)


def _turned(page: Sheet, edge: str) -> Callable[[Point], Point]:
    """Where a point of the other side lies, seen through the paper, after it was turned over an edge."""
    about_upright = (edge == "long") == (page.height >= page.width)
    if about_upright:
        return lambda point: (page.width - point[0], point[1])
    return lambda point: (point[0], page.height - point[1])


SIZES = [Size(63, 88), Size(57, 89), Size(70, 120), Size(88, 63)]


@pytest.mark.parametrize("edge", ["long", "short"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.width:g}x{size.height:g}")
def test_l56_turned_over_each_back_lies_on_its_front(edge: str, paper: str, size: Size, tmp_path: Path) -> None:
    things = [*deck(6, size=size), card("many", copies=7, size=size)]  # the last row is not full
    pages = _write(things, Layout(PAPERS[paper], backs=edge), tmp_path)[""]  # type: ignore[arg-type]
    seen = 0
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        turn = _turned(front, edge)
        left = list(back.seen)
        for face in front.seen:
            item = face.key.removesuffix(".front")
            middle = _middle(face, size)
            behind = [each for each in left if _near(turn(_middle(each, size)), middle)]
            assert [each.key for each in behind] == [f"{item}.back"]
            _covers(face, behind[0], turn, size)
            left.remove(behind[0])
            seen += 1
        assert not left
    assert seen == 13


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("size", [*SIZES, Size(44, 68)], ids=lambda size: f"{size.width:g}x{size.height:g}")
def test_folded_each_back_lies_on_its_front(paper: str, size: Size, tmp_path: Path) -> None:
    pages = _write(deck(11, size=size), Layout(PAPERS[paper], backs="fold"), tmp_path)[""]
    items: list[str] = []
    for page in pages:
        fronts = [each for each in page.seen if each.key.endswith(".front")]
        backs = [each for each in page.seen if each.key.endswith(".back")]
        across = fronts[0].up == near(backs[0].up)  # about an upright fold backs are not turned
        for face in fronts:
            item = face.key.removesuffix(".front")
            (back,) = [each for each in backs if each.key == f"{item}.back"]
            if across:
                _covers(face, back, lambda point, page=page: (page.width - point[0], point[1]), size)
            else:
                _covers(face, back, lambda point, page=page: (point[0], page.height - point[1]), size)
            items.append(item)
    assert sorted(items) == sorted(f"card{n}" for n in range(1, 12))


def test_separate_files_fit_when_turned_over_the_long_edge(tmp_path: Path) -> None:
    found = _write(deck(11), Layout(PAPERS["a4"], backs="separate"), tmp_path)
    assert list(found) == ["fronts", "backs"]
    for front, back in zip(found["fronts"], found["backs"], strict=True):
        turn = _turned(front, "long")
        for face, behind in zip(front.seen, back.seen, strict=True):
            _covers(face, behind, turn, Size(63, 88))


@pytest.mark.parametrize("turn", [90, 270])
def test_cards_that_lie_on_their_side_are_covered_too(turn: int, tmp_path: Path) -> None:
    layout = Layout(PAPERS["12x18"], turn=turn, grid=(3, 6), gap=6.35, marks="none", furniture=False)
    front, back = _write(deck(18), layout, tmp_path)[""]
    assert len(front.seen) == 18
    for face, behind in zip(front.seen, back.seen, strict=True):
        assert face.up[0] == near(1 if turn == 90 else -1)
        _covers(face, behind, _turned(front, "long"), Size(63, 88))


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("size", [Size(63, 88), Size(57, 89)], ids=["upright", "lying"])
def test_l59_l60_the_page_is_the_paper(paper: str, size: Size, tmp_path: Path) -> None:
    (page, *_) = _write(deck(2, size=size), Layout(PAPERS[paper]), tmp_path)[""]
    expected = sorted((PAPERS[paper].size.width, PAPERS[paper].size.height))
    assert sorted((page.width, page.height)) == near(expected, 0.01)


def _middle(face: Seen, size: Size) -> Point:
    corners = face.corners(size.width, size.height)
    return (sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4)


def _near(one: Point, other: Point) -> bool:
    return abs(one[0] - other[0]) < 1 and abs(one[1] - other[1]) < 1
