"""A small game with something of every family, for tests of faces."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.pipeline import load
from ludoloom.compiler.sheets import fit
from ludoloom.compiler.sheets.faces import faces
from ludoloom.compiler.sheets.model import Face, Faces, Wish
from ludoloom.compiler.sheets.sources import Sources

PACK = Path(__file__).with_name("long_valley")
GAME = (PACK / "game.yaml").read_text(encoding="utf-8")
SHEETS = (PACK / "sheets.yaml").read_text(encoding="utf-8")


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def valley(folder: Path, more: Mapping[str, str | bytes] = {}, *, game: str = GAME, sheets: str = SHEETS) -> Path:
    """The game in a folder, with more files."""
    return write(folder / "valley", {"game.yaml": game, "sheets.yaml": sheets, **more})


def drawn(folder: Path, wish: Wish | None = None, *, fitted: bool = False) -> tuple[Faces, Bag]:
    """The faces of the game in a folder, and all that is found on the way, whether it is set or not."""
    wish = wish or Wish()
    checked = load([str(folder)])
    bag = Bag()
    assert not checked.bag.failed, [(row.code, row.message) for row in checked.bag.findings]
    tree = checked.games[0].tree
    made = faces(tree, wish, bag)
    if fitted:
        fit.check(made, Sources.of(tree), bag, language=wish.language)
    return made, bag


def found(bag: Bag) -> list[tuple[str, str, int]]:
    """Code, file, line of each finding."""
    return [(row.code, Path(row.span.file).name, row.span.line) for row in bag.findings]


def front(made: Faces, item: str) -> Face:
    return next(each.front for each in made.printables if each.item == item)


def line_of(text: str, word: str) -> int:
    """The first line in which a word stands."""
    return next(number for number, row in enumerate(text.split("\n"), 1) if word in row)
