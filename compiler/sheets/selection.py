"""Which of a game's things are printed: some kinds, some items, what has changed.

    chosen(printables, ["rope", "quests"], kinds)      those items, and all of those kinds

A word means an item, a kind, a family or a deck; what means nothing is refused with the nearest word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from ludoloom.compiler.analysis.model import Game
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.sheets.model import Printable


class Named(Protocol):
    """What can be chosen by its words."""

    @property
    def item(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def deck(self) -> str: ...


Thing = TypeVar("Thing", bound=Named)


class UnknownWord(ValueError):
    """A word that means nothing that is printed; the message says so and what is near."""


def other_names(game: Game) -> dict[str, list[str]]:
    """The plurals of kinds and the names of their bases, each with the kinds that it means."""
    also: dict[str, list[str]] = {}
    for kind in game.kinds.values():
        base = kind.name
        while base:
            also.setdefault(base, []).append(kind.name)
            also.setdefault(game.kinds[base].plural, []).append(kind.name)
            base = game.kinds[base].base
    also.pop("", None)
    return also


def chosen(
    printables: Sequence[Thing], words: Sequence[str], also: Mapping[str, Iterable[str]] | None = None
) -> list[Thing]:
    """Those that the words mean, in their order; all of them without words. `also` gives other names of kinds (their
    plurals and bases): kinds by name."""
    if not words:
        return list(printables)
    others = {name: set(kinds) for name, kinds in (also or {}).items()}
    known = {word for each in printables for word in (each.item, each.kind, each.family, each.deck) if word} | set(
        others
    )
    wanted = [word.strip() for row in words for word in row.split(",") if word.strip()]
    for word in wanted:
        if word not in known:
            hint = did_you_mean(word, sorted(known))
            raise UnknownWord(f"nothing that is printed is called `{word}`" + (f"; {hint}" if hint else ""))
    return [
        each
        for each in printables
        if any(
            word in (each.item, each.kind, each.family, each.deck) or each.kind in others.get(word, ())
            for word in wanted
        )
    ]


def changed(printables: Sequence[Printable], before: Mapping[tuple[str, str], str]) -> list[Printable]:
    """Those of which a side looks different from before, or is new; `before` holds digests by item and side."""
    return [
        each
        for each in printables
        if before.get((each.item, "front")) != each.front.digest
        or before.get((each.item, "back")) != (None if each.back is None else each.back.digest)
    ]
