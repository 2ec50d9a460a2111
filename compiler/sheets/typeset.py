"""The one door to Typst: source text goes in, files and reports come out, in a child process with limits.

    typeset("#set page(width: 63mm, height: 88mm)\\nHello", {}, [Output(Path("card.pdf"))])

The root of Typst is a new folder that holds the source and copies of the files it was given: nothing else of the disk
can be reached from a template, since Typst does not follow `..` out of its root, and a copy is never a symbolic link.
Packages (`@preview/…`) are not fetched: the child has an empty package folder and no way out to the network. The same
input gives the same bytes: the fonts are those of Typst and of packages, never the system's, and the time is fixed.

A loop without end or a document without bounds is ended after `seconds` or `megabytes`, and told as `stopped`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any, Final, cast

from ludoloom.compiler.sheets import fonts, typst_child
from ludoloom.compiler.sheets.model import Output, Trouble, Typeset

SECONDS: Final = 120
MEGABYTES: Final = 1500
REPORTS: Final = "<report>"
"""The label of what faces report of themselves (`library.typ`)."""
OURS: Final = ("ludoloom.typ", "setup.typ")
"""Files of the library: a mistake that shows in them was made by who called it."""
_PLACE = re.compile(r"┌─ (?P<file>.+?):(?P<line>\d+):(?P<column>\d+)")
_NOWHERE: Final = "http://127.0.0.1:9"
"""A proxy that nobody answers at."""


def available() -> bool:
    """Whether Typst is installed (`pip install ludoloom[print]`)."""
    return find_spec("typst") is not None


def typeset(
    source: str,
    files: Mapping[str, bytes | Path],
    outputs: Sequence[Output],
    *,
    reports: bool = True,
    seconds: int = SECONDS,
    megabytes: int = MEGABYTES,
) -> Typeset:
    """Typeset `source` and write `outputs`; `files` are what it may read, by their path from the root.

    With `reports`, what faces report of themselves is read back. A picture's path holds `{page}` for its number."""
    with tempfile.TemporaryDirectory(prefix="ludoloom-") as folder:
        root = Path(folder) / "root"
        nowhere = Path(folder) / "packages"
        letters = Path(folder) / "fonts"
        nowhere.mkdir()
        stage(letters, {path.name: path for path in fonts.files()})
        stage(root, {"main.typ": source.encode(), **files})
        job = {
            "main": str(root / "main.typ"),
            "root": str(root),
            "nowhere": str(nowhere),
            "fonts": [str(letters)],
            "outputs": [
                {
                    "path": os.path.abspath(each.path),
                    "format": each.format,
                    "ppi": each.ppi,
                    "standard": each.pdf_standard,
                }
                for each in outputs
            ],
            "report": REPORTS if reports else "",
            "seconds": seconds,
            "megabytes": megabytes,
        }
        return _run(job, str(root), seconds)


def stage(root: Path, files: Mapping[str, bytes | Path]) -> None:
    """Write `files` beneath `root`, each as a file of its own: links are read and copied, never linked."""
    for name, content in files.items():
        inside = PurePosixPath(name)
        if inside.is_absolute() or ".." in inside.parts:
            raise ValueError(f"{name} leads out of the staging folder")
        path = root / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.read_bytes())


def _run(job: Mapping[str, Any], folder: str, seconds: int) -> Typeset:
    kept = (
        "PATH",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
        "PYTHONHOME",
        "RAYON_NUM_THREADS",
    )
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    environment |= dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy"), _NOWHERE)
    environment |= {
        "HOME": folder,
        "TMPDIR": folder,
        "PYTHONPATH": os.pathsep.join(os.path.abspath(path) for path in sys.path if path),
    }
    command = [sys.executable, "-P", os.path.abspath(typst_child.__file__)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment,
    ) as child:
        try:
            answer, complaint = child.communicate(json.dumps(job).encode(), timeout=seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return Typeset(stopped="time")
        except BaseException:
            child.kill()
            raise
    if child.returncode == typst_child.OVER_MEMORY or b"memory allocation" in complaint or b"MemoryError" in complaint:
        return Typeset(stopped="memory")
    if child.returncode != 0:
        last = complaint.decode(errors="replace").strip().splitlines()[-1:] or [f"exit code {child.returncode}"]
        return Typeset(stopped="died", troubles=(Trouble(1, 1, last[0]),))
    found = cast("dict[str, Any]", json.loads(answer))
    return Typeset(
        written=tuple(Path(path) for _, path in found["written"]),
        reports=tuple(found["reports"]),
        troubles=(_trouble(found["trouble"]),) if "trouble" in found else (),
        warnings=tuple(_trouble(each) for each in found["warnings"]),
    )


def _trouble(found: Mapping[str, Any]) -> Trouble:
    """Where the words of Typst say that something is wrong: the first place that they show, or, if that is in a
    function of ours, the first call that is not."""
    places = list(_PLACE.finditer(found["diagnostic"]))
    hint = "; ".join(found["hints"])
    if not places:
        return Trouble(1, 1, found["message"], hint)
    files = [place["file"].replace("\\", "/").removeprefix("./") for place in places]
    at = next((number for number, file in enumerate(files) if file not in OURS), 0)
    return Trouble(int(places[at]["line"]), int(places[at]["column"]), found["message"], hint, files[at])
