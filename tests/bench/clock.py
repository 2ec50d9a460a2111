"""What the benches share: the shortest processor time of some work, here or in a process of its own.

Processor time is what a program used itself, so another program on the same machine disturbs it least."""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = str(ROOT / ".pypath")
"""Where the packages of a checkout lie; importing this module makes them importable."""

if PACKAGES not in sys.path:
    sys.path.insert(0, PACKAGES)


def best(work: Callable[[], object], times: int = 5) -> float:
    """The shortest of several runs in this process, in seconds. The collector of garbage runs between them only."""
    shortest = float("inf")
    for _ in range(times):
        gc.collect()
        gc.disable()
        begun = time.process_time()
        work()
        shortest = min(shortest, time.process_time() - begun)
        gc.enable()
    return shortest


def process(command: Sequence[str | Path], times: int = 5, env: Mapping[str, str] | None = None) -> float:
    """The shortest of several runs of a process, start and all. One that says by its exit code that it did not work
    ends the bench with its words."""
    shortest = float("inf")
    for _ in range(times):
        begun = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=env, check=False)
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            words = " ".join(map(str, command[:4]))
            sys.exit(f"{words} … ended with {done.returncode}: {done.stderr[-500:]}{done.stdout[-500:]}")
        shortest = min(shortest, ended.ru_utime - begun.ru_utime + ended.ru_stime - begun.ru_stime)
    return shortest


def row(what: str, value: str, goal: str = "") -> None:
    """Print one line of a table."""
    print(f"  {what:<52} {value:>16}   {goal}".rstrip())
