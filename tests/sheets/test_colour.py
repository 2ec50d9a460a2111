"""Colours: legible on each other, told apart in grey, and never too much ink."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ludoloom.compiler.sheets import icons
from ludoloom.compiler.sheets.colour import MOST_INK, Palette, Rgb, cmyk, contrast, lightness, parse, shown, typst
from ludoloom.compiler.sheets.looks import COLOURS

PART = st.integers(0, 255).map(lambda part: part / 255)
COLOUR = st.builds(Rgb, PART, PART, PART)


@given(COLOUR)
def test_words_are_legible_on_every_colour(colour: Rgb) -> None:
    palette = Palette.of(shown(colour))
    assert contrast(palette.main, palette.on) >= 3, "large words on the colour itself"
    assert contrast(palette.faint, palette.dark) >= 4.5
    assert contrast(Rgb(1, 1, 1), palette.dark) >= 6.9
    assert contrast(palette.tint, palette.dark) >= 3


def test_the_usual_colours_take_small_white_words() -> None:
    assert all(contrast(parse(colour), Palette.of(colour).on) >= 4.5 for colour in COLOURS)


@given(COLOUR)
def test_never_too_much_ink(colour: Rgb) -> None:
    inks = cmyk(colour)
    assert sum(inks) <= MOST_INK + 0.01
    assert all(0 <= ink <= 100 for ink in inks)


def test_black_words_need_one_plate() -> None:
    assert cmyk(parse("#000000")) == cmyk(parse("#231f1c")) == (0, 0, 0, 100)
    assert cmyk(parse("#ffffff")) == (0, 0, 0, 0)


@given(COLOUR)
def test_grey_is_as_light_as_the_colour(colour: Rgb) -> None:
    level = int(typst(colour, "grey")[5:-1]) / 255
    assert abs(lightness(Rgb(level, level, level)) - lightness(colour)) < 1


@given(COLOUR)
def test_written_and_read(colour: Rgb) -> None:
    assert parse(shown(colour)) == colour
    assert typst(colour, "rgb") == f'rgb("{shown(colour)}")'


def test_icons_in_grey() -> None:
    svg = b'<svg><path fill="#d7263d"/><path fill="#fff"/><path fill="currentColor"/></svg>'
    grey = icons.recoloured(svg, "grey").decode()
    assert "currentColor" in grey
    assert "#ffffff" in grey
    assert "#d7263d" not in grey
    assert icons.recoloured(svg, "rgb") == svg


def test_icons_that_ship_take_any_colour() -> None:
    assert len(icons.shipped()) >= 30
    for name in icons.shipped():
        svg = (icons.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
        assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">')
        assert "currentColor" in svg
        assert "#" not in svg
