"""What a table knows of the steps between spaces is what a loop over them finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ludoloom.compiler.backend import sets, tallies
from ludoloom.compiler.pipeline import load
from ludoloom.runtime.game import Game

PACK = """
pack: {id: demo, version: 1.0.0, title: Demo, players: 2}
enums: {ground: [grass, rock, water]}
kinds:
  board: {family: map, plural: boards, spaces: field}
  field:
    family: space
    plural: fields
    fields: {ground: ground}
    computed:
      two_away: fields.where(it.distance(self) == 2).count
      from_here: fields.where(self.distance(it) == 1 and ground == grass).count
      rocks_in_line: fields.where(ground == rock and it.line(self) == 2).count
      none_in_line: fields.where(it.line(self) is none).count
      both: fields.where(it.distance(self) == 2 and it.line(self) == 2).count
      some_rock: fields.where(it.distance(self) == 3 and ground == rock).any
      anyone: fields.where(it.distance(self) == 4).any
      of_links: self.links.where(it.distance(self) == 1).count
      rest: fields.where(it.distance(self) == 1 or it.line(self) == 2).count
maps:
  board:
    kind: board
    origin: original
    links: orthogonal
    legend: {g: grass, r: rock, w: water}
    drawing: ["g r g", "r g g", "g g r", "w g w"]
play: [rounds]
phases:
  rounds:
    turns: {of: players, order: clockwise}
    steps:
      look:
        - choose: {field: {from: fields.where(some_rock or anyone), by: active}}
          then: [{see: field}]
verbs:
  see:
    says: "{field}"
    with: {field: field}
    do:
      - let: {seen: field.two_away + field.from_here + field.rocks_in_line + field.none_in_line + field.both}
      - if: seen + field.of_links + field.rest > 99
        then: [{stop: rounds}]
end: {done: {whenever: fields.where(anyone).count > 99, winners: none}}
"""


def seen(folder: Path) -> dict[str, Any]:
    """The formulas of all spaces, as a game shows them."""
    checked = load([str(folder)])
    image = checked.games[0].image
    assert image is not None, checked.bag.findings
    return Game.new(image, fast=False).view()["things"]


def test_tables_know_what_loops_find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "game.yaml").write_text(PACK, encoding="utf-8")
    by_table = seen(tmp_path)
    looked_at: list[str] = []

    def unchanged(values: Any, where: Any, slot: Any, universe: Any) -> Any:
        looked_at.append(where.op)
        return where.data[1]

    monkeypatch.setattr(sets, "narrow", unchanged)
    monkeypatch.setattr(tallies, "narrow", unchanged)
    assert seen(tmp_path) == by_table
    assert len(looked_at) > 5
    middle = by_table["board.b2"]
    assert (middle["two_away"], middle["from_here"], middle["rocks_in_line"], middle["both"]) == (5, 2, 0, 1)
