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
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, cast

from ludoloom.runtime import chance, grid, rollout, sets, things, vm
from ludoloom.runtime.image import Program
from ludoloom.runtime.serial import write_whole

SOURCES = (chance, things, sets, grid, vm, rollout)
"""In the order in which they import each other."""
DOORS = ("run", "answer", "playout", "playouts", "rollouts")
"""The functions that are called from Python."""
FIXED = ("code", "consts")
"""Vectors that no function changes."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The compiled functions of `DOORS`. Vectors are made by `vector` (int32 arrays that behave like lists of numbers),
    or by `blank`, full of zeros; what they take as code by `code`. `start`: the seconds until they run, roughly (they
    are compiled when they are first called, unless their machine code is kept)."""

    run: Callable[..., int]
    answer: Callable[..., int]
    playout: Callable[..., int]
    playouts: Callable[..., None]
    rollouts: Callable[..., None]
    vector: Callable[[list[int]], Any]
    blank: Callable[[int], Any]
    code: Callable[[list[int]], Any]
    start: float


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


class Compiled:
    """A namespace of functions that numba compiles when they are first called. Its folder, named by a digest of all
    that they follow from, holds the machine code."""

    def __init__(self, names: dict[str, Any], checked: bool, follows_from: Iterable[str]) -> None:
        numba: Any = import_module("numba")
        numpy: Any = import_module("numpy")
        self.names: dict[str, Any] = {"__name__": vm.__name__, "__builtins__": __builtins__, **names}
        self.functions: dict[str, Callable[..., Any]] = {}
        self.checked = checked
        self.inlined: frozenset[str] = frozenset()
        """The functions that are compiled into each place that calls them."""
        self.laid = False
        """Whether code is a pair: as it is, and laid anew."""
        versions = f"{numba.__version__} {numpy.__version__} {sys.version} {checked}"
        self.digest = hashlib.sha256("\0".join([versions, *follows_from]).encode()).hexdigest()
        folder = cache_folder() / self.digest[:16]
        self.folder = folder if writable(folder) else None
        self.kept = any(folder.glob("*.nbi"))
        """Whether there is machine code already."""

    def execute(self, sources: Mapping[str, str]) -> None:
        """Take over what these files define; their functions are compiled."""
        before = dict(self.names)
        found: dict[str, Any] = {}
        for file, source in sources.items():
            exec(compile(source, file, "exec"), self.names)
            found.update(
                (name, value)
                for name, value in self.names.items()
                if getattr(value, "__globals__", None) is self.names and value not in self.functions.values()
            )
        # Their imports brought the functions as they are uncompiled.
        self.names.update((name, value) for name, value in before.items() if isinstance(self.names[name], FunctionType))
        for name, function in found.items():
            self.add(name, function)

    def write(self, source: str, name: str) -> None:
        """Execute source that was written here. It becomes a file, because numba keeps machine code only of what comes
        from one."""
        file = f"<{name}>"
        if self.folder is not None:
            path = self.folder / name
            file = str(path)
            if not path.exists() or path.read_text(encoding="utf-8") != source:
                write_whole(path, source.encode())
        self.execute({file: source})

    def add(self, name: str, function: Callable[..., Any]) -> None:
        """Compile a function, with the names of this namespace around it."""
        assert isinstance(function, FunctionType)
        numba: Any = import_module("numba")
        own = FunctionType(function.__code__, self.names, name)
        own.__annotations__ = function.__annotations__
        self.functions[name] = own
        kept = numba.config.CACHE_DIR
        try:
            numba.config.CACHE_DIR = str(self.folder or kept)
            options = {"error_model": "numpy", "no_cfunc_wrapper": True, "cache": self.folder is not None}
            options["forceinline"] = name in self.inlined
            # Only doors are called from Python.
            self.names[name] = numba.njit(**options, no_cpython_wrapper=not name.startswith("door_"))(own)
        finally:
            numba.config.CACHE_DIR = kept

    def doors(self) -> dict[str, Callable[..., Any]]:
        """What is called from Python: functions that take arrays, see them as words, and call the compiled ones.

        def door_answer(consts, state, index):
            return answer(_fixed(consts), _open(state), index)
        """
        words: Any = import_module("ludoloom.runtime.words")
        self.names["_fixed"], self.names["_open"] = words.maker(True, self.checked), words.maker(False, self.checked)
        lines = ["# Written by ludoloom; see runtime/jit.py."]
        for name in DOORS:
            kinds = {word: kind for word, kind in self.functions[name].__annotations__.items() if word != "return"}
            given = [self._given(word, kind) for word, kind in kinds.items()]
            lines.append(f"\n\ndef door_{name}({', '.join(kinds)}):\n    return {name}({', '.join(given)})")
        self.write("\n".join(lines) + "\n", "doors.py")
        return {name: self.names[f"door_{name}"] for name in DOORS}

    def _given(self, word: str, kind: str) -> str:
        """How a door hands a parameter on."""
        if word == "code" and self.laid:
            return "(_fixed(code[0]), _fixed(code[1]))"
        return f"{'_fixed' if word in FIXED else '_open'}({word})" if kind == "list[int]" else word


