"""Answers that are known already, by the content they were worked out from.

An entry is a JSON file in the user's cache folder: the files and folders that were looked at, each with the hash of its
content, and the answer. It counts only while every one of these hashes is the same, so a cache can be wrong about
nothing: an edit, a new file, another version of the tool make another answer. Nothing in an entry is ever run (so no
pickle), a damaged one is ignored, and a folder that cannot be written means no cache.

Two uses: `ask` and `keep` hold the answer of a whole run, together with what the run looked at (a `Trace`); `load` and
`store` hold anything whose key is content alone, as the tree of one file: ``load("tree", key("tree", digest(data)))``.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, cast

from ludoloom import __version__
from ludoloom.compiler.frontend.source import open_ordinary

_ENTRIES_AT_MOST: Final = 400
_BYTES_AT_MOST: Final = 128 * 1024 * 1024
_LARGEST_ENTRY: Final = 16 * 1024 * 1024
_LARGEST_TABLE: Final = 32 * 1024 * 1024

LOOKED_FOR: Final = (".yaml", ".yml", ".typ.j2", ".png", ".jpg", ".jpeg", ".webp", ".svg")
"""How the names end of files that a check looks for."""

Entry = dict[str, Any]


@dataclass(slots=True)
class Trace:
    """What a run looked at: the files with their hashes, the folders with the hash of the names that were found
    there."""

    files: dict[str, str] = field(default_factory=dict[str, str])
    folders: dict[str, str] = field(default_factory=dict[str, str])
    complete: bool = True

    def file(self, path: Path, data: bytes | None) -> str:
        """A file was read: the hash of its content. None: it could not be, and then the run is not kept."""
        if data is None:
            self.complete = False
            return ""
        found = digest(data)
        if self.files.setdefault(str(path.absolute()), found) != found:
            self.complete = False  # it was saved meanwhile
        return found

    def folder(self, path: Path) -> None:
        """The files below a folder were looked for."""
        name = str(path.absolute())
        if name not in self.folders:
            self.folders[name] = _digest_of_folder(path)


def digest(data: bytes) -> str:
    """The hash of a content."""
    return hashlib.sha256(data).hexdigest()


def key(*parts: str) -> str:
    """The key of an entry: `parts` and the tool itself, so that another version never answers."""
    return digest("\0".join((tool(), *parts)).encode("utf-8", "surrogatepass"))


def yaml_files(folder: Path) -> list[Path]:
    """All ``*.yaml`` files below a folder, sorted by their names; hidden folders and ``build`` are left out, and so are
    links, which may lead anywhere."""
    return [folder / name for name, link in _beneath(folder, (".yaml",)) if not link]


def _beneath(folder: Path, endings: tuple[str, ...]) -> list[tuple[str, bool]]:
    """The files below a folder by their way from there, and whether each is a link; in order. Plain texts, as building
    a `Path` for each takes longer than looking for it."""
    found: list[tuple[str, bool]] = []
    todo = [("", os.fspath(folder))]
    while todo:
        above, place = todo.pop()
        with suppress(OSError):
            for entry in os.scandir(place):
                if entry.name.startswith("."):
                    continue
                if _is_folder(entry):
                    if entry.name != "build" and not entry.is_symlink():
                        todo.append((f"{above}{entry.name}/", entry.path))
                elif entry.name.endswith(endings):
                    found.append((above + entry.name, entry.is_symlink()))
    return sorted(found)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def _digest_of_folder(folder: Path) -> str:
    """The names found below a folder. Links and ``.yml`` files count: a check says of them that they are not read; and
    templates and pictures, of which it says whether they are there."""
    names = [f"{name} {link}" for name, link in _beneath(folder, LOOKED_FOR)]
    return digest("\n".join(names).encode("utf-8", "surrogatepass"))


# --- the tool


_tool: list[str] = []


def tool() -> str:
    """What the answers of this tool depend on besides the files: its version and code, and the libraries that read
    them. A checkout that is being worked on has another code after each edit."""
    if not _tool:
        parts = [__version__, sys.version]
        package = Path(__file__).parent.parent
        for folder in ("schemas", "compiler", "runtime"):
            parts += sorted(_stamps(package / folder))
        for library in ("yaml", "pydantic", "pydantic_core"):
            spec = find_spec(library)
            if spec and spec.origin:
                parts.append(_stamp(Path(spec.origin)))
        _tool.append(digest("\n".join(parts).encode("utf-8", "surrogatepass")))
    return _tool[0]


def _stamps(folder: Path) -> Iterable[str]:
    for top, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in files:
            if name.endswith((".py", ".json")):
                yield _stamp(Path(top, name))


def _stamp(path: Path) -> str:
    with suppress(OSError):
        status = path.stat()
        return f"{path} {status.st_size} {status.st_mtime_ns}"
    return str(path)


# --- entries


def folder() -> Path:
    """The cache folder of this user; `LUDOLOOM_CACHE` names another."""
    if chosen := os.environ.get("LUDOLOOM_CACHE"):
        return Path(chosen)
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "ludoloom" / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "ludoloom"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "ludoloom"


def load(kind: str, name: str) -> Entry | None:
    """The entry, or None if there is none that can be used."""
    path = folder() / kind / f"{name}.json"
    with suppress(OSError, ValueError, RecursionError):
        if path.stat().st_size <= _LARGEST_ENTRY:
            entry = json.loads(path.read_text(encoding="utf-8"))
            if isinstance(entry, dict):
                return cast(Entry, entry)
    return None


def store(kind: str, name: str, entry: Mapping[str, Any]) -> None:
    """Keep an entry."""
    _write(kind, f"{name}.json", json.dumps(entry, ensure_ascii=True))


def _write(kind: str, name: str, text: str) -> None:
    """Write an entry, under another name first: a reader sees a whole one or none."""
    place = folder() / kind
    with suppress(OSError):
        place.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=place, suffix=".new")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(temporary, place / name)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
        _prune(place)


def _prune(place: Path) -> None:
    """Keep the folder small: the older half goes when there are too many entries, or more than a disk should give."""
    with suppress(OSError):
        found = [(entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in os.scandir(place)]
        if len(found) > _ENTRIES_AT_MOST or sum(size for _, size, _ in found) > _BYTES_AT_MOST:
            for _, _, path in sorted(found)[: len(found) // 2]:
                with suppress(OSError):
                    os.unlink(path)


def load_rows(kind: str, name: str) -> dict[str, str]:
    """The rows of an entry that is a table: a text for each key, each proved by its own hash."""
    rows: dict[str, str] = {}
    with suppress(OSError, ValueError):
        path = folder() / kind / f"{name}.rows"
        if path.stat().st_size <= _LARGEST_TABLE:
            for line in path.read_text(encoding="ascii").splitlines():
                proof, _, rest = line.partition(" ")
                key, _, row = rest.partition(" ")
                if proof == _proof(rest):
                    rows[key] = row
    return rows


def store_rows(kind: str, name: str, rows: Mapping[str, str]) -> None:
    """Keep a table of texts that hold no end of a line, in ASCII."""
    lines = [f"{key} {row}" for key, row in rows.items()]
    if sum(map(len, lines)) <= _LARGEST_TABLE:
        _write(kind, f"{name}.rows", "".join(f"{_proof(line)} {line}\n" for line in lines))


def _proof(line: str) -> str:
    return hashlib.blake2b(line.encode("ascii"), digest_size=16).hexdigest()


# --- whole runs


def ask(kind: str, name: str) -> Any | None:
    """The answer of an earlier run, if all that it looked at is as it was."""
    entry = load(kind, name)
    if entry is None:
        return None
    try:
        files, folders, answer = entry["files"], entry["folders"], entry["answer"]
        for path, known in folders.items():
            if _digest_of_folder(Path(path)) != known:
                return None
        for path, known in files.items():
            with open_ordinary(path) as file:
                if digest(file.read()) != known:
                    return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return answer


def keep(kind: str, name: str, trace: Trace, answer: Any) -> None:
    """Keep the answer of a run together with what it looked at."""
    if trace.complete:
        store(kind, name, {"files": trace.files, "folders": trace.folders, "answer": answer})
