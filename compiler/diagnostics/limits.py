"""Of very many findings the first are shown, and a note says how many more there are.

    kinds: {seat: {plural: seatz, …}}      and 3,600 cards say `seats`: three of these places are shown, and one note

A misspelt name that everything uses, or a file of another program, would bury all else. What says the same words in
many places has one cause, most likely; of one file nobody reads more than some hundred. Errors are the last to go, so
a check that fails still shows one. Counts in a summary are those of all findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from ludoloom.compiler.diagnostics.model import Diagnostic
from ludoloom.compiler.diagnostics.silences import in_order
from ludoloom.compiler.diagnostics.wording import count

CODE: Final = "not-shown"
ALIKE: Final = 20
"""So many findings that say the same are shown; of more only the first `SHOWN`."""
SHOWN: Final = 3
IN_A_FILE: Final = 200
"""So many findings of one file are shown."""

_SEVERITIES: Final = ("error", "warning", "note")


def limited(findings: Sequence[Diagnostic]) -> tuple[list[Diagnostic], dict[str, int]]:
    """The findings to show, which come in order, and how many of each severity are not shown."""
    kept = _of_a_file(_of_the_same(findings))
    hidden = Counter(finding.severity for finding in findings)
    hidden.subtract(finding.severity for finding in kept if finding.code != CODE)
    return kept, {severity: number for severity, number in hidden.items() if number}


def _of_the_same(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    groups: dict[tuple[str, str], list[Diagnostic]] = {}
    for finding in findings:
        groups.setdefault((finding.code, finding.message), []).append(finding)
    many = {key: rows for key, rows in groups.items() if len(rows) > ALIKE}
    dropped = {id(row) for rows in many.values() for row in rows[SHOWN:]}
    notes: list[Diagnostic] = []
    for (_, message), rows in many.items():
        rest = [row.span.file for row in rows[SHOWN:]]
        where = f"{len(set(rest)):,} files" if len(set(rest)) > 1 else "this file"
        told = f"the same is found here and in {len(rest) - 1:,} more places of {where}: {message}"
        notes.append(Diagnostic(CODE, rows[SHOWN].span, told, "these have one cause, most likely; mend that first"))
    return in_order([*(finding for finding in findings if id(finding) not in dropped), *notes])


def _of_a_file(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    files: dict[str, list[Diagnostic]] = {}
    for finding in findings:
        files.setdefault(finding.span.file, []).append(finding)
    dropped: set[int] = set()
    notes: list[Diagnostic] = []
    for rows in files.values():
        if len(rows) <= IN_A_FILE:
            continue
        rest = sorted(rows, key=lambda row: _SEVERITIES.index(row.severity))[IN_A_FILE:]
        dropped.update(id(row) for row in rest)
        numbers = Counter(row.severity for row in rest if row.code != CODE)
        told = ", ".join(count(numbers[severity], severity) for severity in _SEVERITIES if numbers[severity])
        notes.append(
            Diagnostic(
                CODE,
                in_order(rest)[0].span,
                f"more is found in this file from here on: {told}",
                f"mend the {IN_A_FILE} that are shown, and check again",
            )
        )
    return in_order([*(finding for finding in findings if id(finding) not in dropped), *notes])
