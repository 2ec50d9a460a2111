"""``ludoloom disasm``: the instructions of a compiled game, with the YAML that each comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from ludoloom.compiler.cli.game import GameOptions, PacksDirs, WithPacks, chosen_options, obtain, refuse
from ludoloom.compiler.cli.output import write


def run(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Folder or id of a game, or an image.")],
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="Only procedures of this name, or that begin with it and a dot.")
    ] = "",
    option: GameOptions = None,
    with_packs: WithPacks = None,
    packs: PacksDirs = None,
) -> int:
    """Show what a game was compiled to: its procedures, one instruction a line, below the line of YAML that each run of
    instructions comes from.

    The options choose among the combinations of modes, each of which is a program of its own.

    \b
    ludoloom disasm my_game verb.damage
    ludoloom disasm my_game action
    ludoloom disasm build/my_game.loom
    """
    from ludoloom.compiler.diagnostics.sources import Sources
    from ludoloom.runtime.errors import GameError
    from ludoloom.runtime.listing import listing
    from ludoloom.runtime.opening import option_words, program_of

    loaded = obtain(game, with_packs, packs)
    sources = Sources()

    def lines(file: str) -> Sequence[str]:
        return sources.lines(loaded.shown(file)) if file in loaded.files else ()

    try:
        _, modes, _ = option_words(loaded.image, chosen_options(option))
        text = listing(loaded.image, program_of(loaded.image, modes), name, lines)
    except GameError as error:
        refuse(str(error))
    write(text)
    return 0
