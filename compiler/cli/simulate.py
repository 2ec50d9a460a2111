"""``ludoloom simulate``: many games played at random, and what came of them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

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
    from ludoloom.runtime.simulate import Summary


class Agent(StrEnum):
    """Who plays."""

    random = "random"


def run(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Folder or id of a game, or an image.")],
    number: Annotated[int, typer.Option("-n", "--games", metavar="N", min=1, help="How many games.")] = 1000,
    players: Players = None,
    agent: Annotated[Agent, typer.Option(help="Who plays: `random` takes any option alike.")] = Agent.random,
    seed: Seed = 0,
    option: GameOptions = None,
    json: Annotated[bool, typer.Option("--json", help="The result as JSON, the same on every machine.")] = False,
    with_packs: WithPacks = None,
    packs: PacksDirs = None,
) -> int:
    """Play many games and count how they end, how long they are, and where the rules fail.

    Game k is the game of seed S + k, so any of them can be looked at with `play --auto random --seed`. The result goes
    to standard output; progress and speed go to standard error. Exits with 1 if a fault stopped a game.

    \b
    ludoloom simulate my_game -n 10000
    ludoloom simulate my_game -n 100 --players 4 --json
    """
    from ludoloom.runtime.errors import GameError
    from ludoloom.runtime.simulate import simulate

    loaded = obtain(game, with_packs, packs)
    began = time.perf_counter()
    try:
        with _Progress(number) as progress:
            summary = simulate(
                loaded.image,
                number,
                players,
                chosen_options(option),
                seed,
                agent=agent.value,
                progress=progress.tell,
            )
    except GameError as error:
        refuse(str(error))
    took = max(time.perf_counter() - began, 1e-9)
    write(_as_json(loaded, summary) if json else _as_text(loaded, summary))
    sys.stdout.flush()
    print(f"{number / took:,.0f} games/s" + (" (compiled)" if summary.fast else ""), file=sys.stderr)
    return 1 if summary.faults else 0


class _Progress:
    """A bar on standard error while it is a terminal; nothing else."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.bar: Any = None
        self.tell: Callable[[int], None] | None = None

    def __enter__(self) -> _Progress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(stderr=True), transient=True)
            task = self.bar.add_task("games", total=self.total)
            self.bar.start()
            self.tell = lambda done: self.bar.update(task, completed=done)
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()


def _data(loaded: Loaded, summary: Summary) -> dict[str, Any]:
    data = summary.data()
    for fault in data["faults"]:
        fault["file"] = loaded.shown(fault["file"])
    return {"game": loaded.image.game, "packs": dict(loaded.image.packs), **data}


def _as_json(loaded: Loaded, summary: Summary) -> str:
    import json

    return json.dumps(_data(loaded, summary), indent=2, ensure_ascii=False) + "\n"


def _as_text(loaded: Loaded, summary: Summary) -> str:
    data = _data(loaded, summary)
    games = max(1, data["games"])
    rows = [f"{loaded.image.title}: {data['games']:,} games"]
    for title, part in (("outcomes", "outcomes"), ("winners", "winners")):
        if data[part]:
            rows.append(title)
            width = max(map(len, data[part]))
            ordered = sorted(data[part].items(), key=lambda row: (-row[1], row[0]))
            rows += [f"  {name:<{width}}  {number:>8,}  {100 * number / games:5.1f}%" for name, number in ordered]
    length = data["decisions"]
    rows.append(
        f"decisions a game: {length['least']} to {length['most']}, median {length['median']}, mean {length['mean']}"
    )
    if data["unfinished"]:
        rows.append(f"unfinished: {data['unfinished']}")
    faults: dict[tuple[str, int, str], list[int]] = {}
    for fault in data["faults"]:
        faults.setdefault((fault["file"], fault["line"], fault["text"]), []).append(fault["seed"])
    for (file, line, text), seeds in sorted(faults.items()):
        rows.append(f"{file}:{line}: {text} ({len(seeds)} games, as with --seed {seeds[0]})")
    return "\n".join(rows) + "\n"
