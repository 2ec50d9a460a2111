"""Whatever an author writes, declaring it ends in findings, never in a traceback: real packs with random damage."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ludoloom.compiler.analysis.declare import declare
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.compiler.packs import Library, load_game, merge_game

GAMES = Path(__file__).parent.parent / "games"
SPAN = Span("x.yaml", 1, 1, 1, 2)
WHOLE = """
pack: {id: demo, version: 1.0.0, title: Demo, players: 2, incomplete: [all]}
enums: {ground: [moor, hill], hit: [near, far]}
options: {level: {one_of: [easy, hard], start: hard, name: Level}, long: {is: bool, name: Long}}
modes:
  long: {while: options.long, requires: [hard], patch: {state: {gold: 0 to 9}}}
  hard: {while: options.level == hard}
state: {gold: 0 to 3}
computed: {rich: gold > 2}
kinds:
  side: {family: player, plural: sides, zones: {hand: {holds: spell, max: 3}}}
  isle: {family: map, spaces: land}
  cave: {family: map}
  land: {family: space, plural: lands, fields: {ground: ground}}
  hall: {family: tile, fields: {paths: int}}
  blow: {family: part, fields: {power: int}}
  foe:
    {family: piece, plural: foes, stands_on: land, faces: [back, front], state: {health: 0 to size},
     fields: {front: {role: int}, size: {is: int, default: 1}}, zones: {bag: {holds: foe}}, alike: [size]}
  boss: {is_a: foe, fields: {blows: list of blow, by_hit: table of hit to blow}}
  spell:
    {family: card, plural: spells, owner: side, starts_in: owner.hand, acts: {use: {do: [look]}}, variants: {hot: rich}}
players: {white: {kind: side, origin: original}, black: {kind: side, origin: original}}
pieces:
  cat: {kind: foe, origin: printed, stand_in: [size], copies: 3, front: {role: 2}, starts_in: home.a1}
  king: {kind: boss, origin: original, blows: [{power: 1}], by_hit: {near: {power: 2}}}
cards:
  spark:
    {kind: spell, origin: original, owner: white, use: {do: [look]}, hot: {x: 1}, values: {x: 2}, text: "{x}"}
tiles: {start: {kind: hall, origin: original, paths: 3}}
maps:
  home: {kind: isle, origin: original, legend: {m: moor, h: hill}, drawing: ["m h", "h m"], at: {b2: {leads_to: town}}}
  town: {kind: isle, origin: original, spaces: {a: {ground: moor, links: [b]}, b: {ground: hill, links: [a]}}}
  deep: {kind: cave, origin: original, grows_with: hall, grid: 5 x 4, joins: paths, turns: quarter, first: {start: c2}}
zones: {deck: {holds: [spell, foe], order: pile, refill: {from: spent}}, spent: {holds: [spell, foe], order: pile}}
tracks: {days: {origin: original, shape: loop, spaces: 0 to 9, start: noon, marks: {noon: {at: 4}}}}
dice: {d6: {origin: original, faces: 1 to 6}, coin: {origin: original, faces: [{side: heads, times: 2}, {side: tails}]}}
counts: {all: {of: foes.where(size == 1) + spark, is: 5}}
facts: {cat.copies: 3, days.start: noon}
play: [round]
phases: {round: {steps: {one: [look]}}}
"""


def scalar(value: str | int | bool | None) -> Scalar:
    return Scalar(SPAN, value, "" if value is None else str(value), True)


def strange(pick: random.Random) -> Node:
    """Something that stands where it should not."""
    values: list[Node] = [
        scalar(None), scalar(True), scalar(-1), scalar(2**31 - 1), scalar(""), scalar("none"), scalar("a.b.c"),
        scalar("0 to 7"), scalar("7 to x"), scalar("list of set of int"), scalar("table of x"), scalar("("),
        scalar("foes.where(size)"), scalar("self"),
        Items(SPAN, ()), Items(SPAN, (scalar(1), Items(SPAN, (scalar("x"),)))), Map(SPAN, ()),
        Map(SPAN, ((scalar("is"), scalar("foe")), (scalar("rows"), scalar(3)))),
    ]  # fmt: skip
    return pick.choice(values)


def damage(node: Node, pick: random.Random, rate: float) -> Node:
    """The tree with some nodes replaced, some taken out, some keys renamed."""
    if pick.random() < rate:
        return strange(pick)
    if isinstance(node, Items):
        return Items(node.span, tuple(damage(one, pick, rate) for one in node.items if pick.random() > rate))
    if isinstance(node, Map):
        rows: dict[str, tuple[Scalar, Node]] = {}
        for key, value in node:
            if pick.random() < rate / 2:
                continue
            name = scalar(pick.choice(["self", "x", "kind", "is_a", "", "7"])) if pick.random() < rate / 2 else key
            rows[name.text] = (name, damage(value, pick, rate))
        return Map(node.span, tuple(rows.values()))
    return node


@pytest.mark.parametrize("seed", range(12))
def test_damaged_packs_give_findings_only(tmp_path: Path, seed: int) -> None:
    (tmp_path / "game.yaml").write_text(WHOLE, encoding="utf-8")
    bag = Bag()
    for tree in load_game([str(tmp_path)], [], [], bag):
        for modes in tree.combinations:
            declare(tree, modes, bag)
    assert {finding.code for finding in bag} == {"count-complete"}
    pick = random.Random(seed)
    found = 0
    for _ in range(40):
        bag = Bag()
        pack = Library([], [], bag).pack(tmp_path)
        assert pack is not None
        for file in pack.files:
            assert file.tree is not None
            broken = damage(file.tree, pick, pick.choice([0.01, 0.03, 0.1]))
            file.tree = broken if isinstance(broken, Map) else None
        tree = merge_game([pack], bag)
        for modes in tree.combinations:
            declare(tree, modes, bag)
        found += len(bag.findings)
    assert found > 20
