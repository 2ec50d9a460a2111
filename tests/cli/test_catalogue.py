"""`ludoloom catalogue` as a person calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoloom.compiler.catalogue import pictures

from .conftest import GAMES, Call  # pyright: ignore[reportMissingImports]

GAME = GAMES / "kuhn_poker"


def test_a_page_is_written_and_told(call: Call) -> None:
    done = call("catalogue", GAME)
    assert done.code == 0, done.err
    assert done.out == "build/catalogue/kuhn_poker.html\n"
    page = Path("build/catalogue/kuhn_poker.html")
    assert [path.name for path in page.parent.iterdir()] == [page.name]
    assert "things" in done.err
    if pictures.available():
        assert "data:image/svg+xml," in page.read_text(encoding="utf-8")
        assert " 0 pictures" not in done.err
    again = call("catalogue", GAME, "--out", "again.html")
    assert again.code == 0
    assert Path("again.html").read_bytes() == page.read_bytes()


def test_without_pictures(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    assert call("catalogue", GAME, "--no-pictures", "--out", "plain.html").code == 0

    def missing() -> bool:
        return False

    monkeypatch.setattr(pictures, "available", missing)
    done = call("catalogue", GAME, "--out", "poor.html")
    assert done.code == 0
    assert 'pip install "ludoloom[print]"' in done.err
    assert Path("poor.html").read_bytes() == Path("plain.html").read_bytes()
    assert '<img class="picture card"' not in Path("poor.html").read_text(encoding="utf-8")


def test_only_some(call: Call) -> None:
    assert call("catalogue", GAME, "--no-pictures", "--only", "court_cards,ann", "--out", "some.html").code == 0
    wrong = call("catalogue", GAME, "--no-pictures", "--only", "kinng")
    assert wrong.code == 2
    assert "nothing is called `kinng`; did you mean `king`?" in wrong.err
    assert not Path("build").exists()


def test_what_is_no_catalogue_is_not_lost(call: Call, tmp_path: Path) -> None:
    Path("game.yaml").write_text("precious: yes\n", encoding="utf-8")
    done = call("catalogue", GAME, "--no-pictures", "--out", "game.yaml")
    assert done.code == 2
    assert "is no catalogue and would be lost" in done.err
    assert Path("game.yaml").read_text(encoding="utf-8") == "precious: yes\n"
    Path("folder").mkdir()
    assert call("catalogue", GAME, "--no-pictures", "--out", "folder").code == 2
    assert call("catalogue", GAME, "--no-pictures", "--out", "mine.html").code == 0
    assert call("catalogue", GAME, "--no-pictures", "--out", "mine.html").code == 0


def test_wrong_calls_and_wrong_games(call: Call, tmp_path: Path) -> None:
    assert call("catalogue", "nowhere").code == 2
    assert call("catalogue", GAME, "--language", "xx").code == 2
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / "game.yaml").write_text(
        "pack: {id: bad, version: 1.0.0, title: Bad, players: 2}\nkindz: {}\n", encoding="utf-8"
    )
    done = call("catalogue", bad)
    assert done.code == 1
    assert "kindz" in done.out
    assert not Path("build").exists()


def test_a_template_that_is_wrong_is_told_with_its_line(call: Call, tmp_path: Path) -> None:
    if not pictures.available():
        pytest.skip("needs the extra `print`")
    import shutil

    game = tmp_path / "kuhn"
    shutil.copytree(GAME, game)
    (game / "sheets").mkdir()
    (game / "sheets" / "odd.typ.j2").write_text("#let x = 1\n#nothing-of-this-name(x)\n", encoding="utf-8")
    (game / "sheets.yaml").write_text("sheets: {court_card: {template: sheets/odd.typ.j2}}\n", encoding="utf-8")
    done = call("catalogue", game)
    assert done.code == 1
    assert "template-wrong" in done.out
    assert "odd.typ.j2:2" in done.out
    assert not Path("build").exists()
