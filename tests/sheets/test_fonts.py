"""Glyphs that a font does not have are told before they are missed on paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from valley import GAME, drawn, found, valley

from ludoloom.compiler.sheets import fonts

pytestmark = pytest.mark.skipif(not fonts.available(), reason="the extra `print` is not installed")


def test_the_fonts_are_there_with_their_licences() -> None:
    assert {path.name.partition("-")[0] for path in fonts.files()} == {"SourceSansPro", "SourceSerifPro"}
    assert len(fonts.files()) == 12
    assert set(fonts.LICENCES) == {fonts.TEXT, fonts.TITLE}


def test_letters_of_many_languages_are_there() -> None:
    assert (
        fonts.missing("Füße, señor, žluťoučký kůň, őrült, şeker, Çığ, Łódź, Ångström, 3 × 5 − 2 ≥ 1 → 0–9 „“»«…") == []
    )


@pytest.mark.parametrize("sign", ["★", "♥", "\U0001f525", "\ue001", "漢", "ع"])
def test_l63_a_character_without_a_glyph(sign: str, tmp_path: Path) -> None:
    assert fonts.missing(f"a{sign}b{sign}") == [sign]
    game = GAME.replace("All threats on one field", f"All {sign} threats on one field")
    line = next(number for number, row in enumerate(game.split("\n"), 1) if sign in row)
    _, bag = drawn(valley(tmp_path, game=game))
    (finding,) = bag.findings
    assert found(bag) == [("glyph-missing", "game.yaml", line)]
    assert "hoarfrost" in finding.message
    assert f"U+{ord(sign):04X}" in finding.message
    assert fonts.TEXT in finding.message


def test_a_title_is_looked_up_in_its_own_font(tmp_path: Path) -> None:
    game = GAME.replace("hoarfrost: {kind: charm,", 'hoarfrost: {kind: charm, title: "Hoarfrost ★",')
    _, bag = drawn(valley(tmp_path, game=game))
    (finding,) = bag.findings
    assert fonts.TITLE in finding.message


def test_a_character_of_a_translation_is_told_with_its_language(tmp_path: Path) -> None:
    languages = "languages: {xx: {texts: {hoarfrost: 'x ★'}}}\n"
    from ludoloom.compiler.sheets.model import Wish

    folder = valley(tmp_path, {"xx.yaml": languages})
    assert drawn(folder)[1].findings == []
    (finding,) = drawn(folder, Wish(language="xx"))[1].findings
    assert "in `xx`" in finding.message


def test_what_needs_no_glyph() -> None:
    assert fonts.missing("a\nb\tc\u00a0d\u00ade\u200bf") == []
