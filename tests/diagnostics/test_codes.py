"""The table of codes."""

from __future__ import annotations

import re

from ludoloom.compiler.diagnostics import codes
from ludoloom.compiler.diagnostics.codes import CODES


def test_no_code_stands_twice() -> None:
    rows = codes._ROWS  # pyright: ignore[reportPrivateUsage]
    assert len(rows) == len(CODES)


def test_rows_are_well_formed() -> None:
    for slug, row in CODES.items():
        assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", slug)
        assert row.severity in ("error", "warning", "note")
        assert 10 < len(row.title) <= 100
        assert not row.title.endswith(".")
