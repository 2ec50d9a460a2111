"""The correction of a printer whose back sides do not come out where its front sides are.

    Calibration(offset=(0.5, -1.0))          backs are printed 0.5 mm further right and 1 mm higher
    solve({"upper_left": (0.5, -1), …})      the correction, from what was read off the printed page
    matrix(calibration, page)                the same as a matrix for a PDF

The test page has a cross in four places on its front and scales in the same places on its back. Held against the light
and seen from the back, each cross lies somewhere on its scales. The scales are printed by the printer that is off, so
what they show at the cross is what would have had to be drawn there: readings *are* the correction, in four places,
which tell offset, scale and skew at once. It is kept in a file of the user, one for each printer."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, cast

from ludoloom.compiler.sheets.marks import Line, Mark, Text
from ludoloom.compiler.sheets.model import Size
from ludoloom.compiler.sheets.paper import Paper
from ludoloom.compiler.sheets.pdf import POINTS, Matrix

INSET: Final = 25.0
"""Millimetres from the edges of the paper to the crosses."""
CORNERS: Final = ("upper_left", "upper_right", "lower_left", "lower_right")
_MOST: Final = 20.0
"""No printer is off by more than this; what is more is a slip of the pen."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is done to back sides, about the middle of the page: scaled, skewed (degrees by which level and upright
    lines are turned clockwise), then moved (millimetres to the right and down)."""

    offset: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)
    skew: tuple[float, float] = (0.0, 0.0)


class BadCalibration(ValueError):
    """A file or a reading that is no calibration; the message says why."""


def matrix(calibration: Calibration, page: Size) -> Matrix:
    """The change of a page in points, from the lower left corner and upwards, as PDF counts."""
    (dx, dy), (sx, sy) = calibration.offset, calibration.scale
    along, upright = (math.radians(angle) for angle in calibration.skew)
    # Downwards coordinates: where the unit vectors go. Turned clockwise, a level line goes down to the right and an
    # upright one (downwards) goes to the left.
    a, b = sx * math.cos(along), sx * math.sin(along)
    c, d = -sy * math.sin(upright), sy * math.cos(upright)
    middle = (page.width / 2 * POINTS, page.height / 2 * POINTS)
    b, c = -b, -c
    e = middle[0] - a * middle[0] - c * middle[1] + dx * POINTS
    f = middle[1] - b * middle[0] - d * middle[1] - dy * POINTS
    return (a, b, c, d, e, f)


def solve(readings: Mapping[str, tuple[float, float]], paper: Size) -> Calibration:
    """The correction for what was read at corners of the test page: where the cross lies on the scales, millimetres to
    the right and down. One corner tells the offset, all four the rest too."""
    for corner, (right, down) in readings.items():
        if corner not in CORNERS:
            raise BadCalibration(f"there is no corner `{corner}`: {', '.join(CORNERS)}")
        if not math.isfinite(right + down) or max(abs(right), abs(down)) > _MOST:
            raise BadCalibration(f"a shift of {right:g}, {down:g} mm cannot be right: at most {_MOST:g} mm")
    if not readings:
        raise BadCalibration("no corner was read")
    count = len(readings)
    offset = _rounded(sum(x for x, _ in readings.values()) / count, sum(y for _, y in readings.values()) / count, 3)
    if count < len(CORNERS):
        return Calibration(offset)
    width, height = paper.width - 2 * INSET, paper.height - 2 * INSET

    def slope(starts: tuple[str, str], ends: tuple[str, str], way: int, length: float) -> float:
        grown = (readings[end][way] - readings[start][way] for start, end in zip(starts, ends, strict=True))
        return sum(grown) / 2 / length

    left, right = ("upper_left", "lower_left"), ("upper_right", "lower_right")
    upper, lower = ("upper_left", "upper_right"), ("lower_left", "lower_right")
    a, b = 1 + slope(left, right, 0, width), slope(left, right, 1, width)
    c, d = slope(upper, lower, 0, height), 1 + slope(upper, lower, 1, height)
    return Calibration(
        offset,
        _rounded(math.hypot(a, b), math.hypot(c, d), 6),
        _rounded(math.degrees(math.atan2(b, a)), math.degrees(math.atan2(-c, d)), 4),
    )


def _rounded(one: float, other: float, digits: int) -> tuple[float, float]:
    return (round(one, digits) + 0.0, round(other, digits) + 0.0)


# --- the file of a printer -------------------------------------------------------------------------------------------


def folder() -> Path:
    """Where corrections are kept; `LUDOLOOM_CONFIG` names another place."""
    if chosen := os.environ.get("LUDOLOOM_CONFIG"):
        return Path(chosen) / "printers"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", str(Path.home()))) / "ludoloom" / "printers"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "ludoloom" / "printers"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "ludoloom" / "printers"


def file_of(printer: str) -> Path:
    """The file of a printer: a path as it is, a name in the folder of printers."""
    if printer.endswith(".json") or "/" in printer or "\\" in printer:
        return Path(printer)
    return folder() / f"{printer}.json"


def known() -> list[str]:
    """The printers of which there is a correction."""
    return sorted(path.stem for path in folder().glob("*.json")) if folder().is_dir() else []


def read(path: Path) -> Calibration:
    """A correction from its file."""
    try:
        found = cast("object", json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise BadCalibration(f"{path.as_posix()} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise BadCalibration(f"{path.as_posix()} is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise BadCalibration(f"{path.as_posix()} holds no calibration")
    rows = cast("dict[str, Any]", found)
    if unknown := sorted(set(rows) - {"offset", "scale", "skew"}):
        raise BadCalibration(f"{path.as_posix()}: there is no `{unknown[0]}`; a calibration has offset, scale and skew")
    limits = {"offset": (-_MOST, _MOST), "scale": (0.9, 1.1), "skew": (-5.0, 5.0)}
    values: dict[str, tuple[float, float]] = {}
    for key, value in rows.items():
        low, high = limits[key]
        pair = cast("list[Any]", value) if isinstance(value, list) else []
        if len(pair) != 2 or not all(isinstance(x, int | float) and not isinstance(x, bool) for x in pair):
            raise BadCalibration(f"{path.as_posix()}: `{key}` must be two numbers")
        if not all(low <= x <= high for x in pair):
            raise BadCalibration(f"{path.as_posix()}: `{key}` must lie between {low:g} and {high:g}")
        values[key] = (float(pair[0]), float(pair[1]))
    return Calibration(**values)


def text(calibration: Calibration) -> str:
    """A correction as its file holds it."""
    return json.dumps(asdict(calibration), indent=2) + "\n"


# --- the test page ---------------------------------------------------------------------------------------------------


def test_page(paper: Paper, back: bool) -> list[Mark]:
    """What is drawn on one side of the test page. The back is laid out for a turn over the long edge: seen from the
    back, its upper left scale lies behind the upper right cross of the front."""
    found, size = list[Mark](), paper.size
    for corner in CORNERS:
        x = INSET if corner.endswith("left") else size.width - INSET
        y = INSET if corner.startswith("upper") else size.height - INSET
        found += _scale(x, y) if back else _cross(x, y)
        found.append(Text(x - 12, y + 18, corner.replace("_", " ") if back else "", 7))
    lines = _BACK if back else _FRONT
    for number, words in enumerate(line.replace("PAPER", paper.name) for line in lines):
        found.append(Text(INSET, size.height / 2 + 6 * number - 12, words, 9))
    if not back:
        found.append(Line(INSET, size.height / 2 + 24, INSET + 100, size.height / 2 + 24))
        for step in range(11):
            at = INSET + 10 * step
            found.append(Line(at, size.height / 2 + 24, at, size.height / 2 + (21 if step % 5 == 0 else 22.5)))
    return [mark for mark in found if not (isinstance(mark, Text) and not mark.words)]


_FRONT: Final = (
    "Front. Print both sides at 100 %, turned over the long edge, on thin paper.",
    "The ruler below must be 100 mm long; else the printer scales: switch that off first.",
)
_BACK: Final = (
    "Back. Hold the sheet against the light. In each corner read where the cross of the",
    "front lies on the scales: how many millimetres to the right of zero, and how many below.",
    "Then write, for each corner:",
    "ludoloom calibrate NAME --paper PAPER --shift upper_left=RIGHT,DOWN --shift upper_right=…",
)


def _cross(x: float, y: float) -> list[Mark]:
    return [Line(x - 14, y, x + 14, y, 0.15), Line(x, y - 14, x, y + 14, 0.15)]


def _scale(x: float, y: float) -> list[Mark]:
    """A level scale above the place of the cross and an upright one at its left: the arms of the cross reach both."""
    above, beside = y - 8, x - 8
    found: list[Mark] = [Line(x - 5, above, x + 5, above), Line(beside, y - 5, beside, y + 5)]
    for half in range(-10, 11):
        long = 3.0 if half == 0 else 2.2 if half % 10 == 0 else 1.5 if half % 2 == 0 else 0.8
        at = half / 2
        found.append(Line(x + at, above, x + at, above - long))
        found.append(Line(beside, y + at, beside - long, y + at))
    for number in (-5, 0, 5):
        found.append(Text(x + number - 1, above - 3.6, f"{number:+d}" if number else "0", 5))
        found.append(Text(beside - 6, y + number + 0.6, f"{number:+d}" if number else "0", 5))
    return found
