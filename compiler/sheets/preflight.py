"""A written file is opened again and compared with what was meant: the last look before paper.

    check_pdf(path, boxes, target, …)      ["page 3: the trim box is 62.9 × 88 mm, not 63 × 88 mm", …]
    check_picture(path, (825, 1125), …)    []

Nothing of what was written is taken on trust: page boxes, number of pages, fonts, resolution of pictures, inks,
transparency and the keys of a standard are read from the file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from ludoloom.compiler.sheets.duplex import Rect
from ludoloom.compiler.sheets.finish import Boxes
from ludoloom.compiler.sheets.inks import CannotConvert, most_ink
from ludoloom.compiler.sheets.pdf import (
    POINTS,
    UNIT,
    Matrix,
    all_resources,
    complaint,
    entries,
    is_dictionary,
    opened,
    operands,
    operators,
    times,
)
from ludoloom.compiler.sheets.raster import look
from ludoloom.compiler.sheets.targets import Target

EXACT: Final = 0.01
"""Page boxes are right to this, in millimetres."""
_INK_SLACK: Final = 0.5
_DEEPEST: Final = 16


def check_pdf(path: Path, boxes: Sequence[Boxes], target: Target) -> list[str]:
    """What is wrong with a PDF; each as a sentence that begins with its page, if it has one."""
    try:
        with opened(path.read_bytes()) as pdf:
            return [*_pages(pdf, boxes), *_fonts(pdf, target), *_pictures(pdf, target), *_print(pdf, target)]
    except (OSError, ValueError, RuntimeError, complaint()) as error:
        return [f"the file cannot be read again: {error}"]


def check_picture(path: Path, size: tuple[int, int], target: Target) -> list[str]:
    """What is wrong with a picture."""
    try:
        picture = look(path)
    except (OSError, ValueError) as error:
        return [f"the file cannot be read again: {error}"]
    found: list[str] = []
    if (picture.width, picture.height) != size:
        found.append(f"it is {picture.width} × {picture.height} pixels, not {size[0]} × {size[1]}")
    if picture.mode != "RGB":
        found.append(f"its colours are {picture.mode}, not RGB")
    if target.most_pixels and max(picture.width, picture.height) > target.most_pixels:
        found.append(f"a side is longer than {target.most_pixels} pixels")
    if abs(picture.dpi - target.ppi) > 0.5 and target.form == "images" and not target.most_pixels:
        found.append(f"it says {picture.dpi:.0f} dpi, not {target.ppi:.0f}")
    return found


# --- pages -----------------------------------------------------------------------------------------------------------


def _pages(pdf: Any, boxes: Sequence[Boxes]) -> Iterator[str]:
    if len(pdf.pages) != len(boxes):
        yield f"there are {len(pdf.pages)} pages, not {len(boxes)}"
        return
    for number, (page, wanted) in enumerate(zip(pdf.pages, boxes, strict=True), 1):
        height = wanted.size.height
        for key, name, rect in (
            ("/MediaBox", "media", Rect(0, 0, wanted.size.width, height)),
            ("/BleedBox", "bleed", wanted.bleed),
            ("/TrimBox", "trim", wanted.trim),
        ):
            if key not in page.obj:
                yield f"page {number}: there is no {name} box"
                continue
            edges = [float(edge) / POINTS for edge in page.obj[key]]
            expected = [rect.x, height - rect.bottom, rect.right, height - rect.y]
            if max(abs(one - other) for one, other in zip(edges, expected, strict=True)) > EXACT:
                yield (
                    f"page {number}: the {name} box is {edges[2] - edges[0]:.2f} × {edges[3] - edges[1]:.2f} mm, "
                    f"not {rect.width:.2f} × {rect.height:.2f} mm at its place"
                )
        if "/Annots" in page.obj:
            yield f"page {number}: there are annotations"


# --- fonts -----------------------------------------------------------------------------------------------------------


def fonts(pdf: Any) -> list[tuple[str, bool]]:
    """The fonts of a document by name, and whether they are embedded."""
    found: dict[str, bool] = {}
    for resources in all_resources(pdf):
        for font in entries(resources, "Font"):
            for real in font.get("/DescendantFonts", None) or [font]:
                name = str(real.get("/BaseFont", "/glyphs that are drawn")).removeprefix("/")
                inside = str(font.get("/Subtype", "")) == "/Type3"
                descriptor = real.get("/FontDescriptor", None)
                if descriptor is not None:
                    inside = inside or any(key in descriptor for key in ("/FontFile", "/FontFile2", "/FontFile3"))
                found[name] = found.get(name, True) and inside
    return sorted(found.items())


def _fonts(pdf: Any, target: Target) -> Iterator[str]:
    for name, embedded in fonts(pdf):
        if target.outlines:
            yield f"the font {name} is left; {target.title} wants shapes"
        elif not embedded:
            yield f"the font {name} is not embedded"


# --- pictures --------------------------------------------------------------------------------------------------------


def _pictures(pdf: Any, target: Target) -> Iterator[str]:
    for number, page in enumerate(pdf.pages, 1):
        resources = page.obj.get("/Resources", None)
        if not _has_pictures(resources, 0):
            continue
        lowest = min(_resolutions(page, resources, UNIT, 0), default=math.inf)
        if lowest < target.least_dpi - 0.5:
            yield f"page {number}: a picture has {lowest:.0f} dpi at this size; {target.least_dpi:.0f} are needed"


def _has_pictures(resources: Any, depth: int) -> bool:
    if depth > _DEEPEST:
        return False
    return any(
        each.get("/Subtype", None) == "/Image" or _has_pictures(each.get("/Resources", None), depth + 1)
        for each in entries(resources, "XObject")
    )


def _resolutions(content: Any, resources: Any, outer: Matrix, depth: int) -> Iterator[float]:
    """Pixels to an inch of each picture that is drawn, the worse of both directions."""
    now, kept = outer, list[Matrix]()
    objects = resources.get("/XObject", None) if resources is not None else None
    if objects is None or depth > _DEEPEST:
        return
    for row, operator in operators(content):
        if operator == "q":
            kept.append(now)
        elif operator == "Q":
            now = kept.pop() if kept else outer
        elif operator == "cm":
            a, b, c, d, e, f = (float(x) for x in operands(row))
            now = times((a, b, c, d, e, f), now)
        elif operator == "Do":
            drawn = objects[str(operands(row)[0])]
            if drawn.get("/Subtype", None) == "/Image":
                across, down = math.hypot(now[0], now[1]) / 72, math.hypot(now[2], now[3]) / 72
                if across > 0 and down > 0 and not drawn.get("/ImageMask", False):
                    yield min(int(drawn["/Width"]) / across, int(drawn["/Height"]) / down)
            else:
                a, b, c, d, e, f = (float(x) for x in drawn.get("/Matrix", None) or UNIT)
                inner = drawn.get("/Resources", resources)
                yield from _resolutions(drawn, inner, times((a, b, c, d, e, f), now), depth + 1)


# --- what services want ----------------------------------------------------------------------------------------------


def see_through(pdf: Any) -> list[str]:
    """What lets other things show through, in words; none if the document is opaque."""
    found: set[str] = set()
    for resources in all_resources(pdf):
        for state in entries(resources, "ExtGState"):
            if any(float(state[key]) < 1 for key in ("/ca", "/CA") if key in state):
                found.add("a colour that is partly transparent")
            mask = state.get("/SMask", None)
            if mask is not None and is_dictionary(mask):
                found.add("a mask")
            if str(state.get("/BM", "/Normal")) not in ("/Normal", "/Compatible"):
                found.add("colours that are mixed")
        for image in entries(resources, "XObject"):
            if "/SMask" in image:
                found.add("a picture with transparent parts")
    return sorted(found)


def _print(pdf: Any, target: Target) -> Iterator[str]:
    if target.inks:
        try:
            most, foreign = most_ink(pdf)
        except CannotConvert as error:
            yield f"inks cannot be measured: {error}"
        else:
            if foreign:
                yield f"{foreign} colours are not inks"
            if most > target.ink_limit + _INK_SLACK:
                yield f"a colour takes {most:.0f} % of ink; {target.ink_limit:.0f} % are the limit"
    if target.opaque:
        yield from (f"{what} is left" for what in see_through(pdf))
    if target.intent is not None:
        intents: list[Any] = list(pdf.Root.get("/OutputIntents", None) or ())
        if not any(str(each.get("/OutputConditionIdentifier", "")) == target.intent.identifier for each in intents):
            yield f"the output intent is not {target.intent.identifier}"
    if target.standard:
        if str(pdf.docinfo.get("/GTS_PDFXVersion", "")) != target.standard:
            yield f"the file does not say {target.standard}"
        if "/Trapped" not in pdf.docinfo:
            yield "the file does not say whether it is trapped"
        if "/ID" not in pdf.trailer:
            yield "the file has no id"
        if str(pdf.pdf_version) > "1.4":
            yield f"the file is PDF {pdf.pdf_version}; {target.standard} is PDF 1.4"
        for key in ("/AcroForm", "/JavaScript", "/OpenAction", "/AA"):
            if key in pdf.Root:
                yield f"{target.standard} does not allow {key}"
