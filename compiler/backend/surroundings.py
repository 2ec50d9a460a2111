"""What people see of tracks and maps, beside the numbers that the machine needs of them.

tracks: {days: {spaces: 0 to 7, marks: {dusk: {at: 5}}}}   ->  TrackRow("days", "line", 0, 7, (("dusk", 5),))
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.declare_maps import cell_place
from ludoloom.compiler.analysis.model import MapDecl
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.backend.unit import Unit
from ludoloom.runtime.image import MapRow, SpaceRow, TrackRow


def tracks(unit: Unit) -> list[TrackRow]:
    """The tracks with their named spaces, in rising order."""
    found: list[TrackRow] = []
    for track in unit.game.tracks.values():
        marks: list[tuple[str, int]] = []
        for mark in track.marks.values():
            at = unit.infer.value(mark.at, Scope(), t.Int())
            if at.op == "const":
                marks.append((mark.name, at.data))
        marks.sort(key=lambda mark: mark[1])
        found.append(TrackRow(track.name, track.shape, track.low, track.high, tuple(marks)))
    return found


def maps(unit: Unit) -> list[MapRow]:
    """The maps that are drawn or listed."""
    return [_map(board) for board in unit.game.maps.values() if board.spaces]


def _map(board: MapDecl) -> MapRow:
    placed = board.form == "listed" and all(space in board.centres for space in board.spaces)
    rows: list[SpaceRow] = []
    for thing, name in zip(board.spaces, board.space_ids, strict=True):
        at = board.centres.get(thing) if board.form == "listed" else cell_place(name.rpartition(".")[2])
        x, y = at or (0, 0)
        corners = board.outlines[thing].corners if thing in board.outlines else ((0, 0),)
        width = max(each for each, _ in corners) - min(each for each, _ in corners)
        height = max(each for _, each in corners) - min(each for _, each in corners)
        rows.append(SpaceRow(thing, x, y, width, height, tuple(board.links.get(thing, ()))))
    return MapRow(board.name, "placed" if placed else board.form, tuple(rows))
