"""What happens to a place when paper is turned over or folded.

    turned_over(Rect(10, 20, 63, 88), 0, ("vertical", 105))      Rect(137, 20, 63, 88), 0
    turned_over(Rect(10, 20, 63, 88), 0, ("horizontal", 148.5))  Rect(10, 189, 63, 88), 180

A sheet that is turned over an edge swaps sides about the line in its middle that runs along that edge; a fold does the
same about itself. So one function serves the long edge, the short edge and the fold. A card must show its back upright
to whom turns the card like the page of a book: about a line from top to bottom of the card, which leaves its upper edge
where it was. Turned about an upright line, the paper does so too, and backs are not turned; about a level line the
paper's upper edge comes to lie below, and backs stand on their heads to make up for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ludoloom.compiler.sheets.model import Size

Axis = Literal["vertical", "horizontal"]
Flip = tuple[Axis, float]
"""A line: x of a vertical one, y of a horizontal one."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle; `x` and `y` are its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def grown(self, by: float) -> Rect:
        """With a margin of `by` on all four sides."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def meets(self, other: Rect, slack: float = 0.001) -> bool:
        """Whether the two have an area in common; touching edges do not count."""
        return (
            self.x < other.right - slack
            and other.x < self.right - slack
            and self.y < other.bottom - slack
            and other.y < self.bottom - slack
        )


def flip_axis(page: Size, edge: Literal["long", "short"]) -> Axis:
    """The line about which a printer turns the paper, as the page is read: the long edges of a page that lies on its
    side are above and below."""
    upright = page.height >= page.width
    return "vertical" if (edge == "long") == upright else "horizontal"


def turned_over(place: Rect, turn: int, flip: Flip) -> tuple[Rect, int]:
    """Where on the other side a place lies, and how a back there is turned so that its upper edge meets that of a front
    turned by `turn` degrees clockwise."""
    axis, line = flip
    if axis == "vertical":
        return Rect(2 * line - place.right, place.y, place.width, place.height), -turn % 360
    return Rect(place.x, 2 * line - place.bottom, place.width, place.height), (180 - turn) % 360
