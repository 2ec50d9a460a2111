"""``ludoloom calibrate``: a test page for duplex printing, and the correction that is read off it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ludoloom.compiler.cli.game import refuse
from ludoloom.compiler.cli.output import write
from ludoloom.compiler.cli.sheets import PaperName


def run(
    printer: Annotated[str, typer.Argument(metavar="[NAME]", help="A name for the printer, or a file.")] = "",
    paper: Annotated[PaperName | None, typer.Option("--paper", help="The paper in the printer.")] = None,
    shift: Annotated[
        list[str] | None,
        typer.Option("--shift", metavar="CORNER=RIGHT,DOWN", help="What was read in a corner, in mm; repeat it."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The test page. [default: build/calibrate-….pdf]")
    ] = None,
) -> int:
    """Correct a printer whose backs come out beside their fronts. Without `--shift` a test page is written, which says
    what to do with it; with the numbers that it shows, the correction is kept under a name for `ludoloom sheets`.

    \b
    ludoloom calibrate --paper a4
    ludoloom calibrate office --paper a4 --shift upper_left=0.5,-1 --shift upper_right=0.5,-0.5 --shift … --shift …
    ludoloom sheets my_game --paper a4 --calibration office
    """
    from ludoloom.compiler.sheets import calibrate
    from ludoloom.compiler.sheets.paper import PAPERS

    if paper is None:
        refuse("say which paper is in the printer: `--paper a4` or `--paper letter`")
    size = PAPERS[paper.value].size
    if not shift:
        return _test_page(out or Path("build") / f"calibrate-{paper.value}.pdf", paper)
    if not printer:
        refuse("give the printer a name: `ludoloom calibrate office --paper a4 --shift …`")
    readings: dict[str, tuple[float, float]] = {}
    for text in shift:
        corner, sign, numbers = text.partition("=")
        parts = numbers.split(",")
        try:
            right, down = (float(part) for part in parts)
        except ValueError:
            sign = ""
            right = down = 0.0
        if not sign:
            refuse(f"`--shift {text}`: write `--shift upper_left=0.5,-1`, millimetres to the right and down")
        if corner.strip() in readings:
            refuse(f"`{corner.strip()}` is given twice")
        readings[corner.strip()] = (right, down)
    try:
        found = calibrate.solve(readings, size)
    except calibrate.BadCalibration as error:
        refuse(str(error))
    path = calibrate.file_of(printer)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch = path.with_name(f".{path.name}.new")
        scratch.write_text(calibrate.text(found), encoding="utf-8")
        scratch.replace(path)
    except OSError as error:
        refuse(f"{path.as_posix()} cannot be written: {error.strerror or error}")
    (dx, dy), (sx, sy), (along, upright) = found.offset, found.scale, found.skew
    write(f"{path.as_posix()}\n")
    print(
        f"backs move {dx:+g} mm to the right and {dy:+g} mm down, are scaled by {sx:g} and {sy:g} "
        f"and turned by {along:g}° and {upright:g}°",
        file=sys.stderr,
    )
    return 0


def _test_page(out: Path, paper: PaperName) -> int:
    from ludoloom.compiler.cli.sheets import refuse_if_missing
    from ludoloom.compiler.sheets.calibration_page import write_page
    from ludoloom.compiler.sheets.paper import PAPERS

    refuse_if_missing()
    try:
        write_page(PAPERS[paper.value], out)
    except OSError as error:
        refuse(f"{out.as_posix()} cannot be written: {error.strerror or error}")
    write(f"{out.as_posix()}\n")
    return 0
