"""The lines of the files that findings point at, read when one is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ludoloom.compiler.frontend.source import LARGEST_FILE, open_ordinary, split_lines


class Sources:
    """Gives lines by the name under which findings know a file. `root` is the folder that these names are relative to;
    `texts` stand in for files that are on no disk."""

    def __init__(self, root: Path | None = None, texts: Mapping[str, str] | None = None) -> None:
        self._root = root or Path()
        self._lines = {file: split_lines(text) for file, text in (texts or {}).items()}

    def lines(self, file: str) -> Sequence[str]:
        """The lines of a file; none if it cannot be read, as then the finding itself says so."""
        if file not in self._lines:
            try:
                with open_ordinary(self._root / file) as stream:
                    data = stream.read(LARGEST_FILE)
            except (OSError, ValueError):
                data = b""
            self._lines[file] = split_lines(data.decode("utf-8-sig", "replace"))
        return self._lines[file]
