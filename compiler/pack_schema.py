"""What an editor can complete in a pack: the names of the declared game, for `ludoloom.schemas.pack_schema`.

Game(verbs={"damage": {with: {to: monster, amount: int}}, …})
-> PackNames(verbs={"damage": VerbSpec((("to", True), ("amount", True)))}, …)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludoloom.compiler.analysis.cells import PARTS, kind_specs
from ludoloom.compiler.analysis.model import Game
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar
from ludoloom.schemas.pack_schema import PackNames, VerbSpec


def pack_names(game: Game, modes: Sequence[str] = ()) -> PackNames:
    """The names that a game declares; `modes` are all modes that its pack has (a game is linked with some of them)."""
    items: dict[str, list[str]] = {name: [] for name in game.kinds}
    for item in game.items.values():
        if item.section == PARTS:
            continue
        kind = game.kinds.get(item.kind)
        while kind is not None:
            items[kind.name].append(item.id)
            kind = game.kinds.get(kind.base)
    return PackNames(
        title=game.title,
        kinds=kind_specs(game),
        items={kind: tuple(ids) for kind, ids in items.items()},
        enums={name: tuple(members) for name, members in game.enums.items()},
        verbs={name: _verb(act) for name, act in {**game.verbs, **game.actions}.items()},
        actions=tuple(game.actions),
        phases=tuple(game.phases),
        steps=tuple(f"{name}.{step}" for name, phase in game.phases.items() for step in _names(phase.get("steps"))),
        windows=tuple(game.windows),
        rolls=tuple(game.rolls),
        dice=tuple(game.dice),
        options=tuple(game.options),
        modes=tuple(modes) or game.modes,
        counts=tuple(game.counts),
        words=_words(game),
        rules=_rules(game),
    )


def _verb(act: Map) -> VerbSpec:
    params: list[tuple[str, bool]] = []
    declared = act.get("with")
    for key, value in declared if isinstance(declared, Map) else ():
        optional = isinstance(value, Map) and ("default" in value or "implied" in value)
        params.append((key.text, not optional))
    says = act.get("says")
    return VerbSpec(tuple(params), says.text if isinstance(says, Scalar) else "")


def _names(node: Node | None) -> tuple[str, ...]:
    return node.names() if isinstance(node, Map) else ()


def _words(game: Game) -> tuple[str, ...]:
    """Words of the game, and the columns and zones of each item: what a state is spoken of with."""
    words = [*game.state, *game.computed, *game.tracks, *game.zones]
    of_kinds: Mapping[str, list[str]] = {
        name: [*(column.name for column in kind.columns.values()), *kind.zones, *filter(None, [kind.stands_on])]
        for name, kind in game.kinds.items()
    }
    for name, columns in of_kinds.items():
        words += [f"{name}.{column}" for column in columns]
    return tuple(words)


def _rules(game: Game) -> tuple[str, ...]:
    listed = game.ledger.get("rules") if game.ledger is not None else None
    found: list[str] = []
    for rule in listed.items if isinstance(listed, Items) else ():
        name = rule.get("id") if isinstance(rule, Map) else None
        if isinstance(name, Scalar):
            found.append(name.text)
    return tuple(found)
