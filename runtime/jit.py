"""The only door to numba (with `words.py`): the interpreter's own source, compiled.

    fast = machine()          # fast.run, fast.answer, fast.playouts as in `vm.py`, over int32 arrays
    if fast is None: print(why_not())

The modules of the interpreter are executed once more in a namespace of their own, and every function in it is
compiled. There is no second implementation: what runs fast is what runs slowly. The machine code is kept in the user's
cache folder, in a subfolder named by a digest of the sources and versions, because numba itself would not notice a
change in a helper.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from ludoloom.runtime import chance, grid, rollout, things, vm
from ludoloom.runtime.serial import write_whole

SOURCES = (chance, things, grid, vm, rollout)
"""In the order in which they import each other."""
DOORS = ("run", "answer", "playout", "playouts", "rollouts")
"""The functions that are called from Python."""
FIXED = ("code", "consts")
"""Vectors that no function changes."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The compiled functions of `DOORS`; `vector` makes what they take (int32 arrays, which behave like lists)."""

    run: Callable[..., int]
    answer: Callable[..., int]
    playout: Callable[..., int]
    playouts: Callable[..., None]
    rollouts: Callable[..., None]
    vector: Callable[[list[int]], Any]


def cache_folder() -> Path:
    """Where machine code is kept: ``LUDOLOOM_CACHE``, or the user's cache folder as the system names it."""
    named = os.environ.get("LUDOLOOM_CACHE")
    if named:
        return Path(named) / "jit"
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "ludoloom" / "jit"


def why_not() -> str:
    """Why games do not run compiled on this machine, in a sentence; empty if they do."""
    try:
        import_module("numba")
    except ImportError:
        return (
            "numba is not installed, so games run in plain Python "
            "(pip install 'ludoloom[fast]' makes them about 50 times faster)"
        )
    except Exception as error:  # a broken numba must not stop anybody from playing
        return f"numba is installed but does not start, so games run in plain Python ({error})"
    return ""


def available() -> bool:
    """Whether games can run compiled."""
    return why_not() == ""


def machine() -> Machine | None:
    """The compiled interpreter, or None where numba is missing (`why_not` says why)."""
    return None if why_not() else compiled(False)


@lru_cache(maxsize=2)
def compiled(checked: bool) -> Machine:
    """Compile all functions; `checked` adds a test to every index, as the project's own tests want it."""
    numba: Any = import_module("numba")
    numpy: Any = import_module("numpy")
    words: Any = import_module("ludoloom.runtime.words")
    names: dict[str, Any] = {"__name__": vm.__name__, "__builtins__": __builtins__}
    own: dict[str, Callable[..., Any]] = {}
    digest = hashlib.sha256(f"{numba.__version__} {numpy.__version__} {sys.version} {checked}".encode())
    for file in (words.__file__, __file__):
        digest.update(Path(file).read_bytes())
    for module in SOURCES:
        file = module.__file__ or ""
        source = Path(file).read_text(encoding="utf-8")
        digest.update(source.encode())
        before = dict(names)
        exec(compile(source, file, "exec"), names)
        for name, value in names.items():
            if before.get(name) is not value and getattr(value, "__globals__", None) is names:
                own[name] = value
    folder = cache_folder() / digest.hexdigest()[:16]
    with cache_in(folder) as keeps:
        inner = {"cache": keeps, "error_model": "numpy", "no_cfunc_wrapper": True}
        for name, function in own.items():
            names[name] = numba.njit(**inner, no_cpython_wrapper=True)(function)
        names["_fixed"], names["_open"] = words.maker(True, checked), words.maker(False, checked)
        outer = {name: numba.njit(**inner)(door) for name, door in doors(names, own, folder if keeps else None).items()}

    def vector(words: list[int]) -> Any:
        return numpy.array(words, dtype=numpy.int32)

    return Machine(**outer, vector=vector)


def doors(
    names: dict[str, Any], own: dict[str, Callable[..., Any]], folder: Path | None
) -> dict[str, Callable[..., Any]]:
    """What is called from Python: functions that take arrays, see them as words, and call the compiled ones.

        def door_answer(consts, state, index):
            return answer(_fixed(consts), _open(state), index)

    They are written as a file, because numba keeps machine code only of what comes from one.
    """
    lines = ["# Written by ludoloom; see runtime/jit.py."]
    for name in DOORS:
        kinds = {word: kind for word, kind in own[name].__annotations__.items() if word != "return"}
        given = [
            f"{'_fixed' if word in FIXED else '_open'}({word})" if kind == "list[int]" else word
            for word, kind in kinds.items()
        ]
        lines.append(f"\n\ndef door_{name}({', '.join(kinds)}):\n    return {name}({', '.join(given)})")
    execute("\n".join(lines) + "\n", "doors.py", folder, names)
    return {name: names[f"door_{name}"] for name in DOORS}


def execute(source: str, name: str, folder: Path | None, names: dict[str, Any]) -> None:
    """Execute source that was written here, as a file of the folder if there is one."""
    file = f"<{name}>"
    if folder is not None:
        file = str(folder / name)
        if not os.path.exists(file) or Path(file).read_text(encoding="utf-8") != source:
            write_whole(Path(file), source.encode())
    exec(compile(source, file, "exec"), names)


@contextmanager
def cache_in(folder: Path) -> Generator[bool]:
    """Have numba keep its machine code in this folder, for what is compiled inside; whether it can be kept at all."""
    numba: Any = import_module("numba")
    kept = numba.config.CACHE_DIR
    keeps = writable(folder)
    try:
        numba.config.CACHE_DIR = str(folder) if keeps else kept
        yield keeps
    finally:
        numba.config.CACHE_DIR = kept


def writable(folder: Path) -> bool:
    """Whether machine code can be kept there (a read-only home compiles at each start instead)."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
