"""Expressions get their meaning and type.

    heroes.where(ko).any        -> any(where(in_play(hero), it -> column(ko; it))) : bool
    energy + 1  (in a hero)     -> add(column(energy; self), const 1) : int

`Infer.value` reads any value of the language (a scalar, rows, a list of sets); `Infer.expression` one parsed
expression. What cannot be understood is reported once and becomes type `Unknown`, which fits everywhere, so that one
mistake is one finding. Words are looked up in the order that the manual gives: names of the act, columns (of `it`,
else of `self`), the game.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.members import Members
from ludoloom.compiler.analysis.model import Column, Game, Item
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Rows, Var
from ludoloom.compiler.analysis.uses import Uses
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.expressions import Parsed, Range, parse
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.runtime.isa import NIL, RANGE_BIAS, RANGE_MAX

UNKNOWN = t.Unknown()
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


def bad(span: Span | None = None) -> E:
    """What stands for an expression that was already reported."""
    return E("const", UNKNOWN, data=0, span=span)


def pack_range(low: int, high: int) -> int:
    """A range as one word."""
    low = max(-RANGE_BIAS, min(RANGE_MAX, low))
    high = max(-RANGE_BIAS, min(RANGE_MAX, high))
    return (high + RANGE_BIAS) << 15 | (low + RANGE_BIAS)


@dataclass(slots=True)
class Infer:
    """Types expressions of one game; `bag` takes the findings."""

    game: Game
    bag: Bag
    uses: Uses = field(default_factory=Uses)
    _resolving: list[Column] = field(default_factory=list[Column])
    _broken: dict[int, Column] = field(default_factory=dict[int, Column])
    """Formulas whose type cannot be told, by identity: each is looked at and reported once, however often it is
    read."""

    def unknown(self, name: str, span: Span, message: str, hint: str) -> None:
        """Report a word that names nothing, or that an overlay has taken out."""
        gone = self.game.removed.get(name)
        if gone is not None:
            related = (Related(gone, "removed here"),)
            self.bag.add("removed-but-used", span, f"`{name}` is used here, but it has been removed", "", related)
        else:
            self.bag.add("unknown-word", span, message, hint)

    # --- the types of formulas --------------------------------------------------------------------------------------

    def typed(self, e: E) -> E:
        """The same reading of a column with its type; a formula's type is what its text gives, worked out on first
        use."""
        self.uses.note(e, self.game)
        if e.op == "by_kind":
            values = [(kind, self.typed(value)) for kind, value in e.data]
            return E("by_kind", self.common([value.type for _, value in values]), e.args, values, e.span)
        if e.op != "column" or not isinstance(e.type, t.Unknown) or e.data.formula is None:
            return e
        return E("column", self.resolve(e.data), e.args, e.data, e.span)

    def resolve(self, column: Column) -> t.Type:
        """The type of a computed column."""
        if not isinstance(column.type, t.Unknown) or column.formula is None or id(column) in self._broken:
            return column.type
        if any(column is other for other in self._resolving):
            start = next(at for at, other in enumerate(self._resolving) if other is column)
            ring = self._resolving[start:]
            first = min(ring, key=lambda each: (each.span.file, each.span.line, each.span.column))
            at = next(at for at, other in enumerate(ring) if other is first)
            names = [each.name for each in (*ring[at:], *ring[:at], first)]
            self.bag.add(
                "formula-cycle",
                first.span,
                f"`{first.name}` is worked out from itself: {' -> '.join(f'`{name}`' for name in names)}",
                "take one of the steps out",
            )
            return column.type
        self._resolving.append(column)
        thing = E("var", t.Thing(column.kind), data=Var("self", t.Thing(column.kind))) if column.kind else None
        names = {param.name: E("var", param.type, data=Var(param.name, param.type)) for param in column.params}
        found = self.value(column.formula, Scope(names, thing))
        self._resolving.pop()
        kind = t.SetOf(found.type.of) if isinstance(found.type, t.ListOf) else found.type
        if isinstance(kind, t.NoneType):
            self.bag.add("wrong-type", column.span, f"`{column.name}` is always none", "a formula gives a value")
            kind = UNKNOWN
        column.type = kind
        if isinstance(kind, t.Unknown):
            self._broken[id(column)] = column
        return kind

    # --- values: everything that may stand where a value is expected ------------------------------------------------

    def value(self, node: Node, scope: Scope, expected: t.Type | None = None) -> E:
        """A scalar expression, rows, or a list (of ids: a set; of enumeration values)."""
        if isinstance(node, Scalar):
            return self.scalar(node, scope, expected)
        if isinstance(node, Map):
            if "rows" in node:
                return self.rows(node, scope, expected)
            self.bag.add(
                "wrong-type", node.span, "a value cannot be a mapping here", "write an expression, or `{rows: …}`"
            )
            return bad(node.span)
        return self.listed(node, scope, expected)

    def scalar(self, node: Scalar, scope: Scope, expected: t.Type | None = None) -> E:
        """The value of one text."""
        parsed = parse(node, self.bag)
        if parsed is None:
            return bad(node.span)
        if isinstance(parsed, Range):
            return self.range(parsed, node.span, scope)
        found = self.expression(parsed, scope, expected)
        return self.fit(found, expected, node.span)

    def listed(self, node: Items, scope: Scope, expected: t.Type | None) -> E:
        if expected is not None and not isinstance(expected, t.SetOf | t.ListOf | t.Unknown):
            self.bag.add("wrong-type", node.span, f"{t.show(expected)} is expected here, not a list", "write one value")
            return bad(node.span)
        of = expected.of if isinstance(expected, t.SetOf | t.ListOf) else None
        parts = [self.value(item, scope, of) for item in node.items]
        if not parts:
            kind = expected if isinstance(expected, t.SetOf | t.ListOf) else t.SetOf(UNKNOWN)
            return E("things", kind, data=(), span=node.span)
        whole = self.as_set(parts[0])
        for part in parts[1:]:
            whole = self.union(whole, self.as_set(part), node.span)
        return whole

    def rows(self, node: Map, scope: Scope, expected: t.Type | None) -> E:
        """``{rows: {condition: value, else: value}}`` or ``{depends_on: x, rows: {1 to 3: value}}``."""
        rows = node.get("rows")
        if not isinstance(rows, Map):
            self.bag.add("wrong-type", node.span, "`rows` is a mapping of cases to values")
            return bad(node.span)
        subject: tuple[Var, E] | None = None
        on = node.get("depends_on")
        if on is not None:
            value = self.value(on, scope)
            subject = (Var("depends_on", value.type), value)
        cases: list[tuple[E, E]] = []
        otherwise: E | None = None
        impossible: Span | None = None
        covered: list[tuple[int, int, Scalar]] = []
        for key, cell in rows:
            if key.text == "else":
                if isinstance(cell, Scalar) and cell.value == "impossible":
                    impossible = cell.span
                else:
                    otherwise = self.value(cell, scope, expected)
                continue
            if subject is None:
                condition = self.condition(key, scope)
                inner = scope.prove(*self.proofs(key))
            else:
                condition = self.row_key(key, subject, scope, covered)
                inner = scope
            value = self.value(cell, inner, expected)
            if expected is None and not isinstance(value.type, t.Unknown):
                expected = self.widened(value.type)
            cases.append((condition, value))
        if subject is None and otherwise is None and impossible is None:
            self.bag.add(
                "rows-without-else",
                rows.span,
                "no row says what holds when no condition does",
                "add `else: …`, or `else: impossible` if it cannot happen",
            )
        if subject is not None and otherwise is None and impossible is None:
            self._gaps(subject[1], covered, rows)
        values = [value for _, value in cases] + ([otherwise] if otherwise else [])
        result = self.common([value.type for value in values])
        return E("rows", result, data=Rows(tuple(cases), otherwise, subject, impossible), span=node.span)

    def row_key(self, key: Scalar, subject: tuple[Var, E], scope: Scope, covered: list[tuple[int, int, Scalar]]) -> E:
        """The condition of one row of a table: a value, several (`a or b`), a range."""
        var, value = subject
        it = E("var", value.type, data=var, span=key.span)
        kind = value.type
        if isinstance(kind, t.Int):
            bounds = self.literal_range(key)
            if bounds is None:
                self.bag.add(
                    "wrong-type", key.span, f"`{key.text}` is no number or range", "write `3`, `1 to 3` or `5+`"
                )
                return bad(key.span)
            low, high = bounds
            for other_low, other_high, other in covered:
                if low <= other_high and other_low <= high:
                    self.bag.add(
                        "table-overlap",
                        key.span,
                        f"the row `{key.text}` overlaps the row `{other.text}`",
                        "each value belongs to one row",
                    )
                    break
            covered.append((low, high, key))
            return E("in_range", t.Bool(), (it, E("const", t.Range(), data=pack_range(low, high))), span=key.span)
        whole: E | None = None
        for name in [part.strip() for part in key.text.split(" or ")]:
            member: E
            if name == "true" or name == "false":
                member = E("const", t.Bool(), data=int(name == "true"))
            elif name == "none":
                member = E("const", t.NoneType(), data=NIL if isinstance(kind, t.Int) else 0)
            else:
                node = Scalar(key.span, name, name, key.plain and name == key.text)
                member = self.scalar(node, scope, kind)
            number = member.data if member.op == "const" and isinstance(member.data, int) else -1
            for low, _, other in covered:
                if low == number and number >= 0:
                    self.bag.add(
                        "table-overlap",
                        key.span,
                        f"the row `{name}` is there twice",
                        f"it also stands in the row `{other.text}`",
                    )
                    break
            covered.append((number, number, key))
            test = E("eq", t.Bool(), (it, member), span=key.span)
            whole = test if whole is None else E("or", t.Bool(), (whole, test), span=key.span)
        return whole if whole is not None else bad(key.span)

    def literal_range(self, key: Scalar) -> tuple[int, int] | None:
        """``3``, ``1 to 3``, ``5+`` as low and high (inclusive)."""
        text = key.text.strip()
        try:
            if text.endswith("+"):
                return int(text[:-1]), RANGE_MAX
            low, found, high = text.partition(" to ")
            return (int(low), int(high)) if found else (int(text), int(text))
        except ValueError:
            return None

    def _gaps(self, subject: E, covered: list[tuple[int, int, Scalar]], rows: Map) -> None:
        """Rows that depend on a value must cover all of its values."""
        kind = subject.type
        if isinstance(kind, t.Enum):
            members = self.members_of(kind)
            left = [name for number, name in enumerate(members, 1) if all(low != number for low, _, _ in covered)]
            if left:
                self.bag.add(
                    "table-gap",
                    rows.span,
                    f"no row for {', '.join(f'`{name}`' for name in left)}",
                    "add the row, or `else: …`",
                )
        elif isinstance(kind, t.Bool):
            if {low for low, _, _ in covered} != {0, 1}:
                self.bag.add("table-gap", rows.span, "rows of a yes/no value need `true` and `false`")
        elif isinstance(kind, t.Int):
            low, high = self.bounds_of(subject)
            at = low
            for start, end, _ in sorted(covered, key=lambda row: row[0]):
                if start > at:
                    break
                at = max(at, end + 1)
            if at <= high:
                upto = f" to {high}" if high < RANGE_MAX else "+"
                self.bag.add(
                    "table-gap",
                    rows.span,
                    f"no row for {at}{upto if high > at else ''}",
                    "add the row, or `else: …` (`else: impossible` if it cannot happen)",
                )
        elif isinstance(kind, t.ItemOf | t.Thing) and covered:
            self.bag.add(
                "rows-without-else",
                rows.span,
                f"rows that depend on {t.show(kind)} need `else`",
                "add `else: …`, or `else: impossible` if it cannot happen",
            )

    def bounds_of(self, value: E) -> tuple[int, int]:
        """What a number can be, as far as its declaration says: counts and columns know their bounds, the rest is
        open."""
        if value.op == "column" and isinstance(value.data, Column) and value.data.bounded:
            low = self.bound(value.data.low, value.args)
            high = self.bound(value.data.high, value.args)
            return (low if low is not None else -RANGE_BIAS), (high if high is not None else RANGE_MAX)
        if value.op == "count":
            return 0, RANGE_MAX
        if value.op in ("field", "face_column") and (thrown := self.bounds_of_roll(value)) is not None:
            return thrown
        if value.op == "word" and str(value.data).startswith("state."):
            column = self.game.state[str(value.data)[6:]]
            if column.bounded:
                low, high = self.fixed(column.low), self.fixed(column.high)
                return (low if low is not None else -RANGE_BIAS), (high if high is not None else RANGE_MAX)
        if value.op in ("add", "mul"):
            lows, highs = zip(*(self.bounds_of(arg) for arg in value.args), strict=True)
            if value.op == "add":
                return max(-RANGE_BIAS, sum(lows)), min(RANGE_MAX, sum(highs))
        return -RANGE_BIAS, RANGE_MAX

    def bounds_of_roll(self, value: E) -> tuple[int, int] | None:
        """What a roll's total or a number on its face can be; None where something is added to it."""
        var, name = value.data
        if not isinstance(var.type, t.Rolled):
            return None
        die = self.game.dice.get(var.type.die)
        if value.op == "field" and var.type.roll:
            return var.parts.get("bounds")
        column = name if value.op == "face_column" else "face"
        if die is None or die.columns.get(column) != t.Int():
            return None
        numbers = [face[column] for face in die.faces]
        return min(numbers), max(numbers)

    def bound(self, node: Node | None, args: tuple[E, ...]) -> int | None:
        """A bound of a thing's column: a number, or a printed column of the item whose line this is."""
        number = self.fixed(node)
        if number is not None or not isinstance(node, Scalar) or not args:
            return number
        thing = args[0]
        item: Item | None = thing.data.parts.get("item") if thing.op == "var" else None
        if item is None:
            return None
        return self.fixed(item.cells.get(node.text))

    @staticmethod
    def fixed(node: Node | None) -> int | None:
        """A bound that is a plain number."""
        return node.value if isinstance(node, Scalar) and type(node.value) is int else None

    def condition(self, node: Node, scope: Scope) -> E:
        """A value that must be yes or no."""
        return self.value(node, scope, t.Bool())

    def proofs(self, node: Node) -> list[str]:
        """Words that the condition proves not to be none (``x is not none and …``)."""
        if not isinstance(node, Scalar):
            return []
        quiet = Bag()
        parsed = parse(node, quiet)
        return self._proofs(parsed.tree) if isinstance(parsed, Parsed) else []

    def denials(self, node: Node) -> list[str]:
        """Words that are proved not to be none where the condition does not hold (``x is none or …``)."""
        if not isinstance(node, Scalar):
            return []
        parsed = parse(node, Bag())
        return self._denied(parsed.tree) if isinstance(parsed, Parsed) else []

    def _proofs(self, tree: ast.expr) -> list[str]:
        if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
            return [text for value in tree.values for text in self._proofs(value)]
        if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
            right = tree.comparators[0]
            if isinstance(tree.ops[0], ast.IsNot | ast.NotEq) and isinstance(right, ast.Name) and right.id == "none":
                return [ast.unparse(tree.left)]
            if isinstance(tree.ops[0], ast.In):
                return [ast.unparse(tree.left)]
        return []

    def _denied(self, tree: ast.expr) -> list[str]:
        """What is proved when the condition does not hold."""
        if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or):
            return [text for value in tree.values for text in self._denied(value)]
        if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Is | ast.Eq):
            right = tree.comparators[0]
            if isinstance(right, ast.Name) and right.id == "none":
                return [ast.unparse(tree.left)]
        if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
            return self._proofs(tree.operand)
        return []

    # --- expressions ------------------------------------------------------------------------------------------------

    def range(self, parsed: Range, span: Span, scope: Scope) -> E:
        """``low to high`` as a range value."""
        low = self.number(parsed.low, scope)
        high = self.number(parsed.high, scope) if parsed.high is not None else E("const", t.Int(), data=RANGE_MAX)
        if low.op == "const" and high.op == "const":
            if low.data > high.data:
                self.bag.add(
                    "wrong-type",
                    span,
                    f"the range {low.data} to {high.data} is empty",
                    "write the smaller number first",
                )
            return E("const", t.Range(), data=pack_range(low.data, high.data), span=span)
        return E("range", t.Range(), (low, high), span=span)

    def number(self, parsed: Parsed, scope: Scope) -> E:
        return self.fit(self.expression(parsed, scope, t.Int()), t.Int(), parsed.span)

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
            scope = scope.prove(*(self._proofs(value) if op == "and" else self._denied(value)))
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

    # --- words ------------------------------------------------------------------------------------------------------

    def known(self, name: str, scope: Scope) -> bool:
        """Whether a bare name means something without an expected type."""
        return (
            name in scope.names
            or name in ("self", "it", "true", "false", "none", "active", "phase")
            or self.bare(name, Span("", 0, 0, 0, 0), scope, quiet=True) is not None
        )

    def word(self, name: str, span: Span, scope: Scope, expected: t.Type | None = None) -> E:
        """A bare word, looked up level by level; at last, where no type is expected, as a member of the one enumeration
        that has it."""
        match name:
            case "true" | "false":
                return E("const", t.Bool(), data=int(name == "true"), span=span)
            case "none":
                return E("const", t.NoneType(), data=NIL if isinstance(expected, t.Int) else 0, span=span)
            case "self" if scope.self_ is not None:
                return scope.self_
            case "it" if scope.it is not None:
                return scope.it
            case "self" | "it":
                self.bag.add(
                    "unknown-word",
                    span,
                    f"there is no `{name}` here",
                    "`self` is the card or kind that the line belongs to, `it` the element inside `.where(…)`",
                )
                return bad(span)
            case _:
                pass
        found = self.bare(name, span, scope, expected=expected)
        if found is not None:
            found = self.typed(found)
            if t.missing(found.type) and name in scope.proven:
                found = self.certain(found)
            return found
        if isinstance(expected, t.Unknown) and self.bag.failed:
            return bad(span)  # what stands here depends on something that was reported
        declared = self.game.enums.items() if expected is None else ()
        homes = [enum for enum, members in declared if name in members and "." not in enum]
        if len(homes) == 1:
            return E("const", t.Enum(homes[0]), data=self.game.enums[homes[0]].index(name) + 1, span=span)
        several = " and of ".join(f"`{enum}`" for enum in homes)
        hint = f"it is a value of {several}; nothing here says which" if homes else ""
        candidates = self.candidates(scope, expected)
        self.unknown(name, span, f"`{name}` is not known here", hint or did_you_mean(name, candidates))
        return bad(span)

    def bare(
        self, name: str, span: Span, scope: Scope, expected: t.Type | None = None, quiet: bool = False
    ) -> E | None:
        first = scope.names.get(name)
        if first is not None and not quiet:
            self.uses.read_name(first)
        owner = scope.it if scope.it is not None else scope.self_
        second = (
            Members(self.game).of_thing(owner, name, span)
            if owner is not None and isinstance(owner.type, t.Thing)
            else None
        )
        if (
            second is None
            and scope.it is not None
            and scope.self_ is not None
            and isinstance(scope.self_.type, t.Thing)
            and name not in self.game.names
        ):
            second = Members(self.game).of_thing(scope.self_, name, span) if self._own_only(name, scope) else None
        if first is not None and second is not None and second.op == "column" and not quiet:
            it = "it" if scope.it is not None else "self"
            self.bag.add(
                "ambiguous-word",
                span,
                f"`{name}` is a name of this act and a column of `{it}`",
                f"write `{it}.{name}` for the column, or give the name another spelling",
            )
        if first is not None:
            return E(first.op, first.type, first.args, first.data, span)
        if second is not None and not (
            second.op == "facet" and expected is not None and self.member_of(name, expected, span) is not None
        ):
            return second
        if expected is not None:
            member = self.member_of(name, expected, span)
            if member is not None:
                return member
        return self.of_game(name, span)

    def _own_only(self, name: str, scope: Scope) -> bool:
        """Inside `.where(…)` the columns of `self` are written `self.x`; only what the game does not know is looked
        for there."""
        return self.of_game(name, None) is None

    def member_of(self, name: str, expected: t.Type, span: Span) -> E | None:
        """A name that the expected type finds: an enumeration member, a printed thing."""
        if isinstance(expected, t.SetOf | t.ListOf):
            return self.member_of(name, expected.of, span)
        if isinstance(expected, t.Enum):
            members = self.members_of(expected)
            if name in members:
                return E("const", t.Enum(expected.name), data=members.index(name) + 1, span=span)
        if isinstance(expected, t.ItemOf):
            item = self.game.items.get(name)
            if item is not None and self.is_a(item.kind, expected.kind):
                return E("const", t.ItemOf(expected.kind), data=item.things[0] if item.things else 0, span=span)
        return None

    def members_of(self, kind: t.Enum) -> list[str]:
        """The members of an enumeration, in order (member k is the word k+1)."""
        if kind.name == "phase":
            return list(self.game.phases)
        if kind.name.startswith("options."):
            return list(self.game.options[kind.name[8:]].values)
        return self.game.enums.get(kind.name, [])

    def of_game(self, name: str, span: Span | None) -> E | None:
        """A word of the game itself."""
        game = self.game
        if name == "active":
            return E("word", t.Thing(self.active_kind()), data="active", span=span)
        if name == "phase":
            return E("word", t.Enum("phase"), data="phase", span=span)
        if name in game.state:
            return E("word", game.state[name].type, data=f"state.{name}", span=span)
        if name in game.computed:
            column = game.computed[name]
            return E("column", column.type, data=column, span=span) if not column.params else None
        if name in game.tracks:
            return E("word", t.Int(), data=f"track.{name}", span=span)
        for kind in game.kinds.values():
            if kind.plural == name:
                op = "all_of" if kind.family in ("space", "part", "map") else "in_play"
                return E(op, t.SetOf(t.Thing(kind.name)), data=kind.name, span=span)
        number = game.names.get(name)
        if number is not None:
            thing = game.things[number - 1]
            if thing.zone is not None:
                return E("const", t.Zone(thing.zone.holds, thing.zone.order), data=number, span=span)
            return E("const", t.Thing(thing.kind), data=number, span=span)
        return None

    def active_kind(self) -> str:
        """The kind of `active`: what the phases' turns go round."""
        for phase in self.game.phases.values():
            turns = phase.get("turns")
            of = turns.get("of") if isinstance(turns, Map) else None
            if isinstance(of, Scalar):
                for kind in self.game.kinds.values():
                    if kind.plural == of.text.split(".")[0]:
                        return kind.name
        return self.game.player_kind

    def candidates(self, scope: Scope, expected: t.Type | None = None) -> list[str]:
        """All words known here, for «did you mean»."""
        words = [*scope.names, *self.game.state, *self.game.computed, *self.game.tracks, *self.game.names]
        words += [kind.plural for kind in self.game.kinds.values()] + [
            "active",
            "phase",
            "options",
            "none",
            "true",
            "false",
        ]
        for owner in (scope.it, scope.self_):
            if owner is not None and isinstance(owner.type, t.Thing):
                words += Members(self.game).names(owner.type)
        if isinstance(expected, t.Enum):
            words += self.members_of(expected)
        if isinstance(expected, t.ItemOf):
            words += [item.id for item in self.game.items.values() if self.is_a(item.kind, expected.kind)]
        return words

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

    # --- members ----------------------------------------------------------------------------------------------------

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
        text = ast.unparse(tree)
        if t.missing(base.type) and ast.unparse(value) not in scope.proven:
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
        if t.missing(found.type) and text in scope.proven:
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
            if isinstance(whole.type, t.Unknown):
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

    # --- fitting ----------------------------------------------------------------------------------------------------

    def is_setlike(self, kind: t.Type) -> bool:
        return isinstance(kind, t.SetOf | t.ListOf | t.Zone)

    def as_set(self, value: E) -> E:
        """Anything that can stand for a set: zones (what lies there), lists, one thing (a set of one; none: an empty
        set)."""
        match value.type:
            case t.SetOf():
                return value
            case t.ListOf(of=of):
                return E(value.op, t.SetOf(of), value.args, value.data, value.span)
            case t.Zone(holds=holds):
                kinds = holds or tuple(
                    kind.name for kind in self.game.kinds.values() if kind.family not in ("space", "map", "part")
                )
                return E("at", t.SetOf(t.Thing(*kinds)), (value,), kinds, value.span)
            case t.Thing(kinds=kinds):
                return E("single", t.SetOf(t.Thing(*kinds)), (value,), span=value.span)
            case t.Enum(name=name):
                return E("single", t.SetOf(t.Enum(name)), (value,), span=value.span)
            case t.NoneType():
                return E("things", t.SetOf(UNKNOWN), data=(), span=value.span)
            case t.Unknown():
                return E("things", t.SetOf(UNKNOWN), data=(), span=value.span)
            case _:
                self.bag.add(
                    "wrong-type",
                    value.span or Span("", 1, 1, 1, 1),
                    f"{t.show(value.type)} is no set",
                    "a set of things is expected here",
                )
                return E("things", t.SetOf(UNKNOWN), data=(), span=value.span)

    def union(self, one: E, two: E, span: Span) -> E:
        first = one.type.of if isinstance(one.type, t.SetOf) else UNKNOWN
        second = two.type.of if isinstance(two.type, t.SetOf) else UNKNOWN
        return E("union", t.SetOf(self.common([first, second])), (one, two), span=span)

    def need_int(self, value: E, span: Span | None, allow_missing: bool = False) -> E:
        """A number; a missing one is refused unless allowed."""
        kind = value.type
        if isinstance(kind, t.Unknown):
            return E("const", t.Int(), data=0, span=span)
        if isinstance(kind, t.Int):
            if kind.missing and not allow_missing:
                self.bag.add(
                    "maybe-none",
                    span or Span("", 1, 1, 1, 1),
                    "this number may be none",
                    "ask first: `… is not none and …`",
                )
            return value
        self.bag.add("wrong-type", span or Span("", 1, 1, 1, 1), f"a number is expected here, not {t.show(kind)}")
        return E("const", t.Int(), data=0, span=span)

    def certain(self, value: E) -> E:
        """The same value, known not to be none."""
        kind = value.type
        match kind:
            case t.Thing(kinds=kinds):
                certain: t.Type = t.Thing(*kinds)
            case t.Int():
                certain = t.Int()
            case t.Enum(name=name):
                certain = t.Enum(name)
            case t.ItemOf(kind=name):
                certain = t.ItemOf(name)
            case _:
                certain = kind
        return E(value.op, certain, value.args, value.data, value.span)

    def is_a(self, kind: str, base: str) -> bool:
        """Whether things of `kind` are things of `base` too."""
        seen = kind
        while seen:
            if seen == base:
                return True
            seen = self.game.kinds[seen].base if seen in self.game.kinds else ""
        return False

    def fits(self, found: t.Type, expected: t.Type) -> bool:
        """Whether a value of type `found` may stand where `expected` is asked for (none aside)."""
        match expected, found:
            case (t.Unknown(), _) | (_, t.Unknown()):
                return True
            case t.Thing(), t.Thing():
                return all(any(self.is_a(kind, base) for base in expected.kinds) for kind in found.kinds)
            case t.ItemOf(), t.ItemOf():
                return self.is_a(found.kind, expected.kind)
            case t.Enum(), t.Enum():
                return expected.name == found.name
            case (t.SetOf(), t.SetOf()) | (t.ListOf(), t.ListOf()) | (t.SetOf(), t.ListOf()):
                return self.fits(found.of, expected.of)
            case _, t.NoneType():
                return t.missing(expected)
            case t.Zone(), t.Thing():
                return False
            case _:
                return type(expected) is type(found)

    def fit(self, value: E, expected: t.Type | None, span: Span) -> E:
        """`value` as what is expected, or a finding."""
        if expected is None or isinstance(expected, t.Unknown) or isinstance(value.type, t.Unknown):
            return value
        if (
            isinstance(expected, t.SetOf)
            and not isinstance(value.type, t.SetOf)
            and self.is_setlike(value.type) | isinstance(value.type, t.Thing | t.NoneType | t.Enum)
        ):
            value = self.as_set(value)
        if isinstance(value.type, t.NoneType):
            if t.missing(expected):
                return E("const", expected, data=NIL if isinstance(expected, t.Int) else 0, span=value.span)
            self.bag.add("maybe-none", span, f"none cannot stand here: {t.show(expected)} is expected")
            return bad(span)
        if isinstance(expected, t.Range) and isinstance(value.type, t.Int):
            if value.op == "const":
                return E("const", t.Range(), data=pack_range(value.data, value.data), span=value.span)
            return E("range", t.Range(), (value, value), span=value.span)
        if not self.fits(value.type, expected):
            self.bag.add("wrong-type", span, f"{t.show(expected)} is expected here, not {t.show(value.type)}")
            return bad(span)
        if t.missing(value.type) and not t.missing(expected):
            self.bag.add(
                "maybe-none",
                span,
                f"this may be none, and {t.show(expected)} is expected",
                "ask first: `… is not none`, or choose from it",
            )
            return self.certain(value)
        return value

    def widened(self, kind: t.Type) -> t.Type:
        """What further rows of a table may be once the first is known."""
        match kind:
            case t.Thing(kinds=kinds):
                return t.Thing(*(self.game.kinds[name].root for name in kinds), missing=True)
            case t.Int():
                return t.Int(missing=True)
            case t.Enum(name=name):
                return t.Enum(name, missing=True)
            case t.SetOf():
                return t.SetOf(UNKNOWN)
            case t.NoneType():
                return UNKNOWN
            case _:
                return kind

    def common(self, kinds: Iterable[t.Type]) -> t.Type:
        """One type for several values."""
        result: t.Type = UNKNOWN
        for kind in kinds:
            if isinstance(result, t.Unknown) or result == kind:
                result = kind
            elif isinstance(kind, t.Unknown):
                continue
            elif isinstance(kind, t.NoneType):
                result = self.maybe(result)
            elif isinstance(result, t.NoneType):
                result = self.maybe(kind)
            elif isinstance(result, t.Thing) and isinstance(kind, t.Thing):
                names = list(dict.fromkeys((*result.kinds, *kind.kinds)))
                names = [name for name in names if not any(other != name and self.is_a(name, other) for other in names)]
                result = t.Thing(*names, missing=result.missing or kind.missing)
            elif isinstance(result, t.Int) and isinstance(kind, t.Int):
                result = t.Int(missing=result.missing or kind.missing)
            elif isinstance(result, t.Enum) and isinstance(kind, t.Enum) and result.name == kind.name:
                result = t.Enum(result.name, missing=True)
            elif isinstance(result, t.SetOf) and isinstance(kind, t.SetOf):
                result = t.SetOf(self.common([result.of, kind.of]))
        return result

    def maybe(self, kind: t.Type) -> t.Type:
        match kind:
            case t.Thing(kinds=kinds):
                return t.Thing(*kinds, missing=True)
            case t.Int():
                return t.Int(missing=True)
            case t.Enum(name=name):
                return t.Enum(name, missing=True)
            case t.ItemOf(kind=name):
                return t.ItemOf(name, missing=True)
            case _:
                return kind
