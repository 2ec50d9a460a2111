"""The one type of finding that every stage reports, and the bag that collects them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ludoloom.compiler.diagnostics.codes import CODES
from ludoloom.compiler.frontend.nodes import Span


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that explains the finding ("first declared here")."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding. `code` is a row of `codes.CODES`, which gives the severity. `message` says what is wrong in the words
    of the file, `hint` what to do ("did you mean …"), `path` where in the file's structure
    (``cards.trip.use.choose``)."""

    code: str
    span: Span
    message: str
    hint: str = ""
    related: tuple[Related, ...] = ()
    path: str = ""

    @property
    def severity(self) -> str:
        """error, warning or note."""
        return CODES[self.code].severity


@dataclass(frozen=True, slots=True)
class Silence:
    """A comment ``# ludoloom: allow CODE reason``: findings of `code` that begin on line `line` are accepted. `span` is
    the comment itself."""

    span: Span
    line: int
    code: str
    reason: str


@dataclass(slots=True)
class Bag:
    """Collects the findings of a run; the same finding (code, place, message) is kept once. `silences` are the comments
    that accept a finding; they are applied when all stages are through (`silences.settle`)."""

    findings: list[Diagnostic] = field(default_factory=list[Diagnostic])
    silences: list[Silence] = field(default_factory=list[Silence])
    torn: set[str] = field(default_factory=set[str])
    """Files of which a part could not be read: what they declare is not known whole."""
    reports: int = 0
    """How often something was reported, whether it was known already or not."""
    _seen: set[tuple[str, Span, str]] = field(default_factory=set[tuple[str, Span, str]])
    _wrong: set[tuple[str, int, int]] = field(default_factory=set[tuple[str, int, int]])

    def add(
        self, code: str, span: Span, message: str, hint: str = "", related: tuple[Related, ...] = (), path: str = ""
    ) -> None:
        """Report one finding; `code` must be declared in the table of codes. A place at which an error begins is in
        error once: what a later stage makes of the same words is not reported too."""
        self.reports += 1
        place = (span.file, span.line, span.column)
        key = (code, span, message)
        if key in self._seen or place in self._wrong:
            return
        self._seen.add(key)
        if CODES[code].severity == "error":
            self._wrong.add(place)
        self.findings.append(Diagnostic(code, span, message, hint, related, path))

    @property
    def failed(self) -> bool:
        """Whether an error was reported: the next stage that needs sound input does not run."""
        return any(finding.severity == "error" for finding in self.findings)

    def failed_in(self, file: str) -> bool:
        """Whether an error was reported about this file."""
        return any(finding.severity == "error" and finding.span.file == file for finding in self.findings)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.findings)
