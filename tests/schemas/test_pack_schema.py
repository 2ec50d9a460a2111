"""The schema of one pack: what its editor completes, and what it refuses."""

from __future__ import annotations

from typing import Any, cast

import pytest
from schema_corpus import Schema

from ludoloom.compiler.analysis.declare import declare
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import plain
from ludoloom.compiler.frontend.read import read
from ludoloom.compiler.pack_schema import pack_names
from ludoloom.compiler.packs import load_game
from ludoloom.schemas.pack_schema import PackNames, pack_schema

Json = dict[str, Any]

GAME = """\
pack: {id: demo, version: 1.0.0, title: Demo, players: 2}
enums: {element: [fire, ice]}
options: {long_game: {is: bool, name: Long}}
state: {pot: int}
kinds:
  need: {family: part, fields: {slot: element, amount: {is: int, default: 1}}}
  charm:
    family: card
    plural: charms
    fields: {cost: int, element: element or none, needs: {is: list of need, default: []}}
    acts: {use: {}}
  token: {family: piece, plural: tokens}
cards: {flame: {kind: charm, origin: original, cost: 3}}
pieces: {pawn: {kind: token, origin: original}}
zones: {box: {holds: charm}}
dice: {d6: {origin: original, faces: 1 to 6}}
rolls: {luck: {dice: d6}}
phases: {rounds: {steps: {act: []}}}
windows: {turns: {who: players, offers: [bank]}}
actions: {bank: {with: {extra: {is: int, default: 0}}, do: []}}
verbs:
  hurt: {says: "{to} is hurt", with: {to: token, amount: {is: int, default: 1}}, do: []}
  lay: {with: {what: token, on: token}, do: []}
  night_falls: {do: []}
"""


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> PackNames:
    folder = tmp_path_factory.mktemp("pack")
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    bag = Bag()
    (tree,) = load_game([str(folder)], [], [], bag)
    return pack_names(declare(tree, (), bag), modes=("long",))


@pytest.fixture(scope="module")
def validator(names: PackNames) -> Schema:
    return Schema(pack_schema(names))


def valid(validator: Schema, text: str) -> bool:
    tree = read(text.encode(), "game.yaml", Bag())
    assert tree is not None
    return validator.accepts(plain(tree))


def test_the_pack_itself(validator: Schema) -> None:
    assert valid(validator, GAME)


@pytest.mark.parametrize(
    "text",
    [
        "verbs: {v: {do: [{hurt: pawn}]}}",
        "verbs: {v: {do: [{hurt: {to: pawn}}]}}",
        "verbs: {v: {do: [{hurt: {to: pawn, amount: 2}, then: []}]}}",
        "verbs: {v: {do: [night_falls, bank]}}",
        "verbs: {v: {do: [{lay: {what: pawn, on: pawn}}]}}",
        "verbs: {v: {do: [{roll: {luck: {}}}, {open: turns}, {gain: {what: pot, amount: 1}}]}}",
        "cards: {frost: {kind: charm, origin: original, cost: 2, element: ice, needs: [{slot: fire}], use: {do: []}}}",
        "cards: {frost: {origin: original, cost: 2}}",
        "play: [rounds]",
        "triggers: {t: {after: rounds.act, do: []}}",
    ],
)
def test_accepted(validator: Schema, text: str) -> None:
    assert valid(validator, text)


@pytest.mark.parametrize(
    "text",
    [
        "verbs: {v: {do: [{hrt: pawn}]}}",
        "verbs: {v: {do: [{hurt: {two: pawn}}]}}",
        "verbs: {v: {do: [{hurt: {}}]}}",
        "verbs: {v: {do: [{lay: pawn}]}}",
        "verbs: {v: {do: [hurt]}}",
        "verbs: {v: {do: [{hurt: pawn, lay: {what: pawn, on: pawn}}]}}",
        "verbs: {v: {do: [{open: turn}]}}",
        "verbs: {v: {do: [{roll: d8}]}}",
        "cards: {frost: {kind: charm, origin: original, cost: 2, elemnt: ice}}",
        "cards: {frost: {kind: charm, origin: original, cost: two}}",
        "cards: {frost: {kind: charm, origin: original}}",
        "cards: {frost: {kind: charm, origin: original, cost: 2, element: air}}",
        "cards: {frost: {kind: charm, origin: original, cost: 2, needs: [{slot: air}]}}",
        "cards: {frost: {kind: token, origin: original}}",
        "zones: {bag: {holds: chram}}",
        "play: [round]",
        "modes: {other: {while: options.long_game, requires: [lng]}}",
    ],
)
def test_refused(validator: Schema, text: str) -> None:
    assert not valid(validator, text)


def test_what_an_editor_completes(names: PackNames) -> None:
    definitions = cast("dict[str, Json]", pack_schema(names)["definitions"])
    assert definitions["KindName"]["enum"] == ["charm", "need", "player", "token"]
    assert definitions["BareVerb"]["enum"] == ["bank", "night_falls"]
    assert definitions["RollName"]["enum"] == ["d6", "luck"]
    statement = next(form for form in definitions["Statement"]["anyOf"] if form.get("type") == "object")
    assert {"gain", "hurt", "lay", "bank"} <= set(statement["properties"])
    assert definitions["Call"]["properties"]["hurt"]["description"] == "{to} is hurt"
    assert {"cost", "element", "needs", "use"} <= set(definitions["item_of_charm"]["properties"])
    assert "rounds.act" in definitions["EventName"]["anyOf"][0]["enum"]
    assert "element or none" in definitions["TypeText"]["anyOf"][0]["enum"]


def test_written_the_same_each_time(names: PackNames) -> None:
    assert pack_schema(names) == pack_schema(names)


def test_a_pack_without_anything_is_the_language() -> None:
    schema = pack_schema(PackNames("Empty"))
    assert Schema(schema).accepts({"verbs": {"v": {"do": [{"hurt": "ann"}, "night_falls"]}}})
