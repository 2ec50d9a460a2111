"""A pack as it was at an earlier revision of its git repository.

    with packs_at("v1.0", [Path("content/toy")]) as folders:
        folders[0]                 a folder outside the repository with the files of that revision

Packs that lie in no repository are taken as they are now."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_SECONDS: Final = 60


class NoRevision(Exception):
    """A revision that git does not know; the message says what was tried."""


@contextmanager
def packs_at(revision: str, folders: Sequence[Path]) -> Generator[list[Path]]:
    """The folders of packs at a revision, in the same order."""
    if not revision or revision.startswith("-"):
        raise NoRevision(f"`{revision}` is no revision of git and no manifest")
    with tempfile.TemporaryDirectory(prefix="ludoloom-") as scratch:
        found: list[Path] = []
        told = False
        for number, folder in enumerate(folders):
            top = _top(folder)
            if top is None:
                found.append(folder)
                continue
            commit = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
            if commit is None:
                raise NoRevision(f"`{revision}` is no manifest, and no revision of {top.as_posix()}")
            told = True
            inside = folder.resolve().relative_to(top).as_posix()
            made = Path(scratch) / str(number)
            made.mkdir()
            name = commit.decode().strip() + ("" if inside == "." else f":{inside}")
            packed = _git(top, "archive", "--format=tar", name)
            if packed is not None:  # else the pack was not there yet
                with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
                    archive.extractall(made, filter="data")
            found.append(made)
        if not told:
            raise NoRevision(f"`{revision}` is no manifest, and these packs lie in no git repository")
        yield found


def _top(folder: Path) -> Path | None:
    """The repository in which a folder lies."""
    answer = _git(folder, "rev-parse", "--show-toplevel")
    return None if answer is None else Path(os.fsdecode(answer).rstrip("\r\n")).resolve()


def _git(folder: Path, *arguments: str) -> bytes | None:
    """What git answers; none if it complains."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, timeout=_SECONDS, check=False
        )
    except FileNotFoundError:
        raise NoRevision("git is not installed") from None
    except subprocess.TimeoutExpired:
        raise NoRevision(f"git did not answer within {_SECONDS} s") from None
    return done.stdout if done.returncode == 0 else None
