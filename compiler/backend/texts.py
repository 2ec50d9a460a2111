"""Sentences with holes: log lines of verbs, labels of options, texts of cards.

says: "deal {amount} :damage: to {to}"  ->  TextRow with the names amount, to and the words that fill them
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludoloom.compiler.analysis.eye import EVERYBODY
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.backend import eyes
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.frontend.nodes import Scalar
from ludoloom.runtime import isa
from ludoloom.runtime.image import TextRow

if TYPE_CHECKING:
    from ludoloom.compiler.backend.statements import Statements

HOLE = re.compile(r"\{([^{}]*)\}")
ICON = re.compile(r":([a-z][a-z0-9_]*):")


def title(name: str) -> str:
    """`burning_hands` as people read it: Burning Hands."""
    return " ".join(word.capitalize() for word in name.split("_"))


def row(unit: Unit, act: str, text: str, parts: Sequence[tuple[str, E]]) -> TextRow:
    """A sentence and what fills its holes."""
    return TextRow(act, text, tuple(name for name, _ in parts), tuple(unit.row(e.type) for _, e in parts))


def holes(unit: Unit, says: Scalar, scope: Scope) -> list[tuple[str, E]]:
    """The expressions in the holes of a sentence, each once; unknown ones are findings at their place."""
    found: dict[str, E] = {}
    for match in HOLE.finditer(says.text):
        name = match[1].strip()
        span = says.span.within(match.start(1), match.end(1)) if says.plain else says.span
        if name not in found:
            found[name] = unit.infer.scalar(Scalar(span, name, name, says.plain), scope)
    for match in ICON.finditer(HOLE.sub("", says.text)):
        if unit.game.icons and match[1] not in unit.game.icons:
            from ludoloom.compiler.diagnostics.nearest import did_you_mean

            unit.bag.add(
                "unknown-icon", says.span, f"there is no icon `{match[1]}`", did_you_mean(match[1], unit.game.icons)
            )
    return list(found.items())


def report(st: Statements, act: str, says: Scalar, scope: Scope) -> None:
    """Emit a log line."""
    values = st.values
    parts = holes(values.unit, says, scope)
    for _, e in parts:
        eyes.look(st, e, EVERYBODY, says.span, "this log line")
    for _, e in parts:
        if values.unit.words(e.type) != 1:
            values.unit.bag.add("wrong-type", says.span, "a set cannot stand in a sentence", "name its count")
            return
    for _, e in parts:
        values.put(e)
    values.proc.put(isa.EVENT, values.unit.event(row(values.unit, act, says.text, parts)), len(parts))
