"""Findings for programs.

Columns count code points from 1 and the end is the place behind the last character; paths have forward slashes on every
platform. The same form is what the cache keeps, so `finding_of` reads back what `finding_data` wrote."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from ludoloom.compiler.diagnostics.model import Diagnostic, Related
from ludoloom.compiler.frontend.nodes import Span

FORM: Final = 1  # raised when a field changes its meaning; new fields may come at any time


def render(findings: Iterable[Diagnostic], summary: Mapping[str, Any]) -> str:
    """One JSON object with all findings and the summary of the run."""
    data = {"form": FORM, "summary": dict(summary), "findings": [finding_data(finding) for finding in findings]}
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def finding_data(finding: Diagnostic) -> dict[str, Any]:
    """A finding as plain data."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "help": finding.hint,
        "path": finding.path,
        **span_data(finding.span),
        "related": [{"message": related.message, **span_data(related.span)} for related in finding.related],
    }


def span_data(span: Span) -> dict[str, Any]:
    return {
        "file": span.file.replace("\\", "/"),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def finding_of(data: Mapping[str, Any]) -> Diagnostic:
    """The finding that `finding_data` wrote; a KeyError or TypeError if it is none."""
    related = tuple(Related(_span_of(other), str(other["message"])) for other in data["related"])
    return Diagnostic(
        str(data["code"]), _span_of(data), str(data["message"]), str(data["help"]), related, str(data["path"])
    )


def _span_of(data: Mapping[str, Any]) -> Span:
    return Span(
        str(data["file"]), int(data["line"]), int(data["column"]), int(data["end_line"]), int(data["end_column"])
    )
