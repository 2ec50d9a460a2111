"""The pages about codes: ``explain/<code>.md``, each a short text, an example that raises the code and one that does
not.

The page is the documentation and the test: the examples are complete packs (or single files of one), and the tests
check them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PAGES: Final = Path(__file__).parent / "explain"

_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## (?P<name>Wrong|Right)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Page:
    """A page: the code, what it says, and the files of its two examples by name."""

    code: str
    text: str
    wrong: dict[str, str]
    right: dict[str, str]


def raw_page(code: str) -> str | None:
    """The page as it is written, or None."""
    path = PAGES / f"{code}.md"
    return path.read_text(encoding="utf-8") if re.fullmatch(r"[a-z0-9-]+", code) and path.is_file() else None


def page(code: str) -> Page | None:
    """The page taken apart, or None if there is none."""
    raw = raw_page(code)
    if raw is None:
        return None
    parts = _HEADING.split(raw)
    head, examples = parts[0], dict(zip(parts[1::2], parts[2::2], strict=True))
    title, _, text = head.partition("\n")
    wrong, right = (_files(examples.get(name, "")) for name in ("Wrong", "Right"))
    return Page(title.removeprefix("#").strip(), text.strip(), wrong, right)


def _files(text: str) -> dict[str, str]:
    """The files of an example: each fence names its own, as in ``yaml game.yaml``."""
    files: dict[str, str] = {}
    for match in _FENCE.finditer(text):
        name = match["info"].strip().partition(" ")[2].strip()
        files[name or f"unnamed_{len(files)}.yaml"] = match["body"]
    return files
