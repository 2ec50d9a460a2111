"""Items: the printed things of each family's section, their keys sorted into cells, acts, variants and the common ones.

    cards:
      trip: {kind: action, origin: printed, copies: 2, cost: 3, use: {do: […]}, on_fire: {cost: 2}}

becomes Item("trip") with the cell `cost`, the act `use` (a word of its kind's `acts`) and the variant `on_fire`. Cells
are not checked here: every key that is nothing else is a cell, and the check of cells knows the columns.

A record of a kind of the family `part`, written inside an item, becomes an item of its own with a made-up id
(``claws.attacks.1``); the item keeps the ids' numbers per column.
"""

from __future__ import annotations

import re
from typing import Final

from ludoloom.compiler.analysis.model import Column, Game, Item, Kind
from ludoloom.compiler.analysis.names import SECTION_OF, did_you_mean, word_set
from ludoloom.compiler.analysis.tree import as_map, entries, number, text, words
from ludoloom.compiler.analysis.types import (
    Bool,
    Enum,
    Int,
    ItemOf,
    ListOf,
    Range,
    TableOf,
    Thing,
    Type,
    Zone,
)
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.diagnostics.nearest import nearest
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span

COMMON: Final = word_set("kind origin stand_in copies starts_in title text values triggers modifiers")
"""Keys that every item may have."""

MAP_KEYS: Final = word_set("links legend drawing at spaces grows_with grid joins turns first")
"""Keys of an item of the section `maps` that say what the map looks like."""

MOST_COPIES: Final = 500


def declare_items(game: Game, sections: Map, removed: dict[str, Span], bag: Bag) -> None:
    """Fill `game.items` with what stands in the sections of the families."""
    for family, section in SECTION_OF.items():
        for key, node in entries(sections.get(section)):
            if not isinstance(node, Map):
                continue
            if key.text in game.items:
                first = game.items[key.text]
                bag.add(
                    "name-taken",
                    key.span,
                    f"`{key.text}` cannot name one of the {section}: there is one in `{first.section}` already",
                    "every word of the game means one thing; rename one of them",
                    (Related(first.span, "first written here"),),
                    f"{section}.{key.text}",
                )
                continue
            kind = _kind(key, node, family, section, game, removed, bag)
            if kind is None:
                continue
            item = read_item(key, node, kind, section, bag)
            _check_origin(item, bag)
            game.items[item.id] = item


def _kind(
    key: Scalar, node: Map, family: str, section: str, game: Game, removed: dict[str, Span], bag: Bag
) -> Kind | None:
    word = node.get("kind")
    if word is None:
        return _only_kind(key, node, family, section, game, bag)
    if not isinstance(word, Scalar):
        return None
    kind = game.kinds.get(word.text)
    if kind is None:
        if word.text in removed:
            gone = Related(removed[word.text], "removed here")
            bag.add(
                "removed-but-used",
                word.span,
                f"`{key.text}` is of the kind `{word.text}`, which has been removed",
                "remove the item too, or keep the kind",
                (gone,),
            )
            return None
        names = [kind.name for kind in game.kinds.values() if kind.family == family]
        bag.add(
            "unknown-word",
            word.span,
            f"there is no kind `{word.text}`",
            did_you_mean(word.text, names) or did_you_mean(word.text, game.kinds),
            path=f"{section}.{key.text}.kind",
        )
        return None
    if kind.family != family:
        home = SECTION_OF.get(kind.family)
        bag.add(
            "wrong-section",
            word.span,
            f"`{key.text}` is of the kind `{kind.name}`, whose family is {kind.family}, but stands in `{section}`",
            f"write it in the section `{home}`" if home else "a part is written inside the item that holds it",
            (Related(kind.span, "the kind is declared here"),),
            f"{section}.{key.text}.kind",
        )
        return None
    return kind


def _only_kind(key: Scalar, node: Map, family: str, section: str, game: Game, bag: Bag) -> Kind | None:
    """The kind of an item that does not say it: the only one of the family that the game declares."""
    own = [kind for kind in game.kinds.values() if kind.family == family and kind.span != game.span]
    if len(own) == 1:
        return own[0]
    if own:
        hint = f"write `kind: {own[0].name}`, or one of {', '.join(f'`{kind.name}`' for kind in own[1:])}"
    else:
        hint = f"declare a kind of the family {family}, and write it here"
    misspelt = next((each for each in node.names() if nearest(each, ("kind",)) and each not in COMMON), "")
    if misspelt:
        hint = f"did you mean `kind` by `{misspelt}`?"
    bag.add(
        "missing-key",
        key.span,
        f"`{key.text}` does not say of which kind it is",
        hint,
        path=f"{section}.{key.text}",
    )
    return None


