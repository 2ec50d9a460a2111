"""Save a game and load it again, also after its content was edited.

A save is JSON: the machine's exact state with the fingerprint of its image, and beside it the same by names: where
every thing lies, every column, the step, the seed and what chance has given, all decisions and events.

- Loaded with the same image, the game goes on exactly where it stood, in the middle of an effect too. - Loaded with a
changed image of the same game, a new game is brought to the step where the saved one stood, and the named
  state is laid over it. What has no place any more is told, each in a sentence.
- A save of another game, of another format, or with a wrong checksum is refused with the reason. The state of a save
is proved
  before it runs, so that a forged one cannot harm.
"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
import zlib
from array import array
from pathlib import Path
from typing import Any, cast

from ludoloom.runtime import named
from ludoloom.runtime.errors import GameError, SaveError
from ludoloom.runtime.game import BUDGET, Decision, Event, Game
from ludoloom.runtime.image import Image, Program
from ludoloom.runtime.machine import (
    H_GROUP,
    H_MOVABLE,
    H_PLACES,
    H_STATE,
    H_TABLE,
    H_THINGS,
    M_CELL,
    M_TURN,
    R_ASKED,
    R_BOTS,
    R_DECISIONS,
    R_DECKS,
    R_DICE,
    R_FORCED,
    R_SHUFFLES,
)
from ludoloom.runtime.names import names_of
from ludoloom.runtime.opening import option_value, option_words, program_of
from ludoloom.runtime.serial import digest_of, write_whole
from ludoloom.runtime.state import lay_at, things_at
from ludoloom.runtime.verify import check_state

FORMAT = 1
MOST_BYTES = 64 << 20
MOST_DECISIONS = 10_000
"""Answers given on the way to the step where an edited game goes on."""

_CHANCE = {"dice": R_DICE, "decks": R_DECKS, "bots": R_BOTS}


# --- saving --------------------------------------------------------------------------------------------------------
def save(game: Game) -> str:
    """The save as text."""
    state, program = game.state, game.program
    body: dict[str, Any] = {
        "ludoloom_save": FORMAT,
        "game": game.image.game,
        "packs": dict(game.image.packs),
        "image": digest_of(game.image),
        "settings": game.settings,
        "modes": list(program.modes),
        "step": game.step,
        "status": game.status,
        "question": game.question.text if game.status in ("ask", "chance") else "",
        "chance": {name: state[register] for name, register in _CHANCE.items()},
        "places": places(program, state),
        "cells": cells(program, state),
        "values": values(program, state),
        "decisions": [[d.kind, d.player, d.name, d.label, d.index, d.forced, d.act] for d in game.decisions],
        "events": [event_row(event) for event in game.events],
        "machine": base64.b64encode(zlib.compress(words_bytes(state), 9)).decode("ascii"),
    }
    body["checksum"] = checksum(body)
    return json.dumps(body, ensure_ascii=False, indent=1) + "\n"


def save_file(game: Game, path: str | Path) -> None:
    """Write the save to a file, whole or not at all."""
    write_whole(Path(path), save(game).encode("utf-8"))


def places(program: Program, state: list[int]) -> dict[str, list[Any]]:
    """What lies where, top first; things in an unknown order stand together in a list of their own."""
    names, consts = names_of(program), program.consts
    found: dict[str, list[Any]] = {}
    for place in range(consts[H_PLACES], consts[H_THINGS] + 1):
        things = things_at(consts, state, place)
        if not things or place == consts[H_TABLE]:
            continue
        row: list[Any] = []
        group = 0
        for thing in things:
            own = state[consts[H_GROUP] + thing]
            if own and own == group:
                row[-1].append(names.thing(thing))
            elif own:
                row.append([names.thing(thing)])
            else:
                row.append(names.thing(thing))
            group = own
        found[names.thing(place)] = row
    return found


def cells(program: Program, state: list[int]) -> dict[str, list[Any]]:
    """The cell and the turn of each tile on a growing map."""
    names, consts = names_of(program), program.consts
    found: dict[str, list[Any]] = {}
    for thing in range(1, consts[H_MOVABLE] + 1):
        tile = named.grid_of(program, names, thing)
        if tile is not None and state[consts[tile[1] + M_CELL] + tile[2]]:
            cell = names.cell_name(tile[0], state[consts[tile[1] + M_CELL] + tile[2]])
            found[names.thing(thing)] = [f"{tile[0]}.{cell}", state[consts[tile[1] + M_TURN] + tile[2]]]
    return found


def values(program: Program, state: list[int]) -> dict[str, Any]:
    """Every word of the game and every column that can change, by path."""
    return {path: named.read(program, state, path) for path in named.paths(program)}


def event_row(event: Event) -> list[Any]:
    """An event as plain data."""
    unseen = [sorted(seat) for seat in event.unseen]
    return [event.act, event.text, event.values, list(event.words), event.private, event.row, unseen]


def words_bytes(state: list[int]) -> bytes:
    """Words as bytes, the least significant first on every machine."""
    words = array("i", state)
    if words.itemsize != 4:
        raise SaveError("this machine has no 32-bit words")
    if sys.byteorder == "big":
        words.byteswap()
    return words.tobytes()


def checksum(body: dict[str, Any]) -> str:
    """The fingerprint of a save without its checksum."""
    rest = {key: value for key, value in body.items() if key != "checksum"}
    text = json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# --- loading -------------------------------------------------------------------------------------------------------
def load_file(image: Image, path: str | Path, *, fast: bool | None = None) -> tuple[Game, list[str]]:
    """Load a game from a file; see `load_save`."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise SaveError(f"{path} cannot be read: {error.strerror or error}") from None
    return load_save(image, data, fast=fast)


