"""Colours become inks, never more than a limit: by arithmetic, in the file, and as another program measures it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import near

from ludoloom.compiler.sheets import pdf
from ludoloom.compiler.sheets.inks import cmyk_within, most_ink, recolour, to_cmyk, to_grey
from ludoloom.compiler.sheets.model import Output
from ludoloom.compiler.sheets.preflight import see_through
from ludoloom.compiler.sheets.typeset import available, typeset

needs_print = pytest.mark.skipif(not available(), reason="needs the extra `print`")
PART = st.floats(0, 1)


@given(st.tuples(PART, PART, PART), st.floats(1, 4))
def test_inks_keep_within_their_limit(colour: tuple[float, ...], limit: float) -> None:
    inks = to_cmyk(colour, limit)
    assert all(-1e-9 <= ink <= 1 + 1e-9 for ink in inks)
    assert sum(inks) <= limit + 1e-9
    assert min(inks[:3]) == near(0)


@pytest.mark.parametrize(
    ("colour", "inks"),
    [
        ((0, 0, 0), (0, 0, 0, 1)),
        ((1, 1, 1), (0, 0, 0, 0)),
        ((0.5, 0.5, 0.5), (0, 0, 0, 0.5)),
        ((1, 0, 0), (0, 1, 1, 0)),
        ((0.2,), (0, 0, 0, 0.8)),
        ((0.1, 0.2, 0.3, 0.4), (0.1, 0.2, 0.3, 0.4)),
    ],
)
def test_known_colours(colour: tuple[float, ...], inks: tuple[float, ...]) -> None:
    assert to_cmyk(colour) == near(inks)


def test_what_is_over_the_limit_loses_colour_not_black() -> None:
    assert to_cmyk((0.25, 0, 0)) == near((0, 1, 1, 0.75))
    assert to_cmyk((0.25, 0, 0), 2.4) == near((0, 0.825, 0.825, 0.75))


def test_greys_weigh_colours_as_the_eye_does() -> None:
    assert to_grey((0, 1, 0)) > to_grey((1, 0, 0)) > to_grey((0, 0, 1))


SOURCE = """
#set page(width: 60mm, height: 90mm, margin: 0mm)
#set text(size: 9pt)
#place(rect(width: 100%, height: 100%, fill: rgb("#2a0000")))
#place(dy: 5mm, text(fill: rgb("#ffeedd"))[coloured]) #place(dy: 15mm, text(fill: black)[black])
#place(dy: 25mm, rect(width: 40mm, height: 5mm, fill: gradient.linear(rgb("#112233"), rgb("#ffeedd"), rgb("#001100"))))
#place(dy: 32mm, circle(radius: 5mm, fill: gradient.radial(rgb("#112233"), rgb("#ffeedd")), stroke: rgb("#ff0000")))
#place(dy: 45mm, rect(width: 9mm, height: 9mm, fill: tiling(size: (2mm, 2mm), square(size: 1mm, fill: rgb("#123456")))))
#place(dy: 56mm, image("p.png", width: 20mm)) #place(dx: 25mm, dy: 56mm, image("p.jpg", width: 20mm))
#place(dy: 70mm, image("p.svg", width: 20mm)) #place(dx: 25mm, dy: 70mm, rect(fill: cmyk(90%, 90%, 90%, 90%)))
"""
SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 5"><rect width="10" height="5" fill="#334400"/>'
    b'<circle cx="3" cy="2" r="1" fill="red" stroke="#010101"/></svg>'
)


def _colourful(folder: Path) -> Path:
    image = pytest.importorskip("PIL.Image")
    band = image.radial_gradient("L").resize((200, 100))
    picture = image.merge("RGB", (band, band.rotate(90), band.rotate(180)))
    files: dict[str, bytes | Path] = {"p.svg": SVG}
    for name in ("p.png", "p.jpg"):
        picture.save(folder / name)
        files[name] = folder / name
    path = folder / "x.pdf"
    result = typeset(SOURCE, files, [Output(path, pdf_standard="1.4")], reports=False)
    assert result.ok, result.troubles
    return path


@needs_print
def test_every_colour_of_a_file_becomes_inks_within_the_limit(tmp_path: Path) -> None:
    path = _colourful(tmp_path)
    with pdf.opened(path) as before:
        assert most_ink(before)[1] > 10  # colours that are no inks
        recolour(before, cmyk_within(2.4))
        pdf.save(before, tmp_path / "inks.pdf", "1.4")
    with pdf.opened(tmp_path / "inks.pdf") as after:
        most, foreign = most_ink(after)
        assert foreign == 0
        assert 200 < most <= 240
        assert see_through(after) == []
    assert _measured(tmp_path / "inks.pdf", tmp_path) == near(most, 1.5)


def _measured(path: Path, folder: Path) -> float:
    """The most ink of a pixel, as Ghostscript draws the file in four inks."""
    if shutil.which("gs") is None:
        pytest.skip("needs Ghostscript to measure")
    image = pytest.importorskip("PIL.Image")
    out = folder / "inks.tif"
    command = ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=tiff32nc", "-r144", f"-sOutputFile={out}"]
    subprocess.run([*command, str(path)], check=True)
    with image.open(out) as drawn:
        data: bytes = drawn.tobytes()
    return max(sum(data[at : at + 4]) for at in range(0, len(data), 4)) / 2.55


@needs_print
def test_large_black_areas_are_rich_and_letters_are_not(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    text = """
#set page(width: 90mm, height: 140mm, margin: 5mm)
#rect(width: 40mm, height: 30mm, fill: black)
#rect(width: 40mm, height: 3mm, fill: black)
#rect(width: 40mm, height: 30mm, fill: rgb("#010203"))
#text(size: 60pt)[Big]
"""
    assert typeset(text, {}, [Output(path, pdf_standard="1.4")], reports=False).ok
    with pdf.opened(path) as file:
        recolour(file, cmyk_within(2.4), (0.6, 0.4, 0.4, 1.0))
        rows = [
            (operator, [float(x) for x in pdf.operands(row)])
            for row, operator in pdf.operators(file.pages[0])
            if operator == "k"
        ]
        assert [inks for _, inks in rows].count([0.6, 0.4, 0.4, 1.0]) == 1
        assert most_ink(file)[0] == near(240)
        kinds = [operator for _, operator in pdf.operators(file.pages[0])]
        assert kinds.count("BT") == 1
        last = [inks for _, inks in rows][-1]
        assert last == [0, 0, 0, 1]  # the letters


@needs_print
def test_greys_only(tmp_path: Path) -> None:
    path = _colourful(tmp_path)
    with pdf.opened(path) as file:
        recolour(file, to_grey)
        pdf.save(file, tmp_path / "grey.pdf")
    if shutil.which("pdftoppm") is None:
        pytest.skip("needs pdftoppm")
    subprocess.run(
        ["pdftoppm", "-r", "100", "-singlefile", "-png", str(tmp_path / "grey.pdf"), str(tmp_path / "g")], check=True
    )
    image: Any = pytest.importorskip("PIL.Image").open(tmp_path / "g.png").convert("RGB")
    data: bytes = image.tobytes()
    assert all(max(data[at : at + 3]) - min(data[at : at + 3]) <= 1 for at in range(0, len(data), 3))
    assert len(set(data)) > 50


@needs_print
def test_what_shows_through_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    text = '#set page(width: 9cm, height: 9cm)\n#rect(fill: rgb("#ff000080"))'
    assert typeset(text, {}, [Output(path, pdf_standard="1.4")], reports=False).ok
    with pdf.opened(path) as file:
        assert see_through(file) == ["a colour that is partly transparent"]
