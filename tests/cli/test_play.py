"""A game in the terminal, as people play it: what they see before they decide, who sees it, and what can be typed."""

from __future__ import annotations

import os
import random
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoloom.compiler.cli import choices, table
from ludoloom.compiler.cli.board import Board, marks_of
from ludoloom.compiler.cli.seats import secrets
from ludoloom.compiler.cli.words import few, plain, spans
from ludoloom.compiler.pipeline import load
from ludoloom.runtime.game import Game
from ludoloom.runtime.save import save_file

from .conftest import GAMES, Call  # pyright: ignore[reportMissingImports]

ROOT = Path(__file__).parent.parent.parent
DERBY = GAMES / "snail_derby"
POKER = GAMES / "kuhn_poker"
MANUAL = re.findall(r"```yaml game\.yaml play\n(.*?)```", (ROOT / "docs" / "language.md").read_text("utf-8"), re.DOTALL)
# Two mages with spells, a roll, energy, and a window that goes on until both have passed.
DUEL = """pack: {id: duel, version: 1.0.0, title: Duel, players: 2}
kinds:
  mage:
    family: player
    plural: mages
    state: {life: {is: 0 to 9, start: 6}, power: {is: 0 to 9, start: 4}}
    zones: {book: {holds: spell}, ROBE}
  spell:
    family: card
    plural: spells
    owner: mage
    starts_in: owner.book
    fields: {price: 0 to 9}
    acts: {cast: {says: "{mage} casts {self}", who: {mage: owner}, cost: {mage.power: price}}}
players: {ida: {kind: mage, origin: original}, jon: {kind: mage, origin: original}}
dice: {d6: {origin: original, faces: 1 to 6}}
icons: {heart: icons/heart.svg}
rolls: {test: {with: {need: int}, dice: d6, outcomes: {hit: total >= need, miss: else}}}
cards:
  spark:
    kind: spell
    origin: original
    owner: ida
    price: 1
    values: {need: 4, harm: 1}
    text: "Roll {need}+: the other loses {harm} :heart:."
    cast: {roll: {test: need}, on hit: [{hurt: {mage: mage.opponent, amount: harm}}], on miss: []}
  drizzle:
    kind: spell
    origin: original
    owner: jon
    copies: 2
    price: 1
    values: {harm: 1}
    text: "The other loses {harm} :heart:."
    cast: {do: [{hurt: {mage: mage.opponent, amount: harm}}]}
verbs:
  hurt:
    says: "{mage} loses {amount} :heart:"
    with: {mage: mage, amount: int}
    do: [{lose: {what: mage.life, amount: amount}}]
tracks: {round: {origin: original, shape: loop, spaces: 0 to 4, start: dawn, marks: {dawn: {at: 0}, noon: {at: 2}}}}
windows: {moment: {who: mages, order: free, offers: [spells.cast]}}
play: [duel]
phases:
  duel:
    turns: {of: mages}
    steps: {act: [{open: moment}], rest: [{advance: {what: round, amount: 1}}, {gain: {what: active.power, amount: 1}}]}
end: {won: {whenever: mages.where(life == 0).any, winners: mages.where(life > 0)}}
"""


@pytest.fixture(autouse=True)
def in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """To compile the machine takes longer than to play these games."""
    monkeypatch.setattr("ludoloom.runtime.jit.why_not", lambda: "not wanted")


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    return pack(tmp_path / "duel", DUEL.replace(", ROBE", ""))


@pytest.fixture
def veiled(tmp_path: Path) -> Path:
    """The same duel, with a card in each robe that the other does not see."""
    robe = ", robe: {holds: spell, seen_by: owner, count_seen_by: everyone}"
    text = DUEL.replace(", ROBE", robe).replace("starts_in: owner.book", "starts_in: owner.robe")
    return pack(tmp_path / "veiled", text)