def load_save(
    image: Image, data: str | bytes, *, fast: bool | None = None, budget: int = BUDGET
) -> tuple[Game, list[str]]:
    """The game, and what was lost on the way, in sentences (nothing if the image is the one that it was saved with)."""
    body = parse(data)
    if body["game"] != image.game:
        raise SaveError(f"this is a save of the game '{body['game']}', not of '{image.game}'")
    try:
        if body["image"] == digest_of(image):
            return exact(image, body, fast, budget), []
        return carried_over(image, body, fast, budget)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        # The checksum holds, so somebody wrote this on purpose; the reason is for them.
        raise SaveError(f"this save is malformed ({type(error).__name__}: {error})") from None


def parse(data: str | bytes) -> dict[str, Any]:
    """The save as data, its format and checksum proved."""
    if len(data) > MOST_BYTES:
        raise SaveError(f"a save has at most {MOST_BYTES >> 20} megabytes")
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        raise SaveError("this is no save (or only a part of one)") from None
    if not isinstance(body, dict) or "ludoloom_save" not in body:
        raise SaveError("this is no save of ludoloom")
    body = cast("dict[str, Any]", body)
    if body["ludoloom_save"] != FORMAT:
        raise SaveError(f"this save has format {body['ludoloom_save']}, and this ludoloom reads format {FORMAT}")
    if body.get("checksum") != checksum(body):
        raise SaveError("this save is damaged (its checksum differs)")
    for key in ("game", "image", "settings", "places", "values", "decisions", "events", "machine"):
        if key not in body:
            raise SaveError(f"this save is malformed (there is no '{key}')")
    return body


