"""Finding packs by path and id, merging them, and the combinations of modes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludoloom.compiler.analysis.declare import declare
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Map, plain
from ludoloom.compiler.packs import PackNotFound, load_game
from ludoloom.compiler.versions import meets, parse_range, parse_version

DeclareFiles = Callable[..., Any]

BASE = "pack: {id: base, version: 1.2.0, title: Base, players: 2}\nstate: {gold: {is: 0 to 9, start: 2}}\n"
MORE = """
pack: {id: more, version: 1.0.0, title: More, extends: {base: ">=1.0 <2"}}
patch: {state: {gold: {start: 5}}}
"""


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    for name, text in (("base/game.yaml", BASE), ("more/pack.yaml", MORE)):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def ids(names: list[str], shelf: Path, with_packs: tuple[str, ...] = ()) -> list[list[str]]:
    bag = Bag()
    trees = load_game(names, with_packs, [shelf], bag)
    assert [finding.message for finding in bag] == []
    return [[pack.id for pack in tree.packs] for tree in trees]


def test_a_name_is_an_id_or_a_path(shelf: Path) -> None:
    assert ids(["base"], shelf) == [["base"]]
    assert ids([str(shelf / "base")], shelf) == [["base"]]
    assert ids([str(shelf / "base" / "game.yaml")], shelf) == [["base"]]


def test_an_expansion_means_its_game_with_it(shelf: Path) -> None:
    assert ids(["more"], shelf) == [["base", "more"]]
    assert ids([str(shelf / "more")], shelf) == [["base", "more"]]


def test_with_adds_an_expansion(shelf: Path) -> None:
    assert ids(["base"], shelf, ("more",)) == [["base", "more"]]
    assert ids(["more"], shelf, ("more",)) == [["base", "more"]]


def test_a_folder_of_packs_gives_each(shelf: Path) -> None:
    assert ids([str(shelf)], shelf) == [["base"], ["base", "more"]]


def test_the_environment_names_folders_of_packs(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOLOOM_PACKS", str(shelf))
    bag = Bag()
    assert [tree.id for tree in load_game(["base"], [], [], bag)] == ["base"]


def test_a_miss_says_where_it_looked(shelf: Path) -> None:
    with pytest.raises(PackNotFound, match=r"no pack `bse` \(looked in .*, the shipped packs\); did you mean `base`"):
        load_game(["bse"], [], [shelf], Bag())
    with pytest.raises(PackNotFound, match="there is no such file or folder"):
        load_game([str(shelf / "bse")], [], [shelf], Bag())
    (shelf / "empty").mkdir()
    with pytest.raises(PackNotFound, match="no pack is there"):
        load_game([str(shelf / "empty")], [], [shelf], Bag())


def test_an_expansion_of_another_game(shelf: Path) -> None:
    (shelf / "other").mkdir()
    (shelf / "other" / "game.yaml").write_text(BASE.replace("base", "other").replace("Base", "Other"), encoding="utf-8")
    bag = Bag()
    trees = load_game(["other"], ["more"], [shelf], bag)
    assert [[pack.id for pack in tree.packs] for tree in trees] == [["other"]]
    assert [(finding.code, finding.span.file.endswith("more/pack.yaml")) for finding in bag] == [("other-game", True)]


def test_two_packs_of_one_id(shelf: Path) -> None:
    (shelf / "again").mkdir()
    (shelf / "again" / "pack.yaml").write_text(MORE, encoding="utf-8")
    bag = Bag()
    load_game([str(shelf / "more")], [str(shelf / "again")], [shelf], bag)
    assert [finding.code for finding in bag] == ["duplicate-id"]
    (finding,) = bag
    assert finding.related[0].span.file.endswith("more/pack.yaml")


def test_a_patched_value_keeps_all_its_places(shelf: Path) -> None:
    bag = Bag()
    (tree,) = load_game(["more"], [], [shelf], bag)
    game = declare(tree, (), bag)
    start = game.state["gold"].start
    assert start is not None
    assert (plain(start), start.span.file.endswith("more/pack.yaml"), start.span.line) == (5, True, 3)
    assert tree.file_names()[start.span.file] == "more/pack.yaml"
    places = tree.places["state.gold.start"]
    assert [Path(span.file).name for span in places] == ["game.yaml", "pack.yaml"]


def test_a_short_declaration_can_be_patched(declared: DeclareFiles) -> None:
    done = declared(
        {
            "base/game.yaml": "pack: {id: base, version: 1.0.0, title: Base, players: 2}\nstate: {gold: 0 to 9}\n",
            "more/pack.yaml": MORE,
        }
    )
    assert done.codes == []
    assert [plain(game.state["gold"].start) if game.state["gold"].start else None for game in done.games] == [None, 5]


def test_steps_and_rows_go_to_their_place(declared: DeclareFiles) -> None:
    done = declared(
        {
            "base/game.yaml": """
