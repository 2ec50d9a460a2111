"""The one door to Ghostscript, a program of its own that may be installed: text as outlines, transparency flattened.

    outline(path)       letters become shapes: no fonts are left in the file
    flatten(path)       what shows through becomes opaque, as pixels where it must

Its output carries times and a random id; `finish` comes after it and writes others."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

SECONDS: Final = 300


class NotInstalled(Exception):
    """Ghostscript is needed and not there."""


class Failed(Exception):
    """Ghostscript could not do it; the message holds its words."""


def program() -> str | None:
    """Where Ghostscript is, if it is installed."""
    return next((found for name in ("gs", "gswin64c", "gswin32c") if (found := shutil.which(name))), None)


def outline(path: Path) -> None:
    """Turn all text of a PDF into shapes, in place; colours stay as they are."""
    _rewrite(path, ["-dNoOutputFonts", "-dCompatibilityLevel=1.4"])


def flatten(path: Path) -> None:
    """Make a PDF opaque, in place."""
    _rewrite(path, ["-dCompatibilityLevel=1.3", "-r720"])


def _rewrite(path: Path, options: list[str]) -> None:
    found = program()
    if found is None:
        raise NotInstalled
    with tempfile.TemporaryDirectory(prefix="ludoloom-") as folder:
        made = Path(folder) / "made.pdf"
        command = [
            *(found, "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pdfwrite", "-dAutoRotatePages=/None"),
            *("-sColorConversionStrategy=LeaveColorUnchanged", "-dPreserveOverprintSettings=true"),
            # Pictures as they are: no sampling down, no lossy packing.
            *("-dDownsampleColorImages=false", "-dDownsampleGrayImages=false", "-dDownsampleMonoImages=false"),
            *("-dAutoFilterColorImages=false", "-dColorImageFilter=/FlateEncode"),
            *("-dAutoFilterGrayImages=false", "-dGrayImageFilter=/FlateEncode"),
            *options,
            f"-sOutputFile={made}",
            str(path),
        ]
        try:
            done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            raise Failed(f"Ghostscript did not end within {SECONDS} s") from error
        if done.returncode != 0 or not made.is_file():
            words = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
            raise Failed("Ghostscript: " + (words[-1] if words else f"exit code {done.returncode}"))
        shutil.copyfile(made, path)
