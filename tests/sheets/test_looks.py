"""What `sheets` says: sizes, what is usual for a family, what is inherited, and the findings of a check."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from valley import GAME, valley

from ludoloom.compiler.analysis.declare import declare
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.pipeline import check_folder, load
from ludoloom.compiler.sheets import icons
from ludoloom.compiler.sheets.looks import Look, looks
from ludoloom.compiler.sheets.model import Size
from ludoloom.compiler.sheets.render import FOLDER
from ludoloom.schemas.sizes import SIZES, TEMPLATES

MANUAL = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")


def of(folder: Path) -> dict[str, Look]:
    tree = load([str(folder)]).games[0].tree
    return looks(declare(tree, tree.combinations[0], Bag()), Bag())


def test_a_pack_needs_no_sheets(tmp_path: Path) -> None:
    found = of(valley(tmp_path, sheets="enums: {weather: [fair, foul]}\n"))
    assert {name: (look.template, look.back) for name, look in found.items()} == {
        "charm": ("card", "back"),
        "threat": ("encounter", "back"),
        "errand": ("quest", "quest"),
        "plate": ("tile", ""),
        "hexplate": ("tile", ""),
        "valley_map": ("map", ""),
        "road_map": ("map", ""),
        "traveller": ("player", ""),
        "chit": ("token", ""),
    }
    assert found["charm"].size == Size(63, 88)
    assert (found["errand"].front, found["errand"].behind) == ("front", "back")


def test_what_is_said_of_a_kind_counts_for_those_built_on_it(tmp_path: Path) -> None:
    game = GAME.replace("  threat:", "  curse: {is_a: charm, plural: curses}\n  threat:").replace(
        "hoarfrost: {kind: charm", "hoarfrost: {kind: curse"
    )
    sheets = 'sheets:\n  charm: {size: bridge, corner: cost}\n  curse: {colour: "#333333", corner: reach}\n'
    found = of(valley(tmp_path, game=game, sheets=sheets))
    assert (found["curse"].size, found["curse"].corner, found["curse"].colour) == (Size(57, 89), "reach", "#333333")
    assert found["charm"].corner == "cost"


@pytest.mark.parametrize(
    ("written", "size"),
    [("63.5 x 88.9", Size(63.5, 88.9)), ("us_poker", Size(63.5, 88.9)), ("100 x 20", Size(100, 20))],
)
def test_sizes(written: str, size: Size, tmp_path: Path) -> None:
    assert of(valley(tmp_path, sheets=f"sheets: {{charm: {{size: {written}}}}}\n"))["charm"].size == size


CASES = {
    "an unknown kind": "sheets:\n  charn: {size: poker}  # !! unknown-word\n",
    "an unknown column": "sheets:\n  charm:\n    corner: coast  # !! unknown-word\n",
    "an unknown column to show": "sheets:\n  charm:\n    show: [season,\n      raech]  # !! unknown-word\n",
    "an unknown column with a label": "sheets:\n  charm:\n    labels:\n      prize: Price  # !! unknown-word\n",
    "an unknown word with a colour": (
        'sheets:\n  charm:\n    colours:\n      season:\n        sumer: "#b3361e"  # !! unknown-word\n'
    ),
    "colours of a number": 'sheets:\n  charm:\n    colours:\n      cost: {two: "#b3361e"}  # !! wrong-type\n',
    "an unknown icon": "sheets:\n  charm:\n    icons:\n      cost: coinn  # !! unknown-icon\n",
    "an unknown mark": "sheets:\n  charm:\n    mark: bok  # !! unknown-icon\n",
    "an unknown icon of a word": (
        "sheets:\n  charm:\n    icons:\n      season: {summer: sun, winter: snw}  # !! unknown-icon\n"
    ),
    "an unknown column in a line": 'sheets:\n  charm:\n    line: "{kind} of {sason}"  # !! unknown-word\n',
    "an unknown icon in a line": 'sheets:\n  charm:\n    line: "{season} :hram:"  # !! unknown-icon\n',
    "a line": 'sheets:\n  charm:\n    line: "{season} {kind} :harm:"\n',
    "an unknown face": "sheets:\n  errand:\n    front: frnt  # !! unknown-word\n",
    "a template that is not there": "sheets:\n  charm:\n    template: sheets/charm.typ.j2  # !! template-missing\n",
    "a back that is not there": "sheets:\n  charm:\n    back: sheets/back.typ.j2  # !! template-missing\n",
    "a kind without a template": "sheets:\n  town: {size: poker}  # a space of a map is not printed by itself\n",
    "an unknown size": "sheets:\n  charm:\n    size: pocker  # !! bad-id\n",
    "an unknown template": "sheets:\n  charm:\n    template: crad  # !! bad-id\n",
    "l52: a number that is a text": 'sheets:\n  charm:\n    text_size: "six"  # !! wrong-type\n',
    "no size at all": "sheets:\n  charm:\n    text_size: 0 to 9  # !! wrong-type\n",
    "the larger size first": "sheets:\n  charm:\n    text_size: 9 to 6  # !! wrong-type\n",
    "one size": "sheets:\n  charm:\n    text_size: 8\n",
    "l52: a yes that is a text": 'sheets:\n  charm:\n    print: "false"  # !! wrong-type\n',
    "l52: a size without a unit of ours": "sheets:\n  charm:\n    size: 63mm x 88mm  # !! bad-id\n",
    "colours alike": (
        'sheets:\n  charm:\n    colours:\n      season:\n        summer: "#b3361e"\n'
        '        winter: "#2d5fa8"  # !! colours-alike\n        spring: "#ffffff"\n'
    ),
    "colours alike, with icons": (
        'sheets:\n  charm:\n    colours: {season: {summer: "#b3361e", winter: "#2d5fa8"}}\n'
        "    icons: {season: {summer: sun, winter: snow}}\n"
    ),
    "two sizes in one deck": (
        "sheets:\n  charm: {deck: both}\n  threat:\n    deck: both\n    size: us_poker  # !! deck-of-two-sizes\n"
    ),
    "two sizes in two decks": "sheets:\n  charm: {size: poker}\n  threat: {size: us_poker}\n",
}


@pytest.mark.parametrize("name", CASES)
def test_findings_of_a_check(name: str, tmp_path: Path) -> None:
    text = CASES[name]
    bag = check_folder(valley(tmp_path, sheets=text))
    wanted = [
        (code, number)
        for number, line in enumerate(text.split("\n"), 1)
        for code in re.findall(r"# !! ([a-z-]+)", line)
    ]
    assert [(row.code, row.span.line) for row in bag] == wanted, [(row.code, row.message) for row in bag]


def test_what_is_in_a_sheet_is_used(tmp_path: Path) -> None:
    """A column or an icon that only a sheet names is not idle."""
    bag = check_folder(valley(tmp_path))
    assert [row.code for row in bag] == []


# --- the manual -------------------------------------------------------------------------------------------------------
def test_the_sizes_of_the_manual() -> None:
    told = dict(re.findall(r"`([a-z0-9_]+)` \| ([0-9.]+ x [0-9.]+) \|", MANUAL))
    assert told == {name: f"{width:g} x {height:g}" for name, (width, height) in SIZES.items()}


def test_the_icons_of_the_manual() -> None:
    listed = MANUAL.partition("<!-- list: icons -->")[2].partition(".\n")[0]
    assert re.findall(r"`([a-z]+)`", listed) == list(icons.shipped())


def test_the_templates_of_the_manual() -> None:
    told = MANUAL.partition("These ship: ")[2].partition(". ")[0]
    assert re.findall(r"`([a-z]+)`", told) == list(TEMPLATES)
    assert {path.name.partition(".")[0] for path in FOLDER.glob("*.typ.j2")} - {"tables"} == set(TEMPLATES)
