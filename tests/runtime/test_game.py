"""The public interface: play, look, go back, fork; what a caller does wrong is told in a sentence."""

from __future__ import annotations

import dataclasses

import pytest
from asm import FIRST_SEAT, FIRST_ZONE, assemble, image_of
from tiny import tokens
from ways import play

from ludoloom.runtime import jit
from ludoloom.runtime.game import Game, GameError
from ludoloom.runtime.image import ColumnRow, Image, OptionRow, PlaceRow, Program, QuestionRow, TextRow, TypeRow
from ludoloom.runtime.machine import H_STACK, R_SP, REGISTERS, ST_END
from ludoloom.runtime.serial import from_bytes, to_bytes


def copy(image: Image) -> Image:
    return from_bytes(to_bytes(image))


def finish(game: Game) -> Game:
    """Always the last option."""
    while game.status in ("ask", "chance"):
        game.apply(len(game.options) - 1)
    return game


def test_a_game_from_first_to_last() -> None:
    game = Game.new(tokens(), players=2, seed=4)
    assert game.status == "ask"
    assert game.players == ["player_1", "player_2"]
    assert game.step == "turn.rest"
    question = game.question
    assert (question.player, question.act, question.name, question.text) == (
        "player_1",
        "pick",
        "token",
        "Which token?",
    )
    option = game.options[0]
    assert option.label == option.value
    assert option.text == f"Token {option.label[-1]}"
    assert game.result is None
    assert game.fault is None
    game.apply(option.label)
    game.apply("stop" if len(game.options) > 1 else 0)
    finish(game)
    assert game.status == "end"
    assert game.result is not None
    assert (game.result.outcome, game.result.winners) == ("won", ("player_1",))
    assert game.options == []
    assert len([event for event in game.events if event.act == "found"]) == 6


def test_wrong_requests_are_sentences() -> None:
    image = tokens()
    for request, sentence in [
        (lambda: Game.new(image, players=3), "Demo is for 1 to 2 players, not 3"),
        (lambda: Game.new(image, players=0), "not 0"),
        (lambda: Game.new(image, seed=-1), "a seed is a number"),
        (lambda: Game.new(image, budget=0), "a budget is a number"),
        (lambda: Game.new(image, options={"mega": True}), "Demo has no options"),
        (lambda: Game.new(image, until="turn.plya"), "did you mean 'turn.play'"),
        (lambda: Game.new(image).apply("tokne_1"), "there is no option called 'tokne_1'; did you mean"),
        (lambda: Game.new(image).apply(99), r"there is no option 99; the options are 0 to"),
        (lambda: Game.new(image).view("player_9"), "did you mean 'player_1'"),
        (lambda: Game.new(image).view("deck"), "'deck' is no player"),
        (lambda: Game.new(image).resume(), "the game does not wait at a step"),
        (lambda: finish(Game.new(image)).apply(0), "nothing is asked: the game is over"),
        (lambda: finish(Game.new(image)).question, "nothing is asked: the game is over"),
        (lambda: Game.new(image).call("thrice", [1]), "there is no procedure called 'thrice'"),
        (lambda: Game.new(image).call("twice", []), "'twice' takes 1 words, not 0"),
        (lambda: Game.new(image).call("twice", [0]), "has no value here: a thing was asked for that is not there"),
    ]:
        with pytest.raises(GameError, match=sentence):
            request()


def test_options_choose_the_program() -> None:
    image = tokens()
    long = copy(image).programs[0]
    mega = dataclasses.replace(long, modes=("mega",))
    image.programs.append(mega)
    image.options = [
        OptionRow("mega", "Mega", ("false", "true"), 0, REGISTERS + 5, ("", "mega")),
        OptionRow("speed", "Speed", ("slow", "fast"), 1, REGISTERS + 6, ("", "")),
    ]
    game = Game.new(image)
    assert game.program.modes == ()
    assert game.state[REGISTERS + 5 : REGISTERS + 7] == [0, 2]
    game = Game.new(image, options={"mega": "yes", "speed": "slow"})
    assert game.program.modes == ("mega",)
    assert game.state[REGISTERS + 5 : REGISTERS + 7] == [1, 1]
    assert game.settings["options"] == {"mega": "true", "speed": "slow"}
    with pytest.raises(
        GameError, match="there is no value of the option 'speed' called 'quick'; there is 'slow', 'fast'"
    ):
        Game.new(image, options={"speed": "quick"})
    with pytest.raises(GameError, match="no option of this game called 'meag'; did you mean 'mega'"):
        Game.new(image, options={"meag": True})
    image.programs.pop()
    with pytest.raises(GameError, match="the modes mega cannot be combined; possible are: none"):
        Game.new(image, options={"mega": True})


