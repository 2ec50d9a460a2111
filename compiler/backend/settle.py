"""Settle points: after each statement that changed something, what waits for a change is asked.

A statement says which columns, places or faces it writes; only watchers (`watchers`) whose condition reads one of
these are tested, in one procedure for each such group of watchers.
"""

from __future__ import annotations

from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.backend.proc import Proc
from ludoloom.compiler.backend.unit import Unit
from ludoloom.runtime import isa

PLACES, FACES = "places", "faces"


def key_of(e: E) -> str:
    """The key of what a statement writes."""
    if e.op == "word":
        return str(e.data)
    if e.op == "column":
        return f"{e.data.kind}.{e.data.face}.{e.data.name}"
    return PLACES


def settle(unit: Unit, proc: Proc, writes: set[str] | None) -> None:
    """A settle point after a statement that wrote these keys (None: anything)."""
    concerned = tuple(place for place, watcher in enumerate(unit.watchers) if writes is None or watcher.reads & writes)
    if concerned:
        proc.put(isa.SETTLE, unit.makers.settle(unit, concerned).number)
