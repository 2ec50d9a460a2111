"""No id of a shipped game in the engine: schemas/, compiler/ and runtime/ serve all games alike.

Every identifier and every string literal of the Python files (docstrings aside) and every word of the templates is
compared with the names of the shipped games and all ids that they declare. Words of the language itself may be used by
a game as ids too, so they do not count; neither does the short list of exceptions below, each with its reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoloom.compiler.analysis.declare import declare
from ludoloom.compiler.analysis.names import BARE, DOTTED
from ludoloom.compiler.backend.verbs import CORE
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.packs import load_game

ROOT = Path(__file__).parent.parent.parent
GAMES = sorted(path.parent for path in (ROOT / "content").glob("*/game.yaml"))
ENGINE = [
    path
    for folder in ("schemas", "compiler", "runtime")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".py", ".j2")
]

PLAIN = {
    "bag": "collects findings",
    "walk": "goes through a tree or all assignments",
    "element": "one of a set",
    "use": "to use",
    "drawn": "what a draw gave",
    "offer": "what a choice offers",
    "enter": "to go into a level of a search",
    "prepare": "to make ready",
    "face": "a side of a die or of a two-sided piece",
    "pile": "an order of zones",
    "rounds": "how often recursion may go round",
    "card": "a family",
    "cards": "a section",
    "piece": "a family",
    "pieces": "a section",
    "player": "the built-in kind",
    "players": "its plural",
    "tile": "a family",
    "tiles": "a section",
    "part": "a family",
    "quest": "a family",
    "encounter": "a family",
    "encounters": "a section",
    "map": "a family",
    "space": "a family",
    "spaces": "a key of maps",
    "die": "what is rolled",
    "dice": "a section",
    "start": "a key of columns",
    "end": "a section",
    "turn": "a core verb",
    "front": "a face in examples",
    "back": "a face in examples",
    "side": "of an opposed roll",
    "lost": "what a save lost",
    "mark": "a place of a track",
    "shift": "columns or half steps aside",
    "box": "a rectangle of Typst, of a page, of a track",
    "deck": "what is shuffled together, on a sheet",
    "icon": "a picture in a text",
    "token": "a template",
    "long": "an edge of the paper",
    "step": "one of a row",
    "save": "to keep",
    "category": "what Unicode says of a character",
    "answer": "what is given to a question",
    "cover": "how a picture fills its place",
    "ground": "what words stand on",
    "goal": "where a way leads; what agents strive for",
    "score": "how good a layout is",
    "nothing": "what does nothing",
    "silence": "an accepted finding",
    "judge": "what says how well a seat stands",
    "passing": "what is fulfilled",
    "runner": "runs scenarios",
    "in_force": "modifiers that count",
    "hand": "a zone in examples",
    "fall": "to come down to",
    "discard": "to throw away",
    "task": "what is to be done",
    "stand": "how a seat stands",
    "shown": "which one can be seen",
    "red": "a part of a colour",
    "green": "a part of a colour",
    "blue": "a part of a colour",
    "north": "a side of a cell",
    "east": "a side of a cell",
    "south": "a side of a cell",
    "west": "a side of a cell",
}


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z][a-z0-9_]*", text))


def literals(path: Path) -> Iterator[tuple[int, str]]:
    """Identifiers and string literals of a Python file, docstrings left out; for a template, its words."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        for number, line in enumerate(text.splitlines(), 1):
            yield from ((number, word) for word in words(line))
        return
    tree = ast.parse(text)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value
        elif isinstance(node, ast.Name):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute):
            yield node.lineno, node.attr
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg


def declared(folder: Path) -> set[str]:
    """All ids that a game declares, and its own name."""
    bag = Bag()
    (tree,) = load_game([str(folder)], (), (), bag)
    game = declare(tree, tree.combinations[0], bag)
    found = {game.id, game.title.lower(), *game.items, *game.kinds, *game.zones, *game.tracks, *game.dice, *game.maps}
    found |= {
        *game.phases,
        *game.windows,
        *game.rolls,
        *game.actions,
        *game.verbs,
        *game.state,
        *game.computed,
        *game.options,
    }
    for enum, members in game.enums.items():
        found |= {enum, *members}
    for kind in game.kinds.values():
        found |= {kind.plural, *kind.zones, *kind.acts, *kind.variants}
    return {name for name in found if name and len(name) > 2}


LANGUAGE = {*BARE, *DOTTED, *CORE} | set(PLAIN)


@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_the_engine_names_nothing_of_a_game(folder: Path) -> None:
    ids = declared(folder) - LANGUAGE
    hits: list[str] = []
    for path in ENGINE:
        for line, text in literals(path):
            if text in ids:
                hits.append(f"{path.relative_to(ROOT).as_posix()}:{line}: `{text}`")
    assert not hits, "the engine uses ids of the game:\n" + "\n".join(hits)


TEXTS = [
    path
    for folder in ("schemas", "compiler", "runtime")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".py", ".j2", ".typ", ".md", ".json", ".html", ".js", ".css", ".yaml")
]


@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_no_word_about_the_engine_names_a_game(folder: Path) -> None:
    """Help of commands, comments, docstrings and pages of `explain` take their examples from the tiny games."""
    hits = [
        f"{path.relative_to(ROOT).as_posix()}:{number}: {line.strip()}"
        for path in TEXTS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(rf"\b{folder.name}\b", line, re.IGNORECASE)
    ]
    assert not hits, f"the engine names {folder.name}:\n" + "\n".join(hits)


def test_games_are_found() -> None:
    assert GAMES, "no shipped game was looked at"
