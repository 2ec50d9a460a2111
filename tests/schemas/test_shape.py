"""Each file of the corpus has exactly the findings that it marks, at their lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from schema_corpus import corpus, marked, tree

from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.frontend.read import read
from ludoloom.compiler.frontend.shape import check_shape


def found(text: str, file: str = "game.yaml") -> list[Diagnostic]:
    bag = Bag()
    node = read(text.encode(), file, bag)
    if node is not None:
        sound = check_shape(node, file, bag)
        assert sound is not any(finding.severity == "error" for finding in bag)
    return bag.findings


@pytest.mark.parametrize("path", corpus(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_findings(path: Path) -> None:
    bag = Bag()
    check_shape(tree(path), path.name, bag)
    got = [(finding.span.line, finding.code) for finding in bag]
    assert got == marked(path.read_text(encoding="utf-8"))
    assert all((finding.path and finding.hint) or finding.code == "wrong-type" for finding in bag)


def test_the_place_is_the_misspelt_key() -> None:
    (finding,) = found("kinds:\n  hero: {famly: piece}\n")
    assert (finding.span.line, finding.span.column, finding.span.end_column) == (2, 10, 15)
    assert finding.message == "`famly` is no key of the kind `hero`"
    assert finding.hint == "did you mean `family`?"
    assert finding.path == "kinds.hero.famly"


def test_every_finding_of_a_file_is_reported() -> None:
    text = "kinds: {Hero: {famly: piece}}\ncars: {}\nzones: {deck: {order: piel}}\n"
    codes = [finding.code for finding in found(text)]
    assert sorted(codes) == ["bad-id", "missing-key", "unknown-key", "unknown-section", "wrong-type"]


def test_a_word_of_expressions_is_no_name() -> None:
    (finding,) = found("verbs: {lambda: {do: []}}\n")
    assert (finding.code, finding.hint) == ("reserved-word", "choose another, such as `the_lambda`")


def test_order_of_an_act() -> None:
    text = "actions:\n  bank:\n    do: []\n    who: {hero: heroes}\n    needs: {full: pot > 3}\n"
    (finding,) = found(text)
    assert (finding.code, finding.span.line) == ("key-order", 4)
    assert finding.hint == "write them in this order: who, needs, do"


def test_order_of_branches_and_rolls() -> None:
    assert found("verbs: {v: {roll: d6, on high: [], on low: [], do: []}}\n") == []
    (act,) = found("verbs: {v: {do: [], roll: d6, on high: []}}\n")
    assert act.hint == "write them in this order: roll, on high, do"
    (roll,) = found("rolls: {luck: {dice: d6, with: {need: int}}}\n")
    assert roll.hint == "write them in this order: with, dice"


@pytest.mark.parametrize(
    "text",
    [
        "kinds: {hero: {family: piece, acts: {use: {do: [], needs: {}}}}}",
        "kinds: {hero: {family: piece, triggers: {t: {do: [], after: hurt}}}}",
        "cards: {flame: {kind: charm, triggers: {t: {do: [], after: hurt}}}}",
        "modes: {long: {while: options.long, add: {verbs: {v: {do: [], needs: {}}}}}}",
        "replace: {triggers: {t: {do: [], after: hurt}}}",
        "phases: {p: {do: [], turns: {of: players}}}",
    ],
)
def test_order_everywhere(text: str) -> None:
    assert [finding.code for finding in found(text)] == ["key-order"]


def test_the_ledger_has_a_form_of_its_own() -> None:
    text = "game: dice\nrules: []\n"
    assert found(text, "packs/dice/rulebook.yaml") == []
    assert {finding.code for finding in found(text, "packs/dice/game.yaml")} == {"unknown-section"}


def test_what_the_reader_reported_is_not_said_again() -> None:
    codes = [finding.code for finding in found("kinds:\n  hero:\n    family:\n")]
    assert codes == ["empty-value"]


@pytest.mark.parametrize("depth", [20])
def test_deep_statements(depth: int) -> None:
    inner = "[night_falls]"
    for _ in range(depth):
        inner = f"[{{if: full, then: {inner}}}]"
    assert found(f"verbs: {{v: {{do: {inner}}}}}\n") == []


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('pack: {id: demo, version: "1.0", title: Demo, players: 2}', "write `version: 1.0.0`"),
        (
            "pack: {id: demo, version: 1.0, title: Demo, players: 2}",
            "a version has three numbers: write `version: 1.0.0`",
        ),
        (
            "pack: {id: more, version: 1.0.0, title: More, extends: {chess: one or two}}",
            'write `chess: ">=1.0 <2"`',
        ),
        (
            "pack: {id: demo, version: 1.0.0, title: Demo}",
            "write `players:` and a number, a range such as `1 to 3`, or `any`; "
            "or `extends:` and a game, if it is an expansion",
        ),
    ],
)
def test_a_manifest_is_told_how_it_is_written(text: str, hint: str) -> None:
    assert [finding.hint for finding in found(text)] == [hint]


def test_a_place_for_words_or_a_mapping_tells_of_both() -> None:
    (finding,) = found("windows: {doing: {who: players, offers: [], closes: once}}")
    assert finding.message == "`closes` must be `all_passed` or `one`, or a mapping with `by`, but `once` stands here"
    assert finding.hint == "did you mean `one`?"
