"""What all faces of a game share: icons, pictures, colours of paper and ink; as files for Typst and a line that imports
them.

Only what is used is staged. Each file is a copy of a file of the pack (or one that ships), under a name of ours."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ludoloom.compiler.analysis.model import Game, Item
from ludoloom.compiler.analysis.tree import text
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Span
from ludoloom.compiler.sheets import fonts, icons, pictures
from ludoloom.compiler.sheets.colour import parse, typst
from ludoloom.compiler.sheets.model import Preamble, Size, Wish
from ludoloom.compiler.sheets.render import FOLDER, string
from ludoloom.compiler.sheets.sources import Sources
from ludoloom.compiler.sheets.typeset import OURS

LIBRARY, SETUP = OURS
_SHARED: Final = {"ink": "#231f1c", "paper": "#ffffff", "rule": "#8d857c"}


@dataclass(slots=True)
class Setup:
    """Collects what faces name while they are made."""

    game: Game
    wish: Wish
    sources: Sources
    bag: Bag
    declared: dict[str, tuple[str, Span]] = field(default_factory=dict[str, tuple[str, Span]])
    """Icons of the game: what their value is and where."""
    used: dict[str, tuple[str, bytes] | None] = field(default_factory=dict[str, "tuple[str, bytes] | None"])
    """Icons that a face shows: suffix and data; None for one that cannot be had."""
    art: dict[str, Path] = field(default_factory=dict[str, Path])
    """Pictures by the name under which Typst finds them."""
    hashes: dict[str, str] = field(default_factory=dict[str, str])
    looked: dict[str, pictures.Picture | str] = field(default_factory=dict[str, "pictures.Picture | str"])

    def declare(self, game: Game) -> None:
        """Take up the icons of one more combination of modes."""
        for name, node in game.icons.items():
            self.declared.setdefault(name, (text(node), node.span))

    # --- icons

    def icon(self, name: str, where: Span | None) -> str | None:
        """The icon of that name, ready to be drawn; None, and a finding, if it cannot be. Without `where` an unknown
        name is none of ours (a text between colons)."""
        if name in self.used:
            return name if self.used[name] is not None else None
        value, place = self.declared.get(name, ("", where))
        if name not in self.declared and name not in icons.shipped():
            if where is not None:
                self.used[name] = None
            return None
        self.used[name] = self._icon_file(name, value or name, place)
        return name if self.used[name] is not None else None

    def _icon_file(self, name: str, value: str, place: Span | None) -> tuple[str, bytes] | None:
        where = place or self.game.span
        path = icons.path_of(name, value, where, self.sources, self.bag)
        if path is None:
            return None
        found = self._look(path)
        if isinstance(found, str):
            self.bag.add("picture-missing", where, f"`{value}` cannot be drawn: {found}", "put another picture there")
            return None
        suffix = path.suffix.lower().removeprefix(".")
        data = path.read_bytes()
        return suffix, icons.recoloured(data, self.wish.colours) if suffix == "svg" else data

    # --- pictures

    def picture(self, name: str, where: Span, item: Item, size: Size) -> str | None:
        """The picture of an item, staged; None, and a finding, if there is none that can be printed."""
        path = self.sources.find(name)
        if path is None:
            self.bag.add(
                "picture-missing",
                item.key.span,
                f"the picture of `{item.id}` would be `{name}`, which is not in the pack",
                "put it there; without `art` in the sheet of its kind, a pattern is drawn",
            )
            return None
        found = self._look(path)
        if isinstance(found, str):
            self.bag.add("picture-missing", item.key.span, f"`{name}` cannot be printed: {found}", "put another there")
            return None
        fine = found.dpi(size.width, size.height * 0.4)
        if fine is not None and fine < pictures.FINE:
            code = "picture-too-coarse" if fine < pictures.COARSE else "picture-coarse"
            need = round(size.width / 25.4 * 300)
            self.bag.add(
                code,
                item.key.span,
                f"`{name}` has {found.width} x {found.height} pixels: {fine:.0f} dots per inch on `{item.id}`",
                f"300 look sharp: make it {need} pixels wide",
            )
            if fine < pictures.COARSE:
                return None
        self.art[f"art/{name}"] = path
        return f"/art/{name}"

    def _look(self, path: Path) -> pictures.Picture | str:
        key = str(path)
        if key not in self.looked:
            self.looked[key] = pictures.look_at(path)
        return self.looked[key]

    # --- the result

    def digest(self, body: str) -> str:
        """A hash of all that a face shows beside its own text: the library, icons and pictures that it names, and what
        lies beside the templates."""
        parts = [self._shared()]
        parts += [self._hash(name, found[1]) for name, found in self.used.items() if found and string(name) in body]
        parts += [self._hash(name, path) for name, path in self.art.items() if string(f"/{name}") in body]
        return "".join(parts)

    def _shared(self) -> str:
        if "" not in self.hashes:
            whole = hashlib.sha256((self._head() + _library()).encode())
            for name, path in sorted(self.sources.beside().items()):
                whole.update(name.encode() + path.read_bytes())
            self.hashes[""] = whole.hexdigest()
        return self.hashes[""]

    def _hash(self, name: str, content: bytes | Path) -> str:
        if name not in self.hashes:
            data = content if isinstance(content, bytes) else content.read_bytes()
            self.hashes[name] = hashlib.sha256(data).hexdigest()
        return self.hashes[name]

    def _head(self) -> str:
        colours = "".join(
            f"#let {name} = {typst(parse(value), self.wish.colours)}\n" for name, value in _SHARED.items()
        )
        low = "true" if self.wish.ink == "low" else "false"
        return f"{colours}#let low = {low}\n#let language = {string(self.wish.language or 'en')}\n"

    def preamble(self) -> Preamble:
        """The line that a document begins with, and the files that it needs."""
        files: dict[str, bytes | Path] = {LIBRARY: _library().encode()}
        rows: list[str] = []
        for name, found in sorted(self.used.items()):
            if found is None:
                continue
            suffix, data = found
            files[f"icons/{name}.{suffix}"] = data
            read = f'read("/icons/{name}.{suffix}"{"" if suffix == "svg" else ", encoding: none"})'
            rows.append(f"  {name}: (kind: {string(suffix)}, data: {read}),\n")
        files[SETUP] = f"{self._head()}#let icon-files = (\n{''.join(rows)}{'' if rows else ':'})\n".encode()
        files |= self.art
        files |= self.sources.beside()
        return Preamble(f'#import "/{LIBRARY}": *\n', files, (fonts.TEXT, fonts.TITLE))

    def template_place(self, name: str, line: int) -> Span:
        """A line of a template, for a finding."""
        return self.sources.place(name, line)


def _library() -> str:
    return (FOLDER / "library.typ").read_text(encoding="utf-8")
