"""Every word of the game means one thing.

Four spaces of names: words of expressions (plurals, zones, tracks, maps, state and formulas of the game, items and
their copies); types (kinds, enumerations); acts (verbs, actions, rolls and dice, phases); and within each kind its
columns and zones, which at places and owners must not be called like a plural either, since `square.tokens` asks what
is there.
"""

from __future__ import annotations

from typing import Final

from ludoloom.compiler.analysis.model import Game, Kind
from ludoloom.compiler.analysis.names import BARE, TYPES, Names, word_set
from ludoloom.compiler.analysis.number import is_a
from ludoloom.compiler.analysis.tree import entries
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.frontend.nodes import Map

CORE_VERBS: Final = word_set(
    """if match for_each together repeat group let give stop run open cancel proceed choose ask roll set gain lose
    advance move draw shuffle turn place show"""
)
STOPS: Final = BARE | {"repeat", "for_each", "turn"}
"""What `stop` ends beside acts and phases."""


def check_names(game: Game, sections: Map, bag: Bag) -> None:
    """Report reserved and doubly used names of the game."""
    kinds = sections.get("kinds")
    words = Names(bag)
    for kind in game.kinds.values():
        if not kind.plural:
            continue
        node = kinds.get(kind.name) if isinstance(kinds, Map) else None
        plural = node.get("plural") if isinstance(node, Map) else None
        words.take(kind.plural, plural.span if plural else kind.span, f"the plural of `{kind.name}`")
    for section, what in (
        ("state", "a state word"),
        ("computed", "a formula"),
        ("zones", "a zone"),
        ("tracks", "a track"),
    ):
        for key, _ in entries(sections.get(section)):
            words.take(key.text, key.span, what)
    for item in game.items.values():
        if "." not in item.id:
            built_in = item.section == "players" and not len(item.node)
            words.take(item.id, item.span, "a built-in seat" if built_in else f"one of the {item.section}")
    types = Names(bag, TYPES)
    for section, what in (("kinds", "a kind"), ("enums", "an enumeration")):
        for key, _ in entries(sections.get(section)):
            types.take(key.text, key.span, what)
    acts = Names(bag)
    for section, what, reserved in (
        ("verbs", "a verb", CORE_VERBS),
        ("actions", "an action", CORE_VERBS),
        ("rolls", "a roll", BARE),
        ("phases", "a phase", STOPS),
        ("dice", "a die", BARE),
    ):
        acts.reserved = reserved
        for key, _ in entries(sections.get(section)):
            acts.take(key.text, key.span, what)
    _check_plurals(game, bag)


def _check_plurals(game: Game, bag: Bag) -> None:
    plurals = {kind.plural: kind for kind in game.kinds.values() if kind.plural}
    for kind in game.kinds.values():
        for name, declared in [*kind.columns.items(), *kind.zones.items()]:
            other = plurals.get(name)
            if other is not None and declared.kind == kind.name and _can_hold(game, kind, other):
                bag.add(
                    "name-taken",
                    declared.span,
                    f"`{kind.name}` cannot have a column or zone `{name}`: that is the plural of `{other.name}`, "
                    f"so a dot and `{name}` asks for the {name} there",
                    "rename one of them",
                    (Related(other.span, f"`{other.name}` is declared here"),),
                )


def _can_hold(game: Game, kind: Kind, other: Kind) -> bool:
    """Whether a dot and the plural of `other` means something at a thing of `kind`: it is a place, or it owns them."""
    if kind.family in ("space", "tile", "map"):
        return True
    return bool(other.owner) and (is_a(game, kind.name, other.owner) or is_a(game, other.owner, kind.name))
