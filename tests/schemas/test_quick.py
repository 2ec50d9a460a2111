"""A checker made of data accepts what the models accept, and nothing else."""

from __future__ import annotations

import copy
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import pytest

from ludoloom.compiler.analysis.cells import kind_specs
from ludoloom.compiler.analysis.declare import declare
from ludoloom.compiler.analysis.tree import GameTree, Pack, SourceFile
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Map, plain
from ludoloom.compiler.frontend.read import read
from ludoloom.compiler.packs import load_game
from ludoloom.compiler.pipeline import check
from ludoloom.schemas import keys, quick
from ludoloom.schemas.base import Part, keys_of
from ludoloom.schemas.cell_checks import ItemChecks
from ludoloom.schemas.derive import ItemModels
from ludoloom.schemas.items import Item
from ludoloom.schemas.language import File
from ludoloom.schemas.ledger import Ledger
from ludoloom.schemas.quick import checker_of, data_of, shipped
from ludoloom.schemas.specs import CellType, ColumnSpec, KindSpec

ROOT = Path(__file__).parents[2]
ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    10**12,
    "",
    "x",
    "x y",
    "3",
    "on success",
    [],
    ["x"],
    {},
    {"x": 1},
    {"do": []},
    1.5,
)


def accepts(model: type[Part]) -> Callable[[object], bool]:
    return model.__pydantic_validator__.isinstance_python


def remade(model: type[Part]) -> Callable[[object], bool]:
    accepts(model)({})  # it is built when it is first used
    return checker_of(json.loads(data_of(model.__pydantic_core_schema__)))


