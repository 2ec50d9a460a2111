"""Who sits where: the table of agents by name, their budgets as people write them, and whose turn it is to decide.

    random            any option alike
    greedy            one step ahead; `greedy:20`: over 20 deals and dice
    search            tries options; `search:400`: 400 tries a decision; `search:400x60`: each 60 answers deep;
                      `search:0.1s`: as many as fit into a tenth of a second

Where all goals are shared, seats with equal agents decide as one. Where each plays for itself and several are asked at
once, chance says who is quickest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from ludoloom.runtime.agents.greedy import GreedyAgent
from ludoloom.runtime.agents.model import Agent, Luck
from ludoloom.runtime.agents.random import RandomAgent
from ludoloom.runtime.agents.search import DEPTH, TRIES, SearchAgent
from ludoloom.runtime.chance import chance
from ludoloom.runtime.errors import GameError, unknown
from ludoloom.runtime.game import Game
from ludoloom.runtime.machine import R_BOTS
from ludoloom.runtime.worth import goals_of

RANDOM: Final = "random"
AGENTS: Final[dict[str, str]] = {
    RANDOM: "takes any option alike",
    "greedy": "takes what its goals like best, one step ahead",
    "search": "tries the options by playing on at random, and takes the best",
}
_BUDGET = re.compile(
    r"(?:(?P<tries>[1-9]\d{0,6})(?:x(?P<depth>[1-9]\d{0,5}))?|(?P<seconds>(?!0+(?:\.0+)?s)\d{1,3}(?:\.\d{1,3})?)s)"
)


def agent(text: str, seed: int = 0) -> Agent:
    """The agent that a text names, with its own luck; `GameError` says what is wrong with the text."""
    name, colon, budget = text.partition(":")
    if name not in AGENTS:
        raise GameError(unknown("agent", name, AGENTS))
    found = _BUDGET.fullmatch(budget)
    luck = Luck(seed)
    if name == RANDOM and not colon:
        return RandomAgent(luck)
    if name == "greedy" and (not colon or (found and found["tries"] and not found["depth"])):
        return GreedyAgent(luck, int(found["tries"])) if found else GreedyAgent(luck)
    if name == "search" and not colon:
        return SearchAgent(luck)
    if name == "search" and found:
        tries, depth, seconds = found["tries"], found["depth"], found["seconds"]
        return SearchAgent(luck, int(tries or TRIES), int(depth or DEPTH), float(seconds or 0))
    raise GameError(f"'{budget}' is no budget for the agent '{name}'; write {_how(name)}")


def _how(name: str) -> str:
    return {
        RANDOM: "`random` alone",
        "greedy": "a number of tries, as in `greedy:20`",
        "search": "tries (`search:400`), tries and depth (`search:400x60`) or seconds (`search:0.1s`)",
    }[name]


def seats(text: str, game: Game, seed: int = 0) -> Callable[[Game], int]:
    """What decides for all seats of a game: a function from the game to the number of an option.

    `text` names one agent for all, or one for each seat in order, with commas. Where all play at random the answers
    come from the game's own chance, as those do that the machine gives itself.
    """
    players = game.players
    texts = [part.strip() for part in text.split(",")]
    if len(texts) not in (1, len(players)):
        raise GameError(f"there are {len(players)} players, and {len(texts)} agents; name one for all, or one for each")
    texts = texts * len(players) if len(texts) == 1 else texts
    if set(texts) == {RANDOM}:
        return lambda now: chance(now.state, R_BOTS, len(now.options))
    together = goals_of(game.program).together or len(players) == 1
    minds: dict[tuple[str, int], Agent] = {}
    by: dict[str, Agent] = {}
    for number, (player, each) in enumerate(zip(players, texts, strict=True)):
        key = (each, 0 if together else number)
        if key not in minds:
            minds[key] = agent(each, seed * 64 + len(minds))
        by[player] = minds[key]
    luck = Luck(seed * 64 + 63)

    def decide(now: Game) -> int:
        return _decide(now, by, luck)

    return decide


def _decide(game: Game, by: dict[str, Agent], luck: Luck) -> int:
    options = game.options
    asked = game.question.player
    owners = [option.player or asked for option in options]
    numbers: Sequence[int] = range(len(options))
    first = by.get(asked) if asked else by.get(owners[luck.below(len(owners))])
    if first is None:
        return luck.one_of(numbers)
    return first.choose(game, [number for number in numbers if asked or by.get(owners[number]) is first])
