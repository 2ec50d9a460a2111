"""``ludoloom show``: one item, or one entry of any section, as it is after merging, with the place of each value."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ludoloom.compiler.cli.game import PacksDirs, WithPacks, refuse
from ludoloom.compiler.cli.output import write

if TYPE_CHECKING:
    from ludoloom.compiler.analysis.model import Game, Item
    from ludoloom.compiler.analysis.tree import GameTree
    from ludoloom.compiler.frontend.nodes import Map, Node, Span

_FLOW: Final = 100
"""Longest text of a mapping or list that is written in one line."""
_WIDTH: Final = 64

Line = tuple[int, str, "Span | None"]
"""Depth, text, place."""


def run(
    name: Annotated[str, typer.Argument(metavar="ID", help="An item, or an entry such as a verb, kind or phase.")],
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Folder or id of the game.")] = ".",
    with_packs: WithPacks = None,
    packs: PacksDirs = None,
) -> int:
    """Show an item as the game sees it: what its kind gives, what the item says, what expansions have changed, and at
    each value the file and line that say it.

    \b
    ludoloom show copper_coin --game my_game
    ludoloom show copper_coin --game my_game --with my_expansion
    ludoloom show damage                        a verb of the game in this folder
    """
    from ludoloom.compiler.analysis.declare import declare
    from ludoloom.compiler.diagnostics.model import Bag
    from ludoloom.compiler.diagnostics.nearest import did_you_mean
    from ludoloom.compiler.frontend.nodes import Map
    from ludoloom.compiler.packs import PackNotFound, load_game

    bag = Bag()
    try:
        trees = load_game([game], with_packs or [], [Path(folder) for folder in packs or ()], bag)
    except PackNotFound as error:
        refuse(str(error))
    if len(trees) != 1:
        refuse(f"`{game}` holds {len(trees)} games; name one with `--game`" if trees else f"`{game}` cannot be read")
    tree = trees[0]
    declared = declare(tree, tree.combinations[0], bag)
    item = declared.items.get(name) or next(
        (thing.item for thing in declared.things if thing.name == name and thing.item is not None), None
    )
    if item is not None:
        write(_text(tree, _item(declared, item)))
        return 0
    found = [
        (key.text, section.key(name), section.get(name))
        for key, section in tree.sections
        if isinstance(section, Map) and name in section
    ]
    if not found:
        known = [
            *declared.items,
            *(key for _, section in tree.sections if isinstance(section, Map) for key in section.names()),
        ]
        hint = did_you_mean(name, known)
        refuse(f"there is nothing called `{name}` in {declared.title}" + (f"; {hint}" if hint else ""))
    for section, key, node in found:
        if key is not None and node is not None:
            write(_text(tree, [(0, f"{section}:", None), *_entry(1, name, node, key.span)]))
    return 0


def _text(tree: GameTree, lines: list[Line]) -> str:
    """Lines with their places at the right. What an overlay has changed also tells where it stood before."""
    before = {spans[-1]: spans[:-1] for spans in tree.places.values() if len(spans) > 1}
    rows: list[str] = []
    for depth, text, span in lines:
        row = "  " * depth + text
        if span is not None:
            was = "".join(f", was {old.file}:{old.line}" for old in reversed(before.get(span, ())))
            row = f"{row:<{_WIDTH}}  # {span.file}:{span.line}{was}"
        rows.append(row.rstrip())
    return "\n".join(rows) + "\n"


# --- items -----------------------------------------------------------------------------------------------------------


def _item(game: Game, item: Item) -> list[Line]:
    kind = game.kinds[item.kind]
    lines: list[Line] = [
        (0, f"{item.section}:", None),
        (1, f"{item.id}:", item.key.span),
        *_entry(2, "kind", item.node.get("kind"), None),
    ]
    chain = kind.base
    while chain:
        lines.append((2, f"# a {kind.name} is a {chain}", game.kinds[chain].span))
        chain = game.kinds[chain].base
    for key in ("origin", "title", "copies", "starts_in", "stand_in"):
        lines += _entry(2, key, item.node.get(key), None)
    if item.starts_in is None and kind.starts_in is not None:
        lines += _entry(2, "starts_in", kind.starts_in, None)
    for column in kind.columns.values():
        key = f"{column.face}.{column.name}" if column.face else column.name
        if column.storage == "printed":
            node = item.cells.get(key, column.default)
            lines += _entry(2, key, node, None) if node is not None else []
    if item.values is not None:
        lines += _entry(2, "values", item.values, None)
    for variant, condition in kind.variants.items():
        lines += _entry(2, f"# variant {variant}", condition, None)
        if (replaced := item.variants.get(f"on_{variant}") or item.variants.get(variant)) is not None:
            lines += _entry(2, variant, replaced, None)
    for face, node in item.text.items():
        lines += _entry(2, f"text of {face}" if face else "text", node, None)
    for act in dict.fromkeys((*kind.acts, *item.acts)):
        lines += _act(act, kind.acts.get(act), item.acts.get(act))
    for title, own, base in (("triggers", item.triggers, kind.triggers), ("modifiers", item.modifiers, kind.modifiers)):
        if merged := {**base, **own}:
            lines.append((2, f"{title}:", None))
            for name, node in merged.items():
                lines += _entry(3, name, node, None)
    changing = [column for column in kind.columns.values() if column.storage != "printed"]
    for column in changing:
        text = "state" if column.storage == "state" else "formula"
        lines.append((2, f"# {text} {column.name}", column.span))
    return lines


def _act(name: str, base: Map | None, own: Map | None) -> list[Line]:
    """An act of a card: what its kind says, with what the item says laid over it, in the order in which it is done."""
    from ludoloom.compiler.frontend.nodes import Map
    from ludoloom.schemas.keys import SECTIONS

    lines: list[Line] = [(2, f"{name}:", None)]
    keys = dict.fromkeys(key for part in (base, own) if part is not None for key in part.names())

    def place(key: str) -> int:
        known = "on …" if key.startswith("on ") else key
        if key == "do" and base is not None and "do" in base:
            known = "cost"  # what a kind does comes right after the cost, before the roll and the item's own sections
        return SECTIONS.index(known) if known in SECTIONS else len(SECTIONS)

    for key in sorted(keys, key=place):
        first, second = (part.get(key) if part is not None else None for part in (base, own))
        if isinstance(first, Map) and isinstance(second, Map):
            lines.append((3, f"{key}:", None))
            merged = {**{word.text: node for word, node in first}, **{word.text: node for word, node in second}}
            for word, node in merged.items():
                lines += _entry(4, word, node, None)
        elif key == "do" and first is not None and second is not None:
            lines += [*_entry(3, "do", first, None), *_entry(3, "# and at the end", second, None)]
        else:
            lines += _entry(3, key, second if second is not None else first, None)
    return lines


# --- nodes as lines --------------------------------------------------------------------------------------------------


def _entry(depth: int, key: str, node: Node | None, span: Span | None) -> list[Line]:
    """A key with its value, in one line where it fits."""
    from ludoloom.compiler.frontend.flow import flow as written
    from ludoloom.compiler.frontend.nodes import Map, Scalar

    if node is None:
        return []
    flow = written(node)
    if isinstance(node, Scalar) or len(flow) + 2 * depth + len(key) <= _FLOW:
        return [(depth, f"{key}: {flow}", node.span)]
    lines: list[Line] = [(depth, f"{key}:", span or node.span)]
    if isinstance(node, Map):
        for word, value in node:
            lines += _entry(depth + 1, word.text, value, None)
    else:
        for value in node.items:
            lines += _listed(depth + 1, value)
    return lines


def _listed(depth: int, node: Node) -> Iterator[Line]:
    """An entry of a list."""
    from ludoloom.compiler.frontend.flow import flow as written
    from ludoloom.compiler.frontend.nodes import Map

    flow = written(node)
    if not isinstance(node, Map) or len(flow) + 2 * depth <= _FLOW:
        yield depth, f"- {flow}", node.span
        return
    for number, (word, value) in enumerate(node):
        sign = "- " if number == 0 else "  "
        first, *rest = _entry(depth, word.text, value, None)
        yield depth, sign + first[1], first[2]
        for deep, text, span in rest:
            yield deep + 1, text, span
