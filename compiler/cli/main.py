"""``ludoloom``: finds the command, runs it, and turns what happens into an exit code.

Exit codes: 0 nothing to complain about, 1 findings (errors or warnings), 2 the call itself is wrong (an unknown option,
a missing path, a full disk), 130 stopped by Ctrl-C, 141 the reader of a pipe went away.

A command is a module of this folder with one function `run`, imported only when it is called: so ``--help`` and an
unchanged `check` start in a tenth of a second."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import typer
import typer.core
import typer.main

from ludoloom import __version__
from ludoloom.compiler.cli.output import fail


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its name, which is also its module, and the line that the list of commands shows."""

    name: str
    help: str


COMMANDS: Final[tuple[Command, ...]] = (
    Command("check", "Check packs: all mistakes of all files, with their places and what to do."),
    Command("test", "Run scenarios, the tests of content; list unproved rules."),
    Command("build", "Compile games into single files that run without YAML."),
    Command("play", "Play a game in the terminal, or let it play itself."),
    Command("simulate", "Play many games: outcomes, lengths, faults, what cards do to the chances."),
    Command("sheets", "Print cards, boards and tokens: at home, by a service, for a virtual table."),
    Command("catalogue", "Write one HTML page of all things, to search and to look at."),
    Command("calibrate", "Correct a printer whose backs come out beside their fronts."),
    Command("show", "Show an item after merging, each value with its place."),
    Command("disasm", "Show the instructions of a game below the YAML they come from."),
    Command("schema", "Give the JSON Schema for editors, of the language or of a pack."),
    Command("new", "Begin a game or an expansion that works from the first minute."),
    Command("explain", "Explain the code of a finding, with an example."),
)


class _Commands(typer.core.TyperGroup):
    """The commands by name, none imported before it is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [command.name for command in COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.list_commands(ctx):
            return None
        app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        app.command(cmd_name, context_settings=_SETTINGS)(import_module(f"ludoloom.compiler.cli.{cmd_name}").run)
        return typer.main.get_command(app)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(command.name, command.help) for command in COMMANDS])


_SETTINGS: Final = {"help_option_names": ["-h", "--help"]}
_CANNOT_WRITE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What a full or broken disk answers."""
_HELP: Final = """Write tabletop games as YAML; check them, play them, print them.

\b
ludoloom check my_game        all mistakes, each with its place
ludoloom test my_game         run its scenarios
ludoloom play my_game         play it in the terminal
ludoloom explain empty-value  what a code means, with an example
"""

_app = typer.Typer(
    cls=_Commands,
    help=_HELP,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=_SETTINGS,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"ludoloom {__version__}")
        raise typer.Exit


@_app.callback()
def _options(  # pyright: ignore[reportUnusedFunction]
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code."""
    _prepare_output()
    try:
        code = _run(sys.argv[1:] if arguments is None else list(arguments))
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        code = 130
    except BrokenPipeError:
        _forget_output()  # nobody reads on
        code = 141
    except OSError as error:
        if error.errno not in _CANNOT_WRITE:
            raise
        _forget_output()
        code = 2
        with suppress(OSError):  # where that goes to the same disk, the exit code must do
            fail(f"the output cannot be written: {error.strerror}")
    sys.exit(code)


def _forget_output() -> None:
    """Let go of what is still in the buffers: it would raise again when the interpreter closes the streams."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(arguments: list[str]) -> int:
    command = typer.main.get_command(_app)
    try:
        # Not `command.main`, which takes interrupts and broken pipes for errors of its own.
        with command.make_context("ludoloom", arguments) as context:
            result: object = command.invoke(context)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except typer.Exit as leave:
        return leave.exit_code
    except Exception as error:
        # A wrong call. Its class stands in click, or in typer's own copy of it, depending on the version.
        show = getattr(error, "show", None)
        if not callable(show):
            raise
        show()
        return int(getattr(error, "exit_code", 2))
    return result if isinstance(result, int) else 0


def _prepare_output() -> None:
    """Output is UTF-8, whatever the locale: a report must be the same everywhere. A terminal keeps its own encoding,
    and shows a question mark for what it lacks."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            if stream.isatty():
                reconfigure(errors="replace")
            else:
                reconfigure(encoding="utf-8", errors="backslashreplace")