def exact(image: Image, body: dict[str, Any], fast: bool | None, budget: int) -> Game:
    """The game word for word."""
    program = next((row for row in image.programs if list(row.modes) == body["modes"]), None)
    if program is None:
        raise SaveError("this save is malformed (there is no such combination of modes)")
    size = program.consts[H_STATE] * 4
    machine = zlib.decompressobj()
    try:
        data = machine.decompress(base64.b64decode(body["machine"], validate=True), size + 1)
    except (zlib.error, ValueError):
        raise SaveError("this save is damaged (the machine's state cannot be unpacked)") from None
    if len(data) != size:
        raise SaveError("this save is damaged (the machine's state has another length)")
    words = array("i")
    words.frombytes(data)
    if sys.byteorder == "big":
        words.byteswap()
    state = words.tolist()
    problems = check_state(program, state)
    if problems:
        raise SaveError(f"this save cannot be played on: {problems[0]}")
    settings = settings_of(body)
    events = [read_event(row) for row in body["events"]]
    decisions = [read_decision(row) for row in body["decisions"]]
    return Game.restored(image, program, state, settings, events, decisions, fast=fast, budget=budget)


def settings_of(body: dict[str, Any]) -> dict[str, Any]:
    """What the game was begun with."""
    settings = body["settings"]
    return {
        "players": int(settings["players"]),
        "options": {str(name): str(value) for name, value in settings["options"].items()},
        "seed": int(settings["seed"]),
        "asked": bool(settings["asked"]),
        "forced": bool(settings["forced"]),
    }


def read_decision(row: list[Any]) -> Decision:
    """A decision from plain data."""
    kind, player, name, label, index, forced, act = row
    return Decision(str(kind), str(player), str(name), str(label), int(index), bool(forced), str(act))


def read_event(row: list[Any]) -> Event:
    """An event from plain data."""
    act, text, words_by_name, words, private, number, unseen = row
    return Event(
        str(act),
        str(text),
        dict(words_by_name),
        tuple(int(word) for word in words),
        bool(private),
        int(number),
        tuple(frozenset(int(thing) for thing in seat) for seat in unseen),
    )


def carried_over(image: Image, body: dict[str, Any], fast: bool | None, budget: int) -> tuple[Game, list[str]]:
    """A new game of a changed image, brought to where the saved one stood."""
    lost = [
        f"the game was saved with {pack} {version} and goes on with {dict(image.packs).get(pack, 'none of it')}"
        for pack, version in body["packs"].items()
        if dict(image.packs).get(pack) != version
    ]
    settings = settings_of(body)
    options = kept_options(image, settings["options"], lost)
    try:
        _, modes, _ = option_words(image, options)
        program = program_of(image, modes)
    except GameError as error:
        raise SaveError(f"this save cannot be carried over: {error}") from None
    step = body["step"]
    if step not in names_of(program).steps:
        raise SaveError(f"this save cannot be carried over: it stands at the step '{step}', which there is no longer")
    game = at_step(image, settings, options, step, fast, budget)
    state = game.state
    lay_things(program, state, body, lost)
    lay_values(program, state, body, lost)
    for name, register in _CHANCE.items():
        state[register] = int(body["chance"][name]) & 0x7FFFFFFF
    state[R_DECISIONS] = len(body["decisions"])
    state[R_ASKED] = int(settings["asked"])
    state[R_FORCED] = int(settings["forced"])
    if body["status"] in ("ask", "chance"):
        lost.append(f"the step '{step}' begins again (it stood at: {body['question'] or 'a question'})")
    events = [forgotten(read_event(row)) for row in body["events"]]
    decisions = [read_decision(row) for row in body["decisions"]]
    carried = Game.restored(image, program, state, settings, events, decisions, fast=fast, budget=budget)
    carried.resume()
    return carried, lost


def kept_options(image: Image, options: dict[str, str], lost: list[str]) -> dict[str, str]:
    """The options that there still are."""
    rows = {row.name: row for row in image.options}
    kept: dict[str, str] = {}
    for name, value in options.items():
        try:
            option_value(rows[name], value)
            kept[name] = value
        except (KeyError, GameError):
            lost.append(f"the option '{name}: {value}' is no longer there")
    return kept


