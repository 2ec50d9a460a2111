"""What stands in the page, without a browser: entries, places, filters, and that words never become markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import tempfile
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from planted import EVIL, demo, tree

from ludoloom.compiler.catalogue.entries import entries, facets
from ludoloom.compiler.catalogue.model import Catalogue, Entry, Facet, Picture, Text, Value, Words
from ludoloom.compiler.catalogue.page import MARK, page
from ludoloom.compiler.diagnostics.model import Bag

VALLEY = Path(__file__).parent.parent / "sheets" / "long_valley"
TAGS = {
    *("html", "head", "meta", "title", "link", "style", "body", "a", "header", "h1", "p", "noscript", "div", "label"),
    *("input", "select", "option", "button", "details", "summary", "main", "ul", "li", "span", "img", "h2", "h3", "dl"),
    *("dt", "dd", "code", "dialog", "script"),
}
VOID = {"meta", "link", "input", "img"}


class Read(HTMLParser):
    """A page as another reader sees it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def rows(self, tag: str) -> list[dict[str, str]]:
        return [found for name, found in self.attributes if name == tag]


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    return entries(tree(demo(tmp_path_factory.mktemp("demo"))))


def entry(catalogue: Catalogue, item: str) -> Entry:
    return next(each for each in catalogue.entries if each.item == item)


def one(title: str, words: str = "", value: str = "", place: str = "demo/game.yaml:1") -> Catalogue:
    """A catalogue of one thing, and of another beside it."""
    texts = (Text(value, (Words(words), Words(title, icon=True))),)
    values = (Value(value, title, value, (value,)), Value("", words, title, printed=False, face=words))
    first = Entry("one", title, title, title, title, words, texts, values, value, 2, place, title, (place,), (title,))
    return Catalogue("demo", title, "", (title, words), (first, replace(first, item="two", front="two.front")))


# --- entries


def test_everything_that_was_written_is_there_with_its_values_and_its_place(catalogue: Catalogue) -> None:
    assert [each.item for each in catalogue.entries] == ["spark", "frost", "ember", "amulet", "ann", "bea", "comet"]
    spark = entry(catalogue, "spark")
    assert (spark.title, spark.kind_title, spark.copies, spark.origin) == ("Spark", "Spell", 3, "original")
    assert spark.texts == (Text("", (Words("Light 4 candles."),)),)
    assert [(each.label, each.shown) for each in spark.values if each.printed] == [("Element", "Fire"), ("Cost", "2")]
    assert spark.place == "demo/game.yaml:22"
    assert ("Cost", "0", False) in [(each.label, each.shown, each.printed) for each in entry(catalogue, "frost").values]
    assert ("Honey", "2 at first") in [(each.label, each.shown) for each in entry(catalogue, "ann").values]


def test_modes_tell_what_they_add_take_out_and_change(catalogue: Catalogue) -> None:
    assert entry(catalogue, "comet").modes == ("Long",)
    assert entry(catalogue, "ember").never == ("Long",)
    assert entry(catalogue, "spark").changed == ("demo/game.yaml:12 with Long",)
    assert entry(catalogue, "frost").modes == entry(catalogue, "frost").never == entry(catalogue, "frost").changed == ()


def test_another_language(tmp_path: Path) -> None:
    found = entries(tree(demo(tmp_path)), "de")
    assert entry(found, "spark").title == "Funke"
    assert entry(found, "spark").texts[0].parts == (Words("Entzünde 4 Kerzen."),)
    assert '<html lang="de">' in page(found, {})


def test_an_expansion_tells_where_it_changes_something(tmp_path: Path) -> None:
    from ludoloom.compiler.pipeline import load

    game, more = demo(tmp_path), tmp_path / "more"
    more.mkdir()
    (more / "pack.yaml").write_text(
        "pack: {id: more, version: 1.0.0, title: More, extends: {demo: '>=1'}}\n"
        "patch: {cards: {frost: {copies: 5}}}\n"
        'cards: {rain: {kind: spell, origin: original, element: ice, text: "It rains."}}\n',
        encoding="utf-8",
    )
    checked = load([str(game)], [str(more)])
    assert not checked.bag.failed, checked.bag.findings
    found = entries(checked.games[0].tree)
    assert entry(found, "frost").copies == 5
    assert entry(found, "frost").changed == ("more/pack.yaml:2",)
    assert (entry(found, "rain").pack, entry(found, "frost").pack) == ("More", "Demo <i>")
    packs = [each["value"] for each in Read(page(found, {})).rows("option")]
    assert {"More", "Demo <i>"} <= set(packs)