def bare(pattern: str) -> Iterator[Any]:
    for path in sorted(ROOT.glob(pattern)):
        tree = read(path.read_bytes(), "x", Bag())
        if tree is not None:
            yield plain(tree)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each place inside a value: what holds it, and its key there."""
    rows: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        rows = list(cast("dict[str, Any]", value).items())
    elif isinstance(value, list):
        rows = list(enumerate(cast("list[Any]", value)))
    for key, inner in rows:
        yield value, key
        yield from places(inner)


def change(value: Any, chance: random.Random) -> Any:
    """A copy with one or two things wrong, most likely."""
    value = copy.deepcopy(value)
    for _ in range(chance.randrange(1, 3)):
        found = list(places(value))
        if not found:
            break
        (holder, key), (other, there) = chance.choice(found), chance.choice(found)
        match chance.randrange(4):
            case 0:
                del holder[key]
            case 1:
                holder[key] = copy.deepcopy(chance.choice(ODD))
            case 2:
                holder[key] = copy.deepcopy(other[there])
            case _ if isinstance(holder, dict):
                cast("dict[str, Any]", holder)[str(there)] = holder[key]
                del holder[key]
            case _:
                pass
    return value


def compare(
    model: type[Part], checker: Callable[[object], bool] | None, values: list[Any], seed: int, times: int
) -> None:
    """Both say the same of the values, and of changed ones."""
    assert checker is not None
    old, new, chance = accepts(model), checker, random.Random(seed)
    right = wrong = 0
    for value in values:
        for number in range(times):
            tried = change(value, chance) if number else value
            answer = old(tried)
            assert new(tried) == answer, json.dumps(tried, default=str)[:2000]
            right, wrong = right + answer, wrong + (not answer)
    assert right
    assert wrong


def test_files() -> None:
    values = [
        *bare("tests/cases/schemas/**/*.yaml"),
        *bare("tests/games/*/*.yaml"),
        *bare("tests/cases/lower/*/*.yaml"),
    ]
    compare(File, shipped("file"), values, 1, 25)


def test_ledgers() -> None:
    values = [*bare("content/*/rulebook.yaml"), *bare("tests/**/rulebook.yaml")]
    compare(Ledger, shipped("ledger"), values, 2, 60)


PACKS = ["content/boktor", "content/boufbowl", "tests/games/press_luck", "tests/games/kuhn_poker"]


@pytest.mark.parametrize("pack", PACKS)
def test_items(pack: str) -> None:
    [tree] = load_game([str(ROOT / pack)], [], [], Bag())
    game = declare(tree, tree.combinations[-1], Bag())
    specs = kind_specs(game)
    models, checks = ItemModels(specs), ItemChecks(specs)
    for name in game.kinds:
        values = [cells(item) for item in game.items.values() if item.kind == name and item.node.entries][:12]
        if values:
            compare(models.item(name), remade(models.item(name)), [*values, {"strange": 1}], 3, 10)
            compare(models.item(name), checks.of(name), [*values, {"strange": 1}], 4, 30)


def cells(item: Any) -> dict[str, Any]:
    """What is checked with the kind; other keys of the item stand open."""
    return {key.text: plain(node) for key, node in item.node if key.text not in keys.COMMON}


COLUMNS: tuple[CellType, ...] = (
    CellType("int", low=0, high=9),
    CellType("int", missing=True),
    CellType("bool"),
    CellType("range"),
    CellType("text"),
    CellType("condition"),
    CellType("effect"),
    CellType("word", members=("x", "3")),
    CellType("word", missing=True, members=("x",)),
    CellType("word"),
    CellType("thing", missing=True, kinds=("demo",)),
    CellType("set", of=CellType("word", members=("x", "y"))),
    CellType("list", of=CellType("int")),
    CellType("table", key=CellType("word", members=("x", "y")), of=CellType("int")),
    CellType("table", key=CellType("range"), of=CellType("part", kinds=("inner",))),
    CellType("part", kinds=("inner",)),
    CellType("open"),
)
VALUES: tuple[Any, ...] = (
    *ODD,
    "none",
    "x\n",
    "0 to 2",
    "5+",
    "else",
    9,
    10,
    False,
    ["y", "x"],
    [1, 2],
    [True],
    {"x": 1, "y": 2},
    {"else": {"size": 1}},
    {"size": 2},
    {"size": 1, "again": {"size": "x"}},
    {"size": True},
    [{"stop": "round"}],
    [{"stop": 1}],
    {"rows": {"else": 1}},
)


@pytest.mark.parametrize("formula", [False, True])
@pytest.mark.parametrize("column", COLUMNS)
def test_each_kind_of_cell(column: CellType, formula: bool) -> None:
    inner = KindSpec(
        "inner",
        "part",
        (
            ColumnSpec("size", CellType("int"), True),
            ColumnSpec("again", CellType("part", kinds=("inner",)), False),
        ),
    )
    demo = KindSpec(
        "demo",
        "card",
        (ColumnSpec("cell", column, True, formula), ColumnSpec("back", column, True, formula, "dark")),
        ("light", "dark"),
        ("use",),
        ("stronger",),
    )
    specs = {"inner": inner, "demo": demo}
    model, checker = accepts(ItemModels(specs).item("demo")), ItemChecks(specs).of("demo")
    assert checker is not None
    good = {"do": [{"stop": "round"}]}
    for value in VALUES:
        right = {"cell": value, "dark": {"back": value}}
        items: list[Any] = [
            right,
            {**right, "dark": {"back": value, "text": "Words"}, "light": {"text": "Words"}},
            {**right, "use": value},
            {**right, "use": good, "stronger": {"x": 1}},
            {**right, "stronger": value},
            {"cell": value},
            {"cell": value, "dark": {}},
            {"cell": value, "dark": value},
            {"cell": value, "dark": {"back": value, "cell": value}},
            value,
        ]
        for item in items:
            assert checker(item) == model(item), (column, item)


def test_what_a_number_may_be_is_no_matter_of_an_act_s_shape() -> None:
    """`frontend/shape.py` looks once at acts that say the same apart from plain numbers."""
    text = (quick.FOLDER / "act.json").read_text(encoding="utf-8")
    assert not re.findall(r'"(ge|le|gt|lt|multiple_of)":', text)
    assert not re.findall(r'"expected":[^]]*[\[,]-?[0-9]', text)
    assert re.findall(r'"expected":[^]]*[\[,]"', text)


def test_the_same_models_give_the_same_text() -> None:
    program = (
        "from ludoloom.schemas.language import File; from ludoloom.schemas.quick import data_of; import hashlib;"
        "File.model_rebuild(); print(hashlib.sha256(data_of(File.__pydantic_core_schema__).encode()).hexdigest())"
    )
    found: set[str] = set()
    for seed in ("1", "2"):
        env = {"PYTHONPATH": str(ROOT / ".pypath"), "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
        found.add(done.stdout)
    assert len(found) == 1


def test_a_model_follows_from_its_kind_whatever_was_asked_for_before() -> None:
    text = """
pack: {id: demo, version: 1.0.0, title: Demo, players: 2}
kinds:
  leaf: {family: part, fields: {twig: twig or none, size: int}}
  twig: {family: part, fields: {leaf: leaf or none, length: int}}
  bush: {family: card, plural: bushes, fields: {leaf: leaf}}
  tree: {family: card, plural: trees, fields: {twig: twig}}
