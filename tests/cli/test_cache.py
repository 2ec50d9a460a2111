"""The cache never changes an answer."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludoloom.compiler import cache
from ludoloom.compiler.cli.check import check
from ludoloom.compiler.sheets.pictures import SUFFIXES
from ludoloom.compiler.sheets.sources import TEMPLATE

GOOD = "pack: {id: demo, version: 1.0.0, title: Demo, players: 2}\n"
BAD = "pack: {id: demo, version: 1.0.0, title: No, players: 2}\n"


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDOLOOM_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "game.yaml").write_text(GOOD, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def codes(*, use_cache: bool = True) -> list[str]:
    """What a check finds, with the cache and without it: always the same."""
    cold = check([Path()], use_cache=False)
    warm = check([Path()], use_cache=use_cache)
    assert warm.data() == cold.data()
    return [finding.code for finding in warm.findings]


def entries(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache" / "check").glob("*.json"))


def test_every_change_is_seen(pack: Path, tmp_path: Path) -> None:
    assert codes() == codes() == []
    assert len(entries(tmp_path)) == 1
    (pack / "game.yaml").write_text(BAD, encoding="utf-8")
    assert codes() == codes() == ["yaml-reads-differently"]
    (pack / "cards").mkdir()
    (pack / "cards" / "a.yaml").write_text("cards: {a: ~}\n", encoding="utf-8")
    assert codes() == codes() == ["null-value", "yaml-reads-differently"]
    (pack / "cards" / "a.yaml").rename(pack / "cards" / "b.yaml")
    assert codes() == ["null-value", "yaml-reads-differently"]
    (pack / "cards" / "b.yaml").unlink()
    (pack / "game.yaml").write_text(GOOD, encoding="utf-8")
    assert codes() == []


def test_the_answer_comes_from_the_cache(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (pack / "game.yaml").write_text(BAD, encoding="utf-8")
    first = check([Path()], use_cache=True)

    def never(*_arguments: object) -> object:
        raise AssertionError

    monkeypatch.setattr("ludoloom.compiler.pipeline.check", never)
    assert check([Path()], use_cache=True).data() == first.data()
    with pytest.raises(AssertionError):
        check([Path()], use_cache=False)


def test_another_version_never_answers(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = cache.key("check", "x")
    cache.store("check", name, {"answer": 1})
    monkeypatch.setattr(cache, "_tool", ["another"])
    assert cache.key("check", "x") != name
    assert cache.load("check", cache.key("check", "x")) is None


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"{}",
        b'{"files": 3}',
        b"[" * 100_000,
        b'{"files": {}, "folders": {}, "answer": 7}',
    ],
)
def test_a_damaged_entry_is_ignored(pack: Path, tmp_path: Path, damage: bytes) -> None:
    (pack / "game.yaml").write_text(BAD, encoding="utf-8")
    assert codes() == ["yaml-reads-differently"]
    [entry] = entries(tmp_path)
    entry.write_bytes(damage)
    assert codes() == ["yaml-reads-differently"]


def test_a_damaged_answer_is_worked_out_anew(pack: Path, tmp_path: Path) -> None:
    (pack / "game.yaml").write_text(BAD, encoding="utf-8")
    codes()
    [path] = entries(tmp_path)
    entry = json.loads(path.read_text(encoding="utf-8"))
    del entry["answer"]["findings"][0]["message"]
    path.write_text(json.dumps(entry), encoding="utf-8")
    assert codes() == ["yaml-reads-differently"]


def test_a_folder_that_cannot_be_written_means_no_cache(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("LUDOLOOM_CACHE", str(tmp_path / "file" / "cache"))
    assert codes() == codes() == []


def test_what_could_not_be_read_is_not_kept(pack: Path, tmp_path: Path) -> None:
    trace = cache.Trace()
    trace.file(pack / "game.yaml", None)
    cache.keep("check", "name", trace, {"findings": []})
    assert entries(tmp_path) == []


def test_the_folder_stays_small(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_ENTRIES_AT_MOST", 10)
    for number in range(40):
        cache.store("tree", str(number), {"number": number})
    kept = list((cache.folder() / "tree").iterdir())
    assert len(kept) <= 11
    assert not [path for path in kept if path.suffix != ".json"]


def test_the_folder_takes_no_more_of_the_disk_than_it_may(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_BYTES_AT_MOST", 10_000)
    for number in range(40):
        cache.store_rows("files", str(number), {"row": "x" * 1_000})
    kept = list((cache.folder() / "files").iterdir())
    assert sum(path.stat().st_size for path in kept) <= 11_100
    assert cache.load_rows("files", "39") == {"row": "x" * 1_000}
    monkeypatch.setattr(cache, "_LARGEST_TABLE", 500)
    cache.store_rows("files", "40", {"row": "x" * 1_000})
    assert cache.load_rows("files", "40") == cache.load_rows("files", "39") == {}


def test_content_keys_hold_anything(pack: Path) -> None:
    name = cache.key("tree", cache.digest(b"a: 1"))
    assert cache.load("tree", name) is None
    cache.store("tree", name, {"tree": ["é", 1, None]})
    assert cache.load("tree", name) == {"tree": ["é", 1, None]}


def test_the_tool_is_known_in_no_time() -> None:
    begun = time.perf_counter()
    cache.tool()
    assert time.perf_counter() - begun < 0.5
    assert len(cache.tool()) == 64


def test_pydantic_is_only_imported_where_something_is_wrong(pack: Path) -> None:
    """To import it and to build the models takes longer than all the rest."""
    program = (
        "import sys; from pathlib import Path; from ludoloom.compiler.cli.check import check;"
        "check([Path()], use_cache=True); print('pydantic' in sys.modules)"
    )

    def imported() -> str:
        env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / ".pypath")}
        call = [sys.executable, "-c", program]
        return subprocess.run(call, env=env, capture_output=True, text=True, check=True).stdout.strip()

    assert imported() == "False"
    (pack / "game.yaml").write_text(f"{GOOD}enums: {{colour: [red]}}\n", encoding="utf-8")
    assert imported() == "False"
    (pack / "game.yaml").write_text(f"{GOOD}enums: {{colour: red}}\n", encoding="utf-8")
    assert imported() == "True"
    assert codes() == ["wrong-type"]


@pytest.mark.parametrize(
    ("line", "name", "code"),
    [
        ("icons: {honey: icons/honey.svg}", "icons/honey.svg", "picture-missing"),
        ("sheets: {card: {template: sheets/own.typ.j2}}", "sheets/own.typ.j2", "template-missing"),
    ],
)
def test_a_picture_or_template_that_comes_or_goes(pack: Path, line: str, name: str, code: str) -> None:
    kinds = "kinds: {card: {family: card, fields: {cost: int}}}"
    card = 'cards: {trip: {kind: card, origin: original, cost: 2, text: "Pay :honey:."}}'
    (pack / "game.yaml").write_text(f"{GOOD}{kinds}\n{card}\n{line}\n", encoding="utf-8")
    text = pack / "game.yaml"
    if "icons" not in line:
        text.write_text(text.read_text(encoding="utf-8").replace(" :honey:", ""), encoding="utf-8")
    assert codes() == codes() == [code]
    (pack / name).parent.mkdir()
    (pack / name).write_text("<svg/>", encoding="utf-8")
    assert codes() == codes() == []
    (pack / name).unlink()
    assert codes() == [code]


def test_a_check_looks_for_every_kind_of_picture() -> None:
    assert {*SUFFIXES, TEMPLATE} <= set(cache.LOOKED_FOR)


def test_what_is_kept_of_files_may_be_damaged(pack: Path, tmp_path: Path) -> None:
    card = "cards: {{trip: {{kind: card, origin: original, cost: {}}}}}\n"
    (pack / "game.yaml").write_text(
        f"{GOOD}kinds: {{card: {{family: card, fields: {{cost: int}}}}}}\n", encoding="utf-8"
    )
    (pack / "cards.yaml").write_text(card.format(2), encoding="utf-8")
    codes()
    [path] = (tmp_path / "cache" / "files").glob("*.rows")
    whole, chance = path.read_bytes(), random.Random("files")
    for number in range(12):
        damaged = bytearray(whole)
        for _ in range(chance.choice((1, 1, 20))):
            damaged[chance.randrange(len(whole))] = chance.randrange(256)
        path.write_bytes(damaged if number else whole[: len(whole) // 2])
        (pack / "cards.yaml").write_text(card.format(number if number % 2 else "much"), encoding="utf-8")
        assert codes() == codes() == ([] if number % 2 else ["unknown-word"])
