"""`unused`: what is declared and read by nothing: columns, state words, formulas, zones, tracks, dice, options,
enumerations, values, icons.

    state: {checks: 0 to 2}      and no formula asks for `checks`

A statement that changes something does not read it. Counts, facts, scenarios and printed texts do. What a printed
item of the box shows is there because the box prints it, whether a rule asks for it or not; so is text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column, Game, Item, Kind
from ludoloom.compiler.analysis.tree import entries
from ludoloom.compiler.analysis.uses import column_key
from ludoloom.compiler.backend.texts import HOLE
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.frontend.nodes import Scalar, Span
from ludoloom.compiler.lints.whole import Whole

HINT = "use it, or take it out"


def check(whole: Whole, bag: Bag) -> None:
    if whole.played:
        whole.everywhere(bag, lambda unit: _unused(whole, unit))


def _unused(whole: Whole, unit: Unit) -> Iterable[Diagnostic]:
    game = unit.game
    shown = _shown_words(game) | whole.counted | whole.tested
    modes = {mode.option for mode in whole.tree.modes.values()}
    for what, span, name in (*_columns(unit, shown), *_words(unit, shown, modes), *_named(whole, game)):
        yield Diagnostic("unused", span, f"nothing reads the {what} `{name}`", HINT)


def _columns(unit: Unit, shown: frozenset[str] | set[str]) -> Iterator[tuple[str, Span, str]]:
    game, words = unit.game, unit.infer.uses.words
    for kind in game.kinds.values():
        if not _has_things(game, kind):
            continue
        silent = set(kind.alike or ()) | {each.joins for each in game.maps.values()}
        if kind.family == "space":
            # The first column is what a letter of a drawing fills: it must be there even if no rule asks for it.
            silent |= {column.name for column in list(kind.columns.values())[:1]}
        for column in kind.columns.values():
            if column.kind != kind.name or column.name == "owner" or column.name in silent or column.name in shown:
                continue
            if words[column_key(column)] > 0 or isinstance(column.type, t.Text) or _printed_by_the_box(game, column):
                continue
            what = {"printed": "column", "state": "state", "computed": "formula"}[column.storage]
            yield what, column.span, column.name


def _words(unit: Unit, shown: frozenset[str] | set[str], modes: set[str]) -> Iterator[tuple[str, Span, str]]:
    game, uses = unit.game, unit.infer.uses
    for name, column in game.state.items():
        if uses.words[f"state.{name}"] <= 0 and name not in shown:
            yield "state", column.span, name
    for name, column in game.computed.items():
        if uses.words[column_key(column)] <= 0 and name not in shown:
            yield "formula", column.span, name
    for name, option in game.options.items():
        if uses.words[f"option.{name}"] <= 0 and name not in modes and name not in shown:
            yield "option", option.span, name
    for name, track in game.tracks.items():
        acts = any(mark.reached is not None for mark in track.marks.values())
        if uses.words[f"track.{name}"] <= 0 and not acts and name not in shown:
            yield "track", track.span, name


def _named(whole: Whole, game: Game) -> Iterator[tuple[str, Span, str]]:
    """What is used by naming it: any mention counts."""
    written = whole.written | whole.tested
    for name, zone in game.zones.items():
        if name not in written:
            yield "zone", zone.span, name
    for kind in game.kinds.values():
        for zone in kind.zones.values():
            if zone.kind == kind.name and zone.name not in written and _has_things(game, kind):
                yield "zone", zone.span, zone.name
    for name, die in game.dice.items():
        if name not in written:
            yield "die", die.span, name
    for key, _ in entries(whole.tree.sections.get("enums")):
        if key.text not in written and not written.intersection(game.enums.get(key.text, ())):
            yield "enumeration", key.span, key.text
    for name, node in game.icons.items():
        if name not in whole.icons:
            yield "icon", node.span, name
    for item in game.items.values():
        for key, _ in item.values or ():
            if key.text not in written:
                yield "value", key.span, key.text


def _shown_words(game: Game) -> frozenset[str]:
    """Words that stand in the holes of printed texts."""
    texts = {node.text for item in game.items.values() for node in item.text.values() if isinstance(node, Scalar)}
    holes = {hole for text in texts for hole in HOLE.findall(text)}
    return frozenset(word for hole in holes for word in hole.replace(".", " ").split())


def _has_things(game: Game, kind: Kind) -> bool:
    """Whether the game has any thing of the kind; what only expansions fill is read by them."""
    return kind.count > 0 or kind.family == "part"


def _printed_by_the_box(game: Game, column: Column) -> bool:
    if column.storage != "printed":
        return False
    key = f"{column.face}.{column.name}" if column.face else column.name
    return any(_origin(game, item) == "printed" and key in item.cells for item in game.items.values())


def _origin(game: Game, item: Item) -> str:
    """The origin of an item; a record has that of the item in which it stands."""
    if item.origin:
        return item.origin
    holder = game.items.get(item.id.partition(".")[0])
    return holder.origin if holder is not None else ""
