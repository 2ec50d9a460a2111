"""The one door to pikepdf: open, walk, change and save PDF files.

    with opened(data) as pdf:
        for holder in holders(pdf):           every stream of drawing operators: pages, forms, patterns, glyphs
            for row, operator in operators(holder.content): …
        save(pdf, path, version="1.4")

Values of a PDF are dynamic (`Any`): what their keys hold is known only when they are read."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, cast

POINTS: Final = 72 / 25.4
"""Points in a millimetre."""
Matrix = tuple[float, float, float, float, float, float]
UNIT: Final[Matrix] = (1, 0, 0, 1, 0, 0)


def available() -> bool:
    """Whether pikepdf is installed (`pip install ludoloom[print]`)."""
    return find_spec("pikepdf") is not None


def opened(data: bytes | Path) -> Any:
    """A PDF from its bytes or file; a context manager."""
    import pikepdf

    return pikepdf.open(io.BytesIO(data) if isinstance(data, bytes) else data)


def complaint() -> type[Exception]:
    """What is raised about a file that is damaged."""
    import pikepdf

    return pikepdf.PdfError


def save(pdf: Any, path: Path, version: str = "") -> None:
    """Write a PDF: the same content gives the same bytes. A given version is the version of the file."""
    import pikepdf

    streams = pikepdf.ObjectStreamMode.disable if version and version < "1.5" else pikepdf.ObjectStreamMode.generate
    more: dict[str, Any] = {"force_version": version} if version else {}
    if "/ID" in pdf.trailer:
        del pdf.trailer["/ID"]  # half of it would be kept, and of Ghostscript's that is chance
    pdf.save(path, deterministic_id=True, object_stream_mode=streams, compress_streams=True, **more)


def name(text: str) -> Any:
    """``/Text`` as a value."""
    import pikepdf

    return pikepdf.Name("/" + text)


def string(text: str) -> Any:
    import pikepdf

    return pikepdf.String(text)


def array(values: Sequence[Any]) -> Any:
    import pikepdf

    return pikepdf.Array(list(values))


def dictionary(values: dict[str, Any]) -> Any:
    """A dictionary; keys without their slash."""
    import pikepdf

    return pikepdf.Dictionary({"/" + key: value for key, value in values.items()})


def stream(pdf: Any, data: bytes) -> Any:
    """A new stream of a document."""
    import pikepdf

    return pikepdf.Stream(pdf, data)


def operators(holder: Any) -> list[tuple[Any, str]]:
    """What a page or stream draws, in order: rows as pikepdf gives them, and their operators. To look at all operands
    of a large file takes ten times longer than to read it; `operands` gives those of a row."""
    import pikepdf

    return [(row, str(row.operator)) for row in pikepdf.parse_content_stream(holder)]


def operands(row: Any) -> list[Any]:
    """The operands of a row."""
    return list(row.operands)


def instruction(values: Sequence[Any], operator: str) -> Any:
    """A row that draws something else."""
    import pikepdf

    return pikepdf.ContentStreamInstruction(list(values), pikepdf.Operator(operator))


def drawn(rows: Sequence[Any]) -> bytes:
    """The bytes of rows."""
    import pikepdf

    return pikepdf.unparse_content_stream(list(rows))


def pillow_image(image: Any) -> Any:
    """An image of the document as one of Pillow."""
    import pikepdf

    return pikepdf.PdfImage(image).as_pil_image()


# --- walking ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Holder:
    """A stream of operators: of a page, or of something that pages draw. `replace` puts other operators there."""

    content: Any
    resources: Any
    replace: Callable[[bytes], None]
    page: bool = False


def holders(pdf: Any) -> Iterator[Holder]:
    """Every stream of drawing operators, each once: pages, and the forms, patterns, masks and drawn glyphs they use."""
    seen: set[tuple[int, int]] = set()
    for page in pdf.pages:
        resources = page.obj.get("/Resources", None)
        yield Holder(page, resources, _page_replacer(pdf, page), page=True)
        yield from _inside(resources, seen)


def _page_replacer(pdf: Any, page: Any) -> Callable[[bytes], None]:
    def replace(data: bytes) -> None:
        page.obj["/Contents"] = pdf.make_indirect(stream(pdf, data))

    return replace


def _inside(resources: Any, seen: set[tuple[int, int]]) -> Iterator[Holder]:
    for child in _children(resources):
        key = child.objgen
        if key != (0, 0):
            if key in seen:
                continue
            seen.add(key)
        inner = child.get("/Resources", resources)
        yield Holder(child, inner, child.write)
        yield from _inside(inner, seen)


def _children(resources: Any) -> Iterator[Any]:
    if resources is None:
        return
    for each in entries(resources, "XObject"):
        if each.get("/Subtype", None) == "/Form":
            yield each
    for each in entries(resources, "Pattern"):
        if is_stream(each):
            yield each
    for state in entries(resources, "ExtGState"):
        mask = state.get("/SMask", None)
        if mask is not None and is_dictionary(mask) and "/G" in mask:
            yield mask["/G"]
    for font in entries(resources, "Font"):
        if font.get("/Subtype", None) == "/Type3":
            for glyph in dict(font["/CharProcs"]).values():
                if "/Resources" not in glyph and "/Resources" in font:
                    glyph["/Resources"] = font["/Resources"]
                yield glyph


def entries(resources: Any, category: str) -> list[Any]:
    """The values of a category of resources."""
    if resources is None or "/" + category not in resources:
        return []
    return list(cast("dict[str, Any]", dict(resources["/" + category])).values())


def all_resources(pdf: Any) -> list[Any]:
    """The resources of everything that draws; some may occur twice."""
    return [holder.resources for holder in holders(pdf) if holder.resources is not None]


def is_stream(value: Any) -> bool:
    import pikepdf

    return isinstance(value, pikepdf.Stream)


def is_dictionary(value: Any) -> bool:
    import pikepdf

    return isinstance(value, pikepdf.Dictionary)


def times(inner: Matrix, outer: Matrix) -> Matrix:
    """The matrix that does `inner` first."""
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)
