"""``ludoloom new``: a folder to begin with, that checks clean and plays to an end."""

from __future__ import annotations

import re
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ludoloom.compiler.cli.game import PacksDirs, refuse

if TYPE_CHECKING:
    from ludoloom.compiler.analysis.model import Game

TEMPLATES: Final = Path(__file__).parent.parent / "templates"
_ID: Final = re.compile(r"[a-z][a-z0-9_]*")
_SHOWN_SECTIONS: Final = ("cards", "encounters", "quests", "tiles", "pieces")


class What(StrEnum):
    """What is begun."""

    game = "game"
    expansion = "expansion"


def run(
    what: Annotated[What, typer.Argument(metavar="game|expansion", help="What to begin.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its id, in snake_case; also the name of the folder.")],
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="For an expansion: folder or id of its game.")
    ] = None,
    folder: Annotated[Path, typer.Option("--dir", metavar="DIR", help="Where the folder is made.")] = Path(),
    packs: PacksDirs = None,
) -> int:
    """Begin a game or an expansion: a small pack that checks clean, plays to its end and passes its own tests, and the
    schema by which an editor completes it. Nothing that exists is overwritten.

    \b
    ludoloom new game deep_cave
    ludoloom new expansion deeper_cave --game deep_cave
    """
    if not _ID.fullmatch(name):
        refuse(f"`{name}` is no id: write small letters, digits and _, beginning with a letter")
    _refuse_if_a_word(name)
    _refuse_if_missing(packs or [])
    target = folder / name
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        refuse(f"{target.as_posix()} exists already; nothing is overwritten")
    values: dict[str, Any] = {"id": name, "title": name.replace("_", " ").title()}
    if what is What.expansion:
        if game is None:
            refuse("an expansion needs its game: `--game GAME`")
        values |= _about(game, packs or [], name)
    elif game is not None:
        refuse("`--game` is for expansions")
    try:
        made = _write(TEMPLATES / what.value, target, values)
        _schema(target, game, packs or [])
    except OSError as error:
        refuse(f"{target.as_posix()} cannot be written: {error.strerror or error}")
    for path in made:
        print(path.as_posix(), file=sys.stderr)
    then = (
        f"ludoloom play {game} --with {target.as_posix()}"
        if what is What.expansion
        else f"ludoloom play {target.as_posix()}"
    )
    print(f"now: ludoloom check {target.as_posix()}   {then}", file=sys.stderr)
    return 0


def _refuse_if_a_word(name: str) -> None:
    """End the command if the id is a word of the expressions, or one that YAML takes for something else."""
    from ludoloom.compiler.frontend.scalars import meaning
    from ludoloom.schemas.words import KEYWORDS

    if name in KEYWORDS or meaning(name) != name:
        refuse(f"`{name}` cannot be an id: it is a word of the language or of YAML; write `the_{name}`, say")


def _refuse_if_missing(packs: list[Path]) -> None:
    """End the command, before anything is written, if a folder to look for packs in is not there."""
    from ludoloom.compiler.packs import PackNotFound, named_folders

    try:
        named_folders(packs)
    except PackNotFound as error:
        refuse(str(error))


def _write(templates: Path, target: Path, values: dict[str, Any]) -> list[Path]:
    """Fill in all templates of a folder."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from ludoloom.compiler.frontend.scalars import quoted

    environment = Environment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["quoted"] = quoted
    made: list[Path] = []
    for template in sorted(templates.rglob("*.j2")):
        inside = template.relative_to(templates)
        path = target / inside.with_suffix("")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(environment.get_template(inside.as_posix()).render(values), encoding="utf-8")
        made.append(path)
    return made


def _schema(target: Path, game: str | None, packs: list[Path]) -> None:
    """The schema of the new pack, beside its files."""
    from ludoloom.compiler.cli.schema import PLACE, pack_text, write_schema

    extra = [Path(game).parent] if game is not None and Path(game).is_dir() else []
    _, text = pack_text(str(target), [*packs, *extra])
    write_schema(target / PLACE, text)


# --- expansions ------------------------------------------------------------------------------------------------------


def _about(game: str, packs: list[Path], name: str) -> dict[str, Any]:
    """What the template of an expansion says about its game, with lines in the game's own words to start from."""
    from ludoloom.compiler.analysis.declare import declare
    from ludoloom.compiler.diagnostics.model import Bag
    from ludoloom.compiler.packs import PackNotFound, load_game

    bag = Bag()
    try:
        trees = load_game([game], [], packs, bag)
    except PackNotFound as error:
        refuse(str(error))
    if len(trees) != 1:
        refuse(f"`{game}` holds {len(trees)} games; name one" if trees else f"`{game}` cannot be read")
    tree = trees[0]
    if tree.id == name:
        refuse("an expansion needs another id than its game")
    declared = declare(tree, tree.combinations[0], bag)
    major = declared.version.split(".")[0]
    return {
        "game": tree.id,
        "game_title": declared.title,
        "version": declared.version,
        "next_major": int(major) + 1 if major.isdecimal() else 1,
        "examples": _examples(declared),
        "patched": _patched(declared),
    }


def _examples(game: Game) -> list[dict[str, str]]:
    """One line for each kind of item that the game prints: its first item, to be changed."""
    found: dict[str, dict[str, str]] = {}
    for item in game.items.values():
        if item.kind in found or item.section not in _SHOWN_SECTIONS:
            continue
        cells = "".join(f", {key}: …" for key in item.cells if "." not in key)
        found[item.kind] = {
            "section": item.section,
            "kind": item.kind,
            "text": f"{{kind: {item.kind}, origin: original{cells}}}",
        }
    return list(found.values())


def _patched(game: Game) -> dict[str, str]:
    """Something of the game that could be changed."""
    for item in game.items.values():
        for key in item.cells:
            if "." not in key and item.section in _SHOWN_SECTIONS:
                return {"section": item.section, "id": item.id, "key": key}
    kind = next(iter(game.kinds), "kind")
    return {"section": "kinds", "id": kind, "key": "state"}
