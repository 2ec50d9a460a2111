"""Reads finished PDFs with pypdf, which the project itself does not use: where the toy faces lie, and the page boxes.

A toy face writes its key from the lower left corner of its cut edges, so the matrix of that text tells where the face
lies and how it is turned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

MM = 25.4 / 72
_KEY = re.compile(r"[a-z_0-9]+\.(front|back)")


@dataclass(frozen=True)
class Seen:
    """A face on a page: its key, its lower left corner as it is read, and the directions to its right and upper edge;
    millimetres from the lower left corner of the page."""

    key: str
    x: float
    y: float
    right: tuple[float, float]
    up: tuple[float, float]

    def corners(self, width: float, height: float) -> list[tuple[float, float]]:
        """The four corners of the cut edges, from the lower left one as the face is read, anticlockwise."""
        rx, ry = self.right[0] * width, self.right[1] * width
        ux, uy = self.up[0] * height, self.up[1] * height
        return [
            (self.x, self.y),
            (self.x + rx, self.y + ry),
            (self.x + rx + ux, self.y + ry + uy),
            (self.x + ux, self.y + uy),
        ]


@dataclass(frozen=True)
class Sheet:
    """A page: its size, its boxes in millimetres (x, y, right, top), and the faces on it."""

    width: float
    height: float
    boxes: dict[str, tuple[float, float, float, float]]
    seen: list[Seen]
    words: str


def near(expected: object, within: float = 1e-6) -> Any:
    """Compares with a number, or with numbers, that may differ by so much."""
    return pytest.approx(expected, abs=within)  # pyright: ignore[reportUnknownMemberType]


def read(path: Path) -> list[Sheet]:
    """All pages of a PDF."""
    pypdf = pytest.importorskip("pypdf")
    return [_sheet(page) for page in pypdf.PdfReader(str(path)).pages]


def _sheet(page: Any) -> Sheet:
    found: list[Seen] = []

    def visit(text: str, outer: Sequence[float], inner: Sequence[float], *_: object) -> None:
        if _KEY.fullmatch(text.strip()) is None:
            return
        a, b, c, d, e, f = inner
        p, q, r, s, t, u = outer
        right = (a * p + b * r, a * q + b * s)
        up = (c * p + d * r, c * q + d * s)
        found.append(Seen(text.strip(), (e * p + f * r + t) * MM, (e * q + f * s + u) * MM, right, up))

    words = str(page.extract_text(visitor_text=visit))
    boxes = {
        name: tuple(float(edge) * MM for edge in page[f"/{name}"])
        for name in ("MediaBox", "BleedBox", "TrimBox", "CropBox", "ArtBox")
        if f"/{name}" in page
    }
    media = boxes["MediaBox"]
    return Sheet(media[2] - media[0], media[3] - media[1], boxes, found, words)  # type: ignore[arg-type]
