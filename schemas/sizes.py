"""What a sheet may name: sizes and templates. Apart from the models, so that who only needs the lists does not load
them."""

from __future__ import annotations

from typing import Final

SIZES: Final[dict[str, tuple[float, float]]] = {
    "poker": (63, 88),
    "us_poker": (63.5, 88.9),
    "bridge": (57, 89),
    "us_bridge": (57.15, 88.9),
    "tarot": (70, 120),
    "small_tarot": (70, 108),
    "us_tarot": (69.85, 120.65),
    "mini_euro": (44, 68),
    "mini_american": (41, 63),
    "us_mini": (44.45, 63.5),
    "euro": (59, 92),
    "american": (56, 87),
    "japanese": (59, 86),
    "square_63": (63, 63),
    "square_70": (70, 70),
    "square_89": (89, 89),
    "large": (89, 146),
    "business": (89, 51),
    "a6": (105, 148),
    "a5": (148, 210),
}
"""Sizes after cutting, by name, in millimetres. Metric and US poker are two sizes: sleeves and services tell them
apart."""

TEMPLATES: Final = ("card", "encounter", "quest", "tile", "map", "token", "player", "back", "plain")
"""The templates that ship (`compiler/sheets/templates`); any other is a file of the pack that ends in .typ.j2."""
