"""How fast YAML is read, against PyYAML's own loader: ``python tests/bench/read.py``.

Both read 3,600 cards in 300 files. Ours also keeps every place, finds duplicate keys and refuses what readers read
differently;
the goal is 0.7 of the time of `yaml.load` with the C loader.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent / ".pypath"))

import yaml

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.read import read

FILES, CARDS = 300, 12
CARD = """  card_{n}:
    kind: power
    origin: printed
    stand_in: [owner, moment, reach, values.damage, text, use.choose, use.cost, use.on success]
    moment: active_seat
    element: fire
    reach: 0
    values: {{difficulty: 13, damage: 2}}
    text: "Roll {{difficulty}}+: deal {{damage}} :damage: to a piece at range {{reach}}."
    use:
      choose: {{target: seat.pieces_in(reach)}}
      cost: {{seat.energy: 2}}
      roll: {{seat_roll: difficulty}}
      on success: [{{damage: {{to: target, amount: damage}}}}]
"""


def best(work: Callable[[], None], *, collector: bool, times: int = 5) -> float:
    """The shortest time in seconds."""
    shortest = float("inf")
    for _ in range(times):
        gc.collect()
        if not collector:
            gc.disable()
        begun = time.perf_counter()
        work()
        shortest = min(shortest, time.perf_counter() - begun)
        gc.enable()
    return shortest


def main() -> None:
    files = [
        ("cards:\n" + "".join(CARD.format(n=file * CARDS + n) for n in range(CARDS))).encode() for file in range(FILES)
    ]

    def ours() -> None:
        bag = Bag()
        for data in files:
            read(data, "cards.yaml", bag)
        assert not bag.findings

    def theirs() -> None:
        for data in files:
            yaml.load(data, Loader=yaml.CSafeLoader)

    # Each as it is called: a check switches the collector off while it reads, `yaml.load` does not.
    mine, others = best(ours, collector=False), best(theirs, collector=True)
    size = sum(map(len, files)) / 1e6
    print(f"{FILES * CARDS} cards, {size:.1f} MB: read {mine:.3f} s, yaml.load {others:.3f} s")
    print(f"ratio {mine / others:.2f}")


if __name__ == "__main__":
    main()