def vector(words: list[int]) -> Any:
    """Words as compiled functions take them."""
    numpy: Any = import_module("numpy")
    return numpy.array(words, dtype=numpy.int32)


def blank(count: int) -> Any:
    """A vector of so many zeros."""
    numpy: Any = import_module("numpy")
    return numpy.zeros(count, dtype=numpy.int32)


def listed(words: Any) -> list[int]:
    """The numbers of a vector, or of the list that plain Python has in its place."""
    return cast("list[int]", words if isinstance(words, list) else words.tolist())


@lru_cache(maxsize=2)
def compiled(checked: bool) -> Machine:
    """Compile all functions; `checked` adds a test to every index, as the project's own tests want it."""
    base = interpreter(checked)
    return Machine(**base.doors(), vector=vector, blank=blank, code=vector, start=2 if base.kept else 40)


@lru_cache(maxsize=2)
def interpreter(checked: bool) -> Compiled:
    """The functions of the interpreter."""
    words: Any = import_module("ludoloom.runtime.words")
    sources = read(SOURCES)
    own = [Path(file).read_text(encoding="utf-8") for file in (words.__file__, __file__)]
    made = Compiled({}, checked, [*sources.values(), *own])
    made.execute(sources)
    return made


def read(modules: Iterable[ModuleType]) -> dict[str, str]:
    """The source of modules by file."""
    files = [module.__file__ or "" for module in modules]
    return {file: Path(file).read_text(encoding="utf-8") for file in files}


def specialised(program: Program, places: Iterable[int], *, checked: bool = False) -> Machine:
    """The machine of one verified program, with functions for these places of its code (`specialise.py`)."""
    from ludoloom.runtime import tiers  # few games come so far
    from ludoloom.runtime.specialise import specialise
    from ludoloom.runtime.verify import proof_of

    special = specialise(program, proof_of(program), places)
    base = interpreter(checked)
    sources = read((tiers,))
    own = Compiled(base.names, checked, [base.digest, special.source, *sorted(special.inlined), *sources.values()])
    own.laid = True
    own.execute(sources)
    own.names["interpret"] = base.names["run"]
    own.inlined = special.inlined
    own.write(special.source, "special.py")
    anew = {"run"}
    for name, function in base.functions.items():
        # What calls `run` calls the one of `tiers.py` now.
        if name not in own.functions:
            if anew & set(function.__code__.co_names):
                own.add(name, function)
                anew.add(name)
            else:
                own.functions[name] = function
    laid = vector(special.laid)

    def code(words: list[int]) -> tuple[Any, Any]:
        return vector(words), laid

    return Machine(
        **own.doors(), vector=vector, blank=blank, code=code, start=2 if own.kept else 8 + len(special.source) / 5000
    )


def writable(folder: Path) -> bool:
    """Whether machine code can be kept there (a read-only home compiles at each start instead)."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
