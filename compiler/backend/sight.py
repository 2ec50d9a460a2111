"""What hides from whom: from an expression the way is followed to what is declared hidden.

    gambler.opponent.hand.sum(rank)      looked at by `gambler`: what lies in `hand`, which only the owner sees

The way goes through formulas and `let` to columns and zones by their `seen_by`, and to columns of a face by the face
that shows. What is read is allowed if the one who looks is the one who sees it, or behind a test of the face
(`showing == front and front.role == …`). An answer given in secret is hidden from the others till a statement has
changed something.

Two seats are the same if they are written the same, or equal by a condition that holds there (`gambler == active`).
What a verb is called with is followed to its callers. Not followed is what a card in a hidden zone says when it is
found through all cards of its kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.eye import ANYBODY, EVERYBODY, Eye, Handed
from ludoloom.compiler.analysis.infer import Infer
from ludoloom.compiler.analysis.model import Column, ZoneDecl
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Rows, Var
from ludoloom.compiler.analysis.uses import column_key
from ludoloom.compiler.backend.cells import cell_of
from ludoloom.compiler.backend.scopes import self_scope
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Diagnostic, Related
from ludoloom.compiler.frontend.nodes import Span

DEEPEST = 12
"""Formulas inside formulas that are followed; deeper ones would be no longer the way that a person can see."""
OF_SETS = ("where", "all", "sum", "min_of", "max_of", "least", "most")
ONLY_COUNTS = ("count", "any", "empty")


def hides_anything(unit: Unit) -> bool:
    """Whether anything is hidden at all."""
    game = unit.game
    columns = [*game.state.values(), *game.computed.values()]
    zones = list(game.zones.values())
    for kind in game.kinds.values():
        if kind.faces:
            return True
        columns += kind.columns.values()
        zones += kind.zones.values()
    hidden = any(each.seen_by != "everyone" for each in [*columns, *zones])
    return hidden or any(zone.count_seen_by != "everyone" for zone in zones) or any(eye.sealed for eye in unit.eyes)


def of_formula(unit: Unit, column: Column) -> str:
    """Who may see what a computed column says: not everyone where it tells of what is hidden."""
    if column.seen_by != "everyone" or not hides_anything(unit):
        return column.seen_by
    var = Var(column.kind, t.Thing(column.kind)) if column.kind else None
    thing = E("var", var.type, data=var) if var is not None else None
    e = E("column", column.type, (thing,) if thing is not None else (), column, column.span)
    sight = Sight(unit)
    if not any(sight.eye(Eye(e, EVERYBODY, column.span, "the view"))):
        return "everyone"
    owner = unit.player_of(thing) if thing is not None else None
    if owner is not None and not any(sight.eye(Eye(e, owner, column.span, "the view"))):
        return "owner"
    return "nobody"


@dataclass(frozen=True, slots=True)
class _At:
    """Where the walk is. `facts` are pairs of keys known to be equal, `names` keys that stand for variables, `way` the
    formulas on the way, `span` the place in the eye from which it leads here."""

    eye: Eye
    span: Span
    facts: frozenset[tuple[str, str]] = frozenset()
    names: tuple[tuple[int, str], ...] = ()
    way: tuple[Related, ...] = ()
    depth: int = 0


@dataclass(slots=True)
class Sight:
    unit: Unit
    quiet: Infer = field(init=False)
    _handed: set[tuple[int, int]] = field(init=False)
    _done: set[tuple[str, str, frozenset[tuple[str, str]]]] = field(init=False)

    def __post_init__(self) -> None:
        self.quiet = self.unit.quiet
        self._done = set()
        self._handed = set()

    def eye(self, eye: Eye) -> Iterator[Diagnostic]:
        self._done.clear()
        self._handed.clear()
        at = _At(eye, eye.span)
        facts: set[tuple[str, str]] = set()
        for given in eye.given:
            facts |= self.facts(given, at)
        yield from self.visit(eye.e, replace(at, facts=frozenset(facts)))

    # --- what is written the same -----------------------------------------------------------------------------------

    def key(self, e: E, at: _At) -> str:
        """A text that two expressions share if they are written the same."""
        if e.op == "var":
            var: Var = e.data
            for number, name in at.names:
                if number == id(var):
                    return name
            let = var.parts.get("is")
            return self.key(let, at) if isinstance(let, E) else f"<{id(var)}>"
        if e.op == "const":
            return f"c{e.data}"
        inner = ",".join(self.key(arg, at) for arg in e.args)
        if e.op == "column":
            return f"{column_key(e.data)}({inner})"
        if e.op == "zone_of":
            return f"{e.data.kind}/{e.data.name}({inner})"
        if e.op in OF_SETS:
            return f"{e.op}({inner};{self.key(e.data[1], at)})"
        if e.op in ("rows", "by_kind"):
            return f"{e.op}{id(e)}"
        return f"{e.op}:{e.data if isinstance(e.data, str | int) else ''}({inner})"

    def facts(self, e: E, at: _At) -> set[tuple[str, str]]:
        """Which keys are equal where the condition holds."""
        if e.op == "and":
            return self.facts(e.args[0], at) | self.facts(e.args[1], at)
        if e.op == "eq":
            one, two = (self.key(arg, at) for arg in e.args)
            return {(one, two), (two, one)}
        if e.op == "column" and e.data.storage == "computed" and at.depth < DEEPEST:
            formula = self.inlined(e.data, e.args)
            return self.facts(formula, replace(at, depth=at.depth + 1)) if formula is not None else set()
        return set()

    def of_members(self, e: E, it: str, at: _At) -> set[tuple[str, str]]:
        """What is known of each member of a set, whose key is `it`."""
        if e.op == "where":
            var, condition = e.data
            inner = replace(at, names=((id(var), it), *at.names))
            return self.of_members(e.args[0], it, at) | self.facts(condition, inner)
        if e.op in ("least", "most", "minus", "single") and e.args:
            return self.of_members(e.args[0], it, at) if e.op != "single" else set()
        if e.op == "owned":
            column = self.unit.game.kinds[e.data].columns.get("owner")
            if column is not None:
                one, two = f"{column_key(column)}({it})", self.key(e.args[0], at)
                return {(one, two), (two, one)}
        if e.op == "column" and e.data.storage == "computed" and at.depth < DEEPEST:
            formula = self.inlined(e.data, e.args)
            return self.of_members(formula, it, replace(at, depth=at.depth + 1)) if formula is not None else set()
        return set()

    def same(self, one: E, two: E, at: _At) -> bool:
        """Whether two seats are the same one."""
        first, second = self.key(one, at), self.key(two, at)
        if first == second or (first, second) in at.facts:
            return True
        return any(left in first and first.replace(left, right) == second for left, right in at.facts)

    def looks(self, thing: E | None, at: _At) -> bool:
        """Whether the one who looks owns the thing."""
        viewer = at.eye.viewer
        if viewer == ANYBODY:
            return True
        if viewer == EVERYBODY or thing is None or not isinstance(viewer, E):
            return False
        seat = self.unit.player_of(thing)
        return seat is not None and self.same(seat, viewer, at)

    # --- the way ----------------------------------------------------------------------------------------------------

    def inlined(self, column: Column, args: tuple[E, ...]) -> E | None:
        """A formula with what is put into it."""
        if column.formula is None:
            return None
        own = args[:1] if column.kind else ()
        given = dict(zip((param.name for param in column.params), args[len(own) :], strict=False))
        return self.quiet.value(column.formula, Scope(given, own[0] if own else None))

    def visit(self, e: E, at: _At) -> Iterator[Diagnostic]:
        """Findings of an expression and all that it reads."""
        match e.op:
            case "var":
                yield from self.variable(e.data, at)
            case "column":
                yield from self.column(e, at)
                for arg in e.args:
                    yield from self.visit(arg, at)
            case "and" | "or":
                yield from self.visit(e.args[0], at)
                more = self.facts(e.args[0], at) if e.op == "and" else set[tuple[str, str]]()
                yield from self.visit(e.args[1], replace(at, facts=at.facts | more))
            case "rows":
                yield from self.rows(e.data, at)
            case "by_kind":
                for _, value in e.data:
                    yield from self.visit(value, at)
            case "eq" | "ne" if self.asks_whether_any(e):
                (top,) = [arg for arg in e.args if arg.op == "top"]
                yield from self.zone(top.args[0], at, counts=True, place=e)
            case "zone_count":
                yield from self.zone(e.args[0], at, counts=True, place=e)
            case _ if e.op in ONLY_COUNTS and e.args[0].op == "at" and self.whole_zone(e.args[0]):
                yield from self.zone(e.args[0].args[0], at, counts=True, place=e)
            case "at" | "top" | "nth" if isinstance(e.args[0].type, t.Zone):
                yield from self.zone(e.args[0], at, counts=False, place=e)
                for arg in e.args[1:]:
                    yield from self.visit(arg, at)
            case "at_zone":
                yield from self.zone(e.args[1], at, counts=False, place=e)
                yield from self.visit(e.args[0], at)
            case _:
                for arg in e.args:
                    yield from self.visit(arg, at)
                if e.op in OF_SETS:
                    var, inner = e.data
                    known = self.of_members(e.args[0], self.key(E("var", var.type, data=var), at), at)
                    yield from self.visit(inner, replace(at, facts=at.facts | known))

    def variable(self, var: Var, at: _At) -> Iterator[Diagnostic]:
        for sealed, chooser in at.eye.sealed:
            viewer = at.eye.viewer
            own = isinstance(viewer, E) and chooser is not None and self.same(chooser, viewer, at)
            if sealed is var and not own:
                related = (Related(var.span, "it is answered in secret here"),) if var.span is not None else ()
                message = f"{at.eye.what} shows `{var.name}`, which is still a secret of the one who chose it"
                hint = "move or turn up what was chosen first, or leave it out here"
                yield Diagnostic("secret-read-early", at.span, message, hint, related + at.way)
        let = var.parts.get("is")
        if isinstance(let, E) and at.depth < DEEPEST:
            way = at.way
            if var.span is not None:
                way += (Related(var.span, f"`{var.name}` is worked out here"),)
            yield from self.visit(let, replace(at, way=way, depth=at.depth + 1))
        siblings: dict[Span, Var] = var.parts.get("siblings", {})
        if siblings and var.span is not None and at.depth < DEEPEST:
            for call in self.unit.handed.get(var.span, ()):
                if (id(var), id(call)) not in self._handed:
                    self._handed.add((id(var), id(call)))
                    yield from self.visit(call.arguments[var.span], self.at_call(call, siblings, at))

    def at_call(self, call: Handed, siblings: dict[Span, Var], at: _At) -> _At:
        """The walk goes on in a caller: there the parameters are what was handed to them."""
        names, facts = at.names, at.facts
        for span, argument in call.arguments.items():
            parameter = siblings[span]
            old, new = self.key(E("var", parameter.type, data=parameter), at), self.key(argument, at)
            names = ((id(parameter), new), *((each, name.replace(old, new)) for each, name in names))
            facts = frozenset((one.replace(old, new), two.replace(old, new)) for one, two in facts)
        for given in call.given:
            facts |= self.facts(given, at)
        way = (*at.way, Related(call.span, "it is handed on here"))
        return replace(at, names=names, facts=facts, way=way, depth=at.depth + 1)

    def rows(self, rows: Rows, at: _At) -> Iterator[Diagnostic]:
        if rows.subject is not None:
            var, subject = rows.subject
            yield from self.visit(subject, at)
            at = replace(at, names=((id(var), self.key(subject, at)), *at.names))
        for condition, value in rows.cases:
            if rows.subject is None:
                yield from self.visit(condition, at)
            yield from self.visit(value, replace(at, facts=at.facts | self.facts(condition, at)))
        if rows.otherwise is not None:
            yield from self.visit(rows.otherwise, at)

    def asks_whether_any(self, e: E) -> bool:
        """``pile.top is none``: only whether something lies there."""
        none = [arg for arg in e.args if isinstance(arg.type, t.NoneType)]
        return len(none) == 1 and any(arg.op == "top" for arg in e.args)

    def whole_zone(self, e: E) -> bool:
        """Whether all that a zone holds is meant, not one kind of several."""
        assert isinstance(e.args[0].type, t.Zone | t.Thing)
        return isinstance(e.args[0].type, t.Zone) and set(e.args[0].type.holds) <= set(e.data)

    # --- what is hidden ---------------------------------------------------------------------------------------------

    def column(self, e: E, at: _At) -> Iterator[Diagnostic]:
        column: Column = e.data
        thing = e.args[0] if column.kind and e.args else None
        yield from self.seen(column.seen_by, thing, f"`{column.name}`", column.span, e, at)
        if column.face and thing is not None and not self.shows(column, thing, at):
            what = f"`{column.face}.{column.name}`, which is seen only while the {column.face} shows"
            hint = f"ask first: `showing == {column.face} and {column.face}.{column.name} …`"
            yield self.finding(what, hint, column.span, e, at)
        if at.depth >= DEEPEST:
            return
        place = at.span if at.way else (e.span or at.span)
        inner = replace(
            at, span=place, way=(*at.way, Related(column.span, f"by way of `{column.name}`")), depth=at.depth + 1
        )
        for formula in self.formulas(column, e, at):
            yield from self.visit(formula, inner)

    def formulas(self, column: Column, e: E, at: _At) -> Iterator[E]:
        """What is worked out when a column is read: its formula, or what the cells of the items say."""
        key = (column_key(column), ",".join(self.key(arg, at) for arg in e.args), at.facts)
        if key in self._done:
            return
        self._done.add(key)
        formula = self.inlined(column, e.args)
        if formula is not None:
            yield formula
        elif column.storage == "printed" and (
            column.params or column.is_formula or isinstance(column.type, t.Condition)
        ):
            expected = t.Bool() if isinstance(column.type, t.Condition) else column.type
            given = dict(zip((param.name for param in column.params), e.args[1:], strict=False))
            for item in self.unit.game.items.values():
                node = cell_of(item, column) if self.quiet.is_a(item.kind, column.kind) else None
                if node is not None:
                    yield self.quiet.value(
                        node, self_scope(self.unit, item.kind, e.args[0], item).bind(**given), expected
                    )

    def shows(self, column: Column, thing: E, at: _At) -> bool:
        """Whether a test has shown that this face is up."""
        base = thing.args[0] if thing.op == "facet" else thing
        kind = self.unit.game.kinds[column.kind]
        if kind.open_faces:
            return True
        number = kind.faces.index(column.face) + 1 if column.face in kind.faces else 0
        return (f"showing:({self.key(base, at)})", f"c{number}") in at.facts

    def zone(self, zone: E, at: _At, counts: bool, place: E) -> Iterator[Diagnostic]:
        declared: ZoneDecl | None = zone.data if zone.op == "zone_of" else None
        if zone.op == "const" and isinstance(zone.data, int) and zone.data:
            declared = self.unit.game.things[zone.data - 1].zone
        for arg in zone.args:
            yield from self.visit(arg, at)
        if declared is not None:
            owner = zone.args[0] if zone.op == "zone_of" else None
            seen_by = declared.count_seen_by if counts else declared.seen_by
            what = f"how much lies in `{declared.name}`" if counts else f"what lies in `{declared.name}`"
            yield from self.seen(seen_by, owner, what, declared.span, place, at)

    def seen(self, seen_by: str, thing: E | None, what: str, declared: Span, e: E, at: _At) -> Iterator[Diagnostic]:
        if seen_by == "nobody":
            yield self.finding(
                f"{what}, which nobody sees", "show it first, or ask for something else", declared, e, at
            )
        elif seen_by == "owner" and not self.looks(thing, at):
            hint = "ask its owner, or for something that all see"
            yield self.finding(f"{what}, which only the owner sees", hint, declared, e, at)

    def finding(self, what: str, hint: str, declared: Span, e: E, at: _At) -> Diagnostic:
        place = at.span if at.way else (e.span or at.span)
        related = (Related(declared, "it is declared here"), *at.way)
        return Diagnostic("hidden-leak", place, f"{at.eye.what} depends on {what}", hint, related)
