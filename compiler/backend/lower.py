"""From the declared game to procedures: everything that the game says is typed and lowered once.

Order: modifiers and hooks are collected first, because what they lie round is lowered with them; then the watchers,
because every statement that writes asks them; then the road of play, and last whatever nothing on that road uses, so
that it is checked too.
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.formula_order import in_order
from ludoloom.compiler.analysis.infer import Infer
from ludoloom.compiler.analysis.model import Game
from ludoloom.compiler.backend import modifiers, triggers, watchers
from ludoloom.compiler.backend.acts import action_of, card_act, verb_core, verb_of
from ludoloom.compiler.backend.formulas import formula, printed
from ludoloom.compiler.backend.goals import goals_of
from ludoloom.compiler.backend.layout import Layout
from ludoloom.compiler.backend.phases import main_of, phase_of, turns_of
from ludoloom.compiler.backend.rolls import roll_of
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.windows import window_of
from ludoloom.compiler.diagnostics.model import Bag


class Layers:
    """What statements ask for by name, from the modules that are made of statements (`unit.Makers`)."""

    hooked = staticmethod(triggers.hooked)
    window = staticmethod(window_of)
    phase = staticmethod(phase_of)
    turns = staticmethod(turns_of)
    action = staticmethod(action_of)
    verb_core = staticmethod(verb_core)
    settle = staticmethod(watchers.settling)


def lower(game: Game, bag: Bag, *, checking: bool = False) -> Unit:
    """All procedures of a game in one combination of its modes; findings go to `bag`. With `checking` only the
    findings count: the procedures are not whole and cannot be emitted."""
    unit = Unit(game, bag, Infer(game, bag), Layout(game), Layers(), checking=checking)
    for column in in_order(game):
        unit.infer.resolve(column)
    unit.modifiers = modifiers.collect(unit)
    modifiers.check_targets(unit)
    unit.hooks = triggers.collect(unit)
    unit.watchers = watchers.collect(unit)
    main_of(unit)
    unit.drain()
    for name in game.phases:
        phase_of(unit, name)
    for name in game.windows:
        window_of(unit, name, "")
    goals_of(unit)
    unit.drain()
    _rest(unit)
    unit.drain()
    return unit


def _rest(unit: Unit) -> None:
    """What no rule has asked for yet: lowered too, so that its mistakes are found."""
    game = unit.game
    for name in game.actions:
        action_of(unit, name)
    for name in game.verbs:
        verb_of(unit, name)
    for name in game.rolls:
        roll_of(unit, name)
    for column in game.computed.values():
        formula(unit, column)
    for kind in game.kinds.values():
        for column in kind.columns.values():
            if column.kind != kind.name:
                continue
            if column.storage == "computed":
                formula(unit, column)
            elif column.storage == "printed" and not isinstance(column.type, t.Text):
                printed(unit, column)
    written = {(item.kind, act) for item in game.items.values() for act in item.acts}
    for item in game.items.values():
        for act in game.kinds[item.kind].acts:
            if act not in item.acts and (item.kind, act) in written:
                continue
            during = game.kinds[item.kind].acts[act].get("during")
            if act in item.acts:
                during = item.acts[act].get("during") or during
            if during is None and f"{item.id}.{act}" not in unit.actions:
                card_act(unit, item, act, "")
