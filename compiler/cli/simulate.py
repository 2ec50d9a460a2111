"""``ludoloom simulate``: many games played by programs, and what came of them."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
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
from ludoloom.compiler.diagnostics.wording import count

if TYPE_CHECKING:
    from ludoloom.runtime.simulate import Summary


def run(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Folder or id of a game, or an image.")],
    number: Annotated[int, typer.Option("-n", "--games", metavar="N", min=1, help="How many games.")] = 1000,
    players: Players = None,
    agent: Annotated[
        str,
        typer.Option(
            metavar="AGENT[,AGENT…]",
            help="Who plays: `random`, `greedy`, `search`, the latter two with a budget if wanted (`search:400`); "
            "one for all, or one for each seat.",
        ),
    ] = "random",
    begin: Annotated[
        list[str] | None,
        typer.Option("--begin", metavar="LABEL", help="An answer that every game begins with; may be repeated."),
    ] = None,
    cards: Annotated[
        bool,
        typer.Option("--cards", help="For each card: how often it was held and used, who won with and without it."),
    ] = False,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, help="Answers after which a game is given up as unfinished.")
    ] = 100_000,
    seed: Seed = 0,
    option: GameOptions = None,
    json: Annotated[bool, typer.Option("--json", help="The result as JSON, the same on every machine.")] = False,
    with_packs: WithPacks = None,
    packs: PacksDirs = None,
) -> int:
    """Play many games and count how they end, how long they are, and where the rules fail.

    Game k is the game of seed S + k, so any of them can be looked at with `play --auto AGENT --seed`. The result goes
    to standard output; progress and speed go to standard error. Exits with 1 if a fault stopped a game.

    \b
    ludoloom simulate my_game -n 10000
    ludoloom simulate my_game -n 100 --players 4 --json
    ludoloom simulate my_game -n 100 --agent search,random
    ludoloom simulate my_game -n 1000 --agent greedy --cards
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
                agent=agent,
                begin=begin or (),
                cards=cards,
                decisions=limit,
                progress=progress.tell,
            )
    except GameError as error:
        refuse(str(error))
    took = max(time.perf_counter() - began, 1e-9)
    write(_as_json(loaded, summary) if json else _as_text(loaded, summary))
    sys.stdout.flush()
    speed = f"{number / took:,.0f} games/s" if number >= took else f"{took / number:,.1f} s a game"
    print(speed + (" (compiled)" if summary.fast else ""), file=sys.stderr)
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
    rows = [f"{loaded.image.title}: {data['games']:,} {'game' if data['games'] == 1 else 'games'}"]
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
    if "cards" in data:
        rows += _cards(data["cards"])
    if data["unfinished"]:
        rows.append(f"unfinished: {data['unfinished']}")
    faults: dict[tuple[str, int, str], list[int]] = {}
    for fault in data["faults"]:
        faults.setdefault((fault["file"], fault["line"], fault["text"]), []).append(fault["seed"])
    for (file, line, text), seeds in sorted(faults.items()):
        rows.append(f"{file}:{line}: {text} ({count(len(seeds), 'game')}, as with --seed {seeds[0]})")
    return "\n".join(rows) + "\n"


def _cards(cards: dict[str, dict[str, int]]) -> list[str]:
    """A table of the cards: those that help most come first. `between` is where 19 of 20 such differences lie by chance
    and merit together."""
    width = max(map(len, cards))
    rows = [
        f"{'card':<{width + 2}}{'held':>7}{'used':>8}{'won with':>10}{'without':>9}{'difference':>12}{'between':>15}"
    ]
    ordered = sorted(cards.items(), key=lambda card: (not all(_many(card[1])), -_difference(card[1])[0], card[0]))
    for name, card in ordered:
        difference, error = _difference(card)
        shares = [_share(card["won"], card["held"]), _share(card["won_without"], card["missed"])]
        told = [f"{100 * share:.1f}%" if many else "-" for share, many in zip(shares, _many(card), strict=True)]
        sure = all(_many(card))
        least, most = (f"{100 * (difference + sign * error):+.0f}" for sign in (-1, 1))
        rows.append(
            f"  {name:<{width}}{card['held']:>7,}{card['uses']:>8,}{told[0]:>10}{told[1]:>9}"
            f"{f'{100 * difference:+.1f}' if sure else '-':>12}{f'{least} and {most}' if sure else '-':>15}"
        )
    return rows


def _many(card: dict[str, int]) -> tuple[int, int]:
    return card["held"], card["missed"]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _difference(card: dict[str, int]) -> tuple[float, float]:
    """How much more often who held the card won, and the error of that at two standard deviations."""
    one, two = _share(card["won"], card["held"]), _share(card["won_without"], card["missed"])
    held, missed = (max(1, many) for many in _many(card))
    return one - two, 1.96 * math.sqrt(one * (1 - one) / held + two * (1 - two) / missed)