def read_item(key: Scalar, node: Map, kind: Kind, section: str, bag: Bag, name: str = "") -> Item:
    """Sort the keys of an item. Of a map's item those that draw the map are left to `declare_maps`."""
    item = Item(name or key.text, kind.name, key.span, key, node, section)
    item.title = _title(key.text)
    for inner, value in node:
        word = inner.text
        if section == "maps" and word in MAP_KEYS:
            continue
        if word in COMMON and word not in kind.columns:
            _common(item, inner, value, bag)
        elif word in kind.faces and isinstance(value, Map):
            for cell, cell_value in value:
                if cell.text == "text" and f"{word}.text" not in kind.columns:
                    item.text[word] = cell_value
                else:
                    item.cells[f"{word}.{cell.text}"] = cell_value
        elif word in kind.acts and isinstance(value, Map):
            item.acts[word] = value
        elif word in kind.variants and isinstance(value, Map):
            item.variants[word] = value
        else:
            item.cells[word] = value
    return item


def _common(item: Item, key: Scalar, value: Node, bag: Bag) -> None:
    match key.text:
        case "origin":
            item.origin = text(value)
        case "title":
            item.title = text(value) or item.title
        case "copies":
            item.copies = _copies(item, value, bag)
        case "starts_in":
            item.starts_in = value
        case "values":
            item.values = as_map(value)
        case "stand_in":
            item.stand_in = tuple(word.text for word in words(value))
        case "text":
            if isinstance(value, Map):
                item.text.update({face.text: one for face, one in value})
            else:
                item.text[""] = value
        case "triggers":
            item.triggers = {name.text: act for name, act in entries(value) if isinstance(act, Map)}
        case "modifiers":
            item.modifiers = {name.text: act for name, act in entries(value) if isinstance(act, Map)}
        case _:
            pass


def _copies(item: Item, node: Node, bag: Bag) -> int:
    copies = number(node)
    if copies is None or copies < 0:
        return 1
    if copies > MOST_COPIES:
        bag.add(
            "too-large",
            node.span,
            f"`{item.id}` has {copies:,} copies; at most {MOST_COPIES} are allowed",
            "is this the number of another column?",
        )
        return 1
    return copies


def _title(name: str) -> str:
    return name.replace("_", " ").title()


def check_origin(what: str, key: Scalar, node: Map, path: str, bag: Bag) -> None:
    """Everything that a box holds says whether the rulebook prints it."""
    if "origin" not in node:
        bag.add(
            "origin-missing",
            key.span,
            f"{what} `{key.text}` does not say where it comes from",
            "write `origin: printed` if the rulebook gives it, else `origin: original`",
            path=path,
        )


def _check_origin(item: Item, bag: Bag) -> None:
    if "origin" in item.node or item.section == "players":
        return
    misspelt = any(key not in COMMON and nearest(key, ("origin",)) for key in item.node.names())
    if not misspelt:  # the unknown key is a finding, and says what was meant
        check_origin("the item", item.key, item.node, f"{item.section}.{item.id}", bag)


# --- what is not as printed -------------------------------------------------------------------------------------------


def check_stand_ins(game: Game, sections: Map, bag: Bag) -> None:
    """Each `stand_in` names something that is there: a column, `values.x`, `text`, a section of an act."""
    for item in game.items.values():
        if "stand_in" not in item.node:
            continue
        kind = game.kinds[item.kind]
        known = {"name", "title", "text", "values", *kind.columns, *kind.faces, *kind.acts}
        _stand_ins(item.node, f"`{item.id}`", known, bag)
    for section in ("tracks", "dice", "maps"):
        for key, node in entries(sections.get(section)):
            if isinstance(node, Map) and key.text not in game.items:
                _stand_ins(node, f"`{key.text}`", set(), bag)


def _stand_ins(node: Map, owner: str, known: set[str], bag: Bag) -> None:
    for word in words(node.get("stand_in")):
        if word.text in known or _leads(node, word.text.split(".")):
            continue
        candidates = [*node.names(), *known]
        bag.add(
            "stand-in-unknown",
            word.span,
            f"{owner} has no `{word.text}` that could be a stand-in",
            did_you_mean(word.text, candidates)
            or "write the name of a column, `values.x`, `text` or a section of an act",
        )


def _leads(node: Node, path: list[str]) -> bool:
    """Whether the path exists beneath the node; in a list, beneath any of its records."""
    if not path:
        return True
    if isinstance(node, Map):
        # keys may hold dots (a cost such as `player.chips`), so longer keys are tried too
        return any(
            (inner := node.get(".".join(path[:k]))) is not None and _leads(inner, path[k:])
            for k in range(1, len(path) + 1)
        )
    if isinstance(node, Items):
        return any(_leads(one, path) for one in node.items)
    return False


# --- formula columns --------------------------------------------------------------------------------------------------


def mark_formulas(game: Game) -> None:
    """A printed column of a plain type becomes a formula if its default or any cell is written as rows or as words."""
    words_seen: dict[str, dict[str, set[str]]] = {
        kind.name: {name: set() for name, column in kind.columns.items() if column.storage == "printed"}
        for kind in game.kinds.values()
    }
    for item in game.items.values():
        kind, seen = game.kinds[item.kind], words_seen[item.kind]
        for name, cell in item.cells.items():
            if name not in seen or (isinstance(cell, Scalar) and (type(cell.value) is int or cell.text in seen[name])):
                continue
            column = kind.columns[name]
            if not column.is_formula:
                column.is_formula = is_formula(column.type, cell)
            if isinstance(cell, Scalar) and type(cell.value) is str and not column.is_formula:
                seen[name].add(cell.text)  # what means one thing in a column means it in every item
    for kind in game.kinds.values():
        for column in kind.columns.values():
            if column.default is not None and column.storage == "printed" and not column.is_formula:
                column.is_formula = is_formula(column.type, column.default)


