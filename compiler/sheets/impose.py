"""Imposition: which face lies where on which page. Pure geometry in millimetres, from the top left corner; no files.

    impose(printables, Layout(PAPERS["a4"]))
        -> Document("", pages: front of sheet 1, back of sheet 1, front of sheet 2, …)
           Document("one-sided", pages of things without a back, and posters)

- Copies are written out, in the order given, deck by deck: cards with one back lie together, so that a back that is
  printed a little off shows less of another. Each size has pages of its own, on a grid that is centred and depends on
  the paper and the size only, so a card's place does not change with how many others there are.
- The paper lies the way that takes more; upright if that is the same.
- What is larger than the paper is cut into a poster (`poster.py`).
- What has no back, or is a poster, never shares a sheet with what has one: printed on both sides, a page of such fronts
  would come out on the back of others. It goes into a document of its own.
- Bleed is shown up to half the gap to the next card, so no card's ink reaches another's."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ludoloom.compiler.sheets.duplex import Flip, Rect, flip_axis, turned_over
from ludoloom.compiler.sheets.model import Printable, Size
from ludoloom.compiler.sheets.pages import EDGE, SLACK, Document, DoesNotFit, Grid, Layout, Page, Placed
from ludoloom.compiler.sheets.paper import Paper
from ludoloom.compiler.sheets.poster import poster


def impose(printables: Sequence[Printable], layout: Layout) -> tuple[Document, ...]:
    """All pages for these things, in documents that are printed one by one."""
    two_sided: list[Printable] = []
    one_sided: list[Printable] = []
    for each in printables:
        if each.copies <= 0:
            continue
        front, back = replace(each, back=None), each.back
        if layout.backs == "none" or back is None:
            one_sided.append(front)
        elif back.size != each.front.size:
            raise DoesNotFit(
                f"`{each.item}`: the front is {_mm(each.front.size)}, the back {_mm(back.size)}; they must be the same"
            )
        elif grid_for(printed_size(back.size, layout), layout) is None:
            one_sided += [front, replace(each, front=back, back=None)]  # posters: one for each side
        else:
            two_sided.append(each)
    documents: list[Document] = []
    if layout.backs == "fold":
        documents.append(_document("", two_sided, layout, _fold_sheet))
    elif layout.backs == "separate":
        documents.append(_document("fronts", two_sided, layout, _front_only))
        documents.append(_document("backs", two_sided, layout, _back_only))
    elif layout.backs != "none":
        documents.append(_document("", two_sided, layout, _both_sides))
    name = "" if layout.backs == "none" else "one-sided"
    documents.append(_document(name, one_sided, replace(layout, backs="none"), _front_only))
    return tuple(document for document in documents if document.pages)


def grid_for(size: Size, layout: Layout) -> Grid | None:
    """The grid that takes most things of a size; None if not even one fits.

    >>> from ludoloom.compiler.sheets.paper import PAPERS
    >>> grid = grid_for(Size(63, 88), Layout(PAPERS["a4"]))
    >>> grid.columns, grid.rows, grid.left, grid.top
    (3, 3, 10.5, 16.5)
    """
    cell = size.turned() if layout.turn % 180 else size
    if layout.grid is not None:
        return _prescribed(cell, layout, *layout.grid)
    papers = (layout.paper,) if layout.upright else (layout.paper, layout.paper.landscape())
    found = [
        grid
        for paper in papers
        for grid in (_folded(cell, paper, layout) if layout.backs == "fold" else [_flat(cell, paper, layout)])
        if grid is not None
    ]
    return max(found, key=lambda grid: grid.count, default=None)  # of equals the first: upright


def printed_size(size: Size, layout: Layout) -> Size:
    """The size on paper: that of the face, or the one a service prints instead."""
    for sold in layout.sold:
        if abs(sold.width - size.width) <= SLACK and abs(sold.height - size.height) <= SLACK:
            return sold
    return size


def bleed_shown(trim: Rect, room: Rect, bleed: float) -> Rect:
    """What is shown of a face: its bleed on each side, up to the borders of its room."""
    left = max(trim.x - bleed, min(room.x, trim.x))
    top = max(trim.y - bleed, min(room.y, trim.y))
    right = min(trim.right + bleed, max(room.right, trim.right))
    bottom = min(trim.bottom + bleed, max(room.bottom, trim.bottom))
    return Rect(left, top, right - left, bottom - top)


# --- grids -----------------------------------------------------------------------------------------------------------


def _fits(length: float, gap: float, room: float) -> int:
    """How many of a length fit into a room; a hundredth of a millimetre too long still fits."""
    return max(0, math.floor((room + gap + 0.01) / (length + gap)))


def _flat(cell: Size, paper: Paper, layout: Layout) -> Grid | None:
    size = paper.size
    columns = _fits(cell.width, layout.gap, size.width - 2 * layout.margin)
    rows = _fits(cell.height, layout.gap, size.height - 2 * layout.margin)
    if not columns or not rows:
        return None
    return _centred(cell, size, columns, rows, layout.gap)


def _centred(cell: Size, size: Size, columns: int, rows: int, gap: float) -> Grid:
    left = (size.width - columns * cell.width - (columns - 1) * gap) / 2
    top = (size.height - rows * cell.height - (rows - 1) * gap) / 2
    return Grid(size, columns, rows, cell, gap, left, top)


def _prescribed(cell: Size, layout: Layout, columns: int, rows: int) -> Grid | None:
    grid = _centred(cell, layout.paper.size, columns, rows, layout.gap)
    return grid if min(grid.left, grid.top) >= -0.01 else None


def _folded(cell: Size, paper: Paper, layout: Layout) -> list[Grid | None]:
    """Fronts on one half, the fold in the middle of the paper: across it (fronts above), or along it (fronts at the
    left). The rows nearest to the fold touch it at `fold_gap`."""
    size, found = paper.size, list[Grid | None]()
    columns = _fits(cell.width, layout.gap, size.width - 2 * layout.margin)
    rows = _fits(cell.height, layout.gap, size.height / 2 - layout.margin - layout.fold_gap)
    if columns and rows:
        flat = _centred(cell, size, columns, rows, layout.gap)
        top = size.height / 2 - layout.fold_gap - rows * cell.height - (rows - 1) * layout.gap
        found.append(Grid(size, columns, rows, cell, layout.gap, flat.left, top, ("horizontal", size.height / 2)))
    columns = _fits(cell.width, layout.gap, size.width / 2 - layout.margin - layout.fold_gap)
    rows = _fits(cell.height, layout.gap, size.height - 2 * layout.margin)
    if columns and rows:
        flat = _centred(cell, size, columns, rows, layout.gap)
        left = size.width / 2 - layout.fold_gap - columns * cell.width - (columns - 1) * layout.gap
        found.append(Grid(size, columns, rows, cell, layout.gap, left, flat.top, ("vertical", size.width / 2)))
    return found


# --- pages -----------------------------------------------------------------------------------------------------------

_Copy = tuple[Printable, int]
_Sheet = Callable[[Sequence[_Copy], Grid, Layout, int], list[Page]]


def _document(name: str, printables: Iterable[Printable], layout: Layout, sheet: _Sheet) -> Document:
    by_size: dict[Size, dict[str, list[_Copy]]] = {}
    for each in printables:
        rows = by_size.setdefault(printed_size(each.front.size, layout), {}).setdefault(each.deck or each.kind, [])
        rows += [(each, copy) for copy in range(1, each.copies + 1)]
    pages: list[Page] = []
    sheets = 0
    for size, decks in by_size.items():
        copies = [copy for deck in decks.values() for copy in deck]
        grid = grid_for(size, layout)
        if grid is None:
            for each, copy in copies:
                made = poster(each.front, each.item, copy, layout, sheets)
                sheets += len(made)
                pages += made
            continue
        for start in range(0, len(copies), grid.count):
            sheets += 1
            pages += sheet(copies[start : start + grid.count], grid, layout, sheets)
    return Document(name, tuple(pages), layout, sheets)


def _mm(size: Size) -> str:
    return f"{size.width:g} × {size.height:g} mm"


def _fronts(copies: Sequence[_Copy], grid: Grid, layout: Layout) -> tuple[Placed, ...]:
    found: list[Placed] = []
    for cell, (each, copy) in enumerate(copies):
        trim = grid.at(cell)
        shown = bleed_shown(trim, _room(grid, cell, layout), min(layout.bleed, each.front.bleed))
        found.append(Placed(each.front, trim, shown, layout.turn, cell, copy, each.item))
    return tuple(found)


def _backs(copies: Sequence[_Copy], grid: Grid, layout: Layout, flip: Flip) -> tuple[Placed, ...]:
    """Each back where its front lies when the paper is turned over (or folded)."""
    found: list[Placed] = []
    for cell, (each, copy) in enumerate(copies):
        if each.back is not None:
            trim, turn = turned_over(grid.at(cell), layout.turn, flip)
            room, _ = turned_over(_room(grid, cell, layout), 0, flip)
            shown = bleed_shown(trim, room, min(layout.back_bleed, each.back.bleed))
            found.append(Placed(each.back, trim, shown, turn, cell, copy, each.item))
    return tuple(found)


def _room(grid: Grid, cell: int, layout: Layout) -> Rect:
    """As far as a face may reach: half the gap to a neighbour, the fold, the part of the paper that prints, the strip.
    The margin opposite the strip keeps as much free: on the other side of the paper it may be there."""
    row, column = divmod(cell, grid.columns)
    trim, half = grid.at(cell), grid.gap / 2
    across = down = EDGE
    if layout.furniture:
        side, high = grid.strip
        across, down = (across, down + high) if side == "bottom" else (across + high, down)
    right_end, bottom_end = grid.page.width - across, grid.page.height - down
    if grid.fold is not None:
        axis, line = grid.fold
        right_end, bottom_end = (line, bottom_end) if axis == "vertical" else (right_end, line)
    left = trim.x - half if column else across
    top = trim.y - half if row else down
    right = trim.right + half if column < grid.columns - 1 else right_end
    bottom = trim.bottom + half if row < grid.rows - 1 else bottom_end
    return Rect(left, top, right - left, bottom - top)


def _both_sides(copies: Sequence[_Copy], grid: Grid, layout: Layout, number: int) -> list[Page]:
    return _front_only(copies, grid, layout, number) + _back_only(copies, grid, layout, number)


def _front_only(copies: Sequence[_Copy], grid: Grid, layout: Layout, number: int) -> list[Page]:
    return [Page(grid.page, "front", number, _fronts(copies, grid, layout), grid)]


def _back_only(copies: Sequence[_Copy], grid: Grid, layout: Layout, number: int) -> list[Page]:
    edge = "short" if layout.backs == "short" else "long"
    axis = flip_axis(grid.page, edge)
    line = grid.page.width / 2 if axis == "vertical" else grid.page.height / 2
    return [Page(grid.page, "back", number, _backs(copies, grid, layout, (axis, line)), grid)]


def _fold_sheet(copies: Sequence[_Copy], grid: Grid, layout: Layout, number: int) -> list[Page]:
    assert grid.fold is not None
    placed = _fronts(copies, grid, layout) + _backs(copies, grid, layout, grid.fold)
    return [Page(grid.page, "both", number, placed, grid)]
