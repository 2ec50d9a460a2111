"""``ludoloom catalogue``: everything of a game on one HTML page, to search, to filter, to look at."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoloom.compiler.cli.game import PacksDirs, WithPacks, check_all, leave, refuse, show
from ludoloom.compiler.cli.output import write
from ludoloom.compiler.cli.sheets import progress, refuse_unless_spoken
from ludoloom.compiler.diagnostics.wording import count

if TYPE_CHECKING:
    from ludoloom.compiler.analysis.tree import GameTree
    from ludoloom.compiler.catalogue.model import Catalogue, Picture
    from ludoloom.compiler.sheets.model import Faces


def run(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Folder or id of the game.")] = ".",
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="WORD", help="Items, kinds or families, by commas; may be repeated."),
    ] = None,
    language: Annotated[str, typer.Option("--language", metavar="L", help="A language of the game.")] = "",
    no_pictures: Annotated[bool, typer.Option("--no-pictures", help="Text and values only.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The page. [default: build/catalogue/<id>.html]")
    ] = None,
    with_packs: WithPacks = None,
    packs: PacksDirs = None,
) -> int:
    """Write an HTML page of all things of a game: pictures of their faces, texts, values, origin, copies, and the place
    in the YAML. It is one file that needs no network; open it in a browser, put it on a web site, or send it.

    \b
    ludoloom catalogue my_game
    ludoloom catalogue my_game --with my_expansion --out cards.html
    ludoloom catalogue my_game --only spells --no-pictures
    """
    from ludoloom.compiler.catalogue.entries import entries
    from ludoloom.compiler.catalogue.page import page
    from ludoloom.runtime.serial import write_whole

    checked = check_all([game], with_packs or [], [str(folder) for folder in packs or ()])
    if len(checked.games) != 1:
        refuse(f"`{game}` holds {len(checked.games)} games; name one")
    tree = checked.games[0].tree
    refuse_unless_spoken(language, tree)
    path = out or Path("build") / "catalogue" / f"{tree.id}.html"
    _refuse_if_taken(path)
    faces = None if no_pictures else _faces(tree, language)
    catalogue = _select(entries(tree, language, faces.printables if faces is not None else ()), tree, only or [])
    pictures = _pictures(catalogue, faces, tree, language)
    data = page(catalogue, pictures).encode()
    try:
        write_whole(path, data)
    except OSError as error:
        refuse(f"{path.as_posix()} cannot be written: {error.strerror or error}")
    write(f"{path.as_posix()}\n")
    told = f"{count(len(catalogue.entries), 'thing')}, {count(len(pictures), 'picture')}"
    print(f"{told}, {len(data) / 1e6:.1f} MB", file=sys.stderr)
    return 0


def _refuse_if_taken(path: Path) -> None:
    """End the command if something else than an earlier catalogue lies there."""
    from ludoloom.compiler.catalogue.page import MARK

    if not path.exists() and not path.is_symlink():
        return
    if not path.is_file() or path.is_symlink():
        refuse(f"{path.as_posix()} is not a file")
    try:
        with path.open("rb") as file:
            ours = MARK.encode() in file.read(1000)
    except OSError as error:
        refuse(f"{path.as_posix()} cannot be read: {error.strerror or error}")
    if not ours:
        refuse(f"{path.as_posix()} is no catalogue and would be lost; choose another file with `--out`")


def _faces(tree: GameTree, language: str) -> Faces | None:
    """The faces of a game; None if they cannot be drawn here. What is wrong with them is shown, and ends the command if
    they cannot be drawn at all."""
    from ludoloom.compiler.catalogue import pictures
    from ludoloom.compiler.diagnostics.model import Bag
    from ludoloom.compiler.sheets.faces import faces
    from ludoloom.compiler.sheets.model import Wish

    if not pictures.available():
        print('without pictures, which need more packages: `pip install "ludoloom[print]"`', file=sys.stderr)
        return None
    bag = Bag()
    found = faces(tree, Wish(0, 0, language=language), bag)
    show(bag.findings)
    if bag.failed:
        leave(1)
    return found


def _select(catalogue: Catalogue, tree: GameTree, words: list[str]) -> Catalogue:
    if not words:
        return catalogue
    from dataclasses import replace

    from ludoloom.compiler.analysis.declare import declare
    from ludoloom.compiler.diagnostics.model import Bag
    from ludoloom.compiler.sheets.selection import UnknownWord, chosen, other_names

    also = other_names(declare(tree, tree.combinations[0], Bag()))
    try:
        return replace(catalogue, entries=tuple(chosen(catalogue.entries, words, also)))
    except UnknownWord as error:
        refuse(str(error).replace("nothing that is printed", "nothing"))


def _pictures(catalogue: Catalogue, faces: Faces | None, tree: GameTree, language: str) -> Mapping[str, Picture]:
    """The pictures of what was chosen; none without faces."""
    if faces is None:
        return {}
    from ludoloom.compiler.catalogue.pictures import NotDrawn, drawn

    keys = {key for entry in catalogue.entries for key in (entry.front, entry.back)}
    wanted = [face for face in faces.unique() if face.key in keys]
    try:
        return drawn(faces, wanted, progress())
    except NotDrawn as error:
        from ludoloom.compiler.diagnostics.model import Bag
        from ludoloom.compiler.sheets import fit
        from ludoloom.compiler.sheets.sources import Sources

        bag = Bag()
        fit.findings(error.result, error.source, faces, Sources.of(tree), bag, language=language)
        show(bag.findings)
        leave(1)
