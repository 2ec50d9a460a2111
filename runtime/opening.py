"""How a game begins: which program its options choose, and the state before the first instruction.

prepare(image, 2, {"night": True}, seed=7)     ->     program, state, settings
"""

from __future__ import annotations

from typing import Any

from ludoloom.runtime.errors import GameError, unknown
from ludoloom.runtime.image import Image, OptionRow, Program
from ludoloom.runtime.state import begin

YES_NO = ("false", "true")


def prepare(
    image: Image, players: int | None, options: dict[str, Any], seed: int, *, asked: bool = False, forced: bool = False
) -> tuple[Program, list[int], dict[str, Any]]:
    """What a new game begins with: the program of its modes, the state before the first instruction, the settings."""
    fewest, most = image.players
    count = fewest if players is None else players
    if not fewest <= count <= most:
        for_whom = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise GameError(f"{image.title} is for {for_whom} players, not {count}")
    if not 0 <= seed < 1 << 60:
        raise GameError("a seed is a number from 0 to 2**60 - 1")
    words, modes, chosen = option_words(image, options)
    program = program_of(image, modes)
    state = begin(program, count, seed, asked, forced)
    for at, word in words:
        state[at] = word
    settings = {"players": count, "options": chosen, "seed": seed, "asked": asked, "forced": forced}
    return program, state, settings


def option_words(image: Image, options: dict[str, Any]) -> tuple[list[tuple[int, int]], set[str], dict[str, str]]:
    """The words that options set, the modes that they switch on, and every option's value in words."""
    rows = {row.name: row for row in image.options}
    for name in options:
        if name not in rows:
            if not rows:
                raise GameError(f"{image.title} has no options, so '{name}' cannot be set")
            raise GameError(unknown("option of this game", name, rows))
    words: list[tuple[int, int]] = []
    modes: set[str] = set()
    chosen: dict[str, str] = {}
    for row in image.options:
        k = option_value(row, options[row.name]) if row.name in options else row.start
        # A yes/no is 0 or 1; members of an enumeration are numbered from 1.
        words.append((row.word, k if row.values == YES_NO else k + 1))
        chosen[row.name] = row.values[k]
        if k < len(row.modes) and row.modes[k]:
            modes.add(row.modes[k])
    return words, modes, chosen


def option_value(row: OptionRow, value: Any) -> int:
    """Which of an option's values is meant; yes and no in any usual spelling."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if row.values == YES_NO:
        text = {"yes": "true", "on": "true", "no": "false", "off": "false"}.get(text, text)
    if text not in row.values:
        raise GameError(unknown(f"value of the option '{row.name}'", value, row.values))
    return row.values.index(text)


def program_of(image: Image, modes: set[str]) -> Program:
    """The program of a combination of modes."""
    for program in image.programs:
        if set(program.modes) == modes:
            return program
    listed = "; ".join(" + ".join(program.modes) or "none" for program in image.programs)
    raise GameError(f"the modes {' + '.join(sorted(modes)) or 'none'} cannot be combined; possible are: {listed}")
