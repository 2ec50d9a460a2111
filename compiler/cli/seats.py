"""Who answers: which seats are people's and which are programs', who may see what others hold, and who passes for now.

seats = Seats(game, {"bob": agent("search")})
seats.decide(game)          the number of the option that a program takes; None if a person is to be asked
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludoloom.runtime.agents import Agent
from ludoloom.runtime.errors import GameError, unknown
from ludoloom.runtime.game import Game, Option
from ludoloom.runtime.worth import goals_of

PASS = ("{player}: pass", "{player}: done")
"""The labels by which a window is passed, or closed by the one who may."""


class Seats:
    """The players of one game: `agents` are the programs by their seats, all other seats are people's."""

    def __init__(self, game: Game, agents: Mapping[str, Agent]) -> None:
        self.agents = dict(agents)
        self.people = [player for player in game.players if player not in agents]
        self.together = goals_of(game.program).together
        self._passing: dict[str, tuple[str, object]] = {}
        self._people_next = False

    def decide(self, game: Game, *, at_once: bool = False) -> int | None:
        """What is answered without asking a person: by one who passes for now, or by a program. Where people are asked
        too, a program that could pass decides first, but not twice in a row; one that could not waits for them, unless
        it is to act `at_once`. Where all have one goal, it acts only if nothing that a person could do is better."""
        options = game.options
        for option in options:
            if is_pass(game, option) and self._passing.get(option.player) == stretch(game):
                return option.index
        owners = dict.fromkeys(option.player for option in options)
        people = [owner for owner in owners if owner not in self.agents]
        if people and self._people_next and not at_once:
            return None
        self._people_next = bool(people)
        for owner in owners:
            mind = self.agents.get(owner)
            if mind is None:
                continue
            own = [option.index for option in options if option.player == owner]
            if people and not at_once and not any(is_pass(game, options[k]) for k in own):
                if not self.together:
                    continue
                chosen = mind.choose(game, [option.index for option in options])
                if chosen in own:
                    return chosen
                continue
            return mind.choose(game, own)
        return None

    def person_answered(self) -> None:
        """Programs may decide before people again."""
        self._people_next = False

    def pass_on(self, game: Game, players: Sequence[str]) -> list[str]:
        """Let these players pass until the phase or the turn changes; those who could not pass now are left out."""
        found = [player for player in players if any(is_pass(game, o) and o.player == player for o in game.options)]
        for player in found:
            self._passing[player] = stretch(game)
        return found

    def pass_no_more(self) -> None:
        """Ask everybody again."""
        self._passing.clear()


def stretch(game: Game) -> tuple[str, object]:
    """The phase and whose turn it is: how long somebody passes who passes for now."""
    column = game.names.game_words.get("active")
    return game.step.partition(".")[0], game.state[column.offset] if column is not None else 0


def is_pass(game: Game, option: Option) -> bool:
    """Whether an option passes in a window or closes it."""
    row = option.words[1]
    return game.status == "ask" and row != 0 and game.program.labels[row].text in PASS


def seat_named(game: Game, text: str) -> str:
    """The player of that name or title; `GameError` names the players."""
    titles = {row.name: row.title for row in game.program.things}
    wanted = text.strip().lower()
    for player in game.players:
        if wanted in (player.lower(), titles.get(player, "").lower()):
            return player
    raise GameError(unknown("player", text, game.players))


def secrets(game: Game, players: Sequence[str]) -> bool:
    """Whether one of these players now sees something that another one does not, or answers unseen by others."""
    if len(players) < 2:
        return False
    if game.status == "ask" and game.question.secret:
        return True
    views = [game.view(player, formulas=False) for player in players]
    return any(shows_more(one, other) for one in views for other in views if one is not other)


def shows_more(one: Mapping[str, Mapping[str, object]], other: Mapping[str, Mapping[str, object]]) -> bool:
    """Whether a view tells of something that another one hides. What is empty tells nothing."""
    for part in ("game", "zones", "things"):
        for name, row in one[part].items():
            less = other[part].get(name)
            if not isinstance(row, dict):
                if name not in other[part]:
                    return True
                continue
            told = {key for key, value in row.items() if key != "things" or value}  # pyright: ignore[reportUnknownVariableType]
            if told - set(less if isinstance(less, dict) else ()):  # pyright: ignore[reportUnknownArgumentType]
                return True
    return False
