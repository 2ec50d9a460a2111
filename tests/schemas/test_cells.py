"""Items against the columns of their kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoloom.compiler.analysis.cells import check_cells
from ludoloom.compiler.analysis.declare import declare
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.packs import load_game

GAME = """\
pack: {id: demo, version: 1.0.0, title: Demo, players: 2}
enums: {element: [fire, ice], side: [north, south]}
kinds:
  need: {family: part, fields: {slot: element, amount: {is: int, default: 1}}}
  charm:
    family: card
    plural: charms
    owner: player
    faces: [back, front]
    fields:
      cost: 0 to 9
      element: element or none
      reach: range
      ready: {is: bool, default: false}
      words: {is: text, default: "-"}
      sides: {is: list of side, default: []}
      rivals: {is: set of charm, default: []}
      needs: {is: list of need, default: []}
      by_side: {is: table of side to need, default: {}}
      when: {is: condition, default: true}
      gift: {is: effect, default: []}
      power: {is: int, with: {target: charm}, default: 0}
      front: {strength: int}
    variants: {on_fire: element == fire}
    acts: {use: {who: {player: owner}}}
"""
FULL = "kind: charm, origin: original, cost: 3, reach: 0 to 2, front: {strength: 1}"


def findings(folder: Path, cells: str) -> list[Diagnostic]:
    (folder / "game.yaml").write_text(f"{GAME}cards:\n  flame: {{{cells}}}\n", encoding="utf-8")
    bag = Bag()
    (tree,) = load_game([str(folder)], [], [], bag)
    game = declare(tree, (), bag)
    assert list(bag) == []
    check_cells(game, bag)
    return bag.findings


GOOD = [
    "",
    "element: fire, ready: true, words: A word",
    "element: none",
    "sides: [north, south], rivals: [flame]",
    "rivals: flame",
    "needs: [{slot: fire}, {slot: ice, amount: 2}]",
    "by_side: {north: {slot: ice}}",
    "when: cost > 3",
    "gift: [{gain: {what: pot, amount: 1}}, night_falls]",
    "power: {depends_on: target.cost, rows: {0 to 3: 1, 4+: 2}}",
    "power: target.cost + 1",
    "values: {damage: 2}, on_fire: {damage: 3}",
    "use: {needs: {big: cost > 3}, on high: [], do: [night_falls]}",
    "text: {front: A word}, title: Flame, copies: 2, values: {damage: 2}",
]


@pytest.mark.parametrize("cells", GOOD)
def test_good(tmp_path: Path, cells: str) -> None:
    assert findings(tmp_path, f"{FULL}, {cells}" if cells else FULL) == []


BAD = [
    ("helth: 3", "unknown-key", "cards.flame.helth"),
    ("element: fir", "wrong-type", "cards.flame.element"),
    ("ready: 1", "wrong-type", "cards.flame.ready"),
    ("words: [a]", "wrong-type", "cards.flame.words"),
    ("sides: north", "wrong-type", "cards.flame.sides"),
    ("sides: [north, west]", "wrong-type", "cards.flame.sides[1]"),
    ("rivals: {flame: 1}", "wrong-type", "cards.flame.rivals"),
    ("needs: [{slot: fire}, {slto: ice}]", "unknown-key", "cards.flame.needs[1].slto"),
    ("needs: [{amount: 2}]", "missing-key", "cards.flame.needs[0]"),
    ("by_side: {nort: {slot: ice}}", "unknown-key", "cards.flame.by_side.nort"),
    ("gift: [{gain: {what: pot, amuont: 1}}]", "unknown-key", "cards.flame.gift[0].gain.amuont"),
    ("gift: {gain: {what: pot, amount: 1}}", "wrong-type", "cards.flame.gift"),
    ("when: [cost]", "wrong-type", "cards.flame.when"),
    ("power: {rws: {else: 2}}", "unknown-key", "cards.flame.power.rws"),
    ("on_fire: [3]", "wrong-type", "cards.flame.on_fire"),
    ("values: {damage: 2}, on_fire: {damge: 3}", "unknown-key", "cards.flame.on_fire.damge"),
    ("on_fire: {damage: 3}", "unknown-key", "cards.flame.on_fire.damage"),
    ("use: {ned: {}}", "unknown-key", "cards.flame.use.ned"),
    ("use: {until: cost > 3}", "wrong-clause", "cards.flame.use.until"),
    ("use: {do: [], needs: {}}", "key-order", "cards.flame.use.needs"),
    ("back: {strength: 1}", "unknown-key", "cards.flame.back.strength"),
]


@pytest.mark.parametrize(("cells", "code", "path"), BAD)
def test_bad(tmp_path: Path, cells: str, code: str, path: str) -> None:
    (finding,) = findings(tmp_path, f"{FULL}, {cells}")
    assert (finding.code, finding.path) == (code, path)


@pytest.mark.parametrize(
    ("left_out", "message"),
    [("cost: 3, ", "the charm `flame` needs `cost`"), (", front: {strength: 1}", "the charm `flame` needs `front`")],
)
def test_missing(tmp_path: Path, left_out: str, message: str) -> None:
    (finding,) = findings(tmp_path, FULL.replace(left_out, ""))
    assert (finding.code, finding.message) == ("missing-key", message)
    assert finding.related[0].message == "the column is declared here, in the kind `charm`"


def test_an_owner_that_some_print_is_printed_by_all(tmp_path: Path) -> None:
    text = f"{GAME}cards:\n  flame: {{{FULL}, owner: player_1}}\n  frost: {{{FULL}OTHER}}\n"
    for other, codes in (("", ["missing-key"]), (", owner: none", []), (", owner: player_2", [])):
        (tmp_path / "game.yaml").write_text(text.replace("OTHER", other), encoding="utf-8")
        bag = Bag()
        (tree,) = load_game([str(tmp_path)], [], [], bag)
        check_cells(declare(tree, (), bag), bag)
        assert [finding.code for finding in bag] == codes
    assert not findings(tmp_path, FULL)


def test_bounds_of_a_column(tmp_path: Path) -> None:
    (finding,) = findings(tmp_path, FULL.replace("cost: 3", "cost: 12"))
    assert finding.message == "`cost` must be at most 9, but 12 stands here"


def test_the_nearest_word_is_offered(tmp_path: Path) -> None:
    (finding,) = findings(tmp_path, f"{FULL}, element: fiire")
    assert finding.hint == "did you mean `fire`?"


def test_a_record_that_holds_itself(tmp_path: Path) -> None:
    text = (
        "pack: {id: demo, version: 1.0.0, title: Demo, players: 2}\n"
        "kinds:\n  node: {family: part, fields: {more: {is: list of node, default: []}}}\n"
        "  card: {family: card, plural: deck_cards, fields: {tree: node}}\n"
        "cards: {one: {kind: card, origin: original, tree: {more: [{more: []}]}}}\n"
    )
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    bag = Bag()
    (tree,) = load_game([str(tmp_path)], [], [], bag)
    assert check_cells(declare(tree, (), bag), bag)