def at_step(
    image: Image, settings: dict[str, Any], options: dict[str, str], step: str, fast: bool | None, budget: int
) -> Game:
    """A new game that waits at a step; questions on the way are answered with the first option."""
    answered = 0

    def first(_game: Game) -> int:
        nonlocal answered
        answered += 1
        if answered > MOST_DECISIONS:
            raise SaveError(f"this save cannot be carried over: a new game does not come to the step '{step}'")
        return 0

    try:
        game = Game.new(
            image, settings["players"], dict(options), settings["seed"], fast=fast, budget=budget, until=step
        )
        reached = game.status == "break" or game.run_until(step, first)
    except GameError as error:
        raise SaveError(f"this save cannot be carried over: {error}") from None
    if not reached:
        raise SaveError(f"this save cannot be carried over: a new game does not come to the step '{step}'")
    return game


def forgotten(event: Event) -> Event:
    """An event of another image: its sentence stays, its numbers mean nothing any more. It is told to nobody in
    part.
    """
    return Event(event.act, event.text, event.values, (), event.private or any(event.unseen), -2, ())


def lay_things(program: Program, state: list[int], body: dict[str, Any], lost: list[str]) -> None:
    """Lay every thing where the save has it; things that the save does not know stay where the new game put them."""
    names, consts = names_of(program), program.consts
    rows: dict[str, list[Any]] = body["places"]
    for name in saved_things(body):
        number = names.things.get(name)
        if number is not None and number <= consts[H_MOVABLE] and number not in names.seats:
            lay_at(consts, state, number, 0)
    for place, row in rows.items():
        where = names.things.get(place)
        if where is None or not consts[H_PLACES] <= where <= consts[H_THINGS]:
            lost.append(f"the place '{place}' is no longer there; what lay there ({len(flat(row))}) lies nowhere")
            continue
        for part in row:
            group = 0
            if isinstance(part, list):
                state[R_SHUFFLES] += 1
                group = state[R_SHUFFLES]
            for name in flat([part]):
                lay_one(program, state, name, where, group, lost)
    for name, (cell, turn) in body["cells"].items():
        if name in names.things:
            try:
                named.write(program, state, f"{name}.turn", int(turn))
                named.write(program, state, name, cell)
            except GameError as error:
                lost.append(f"the tile '{name}' does not lie at {cell} any more: {error}")


def lay_one(program: Program, state: list[int], name: str, place: int, group: int, lost: list[str]) -> None:
    """Lay one thing beneath what lies at a place already."""
    names, consts = names_of(program), program.consts
    number = names.things.get(name)
    where = names.thing(place)
    if number is None or number > consts[H_MOVABLE]:
        lost.append(f"the thing '{name}' is no longer there; it lay at '{where}'")
        return
    if number in names.seats:
        return
    try:
        lay_at(consts, state, number, place, bottom=True)
        state[consts[H_GROUP] + number] = group
    except GameError as error:
        lost.append(f"the thing '{name}' cannot lie at '{where}' any more: {error}")


def saved_things(body: dict[str, Any]) -> set[str]:
    """The names of all things of which the save says something."""
    found = {path.rpartition(".")[0] for path in body["values"]}
    for row in body["places"].values():
        found.update(flat(row))
    return found


def flat(row: list[Any]) -> list[str]:
    """The names in a row of a place."""
    return [str(name) for part in row for name in (cast("list[Any]", part) if isinstance(part, list) else [part])]


def lay_values(program: Program, state: list[int], body: dict[str, Any], lost: list[str]) -> None:
    """Set every column and word that there still is."""
    gone: dict[str, int] = {}
    for path, value in body["values"].items():
        try:
            named.write(program, state, path, value)
        except GameError as error:
            thing = path.rpartition(".")[0]
            if thing and thing not in names_of(program).things:
                gone[thing] = gone.get(thing, 0) + 1
            else:
                lost.append(f"'{path}' was {value!r}, which is lost: {error}")
    lost.extend(
        f"the thing '{thing}' is no longer there; {count} of its values are lost" for thing, count in gone.items()
    )
