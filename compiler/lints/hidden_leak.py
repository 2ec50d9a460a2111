"""`hidden-leak`, `secret-read-early`: what players are offered, asked and told may not depend on what is hidden from
them.

    kinds: {gambler: {zones: {hand: {holds: card, seen_by: owner}}}}
    needs: {strong: gambler.opponent.hand.sum(rank) > 2}      the offer shows what the other holds

Every expression that decides an offer, a question, a log line or an end is an *eye* (`backend/eyes.py`). From it the
way is followed through formulas and `let` to what is declared hidden: columns and zones by their `seen_by`, columns
of a face by the face that shows. What is read is allowed if the one who looks is the one who sees it, or behind a
test of the face (`showing == front and front.role == …`). An answer given in secret is hidden from the others till a
statement has changed something.

`backend/sight.py` follows the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.eye import EVERYBODY, Eye
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.backend.sight import Sight, hides_anything
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.frontend.nodes import Span
from ludoloom.compiler.lints.whole import Whole


def check(whole: Whole, bag: Bag) -> None:
    for unit in whole.units:
        for finding in _leaks(unit):
            bag.add(finding.code, finding.span, finding.message, finding.hint, finding.related)


def _leaks(unit: Unit) -> Iterable[Diagnostic]:
    if not hides_anything(unit):
        return
    follow = Sight(unit)
    seen: set[tuple[str, Span, str]] = set()
    for eye in [*unit.eyes, *_ends(unit)]:
        for finding in follow.eye(eye):
            key = (finding.code, finding.span, finding.message)
            if key not in seen:
                seen.add(key)
                yield finding


def _ends(unit: Unit) -> Iterator[Eye]:
    quiet = unit.quiet
    for node in unit.game.end.values():
        for key, given in (("whenever", t.Bool()), ("winners", None)):
            value = node.get(key)
            if value is not None:
                yield Eye(quiet.value(value, Scope(), given), EVERYBODY, value.span, "this end")
