"""Sentences with holes: log lines of verbs, labels of options, texts of cards.

says: "deal {amount} :damage: to {to}"  ->  TextRow with the names amount, to and the words that fill them
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ludoloom.compiler.analysis.eye import EVERYBODY
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.backend import eyes
from ludoloom.compiler.backend.statements import Statements
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Scalar, Span
from ludoloom.runtime import isa
from ludoloom.runtime.image import TextRow

HOLE = re.compile(r"\{([^{}]*)\}")
_BRACE = re.compile(r"[{}]")
ICON = re.compile(r":([a-z][a-z0-9_]*):")


def title(name: str) -> str:
    """`burning_hands` as people read it: Burning Hands."""
    return " ".join(word.capitalize() for word in name.split("_"))


def row(unit: Unit, act: str, text: str, parts: Sequence[tuple[str, E]]) -> TextRow:
    """A sentence and what fills its holes."""
    return TextRow(act, text, tuple(name for name, _ in parts), tuple(unit.row(e.type) for _, e in parts))


def place(text: Scalar, start: int, end: int) -> Span:
    """The place of characters `start` to `end` of a text. One that is not on one line, or has escapes, is meant
    whole."""
    span = text.span
    if text.plain:
        return span.within(start, end)
    if span.line == span.end_line and span.end_column - span.column == len(text.text) + 2:
        return span.within(start + 1, end + 1)  # behind the quote
    return span


def holes(unit: Unit, says: Scalar, scope: Scope) -> list[tuple[str, E]]:
    """The expressions in the holes of a sentence, each once; unknown ones are findings at their place."""
    found: dict[str, E] = {}
    for match in HOLE.finditer(says.text):
        name = match[1].strip()
        span = place(says, match.start(1), match.end(1))
        if name not in found:
            found[name] = unit.infer.scalar(Scalar(span, name, name, says.plain), scope)
    unclosed_holes(says, unit.bag)
    unknown_icons(says, unit.game.icons, unit.bag)
    return list(found.items())


def unclosed_holes(text: Scalar, bag: Bag) -> None:
    """Report braces that are no hole: they would be printed as they stand."""
    for match in _BRACE.finditer(HOLE.sub(lambda hole: " " * len(hole[0]), text.text)):
        wrong = "is never closed" if match[0] == "{" else "closes nothing"
        hint = "a hole is a name in braces, `{name}`; take out a brace that is none"
        bag.add("unclosed-bracket", place(text, *match.span()), f"this `{match[0]}` of the text {wrong}", hint)


def unknown_icons(text: Scalar, icons: Collection[str], bag: Bag) -> None:
    """Report the icons of a text that the game does not declare. A colon inside a hole begins no icon."""
    if ":" not in text.text:
        return
    for match in ICON.finditer(HOLE.sub(lambda hole: " " * len(hole[0]), text.text)):
        if match[1] not in icons:
            hint = did_you_mean(match[1], icons) or f"declare it: `icons: {{{match[1]}: …}}`"
            bag.add("unknown-icon", place(text, *match.span()), f"there is no icon `{match[1]}`", hint)


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
