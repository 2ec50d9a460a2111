"""One moment at which somebody comes to know something: the record that lowering keeps and the check of leaks reads."""

from __future__ import annotations

from dataclasses import dataclass

from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.frontend.nodes import Span

EVERYBODY = "everybody"
ANYBODY = "anybody"


@dataclass(frozen=True, slots=True, eq=False)
class Eye:
    """`e` decides `what` (in words). `viewer` is the seat that learns of it, EVERYBODY, or ANYBODY (one player or
    other, as where acts of several players are gathered). `given` holds there; `sealed` are answers that are still
    secret, with who gave them."""

    e: E
    viewer: E | str
    span: Span
    what: str
    given: tuple[E, ...] = ()
    sealed: tuple[tuple[Var, E | None], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Handed:
    """One call: what it hands to each parameter, by the place where that is declared. `given` holds there."""

    arguments: dict[Span, E]
    span: Span
    given: tuple[E, ...] = ()
