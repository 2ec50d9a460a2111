"""Faces and a target become files in a folder: the stages of printing in order.

    impose ─ document ─ typeset ─ finish ─ preflight ─ manifest

    order = Order(TARGETS["home"], Layout(PAPERS["a4"]))
    made = produce(faces, faces.printables, order, folder)       made.files, made.left_out, made.faults

The caller gives an empty folder and moves it to its place when all is well, so a half-written set of sheets is never
found where a whole one is expected."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from ludoloom.compiler.sheets import calibrate, ghostscript, manifest, tabletop
from ludoloom.compiler.sheets.document import source
from ludoloom.compiler.sheets.duplex import Rect
from ludoloom.compiler.sheets.finish import boxes_of, finish
from ludoloom.compiler.sheets.impose import impose
from ludoloom.compiler.sheets.inks import CannotConvert, Recolour, cmyk_within, to_grey
from ludoloom.compiler.sheets.manifest import WrittenFile
from ludoloom.compiler.sheets.model import Face, Faces, Output, Printable, Size, Typeset
from ludoloom.compiler.sheets.pages import Document, DoesNotFit, Layout, Page, Placed
from ludoloom.compiler.sheets.pdf import UNIT, Matrix, opened
from ludoloom.compiler.sheets.place import portable
from ludoloom.compiler.sheets.preflight import check_pdf, check_picture, see_through
from ludoloom.compiler.sheets.raster import to_rgb
from ludoloom.compiler.sheets.targets import Product, Target, product_for
from ludoloom.compiler.sheets.typeset import typeset

MOST_COPIES: Final = 2000
"""So many copies are printed without being asked twice: a number in the wrong column prints a million."""
OUTSIDE: Final = 0.3
_PICTURES_AT_ONCE: Final = 100
_SECONDS: Final = 600

Progress = Callable[[int, int, str], None]
"""Told before each step: which, of how many, what it does."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is wanted: the target, how sheets are laid out, and how they are printed."""

    target: Target
    layout: Layout
    grey: bool = False
    calibration: calibrate.Calibration | None = None
    most: int = MOST_COPIES
    url: str = ""
    """What stands before the names of pictures in the objects of a virtual table."""
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    """What else the manifest tells of the run."""
    heard: Callable[[Typeset, str], None] | None = None
    """Told what each run of Typst gave, with its source: faces report what does not fit (`fit`)."""


@dataclass(frozen=True, slots=True)
class Made:
    """What was written; `left_out` are items with the reason, `faults` what the preflight found, by file."""

    files: tuple[WrittenFile, ...]
    left_out: tuple[tuple[str, str], ...]
    faults: tuple[tuple[str, str], ...]
    copies: int


class Refused(Exception):
    """The order cannot be met; the message says what is missing."""


class NotTypeset(Exception):
    """Typst complained; `result` says where."""

    def __init__(self, result: Typeset) -> None:
        super().__init__(result.stopped or (result.troubles[0].message if result.troubles else ""))
        self.result = result


def refuse_if_unable(target: Target) -> None:
    """Raise `Refused` if a target needs a program that is not installed, before anything is worked out."""
    if target.outlines and ghostscript.program() is None:
        raise Refused(
            f"{target.title} wants letters as shapes, which needs Ghostscript: install it (`gs` must be found), "
            "or choose another target"
        )


def produce(
    faces: Faces, printables: Sequence[Printable], order: Order, folder: Path, progress: Progress | None = None
) -> Made:
    """Write all files of an order into `folder`, look at them again, and write the manifest."""
    refuse_if_unable(order.target)
    wanted, left_out = _sold(printables, order)
    copies = sum(each.copies for each in wanted)
    if copies > order.most:
        largest = max(wanted, key=lambda each: each.copies)
        raise Refused(
            f"{copies:,} copies would be printed, more than {order.most:,}; the most are {largest.copies:,} of "
            f"`{largest.item}`. If that is right, say `--most {copies}`"
        )
    tell = progress or _quiet
    make = {"sheets": _sheets, "cards": _cards, "images": _images, "table": _table}[order.target.form]
    try:
        files, faults = make(faces, wanted, order, folder, tell)
    except ghostscript.NotInstalled:
        raise Refused(
            f"{order.target.title} takes nothing that shows through, and these faces have such parts; "
            "Ghostscript can flatten them: install it, or draw the faces without"
        ) from None
    except (ghostscript.Failed, CannotConvert) as error:
        raise Refused(f"{order.target.title}: {error}") from error
    written = manifest.text(faces.game, order.target.name, order.settings, folder, files, wanted, left_out)
    (folder / manifest.NAME).write_text(written, encoding="utf-8", newline="\n")
    return Made(tuple(files), tuple(left_out), tuple(faults), copies)


