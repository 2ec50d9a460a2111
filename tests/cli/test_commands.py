"""The commands about a compiled game: exit codes, what goes to standard output and what to standard error."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from ludoloom.compiler.cli.main import COMMANDS
from ludoloom.runtime.game import load

from .conftest import GAMES, Call  # pyright: ignore[reportMissingImports]

ROOT = Path(__file__).parent.parent.parent
LUCK = GAMES / "press_luck"
POKER = GAMES / "kuhn_poker"
BROKEN = (
    "pack: {id: demo, version: 1.0.0, title: Demo, players: 2}\nstate: {pot: 0 to 9}\ncomputed: {twice: pott + 1}\n"
)
# Division by zero at the second question.
FAULTY = """pack: {id: demo, version: 1.0.0, title: Demo, players: 2}
state: {pot: 0 to 9}
play: [round]
phases:
  round:
    do:
      - ask: {says: "On?", by: player_1}
      - gain: {what: pot, amount: 6 // pot}
end: {full: {whenever: pot == 9, winners: none}}
"""


def pack(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return folder


# --- all of them ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_help_has_examples(call: Call, name: str) -> None:
    done = call(name, "--help")
    assert done.code == 0
    assert f"ludoloom {name}" in done.out, "an example of the command"
    assert len(done.out) > 300


@pytest.mark.parametrize("command", ["build", "test", "play", "simulate", "disasm"])
def test_errors_of_content_are_shown_and_end_the_command(call: Call, command: str) -> None:
    folder = pack(Path("demo"), BROKEN)
    done = call(command, folder)
    assert done.code == 1
    assert "error[unknown-word]" in done.out
    assert "demo/game.yaml:3:19" in done.out
    assert "did you mean `pot`?" in done.out
    assert "1 error" in done.err


@pytest.mark.parametrize("command", ["build", "play", "simulate", "disasm", "schema"])
def test_a_name_that_leads_nowhere(call: Call, command: str) -> None:
    done = call(command, "press_lucky", *(["--packs", GAMES] if command != "show" else []))
    assert (done.code, done.out) == (2, "")
    assert "there is no pack `press_lucky`" in done.err
    assert "did you mean `press_luck`?" in done.err


@pytest.mark.parametrize("command", ["check", "test", "build", "play", "simulate", "disasm", "schema", "catalogue"])
def test_a_folder_of_packs_that_is_not_there(call: Call, command: str) -> None:
    done = call(command, LUCK, "--packs", "nowhere")
    assert (done.code, done.out) == (2, "")
    assert done.err == "ludoloom: nowhere: there is no such folder to look for packs in\n"


@pytest.mark.parametrize("command", ["play", "simulate", "disasm"])
def test_a_folder_of_several_games_is_no_game(call: Call, command: str) -> None:
    done = call(command, GAMES)
    assert done.code == 2
    assert "holds 6 games; name one" in done.err
    assert "/snail_derby` with `" in done.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--players", "9"), "Press Your Luck is for 2 to 4 players, not 9"),
        (("--option", "long=yes"), "has no options"),
        (("--option", "long"), "write `--option name=value`"),
        (("--seed", "-1"), "a seed is a number"),
    ],
)
def test_settings_that_the_game_does_not_have(call: Call, arguments: tuple[str, ...], sentence: str) -> None:
    for command in (("play", "--auto", "random"), ("simulate", "-n", "1")):
        done = call(command[0], LUCK, *command[1:], *arguments)
        assert (done.code, done.out) == (2, "")
        assert sentence in done.err


def test_a_game_by_its_id(call: Call) -> None:
    assert call("play", "press_luck", "--packs", GAMES, "--auto", "random").code == 0


# --- build ------------------------------------------------------------------------------------------------------------


def test_build(call: Call) -> None:
    done = call("build", LUCK, POKER, "--out", "made")
    assert (done.code, done.out) == (0, "")
    for name in ("press_luck", "kuhn_poker"):
        assert f"made/{name}.loom" in done.err
        assert load(Path("made", f"{name}.loom")).game == name
    assert "sha256" in done.err
    first = Path("made/press_luck.loom").read_bytes()
    call("build", LUCK, "--out", "again")
    assert Path("again/press_luck.loom").read_bytes() == first


def test_nothing_is_written_after_errors(call: Call) -> None:
    assert call("build", LUCK, pack(Path("demo"), BROKEN)).code == 1
    assert not Path("build").exists()


def test_an_image_is_played_without_its_yaml(call: Call) -> None:
    call("build", LUCK)
    played = call("play", "build/press_luck.loom", "--auto", "random", "--seed", "3")
    assert played.code == 0
    assert played.out == call("play", LUCK, "--auto", "random", "--seed", "3").out
    assert call("play", "build/press_luck.loom", "--with", "more").code == 2
    Path("build/press_luck.loom").write_bytes(b"no image")
    damaged = call("play", "build/press_luck.loom")
    assert damaged.code == 2
    assert "Traceback" not in damaged.err


# --- play -------------------------------------------------------------------------------------------------------------


def test_a_game_plays_itself(call: Call) -> None:
    done = call("play", LUCK, "--auto", "random", "--seed", "5", "--players", "3")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1].startswith("reached, by ") or done.out.splitlines()[-1].startswith("out of turns")
    assert done.out == call("play", LUCK, "--auto", "random", "--seed", "5", "--players", "3").out
    assert done.out != call("play", LUCK, "--auto", "random", "--seed", "6", "--players", "3").out


def test_a_person_plays(call: Call) -> None:
    done = call("play", GAMES / "tic_tac_toe", typed="1\nB2\n9\n1\nc1\n1\n1\nwhat board.a1\nlog\n")
    assert done.code == 0
    assert "B2 is taken" in done.out
    assert "there are the options 1 to 7" in done.out
    grid = [line.split() for line in done.out.splitlines() if line.strip().startswith("1 ")]
    assert ["1", "P1", "P1", "P2"] in grid


def test_what_can_be_typed(call: Call) -> None:
    done = call("play", LUCK, typed="help\nundo\nfoo\ny\nsave here.save\nquit\n")
    assert done.code == 0
    assert "take back the last answer" in done.out
    assert "there is nothing to take back" in done.out
    assert "`help` lists what can be typed" in done.out
    assert Path("here.save").is_file()
    assert "score" not in done.err


def test_undo_takes_back_the_last_answer(call: Call) -> None:
    once = call("play", GAMES / "tic_tac_toe", typed="1\nquit\n").out
    back = call("play", GAMES / "tic_tac_toe", typed="1\nundo\n1\nquit\n").out
    assert back.splitlines()[-12:] == once.splitlines()[-12:]


def test_a_hidden_hand_is_not_shown_to_the_other(call: Call) -> None:
    done = call("play", POKER, "--seed", "1", typed="check\n")
    ann, bob = done.out.split("Bob: Bets")[0], done.out.split("Ann: Bets")[1]
    assert re.search(r"Ann, hand \(1\)\n  (Jack|Queen|King) · rank [123]\n", ann)
    assert "Bob, hand (1)\n\n" in ann
    assert re.search(r"Ann, hand \(1\)\n\nBob, hand \(1\)\n  (Jack|Queen|King) · ", bob.split("Ann checks")[0])


def test_a_game_that_is_left_waits_in_its_save(call: Call) -> None:
    call("play", GAMES / "tic_tac_toe", "--save", "evening.save", typed="b2\nquit\n")
    done = call("play", GAMES / "tic_tac_toe", "--save", "evening.save", typed="a1\n")
    assert "B2 is taken" in done.out
    assert "the game waits in evening.save" in done.out
    Path("evening.save").write_text("{}", encoding="utf-8")
    assert call("play", GAMES / "tic_tac_toe", "--save", "evening.save").code == 2


def test_a_recording_is_played_again(call: Call) -> None:
    first = call("play", LUCK, "--auto", "random", "--seed", "2", "--record", "game.rec")
    again = call("play", LUCK, "--auto", "random", "--replay", "game.rec")
    assert again.code == 0
    assert again.out == first.out
    assert call("play", POKER, "--replay", "game.rec").code == 2
    for setting in (("--players", "2"), ("--seed", "2")):
        assert call("play", LUCK, "--auto", "random", "--replay", "game.rec", *setting).out == first.out
    for setting, told in (
        (("--players", "3"), "has 2 players; leave `--players` out"),
        (("--seed", "3"), "has the seed 2; leave `--seed` out"),
        (("--option", "speed=fast"), "has no options"),
    ):
        other = call("play", LUCK, "--auto", "random", "--replay", "game.rec", *setting)
        assert (other.code, other.out) == (2, "")
        assert told in other.err


def test_a_recording_of_other_options(call: Call) -> None:
    folder = pack(Path("demo"), FAULTY + "options: {slow: {is: bool, name: Slow}}\n")
    call("play", folder, "--auto", "random", "--option", "slow=yes", "--record", "game.rec")
    assert call("play", folder, "--auto", "random", "--option", "slow=on", "--replay", "game.rec").code == 1
    other = call("play", folder, "--auto", "random", "--option", "slow=no", "--replay", "game.rec")
    assert (other.code, other.err) == (2, "ludoloom: in the recorded game `slow` is true; leave `--option` out\n")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_the_save(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / ".pypath"), "LUDOLOOM_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "ludoloom", "play", str(GAMES / "tic_tac_toe"), "--save", "kept.save"]
    playing = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        # a run in the background hands down that Ctrl-C is ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert playing.stdin is not None
    assert playing.stdout is not None
    playing.stdin.write("b2\n")
    playing.stdin.flush()
    while "B2 is taken" not in playing.stdout.readline():
        pass
    playing.send_signal(signal.SIGINT)
    _, errors = playing.communicate(timeout=30)
    assert playing.returncode == 130
    assert errors == "stopped\n"
    assert "board.b2" in (tmp_path / "kept.save").read_text(encoding="utf-8")


def test_a_fault_names_its_place(call: Call) -> None:
    folder = pack(Path("demo"), FAULTY)
    done = call("play", folder, "--auto", "random")
    assert done.code == 1
    assert "demo/game.yaml:8:" in done.err
    assert "division by zero" in done.err


# --- simulate ---------------------------------------------------------------------------------------------------------


def test_simulate(call: Call) -> None:
    done = call("simulate", LUCK, "-n", "40", "--json")
    data = json.loads(done.out)
    assert done.code == 0
    assert data["games"] == sum(data["outcomes"].values()) == 40
    assert set(data["outcomes"]) == {"reached", "out_of_turns"}
    assert data["decisions"]["least"] <= data["decisions"]["mean"] <= data["decisions"]["most"]
    assert "games/s" in done.err
    assert done.out == call("simulate", LUCK, "-n", "40", "--json").out
    text = call("simulate", LUCK, "-n", "40").out
    assert "Press Your Luck: 40 games" in text
    assert "games/s" not in text


def test_the_game_of_a_seed_is_that_of_the_simulation(call: Call) -> None:
    data = json.loads(call("simulate", LUCK, "-n", "1", "--seed", "11", "--json").out)
    (winner,) = data["winners"]
    last = call("play", LUCK, "--auto", "random", "--seed", "11").out.splitlines()[-1]
    assert f"by {winner.title()}" in last
    assert last.endswith(f"after {data['decisions']['most']} decisions")


def test_faults_of_a_simulation(call: Call) -> None:
    folder = pack(Path("demo"), FAULTY)
    done = call("simulate", folder, "-n", "3")
    assert done.code == 1
    assert "demo/game.yaml:8: " in done.out
    assert "(3 games, as with --seed 0)" in done.out
    faults = json.loads(call("simulate", folder, "-n", "3", "--json").out)["faults"]
    assert [(fault["file"], fault["line"], fault["seed"]) for fault in faults] == [
        ("demo/game.yaml", 8, k) for k in (0, 1, 2)
    ]


# --- show, disasm, schema ---------------------------------------------------------------------------------------------


def test_show_an_item(call: Call) -> None:
    done = call("show", "king", "--game", POKER)
    assert done.code == 0
    lines = [" ".join(line.split("  #")[0].split()) for line in done.out.splitlines()]
    assert lines[:4] == ["cards:", "king:", "kind: court_card", "origin: printed"]
    assert "starts_in: deck" in lines
    assert "rank: 3" in lines
    assert all("kuhn_poker/game.yaml:" in line for line in done.out.splitlines()[1:])


def test_show_what_an_expansion_has_changed(call: Call) -> None:
    folder = Path("rich")
    folder.mkdir()
    manifest = 'pack: {id: rich, version: 1.0.0, title: Rich, extends: {kuhn_poker: ">=1.0"}}\n'
    (folder / "pack.yaml").write_text(manifest + "patch: {cards: {king: {rank: 2}}}\n", encoding="utf-8")
    done = call("show", "king", "--game", POKER, "--with", folder)
    (rank,) = [line for line in done.out.splitlines() if "rank: 2" in line]
    assert "rich/pack.yaml:2, was " in rank
    assert "kuhn_poker/game.yaml:" in rank


def test_show_other_entries(call: Call) -> None:
    done = call("show", "pay", "--game", POKER)
    assert done.out.startswith("verbs:\n  pay:")
    missing = call("show", "kng", "--game", POKER)
    assert missing.code == 2
    assert "did you mean `king`?" in missing.err


def test_disasm(call: Call) -> None:
    done = call("disasm", LUCK, "verb.bank")
    assert done.code == 0
    assert done.out.startswith("verb.bank: ")
    assert "press_luck/game.yaml:" in done.out
    assert "gain: {what: gambler.score, amount: pot}" in done.out
    assert "LDS" in done.out
    unknown = call("disasm", LUCK, "verb.bonk")
    assert unknown.code == 2
    assert "verb.bank" in unknown.err


def test_schemas(call: Call) -> None:
    language = json.loads(call("schema").out)
    ledger = json.loads(call("schema", "--ledger").out)
    for schema in (language, ledger):
        jsonschema.Draft7Validator.check_schema(schema)
    copied = pack(Path("demo"), (LUCK / "game.yaml").read_text(encoding="utf-8"))
    written = call("schema", copied, "--write")
    assert written.out == ""
    place = copied / ".ludoloom" / "schema.json"
    own = json.loads(place.read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(own)
    assert "collect" in json.dumps(own), "the pack's own verbs"
    assert "is up to date" in call("schema", copied, "--write").err
    assert call("schema", copied).out == place.read_text(encoding="utf-8")
    assert call("schema", "--write").code == 2


# --- new --------------------------------------------------------------------------------------------------------------


def test_a_new_game_works(call: Call) -> None:
    made = call("new", "game", "deep_cave")
    assert (made.code, made.out) == (0, "")
    assert "deep_cave/game.yaml" in made.err
    checked = call("check", "deep_cave")
    assert (checked.code, checked.out) == (0, "")
    tested = call("test", "deep_cave", "--rules", "--strict", "--coverage")
    assert tested.code == 0, tested.out
    assert "rules: 2 proved, 0 open, 0 not applicable of 2" in tested.out
    assert "100%" in tested.out
    assert call("simulate", "deep_cave", "-n", "30", "--players", "4").code == 0
    for file in Path("deep_cave").rglob("*.yaml"):
        first = file.read_text(encoding="utf-8").splitlines()[0]
        if "$schema=" in first:
            assert (file.parent / first.split("$schema=")[1]).is_file()


def test_a_new_expansion_works(call: Call) -> None:
    call("new", "game", "deep_cave")
    made = call("new", "expansion", "deeper", "--game", "deep_cave")
    assert made.code == 0, made.err
    assert call("check", "deeper", "--packs", ".").code == 0
    assert call("play", "deep_cave", "--with", "deeper", "--auto", "random").code == 0


@pytest.mark.parametrize("name", ["class", "if", "and", "on", "yes", "no", "n", "off", "true", "null"])
def test_a_word_of_the_language_is_no_id(call: Call, name: str) -> None:
    done = call("new", "game", name)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"ludoloom: `{name}` cannot be an id")
    assert not Path(name).exists()


def test_nothing_is_overwritten(call: Call) -> None:
    Path("taken").mkdir()
    Path("taken/notes.txt").write_text("mine", encoding="utf-8")
    for arguments in (
        ("game", "taken"),
        ("game", "Not An Id"),
        ("expansion", "alone"),
        ("expansion", "more", "--game", "nowhere"),
        ("game", "cave", "--game", "press_luck"),
        ("game", "cave", "--packs", "nowhere"),
    ):
        done = call("new", *arguments)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("ludoloom: ")
    assert [path.name for path in Path().iterdir()] == ["taken"]
    assert [path.name for path in Path("taken").iterdir()] == ["notes.txt"]


# --- the page about them ----------------------------------------------------------------------------------------------


def test_the_page_names_every_command_and_option(call: Call) -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"`ludoloom {command.name}" in page
        options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", call(command.name, "--help").out)) - {"--help"}
        assert [option for option in sorted(options) if option not in page] == []
