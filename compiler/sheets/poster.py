"""What is larger than the paper, cut into pages that are glued together.

    poster(face 400 × 280, "map", 1, Layout(a4), 0)     four pages, each with its `Window`

Each page shows a part of the face; the parts overlap, by `overlap` millimetres or a little more, so that they are all
of one size. The later page is cut and glued over the earlier one: the strip under it is marked for glue."""

from __future__ import annotations

import math
from typing import Final

from ludoloom.compiler.sheets.duplex import Rect
from ludoloom.compiler.sheets.model import Face
from ludoloom.compiler.sheets.pages import DoesNotFit, Layout, Page, Placed, Window
from ludoloom.compiler.sheets.paper import Paper

MOST_PAGES: Final = 64
BORDER: Final = 8.0
"""The least margin, for marks and the page number."""


def poster(face: Face, item: str, copy: int, layout: Layout, sheets: int) -> list[Page]:
    """The pages of a large face, row by row; `sheets` sheets of paper come before them. The paper lies the way that
    needs fewer."""
    ways = [_cuts(face, paper, layout) for paper in (layout.paper, layout.paper.landscape())]
    paper, across, down = min(ways, key=lambda way: len(way[1]) * len(way[2]))
    if len(across) * len(down) > MOST_PAGES:
        raise DoesNotFit(
            f"`{face.item}` is {face.size.width:g} × {face.size.height:g} mm: "
            f"{len(across) * len(down)} pages of {paper.title} are more than {MOST_PAGES}"
        )
    pages: list[Page] = []
    for row, (top, height) in enumerate(down):
        for column, (left, width) in enumerate(across):
            clip = Rect((paper.size.width - width) / 2, (paper.size.height - height) / 2, width, height)
            trim = Rect(clip.x - left, clip.y - top, face.size.width, face.size.height)
            glue: list[Rect] = []
            if column + 1 < len(across):
                start = across[column + 1][0] - left
                glue.append(Rect(clip.x + start, clip.y, width - start, height))
            if row + 1 < len(down):
                start = down[row + 1][0] - top
                glue.append(Rect(clip.x, clip.y + start, width, height - start))
            window = Window(row, column, len(down), len(across), tuple(glue))
            sheets += 1
            pages.append(
                Page(paper.size, "front", sheets, (Placed(face, trim, clip, 0, 0, copy, item),), window=window)
            )
    return pages


def _cuts(
    face: Face, paper: Paper, layout: Layout
) -> tuple[Paper, list[tuple[float, float]], list[tuple[float, float]]]:
    border = max(layout.margin, BORDER)
    room = (paper.size.width - 2 * border, paper.size.height - 2 * border)
    return (
        paper,
        _spread(face.size.width, room[0], layout.overlap),
        _spread(face.size.height, room[1], layout.overlap),
    )


def _spread(length: float, room: float, overlap: float) -> list[tuple[float, float]]:
    """Parts of one length that cover a length: where each begins, and how long it is.

    >>> _spread(400, 194, 10)
    [(0.0, 140.0), (130.0, 140.0), (260.0, 140.0)]
    """
    count = max(1, math.ceil((length - overlap) / (room - overlap) - 1e-6))
    part = (length + (count - 1) * overlap) / count
    return [(index * (part - overlap), part) for index in range(count)]
