"""What is printed of a game: which items, in which words, and what is the same as before."""

from __future__ import annotations

from pathlib import Path

import pytest
from valley import GAME, SHEETS, drawn, found, front, line_of, valley, write

from ludoloom.compiler.cli.main import main
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.pipeline import check, load
from ludoloom.compiler.sheets import fonts
from ludoloom.compiler.sheets.faces import faces
from ludoloom.compiler.sheets.model import Faces, Wish

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><circle cx="2" cy="1" r="1"/></svg>'


def words(made: Faces, item: str) -> str:
    """The values that the template of an item was handed."""
    return front(made, item).body.partition("let v = (")[2].partition("); [")[0]


def test_every_family_is_printed(tmp_path: Path) -> None:
    made, bag = drawn(valley(tmp_path))
    assert found(bag) == []
    assert {each.family for each in made.printables} == {"card", "encounter", "quest", "tile", "map", "player", "piece"}
    assert {each.item: each.copies for each in made.printables if each.copies > 1} == {"ember": 3, "campfire": 4}


def test_l53_keys_are_unique_and_made_of_ids(tmp_path: Path) -> None:
    """Two cards of one title have two keys; titles with strange signs do not matter."""
    game = GAME.replace("ember: {kind", 'ember: {title: "A/B: C.", kind').replace(
        "hoarfrost: {kind", 'hoarfrost: {title: "A/B: C.", kind'
    )
    made, _ = drawn(valley(tmp_path, game=game))
    keys = [face.key for face in made.unique()]
    assert len(keys) == len({key.lower() for key in keys})
    assert {"ember.front", "hoarfrost.front"} <= set(keys)
    assert all(set(key) <= set("abcdefghijklmnopqrstuvwxyz0123456789_.") for key in keys)


def test_numbers_in_texts_are_those_that_count(tmp_path: Path) -> None:
    made, _ = drawn(valley(tmp_path))
    assert 'words("Deal 3 ", inline-icon("harm"), " to a threat in reach.")' in words(made, "ember")
    made, _ = drawn(valley(tmp_path, game=GAME.replace("values: {harm: 3}", "values: {harm: 4}")))
    assert '"Deal 4 "' in words(made, "ember")


def test_l55_totals_are_those_of_the_deck(tmp_path: Path) -> None:
    made, _ = drawn(valley(tmp_path))
    assert '"1/3 ×3"' in words(made, "ember")
    assert '"3/3"' in words(made, "new_leaves")
    assert '"2/2"' in words(made, "landslide")


def test_l56_backs_of_a_kind_are_one(tmp_path: Path) -> None:
    """Nobody can tell from the back what is in front: not by colour, mark or title."""
    made, _ = drawn(valley(tmp_path))
    backs = [each.back for each in made.printables if each.kind == "charm"]
    assert len({id(back) for back in backs}) == 1
    assert backs[0] is not None
    assert not any(word in backs[0].body for word in ("Ember", "Hoarfrost", "b3361e", "sun"))


def test_l56_backs_of_a_deck_are_one_whatever_its_kinds(tmp_path: Path) -> None:
    game = GAME.replace("  threat:", "  curse: {is_a: charm, plural: curses}\n  threat:").replace(
        "hoarfrost: {kind: charm", "hoarfrost: {kind: curse"
    )
    game = (
        game.replace("plural: charms,", "plural: charms, starts_in: pile,")
        + "zones: {pile: {holds: charm, order: pile}}\n"
    )
    sheets = 'sheets: {curse: {colour: "#333333", mark: skull}}\n'
    made, bag = drawn(valley(tmp_path, game=game, sheets=sheets))
    assert found(bag) == []
    backs = {each.item: each.back for each in made.printables if each.deck == "pile"}
    assert set(backs) == {"ember", "hoarfrost", "new_leaves"}
    (back,) = {id(each): each for each in backs.values()}.values()
    assert back is not None
    assert '"Charm"' in back.body, "the kind that all of them are"
    assert "#333333" in back.body


