"""What is kept of a file that was found right, so that it need not be read again while it stays as it is.

    cards: {trip: {kind: trap, cost: 2, use: {choose: …, do: […]}}}      kept: the tree, but not the inside of `use`

The tree of a large file takes longest to build, and of most acts nobody looks inside: those that say the same as one
that was looked at (`Map.outline`). So they are *laid aside*: what is kept is their place, the names of their keys and
their outline. Whoever looks inside all the same finds what the file says, because then it is read again, from the
bytes that were compared. Nothing is concluded here from one run for another: a file that is kept was found right by
itself (reading, shape), and everything that looks at the whole pack runs anew, over trees that say what the files say.

A row is JSON. A scalar is ``[line, column, text]`` where it is plain words on one line, ``[line, column, text, value]``
where they mean a number or a yes, else ``[line, column, end line, end column, text, value, plain]``. A list is
``[null, line, column, end line, end column, items…]``, a mapping ``[[line, column, end line, end column, facts], key,
value, key, value…]``, a mapping laid aside ``["outline", line, column, end line, end column, names…]``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from ludoloom.compiler.diagnostics.model import Bag, Silence
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.compiler.frontend.read import read

LOOKED: Final = "looked"
"""The fact about an act that somebody has looked inside, so that it is kept whole."""
PASSED: Final = "passed"
"""The fact about an act that it was passed by, as one with the same outline was found right."""
_OF_A_RUN: Final = (LOOKED, PASSED)

Row = list[Any]


class _File:
    """The bytes of a file, read again when somebody looks at what was laid aside."""

    def __init__(self, data: bytes, shown: str) -> None:
        self.data, self.shown = data, shown
        self.tree: Map | None = None

    def at(self, path: tuple[str, ...]) -> Map:
        """The mapping at a path of keys."""
        if self.tree is None:
            self.tree = read(self.data, self.shown, Bag())
        node: Node | None = self.tree
        for name in path:
            node = node.get(name) if isinstance(node, Map) else None
        assert isinstance(node, Map), f"{self.shown} was kept otherwise"
        return node


class Aside(Map):
    """A mapping whose inside is built when somebody looks at it."""

    def __init__(self, span: Span, outline: str, names: Sequence[str], file: _File, path: tuple[str, ...]) -> None:
        vars(self).update(span=span, outline=outline, _names=names, _file=file, _path=path)

    def __getattr__(self, name: str) -> Any:
        if name != "entries":
            raise AttributeError(name)
        vars(self)["entries"] = found = vars(self)["_file"].at(vars(self)["_path"]).entries
        return found

    @property
    def closed(self) -> bool:
        """Whether nobody has looked inside."""
        return "entries" not in vars(self)

    def names(self) -> tuple[str, ...]:
        return tuple(vars(self)["_names"])

    def __contains__(self, name: str) -> bool:
        return name in vars(self)["_names"]

    def __len__(self) -> int:
        return len(vars(self)["_names"])

    def get(self, name: str) -> Node | None:
        return super().get(name) if name in self else None

    def key(self, name: str) -> Scalar | None:
        return super().key(name) if name in self else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and self.span == other.span and self.entries == other.entries

    def __hash__(self) -> int:
        return hash((self.span, self.entries))


# --- from trees to rows -----------------------------------------------------------------------------------------------


def _row(node: Node) -> Row:
    """A node whole."""
    if isinstance(node, Scalar):
        return _scalar(node)
    if isinstance(node, Items):
        return [None, *_place(node.span), *map(_row, node.items)]
    row: Row = [_place(node.span)]
    for key, value in node.entries:
        row.append(_scalar(key))
        row.append(_scalar(value) if isinstance(value, Scalar) else _row(value))
    return row


def _place(span: Span) -> list[int]:
    return [span.line, span.column, span.end_line, span.end_column]


def _scalar(node: Scalar) -> Row:
    span, text, value = node.span, node.text, node.value
    if node.plain and span.end_column == span.column + len(text):
        return [span.line, span.column, text] if value is text else [span.line, span.column, text, value]
    return [span.line, span.column, span.end_line, span.end_column, text, value, node.plain]


def _file_row(tree: Map) -> Row:
    """The tree of a file: of its items those acts are laid aside in which nobody was interested."""
    return _over(tree, _section)


def _section(node: Node) -> Row:
    return _over(node, _item)


def _item(node: Node) -> Row:
    return _over(node, _part)


def _over(node: Node, inner: Callable[[Node], Row]) -> Row:
    """The row of a mapping with its facts, its values by `inner`."""
    if not isinstance(node, Map):
        return _row(node)
    row = _row(Map(node.span, ()))
    if facts := _lasting(node):
        row[0].append(facts)
    for key, value in node.entries:
        row.append(_scalar(key))
        row.append(inner(value))
    return row


def _lasting(node: Map) -> dict[str, str]:
    return {name: fact for name, fact in vars(node).get("facts", {}).items() if name not in _OF_A_RUN}


def _part(node: Node) -> Row:
    if not isinstance(node, Map) or LOOKED in node.facts:
        return _row(node)
    if node.closed if isinstance(node, Aside) else PASSED in node.facts:
        return [node.outline, *_place(node.span), *node.names()]
    return _row(node)


# --- from rows to trees -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Kept:
    """A file that was kept: its tree, and the comments in it that silence something."""

    row: str
    tree: Map
    silences: list[Silence]
    file: _File
    told: list[tuple[Map, dict[str, str]]]
    """The mappings of which something may be known (the file, its sections, its items), with what was known."""

    @property
    def changed(self) -> bool:
        """Whether it would be kept otherwise now: more is known, or somebody looked at what was laid aside."""
        return self.file.tree is not None or any(_lasting(node) != known for node, known in self.told)


class _Maker:
    """Builds the tree of one file."""

    def __init__(self, file: _File) -> None:
        self.file, self.shown = file, file.shown
        self.told: list[tuple[Map, dict[str, str]]] = []

    def scalar(self, row: Row) -> Scalar:
        shown = self.shown
        if len(row) == 3:
            line, column, text = row
            return Scalar(Span(shown, line, column, line, column + len(text)), text, text, True)
        if len(row) == 4:
            line, column, text, value = row
            return Scalar(Span(shown, line, column, line, column + len(text)), value, text, True)
        line, column, end_line, end_column, text, value, plain = row
        return Scalar(Span(shown, line, column, end_line, end_column), value, text, plain)

    def node(self, row: Row, path: tuple[str, ...]) -> Node:
        head = row[0]
        if type(head) is int:
            return self.scalar(row)
        if head is None:
            return Items(Span(self.shown, *row[1:5]), tuple([self.node(item, ()) for item in row[5:]]))
        if type(head) is str:
            return Aside(Span(self.shown, *row[1:5]), head, row[5:], self.file, path)
        return self.mapping(row, path)

    def mapping(self, row: Row, path: tuple[str, ...]) -> Map:
        shown = self.shown
        entries: list[tuple[Scalar, Node]] = []
        line, column, end_line, end_column, *facts = row[0]
        rest = iter(row)
        next(rest)
        for word, given in zip(rest, rest, strict=True):
            # A short row is most of a file, so it is not left to `scalar`: a third of the time.
            if len(word) == 3:
                at, begins, text = word
                key = Scalar(Span(shown, at, begins, at, begins + len(text)), text, text, True)
            else:
                key = self.scalar(word)
            if type(given[0]) is not int:
                value = self.node(given, (*path, key.text))
            elif len(given) == 3:
                at, begins, text = given
                value = Scalar(Span(shown, at, begins, at, begins + len(text)), text, text, True)
            elif len(given) == 4:
                at, begins, text, meant = given
                value = Scalar(Span(shown, at, begins, at, begins + len(text)), meant, text, True)
            else:
                value = self.scalar(given)
            entries.append((key, value))
        made = Map(Span(shown, line, column, end_line, end_column), tuple(entries))
        if facts:
            vars(made)["facts"] = dict(facts[0])
        if len(path) < 3:
            self.told.append((made, facts[0] if facts else {}))
        return made


@dataclass(slots=True)
class Shelf:
    """What is kept of many files, by the hash of their content."""

    rows: Mapping[str, str] = field(default_factory=dict[str, str])
    used: dict[str, Kept | tuple[Map, list[Silence]]] = field(
        default_factory=dict[str, "Kept | tuple[Map, list[Silence]]"]
    )

    def take(self, name: str, data: bytes, shown: str) -> Kept | None:
        """The file with this content, if it is kept; `shown` is how findings call it."""
        row = self.rows.get(name)
        if row is None:
            return None
        # An entry that somebody damaged is worth nothing, and the file is read.
        with suppress(ValueError, TypeError, IndexError, KeyError, AttributeError, RecursionError):
            tree, silences = json.loads(row)
            maker = _Maker(_File(data, shown))
            made = maker.mapping(tree, ())
            found = [Silence(Span(shown, *span), line, code, reason) for span, line, code, reason in silences]
            kept = Kept(row, made, found, maker.file, maker.told)
            self.used[name] = kept
            return kept
        return None

    def put(self, name: str, tree: Map, silences: Sequence[Silence]) -> None:
        """Keep a file in which nothing was found."""
        self.used[name] = (tree, list(silences))

    def filled(self) -> dict[str, str] | None:
        """All that is worth keeping now; None if it is kept already."""
        rows: dict[str, str] = {}
        for name, kept in self.used.items():
            if isinstance(kept, tuple):
                rows[name] = _text(*kept)
            else:
                rows[name] = _text(kept.tree, kept.silences) if kept.changed else kept.row
        return None if rows == self.rows else rows


def _text(tree: Map, silences: Sequence[Silence]) -> str:
    rows = [[_place(each.span), each.line, each.code, each.reason] for each in silences]
    return json.dumps([_file_row(tree), rows], ensure_ascii=True, separators=(",", ":"))