def pack(folder: Path, text: str) -> Path:
    (folder / "icons").mkdir(parents=True)
    (folder / "icons" / "heart.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return folder


def questions(text: str) -> list[str]:
    """The lines that ask."""
    return [line for line in text.splitlines() if re.match(r"(> )?(Ida|Jon|Ann|Bob).*: Moment", line)]


# --- before one decides -----------------------------------------------------------------------------------------------


def test_options_tell_price_odds_and_text(call: Call, duel: Path) -> None:
    out = call("play", duel).out
    assert "Ida or Jon: Moment" in out
    assert re.search(r"1  Ida: Spark +costs power 1, hit 50 %\n +Roll 4\+: the other loses 1 heart\.\n", out)
    assert re.search(r"2  Jon: Drizzle ×2 +costs power 1\n", out), "copies that are alike are one option"
    assert "Ida: pass" in out


def test_options_of_cards_stand_under_their_act(call: Call) -> None:
    out = call("play", DERBY, "--seed", "4").out
    assert re.search(r"  Feed\n     1  Ada: \w+", out)
    assert re.search(r"\n   \d  Ada: Salt +costs grains 1\n", out)


def test_what_is_chosen_is_described(call: Call) -> None:
    out = call("play", DERBY, "--seed", "4", typed="1\n1\n1\n").out
    assert re.search(r"Feed: choose snail|choose snail", out)
    assert re.search(r"1  Amber +way 2, Garden", out)


def test_what_was_picked_of_several_is_told(call: Call, tmp_path: Path) -> None:
    bidding = pack(tmp_path / "bidding", next(text for text in MANUAL if "id: bidding" in text))
    out = call("play", bidding, typed="one\ntwo\n").out
    assert re.search(r"choose purse\n      so far: One \d\n", out)
    assert re.search(r"choose purse\n      so far: One \d, Two \d\n", out)


def test_a_number_that_is_asked_for_is_typed_as_it_is(call: Call, tmp_path: Path) -> None:
    bidding = pack(tmp_path / "bidding", next(text for text in MANUAL if "id: bidding" in text))
    out = call("play", bidding, typed="one\ndone\n" * 3 + "12\n7\n0\n3\n").out
    assert "choose amount\n      0 to 9\n" in out
    assert "'12' is no option" in out
    assert "Ann pays 7" in out


def test_answers_in_words(call: Call) -> None:
    out = call("play", GAMES / "press_luck", "--seed", "1", typed="no\n").out
    assert re.search(r"1  yes +(a one: the pot is lost 17 %, collect 83 %)", out)
    assert "banks the pot" in out


def test_own_cards_are_shown_with_what_is_printed_on_them(call: Call) -> None:
    out = call("play", DERBY, "--seed", "4").out
    assert re.search(r"Ada, hand \(3\)\n  2 × Lettuce · pace steady · A snail of your choice crawls 2\.\n", out)
    assert "Ada, pocket (1)\n  Coral Slip · backed Coral\n" in out


def test_tracks_are_drawn_when_they_have_moved(call: Call, duel: Path) -> None:
    out = call("play", duel, typed="pass!\n" * 2).out
    assert "at the start: round\n" in out
    assert "round  0 dawn · [1] · 2 noon · 3 · 4 · round again" in out


def test_a_place_that_can_be_chosen_bears_the_number_of_its_option(call: Call) -> None:
    out = call("play", GAMES / "connect_four").out
    assert re.search(r"  6 \[1\] \[2\] \[3\] \[4\] \[5\] \[6\] \[7\]\n", out)
    assert (few([1, 2, 3, 5, 7, 8]), spans([-1, 0, 1, 3])) == ("1–3, 5, 7–8", "-1 to 1, 3")


def test_the_table_is_drawn_again_only_when_something_on_it_has_changed(call: Call) -> None:
    out = call("play", DERBY, "--seed", "4", typed="nonsense\nwhat amber\nhelp\n").out
    assert out.count("── Snail Derby") == 1
    assert call("play", DERBY, "--seed", "4", typed="look\n").out.count("── Snail Derby") == 2


PACKS = [path.parent for folder in ("tests/games", "content") for path in sorted((ROOT / folder).glob("*/game.yaml"))]


@pytest.mark.parametrize("folder", PACKS, ids=lambda path: path.name)
def test_every_game_fits_on_the_screen_all_the_time(folder: Path) -> None:
    image = load([str(folder)]).games[0].image
    assert image is not None
    game, luck = Game.new(image, image.players[1], seed=3), random.Random(2)
    for _ in range(60):
        if game.status != "ask":
            break
        player = game.question.player or game.options[0].player
        for width in (80, 100):
            board = Board(game, player, width, marks_of(game, game.options))
            assert [line for line in map(plain, board.lines()) if len(line) > width] == []
        game.apply(luck.randrange(len(game.options)))


TYPED = ("undo", "look", "log", "pass!", "wait", "hand bob", "help", "what ann", "done", "yes", "")


@pytest.mark.parametrize("number", range(len(MANUAL)))
def test_whatever_is_typed_a_game_goes_on(call: Call, tmp_path: Path, number: int) -> None:
    luck = random.Random(number)
    lines = [str(luck.randrange(1, 5)) if luck.random() < 0.8 else luck.choice(TYPED) for _ in range(60)]
    done = call("play", pack(tmp_path / "manual", MANUAL[number]), "--seed", str(number), typed="\n".join(lines))
    assert done.code in (0, 1), "1: the game was stopped with a place"
    assert "Traceback" not in done.err


def test_no_colour_where_it_is_not_wanted(duel: Path, tmp_path: Path) -> None:
    coloured = Terminal(duel, tmp_path, typed=["quit"])
    assert "\x1b[36m" in coloured.read_to_end(), "the first player's colour"
    plain_one = Terminal(duel, tmp_path, typed=["quit"], environment={"NO_COLOR": "1"})
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", plain_one.read_to_end())


# --- passing ----------------------------------------------------------------------------------------------------------


def test_pass_for_this_phase(call: Call, duel: Path) -> None:
    one = call("play", duel, typed="pass! jon\nIda: Spark\nIda: Spark\n")
    assert all(line.startswith(("Ida or Jon", "> Ida: ", "Ida: ")) for line in questions(one.out)), one.out
    assert len(questions(one.out)) == 4, "after each act Jon would have been asked again"
    both = call("play", duel, typed="pass!\n")
    assert "duel, act" in both.out
    assert "turn Jon" in both.out, "the turn is over"
    assert "Ida or Jon" in both.out.split("turn Jon")[1], "with the next turn all are asked again"


def test_what_cannot_be_passed(call: Call, duel: Path) -> None:
    assert "there is nothing to pass here" in call("play", GAMES / "tic_tac_toe", typed="pass!\n").out
    assert "there is no player" in call("play", duel, typed="pass! ann\n").out


def test_who_cannot_do_anything_is_not_asked(call: Call, duel: Path) -> None:
    out = call("play", duel, typed="spark\n" * 4 + "drizzle\n" * 4).out
    last = [line for line in questions(out) if line]
    assert last[0].endswith("Ida or Jon: Moment")
    assert any(re.fullmatch(r"(> )?Jon: Moment", line) for line in last), "Ida has no power left"
    assert "turn Jon" in out, "nobody has, so the window is closed without a question"


# --- who sees what ----------------------------------------------------------------------------------------------------


def test_a_shared_moment_shows_each_only_their_own_cards(call: Call, veiled: Path) -> None:
    out = call("play", veiled, typed="hand jon\nhand ann\nhand jon\n").out
    first, second = out.split("> ")[0], out.split("> ")[1]
    assert "Ida: Spark" in first
    assert "Drizzle" not in first
    assert "Jon may act too" in first
    assert "Jon: Drizzle ×2" in second
    assert "Spark" not in second
    assert "there is no player called 'ann'" in out


def screen(game: Game, player: str) -> list[str]:
    """All that a player is shown before an answer."""
    options = [option for option in game.options if option.player == player]
    board = Board(game, player, 100)
    alike = choices.alike(game, board, options)
    board.marks = marks_of(game, [each[0] for each in alike])
    return [game.question.text, *board.lines(), *(line for line, _ in choices.lines(game, board, alike))]


@pytest.mark.parametrize("name", ["tests/games/kuhn_poker", "tests/games/snail_derby", "content/boufbowl"])
def test_what_is_hidden_changes_nothing_on_the_screen(name: str) -> None:
    image = load([str(ROOT / name)]).games[0].image
    assert image is not None
    compared = 0
    for seed in range(3):
        game, luck = Game.new(image, image.players[1], seed=seed), random.Random(seed)
        for number in range(40):
            if game.status != "ask":
                break
            player = game.options[0].player
            if number % 8 == 0:
                compared += 1
                assert screen(game.resample(player, number), player) == screen(game, player)
            game.apply(luck.randrange(len(game.options)))
    assert compared > 2


def test_what_hides_something_now(duel: Path, veiled: Path) -> None:
    for folder, hidden in ((duel, False), (veiled, True), (POKER, True), (GAMES / "tic_tac_toe", False)):
        image = load([str(folder)]).games[0].image
        assert image is not None
        game = Game.new(image, 2, seed=1)
        assert secrets(game, game.players) is hidden
        assert secrets(game, game.players[:1]) is False


def test_chance_that_is_asked_shows_no_hand(call: Call, tmp_path: Path) -> None:
    """A save of a game whose dice and draws are asked, as programs make it, is played on by one of the people."""
    image = load([str(POKER)]).games[0].image
    assert image is not None
    save_file(Game.new(image, seed=1, asked=True), tmp_path / "asked.save")
    out = call("play", POKER, "--save", tmp_path / "asked.save", typed="1\n1\nlook\n").out
    assert "drawn from deck" in out
    assert "Ann, hand (1)\n  " in out
    assert "Bob, hand (1)\n  " not in out


def test_what_does_not_tell_of_what_is_hidden(call: Call) -> None:
    out = call("play", POKER, "--seed", "1", typed="what king\nwhat queen\nwhat jack\n").out
    assert out.count("is not in play, or hidden from you") == 2
    assert out.count("rank: ") == 1


class Terminal:
    """A game that runs in a terminal of its own."""

    def __init__(
        self, game: Path, folder: Path, typed: list[str], environment: dict[str, str] | None = None, *arguments: str
    ) -> None:
        import pty

        self.master, slave = pty.openpty()
        clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "CI")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ludoloom", "play", str(game), "--seed", "1", *arguments],
            cwd=folder,
            env={
                **clean,
                "PYTHONPATH": str(ROOT / ".pypath"),
                "LUDOLOOM_CACHE": str(folder / "cache"),
                "TERM": "xterm-256color",
                "COLUMNS": "100",
                **(environment or {}),
            },
            stdin=slave,
            stdout=slave,
            stderr=slave,
        )
        os.close(slave)
        self.typed = list(typed)

    def parts(self) -> Iterator[str]:
        """What appears, up to each moment at which something is typed."""
        shown, until = "", time.monotonic() + 60
        while time.monotonic() < until:
            ready, _, _ = select.select([self.master], [], [], 0.2)
            try:
                more = os.read(self.master, 65536).decode("utf-8", "replace") if ready else ""
            except OSError:
                more = ""
                until = 0
            shown += more
            if (shown.rstrip().endswith(">") or re.search(r"press Enter\S*\s*$", shown)) and self.typed and not more:
                yield shown
                shown = ""
                os.write(self.master, self.typed.pop(0).encode() + b"\n")
        self.process.wait(timeout=30)
        os.close(self.master)
        yield shown

    def read_to_end(self) -> str:
        return "".join(self.parts())


