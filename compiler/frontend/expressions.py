"""Text of an expression -> Python's own syntax tree, cut down to the grammar of the language.

    hero.energy >= 2 and not hero.ko        -> ast.BoolOp
    0 to health_max      5+                 -> a Range of two expressions (the high end of 5+ is missing)

Python's parser does the work (`ast.parse`), so precedence and spelling hold no surprises; everything that the language
does not have is refused here with the plain form to write instead. What is left is: names, dots, calls with at most one
argument, `and or not`, comparisons, `in`, `is`, `+ - * // %`, whole numbers.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import lru_cache

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Scalar, Span, record

LONGEST = 2000
"""Characters in one expression; longer ones are cut into named formulas."""
DEEPEST = 50
"""Parts within parts of one expression (``a + b + c`` are two): everything that walks over one does so by recursion."""

_RANGE = re.compile(r"^(?P<low>.+?)\s+to\s+(?P<high>.+)$", re.DOTALL)
_OPEN = re.compile(r"^(?P<low>.+?)\s*\+$", re.DOTALL)

_INSTEAD: dict[type[ast.AST], str] = {
    ast.IfExp: "write rows: `{rows: {condition: value, else: value}}`",
    ast.Subscript: "write `.at(…)`",
    ast.Lambda: "name the formula under `computed`",
    ast.ListComp: "write `.where(…)`",
    ast.SetComp: "write `.where(…)`",
    ast.GeneratorExp: "write `.where(…)`",
    ast.DictComp: "write `.where(…)`",
    ast.JoinedStr: "texts belong into `text` and `says`",
    ast.Starred: "write the sum of the sets: `a + b`",
    ast.NamedExpr: "bind the name with `let` first",
    ast.Tuple: "a comma is never needed: write `a + b` for several",
    ast.List: "a YAML list stands outside of an expression",
    ast.Set: "write `a + b`",
    ast.Dict: "write rows",
    ast.Await: "there is nothing to wait for",
    ast.Yield: "there is nothing to yield",
}
_OPERATORS: dict[type[ast.AST], str] = {
    ast.Div: "write `//`, division without a rest",
    ast.Pow: "write the product out",
    ast.BitAnd: "write `and`, or `.where(it in other)` for sets",
    ast.BitOr: "write `or`, or `+` for sets",
    ast.BitXor: "write `a != b`",
    ast.LShift: "write the product",
    ast.RShift: "write `//`",
    ast.MatMult: "write `*`",
    ast.Invert: "write `not`",
    ast.UAdd: "leave the sign out",
}


@dataclass(frozen=True, slots=True)
class Range:
    """``low to high``; without a high end: ``low+``."""

    low: Parsed
    high: Parsed | None


@record
class Parsed:
    """One expression: Python's tree, the place of the whole and whether parts of it can be placed exactly."""

    tree: ast.expr
    span: Span
    exact: bool
    text: str
    shift: int = 0

    def place(self, node: ast.AST) -> Span:
        """Where a part of the expression stands; the whole expression if the text is quoted or folded."""
        start = getattr(node, "col_offset", None)
        end = getattr(node, "end_col_offset", None)
        if not self.exact or start is None or end is None:
            return self.span
        return self.span.within(start + self.shift - 1, end + self.shift - 1)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a text is no expression of the language: the part of the tree that is to blame, or the offset in the text."""

    code: str
    message: str
    hint: str
    node: ast.AST | None = None
    offset: int = -1


@lru_cache(maxsize=20000)
def _read(text: str) -> tuple[ast.expr | None, Fault | None]:
    """Python's tree of a text, and what is wrong with it. The same text is read once, wherever it stands."""
    try:
        tree = ast.parse(f"({text})", mode="eval").body
    except SyntaxError as error:
        offset = max((error.offset or 1) - 2, 0)
        return None, Fault(
            "not-in-language",
            f"`{_short(text)}` cannot be read as an expression: {error.msg}",
            _syntax_hint(text),
            None,
            offset,
        )
    except (RecursionError, MemoryError, ValueError):
        return None, _too_deep(text)
    if _deep(tree):
        return None, _too_deep(text)
    return tree, _refused(tree, text)


