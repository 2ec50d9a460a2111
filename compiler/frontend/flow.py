"""A node as YAML in one line, as an author might have written it.

{kind: spell, reach: [1, 2]}
"""

from __future__ import annotations

from ludoloom.compiler.frontend.nodes import Map, Node, Scalar
from ludoloom.compiler.frontend.scalars import quoted


def flow(node: Node) -> str:
    """The words of a node, in flow style."""
    if isinstance(node, Scalar):
        return node.text if node.plain or not isinstance(node.value, str) else quoted(node.text)
    if isinstance(node, Map):
        return "{" + ", ".join(f"{key.text}: {flow(value)}" for key, value in node) + "}"
    return "[" + ", ".join(flow(value) for value in node.items) + "]"
