"""Faces as pictures that stand in a page: each a data URI.

    drawn(faces, faces.unique())  ->  {"rope.front": Picture("data:image/svg+xml,%3Csvg …", 63, 88)}

They are drawn by Typst from the same text as the sheets, without bleed and with round corners. SVG stays sharp at every
size and is mostly smaller; a face whose drawing would be large (a map with ten thousand shapes, a photograph) becomes
PNG if that is smaller. Typst writes nine decimals; two, of a point, are finer than any screen and a fifth shorter.
"""

from __future__ import annotations

import base64
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from ludoloom.compiler.catalogue.model import Outline, Picture
from ludoloom.compiler.sheets import fonts, pdf, raster, typeset
from ludoloom.compiler.sheets.model import Face, Faces, Output, Typeset

LARGE: Final = 120_000
"""Characters of an SVG from which on PNG is tried."""
PIXELS: Final = 1100
"""The longer side of a PNG."""
_AT_ONCE: Final = 40
_SECONDS: Final = 600
_PATH: Final = re.compile(r' d="([^"]*)"')
_OTHER: Final = re.compile(r' (?:transform|x|y|width|height|viewBox|stroke-width|cx|cy|r)="([^"]*)"')
_NUMBER: Final = re.compile(r"-?\d+\.\d+")

Progress = Callable[[int, int, str], None]


class NotDrawn(Exception):
    """Typst complained; `result` says where in `source`."""

    def __init__(self, result: Typeset, source: str) -> None:
        super().__init__(result.stopped or (result.troubles[0].message if result.troubles else ""))
        self.result, self.source = result, source


def available() -> bool:
    """Whether the packages that draw faces are installed (`pip install ludoloom[print]`)."""
    return typeset.available() and fonts.available() and raster.available() and pdf.available()


def drawn(faces: Faces, wanted: Sequence[Face], tell: Progress | None = None) -> dict[str, Picture]:
    """The pictures of faces by key. Raises `NotDrawn`."""
    found: dict[str, Picture] = {}
    with tempfile.TemporaryDirectory(prefix="ludoloom-") as folder:
        for start in range(0, len(wanted), _AT_ONCE):
            part = wanted[start : start + _AT_ONCE]
            if tell is not None:
                tell(start, len(wanted), f"faces {start + 1} to {start + len(part)} of {len(wanted)}")
            written = _typeset(faces, part, Output(Path(folder) / f"{start}-{{page}}.svg", "svg"))
            for face, path in zip(part, written, strict=True):
                uri = _svg(path.read_text(encoding="utf-8"))
                if len(uri) > LARGE:
                    uri = min(uri, _png(faces, face, Path(folder)), key=len)
                found[face.key] = Picture(uri, face.size.width, face.size.height, _outline(face))
                path.unlink()
    if tell is not None:
        tell(len(wanted), len(wanted), "done")
    return found


def _typeset(faces: Faces, shown: Sequence[Face], output: Output) -> tuple[Path, ...]:
    source = faces.preamble.text + "".join(map(_page, shown))
    result = typeset.typeset(source, faces.preamble.files, [output], reports=False, seconds=_SECONDS)
    if not result.ok:
        raise NotDrawn(result, source)
    return result.written


def _page(face: Face) -> str:
    """A face alone on a page of its size."""
    size = f"width: {face.size.width:g}mm, height: {face.size.height:g}mm"
    round_ = f"{face.corner:g}mm" if face.shape == "rectangle" else "0mm"
    back = f"dx: -{face.bleed:g}mm, dy: -{face.bleed:g}mm"
    return (
        f"#page({size}, margin: 0mm, fill: none, box({size}, radius: {round_}, clip: true, fill: white, "
        f"place(top + left, {back}, {face.body})))\n"
    )


def _outline(face: Face) -> Outline:
    if face.shape == "rectangle":
        return "card"
    return "tall-hexagon" if face.size.height > face.size.width else "wide-hexagon"


def _png(faces: Faces, face: Face, folder: Path) -> str:
    ppi = min(200.0, PIXELS / (max(face.size.width, face.size.height) / 25.4))
    (path,) = _typeset(faces, [face], Output(folder / "large-{page}.png", "png", ppi=ppi))
    return "data:image/png;base64," + base64.b64encode(path.read_bytes()).decode("ascii")


def _svg(text: str) -> str:
    """An SVG as a data URI in which no sign is left that means something to HTML."""
    short = _PATH.sub(lambda d: f' d="{_NUMBER.sub(_hundredths, d[1])}"', text)
    short = _OTHER.sub(lambda rest: _NUMBER.sub(_five, rest[0]), short)
    for sign, code in (("%", "%25"), ("#", "%23"), ("<", "%3C"), (">", "%3E"), ("&", "%26")):
        short = short.replace(sign, code)
    # The other quotes are shorter, unless some stand in the drawing.
    short = short.replace('"', "%22").replace("'", "%27") if "'" in short else short.replace('"', "'")
    return "data:image/svg+xml," + " ".join(short.split())


def _hundredths(number: re.Match[str]) -> str:
    """A coordinate, in points."""
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".").replace("-0.", "-.") if float(number[0]) else "0"


def _five(number: re.Match[str]) -> str:
    """A number that may be a factor: what counts are its digits, not its decimals."""
    return f"{float(number[0]):.5g}" if "e" not in f"{float(number[0]):.5g}" else number[0]
