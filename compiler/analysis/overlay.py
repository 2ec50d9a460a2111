"""One tree out of many: the union of a pack's files, expansions over their game, modes over both.

    a game says         cards: {trip: {cost: 2, text: fall}}
    an expansion says   patch: {cards: {trip: {cost: 3}}}
    the merged tree     cards: {trip: {cost: 3, text: fall}}     (3 keeps the place in the expansion's file)

New things just stand in their section. `patch` merges mappings and replaces everything else whole; `replace` puts a new
thing in the place of an old one; `remove` takes things out. A kind may be completed by another file of the same pack
(more columns, more acts), because rules are told by topic; no name may be given twice. Trees are immutable: merging
builds new mappings around old values, so each value keeps the place where its author wrote it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ludoloom.compiler.analysis.names import did_you_mean
from ludoloom.compiler.analysis.tree import Pack, entries, text, words
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span, plain

OVERLAYS = ("patch", "replace", "remove")
"""Sections that change what others wrote; they are laid over the tree and are not part of it."""

_DEPTH = {"kinds": 3, "languages": 3, "patch": 64, "replace": 2, "remove": 2}
"""How many levels of a section are a union by name; below, a name belongs to one file. Other sections: one level."""

_WHOLE = ("play", "trigger_order")
"""Sections that are one thing, not many things by id."""

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Write:
    author: str
    span: Span
    value: object


@dataclass(slots=True)
class Overlay:
    """The tree being merged, and who changed what.

    `related` tells whether the second author knows the first (extends or requires it), so that its change comes later
    on purpose; `clash` is the code for two authors that do not know of each other and change one place."""

    bag: Bag
    sections: dict[str, Node]
    clash: str = "two-packs-same-place"
    related: Callable[[str, str], bool] = lambda first, second: first == second
    places: dict[str, list[Span]] = field(default_factory=dict[str, list[Span]])
    removed: dict[str, Span] = field(default_factory=dict[str, Span])
    _writes: dict[Path, list[_Write]] = field(default_factory=dict[Path, list[_Write]])
    _beneath: dict[Path, list[_Write]] = field(default_factory=dict[Path, list[_Write]])

    def tree(self) -> Map:
        """The merged sections as one mapping; it has the place of its first section."""
        rows = tuple((Scalar(node.span, name, name, True), node) for name, node in self.sections.items())
        span = rows[0][1].span if rows else Span("", 1, 1, 1, 1)
        return Map(span, rows)

    # --- new things
    def add(self, source: Map, author: str) -> None:
        """New things of a later author: whose id is taken must say `patch` or `replace`."""
        for key, node in source:
            if key.text in (*OVERLAYS, "pack"):
                continue
            old = self.sections.get(key.text)
            if old is None:
                self.sections[key.text] = node
                for name, value in entries(node):
                    self._write((key.text, name.text), author, value)
            elif isinstance(old, Map) and isinstance(node, Map):
                depth = 3 if key.text == "languages" else 1
                self.sections[key.text] = self._add(old, node, depth, (key.text,), author)
            else:
                self._taken(key, old.span, (key.text,), author)

    def _add(self, old: Map, new: Map, depth: int, path: Path, author: str) -> Map:
        fresh: list[tuple[Scalar, Node]] = []
        rows = rows_of(old)
        for key, value in new:
            found = rows.get(key.text)
            here = (*path, key.text)
            if found is None:
                fresh.append((key, value))
                self._write(here, author, value)
            elif depth > 1 and isinstance(found[1], Map) and isinstance(value, Map):
                rows[key.text] = (found[0], self._add(found[1], value, depth - 1, here, author))
            else:
                self._taken(key, found[0].span, here, author)
        return Map(old.span, (*rows.values(), *fresh))

    def _taken(self, key: Scalar, first: Span, path: Path, author: str) -> None:
        writers = self._writes.get(path)
        if writers and not self.related(writers[0].author, author):
            # the two do not know of each other, so neither could patch the other's
            _twice(key, first, path, self.bag)
            return
        self.bag.add(
            "needs-patch",
            key.span,
            f"`{key.text}` is there already; to change it say so",
            f"write it under `patch: {{{': {'.join(path)}: …{'}' * len(path)}` (merged with what is there) "
            "or under `replace` (instead of it)",
            (Related(first, "first written here"),),
            ".".join(path),
        )

    # --- changes
    def apply(self, source: Map, author: str) -> None:
        """Lay `patch`, `replace` and `remove` of one author over the tree."""
        for key, node in entries(source.get("remove")):
            self._remove(key, node, author)
        for key, node in entries(source.get("replace")):
            if isinstance(self.sections.get(key.text), Items) or key.text in _WHOLE:
                self._whole(key, node, author)
            for name, value in entries(node):
                if self._there(key, name):
                    section = self.sections[key.text]
                    assert isinstance(section, Map)
                    old = section.get(name.text)
                    assert old is not None
                    path = (key.text, name.text)
                    self._write(path, author, value, old.span)
                    self.sections[key.text] = _with(section, name.text, value)
        for key, node in entries(source.get("patch")):
            old = self.sections.get(key.text)
            if old is None:
                self._nothing(key, "section", self.sections)
                continue
            if key.text in _WHOLE or not isinstance(node, Map) or not isinstance(old, Map):
                self.sections[key.text] = self._merge(old, node, (key.text,), author)
                continue
            known = [(name, value) for name, value in node if self._there(key, name)]
            self.sections[key.text] = self._merge(old, Map(node.span, tuple(known)), (key.text,), author)

    def _whole(self, key: Scalar, node: Node, author: str) -> None:
        """Replace a section that is one thing."""
        old = self.sections.get(key.text)
        if old is None:
            self._nothing(key, "section", self.sections)
        else:
            self._write((key.text,), author, node, old.span)
            self.sections[key.text] = node

    def _there(self, section: Scalar, name: Scalar) -> bool:
        node = self.sections.get(section.text)
        if not isinstance(node, Map):
            self._nothing(section, "section", self.sections)
            return False
        if name.text not in node:
            self._nothing(name, f"entry of `{section.text}`", node.names())
            return False
        return True

    def _nothing(self, name: Scalar, what: str, known: Iterable[str]) -> None:
        self.bag.add(
            "patch-of-nothing", name.span, f"there is no {what} `{name.text}` to change", did_you_mean(name.text, known)
        )

    def _remove(self, section: Scalar, node: Node, author: str) -> None:
        """Take out things (`trip`) or parts of them (`trip.triggers.fall`)."""
        for name in words(node):
            path = name.text.split(".")
            old = self.sections.get(section.text)
            kept = _without(old, path) if isinstance(old, Map) else None
            gone = _key_at(old, path)
            if kept is None or gone is None:
                known = old.names() if isinstance(old, Map) else ()
                self._nothing(name, f"entry of `{section.text}`", known)
                continue
            self._write((section.text, *path), author, name, gone.span)
            self.removed[path[-1]] = name.span
            self.sections[section.text] = kept

    def _merge(self, base: Node, over: Node, path: Path, author: str) -> Node:
        if isinstance(over, Map) and not isinstance(base, Map) and _is_column(path) and "is" not in over:
            # `gold: int` patched with `{start: 5}`: the short form means `{is: int}`
            base = Map(base.span, ((Scalar(base.span, "is", "is", False), base),))
        if not (isinstance(base, Map) and isinstance(over, Map)):
            self._write(path, author, over, base.span)
            return over
        rows = rows_of(base)
        for key, value in over:
            here = (*path, key.text)
            found = rows.get(key.text)
            if path[-1] == "steps" and isinstance(value, Map):
                self._step(rows, key, value, here, author, found)
            elif found is not None:
                rows[key.text] = (found[0], self._merge(found[1], value, here, author))
            else:
                self._write(here, author, value)
                _insert(rows, key, value, path[-1])
        return Map(base.span, tuple(rows.values()))

    def _step(
        self,
        rows: dict[str, tuple[Scalar, Node]],
        key: Scalar,
        value: Map,
        path: Path,
        author: str,
        found: tuple[Scalar, Node] | None,
    ) -> None:
        """A step given as `{after: other, do: […]}`: a new one gets its place, a known one is replaced (and moved)."""
        anchor = value.get("after") or value.get("before")
        body = value.get("do")
        if body is None:
            return
        self._write(path, author, body, found[1].span if found else None)
        if not isinstance(anchor, Scalar):
            if found is not None:
                rows[key.text] = (found[0], body)
            else:
                self.bag.add(
                    "step-without-place",
                    key.span,
                    f"the new step `{key.text}` does not say where it stands",
                    f"write `{key.text}: {{after: {next(reversed(rows), 'other')}, do: […]}}` or `before`",
                )
            return
        if anchor.text not in rows or anchor.text == key.text:
            self._nothing(anchor, "step", [name for name in rows if name != key.text])
            return
        rows.pop(key.text, None)
        order = list(rows.items())
        at = [name for name, _ in order].index(anchor.text) + (1 if "after" in value else 0)
        order.insert(at, (key.text, (key, body)))
        rows.clear()
        rows.update(order)

    # --- who wrote what
    def _write(self, path: Path, author: str, value: Node, old: Span | None = None) -> None:
        write = _Write(author, value.span, plain(value))
        others = [other for k in range(1, len(path) + 1) for other in self._writes.get(path[:k], ())]
        others += self._beneath.get(path, ())
        for other in others:
            if other.author != author and other.value != write.value and not self.related(other.author, author):
                self.bag.add(
                    self.clash,
                    value.span,
                    f"`{author}` and `{other.author}` both write `{'.'.join(path)}`, and not the same",
                    self._clash_hint(author, other.author),
                    (Related(other.span, f"written by `{other.author}` here"),),
                    ".".join(path),
                )
                break
        self._writes.setdefault(path, []).append(write)
        for k in range(1, len(path)):
            self._beneath.setdefault(path[:k], []).append(write)
        if old is not None:
            self.places.setdefault(".".join(path), [old]).append(value.span)

    def _clash_hint(self, author: str, other: str) -> str:
        if self.clash == "modes-collide":
            return f"let one of them say `excludes: [{other}]`, or `requires: [{other}]` to come after it"
        return f'let `{author}` say `extends: {{…, {other}: ">=1.0"}}` to come after it, or use only one of them'


def _is_column(path: Path) -> bool:
    blocks = ("state", "computed", "fields")
    return (len(path) == 2 and path[0] in blocks) or (len(path) >= 4 and path[0] == "kinds" and path[2] in blocks)


def rows_of(node: Map) -> dict[str, tuple[Scalar, Node]]:
    """The entries by name, to be changed freely."""
    return {key.text: (key, value) for key, value in node}


def _with(node: Map, name: str, value: Node) -> Map:
    return Map(node.span, tuple((key, value if key.text == name else old) for key, old in node))


def _key_at(node: Node | None, path: list[str]) -> Scalar | None:
    """The key at the end of a path."""
    for word in path[:-1]:
        node = node.get(word) if isinstance(node, Map) else None
    return node.key(path[-1]) if isinstance(node, Map) else None


def _without(node: Map, path: list[str]) -> Map | None:
    """The mapping without what stands at the path; None if nothing does."""
    inner = node.get(path[0])
    if inner is None:
        return None
    if len(path) == 1:
        return Map(node.span, tuple(row for row in node if row[0].text != path[0]))
    kept = _without(inner, path[1:]) if isinstance(inner, Map) else None
    return None if kept is None else _with(node, path[0], kept)


def _insert(rows: dict[str, tuple[Scalar, Node]], key: Scalar, value: Node, parent: str) -> None:
    """A new entry comes last, but before the `else` of rows and outcomes, which must stay last."""
    if parent in ("rows", "outcomes"):
        last = next(reversed(rows), None)
        if last is not None and (last == "else" or text(rows[last][1]) == "else"):
            tail = rows.pop(last)
            rows[key.text] = (key, value)
            rows[last] = tail
            return
    rows[key.text] = (key, value)


def lay_over(base: Map, over: Map) -> Map:
    """One act laid over another (an item's over its kind's): mappings merge by name, everything else is replaced."""
    rows = rows_of(base)
    for key, value in over:
        found = rows.get(key.text)
        if found is not None and isinstance(found[1], Map) and isinstance(value, Map):
            rows[key.text] = (found[0], lay_over(found[1], value))
        else:
            rows[key.text] = (key if found is None else found[0], value)
    return Map(over.span, tuple(rows.values()))


# --- one pack ---------------------------------------------------------------------------------------------------------


def union(files: Sequence[Map], bag: Bag) -> dict[str, Node]:
    """What all files of one pack say together. The same name twice is `duplicate-id`, with both places."""
    first: dict[str, tuple[Scalar, Node]] = {}
    rows: dict[str, dict[str, tuple[Scalar, Node]]] = {}
    for tree in files:
        for key, node in tree:
            name = key.text
            if name not in first:
                first[name] = (key, node)
                if isinstance(node, Map):
                    rows[name] = rows_of(node)
            elif name in rows and isinstance(node, Map) and name != "pack":
                _unite(rows[name], node, _DEPTH.get(name, 1), (name,), bag)
            else:
                _twice(key, first[name][0].span, (name,), bag)
    return {
        name: Map(node.span, tuple(rows[name].values())) if name in rows else node for name, (_, node) in first.items()
    }


def _unite(rows: dict[str, tuple[Scalar, Node]], second: Map, depth: int, path: Path, bag: Bag) -> None:
    for key, value in second:
        found = rows.get(key.text)
        if found is None:
            rows[key.text] = (key, value)
            continue
        old = found[1]
        here = (*path, key.text)
        if isinstance(old, Items) and isinstance(value, Items) and path[0] == "remove":
            rows[key.text] = (found[0], Items(old.span, (*old.items, *value.items)))
        elif depth > 1 and isinstance(old, Map) and isinstance(value, Map) and not _both_declare(old, value, path):
            inner = rows_of(old)
            _unite(inner, value, depth - 1, here, bag)
            rows[key.text] = (found[0], Map(old.span, tuple(inner.values())))
        else:
            _twice(key, found[0].span, here, bag)


def _both_declare(first: Map, second: Map, path: Path) -> bool:
    """Two whole kinds of one name, not one kind told in two files: only one part says what family it is of."""
    if path != ("kinds",):
        return False
    return any(word in first for word in ("family", "is_a")) and any(word in second for word in ("family", "is_a"))


def _twice(key: Scalar, first: Span, path: Path, bag: Bag) -> None:
    what = f"the section `{key.text}`" if len(path) == 1 else f"`{key.text}`"
    bag.add(
        "duplicate-id",
        key.span,
        f"{what} is written twice" + (f" in `{'.'.join(path[:-1])}`" if len(path) > 1 else ""),
        "give one of them another name, or put both together",
        (Related(first, "first written here"),),
        ".".join(path),
    )


def merge_packs(packs: Sequence[Pack], knows: Callable[[str, str], bool], bag: Bag) -> Overlay:
    """The packs in order (the game first) as one tree. `knows(a, b)`: b extends a, directly or not."""
    own = [union([file.tree for file in pack.files if file.tree is not None], bag) for pack in packs]
    first: dict[str, Node] = {name: node for name, node in own[0].items() if name not in OVERLAYS}
    game = packs[0].id
    merged = Overlay(bag, first, related=lambda a, b: a == game or knows(a, b))
    for pack, sections in zip(packs, own, strict=True):
        source = Map(pack.span, tuple((Scalar(node.span, name, name, True), node) for name, node in sections.items()))
        if pack is not packs[0]:
            merged.add(source, pack.id)
        merged.apply(source, pack.id)
    return merged
