"""Every game that ships is printed and read back: pages, boxes, fonts, and that the cards on the pages are the deck.

A slot of the manifest says which item lies in which rectangle of which page; there pypdf must find the item's title."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from reading import MM, near

from ludoloom.compiler import pipeline
from ludoloom.compiler.analysis.declare import declare
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.sheets.faces import faces
from ludoloom.compiler.sheets.manifest import verify
from ludoloom.compiler.sheets.model import Wish
from ludoloom.compiler.sheets.pages import Layout
from ludoloom.compiler.sheets.paper import PAPERS
from ludoloom.compiler.sheets.produce import Order, produce
from ludoloom.compiler.sheets.targets import TARGETS
from ludoloom.compiler.sheets.typeset import available

pytestmark = pytest.mark.skipif(not available(), reason="needs the extra `print`")
ROOT = Path(__file__).parents[2]
GAMES = sorted(path.parent for path in (ROOT / "content").glob("*/game.yaml"))


@pytest.mark.slow
@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_the_cards_on_the_pages_are_the_deck(folder: Path, tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    checked = pipeline.load([str(folder)])
    assert not checked.bag.failed
    tree = checked.games[0].tree
    bag = Bag()
    found = faces(tree, Wish(2, 3, ink="low"), bag)  # fewer shapes to read through
    assert not bag.failed
    made = produce(found, found.printables, Order(TARGETS["home"], Layout(PAPERS["a4"])), tmp_path)
    assert made.faults == ()
    assert verify(tmp_path) == []
    slots = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))["slots"]

    fronts = Counter(slot["item"] for slot in slots if slot["side"] == "front" and slot["copy"] > 0)
    expected = {each.item: each.copies for each in found.printables}
    declared = declare(tree, tree.combinations[0], Bag())
    for item, copies in expected.items():
        if item in declared.items:
            assert declared.items[item].copies == copies
        posters = {(slot["file"], slot["page"]) for slot in slots if slot["item"] == item and slot["side"] == "front"}
        assert fronts[item] in (copies, len(posters))

    readers = {file.name: pypdf.PdfReader(tmp_path / file.name) for file in made.files}
    for file in made.files:
        reader = readers[file.name]
        assert len(reader.pages) == len(file.pages)
        for page, laid in zip(reader.pages, file.pages, strict=True):
            size = [float(edge) * MM for edge in page.mediabox]
            assert size == near([0, 0, laid.size.width, laid.size.height], 0.01)
            for font in page["/Resources"].get("/Font", {}).values():
                inner = font.get_object()["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
                assert "/FontFile3" in inner or "/FontFile2" in inner
            if laid.side == "back":
                continue
            words = _words(page, laid.size.height)
            for placed in laid.placed:
                if placed.face.side == "front" and laid.window is None:
                    box = placed.trim
                    inside = "".join(
                        text for x, y, text in words if box.x <= x <= box.right and box.y <= y <= box.bottom
                    )
                    assert _plain(placed.face.title) in _plain(inside), (placed.item, inside)


def _words(page: Any, height: float) -> list[tuple[float, float, str]]:
    """What is written where, in millimetres from the upper left corner."""
    found: list[tuple[float, float, str]] = []

    def visit(text: str, outer: Sequence[float], inner: Sequence[float], *_: object) -> None:
        if text.strip():
            e, f = inner[4], inner[5]
            x, y = e * outer[0] + f * outer[2] + outer[4], e * outer[1] + f * outer[3] + outer[5]
            found.append((x * MM, height - y * MM, text))

    page.extract_text(visitor_text=visit)
    return found


def _plain(text: str) -> str:
    return "".join(text.split()).replace("\u00ad", "").replace("-", "").casefold()
