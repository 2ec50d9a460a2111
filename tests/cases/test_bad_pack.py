"""A pack with one fault planted in every corner: each is found, at its word, and nothing else is.

The marks stand in the files: ``# !! code @ word``. The word is compared with the text at the line and column of
the finding.
"""

from __future__ import annotations

import re
from pathlib import Path

from ludoloom.compiler.pipeline import check_folder

PACK = Path(__file__).parent / "bad_pack"
MARK = re.compile(r"# !! (?P<code>[a-z-]+) @ (?P<word>.+?)\s*$")


def planted() -> set[tuple[str, int, str, str]]:
    found: set[tuple[str, int, str, str]] = set()
    for path in sorted(PACK.rglob("*.yaml")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("#"):
                continue
            match = MARK.search(line)
            if match:
                found.add((path.relative_to(PACK).as_posix(), number, match["code"], match["word"]))
    return found


def test_each_planted_fault_is_found_at_its_word_and_nothing_else() -> None:
    wanted = planted()
    assert len(wanted) > 20
    reported: set[tuple[str, int, str, str]] = set()
    for finding in check_folder(PACK):
        if finding.severity == "note":
            continue
        file = next(
            path for path in PACK.rglob("*.yaml") if finding.span.file.endswith(path.relative_to(PACK).as_posix())
        )
        name = file.relative_to(PACK).as_posix()
        line = file.read_text(encoding="utf-8").splitlines()[finding.span.line - 1]
        word = next((w for f, n, c, w in wanted if (f, n, c) == (name, finding.span.line, finding.code)), None)
        at = line[finding.span.column - 1 :]
        reported.add(
            (name, finding.span.line, finding.code, word if word is not None and at.startswith(word) else at[:20])
        )
    assert reported == wanted
