"""Findings as annotations of GitHub Actions (``::error file=…,line=…::message``).

Quirks of the host, each met here:

- A property (``file=``) ends at a comma or colon, a message does not: they are escaped by two different functions.
  Escaping a message like a property would show `%2C` to people.
- It shows ten annotations of each level for a step and drops the rest without a word. So the most telling ones come
  first (one of each code and file before any repeats), the last note tells the true total, and what is not annotated is
  printed as plain lines.
- Files are relative to the root of the repository, whatever folder the step runs in.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from ludoloom.compiler.diagnostics.model import Diagnostic
from ludoloom.compiler.diagnostics.wording import count

SHOWN_AT_MOST: Final = 10
_LEVELS: Final = {"error": "error", "warning": "warning", "note": "notice"}


def render(findings: Iterable[Diagnostic], environment: Mapping[str, str] | None = None) -> str:
    """The commands to print. `environment` (the process's, if not given) tells where the repository begins."""
    root = (os.environ if environment is None else environment).get("GITHUB_WORKSPACE", "")
    everything = list(findings)
    annotated: list[str] = []
    plain: list[str] = []
    for severity, level in _LEVELS.items():
        ranked = _ranked([finding for finding in everything if finding.severity == severity])
        # One of the notes is the total.
        room = SHOWN_AT_MOST - (severity == "note")
        annotated += [_annotation(level, finding, root) for finding in ranked[:room]]
        plain += [_line(finding) for finding in ranked[room:]]
    if everything:
        annotated.append(f"::notice title=ludoloom::{escape_message(_total(everything, len(annotated)))}")
    return "".join(row + "\n" for row in plain + annotated)


def escape_message(text: str) -> str:
    """A text behind the ``::`` of a command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """A value before it, as ``file=…``."""
    return escape_message(text).replace(":", "%3A").replace(",", "%2C")


def _ranked(findings: list[Diagnostic]) -> list[Diagnostic]:
    """One of each code and file first, then the second ones, and so on; else in their order."""
    seen: dict[tuple[str, str], int] = {}
    rounds: list[tuple[int, int]] = []
    for index, finding in enumerate(findings):
        place = (finding.code, finding.span.file)
        rounds.append((seen.get(place, 0), index))
        seen[place] = seen.get(place, 0) + 1
    return [findings[index] for _, index in sorted(rounds)]


def _annotation(level: str, finding: Diagnostic, root: str) -> str:
    span = finding.span
    properties = {
        "file": _from_root(span.file, root),
        "line": str(span.line),
        "endLine": str(span.end_line),
        "title": finding.code,
    }
    # The host takes columns only for a place on one line.
    if span.line == span.end_line:
        properties |= {"col": str(span.column), "endColumn": str(max(span.column, span.end_column - 1))}
    text = finding.message + (f"\nhelp: {finding.hint}" if finding.hint else "")
    text += "".join(f"\n{other.message}: {other.span.file}:{other.span.line}" for other in finding.related)
    written = ",".join(f"{name}={escape_property(value)}" for name, value in properties.items())
    return f"::{level} {written}::{escape_message(text)}"


def _from_root(file: str, root: str) -> str:
    if root:
        full = Path(os.path.normpath(Path.cwd() / file))
        if full.is_relative_to(root):
            return full.relative_to(root).as_posix()
    return file.replace("\\", "/")


def _line(finding: Diagnostic) -> str:
    """A finding that is no annotation. The space before it keeps the host from reading a command in it."""
    span, message = finding.span, " ".join(finding.message.splitlines())
    return f" {span.file}:{span.line}:{span.column}: {finding.severity}[{finding.code}]: {message}"


def _total(findings: list[Diagnostic], shown: int) -> str:
    numbers = [count(sum(finding.severity == severity for finding in findings), severity) for severity in _LEVELS]
    rest = f"; {shown} are shown here, all stand in the log" if shown < len(findings) else ""
    return f"{count(len(findings), 'finding')} in all: {', '.join(numbers)}{rest}"
