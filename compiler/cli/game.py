"""What the commands about a compiled game share: find it, compile it, or show what is wrong and leave.

    loaded = obtain("my_game", with_packs, packs_dirs)
    game = Game.new(loaded.image, …)
    loaded.where(game.fault)             "my_game/rules.yaml:12:5"

A compiled image is kept in the cache of this user under the content of every file that was looked at, so an unchanged
game starts at once and a changed one is compiled anew."""

from __future__ import annotations

import base64
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from ludoloom.compiler import cache
from ludoloom.compiler.cli.output import fail

if TYPE_CHECKING:
    from ludoloom.compiler.analysis.tree import GameTree
    from ludoloom.compiler.diagnostics.model import Diagnostic
    from ludoloom.compiler.pipeline import Checked, Compiled
    from ludoloom.runtime.game import Fault
    from ludoloom.runtime.image import Image

IMAGE = ".loom"

WithPacks = Annotated[
    list[str] | None, typer.Option("--with", metavar="PACK", help="An expansion to use with the game; may be repeated.")
]
PacksDirs = Annotated[
    list[Path] | None,
    typer.Option("--packs", metavar="DIR", help="A folder in which packs are looked for by id; may be repeated."),
]
GameOptions = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the game; may be repeated.")
]
Players = Annotated[int | None, typer.Option(metavar="N", help="How many play; left out: the fewest.")]
Seed = Annotated[int, typer.Option(metavar="S", help="The seed of all chance: the same seed, the same game.")]


@dataclass(slots=True)
class Loaded:
    """A compiled game; `files` gives for each file of the image (``demo/game.yaml``) where it lies."""

    image: Image
    files: Mapping[str, str] = field(default_factory=dict[str, str])

    def shown(self, file: str) -> str:
        """The file of a place in the image as a path that can be opened, if it is known."""
        return self.files.get(file, file)

    def where(self, fault: Fault) -> str:
        """A fault as a line: the place in the YAML, then what could not be done."""
        return f"{self.shown(fault.file)}:{fault.line}:{fault.column}: {fault.text}" if fault.file else fault.text


def leave(code: int) -> NoReturn:
    """End the command."""
    raise typer.Exit(code)


def refuse(sentence: str) -> NoReturn:
    """End the command because the call is wrong."""
    leave(fail(sentence))


def obtain(name: str, with_packs: Sequence[str] | None, packs_dirs: Sequence[Path] | None) -> Loaded:
    """The compiled game that a folder, an id or an image names. Shows the errors and leaves if there are any."""
    if name.endswith(IMAGE) and Path(name).is_file():
        return _from_image(Path(name), with_packs)
    withs, dirs = list(with_packs or ()), [str(folder) for folder in packs_dirs or ()]
    entry = cache.key("image", os.getcwd(), os.environ.get("LUDOLOOM_PACKS", ""), name, "with", *withs, "in", *dirs)
    if (known := _cached(cache.ask("image", entry))) is not None:
        return known
    checked = check_all([name], withs, dirs)
    games = [one for one in checked.games if one.image is not None]
    if len(checked.games) > 1:
        refuse(f"`{name}` holds {len(checked.games)} games; name one: {_listed(checked.games)}")
    if not games or games[0].image is None:
        leave(1)
    files = places(games[0].tree)
    from ludoloom.runtime.serial import to_bytes

    image = base64.b64encode(to_bytes(games[0].image)).decode("ascii")
    cache.keep("image", entry, checked.trace, {"image": image, "files": files})
    return Loaded(games[0].image, files)


def check_all(
    names: Sequence[str], with_packs: Sequence[str], packs_dirs: Sequence[str], *, scenarios: bool = False
) -> Checked:
    """Check and compile games. Errors are shown and end the command; so does a name that leads nowhere."""
    from ludoloom.compiler import pipeline
    from ludoloom.compiler.packs import PackNotFound

    try:
        checked = pipeline.load(names, with_packs, packs_dirs, scenarios=scenarios)
    except PackNotFound as error:
        refuse(str(error))
    if checked.bag.failed or not checked.games:
        show(checked.bag.findings)
        print(checked.report().sentence(), file=sys.stderr)
        leave(1)
    return checked


def show(findings: Sequence[Diagnostic]) -> None:
    """Findings as `check` shows them."""
    from ludoloom.compiler.cli.output import Colour, wants_colour, write
    from ludoloom.compiler.diagnostics.render import text
    from ludoloom.compiler.diagnostics.sources import Sources

    shown = text.render(findings, Sources().lines, colour=wants_colour(Colour.auto))
    write(shown + "\n" if shown else "")


def places(tree: GameTree) -> dict[str, str]:
    """Where each file that an image names lies."""
    return {name: shown for shown, name in tree.file_names().items()}


def chosen_options(texts: Sequence[str] | None) -> dict[str, Any]:
    """``["mega=yes"]`` as a dict; the game checks names and values."""
    found: dict[str, Any] = {}
    for text in texts or ():
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            refuse(f"`--option {text}`: write `--option name=value`")
        found[name.strip()] = value.strip()
    return found


def _listed(games: Sequence[Compiled]) -> str:
    """The games by their folders; one with expansions is another game than the same alone."""
    return ", ".join(" with ".join(f"`{pack.shown}`" for pack in one.tree.packs) for one in games)


def _from_image(path: Path, with_packs: Sequence[str] | None) -> Loaded:
    from ludoloom.runtime.errors import ImageError
    from ludoloom.runtime.game import load

    if with_packs:
        refuse("an image is complete; `--with` needs the folder of the game")
    try:
        return Loaded(load(path))
    except ImageError as error:
        refuse(str(error))


def _cached(entry: Any) -> Loaded | None:
    """The game of a cache entry; None if somebody damaged it."""
    if entry is None:
        return None
    from ludoloom.runtime.errors import ImageError
    from ludoloom.runtime.game import load

    try:
        files = {str(name): str(shown) for name, shown in entry["files"].items()}
        return Loaded(load(base64.b64decode(entry["image"], validate=True)), files)
    except (KeyError, TypeError, ValueError, AttributeError, ImageError):
        return None
