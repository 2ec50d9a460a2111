"""Findings for people: the line of the file, a mark under the words, what to do.

.. code-block:: text

    error[unquoted-text]: text that holds `: ` needs quotes
      --> cards/guard.yaml:12:11
       |
    12 |     text: Forced: take 2 harm
       |           ^^^^^^^^^^^^^^^^^^^
       = help: write `text: "Forced: take 2 harm"`
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ludoloom.compiler.diagnostics.model import Diagnostic
from ludoloom.compiler.diagnostics.render.display import expand, visible
from ludoloom.compiler.frontend.nodes import Span

WIDEST: Final = 140  # cells of a line that are shown; a longer one is cut around the mark
_BEFORE: Final = 40  # cells kept before the mark of a line that is cut

_STYLES: Final = {"error": "1;31", "warning": "1;33", "note": "1;36", "strong": "1", "frame": "34", "help": "32"}


@dataclass(frozen=True, slots=True)
class _Mark:
    span: Span
    label: str
    primary: bool


def render(findings: Iterable[Diagnostic], lines_of: Callable[[str], Sequence[str]], *, colour: bool = False) -> str:
    """All findings, with an empty line between them. `lines_of` gives the lines of a file, none if it cannot be
    read."""
    return "\n".join(_finding(finding, lines_of, _Painter(colour)) for finding in findings)


class _Painter:
    def __init__(self, colour: bool) -> None:
        self._colour = colour

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self._colour and text else text


def _finding(finding: Diagnostic, lines_of: Callable[[str], Sequence[str]], paint: _Painter) -> str:
    head = paint(finding.severity, f"{finding.severity}[{finding.code}]") + paint(
        "strong", f": {_one_line(finding.message)}"
    )
    marks = [_Mark(finding.span, "", True)] + [
        _Mark(related.span, _one_line(related.message), False) for related in finding.related
    ]
    files = list(dict.fromkeys(mark.span.file for mark in marks))
    gutter = len(str(max(mark.span.line for mark in marks)))
    rows = [head]
    for file in files:
        here = [mark for mark in marks if mark.span.file == file]
        first = here[0].span
        arrow = "-->" if file == files[0] else ":::"
        rows.append(f"{' ' * gutter}{paint('frame', arrow)} {visible(file)}:{first.line}:{first.column}")
        rows += _excerpt(here, lines_of(file), gutter, finding.severity, paint)
    if finding.hint:
        rows.append(f"{' ' * gutter} {paint('frame', '=')} {paint('help', 'help')}: {_one_line(finding.hint)}")
    return "\n".join(rows) + "\n"


def _excerpt(marks: Sequence[_Mark], lines: Sequence[str], gutter: int, severity: str, paint: _Painter) -> list[str]:
    """The lines that are marked, in order, each with its marks below."""
    bar = paint("frame", "|")
    numbers = sorted({mark.span.line for mark in marks if mark.span.line <= len(lines)})
    if not numbers or (len(lines) == 1 and not lines[0]):
        return [f"{' ' * gutter} {bar} {mark.label}" for mark in marks if mark.label]
    rows = [f"{' ' * gutter} {bar}"]
    before = numbers[0]
    for number in numbers:
        if number > before + 1:
            rows.append(paint("frame", "." * max(gutter, 3)))
        before = number
        here = [mark for mark in marks if mark.span.line == number]
        shown, cells = expand(lines[number - 1])
        at_most = len(cells) - 1
        places = [(min(mark.span.column - 1, at_most), _end(mark.span, at_most), mark) for mark in here]
        cut = _cut(cells, min(start for start, _, _ in places)) if cells[-1] > WIDEST else 0
        line, offset = _window(lines[number - 1], cells, cut) if cells[-1] > WIDEST else (shown, 0)
        rows.append(f"{paint('frame', f'{number:>{gutter}}')} {bar} {line}".rstrip())
        for start, end, mark in sorted(places, key=lambda place: (not place[2].primary, place[0])):
            room = max(1, cells[end] - cells[start])
            pad = cells[start] - offset
            sign = ("^" if mark.primary else "-") * min(room, max(1, WIDEST - pad))
            style = severity if mark.primary else "frame"
            label = f" {mark.label}" if mark.label else ""
            rows.append(f"{' ' * gutter} {bar} {' ' * pad}{paint(style, sign + label)}")
    return rows


def _end(span: Span, length: int) -> int:
    """Where the mark ends on the first line of its span: a span over several lines is marked to the end of the
    first."""
    start = min(span.column - 1, length)
    return max(start, min(span.end_column - 1, length) if span.end_line == span.line else length)


def _cut(cells: Sequence[int], start: int) -> int:
    """The first character to show of a long line, so that character `start` is in sight."""
    if cells[start] < WIDEST - _BEFORE:
        return 0
    return next(k for k, cell in enumerate(cells) if cell >= cells[start] - _BEFORE)


def _window(line: str, cells: Sequence[int], cut: int) -> tuple[str, int]:
    """A part of a long line from character `cut` on, with signs where it was cut; and the cell of its first one."""
    last = next((k for k, cell in enumerate(cells) if cell - cells[cut] > WIDEST), len(cells) - 1)
    part = "".join(" " if character == "\t" else character for character in visible(line[cut:last]))
    # A tab inside the part would move what follows: each takes as many spaces as it did in the whole line.
    part = "".join(
        " " * (cells[cut + k + 1] - cells[cut + k]) if line[cut + k] == "\t" else character
        for k, character in enumerate(part)
    )
    before = "…" if cut else ""
    return before + part + ("…" if last < len(cells) - 1 else ""), cells[cut] - len(before)


def _one_line(text: str) -> str:
    return visible(" ".join(text.split("\n")))
