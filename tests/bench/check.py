"""How long a check takes: ``python tests/bench/check.py``.

The pack is that of `big_pack.py` (3,600 cards in 300 files). The measure is `yaml.load` with PyYAML's C loader over the
same files in the same run, because it means the same on every machine; check-jsonschema (`pip install
check-jsonschema`) with our own exported schema is what other projects do; it is left out where it is
not installed."""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import big_pack
import yaml
from clock import PACKAGES, ROOT, best, process, row

from ludoloom.compiler import pipeline
from ludoloom.compiler.cli.check import check

SCHEMA = ROOT / "schemas" / "json" / "ludoloom.schema.json"


def main() -> None:
    """Print one line for each figure, with its goal."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "big_pack"
        big_pack.write(folder)
        os.environ["LUDOLOOM_CACHE"] = str(Path(place) / "cache")
        files = sorted(folder.rglob("*.yaml"))
        texts = [file.read_bytes() for file in files]
        theirs = best(lambda: [yaml.load(text, Loader=yaml.CSafeLoader) for text in texts])
        print(f"{big_pack.FILES * big_pack.CARDS} cards, {len(files)} files, {sum(map(len, texts)) / 1e6:.1f} MB")
        row("yaml.load with the C loader", f"{theirs:.3f} s")
        in_process(folder, theirs)
        processes(folder, files)


def in_process(folder: Path, theirs: float) -> None:
    """A check by itself, without the start of Python and the imports."""
    cold = best(lambda: pipeline.check([folder]))
    row("check, nothing known", f"{cold:.3f} s {cold / theirs:5.2f} x", "at most 2 x yaml.load")
    first = best(lambda: check([folder], use_cache=True), 1)
    row("the same, and what is kept of it is written", f"{first:.3f} s {first / theirs:5.2f} x")
    cards, game, goal = folder / "cards" / "set_007.yaml", folder / "game.yaml", "at most 0.5 x yaml.load"
    for what, file, old, new in (
        ("numbers of a file of cards", cards, "difficulty: ", "difficulty: {}"),
        ("what a file of cards does", cards, "- hurt: {", "- heal: {{to: target, amount: {}}}\n        - hurt: {{"),
        ("what a verb says", game, "{to} loses", "{{to}} loses for the {}th time"),
    ):
        one = after(folder, file, old, new)
        row(f"check after an edit: {what}", f"{one:.3f} s {one / theirs:5.2f} x", goal)


def after(folder: Path, file: Path, old: str, new: str) -> float:
    """A check after `old` has become `new` in a file, each time with another number."""
    text, number = file.read_text(encoding="utf-8"), itertools.count(2)
    assert old in text

    def edited() -> None:
        file.write_text(text.replace(old, new.format(next(number))), encoding="utf-8")
        assert not check([folder], use_cache=True).findings

    try:
        return best(edited, 5)
    finally:
        file.write_text(text, encoding="utf-8")


def processes(folder: Path, files: list[Path]) -> None:
    """Whole processes, from the start of Python to the exit code."""
    # As an installed package runs: compiled once, whatever the environment says of files of bytecode.
    env = {**os.environ, "PYTHONPATH": PACKAGES, "PYTHONPYCACHEPREFIX": str(folder.parent / "bytecode")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    bare = process([sys.executable, "-c", "pass"], 10, env)
    row("a bare interpreter", f"{bare * 1000:.0f} ms")
    command = [sys.executable, "-m", "ludoloom"]
    asked = process([*command, "--help"], 10, env)
    row("ludoloom --help", f"{asked * 1000:.0f} ms", "about 100 ms")
    warm = process([*command, "check", folder], 10, env)
    row("ludoloom check, nothing changed", f"{warm * 1000:.0f} ms {warm / bare:4.1f} x", "at most 10 x a bare one")
    cold = process([*command, "check", "--no-cache", folder], 3, env)
    row("ludoloom check --no-cache", f"{cold:.2f} s")
    edited = edited_process([*command, "check", folder], folder / "cards" / "set_007.yaml", env)
    row("ludoloom check after an edit", f"{edited:.2f} s")
    if find_spec("check_jsonschema") is None:
        print("  check-jsonschema is not installed, so it is not measured (pip install check-jsonschema)")
        return
    others = process([sys.executable, "-m", "check_jsonschema", "--schemafile", SCHEMA, *files], 1, env)
    row("check-jsonschema with our schema", f"{others:.2f} s {others / cold:4.1f} x", "we are 10 times faster")


def edited_process(command: list[str | Path], file: Path, env: dict[str, str]) -> float:
    """The same command after each of some edits."""
    text = file.read_text(encoding="utf-8")
    shortest = float("inf")
    for number in range(1, 5):
        file.write_text(text.replace("difficulty: ", f"difficulty: {number}"), encoding="utf-8")
        shortest = min(shortest, process(command, 1, env))
    file.write_text(text, encoding="utf-8")
    return shortest


if __name__ == "__main__":
    main()
