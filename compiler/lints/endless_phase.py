"""`endless-phase`: a phase with turns that nothing can stop: no `until`, no `stop`, no seat that is ever skipped, no
end.

    phases: {rounds: {turns: {of: players}, do: [roll_on]}}

Turns that go round all players have always a next one; those of a set may run out.
"""

from __future__ import annotations

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar
from ludoloom.compiler.lints.whole import Whole


def check(whole: Whole, bag: Bag) -> None:
    for unit in whole.units:
        game = unit.game
        if game.end:
            continue
        stopped = {text for pack in whole.tree.packs for file in pack.files if file.tree for text in _stops(file.tree)}
        for name, node in game.phases.items():
            turns = node.get("turns")
            fixed = (
                isinstance(turns, Map)
                and "skip" not in turns
                and "until" not in node
                and _all_seats(turns, unit.game.kinds[game.player_kind].plural)
            )
            if fixed and not stopped & {name, *game.phases}:
                bag.add(
                    "endless-phase",
                    game.places[f"phases.{name}"],
                    f"nothing ends the phase `{name}`",
                    "add `until: …`, a `stop`, or an `end` of the game",
                )


def _all_seats(turns: Map, plural: str) -> bool:
    """Whether the turns go round all players, of whom there are always some."""
    of = turns.get("of")
    return isinstance(of, Scalar) and of.text == plural


def _stops(node: Node) -> set[str]:
    if isinstance(node, Map):
        found = {value.text for key, value in node if key.text == "stop" and isinstance(value, Scalar)}
        return found.union(*(_stops(value) for _, value in node))
    if isinstance(node, Items):
        return set[str]().union(*(_stops(item) for item in node.items))
    return set()
