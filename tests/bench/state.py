"""What it costs to keep, copy and take back a game: ``python tests/bench/state.py``.

The state is one flat list of whole numbers, so each of these is a copy and nothing else; a save is text, and names
everything by its id. The game is a large one in the middle of play."""

from __future__ import annotations

from collections.abc import Callable

from clock import best, row
from games import SHIPPED, image_of

from ludoloom.runtime.game import Game
from ludoloom.runtime.save import load_save, save
from ludoloom.runtime.state import pack, unpack

TURNS = 200
"""Decisions before the measuring begins."""


def each(what: str, work: Callable[[], object], times: int) -> None:
    """Print how long one call takes."""

    def many() -> None:
        for _ in range(times):
            work()

    row(what, f"{best(many) / times * 1e6:,.1f} µs")


def main() -> None:
    """Print one line for each figure."""
    image = image_of(SHIPPED / "boktor")
    game = Game.new(image, players=2, seed=7, fast=False)
    for turn in range(TURNS):
        game.apply(turn % len(game.options))
    words = game.state
    print(f"{image.title}, 2 players, after {TURNS} decisions: {len(words)} words")
    each("copy the state", words.copy, 2000)
    each("pack it as bytes", lambda: pack(words), 2000)
    packed = pack(words)
    each("unpack it", lambda: unpack(packed), 2000)
    each("fork the game", game.fork, 500)

    def there_and_back() -> None:
        game.apply(0)
        game.undo()

    def there() -> None:
        game.fork().apply(0)

    each("fork and take a decision", there, 20)
    each("take a decision and undo it", there_and_back, 20)
    each("digest of the position", game.digest, 50)
    text = save(game)
    each(f"save ({len(text) / 1024:.0f} KB)", lambda: save(game), 5)
    each("load a save of the same image", lambda: load_save(image, text), 5)


if __name__ == "__main__":
    main()
