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
    for name in game.actions:
        if f"action.{name}" not in called:
            place, message = game.places[f"actions.{name}"], f"no window offers the action `{name}`"
            yield Diagnostic("never-offered", place, message, "add it to the `offers` of a window")
    for name in game.phases:
        if f"phase.{name}" not in called:
            place, message = game.places[f"phases.{name}"], f"the phase `{name}` is never run"
            yield Diagnostic("never-called", place, message, f"add it to `play`, or `run: {name}`")
    for name in game.windows:
        if f"window.{name}" not in called:
            place, message = game.places[f"windows.{name}"], f"the window `{name}` is never opened"
            yield Diagnostic("never-called", place, message, f"write `open: {name}`, or `opens: [before …]`")
    for what, family in (("verb", game.verbs), ("roll", game.rolls)):
        for name in family:
            if f"{what}.{name}" not in called:
                hint = f"call it: `{name}: …`" if what == "verb" else f"use it: `roll: {{{name}: …}}`"
                place, message = game.places[f"{what}s.{name}"], f"the {what} `{name}` is never used"
                yield Diagnostic("never-called", place, message, f"{hint}, or take it out")
    yield from _acts(unit)


def _acts(unit: Unit) -> Iterable[Diagnostic]:
    """Acts of kinds: those that no window offers, and those that no item has."""
    game = unit.game
    used, written = {item.kind for item in game.items.values()}, _written(unit)
    for kind in game.kinds.values():
        base = game.kinds.get(kind.base)
        for act, place in kind.act_places.items():
            if kind.name in used and not any(f"act.{each}.{act}" in unit.called for each in _bases(unit, kind.name)):
                message = f"no window offers `{kind.plural}.{act}`"
                yield Diagnostic("never-offered", place, message, "add it to the `offers` of a window")
            elif act not in (base.acts if base is not None else ()) and (kind.name, act) not in written:
                message = f"nothing of the kind `{kind.name}` has the act `{act}`, so nobody is ever offered it"
                hint = f"write `{act}: {{…}}` in what has it, or `{act}: {{}}` where the kind says all"
                if any(kind.name in _bases(unit, each) for each in used):
                    yield Diagnostic("never-offered", place, message, hint)


def _written(unit: Unit) -> set[tuple[str, str]]:
    """The acts that items write, under their kind and the kinds on which it is built."""
    found = {(item.kind, act) for item in unit.game.items.values() for act in item.acts}
    return {(base, act) for kind, act in found for base in _bases(unit, kind)}


def _bases(unit: Unit, kind: str) -> list[str]:
    found: list[str] = []
    while kind and kind in unit.game.kinds:
        found.append(kind)
        kind = unit.game.kinds[kind].base
    return found
