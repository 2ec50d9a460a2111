"""What Typst cannot write into a PDF: page boxes, the keys of PDF/X, a correction for a printer; colours as inks.

    finish(path, [Boxes(size, bleed, trim), …], title="Toy", changes=[UNIT, …], standard=X1A, …)

The file is replaced. Times are fixed and the id follows from the content, so the same pages give the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ludoloom.compiler.sheets.duplex import Rect
from ludoloom.compiler.sheets.inks import Recolour, recolour
from ludoloom.compiler.sheets.model import Size
from ludoloom.compiler.sheets.pages import Page
from ludoloom.compiler.sheets.pdf import (
    POINTS,
    UNIT,
    Matrix,
    array,
    dictionary,
    name,
    opened,
    save,
    stream,
    string,
)

_TIME: Final = "D:20000101000000Z"


@dataclass(frozen=True, slots=True)
class Boxes:
    """The boxes of a page, in millimetres from its upper left corner: the paper (`size`), how far ink goes, and where
    it is cut."""

    size: Size
    bleed: Rect
    trim: Rect


@dataclass(frozen=True, slots=True)
class Intent:
    """The condition of printing that colours are meant for, by its name in the registry of the ICC."""

    identifier: str
    info: str


SWOP: Final = Intent("CGATS TR 001", "U.S. Web Coated (SWOP) v2")
FOGRA39: Final = Intent("FOGRA39", "Coated FOGRA39 (ISO 12647-2:2004)")
X1A: Final = "PDF/X-1a:2003"


def boxes_of(page: Page, single: bool) -> Boxes:
    """The boxes of a page: of a card that is a page by itself those of the card, else those of the paper."""
    whole = Rect(0, 0, page.size.width, page.size.height)
    if not single:
        return Boxes(page.size, whole, whole)
    (placed,) = page.placed
    return Boxes(page.size, whole, placed.trim)


def finish(
    path: Path,
    boxes: Sequence[Boxes],
    title: str,
    *,
    changes: Sequence[Matrix] = (),
    colour: Recolour | None = None,
    rich_black: Sequence[float] = (),
    standard: str = "",
    intent: Intent | None = None,
    version: str = "",
) -> None:
    """Finish a PDF in place. `changes`: for each page what is done to all of it, in points from the lower left corner;
    `colour`: what becomes of each colour; `rich_black`: the inks of large black areas, in per cent."""
    with opened(path.read_bytes()) as pdf:
        if len(pdf.pages) != len(boxes):
            raise AssertionError(f"{path.name} has {len(pdf.pages)} pages, {len(boxes)} were laid out")
        if colour is not None:
            recolour(pdf, colour, tuple(part / 100 for part in rich_black))
        for number, (page, wanted) in enumerate(zip(pdf.pages, boxes, strict=True)):
            _set_boxes(page, wanted)
            if changes and changes[number] != UNIT:
                page.contents_add(stream(pdf, _numbers(changes[number], 8) + b" cm "), prepend=True)
        _describe(pdf, title, standard, intent)
        save(pdf, path, version)


def _set_boxes(page: Any, wanted: Boxes) -> None:
    height = wanted.size.height
    for key, rect in (
        ("/MediaBox", Rect(0, 0, wanted.size.width, height)),
        ("/BleedBox", wanted.bleed),
        ("/TrimBox", wanted.trim),
    ):
        # A PDF measures from the lower left corner.
        edges = (rect.x, height - rect.bottom, rect.right, height - rect.y)
        page.obj[key] = array([round(edge * POINTS, 4) for edge in edges])
    for key in ("/CropBox", "/ArtBox"):
        if key in page.obj:
            del page.obj[key]


def _describe(pdf: Any, title: str, standard: str, intent: Intent | None) -> None:
    for key in list(pdf.docinfo.keys()):
        del pdf.docinfo[key]
    if "/Metadata" in pdf.Root:
        del pdf.Root["/Metadata"]  # it would say other things than the entries below
    info = {"Title": title, "Creator": "ludoloom", "Producer": "ludoloom", "CreationDate": _TIME, "ModDate": _TIME}
    for key, value in info.items():
        pdf.docinfo["/" + key] = string(value)
    if standard:
        pdf.docinfo["/GTS_PDFXVersion"] = string(standard)
        pdf.docinfo["/Trapped"] = name("False")
    if intent is not None:
        row = {
            "Type": name("OutputIntent"),
            "S": name("GTS_PDFX"),
            "OutputConditionIdentifier": string(intent.identifier),
            "RegistryName": string("http://www.color.org"),
            "Info": string(intent.info),
        }
        pdf.Root["/OutputIntents"] = array([dictionary(row)])


def _numbers(values: Sequence[float], digits: int) -> bytes:
    return " ".join(f"{value:.{digits}f}".rstrip("0").rstrip(".") or "0" for value in values).encode()
