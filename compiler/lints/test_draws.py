"""`test-draws`: what is only asked may not draw from a shuffled pile.

    setup:  [{shuffle: deck}]
    needs:  {red: deck.top.suit == hearts}      asked again and again, and each time it would draw

The order of a shuffled pile is unknown, so whoever looks at its top draws what lies there. Needs, prices, choices of a
head, `whenever`, ends and the conditions of modifiers are asked as often as the game likes, by programs that look
ahead too; nothing may happen there. Lowering notes them (`Unit.tests`) and what is shuffled; from each test the way is
followed through formulas and `let`. A zone that is handed on by a parameter is not known, and not reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.eye import Eye
from ludoloom.compiler.analysis.model import Column, ZoneDecl
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var, walk
from ludoloom.compiler.analysis.uses import column_key
from ludoloom.compiler.backend.cells import cell_of
from ludoloom.compiler.backend.scopes import self_scope
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic, Related
from ludoloom.compiler.frontend.nodes import Scalar
from ludoloom.compiler.lints.whole import Whole

_LOOKS = ("top", "nth")


def check(whole: Whole, bag: Bag) -> None:
    for unit in whole.units:
        for each in _draws(unit):
            bag.add(each.code, each.span, each.message, each.hint, each.related)


def _draws(unit: Unit) -> Iterable[Diagnostic]:
    shuffled = _shuffled(unit)
    if not shuffled:
        return
    said: set[object] = set()
    for test in unit.tests:
        for zone, way in _looks(unit, test.e, (), frozenset()):
            if (zone.kind, zone.name) in shuffled and (test.span, zone.name) not in said:
                said.add((test.span, zone.name))
                yield _finding(test, zone, way)


def _finding(test: Eye, zone: ZoneDecl, way: tuple[Related, ...]) -> Diagnostic:
    return Diagnostic(
        "test-draws",
        test.span,
        f"{test.what} looks into `{zone.name}`, which is shuffled: to look would be to draw",
        f"ask for `{zone.name}.any` or `.count`, or look when the act is done",
        (Related(zone.span, "it is declared here"), *way),
    )


def _shuffled(unit: Unit) -> set[tuple[str, str]]:
    """The zones that a statement or a refill shuffles."""
    zones = [*unit.game.zones.values(), *(zone for kind in unit.game.kinds.values() for zone in kind.zones.values())]
    found = {(zone.kind, zone.name) for zone in zones if _refilled_shuffled(zone)}
    for e in unit.shuffled:
        zone = declared(unit, e)
        if zone is not None:
            found.add((zone.kind, zone.name))
    return found


def _refilled_shuffled(zone: ZoneDecl) -> bool:
    node = zone.refill.get("shuffled") if zone.refill is not None else None
    return isinstance(node, Scalar) and node.value is True


def declared(unit: Unit, e: E) -> ZoneDecl | None:
    """The zone that an expression names, where it is certain."""
    if e.op == "zone_of":
        return e.data
    if e.op == "const":
        number: int = e.data
        return unit.game.things[number - 1].zone if number else None
    let = _let(e)
    return declared(unit, let) if let is not None else None


def _let(e: E) -> E | None:
    """What a name of the act stands for, if it is only a name for a formula."""
    if e.op != "var":
        return None
    var: Var = e.data
    let = var.parts.get("is")
    return let if isinstance(let, E) else None


def _looks(
    unit: Unit, e: E, way: tuple[Related, ...], done: frozenset[str]
) -> Iterator[tuple[ZoneDecl, tuple[Related, ...]]]:
    """The zones of which an expression looks at one thing by its place, with the formulas on the way."""
    for node in walk(e):
        if node.op in _LOOKS and isinstance(node.args[0].type, t.Zone):
            zone = declared(unit, node.args[0])
            if zone is not None:
                yield zone, way
        elif (let := _let(node)) is not None:
            yield from _looks(unit, let, way, done)
        elif node.op == "column":
            column: Column = node.data
            key, here = column_key(column), (*way, Related(column.span, f"by way of `{column.name}`"))
            for formula in _formulas(unit, column, node.args) if key not in done else ():
                yield from _looks(unit, formula, here, done | {key})


def _formulas(unit: Unit, column: Column, args: tuple[E, ...]) -> Iterator[E]:
    """What is worked out when a column is read: its formula, or what the items say in its place."""
    thing = args[0] if column.kind and args else None
    own = args[1:] if column.kind else args
    given = dict(zip((param.name for param in column.params), own, strict=False))
    if column.formula is not None:
        yield unit.quiet.value(column.formula, Scope(given, thing))
    elif thing is not None and column.storage == "printed" and (column.params or column.is_formula):
        for item in unit.game.items.values():
            node = cell_of(item, column) if unit.quiet.is_a(item.kind, column.kind) else None
            if node is not None:
                self_ = E("var", t.Thing(item.kind), data=Var("self", t.Thing(item.kind), parts={"item": item}))
                yield unit.quiet.value(node, self_scope(unit, item.kind, self_, item).bind(**given), column.type)
