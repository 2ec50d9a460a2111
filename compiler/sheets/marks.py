"""What is drawn on a page besides faces: where to cut, fold and glue, the page number, the ruler.

    marks(page, document, "Kuhn Poker")     [Line(…), …, Text(…), …]

Marks lie outside all bleed, since ink on a cut edge shows; cutting is done with the fronts up, so backs have none.
Full lines are for those who cut sheet by sheet with a ruler: the first cut takes short marks away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ludoloom.compiler.sheets.duplex import Rect
from ludoloom.compiler.sheets.pages import EDGE, STRIP, Document, Grid, Page, Placed

LENGTH: Final = 5.0
CLEAR: Final = 0.5
"""Between bleed and mark."""
SHORTEST: Final = 0.8
"""A mark shorter than this is no help."""
RULER: Final = 100.0
LONGEST: Final = 30
"""Letters of a game's title in the margin."""
THIN: Final = 0.1
"""Width of marks, in millimetres: 0.28 points."""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line; `grey` 0 is black, 1 white."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float = THIN
    grey: float = 0.0
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """Words whose lower left corner is (x, y), `size` points high, turned about it by `turn` degrees clockwise."""

    x: float
    y: float
    words: str
    size: float = 6.0
    turn: int = 0


Mark = Line | Text


def marks(page: Page, document: Document, title: str) -> list[Mark]:
    """Everything besides the faces, in the order in which it is drawn."""
    found: list[Mark] = []
    layout = document.layout
    title = title if len(title) <= LONGEST else title[: LONGEST - 1].rstrip() + "…"
    if page.window is not None:
        found += _joints(page) if layout.marks != "none" else ()
        found += _poster_words(page, document, title) if layout.furniture else ()
        return found
    if page.grid is None:
        return found
    if layout.marks != "none" and page.side != "back":
        found += _cuts(page, page.grid, full=layout.marks == "lines")
    if page.grid.fold is not None:
        found += _fold(page, page.grid)
    if layout.safe:
        for placed in page.placed:
            found += _frame(placed.trim.grown(-placed.face.safe), grey=0.5, dashed=True)
    if layout.furniture:
        found += _furniture(page, page.grid, document, title)
    return found


# --- cutting and folding ---------------------------------------------------------------------------------------------


def cut_lines(placed: Sequence[Placed]) -> tuple[list[float], list[float]]:
    """Where the knife goes: x of the upright cuts, y of the level ones; two within a tenth of a millimetre are one."""

    def apart(values: Iterator[float]) -> list[float]:
        found: list[float] = []
        for value in sorted(values):
            if not found or value - found[-1] > 0.1:
                found.append(value)
        return found

    across = apart(x for each in placed for x in (each.trim.x, each.trim.right))
    down = apart(y for each in placed for y in (each.trim.y, each.trim.bottom))
    return across, down


def inked(placed: Sequence[Placed]) -> Rect:
    """Round everything that faces print."""
    left = min(min(each.clip.x, each.trim.x) for each in placed)
    top = min(min(each.clip.y, each.trim.y) for each in placed)
    right = max(max(each.clip.right, each.trim.right) for each in placed)
    bottom = max(max(each.clip.bottom, each.trim.bottom) for each in placed)
    return Rect(left, top, right - left, bottom - top)


def _cuts(page: Page, grid: Grid, full: bool) -> Iterator[Line]:
    straight = [each for each in page.placed if each.face.shape == "rectangle"]
    for each in page.placed:
        if each.face.shape == "hexagon":
            yield from _outline(each)
    if not straight:
        return
    across, down = cut_lines(straight)
    ink = inked(straight)
    side, high = grid.strip
    right_edge = page.size.width - EDGE - (high + CLEAR if side == "right" else 0)
    bottom_edge = page.size.height - EDGE - (high + CLEAR if side == "bottom" else 0)
    if full:
        for x in across:
            yield Line(x, EDGE, x, bottom_edge, grey=0.4)
        for y in down:
            yield Line(EDGE, y, right_edge, y, grey=0.4)
        return
    for x in across:
        yield from _tick(x, max(EDGE, ink.y - CLEAR - LENGTH), max(EDGE, ink.y - CLEAR), upright=True)
        yield from _tick(
            x, min(bottom_edge, ink.bottom + CLEAR), min(bottom_edge, ink.bottom + CLEAR + LENGTH), upright=True
        )
    for y in down:
        yield from _tick(y, max(EDGE, ink.x - CLEAR - LENGTH), max(EDGE, ink.x - CLEAR), upright=False)
        yield from _tick(
            y, min(right_edge, ink.right + CLEAR), min(right_edge, ink.right + CLEAR + LENGTH), upright=False
        )


def _tick(at: float, start: float, end: float, upright: bool) -> Iterator[Line]:
    if abs(end - start) >= SHORTEST:
        yield Line(at, start, at, end) if upright else Line(start, at, end, at)


def _outline(placed: Placed) -> Iterator[Line]:
    """The cut edges of a hexagon: its corners lie in the middle of the two far sides of the rectangle round it."""
    box = placed.trim
    middle = (box.x + box.width / 2, box.y + box.height / 2)
    if box.width >= box.height:
        quarter = box.width / 4
        corners = [
            (box.x, middle[1]),
            (box.x + quarter, box.y),
            (box.right - quarter, box.y),
            (box.right, middle[1]),
            (box.right - quarter, box.bottom),
            (box.x + quarter, box.bottom),
        ]
    else:
        quarter = box.height / 4
        corners = [
            (middle[0], box.y),
            (box.right, box.y + quarter),
            (box.right, box.bottom - quarter),
            (middle[0], box.bottom),
            (box.x, box.bottom - quarter),
            (box.x, box.y + quarter),
        ]
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        yield Line(x1, y1, x2, y2, grey=0.4)


