"""What cards do to the chances: in how many games each was held, how often it was used, who won with and without it.

    counts = CardCounts()
    for game in …: counts.add(game)        finished games
    counts.rows()                          a `CardRow` for each card, by name

A card was *held* by a player if it lay in a zone of that player (or of a thing of theirs) that the player sees when
the game was over, or if an act of it was done. It counts as missed for a player if it was in play and was not held, and
if it is not printed as somebody else's. All copies of a card count as one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ludoloom.runtime.game import Game
from ludoloom.runtime.state import place_of
from ludoloom.runtime.things import in_play
from ludoloom.runtime.views import allowed, seat_of
from ludoloom.runtime.worth import goals_of

FAMILIES = ("card", "encounter", "quest")
"""Only kinds of which some thing was held or used count: others are the game's own cards, not a player's."""
OWN = "self"
"""The name, in the label of an option, of the thing whose act it is."""


@dataclass(slots=True)
class CardRow:
    """One card: `held` and `missed` count players in games, `won` and `won_without` those of them who won, `uses` acts
    done."""

    name: str
    held: int = 0
    won: int = 0
    missed: int = 0
    won_without: int = 0
    uses: int = 0


@dataclass(slots=True)
class CardCounts:
    """The counts of many games."""

    games: int = 0
    _rows: dict[str, CardRow] = field(default_factory=dict[str, CardRow])
    _kinds: dict[str, str] = field(default_factory=dict[str, str])

    def rows(self) -> list[CardRow]:
        """All cards that were in play, by name."""
        held = {self._kinds[row.name] for row in self._rows.values() if row.held or row.uses}
        return [self._rows[name] for name in sorted(self._rows) if self._kinds[name] in held]

    def add(self, game: Game, uses: dict[int, list[int]]) -> None:
        """Count a finished game; `uses` has for each thing the seats that did an act of it, in order."""
        self.games += 1
        names, consts, state = game.names, game.program.consts, game.state
        winners = set(game.result.winners) if game.result is not None else set[str]()
        seats = {names.number(player): player in winners for player in game.players}
        holders: dict[str, set[int]] = {}
        could: dict[str, set[int]] = {}
        for thing, row in enumerate(game.program.things, 1):
            if names.family(thing) not in FAMILIES or names.zones.get(thing) is not None:
                continue
            item = row.item or row.name
            self._kinds[item] = row.kind
            own = seat_of(game.program, state, thing)
            used = uses.get(thing, [])
            seat = _holder(game, thing)
            if seat in seats:
                holders.setdefault(item, set()).add(seat)
            holders.setdefault(item, set()).update(used)
            self._row(item).uses += len(used)
            if in_play(consts, state, thing) or used:
                could.setdefault(item, set()).update({own} & seats.keys() if own else seats)
        together = goals_of(game.program).together
        for item, found in could.items():
            row = self._row(item)
            held = holders.get(item, set())
            missed = found - held
            # Who wins together counts once: the card was held in this game, or it was not.
            if together:
                missed = set(sorted(missed)[:1]) if not held else set[int]()
                held = set(sorted(held)[:1])
            row.held += len(held)
            row.won += sum(1 for seat in held if seats[seat])
            row.missed += len(missed)
            row.won_without += sum(1 for seat in missed if seats[seat])

    def _row(self, item: str) -> CardRow:
        return self._rows.setdefault(item, CardRow(item))


def _holder(game: Game, thing: int) -> int:
    """The seat in whose zone, open to it, a thing lies; 0: none."""
    place = place_of(game.program.consts, game.state, thing)
    zone = game.names.zones.get(place)
    if zone is None or not zone.owner:
        return 0
    seat = seat_of(game.program, game.state, zone.owner)
    return seat if seat and allowed(game.program, game.state, zone.seen_by, zone.owner, seat) else 0


def thing_used(game: Game, index: int) -> int:
    """The thing whose act an option does, 0 if it is no act of a thing."""
    _, label, *words = game.options[index].words
    if not label:
        return 0
    text = game.program.labels[label]
    return next((word for name, word in zip(text.names, words, strict=False) if name == OWN), 0)