"""
    tree = read(text.encode(), "x", Bag())
    assert isinstance(tree, Map)
    section = tree.get("pack")
    assert isinstance(section, Map)
    pack = Pack("demo", "1.0.0", "Demo", Path(), "", tree.span, section, {}, [SourceFile("game.yaml", "x", tree)])
    specs = kind_specs(declare(GameTree("demo", [pack], tree), (), Bag()))
    first, second = ItemModels(specs), ItemModels(specs)
    one = [text_of(first.item(name)) for name in specs]
    two = [text_of(second.item(name)) for name in reversed(specs)]
    assert one == two[::-1]


def text_of(model: type[Part]) -> str:
    accepts(model)({})
    return data_of(model.__pydantic_core_schema__)


LATER = (
    "{hit: {to: active, amount: 3}}",
    '{hit: {to: active, amount: "3"}}',
    "{hit: {to: active, amount: yes_please}}",
    "{hit: {to: active, amout: 2}}",
    "{hit: [active, 2]}",
    "{gain: {what: active.luck, amount: true}}",
    "{gain: {what: active.luck, amount: 2, at_most: 1}}",
    "{gain: {waht: active.luck, amount: 2}}",
    "{repeat: {times: 2}, do: [stop]}",
    "{repeat: {tims: 2}, do: [stop]}",
    "{choose: {n: {from: 1 to 3, count: 0}}, then: []}",
    "[stop]",
    "3",
)


@pytest.mark.parametrize("later", LATER)
def test_an_act_after_a_right_one(later: str, tmp_path: Path) -> None:
    """Acts that say the same apart from plain numbers are looked at once; whatever comes later, the models agree."""
    rows = [
        "{hit: {to: active, amount: 2}}",
        "{gain: {what: active.luck, amount: 2}}",
        "{repeat: {times: 1}, do: [stop]}",
    ]
    text = """
pack: {id: demo, version: 1.0.0, title: Demo, players: 2}
kinds:
  hero: {family: player, plural: heroes, state: {luck: 0 to 9}}
  card: {family: card, plural: cards, acts: {use: {who: {hero: heroes}}}, variants: {strong: hero.luck > 2}}
  scroll: {family: card, plural: scrolls, acts: {use: {who: {hero: heroes}}, strong: {who: {hero: heroes}}}}
players: {ann: {kind: hero, origin: original}, bob: {kind: hero, origin: original}}
cards:
"""
    for number, do in enumerate([*rows, later]):
        kinds = ("card", "scroll") if number < len(rows) else ("scroll", "card")
        for kind in kinds:
            text += f"  {kind}_{number}x: {{kind: {kind}, origin: original, use: {{do: [{do}]}}}}\n"
    text += f"  last: {{kind: scroll, origin: original, use: {{do: []}}, strong: {{do: [{later}]}}}}\n"
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    found = [(row.code, row.span, row.message) for row in check([tmp_path]).bag.findings]
    with (
        patch("ludoloom.compiler.frontend.shape.shipped", return_value=None),
        patch.object(ItemChecks, "of", return_value=None),
    ):
        assert found == [(row.code, row.span, row.message) for row in check([tmp_path]).bag.findings]


def test_with_another_core_the_models_are_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert shipped("file") is not None
    quick.shipped.cache_clear()
    try:
        monkeypatch.setattr(quick, "CORE", "0.1")
        assert shipped("file") is None
        assert ItemChecks({"demo": KindSpec("demo", "card", acts=("use",))}).of("demo") is None
        assert not check([ROOT / "tests/games/press_luck"]).bag.findings
        monkeypatch.setattr(quick, "FOLDER", tmp_path)
        assert shipped("ledger") is None
    finally:
        quick.shipped.cache_clear()


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", "null", '{"core": 3}', '{"core": "CORE"}', '{"core": "CORE", "schema": []}',
     '{"core": "CORE", "schema": {"type": "nonsense"}}', '{"core": "CORE", "schema": {"type": "model"}}'],
)  # fmt: skip
def test_a_damaged_file_means_the_model_is_asked(text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    quick.shipped.cache_clear()
    try:
        monkeypatch.setattr(quick, "FOLDER", tmp_path)
        (tmp_path / "file.json").write_text(text.replace("CORE", quick.CORE), encoding="utf-8")
        assert shipped("file") is None
    finally:
        quick.shipped.cache_clear()


def test_what_is_right_is_found_right_without_pydantic() -> None:
    program = (
        "import sys; from pathlib import Path; from ludoloom.compiler.pipeline import check;"
        f"print(len(check([Path({str(ROOT / 'content')!r})]).bag.findings), 'pydantic' in sys.modules)"
    )
    env = {"PYTHONPATH": str(ROOT / ".pypath")}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "False"]


def test_the_compiler_knows_the_words_of_the_models() -> None:
    assert keys_of(Item) == keys.COMMON
    cards = File.model_fields["cards"].annotation
    assert {name for name, field in File.model_fields.items() if field.annotation == cards} == set(keys.ITEM_SECTIONS)