def _quiet(done: int, of: int, what: str) -> None:
    """Nobody watches."""


_Done = tuple[list[WrittenFile], list[tuple[str, str]]]
"""Files, and faults by file."""


def _sold(printables: Sequence[Printable], order: Order) -> tuple[list[Printable], list[tuple[str, str]]]:
    """What the target takes, and what not, with the reason."""
    target, taken, left = order.target, list[Printable](), list[tuple[str, str]]()
    for each in printables:
        size = each.front.size
        if product_for(size, target) is None:
            names = ", ".join(f"{product.name} ({_mm(product.size)})" for product in target.products)
            left.append((each.item, f"{_mm(size)} is no size of {target.title}, which has {names}"))
        elif target.form == "cards" and each.back is None:
            left.append((each.item, f"it has no back, and {target.title} prints both sides"))
        else:
            taken.append(each)
    if not taken:
        why = left[0][1] if left else "there is nothing to print"
        raise Refused(f"nothing can be printed for {target.title}: {why}")
    return taken, left


def _mm(size: Size) -> str:
    return f"{size.width:.4g} × {size.height:.4g} mm"


# --- PDF -------------------------------------------------------------------------------------------------------------


def _sheets(faces: Faces, printables: Sequence[Printable], order: Order, folder: Path, tell: Progress) -> _Done:
    target = order.target
    layout = replace(order.layout, sold=tuple(product.size for product in target.products))
    documents = impose(printables, layout)
    return _pdfs(faces, [(_name(faces.game, document.name), document) for document in documents], order, folder, tell)


