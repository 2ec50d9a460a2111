"""What faces say of themselves once they are set, as findings at the lines of the pack.

    (face: "rope.front", what: "overflow", part: "text", over: 2, size: 6)   ->   text-overflows at the text of `rope`

Faces report while Typst sets them (`library.typ`), so what is told is what would be printed. `check` sets every face of
a game once, without making a file; who makes files anyway gives the result of that run to `findings`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Span
from ludoloom.compiler.sheets.model import Face, Faces, Trouble, Typeset
from ludoloom.compiler.sheets.sources import Sources
from ludoloom.compiler.sheets.typeset import typeset

ALONE: Final = 10
"""Seconds that one face may take when the one is looked for that takes too long."""
MOST_BROKEN: Final = 10
"""Typst stops at the first mistake: so often the rest is set again without what was wrong."""


def document(faces: Faces, shown: Sequence[Face]) -> str:
    """Every face on a page of its own."""
    pages = "".join(f"#page(width: auto, height: auto, margin: 0mm, {face.body})\n" for face in shown)
    return f"{faces.preamble.text}{pages}"


def check(faces: Faces, sources: Sources, bag: Bag, *, language: str = "") -> None:
    """Set every face of a game once, and report what does not fit and which templates fail. Where one fails, the other
    faces are set without it, so that all that is wrong is told at once."""
    shown = faces.unique()
    for _ in range(MOST_BROKEN):
        if not shown:
            return
        source = document(faces, shown)
        result = typeset(source, faces.preamble.files, [])
        findings(result, source, faces, sources, bag, language=language)
        left = _without_broken(result, source, shown, faces, sources)
        if result.stopped or len(left) == len(shown):
            return
        shown = left


def _without_broken(
    result: Typeset, source: str, shown: Sequence[Face], faces: Faces, sources: Sources
) -> Sequence[Face]:
    """The faces that do not share what Typst complains about: a line of a template of the pack, else the one face."""
    left = shown
    for trouble in result.troubles:
        broken, line = face_at(trouble.line, source, faces) if trouble.file == "main.typ" else (None, 0)
        if broken is not None:
            at = _line_of(broken, line)
            alike = at if sources.find(at[0]) is not None else None
            left = [face for face in left if face.key != broken.key and alike not in face.lines]
    return left


def findings(result: Typeset, source: str, faces: Faces, sources: Sources, bag: Bag, *, language: str = "") -> None:
    """Everything that a run tells about the faces in `source`."""
    known = {face.key: face for face in faces.unique()}
    inside = f" in `{language}`" if language else ""
    for report in result.reports:
        face = known.get(str(report.get("face")))
        if face is not None:
            _reported(report, face, inside, bag)
    for trouble in result.troubles:
        _blamed(trouble, source, faces, sources, bag)
    if result.stopped in ("time", "memory"):
        _endless(result.stopped, faces, sources, bag)


def _reported(report: Mapping[str, object], face: Face, inside: str, bag: Bag) -> None:
    part = str(report.get("part"))
    place = face.places.get(part, face.where)
    if report.get("what") == "outside":
        bag.add(
            "outside-safe-zone",
            place,
            f"the {part} of `{face.item}` comes {report['by']:g} mm too near to the cut of its {face.side}",
            f"keep {face.safe:g} mm from each edge: a cut is seldom exact",
        )
        return
    over, size = int(str(report.get("over", 0))), float(str(report.get("size", 0)))
    how = f"is {over} {'line' if over == 1 else 'lines'} too long" if over else "has a word that is too wide"
    bag.add(
        "text-overflows",
        place,
        f"the {part} of `{face.item}`{inside} {how} for its {face.side}, even at {size:g} points",
        "say it in fewer words, or give the sheet of its kind a larger `size` or a smaller `text_size`",
    )


def _blamed(trouble: Trouble, source: str, faces: Faces, sources: Sources, bag: Bag) -> None:
    """Typst complains about a line of the document: which face is it in, and which line of its template?"""
    face, line = face_at(trouble.line, source, faces) if trouble.file == "main.typ" else (None, 0)
    message, hint = f"the template cannot be drawn: {trouble.message}", trouble.hint
    if face is None:
        file = trouble.file
        bag.add(
            "template-wrong", sources.place(file, trouble.line) if file != "main.typ" else _any(faces), message, hint
        )
        return
    file, row = _line_of(face, line)
    if sources.find(file) is None:  # a template that ships: the entry of the kind is the nearest that the author wrote
        bag.add("template-wrong", face.where, f"`{face.item}` cannot be drawn: {trouble.message}", hint)
        return
    bag.add("template-wrong", sources.place(file, row), f"{message} (on `{face.item}`)", hint)


def _line_of(face: Face, line: int) -> tuple[str, int]:
    """The template, and the line in it, that a line of a face comes from."""
    return face.lines[min(line, len(face.lines) - 1)] if face.lines else ("", 1)


def face_at(line: int, source: str, faces: Faces) -> tuple[Face | None, int]:
    """The face whose text stands at a line of a document, and the how manieth of its lines it is, from 0."""
    starts = [0]
    for row in source.split("\n"):
        starts.append(starts[-1] + len(row) + 1)
    for face in faces.unique():
        at = source.find(face.body)
        while at >= 0:
            first = source.count("\n", 0, at) + 1
            if first <= line <= first + face.body.count("\n"):
                return face, line - first
            at = source.find(face.body, at + 1)
    return None, 0


def _any(faces: Faces) -> Span:
    shown = faces.unique()
    return shown[0].where if shown else Span(faces.game, 1, 1, 1, 1)


def _endless(why: str, faces: Faces, sources: Sources, bag: Bag) -> None:
    """Find the template that does not end, by one face of each kind and side alone."""
    much = "takes too long" if why == "time" else "takes too much memory"
    tried: set[tuple[str, str]] = set()
    for face in faces.unique():
        if (face.kind, face.side) in tried:
            continue
        tried.add((face.kind, face.side))
        alone = typeset(document(faces, [face]), faces.preamble.files, [], seconds=ALONE)
        if alone.stopped:
            file = face.lines[0][0] if face.lines else ""
            place = sources.place(file, 1) if sources.find(file) is not None else face.where
            hint = "look for a loop without end"
            bag.add("template-endless", place, f"the template {much}: `{face.item}` was given up", hint)
            return
    bag.add("template-endless", _any(faces), f"setting all faces {much}", "print fewer kinds at a time")
