"""``ludoloom sheets``: cards and all else that is printed, for a printer at home, a service or a virtual table."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ludoloom.compiler.cli.game import PacksDirs, WithPacks, check_all, leave, refuse, show
from ludoloom.compiler.cli.output import write
from ludoloom.compiler.diagnostics.wording import count

if TYPE_CHECKING:
    from ludoloom.compiler.analysis.tree import GameTree
    from ludoloom.compiler.diagnostics.model import Bag
    from ludoloom.compiler.sheets.calibrate import Calibration
    from ludoloom.compiler.sheets.model import Faces, Printable, Typeset, Wish
    from ludoloom.compiler.sheets.pages import Layout
    from ludoloom.compiler.sheets.produce import Made
    from ludoloom.compiler.sheets.targets import Target


_PICTURES: Final = ("images", "table")
"""Forms of targets that get pictures instead of pages."""


class PaperName(StrEnum):
    """Papers for a printer at home."""

    a4 = "a4"
    letter = "letter"


class BacksName(StrEnum):
    """How backs come behind their fronts."""

    long = "long"
    short = "short"
    fold = "fold"
    separate = "separate"
    none = "none"


class MarksName(StrEnum):
    """What shows where to cut."""

    corners = "corners"
    lines = "lines"
    none = "none"


def run(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Folder or id of the game.")] = ".",
    target: Annotated[
        str, typer.Option("--target", metavar="T", help="Who prints or shows it; `--targets` lists all.")
    ] = "home",
    targets: Annotated[bool, typer.Option("--targets", help="List the targets and end.")] = False,
    paper: Annotated[PaperName | None, typer.Option("--paper", help="The paper in a printer at home.")] = None,
    backs: Annotated[
        BacksName | None,
        typer.Option("--backs", help="The edge over which the paper is turned; folded; in a file of their own; none."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="WORD", help="Items, kinds or families, by commas; may be repeated."),
    ] = None,
    changed_since: Annotated[
        str, typer.Option("--changed-since", metavar="REV|FILE", help="A git revision, or an earlier manifest.")
    ] = "",
    language: Annotated[str, typer.Option("--language", metavar="L", help="A language of the game.")] = "",
    low_ink: Annotated[bool, typer.Option("--low-ink", help="No fills and no pictures.")] = False,
    grey: Annotated[bool, typer.Option("--grey", help="In shades of grey.")] = False,
    calibration: Annotated[
        str, typer.Option("--calibration", metavar="NAME|FILE", help="A printer that `ludoloom calibrate` knows.")
    ] = "",
    marks: Annotated[MarksName | None, typer.Option("--marks", help="Where to cut. [default: corners]")] = None,
    gap: Annotated[float, typer.Option("--gap", metavar="MM", min=0, max=50, help="Between two cards.")] = 0,
    bleed: Annotated[float, typer.Option("--bleed", metavar="MM", min=0, max=10, help="Round fronts.")] = 2,
    back_bleed: Annotated[float, typer.Option("--back-bleed", metavar="MM", min=0, max=10, help="Round backs.")] = 3,
    safe: Annotated[bool, typer.Option("--safe", help="Show the zone that is safe from the knife.")] = False,
    most: Annotated[int, typer.Option("--most", metavar="N", min=1, help="The most copies in all.")] = 2000,
    url: Annotated[str, typer.Option("--url", metavar="URL", help="Before the names of a table's pictures.")] = "",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where the files go. [default: build/sheets/…]")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only draw every face, and tell what does not fit; nothing is written.")
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Only see whether the files are as they were written.")
    ] = False,
    with_packs: WithPacks = None,
    packs: PacksDirs = None,
) -> int:
    """Print a game: cards, boards, tiles, tokens; fronts and backs that meet; files that are opened again and checked.

    The paths of the files come on standard output. A folder appears whole, with a manifest, or not at all.

    \b
    ludoloom sheets my_game --paper a4                      fronts and backs, turned over the long edge
    ludoloom sheets my_game --paper letter --backs fold     printed on one side: fold, glue, cut
    ludoloom sheets my_game --paper a4 --only spells,goblin
    ludoloom sheets my_game --paper a4 --changed-since v1.2
    ludoloom sheets my_game --target tabletopsimulator
    """
    from ludoloom.compiler.sheets.pages import DoesNotFit
    from ludoloom.compiler.sheets.place import NotOurs, fresh_folder, refuse_if_taken
    from ludoloom.compiler.sheets.produce import NotTypeset, Order, Refused, produce, refuse_if_unable
    from ludoloom.compiler.sheets.targets import TARGETS

    if targets:
        write("".join(f"{row.name:<18} {row.title}: {row.says}\n" for row in TARGETS.values()))
        return 0
    for name, millimetres in (("--gap", gap), ("--bleed", bleed), ("--back-bleed", back_bleed)):
        if not math.isfinite(millimetres):  # what is no number is on no side of a bound, so it passes both
            refuse(f"`{name} {millimetres}`: write a number of millimetres")
    if check:
        return _check(game, with_packs or [], packs or [], only or [], language)
    chosen = _target(target)
    if url and chosen.form != "table":
        refuse(f"{chosen.title} loads no pictures from an address; leave `--url` out")
    layout = _layout(chosen, paper, backs, marks, gap, bleed, back_bleed, safe)
    if verify:
        return _verify(out or _folder(out, _id(game, with_packs, packs), chosen, layout))
    refuse_if_missing()
    correction = _calibration(calibration, chosen, layout)
    if correction is not None:
        # Which way a driver turns paper that lies on its side is not known, so neither is which way it is off.
        layout = replace(layout, upright=True)
    try:
        refuse_if_unable(chosen)
    except Refused as error:
        refuse(str(error))
    checked = check_all([game], with_packs or [], [str(folder) for folder in packs or ()])
    if len(checked.games) != 1:
        refuse(f"`{game}` holds {len(checked.games)} games; name one")
    tree = checked.games[0].tree
    refuse_unless_spoken(language, tree)
    wish = _wish(chosen, layout, low_ink, grey, language)
    faces = _faces(tree, wish)
    printables = _select(faces, tree, only or [])
    if changed_since:
        before = _before(changed_since, tree, wish)
        from ludoloom.compiler.sheets.selection import changed

        printables = changed(printables, before)
        if not printables:
            print("nothing looks different since then", file=sys.stderr)
            return 0
    folder = _folder(out, tree.id, chosen, layout)
    settings = {
        "paper": layout.paper.name if chosen.form == "sheets" else "",
        "backs": layout.backs if chosen.form == "sheets" else "",
        "language": language,
        "low_ink": low_ink,
        "grey": grey,
    }
    told, heard = _reports(faces, tree, language)
    order = Order(chosen, layout, grey, correction, most, url, settings, heard)
    try:
        refuse_if_taken(folder)
        with fresh_folder(folder) as scratch:
            made = produce(faces, printables, order, scratch, progress())
            if made.faults:
                # What does not pass is no use to anybody, and must not look as if it were.
                for file, fault in made.faults:
                    print(f"{file}: {fault}", file=sys.stderr)
                print(f"{count(len(made.faults), 'fault')}; nothing was written", file=sys.stderr)
                leave(1)
            if told.failed:
                show(told.findings)
                print("nothing was written", file=sys.stderr)
                leave(1)
    except (Refused, DoesNotFit, NotOurs) as error:
        refuse(str(error))
    except NotTypeset:
        show(told.findings)
        return 1
    except OSError as error:
        refuse(f"{folder.as_posix()} cannot be written: {error.strerror or error}")
    show(told.findings)
    _tell(made, folder, chosen)
    return 0


# --- what is wanted --------------------------------------------------------------------------------------------------


def _target(name: str) -> Target:
    from ludoloom.compiler.diagnostics.nearest import did_you_mean
    from ludoloom.compiler.sheets.targets import TARGETS

    if name not in TARGETS:
        hint = did_you_mean(name, list(TARGETS))
        refuse(f"there is no target `{name}`" + (f"; {hint}" if hint else f": {', '.join(TARGETS)}"))
    return TARGETS[name]


def _layout(
    target: Target,
    paper: PaperName | None,
    backs: BacksName | None,
    marks: MarksName | None,
    gap: float,
    bleed: float,
    back_bleed: float,
    safe: bool,
) -> Layout:
    from ludoloom.compiler.sheets.pages import Layout
    from ludoloom.compiler.sheets.paper import PAPERS

    if target.form != "sheets" or target.paper:
        if paper is not None:
            refuse(f"{target.title} has no choice of paper; leave `--paper` out")
    elif paper is None:
        refuse("say which paper is in the printer: `--paper a4` or `--paper letter`")
    if target.backs is not None and backs is not None and backs != target.backs:
        refuse(f"for {target.title} backs are always `{target.backs}`; leave `--backs` out")
    if not target.furniture and marks not in (None, MarksName.none):
        refuse(f"{target.title} takes no marks; leave `--marks` out")
    page = PAPERS[target.paper or (paper.value if paper is not None else "a4")]
    if not target.furniture:
        return Layout(
            page,
            target.backs or "long",
            margin=0,
            gap=target.gap,
            bleed=target.bleed,
            back_bleed=target.bleed,
            marks="none",
            furniture=False,
            turn=target.turn,
            grid=target.grid,
        )
    return Layout(
        page,
        target.backs or (backs.value if backs is not None else "long"),
        gap=gap,
        bleed=bleed,
        back_bleed=back_bleed,
        marks=marks.value if marks is not None else "corners",
        safe=safe,
    )


def refuse_unless_spoken(language: str, tree: GameTree) -> None:
    """End the command if the game is not translated into the language that is asked for."""
    from ludoloom.compiler.analysis.tree import as_map
    from ludoloom.compiler.diagnostics.nearest import did_you_mean

    spoken = as_map(tree.sections.get("languages"))
    names = spoken.names() if spoken is not None else ()
    if language and language not in names:
        known = did_you_mean(language, names) or (f"it has {', '.join(names)}" if names else "it has one language only")
        refuse(f"the game has no language `{language}`; {known}")


def _wish(target: Target, layout: Layout, low_ink: bool, grey: bool, language: str) -> Wish:
    """What faces must be like: as much bleed as is shown; for services a little more, since faces may be stretched."""
    from ludoloom.compiler.sheets.model import Wish

    if target.furniture:
        front, back = layout.bleed, layout.back_bleed
    else:
        front = back = round(target.bleed * 1.05, 3)
    return Wish(front, back, "low" if low_ink else "full", "grey" if grey else "rgb", language)


def _calibration(name: str, target: Target, layout: Layout) -> Calibration | None:
    from ludoloom.compiler.sheets import calibrate

    if not name:
        return None
    if target.form != "sheets" or not target.furniture or layout.backs not in ("long", "short", "separate"):
        refuse("`--calibration` is for backs that a printer at home prints on the other side")
    path = calibrate.file_of(name)
    if not path.is_file():
        known = calibrate.known()
        told = f"known are {', '.join(known)}" if known else "`ludoloom calibrate` makes one"
        refuse(f"there is no calibration `{name}`; {told}")
    try:
        return calibrate.read(path)
    except calibrate.BadCalibration as error:
        refuse(str(error))


def refuse_if_missing() -> None:
    """End the command if the packages for printing are not installed."""
    from ludoloom.compiler.sheets import fonts, pdf, raster, typeset

    if not (typeset.available() and pdf.available() and raster.available() and fonts.available()):
        refuse('printing needs more packages: `pip install "ludoloom[print]"`')


# --- faces -----------------------------------------------------------------------------------------------------------


def _faces(tree: GameTree, wish: Wish) -> Faces:
    """The faces of a game. Shows what is wrong with them, and leaves if they cannot be printed."""
    from ludoloom.compiler.diagnostics.model import Bag
    from ludoloom.compiler.sheets.faces import faces

    bag = Bag()
    found = faces(tree, wish, bag)
    show(bag.findings)
    if bag.failed:
        leave(1)
    return found


def _check(game: str, with_packs: Sequence[str], packs: Sequence[Path], only: Sequence[str], language: str) -> int:
    """Draw every face of the games, or some, and show what is found; 1 if something is wrong."""
    from ludoloom.compiler.diagnostics.model import Bag
    from ludoloom.compiler.sheets import fit
    from ludoloom.compiler.sheets.faces import faces
    from ludoloom.compiler.sheets.model import Wish
    from ludoloom.compiler.sheets.sources import Sources

    refuse_if_missing()
    bag, many = Bag(), 0
    for one in check_all([game], with_packs, [str(folder) for folder in packs]).games:
        refuse_unless_spoken(language, one.tree)
        made = faces(one.tree, Wish(language=language), bag)
        made = replace(made, printables=tuple(_select(made, one.tree, only)))
        fit.check(made, Sources.of(one.tree), bag, language=language)
        many += len(made.unique())
    show(bag.findings)
    errors = sum(finding.severity == "error" for finding in bag.findings)
    told = f"{count(errors, 'error')}, {count(len(bag.findings) - errors, 'warning')}"
    print(f"{count(many, 'face')}: {told}", file=sys.stderr)
    return 1 if bag.failed else 0


def _reports(faces: Faces, tree: GameTree, language: str) -> tuple[Bag, Callable[[Typeset, str], None]]:
    """Where what faces tell of themselves is gathered, and who is to be told of it."""
    from ludoloom.compiler.diagnostics.model import Bag
    from ludoloom.compiler.sheets import fit
    from ludoloom.compiler.sheets.sources import Sources

    bag, sources = Bag(), Sources.of(tree)

    def heard(result: Typeset, source: str) -> None:
        fit.findings(result, source, faces, sources, bag, language=language)

    return bag, heard


def _select(faces: Faces, tree: GameTree, words: Sequence[str]) -> list[Printable]:
    from ludoloom.compiler.sheets.selection import UnknownWord, chosen, other_names

    if not words:
        return list(faces.printables)
    from ludoloom.compiler.analysis.declare import declare
    from ludoloom.compiler.diagnostics.model import Bag

    also = other_names(declare(tree, tree.combinations[0], Bag()))
    try:
        return chosen(faces.printables, words, also)
    except UnknownWord as error:
        refuse(str(error))


def _before(since: str, tree: GameTree, wish: Wish) -> dict[tuple[str, str], str]:
    """The digests of faces at an earlier time: of a manifest, or of a revision."""
    from ludoloom.compiler.sheets import history, manifest

    if Path(since).exists():
        try:
            return manifest.digests(manifest.read(Path(since)))
        except manifest.BadManifest as error:
            refuse(str(error))
    from ludoloom.compiler import pipeline
    from ludoloom.compiler.diagnostics.model import Bag
    from ludoloom.compiler.packs import PackNotFound
    from ludoloom.compiler.sheets.faces import faces

    try:
        with history.packs_at(since, [pack.folder for pack in tree.packs]) as folders:
            first, *others = (str(folder) for folder in folders)
            old = pipeline.load([first], others, [])
            if old.bag.failed or len(old.games) != 1:
                refuse(f"the game at `{since}` has errors, so its cards cannot be compared")
            found = faces(old.games[0].tree, wish, Bag())
    except PackNotFound:
        return {}
    except history.NoRevision as error:
        refuse(str(error))
    return {
        (each.item, side): face.digest
        for each in found.printables
        for side, face in (("front", each.front), ("back", each.back))
        if face is not None
    }


# --- what comes out --------------------------------------------------------------------------------------------------


def _folder(out: Path | None, game: str, target: Target, layout: Layout) -> Path:
    if out is not None:
        return out
    parts = [game, target.name]
    if target.form == "sheets" and not target.paper:
        parts.append(layout.paper.name)
    return Path("build") / "sheets" / "-".join(parts)


def _id(game: str, with_packs: Sequence[str] | None, packs: Sequence[Path] | None) -> str:
    """The id of a game, without compiling it."""
    from ludoloom.compiler.diagnostics.model import Bag
    from ludoloom.compiler.packs import PackNotFound, load_game

    try:
        trees = load_game([game], with_packs or [], list(packs or ()), Bag())
    except PackNotFound as error:
        refuse(str(error))
    if len(trees) != 1:
        refuse(f"`{game}` holds {len(trees)} games; name one")
    return trees[0].id


def _verify(folder: Path) -> int:
    from ludoloom.compiler.sheets.manifest import BadManifest, verify

    try:
        found = verify(folder)
    except BadManifest as error:
        refuse(str(error))
    write("".join(f"{row}\n" for row in found))
    print(f"{folder.as_posix()}: " + (count(len(found), "difference") if found else "all as written"), file=sys.stderr)
    return 1 if found else 0


def progress() -> Callable[[int, int, str], None] | None:
    """A line that is written over and over, on a terminal."""
    if not sys.stderr.isatty():
        return None

    def tell(done: int, of: int, what: str) -> None:
        end = "\n" if done == of else ""
        print(f"\r\x1b[K{done}/{of} {what}", end=end, file=sys.stderr, flush=True)

    return tell


def _tell(made: Made, folder: Path, target: Target) -> None:
    for file in made.files:
        write(f"{(folder / file.name).as_posix()}\n")
    for item, why in made.left_out:
        print(f"left out: `{item}`: {why}", file=sys.stderr)
    if target.order_limit and made.copies > target.order_limit:
        most = target.order_limit
        print(f"{target.title} takes about {most} cards in one order: order these in parts", file=sys.stderr)
    pages = sum(len(file.pages) for file in made.files)
    told = count(made.copies, "copy", "copies"), count(pages, "picture" if target.form in _PICTURES else "page")
    print(f"{' on '.join(told)}, checked; {folder.as_posix()}", file=sys.stderr)
