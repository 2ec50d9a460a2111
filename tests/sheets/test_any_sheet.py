"""Whatever a sheet says within the shape of the language: findings or faces, never a traceback."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from valley import GAME, valley

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.pipeline import load
from ludoloom.compiler.sheets.faces import faces
from ludoloom.compiler.sheets.model import Colours, Ink, Wish
from ludoloom.schemas.sizes import SIZES, TEMPLATES

COLUMNS = {
    "charm": ["season", "cost", "reach"],
    "threat": ["strength", "season"],
    "errand": ["days", "prize"],
    "plate": ["season"],
    "hexplate": ["season"],
    "valley_map": ["terrain"],
    "traveller": ["guard", "health", "purse", "tired"],
    "chit": [],
    "field": ["terrain"],
    "town": [],
    "ghost": ["season"],
}
WORDS = {"season": ["summer", "winter", "spring"], "terrain": ["meadow", "rock", "lake"], "tired": ["true", "false"]}
SELDOM = st.integers(0, 11).map(lambda number: number == 0)
"""One in twelve: so much of what is made is right, and the rest is wrong in few places."""


def mostly(known: list[str], wrong: str) -> st.SearchStrategy[str]:
    return SELDOM.flatmap(lambda seldom: st.just(wrong) if seldom or not known else st.sampled_from(known))


ICONS = mostly(["harm", "heal", "coin", "sun"], "brust")
COLOURS = st.sampled_from(["#000000", "#ffffff", "#b3361e", "#2d5fa8"])
TEMPLATE = mostly([*TEMPLATES, "sheets/own.typ.j2"], "sheets/none.typ.j2")


def by_word(kind: str, values: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    """`{season: {summer: …}}`, for a column that holds words."""
    columns = [name for name in COLUMNS[kind] if name in WORDS]
    if not columns:
        return st.just({})
    return st.sampled_from(columns).flatmap(
        lambda name: st.dictionaries(mostly(WORDS[name], "autumn"), values, max_size=3).map(lambda rows: {name: rows})
    )


def sheet(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    names = mostly(COLUMNS[kind], "nothing")
    some = st.lists(names, max_size=3) if COLUMNS[kind] else st.just([])
    labels = st.dictionaries(names, st.sampled_from(["Price", "★", "{x}", ":harm:"]), max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "print": st.booleans(),
            "size": st.sampled_from([*SIZES, "1 x 1", "999.99 x 1.5", "63.5 x 88.9"]),
            "shape": st.sampled_from(["rectangle", "hexagon"]),
            "template": TEMPLATE,
            "back": st.just(False) | TEMPLATE,
            "front": st.sampled_from(["front", "back"]),
            "deck": st.sampled_from(["one", "two"]),
            "colour": COLOURS,
            "colours": by_word(kind, COLOURS),
            "icons": by_word(kind, ICONS),
            "labels": labels if COLUMNS[kind] else st.just({}),
            "corner": names,
            "mark": ICONS,
            "show": some,
            "line": st.sampled_from(["{season} card", "{nothing}{cost}", "{", "}{", "{}", "plain"]),
            "art": st.sampled_from(["art/{id}.png", "art/one.svg", "{id}.svg", "{oops}.png"]),
            "text_size": st.sampled_from(["6 to 9", "9 to 6", "0 to 0", "-3 to 200", 8]),
        },
    )


SHEETS = st.lists(mostly([name for name in COLUMNS if name != "ghost"], "ghost"), min_size=1, max_size=3, unique=True)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    sheets=SHEETS.flatmap(lambda kinds: st.fixed_dictionaries({kind: sheet(kind) for kind in kinds})),
    ink=st.sampled_from(["full", "low"]),
    colours=st.sampled_from(["rgb", "grey", "cmyk"]),
)
def test_any_sheet(sheets: dict[str, dict[str, Any]], ink: Ink, colours: Colours) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = {"sheets/own.typ.j2": "#{{ title }} {% for c in cells %}#{{ c.label }}{% endfor %}"}
        # JSON is YAML, and strict YAML too
        pack = valley(Path(folder), files, game=GAME, sheets=json.dumps({"sheets": sheets}))
        checked = load([str(pack)])
        if checked.bag.failed:
            return
        bag = Bag()
        made = faces(checked.games[0].tree, Wish(ink=ink, colours=colours), bag)
        assert made.printables or bag.findings or all(each.get("print") is False for each in sheets.values())
        keys = [face.key for face in made.unique()]
        assert len(keys) == len(set(keys))
