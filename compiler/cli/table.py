"""People play in the terminal: the table is drawn for the one who decides, the options are numbered, a line is read.

What can be typed besides a number stands in `HELP`. The end of the input is `quit`. Programs at the table answer by
themselves (`seats.py`). Where one player sees what another one does not, the keyboard is handed over before anything
is shown; where nothing is hidden at the moment, nobody is bothered."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from ludoloom.compiler.cli import choices
from ludoloom.compiler.cli.board import Board, marks_of
from ludoloom.compiler.cli.seats import Seats, is_pass, seat_named, secrets
from ludoloom.compiler.cli.words import cut, plain, spoken
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.runtime.errors import GameError, SaveError
from ludoloom.runtime.foresee import WINDOW
from ludoloom.runtime.game import Game, Option
from ludoloom.runtime.save import save_file
from ludoloom.runtime.views import seat_of

HELP: Final = """a number      that option
words         the option that has them, if it is the only one
pass!         pass, and go on passing until the phase or the turn changes (`pass! NAME` for one player)
wait          let programs at the table act first
hand NAME     give the keyboard to another player who may act now
undo          take back the last answer, and what programs have answered since
look          draw the table again
log           everything that has happened
what NAME     a card or piece, with its text
save [FILE]   keep the game in a file
quit          leave (with --save: and keep the game)"""
_COMMANDS: Final = ("pass!", "wait", "hand", "undo", "look", "log", "what", "save", "help", "quit")
DONE: Final = "done"
"""The label of the option that ends a choice of several."""
MOST_WIDE: Final = 110
"""Columns that are used of a wide terminal."""
MOST_BY_ITSELF: Final = 100_000
"""Answers in a row without asking a person after which a game is given up."""
NEWS: Final = 24
"""Lines of the log that a player who was away is told."""
COLOURS: Final = ("cyan", "magenta", "yellow", "green", "blue", "red")
"""Of the seats in order; nothing is told by colour alone."""
_WIPE: Final = "\x1b[2J\x1b[3J\x1b[H"
"""Clears the screen and what has been scrolled away."""


class Table:
    """A game in the terminal. `file` is the save that is kept up to date, if there is one."""

    def __init__(self, game: Game, save: Path | None, seats: Seats) -> None:
        self.game, self.file, self.seats = game, save, seats
        self.console = Console(highlight=False, soft_wrap=True)
        self.width = min(MOST_WIDE, self.console.width)
        self.told: dict[str, int] = {}
        """How many events each player has been told of."""
        self.seat = ""
        """Who sits at the keyboard."""
        self.answers: list[bool] = []
        """The answers that can be taken back: whether a person gave each."""
        self.by_itself = 0
        self.picture: list[str] = []
        """The table as it was drawn last, without the numbers of options."""
        self.pass_told = False
        self.shown: list[Option] = []
        """The options that are offered at the keyboard."""
        self.numbered: list[list[Option]] = []
        """The same by their numbers, those together that are alike."""

    def sit_down(self) -> None:
        """Play until the game is over or somebody leaves."""
        try:
            while self.game.status in ("ask", "chance"):
                self.turn()
        except (KeyboardInterrupt, EOFError):
            self.leave()
            if isinstance(sys.exc_info()[1], KeyboardInterrupt):
                raise
            return
        self.draw()
        self.tell_news()
        self.keep()

    def leave(self) -> None:
        """Say goodbye; the game is kept if a file was named."""
        self.console.print()
        if self.keep():
            self.console.print(f"the game waits in {self.file}", markup=False)

    def keep(self) -> bool:
        """Write the save, if one is wanted."""
        if self.file is None:
            return False
        self.save_to(self.file)
        return True

    def save_to(self, path: Path) -> None:
        try:
            save_file(self.game, path)
        except (OSError, SaveError) as error:
            self.console.print(f"{path} cannot be written: {error}", style="red", markup=False)

    # --- one question ------------------------------------------------------------------------------------------------

    def turn(self) -> None:
        """Answer for programs and for those who pass; else show the question and read one line."""
        game = self.game
        number = self.seats.decide(game)
        if number is not None:
            self.by_itself += 1
            if self.by_itself > MOST_BY_ITSELF:
                self.console.print(f"given up: {MOST_BY_ITSELF:,} answers in a row without a person")
                raise EOFError
            self.apply(number, by_person=False)
            return
        self.by_itself = 0
        asked = self.asked()
        apart = secrets(game, asked)
        if game.status == "chance":  # one of the people reads the dice: nobody sees more for it
            if self.seat not in self.seats.people:
                self.change_seats(self.seats.people[0])
        elif self.seat not in asked:
            self.change_seats(self.first_of(asked))
        self.shown = [
            option
            for option in game.options
            if not option.player or (option.player in asked and (not apart or option.player == self.seat))
        ]
        board = Board(game, self.seat or None, self.width)
        self.numbered = choices.alike(game, board, self.shown)
        self.draw()
        self.tell_news()
        self.ask([self.seat] if apart else asked)
        if apart:
            others = ", ".join(self.title(player) for player in asked if player != self.seat)
            self.console.print(f"      ({others} may act too: `hand NAME` gives the keyboard away)", markup=False)
        line = self.read()
        if line:
            self.obey(line)

    def asked(self) -> list[str]:
        """The people who may answer now."""
        if self.game.question.player or self.game.status == "chance":
            return [self.game.question.player]
        players = {option.player for option in self.game.options}
        return [player for player in self.seats.people if player in players]

    def first_of(self, asked: Sequence[str]) -> str:
        """Who of several is asked first: whose turn it is, else the first of them."""
        game = self.game
        word = game.names.game_words.get("active")
        turn = seat_of(game.program, game.state, game.state[word.offset]) if word is not None else 0
        active = game.names.thing(turn)
        return active if active in asked else asked[0] if asked else ""

    def read(self) -> str:
        self.console.print("> ", end="")
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip()

    def obey(self, line: str) -> None:
        """Do what was typed."""
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        match word.lower():
            case "help" | "?":
                self.console.print(HELP, markup=False)
            case "undo":
                self.undo()
            case "look":
                self.picture = []
            case "log":
                for text in self.game.log(self.seat or None):
                    self.console.print(self.painted(plain(text)))
            case "what":
                self.tell_about(rest)
            case "save":
                self.save_to(Path(rest) if rest else self.file or Path(f"{self.game.image.game}.save"))
            case "pass!":
                self.pass_on(rest)
            case "wait":
                self.wait()
            case "hand":
                self.hand_to(rest)
            case "quit" | "exit":
                raise EOFError
            case _:
                self.answer(line)

    def answer(self, line: str) -> None:
        """Choose an option by its number, or by its words: all, the first, or some of them."""
        if line.isdecimal() and len(line) < 6 and not choices.by_value(self.game, self.shown):
            number = int(line)
            if not 1 <= number <= len(self.numbered):
                self.console.print(f"there are the options 1 to {len(self.numbered)}")
                return
            self.apply(self.numbered[number - 1][0].index, by_person=True)
            return
        fitting = self.fitting(line.lower())
        # Options that are alike are one.
        same = [group for group in self.numbered if any(option in group for option in fitting)]
        if len(same) != 1:
            hint = did_you_mean(line, [*_COMMANDS, *(option.label for option in self.shown)])
            why = "could mean several of the options" if same else "is no option and no command"
            self.console.print(
                f"'{line}' {why}" + (f"; {hint}" if hint else "; `help` lists what can be typed"), markup=False
            )
            return
        self.apply(fitting[0].index, by_person=True)

    def fitting(self, wanted: str) -> list[Option]:
        """The options that are meant by some words."""
        texts = [(option, option.label.lower(), choices.wording(self.game, option).lower()) for option in self.shown]
        for fits in (str.__eq__, str.startswith, holds_words):
            found = [option for option, *each in texts if any(fits(text, wanted) for text in each)]
            if found:
                return found
        return []

    def apply(self, number: int, *, by_person: bool) -> None:
        """Give an answer; the save is kept up to date."""
        try:
            self.game.apply(number)
        except GameError as error:
            self.console.print(str(error), style="red", markup=False)
            return
        self.answers.append(by_person)
        if by_person:
            self.seats.person_answered()
            self.keep()

    def undo(self) -> None:
        """Go back to before the last answer of a person."""
        if True not in self.answers or not self.game.undo():
            self.console.print("there is nothing to take back")
            return
        while not self.answers.pop() and self.game.undo():
            pass
        self.seats.pass_no_more()
        self.picture = []
        events = len(self.game.events)
        self.told = {player: min(told, events) for player, told in self.told.items()}

    def pass_on(self, name: str) -> None:
        """Pass now and from now on, for one player or for all who are asked at this keyboard."""
        try:
            players = [seat_named(self.game, name)] if name else [option.player for option in self.shown]
        except GameError as error:
            self.console.print(str(error), markup=False)
            return
        if not self.seats.pass_on(self.game, list(dict.fromkeys(players))):
            self.console.print("there is nothing to pass here")

    def wait(self) -> None:
        """Let programs act first that are asked at the same time."""
        number = self.seats.decide(self.game, at_once=True)
        if number is None:
            self.console.print("there is nobody to wait for")
        else:
            self.apply(number, by_person=False)

    def hand_to(self, name: str) -> None:
        """Give the keyboard to another player who may act now."""
        try:
            player = seat_named(self.game, name)
        except GameError as error:
            self.console.print(str(error), markup=False)
            return
        if player not in self.asked():
            self.console.print(f"{self.title(player)} is not asked now", markup=False)
        elif player != self.seat:
            self.change_seats(player)

    # --- what is shown -----------------------------------------------------------------------------------------------

    def change_seats(self, who: str) -> None:
        """Somebody else takes the keyboard, unseen by the last one if the two do not see the same."""
        last, self.seat = self.seat, who
        self.picture = []
        if not last or not who or not self.console.is_terminal or not sys.stdin.isatty():
            return
        if secrets(self.game, [last, who]) or (last in self.seats.people and self.hidden_before(last, who)):
            self.console.file.write(_WIPE)
            self.console.print(f"Hand over to {self.title(who)}, press Enter", style="bold", markup=False)
            if not sys.stdin.readline():
                raise EOFError
            self.console.file.write(_WIPE)

    def hidden_before(self, last: str, who: str) -> bool:
        """Whether the last player's screen still tells something that the next one may not know."""
        since = self.told.get(who, 0)
        return self.game.log(last, since=since) != self.game.log(who, since=since)

    def draw(self) -> None:
        """The table, if something on it is not as it was drawn last."""
        board = Board(self.game, self.seat or None, self.width)
        step = spoken(self.game.step).replace(".", ", ")
        lines = [step, *board.lines()]
        marks = marks_of(self.game, [each[0] for each in self.numbered])
        # A cell without a tile is nowhere but in the picture; other places are found by their names.
        if lines == self.picture and not any(" " in place for place in marks):
            return
        self.picture = lines
        board.marks = marks
        head = cut(f" {self.game.image.title} · {step} " if step else f" {self.game.image.title} ", self.width - 4)
        self.console.print(Text(f"──{head}{'─' * (self.width - 2 - len(head))}", style="dim"))
        for line in board.lines():
            self.console.print(self.painted(plain(line)))
        self.console.print()

    def painted(self, line: str, style: str = "") -> Text:
        """A line with the words for each player in the player's colour."""
        text = Text(line, style=style)
        for colour, words in self.colours():
            text.highlight_regex(words, colour)
        text.highlight_regex(r"\[\d[\d–, ]*\]", "bold")
        return text

    def colours(self) -> list[tuple[str, re.Pattern[str]]]:
        """For each player a pattern of the titles of the player and of the pieces that are the player's."""
        key = (len(self.game.decisions), self.game.step)
        if self._colours is None or self._colours[0] != key:
            found: list[tuple[str, re.Pattern[str]]] = []
            for k, player in enumerate(self.game.players):
                names = [self.title(player)]
                for number, row in enumerate(self.game.program.things, 1):
                    own = seat_of(self.game.program, self.game.state, number) == self.game.names.things[player]
                    if own and row.title and self.game.names.family(number) == "piece":
                        names.append(row.title)
                pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
                found.append((COLOURS[k % len(COLOURS)], re.compile(rf"\b(?:{pattern})\b")))
            self._colours = (key, found)
        return self._colours[1]

    _colours: tuple[object, list[tuple[str, re.Pattern[str]]]] | None = None

    def tell_news(self) -> None:
        """What has happened since this player was last told, as the player may read it."""
        lines = self.game.log(self.seat or None, since=self.told.get(self.seat, 0))
        if len(lines) > NEWS:
            self.console.print(f"  … {len(lines) - NEWS} lines more (`log`)", style="dim")
        for line in lines[-NEWS:]:
            self.console.print(self.painted(f"  {plain(line)}", "italic"))
        # In an open game all people read the same screen.
        now = len(self.game.events)
        open_game = not secrets(self.game, self.seats.people)
        self.told.update(dict.fromkeys(self.seats.people if open_game else [self.seat], now))
        self.told[self.seat] = now

    def ask(self, players: Sequence[str]) -> None:
        """The question and its options."""
        game, question = self.game, self.game.question
        who = " or ".join(self.title(player) for player in players if player)
        what = plain(question.text)
        if question.name != WINDOW and question.act and what.startswith("choose "):
            act = question.act.removesuffix(".use").rpartition(".")[2] if "." in question.act else question.act
            what = f"{spoken(act).capitalize()}: {what}"
        self.console.print(self.painted(f"{who}: {what}" if who else what, "bold"))
        picked = self.picked()
        if picked:
            self.console.print(self.painted(f"      so far: {', '.join(picked)}"))
        if game.status == "chance":
            for number, alike in enumerate(self.numbered, 1):
                self.console.print(f"{number:>4}  {plain(alike[0].text)}", markup=False)
            return
        board = Board(game, self.seat or None, self.width)
        for line, style in choices.lines(game, board, self.numbered):
            self.console.print(self.painted(line, style))
        if not self.pass_told and any(is_pass(game, option) for option in self.shown):
            self.pass_told = True
            self.console.print("      (`pass!` goes on passing until the phase or the turn changes)", style="dim")

    def picked(self) -> list[str]:
        """What has been picked already of a choice of several that goes on."""
        question = self.game.question
        if not any(option.label == DONE for option in self.shown):
            return []
        found: list[str] = []
        for made in reversed(self.game.decisions):
            if (made.act, made.name, made.player) != (question.act, question.name, question.player):
                break
            if made.label == DONE:
                break
            found.append(self.title(made.label))
        return found[::-1]

    def tell_about(self, name: str) -> None:
        board = Board(self.game, self.seat or None, self.width)
        wanted = name.lower()
        found = next(
            (row.name for row in self.game.program.things if wanted in (row.name.lower(), row.title.lower())), None
        ) or next((row.name for row in self.game.program.things if wanted == board.base(row.name).lower()), None)
        if found is None:
            hint = did_you_mean(wanted, [row.title for row in self.game.program.things])
            self.console.print(f"there is no '{name}'" + (f"; {hint}" if hint else ""), markup=False)
            return
        for line in board.about(found):
            for part in board.wrap(line):
                self.console.print(part, markup=False)

    def title(self, name: str) -> str:
        return next((row.title or row.name for row in self.game.program.things if row.name == name), name)


def holds_words(text: str, wanted: str) -> bool:
    """Whether a text has these words in a row."""
    return re.search(rf"\b{re.escape(wanted)}\b", text) is not None
