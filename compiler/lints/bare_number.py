"""`bare-number`: a number that stands as itself in the text of an item with `values`.

    values: {damage: 2}, text: "Deal 2 damage to {target}."    write {damage}: else it says one thing and does another

Numbers in words (`d20`, `2nd`), in icons and in holes are left alone, and so are the texts of items without `values`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ludoloom.compiler.backend.texts import HOLE, ICON, place
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.frontend.nodes import Scalar
from ludoloom.compiler.lints.texts import printed_texts
from ludoloom.compiler.lints.whole import Whole

NUMBER = re.compile(r"(?<![\w.,-])\d+(?![\w.,]*\w)")
"""A number by itself: not part of a word (`d20`, `2nd`) or of a larger number."""


def check(whole: Whole, bag: Bag) -> None:
    whole.everywhere(bag, _bare)


def _bare(unit: Unit) -> Iterable[Diagnostic]:
    for item, node in printed_texts(unit.game):
        if item.values is None or NUMBER.search(node.text) is None:
            continue
        text = ICON.sub(_blank, HOLE.sub(_blank, node.text))
        for found in NUMBER.finditer(text):
            same = [key.text for key, value in item.values if isinstance(value, Scalar) and value.text == found[0]]
            hint = f"write `{{{same[0]}}}`" if same else "name it in `values` and write `{name}`"
            message = f"the number {found[0]} stands in the text as itself"
            yield Diagnostic("bare-number", place(node, *found.span()), message, hint)


def _blank(found: re.Match[str]) -> str:
    """What takes the place of a hole, as long as it was."""
    return "\0" * len(found[0])