def test_a_back_of_ones_own_may_differ(tmp_path: Path) -> None:
    sheets = "sheets: {charm: {back: sheets/back.typ.j2}}\n"
    made, _ = drawn(valley(tmp_path, {"sheets/back.typ.j2": "#{{ cell.season.value }}"}, sheets=sheets))
    backs = {each.item: each.back for each in made.printables if each.kind == "charm" and each.back is not None}
    assert {item: back.key for item, back in backs.items()} == {
        "ember": "ember.back", "hoarfrost": "hoarfrost.back", "new_leaves": "new_leaves.back"
    }  # fmt: skip
    assert '"Winter"' in backs["hoarfrost"].body


def test_two_faces_have_their_own_columns_and_texts(tmp_path: Path) -> None:
    made, _ = drawn(valley(tmp_path))
    quest = next(each for each in made.printables if each.item == "lost_bell")
    assert quest.back is not None
    assert "Find the bell." in quest.front.body
    assert "It rings again." in quest.back.body
    assert '"Days"' in quest.front.body
    assert '"Days"' not in quest.back.body
    assert '"Prize"' in quest.back.body


def test_what_few_may_see_is_not_printed(tmp_path: Path) -> None:
    game = GAME.replace("strength: int, season", "strength: {is: int, seen_by: nobody}, season")
    made, _ = drawn(valley(tmp_path, game=game))
    assert '"Strength"' not in words(made, "wolf_pack")


def test_tracks_and_zones_of_a_player(tmp_path: Path) -> None:
    made, _ = drawn(valley(tmp_path))
    told = words(made, "ada")
    assert '"Health", ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", )' in told
    assert '"Purse", ()' in told, "a long track is one box"
    assert '("Camp", )' in told


def test_built_in_seats_are_not_printed(tmp_path: Path) -> None:
    pack = "pack: {id: bare, version: 1.0.0, title: Bare, players: 3}\nkinds: {chit: {family: piece, plural: chits}}\n"
    folder = write(tmp_path / "bare", {"game.yaml": pack + "pieces: {one: {kind: chit, origin: original}}\n"})
    assert [each.item for each in drawn(folder)[0].printables] == ["one"]


# --- maps -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("links", "code"),
    [
        ("gate: {links: [mill]}, mill: {links: []}", "one-sided-link"),
        ("gate: {links: [gate]}, mill: {links: []}", "self-link"),
        ("gate: {links: [mlil]}, mill: {links: []}", "unknown-word"),
    ],
)
def test_l69_ways_that_do_not_connect(links: str, code: str, tmp_path: Path) -> None:
    game = GAME.replace("gate: {links: [mill, chapel]}, mill: {links: [gate]}, chapel: {links: [gate]}", links)
    assert code in [row.code for row in load([str(valley(tmp_path, game=game))]).bag.findings]


def test_l69_ways_are_drawn_once_for_both_directions(tmp_path: Path) -> None:
    made, _ = drawn(valley(tmp_path))
    assert "((0, 1, ), (0, 2, ), )" in words(made, "old_roads")


def test_spaces_of_a_drawn_map_lie_where_they_are_drawn(tmp_path: Path) -> None:
    made, _ = drawn(valley(tmp_path))
    face = front(made, "long_valley")
    assert (face.size.width, face.size.height) == (3 * 28 + 20, 2 * 28 + 32)
    assert [f"(x: {x}, y: {y}," in face.body for x, y in ((0, 0), (2, 0), (1, 1), (3, 0))] == [True, True, True, False]


def test_a_tile_shows_where_it_joins_others(tmp_path: Path) -> None:
    maze = """
pack: {id: maze, version: 1.0.0, title: Maze, players: 2}
enums: {side: [north, east, south, west]}
kinds:
  room: {family: tile, plural: rooms, fields: {ways: list of side}}
  maze: {family: map, plural: mazes, spaces: room}
tiles: {hall: {kind: room, origin: original, ways: [north, west]}}
maps: {the_maze: {kind: maze, origin: original, grows_with: room, grid: 9 x 9, joins: ways, first: {hall: e5}}}
"""
    made, bag = drawn(write(tmp_path / "maze", {"game.yaml": maze}), fitted=fonts.available())
    assert found(bag) == []
    assert [each.item for each in made.printables] == ["hall"], "a map that grows is not printed"
    assert '("north", "west", )' in words(made, "hall")
    assert "North" not in words(made, "hall"), "what is drawn is not written"


