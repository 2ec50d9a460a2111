"""Where the spaces of a map lie in print, in cells from its upper left corner.

field: {rg: {centre: [10, 0], extent: [30, 10]}, …}     ->     rg: 0, 0, 3 wide, 1 high
"""

from __future__ import annotations

from math import cos, hypot, pi, sin

from ludoloom.compiler.analysis.model import MapDecl


def places(declared: MapDecl) -> dict[str, tuple[float, float, float, float]]:
    """Left, top, width and height of each space, in cells, where the map says where they lie; else the centres, on a
    ring from 0 to 1."""
    if declared.centres_of:
        return _drawn(declared)
    many = len(declared.space_ids)
    return {
        name: (0.5 + 0.42 * sin(2 * pi * k / many), 0.5 - 0.42 * cos(2 * pi * k / many), 0.0, 0.0)
        for k, name in enumerate(declared.space_ids)
    }


def _drawn(declared: MapDecl) -> dict[str, tuple[float, float, float, float]]:
    """A drawn map has square cells; in a listed one the smallest side of a space is one cell, or, where no space has an
    extent, the smallest way between two."""
    if not declared.centres_of:
        return {}
    if declared.form != "listed":
        return {name: (x / 1000, y / 1000, 1.0, 1.0) for name, (x, y) in declared.centres_of.items()}
    sizes = {name: _extent(declared, name) for name in declared.centres_of}
    sides = [side for size in sizes.values() if size is not None for side in size]
    unit = min(sides) if sides else _nearest(list(declared.centres_of.values()))
    boxes: dict[str, tuple[float, float, float, float]] = {}
    for name, (x, y) in declared.centres_of.items():
        width, height = sizes[name] or (unit, unit)
        boxes[name] = ((x - width / 2) / unit, (y - height / 2) / unit, width / unit, height / unit)
    left, top = (min(box[side] for box in boxes.values()) for side in (0, 1))
    return {name: (x - left, y - top, width, height) for name, (x, y, width, height) in boxes.items()}


def _extent(declared: MapDecl, name: str) -> tuple[float, float] | None:
    outline = declared.outlines_of.get(name)
    if outline is None:
        return None
    across, down = ([corner[side] for corner in outline.corners] for side in (0, 1))
    return max(across) - min(across), max(down) - min(down)


def _nearest(centres: list[tuple[int, int]]) -> float:
    """The smallest way between two different places; some length where there is none."""
    ways = (hypot(x - a, y - b) for k, (x, y) in enumerate(centres) for a, b in centres[:k])
    return min((way for way in ways if way > 0), default=1000.0)


def map_cells(declared: MapDecl) -> dict[str, float]:
    """How many cells a map is wide and high."""
    boxes = list(_drawn(declared).values()) or [(0.0, 0.0, 1.0, 1.0)]
    return {"across": max(x + width for x, _, width, _ in boxes), "down": max(y + height for _, y, _, height in boxes)}
