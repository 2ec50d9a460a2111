"""The files of packs that sheets use: templates, pictures, icons. Nothing outside of a pack is ever read.

An expansion is looked at before its game, so that it can bring a picture of its own for a card that it changes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ludoloom.compiler.analysis.tree import GameTree
from ludoloom.compiler.frontend.nodes import Span
from ludoloom.compiler.sheets.pictures import SUFFIXES

FOLDER: Final = "sheets"
"""The folder of a pack whose files its templates can name: `image("/sheets/frame.svg")`."""
TEMPLATE: Final = ".typ.j2"
MOST_FILES: Final = 2000
LARGEST_TEMPLATE: Final = 500_000
_BESIDE: Final = (*SUFFIXES, ".typ", ".json", ".csv", ".txt")
"""What a template may read with Typst's own functions."""


@dataclass(slots=True)
class Sources:
    """The packs of a game, the last one first."""

    folders: tuple[Path, ...]
    shown: tuple[str, ...] = ()
    """The folders as findings show them."""
    _known: dict[str, Path | None] = field(default_factory=dict[str, "Path | None"])

    @classmethod
    def of(cls, tree: GameTree) -> Sources:
        packs = tuple(reversed(tree.packs))
        return cls(tuple(pack.folder for pack in packs), tuple(pack.shown for pack in packs))

    def find(self, name: str) -> Path | None:
        """The file of that name in one of the packs; None if there is none, or if it is a link that leads out."""
        if name not in self._known:
            self._known[name] = next((path for folder in self.folders if (path := _inside(folder, name))), None)
        return self._known[name]

    def place(self, name: str, line: int) -> Span:
        """A line of a file of the packs, for a finding."""
        path = self.find(name)
        for folder, shown in zip(self.folders, self.shown, strict=True):
            if path is not None and path == _inside(folder, name):
                return Span(f"{shown}/{name}" if shown != "." else name, line, 1, line, 1)
        return Span(name, line, 1, line, 1)

    def names(self) -> tuple[str, ...]:
        """The templates of the packs by their path."""
        return tuple(dict.fromkeys(name for name, _ in self._files() if name.endswith(TEMPLATE)))

    def templates(self) -> dict[str, str]:
        """The templates of the packs by their path, with their text."""
        found: dict[str, str] = {}
        for name, path in self._files():
            if name.endswith(TEMPLATE) and name not in found and path.stat().st_size <= LARGEST_TEMPLATE:
                found[name] = path.read_text(encoding="utf-8", errors="replace")
        return found

    def beside(self) -> dict[str, Path]:
        """The files in the folders `sheets/` that templates may name."""
        found: dict[str, Path] = {}
        for name, path in self._files():
            if name.startswith(f"{FOLDER}/") and name.endswith(_BESIDE):
                found.setdefault(name, path)
        return found

    def _files(self) -> Iterator[tuple[str, Path]]:
        for folder in self.folders:
            number = 0
            for base, folders, files in os.walk(folder, followlinks=False):
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                for name in sorted(files):
                    path = Path(base) / name
                    short = path.relative_to(folder).as_posix()
                    if not short.endswith((TEMPLATE, *_BESIDE)):
                        continue
                    number += 1
                    if number <= MOST_FILES and (inside := _inside(folder, short)) is not None:
                        yield short, inside


def _inside(folder: Path, name: str) -> Path | None:
    if name.startswith("/") or "\\" in name or ".." in name.split("/"):
        return None
    path = Path(os.path.realpath(folder / name))
    root = Path(os.path.realpath(folder))
    return path if root in path.parents and path.is_file() else None
