"""ludoloom: a content pipeline and validator for tabletop games.

>>> import ludoloom
>>> image = ludoloom.compile_pack("my_game")        # doctest: +SKIP
>>> game = ludoloom.Game.new(image, players=2)      # doctest: +SKIP

Nothing is imported until it is used: start-up time counts.
"""

from __future__ import annotations

__version__ = "0.1.0"
