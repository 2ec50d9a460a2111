"""A checker that was kept accepts what the models accept, and nothing else."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from ludoloom.compiler.analysis.cells import kind_specs
from ludoloom.compiler.analysis.declare import declare
from ludoloom.compiler.analysis.tree import GameTree, Pack, SourceFile
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.checkers import Checkers
from ludoloom.compiler.frontend.nodes import Map, plain
from ludoloom.compiler.frontend.read import read
from ludoloom.compiler.packs import load_game
from ludoloom.schemas import keys
from ludoloom.schemas.acts import Action
from ludoloom.schemas.base import Part, keys_of
from ludoloom.schemas.derive import ItemModels
from ludoloom.schemas.items import Item
from ludoloom.schemas.language import File
from ludoloom.schemas.ledger import Ledger
from ludoloom.schemas.quick import checker_of, data_of

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


def kept(model: type[Part]) -> Callable[[object], bool]:
    accepts(model)({})  # it is built when it is first used
    return checker_of(data_of(model.__pydantic_core_schema__))


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


def compare(model: type[Part], values: list[Any], seed: int, times: int) -> None:
    old, new, chance = accepts(model), kept(model), random.Random(seed)
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
    compare(File, values, 1, 25)


def test_ledgers() -> None:
    compare(Ledger, [*bare("content/*/rulebook.yaml"), *bare("tests/**/rulebook.yaml")], 2, 60)


@pytest.mark.parametrize("pack", ["content/boktor", "tests/games/press_luck", "tests/games/kuhn_poker"])
def test_items(pack: str) -> None:
    [tree] = load_game([str(ROOT / pack)], [], [], Bag())
    game = declare(tree, tree.combinations[0], Bag())
    models = ItemModels(kind_specs(game))
    for name in game.kinds:
        values = [plain(item.node) for item in game.items.values() if item.kind == name and item.node.entries][:12]
        if values:
            compare(models.item(name), [*values, {"strange": 1}], 3, 30)


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


@pytest.mark.parametrize("row", ["", "{", "[]", "{}", '{"type": "model"}', '{"type": "nonsense"}', '{"type": 3}'])
def test_a_damaged_row_means_the_model_is_asked(row: str) -> None:
    checkers = Checkers({"action": row})
    assert not checkers.accept("action", lambda: Action, {"strange": 1})
    assert checkers.accept("action", lambda: Action, {"do": [{"stop": "round"}]})


def test_what_was_kept_is_used_without_the_model() -> None:
    checkers = Checkers(keep=True)
    assert checkers.accept("action", lambda: Action, {"do": [{"stop": "round"}]})

    def never() -> type[Part]:
        raise AssertionError

    again = Checkers(checkers.filled() or {})
    assert again.accept("action", never, {"do": [{"stop": "round"}]})
    assert not again.accept("action", never, {"strange": 1})
    assert again.filled() is None


def test_the_compiler_knows_the_words_of_the_models() -> None:
    assert keys_of(Item) == keys.COMMON
    cards = File.model_fields["cards"].annotation
    assert {name for name, field in File.model_fields.items() if field.annotation == cards} == set(keys.ITEM_SECTIONS)
