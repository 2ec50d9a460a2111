"""What the stages of printing hand to each other: plain data, in millimetres.

    faces(unit, wish)        ->  Faces(preamble, printables)     one `Printable` for each item, its looks as Typst text
    impose(printables, …)    ->  pages with cells                pure geometry
    typeset(source, …)       ->  Typeset(outputs, reports, …)    one run of Typst in a child process

A document is `preamble.text`, then for each face a definition, then pages that place them:

    #let f0 = {face.body}
    #page(width: 210mm, height: 297mm, margin: 0mm, place(dx: 10mm, dy: 10mm, f0))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ludoloom.compiler.frontend.nodes import Span

Ink = Literal["full", "low"]
"""`low`: no fills and no pictures; frames, icons and text stay."""
Colours = Literal["rgb", "cmyk", "grey"]
"""In which colours Typst is told to draw."""
Shape = Literal["rectangle", "hexagon"]
"""What is cut out. A hexagon stands on a corner or lies on an edge by its size: the longer way is from corner to
corner."""


@dataclass(frozen=True, slots=True)
class Size:
    """What is left after cutting (trim), in millimetres."""

    width: float
    height: float

    def turned(self) -> Size:
        """The same, lying on its side."""
        return Size(self.height, self.width)

    def grown(self, by: float) -> Size:
        """With a margin of `by` on all four sides."""
        return Size(self.width + 2 * by, self.height + 2 * by)


@dataclass(frozen=True, slots=True)
class Wish:
    """What faces should be like. `bleed` is how far the picture of a front goes beyond the cut, `back_bleed` that of a
    back; `language` is one of the game's `languages`, or empty for its own."""

    bleed: float = 3.0
    back_bleed: float = 3.0
    ink: Ink = "full"
    colours: Colours = "rgb"
    language: str = ""


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a printed thing. `body` is a Typst expression (code mode) that gives a box
    of `size` with `bleed` on all four sides. `digest` is a hash of everything on which its look depends, files of the
    pack included: equal digests print equally. `key` is unique among the faces of a game (`rope.front`); a back that
    many items share is one face, equal and with one key."""

    key: str
    kind: str
    item: str
    """The item's id; of a shared back the first item that has it."""
    side: str
    """`front` or `back`."""
    title: str
    size: Size
    bleed: float
    body: str
    digest: str
    where: Span
    """The item's place in the pack, for findings."""
    shape: Shape = "rectangle"
    safe: float = 3.0
    """Nothing that matters is nearer to the cut than this."""
    corner: float = 3.0
    """Radius of the cut corners; for outlines, not for bleed."""
    places: Mapping[str, Span] = field(default_factory=dict[str, Span])
    """Where its parts (`text`, `title`, `art`) are written, for findings."""
    lines: tuple[tuple[str, int], ...] = ()
    """For each line of `body` the template and the line in it."""

    @property
    def box(self) -> Size:
        """The size of what `body` gives: trim and bleed."""
        return self.size.grown(self.bleed)


@dataclass(frozen=True, slots=True)
class Printable:
    """An item to print: its front as often as there are copies, and its back if it has one."""

    item: str
    kind: str
    family: str
    """card, encounter, quest, tile, map, piece, player …"""
    title: str
    copies: int
    front: Face
    back: Face | None = None
    deck: str = ""
    """What is printed, cut and shuffled together: the kind's deck, for totals and file names."""


@dataclass(frozen=True, slots=True)
class Preamble:
    """What the bodies need: Typst text (functions, icons, page setup), and the files that it and they name, by their
    place in the staging folder: bytes, or the pack's own file that is copied there."""

    text: str
    files: Mapping[str, bytes | Path] = field(default_factory=dict[str, "bytes | Path"])
    fonts: tuple[str, ...] = ()
    """Families that are used, in order; each is embedded in Typst or lies among the files under `fonts/`."""


@dataclass(frozen=True, slots=True)
class Faces:
    """The faces of a game, in the order of its files; findings about them are in the bag that `faces` was given."""

    game: str
    title: str
    preamble: Preamble
    printables: tuple[Printable, ...]

    def unique(self) -> list[Face]:
        """Every face once, in order of first use."""
        found: dict[str, Face] = {}
        for each in self.printables:
            for face in (each.front, each.back):
                if face is not None:
                    found.setdefault(face.key, face)
        return list(found.values())


@dataclass(frozen=True, slots=True)
class Output:
    """A file that Typst is to write. `pages`: a picture for each page, its number in the name."""

    path: Path
    format: Literal["pdf", "png", "svg"] = "pdf"
    ppi: float = 300.0
    pdf_standard: str = ""
    """One of Typst's (`1.4`, `a-2b`), or empty for its default."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What Typst complained about: where in the source, and its words."""

    line: int
    column: int
    message: str
    hint: str = ""
    file: str = "main.typ"


@dataclass(frozen=True, slots=True)
class Typeset:
    """The result of a run. `written` are the files (of pictures one for each page, in order), `reports` what the faces
    said of themselves (`fit`), `troubles` why nothing was written."""

    written: tuple[Path, ...] = ()
    reports: tuple[Mapping[str, object], ...] = ()
    troubles: tuple[Trouble, ...] = ()
    warnings: tuple[Trouble, ...] = ()
    stopped: Literal["", "time", "memory", "died"] = ""

    @property
    def ok(self) -> bool:
        return not self.troubles and not self.stopped
