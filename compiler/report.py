"""What a check came to: the findings in order, and what was looked at. Plain data, so that the cache can keep it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludoloom.compiler.diagnostics.model import Diagnostic
from ludoloom.compiler.diagnostics.render.json import finding_data, finding_of
from ludoloom.compiler.diagnostics.wording import count


@dataclass(slots=True)
class Report:
    """`files` were found, `parsed` of them could be read; `items` counts the items of each kind, `hidden` the findings
    of each severity that are too many to show."""

    findings: Sequence[Diagnostic]
    files: int = 0
    parsed: int = 0
    items: dict[str, int] = field(default_factory=dict[str, int])
    hidden: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def failed(self) -> bool:
        """Whether a command ends with 1: errors and warnings count, notes do not."""
        return any(finding.severity != "note" for finding in self.findings)

    def number(self, severity: str) -> int:
        shown = sum(finding.severity == severity for finding in self.findings)
        return shown + self.hidden.get(severity, 0)

    def summary(self) -> dict[str, Any]:
        return {
            "files": self.files,
            "parsed": self.parsed,
            "items": dict(self.items),
            "errors": self.number("error"),
            "warnings": self.number("warning"),
            "notes": self.number("note"),
        }

    def sentence(self) -> str:
        """The last line of a check: ``12 files, 80 items (36 card, 44 piece): 1 error, 2 warnings``."""
        looked = count(self.files, "file")
        if self.parsed < self.files:
            looked += f" ({self.parsed} could be read)"
        if self.items:
            kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(self.items.items()))
            looked += f", {count(sum(self.items.values()), 'item')} ({kinds})"
        numbers = [
            count(self.number(severity), severity) for severity in ("error", "warning", "note") if self.number(severity)
        ]
        return f"{looked}: {', '.join(numbers) or 'nothing to report'}"

    def data(self) -> dict[str, Any]:
        """The report as plain data; `report_of` reads it back."""
        findings = [finding_data(finding) for finding in self.findings]
        return {
            "files": self.files,
            "parsed": self.parsed,
            "items": dict(self.items),
            "findings": findings,
            "hidden": dict(self.hidden),
        }


def report_of(data: Mapping[str, Any]) -> Report:
    """The report that `Report.data` wrote; a KeyError, TypeError or ValueError if it is none."""
    items, hidden = ({str(name): int(number) for name, number in data[part].items()} for part in ("items", "hidden"))
    findings = [finding_of(row) for row in data["findings"]]
    return Report(findings, int(data["files"]), int(data["parsed"]), items, hidden)
