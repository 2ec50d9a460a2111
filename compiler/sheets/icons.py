"""Icons: the pictures that a pack declares, and those that ship (`icons/`), drawn for this project.

    icons: {honey: icons/honey.svg, price: coin}

What ships is drawn in `currentColor`, and so takes the colour of the place where it stands; so does an icon of a pack
that uses the word.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Span
from ludoloom.compiler.sheets.colour import parse, shown, typst
from ludoloom.compiler.sheets.model import Colours
from ludoloom.compiler.sheets.sources import Sources

FOLDER: Final = Path(__file__).with_name("icons")
_HEX = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b")


@cache
def shipped() -> tuple[str, ...]:
    """The names of the icons that ship."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.svg")))


def is_file(value: str) -> bool:
    """Whether what an author wrote names a file of the pack (else one that ships)."""
    return "/" in value or "." in value


def path_of(name: str, value: str, where: Span, sources: Sources, bag: Bag) -> Path | None:
    """The file of the icon `name`, for which an author wrote `value`; None, and a finding, if there is none."""
    if not is_file(value):
        if value in shipped():
            return FOLDER / f"{value}.svg"
        hint = did_you_mean(value, shipped()) or "name a picture of the pack, such as icons/star.svg"
        bag.add("unknown-icon", where, f"no icon ships under the name `{value}`", hint)
        return None
    path = sources.find(value)
    if path is None:
        message = f"the icon `{name}` is the picture `{value}`, which is not in the pack"
        bag.add("picture-missing", where, message, "put it there, or name one that ships")
    return path


def recoloured(svg: bytes, colours: Colours) -> bytes:
    """An SVG in grey, if grey is asked for."""
    if colours != "grey":
        return svg
    text = svg.decode("utf-8", errors="replace")

    def grey(found: re.Match[str]) -> str:
        written = found[0] if len(found[0]) == 7 else "#" + "".join(2 * sign for sign in found[0][1:])
        level = int(typst(parse(written), "grey")[5:-1])
        return shown(parse(f"#{level:02x}{level:02x}{level:02x}"))

    return _HEX.sub(grey, text).encode()
