"""Names: which words an author cannot take, which stand twice, and the nearest known one to a misspelt word."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.diagnostics.nearest import nearest
from ludoloom.compiler.frontend.nodes import Scalar, Span


def word_set(text: str) -> frozenset[str]:
    """The words of a text; long tables of words stay readable that way."""
    return frozenset(text.split())


BARE: Final = word_set("self it owner active phase options roll none true false and or not in is else impossible table")
"""Words with a meaning of their own in every expression: nothing of the game may be called so."""

DOTTED: Final = word_set(
    """owner next opponent item showing at_least at_most where any empty count all sum min max least most only
    top bottom at links next_to gaps map distance line between steps_toward nearest farthest spaces closed_ends location
    targets things of"""
)
"""Words after a dot: no column or zone of a kind may be called so."""

TYPES: Final = word_set("int bool range text condition effect zone none")
"""Words of types: no kind or enumeration may be called so."""

SECTION_OF: Final = {
    "card": "cards",
    "encounter": "encounters",
    "quest": "quests",
    "map": "maps",
    "space": "spaces",
    "tile": "tiles",
    "piece": "pieces",
    "player": "players",
}
"""The section in which the items of a family stand; a `part` is written inside the items that hold it."""

FAMILIES: Final = (*SECTION_OF, "part")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint with the nearest known name, or empty."""
    found = nearest(word, list(known))
    return f"did you mean `{found}`?" if found else ""


@dataclass(slots=True)
class Names:
    """One space of names: each is given once."""

    bag: Bag
    reserved: frozenset[str] = BARE
    _first: dict[str, tuple[Span, str]] = field(default_factory=dict[str, tuple[Span, str]])

    def take(self, name: str, span: Span, what: str) -> bool:
        """Give `name` to a thing of the sort `what` ("a zone"); False, and a finding, if it is reserved or taken."""
        if name in self.reserved:
            self.bag.add(
                "reserved-word",
                span,
                f"`{name}` is a word of the language and cannot name {what}",
                "choose another name",
            )
            return False
        found = self._first.get(name)
        if found is not None:
            self.bag.add(
                "name-taken",
                span,
                f"`{name}` cannot name {what}: {found[1]} is called so already",
                "every word of the game means one thing; rename one of them",
                (Related(found[0], f"{found[1]} is named here"),),
            )
            return False
        self._first[name] = (span, what)
        return True


def column_name(key: Scalar, what: str, bag: Bag) -> bool:
    """Whether `key` can name a column or a zone of a kind."""
    if key.text in DOTTED or key.text in BARE:
        bag.add(
            "reserved-word",
            key.span,
            f"`{key.text}` is a word of the language and cannot name {what}",
            "choose another name, such as `" + key.text + "_value`",
        )
        return False
    return True