def test_undo_goes_back_exactly() -> None:
    game = Game.new(tokens(), seed=8)
    stood: list[tuple[list[int], int, int, list[str]]] = []
    while game.status == "ask":
        stood.append((list(game.state), len(game.events), len(game.decisions), [o.label for o in game.options]))
        game.apply(0)
    while game.undo():
        state, events, decisions, labels = stood.pop()
        assert game.state == state
        assert (len(game.events), len(game.decisions)) == (events, decisions)
        assert [option.label for option in game.options] == labels
    assert stood == []


def test_forks_share_nothing() -> None:
    game = Game.new(tokens(), seed=8)
    game.apply(0)
    other = game.fork()
    assert other.digest() == game.digest()
    before = (list(game.state), game.events, game.decisions, game.digest(), dict(game.settings))
    finish(other)
    other.undo()
    other.settings["options"]["x"] = "y"
    assert (list(game.state), game.events, game.decisions, game.digest(), dict(game.settings)) == before
    again = game.fork()
    assert finish(again).digest() == finish(game).digest()


def test_both_ways_give_one_digest(checked: jit.Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "machine", lambda: checked)
    for seed in range(5):
        for asked in (False, True):
            plain = Game.new(tokens(), seed=seed, asked=asked)
            fast = Game.new(tokens(), seed=seed, asked=asked, fast=True)
            while plain.status in ("ask", "chance"):
                assert plain.state == fast.state
                assert plain.options == fast.options
                plain.apply(seed % len(plain.options))
                fast.apply(seed % len(fast.options))
            assert plain.digest() == fast.digest()
            assert plain.events == fast.events
            assert plain.decisions == fast.decisions


def test_asked_chance_is_a_question() -> None:
    game = Game.new(tokens(), asked=True)
    assert game.status == "chance"
    assert (game.question.chance, game.question.name, game.question.text) == ("draw", "deck", "drawn from deck")
    assert [option.label for option in game.options] == [f"token_{k}" for k in range(1, 7)]
    game.apply("token_4")
    assert (game.question.chance, game.question.name) == ("roll", "d6")
    game.apply("5")
    # With one token in hand there is one answer, so the next draw is asked.
    assert game.status == "chance"
    assert [decision.label for decision in game.decisions] == ["token_4", "5", "stop"]
    assert game.view()["things"]["token_4"] == {"kind": "token", "at": "hand", "value": 4}


def test_forced_questions_can_be_asked() -> None:
    game = Game.new(tokens(), seed=3)
    assert [decision.forced for decision in game.decisions if decision.kind == "choice"] == [True]
    forced = Game.new(tokens(), seed=3, forced=True)
    assert len(forced.options) == 1
    forced.apply(0)
    assert [decision.label for decision in forced.decisions] == [decision.label for decision in game.decisions]
    assert forced.key() == game.key()


def test_views_hide_what_is_hidden() -> None:
    game = Game.new(tokens(), seed=4)
    held = game.options[0].label
    everything, mine, theirs = game.view(), game.view("player_1"), game.view("player_2")
    assert everything["zones"]["deck"]["things"] == [
        f"token_{k}" for k in range(1, 7) if f"token_{k}" not in holding(game)
    ]
    assert mine["zones"]["deck"] == theirs["zones"]["deck"] == {"count": everything["zones"]["deck"]["count"]}
    assert held in mine["zones"]["hand"]["things"]
    assert theirs["zones"]["hand"] == {"count": len(holding(game))}
    assert held in mine["things"]
    assert held not in theirs["things"]
    assert mine["options"]
    assert "options" not in theirs
    assert game.log()[0] == f"found {held.replace('token_', 'Token ')}" or len(game.log()) > 1
    assert set(game.log("player_2")) == {"d6: 1", "d6: 5", "found a token"}