needs_a_terminal = pytest.mark.skipif(sys.platform == "win32", reason="terminals of Unix")


@needs_a_terminal
def test_the_keyboard_is_handed_over_unseen(tmp_path: Path) -> None:
    shown = list(Terminal(POKER, tmp_path, ["check", "", "quit"], {"NO_COLOR": "1"}).parts())
    assert "Ann, hand (1)\r\n  " in shown[0]
    wiped, _, after = shown[1].partition("\x1b[2J\x1b[3J")
    assert "hand" not in wiped
    assert "Hand over to Bob, press Enter" in after
    assert " · rank" not in after, "nothing of Bob's before Enter"
    assert "Bob, hand (1)\r\n  " in shown[2]
    assert "\x1b[3J" in shown[2]


@needs_a_terminal
def test_nothing_is_handed_over_where_nothing_is_hidden(tmp_path: Path) -> None:
    shown = Terminal(GAMES / "tic_tac_toe", tmp_path, ["b2", "a1", "quit"], {"NO_COLOR": "1"}).read_to_end()
    assert "Player 2: " in re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert "Hand over" not in shown
    assert "\x1b[2J" not in shown


@needs_a_terminal
def test_against_a_program_the_screen_is_the_persons_own(tmp_path: Path) -> None:
    shown = Terminal(POKER, tmp_path, ["check"], None, "--opponent", "random").read_to_end()
    assert "Hand over" not in shown
    assert "paid out" in shown or "Ann: Bets" in shown


