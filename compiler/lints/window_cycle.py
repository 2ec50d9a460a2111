"""`window-cycle`: a window that opens itself, before anything has happened.

    windows: {reactions: {opens: [before step], offers: [step], …}}      step -> reactions -> step

`before` an act opens the window when nothing of the act is done yet, so the same act is offered in it again, as legal
as it was. A window that opens after an act, or before something that an act comes to only after its cost, is no such
ring.
"""

from __future__ import annotations

from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.compiler.lints.whole import Whole


def check(whole: Whole, bag: Bag) -> None:
    for unit in whole.units:
        steps = _steps(unit)
        for name in unit.game.windows:
            ring = _ring(steps, name)
            if ring:
                names = " -> ".join(f"`{each}`" for each in [name, *(target for target, _ in ring)])
                related = tuple(Related(span, f"`{target}` opens because of this") for target, span in ring)
                hint = "offer other acts in it, or open it `after`"
                bag.add(
                    "window-cycle",
                    unit.game.places[f"windows.{name}"],
                    f"the window opens itself before anything is done: {names}",
                    hint,
                    related,
                )


def _steps(unit: Unit) -> dict[str, list[tuple[str, Span]]]:
    """From each window to those that open before an action that it offers, with the place of the offer."""
    found: dict[str, list[tuple[str, Span]]] = {}
    for name, node in unit.game.windows.items():
        for entry in _words(node.get("offers")):
            hooks = unit.hooks.get(entry.text)
            if entry.text in unit.game.actions and hooks is not None:
                found.setdefault(name, []).extend((opened, entry.span) for opened in hooks.opens_before)
    return found


def _ring(steps: dict[str, list[tuple[str, Span]]], start: str) -> list[tuple[str, Span]]:
    """The shortest way from a window back to itself."""
    ways: list[list[tuple[str, Span]]] = [[step] for step in steps.get(start, [])]
    seen: set[str] = set()
    for way in ways:
        at = way[-1][0]
        if at == start:
            return way
        if at not in seen:
            seen.add(at)
            ways += [[*way, step] for step in steps.get(at, [])]
    return []


def _words(node: Node | None) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    assert not isinstance(node, Map)
    return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, Items) else []
