"""How long printing takes, against Typst alone on the same document: ``python tests/bench/sheets.py [GAME]``.

540 cards of a game (Boktor, if none is named) on 60 pages of A4. *Typst alone* is a process that does nothing but set
the finished document; *printing* lays the cards out, writes that document, has it set in the limited child process,
finishes the PDF, opens it again, checks it and writes the manifest. The goal is 1.5. What comes before, reading and
checking the game and drawing up its faces, is told beside it."""

from __future__ import annotations

import itertools
import resource
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from clock import best, process, row

from ludoloom.compiler import pipeline
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.sheets import fonts
from ludoloom.compiler.sheets.document import source
from ludoloom.compiler.sheets.faces import faces
from ludoloom.compiler.sheets.impose import impose
from ludoloom.compiler.sheets.model import Faces, Printable, Size, Wish
from ludoloom.compiler.sheets.pages import Layout
from ludoloom.compiler.sheets.paper import PAPERS
from ludoloom.compiler.sheets.produce import Order, produce
from ludoloom.compiler.sheets.targets import TARGETS
from ludoloom.compiler.sheets.typeset import stage

CARDS = 540
ALONE = """
import sys, typst
typst.Compiler(sys.argv[1], root=sys.argv[2], font_paths=typst.Fonts(False, True, [sys.argv[3]])).compile(
    output=sys.argv[4], format="pdf", timestamp=0, pdf_tags=False
)
"""


def cards_of(name: str) -> Faces:
    """A game with just so many cards of one size, all of its cards over and over."""
    tree = pipeline.load([name]).games[0].tree
    found = faces(tree, Wish(), Bag())
    poker = [each for each in found.printables if each.front.size == Size(63, 88) and each.back is not None]
    if not poker:
        sys.exit(f"{name} has no poker cards")
    many: list[Printable] = []
    for number, each in zip(range(CARDS), itertools.cycle(poker), strict=False):
        many.append(replace(each, item=f"{each.item}_{number}", copies=1))
    return replace(found, printables=tuple(many))


def _order(backs: str) -> Order:
    return Order(TARGETS["home"], Layout(PAPERS["a4"], backs="long" if backs == "long" else "none"))


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "boktor"
    made = cards_of(name)
    print(f"{CARDS} cards of {made.title}, processor time, the best of three:")
    before = best(lambda: cards_of(name), times=1)
    for backs, pages in (("none", 60), ("long", 120)):
        order = _order(backs)
        document = source(made.preamble, impose(made.printables, order.layout), made.title)
        with tempfile.TemporaryDirectory() as scratch:
            root, letters, out = Path(scratch) / "root", Path(scratch) / "fonts", Path(scratch) / "alone.pdf"
            stage(root, {"main.typ": document.encode(), **made.preamble.files})
            stage(letters, {path.name: path for path in fonts.files()})
            alone = process([sys.executable, "-c", ALONE, root / "main.typ", root, letters, out], times=3)
            whole = _printing(made, order, Path(scratch))
        row(f"{pages} pages: Typst alone", f"{alone:.2f} s")
        row(f"{pages} pages: printing", f"{whole:.2f} s")
        row(
            f"{pages} pages: printing against Typst alone",
            f"{whole / alone:.2f} x",
            "at most 1.5" if backs == "none" else "",
        )
    row("before: reading, checking, drawing up faces", f"{before:.2f} s")


def _printing(made: Faces, order: Order, scratch: Path) -> float:
    """The least time of this process and its child together."""
    shortest = float("inf")
    for number in range(3):
        folder = scratch / f"out{number}"
        folder.mkdir()
        begun = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        result = produce(made, made.printables, order, folder)
        ended = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        if result.faults:
            sys.exit(f"the preflight found {result.faults}")
        used = sum(
            after.ru_utime + after.ru_stime - (earlier.ru_utime + earlier.ru_stime)
            for earlier, after in zip(begun, ended, strict=True)
        )
        shortest = min(shortest, used)
    return shortest


if __name__ == "__main__":
    main()
