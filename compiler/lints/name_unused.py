"""`name-unused`: a choice, a `let` or an `as` whose name nothing reads.

    choose: {card: gambler.hand}     and nothing says `card`: the player is asked for nothing

Parameters are no such names: triggers and windows of other packs read them too.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.lints.whole import Whole


def check(whole: Whole, bag: Bag) -> None:
    if whole.played:
        whole.everywhere(bag, _unread)


def _unread(unit: Unit) -> Iterable[Diagnostic]:
    uses = unit.infer.uses
    for span, (name, what) in uses.bound.items():
        if span not in uses.read and span.file:
            hint = "use the name, or ask for nothing" if what == "the choice" else "use the name, or take it out"
            yield Diagnostic("name-unused", span, f"nothing reads {what} `{name}`", hint)
