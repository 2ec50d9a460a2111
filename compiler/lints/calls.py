"""What always follows from what: the calls that are made whatever the state of the game.

    verbs: {a: {do: [b]}, b: {do: [{if: …, then: [a]}]}}      a -> b, and nothing from b

A step is sure if nothing stands before it that could hold it back: no needs, choices, cost or roll in the head, no
condition, loop or question around it, and nothing that could have stopped the act earlier. A ring of sure steps never
ends, so each ring found here is a mistake; what a state, a player or a die can end is not in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ludoloom.compiler.backend.records import Trigger
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.verbs import BESIDE, CORE
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span

HEAD = ("needs", "choose", "cost")
ENDS = ("stop", "give", "cancel")


@dataclass(frozen=True, slots=True)
class Step:
    """From `source` to `target`, both as ``verb.heal`` or ``trigger.soften``; `span` is where it says so."""

    source: str
    target: str
    span: Span


@dataclass(slots=True)
class Calls:
    """All sure steps of a game."""

    steps: dict[str, list[Step]] = field(default_factory=dict[str, list[Step]])
    places: dict[str, Span] = field(default_factory=dict[str, Span])

    def add(self, source: str, target: str, span: Span) -> None:
        self.steps.setdefault(source, []).append(Step(source, target, span))

    def rings(self) -> list[list[Step]]:
        """Each ring once, from its first step on."""
        found: list[list[Step]] = []
        done: set[str] = set()
        for root in self.steps:
            if root in done:
                continue
            way: list[Step] = []
            stack: list[tuple[str, int]] = [(root, 0)]
            while stack:
                at, number = stack.pop()
                following = self.steps.get(at, [])
                if number == 0:
                    done.add(at)
                if number >= len(following):
                    if way:
                        way.pop()
                    continue
                stack.append((at, number + 1))
                step = following[number]
                on_the_way = [node for node, _ in stack]
                if step.target in on_the_way:
                    start = on_the_way.index(step.target)
                    found.append([*way[start:], step])
                elif step.target not in done:
                    way.append(step)
                    stack.append((step.target, 0))
        return found


def calls_of(unit: Unit) -> Calls:
    """The sure steps between verbs, rolls, phases and triggers."""
    game, calls = unit.game, Calls()
    for family, acts in (("verb", game.verbs), ("roll", game.rolls)):
        for name, node in acts.items():
            calls.places[f"{family}.{name}"] = node.span
            _act(unit, calls, f"{family}.{name}", node)
    for name, node in game.phases.items():
        calls.places[f"phase.{name}"] = node.span
        if "turns" not in node:
            _act(unit, calls, f"phase.{name}", node)
    for target, hooks in unit.hooks.items():
        family = "verb" if target in game.verbs else "roll" if target in game.rolls else ""
        if not family:
            continue
        for trigger in [*hooks.before, *hooks.instead_of[:1], *hooks.after]:
            name = trigger_key(trigger)
            calls.places[name] = trigger.node.span
            # A thing that carries a trigger must be in play; nothing says that it always is.
            if not trigger.source.kind:
                calls.add(f"{family}.{target}", name, trigger.node.span)
                if name not in calls.steps:
                    _act(unit, calls, name, trigger.node)
    return calls


def trigger_key(trigger: Trigger) -> str:
    return f"trigger.{trigger.name}"


def _act(unit: Unit, calls: Calls, name: str, node: Map) -> None:
    if any(key in node for key in HEAD):
        return
    rolled = node.get("roll")
    if rolled is not None:
        _roll(unit, calls, name, rolled)
        if any(key.text.startswith("on ") and _may_end(value) for key, value in node):
            return
    if not _block(unit, calls, name, node.get("do")):
        return
    steps = node.get("steps")
    for _, block in steps if isinstance(steps, Map) else ():
        if not _block(unit, calls, name, block):
            return


def _roll(unit: Unit, calls: Calls, name: str, rolled: Node) -> None:
    word = rolled.entries[0][0] if isinstance(rolled, Map) and rolled.entries else rolled
    if isinstance(word, Scalar) and word.text in unit.game.rolls:
        calls.add(name, f"roll.{word.text}", word.span)


def _block(unit: Unit, calls: Calls, name: str, block: Node | None) -> bool:
    """Note the sure steps of a block; False if what comes after it may not be reached."""
    if not isinstance(block, Items):
        return True
    for statement in block.items:
        verb, argument, key = _verb(statement)
        if verb in ENDS:
            return False
        if verb in unit.game.verbs:
            calls.add(name, f"verb.{verb}", key)
        elif verb == "roll" and argument is not None:
            _roll(unit, calls, name, argument)
        elif verb == "run" and isinstance(argument, Scalar) and argument.text in unit.game.phases:
            calls.add(name, f"phase.{argument.text}", key)
        elif verb == "group" and not _block(unit, calls, name, argument):
            return False
        if isinstance(statement, Map) and _may_end(statement):
            return False
    return True


def _verb(statement: Node) -> tuple[str, Node | None, Span]:
    if isinstance(statement, Scalar):
        return statement.text, None, statement.span
    if isinstance(statement, Map):
        for key, value in statement:
            if key.text in CORE or (key.text not in BESIDE and not key.text.startswith("on ")):
                return key.text, value, key.span
    return "", None, statement.span


def _may_end(node: Node) -> bool:
    """Whether something inside ends the act, or lets a player or another act do so."""
    if isinstance(node, Items):
        return any(_may_end(item) or (isinstance(item, Scalar) and item.text in ENDS) for item in node.items)
    if isinstance(node, Map):
        return any(key.text in (*ENDS, "open") or _may_end(value) for key, value in node)
    return False
