"""What the checks of texts share: the texts of an item, and the words that may stand in their holes."""

from __future__ import annotations

from collections.abc import Iterator

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Game, Item
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.backend.scopes import self_scope
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.frontend.nodes import Scalar, Span

AUTO = "auto"


def printed_texts(game: Game) -> Iterator[tuple[Item, Scalar]]:
    """Every text that an author wrote on an item, face by face."""
    for item in game.items.values():
        for node in item.text.values():
            if isinstance(node, Scalar) and node.text != AUTO:
                yield item, node


def hole(unit: Unit, item: Item, name: str, span: Span) -> E | None:
    """What a hole of an item's text means; None if it means nothing."""
    quiet = unit.quiet
    number = item.things[0] if item.things else 0
    scope = self_scope(unit, item.kind, E("const", t.Thing(item.kind), data=number), item)
    e = quiet.scalar(Scalar(span, name, name, False), scope)
    # What may be none is printed as none.
    return None if any(finding.code != "maybe-none" for finding in quiet.bag) else e


def known(unit: Unit, item: Item) -> list[str]:
    """The words that the holes of an item's text may have, for «did you mean»."""
    kind = unit.game.kinds[item.kind]
    return [*(item.values.names() if item.values is not None else ()), *kind.columns]
