"""``ludoloom play``: play a game in the terminal, or let it play itself."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoloom.compiler.cli.game import (
    GameOptions,
    Loaded,
    PacksDirs,
    Players,
    Seed,
    WithPacks,
    chosen_options,
    obtain,
    refuse,
)
from ludoloom.compiler.cli.output import write

if TYPE_CHECKING:
    from ludoloom.runtime.game import Game

MOST_ANSWERS = 100_000
"""Answers after which a game that plays itself is given up."""


class Auto(StrEnum):
    """Who answers instead of people."""

    random = "random"


def run(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Folder or id of a game, or an image.")],
    players: Players = None,
    seed: Seed = 0,
    option: GameOptions = None,
    auto: Annotated[Auto | None, typer.Option("--auto", help="Let the game play itself to its end.")] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Go on from this save if it exists; keep it up to date."),
    ] = None,
    replay: Annotated[
        Path | None, typer.Option("--replay", metavar="FILE", help="First play this recording again.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Write all decisions of the game to this file.")
    ] = None,
    with_packs: WithPacks = None,
    packs: PacksDirs = None,
) -> int:
    """Play a game in the terminal: it shows what the player to decide may see, and asks by number.

    All players sit at one keyboard. `undo` takes back the last answer, `help` lists what else can be typed. With
    `--save` a game that is left, by `quit` or by Ctrl-C, waits in that file and goes on from there next time, even if
    the content was edited meanwhile.

    With `--auto random` the game plays itself; the log and the result go to standard output. Exits with 1 if a fault
    stopped the game; the place in the YAML is told.

    \b
    ludoloom play my_game --players 2
    ludoloom play my_game --seed 7 --option long_game=yes
    ludoloom play my_game --auto random --seed 3
    ludoloom play my_game --save evening.save
    """
    from ludoloom.runtime.errors import GameError, SaveError
    from ludoloom.runtime.game import Game

    if save is not None and replay is not None:
        refuse("`--save` and `--replay` cannot be used together")
    loaded = obtain(game, with_packs, packs)
    told: list[str] = []
    try:
        if replay is not None:
            from ludoloom.runtime.replay import replay_file

            played = replay_file(loaded.image, replay)
        elif save is not None and save.exists():
            from ludoloom.runtime.save import load_file

            played, told = load_file(loaded.image, save)
        else:
            played = Game.new(loaded.image, players, chosen_options(option), seed)
    except (GameError, SaveError) as error:
        refuse(str(error))
    for line in told:
        print(f"not taken over from the save: {line}", file=sys.stderr)
    if auto is not None:
        _play_itself(played)
    else:
        from ludoloom.compiler.cli.table import Table

        Table(played, save).sit_down()
    if record is not None:
        from ludoloom.runtime.replay import record_file

        try:
            record_file(played, record)
        except OSError as error:
            refuse(f"{record.as_posix()} cannot be written: {error.strerror or error}")
    return _tell_end(loaded, played)


def _play_itself(game: Game) -> None:
    """Answer at random until the end. The answers come from the game's own chance, as in `simulate`: game k there is
    the game of seed + k here."""
    from ludoloom.compiler.cli.board import plain
    from ludoloom.runtime.chance import chance
    from ludoloom.runtime.machine import R_BOTS

    told = 0
    for _ in range(MOST_ANSWERS):
        for line in game.log(since=told):
            write(plain(line) + "\n")
        told = len(game.events)
        if game.status not in ("ask", "chance"):
            return
        game.apply(chance(game.state, R_BOTS, len(game.options)))
    print(f"given up after {MOST_ANSWERS:,} answers", file=sys.stderr)


def _tell_end(loaded: Loaded, game: Game) -> int:
    """The last line of a game, and the exit code."""
    if game.fault is not None:
        sys.stdout.flush()
        print(f"ludoloom: the game was stopped: {loaded.where(game.fault)}", file=sys.stderr)
        return 1
    if game.result is None:
        return 0
    write(f"{ending(game)}\n")
    return 0


def ending(game: Game) -> str:
    """How a game ended, in a line: ``won, by Ann and Bob, after 31 decisions``."""
    from ludoloom.runtime.machine import R_DECISIONS

    result = game.result
    if result is None:
        return ""
    titles = {row.name: row.title for row in game.program.things}
    winners = [titles.get(name) or name for name in result.winners]
    if len(winners) > 1:
        by = f", by {', '.join(winners[:-1])} and {winners[-1]}"
    else:
        by = f", by {winners[0]}" if winners else ""
    return f"{result.text or 'the game is over'}{by}, after {game.state[R_DECISIONS]} decisions"