def _cards(faces: Faces, printables: Sequence[Printable], order: Order, folder: Path, tell: Progress) -> _Done:
    target = order.target
    groups: dict[str, list[Printable]] = {}
    for each in printables:
        product = product_for(each.front.size, target)
        assert product is not None
        size = f"{product.size.width:.4g}x{product.size.height:.4g}"
        part = {"one": "", "deck": each.deck or each.kind, "size": size}[target.files]
        groups.setdefault(f"{part}-{size}" if target.files == "deck" else part, []).append(each)
    # The size stands in the name of a deck's file only where a deck has two.
    decks = Counter(name.rpartition("-")[0] for name in groups)
    named: list[tuple[str, Document]] = []
    for key, things in groups.items():
        pages: list[Page] = []
        for each in things:
            assert each.back is not None
            sides = (each.front, each.back) if target.order == "front-back" else (each.back, each.front)
            for copy in range(1, each.copies + 1 if target.expand else 2):
                pages += [_single(face, each.item, copy, target) for face in sides]
        short = key.rpartition("-")[0] if target.files == "deck" and decks[key.rpartition("-")[0]] == 1 else key
        named.append((_name(faces.game, short), Document(short, tuple(pages), order.layout, len(pages) // 2)))
    return _pdfs(faces, named, order, folder, tell)


def _single(face: Face, item: str, copy: int, target: Target) -> Page:
    """A page that is one face with the target's bleed."""
    product = product_for(face.size, target)
    if product is None:
        raise Refused(f"`{item}`: the {face.side} is {_mm(face.size)}, which is no size of {target.title}")
    bleed = target.bleed
    size = Size(product.size.width + 2 * bleed, product.size.height + 2 * bleed)
    stretched = product.size.width / face.size.width, product.size.height / face.size.height
    if face.bleed * min(stretched) < bleed - 0.001:
        raise Refused(f"`{item}`: the {face.side} has {face.bleed:g} mm of bleed; {target.title} wants {bleed:.4g} mm")
    trim = Rect(bleed, bleed, product.size.width, product.size.height)
    side = "back" if face.side == "back" else "front"
    # Clipped a hair outside the page: a clip on its very edge lets the paper shine through.
    whole = Rect(0, 0, size.width, size.height)
    return Page(size, side, copy, (Placed(face, trim, whole.grown(OUTSIDE), 0, 0, copy, item),))


def _pdfs(faces: Faces, named: Sequence[tuple[str, Document]], order: Order, folder: Path, tell: Progress) -> _Done:
    target = order.target
    files: list[WrittenFile] = []
    faults: list[tuple[str, str]] = []
    _unique(name for name, _ in named)
    for step, (name, document) in enumerate(named):
        tell(step, len(named), f"{name}, {len(document.pages)} pages")
        path = folder / name
        text = source(faces.preamble, [document], faces.title)
        version = "1.4" if target.inks else "1.7"
        _set(faces, text, Output(path, "pdf", pdf_standard=version), order)
        if target.opaque:
            _make_opaque(path)
        single = target.form == "cards"
        boxes = [boxes_of(page, single) for page in document.pages]
        colour: Recolour | None = None
        if target.inks:
            colour = cmyk_within(target.ink_limit / 100)
        elif order.grey:
            colour = to_grey
        as_wanted = partial(
            finish, path, boxes, faces.title, standard=target.standard, intent=target.intent, version=version
        )
        as_wanted(changes=_changes(document, order), colour=colour, rich_black=target.rich_black)
        if target.outlines:
            ghostscript.outline(path)
            as_wanted()
        faults += [(name, fault) for fault in check_pdf(path, boxes, target)]
        files.append(WrittenFile(name, document.pages))
    tell(len(named), len(named), "done")
    return files, faults


def _changes(document: Document, order: Order) -> list[Matrix]:
    """What a printer's correction does to each page: backs only. It was read off a sheet turned over the long edge;
    over the short one backs stand on their heads, and what was to the right of them is to the left."""
    found = order.calibration
    if found is None:
        return []
    if document.layout.backs == "short":
        found = replace(found, offset=(-found.offset[0], -found.offset[1]))
    return [calibrate.matrix(found, page.size) if page.side == "back" else UNIT for page in document.pages]


def _make_opaque(path: Path) -> None:
    with opened(path.read_bytes()) as pdf:
        flat = not see_through(pdf)
    if not flat:
        ghostscript.flatten(path)


def _set(faces: Faces, text: str, output: Output, order: Order) -> Typeset:
    result = typeset(text, faces.preamble.files, [output], reports=order.heard is not None, seconds=_SECONDS)
    if order.heard is not None:
        order.heard(result, text)
    if not result.ok:
        raise NotTypeset(result)
    return result


# --- pictures --------------------------------------------------------------------------------------------------------


def _images(faces: Faces, printables: Sequence[Printable], order: Order, folder: Path, tell: Progress) -> _Done:
    target = order.target
    pictures: dict[str, tuple[str, Page, tuple[int, int]]] = {}
    files: list[tuple[str, Page]] = []
    for each in printables:
        for face in (each.front, each.back):
            if face is None:
                continue
            if face.key not in pictures:
                page, pixels = _picture(face, each.item, target)
                pictures[face.key] = (portable(face.key, "png"), page, pixels)
            file, page, _ = pictures[face.key]
            files += [(file, _copied(page, each.item, copy)) for copy in range(1, each.copies + 1)]
    _unique(file for file, _, _ in pictures.values())
    rows = list(pictures.values())
    _draw(faces, [(file, page, pixels) for file, page, pixels in rows], order, folder, tell)
    faults = [(file, fault) for file, _, pixels in rows for fault in check_picture(folder / file, pixels, target)]
    return _by_file(files), faults


def _picture(face: Face, item: str, target: Target) -> tuple[Page, tuple[int, int]]:
    """A face as a page whose sides are whole pixels, and how many."""
    page = _single(face, item, 1, target)
    product = product_for(face.size, target) or Product("", face.size)
    ppi = target.ppi
    pixels = product.pixels or (round(page.size.width / 25.4 * ppi), round(page.size.height / 25.4 * ppi))
    if target.most_pixels and max(pixels) > target.most_pixels:
        scale = target.most_pixels / max(pixels)
        pixels = (round(pixels[0] * scale), round(pixels[1] * scale))
    size = Size(pixels[0] / ppi * 25.4, pixels[1] / ppi * 25.4)
    across, down = size.width / page.size.width, size.height / page.size.height
    (placed,) = page.placed
    trim = placed.trim
    scaled = Rect(trim.x * across, trim.y * down, trim.width * across, trim.height * down)
    whole = Rect(0, 0, size.width, size.height).grown(OUTSIDE)
    return replace(page, size=size, placed=(replace(placed, trim=scaled, clip=whole),)), pixels


def _copied(page: Page, item: str, copy: int) -> Page:
    return replace(page, placed=tuple(replace(placed, item=item, copy=copy) for placed in page.placed))


def _draw(
    faces: Faces, rows: Sequence[tuple[str, Page, tuple[int, int]]], order: Order, folder: Path, tell: Progress
) -> None:
    """Write pages as pictures under the names given, some at a time."""
    scratch = folder / ".pages"
    scratch.mkdir()
    ppi = tabletop.PPI if order.target.form == "table" else order.target.ppi
    at_once = 4 if order.target.form == "table" else _PICTURES_AT_ONCE
    for start in range(0, len(rows), at_once):
        part = rows[start : start + at_once]
        tell(start, len(rows), f"pictures {start + 1} to {start + len(part)} of {len(rows)}")
        document = Document("", tuple(page for _, page, _ in part), order.layout, len(part))
        text = source(faces.preamble, [document], faces.title, fill="white")
        result = _set(faces, text, Output(scratch / "{page}.png", "png", ppi=ppi), order)
        for path, (file, _, _) in zip(result.written, part, strict=True):
            to_rgb(path, ppi, order.grey)
            os.replace(path, folder / file)
    scratch.rmdir()
    tell(len(rows), len(rows), "done")


def _by_file(rows: Iterable[tuple[str, Page]]) -> list[WrittenFile]:
    """A file for each name, with all that it stands for; the copies of a picture are no further pages."""
    found: dict[str, list[Page]] = {}
    for file, page in rows:
        found.setdefault(file, []).append(page)
    return [
        WrittenFile(file, (replace(pages[0], placed=tuple(placed for page in pages for placed in page.placed)),))
        for file, pages in found.items()
    ]


# --- virtual table ---------------------------------------------------------------------------------------------------


def _table(faces: Faces, printables: Sequence[Printable], order: Order, folder: Path, tell: Progress) -> _Done:
    decks = tabletop.decks(printables, order.target)
    rows: list[tuple[str, Page, tuple[int, int]]] = []
    for deck in decks:
        for file, page in tabletop.pages(deck):
            pixels = (round(page.size.width / tabletop.PIXEL), round(page.size.height / tabletop.PIXEL))
            rows.append((file, page, pixels))
    _unique(file for file, _, _ in rows)
    _draw(faces, rows, order, folder, tell)
    faults = [(file, fault) for file, _, pixels in rows for fault in check_picture(folder / file, pixels, order.target)]
    name = portable(faces.game, "json")
    text = tabletop.saved_object(decks, order.url, faces.title)
    (folder / name).write_text(text, encoding="utf-8", newline="\n")
    faults += [(name, fault) for fault in _check_saved(text, printables)]
    return [*_by_file((file, page) for file, page, _ in rows), WrittenFile(name, ())], faults


def _check_saved(text: str, printables: Sequence[Printable]) -> Iterator[str]:
    """Whether the saved object holds every copy."""
    copies = 0
    for each in json.loads(text)["ObjectStates"]:
        copies += len(each["DeckIDs"]) if "DeckIDs" in each else 1
    tiles = sum(1 for each in json.loads(text)["ObjectStates"] if each["Name"] == "Custom_Tile")
    single = sum(1 for each in printables if each.front.shape != "rectangle" or _board(each))
    expected = sum(each.copies for each in printables if each.front.shape == "rectangle" and not _board(each)) + single
    if copies != expected or tiles != single:
        yield f"it holds {copies} things, not {expected}"


def _board(each: Printable) -> bool:
    return max(each.front.size.width, each.front.size.height) > tabletop.LARGEST_CARD


# --- names -----------------------------------------------------------------------------------------------------------


def _name(game: str, part: str) -> str:
    return portable(f"{game}-{part}" if part else game, "pdf")


def _unique(names: Iterable[str]) -> None:
    doubled = [name for name, count in Counter(names).items() if count > 1]
    if doubled:
        raise DoesNotFit(f"two things would be written to {doubled[0]}; give one of them another id")
