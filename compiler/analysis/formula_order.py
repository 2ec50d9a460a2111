"""The formulas of a game, those that others speak of first.

    computed: {stake: share + 1, share: pot * 2}      -> share, stake

The type of a formula follows from its text, and so from the formulas in it. Taken in this order each is known before
it is asked for, so a long chain of formulas needs no deep recursion. A name stands for every formula that is called so:
more order than needed does no harm. Formulas in a ring come in any order; whoever works one out sees the ring.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ludoloom.compiler.analysis.model import Column, Game
from ludoloom.compiler.frontend.nodes import Items, Node, Scalar

_WORD = re.compile(r"[A-Za-z_]\w*")


def in_order(game: Game) -> list[Column]:
    """All formulas, each behind those that it speaks of."""
    formulas = [*game.computed.values(), *(column for kind in game.kinds.values() for column in kind.columns.values())]
    formulas = [column for column in formulas if column.formula is not None]
    named: dict[str, list[Column]] = {}
    for column in formulas:
        named.setdefault(column.name, []).append(column)
    found: list[Column] = []
    begun: set[int] = set()
    for formula in formulas:
        todo = [(formula, False)]
        while todo:
            column, ready = todo.pop()
            if ready:
                found.append(column)
            elif id(column) not in begun:
                begun.add(id(column))
                todo.append((column, True))
                assert column.formula is not None
                todo += [
                    (other, False) for word in dict.fromkeys(_words(column.formula)) for other in named.get(word, ())
                ]
    return found


def _words(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield from _WORD.findall(node.text)
    elif isinstance(node, Items):
        for item in node.items:
            yield from _words(item)
    else:
        for key, value in node:
            yield from _words(key)
            yield from _words(value)
