"""What statements become: for each pack in lower/listings the listing of some procedures, in a text beside it.

The first line of the pack names them. Places of the code are numbered from 1 in each procedure and names stand for the
numbers of words and procedures, so that a listing changes only if the code does. It is written anew, and the difference
read, by `LUDOLOOM_UPDATE=1 pytest tests/cases/test_listings.py`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ludoloom.compiler.pipeline import load
from ludoloom.runtime.listing import listing

CASES = sorted((Path(__file__).parent / "lower" / "listings").glob("*.yaml"))
LINE = re.compile(r" +\d+  (?P<op>\w+) ?(?P<operands>[^;]*?) *(?:; (?P<name>.*))?$")
NAMED = {"LDS", "STS", "LDF", "STF", "LDC", "CALL", "SETTLE", "UNWIND", "EVENT", "ASK", "ROLL", "STEP", "END", "FAULT"}
"""Instructions whose operands are numbers of something that has a name."""


def readable(text: str) -> str:
    """A listing without the numbers that change with everything before it."""
    found: list[str] = []
    places: dict[str, str] = {}

    def place(match: re.Match[str]) -> str:
        return places.setdefault(match[0], f"L{len(places) + 1}")

    for line in text.splitlines():
        instruction = LINE.match(line)
        if instruction is None:
            if not line.startswith((" ", "L")):
                places.clear()
            source = re.match(r"  \S+:\d+:\d+  (.*)", line)
            found.append(f"  # {source[1]}" if source else re.sub(r"^L\d+", place, line))
            continue
        op, operands, name = instruction["op"], instruction["operands"], instruction["name"]
        operands = re.sub(r"\bL\d+\b", place, operands)
        rest = name if op in NAMED and name else f"{operands}  ; {name}" if name else operands
        found.append(f"    {op} {rest}".rstrip())
    return "\n".join(found) + "\n"


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_listing(case: Path) -> None:
    text = case.read_text(encoding="utf-8")
    names = re.findall(r"[\w.@]+", text.partition("\n")[0].removeprefix("# listed:"))
    with TemporaryDirectory() as folder:
        (Path(folder) / "game.yaml").write_text(text, encoding="utf-8")
        checked = load([folder])
    assert [f"{each.span.line}: {each.message}" for each in checked.bag] == []
    image = checked.games[0].image
    assert image is not None
    got = "\n".join(readable(listing(image, image.programs[0], name, lambda _: text.splitlines())) for name in names)
    beside = case.with_suffix(".txt")
    if os.environ.get("LUDOLOOM_UPDATE"):
        beside.write_text(got, encoding="utf-8")
    assert got == beside.read_text(encoding="utf-8")
