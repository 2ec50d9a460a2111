"""Small helpers for the words of messages."""

from __future__ import annotations

from collections.abc import Sequence


def clip(text: str, most: int = 40) -> str:
    """`text` on one line, cut in the middle of nowhere but marked: messages must stay readable whatever a file
    holds."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 file``, ``2 files``, ``2 geese``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def either(words: Sequence[str], most: int = 6) -> str:
    """A list as a person says it: ``a``, ``a or b``, ``a, b or c``; a long one is cut."""
    if len(words) > most:
        return f"{', '.join(words[:most])} or {len(words) - most} more"
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else list(words))
