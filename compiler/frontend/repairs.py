"""The lines of a file that were read as they were meant, and the way back to the columns that the author sees.

A line that is read with quotes put around a text is longer than the one in the file: what stands behind the text is
found some columns too far right, and is moved back here. Usually no line is repaired, and nothing is moved."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span


@dataclass(slots=True)
class Repairs:
    """For each line (from 1) that was changed, the changes in order: the column (from 0) where it begins, how many
    characters stood there, how many stand there now."""

    changes: dict[int, list[tuple[int, int, int]]] = field(default_factory=dict[int, list[tuple[int, int, int]]])

    def repair(self, lines: list[str], index: int, meant: str) -> None:
        """Put the line as it was meant in the place of line `index` (from 0)."""
        was = lines[index]
        lines[index] = meant
        shorter = min(len(was), len(meant))
        start = next((k for k in range(shorter) if was[k] != meant[k]), shorter)
        rest = shorter - start
        same = next((k for k in range(rest) if was[-1 - k] != meant[-1 - k]), rest)
        self.changes.setdefault(index + 1, []).append((start, len(was) - start - same, len(meant) - start - same))

    def span(self, span: Span) -> Span:
        """A place in the text that was read, as a place in the file."""
        if span.line not in self.changes and span.end_line not in self.changes:
            return span
        column = self._column(span.line, span.column)
        return Span(span.file, span.line, column, span.end_line, self._column(span.end_line, span.end_column))

    def _column(self, line: int, column: int) -> int:
        at = column - 1
        for start, before, after in reversed(self.changes.get(line, ())):
            if at >= start + after:
                at += before - after
            elif at > start:
                at = start + min(at - start, before)
        return at + 1

    def node(self, node: Node) -> Node:
        """A tree with the places of the file."""
        if not self.changes:
            return node
        if isinstance(node, Scalar):
            return self._scalar(node)
        if isinstance(node, Items):
            return Items(self.span(node.span), tuple(self.node(item) for item in node))
        return Map(self.span(node.span), tuple((self._scalar(key), self.node(value)) for key, value in node))

    def _scalar(self, scalar: Scalar) -> Scalar:
        return Scalar(self.span(scalar.span), scalar.value, scalar.text, scalar.plain)
