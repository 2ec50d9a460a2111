"""``# ludoloom: allow CODE reason``: an author accepts one finding, and says why.

The comment stands at the end of the line where the finding begins, or alone on a line above it:

.. code-block:: yaml

    # ludoloom: allow bare-number the 7 is the name of the card
    text: Number 7 lives.

It silences warnings and notes. An error stays an error, and a silence that silences nothing is itself a finding, so
that none outlives its reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ludoloom.compiler.diagnostics.codes import CODES
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic, Silence
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.diagnostics.wording import clip
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span

_COMMENT = re.compile(r"(?:^|(?<=\s))#\s*ludoloom:\s*(?P<rest>.*?)\s*$")
_ALLOW = re.compile(r"allow\s+(?P<code>[^\s]+)(?:\s+(?P<reason>.+))?$")


def find_silences(lines: Sequence[str], file: str, tree: Map | None, bag: Bag) -> list[Silence]:
    """The silences of a file; reports comments that are meant as one and are none. `tree` tells text from comments."""
    found = [(number, match) for number, line in enumerate(lines, 1) if (match := _COMMENT.search(line))]
    texts = [scalar.span for scalar in _scalars(tree)] if tree and found else []
    silences: list[Silence] = []
    for number, match in found:
        column = match.start() + 1
        if any(_inside(span, number, column) for span in texts):
            continue
        span = Span(file, number, column, number, match.end() + 1)
        allow = _ALLOW.match(match["rest"])
        if not allow or not allow["reason"]:
            bag.add(
                "bad-allow",
                span,
                "no reason is given" if allow else "this comment is not understood",
                "write `# ludoloom: allow CODE reason`",
            )
        elif allow["code"] not in CODES:
            hint = did_you_mean(allow["code"], CODES) or "`ludoloom explain` lists the codes"
            bag.add("bad-allow", span, f"there is no code `{clip(allow['code'])}`", hint)
        elif CODES[allow["code"]].severity == "error":
            bag.add(
                "allow-of-error",
                span,
                f"`{allow['code']}` is an error, and errors cannot be silenced",
                "mend the fault",
            )
        else:
            silences.append(Silence(span, _target(lines, number, match.start()), allow["code"], allow["reason"]))
    return silences


def _target(lines: Sequence[str], number: int, start: int) -> int:
    """The line that a silence speaks of: its own, or, if nothing else stands on it, the next with content."""
    if lines[number - 1][:start].strip():
        return number
    for later in range(number, len(lines)):
        text = lines[later].strip()
        if text and not text.startswith("#"):
            return later + 1
    return number


def _scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Items):
        for item in node.items:
            yield from _scalars(item)
    else:
        for key, value in node.entries:
            yield key
            yield from _scalars(value)


def _inside(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) < (span.end_line, span.end_column)


def settle(bag: Bag) -> list[Diagnostic]:
    """All findings of a run in the order of the files, without those that are silenced, and with the silences that
    silenced nothing (unless an error kept later stages from running: then nobody knows)."""
    wanted = {(silence.span.file, silence.line, silence.code) for silence in bag.silences}
    used: set[tuple[str, int, str]] = set()
    kept: list[Diagnostic] = []
    for finding in bag.findings:
        place = (finding.span.file, finding.span.line, finding.code)
        if place in wanted and finding.severity != "error":
            used.add(place)
        else:
            kept.append(finding)
    if not bag.failed:
        kept += [
            Diagnostic(
                "unused-allow",
                silence.span,
                f"`{silence.code}` is not found on line {silence.line}",
                "delete this comment",
            )
            for silence in bag.silences
            if (silence.span.file, silence.line, silence.code) not in used
        ]
    return in_order(kept)


def in_order(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Findings sorted by file, line and column."""
    return sorted(
        findings, key=lambda finding: (finding.span.file, finding.span.line, finding.span.column, finding.code)
    )