def is_formula(kind: Type, cell: Node) -> bool:
    """Whether a cell of this type is a formula, not a plain value."""
    match kind:
        case Int() | Bool() | Enum() | Thing() | ItemOf() | Range() | Zone():
            pass
        case _:
            return isinstance(cell, Map) and "rows" in cell and not isinstance(kind, TableOf)
    if isinstance(cell, Map):
        return "rows" in cell
    if not isinstance(cell, Scalar) or not isinstance(cell.value, str):
        return False
    words_ = cell.text
    match kind:
        case Int(missing=missing):
            return not (missing and words_ == "none")
        case Bool():
            return True
        case Range():
            return not re.fullmatch(r"-?\w+ to -?\w+|-?\w+\+", words_)
        case Zone():
            return not re.fullmatch(r"\w+(\.\w+)?", words_)
        case _:
            return not re.fullmatch(r"\w+(\.\w+)?", words_)


# --- owners -----------------------------------------------------------------------------------------------------------


def add_owner_columns(game: Game) -> None:
    """The built-in column `owner` of each kind that names one.

    Printed, if any item writes the cell (then it is none only where an item leaves it out); else it changes in play and
    starts none. All kinds of one root share one column.
    """
    shared: dict[str, Column] = {}
    for kind in game.kinds.values():
        if not kind.owner:
            continue
        home = kind
        while home.base and game.kinds[home.base].owner == kind.owner:
            home = game.kinds[home.base]
        if home.name not in shared:
            family = {name for name, other in game.kinds.items() if _built_on(game, other, home.name)}
            items = [item for item in game.items.values() if item.kind in family]
            written = [item for item in items if "owner" in item.cells and text(item.cells["owner"]) != "none"]
            whole = bool(written) and len(written) == len(items)
            storage = "printed" if written else "state"
            owner = Thing(kind.owner, missing=not whole)
            shared[home.name] = Column("owner", home.name, storage, owner, home.span)
        column = shared[home.name]
        kind.columns["owner"] = column
        kind.owner_storage = column.storage


def _built_on(game: Game, kind: Kind, base: str) -> bool:
    at: Kind | None = kind
    while at is not None:
        if at.name == base:
            return True
        at = game.kinds.get(at.base) if at.base else None
    return False


# --- parts ------------------------------------------------------------------------------------------------------------


def declare_parts(game: Game, bag: Bag) -> None:
    """Give each printed record inside an item an item of its own; `part_ids` of the item names them."""
    held = {name: _records_of(game, kind) for name, kind in game.kinds.items()}
    queue = [item for item in game.items.values() if held[item.kind]]
    while queue:
        item = queue.pop()
        for name, cell in item.cells.items():
            if name not in held[item.kind]:
                continue
            column, record = held[item.kind][name]
            made: list[Item] = []
            for label, key, node in _records(column.type, cell, item.key):
                one = read_item(key, node, record, "parts", bag, f"{item.id}.{name}{label}")
                one.title, one.origin = item.title, item.origin
                # the numbers that a card names are words of all that stands on it
                one.values = item.values
                made.append(one)
            for one in made:
                game.items[one.id] = one
            item.part_ids[name] = [one.id for one in made]
            queue += made


def _records_of(game: Game, kind: Kind) -> dict[str, tuple[Column, Kind]]:
    """The columns in which items of a kind hold records, with the kinds of these."""
    found: dict[str, tuple[Column, Kind]] = {}
    for name, column in kind.columns.items():
        record = _record_kind(game, column.type)
        if column.storage == "printed" and not column.is_formula and record is not None:
            found[name] = (column, record)
    return found


def _record_kind(game: Game, kind: Type) -> Kind | None:
    match kind:
        case Thing(kinds=(name,)) if game.kinds[name].family == "part":
            return game.kinds[name]
        case ListOf(of=of) | TableOf(value=of):
            return _record_kind(game, of)
        case _:
            return None


def _records(kind: Type, cell: Node, key: Scalar) -> list[tuple[str, Scalar, Map]]:
    """The records in a cell with the tails of their ids: one, a list, or the rows of a table."""
    match kind:
        case ListOf():
            if isinstance(cell, Map):
                return [(".1", key, cell)]
            return [
                (f".{k}", Scalar(one.span, key.text, key.text, False), one)
                for k, one in enumerate(cell.items if isinstance(cell, Items) else (), 1)
                if isinstance(one, Map)
            ]
        case TableOf():
            return [(f".{row.text}", row, one) for row, one in entries(cell) if isinstance(one, Map)]
        case _:
            return [("", key, cell)] if isinstance(cell, Map) else []