def test_things_of_every_family_and_columns_of_two_faces() -> None:
    found = entries(tree(VALLEY))
    bell = entry(found, "lost_bell")
    assert [(each.label, each.face, each.shown) for each in bell.values] == [
        ("Days", "front", "6"),
        ("Prize", "back", "4"),
    ]
    assert [text.face for text in bell.texts] == ["Front", "Back"]
    ember = entry(found, "ember")
    assert [(part.text, part.icon) for part in ember.texts[0].parts] == [
        ("Deal 3 ", False), ("harm", True), (" to a threat in reach.", False)
    ]  # fmt: skip
    assert {"long_valley", "campfire", "ada"} <= {each.item for each in found.entries}


def test_filters_are_columns_with_few_values_in_their_order() -> None:
    def row(item: str, **cells: str) -> Entry:
        values = tuple(Value(name, name.title(), cell, (cell,)) for name, cell in cells.items())
        return Entry(item, "spell", "card", "", item, "Spell", (), values, "original", 1, "demo/game.yaml:1", "Demo")

    many = [row(f"c{n}", cost=str(n % 3 * 5), element=("ice", "fire")[n % 2], title=f"t{n}") for n in range(12)]
    assert facets(many) == [
        Facet("cost", "Cost", (("0", 4), ("5", 4), ("10", 4))),
        Facet("element", "Element", (("fire", 6), ("ice", 6))),
    ]


# --- the page


def test_the_page_is_whole_and_says_what_it_is(catalogue: Catalogue) -> None:
    text = page(catalogue, {})
    read = Read(text)
    assert text.startswith("<!doctype html>")
    assert MARK in text[:500]
    assert set(read.tags) <= TAGS
    assert read.tags["li"] == 7
    assert "7 of 7" in text
    assert [row["value"] for row in read.rows("option")] == [
        *("", "Spell", "Relic", "Seat"), *("", "original", "printed"), *("", "Long"), *("place", "title", "kind"),
        *("", "Fire", "Ice"),
    ]  # fmt: skip
    spark = next(row for row in read.rows("li") if row["id"] == "thing.spark")
    assert json.loads(spark["data-values"]) == {
        "kind": ["Spell"], "origin": ["original"], "pack": ["Demo <i>"], "mode": [], "c.element": ["Fire"],
        "c.cost": ["2"],
    }  # fmt: skip
    assert page(catalogue, {}) == text


def test_everything_that_can_be_used_has_a_name(catalogue: Catalogue) -> None:
    read = Read(page(catalogue, {}))
    labels = {row.get("for") for row in read.rows("label")}
    for row in [*read.rows("input"), *read.rows("select")]:
        assert row["id"] in labels
    ids = [row["id"] for _, row in read.attributes if "id" in row]
    assert len(ids) == len(set(ids))
    assert all(row["type"] == "button" for row in read.rows("button"))


def test_nothing_is_loaded_and_only_our_script_may_run(catalogue: Catalogue) -> None:
    text = page(catalogue, {"ember.front": Picture("data:image/svg+xml,%3Csvg/%3E", 63, 88)})
    read = Read(text)
    (policy,) = (row["content"] for row in read.rows("meta") if row.get("http-equiv") == "Content-Security-Policy")
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    hashes = ["sha256-" + base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in (style, script)]
    assert policy == (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src '{hashes[0]}'; script-src '{hashes[1]}'"
    )
    for tag, row in read.attributes:
        assert not any(name.startswith("on") or name in ("style", "srcset", "action") for name in row), (tag, row)
        assert row.get("src", "data:").startswith("data:")
        assert row.get("href", "#").startswith(("#", "data:,"))
    assert "http:" not in style + script
    assert "https:" not in style + script
    assert "innerHTML" not in script
    assert "eval" not in script


