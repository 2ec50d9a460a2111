"""Every diagnostic code, once: slug, severity, one line. A code is never used again for something else.

The page that explains a code is `explain/<code>.md` beside this file; a test sees to it that each code has one and that its
examples raise it and do not raise it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Code:
    slug: str
    severity: str  # error, warning or note
    title: str


_ROWS: Final[tuple[Code, ...]] = (
    # --- the file itself
    # --- words and types
    # --- declarations
    # --- acts
    # --- triggers, modifiers, ends, texts
    # --- scenarios and the ledger
)

CODES: Final[dict[str, Code]] = {row.slug: row for row in _ROWS}
