"""Faults that people met with other tools, one test each, under the numbers of the bug log that this project began
with."""

from __future__ import annotations

from pathlib import Path

import pytest
from schema_corpus import FOLDER, marked

from ludoloom.compiler.analysis.cells import check_cells
from ludoloom.compiler.analysis.declare import declare
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.frontend.read import read
from ludoloom.compiler.frontend.shape import check_shape
from ludoloom.compiler.packs import load_game
from ludoloom.schemas.base import keys_of
from ludoloom.schemas.language import Content, File


def shape(text: str, file: str = "game.yaml") -> list[Diagnostic]:
    bag = Bag()
    tree = read(text.encode(), file, bag)
    assert tree is not None
    check_shape(tree, file, bag)
    return bag.findings


def whole(folder: Path, files: dict[str, str]) -> list[Diagnostic]:
    """The findings about the cells of the game in a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    bag = Bag()
    for tree in load_game([str(folder)], [], [], bag):
        check_cells(declare(tree, (), bag), bag)
    return bag.findings


ONE_SLIP = {
    "pack": "pack: {id: demo, version: 1.0.0, title: [Demo], players: 2}",
    "counts": "counts: {charms: {of: charms, is: twelve}}",
    "facts": "facts: {Ann: 3}",
    "enums": "enums: {element: fire}",
    "options": "options: {long: {is: int, name: Long}}",
    "modes": "modes: {long: {while: [options.long]}}",
    "state": "state: {pot: 3}",
    "computed": "computed: {full: [pot]}",
    "kinds": "kinds: {hero: {family: heroes}}",
    "cards": "cards: {flame: {kind: charm, copies: many}}",
    "encounters": "encounters: {claws: {kind: 3}}",
    "quests": "quests: {find: {kind: quest, origin: painted}}",
    "tiles": "tiles: {lane: {kind: tile, text: 3}}",
    "spaces": "spaces: {yard: {kind: space, title: 3}}",
    "pieces": "pieces: {ann: {kind: hero, values: 3}}",
    "players": "players: {first: {kind: seat, copies: 0}}",
    "maps": "maps: {isle: {kind: island, legend: {p: plains}, drawing: p}}",
    "zones": "zones: {deck: {holds: charm, order: heap}}",
    "tracks": "tracks: {days: {origin: printed, spaces: many}}",
    "dice": "dice: {d6: {origin: printed, faces: six}}",
    "play": "play: prepare",
    "phases": "phases: {p: {until: [full]}}",
    "windows": "windows: {w: {who: players, offers: bank}}",
    "rolls": "rolls: {luck: {dice: [d6]}}",
    "actions": "actions: {bank: {needs: full}}",
    "verbs": "verbs: {hurt: {with: [hero]}}",
    "triggers": "triggers: {t: {after: 3}}",
    "trigger_order": "trigger_order: {ties: dice}",
    "modifiers": "modifiers: {m: {changes: [speed]}}",
    "end": "end: {won: {whenever: full, winners: [players]}}",
    "goals": "goals: {rich: {is: 3, weight: much}}",
    "icons": "icons: {damage: 3}",
    "languages": "languages: {fr: {says: {hurt: 3}}}",
    "sheets": "sheets: {card: {size: 3}}",
    "scenarios": "scenarios: {s: {players: two}}",
    "patch": "patch: {zones: {deck: {order: heap}}}",
    "replace": "replace: {zones: {deck: {holds: charm, order: heap}}}",
    "remove": "remove: {cards: flame}",
}


def test_l15_each_section_is_checked() -> None:
    assert set(ONE_SLIP) == set(keys_of(File))
    codes = {section: [finding.code for finding in shape(text)] for section, text in ONE_SLIP.items()}
    assert {section: len(found) for section, found in codes.items()} == dict.fromkeys(ONE_SLIP, 1)


def test_l15_all_sections_at_once_give_as_many_findings() -> None:
    assert len(shape("\n".join(ONE_SLIP.values()))) == len(ONE_SLIP)


@pytest.mark.parametrize("section", sorted(set(keys_of(Content)) - {"icons", "facts"}))
def test_l15_the_same_inside_a_mode(section: str) -> None:
    name, _, rest = ONE_SLIP[section].partition(": ")
    text = f"modes: {{long: {{while: options.long, add: {{{name}: {rest}}}}}}}"
    (finding,) = shape(text)
    assert finding.path.startswith(f"modes.long.add.{section}")


def test_l16_path_and_place_of_a_value_in_a_list_of_forms() -> None:
    text = (
        "cards:\n  flame:\n    kind: charm\n    triggers:\n      t:\n        after: hurt\n        do:\n"
        "        - night_falls\n        - {set: {what: pot, to: 0}}\n        - lose:\n            what: pot\n"
        '            amount: "2"\n'
    )
    (finding,) = shape(text)
    assert finding.path == "cards.flame.triggers.t.do[2].lose.amount"
    assert (finding.span.line, finding.span.column, finding.span.end_column) == (12, 21, 24)


def test_l17_one_finding_for_a_misspelt_key_of_an_either_or() -> None:
    (finding,) = shape("verbs: {v: {do: [{choose: {target: {form: heroes, by: active}}}]}}")
    assert (finding.code, finding.hint) == ("unknown-key", "did you mean `from`?")
    (finding,) = shape("computed: {a: {rws: {full: 1, else: 2}}}")
    assert (finding.code, finding.hint) == ("unknown-key", "did you mean `rows`?")
    (finding,) = shape("verbs: {v: {do: [{hurt: {to: ann}, els: []}]}}")
    assert (finding.code, finding.hint) == ("unknown-key", "did you mean `else`?")


def test_l18_an_empty_value_in_a_long_file() -> None:
    lines = ["cards:"]
    for number in range(500):
        lines += [f"  card_{number}:", "    kind: charm", "    origin: original", f"    copies: {number + 1}"]
    lines[1404] = "    copies:"
    bag = Bag()
    tree = read("\n".join(lines).encode(), "cards.yaml", bag)
    assert tree is not None
    check_shape(tree, "cards.yaml", bag)
    (finding,) = bag.findings
    assert (finding.code, finding.span.line) == ("empty-value", 1405)
    assert "null" not in finding.message.lower()
    assert "none" not in finding.message.lower()


PACK = "pack: {id: demo, version: 1.0.0, title: Demo, players: 2}\n"
KIND = "kinds:\n  charm:\n    family: card\n    plural: charms\n    fields:\n"


def test_l19_a_misspelt_cell_beside_an_optional_one(tmp_path: Path) -> None:
    files = {
        "game.yaml": PACK + KIND + "      health: {is: int, default: 1}\n",
        "cards.yaml": "cards:\n  flame: {kind: charm, origin: original, helth: 3}\n",
    }
    (finding,) = whole(tmp_path, files)
    assert (finding.code, finding.hint) == ("unknown-key", "did you mean `health`?")
    assert (finding.span.line, finding.span.column) == (2, 42)
    assert finding.path == "cards.flame.helth"


@pytest.mark.parametrize(
    ("column", "cell"), [("cost: int", 'cost: "3"'), ("fixed: bool", "fixed: 4"), ("cost: 0 to 9", "cost: 12")]
)
def test_l20_no_value_is_bent_to_fit(tmp_path: Path, column: str, cell: str) -> None:
    files = {"game.yaml": PACK + KIND + f"      {column}\ncards:\n  flame: {{kind: charm, origin: original, {cell}}}\n"}
    (finding,) = whole(tmp_path, files)
    assert finding.code == "wrong-type"
    assert finding.path.startswith("cards.flame.")


def test_l21_what_is_missing_names_the_item_and_the_column(tmp_path: Path) -> None:
    files = {
        "game.yaml": PACK + KIND + "      cost: int\n      needs: list of element\nenums: {element: [fire, ice]}\n",
        "cards/fire.yaml": "cards:\n  flame:\n    kind: charm\n    origin: original\n    cost: 3\n",
    }
    (finding,) = whole(tmp_path, files)
    assert finding.code == "missing-key"
    assert finding.message == "the charm `flame` needs `needs`"
    assert finding.span.file.endswith("cards/fire.yaml")
    assert (finding.span.line, finding.span.column) == (2, 3)
    (column,) = finding.related
    assert column.span.file.endswith("game.yaml")
    assert (column.span.line, column.span.column) == (8, 7)


def test_l22_the_cause_is_what_is_reported(tmp_path: Path) -> None:
    files = {
        "game/game.yaml": PACK + KIND + "      cost: int\n",
        "more/pack.yaml": 'pack: {id: more, version: 1.0.0, title: More, extends: {demo: ">=1.0"}}\n'
        "cards:\n  flame: {kind: charm, origin: original, cost: [3]}\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    bag = Bag()
    for tree in load_game([str(tmp_path / "more")], [], [tmp_path], bag):
        check_cells(declare(tree, (), bag), bag)
    (finding,) = bag.findings
    assert (finding.code, finding.span.line) == ("wrong-type", 3)
    assert finding.span.file.endswith("more/pack.yaml")


def test_l23_a_misspelt_keyword_and_a_misspelt_name_differ(tmp_path: Path) -> None:
    (keyword,) = shape("kinds: {guard: {is_s: piece_kind, plural: guards}}")
    assert (keyword.code, keyword.hint) == ("unknown-key", "did you mean `is_a`?")
    (name,) = whole(tmp_path, {"game.yaml": PACK + "kinds: {guard: {family: piece}, elite: {is_a: gurd}}\n"})
    assert (name.code, name.hint) == ("unknown-word", "did you mean `guard`?")


def test_l27_is_tried_on_a_corpus() -> None:
    """`test_agreement.py` runs it; here only that there is something to run."""
    bad = list((FOLDER / "bad").rglob("*.yaml"))
    assert len(bad) >= 60
    assert all(marked(path.read_text(encoding="utf-8")) for path in bad)