pack: {id: base, version: 1.0.0, title: Base, players: 2}
state: {gold: 0 to 9}
computed: {worth: {rows: {gold > 3: 2, else: 0}}}
phases: {round: {steps: {one: [look], two: [look], three: [look]}}}
play: [round]
""",
            "more/pack.yaml": """
pack: {id: more, version: 1.0.0, title: More, extends: {base: "1.0.0"}}
patch:
  computed: {worth: {rows: {gold > 2: 1}}}
  phases: {round: {steps: {four: {after: one, do: [look]}, three: {before: one, do: [wait]}}}}
replace: {play: [round, round]}
""",
        },
        names=("more",),
    )
    assert done.codes == []
    (game,) = done.games
    steps = game.phases["round"].get("steps")
    assert isinstance(steps, Map)
    assert [(name, plain(step)) for name, step in zip(steps.names(), (row[1] for row in steps), strict=True)] == [
        ("three", ["wait"]),
        ("one", ["look"]),
        ("four", ["look"]),
        ("two", ["look"]),
    ]
    worth = game.computed["worth"].formula
    assert isinstance(worth, Map)
    rows = worth.get("rows")
    assert isinstance(rows, Map)
    assert rows.names() == ("gold > 3", "gold > 2", "else")
    assert [word.text for word in game.play] == ["round", "round"]


def test_combinations(declared: DeclareFiles) -> None:
    done = declared(
        {
            "game.yaml": """
pack: {id: demo, version: 1.0.0, title: Demo, players: 2}
options:
  level: {one_of: [easy, middle, hard], start: middle, name: Level}
  long: {is: bool, name: Long}
state: {gold: 0 to 9}
modes:
  easy: {while: options.level == easy}
  hard: {while: options.level == hard, excludes: [long]}
  long: {while: options.long, patch: {state: {gold: 0 to 30}}}
"""
        }
    )
    assert done.codes == []
    (tree,) = done.trees
    assert tree.combinations == [(), ("easy",), ("hard",), ("long",), ("easy", "long")]
    highs = [plain(game.state["gold"].high) for game in done.games]
    assert highs == [9, 9, 9, 30, 30]


def test_a_link_out_of_the_pack_is_refused(tmp_path: Path, declared: DeclareFiles) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("enums: {color: [red]}\n", encoding="utf-8")
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "colors.yaml").symlink_to(outside)
    done = declared({"demo/game.yaml": "pack: {id: demo, version: 1.0.0, title: Demo, players: 2}\n"}, names=("demo",))
    assert done.codes == ["link-leaves-pack"]
    assert done.games[0].enums == {}


@pytest.mark.parametrize(
    ("version", "wanted", "met"),
    [
        ("1.2.0", ">=1.0 <2", True),
        ("2.0.0", ">=1.0 <2", False),
        ("1.0", "1.0.0", True),
        ("1.0.1", "==1.0", False),
        ("0.9", "<=0.9", True),
        ("1.10.0", ">1.9", True),
    ],
)
def test_versions(version: str, wanted: str, met: bool) -> None:
    number, tests = parse_version(version), parse_range(wanted)
    assert number is not None
    assert tests is not None
    assert meets(number, tests) is met


@pytest.mark.parametrize("text", ["", "one", "1.2.3.4", "-1", "1..2", ">=1.x", "> 1"])
def test_no_versions(text: str) -> None:
    assert parse_version(text) is None
    assert parse_range(text) is None
