"""`never-called`, `never-offered`: acts, phases, windows, verbs and rolls that nothing runs, opens, offers or calls.

    verbs: {heal: {…}}      and no statement says `heal:`

What only one mode uses is used.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.lints.whole import Whole


def check(whole: Whole, bag: Bag) -> None:
    if whole.played:
        whole.everywhere(bag, _never)


def _never(unit: Unit) -> Iterable[Diagnostic]:
    game, called = unit.game, unit.called
    for name, node in game.actions.items():
        if f"action.{name}" not in called:
            message = f"no window offers the action `{name}`"
            yield Diagnostic("never-offered", node.span, message, "add it to the `offers` of a window")
    for name, node in game.phases.items():
        if f"phase.{name}" not in called:
            message = f"the phase `{name}` is never run"
            yield Diagnostic("never-called", node.span, message, f"add it to `play`, or `run: {name}`")
    for name, node in game.windows.items():
        if f"window.{name}" not in called:
            message = f"the window `{name}` is never opened"
            yield Diagnostic("never-called", node.span, message, f"write `open: {name}`, or `opens: [before …]`")
    for what, family in (("verb", game.verbs), ("roll", game.rolls)):
        for name, node in family.items():
            if f"{what}.{name}" not in called:
                hint = f"call it: `{name}: …`" if what == "verb" else f"use it: `roll: {{{name}: …}}`"
                yield Diagnostic(
                    "never-called", node.span, f"the {what} `{name}` is never used", f"{hint}, or take it out"
                )
    for kind in game.kinds.values():
        for act, node in kind.acts.items():
            used = any(item.kind == kind.name for item in game.items.values())
            if used and not any(f"act.{base}.{act}" in called for base in _bases(unit, kind.name)):
                message = f"no window offers `{kind.plural}.{act}`"
                yield Diagnostic("never-offered", node.span, message, "add it to the `offers` of a window")


def _bases(unit: Unit, kind: str) -> list[str]:
    found: list[str] = []
    while kind and kind in unit.game.kinds:
        found.append(kind)
        kind = unit.game.kinds[kind].base
    return found
