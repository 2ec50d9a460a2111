"""Draws the pictures of this folder: ``PYTHONPATH=.pypath python docs/pictures/draw.py [GAME]…``.

For each game that ships and each target the first page, small: what the README and the page about printing show. Needs
the extra `print` and poppler's pdftoppm."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from PIL import Image

from ludoloom.compiler import pipeline
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.sheets.faces import faces
from ludoloom.compiler.sheets.ghostscript import program
from ludoloom.compiler.sheets.model import Faces, Printable, Wish
from ludoloom.compiler.sheets.pages import Layout
from ludoloom.compiler.sheets.paper import PAPERS
from ludoloom.compiler.sheets.produce import Order, Refused, produce
from ludoloom.compiler.sheets.targets import TARGETS, Target

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LARGEST = 560
"""Pixels of the longer side of a picture."""
COLOURS = 96


def main() -> None:
    games = sys.argv[1:] or sorted(path.parent.name for path in (ROOT / "content").glob("*/game.yaml"))
    for game in games:
        tree = pipeline.load([str(ROOT / "content" / game)]).games[0].tree
        for target in TARGETS.values():
            if target.outlines and program() is None:
                continue
            bleed = 3.0 if target.furniture else target.bleed * 1.05
            found = faces(tree, Wish(bleed, bleed), Bag())
            with tempfile.TemporaryDirectory() as folder:
                picture = _picture(found, target, Path(folder))
            if picture is not None:
                picture.thumbnail((LARGEST, LARGEST))
                path = HERE / f"{game}-{target.name}.png"
                picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
                print(f"{path.name}  {path.stat().st_size:,} bytes")


def _picture(found: Faces, target: Target, folder: Path) -> Image.Image | None:
    """The first page that a target is given, or its first pictures in a row."""
    many = {"sheets": 18, "cards": 2, "images": 3, "table": 20}[target.form]
    things = _some(found, many)
    layout = Layout(
        PAPERS[target.paper or "a4"],
        target.backs or "long",
        gap=target.gap,
        bleed=2.0 if target.furniture else target.bleed,
        marks="corners" if target.furniture else "none",
        furniture=target.furniture,
        turn=target.turn,
        grid=target.grid,
    )
    try:
        made = produce(found, things, Order(target, layout), folder)
    except Refused as error:
        print(f"{found.game}, {target.title}: {error}", file=sys.stderr)
        return None
    names = [file.name for file in made.files if not file.name.endswith(".json")]
    if target.form == "table":
        return Image.open(folder / names[0]).copy()
    if target.form == "images":
        return _row([Image.open(folder / name) for name in names[:3]])
    pages = [1, 2] if target.form == "cards" else [1]
    shown = [folder / f"page-{page}.png" for page in pages]
    for page, path in zip(pages, shown, strict=True):
        ends = ["-f", str(page), "-l", str(page), "-singlefile", "-r", "110", "-png"]
        subprocess.run(["pdftoppm", *ends, str(folder / names[0]), str(path.with_suffix(""))], check=True)
    return _row([Image.open(path) for path in shown])


def _some(found: Faces, many: int) -> list[Printable]:
    """The first things of the kind with the most that have a back, one of each, so that a page shows different ones."""
    kinds: dict[str, list[Printable]] = {}
    for each in found.printables:
        if each.back is not None:
            kinds.setdefault(each.kind, []).append(replace(each, copies=1))
    largest = max(kinds.values(), key=len)
    return largest[:many]


def _row(pictures: list[Image.Image]) -> Image.Image:
    gap = max(picture.width for picture in pictures) // 20
    width = sum(picture.width for picture in pictures) + gap * (len(pictures) - 1)
    whole = Image.new("RGB", (width, max(picture.height for picture in pictures)), "white")
    at = 0
    for picture in pictures:
        whole.paste(picture.convert("RGB"), (at, 0))
        at += picture.width + gap
    return whole


if __name__ == "__main__":
    main()
