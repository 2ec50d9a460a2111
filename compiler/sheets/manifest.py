"""What was printed, and where: a file beside the sheets that a program can compare and verify.

    {"ludoloom": 1, "game": "toy", "target": "home", …,
     "files": [{"name": "toy.pdf", "pages": 4, "sha256": "…"}],
     "faces": [{"item": "rope", "side": "front", "digest": "…", "copies": 2}],
     "slots": [{"face": "rope.front", "item": "rope", "side": "front", "copy": 1, "file": "toy.pdf", "page": 1,
                "cell": 0, "x": 10.5, "y": 16.5, "turn": 0}]}

`faces` tell by their digests what has changed since (`--changed-since`); `files` by their hashes whether a folder still
holds what was written (`--verify`), so that none of hundreds of pictures is missing, doubled or another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from ludoloom.compiler.sheets.model import Printable
from ludoloom.compiler.sheets.pages import Page

NAME: Final = "manifest.json"
FORMAT: Final = 1
_LARGEST: Final = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file of a run: its name in the folder, and the pages that it shows (none for what is not pages)."""

    name: str
    pages: tuple[Page, ...]


class BadManifest(ValueError):
    """A file that is no manifest; the message says why."""


def text(
    game: str,
    target: str,
    settings: dict[str, Any],
    folder: Path,
    files: Sequence[WrittenFile],
    printables: Iterable[Printable],
    left_out: Sequence[tuple[str, str]],
) -> str:
    """The manifest of a run, as it is written."""
    rows: list[dict[str, Any]] = []
    for file in files:
        for number, page in enumerate(file.pages, 1):
            for placed in page.placed:
                trim = placed.trim
                rows.append(
                    {
                        "face": placed.face.key,
                        "item": placed.item or placed.face.item,
                        "side": placed.face.side,
                        "copy": placed.copy,
                        "file": file.name,
                        "page": number,
                        "cell": placed.cell,
                        "x": round(trim.x, 3),
                        "y": round(trim.y, 3),
                        "turn": placed.turn,
                    }
                )
    faces: list[dict[str, Any]] = []
    for each in printables:
        for side, face in (("front", each.front), ("back", each.back)):
            if face is not None:
                faces.append(
                    {
                        "item": each.item,
                        "kind": each.kind,
                        "side": side,
                        "face": face.key,
                        "digest": face.digest,
                        "copies": each.copies,
                    }
                )
    content = {
        "ludoloom": FORMAT,
        "game": game,
        "target": target,
        **settings,
        "files": [
            {"name": file.name, "pages": len(file.pages), "sha256": hash_of(folder / file.name)} for file in files
        ],
        "faces": faces,
        "slots": rows,
        "left_out": [{"item": item, "why": why} for item, why in left_out],
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def hash_of(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read(path: Path) -> dict[str, Any]:
    """A manifest from its file, or from the folder that holds it."""
    if path.is_dir():
        path = path / NAME
    try:
        if path.stat().st_size > _LARGEST:
            raise BadManifest(f"{path.as_posix()} is too large to be a manifest")
        found = cast("object", json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise BadManifest(f"{path.as_posix()} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise BadManifest(f"{path.as_posix()} is not a manifest: {error}") from error
    rows = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    if (
        rows.get("ludoloom") != FORMAT
        or not isinstance(rows.get("faces"), list)
        or not isinstance(rows.get("files"), list)
    ):
        raise BadManifest(f"{path.as_posix()} is not a manifest of this version of ludoloom")
    return rows


def digests(manifest: dict[str, Any]) -> dict[tuple[str, str], str]:
    """The digest of each face by item and side."""
    found: dict[tuple[str, str], str] = {}
    for row in cast("list[Any]", manifest["faces"]):
        if isinstance(row, dict):
            face = cast("dict[str, Any]", row)
            found[str(face.get("item")), str(face.get("side"))] = str(face.get("digest"))
    return found


def verify(folder: Path) -> list[str]:
    """What differs between a folder and its manifest; each as a sentence."""
    manifest = read(folder)
    found: list[str] = []
    known: set[str] = {NAME}
    for row in cast("list[Any]", manifest["files"]):
        name = str(cast("dict[str, Any]", row).get("name")) if isinstance(row, dict) else ""
        path = folder / name
        if not name or Path(name).is_absolute() or ".." in Path(name).parts:
            found.append(f"`{name}` is no name of a file in this folder")
            continue
        known.add(Path(name).as_posix())
        if not path.is_file():
            found.append(f"{name} is missing")
        elif hash_of(path) != cast("dict[str, Any]", row).get("sha256"):
            found.append(f"{name} is not the file that was written")
    slots = manifest.get("slots")
    for row in cast("list[Any]", slots) if isinstance(slots, list) else []:
        name = str(cast("dict[str, Any]", row).get("file")) if isinstance(row, dict) else ""
        if name not in known:
            found.append(f"a slot names {name}, which is no file of the manifest")
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.relative_to(folder).as_posix() not in known:
            found.append(f"{path.relative_to(folder).as_posix()} does not belong to what was written")
    return list(dict.fromkeys(found))
