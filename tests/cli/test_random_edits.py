"""Shortcuts never change an answer: after any edit the cache, the files that are kept from earlier checks, the check
that lowers alike cards once, and the tests of shapes without Pydantic, find what working everything out anew finds.

Packs are edited at random, as hasty authors do it, several times in a row: numbers, words, texts, keys, entries that
are taken out, doubled, swapped, moved to another file or renamed everywhere, comments that silence, files that come and
go. Now and then an edit is taken back, so that what was kept before a mistake is used after it.

`python tests/cli/test_random_edits.py 500` tries more (`--seed`, `--pack`); a failure prints how to come back to it."""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from ludoloom.compiler import pipeline
from ludoloom.compiler.cli.check import check
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.compiler.frontend.read import read
from ludoloom.schemas.cell_checks import ItemChecks

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
EDITS = 10

_WORD = re.compile(r"[a-z_]{3,}")
_NUMBER = re.compile(r"\b\d+\b")
_ROUND = 4
"""Edits in a row before the pack is whole again: of too many mistakes at once one hides another."""
SILENCED = ("unused", "bare-number", "never-called", "unknown-icon", "never-offered", "no-such-code")


def big_pack(folder: Path) -> None:
    """A small one of the large pack that the benches measure."""
    spec = spec_from_file_location("big_pack", TESTS / "bench" / "big_pack.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = module_from_spec(spec)
    spec.loader.exec_module(module)
    module.FILES, module.CARDS = 4, 5
    module.write(folder)


def copy(*names: str) -> Callable[[Path], None]:
    """Brings packs of this repository into a folder; several lie beside each other there."""

    def bring(folder: Path) -> None:
        for name in names:
            shutil.copytree(ROOT / name, folder / Path(name).name if len(names) > 1 else folder, dirs_exist_ok=True)

    return bring


PACKS: dict[str, Callable[[Path], None]] = {
    "big_pack": big_pack,
    "connect_four": copy("tests/games/connect_four"),
    "kuhn_poker": copy("tests/games/kuhn_poker"),
    "press_luck": copy("tests/games/press_luck"),
    "tic_tac_toe": copy("tests/games/tic_tac_toe"),
    "snails": copy("tests/games/snail_derby", "tests/games/snail_weather"),
    "boktor": copy("content/boktor"),
}


# --- edits ------------------------------------------------------------------------------------------------------------


def entries(node: Node | None) -> Iterator[tuple[Scalar, Node]]:
    """All entries of all mappings of a tree."""
    if isinstance(node, Map):
        for key, value in node:
            yield key, value
            yield from entries(value)
    elif isinstance(node, Items):
        for item in node:
            yield from entries(item)


def cut(lines: list[str], first: Span, last: Span) -> tuple[int, int]:
    """Where in the joined lines the text from one place to the end of another stands."""
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    return starts[first.line - 1] + first.column - 1, starts[last.end_line - 1] + last.end_column - 1


class Editor:
    """Edits one pack; `done` says in words what was done last."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.folder, self.chance, self.done = folder, chance, ""

    def files(self) -> list[Path]:
        return sorted(self.folder.rglob("*.yaml"))

    def edit(self) -> None:
        """Change something somewhere."""
        ways = [
            *[self.number] * 6,
            *[self.word] * 4,
            *[self.entry] * 8,
            *[self.line] * 2,
            *[self.silence] * 2,
            *[self.rename] * 2,
            self.move,
            self.file,
        ]
        way = self.chance.choice(ways)
        self.done = way.__name__
        way()

    def _some(self) -> tuple[Path, str]:
        file = self.chance.choice(self.files())
        self.done += f" in {file.relative_to(self.folder)}"
        return file, file.read_text(encoding="utf-8")

    def _put(self, file: Path, text: str, start: int, end: int, new: str) -> None:
        self.done += f": {text[start:end][:60]!r} becomes {new[:60]!r}"
        file.write_text(text[:start] + new + text[end:], encoding="utf-8")

    def number(self) -> None:
        file, text = self._some()
        if found := list(_NUMBER.finditer(text)):
            there = self.chance.choice(found)
            self._put(file, text, *there.span(), str(self.chance.choice([0, 1, 2, 3, 7, 99, -3, "x", "1 + 1"])))

    def word(self) -> None:
        file, text = self._some()
        if found := list(_WORD.finditer(text)):
            there = self.chance.choice(found)
            self._put(file, text, *there.span(), self.chance.choice(_WORD.findall(text)))

    def entry(self) -> None:
        """An entry of some mapping is lost, doubled, gets another value, or the key of another."""
        file, text = self._some()
        tree = read(text.encode(), "x", Bag())
        found = list(entries(tree))
        if not found:
            return
        (key, value), (other, another) = self.chance.choice(found), self.chance.choice(found)
        lines = text.splitlines(keepends=True)
        mine = cut(lines, key.span, value.span)
        its = cut(lines, another.span, another.span)
        match self.chance.randrange(5):
            case 0:
                self._put(file, text, *mine, "")
            case 1 if value.span.line == key.span.line:
                new = f"{text[slice(*mine)]}, " if "{" in lines[key.span.line - 1] else text[slice(*mine)] + "\n"
                self._put(file, text, mine[0], mine[0], new + " " * (key.span.column - 1) * new.endswith("\n"))
            case 2 if another.span.line == another.span.end_line:
                self._put(file, text, *cut(lines, value.span, value.span), text[slice(*its)])
            case 3:
                self._put(file, text, *cut(lines, key.span, key.span), other.text)
            case _ if isinstance(value, Scalar) and value.value is not None:
                new = self.chance.choice(
                    ['"{amount} :icon: 3"', "none", "true", "[]", "{}", "1 to 3", f"not {value.text}"]
                )
                self._put(file, text, *cut(lines, value.span, value.span), new)
            case _:
                pass

    def line(self) -> None:
        file, text = self._some()
        lines = text.splitlines(keepends=True)
        if lines:
            at = self.chance.randrange(len(lines))
            if self.chance.random() < 0.5:
                del lines[at]
            else:
                lines.insert(at, self.chance.choice([*lines, "\n", "# a comment\n"]))
            file.write_text("".join(lines), encoding="utf-8")

    def silence(self) -> None:
        file, text = self._some()
        lines = text.splitlines()
        if lines:
            at = self.chance.randrange(len(lines))
            lines[at] += f"  # ludoloom: allow {self.chance.choice(SILENCED)} it is meant so"
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def rename(self) -> None:
        """A word gets another name in all files, or in all but one."""
        _, text = self._some()
        if not (found := _WORD.findall(text)):
            return
        old, spared = self.chance.choice(found), self.chance.choice([None, *self.files()])
        self.done += f": {old} gets another name"
        for file in self.files():
            if file != spared:
                before = file.read_text(encoding="utf-8")
                file.write_text(re.sub(rf"\b{old}\b", f"{old}_x", before), encoding="utf-8")

    def move(self) -> None:
        """An entry of a section moves to another file, or stands in both."""
        file, text = self._some()
        tree = read(text.encode(), "x", Bag())
        rows = [(section, *row) for section, node in tree or () if isinstance(node, Map) for row in node]
        if not rows:
            return
        section, key, value = self.chance.choice(rows)
        start, end = cut(text.splitlines(keepends=True), key.span, value.span)
        new = file.with_name(f"moved_{file.name}")
        new.write_text(f"{section.text}:\n  {text[start:end]}\n", encoding="utf-8")
        if self.chance.random() < 0.7:
            self._put(file, text, start, end, "")

    def file(self) -> None:
        """A file comes, goes, or gets another name."""
        file, text = self._some()
        match self.chance.randrange(3):
            case 0:
                (file.parent / "more").mkdir(exist_ok=True)
                (file.parent / "more" / file.name).write_text(text, encoding="utf-8")
            case 1:
                file.rename(file.with_name(f"x{file.name}"))
            case _ if len(self.files()) > 1:
                file.unlink()
            case _:
                pass


def state(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def restore(folder: Path, files: dict[Path, bytes]) -> None:
    for file in folder.rglob("*"):
        if file.is_file() and file not in files:
            file.unlink()
    for file, data in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def compare(folder: Path, *, lowered: bool) -> set[str]:
    """Check a pack anew and with all that is known; the codes that were found."""
    cold = check([folder], use_cache=False)
    first, second = check([folder], use_cache=True), check([folder], use_cache=True)
    assert first.data() == cold.data()
    assert second.data() == cold.data()
    if lowered and (folder / "game.yaml").exists():
        # The same with every card lowered and emitted, and looked at by the models themselves.
        with (
            patch("ludoloom.compiler.frontend.shape.shipped", return_value=None),
            patch.object(ItemChecks, "of", return_value=None),
        ):
            assert pipeline.load([str(folder)]).bag.findings == cold.findings
    return {finding.code for finding in cold.findings}


def run(name: str, folder: Path, edits: int, seed: object, *, lowered: bool = True) -> Counter[str]:
    """Edit a pack and compare after each edit; how often each code was found."""
    PACKS[name](folder)
    chance, seen = random.Random(f"{name} {seed}"), Counter[str]()
    whole = before = state(folder)
    editor = Editor(folder, chance)
    trail: list[str] = []
    compare(folder, lowered=False)
    for number in range(edits):
        if number % _ROUND == 0:
            restore(folder, whole)
            trail.clear()
        elif chance.random() < 0.2:
            restore(folder, before)
            trail.append("taken back")
        before = state(folder)
        editor.edit()
        trail.append(editor.done)
        try:
            codes = compare(folder, lowered=lowered)
        except BaseException:
            print(f"pack {name}, seed {seed}, edit {number}:", *trail, sep="\n  ")
            raise
        seen.update(codes or {"nothing"})
    return seen


@pytest.mark.parametrize("name", [name for name in PACKS if name != "boktor"])
def test_findings_are_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOLOOM_CACHE", str(tmp_path / "cache"))
    assert len(run(name, tmp_path / name, EDITS, 1)) > 1


@pytest.mark.slow
def test_findings_of_a_large_game_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOLOOM_CACHE", str(tmp_path / "cache"))
    assert run("boktor", tmp_path / "boktor", 2, 1, lowered=False)


def main() -> None:
    """Try as many edits as are asked for, over all packs or one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("edits", type=int, nargs="?", default=200)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--pack", choices=PACKS)
    given = parser.parse_args()
    for name in [given.pack] if given.pack else PACKS:
        with tempfile.TemporaryDirectory() as place:
            os.environ["LUDOLOOM_CACHE"] = str(Path(place) / "cache")
            seen = run(name, Path(place) / name, given.edits, given.seed, lowered=name != "boktor")
        print(f"{name}: {given.edits} edits, {len(seen)} codes, {seen['nothing']} times nothing", flush=True)


if __name__ == "__main__":
    sys.exit(main())