# --- programs ---------------------------------------------------------------------------------------------------------


def test_against_a_program(call: Call) -> None:
    out = call("play", GAMES / "tic_tac_toe", "--opponent", "random", "--seed", "2", typed="1\nquit\n").out
    assert out.count("Player 1: ") >= 2
    assert not re.search(r"^(> )?Player 2: .*choose", out, re.MULTILINE)
    assert len(re.findall(r"  \w\d is taken", out)) == 2


def test_where_the_person_sits(call: Call) -> None:
    for arguments in (("--opponent", "random", "--seat", "Player 2"), ("--opponent", "random@player_1")):
        out = call("play", GAMES / "tic_tac_toe", *arguments, typed="quit\n").out
        assert re.search(r"^Player 2: .*choose", out, re.MULTILINE)
        assert len(re.findall(r"  \w\d is taken", out)) == 1, "the program has begun"


def test_undo_takes_back_what_programs_answered_too(call: Call) -> None:
    arguments = ("play", GAMES / "tic_tac_toe", "--opponent", "random", "--seed", "2")
    once = call(*arguments, typed="b2\nquit\n").out
    back = call(*arguments, typed="a1\nundo\nb2\nquit\n").out
    assert "there is nothing to take back" in call(*arguments, typed="undo\n").out
    assert sorted(re.findall(r"P[12]", back.split("──")[-1])) == sorted(re.findall(r"P[12]", once.split("──")[-1]))


