"""Random games a second: ``python tests/bench/playouts.py``.

Tic-tac-toe by our own rules in YAML against open_spiel (`pip install open_spiel`; its rules are C++, the loop is
Python), against boardgame.io (`npm install` in tests/bench/boardgame_io) and against a loop written by hand for this
one game and compiled by numba, which is the limit of what any interpreter could reach. What is not installed is left
out. Then a large game, 2 players."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import time
from importlib import import_module
from typing import Any

from clock import ROOT, row
from games import SHIPPED, TINY, image_of, specialised

from ludoloom.runtime import jit
from ludoloom.runtime.game import BUDGET
from ludoloom.runtime.image import Image
from ludoloom.runtime.opening import prepare
from ludoloom.runtime.playouts import Playouts

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def ours(image: Image, games: int, machine: jit.Machine | None) -> float:
    """Our games a second (the best of three)."""
    program, first, _ = prepare(image, 2, {}, 0)
    playouts = Playouts(program, first, BUDGET, 100_000, machine)
    playouts.results(0, 2)
    best = 0.0
    for seed in (0, games, 2 * games):
        begun = time.process_time()
        playouts.results(seed, games)
        best = max(best, games / (time.process_time() - begun))
    return best


def ready(image: Image) -> tuple[jit.Machine, float]:
    """The machine with functions of this game's own, and the seconds until it plays."""
    begun = time.process_time()
    machine = specialised(image, 2)
    ours(image, 2, machine)
    return machine, time.process_time() - begun


def open_spiel(games: int) -> float | None:
    """Games a second of open_spiel."""
    try:
        pyspiel: Any = import_module("pyspiel")
    except ImportError:
        return None
    game, chance, best = pyspiel.load_game("tic_tac_toe"), random.Random(1), 0.0
    for _ in range(3):
        begun = time.process_time()
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))
        best = max(best, games / (time.process_time() - begun))
    return best


def boardgame_io(seconds: float) -> float | None:
    """Games a second of boardgame.io under node."""
    folder, node = ROOT / "tests" / "bench" / "boardgame_io", shutil.which("node")
    if node is None or not (folder / "node_modules" / "boardgame.io").exists():
        return None
    command = [node, "playouts.js", str(seconds)]
    env = {**os.environ, "NODE_ENV": "production"}  # without its checks for developers
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True)
    return float(done.stdout)


def by_hand(games: int) -> float | None:
    """Games a second of a loop that knows nothing but tic-tac-toe, compiled by numba."""
    if not jit.available():
        return None
    numba: Any = import_module("numba")
    numpy: Any = import_module("numpy")
    lines = numpy.array(LINES)

    @numba.njit
    def play(count: int, seed: int) -> int:
        won = 0
        cells, free = numpy.zeros(9, numpy.int32), numpy.zeros(9, numpy.int32)
        for _ in range(count):
            cells[:] = 0
            for turn in range(9):
                n = 0
                for k in range(9):
                    if cells[k] == 0:
                        free[n] = k
                        n += 1
                seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
                player = turn % 2 + 1
                cells[free[(seed >> 8) % n]] = player
                over = False
                for line in range(8):
                    a, b, c = lines[line, 0], lines[line, 1], lines[line, 2]
                    if cells[a] == player and cells[b] == player and cells[c] == player:
                        over = True
                if over:
                    won += 1
                    break
        return won

    play(1, 1)
    begun = time.process_time()
    play(games, 1)
    return games / (time.process_time() - begun)


def against(what: str, figure: float | None, mine: float, goal: str, how: str) -> None:
    """Print what another one reaches and how we compare; or how to get it."""
    if figure is None:
        print(f"  {what}: not measured ({how})")
    else:
        row(what, f"{figure:,.0f}/s", f"we reach {mine / figure:.2f} x of it{goal}")


def main() -> None:
    """Print one line for each figure."""
    machine = jit.machine()
    small = image_of(TINY / "tic_tac_toe")
    print("tic-tac-toe, games a second")
    mine = ours(small, 400, None)
    row("ludoloom, plain Python", f"{mine:,.0f}/s")
    if machine is None:
        print(f"  {jit.why_not()}")
    else:
        row("ludoloom, numba", f"{ours(small, 20_000, machine):,.0f}/s")
        special, seconds = ready(small)
        mine = ours(small, 100_000, special)
        row("ludoloom, functions of its own", f"{mine:,.0f}/s", f"ready after {seconds:.1f} s")
    against("open_spiel from a loop in Python", open_spiel(10_000), mine, "; goal 3 x", "pip install open_spiel")
    against("boardgame.io", boardgame_io(3), mine, "; goal 100 x", "npm install in tests/bench/boardgame_io")
    against("written by hand for this game, numba", by_hand(500_000), mine, "", "pip install 'ludoloom[fast]'")
    large = image_of(SHIPPED / "boktor")
    print(f"{large.title}, 2 players, games a second")
    row("ludoloom, plain Python", f"{ours(large, 4, None):,.1f}/s")
    if machine is not None:
        row("ludoloom, numba", f"{ours(large, 100, machine):,.1f}/s")
        special, seconds = ready(large)
        row("ludoloom, functions of its own", f"{ours(large, 100, special):,.1f}/s", f"ready after {seconds:.1f} s")


if __name__ == "__main__":
    main()
