"""What the page does, in a real browser: a headless Chromium that is driven as a person would."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, program
from planted import EVIL, demo, tree

from ludoloom.compiler.catalogue.entries import entries
from ludoloom.compiler.catalogue.page import page
from ludoloom.compiler.catalogue.pictures import available, drawn
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.sheets.faces import faces
from ludoloom.compiler.sheets.model import Wish

VALLEY = Path(__file__).parent.parent / "sheets" / "long_valley"
pytestmark = pytest.mark.skipif(program() is None, reason="needs Chromium")

SHOWN = "[...document.querySelectorAll('.thing:not([hidden])')].map((one) => one.id.slice(6)).join(' ')"
COUNT = "document.getElementById('count').textContent"
OPEN = "document.getElementById('details').open"
TITLE = "document.getElementById('details-title').textContent"
FOCUS = "document.activeElement.id || document.activeElement.closest('.thing')?.id || document.activeElement.tagName"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the game with words that look like markup, with pictures where they can be drawn."""
    folder = tmp_path_factory.mktemp("page")
    game = tree(demo(folder))
    made = faces(game, Wish(0, 0), Bag())
    found = drawn(made, made.unique()) if available() else {}
    path = folder / "demo.html"
    path.write_bytes(page(entries(game, "", made.printables), found).encode())
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


