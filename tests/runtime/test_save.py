"""Saves restore a game exactly, survive an edit of the content where they can, and say what they lost; recordings
replay.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import random
import zlib
from pathlib import Path
from typing import Any

import pytest
from tiny import tokens

from ludoloom.runtime.errors import SaveError
from ludoloom.runtime.game import Game
from ludoloom.runtime.image import Image
from ludoloom.runtime.machine import R_DICE, R_PC
from ludoloom.runtime.named import read, write
from ludoloom.runtime.replay import record, record_file, replay, replay_file
from ludoloom.runtime.save import checksum, load_file, load_save, save, save_file, words_bytes


def started(turns: int = 2, *, asked: bool = False, forced: bool = False) -> Game:
    game = Game.new(tokens(), players=2, seed=6, asked=asked, forced=forced)
    for turn in range(turns):
        game.apply(turn % len(game.options))
    return game


def finish(game: Game) -> Game:
    while game.status in ("ask", "chance"):
        game.apply(0)
    return game


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("turns", [0, 1, 3])
def test_the_same_image_restores_exactly(turns: int, asked: bool, tmp_path: Path) -> None:
    game = started(turns, asked=asked)
    save_file(game, tmp_path / "game.save")
    again, lost = load_file(tokens(), tmp_path / "game.save")
    assert lost == []
    assert again.state == game.state
    assert (again.events, again.decisions, again.settings) == (game.events, game.decisions, game.settings)
    assert again.options == game.options
    assert again.log("player_2") == game.log("player_2")
    assert save(again) == save(game)
    assert finish(again).digest() == finish(game).digest()


def test_an_ended_game_can_be_saved() -> None:
    game = finish(started())
    again, _ = load_save(tokens(), save(game))
    assert again.result == game.result


def edited() -> Image:
    """The image after an edit: the code moved, a token has another name, a text changed."""
    image = tokens()
    prog = image.programs[0]
    prog.things[1] = dataclasses.replace(prog.things[1], name="gem", title="Gem")
    prog.events[0] = dataclasses.replace(prog.events[0], text="took {a}")
    prog.columns[3] = dataclasses.replace(prog.columns[3], name="w3_new")
    image.packs = [("demo", "1.1.0")]
    return image


def test_a_changed_image_carries_over_what_it_can() -> None:
    game = started(3)
    prog = game.program
    write(prog, game.state, "w5", 12)
    write(prog, game.state, "token_3.value", 44)
    write(prog, game.state, "tile_1", "land.b2")
    write(prog, game.state, "tile_1.turn", 2)
    hand = set(read(prog, game.state, "hand"))
    deck = set(read(prog, game.state, "deck"))
    again, lost = load_save(edited(), save(game))
    told = "; ".join(lost)
    assert "saved with demo 1.0.0 and goes on with 1.1.0" in told
    assert "the thing 'token_2' is no longer there" in told
    assert "'w3' was 0, which is lost: there is no thing or word of the game called 'w3'" in told
    assert "the step 'turn.rest' begins again (it stood at: Which token?)" in told
    state, program = again.state, again.program
    assert read(program, state, "w5") == 12
    assert read(program, state, "token_3.value") == 44
    assert (read(program, state, "tile_1"), read(program, state, "tile_1.turn")) == ("land.b2", 2)
    assert hand - {"token_2"} <= set(read(program, state, "hand"))
    # The step began again: it drew one more token of the deck, whose order was still unknown.
    assert len(deck - {"token_2"}) - 1 <= read(program, state, "deck.count") + ("gem" in read(program, state, "hand"))
    assert [event.text for event in again.events][: len(game.events)] == [event.text for event in game.events]
    assert [d.label for d in again.decisions][: len(game.decisions)] == [d.label for d in game.decisions]
    assert finish(again).status == "end"


def test_chance_goes_on_where_it_was() -> None:
    game = started(3)
    again, _ = load_save(edited(), save(game))
    assert again.state[R_DICE] == game.state[R_DICE] + 1


def test_what_cannot_be_carried_over_is_refused() -> None:
    text = save(started())
    image = edited()
    image.programs[0].steps[1] = "turn.nap"
    with pytest.raises(SaveError, match=r"stands at the step 'turn\.rest', which there is no longer"):
        load_save(image, text)
    image = edited()
    image.players = (1, 1)
    with pytest.raises(SaveError, match="Demo is for 1 players, not 2"):
        load_save(image, text)
    image = tokens()
    image.game = "other"
    with pytest.raises(SaveError, match="a save of the game 'demo', not of 'other'"):
        load_save(image, text)


def test_damaged_saves_are_refused() -> None:
    text = save(started())
    for damaged, sentence in [
        (text[:-40], "this is no save"),
        ("[]", "no save of ludoloom"),
        ("{}", "no save of ludoloom"),
        ("[" * 100_000, "this is no save"),
        (text.replace('"seed": 6', '"seed": 7'), "its checksum differs"),
        (text.replace('"ludoloom_save": 1', '"ludoloom_save": 7'), "has format 7"),
    ]:
        with pytest.raises(SaveError, match=sentence):
            load_save(tokens(), damaged)


def forged(text: str, **changes: Any) -> str:
    """A save with other contents and a right checksum."""
    body = {**json.loads(text), **changes}
    body["checksum"] = checksum(body)
    return json.dumps(body)


def test_forged_saves_are_refused() -> None:
    game = started()
    text = save(game)
    state = list(game.state)
    state[R_PC] += 1
    machine = base64.b64encode(zlib.compress(words_bytes(state))).decode()
    cases: list[tuple[dict[str, Any], str]] = [
        ({"machine": machine}, "cannot be played on: the machine stands at"),
        ({"machine": "?"}, "cannot be unpacked"),
        ({"machine": base64.b64encode(zlib.compress(b"0" * 10)).decode()}, "has another length"),
        ({"modes": ["mega"]}, "no such combination of modes"),
        ({"settings": {}}, "malformed"),
        ({"settings": [1]}, "malformed"),
        ({"events": [[1]]}, "malformed"),
        ({"decisions": "abc"}, "malformed"),
        ({"image": "x", "places": [1]}, "malformed"),
        ({"image": "x", "values": {"w1": {"a": 1}}, "places": {"deck": 3}}, "malformed"),
        ({"image": "x", "packs": 3}, "malformed"),
    ]
    for changes, sentence in cases:
        with pytest.raises(SaveError, match=sentence):
            load_save(tokens(), forged(text, **changes))


def test_random_forgeries_never_crash() -> None:
    text = save(started())
    chance = random.Random(12)
    for _ in range(150):
        body = json.loads(text)
        key = chance.choice([name for name in body if name not in ("ludoloom_save", "checksum")])
        values: list[Any] = [None, 3, -1, "x", [], {}, [[]], {"a": 1}, [1, 2, 3], True]
        changes: dict[str, Any] = {key: chance.choice(values)}
        if chance.random() < 0.5:
            changes["image"] = "another"
        try:
            game, _ = load_save(edited(), forged(text, **changes))
        except SaveError:
            continue
        finish(game)


@pytest.mark.parametrize("settings", [{}, {"asked": True}, {"forced": True}])
def test_recordings_lead_to_the_same_place(settings: dict[str, bool], tmp_path: Path) -> None:
    game = started(3, **settings)
    record_file(game, tmp_path / "game.rec")
    again = replay_file(tokens(), tmp_path / "game.rec")
    assert again.digest() == game.digest()
    assert [d.label for d in again.decisions] == [d.label for d in game.decisions]
    # And it goes on alike, with the seed's own chance.
    assert finish(again).digest() == finish(game).digest()
    assert replay(tokens(), record(game)).digest() == game.digest()


def test_recordings_say_where_a_game_differs() -> None:
    game = finish(started())
    text = record(game)
    lines = text.splitlines()
    changed = lines.copy()
    spot = next(k for k, line in enumerate(lines) if '"choice"' in line and "token_" in line)
    changed[spot] = lines[spot].replace("token_", "tolken_")
    with pytest.raises(
        SaveError, match=rf"decision {spot} was the choice 'token' of player_1: 'tolken_\d', which is not"
    ):
        replay(tokens(), "\n".join(changed))
    changed = lines.copy()
    spot = next(k for k, line in enumerate(lines) if '"stop"' in line)
    changed[spot] = lines[spot].replace("stop", "halt")
    with pytest.raises(
        SaveError, match=rf"decision {spot} was the choice 'token' of player_1: 'halt' and is the choice"
    ):
        replay(tokens(), "\n".join(changed))
    # Draw and roll are recorded; the answer that follows was the only one.
    with pytest.raises(
        SaveError, match="the recording ends after decision 2, but the choice 'token' of player_1: 'stop'"
    ):
        replay(tokens(), "\n".join(lines[:3]))
    with pytest.raises(SaveError, match="but the game is over"):
        replay(tokens(), "\n".join([*lines, '["choice", "player_1", "token", "stop"]']))
    with pytest.raises(SaveError, match="stands elsewhere than the recorded one"):
        replay(tokens(), text.replace(json.loads(lines[0])["digest"], "0" * 64))


def test_what_is_no_recording() -> None:
    text = record(started())
    for damaged, sentence in [
        ("", "no recording"),
        ("hello", "no recording"),
        ("{}", "no recording of ludoloom"),
        (text.replace('"ludoloom_recording": 1', '"ludoloom_recording": 3'), "has format 3"),
        (text.replace('"demo"', '"other"', 1), "a recording of the game 'other'"),
        (text.replace('"players": 2', '"players": 9'), "cannot begin: Demo is for 1 to 2 players"),
        (text.replace('"players": 2', '"players": "2"'), "malformed"),
        (text + "[1]\n", "malformed: a decision has four words"),
    ]:
        with pytest.raises(SaveError, match=sentence):
            replay(tokens(), damaged)
