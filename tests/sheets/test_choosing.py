"""Which things are printed, where they go, and what an earlier run says."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from toys import card, deck

from ludoloom.compiler.sheets import manifest
from ludoloom.compiler.sheets.history import NoRevision, packs_at
from ludoloom.compiler.sheets.model import Face, Printable
from ludoloom.compiler.sheets.place import NotOurs, fresh_folder
from ludoloom.compiler.sheets.selection import UnknownWord, changed, chosen

THINGS = [*deck(3), card("dragon", kind="foe"), card("rat", kind="foe")]


def _items(found: list[Printable]) -> list[str]:
    return [each.item for each in found]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], ["card1", "card2", "card3", "dragon", "rat"]),
        (["rat"], ["rat"]),
        (["foe"], ["dragon", "rat"]),
        (["foes"], ["dragon", "rat"]),
        (["rat,card2"], ["card2", "rat"]),
        (["rat", "card2"], ["card2", "rat"]),
    ],
)
def test_words_choose_items_and_kinds(words: list[str], expected: list[str]) -> None:
    assert _items(chosen(THINGS, words, {"foes": ["foe"], "foe": ["foe"]})) == expected


def test_a_word_that_means_nothing_is_refused() -> None:
    with pytest.raises(UnknownWord, match="called `dargon`; did you mean `dragon`"):
        chosen(THINGS, ["dargon"])


def test_what_looks_different_is_printed() -> None:
    before = {(each.item, side): face.digest for each in THINGS for side, face in _sides(each)}
    assert changed(THINGS, before) == []
    new = replace(THINGS[3], front=replace(THINGS[3].front, digest="other"))
    assert _items(changed([*THINGS[:3], new, THINGS[4], card("fresh")], before)) == ["dragon", "fresh"]
    behind = THINGS[1].back
    assert behind is not None
    other_back = replace(THINGS[1], back=replace(behind, digest="other"))
    assert _items(changed([THINGS[0], other_back], before)) == ["card2"]
    assert _items(changed([replace(THINGS[0], back=None)], before)) == ["card1"]


def _sides(each: Printable) -> list[tuple[str, Face]]:
    return [("front", each.front), *([("back", each.back)] if each.back else [])]


# --- manifests -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"ludoloom": 2, "faces": [], "files": []}', "[" * 100000])
def test_what_is_no_manifest_is_told(text: str, tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(manifest.BadManifest):
        manifest.read(path)


def test_a_manifest_cannot_make_verify_look_elsewhere(tmp_path: Path) -> None:
    rows = {
        "ludoloom": 1,
        "faces": [],
        "files": [{"name": "../secret"}, {"name": "/etc/passwd"}, 7],
        "slots": [{"file": "x"}],
    }
    (tmp_path / "manifest.json").write_text(json.dumps(rows), encoding="utf-8")
    assert manifest.verify(tmp_path) == [
        "`../secret` is no name of a file in this folder",
        "`/etc/passwd` is no name of a file in this folder",
        "`` is no name of a file in this folder",
        "a slot names x, which is no file of the manifest",
    ]


# --- the folder ------------------------------------------------------------------------------------------------------


def _write(folder: Path, name: str) -> None:
    with fresh_folder(folder) as scratch:
        (scratch / "manifest.json").write_text('{"ludoloom": 1, "faces": [], "files": []}', encoding="utf-8")
        (scratch / name).write_text("x", encoding="utf-8")


def test_a_folder_appears_whole_and_replaces_an_earlier_one(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    _write(out, "one")
    _write(out, "two")
    assert sorted(path.name for path in out.iterdir()) == ["manifest.json", "two"]
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_a_run_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    out = tmp_path / "out"
    _write(out, "one")

    def fail() -> None:
        with fresh_folder(out) as scratch:
            (scratch / "half").write_text("x", encoding="utf-8")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert sorted(path.name for path in out.iterdir()) == ["manifest.json", "one"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_text("x", encoding="utf-8")
    with pytest.raises(NotOurs, match="holds other things than sheets"):
        _write(tmp_path / "photos", "one")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(NotOurs, match="is not a folder"):
        _write(tmp_path / "file", "one")
    (tmp_path / "link").symlink_to(tmp_path / "photos")
    with pytest.raises(NotOurs, match="is not a folder"):
        _write(tmp_path / "link", "one")
    assert (tmp_path / "photos" / "cat.jpg").is_file()


# --- git -------------------------------------------------------------------------------------------------------------


def _git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)


def test_packs_at_an_earlier_revision(tmp_path: Path) -> None:
    pack = tmp_path / "repo" / "games" / "toy"
    pack.mkdir(parents=True)
    _git(tmp_path / "repo", "init", "-q")
    (pack / "game.yaml").write_text("old", encoding="utf-8")
    _git(tmp_path / "repo", "add", ".")
    _git(tmp_path / "repo", "commit", "-qm", "one")
    _git(tmp_path / "repo", "tag", "v1")
    (pack / "game.yaml").write_text("new", encoding="utf-8")
    later = tmp_path / "repo" / "later"
    later.mkdir()
    (later / "pack.yaml").write_text("later", encoding="utf-8")
    with packs_at("v1", [pack, later]) as (old, absent):
        assert (old / "game.yaml").read_text(encoding="utf-8") == "old"
        assert list(absent.iterdir()) == []
    assert not old.exists()
    assert (pack / "game.yaml").read_text(encoding="utf-8") == "new"
    for wrong in ("v2", "--output=x", ""):
        with pytest.raises(NoRevision, match="no manifest"), packs_at(wrong, [pack]):
            pass


def test_packs_outside_of_git_have_no_revisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    (tmp_path / "toy").mkdir()
    with pytest.raises(NoRevision, match="lie in no git repository"), packs_at("v1", [tmp_path / "toy"]):
        pass
