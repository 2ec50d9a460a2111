"""What the checks of the whole game look at: the lowered game in each combination of its modes, and all words of its
files.

A combination leaves out what other modes use, so what *nothing* uses must be unused in each of them (`everywhere`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ludoloom.compiler.analysis.tree import GameTree
from ludoloom.compiler.backend.texts import ICON
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar

_WORD = re.compile(r"[A-Za-z_]\w*")
_READ_KEYS = ("cost", "rows", "facts")
"""Sections whose keys are formulas or paths, and so read what they name."""


@dataclass(slots=True)
class Whole:
    """`units`: one for each combination of modes. `written`: the words of all values in the files, and of those keys
    that read something. `tested`: the words of the scenarios, keys and all. `counted`: the words of counts and facts,
    and of sheets, which print what they name. `icons`: the icons that texts name."""

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
    files = [_words_of(file.tree) for pack in tree.packs for file in pack.files if file.tree is not None]
    written, tested, counted, icons = (
        frozenset(" ".join(facts[name] for facts in files).split())
        for name in ("written", "tested", "counted", "icons")
    )
    return Whole(tree, units, written, tested, counted, icons)


def _words_of(tree: Map) -> dict[str, str]:
    """The words of a file, each kind of them in one text. They are facts of its tree, so they are gathered once."""
    facts = tree.facts
    if "written" in facts:
        return facts
    written: set[str] = set()
    tested: set[str] = set()
    counted: set[str] = set()
    printed: set[str] = set()
    for key, section in tree:
        if key.text == "scenarios":
            _texts(section, True, tested)
            continue
        if key.text in ("counts", "facts"):
            _texts(section, key.text == "facts", counted)
        if key.text == "sheets":
            _texts(section, True, printed)
            counted |= printed
        elif key.text != "enums":
            _texts(section, key.text in _READ_KEYS, written)
    icons = {icon for text in written if ":" in text for icon in ICON.findall(text)} | printed
    written |= printed
    facts["tested"], facts["counted"] = _words(tested), _words(counted)
    facts["icons"], facts["written"] = " ".join(icons), _words(written)
    return facts


def _words(texts: set[str]) -> str:
    return " ".join(set(_WORD.findall(" ".join(texts))))


def _texts(node: Node, keys: bool, found: set[str]) -> None:
    """All texts of a value; with `keys` those of its keys too."""
    if isinstance(node, Map):
        for key, value in node.entries:
            if keys:
                found.add(key.text)
            # Most nodes are scalars: a call for each would take most of the time.
            if isinstance(value, Scalar):
                found.add(value.text)
            else:
                _texts(value, keys or key.text in _READ_KEYS, found)
    elif isinstance(node, Items):
        for item in node.items:
            _texts(item, keys, found)
    else:
        found.add(node.text)
