"""The manual is true: its examples are checked and played, its lists are compared with the tables of the code.

In `docs/language.md` a fence is marked by what stands behind `yaml`:

    game.yaml                a complete pack: it checks without any finding
    game.yaml play           and random games of it come to an end
    beekeepers/game.yaml     a file of the game that grows through the page: a later fence of that name takes the place
                             of an earlier one, and at the end of each chapter all packs written so far are checked,
                             played, and their scenarios run
    fragment                 a part of a pack (sections) or a list of statements: it is read and its keys are known
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from ludoloom.compiler.analysis import members, names
from ludoloom.compiler.cli.main import COMMANDS
from ludoloom.compiler.cli.scenarios import run_scenarios
from ludoloom.compiler.diagnostics.codes import CODES
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.frontend.nodes import Map
from ludoloom.compiler.frontend.read import read
from ludoloom.compiler.frontend.shape import check_shape
from ludoloom.compiler.pipeline import Checked, load
from ludoloom.runtime.image import Image
from ludoloom.runtime.simulate import simulate
from ludoloom.schemas.base import keys_of
from ludoloom.schemas.keys import COMMON, ROLL_SECTIONS, SECTIONS
from ludoloom.schemas.language import File
from ludoloom.schemas.statements import CORE_VERBS

MANUAL = Path(__file__).resolve().parents[2] / "docs" / "language.md"
FENCE = re.compile(r"^```(?P<mark>[^\n`]*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
MOST = 2_000
"""Decisions of a random game."""


@dataclass(frozen=True, slots=True)
class Fence:
    """An example: the words behind ```` ``` ````, the text, the line in the manual, the chapter."""

    mark: tuple[str, ...]
    text: str
    line: int
    chapter: int


def fences() -> list[Fence]:
    page = MANUAL.read_text(encoding="utf-8")
    found: list[Fence] = []
    for match in FENCE.finditer(page):
        before = page[: match.start()]
        chapter = len(re.findall(r"^## ", before, re.MULTILINE))
        found.append(Fence(tuple(match["mark"].split()), match["text"], before.count("\n") + 1, chapter))
    return found


YAML = [fence for fence in fences() if fence.mark[:1] == ("yaml",)]
GROWING = [fence for fence in YAML if "/" in fence.mark[1]]
WHOLE = [fence for fence in YAML if fence.mark[1] == "game.yaml"]
FRAGMENTS = [fence for fence in YAML if fence.mark[1] == "fragment"]


def by_line(fence: Fence) -> str:
    return f"line {fence.line}"


def told(findings: list[Diagnostic]) -> list[str]:
    return [f"{row.span.file}:{row.span.line}: {row.code}: {row.message} {row.hint}" for row in findings]


def sound(checked: Checked) -> list[Image]:
    """The images of packs in which nothing was found."""
    assert told(checked.bag.findings) == []
    images = [game.image for game in checked.games]
    assert all(images)
    return [image for image in images if image is not None]


def plays(image: Image) -> None:
    for players in sorted({image.players[0], image.players[1]}):
        summary = simulate(image, 5, players=players, seed=1, decisions=MOST, fast=False)
        assert not summary.faults, summary.faults
        assert not summary.unfinished, "random games come to an end"


def test_every_example_says_what_it_is() -> None:
    assert [by_line(fence) for fence in YAML if fence not in [*GROWING, *WHOLE, *FRAGMENTS]] == []
    assert min(len(GROWING), len(WHOLE), len(FRAGMENTS)) >= 8


@pytest.mark.parametrize("fence", WHOLE, ids=by_line)
def test_a_complete_pack_checks_and_plays(fence: Fence, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(fence.text, encoding="utf-8")
    (image,) = sound(load([str(tmp_path)]))
    if "play" in fence.mark:
        plays(image)


@pytest.mark.parametrize("chapter", sorted({fence.chapter for fence in GROWING}), ids=lambda n: f"chapter {n}")
def test_the_game_that_grows(chapter: int, tmp_path: Path) -> None:
    """All files up to the end of the chapter, the newest of each name."""
    packs: dict[str, bool] = {}
    for fence in GROWING:
        if fence.chapter <= chapter:
            path = tmp_path / fence.mark[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(fence.text, encoding="utf-8")
            packs[path.relative_to(tmp_path).parts[0]] = True
    for pack in packs:
        checked = load([str(tmp_path / pack)], packs_dirs=[tmp_path], scenarios=True)
        (image,) = sound(checked)
        plays(image)
        assert told(run_scenarios(checked.games[0], lambda _name, _place: True).findings) == []


@pytest.mark.parametrize("fence", FRAGMENTS, ids=by_line)
def test_a_fragment_is_read_and_its_keys_are_known(fence: Fence) -> None:
    text = fence.text
    if text.startswith("- "):
        text = "verbs:\n  example:\n    do:\n" + "".join(f"      {line}\n" for line in text.splitlines())
    bag = Bag()
    tree = read(text.encode(), "fragment.yaml", bag)
    assert told(bag.findings) == []
    assert isinstance(tree, Map)
    check_shape(tree, "fragment.yaml", bag)
    assert told(bag.findings) == []


# --- lists ------------------------------------------------------------------------------------------------------------
def listed(name: str) -> list[str]:
    """The words in code marks of the list or table behind `<!-- list: name -->`: of a table the first column."""
    page = MANUAL.read_text(encoding="utf-8")
    assert f"<!-- list: {name} -->" in page
    block = page.split(f"<!-- list: {name} -->", 1)[1].strip("\n").split("\n\n")[0]
    rows = block.split("\n")
    if rows[0].startswith("|"):
        block = "\n".join(row.split("|")[1] for row in rows[2:])
    return re.findall(r"`([^`\n]+)`", block)


def test_commands() -> None:
    assert sorted(listed("commands")) == sorted(command.name for command in COMMANDS)


def test_core_verbs() -> None:
    assert sorted(listed("core verbs")) == sorted(CORE_VERBS)


def test_sections_of_a_file() -> None:
    assert sorted(listed("sections")) == sorted(keys_of(File))


def test_families() -> None:
    assert sorted(listed("families")) == sorted(names.FAMILIES)


def test_keys_of_an_item() -> None:
    assert sorted(listed("keys of an item")) == sorted(COMMON)


def test_sections_of_an_act_in_their_order() -> None:
    assert listed("sections of an act") == list(SECTIONS)


def test_sections_of_a_roll_in_their_order() -> None:
    assert listed("sections of a roll") == list(ROLL_SECTIONS)


def test_reserved_words() -> None:
    assert sorted(listed("reserved words")) == sorted(names.BARE)
    assert sorted(listed("reserved behind a dot")) == sorted(names.DOTTED)
    assert sorted(listed("reserved types")) == sorted(names.TYPES)


def test_members_of_sets_and_places() -> None:
    sets = {word.removesuffix("(…)") for word in listed("members of sets")}
    assert {*members.OF_SETS, *members.OF_SETS_CALLED, "only"} == sets
    places = {word.removesuffix("(…)") for word in listed("members of places")}
    assert {*members.OF_PLACES, *members.OF_PLACES_CALLED} == places


def test_every_code_that_is_named_exists() -> None:
    page = MANUAL.read_text(encoding="utf-8")
    lists = [block for block in page.split("\n\n") if block.startswith("Findings:")]
    assert len(lists) > 10
    named = {code for block in lists for code in re.findall(r"`([a-z-]+)`", block)}
    assert sorted(named - set(CODES)) == []
