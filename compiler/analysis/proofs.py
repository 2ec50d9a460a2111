"""What a condition proves not to be none.

winner is not none and winner.chips > 2   ->  `winner`, for what stands behind the `and` and in `then`
winner is none or winner.chips > 2        ->  `winner`, behind the `or` and in `else`
"""

from __future__ import annotations

import ast

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.expressions import Parsed, parse
from ludoloom.compiler.frontend.nodes import Node, Scalar


def proofs(node: Node) -> list[str]:
    """Words that the condition proves not to be none (``x is not none and …``)."""
    if not isinstance(node, Scalar):
        return []
    quiet = Bag()
    parsed = parse(node, quiet)
    return proved(parsed.tree) if isinstance(parsed, Parsed) else []


def denials(node: Node) -> list[str]:
    """Words that are proved not to be none where the condition does not hold (``x is none or …``)."""
    if not isinstance(node, Scalar):
        return []
    parsed = parse(node, Bag())
    return denied(parsed.tree) if isinstance(parsed, Parsed) else []


def proved(tree: ast.expr) -> list[str]:
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        return [text for value in tree.values for text in proved(value)]
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        right = tree.comparators[0]
        if isinstance(tree.ops[0], ast.IsNot | ast.NotEq) and isinstance(right, ast.Name) and right.id == "none":
            return [ast.unparse(tree.left)]
        if isinstance(tree.ops[0], ast.In):
            return [ast.unparse(tree.left)]
    return []


def denied(tree: ast.expr) -> list[str]:
    """What is proved when the condition does not hold."""
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or):
        return [text for value in tree.values for text in denied(value)]
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Is | ast.Eq):
        right = tree.comparators[0]
        if isinstance(right, ast.Name) and right.id == "none":
            return [ast.unparse(tree.left)]
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        return proved(tree.operand)
    return []
