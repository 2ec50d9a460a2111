"""Pages as data: what imposition gives to those who draw, write and check. Lengths are millimetres, from the upper left
corner of the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from ludoloom.compiler.sheets.duplex import Axis, Rect
from ludoloom.compiler.sheets.model import Face, Size
from ludoloom.compiler.sheets.paper import Paper

Backs = Literal["long", "short", "fold", "separate", "none"]
MarkStyle = Literal["corners", "lines", "none"]

EDGE: Final = 3.0
"""Nothing is drawn nearer than this to the edge of the paper, where most printers cannot print."""
STRIP: Final = 3.0
"""So high is the strip for the ruler and the page number, in the wider margin; less if the margin has not that much."""


SLACK: Final = 1.5
"""A face that differs from what a service sells by no more than this is stretched to it: so do the poker sizes."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How sheets are laid out. `margin`: the least distance of a cut edge from that of the paper. `gap`: between two
    cards. `bleed`, `back_bleed`: how much of a face's bleed is shown, if there is room. `fold_gap`: from a cut edge to
    the fold. `turn`: degrees by which every front is turned clockwise on the page. `grid`: columns and rows that a
    service prescribes, instead of what fits."""

    paper: Paper
    backs: Backs = "long"
    margin: float = 5.0
    gap: float = 0.0
    bleed: float = 2.0
    back_bleed: float = 3.0
    fold_gap: float = 2.0
    overlap: float = 10.0
    marks: MarkStyle = "corners"
    furniture: bool = True
    """Page numbers, the ruler and the frame for checking."""
    safe: bool = False
    """Lines that show the safe zone."""
    turn: int = 0
    grid: tuple[int, int] | None = None
    upright: bool = False
    """Whether the paper never lies on its side."""
    sold: tuple[Size, ...] = ()
    """Sizes that a service prints; a face of about such a size is stretched to it."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A face on a page. `trim` is where its cut edges lie (partly off the page on a poster), `clip` what is shown of
    it, `turn` by how many degrees it is turned clockwise; it is scaled if `trim` has another size than the face. `cell`
    counts from 0, row by row as the front is seen: a back has the cell of its front. `copy` counts from 1."""

    face: Face
    trim: Rect
    clip: Rect
    turn: int = 0
    cell: int = 0
    copy: int = 1
    item: str = ""
    """The item that is printed; a back may belong to many."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The places for one size on one paper. `fold` is the line about which backs are laid, where there is one."""

    page: Size
    columns: int
    rows: int
    cell: Size
    gap: float
    left: float
    top: float
    fold: tuple[Axis, float] | None = None

    @property
    def count(self) -> int:
        return self.columns * self.rows

    def at(self, index: int) -> Rect:
        """The cut edges of a place."""
        row, column = divmod(index, self.columns)
        return Rect(
            self.left + column * (self.cell.width + self.gap),
            self.top + row * (self.cell.height + self.gap),
            self.cell.width,
            self.cell.height,
        )

    @property
    def strip(self) -> tuple[Literal["bottom", "right"], float]:
        """Where the ruler and the page number stand: in the wider margin, and how much of it they take."""
        side: Literal["bottom", "right"] = "bottom" if self.top >= self.left else "right"
        return side, max(0.0, min(STRIP, max(self.top, self.left) - EDGE))

    @property
    def outline(self) -> Rect:
        """Round all places of fronts."""
        last = self.at(self.count - 1)
        return Rect(self.left, self.top, last.right - self.left, last.bottom - self.top)


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a poster that a page shows: its row and column of all, and the strips where the next page is glued
    on."""

    row: int
    column: int
    rows: int
    columns: int
    glue: tuple[Rect, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """One page. `sheet` counts the sheets of paper of its document, from 1."""

    size: Size
    side: Literal["front", "back", "both"]
    sheet: int
    placed: tuple[Placed, ...]
    grid: Grid | None = None
    window: Window | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """The pages of one file; `name` distinguishes it from the others of a run."""

    name: str
    pages: tuple[Page, ...]
    layout: Layout
    sheets: int


class DoesNotFit(Exception):
    """Something cannot be printed in this way; the message says what and why."""
