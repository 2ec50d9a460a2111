"""`docs/api.md` is true: its examples run, in their order, with the image that it names."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import ludoloom
from ludoloom.compiler.pipeline import load
from ludoloom.runtime.serial import to_bytes

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "api.md"


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    image = load([str(ROOT / "tests" / "games" / "kuhn_poker")]).games[0].image
    assert image is not None
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "kuhn_poker.loom").write_bytes(to_bytes(image))
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(examples) > 5
    parsed = doctest.DocTestParser().get_doctest("\n".join(examples), {}, "api.md", str(PAGE), 0)
    told: list[str] = []
    assert doctest.DocTestRunner().run(parsed, out=told.append).failed == 0, "".join(told)


def test_the_page_names_all_that_is_public() -> None:
    table = PAGE.read_text(encoding="utf-8").split("| name |")[1].split("\n\n")[0]
    named = set(re.findall(r"`([A-Za-z_]+)", table))
    public = {name for name in dir(ludoloom) if not name.startswith("_")}
    assert public - named == set()