def holding(game: Game) -> list[str]:
    return game.view()["zones"]["hand"]["things"]


def test_views_follow_faces_and_columns() -> None:
    image = tokens()
    prog = image.programs[0]
    number = TypeRow("int")
    prog.enums["tile.face"] = ["front", "back"]
    prog.columns += [
        ColumnRow("tile", "showing", "state", REGISTERS + 8 + 6, 9, 3, TypeRow("enum", "tile.face")),
        ColumnRow("tile", "price", "printed", prog.consts[7], 9, 3, number, face="back"),
        ColumnRow("player", "secret", "printed", 0, 7, 2, number, seen_by="owner"),
        ColumnRow("player", "nothing", "printed", 0, 7, 2, number, seen_by="nobody"),
        ColumnRow("token", "twice", "computed", 1, 1, 6, number),
    ]
    game = Game.new(image_of(views_program(prog)), forced=True)
    mine, theirs, all_of_it = game.view("player_1"), game.view("player_2"), game.view()
    assert mine["things"]["tile_1"] == {"kind": "tile", "at": "pair", "showing": "front"}
    assert "back.price" in all_of_it["things"]["tile_1"]
    assert "secret" in mine["things"]["player_1"]
    assert "secret" not in theirs["things"]["player_1"]
    assert "nothing" not in mine["things"]["player_1"]
    assert "nothing" in all_of_it["things"]["player_1"]
    assert mine["things"]["token_1"]["twice"] == 0
    assert "twice" not in game.view("player_1", formulas=False)["things"]["token_1"]


def test_what_stands_on_open_faces_is_seen() -> None:
    prog = tokens().programs[0]
    prog.enums["tile.face"] = ["front", "back"]
    prog.kinds = [
        dataclasses.replace(row, faces=("front", "back"), open_faces=row.name == "tile") for row in prog.kinds
    ]
    prog.columns += [
        ColumnRow("tile", "showing", "state", REGISTERS + 8 + 6, 9, 3, TypeRow("enum", "tile.face")),
        ColumnRow("tile", "price", "printed", prog.consts[7], 9, 3, TypeRow("int"), face="back"),
    ]
    made = views_program(prog)
    made.kinds = prog.kinds
    mine = Game.new(image_of(made), forced=True).view("player_1")["things"]["tile_1"]
    assert mine["showing"] == "front"
    assert "back.price" in mine


def views_program(prog: Program) -> Program:
    """A program whose first question comes at once, with the tables of another."""
    body = f"PUSH 9\nPUSH {FIRST_ZONE + 2}\nMOVE 0\nPUSH 1\nPUSH {FIRST_ZONE + 2}\nMOVE 0"
    made = assemble(
        f"proc main 0 2 0\n{body}\nPUSH 7\nPUSH 1\nDUP\nDUP\nOPT\nPUSH 7\nASK 0\nPUSH 0\nEND 0\n"
        "proc twice 1 1 1\nLDL 0\nLDF =column 1 6\nPUSH 2\nMUL\nRET"
    )
    made.columns, made.enums = prog.columns, prog.enums
    made.start[REGISTERS + 8 + 6] = 1  # the first face is up
    return made


def test_private_events_are_for_one_player() -> None:
    made = assemble("proc main 0 1 0\nPUSH 7\nPUSH 3\nEVENT 2 2\nPUSH 0\nEND 1")
    made.events.append(
        TextRow(
            "look", "{who} sees {what}", ("who", "what"), (TypeRow("thing", "player"), TypeRow("thing", "token")), True
        )
    )
    game = Game.new(image_of(made), players=2)
    assert game.log() == game.log("player_1") == ["Player 1 sees Token 3"]
    assert game.log("player_2") == []
    assert game.events[0].values == {"who": "player_1", "what": "token_3"}


