"""Checks the shape of one file: sections, keys, types of values, ids. Names are resolved later, when all files are
read.

    kinds: {hero: {famly: piece}}      unknown-key at `famly`: did you mean `family`?

The models of `ludoloom.schemas` do the checking, in one pass over the bare values; their errors are brought back to the
places of the tree (`shape_findings.py`). Which form of an either/or is checked is decided by the value and its keys
alone. What is right is told without the models (`schemas/quick.py`, `cell_checks.py`), which takes a fifth of a second
less; they are imported where something is wrong."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Map, Node, plain
from ludoloom.compiler.frontend.whole import Whole, show_path
from ludoloom.schemas.cell_checks import Accepts, ItemChecks
from ludoloom.schemas.keys import COMMON, ITEM_SECTIONS, ROLL_SECTIONS, SECTIONS
from ludoloom.schemas.quick import shipped

if TYPE_CHECKING:
    from ludoloom.schemas.base import Part
    from ludoloom.schemas.derive import ItemModels
    from ludoloom.schemas.specs import KindSpec

LEDGER: Final = "rulebook.yaml"
"""The file of a pack that says what its rulebook says."""


def _file_model() -> type[Part]:
    from ludoloom.schemas.language import File

    return File


def _ledger_model() -> type[Part]:
    from ludoloom.schemas.ledger import Ledger

    return Ledger


def check_shape(tree: Map, file: str, bag: Bag) -> bool:
    """Check a file of a pack (a ledger if it is called `rulebook.yaml`) and report all findings; whether it is
    sound."""
    if is_ledger(file):
        return _check(Whole(tree), shipped("ledger"), _ledger_model, plain(tree), bag)
    sound = _check(Whole(tree), shipped("file"), _file_model, _file(tree), bag)
    for path, act, order in _acts(tree):
        check_order(act, order, bag, path)
    return sound


def is_ledger(file: str) -> bool:
    """Whether a file is checked as a ledger, by its name."""
    return file.replace("\\", "/").rsplit("/", 1)[-1] == LEDGER


class CellsOfKinds:
    """Checks items with what their kinds say; the models are made when the first is needed. Acts that say the same
    apart from plain numbers are looked at once: what a number may be is no matter of an act's shape."""

    def __init__(self, specs: Mapping[str, KindSpec]) -> None:
        self.specs = specs
        self.checks = ItemChecks(specs)
        self.models: ItemModels | None = None
        self.right: set[str] = set()
        """The outlines of acts that were found right."""

    def check(self, whole: Whole, kind: str, bag: Bag) -> bool:
        """Check an item and report all findings; whether it is sound. What all items have was checked with the file:
        those values are not looked at again, and a node stands for each."""
        accepts, acts = self.checks.of(kind), set(self.specs[kind].acts) - set(self.specs[kind].variants)
        outlines = {
            key.text: node.outline for key, node in whole.tree.entries if key.text in acts and isinstance(node, Map)
        }
        known = {name for name, outline in outlines.items() if outline in self.right}
        if accepts is not None and accepts(_cells(whole.tree, known)):
            self.right.update(outlines.values())
            return True
        return _check(whole, None, lambda: self._model(kind), _cells(whole.tree), bag)

    def _model(self, kind: str) -> type[Part]:
        if self.models is None:
            from ludoloom.schemas.derive import ItemModels

            self.models = ItemModels(self.specs)
        return self.models.item(kind)


def _file(tree: Map) -> object:
    """The bare value of a file. The cells of its items are left as nodes: they are checked when their kinds are known,
    and are most of a pack."""
    return {
        key.text: {name.text: _item(item) for name, item in section}
        if key.text in ITEM_SECTIONS and isinstance(section, Map)
        else plain(section)
        for key, section in tree
    }


def _item(item: Node) -> object:
    if not isinstance(item, Map):
        return plain(item)
    return {key.text: plain(node) if key.text in COMMON else node for key, node in item}


def _cells(item: Map, known: Collection[str] = ()) -> dict[str, object]:
    """The bare values of an item, apart from those that are known to be right."""
    return {
        key.text: node if key.text in COMMON else plain(node) for key, node in item.entries if key.text not in known
    }


def _check(whole: Whole, accepts: Accepts | None, model: Callable[[], type[Part]], value: object, bag: Bag) -> bool:
    if accepts is not None and accepts(value):
        return True
    from ludoloom.compiler.frontend.shape_findings import find

    return find(value, model(), whole, bag)


def check_order(act: Map, order: tuple[str, ...], bag: Bag, path: tuple[str | int, ...]) -> None:
    """Report the first section of an act that stands before one it should follow, with the order to write."""
    places = {name: number for number, name in enumerate(order)}
    latest = -1
    for key, _ in act:
        place = places.get("on …" if key.text.startswith("on ") else key.text)
        if place is None:
            continue
        if place < latest:
            known = sorted(
                (name for name in act.names() if _section(name) in places), key=lambda name: places[_section(name)]
            )
            bag.add(
                "key-order",
                key.span,
                f"`{key.text}` stands too late: it is read before `{order[latest]}`",
                f"write them in this order: {', '.join(known)}",
                path=show_path((*path, key.text)),
            )
            return
        latest = place


def _section(name: str) -> str:
    return "on …" if name.startswith("on ") else name


_ACTS = ("actions", "verbs", "triggers", "phases")

Found = Iterator[tuple[tuple[str | int, ...], Map, tuple[str, ...]]]


def _acts(tree: Map, path: tuple[str | int, ...] = ()) -> Found:
    """All acts and rolls of a file with the way to them and the order of their sections."""
    for key, section in tree:
        here = (*path, key.text)
        if not isinstance(section, Map):
            continue
        if key.text in _ACTS:
            yield from _each(section, here, SECTIONS)
        elif key.text == "rolls":
            yield from _each(section, here, ROLL_SECTIONS)
        elif key.text == "kinds":
            for name, kind in section:
                for part in ("acts", "triggers"):
                    yield from _inside(kind, part, (*here, name.text))
        elif key.text in ITEM_SECTIONS:
            for name, item in section:
                yield from _inside(item, "triggers", (*here, name.text))
        elif key.text == "modes":
            for name, mode in section:
                for part in ("add", "replace"):
                    inner = mode.get(part) if isinstance(mode, Map) else None
                    if isinstance(inner, Map):
                        yield from _acts(inner, (*here, name.text, part))
        elif key.text == "replace" and not path:
            yield from _acts(section, here)


def _inside(node: Node, part: str, path: tuple[str | int, ...]) -> Found:
    acts = node.get(part) if isinstance(node, Map) else None
    if isinstance(acts, Map):
        yield from _each(acts, (*path, part), SECTIONS)


def _each(section: Map, path: tuple[str | int, ...], order: tuple[str, ...]) -> Found:
    for name, act in section:
        if isinstance(act, Map):
            yield (*path, name.text), act, order
