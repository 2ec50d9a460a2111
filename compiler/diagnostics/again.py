"""What a later stage need not say again about words that an earlier one found wrong.

    cards: {trip: {kind: crad, cost: 3}}     an earlier stage reports `crad`; what the columns of `trip` then
                                             look like to a later one is nobody's business

An error makes the smallest mapping around it sick (at most one entry of a section): findings inside it are dropped, as
is the complaint that the name of a sick entry is not known. Everything outside is still reported in the same run.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence

from ludoloom.compiler.diagnostics.model import Diagnostic
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Span

Place = tuple[int, int]
_QUOTED = re.compile(r"`([^`]*)`")
_PARTS_OF_KINDS = ("fields", "state", "computed", "zones", "variants", "acts")
"""Sections of a kind whose entries are words of the game."""


def not_again(
    earlier: Sequence[Diagnostic], later: Sequence[Diagnostic], trees: Mapping[str, Map | None]
) -> list[Diagnostic]:
    """The findings of `later` that lie outside of what `earlier` made sick; `trees` are the files by their names."""
    blocks: dict[str, list[tuple[Place, Place]]] = {}
    keys: set[tuple[str, Place]] = set()
    names: set[str] = set()
    for finding in earlier:
        block, key, declared = _block(finding.span, trees)
        blocks.setdefault(finding.span.file, []).append(block)
        keys.add((finding.span.file, key))
        names.update(declared)
    sick = {file: _merged(found) for file, found in blocks.items()}
    return [finding for finding in later if not _told(finding, sick, keys, names)]


def _told(
    finding: Diagnostic, sick: dict[str, list[tuple[Place, Place]]], keys: set[tuple[str, Place]], names: set[str]
) -> bool:
    place = _start(finding.span)
    ranges = sick.get(finding.span.file, [])
    at = bisect_right(ranges, (place, (1 << 30, 0))) - 1
    if at >= 0 and place <= ranges[at][1]:
        return True
    if finding.code == "missing-key" and (finding.span.file, place) in keys:
        return True  # what is missing in a block is told at its key: a misspelt one is missing
    misses = finding.code.startswith("unknown-") or finding.code == "offer-not-an-act"
    return misses and any(word in names for word in _QUOTED.findall(finding.message))


def _merged(ranges: list[tuple[Place, Place]]) -> list[tuple[Place, Place]]:
    """Ranges in order, those that overlap as one."""
    found: list[tuple[Place, Place]] = []
    for start, end in sorted(ranges):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def _start(span: Span) -> Place:
    return span.line, span.column


def _where(node: Node) -> Place:
    return _start(node.span)


def _end(span: Span) -> Place:
    return span.end_line, span.end_column


def _block(span: Span, trees: Mapping[str, Map | None]) -> tuple[tuple[Place, Place], Place, list[str]]:
    """The smallest mapping around a place, the place of its key, and what is declared there: the name of the entry in
    which it lies, and of the column or zone if that is a kind."""
    place, depth = _start(span), 0
    way: list[str] = []
    key_before = opened = place
    block: tuple[Place, Place] = (place, place)
    node: Node | None = trees.get(span.file)
    while node is not None:
        if isinstance(node, Map):
            depth += 1
            key_before = opened
            if depth > 2:
                block = (_start(node.span), _end(node.span))
            at = bisect_right(node.entries, place, key=lambda entry: _start(entry[0].span)) - 1
            inside: Node | None = None
            if at >= 0 and place <= _end(node.entries[at][1].span):
                key, value = node.entries[at]
                opened = _start(key.span)
                way.append(key.text)
                inside = value if _start(value.span) <= place else None
                if depth == 2 or (depth == 1 and not isinstance(value, Map)):
                    block = (_start(key.span), _end(value.span))
            node = inside
        elif isinstance(node, Items):
            at = bisect_right(node.items, place, key=_where) - 1
            node = node.items[at] if at >= 0 and place <= _end(node.items[at].span) else None
        else:
            node = None
    inner = way[3:4] if way[:1] == ["kinds"] and way[2:3] and way[2] in _PARTS_OF_KINDS else []
    return block, key_before, [*way[1:2], *inner]
