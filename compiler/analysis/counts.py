"""What the box holds: component counts and printed facts, compared with what the files declare.

    counts: {small_cards: {of: spells + tools, is: 90}}                90 things of the two kinds, all copies counted
    facts: {red.score.start: 1, days.spaces: 0 to 20, coin.copies: 2}  a path, and what is printed there

`of` is a sum: plurals, kinds, sections, zones (what starts there), items with their copies, dice, tracks and maps by
name; a `-` takes out, `.where(column == value)` keeps some. It is worked out here and never runs in the game."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

from ludoloom.compiler.analysis.model import Game, Item
from ludoloom.compiler.analysis.names import SECTION_OF, did_you_mean
from ludoloom.compiler.analysis.number import is_a
from ludoloom.compiler.analysis.tree import entries, number, text, words
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, plain

_MOST_TEXT = 1000


def check_counts(game: Game, sections: Map, bag: Bag, *, but: Map | None = None) -> None:
    """Compare all counts and facts, but for those that the sections `but` have too (a mode's own are left);
    `incomplete` counts of the pack become notes."""
    known = {key.text for part in ("counts", "facts") for key, _ in entries(but.get(part) if but is not None else None)}
    for key, node in entries(sections.get("counts")):
        if key.text in known:
            continue
        of = node.get("of") if isinstance(node, Map) else None
        wanted = node.get("is") if isinstance(node, Map) else None
        if isinstance(of, Scalar) and wanted is not None and number(wanted) is not None:
            _check_count(game, key, of, wanted, bag)
    for key, node in game.facts.values():
        if key.text not in known:
            _check_fact(game, sections, key, node, bag)


def check_incomplete(game: Game, manifests: list[Map], bag: Bag) -> None:
    """Each name under `incomplete` is a count."""
    for manifest in manifests:
        for word in words(manifest.get("incomplete")):
            if word.text not in game.counts:
                bag.add(
                    "unknown-word",
                    word.span,
                    f"there is no count `{word.text}`",
                    did_you_mean(word.text, game.counts),
                )


def _check_count(game: Game, key: Scalar, of: Scalar, wanted: Node, bag: Bag) -> None:
    found = _Counter(game, of, bag).members()
    if found is None:
        return
    declared = number(wanted) or 0
    many = len(found)
    path = f"counts.{key.text}"
    listed = _listed(game, found)
    if key.text in game.incomplete and many < declared:
        bag.add(
            "count-incomplete",
            wanted.span,
            f"`{key.text}`: {many} of {declared} are written; the pack says that this is incomplete",
            listed,
            path=path,
        )
    elif key.text in game.incomplete and many == declared:
        bag.add(
            "count-complete",
            key.span,
            f"`{key.text}` is complete now: {many} of {declared}",
            f"take `{key.text}` out of the pack's `incomplete`",
            path=path,
        )
    elif many != declared:
        bag.add(
            "count-differs",
            wanted.span,
            f"`{key.text}` says {declared}, but {many} are declared",
            listed + (_MORE.format(name=key.text, many=many) if many > declared else ""),
            _most_copies(game, found),
            path,
        )


_MORE: Final = "; an expansion or mode that adds some says `patch: {{counts: {{{name}: {{is: {many}}}}}}}`"


def _listed(game: Game, found: set[str]) -> str:
    """The members counted, copies together, the first dozen."""
    items: dict[str, int] = {}
    for name in sorted(found, key=lambda one: game.names.get(one, 0)):
        thing = game.names.get(name, 0)
        item = game.things[thing - 1].item if thing else None
        items[item.id if item else name] = items.get(item.id if item else name, 0) + 1
    if not items:
        return "nothing is counted"
    shown = [name if many == 1 else f"{name} ×{many}" for name, many in list(items.items())[:12]]
    rest = len(items) - len(shown)
    return "counted: " + ", ".join(shown) + (f" and {rest} more" if rest else "")


def _most_copies(game: Game, found: set[str]) -> tuple[Related, ...]:
    """The item of which most copies are counted: the likeliest place of the mistake, if there is one."""
    many: dict[str, int] = {}
    for name in found:
        thing = game.names.get(name, 0)
        item = game.things[thing - 1].item if thing else None
        if item is not None:
            many[item.id] = many.get(item.id, 0) + 1
    if not many:
        return ()
    name = max(sorted(many), key=lambda one: many[one])
    if many[name] < 2:
        return ()
    return (Related(game.items[name].span, f"{many[name]} copies of `{name}` are counted"),)


@dataclass(slots=True)
class _Counter:
    """Works out a sum of things; every thing is counted once, however often it is named."""

    game: Game
    of: Scalar
    bag: Bag

    def members(self) -> set[str] | None:
        """The names of the things counted; None if something was wrong."""
        if len(self.of.text) > _MOST_TEXT:
            return self._wrong(None, "this sum is too long")
        try:
            tree = ast.parse(self.of.text.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return self._wrong(None, f"`{self.of.text}` is no sum of things")
        return self._set(tree.body, 0)

    def _wrong(self, node: ast.expr | None, message: str, hint: str = "", code: str = "wrong-type") -> None:
        span = self.of.span
        if node is not None and self.of.plain and node.end_col_offset is not None:
            span = span.within(node.col_offset, node.end_col_offset)
        hint = hint or "write plurals, kinds and items with `+` between, and `.where(column == value)`"
        self.bag.add(code, span, message, hint)

    def _set(self, node: ast.expr, depth: int) -> set[str] | None:
        if depth > 40:
            return self._wrong(node, "this sum is nested too deeply")
        match node:
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                first, second = self._set(left, depth + 1), self._set(right, depth + 1)
                if first is None or second is None:
                    return None
                return first | second if isinstance(op, ast.Add) else first - second
            case ast.Name(id=name):
                return self._named(name, node)
            case ast.Attribute(value=ast.Name(id=piece), attr=zone):
                return self._named(f"{piece}.{zone}", node)
            case ast.Call(func=ast.Attribute(value=inner, attr="where"), args=[condition], keywords=[]):
                found = self._set(inner, depth + 1)
                if found is None:
                    return None
                kept: set[str] = set()
                for name in found:
                    answer = self._holds(condition, name, depth + 1)
                    if answer is None:
                        return None
                    if answer:
                        kept.add(name)
                return kept
            case _:
                return self._wrong(node, f"`{ast.unparse(node)}` cannot be counted")

    def _named(self, name: str, node: ast.expr) -> set[str] | None:
        game = self.game
        for kind in game.kinds.values():
            if name in (kind.plural, kind.name):
                return {thing.name for thing in game.things if thing.kind and is_a(game, thing.kind, kind.name)}
        if name in game.items:
            return {game.things[thing - 1].name for thing in game.items[name].things}
        if name in game.names:
            thing = game.things[game.names[name] - 1]
            if thing.zone is not None:
                return {other.name for other in game.things if other.starts == thing.number}
            return {name}
        if name in game.dice or name in game.tracks:
            return {name}
        for section in SECTION_OF.values():
            if name == section:
                return {thing.name for thing in game.things if thing.item is not None and thing.item.section == section}
        known = [*(kind.plural or kind.name for kind in game.kinds.values()), *game.items, *game.dice, *game.tracks]
        hint = did_you_mean(name, known)
        return self._wrong(node, f"there is nothing called `{name}` to count", hint, "unknown-word")

    def _holds(self, node: ast.expr, name: str, depth: int) -> bool | None:
        if depth > 40:
            return self._wrong(node, "this condition is nested too deeply")
        match node:
            case ast.BoolOp(op=op, values=values):
                answers = [self._holds(value, name, depth + 1) for value in values]
                if None in answers:
                    return None
                return all(answers) if isinstance(op, ast.And) else any(answers)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                answer = self._holds(inner, name, depth + 1)
                return None if answer is None else not answer
            case ast.Compare(left=ast.Name(id=column), ops=[op], comparators=[right]):
                cell = self._cell(name, column, node)
                if cell is None:
                    return None
                return self._compare(cell[0], op, right, node)
            case ast.Name(id=column):
                cell = self._cell(name, column, node)
                return None if cell is None else cell[0] is True
            case _:
                return self._wrong(node, f"`{ast.unparse(node)}` is no condition that can be counted by")

    def _compare(self, cell: object, op: ast.cmpop, right: ast.expr, node: ast.expr) -> bool | None:
        value: object
        match right:
            case ast.Name(id=word):
                value = None if word == "none" else word
            case ast.Constant(value=bool() | int() as value):
                pass
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as size)):
                value = -size
            case _:
                return self._wrong(node, f"`{ast.unparse(right)}` is no value to compare with")
        if value in ("true", "false"):
            value = value == "true"
        if cell == "none":
            cell = None
        match op:
            case ast.Eq():
                return cell == value
            case ast.NotEq():
                return cell != value
            case ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE():
                if not isinstance(cell, int) or not isinstance(value, int):
                    return False
                if isinstance(op, ast.Lt | ast.LtE):
                    return cell < value or (isinstance(op, ast.LtE) and cell == value)
                return cell > value or (isinstance(op, ast.GtE) and cell == value)
            case _:
                return self._wrong(node, "only == != < <= > >= are known here")

    def _cell(self, name: str, column: str, node: ast.expr) -> tuple[object] | None:
        """The printed value of a thing's column (in a tuple, so that none can be told from a mistake)."""
        thing = self.game.things[self.game.names[name] - 1] if name in self.game.names else None
        item = thing.item if thing else None
        if item is None:
            self._wrong(node, f"`{name}` has no printed columns")
            return None
        if column == "origin":
            return (item.origin,)
        declared = self.game.kinds[item.kind].columns.get(column)
        if declared is None or declared.storage != "printed":
            columns = [one.name for one in self.game.kinds[item.kind].columns.values() if one.storage == "printed"]
            self._wrong(
                node,
                f"`{item.kind}` has no printed column `{column}`",
                did_you_mean(column, columns),
                "unknown-word",
            )
            return None
        cell = item.cells.get(column) or declared.default
        return (plain(cell) if cell is not None else None,)


# --- facts ------------------------------------------------------------------------------------------------------------


def _check_fact(game: Game, sections: Map, key: Scalar, wanted: Node, bag: Bag) -> None:
    found = _find(game, sections, key, bag)
    if found is None:
        return
    value, place = found
    if value != plain(wanted):
        bag.add(
            "printed-fact-changed",
            wanted.span,
            f"`{key.text}` is printed as {_say(plain(wanted))}, but the files say {_say(value)}",
            "one of the two is wrong; look into the rulebook",
            (Related(place.span, "the value is here"),),
            f"facts.{key.text}",
        )


def _say(value: object) -> str:
    """A value in the words of a file."""
    if value is None:
        return "nothing"
    return str(value).lower() if isinstance(value, bool) else str(value).replace("'", "")


def _find(game: Game, sections: Map, key: Scalar, bag: Bag) -> tuple[object, Node] | None:
    """What the files say at a path: an item's cell or start, or a value of a track, die, map, zone or kind."""
    first, _, rest = key.text.partition(".")
    path = rest.split(".") if rest else []
    item = game.items.get(first)
    if item is not None:
        found = _of_item(game, item, path)
        if found is not None:
            return found
        known = [*game.kinds[item.kind].columns, *item.node.names(), "copies"]
        bag.add(
            "unknown-word",
            key.span,
            f"`{first}` has nothing printed at `{rest}`",
            did_you_mean(path[0] if path else "", known),
        )
        return None
    for section in ("tracks", "dice", "maps", "zones", "kinds", "state", "options"):
        node = sections.get(section)
        top = node.get(first) if isinstance(node, Map) else None
        if top is None:
            continue
        found_node = _down(top, path)
        if found_node is not None:
            return plain(found_node), found_node
        hint = did_you_mean(path[0] if path else "", [name.text for name, _ in entries(top)])
        bag.add("unknown-word", key.span, f"`{first}` has nothing at `{rest}`", hint)
        return None
    hint = did_you_mean(first, [*game.items, *game.tracks, *game.dice, *game.maps])
    bag.add("unknown-word", key.span, f"there is nothing called `{first}`", hint)
    return None


def _of_item(game: Game, item: Item, path: list[str]) -> tuple[object, Node] | None:
    if path == ["copies"]:
        return item.copies, item.node.get("copies") or item.key
    node = _down(item.node, path)
    if node is not None and path:
        return plain(node), node
    column = game.kinds[item.kind].columns.get(path[0]) if path else None
    if column is None:
        return None
    if len(path) == 1 and column.default is not None:
        return plain(column.default), column.default
    ends = {"start": column.start or column.low, "min": column.low, "max": column.high}
    end = ends.get(path[1]) if len(path) == 2 else None
    if end is None:
        return None
    word = text(end)
    cell = item.cells.get(word)
    if cell is not None and word in game.kinds[item.kind].columns:
        return plain(cell), cell
    return plain(end), end


def _down(node: Node, path: list[str]) -> Node | None:
    """The node at a path of keys; in a list a number counts from 1."""
    at: Node | None = node
    for word in path:
        if isinstance(at, Map):
            at = at.get(word)
        elif isinstance(at, Items) and word.isdecimal() and 1 <= int(word[:6]) <= len(at.items):
            at = at.items[int(word[:6]) - 1]
        else:
            return None
    return at
