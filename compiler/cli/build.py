"""``ludoloom build``: games as single files that need neither YAML nor the compiler."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from ludoloom.compiler.cli.game import IMAGE, PacksDirs, WithPacks, check_all, refuse
from ludoloom.compiler.diagnostics.wording import count


def run(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Folders or ids of games. [default: .]")
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the images go.")] = Path("build"),
    with_packs: WithPacks = None,
    packs: PacksDirs = None,
) -> int:
    """Compile games into images: one file `<id>.loom` for each, complete and proved safe to run.

    All games are compiled before anything is written; after errors nothing is. The files come out the same, byte for
    byte, from the same content. What was written is told on standard error.

    \b
    ludoloom build my_game                       build/my_game.loom
    ludoloom build my_game --with my_expansion   the game with an expansion
    ludoloom build . --out dist
    """
    from ludoloom.runtime.errors import ImageError
    from ludoloom.runtime.game import load
    from ludoloom.runtime.serial import to_bytes, write_whole

    checked = check_all(games or ["."], with_packs or [], [str(folder) for folder in packs or ()])
    if warnings := checked.report().number("warning"):
        print(f"{count(warnings, 'warning')}; see `ludoloom check`", file=sys.stderr)
    made: list[tuple[Path, bytes, str]] = []
    for game in checked.games:
        if game.image is None:
            continue
        data = to_bytes(game.image)
        try:
            load(data)
        except ImageError as error:
            raise AssertionError(f"the image of {game.tree.id} is not safe to run: {error}") from error
        path = out / f"{game.image.game}{IMAGE}"
        if any(path == other for other, _, _ in made):
            refuse(f"two of these games are called `{game.image.game}`; build them one by one")
        programs = len(game.image.programs)
        code = max(len(program.code) for program in game.image.programs)
        made.append(
            (
                path,
                data,
                f"{len(data):,} bytes, {code:,} words of code"
                + (f", {programs} combinations of modes" if programs > 1 else ""),
            )
        )
    try:
        out.mkdir(parents=True, exist_ok=True)
        for path, data, told in made:
            write_whole(path, data)
            print(f"{path.as_posix()}  {told}  sha256 {hashlib.sha256(data).hexdigest()[:16]}", file=sys.stderr)
    except OSError as error:
        refuse(f"{out.as_posix()} cannot be written: {error.strerror or error}")
    return 0
