"""Whatever an author does to a pack, the compiler ends in time: with findings, or with an image that is proved safe
and plays.

Real packs are damaged a little, one place or a few at a time, as slips of the hand do it: a key is lost, two values are
swapped, a word takes the place of another, a number becomes very large, an entry is doubled.
`python tests/cases/test_mutations.py 1000` tries more (`--seed`, `--pack`); a failure prints how to come back to it.
"""

from __future__ import annotations

import json
import random
import re
import signal
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.compiler.frontend.read import read
from ludoloom.compiler.packs import PackNotFound
from ludoloom.compiler.pipeline import load
from ludoloom.runtime.game import Game
from ludoloom.runtime.verify import check_image

ROOT = Path(__file__).parents[2]
FOLDERS = ("tests/games/*/game.yaml", "tests/cases/snippets/?/host.yaml", "tests/cases/lower/*/game.yaml")
PACKS: dict[str, Path] = {
    path.relative_to(ROOT).as_posix(): path
    for path in (
        *(file.parent for pattern in FOLDERS for file in sorted(ROOT.glob(pattern))),
        *sorted(ROOT.glob("tests/cases/play/*.yaml")),
        ROOT / "content/boktor",
    )
}
"""Folders of packs, and files that begin with one."""
LONGEST = 20
"""Seconds that one damaged pack may take; a sound one takes a fraction of one."""
SEEDS = 3
STEPS = 30
BUDGET = 50_000
WORD = re.compile(r"[a-z_][a-z0-9_]*")
SPAN = Span("", 1, 1, 1, 1)
ODD = """
    none | true | 0 | -1 | 2147483647 | 99999 | [] | {} | "x" | self | it | active | else | 0 to 5 | 5+ | 3 to 1 | a.b.c
    x(y) | not not x | owner.owner | roll.total | players | options.x | [[1]] | {x: {y: 1}} | 1 // 0 | phase
"""
"""What stands in the wrong place."""


# --- trees and their text --------------------------------------------------------------------------------------------


def text_of(node: Node, indent: int = 0) -> str:
    """A tree as YAML again."""
    pad = "  " * indent
    match node:
        case Scalar():
            return node.text if node.plain and node.value is not None else json.dumps(node.text, ensure_ascii=False)
        case Items() if not node.items:
            return "[]"
        case Map() if not node.entries:
            return "{}"
        case Items():
            return "".join(f"\n{pad}- {text_of(item, indent + 1).lstrip()}" for item in node.items)
        case Map():
            return "".join(
                f"\n{pad}{text_of(key)}: {text_of(value, indent + 1)}".replace(": \n", ":\n")
                for key, value in node.entries
            )


@cache
def trees(name: str) -> dict[str, Map]:
    """The files of a pack as trees."""
    path, found = PACKS[name], dict[str, Map]()
    texts = {"game.yaml": path.read_text(encoding="utf-8").partition("\n---\n")[0]} if path.is_file() else {}
    texts |= {
        file.relative_to(path).as_posix(): file.read_text(encoding="utf-8") for file in sorted(path.rglob("*.yaml"))
    }
    for file, text in texts.items():
        tree = read(f"{text}\n".encode(), file, Bag())
        if tree is not None:
            found[file] = tree
    return found


@cache
def templates(name: str) -> dict[str, str]:
    """What is drawn with: it stays as it is."""
    path = PACKS[name]
    return {file.relative_to(path).as_posix(): file.read_text(encoding="utf-8") for file in path.rglob("*.typ.j2")}


def written(name: str, files: dict[str, Map]) -> dict[str, str]:
    """The files of a pack as text again, beside its templates."""
    return {file: text_of(tree).lstrip("\n") + "\n" for file, tree in files.items()} | templates(name)


def nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in (
        node.items if isinstance(node, Items) else (value for _, value in node) if isinstance(node, Map) else ()
    ):
        yield from nodes(child)


def changed(node: Node, target: Node, into: Node | None) -> Node | None:
    """The tree with one node changed for another (None: taken out)."""
    if node is target:
        return into
    if isinstance(node, Items):
        return Items(node.span, tuple(new for item in node.items if (new := changed(item, target, into)) is not None))
    if isinstance(node, Map):
        entries = [(key, changed(value, target, into)) for key, value in node]
        return Map(node.span, tuple((key, value) for key, value in entries if value is not None))
    return node


# --- damage ----------------------------------------------------------------------------------------------------------


def scalar(text: str) -> Scalar:
    return Scalar(SPAN, text, text, True)


