"""From a game to its faces: each item becomes the Typst text of its front and back.

    faces(tree, Wish(language="fr"), bag)  ->  Faces(preamble, printables)

An item is printed if its kind is (`looks`). Its template is given what stands on it, as words: title, text with icons,
columns; see `docs/printing.md` for all of them. Modes may add items: those of every combination of modes are printed,
each once, as in the first combination that has it.

Faces are texts, no pictures yet: nothing here needs Typst. What the texts would need that fonts and packs do not have
(glyphs, icons, pictures) is reported on the way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from ludoloom.compiler.analysis.declare import declare
from ludoloom.compiler.analysis.formula_order import in_order
from ludoloom.compiler.analysis.infer import Infer
from ludoloom.compiler.analysis.model import Game, Item
from ludoloom.compiler.analysis.tree import GameTree
from ludoloom.compiler.backend import card_texts, texts
from ludoloom.compiler.backend.layout import Layout
from ludoloom.compiler.backend.lower import Layers
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Scalar, Span
from ludoloom.compiler.sheets import boards, fonts
from ludoloom.compiler.sheets.cells import Cell, cells
from ludoloom.compiler.sheets.colour import Palette, Rgb, parse
from ludoloom.compiler.sheets.colour import typst as drawn
from ludoloom.compiler.sheets.looks import Look, looks, record_look
from ludoloom.compiler.sheets.model import Face, Faces, Preamble, Printable, Wish
from ludoloom.compiler.sheets.render import Code, Content, Rendered, TemplateFault, Templates, string
from ludoloom.compiler.sheets.setup import Setup
from ludoloom.compiler.sheets.sources import Sources
from ludoloom.compiler.texts_auto import section

SAFE: Final = 3.0
CORNER: Final = 3.0
SIDES: Final = ("north", "east", "south", "west")
SMALL: Final = 40.0
"""Millimetres; what is smaller has a smaller margin."""


def faces(tree: GameTree, wish: Wish, bag: Bag) -> Faces:
    """The faces of a game that was checked and found right. Findings about templates, glyphs, icons and pictures go to
    `bag`; an item with an error has no printable."""
    sources = Sources.of(tree)
    templates = Templates(sources.templates())
    setup: Setup | None = None
    printables: list[Printable] = []
    done: set[str] = set()
    game: Game | None = None
    for combination in tree.combinations:
        declared = declare(tree, combination, Bag())
        if game is not None and not set(declared.items) - done:
            continue
        game = game or declared
        setup = setup or Setup(declared, wish, sources, bag)
        setup.declare(declared)
        work = _Work(light(declared), wish, bag, templates, sources, setup)
        printables += work.printables(done)
        done |= set(declared.items)
    if game is None or setup is None:
        return Faces(tree.id, tree.id, Preamble(""), ())
    return Faces(game.id, game.title, setup.preamble(), tuple(printables))


def light(game: Game) -> Unit:
    """What it takes to ask for texts and columns, without lowering the rules."""
    bag = Bag()
    unit = Unit(game, bag, Infer(game, bag), Layout(game), Layers(), checking=True)
    for column in in_order(game):
        unit.infer.resolve(column)
    return unit


@dataclass(slots=True)
class _Work:
    """One combination of modes on its way to faces."""

    unit: Unit
    wish: Wish
    bag: Bag
    templates: Templates
    sources: Sources
    setup: Setup
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    decks: dict[str, list[Item]] = field(default_factory=dict[str, list[Item]])
    looks: dict[str, Look] = field(default_factory=dict[str, Look])
    """By deck the look that its backs have: the first of its kinds, or the first that names a colour."""
    backs: dict[tuple[str, str], Face] = field(default_factory=dict[tuple[str, str], Face])
    broken: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])

    def printables(self, done: set[str]) -> list[Printable]:
        game = self.unit.game
        self.names = section(game, self.wish.language, "names") if self.wish.language else {}
        known = looks(game, Bag(), templates=self.templates.files)
        items = [
            item
            for item in game.items.values()
            if item.kind in known and printed(item) and (known[item.kind].nodes or not _grows(game, item))
        ]
        self._too_many_faces(known)
        for item in items:
            look = known[item.kind]
            self.decks.setdefault(look.deck, []).append(item)
            first = self.looks.setdefault(look.deck, look)
            if "colour" in look.nodes and "colour" not in first.nodes:
                self.looks[look.deck] = look
        found: list[Printable] = []
        for item in items:
            if item.id not in done:
                made = self._printable(item, known[item.kind])
                if made is not None:
                    found.append(made)
        return found

    def _too_many_faces(self, known: Mapping[str, Look]) -> None:
        for kind in (self.unit.game.kinds[name] for name in known):
            if len(kind.faces) > 2:
                look = known[kind.name]
                left = [f"`{face}`" for face in kind.faces if face not in (look.front, look.behind)]
                self.bag.add(
                    "face-not-printed",
                    kind.span,
                    f"`{kind.name}` has {len(kind.faces)} faces, but paper two sides: {', '.join(left)} is not printed",
                    "make two kinds of it, or say `print: false` in its sheet",
                )

    def _printable(self, item: Item, look: Look) -> Printable | None:
        front = self._face(item, look, "front")
        back = self._face(item, look, "back") if look.back else None
        if front is None or (look.back and back is None):
            return None
        return Printable(item.id, item.kind, look.family, front.title, item.copies, front, back, look.deck)

    def _face(self, item: Item, look: Look, side: str) -> Face | None:
        """One side; a back that was drawn before is that one."""
        shown = look.front if side == "front" else look.behind
        template = look.template if side == "front" else look.back
        bleed = self.wish.bleed if side == "front" else self.wish.back_bleed
        values, places = self._values(item, look, shown)
        if side == "back" and not look.behind:
            values |= self._alike(look)
        try:
            rendered = self.templates.render(template, {**values, "side": side, "bleed": bleed})
        except TemplateFault as fault:
            self._blame(fault)
            return None
        safe = SAFE if min(look.size.width, look.size.height) >= SMALL else 1.5
        head = (
            f"width: {look.size.width:g}, height: {look.size.height:g}, bleed: {bleed:g}, safe: {safe:g}, "
            f"corner: {CORNER:g}, shape: {string(look.shape)}"
        )
        digest = self._digest(head, rendered)
        if side == "back" and (known := self.backs.get((look.deck, digest))) is not None:
            return known
        key = f"{item.id}.{side}"
        made = Face(
            key=key,
            kind=item.kind,
            item=item.id,
            side=side,
            title=str(values["title"]),
            size=look.size,
            bleed=bleed,
            body=f"{{ let this = (key: {string(key)}, {head}); face(this, {rendered.text}) }}",
            digest=digest,
            where=item.key.span,
            shape=look.shape,
            safe=safe,
            corner=CORNER,
            places=places,
            lines=rendered.lines,
        )
        if side == "back":
            self.backs[look.deck, digest] = made
        return made

    def _blame(self, fault: TemplateFault) -> None:
        """A template that is wrong is told once for each of its lines, not once for each card."""
        if (fault.file, fault.line) not in self.broken:
            self.broken.add((fault.file, fault.line))
            place = self.setup.template_place(fault.file, fault.line)
            self.bag.add("template-wrong", place, f"the template cannot be drawn: {fault.message}")

    def _digest(self, head: str, rendered: Rendered) -> str:
        whole = hashlib.sha256(f"{head}\n{rendered.text}\n".encode())
        whole.update(self.setup.digest(rendered.text).encode())
        return whole.hexdigest()

    # --- what a template is given

    def _values(self, item: Item, look: Look, shown: str) -> tuple[dict[str, object], dict[str, Span]]:
        game, places = self.unit.game, {"title": item.key.span, "values": item.key.span}
        title = self.names.get(item.id) or item.title or texts.title(item.id)
        if isinstance(node := item.node.get("title"), Scalar):
            places["title"] = node.span
        written: dict[str, str] = {}
        if item.things:
            written = card_texts.texts_of(self.unit, item.things[0], self.wish.language, self.names, "–")
        words = written.get(shown, written.get("", ""))
        node = item.text.get(shown, item.text.get(""))
        places["text"] = node.span if node is not None else item.key.span
        printed = cells(self.unit, item, shown, self.names, look.labels)
        colour = self._colour(look, printed)
        palette = self.palette(colour)
        line, used = self._line(item, look, printed)
        shown_cells = self._shown(look, printed, used)
        corner = printed.get(look.corner)
        kind = self.names.get(item.kind) or texts.title(item.kind)
        deck = self.decks[look.deck]
        everything: list[tuple[str, str]] = [(title, "title"), (words, "text"), (line, "values"), (kind, "values")]
        everything += [(cell.label + cell.value, "values") for cell in printed.values()]
        self._glyphs(item, everything, places)
        number = f"{deck.index(item) + 1}/{len(deck)}" + (f" ×{item.copies}" if item.copies > 1 else "")
        values: dict[str, object] = {
            "face": Code("this"),
            "id": item.id,
            "title": title,
            "kind": kind,
            "family": look.family,
            "deck": self._deck_title(look),
            "game": game.title,
            "origin": item.origin,
            "copies": item.copies,
            "number": number,
            "index": deck.index(item) + 1,
            "total": len(deck),
            "text": self.content(words),
            "has_text": bool(words),
            "line": self.content(line),
            "cells": [self._cell(look, cell, palette) for cell in shown_cells if not cell.rows],
            "tables": [self._table(look, cell, palette) for cell in shown_cells if cell.rows],
            "cell": {name: self._cell(look, cell, palette) for name, cell in printed.items()},
            "corner": self._cell(look, corner, palette) if corner is not None else None,
            "colours": palette,
            "size": {"width": look.size.width, "height": look.size.height},
            "shape": look.shape,
            "text_size": {"least": look.text_size[0], "usual": look.text_size[1]},
            "art": self._art(item, look, places),
            "mark": self._mark(look, printed),
            "low_ink": self.wish.ink == "low",
            "language": self.wish.language or "en",
        }
        values["noise"] = [number % 100 for number in hashlib.sha256(item.id.encode()).digest()[:16]]
        values["tracks"] = boards.tracks(self.unit, item, self.names, look.labels)
        values["sides"] = self._sides(printed)
        values["zones"] = boards.zones(self.unit, item, self.names)
        values["board"] = boards.board(self.unit, item, look, self.names, self.palette)
        return values, places

    def _alike(self, look: Look) -> dict[str, object]:
        """What the backs of a deck share, so that nobody can tell from the back what is in front."""
        first = self.looks[look.deck]
        return {"colours": self.palette(first.colour), "mark": self._kind_mark(first)}

    def _deck_title(self, look: Look) -> str:
        """What a deck is called: as a sheet says, else as the kind that all of its cards are."""
        if "deck" in look.nodes:
            return self.names.get(look.deck) or texts.title(look.deck)
        kinds = self.unit.game.kinds
        common: list[str] = []
        for number, name in enumerate(dict.fromkeys(item.kind for item in self.decks[look.deck])):
            chain = [name]
            while kinds[chain[-1]].base in kinds and len(chain) < 64:
                chain.append(kinds[chain[-1]].base)
            common = chain if number == 0 else [each for each in common if each in chain]
        called = common[0] if common else look.deck
        return self.names.get(called) or texts.title(called)

    def _kind_mark(self, look: Look) -> str | None:
        return self.setup.icon(look.mark, look.place("mark")) if look.mark else None

    def _colour(self, look: Look, printed: Mapping[str, Cell]) -> str:
        for name, by_member in look.colours.items():
            cell = printed.get(name)
            for member in cell.members if cell is not None else ():
                if member in by_member:
                    return by_member[member]
        return look.colour

    def palette(self, colour: str) -> dict[str, Code]:
        """A colour and what goes with it, as Typst draws them."""
        found, low = Palette.of(colour), self.wish.ink == "low"
        rows = {name: cast("Rgb", getattr(found, name)) for name in Palette.__slots__}
        if low:
            rows |= dict.fromkeys(("tint", "faint", "soft", "pale"), parse("#ffffff"))
            rows |= dict.fromkeys(("dark", "on", "veil", "edge"), parse("#231f1c"))
        return {name: Code(drawn(each, self.wish.colours)) for name, each in rows.items()}

    def _line(self, item: Item, look: Look, printed: Mapping[str, Cell]) -> tuple[str, set[str]]:
        """The line under the title, and the columns that it has told."""
        kind = self.names.get(item.kind) or texts.title(item.kind)
        if look.line is not None:
            used: set[str] = set()

            def fill(name: str) -> str:
                used.add(name)
                cell = printed.get(name)
                return "" if cell is None else cell.value or cell.label

            filled = texts.HOLE.sub(
                lambda hole: kind if hole[1].strip() == "kind" else fill(hole[1].strip()), look.line.text
            )
            return " ".join(filled.split()), used
        told = {look.corner, *self._joins()}
        wordy = [cell for cell in printed.values() if cell.wordy and cell.name not in told and len(cell.value) <= 24]
        if look.show is not None:
            wordy = [cell for cell in wordy if cell.name not in look.show]
        return " · ".join([kind, *(cell.value for cell in wordy[:3])]), {cell.name for cell in wordy[:3]}

    def _shown(self, look: Look, printed: Mapping[str, Cell], used: set[str]) -> list[Cell]:
        if look.show is not None:
            return [printed[name] for name in look.show if name in printed]
        used = {*used, look.corner, *self._joins()}
        return [cell for cell in printed.values() if cell.name not in used]

    def _cell(self, look: Look, cell: Cell, palette: Mapping[str, Code]) -> dict[str, object]:
        icon = self._icon(look, cell)
        colour = next((look.colours[cell.name][m] for m in cell.members if m in look.colours.get(cell.name, ())), "")
        return {
            "name": cell.name,
            "label": cell.label,
            "value": cell.value or None,
            "members": list(cell.members),
            "icon": icon,
            "icons": [self._icon_of(look, cell.name, member) for member in cell.members],
            "colours": self.palette(colour) if colour else palette,
        }

    def _table(self, look: Look, cell: Cell, palette: Mapping[str, Code]) -> dict[str, object]:
        """Records, with a column for each of their columns that one of them fills. Their icons are those of their own
        kind, or of the card."""
        heads: dict[str, str] = {each.name: each.label for row in cell.rows for each in row}
        inner = record_look(self.unit.game, cell.record) or look
        rows = [{each.name: self._cell(inner, each, palette) for each in row} for row in cell.rows]
        return {
            "name": cell.name,
            "label": cell.label,
            "heads": list(heads.values()),
            "rows": [[row.get(name) for name in heads] for row in rows],
        }

    def _icon(self, look: Look, cell: Cell) -> str | None:
        found = look.icons.get(cell.name)
        if isinstance(found, str):
            return self.setup.icon(found, look.place("icons"))
        return next((icon for each in cell.members if (icon := self._icon_of(look, cell.name, each))), None)

    def _icon_of(self, look: Look, column: str, member: str) -> str | None:
        found = look.icons.get(column)
        name = found.get(member) if isinstance(found, dict) else None
        return self.setup.icon(name, look.place("icons")) if name else None

    def _joins(self) -> set[str]:
        """The columns that say on which sides tiles join, which are drawn."""
        return {board.joins for board in self.unit.game.maps.values() if board.grows_with}

    def _sides(self, printed: Mapping[str, Cell]) -> list[str]:
        """The sides on which a tile joins others."""
        found = next((printed[name].members for name in self._joins() if name in printed), ())
        return [side for side in found if side in SIDES]

    def _mark(self, look: Look, printed: Mapping[str, Cell]) -> str | None:
        """The icon that stands for the whole: of the column that gives the colour, else of any words, else of the
        kind."""
        order = [
            *(name for name in look.colours),
            *(name for name, icon in look.icons.items() if isinstance(icon, dict)),
        ]
        found = (self._icon(look, printed[name]) for name in order if name in printed)
        return next((icon for icon in found if icon), None) or self._kind_mark(look)

    def _art(self, item: Item, look: Look, places: dict[str, Span]) -> str | None:
        """The picture of an item, staged; a finding if it is not there."""
        if look.art is None:
            return None
        places["art"] = look.art.span
        name = look.art.text.replace("{id}", item.id)
        return self.setup.picture(name, look.art.span, item, look.size)

    def content(self, words: str) -> Content:
        """A text with its icons, for a template."""
        parts: list[str | tuple[str]] = []
        at = 0
        for found in texts.ICON.finditer(words):
            if (icon := self.setup.icon(found[1], None)) is None:
                continue
            if found.start() > at:
                parts.append(words[at : found.start()])
            parts.append((icon,))
            at = found.end()
        if at < len(words):
            parts.append(words[at:])
        return Content(tuple(parts))

    def _glyphs(self, item: Item, rows: Iterable[tuple[str, str]], places: Mapping[str, Span]) -> None:
        """Characters that the fonts do not have would be left out in print."""
        if not fonts.available():
            return
        for words, part in rows:
            family = fonts.TITLE if part == "title" else fonts.TEXT
            lacking = fonts.missing(texts.ICON.sub("", words), (family,))
            if lacking:
                shown = ", ".join(f"`{sign}` (U+{ord(sign):04X})" for sign in lacking[:5])
                inside = "" if not self.wish.language else f" in `{self.wish.language}`"
                self.bag.add(
                    "glyph-missing",
                    places[part],
                    f"the {part} of `{item.id}`{inside} has characters that {family} lacks: {shown}",
                    "write it otherwise, or declare an icon for it",
                )


def _grows(game: Game, item: Item) -> bool:
    """Whether an item is a map that grows: the table is its paper, unless a sheet says how it is printed."""
    board = game.maps.get(item.id)
    return board is not None and bool(board.grows_with)


def printed(item: Item) -> bool:
    """Whether an item is a thing that somebody wrote: not a record inside another, a space of a map, a built-in
    seat."""
    return item.section not in ("parts", "spaces") and "." not in item.id and bool(item.node.entries)
