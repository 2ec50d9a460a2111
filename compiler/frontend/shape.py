"""Checks the shape of one file: sections, keys, types of values, ids. Names are resolved later, when all files are
read.

    kinds: {hero: {famly: piece}}      unknown-key at `famly`: did you mean `family`?

The models of `ludoloom.schemas` do the checking, in one pass over the bare values; their errors are brought back to the
places of the tree (`shape_findings.py`). Which form of an either/or is checked is decided by the value and its keys
alone. What is right is told by checkers that were kept (`checkers.py`), so the models are imported only where nothing
is kept or something is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.checkers import Checkers
from ludoloom.compiler.frontend.nodes import Map, Node, plain
from ludoloom.compiler.frontend.whole import Whole, show_path
from ludoloom.schemas.keys import COMMON, ITEM_SECTIONS, ROLL_SECTIONS, SECTIONS

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


def check_shape(tree: Map, file: str, bag: Bag, checkers: Checkers | None = None) -> bool:
    """Check a file of a pack (a ledger if it is called `rulebook.yaml`) and report all findings; whether it is
    sound."""
    checkers = checkers or Checkers()
    if is_ledger(file):
        return _check(Whole(tree), "ledger", _ledger_model, plain(tree), bag, checkers)
    sound = _check(Whole(tree), "file", _file_model, _file(tree), bag, checkers)
    for path, act, order in _acts(tree):
        check_order(act, order, bag, path)
    return sound


def is_ledger(file: str) -> bool:
    """Whether a file is checked as a ledger, by its name."""
    return file.replace("\\", "/").rsplit("/", 1)[-1] == LEDGER


class KindModels:
    """The models of the kinds of a game, made when the first is asked for."""

    def __init__(self, specs: Mapping[str, KindSpec]) -> None:
        self.specs = specs
        self.made: ItemModels | None = None

    def of(self, kind: str) -> Callable[[], type[Part]]:
        """Gives the model of a kind."""
        return lambda: self._model(kind)

    def _model(self, kind: str) -> type[Part]:
        if self.made is None:
            from ludoloom.schemas.derive import ItemModels

            self.made = ItemModels(self.specs)
        return self.made.item(kind)


def check_cells_of(whole: Whole, name: str, model: Callable[[], type[Part]], bag: Bag, checkers: Checkers) -> bool:
    """Check an item with the model of its kind, which the checkers know by `name`. What all items have was checked with
    the file: those values are not looked at again, and a node stands for each."""
    cells = {key.text: node if key.text in COMMON else plain(node) for key, node in whole.tree}
    return _check(whole, name, model, cells, bag, checkers)


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


def _check(
    whole: Whole, name: str, model: Callable[[], type[Part]], value: object, bag: Bag, checkers: Checkers
) -> bool:
    if checkers.accept(name, model, value):
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