def damaged(tree: Map, pick: random.Random) -> Map:
    """The tree with one slip in it."""
    everything = [node for node in nodes(tree) if node is not tree]
    words = [node for node in everything if isinstance(node, Scalar)]
    if not words:
        return tree
    target = pick.choice(everything)
    into: Node | None
    match pick.randrange(9):
        case 0:
            into = None
        case 1:
            into = pick.choice(everything)
        case 2:
            into = scalar(pick.choice(re.split(r"\s*[|\n]\s*", ODD.strip())))
        case 3:
            target = pick.choice(words)
            new = pick.choice([*WORD.findall(pick.choice(words).text), "self", "x"])
            at = list(WORD.finditer(target.text))
            place = pick.choice(at) if at else None
            text = target.text[: place.start()] + new + target.text[place.end() :] if place else new
            into = Scalar(SPAN, text, text, target.plain)
        case 4:
            numbers = [node for node in everything if isinstance(node, Scalar) and re.search(r"\d", node.text)]
            target = pick.choice(numbers or everything)
            number = str(pick.choice((0, -1, 1, 2, 100, 30_000, 2_000_000_000)))
            into = scalar(re.sub(r"\d+", number, target.text, count=1) if isinstance(target, Scalar) else number)
        case 5:
            target = pick.choice([node for node in nodes(tree) if isinstance(node, Items | Map) and len(node)])
            if isinstance(target, Items):
                into = Items(SPAN, (*target.items, pick.choice(target.items)))
            else:
                key, value = pick.choice(target.entries)
                into = Map(SPAN, (*target.entries, (scalar(f"{key.text}_2"), value)))
        case 6:
            target = pick.choice([node for node in nodes(tree) if isinstance(node, Map) and len(node)])
            place = pick.randrange(len(target))
            other = pick.choice([node for node in nodes(tree) if isinstance(node, Map) and len(node)])
            name = pick.choice(other.entries)[0]
            into = Map(
                SPAN, tuple((name if n == place else key, value) for n, (key, value) in enumerate(target.entries))
            )
        case 7:
            into = Items(SPAN, (target,))
        case _:
            first, second = target, pick.choice(everything)
            once = changed(tree, first, scalar("swapped_here"))
            if once is None or second not in list(nodes(once)):
                return tree
            twice = changed(once, second, first)
            assert twice is not None
            hole = next(
                (node for node in nodes(twice) if isinstance(node, Scalar) and node.text == "swapped_here"), None
            )
            tree_now = changed(twice, hole, second) if hole is not None else twice
            return tree_now if isinstance(tree_now, Map) else tree
    found = changed(tree, target, into)
    return found if isinstance(found, Map) else tree


def damaged_pack(name: str, seed: int) -> dict[str, str]:
    """The files of a pack after a few slips."""
    pick = random.Random(f"{name} {seed}")
    files = dict(trees(name))
    for _ in range(pick.choice((1, 1, 1, 2, 4, 9))):
        file = pick.choice(sorted(files))
        tree = damaged(files[file], pick)
        # A copy by way of the text: then each node is in one place only.
        again = read((text_of(tree).lstrip("\n") + "\n").encode(), file, Bag())
        files[file] = again if again is not None else tree
    return written(name, files)


# --- the proof -------------------------------------------------------------------------------------------------------


class TooLong(Exception):
    """A damaged pack kept the compiler or the machine busy."""


@contextmanager
def limit(seconds: int) -> Generator[None]:
    def late(_signal: int, _frame: object) -> None:
        raise TooLong(f"more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def try_pack(files: dict[str, str], folder: Path, seed: int) -> list[Diagnostic]:
    """Compile a damaged pack; play it if it has no error. Its pictures are there."""
    for picture in re.findall(r"\b\w+(?:/\w+)+\.svg", "\n".join(files.values())):
        (folder / picture).parent.mkdir(parents=True, exist_ok=True)
        (folder / picture).write_text("<svg/>", encoding="utf-8")
    for file, text in files.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with limit(LONGEST):
        try:
            checked = load([str(folder)], scenarios=True)
        except PackNotFound as error:
            return [Diagnostic("pack-not-found", SPAN, str(error))]
        for finding in checked.bag:
            assert finding.message
            assert finding.span.line > 0
            assert finding.span.file, f"{finding.code} has no place: {finding.message}"
        if any(finding.severity == "error" for finding in checked.bag):
            return list(checked.bag)
        for game in checked.games:
            assert game.image is not None, "no error and no image"
            check_image(game.image)
            pick = random.Random(seed)
            played = Game.new(game.image, seed=seed, budget=BUDGET)
            for _ in range(STEPS):
                if played.status not in ("ask", "chance"):
                    break
                played.apply(pick.randrange(len(played.options)))
    return list(checked.bag)


@pytest.mark.parametrize("name", PACKS)
def test_a_damaged_pack_gives_findings_or_plays(name: str, tmp_path: Path) -> None:
    whole = written(name, trees(name))
    sound = try_pack(whole, tmp_path / "whole", 0)
    assert not [finding for finding in sound if finding.severity == "error" and finding.code != "unreadable"]
    for seed in range(SEEDS if len(whole) < 20 else 1):
        try_pack(damaged_pack(name, seed), tmp_path / str(seed), seed)


def test_slips_are_found(tmp_path: Path) -> None:
    name = "tests/games/kuhn_poker"
    found = [bool(try_pack(damaged_pack(name, seed), tmp_path / str(seed), seed)) for seed in range(12)]
    assert sum(found) > 6


def main(arguments: list[str]) -> None:
    """Try many; print each that fails."""
    import traceback

    names = [arguments[arguments.index("--pack") + 1]] if "--pack" in arguments else list(PACKS)
    first = int(arguments[arguments.index("--seed") + 1]) if "--seed" in arguments else 0
    for seed in range(first, first + int(arguments[0])):
        for name in names:
            files = damaged_pack(name, seed)
            with tempfile.TemporaryDirectory() as folder:
                try:
                    try_pack(files, Path(folder), seed)
                except Exception:
                    print(f"--- --pack {name} --seed {seed}", flush=True)
                    print("".join(traceback.format_exc().splitlines(keepends=True)[-7:]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or ["20"])