def _fold(page: Page, grid: Grid) -> Iterator[Mark]:
    assert grid.fold is not None
    axis, line = grid.fold
    if axis == "vertical":
        yield Line(line, EDGE, line, page.size.height - EDGE, grey=0.3, dashed=True)
        yield Text(line + 0.8, EDGE + 2.5, "fold", 5)
    else:
        yield Line(EDGE, line, page.size.width - EDGE, line, grey=0.3, dashed=True)
        yield Text(EDGE, line - 0.8, "fold", 5)


def _frame(rect: Rect, grey: float = 0.0, dashed: bool = False) -> Iterator[Line]:
    yield Line(rect.x, rect.y, rect.right, rect.y, grey=grey, dashed=dashed)
    yield Line(rect.right, rect.y, rect.right, rect.bottom, grey=grey, dashed=dashed)
    yield Line(rect.right, rect.bottom, rect.x, rect.bottom, grey=grey, dashed=dashed)
    yield Line(rect.x, rect.bottom, rect.x, rect.y, grey=grey, dashed=dashed)


# --- the strip in the margin -----------------------------------------------------------------------------------------


def _furniture(page: Page, grid: Grid, document: Document, title: str) -> Iterator[Mark]:
    """The ruler, then the words: along the lower edge from the left, or along the right one from below."""
    side, high = grid.strip
    words = f"{title} · {page.sheet}/{document.sheets}"
    if page.side != "both":
        words += f" {page.side}"
    if page is document.pages[0]:
        frame = page.placed[0].trim
        words += f" · print at 100 %: ruler {RULER:g} mm, frame {frame.width:g} × {frame.height:g} mm"
        yield from _frame(frame)
    size = min(6.0, high / 0.36)
    base = (page.size.height if side == "bottom" else page.size.width) - EDGE
    lines = list(_ruler(0 if page.side == "back" else RULER, min(high, 2.0)))
    after = EDGE + (RULER + 3 if lines else 0)
    if side == "bottom":
        yield from (Line(EDGE + x1, base - y1, EDGE + x2, base - y2) for x1, y1, x2, y2 in lines)
        yield Text(after, base, words, size)
    else:
        foot = page.size.height
        yield from (Line(base - y1, foot - EDGE - x1, base - y2, foot - EDGE - x2) for x1, y1, x2, y2 in lines)
        yield Text(base, foot - after, words, size, -90)


def _ruler(length: float, high: float) -> Iterator[tuple[float, float, float, float]]:
    """A line along the x axis with a tick each ten millimetres."""
    if length:
        yield 0, 0, length, 0
        for step in range(11):
            x = step * length / 10
            yield x, 0, x, high if step % 5 == 0 else high / 2


# --- posters ---------------------------------------------------------------------------------------------------------


def _joints(page: Page) -> Iterator[Mark]:
    """Where a page of a poster is cut, and how far the next one lies over it."""
    assert page.window is not None
    clip = page.placed[0].clip
    for x in (clip.x, clip.right):
        yield Line(x, clip.y - CLEAR, x, clip.y - LENGTH)
        yield Line(x, clip.bottom + CLEAR, x, clip.bottom + LENGTH)
    for y in (clip.y, clip.bottom):
        yield Line(clip.x - CLEAR, y, clip.x - LENGTH, y)
        yield Line(clip.right + CLEAR, y, clip.right + LENGTH, y)
    for strip in page.window.glue:
        # The marks stand outside, so that nothing shows through: where the next page's edge comes to lie.
        if strip.height >= clip.height:
            yield Line(strip.x, clip.y - CLEAR, strip.x, clip.y - LENGTH, dashed=True)
            yield Line(strip.x, clip.bottom + CLEAR, strip.x, clip.bottom + LENGTH, dashed=True)
            yield Text(strip.x + 0.6, clip.y - CLEAR - 0.6, "glue", 5)
        else:
            yield Line(clip.x - CLEAR, strip.y, clip.x - LENGTH, strip.y, dashed=True)
            yield Line(clip.right + CLEAR, strip.y, clip.right + LENGTH, strip.y, dashed=True)
            yield Text(clip.x - CLEAR - 0.6, strip.y + 0.6 + 5, "glue", 5, -90)


def _poster_words(page: Page, document: Document, title: str) -> Iterator[Mark]:
    window, placed = page.window, page.placed[0]
    assert window is not None
    where = f"row {window.row + 1} of {window.rows}, column {window.column + 1} of {window.columns}"
    words = f"{title} · {placed.face.title} · {where} · sheet {page.sheet}/{document.sheets}"
    yield Text(placed.clip.x + STRIP, placed.clip.bottom + CLEAR + STRIP, words)
    if page is document.pages[0]:
        base = page.size.height - EDGE
        yield from (Line(EDGE + x1, base - y1, EDGE + x2, base - y2) for x1, y1, x2, y2 in _ruler(RULER, 2.0))
        yield Text(EDGE + RULER + 3, base, f"print at 100 %: ruler {RULER:g} mm")
