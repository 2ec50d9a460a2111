"""What the constructs of the language mean: small games are played, decision by decision, and looked at (play/*.yaml).

A case is a whole pack, a line ``---`` and `plays`: for each play a list of

    roll                 a decision: the label of an option, a face, the thing that is drawn
    offered: [a, b]      the labels that are offered now, in order
    asked: ann           who is asked now (`none`: chance)
    is: {ann.score: 3}   values of the state by name
    told: ann takes 2    the last line of the log
    stands: {ann: 30}    what the position is worth to players; `goals: {ann: {honey: 30}}`: goal by goal
    end: won             the game is over in this way; `winners: [ann]`
    fault: no room       the game was stopped; words of the reason
    begin: {…}           what `Game.new` is called with, as the first line (`players`, `forced`, `options`, `seed`)

Chance is asked unless the play says otherwise, and a question with one option is answered by the machine.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import pytest

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Map, plain
from ludoloom.compiler.frontend.read import read
from ludoloom.compiler.pipeline import load
from ludoloom.runtime import named
from ludoloom.runtime.game import Game
from ludoloom.runtime.image import Image
from ludoloom.runtime.verify import check_image

CASES = Path(__file__).parent / "play"


def parts(path: Path) -> tuple[str, dict[str, list[Any]]]:
    """The text of the pack and the plays of a case."""
    pack, line, rest = path.read_text(encoding="utf-8").partition("\n---\n")
    assert line, "a line `---` stands between the pack and the plays"
    bag = Bag()
    tree = read(rest.encode(), path.name, bag)
    assert not bag.findings, [finding.message for finding in bag]
    assert tree is not None
    plays = tree.get("plays")
    assert isinstance(plays, Map)
    return f"{pack}\n", cast("dict[str, list[Any]]", plain(plays))


@cache
def image_of(name: str) -> Image:
    """The compiled pack of a case, which must be without any finding."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "game.yaml").write_text(parts(CASES / f"{name}.yaml")[0], encoding="utf-8")
        checked = load([folder])
    findings = [f"{each.span.line}:{each.span.column} {each.code}: {each.message}" for each in checked.bag]
    assert findings == []
    (game,) = checked.games
    assert game.image is not None
    check_image(game.image)
    return game.image


PLAYS = [(path.stem, play) for path in sorted(CASES.glob("*.yaml")) for play in parts(path)[1]]


@pytest.mark.parametrize(("name", "play"), PLAYS)
def test_play(name: str, play: str) -> None:
    lines = parts(CASES / f"{name}.yaml")[1][play]
    settings: dict[str, Any] = {"asked": True}
    if isinstance(lines[0], dict) and "begin" in lines[0]:
        settings |= lines.pop(0)["begin"]
    game = Game.new(image_of(name), **settings)
    looked = False
    for number, line in enumerate(lines, 1):
        here = f"line {number}, {line}: {game.status_text()}, {[option.label for option in game.options]}"
        if not isinstance(line, dict):
            label = str(line).lower() if isinstance(line, bool) else str(line)
            assert label in [option.label for option in game.options], here
            game.apply(label)
            continue
        looked = True
        for what, wanted in cast("dict[str, Any]", line).items():
            assert seen(game, what, wanted) == wanted, f"{here} {game.log()}"
    assert looked, "a play looks at something"


def seen(game: Game, what: str, wanted: Any) -> Any:
    """What is there of what a line looks at."""
    match what:
        case "offered":
            return [as_written(option.label) for option in game.options]
        case "asked":
            return game.question.player or "none"
        case "is":
            return {path: value_at(game, path, value) for path, value in wanted.items()}
        case "told":
            return game.log()[-1]
        case "stands":
            return {player: game.value(player) for player in wanted}
        case "goals":
            return {player: game.goals(player) for player in wanted}
        case "end":
            return game.result.outcome if game.result is not None else game.status_text()
        case "winners":
            return list(game.result.winners) if game.result is not None else game.status_text()
        case "fault":
            assert game.fault is not None, game.status_text()
            return wanted if wanted in game.fault.text else game.fault.text
        case _:
            raise AssertionError(f"`{what}` is nothing that a play looks at")


def value_at(game: Game, path: str, wanted: Any) -> Any:
    """The value at a path; of a zone without order the things in the order of the case."""
    value = as_written(named.read(game.program, game.state, path))
    thing, word = named.split(game.names, path)
    zone = game.names.zones.get(thing)
    ordered = bool(word) or (zone is not None and zone.order != "none")
    if isinstance(wanted, list) and not ordered and set(value) == set(cast("list[str]", wanted)):
        return cast("list[str]", wanted)
    return value


def as_written(value: Any) -> Any:
    """A value as YAML has it: nothing is `none`, a number stays one."""
    if value is None:
        return "none"
    if isinstance(value, str) and value.lstrip("-").isdecimal():
        return int(value)
    return value
