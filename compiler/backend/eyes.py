"""What players come to know by what they are offered, asked and told: each such expression is noted with who looks at
it.

    needs: {strong: gambler.hand.sum(rank) > 2}     an Eye for the seat of the doer: it is offered or not
    says: "{gambler} shows {card.rank}"             an Eye of everybody
    end: {won: {whenever: deck.empty, …}}           an Eye of everybody

The lint `hidden_leak` follows each to what is declared hidden.
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.eye import EVERYBODY, Eye
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend.records import Choice
from ludoloom.compiler.backend.statements import Statements
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Span


def look(st: Statements, e: E, viewer: E | str | None, span: Span, what: str) -> None:
    """Note that `viewer` learns something of `e` here."""
    if viewer is not None:
        if isinstance(e.type, t.Zone):
            e = st.unit.quiet.as_set(e)  # what lies there
        st.unit.eyes.append(Eye(e, viewer, span, what, tuple(st.given), tuple(st.sealed)))


def told(unit: Unit, e: E, span: Span, what: str, viewer: E | str = EVERYBODY) -> None:
    """The same outside of acts."""
    unit.eyes.append(Eye(e, viewer, span, what))


def asked(st: Statements, choice: Choice, scope: Scope, seat: E | None) -> None:
    """Note all that decides what a choice offers."""
    options = choice.options
    if not choice.assigns:
        for node in _parts(choice.source):
            look(st, st.unit.quiet.value(node, scope), seat, node.span, "this choice")
        condition = options.get("such_that")
        if condition is not None:
            whole = st.unit.quiet.as_set(st.unit.quiet.value(choice.source, scope))
            inner = scope.bind_var(Var(choice.name, whole.type))
            look(st, st.unit.quiet.value(condition, inner), seat, condition.span, "this choice")
        return
    inner = scope
    for key in ("assign", "to"):
        head = options.get(key)
        if not isinstance(head, Map) or len(head) != 1:
            return
        (name, source) = head.entries[0]
        e = st.unit.quiet.value(source, inner if key == "assign" else scope)
        look(st, e, seat, source.span, "this choice")
        element = Var(name.text, _element(st, e))
        inner = inner.bind_var(element)
    for key in ("pair", "reuse"):
        node = options.get(key)
        if node is not None and not isinstance(node, Items | Map):
            look(st, st.unit.quiet.value(node, inner), seat, node.span, "this choice")


def _parts(source: Node) -> tuple[Node, ...]:
    """Sets that are tried in turn, or the one source."""
    return source.items if isinstance(source, Items) else (source,)


def _element(st: Statements, e: E) -> t.Type:
    if isinstance(e.type, t.Int):
        return e.type
    whole = st.unit.quiet.as_set(e)
    return whole.type.of if isinstance(whole.type, t.SetOf) else t.Unknown()


def seal(st: Statements, bound: E | None, chooser: E | None) -> None:
    """An answer that the others do not see yet."""
    if bound is not None and bound.op == "var":
        st.sealed.append((bound.data, chooser))