def test_programs_that_could_pass_are_not_waited_for(call: Call, duel: Path) -> None:
    out = call("play", duel, "--opponent", "random", typed="wait\nquit\n").out
    assert "Jon: pass" not in out, "a person is offered nothing of a program's"
    assert questions(out)[0].endswith("Ida: Moment")


def test_programs_play_to_the_end(call: Call) -> None:
    for agents in ("greedy:2", "random,greedy:2"):
        done = call("play", GAMES / "tic_tac_toe", "--auto", agents, "--seed", "3")
        assert (done.code, done.err) == (0, "")
        assert done.out == call("play", GAMES / "tic_tac_toe", "--auto", agents, "--seed", "3").out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--opponent", "rnadom"), "did you mean 'random'"),
        (("--opponent", "search:fast"), "is no budget for the agent 'search'"),
        (("--opponent", "random@ann"), "there is no player called 'ann'"),
        (("--opponent", "random", "--seat", "ann"), "there is no player called 'ann'"),
        (("--opponent", "random@player_1", "--opponent", "random@player_1"), "two sit at the seat 'player_1'"),
        (("--opponent", "random", "--opponent", "greedy"), "both take the seats that are left"),
        (("--opponent", "random@player_1", "--opponent", "random@player_2"), "no seat is left for a person"),
        (("--seat", "player_1"), "add `--opponent AGENT`"),
        (("--auto", "random", "--opponent", "random"), "leave out `--opponent`"),
        (("--auto", "chess"), "there is no agent called 'chess'"),
        (("--auto", "random,random,random"), "there are 2 players, and 3 agents"),
    ],
)
def test_wrong_seats_and_agents(call: Call, arguments: tuple[str, ...], sentence: str) -> None:
    done = call("play", GAMES / "tic_tac_toe", *arguments)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err


ENDLESS = """pack: {id: endless, version: 1.0.0, title: Endless, players: 2}
kinds: {seat: {family: player, plural: seats, state: {score: 0 to 1}}}
players: {ann: {kind: seat, origin: original}, bob: {kind: seat, origin: original}}
play: [ever]
phases:
  ever:
    do:
      - repeat: {while: bob.score < 2}
        do: [{choose: {k: {from: 0 to 1, by: bob}}, then: [{set: {what: bob.score, to: k}}]}]
end: {never: {whenever: ann.score == 1, winners: none}}
"""


def test_a_game_that_never_asks_a_person_is_given_up(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "MOST_BY_ITSELF", 50)
    done = call("play", pack(tmp_path / "endless", ENDLESS), "--opponent", "random", "--save", "kept.save")
    assert "given up: 50 answers in a row without a person" in done.out
    assert Path("kept.save").is_file()
