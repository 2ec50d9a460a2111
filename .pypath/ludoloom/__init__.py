"""ludoloom: a content pipeline and validator for tabletop games.

    import ludoloom

    image = ludoloom.load("build/tic_tac_toe.loom")
    game = ludoloom.Game.new(image, players=2, seed=7)
    while game.status in ("ask", "chance"):
        game.apply(0)
    print(game.result)

These names are the whole of the public interface (`docs/api.md` shows them at work). Each is imported when it is first
used: start-up time counts, and playing needs neither the compiler nor YAML.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ludoloom.runtime.errors import GameError as GameError
    from ludoloom.runtime.errors import ImageError as ImageError
    from ludoloom.runtime.errors import SaveError as SaveError
    from ludoloom.runtime.game import Game as Game
    from ludoloom.runtime.game import load as load
    from ludoloom.runtime.image import Image as Image
    from ludoloom.runtime.replay import record as record
    from ludoloom.runtime.replay import replay as replay
    from ludoloom.runtime.save import load_save as load_save
    from ludoloom.runtime.save import save as save
    from ludoloom.runtime.simulate import simulate as simulate

__version__ = "0.1.0"

_HOMES: Final = {
    "Game": "ludoloom.runtime.game",
    "GameError": "ludoloom.runtime.errors",
    "Image": "ludoloom.runtime.image",
    "ImageError": "ludoloom.runtime.errors",
    "SaveError": "ludoloom.runtime.errors",
    "load": "ludoloom.runtime.game",
    "load_save": "ludoloom.runtime.save",
    "record": "ludoloom.runtime.replay",
    "replay": "ludoloom.runtime.replay",
    "save": "ludoloom.runtime.save",
    "simulate": "ludoloom.runtime.simulate",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ludoloom' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*_HOMES, "__version__"])
