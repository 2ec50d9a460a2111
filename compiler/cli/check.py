"""``ludoloom check``: all mistakes of all files."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ludoloom.compiler import cache
from ludoloom.compiler.cli.game import IMAGE
from ludoloom.compiler.cli.output import Colour, fail, wants_colour, write
from ludoloom.compiler.report import Report, report_of


class Form(StrEnum):
    """How findings are written."""

    text = "text"
    json = "json"
    github = "github"


def run(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH|ID]...", help="Packs by folder or id, or single files. [default: .]"),
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="For people, programs or GitHub Actions.")] = Form.text,
    with_packs: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="PACK", help="An expansion to check together with the game; may be repeated."),
    ] = None,
    packs: Annotated[
        list[Path] | None,
        typer.Option("--packs", metavar="DIR", help="A folder in which packs are looked for by id; may be repeated."),
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Work everything out anew.")] = False,
    colour: Annotated[Colour, typer.Option("--color", help="Colours in the text form.")] = Colour.auto,
) -> int:
    """Check packs: every file is read, and all findings of all files are shown, each with its place and what to do.

    Exits with 0 if there is nothing to complain about (notes do not count), with 1 after errors or warnings, with 2 if
    the call itself is wrong. The findings go to standard output, a summary to standard error.

    \b
    ludoloom check                       the pack in this folder
    ludoloom check my_game my_expansion  two packs
    ludoloom check press_luck --packs games    a game by its id
    ludoloom check --format github       annotations in GitHub Actions

    One warning is accepted by a comment with a reason, at the end of its line or alone above it:

    \b
    # ludoloom: allow CODE reason
    """
    chosen = paths or [Path()]
    for path in chosen:
        if path.suffix == IMAGE and path.is_file():
            return fail(f"{path.as_posix()} is an image, which was built from a pack: check the folder of the pack")
    report = check(chosen, with_packs or [], packs or [], use_cache=not no_cache)
    write(_render(report, form, wants_colour(colour)))
    print(report.sentence(), file=sys.stderr)
    return 1 if report.failed else 0


def check(paths: list[Path], with_packs: Sequence[str] = (), packs: Sequence[Path] = (), *, use_cache: bool) -> Report:
    """The report about these paths: the one of last time if nothing has changed, before anything heavy is imported."""
    asked = [*map(str, paths), "with", *with_packs, "in", *map(str, packs)]
    name = cache.key("check", os.getcwd(), os.environ.get("LUDOLOOM_PACKS", ""), *asked)
    if use_cache and (known := cache.ask("check", name)) is not None:
        try:
            return report_of(known)
        except (KeyError, TypeError, ValueError, AttributeError):
            pass  # an entry that somebody damaged: worked out anew
    from ludoloom.compiler import pipeline
    from ludoloom.compiler.frontend.kept import Shelf
    from ludoloom.compiler.packs import PackNotFound

    shelf = Shelf(cache.load_rows("files", name) if use_cache else {})
    try:
        checked = pipeline.check(paths, with_packs, packs, shelf)
    except PackNotFound as error:
        raise typer.Exit(fail(str(error))) from None
    report = checked.report()
    if use_cache:
        cache.keep("check", name, checked.trace, report.data())
        if (rows := shelf.filled()) is not None:
            cache.store_rows("files", name, rows)
    return report


def _render(report: Report, form: Form, colour: bool) -> str:
    if form is Form.json:
        from ludoloom.compiler.diagnostics.render import json

        return json.render(report.findings, report.summary())
    if form is Form.github:
        from ludoloom.compiler.diagnostics.render import github

        return github.render(report.findings)
    from ludoloom.compiler.diagnostics.render import text
    from ludoloom.compiler.diagnostics.sources import Sources

    shown = text.render(report.findings, Sources().lines, colour=colour)
    return shown + "\n" if shown else ""