def _too_deep(text: str) -> Fault:
    message = f"`{_short(text)}` is nested too deeply"
    return Fault("not-in-language", message, "cut it into named formulas under `computed`")


def _deep(tree: ast.expr) -> bool:
    """Whether an expression holds too many parts within each other."""
    todo: list[tuple[ast.AST, int]] = [(tree, 1)]
    while todo:
        node, depth = todo.pop()
        if depth > DEEPEST:
            return True
        todo += [(child, depth + 1) for child in ast.iter_child_nodes(node)]
    return False


def parse(node: Scalar, bag: Bag) -> Parsed | Range | None:
    """The expression or range that a scalar holds, or None after a finding."""
    if isinstance(node.value, bool):
        return _parse("true" if node.value else "false", node, 0, bag)
    if node.value is None:
        return None  # the reader has reported it
    text = node.text
    if len(text) > LONGEST:
        bag.add(
            "not-in-language",
            node.span,
            f"an expression of {len(text)} characters",
            "cut it into named formulas under `computed`",
        )
        return None
    if (
        " to " in text
        and (match := _RANGE.match(text))
        and text.count("(", 0, match.end("low")) == text.count(")", 0, match.end("low"))
    ):
        low = _parse(match["low"], node, match.start("low"), bag)
        high = _parse(match["high"], node, match.start("high"), bag)
        return Range(low, high) if low and high else None
    if text.endswith("+") and (match := _OPEN.match(text)):
        low = _parse(match["low"], node, 0, bag)
        return Range(low, None) if low else None
    return _parse(text, node, 0, bag)


def _parse(text: str, node: Scalar, shift: int, bag: Bag) -> Parsed | None:
    tree, fault = _read(text)
    if fault is None and tree is not None:
        return Parsed(tree, node.span, node.plain and text.isascii(), text, shift)
    assert fault is not None
    span = node.span
    if fault.node is not None and tree is not None:
        span = Parsed(tree, node.span, node.plain and text.isascii(), text, shift).place(fault.node)
    elif node.plain and 0 <= fault.offset < len(text):
        span = node.span.within(shift + fault.offset, shift + fault.offset + 1)
    bag.add(fault.code, span, fault.message, fault.hint)
    return None


def _syntax_hint(text: str) -> str:
    if "&&" in text or "||" in text or "!" in text.replace("!=", ""):
        return "write `and`, `or`, `not`"
    if re.search(r"(?<![=!<>])=(?!=)", text):
        return "compare with `==`"
    return ""


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"


_PLAIN = (ast.Name, ast.Attribute, ast.BoolOp, ast.expr_context, ast.boolop, ast.cmpop, ast.Compare)
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Not, ast.USub)


def _refused(tree: ast.expr, text: str) -> Fault | None:
    """The first part of a tree that the language does not have."""
    for node in ast.walk(tree):
        if isinstance(node, (*_PLAIN, *_ARITHMETIC, ast.BinOp, ast.UnaryOp)):
            continue
        if isinstance(node, ast.Call):
            if node.keywords or len(node.args) > 1:
                message = f"`{_short(ast.unparse(node.func))}(…)` takes one argument"
                return Fault(
                    "one-argument-only", message, "name the rest as parameters of a verb, or chain the calls", node
                )
        elif not isinstance(node, ast.Constant):
            hint = _OPERATORS.get(type(node)) or _INSTEAD.get(type(node)) or ""
            return Fault("not-in-language", f"`{_short(text)}` uses what the language does not have", hint, node)
        elif type(node.value) is not int:
            what = f"`{_short(text)}` holds a {'text' if isinstance(node.value, str) else type(node.value).__name__}"
            hint = (
                "there are no texts in expressions: write the bare word"
                if isinstance(node.value, str)
                else "write `true`, `false`, `none` or a whole number"
            )
            return Fault("not-in-language", what, hint, node)
        elif not -(2**31) < node.value < 2**31:
            return Fault("not-in-language", f"{node.value} does not fit into 32 bits", "", node)
    return None