def test_words_of_a_card_are_never_markup(catalogue: Catalogue) -> None:
    text = page(catalogue, {})
    read = Read(text)
    evil = EVIL.replace("{", "(").replace("}", ")")
    assert text.count("<script") == read.tags["script"] == 1
    assert not any("onerror" in row for _, row in read.attributes)
    assert [row["data-title"] for row in read.rows("li") if row["id"] == "thing.amulet"] == [evil]
    assert read.words.count(evil) >= 3


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(*[st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=40) for _ in range(3)])
@example("</script><!--", '"><svg onload=x>', "' autofocus onfocus='x")
@example("{{ 7 * 7 }}", "{% raw %}", "&amp;&#60;")
def test_any_words_are_only_words(title: str, words: str, value: str) -> None:
    read = Read(page(one(title, words, value), {"two.front": Picture("data:,", 63, 88)}))
    assert set(read.tags) <= TAGS
    assert (read.tags["li"], read.tags["img"], read.tags["script"]) == (2, 2, 2)
    known = {
        *("id", "class", "type", "lang", "alt", "src", "width", "height", "decoding", "hidden", "role"),
        "value",
    }
    for tag, row in read.attributes:
        if tag in ("li", "img", "p", "dd", "dt", "code", "span", "option"):
            assert all(name in known or name.startswith("data-") for name in row), (tag, row)
    assert [row["data-title"] for row in read.rows("li")] == [title, title]
    assert json.loads(read.rows("li")[0]["data-values"])["pack"] == [title]
    assert title in read.words
    assert words in read.words


def test_a_picture_that_holds_markup_is_refused() -> None:
    with pytest.raises(AssertionError):
        page(one("a", "b", "c"), {"two.front": Picture("data:image/svg+xml,</script>", 63, 88)})


def test_a_shared_back_stands_in_the_page_once(catalogue: Catalogue) -> None:
    shared = replace(
        catalogue, entries=tuple(replace(each, front=f"{each.item}.front", back="back") for each in catalogue.entries)
    )
    pictures = {f"{each.item}.front": Picture("data:image/svg+xml,one", 63, 88) for each in catalogue.entries}
    text = page(shared, {**pictures, "back": Picture("data:image/svg+xml,the-back", 63, 88)})
    assert text.count("the-back") == 1
    rows = Read(text).rows("li")
    assert len({row["data-back"] for row in rows}) == 1
    assert {row["alt"] for row in Read(text).rows("img") if row["alt"]} == {
        f"Front of {each.title}" for each in catalogue.entries
    }


# --- pictures


def test_pictures_are_the_faces_of_the_sheets() -> None:
    from ludoloom.compiler.catalogue.pictures import available, drawn
    from ludoloom.compiler.sheets.faces import faces
    from ludoloom.compiler.sheets.model import Wish

    if not available():
        pytest.skip("needs the extra `print`")
    made = faces(tree(VALLEY), Wish(0, 0), Bag())
    wanted = [face for face in made.unique() if face.item in ("ember", "pine_wood", "lost_bell")]
    seen: list[tuple[int, int]] = []
    found = drawn(made, wanted, lambda done, of, what: seen.append((done, of)))
    assert list(found) == [face.key for face in wanted]
    assert seen == [(0, len(wanted)), (len(wanted), len(wanted))]
    assert all(each.uri.startswith("data:image/svg+xml,%3Csvg ") for each in found.values())
    assert (found["ember.front"].width, found["ember.front"].height) == (63, 88)
    assert found["pine_wood.front"].outline in ("tall-hexagon", "wide-hexagon")
    assert drawn(made, wanted) == found
    read = Read(page(entries(tree(VALLEY), "", made.printables), found))
    assert {row["id"] for row in read.rows("script") if "id" in row} == {f"picture.{n}" for n in range(len(found))}


def test_a_drawing_that_would_be_large_becomes_pixels() -> None:
    from ludoloom.compiler.catalogue import pictures
    from ludoloom.compiler.frontend.nodes import Span
    from ludoloom.compiler.sheets.model import Face, Faces, Preamble, Size

    if not pictures.available():
        pytest.skip("needs the extra `print`")
    body = (
        "box(width: 63mm, height: 88mm, for n in range(9000) "
        "{ place(dx: calc.rem(n * 7, 60) * 1mm, dy: calc.rem(n, 80) * 1mm, circle(radius: 1mm, fill: red)) })"
    )
    where = Span("toy/game.yaml", 1, 1, 1, 1)
    face = Face("one.front", "card", "one", "front", "One", Size(63, 88), 0, body, "", where)
    found = pictures.drawn(Faces("toy", "Toy", Preamble(""), ()), [face])["one.front"]
    assert found.uri.startswith("data:image/png;base64,iVBOR")
    assert len(found.uri) < pictures.LARGE


def test_the_same_game_elsewhere_gives_the_same_page() -> None:
    texts: list[str] = []
    for _ in range(2):
        with tempfile.TemporaryDirectory() as folder:
            texts.append(page(entries(tree(demo(Path(folder)))), {}))
    assert texts[0] == texts[1]
