"""What the checks of the whole game look at: the lowered game in each combination of its modes, and all words of its
files.

A combination leaves out what other modes use, so what *nothing* uses must be unused in each of them (`everywhere`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ludoloom.compiler.analysis.tree import GameTree
from ludoloom.compiler.backend.texts import ICON
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.frontend.nodes import Items, Node, Scalar

_WORD = re.compile(r"[A-Za-z_]\w*")
_READ_KEYS = ("cost", "rows", "facts")
"""Sections whose keys are formulas or paths, and so read what they name."""


@dataclass(slots=True)
class Whole:
    """`units`: one for each combination of modes. `written`: the words of all values in the files, and of those keys
    that read something. `tested`: the words of the scenarios, keys and all. `counted`: the words of counts and facts.
    `icons`: the icons that texts name."""

    tree: GameTree
    units: list[Unit]
    written: frozenset[str] = field(default=frozenset())
    tested: frozenset[str] = field(default=frozenset())
    counted: frozenset[str] = field(default=frozenset())
    icons: frozenset[str] = field(default=frozenset())

    @property
    def first(self) -> Unit:
        return self.units[0]

    @property
    def played(self) -> bool:
        """Whether there are phases to play; a pack that only declares components is not finished, and much of it
        unused."""
        return any(unit.game.play for unit in self.units)

    def everywhere(self, bag: Bag, rule: Callable[[Unit], Iterable[Diagnostic]]) -> None:
        """Report what the rule finds in every combination."""
        found = [list(rule(unit)) for unit in self.units]
        others = [{(each.code, each.span, each.message) for each in row} for row in found[1:]]
        for each in found[0]:
            if all((each.code, each.span, each.message) in row for row in others):
                bag.add(each.code, each.span, each.message, each.hint, each.related, each.path)


def whole_of(tree: GameTree, units: list[Unit]) -> Whole:
    """The units with the words of the files."""
    written: set[str] = set()
    tested: set[str] = set()
    counted: set[str] = set()
    icons: set[str] = set()
    for pack in tree.packs:
        for file in pack.files:
            for key, section in file.tree or ():
                if key.text == "scenarios":
                    tested.update(_words(section, keys=True))
                    continue
                if key.text in ("counts", "facts"):
                    counted.update(_words(section, keys=key.text == "facts"))
                if key.text != "enums":
                    written.update(_words(section, keys=key.text in _READ_KEYS))
                icons.update(icon for scalar in scalars(section) for icon in ICON.findall(scalar.text))
    return Whole(tree, units, frozenset(written), frozenset(tested), frozenset(counted), frozenset(icons))


def _words(node: Node, keys: bool) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield from _WORD.findall(node.text)
    elif isinstance(node, Items):
        for item in node.items:
            yield from _words(item, keys)
    else:
        for key, value in node:
            if keys:
                yield from _WORD.findall(key.text)
            yield from _words(value, keys or key.text in _READ_KEYS)


def scalars(node: Node) -> Iterator[Scalar]:
    """All scalars of a value, keys aside."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Items):
        for item in node.items:
            yield from scalars(item)
    else:
        for _, value in node:
            yield from scalars(value)
