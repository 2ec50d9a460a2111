"""What all commands share about their output."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from typing import Final


class Colour(StrEnum):
    """When text is coloured; `auto`: on a terminal, unless NO_COLOR is set."""

    auto = "auto"
    always = "always"
    never = "never"


def wants_colour(choice: Colour) -> bool:
    """Whether standard output gets colours."""
    if choice is Colour.auto:
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return choice is Colour.always


def write(text: str) -> None:
    """Write to standard output, in pieces: a reader that went away is noticed at the next one."""
    for start in range(0, len(text), _PIECE):
        sys.stdout.write(text[start : start + _PIECE])


_PIECE: Final = 1 << 16


def fail(sentence: str) -> int:
    """Say what is wrong with the call itself; the exit code for it."""
    print(f"ludoloom: {sentence}", file=sys.stderr)
    return 2