def test_secret_questions_show_nothing_to_others() -> None:
    image = tokens()
    row = image.programs[0].questions[0]
    image.programs[0].questions[0] = dataclasses.replace(row, secret=True)
    game = Game.new(image, seed=4)
    assert "question" in game.view("player_1")
    assert "question" not in game.view("player_2")


def test_labels_are_unique_and_name_the_act() -> None:
    made = assemble(
        f"proc main 0 1 0\nPUSH {FIRST_SEAT}\nPUSH 2\nPUSH 3\nPUSH 0\nOPT\n"
        f"PUSH {FIRST_SEAT + 1}\nPUSH 2\nPUSH 3\nPUSH 0\nOPT\n"
        f"PUSH {FIRST_SEAT}\nPUSH 1\nPUSH 0\nPUSH 0\nOPT\nPUSH {FIRST_SEAT}\nPUSH 1\nPUSH 0\nPUSH 0\nOPT\n"
        "PUSH 0\nASK 1\nPUSH 0\nEND 1"
    )
    made.labels.append(TextRow("hit", "hit {a}", ("a",), (TypeRow("thing", "token"),)))
    made.questions.append(QuestionRow("", "act", "What now?", TypeRow("thing", "token")))
    game = Game.new(image_of(made), players=2)
    assert [option.label for option in game.options] == [
        "player_1: hit (token_3)",
        "player_2: hit (token_3)",
        "stop",
        "stop #2",
    ]
    assert game.options[1].player == "player_2"
    assert game.options[1].text == "hit Token 3"
    game.apply("player_2: hit (token_3)")
    assert game.decisions[0].player == "player_2"
    assert game.decisions[0].label == "player_2: hit (token_3)"


def test_faults_name_the_place() -> None:
    made = assemble("proc main 0 1 0\nPUSH 1\nPOP\nPUSH 0\nLDF =column 1 6\nPOP\nPUSH 0\nEND 1")
    made.places[:] = [PlaceRow(0, 0, 3, 1, True), PlaceRow(3, 0, 12, 9, True)]
    game = Game.new(image_of(made))
    assert game.status == "fault"
    assert str(game.fault) == "game.yaml:12:9: a thing was asked for that is not there"
    with pytest.raises(GameError, match="the game was stopped"):
        game.apply(0)


def test_rules_without_end_stop() -> None:
    game = Game.new(image_of(assemble("proc main 0 1 0\nagain:\nJMP @again")), budget=1000)
    assert game.fault is not None
    assert "do not come to an end" in game.fault.text


def test_steps_can_be_waited_for() -> None:
    game = Game.new(tokens(), seed=2, until="turn.rest")
    assert (game.status, game.step) == ("break", "turn.rest")
    assert game.view()["game"]["w0"] == 0
    game.resume()
    assert game.status == "ask"
    assert game.run_until("turn.rest")
    assert game.view()["game"]["w0"] == sum(decision.kind == "choice" for decision in game.decisions)
    assert not game.run_until("turn.play")
    assert game.status == "end"


def test_formulas_change_nothing() -> None:
    game = Game.new(tokens(), asked=True)
    game.apply("token_2")
    game.apply("5")
    before = list(game.state)
    assert game.call("twice", [2]) == [8]
    assert game.call(1, [2]) == [8]
    assert game.state == before


def test_keys_leave_out_what_is_no_position() -> None:
    one, two = (Game.new(tokens(), asked=True, seed=seed) for seed in (1, 2))
    assert one.key() == two.key()
    one.apply("token_1")
    two.apply("token_2")
    assert one.key() != two.key()
    two.undo()
    two.apply("token_1")
    assert one.key() == two.key()
    # dead words of the stack do not count
    other = one.fork()
    other.state[other.program.consts[H_STACK] + other.state[R_SP] + 5] = 77
    assert other.key(machine=True) == one.key(machine=True)
    assert other.digest() == one.digest()


def test_the_end_of_the_program_is_an_end() -> None:
    prog = assemble("proc main 0 1 0\nCALL &inner\nRET\nproc inner 0 1 0\nUNWIND &main")
    assert play(prog)[0] == ST_END
    game = Game.new(image_of(prog))
    assert game.result is not None
    assert game.result.outcome == ""