def choose(browser: Browser, name: str, value: str) -> None:
    """Choose in a list as a person does: what it does then follows from its `change`."""
    browser.run(
        f"(() => {{ const list = document.getElementById('{name}'); list.value = '{value}';"
        " list.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )


def test_searching_and_filtering_with_a_count(browser: Browser, written: Path) -> None:
    browser.open(written)
    assert browser.run(COUNT) == "7 of 7"
    browser.press("/")
    assert browser.run(FOCUS) == "search"
    browser.type("glow")
    assert (browser.run(COUNT), browser.run(SHOWN)) == ("1 of 7", "ember")
    assert browser.run("location.hash") == "#q=glow"
    browser.run("document.getElementById('search').select()")
    browser.type("FROST drink")  # the title is spelt with a diaeresis, and words may stand anywhere
    assert browser.run(SHOWN) == "frost"
    browser.run("document.getElementById('search').select()")
    browser.type("nowhere")
    assert browser.run(COUNT) == "0 of 7"
    assert browser.run("document.getElementById('nothing').checkVisibility()")
    browser.click("#clear")
    assert (browser.run(COUNT), browser.run("location.hash"), browser.run(FOCUS)) == ("7 of 7", "", "search")
    choose(browser, "facet-kind", "Spell")
    choose(browser, "facet-c.element", "Fire")
    assert (browser.run(COUNT), browser.run(SHOWN)) == ("2 of 7", "spark ember")
    assert browser.run("location.hash") == "#kind=Spell&c.element=Fire"
    # What would leave nothing cannot be chosen.
    assert browser.run("document.querySelector('#facet-kind option[value=Relic]').disabled")


def test_the_address_holds_what_is_seen(browser: Browser, written: Path) -> None:
    browser.open(written, "q=look&mode=Long")
    assert (browser.run(COUNT), browser.run(SHOWN)) == ("1 of 7", "comet")
    assert browser.run("document.getElementById('search').value") == "look"
    browser.open(written, "sort=title&kind=Spell")
    assert browser.run(SHOWN) == "comet ember frost spark"
    browser.open(written, "sort=kind")
    assert browser.run(SHOWN).split()[:1] == ["amulet"]
    browser.run("void (location.hash = '#c.element=Ice')")
    browser.wait(f"{COUNT} === '2 of 7'")
    assert browser.run(SHOWN) == "frost comet"
    # What is no choice is as if it were not there.
    browser.open(written, "kind=Dragon&sort=luck&thing=nobody&%3Cb%3E=1")
    assert (browser.run(COUNT), browser.run(OPEN)) == ("7 of 7", False)


def test_one_thing_with_the_keyboard(browser: Browser, written: Path) -> None:
    browser.open(written, "kind=Spell")
    browser.run("document.querySelector('#thing\\\\.frost .open').focus()")
    browser.press("Enter")
    assert (browser.run(OPEN), browser.run(TITLE)) == (True, "Fröst")
    assert browser.run("location.hash") == "#kind=Spell&thing=frost"
    facts = browser.run("document.getElementById('details-facts').innerText")
    for words in ("Cool a drink.", "Element", "Ice", "Origin", "original", "Copies", "2", "demo/game.yaml:25"):
        assert words in facts
    browser.press("ArrowRight")
    assert browser.run(TITLE) == "Ember"
    browser.press("ArrowLeft")
    browser.press("ArrowLeft")
    assert browser.run(TITLE) == "Spark"
    assert browser.run("document.getElementById('previous').disabled")
    browser.press("Escape")
    browser.wait(f"!{OPEN}")
    browser.wait("location.hash === '#kind=Spell'")
    assert browser.run(FOCUS) == "thing.spark"


def test_pictures_come_when_they_are_near_and_turn(browser: Browser, written: Path) -> None:
    if not available():
        pytest.skip("needs the extra `print`")
    browser.open(written, "thing=spark")
    image = "document.getElementById('details-picture')"
    browser.wait(f"{image}.complete && {image}.naturalWidth > 0")
    front = browser.run(f"{image}.src")
    assert front.startswith("data:image/svg+xml,")
    assert browser.run(f"{image}.alt") == "Front of Spark"
    browser.click("#turn")
    browser.wait(f"{image}.complete && {image}.alt === 'Back of Spark'")
    assert browser.run(f"{image}.src") != front
    browser.click("#details-picture")
    assert browser.run(f"{image}.src") == front
    browser.press("Escape")
    first = "document.querySelector('#thing\\\\.spark img')"
    browser.wait(f"{first}.naturalWidth > 0 && {first}.src.startsWith('data:image/svg+xml,%3Csvg v')")
    shown = browser.picture()
    time.sleep(0.1)
    assert shown.startswith(b"\x89PNG")
    assert len(shown) > 20_000


def test_words_of_a_card_do_nothing_and_nothing_is_asked_for(browser: Browser, written: Path) -> None:
    browser.asked.clear()
    browser.complaints.clear()
    browser.open(written, "thing=amulet&q=%3Cscript%3Ealert(1)%3C/script%3E")
    evil = EVIL.replace("{", "(").replace("}", ")")
    assert browser.run(TITLE) == evil
    assert browser.run("document.title") == "Demo <i>: catalogue"
    assert browser.run("document.querySelectorAll('script:not([type])').length") == 1
    assert (
        browser.run("document.querySelectorAll('main img[onerror], dialog img[onerror], main i, main b').length") == 0
    )
    assert browser.complaints == []
    assert [each for each in browser.asked if not each.startswith(("data:", "file:", "about:"))] == []
    # The policy holds: a script that somebody got into the page would not run.
    browser.run(
        "(() => { const one = document.createElement('script'); one.textContent = 'document.title = \"owned\"';"
        " document.body.append(one); })()"
    )
    assert browser.run("document.title") == "Demo <i>: catalogue"
    assert any("Content Security Policy" in each for each in browser.complaints)


def test_pictures_of_every_shape_lie_in_their_frames(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    if not available():
        pytest.skip("needs the extra `print`")
    game = tree(VALLEY)
    made = faces(game, Wish(0, 0), Bag())
    path = tmp_path_factory.mktemp("valley") / "valley.html"
    path.write_bytes(page(entries(game, "", made.printables), drawn(made, made.unique())).encode())
    browser.open(path)
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    images = "[...document.querySelectorAll('.frame img')]"
    browser.wait(f"{images}.every((one) => one.naturalWidth > 0 && one.src.startsWith('data:image/'))")
    assert browser.run(
        f"{images}.every((one) => {{ const a = one.getBoundingClientRect(); const b = one.parentElement"
        ".getBoundingClientRect(); return a.width > 9 && a.left >= b.left - 1 && a.right <= b.right + 1"
        " && a.top >= b.top - 1 && a.bottom <= b.bottom + 1; })"
    )
    assert browser.run("new Set([...document.querySelectorAll('.frame')].map((one) => one.offsetHeight)).size") == 1
    (side,) = browser.run(
        f"{images}.filter((one) => one.classList.contains('card') && one.alt === 'Front of Ember')"
        ".map((one) => one.naturalWidth / one.naturalHeight)"
    )
    assert abs(side - 63 / 88) < 0.01


@pytest.mark.parametrize("width", [320, 400, 1280])
def test_it_fits_the_window(browser: Browser, written: Path, width: int) -> None:
    for fragment in ("", "thing=spark", "thing=amulet"):
        browser.open(written, fragment, width)
        assert browser.run("document.documentElement.scrollWidth") <= width
        assert browser.run("document.getElementById('details').scrollWidth") <= width


def test_light_and_dark_can_be_read(browser: Browser, written: Path) -> None:
    browser.open(written)
    look = "getComputedStyle(document.body).backgroundColor + ' ' + getComputedStyle(document.body).color"
    light = browser.run(look)
    browser.dark()
    dark = browser.run(look)
    assert light != dark
    for colours in (light, dark):
        ground, ink = (_luminance(part) for part in colours.split(") "))
        bright, dim = max(ground, ink), min(ground, ink)
        assert (bright + 0.05) / (dim + 0.05) > 7


def _luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.strip("rgb() ").split(", ")]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
