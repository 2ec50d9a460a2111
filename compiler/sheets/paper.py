"""Papers that sheets are printed on, in millimetres, held upright.

    PAPERS["a4"]                          Paper("a4", "A4", Size(210, 297))
    PAPERS["a4"].landscape().size         Size(297, 210)

The user chooses the paper; nothing guesses it from a place or a language."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from ludoloom.compiler.sheets.model import Size

INCH: Final = 25.4
POINTS: Final = 72 / INCH
"""PDF's points in a millimetre."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of paper. `name` is what a user types, `title` what is shown."""

    name: str
    title: str
    size: Size

    def landscape(self) -> Paper:
        """The same paper on its long side."""
        return replace(self, size=self.size.turned())

    @property
    def upright(self) -> bool:
        """Whether the long edges run from top to bottom."""
        return self.size.height >= self.size.width


_ALL: Final = (
    Paper("a4", "A4", Size(210, 297)),
    Paper("letter", "Letter", Size(8.5 * INCH, 11 * INCH)),
    Paper("12x18", "12 × 18 in", Size(12 * INCH, 18 * INCH)),
)
PAPERS: Final = {paper.name: paper for paper in _ALL}
