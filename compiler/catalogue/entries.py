"""From a game to the entries of its catalogue.

    cards: {spark: {kind: spell, origin: original, copies: 3, element: fire, text: "Light {n} candles."}}
    ->  Entry("spark", kind_title="Spell", texts=("Light 2 candles.",), values=(Element: Fire,), copies=3, …)

Everything that somebody wrote as a thing is an entry, whether it is printed or not; values are those of the compiled
game, as on the sheets. Things of every combination of modes are told, each once, as in the first combination that has
it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from ludoloom.compiler.analysis.declare import declare
from ludoloom.compiler.analysis.model import Column, Game, Item
from ludoloom.compiler.analysis.tree import GameTree, as_map
from ludoloom.compiler.backend import card_texts, texts
from ludoloom.compiler.backend.cells import cell_of
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.catalogue.model import Catalogue, Entry, Facet, Text, Value, Words
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.flow import flow
from ludoloom.compiler.frontend.nodes import Map, Scalar, Span
from ludoloom.compiler.sheets import boards
from ludoloom.compiler.sheets.cells import Cell, cells
from ludoloom.compiler.sheets.faces import light, printed
from ludoloom.compiler.sheets.looks import Look, looks
from ludoloom.compiler.sheets.model import Printable
from ludoloom.compiler.sheets.sources import Sources
from ludoloom.compiler.texts_auto import section

FEW: Final = 14
"""A column with more values than this is searched, not filtered."""
LONG: Final = 32
"""Nor is one whose values are as long as this."""


def entries(tree: GameTree, language: str = "", printables: Sequence[Printable] = ()) -> Catalogue:
    """The things of a game that was checked and found right; `printables` tell which of them have pictures."""
    games = [(modes, declare(tree, modes, Bag())) for modes in tree.combinations]
    templates = Sources.of(tree).templates()
    found: dict[str, Entry] = {}
    for modes, game in games:
        if any(item.id not in found for item in game.items.values() if printed(item)):
            work = _Work(tree, game, modes, language, printables, looks(game, Bag(), templates=templates))
            for item in game.items.values():
                if printed(item) and item.id not in found:
                    found[item.id] = work.entry(item, _never(item.id, modes, games))
    title = games[0][1].title if games else tree.id
    return Catalogue(tree.id, title, language, tuple(pack.title for pack in tree.packs), tuple(found.values()))


def _never(item: str, modes: Sequence[str], games: Sequence[tuple[tuple[str, ...], Game]]) -> tuple[str, ...]:
    """The modes in whose company an item is never there."""
    others = dict.fromkeys(mode for combination, _ in games for mode in combination if mode not in modes)
    return tuple(mode for mode in others if not any(mode in with_ and item in game.items for with_, game in games))


def facets(shown: Iterable[Entry]) -> list[Facet]:
    """The columns that tell entries apart by few values; numbers in their order, words by the alphabet."""
    labels: dict[str, str] = {}
    counts: dict[str, Counter[str]] = {}
    owners: Counter[str] = Counter()
    for entry in shown:
        for name, value in {value.name: value for value in entry.values if value.tokens}.items():
            labels.setdefault(name, value.label)
            counts.setdefault(name, Counter()).update(set(value.tokens))
            owners[name] += 1
    found: list[Facet] = []
    for name, many in counts.items():
        # A column in which nearly each has a value of its own is a name, not a sort.
        telling = len(many) < owners[name] and len(many) <= FEW and max(map(len, many)) < LONG
        if telling and owners[name] > 1:
            found.append(Facet(name, labels[name], tuple(sorted(many.items(), key=lambda row: _order(row[0])))))
    return found


def _order(token: str) -> tuple[int, int, str]:
    head = token.split("–")[0]
    return (0, int(head), token) if head.lstrip("-").isdecimal() else (1, 0, token.casefold())


class _Work:
    """One combination of modes on its way to entries."""

    def __init__(
        self,
        tree: GameTree,
        game: Game,
        modes: tuple[str, ...],
        language: str,
        printables: Sequence[Printable],
        known: Mapping[str, Look],
    ) -> None:
        self.unit: Unit = light(game)
        self.modes, self.language, self.looks = modes, language, known
        self.names = section(game, language, "names") if language else {}
        self.files = tree.file_names()
        self.packs = {file.shown: pack.title for pack in tree.packs for file in pack.files}
        self.tree = tree
        self.printables = {each.item: each for each in printables}

    def entry(self, item: Item, never: tuple[str, ...]) -> Entry:
        look, sides = self.looks.get(item.kind), self.printables.get(item.id)
        kind = self.unit.game.kinds[item.kind]
        return Entry(
            item=item.id,
            kind=item.kind,
            family=kind.family,
            deck=look.deck if look is not None else "",
            title=self.names.get(item.id) or item.title or texts.title(item.id),
            kind_title=self._name(item.kind),
            texts=tuple(self._texts(item)),
            values=tuple(self._values(item, look)),
            origin=_origin(item),
            copies=item.copies,
            place=self._place(item.key.span),
            pack=self.packs.get(item.key.span.file, ""),
            changed=tuple(self._changed(item)),
            modes=tuple(self._name(mode) for mode in self.modes),
            never=tuple(self._name(mode) for mode in never),
            front=sides.front.key if sides is not None else "",
            back=sides.back.key if sides is not None and sides.back is not None else "",
        )

    def _name(self, word: str) -> str:
        return self.names.get(word) or texts.title(word)

    def _place(self, span: Span) -> str:
        return f"{self.files.get(span.file, span.file)}:{span.line}"

    def _changed(self, item: Item) -> Iterator[str]:
        """Where expansions and modes speak of an item, each place once."""
        whole = f"{item.section}.{item.id}"
        seen = {self._place(item.key.span)}
        for path, spans in self.tree.places.items():
            if path == whole or path.startswith(f"{whole}."):
                for span in spans[1:]:
                    if (place := self._place(span)) not in seen:
                        seen.add(place)
                        yield place
        for mode in self.tree.modes.values():
            for verb in ("patch", "replace"):
                section = as_map(mode.node.get(verb))
                items = as_map(section.get(item.section)) if section is not None else None
                if items is not None and (key := items.key(item.id)) is not None:
                    yield f"{self._place(key.span)} with {self._name(mode.name)}"

    def _texts(self, item: Item) -> Iterator[Text]:
        written = {face: node.text for face, node in item.text.items() if isinstance(node, Scalar)}
        if item.things:
            written |= card_texts.texts_of(self.unit, item.things[0], self.language, self.names, "–")
        for face, words in written.items():
            if words:
                yield Text(self._name(face) if face else "", tuple(_parts(words)))

    # --- values

    def _values(self, item: Item, look: Look | None) -> Iterator[Value]:
        kind = self.unit.game.kinds[item.kind]
        labels = look.labels if look is not None else {}
        shown = dict.fromkeys((column.face for column in kind.columns.values() if column.face), None) or {"": None}
        told: set[tuple[str, str]] = set()
        for face in shown:
            for name, cell in cells(self.unit, item, face, self.names, labels).items():
                of_face = any(column.name == name and column.face for column in kind.columns.values())
                yield from self._cell(cell, face if of_face else "", told)
        names = {name for name, _ in told}
        for column in {column.name: column for column in kind.columns.values()}.values():
            if column.storage == "printed" and column.name not in names:
                yield from self._unprinted(item, column, labels)
        for track in boards.tracks(self.unit, item, self.names, labels):
            if track["start"] not in (None, "0"):
                yield Value("", str(track["label"]), f"{track['start']} at first", printed=False)
        if isinstance(item.values, Map):
            for key, node in item.values:
                yield Value("", f"{{{key.text}}} in the text", flow(node), printed=False)

    def _cell(self, cell: Cell, face: str, told: set[tuple[str, str]]) -> Iterator[Value]:
        if (cell.name, face) in told:
            return
        told.add((cell.name, face))
        side = self._name(face).lower() if face else ""
        if cell.rows:
            rows = (", ".join(f"{each.label} {each.value}".strip() for each in row) for row in cell.rows)
            yield Value(cell.name, cell.label, "; ".join(rows), face=side)
            return
        tokens = tuple(cell.value.split(", ")) if len(cell.members) > 1 else (cell.value or "yes",)
        yield Value(cell.name, cell.label, cell.value or "yes", tokens, face=side)

    def _unprinted(self, item: Item, column: Column, labels: Mapping[str, str]) -> Iterator[Value]:
        """What is usual, a formula, or seen by nobody: it stands in the file, or with the kind, not on the card."""
        node = cell_of(item, column)
        if node is not None and flow(node) not in ("", "none", "false"):
            label = labels.get(column.name) or self.names.get(column.name) or column.name.replace("_", " ").capitalize()
            yield Value(column.name, label, flow(node), printed=False)


def _origin(item: Item) -> str:
    if item.stand_in:
        return f"{item.origin}, with stand-ins for {', '.join(item.stand_in)}"
    return item.origin


def _parts(words: str) -> Iterator[Words]:
    """A text in pieces: words, and icons."""
    at = 0
    for found in texts.ICON.finditer(words):
        if found.start() > at:
            yield Words(words[at : found.start()])
        yield Words(found[1].replace("_", " "), icon=True)
        at = found.end()
    if at < len(words):
        yield Words(words[at:])
