"""Expressions part by part: arithmetic, comparisons, `and`, `or`, `is`, `in`.

stake + 1 <= chips   ->  le(add(stake, 1), chips) : bool
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.dots import Dots
from ludoloom.compiler.analysis.fitting import bad
from ludoloom.compiler.analysis.proofs import denied, proved
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.expressions import Parsed
from ludoloom.compiler.frontend.nodes import Span
from ludoloom.runtime.isa import NIL

_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.FloorDiv: "div",
    ast.Mod: "mod",
}
_ORDER: dict[type[ast.cmpop], tuple[str, bool]] = {
    ast.Lt: ("lt", False),
    ast.LtE: ("le", False),
    ast.Gt: ("lt", True),
    ast.GtE: ("le", True),
}


@dataclass(slots=True)
class Operators(Dots):
    """Gives expressions their meaning and type."""

    def expression(self, parsed: Parsed, scope: Scope, expected: t.Type | None = None) -> E:
        """The meaning of one parsed expression."""
        return self.node(parsed.tree, parsed, scope, expected)

    def node(self, tree: ast.expr, parsed: Parsed, scope: Scope, expected: t.Type | None = None) -> E:
        span = parsed.place(tree)
        match tree:
            case ast.Constant(value=value):
                return E("const", t.Int(), data=value, span=span)
            case ast.Name(id=name):
                return self.word(name, span, scope, expected)
            case ast.Attribute(value=value, attr=attr):
                return self.member(value, attr, None, tree, parsed, scope, span)
            case ast.Call(func=ast.Attribute(value=value, attr=attr), args=args):
                return self.member(value, attr, args, tree, parsed, scope, span)
            case ast.Call(func=ast.Name(id=name), args=args):
                return self.call(name, args, parsed, scope, span)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self.truth(operand, parsed, scope)
                return E("not", t.Bool(), (inner,), span=span)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner = self.need_int(self.node(operand, parsed, scope, t.Int()), span)
                return (
                    E("const", t.Int(), data=-inner.data, span=span)
                    if inner.op == "const"
                    else E("neg", t.Int(), (inner,), span=span)
                )
            case ast.BoolOp(op=op, values=values):
                return self.logic("and" if isinstance(op, ast.And) else "or", values, parsed, scope, span)
            case ast.BinOp(left=left, op=op, right=right):
                return self.arithmetic(left, op, right, parsed, scope, expected, span)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                whole: E | None = None
                for op, right in zip(ops, comparators, strict=True):
                    test = self.compare(left, op, right, parsed, scope, span)
                    whole = test if whole is None else E("and", t.Bool(), (whole, test), span=span)
                    left = right
                assert whole is not None
                return whole
            case _:
                return bad(span)

    def truth(self, tree: ast.expr, parsed: Parsed, scope: Scope) -> E:
        found = self.node(tree, parsed, scope, t.Bool())
        return self.fit(found, t.Bool(), parsed.place(tree))

    def logic(self, op: str, values: list[ast.expr], parsed: Parsed, scope: Scope, span: Span) -> E:
        whole: E | None = None
        for value in values:
            part = self.truth(value, parsed, scope)
            whole = part if whole is None else E(op, t.Bool(), (whole, part), span=span)
            scope = scope.prove(*(proved(value) if op == "and" else denied(value)))
        assert whole is not None
        return whole

    def arithmetic(
        self,
        left: ast.expr,
        op: ast.operator,
        right: ast.expr,
        parsed: Parsed,
        scope: Scope,
        expected: t.Type | None,
        span: Span,
    ) -> E:
        name = _ARITHMETIC[type(op)]
        one = self.node(left, parsed, scope, expected)
        two = self.node(right, parsed, scope, expected if not isinstance(one.type, t.SetOf) else one.type.of)
        if isinstance(one.type, t.Unknown) or isinstance(two.type, t.Unknown):
            return bad(span)
        if (
            self.is_setlike(one.type)
            or self.is_setlike(two.type)
            or isinstance(one.type, t.Thing)
            or isinstance(two.type, t.Thing)
        ):
            if name == "add":
                return self.union(self.as_set(one), self.as_set(two), span)
            if name == "sub":
                return E("minus", self.as_set(one).type, (self.as_set(one), self.as_set(two)), span=span)
            self.bag.add(
                "wrong-type",
                span,
                f"`{ast.unparse(op) if False else parsed.text}` calculates with {t.show(one.type)}",
                "sets know `+` and `-` only",
            )
            return bad(span)
        one, two = self.need_int(one, parsed.place(left)), self.need_int(two, parsed.place(right))
        if one.op == "const" and two.op == "const" and isinstance(one.type, t.Int) and isinstance(two.type, t.Int):
            folded = self.fold(name, one.data, two.data)
            if folded is not None:
                return E("const", t.Int(), data=folded, span=span)
            self.bag.add("wrong-type", span, f"`{parsed.text}` has no value", "it divides by zero or leaves 32 bits")
            return bad(span)
        return E(name, t.Int(), (one, two), span=span)

    @staticmethod
    def fold(name: str, one: int, two: int) -> int | None:
        if name in ("div", "mod") and two == 0:
            return None
        value = {
            "add": one + two,
            "sub": one - two,
            "mul": one * two,
            "div": one // (two or 1),
            "mod": one % (two or 1),
        }[name]
        return value if -(2**31) < value < 2**31 else None

    def compare(self, left: ast.expr, op: ast.cmpop, right: ast.expr, parsed: Parsed, scope: Scope, span: Span) -> E:
        if isinstance(op, ast.Is | ast.IsNot):
            return self.identity(left, right, isinstance(op, ast.IsNot), parsed, scope, span)
        if isinstance(op, ast.In | ast.NotIn):
            test = self.membership(left, right, parsed, scope, span)
            return E("not", t.Bool(), (test,), span=span) if isinstance(op, ast.NotIn) else test
        one, two = self.pair(left, right, parsed, scope)
        if isinstance(one.type, t.Unknown) or isinstance(two.type, t.Unknown):
            return bad(span) if False else E("const", t.Bool(), data=0, span=span)
        if isinstance(op, ast.Eq | ast.NotEq):
            if not self.comparable(one.type, two.type):
                first, second = (
                    f"`{ast.unparse(e)}` is {t.show(of)}" for e, of in ((left, one.type), (right, two.type))
                )
                self.bag.add("wrong-type", span, f"{first}, {second}: they are never equal")
                return E("const", t.Bool(), data=0, span=span)
            if isinstance(two.type, t.NoneType) and isinstance(one.type, t.Int):
                two = E("const", t.Int(missing=True), data=NIL)
            return E("eq" if isinstance(op, ast.Eq) else "ne", t.Bool(), (one, two), span=span)
        name, swap = _ORDER[type(op)]
        one, two = self.need_int(one, parsed.place(left)), self.need_int(two, parsed.place(right))
        return E(name, t.Bool(), (two, one) if swap else (one, two), span=span)

    def pair(self, left: ast.expr, right: ast.expr, parsed: Parsed, scope: Scope) -> tuple[E, E]:
        """Both sides of a comparison; a bare name on one side may be an enumeration member that the other side's type
        finds."""
        if isinstance(left, ast.Name) and not isinstance(right, ast.Name) and not self.known(left.id, scope):
            two = self.node(right, parsed, scope)
            return self.node(left, parsed, scope, two.type), two
        if isinstance(left, ast.Name) and isinstance(right, ast.Name) and not self.known(left.id, scope):
            two = self.node(right, parsed, scope)
            return self.node(left, parsed, scope, two.type), two
        one = self.node(left, parsed, scope)
        return one, self.node(right, parsed, scope, one.type)

    def comparable(self, one: t.Type, two: t.Type) -> bool:
        match one, two:
            case t.NoneType(), _:
                return t.missing(two) or isinstance(two, t.Thing | t.ItemOf | t.Enum)
            case _, t.NoneType():
                return t.missing(one) or isinstance(one, t.Thing | t.ItemOf | t.Enum)
            case t.Thing(), t.Thing():
                return bool({self.game.kinds[k].root for k in one.kinds} & {self.game.kinds[k].root for k in two.kinds})
            case (t.Thing(), t.ItemOf()) | (t.ItemOf(), t.Thing()):
                return False
            case t.Enum(), t.Enum():
                return one.name == two.name
            case t.Zone(), t.Zone():
                return True
            case _:
                return type(one) is type(two) and not isinstance(one, t.SetOf | t.ListOf)

    def identity(self, left: ast.expr, right: ast.expr, negated: bool, parsed: Parsed, scope: Scope, span: Span) -> E:
        """``x is none``, ``x is not none``, ``x is kind``."""
        one = self.node(left, parsed, scope)
        if not isinstance(right, ast.Name):
            self.bag.add("not-in-language", span, "`is` asks for a kind or for `none`", "compare with `==`")
            return bad(span)
        if isinstance(one.type, t.Unknown):
            return E("const", t.Bool(), data=0, span=span)
        if right.id == "none":
            nil = E("const", t.NoneType(), data=NIL if isinstance(one.type, t.Int) else 0)
            return E("ne" if negated else "eq", t.Bool(), (one, nil), span=span)
        if right.id in self.game.kinds and isinstance(one.type, t.Thing):
            test = E("is_kind", t.Bool(), (one,), (right.id,), span)
            return E("not", t.Bool(), (test,), span=span) if negated else test
        self.bag.add(
            "unknown-word",
            parsed.place(right),
            f"`{right.id}` is no kind",
            did_you_mean(right.id, [*self.game.kinds, "none"]),
        )
        return E("const", t.Bool(), data=0, span=span)

    def membership(self, left: ast.expr, right: ast.expr, parsed: Parsed, scope: Scope, span: Span) -> E:
        two = self.node(right, parsed, scope)
        of = (
            two.type.of
            if isinstance(two.type, t.SetOf | t.ListOf)
            else t.Int()
            if isinstance(two.type, t.Range)
            else None
        )
        one = self.node(left, parsed, scope, of)
        if isinstance(one.type, t.Unknown) or isinstance(two.type, t.Unknown):
            return E("const", t.Bool(), data=0, span=span)
        if isinstance(two.type, t.Range):
            if not isinstance(one.type, t.Int):
                self.bag.add(
                    "wrong-type",
                    parsed.place(left),
                    f"`{ast.unparse(left)}` is {t.show(one.type)}; only numbers lie in a range",
                )
            return E("in_range", t.Bool(), (one, two), span=span)
        if isinstance(two.type, t.Zone):
            return E("at_zone", t.Bool(), (one, two), span=span)
        if self.is_setlike(two.type):
            return E("has", t.Bool(), (one, self.as_set(two)), span=span)
        self.bag.add(
            "wrong-type",
            parsed.place(right),
            f"`{ast.unparse(right)}` is {t.show(two.type)}: nothing can be in it",
            "after `in` stands a set, a zone or a range",
        )
        return E("const", t.Bool(), data=0, span=span)
