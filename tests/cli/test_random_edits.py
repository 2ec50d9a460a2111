"""Shortcuts never change an answer: after any edit the cache, and the check that lowers alike cards once, find what
working everything out anew finds."""

from __future__ import annotations

import random
import re
import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from ludoloom.compiler import pipeline
from ludoloom.compiler.cli.check import check

TESTS = Path(__file__).parents[1]
EDITS = 8

_WORD = re.compile(r"[a-z_]{3,}")
_NUMBER = re.compile(r"\b\d+\b")


def big_pack(folder: Path) -> None:
    """A small one of the large pack that the benches measure."""
    spec = spec_from_file_location("big_pack", TESTS / "bench" / "big_pack.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = module_from_spec(spec)
    spec.loader.exec_module(module)
    module.FILES, module.CARDS = 4, 5
    module.write(folder)


def edit(folder: Path, chance: random.Random) -> None:
    """Change one file as a hasty author would; now and then add, rename or delete one."""
    files = sorted(folder.rglob("*.yaml"))
    file = chance.choice(files)
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    what = chance.randrange(12)
    line = chance.randrange(len(lines)) if lines else 0
    if what == 0:
        (folder / "more").mkdir(exist_ok=True)
        (folder / "more" / f"{file.stem}.yaml").write_text(text, encoding="utf-8")
    elif what == 1:
        file.rename(file.with_name(f"x{file.name}"))
    elif what == 2 and len(files) > 1:
        file.unlink()
    elif what == 3 and lines:
        del lines[line]
        file.write_text("".join(lines), encoding="utf-8")
    elif what == 4 and lines:
        lines.insert(line, lines[chance.randrange(len(lines))])
        file.write_text("".join(lines), encoding="utf-8")
    else:
        pattern = _NUMBER if what < 9 else _WORD
        found = list(pattern.finditer(text))
        if found:
            there = chance.choice(found)
            new = str(chance.choice([0, 1, 2, 7, 99, -3])) if what < 9 else chance.choice(_WORD.findall(text))
            file.write_text(text[: there.start()] + new + text[there.end() :], encoding="utf-8")


@pytest.mark.parametrize("name", ["big_pack", "connect_four", "kuhn_poker", "press_luck", "tic_tac_toe"])
def test_findings_are_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOLOOM_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / name
    if name == "big_pack":
        big_pack(folder)
    else:
        shutil.copytree(TESTS / "games" / name, folder)
    monkeypatch.chdir(folder)
    chance, seen = random.Random(name), set[str]()
    whole = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    for number in range(EDITS):
        if number % 3 == 0:  # never more than three mistakes at once: many hide each other
            shutil.rmtree(folder)
            for file, data in whole.items():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
            monkeypatch.chdir(folder)
        edit(folder, chance)
        cold = check([Path()], use_cache=False)
        first, second = check([Path()], use_cache=True), check([Path()], use_cache=True)
        assert first.data() == cold.data()
        assert second.data() == cold.data()
        if (folder / "game.yaml").exists():
            # The same with every card lowered and emitted.
            assert pipeline.load([str(folder)]).bag.findings == cold.findings
        seen.update(finding.code for finding in cold.findings)
    assert seen
