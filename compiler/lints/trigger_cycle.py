"""`trigger-cycle`: triggers that make their own event or condition happen again, for ever.

    triggers: {echo: {after: shout, do: [shout]}}                             shout -> echo -> shout
    triggers: {up: {whenever: level == 1, do: [{set: {what: level, to: 2}}]},
               down: {whenever: level == 2, do: [{set: {what: level, to: 1}}]}}   level 1 -> 2 -> 1

The first form is a ring of sure steps (`calls.py`). The second is looked for where conditions ask a word of the game,
or a column of the thing itself, for one value, and the statements always set it to another that is asked for.
Whatever counts down, asks a player or tests something more is taken to end.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.analysis.uses import column_key
from ludoloom.compiler.backend.records import Watcher
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.frontend.nodes import Items, Map, Node
from ludoloom.compiler.lints.calls import HEAD, calls_of
from ludoloom.compiler.lints.unbounded_recursion import shown, way
from ludoloom.compiler.lints.whole import Whole

HINT = "let the trigger ask for something (`needs`) that it changes itself, or take one of the steps out"


def check(whole: Whole, bag: Bag) -> None:
    for unit in whole.units:
        for ring in calls_of(unit).rings():
            first = next((at for at, step in enumerate(ring) if step.source.startswith("trigger.")), None)
            if first is not None:
                ring = [*ring[first:], *ring[:first]]
                related = tuple(Related(step.span, shown(step)) for step in ring[1:])
                bag.add("trigger-cycle", ring[0].span, f"this never ends: {way(ring)}", HINT, related)
        _conditions(unit, bag)


@dataclass(frozen=True, slots=True)
class _Turn:
    """A trigger that waits for `word` to be `start` and always sets it to `to`."""

    watcher: Watcher
    word: str
    start: int
    to: int


def _conditions(unit: Unit, bag: Bag) -> None:
    turns = [turn for watcher in unit.watchers if (turn := _turn(unit, watcher)) is not None]
    done: set[str] = set()
    for first in turns:
        ring = [first]
        while len(ring) <= len(turns):
            last = ring[-1]
            found = [
                each for each in turns if each.word == last.word and each.start == last.to and each.start != each.to
            ]
            if not found:
                break
            if found[0] is first:
                if not done & {each.watcher.name for each in ring}:
                    _report(ring, bag)
                done |= {each.watcher.name for each in ring}
                break
            ring.append(found[0])


def _report(ring: list[_Turn], bag: Bag) -> None:
    names = " -> ".join(f"`{each.watcher.name}`" for each in [*ring, ring[0]])
    related = tuple(
        Related(each.watcher.node.span, f"`{each.watcher.name}` is started by the one before") for each in ring[1:]
    )
    bag.add("trigger-cycle", ring[0].watcher.node.span, f"these start each other for ever: {names}", HINT, related)


def _turn(unit: Unit, watcher: Watcher) -> _Turn | None:
    node = watcher.node
    condition = node.get("whenever")
    if watcher.end >= 0 or condition is None or any(key in node for key in (*HEAD, "roll")):
        return None
    kind = watcher.source.kind
    thing = E("var", t.Thing(kind), data=Var("self", t.Thing(kind))) if kind else None
    scope = Scope(self_=thing)
    asked = _asked(unit.quiet.value(condition, scope, t.Bool()), thing)
    if asked is None:
        return None
    to = _set_to(unit, node.get("do"), scope, thing, asked[0])
    return _Turn(watcher, asked[0], asked[1], to) if to is not None and to != asked[1] else None


def _asked(e: E, thing: E | None) -> tuple[str, int] | None:
    """The word and the value that a condition waits for."""
    if e.op == "not":
        inner = _word(e.args[0], thing)
        return (inner, 0) if inner is not None else None
    if e.op == "eq" and e.args[1].op == "const":
        word = _word(e.args[0], thing)
        return (word, e.args[1].data) if word is not None else None
    word = _word(e, thing)
    return (word, 1) if word is not None else None


def _word(e: E, thing: E | None) -> str | None:
    if e.op == "word":
        return str(e.data)
    if e.op == "column" and e.data.storage == "state" and thing is not None and e.args and e.args[0].data is thing.data:
        return column_key(e.data)
    return None


def _set_to(unit: Unit, block: Node | None, scope: Scope, thing: E | None, word: str) -> int | None:
    """To what constant a block always sets the word at last; None if it is not that simple."""
    found: int | None = None
    for statement in block.items if isinstance(block, Items) else ():
        inside = statement.get("set") if isinstance(statement, Map) else None
        what, to = (inside.get("what"), inside.get("to")) if isinstance(inside, Map) else (None, None)
        if what is None or to is None:
            return None
        e = unit.quiet.value(what, scope)
        if _word(e, thing) == word:
            value = unit.quiet.value(to, scope, e.type)
            found = value.data if value.op == "const" and isinstance(value.data, int) else None
    return found
