"""Faces for tests: coloured boxes that carry their key as text, whose lower left corner is that of the cut edges."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from ludoloom.compiler.frontend.nodes import Span
from ludoloom.compiler.sheets.model import Face, Faces, Preamble, Printable, Shape, Size

WHERE = Span("toy/game.yaml", 1, 1, 1, 1)
POKER = Size(63, 88)


def face(key: str, side: str = "front", size: Size = POKER, bleed: float = 3.0, shape: Shape = "rectangle") -> Face:
    """A box filled with a colour of its own up to the end of the bleed; its key begins at the cut edge, on the line
    that is its foot."""
    colour = hashlib.sha256(key.encode()).hexdigest()[:6]
    body = (
        f'box(width: {size.width + 2 * bleed}mm, height: {size.height + 2 * bleed}mm, fill: rgb("#{colour}"), '
        f"place(bottom + left, dx: {bleed}mm, dy: -{bleed}mm, "
        f'text(size: 8pt, bottom-edge: "baseline", fill: white, "{key}")))'
    )
    digest = hashlib.sha256(body.encode()).hexdigest()
    return Face(key, "card", key.rpartition(".")[0] or key, side, key, size, bleed, body, digest, WHERE, shape)


def card(
    item: str, copies: int = 1, back: str | None = "", size: Size = POKER, kind: str = "card", bleed: float = 3.0
) -> Printable:
    """A card `item` with a front of its own and the back `back` (left out: one of its own, None: none)."""
    key = f"{item}.back" if back == "" else back
    behind = None if key is None else face(key, "back", size, bleed)
    front = face(f"{item}.front", "front", size, bleed)
    return Printable(item, kind, "card", item.title(), copies, front, behind, kind)


def deck(count: int, **more: object) -> list[Printable]:
    """`count` different cards."""
    return [card(f"card{number}", **more) for number in range(1, count + 1)]  # type: ignore[arg-type]


def faces(printables: Sequence[Printable]) -> Faces:
    return Faces("toy", "Toy", Preamble(""), tuple(printables))
