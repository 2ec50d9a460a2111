"""The words that lines of a kind or an item know: `self`, and the item's `values`."""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Item
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.backend.unit import Unit


def values_scope(unit: Unit, scope: Scope, item: Item | None) -> Scope:
    """The scope with the item's printed `values` as words (each read where it is used)."""
    if item is None or item.values is None:
        return scope
    bound: dict[str, E] = {}
    for key, node in item.values:
        bound[key.text] = unit.infer.value(node, scope)
    return scope.bind(**bound)


def self_scope(unit: Unit, kind: str, thing: E, item: Item | None = None) -> Scope:
    """The scope of a kind's or item's own lines: `self` is `thing`."""
    return values_scope(unit, Scope(self_=E(thing.op, t.Thing(kind), thing.args, thing.data)), item)
