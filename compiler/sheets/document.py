"""Pages as one Typst document: what they need first, then each face once as a value, then the pages that place them.

    #let f0 = box(…)
    #page(width: 210mm, height: 297mm, margin: 0mm, fill: none, {
      ll-face(8.5, 14.5, 65, 90, -1, -1, 1, 1, 0, f0)     // shown: 65 × 90 at (8.5, 14.5); f0 begins 1 mm further out
      ll-line(10.5, 9, 10.5, 14, 0.1, 0, false)
    })

Everything is placed, nothing flows, so a page can neither overflow into a second one nor come out blank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ludoloom.compiler.sheets.fonts import TEXT
from ludoloom.compiler.sheets.marks import Mark, Text, marks
from ludoloom.compiler.sheets.model import Preamble, Size
from ludoloom.compiler.sheets.pages import Document, Page, Placed

_HELPERS: Final = f"""
#let ll-face(x, y, w, h, dx, dy, sx, sy, turn, body) = place(top + left, dx: x * 1mm, dy: y * 1mm, box(
  width: w * 1mm, height: h * 1mm, clip: true, place(top + left, dx: dx * 1mm, dy: dy * 1mm, {{
    // About the corner and without `reflow`, which would move what is larger than its room.
    let turned = if turn == 0 {{ body }} else {{ rotate(turn * 1deg, origin: top + left, body) }}
    if sx == 1 and sy == 1 {{ turned }} else {{ scale(x: sx * 100%, y: sy * 100%, origin: top + left, turned) }}
  }}),
))
#let ll-line(x1, y1, x2, y2, w, grey, dash) = place(top + left, line(
  start: (x1 * 1mm, y1 * 1mm), end: (x2 * 1mm, y2 * 1mm),
  stroke: (thickness: w * 1mm, paint: luma(grey * 100%), dash: if dash {{ (1mm, 1mm) }} else {{ none }}),
))
#let ll-text(x, y, size, turn, words) = place(top + left, dx: x * 1mm, dy: y * 1mm, rotate(
  turn * 1deg, origin: top + left, place(bottom + left, box(text(
    font: "{TEXT}", size: size * 1pt, fill: luma(0%), weight: "regular", style: "normal", lang: "en",
    top-edge: "cap-height", bottom-edge: "baseline", words,
  ))),
))
"""


def source(preamble: Preamble, documents: Sequence[Document], title: str, fill: str = "none") -> str:
    """The Typst text of documents, one after the other; `fill` is what pages are filled with."""
    names: dict[str, str] = {}
    faces: list[str] = []
    for document in documents:
        for page in document.pages:
            for placed in page.placed:
                if placed.face.key not in names:
                    name = names[placed.face.key] = f"f{len(names)}"
                    faces.append(f"#let {name} = {placed.face.body}\n")
    pages = [_page(page, document, names, title, fill) for document in documents for page in document.pages]
    return "".join([preamble.text, _HELPERS, *faces, *pages])


def drawing(pages: Sequence[tuple[Size, Sequence[Mark]]]) -> str:
    """The Typst text of pages that hold marks only."""
    return _HELPERS + "".join(_sheet(size, "none", map(_mark, rows)) for size, rows in pages)


def quoted(words: str) -> str:
    """Words as a string of Typst."""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def _page(page: Page, document: Document, names: dict[str, str], title: str, fill: str) -> str:
    rows = [_face(placed, names[placed.face.key]) for placed in page.placed]
    return _sheet(page.size, fill, [*rows, *map(_mark, marks(page, document, title))])


def _sheet(size: Size, fill: str, rows: Iterable[str]) -> str:
    head = f"#page(width: {_mm(size.width)}mm, height: {_mm(size.height)}mm, margin: 0mm, fill: {fill}, {{\n"
    return head + "".join(f"  {row}\n" for row in rows) + "})\n"


def _face(placed: Placed, name: str) -> str:
    face, trim, clip = placed.face, placed.trim, placed.clip
    size = face.size.turned() if placed.turn % 180 else face.size
    sx, sy = trim.width / size.width, trim.height / size.height
    box = size.grown(face.bleed)
    # Turned about its upper left corner, the face lies to the left of it (180, 90) or above (180, 270).
    x = trim.x - face.bleed * sx - clip.x + (box.width * sx if placed.turn in (90, 180) else 0)
    y = trim.y - face.bleed * sy - clip.y + (box.height * sy if placed.turn in (180, 270) else 0)
    scale = [1.0 if abs(value - 1) < 1e-9 else value for value in (sx, sy)]
    lengths = map(_mm, (clip.x, clip.y, clip.width, clip.height, x, y))
    shown = ", ".join([*lengths, *(f"{value:.8g}" for value in scale), str(placed.turn)])
    return f"ll-face({shown}, {name})"


def _mark(mark: Mark) -> str:
    if isinstance(mark, Text):
        return f"ll-text({_mm(mark.x)}, {_mm(mark.y)}, {mark.size:.3g}, {mark.turn}, {quoted(mark.words)})"
    ends = ", ".join(map(_mm, (mark.x1, mark.y1, mark.x2, mark.y2)))
    return f"ll-line({ends}, {mark.width:g}, {mark.grey:g}, {'true' if mark.dashed else 'false'})"


def _mm(value: float) -> str:
    """A length to a hundred-thousandth, without a sign before zero."""
    return f"{round(value, 5) + 0.0:.5f}".rstrip("0").rstrip(".")
