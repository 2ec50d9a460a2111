"""Expressions get their meaning and type.

    heroes.where(ko).any        -> any(where(in_play(hero), it -> column(ko; it))) : bool
    energy + 1  (in a hero)     -> add(column(energy; self), const 1) : int

`Infer.value` reads any value of the language (a scalar, rows, a list of sets); `Infer.expression` one parsed
expression. What cannot be understood is reported once and becomes type `Unknown`, which fits everywhere, so that one
mistake is one finding. Words are looked up in the order that the manual gives: names of the act, columns (of `it`,
else of `self`), the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.bounds import LEAST, MOST, bounds_of, show
from ludoloom.compiler.analysis.fitting import UNKNOWN, bad, pack_range, packs
from ludoloom.compiler.analysis.operators import Operators
from ludoloom.compiler.analysis.proofs import proofs
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Rows, Var
from ludoloom.compiler.diagnostics.model import Related
from ludoloom.compiler.frontend.expressions import Parsed, Range, parse
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.runtime.isa import NIL, RANGE_MAX, RANGE_OPEN


@dataclass(slots=True)
class Infer(Operators):
    """Types expressions of one game; `bag` takes the findings. Its layers: how types fit (`Fitting`), words (`Words`),
    what stands behind a dot (`Dots`), operators (`Operators`); here are values, with their rows and lists."""

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
            return self.range(parsed, node.span, scope, expected)
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
        self.else_last(rows.entries, "else")
        for key, cell in rows:
            if key.text == "else":
                if isinstance(cell, Scalar) and cell.value == "impossible":
                    impossible = cell.span
                else:
                    otherwise = self.value(cell, scope, expected)
                continue
            if subject is None:
                condition = self.condition(key, scope)
                inner = scope.prove(*proofs(key))
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
            if not LEAST < low <= high <= MOST:
                code, message = "wrong-type", f"the range {key.text} is empty"
                hint = "write the smaller number first"
                if low <= high:
                    code, message = "number-too-large", f"the row `{key.text}` goes beyond 32 bits"
                    hint = f"a number from {LEAST + 1} to {MOST}"
                self.bag.add(code, key.span, message, hint)
                return bad(key.span)
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
            return self.between(it, low, high, key.span)
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

    def between(self, it: E, low: int, high: int, span: Span) -> E:
        """Whether a number lies between two known ones. A range is one word, which large numbers do not fit into: these
        are compared one by one (a missing number is less than all others, so it lies between none)."""
        if packs(low) and (packs(high) or high == MOST):
            packed = pack_range(low, RANGE_MAX if high == MOST else high)
            return E("in_range", t.Bool(), (it, E("const", t.Range(), data=packed)), span=span)
        ends = [E("const", t.Int(), data=end, span=span) for end in (low, high)]
        enough = E("le", t.Bool(), (ends[0], it), span=span)
        return E("and", t.Bool(), (enough, E("le", t.Bool(), (it, ends[1]), span=span)), span=span)

    def else_last(self, lines: Iterable[tuple[Scalar, Node]], rest: str, *, by_value: bool = False) -> None:
        """Nothing can be meant by a line behind the one (key or value) that takes all the rest."""
        taken: Scalar | None = None
        for key, value in lines:
            if taken is not None:
                self.bag.add(
                    "table-overlap",
                    key.span,
                    f"`{key.text}` stands behind `{rest}`, which takes all that is left",
                    f"write `{rest}` last",
                    (Related(taken.span, f"here is `{rest}`"),),
                )
                return
            word = value if by_value else key
            if isinstance(word, Scalar) and word.text == rest:
                taken = key

    def literal_range(self, key: Scalar) -> tuple[int, int] | None:
        """``3``, ``1 to 3``, ``5+`` as low and high (inclusive)."""
        text = key.text.strip()
        try:
            if text.endswith("+"):
                return int(text[:-1]), MOST
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
            at, high = bounds_of(self.game, subject)
            gaps: list[str] = []
            for start, end, _ in sorted(covered, key=lambda row: row[0]):
                if at < start and at <= high:
                    gaps.append(show(at, min(start - 1, high)))
                at = max(at, end + 1)
            if at <= high:
                gaps.append(show(at, high))
            if gaps:
                self.bag.add(
                    "table-gap",
                    rows.span,
                    f"no row for {', '.join(gaps)}",
                    "add the row, or `else: …` (`else: impossible` if it cannot happen)",
                )
        elif isinstance(kind, t.ItemOf | t.Thing) and covered:
            self.bag.add(
                "rows-without-else",
                rows.span,
                f"rows that depend on {t.show(kind)} need `else`",
                "add `else: …`, or `else: impossible` if it cannot happen",
            )

    def condition(self, node: Node, scope: Scope) -> E:
        """A value that must be yes or no."""
        return self.value(node, scope, t.Bool())

    def range(self, parsed: Range, span: Span, scope: Scope, expected: t.Type | None = None) -> E:
        """``low to high`` as a range value: one word, where a range is `expected`; a choice takes the ends as they
        are."""
        low = self.number(parsed.low, scope)
        high = self.number(parsed.high, scope) if parsed.high is not None else E("const", t.Int(), data=RANGE_OPEN)
        ends = (low,) if parsed.high is None else (low, high)
        if low.op == "const" and high.op == "const":
            if low.data > high.data:
                self.bag.add(
                    "wrong-type",
                    span,
                    f"the range {low.data} to {high.data} is empty",
                    "write the smaller number first",
                )
                return bad(span)
            if all(packs(end.data) for end in ends):
                packed = pack_range(low.data, RANGE_MAX if parsed.high is None else high.data)
                return E("const", t.Range(), data=packed, span=span)
        if parsed.high is None or isinstance(expected, t.Range):
            for end in ends:
                if end.op == "const" and not self.packable(end, span):
                    return bad(span)
        return E("range", t.Range(), (low, high), span=span)

    def number(self, parsed: Parsed, scope: Scope) -> E:
        return self.fit(self.expression(parsed, scope, t.Int()), t.Int(), parsed.span)
