"""``ludoloom play``: play a game in the terminal, or let it play itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
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
from ludoloom.runtime.errors import GameError, SaveError

if TYPE_CHECKING:
    from ludoloom.runtime.agents import Agent
    from ludoloom.runtime.game import Game

MOST_ANSWERS = 100_000
"""Answers after which a game that plays itself is given up."""


def run(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Folder or id of a game, or an image.")],
    players: Players = None,
    seed: Seed = 0,
    option: GameOptions = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            "--opponent",
            metavar="AGENT[@SEAT]",
            help="Let a program play: `search@bob`; without a seat, all seats that are left. May be repeated.",
        ),
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", metavar="NAME", help="Where a person sits against programs; may be repeated."),
    ] = None,
    auto: Annotated[
        str | None,
        typer.Option(
            "--auto", metavar="AGENT", help="Let programs play to the end: one for all, or one for each seat."
        ),
    ] = None,
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

    All players sit at one keyboard, which is handed over unseen where one of them sees what another does not; with
    `--opponent` programs play other seats. `undo` takes back the last answer, `help` lists what else can be typed.
    With `--save` a game that is left, by `quit` or by Ctrl-C, waits in that file and goes on from there next time, even
    if the content was edited meanwhile.

    With `--auto` the game plays itself; the log and the result go to standard output. Agents are `random`, `greedy` and
    `search`, the latter two with a budget if wanted (`search:400`). Exits with 1 if a fault stopped the game; the place
    in the YAML is told.

    \b
    ludoloom play my_game --players 2
    ludoloom play my_game --seed 7 --option long_game=yes
    ludoloom play my_game --opponent search --seat red
    ludoloom play my_game --auto random --seed 3
    ludoloom play my_game --save evening.save
    """
    from ludoloom.runtime.game import Game

    if save is not None and replay is not None:
        refuse("`--save` and `--replay` cannot be used together")
    if auto is not None and (opponent or seat):
        refuse("with `--auto` programs play all seats; leave out `--opponent` and `--seat`")
    if seat and not opponent:
        refuse("`--seat` says where you sit against programs; add `--opponent AGENT`")
    loaded = obtain(game, with_packs, packs)
    told: list[str] = []
    try:
        if replay is not None:
            from ludoloom.runtime.replay import replay_file

            played = replay_file(loaded.image, replay)
            _refuse_other_settings(played, players, seed, option)
        elif save is not None and save.exists():
            from ludoloom.runtime.save import load_file

            played, told = load_file(loaded.image, save)
        else:
            fast = ready([*(auto or "").split(","), *(opponent or ())])
            played = Game.new(loaded.image, players, chosen_options(option), seed, fast=fast)
        minds = programs(played, opponent or (), seat or (), seed)
        decide = answers(auto, played, seed)
    except (GameError, SaveError) as error:
        refuse(str(error))
    for line in told:
        print(f"not taken over from the save: {line}", file=sys.stderr)
    if decide is not None:
        _play_itself(played, decide)
    else:
        from ludoloom.compiler.cli.seats import Seats
        from ludoloom.compiler.cli.table import Table

        Table(played, save, Seats(played, minds)).sit_down()
    if record is not None:
        from ludoloom.runtime.replay import record_file

        try:
            record_file(played, record)
        except OSError as error:
            refuse(f"{record.as_posix()} cannot be written: {error.strerror or error}")
    return _tell_end(loaded, played)


def _refuse_other_settings(game: Game, players: int | None, seed: int, option: Sequence[str] | None) -> None:
    """End the command if it asks for another game than the one that was recorded."""
    from ludoloom.runtime.opening import option_words

    recorded = game.settings
    if players not in (None, recorded["players"]):
        refuse(f"the recorded game has {recorded['players']} players; leave `--players` out")
    if seed not in (0, recorded["seed"]):
        refuse(f"the recorded game has the seed {recorded['seed']}; leave `--seed` out")
    given = chosen_options(option)
    words = option_words(game.image, given)[2]
    for name in given:
        if words[name] != recorded["options"][name]:
            refuse(f"in the recorded game `{name}` is {recorded['options'][name]}; leave `--option` out")


def ready(agents: Sequence[str]) -> bool | None:
    """Whether the game runs compiled: for agents that look ahead, if it can. That may take a while the first time, so
    what is wrong with their names is told before."""
    from ludoloom.runtime.agents import agent

    named = [each.partition("@")[0].strip() for each in agents if each]
    for name in named:
        agent(name)
    if all(name == "random" for name in named):
        return None
    if sys.stderr.isatty():
        print("getting ready (this takes a minute the first time) …", file=sys.stderr)
    return True


def programs(game: Game, opponents: Sequence[str], people: Sequence[str], seed: int) -> dict[str, Agent]:
    """The programs by their seats, as `--opponent` and `--seat` tell. Where only programs without a seat are named and
    no person's, the person has the first seat."""
    from ludoloom.compiler.cli.seats import seat_named
    from ludoloom.runtime.agents import agent

    found: dict[str, Agent] = {}
    taken = [seat_named(game, name) for name in people]
    others = ""
    for number, text in enumerate(opponents):
        name, sign, where = text.partition("@")
        mind = agent(name.strip(), seed * 64 + number)
        if not sign:
            if others:
                raise GameError(f"`{others}` and `{name}` both take the seats that are left; write `{name}@SEAT`")
            others = name
        else:
            player = seat_named(game, where)
            if player in taken or player in found:
                raise GameError(f"two sit at the seat '{player}'")
            found[player] = mind
    free = [player for player in game.players if player not in taken and player not in found]
    if others:
        if not taken and free:
            free = free[1:]
        found.update({player: agent(others, seed * 64 + 32 + k) for k, player in enumerate(free)})
    if len(found) == len(game.players):
        raise GameError("no seat is left for a person; `--auto AGENT` lets programs play all of them")
    return found


def answers(auto: str | None, game: Game, seed: int) -> Callable[[Game], int] | None:
    """What answers where the game plays itself. At random, the answers come from the game's own chance, as in
    `simulate`: game k there is the game of seed + k here."""
    from ludoloom.runtime.agents import seats
    from ludoloom.runtime.chance import chance
    from ludoloom.runtime.machine import R_BOTS

    if auto is None:
        return None
    if auto == "random":
        return lambda now: chance(now.state, R_BOTS, len(now.options))
    return seats(auto, game, seed)


def _play_itself(game: Game, decide: Callable[[Game], int]) -> None:
    """Answer until the end."""
    from ludoloom.compiler.cli.words import plain

    told = 0
    for _ in range(MOST_ANSWERS):
        for line in game.log(since=told):
            write(plain(line) + "\n")
        told = len(game.events)
        if game.status not in ("ask", "chance"):
            return
        game.apply(decide(game))
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
