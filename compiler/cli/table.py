"""People play at one keyboard: the state is drawn for the one who decides, the options are numbered, a line is read.

What can be typed besides a number stands in `HELP`. The end of the input is `quit`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from ludoloom.compiler.cli.board import Board, plain
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.runtime.errors import GameError, SaveError
from ludoloom.runtime.game import Game, Option
from ludoloom.runtime.save import save_file

HELP: Final = """a number      that option
a word        the option that begins with it
undo          take back the last answer
look          draw the table again
log           everything that has happened
what NAME     a card or piece, with its text
save [FILE]   keep the game in a file
quit          leave (with --save: and keep the game)"""
_COMMANDS: Final = ("undo", "look", "log", "what", "save", "help", "quit")


class Table:
    """A game in the terminal. `save` is the file that is kept up to date, if there is one."""

    def __init__(self, game: Game, save: Path | None) -> None:
        self.game, self.file = game, save
        self.console = Console(highlight=False, soft_wrap=True)
        self.told = 0
        self.seat = ""
        """Who sits at the keyboard."""

    def sit_down(self) -> None:
        """Play until the game is over or somebody leaves."""
        self.draw_needed = True
        try:
            while self.game.status in ("ask", "chance"):
                self.turn()
        except (KeyboardInterrupt, EOFError):
            self.leave()
            if isinstance(sys.exc_info()[1], KeyboardInterrupt):
                raise
            return
        self.tell_news()
        self.keep()

    def leave(self) -> None:
        """Say goodbye; the game is kept if a file was named."""
        self.console.print()
        if self.keep():
            self.console.print(f"the game waits in {self.file}")

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
            self.console.print(f"{path} cannot be written: {error}", style="red")

    # --- one question ------------------------------------------------------------------------------------------------

    def turn(self) -> None:
        """Show the question and read one line."""
        game = self.game
        options = game.options
        who = asked(game)
        self.change_seats(who)
        if self.draw_needed:
            self.draw_needed = False
            self.draw()
        self.tell_news()
        question = game.question
        name = self.title(who)
        self.console.print(Text(f"{name}: {plain(question.text)}" if name else plain(question.text), style="bold"))
        for number, option in enumerate(options, 1):
            self.console.print(f"{number:>4}  {plain(option.text)}", markup=False)
        line = self.read()
        if line:
            self.obey(line, options)

    def read(self) -> str:
        self.console.print("> ", end="")
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip()

    def obey(self, line: str, options: list[Option]) -> None:
        """Do what was typed."""
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        match word.lower():
            case "help" | "?":
                self.console.print(HELP, markup=False)
            case "undo":
                if self.game.undo():
                    self.told = min(self.told, len(self.game.events))
                    self.draw_needed = True
                else:
                    self.console.print("there is nothing to take back")
            case "look":
                self.draw_needed = True
            case "log":
                for text in self.game.log(self.seat or None):
                    self.console.print(plain(text), markup=False)
            case "what":
                self.tell_about(rest)
            case "save":
                self.save_to(Path(rest) if rest else self.file or Path(f"{self.game.image.game}.save"))
            case "quit" | "exit":
                raise EOFError
            case _:
                self.answer(line, options)

    def answer(self, line: str, options: list[Option]) -> None:
        """Choose an option by its number, or by the beginning of its words."""
        if line.isdecimal() and len(line) < 6:
            number = int(line) - 1
            if not 0 <= number < len(options):
                self.console.print(f"there are the options 1 to {len(options)}")
                return
        else:
            wanted = line.lower()
            fitting = [k for k, option in enumerate(options) if wanted in (option.label.lower(), option.text.lower())]
            fitting = fitting or [
                k
                for k, option in enumerate(options)
                if option.label.lower().startswith(wanted) or option.text.lower().startswith(wanted)
            ]
            if len(fitting) != 1:
                hint = did_you_mean(line, [*_COMMANDS, *(option.label for option in options)])
                why = "could mean several of the options" if fitting else "is no option and no command"
                self.console.print(
                    f"'{line}' {why}" + (f"; {hint}" if hint else "; `help` lists what can be typed"), markup=False
                )
                return
            number = fitting[0]
        try:
            self.game.apply(number)
        except GameError as error:
            self.console.print(str(error), style="red", markup=False)
            return
        self.draw_needed = True
        self.keep()

    # --- what is shown -----------------------------------------------------------------------------------------------

    def change_seats(self, who: str) -> None:
        """Where players hide something from each other, the next one takes the keyboard before anything is shown."""
        if who == self.seat:
            return
        first, self.seat = not self.seat, who
        self.draw_needed = True
        if not first and who and secrets(self.game) and self.console.is_terminal and sys.stdin.isatty():
            self.console.clear()
            self.console.print(f"The keyboard goes to {self.title(who)}; press Enter", style="bold")
            if not sys.stdin.readline():
                raise EOFError
            self.told = 0

    def draw(self) -> None:
        self.console.rule(Text(f"{self.game.image.title}  {self.game.step}".strip()), style="dim")
        for line in Board(self.game, self.seat or None).lines():
            self.console.print(plain(line), markup=False)
        self.console.print()

    def tell_news(self) -> None:
        """What has happened since the last question, as this player may read it."""
        for line in self.game.log(self.seat or None, since=self.told):
            self.console.print(f"  {plain(line)}", markup=False, style="italic")
        self.told = len(self.game.events)

    def tell_about(self, name: str) -> None:
        board = Board(self.game, self.seat or None)
        wanted = name.lower()
        found = next(
            (row.name for row in self.game.program.things if wanted in (row.name.lower(), row.title.lower())), None
        )
        if found is None:
            hint = did_you_mean(wanted, [row.title for row in self.game.program.things])
            self.console.print(f"there is no '{name}'" + (f"; {hint}" if hint else ""), markup=False)
            return
        for line in board.about(found):
            self.console.print(line, markup=False)

    def title(self, name: str) -> str:
        return next((row.title or row.name for row in self.game.program.things if row.name == name), name)


def asked(game: Game) -> str:
    """Who answers now. Where several may, the one whose turn it is, else the first of them."""
    if game.question.player or game.status == "chance":
        return game.question.player
    players = list(dict.fromkeys(option.player for option in game.options if option.player))
    active = game.view(None, formulas=False)["game"].get("active")
    return active if active in players else players[0] if players else ""


def secrets(game: Game) -> bool:
    """Whether players can hide something from each other."""
    return len(game.players) > 1 and (
        any(zone.seen_by == "owner" for zone in game.program.zones)
        or any(column.seen_by == "owner" for column in game.program.columns)
        or any(question.secret for question in game.program.questions)
    )
