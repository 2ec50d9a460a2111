"""What the benches of playing share: games compiled once, and their vectors for both ways of running."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from clock import ROOT

from ludoloom.compiler.pipeline import load
from ludoloom.runtime import jit
from ludoloom.runtime.busy import busy_places
from ludoloom.runtime.image import Image
from ludoloom.runtime.opening import prepare
from ludoloom.runtime.verify import proof_of

SHIPPED, TINY = ROOT / "content", ROOT / "tests" / "games"


def image_of(folder: Path) -> Image:
    """The image of a pack, which must be right."""
    image = load([str(folder)]).games[0].image
    if image is None:
        sys.exit(f"{folder} has errors; `ludoloom check` shows them")
    return image


def vectors(image: Image, players: int, machine: jit.Machine | None) -> tuple[Any, Any, Any, Any]:
    """Code, constants, the state of a new game and a record that records nothing."""
    program, first, _ = prepare(image, players, {}, 0)
    parts = (program.code, program.consts, first, [0])
    if machine is None:
        return parts
    consts, state, record = (machine.vector(part) for part in parts[1:])
    return machine.code(program.code), consts, state, record


def specialised(image: Image, players: int) -> jit.Machine:
    """The machine with functions for this game's busiest places."""
    program, first, _ = prepare(image, players, {}, 0)
    return jit.specialised(program, busy_places(program, proof_of(program), first))