# --- languages --------------------------------------------------------------------------------------------------------
def test_another_language(tmp_path: Path) -> None:
    german = """languages:
  de:
    names: {ember: Glut, charm: Zauber, summer: Sommer, cost: Preis}
    texts: {ember: "Füge einer Gefahr {harm} :harm: zu.", lost_bell.front: "Finde die Glocke."}
"""
    made, bag = drawn(valley(tmp_path, {"de.yaml": german}), Wish(language="de"))
    assert found(bag) == []
    assert made.printables[0].title == "Glut"
    assert 'words("Füge einer Gefahr 3 ", inline-icon("harm"), " zu.")' in words(made, "ember")
    assert 'words("Zauber · Sommer")' in words(made, "ember")
    assert "Finde die Glocke." in front(made, "lost_bell").body
    assert b'#let language = "de"' in bytes(made.preamble.files["setup.typ"])  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "code"), [("All rest.", "0"), ("rest " * 300, "1")])
def test_faces_can_be_checked_without_paper(
    text: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("typst")
    game = GAME.replace("All threats on one field are stunned.", text.strip())
    with pytest.raises(SystemExit, match=code):
        main(["sheets", str(valley(tmp_path, game=game)), "--check"])
    told = capsys.readouterr()
    assert "faces: " in told.err
    assert ("text-overflows" in told.out) == (code == "1")
    assert not (tmp_path / "build").exists()


def test_a_language_that_the_game_has_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = valley(tmp_path, {"de.yaml": "languages: {de: {names: {ember: Glut}}}\n"})
    with pytest.raises(SystemExit, match="2"):
        main(["sheets", str(folder), "--paper", "a4", "--language", "den", "--out", str(tmp_path / "out")])
    assert "no language `den`" in capsys.readouterr().err


# --- digests ----------------------------------------------------------------------------------------------------------
def digests(folder: Path, wish: Wish | None = None) -> dict[str, str]:
    return {face.key: face.digest for face in drawn(folder, wish)[0].unique()}


def test_one_changed_card_changes_one_digest(tmp_path: Path) -> None:
    before = digests(valley(tmp_path))
    assert digests(valley(tmp_path)) == before
    after = digests(valley(tmp_path, game=GAME.replace("are stunned", "are asleep")))
    assert {key for key in before if before[key] != after[key]} == {"hoarfrost.front"}


def test_a_changed_icon_changes_the_faces_that_show_it(tmp_path: Path) -> None:
    game = GAME.replace("heal: heart", "heal: icons/heal.svg")
    before = digests(valley(tmp_path, {"icons/heal.svg": SVG}, game=game))
    after = digests(valley(tmp_path, {"icons/heal.svg": SVG.replace("4 3", "4 4")}, game=game))
    assert {key for key in before if before[key] != after[key]} == {
        "new_leaves.front", "wolf_pack.front", "hot_spring.front"
    }  # fmt: skip


def test_a_changed_picture_changes_its_card(tmp_path: Path) -> None:
    sheets = "sheets: {threat: {art: art/{id}.svg}}\n".replace("art/{id}.svg", '"art/{id}.svg"')
    art = {"art/wolf_pack.svg": SVG, "art/landslide.svg": SVG}
    before = digests(valley(tmp_path, art, sheets=sheets))
    after = digests(valley(tmp_path, {**art, "art/wolf_pack.svg": SVG.replace("4 3", "4 4")}, sheets=sheets))
    assert {key for key in before if before[key] != after[key]} == {"wolf_pack.front"}


def test_what_lies_beside_a_template_counts(tmp_path: Path) -> None:
    sheets = "sheets: {threat: {template: sheets/t.typ.j2}}\n"
    files = {"sheets/t.typ.j2": '#image("/sheets/frame.svg")', "sheets/frame.svg": SVG}
    before = digests(valley(tmp_path, files, sheets=sheets))
    after = digests(valley(tmp_path, {**files, "sheets/frame.svg": SVG.replace("4 3", "4 4")}, sheets=sheets))
    assert before["wolf_pack.front"] != after["wolf_pack.front"]


@pytest.mark.parametrize(
    "wish", [Wish(ink="low"), Wish(colours="grey"), Wish(colours="cmyk"), Wish(bleed=2), Wish(language="de")]
)
def test_another_wish_is_another_face(wish: Wish, tmp_path: Path) -> None:
    assert digests(valley(tmp_path))["ember.front"] != digests(valley(tmp_path), wish)["ember.front"]


# --- packs ------------------------------------------------------------------------------------------------------------
MORE = 'pack: {id: more, version: 1.0.0, title: More, extends: {valley: ">=1.0"}}\n'


def with_more(tmp_path: Path, **files: str) -> tuple[Faces, Bag]:
    valley(tmp_path)
    write(tmp_path / "more", {name.replace("__", "."): text for name, text in files.items()})
    checked = load([str(tmp_path / "valley")], [str(tmp_path / "more")], [tmp_path])
    assert not checked.bag.failed, [(row.code, row.message) for row in checked.bag.findings]
    bag = Bag()
    return faces(checked.games[0].tree, Wish(), bag), bag


def test_an_expansion_brings_cards_and_looks(tmp_path: Path) -> None:
    more = (
        "cards: {thaw: {kind: charm, origin: original, season: spring, cost: 1, reach: 0, text: It thaws.}}\n"
        "patch: {sheets: {charm: {size: bridge}}}\n"
    )
    made, bag = with_more(tmp_path, game__yaml=MORE + more)
    assert found(bag) == []
    assert front(made, "thaw").size == front(made, "ember").size
    assert front(made, "ember").size.width == 57
    assert '"4/4"' in words(made, "thaw")


def test_things_of_a_mode_are_printed_too(tmp_path: Path) -> None:
    modes = """options: {long: {is: bool, name: Long game}}
modes:
  long:
    while: options.long
    add: {cards: {deep_winter: {kind: charm, origin: original, season: winter, cost: 5, reach: 0, text: All rest.}}}
"""
    made, bag = drawn(valley(tmp_path, {"modes.yaml": modes}))
    assert found(bag) == []
    items = [each.item for each in made.printables]
    assert items.count("deep_winter") == 1
    assert items.count("ember") == 1


# --- pictures and icons -----------------------------------------------------------------------------------------------
def test_l64_text_between_colons_that_is_no_icon(tmp_path: Path) -> None:
    """An unknown icon is an error of the check; what is meant as text has blanks inside of the colons."""
    game = GAME.replace("All threats", "Then : harm : all threats")
    made, _ = drawn(valley(tmp_path, game=game))
    assert 'words("Then : harm : all threats on one field are stunned.")' in words(made, "hoarfrost")
    game = GAME.replace("All threats", "Then :hram: all threats [haste] [[trait]] [")
    bag = load([str(valley(tmp_path, game=game))]).bag
    assert [row.code for row in bag.findings] == ["unknown-icon"]


def test_an_icon_that_is_not_there(tmp_path: Path) -> None:
    game = GAME.replace("heal: heart", "heal: icons/heal.svg").replace("harm: burst", "harm: brust")
    folder = valley(tmp_path, game=game)
    assert found(check([folder]).bag) == [("unknown-icon", "game.yaml", 4), ("picture-missing", "game.yaml", 4)]


def test_an_icon_that_is_no_picture(tmp_path: Path) -> None:
    game = GAME.replace("heal: heart", "heal: icons/heal.svg")
    made, bag = drawn(valley(tmp_path, {"icons/heal.svg": "<p>"}, game=game))
    assert found(bag) == [("picture-missing", "game.yaml", 4)]
    assert len(made.printables) == len(drawn(valley(tmp_path))[0].printables)


@pytest.mark.parametrize("target", ["outside.svg", "/etc/hostname"])
def test_a_link_out_of_the_pack_is_not_followed(target: str, tmp_path: Path) -> None:
    (tmp_path / "outside.svg").write_text(SVG, encoding="utf-8")
    sheets = 'sheets: {threat: {art: "art/{id}.svg"}}\n'
    folder = valley(tmp_path, {"art/wolf_pack.svg": SVG}, sheets=sheets)
    (folder / "art" / "landslide.svg").symlink_to(tmp_path / target)
    made, bag = drawn(folder)
    assert [code for code, _, _ in found(bag)] == ["picture-missing"]
    assert not any("landslide" in name for name in made.preamble.files)


def test_a_link_beside_the_templates_is_not_staged(tmp_path: Path) -> None:
    (tmp_path / "outside.svg").write_text(SVG, encoding="utf-8")
    folder = valley(tmp_path, {"sheets/in.svg": SVG})
    (folder / "sheets" / "out.svg").symlink_to(tmp_path / "outside.svg")
    (folder / "sheets" / "t.typ.j2").symlink_to("/etc/hostname")
    made, _ = drawn(folder)
    assert [name for name in made.preamble.files if name.startswith("sheets/")] == ["sheets/in.svg"]


@pytest.mark.parametrize(
    ("content", "words_of_it"),
    [(b"not a picture", "no picture"), (b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "picture"), (b"", "no picture")],
)
def test_a_picture_that_is_none(content: bytes, words_of_it: str, tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    sheets = 'sheets: {threat: {art: "art/{id}.png"}}\n'
    _, bag = drawn(valley(tmp_path, {"art/wolf_pack.png": content, "art/landslide.png": content}, sheets=sheets))
    assert {row.code for row in bag.findings} == {"picture-missing"}
    assert all(words_of_it in row.message for row in bag.findings)


SVG_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'
BAD_VECTORS = {
    "no picture": "not a picture",
    "cut off": SVG_HEAD,
    "another root": "<html></html>",
    "entities": f'<!DOCTYPE svg [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]>{SVG_HEAD}<text>&b;</text></svg>',
    "a link to a file": f'{SVG_HEAD}<image href="/etc/hostname" width="9" height="9"/></svg>',
    "a link upwards": f'{SVG_HEAD}<image xlink:href="../../x.png" width="9" height="9"/></svg>',
    "a link to the network": f'{SVG_HEAD}<image href="https://example.org/x.png" width="9" height="9"/></svg>',
}


@pytest.mark.parametrize("name", BAD_VECTORS)
def test_a_vector_picture_is_whole_and_stands_alone(name: str, tmp_path: Path) -> None:
    sheets = 'sheets: {threat: {art: "art/{id}.svg"}}\n'
    folder = valley(tmp_path, {"art/wolf_pack.svg": SVG, "art/landslide.svg": BAD_VECTORS[name]}, sheets=sheets)
    _, bag = drawn(folder)
    (finding,) = bag.findings
    assert (finding.code, finding.span.line) == ("picture-missing", line_of(GAME, "landslide"))
    assert "art/landslide.svg" in finding.message


def test_a_vector_icon_that_is_none(tmp_path: Path) -> None:
    game = GAME.replace("heal: heart", "heal: icons/heal.svg")
    made, bag = drawn(valley(tmp_path, {"icons/heal.svg": SVG_HEAD}, game=game), fitted=fonts.available())
    assert [row.code for row in bag.findings] == ["picture-missing"]
    assert made.printables


# --- templates of a pack ----------------------------------------------------------------------------------------------
def test_a_wrong_template_is_told_once_at_its_line(tmp_path: Path) -> None:
    sheets = "sheets: {charm: {template: sheets/t.typ.j2}}\n"
    made, bag = drawn(valley(tmp_path, {"sheets/t.typ.j2": "#{{ title }}\n\n#{{ titel }}\n"}, sheets=sheets))
    assert found(bag) == [("template-wrong", "t.typ.j2", 3)]
    assert "titel" in bag.findings[0].message
    assert not any(each.kind == "charm" for each in made.printables)


def test_templates_include_others_of_their_pack(tmp_path: Path) -> None:
    files = {
        "sheets/t.typ.j2": '{% from "sheets/m.typ.j2" import big %}{{ big(title) }}',
        "sheets/m.typ.j2": "{% macro big(words) %}#text(20pt, {{ words }}){% endmacro %}",
    }
    made, bag = drawn(valley(tmp_path, files, sheets="sheets: {charm: {template: sheets/t.typ.j2}}\n"))
    assert found(bag) == []
    assert "#text(20pt, v.at(0))" in front(made, "ember").body


def test_a_sheet_is_shown_as_merged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["show", "charm", "--game", str(valley(tmp_path, sheets=SHEETS))])
    assert "corner: cost" in capsys.readouterr().out
