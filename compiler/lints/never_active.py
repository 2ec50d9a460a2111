"""`never-active`: a modifier whose condition can never hold.

    modifiers: {heavier: {changes: gambler.limit, add: 1, while: false}}

Only what is plain from the condition itself counts: constants, a comparison of constants, a test for another kind.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend.modifiers import source_scope
from ludoloom.compiler.backend.records import Modifier
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.frontend.nodes import Scalar
from ludoloom.compiler.lints.whole import Whole


def check(whole: Whole, bag: Bag) -> None:
    whole.everywhere(bag, _never)


def _never(unit: Unit) -> Iterable[Diagnostic]:
    for modifier in unit.modifiers:
        condition = modifier.node.get("while")
        if condition is None:
            continue
        e = _condition(unit, modifier)
        if e is not None and _constant(unit, e) is False:
            text = f"`{condition.text}` never holds" if isinstance(condition, Scalar) else "this never holds"
            message = f"the modifier `{modifier.name}` has no effect: {text}"
            yield Diagnostic("never-active", condition.span, message, "change the condition, or take the modifier out")


def _condition(unit: Unit, modifier: Modifier) -> E | None:
    """The condition, typed without the words of the act that it changes; None if it needs them."""
    condition = modifier.node.get("while")
    assert condition is not None
    kind = modifier.source.kind
    thing = E("var", t.Thing(kind), data=Var("self", t.Thing(kind))) if kind else None
    scope = source_scope(unit, modifier.source, thing, Scope())
    quiet = unit.quiet
    e = quiet.value(condition, scope, t.Bool())
    return None if quiet.bag.findings else e


def _constant(unit: Unit, e: E) -> bool | None:
    """What a condition always is, or None."""
    if e.op == "const":
        return bool(e.data)
    if e.op in ("eq", "ne") and all(arg.op == "const" for arg in e.args):
        return (e.args[0].data == e.args[1].data) == (e.op == "eq")
    if e.op in ("lt", "le") and all(arg.op == "const" for arg in e.args):
        one, two = (arg.data for arg in e.args)
        return one < two if e.op == "lt" else one <= two
    if e.op == "not":
        inner = _constant(unit, e.args[0])
        return None if inner is None else not inner
    if e.op == "and":
        parts = [_constant(unit, arg) for arg in e.args]
        return False if False in parts else True if all(parts) else None
    if e.op == "or":
        parts = [_constant(unit, arg) for arg in e.args]
        return True if True in parts else None if None in parts else False
    if e.op == "is_kind" and isinstance(e.args[0].type, t.Thing):
        infer = unit.infer
        related = any(
            infer.is_a(kind, wanted) or infer.is_a(wanted, kind) for kind in e.args[0].type.kinds for wanted in e.data
        )
        return None if related else False
    return None
