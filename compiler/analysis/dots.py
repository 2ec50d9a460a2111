"""What stands behind a dot or is called: members, methods with one argument, formulas with theirs.

    hand.where(rank > 2)   ->  where(at(hand); it -> lt(2, column(rank; it)))
    worth(card)            ->  column(worth; self, card)

`members` has the tables of what there is; here are the arguments.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from dataclasses import dataclass

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.fitting import bad
from ludoloom.compiler.analysis.members import Members
from ludoloom.compiler.analysis.model import Column
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.analysis.words import Words
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.expressions import Parsed
from ludoloom.compiler.frontend.nodes import Map, Span


@dataclass(slots=True)
class Dots(Words):
    """Gives what stands behind a dot its meaning; arguments are read by `node` and `truth`."""

    @abstractmethod
    def node(self, tree: ast.expr, parsed: Parsed, scope: Scope, expected: t.Type | None = None) -> E:
        """The meaning of one part of an expression."""

    @abstractmethod
    def truth(self, tree: ast.expr, parsed: Parsed, scope: Scope) -> E:
        """The meaning of a part that must be yes or no."""

    def call(self, name: str, args: list[ast.expr], parsed: Parsed, scope: Scope, span: Span) -> E:
        """``formula(argument)``: of the element, of self, of the game, or a total of an opposed roll."""
        bound = scope.names.get(name)
        if bound is not None and bound.op == "sides":
            self.uses.read_name(bound)
            return self.side_of(bound.data, args[0] if args else None, name, span)
        owner = scope.it if scope.it is not None else scope.self_
        if owner is not None and isinstance(owner.type, t.Thing):
            column = Members(self.game).column(owner.type, name)
            if column is not None:
                return self.formula(column, owner, args, parsed, scope, span)
        column = self.game.computed.get(name)
        if column is not None:
            return self.formula(column, None, args, parsed, scope, span)
        known = [each for each, column in self.game.computed.items() if column.params]
        if owner is not None and isinstance(owner.type, t.Thing):
            known += Members(self.game).names(owner.type)
        self.unknown(name, span, f"`{name}(…)` is not known here", did_you_mean(name, known))
        return bad(span)

    def side_of(self, totals: dict[str, E], arg: ast.expr | None, name: str, span: Span) -> E:
        """``total(first)``: one side's total of an opposed roll."""
        side = arg.id if isinstance(arg, ast.Name) else ""
        if side in totals:
            return totals[side]
        sides = " or ".join(f"`{each}`" for each in totals)
        self.bag.add("unknown-word", span, f"`{name}` is asked of {sides}", did_you_mean(side, totals))
        return bad(span)

    def formula(
        self, column: Column, owner: E | None, args: list[ast.expr], parsed: Parsed, scope: Scope, span: Span
    ) -> E:
        if len(args) != len(column.params):
            what = f"takes the argument `{column.params[0].name}`" if column.params else "takes no argument"
            self.bag.add("wrong-type", span, f"`{column.name}` {what}")
            return bad(span)
        values = tuple(
            self.fit(self.node(arg, parsed, scope, param.type), param.type, parsed.place(arg))
            for arg, param in zip(args, column.params, strict=True)
        )
        return self.typed(E("column", column.type, ((owner,) if owner is not None else ()) + values, column, span))

    def member(
        self,
        value: ast.expr,
        attr: str,
        args: list[ast.expr] | None,
        tree: ast.expr,
        parsed: Parsed,
        scope: Scope,
        span: Span,
    ) -> E:
        """``base.attr`` or ``base.attr(argument)``."""
        if isinstance(value, ast.Name) and value.id == "options" and args is None and "options" not in scope.names:
            option = self.game.options.get(attr)
            if option is None:
                self.bag.add(
                    "unknown-word", span, f"there is no option `{attr}`", did_you_mean(attr, self.game.options)
                )
                return bad(span)
            return self.typed(E("word", option.type, data=f"option.{attr}", span=span))
        base = self.node(value, parsed, scope)
        if isinstance(base.type, t.Unknown):
            return bad(span)
        if t.missing(base.type) and not (scope.proven and ast.unparse(value) in scope.proven):
            self.bag.add(
                "maybe-none",
                parsed.place(value),
                f"`{ast.unparse(value)}` may be none",
                f"ask first: `{ast.unparse(value)} is not none and …`, or choose from it",
            )
            base = self.certain(base)
        elif t.missing(base.type):
            base = self.certain(base)
        found = self.attribute(base, attr, args, parsed, scope, span)
        if found is None:
            members = Members(self.game)
            offered = members.names_of(base.type)
            self.bag.add(
                "unknown-word",
                self._tail(span, attr, args),
                f"{t.show(base.type)} has no `{attr}`",
                did_you_mean(attr, offered),
            )
            return bad(span)
        if t.missing(found.type) and scope.proven and ast.unparse(tree) in scope.proven:
            found = self.certain(found)
        return found

    @staticmethod
    def _tail(span: Span, attr: str, args: list[ast.expr] | None) -> Span:
        """The place of the word behind the dot."""
        if args is None and span.line == span.end_line and span.end_column - span.column > len(attr):
            return Span(span.file, span.line, span.end_column - len(attr), span.line, span.end_column)
        return span

    def attribute(
        self, base: E, attr: str, args: list[ast.expr] | None, parsed: Parsed, scope: Scope, span: Span
    ) -> E | None:
        members = Members(self.game)
        if args is None:
            found = members.plain(base, attr, span)
            if found is not None:
                return self.typed(found)
        if isinstance(base.type, t.Thing):
            column = members.column(base.type, attr)
            if column is not None and column.params:
                return self.formula(column, base, args or [], parsed, scope, span)
        if args is not None and len(args) == 1:
            return self.method(base, attr, args[0], parsed, scope, span)
        return None

    def method(self, base: E, attr: str, arg: ast.expr, parsed: Parsed, scope: Scope, span: Span) -> E | None:
        """Calls with one argument: of sets, numbers, places, zones, assignments."""
        kind = base.type
        if isinstance(kind, t.Int) and attr in ("at_least", "at_most"):
            other = self.need_int(self.node(arg, parsed, scope, t.Int()), parsed.place(arg))
            return E("max" if attr == "at_least" else "min", t.Int(), (base, other), span=span)
        if isinstance(kind, t.Rolled) and attr == "total" and "sides" in base.data.parts:
            return self.side_of(base.data.parts["sides"], arg, attr, span)
        if isinstance(kind, t.Assigned) and attr in ("of", "at"):
            want = kind.right if attr == "of" else kind.left
            other = self.fit(self.node(arg, parsed, scope, want), want, parsed.place(arg))
            result: t.Type = (
                t.Int()
                if attr == "of" and isinstance(kind.left, t.Int)
                else t.SetOf(kind.left)
                if attr == "of"
                else kind.right
            )
            return E(f"assigned_{attr}", result, (base, other), span=span)
        if isinstance(kind, t.Zone | t.ListOf) and attr == "at":
            other = self.need_int(self.node(arg, parsed, scope, t.Int()), parsed.place(arg))
            of = kind.of if isinstance(kind, t.ListOf) else t.Thing(*(kind.holds or tuple(self.game.kinds)))
            result = t.Thing(*of.kinds, missing=True) if isinstance(of, t.Thing) else of
            return E("nth", result, (base, other), span=span)
        if isinstance(kind, t.TableOf) and attr == "at":
            other = self.fit(self.node(arg, parsed, scope, kind.key), kind.key, parsed.place(arg))
            row = kind.value if self.has_all_rows(base, kind) else self.maybe(kind.value)
            return E("table_at", row, (base, other), span=span)
        if isinstance(kind, t.Thing) and attr in ("distance", "line", "between", "steps_toward", "nearest", "farthest"):
            return self.map_method(base, attr, arg, parsed, scope, span)
        if self.is_setlike(kind) and attr in ("where", "all", "sum", "min", "max", "least", "most"):
            whole = self.as_set(base)
            assert isinstance(whole.type, t.SetOf)
            it = Var("it", whole.type.of)
            inner = scope.inside(it)
            if attr in ("where", "all"):
                condition = self.truth(arg, parsed, inner)
                return E(attr, whole.type if attr == "where" else t.Bool(), (whole,), (it, condition), span)
            number = self.need_int(
                self.node(arg, parsed, inner, t.Int()), parsed.place(arg), allow_missing=attr in ("least", "most")
            )
            if attr == "sum":
                return E("sum", t.Int(), (whole,), (it, number), span)
            if attr in ("min", "max"):
                return E(f"{attr}_of", t.Int(missing=True), (whole,), (it, number), span)
            return E(attr, whole.type, (whole,), (it, number), span)
        return None

    def has_all_rows(self, table: E, kind: t.TableOf) -> bool:
        """Whether each thing prints a row for each key: then none of them is none."""
        if table.op != "column" or not isinstance(table.data, Column) or not isinstance(kind.key, t.Enum):
            return False
        column, keys = table.data, set(self.members_of(kind.key))
        name = f"{column.face}.{column.name}" if column.face else column.name
        items = [item for item in self.game.items.values() if self.is_a(item.kind, column.kind)]
        cells = [item.cells.get(name, column.default) for item in items]
        return all(isinstance(cell, Map) and keys <= set(cell.names()) for cell in cells)

    def map_method(self, base: E, attr: str, arg: ast.expr, parsed: Parsed, scope: Scope, span: Span) -> E | None:
        assert isinstance(base.type, t.Thing)
        place = next((kind for kind in base.type.kinds if self.game.kinds[kind].family in ("space", "tile")), None)
        if place is None:
            return None
        if attr in ("nearest", "farthest"):
            whole = self.as_set(self.node(arg, parsed, scope))
            of = whole.type.of if isinstance(whole.type, t.SetOf) else t.Unknown()
            if isinstance(of, t.Unknown):
                return bad(span)
            if not isinstance(of, t.Thing):
                message = f"`{ast.unparse(arg)}` is {t.show(whole.type)}: they stand nowhere"
                self.bag.add("wrong-type", parsed.place(arg), message, "things that stand on the map are near or far")
                return bad(span)
            return E(attr, whole.type, (base, whole), span=span)
        other = self.node(arg, parsed, scope)
        if isinstance(other.type, t.Unknown):
            return bad(span)
        if not (
            isinstance(other.type, t.Thing)
            and all(self.game.kinds[kind].family in ("space", "tile") for kind in other.type.kinds)
        ):
            self.bag.add(
                "wrong-type",
                parsed.place(arg),
                f"`{ast.unparse(arg)}` is {t.show(other.type)}, not a place",
                "ask where it stands first",
            )
            return bad(span)
        if attr in ("distance", "line"):
            return E(attr, t.Int(missing=True), (base, other), span=span)
        return E(attr, t.SetOf(Members(self.game).places_of(base.type)), (base, other), span=span)
