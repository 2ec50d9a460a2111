"""A recorded game: all its decisions by label, chance too, and the fingerprint of where they lead.

    text = record(game)
    game = replay(image, text)      the same game again, or a SaveError that says at which decision it goes another way

A recording holds no state, so it is a test of the content: it stays true as long as the rules do.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from ludoloom.runtime.errors import GameError, SaveError
from ludoloom.runtime.game import BUDGET, Decision, Game
from ludoloom.runtime.image import Image
from ludoloom.runtime.machine import R_ASKED, R_BOTS, R_DECKS, R_DICE
from ludoloom.runtime.serial import write_whole

FORMAT = 1
MOST_BYTES = 64 << 20
_COUNTERS = (R_DICE, R_DECKS, R_BOTS)


def record(game: Game) -> str:
    """The recording of a game as text, one decision a line."""
    head = {
        "ludoloom_recording": FORMAT,
        "game": game.image.game,
        "packs": dict(game.image.packs),
        "settings": game.settings,
        "drawn": [game.state[register] for register in _COUNTERS],
        "status": game.status,
        "digest": game.digest(),
    }
    lines = [json.dumps(head, ensure_ascii=False)]
    lines += [json.dumps([d.kind, d.player, d.name, d.label], ensure_ascii=False) for d in game.decisions]
    return "\n".join(lines) + "\n"


def record_file(game: Game, path: str | Path) -> None:
    """Write the recording to a file, whole or not at all."""
    write_whole(Path(path), record(game).encode("utf-8"))


def replay_file(image: Image, path: str | Path, *, fast: bool | None = None) -> Game:
    """Play a recording from a file."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise SaveError(f"{path} cannot be read: {error.strerror or error}") from None
    if len(data) > MOST_BYTES:
        raise SaveError(f"a recording has at most {MOST_BYTES >> 20} megabytes")
    return replay(image, data.decode("utf-8", "replace"), fast=fast)


def replay(image: Image, text: str, *, fast: bool | None = None, budget: int = BUDGET) -> Game:
    """Play a recorded game again. Chance is answered as recorded; afterwards the game goes on as it was begun."""
    head, decisions = parse(text)
    if head["game"] != image.game:
        raise SaveError(f"this is a recording of the game '{head['game']}', not of '{image.game}'")
    settings = head["settings"]
    try:
        game = Game.new(
            image,
            settings["players"],
            settings["options"],
            settings["seed"],
            asked=True,
            forced=settings["forced"],
            fast=fast,
            budget=budget,
        )
    except GameError as error:
        raise SaveError(f"the recorded game cannot begin: {error}") from None
    agreed = 0
    while True:
        agreed = compare(game, decisions, agreed)
        if agreed == len(decisions) or game.status not in ("ask", "chance"):
            break
        answer(game, decisions[agreed], agreed)
    if agreed < len(decisions):
        raise SaveError(f"decision {agreed + 1} was {say(decisions[agreed])}, but {game.status_text()}")
    game.state[R_ASKED] = int(settings["asked"])
    game.settings["asked"] = settings["asked"]
    for register, count in zip(_COUNTERS, head["drawn"], strict=True):
        game.state[register] = count
    if head["status"] != "break" and game.digest() != head["digest"]:
        raise SaveError(f"after all {len(decisions)} decisions the game stands elsewhere than the recorded one")
    return game


def compare(game: Game, decisions: list[tuple[str, str, str, str]], agreed: int) -> int:
    """How many decisions of the game are the recorded ones; a SaveError at the first that is not."""
    made: list[Decision] = game.decisions
    while agreed < len(made) and agreed < len(decisions):
        now = (made[agreed].kind, made[agreed].player, made[agreed].name, made[agreed].label)
        if now != decisions[agreed]:
            raise SaveError(f"decision {agreed + 1} was {say(decisions[agreed])} and is {say(now)} now")
        agreed += 1
    if len(made) > len(decisions):
        now = (made[agreed].kind, made[agreed].player, made[agreed].name, made[agreed].label)
        raise SaveError(f"the recording ends after decision {len(decisions)}, but {say(now)} follows now")
    return agreed


def answer(game: Game, recorded: tuple[str, str, str, str], number: int) -> None:
    """Answer the question of the game as recorded."""
    kind, _, name, label = recorded
    question = game.question
    asked = question.chance or "choice"
    if (asked, question.name) != (kind, name):
        raise SaveError(f"decision {number + 1} was {say(recorded)}, but now '{question.name}' is asked")
    try:
        game.apply(label)
    except GameError as error:
        raise SaveError(f"decision {number + 1} was {say(recorded)}, which is not offered now: {error}") from None


def say(decision: tuple[str, str, str, str]) -> str:
    """A decision in words."""
    kind, player, name, label = decision
    who = f" of {player}" if player else ""
    return f"the {kind} '{name}'{who}: '{label}'"


def parse(text: str) -> tuple[dict[str, Any], list[tuple[str, str, str, str]]]:
    """Head and decisions of a recording."""
    lines = text.splitlines()
    try:
        rows = [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        raise SaveError("this is no recording (or only a part of one)") from None
    if not rows or not isinstance(rows[0], dict) or "ludoloom_recording" not in rows[0]:
        raise SaveError("this is no recording of ludoloom")
    head = cast("dict[str, Any]", rows[0])
    if head["ludoloom_recording"] != FORMAT:
        raise SaveError(f"this recording has format {head['ludoloom_recording']}, and {FORMAT} is read here")
    decisions: list[tuple[str, str, str, str]] = []
    for row in rows[1:]:
        parts = cast("list[Any]", row) if isinstance(row, list) else []
        if len(parts) != 4 or not all(isinstance(part, str) for part in parts):
            raise SaveError("this recording is malformed: a decision has four words")
        decisions.append((parts[0], parts[1], parts[2], parts[3]))
    check_head(head)
    return head, decisions


def check_head(head: dict[str, Any]) -> None:
    """The head of a recording holds what a game begins with."""
    settings = head.get("settings")
    good = isinstance(head.get("game"), str) and isinstance(settings, dict)
    if good:
        begun = cast("dict[str, Any]", settings)
        drawn = head.get("drawn")
        good = (
            type(begun.get("players")) is int
            and type(begun.get("seed")) is int
            and type(begun.get("asked")) is bool
            and type(begun.get("forced")) is bool
            and isinstance(begun.get("options"), dict)
            and isinstance(drawn, list)
            and len(cast("list[Any]", drawn)) == len(_COUNTERS)
            and all(type(n) is int and 0 <= n <= 0x7FFFFFFF for n in cast("list[Any]", drawn))
            and isinstance(head.get("digest"), str)
            and isinstance(head.get("status"), str)
        )
    if not good:
        raise SaveError("this recording is malformed: its head does not say how the game began")
