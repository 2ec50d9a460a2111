"""The correction of a printer: what is read off the test page undoes what the printer does."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import near

from ludoloom.compiler.sheets import calibrate
from ludoloom.compiler.sheets.calibrate import CORNERS, INSET, BadCalibration, Calibration, matrix, solve
from ludoloom.compiler.sheets.model import Size
from ludoloom.compiler.sheets.paper import PAPERS, POINTS

A4 = PAPERS["a4"].size
Point = tuple[float, float]


def _corner(name: str, paper: Size) -> Point:
    return (
        INSET if name.endswith("left") else paper.width - INSET,
        INSET if name.startswith("upper") else paper.height - INSET,
    )


def _corrected(point: Point, calibration: Calibration, paper: Size) -> Point:
    """Where a point of the page (downwards, in millimetres) is drawn, by way of the matrix of the PDF."""
    a, b, c, d, e, f = matrix(calibration, paper)
    x, y = point[0] * POINTS, (paper.height - point[1]) * POINTS
    return ((a * x + c * y + e) / POINTS, paper.height - (b * x + d * y + f) / POINTS)


SMALL = st.floats(-2, 2).map(lambda x: round(x, 3))


@given(st.tuples(SMALL, SMALL), st.tuples(*[st.floats(-0.008, 0.008)] * 4))
@settings(max_examples=100, deadline=None)
def test_a_printer_that_is_off_prints_right_with_its_correction(move: Point, bend: tuple[float, ...]) -> None:
    """A printer that moves, scales and skews: at each corner the scale shows the reading where the cross lies."""
    middle = (A4.width / 2, A4.height / 2)
    a, b, c, d = 1 + bend[0], bend[1], bend[2], 1 + bend[3]

    def printed(point: Point) -> Point:
        x, y = point[0] - middle[0], point[1] - middle[1]
        return (a * x + c * y + middle[0] + move[0], b * x + d * y + middle[1] + move[1])

    def read(corner: Point) -> Point:
        # Which point of the drawing comes to lie at the corner; seen from there, the reading.
        x, y = corner[0] - middle[0] - move[0], corner[1] - middle[1] - move[1]
        determinant = a * d - b * c
        drawn = ((d * x - c * y) / determinant + middle[0], (a * y - b * x) / determinant + middle[1])
        return (drawn[0] - corner[0], drawn[1] - corner[1])

    calibration = solve({name: read(_corner(name, A4)) for name in CORNERS}, A4)
    for point in [(0.0, 0.0), (210.0, 297.0), (30.0, 250.0), middle]:
        assert printed(_corrected(point, calibration, A4)) == near(point, 0.02)


def test_one_corner_tells_the_offset() -> None:
    assert solve({"upper_left": (0.5, -1)}, A4) == Calibration(offset=(0.5, -1))


@pytest.mark.parametrize(
    ("readings", "message"),
    [
        ({}, "no corner was read"),
        ({"middle": (1.0, 1.0)}, "there is no corner `middle`"),
        ({"upper_left": (50.0, 0.0)}, "cannot be right"),
        ({"upper_left": (float("nan"), 0.0)}, "cannot be right"),
    ],
)
def test_slips_of_the_pen_are_refused(readings: dict[str, Point], message: str) -> None:
    with pytest.raises(BadCalibration, match=message):
        solve(readings, A4)


def test_a_correction_is_kept_and_read(tmp_path: Path) -> None:
    path = tmp_path / "office.json"
    made = Calibration((0.5, -1.25), (1.001, 0.998), (0.1, -0.2))
    path.write_text(calibrate.text(made), encoding="utf-8")
    assert calibrate.read(path) == made


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("[1]", "holds no calibration"),
        ('{"offset": [1]}', "must be two numbers"),
        ('{"offset": [true, 1]}', "must be two numbers"),
        ('{"scale": [2, 1]}', "between 0.9 and 1.1"),
        ('{"shift": [0, 1]}', "there is no `shift`"),
        ('{"offset": [1e400, 0]}', "between -20 and 20"),
    ],
)
def test_a_damaged_file_is_told(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "office.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadCalibration, match=message):
        calibrate.read(path)


def test_the_folder_of_printers_follows_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUDOLOOM_CONFIG", str(tmp_path))
    assert calibrate.file_of("office") == tmp_path / "printers" / "office.json"
    assert calibrate.file_of("here/mine.json") == Path("here/mine.json")
    assert calibrate.known() == []
    (tmp_path / "printers").mkdir()
    (tmp_path / "printers" / "office.json").write_text("{}", encoding="utf-8")
    assert calibrate.known() == ["office"]
