"""Players who are programs, for every game: one small file each, and one table of their names.

    decide = seats("search:400,random", game, seed=7)
    while game.status == "ask":
        game.apply(decide(game))

They use what any caller of `Game` can use, nothing else: the options, `rollouts`, `value`. What a player does not see
is dealt anew before a program looks ahead, so none of them knows more than a person in its place.
"""

from __future__ import annotations

from ludoloom.runtime.agents.model import Agent
from ludoloom.runtime.agents.seats import AGENTS, agent, seats

__all__ = ["AGENTS", "Agent", "agent", "seats"]
