"""Where sheets go: names that every system takes, in a folder that appears whole or not at all.

    with fresh_folder(Path("build/sheets/toy")) as folder:
        …                          write into folder; it becomes build/sheets/toy when the block ends well

What was there before is replaced only if it is an earlier set of sheets: a folder that holds a manifest, or nothing."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from ludoloom.compiler.sheets.manifest import BadManifest, read

_NOT_PORTABLE: Final = re.compile(r"[^a-z0-9_-]+")
_RESERVED: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)")


def portable(key: str, ending: str) -> str:
    """The name of a file, from an id: small letters, digits, `-` and `_`, and no name that Windows keeps for itself.

    >>> portable("rope.front", "png"), portable("con", "png")
    ('rope-front.png', 'con-.png')
    """
    stem = _NOT_PORTABLE.sub("-", key.lower()).strip("-") or "face"
    if _RESERVED.fullmatch(stem):
        stem += "-"
    return f"{stem}.{ending}"


class NotOurs(Exception):
    """Something else lies at the place; the message says what."""


@contextmanager
def fresh_folder(out: Path) -> Generator[Path]:
    """A new folder beside `out` that takes its place at the end. Raises `NotOurs` before anything is done."""
    refuse_if_taken(out)
    parent = Path(os.path.abspath(out)).parent
    new = [folder for folder in (parent, *parent.parents) if not folder.exists()]
    parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=parent))
    try:
        folder = made / "new"
        folder.mkdir()
        yield folder
        old = made / "old"
        if out.exists():
            os.rename(out, old)
        try:
            os.rename(folder, out)
        except OSError:
            if old.exists():
                os.rename(old, out)
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
        for folder in new:
            with suppress(OSError):  # it is not empty: all went well
                folder.rmdir()


def refuse_if_taken(out: Path) -> None:
    """Raise `NotOurs` if `out` is no earlier set of sheets."""
    if not out.exists() and not out.is_symlink():
        return
    if out.is_symlink() or not out.is_dir():
        raise NotOurs(f"{out.as_posix()} is not a folder")
    if any(out.iterdir()):
        try:
            read(out)
        except BadManifest:
            raise NotOurs(
                f"{out.as_posix()} holds other things than sheets; choose another folder with `--out`"
            ) from None
