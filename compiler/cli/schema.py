"""``ludoloom schema``: JSON Schemas for editors."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ludoloom.compiler.cli.game import PacksDirs, refuse
from ludoloom.compiler.cli.output import write

PLACE = Path(".ludoloom") / "schema.json"
"""Where the schema of a pack lies inside it."""


def run(
    pack: Annotated[
        str | None, typer.Argument(metavar="[PACK]", help="Folder or id of a pack; without it, the language itself.")
    ] = None,
    write_it: Annotated[
        bool, typer.Option("--write", help="Write it to .ludoloom/schema.json in the pack, where editors find it.")
    ] = False,
    ledger: Annotated[bool, typer.Option("--ledger", help="The schema of a ledger, rulebook.yaml.")] = False,
    packs: PacksDirs = None,
) -> int:
    """Give the JSON Schema by which an editor completes and checks YAML while it is written.

    The schema of a pack knows its kinds, columns, verbs and ids, and those of the game that it extends. It is made from
    the pack as it stands, even with mistakes in it; run it again after new things were declared. A file uses it with
    the line

    \b
    # yaml-language-server: $schema=.ludoloom/schema.json

    \b
    ludoloom schema > ludoloom.schema.json    the language
    ludoloom schema my_game --write           the pack in my_game
    """
    from ludoloom.schemas.export import language_schema, ledger_schema, text_of

    if pack is None or ledger:
        if write_it:
            refuse("`--write` needs a pack")
        write(text_of(ledger_schema() if ledger else language_schema()))
        return 0
    folder, text = pack_text(pack, packs or [])
    if not write_it:
        write(text)
        return 0
    path = folder / PLACE
    try:
        changed = write_schema(path, text)
    except OSError as error:
        refuse(f"{path.as_posix()} cannot be written: {error.strerror or error}")
    print(f"{path.as_posix()} {'written' if changed else 'is up to date'}", file=sys.stderr)
    return 0


def pack_text(pack: str, packs: list[Path]) -> tuple[Path, str]:
    """The folder of a pack and its schema."""
    from ludoloom.compiler.analysis.declare import declare
    from ludoloom.compiler.diagnostics.model import Bag
    from ludoloom.compiler.pack_schema import pack_names
    from ludoloom.compiler.packs import PackNotFound, load_game, pack_around
    from ludoloom.schemas.export import text_of
    from ludoloom.schemas.pack_schema import pack_schema

    bag = Bag()
    try:
        trees = load_game([pack], [], packs, bag)
    except PackNotFound as error:
        refuse(str(error))
    if len(trees) != 1:
        why = f"`{pack}` holds {len(trees)} games; name one" if trees else f"`{pack}` cannot be read"
        refuse(f"{why}; `ludoloom check` shows what is wrong" if not trees else why)
    tree = trees[0]
    around = pack_around(Path(pack)) if Path(pack).exists() else None
    folder = around if around is not None else tree.packs[-1].folder
    return folder, text_of(pack_schema(pack_names(declare(tree, tree.combinations[0], bag))))


def write_schema(path: Path, text: str) -> bool:
    """Write a schema where it differs; whether it did."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return True
