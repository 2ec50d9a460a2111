"""From the bytes of a YAML file to its tree (`nodes`), with the exact place of every node; the only module that knows
PyYAML.

``read(b"pack: {id: demo}", "game.yaml", bag)`` gives ``Map([pack -> Map([id -> Scalar("demo")])])``.

The tree is built from the parser's events, not by PyYAML's loader: so places cost nothing, and what an unquoted word
means is our own rule (`scalars`). The profile is strict: what two YAML readers would read differently, and what makes a
file mean other than it looks (duplicate keys, anchors, merge keys, tags, several documents), is a finding with the form
to write instead.

A finding here is never repeated by a later stage: a value that could not be read is a scalar with the value None, whose
place everybody may use and about which nobody else complains.

After an error of syntax the reader goes on: with the line as it was meant where that is beyond doubt, else at the next
section (a key in the first column). What was not complete is left out of the tree; the bag has `failed` then, and no
stage that looks at the whole pack should follow."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

import yaml
from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from ludoloom.compiler.diagnostics.model import Bag, Diagnostic, Related
from ludoloom.compiler.diagnostics.silences import find_silences
from ludoloom.compiler.diagnostics.wording import clip, count
from ludoloom.compiler.frontend import source
from ludoloom.compiler.frontend.mistakes import Mistake, Trouble, recognise
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.compiler.frontend.repairs import Repairs
from ludoloom.compiler.frontend.scalars import NUMERIC_START, WORDS, Complaint, meaning, quoted

if TYPE_CHECKING:
    from yaml.events import Event

DEEPEST: Final = 64
_REPAIRS_AT_MOST: Final = 20  # each costs one more reading of the file
_RESTARTS_AT_MOST: Final = 20
_REREAD_AT_MOST: Final = 16_000_000  # characters, over all repairs of one file
_BROKEN_BELOW: Final = (
    2  # of a broken file the root and its sections are kept without their last entry, but no half item
)

_TIGHT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*:(?=[^\s:])")
_SECTION = re.compile(r"[A-Za-z_][A-Za-z0-9_]*:(?:\s|$)")


class _Events(Protocol):
    """What both parsers of PyYAML have."""

    def get_event(self) -> Event | None: ...


def _parser(text: str) -> _Events:
    """libyaml's parser, some ten times faster, or PyYAML's own where that was built without it."""
    fast: Callable[[str], _Events] | None = getattr(yaml.cyaml, "CParser", None) if yaml.__with_libyaml__ else None
    return fast(text) if fast else cast(_Events, yaml.SafeLoader(text))


def read_path(path: Path, shown: str, bag: Bag) -> Map | None:
    """The tree of the file at `path`, which messages call `shown`; reports a file that cannot be read."""
    data = read_bytes(path, shown, bag)
    return None if data is None else read(data, shown, bag)


def read_bytes(path: Path, shown: str, bag: Bag) -> bytes | None:
    """The content of a file, or a finding. No more than one byte beyond the limit is read, whatever stands at
    `path`."""
    top = Span(shown, 1, 1, 1, 1)
    try:
        kind = os.stat(path).st_mode
        if stat.S_ISDIR(kind):
            bag.add(
                "unreadable", top, "this is a folder, not a file", "name a file of the pack, or the folder of the pack"
            )
            return None
        if not stat.S_ISREG(kind):
            bag.add("unreadable", top, "this is no ordinary file", "name a YAML file")
            return None
        with source.open_ordinary(path) as file:
            return file.read(source.LARGEST_FILE + 1)
    except FileNotFoundError:
        bag.add("unreadable", top, "there is no such file", "look at the spelling of its name")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        bag.add("unreadable", top, f"the file cannot be read: {reason}", "look at its rights and whether it is in use")
    return None


def read(data: bytes, file: str, bag: Bag) -> Map | None:
    """The tree of one file: a mapping of its sections; None if nothing of it could be read."""
    text = source.decode(data, file, bag)
    if text is None or source.has_conflicts(text, file, bag):
        return None
    lines = source.split_lines(text)
    tree = _Whole(text, lines, file, bag).read()
    if "ludoloom:" in text:
        bag.silences.extend(find_silences(lines, file, tree, bag))
    return tree


class _Whole:
    """Reads one file in as many runs of the parser as its mistakes ask for; usually one."""

    def __init__(self, text: str, lines: list[str], file: str, bag: Bag) -> None:
        self.text, self.lines, self.file, self.bag = text, lines, file, bag
        self.entries: list[tuple[Scalar, Node]] = []
        self.span: Span | None = None
        self.repairs = Repairs()

    def read(self) -> Map | None:
        lines, first, text = list(self.lines), 0, self.text
        repairs = min(_REPAIRS_AT_MOST, _REREAD_AT_MOST // (len(text) + 1) + 1)
        restarts = _RESTARTS_AT_MOST
        while True:
            run = _Run(text, lines, first, self.file)
            run.documents()
            if run.broken and run.broken.repaired is not None and repairs:
                repairs -= 1
                self._report(run.broken)
                self.repairs.repair(lines, run.broken.span.line - 1, run.broken.repaired)
                text = "\n".join(lines[first:])
                continue
            for finding in run.found:
                related = tuple(Related(self.repairs.span(other.span), other.message) for other in finding.related)
                self.bag.add(finding.code, self.repairs.span(finding.span), finding.message, finding.hint, related)
            self._take(run.roots, broken=bool(run.broken))
            if not run.broken:
                break
            self.bag.torn.add(self.file)
            if not any(isinstance(root, Items) for root in run.roots):
                self._report(run.broken)
            restart = _next_section(lines, run.broken, first)
            if restart is None or not restarts:
                break
            restarts -= 1
            first, text = restart, "\n".join(lines[restart:])
        if self.span is None:
            if not self.bag.failed_in(self.file):
                self.bag.add(
                    "empty-file",
                    Span(self.file, 1, 1, 1, 1),
                    "the file holds nothing",
                    "write a section, as `pack:` or `cards:`, or delete the file",
                )
            return None
        return Map(self.span, tuple(self.entries))

    def _report(self, mistake: Mistake) -> None:
        related = tuple(Related(self.repairs.span(other.span), other.message) for other in mistake.related)
        self.bag.add(mistake.code, self.repairs.span(mistake.span), mistake.message, mistake.hint, related)

    def _take(self, roots: Sequence[Node], *, broken: bool) -> None:
        """Add what a run found: a file is one mapping, even where an author split it into documents."""
        for index, given in enumerate(roots):
            root = self.repairs.node(given)
            if not isinstance(root, Map):
                # A run of words before an error of syntax is a key without its colon, which is the finding.
                if not (isinstance(root, Scalar) and (broken or root.value is None)):
                    what = "a list" if isinstance(root, Items) else f"`{clip(root.text)}`"
                    self.bag.add(
                        "not-a-mapping",
                        root.span,
                        f"a file is a mapping of sections, but this one holds {what}",
                        "begin with the name of a section and a colon, as `cards:`",
                    )
                continue
            self.span = root.span if self.span is None else _cover(self.span, root.span)
            known = {key.text: k for k, (key, _) in enumerate(self.entries)}
            for key, value in root:
                at = known.get(key.text)
                if at is None:
                    self.entries.append((key, value))
                    continue
                there, earlier = self.entries[at]
                if key.span.line > there.span.line and index and isinstance(earlier, Map) and isinstance(value, Map):
                    # The same section in two documents, which is reported already: read as one, and compared name by
                    # name.
                    self.entries[at] = (there, self._joined(earlier, value))
                else:
                    self.bag.add(*_duplicate(key, there))

    def _joined(self, first: Map, second: Map) -> Map:
        entries = list(first.entries)
        for key, value in second:
            there = first.key(key.text)
            if there is None:
                entries.append((key, value))
            else:
                self.bag.add(*_duplicate(key, there))
        return Map(_cover(first.span, second.span), tuple(entries))


def _cover(first: Span, last: Span) -> Span:
    return Span(first.file, first.line, first.column, last.end_line, last.end_column)


def _duplicate(key: Scalar, first: Scalar) -> tuple[str, Span, str, str, tuple[Related, ...]]:
    related = (Related(first.span, "first written here"),)
    return "duplicate-key", key.span, f"the key `{clip(key.text)}` is written twice", "keep one of the two", related


def _next_section(lines: Sequence[str], broken: Mistake, first: int) -> int | None:
    """The line, from 0, where reading can go on: the next key in the first column behind the place where the mistake
    began."""
    begin = max(broken.line, broken.began + 1, first + 1)
    return next((k for k in range(begin, len(lines)) if _SECTION.match(lines[k])), None)


class _Run:
    """One run of the parser over `text`, whose first line is line `first` (from 0) of the file."""

    def __init__(self, text: str, lines: Sequence[str], first: int, file: str) -> None:
        self.lines, self.first, self.file = lines, first, file
        self.next = _parser(text).get_event
        self.found: list[Diagnostic] = []
        self.roots: list[Node] = []
        self.broken: Mistake | None = None
        self.anchors: dict[str, tuple[Span, list[Span]]] = {}
        self.merged: set[str] = set()
        self.long_text: Span | None = None  # the last text in quotes that ran over lines

    def add(self, code: str, span: Span, message: str, hint: str = "", related: tuple[Related, ...] = ()) -> None:
        self.found.append(Diagnostic(code, span, message, hint, related))

    # --- documents

    def documents(self) -> None:
        """Read the whole stream; what was found is in `roots`, `found` and `broken` afterwards."""
        documents = 0
        try:
            while (event := self.next()) is not None and type(event) is not StreamEndEvent:
                if isinstance(event, DocumentStartEvent):
                    documents += 1
                    self.document(event, documents)
                elif isinstance(event, NodeEvent):
                    self.roots.append(self.node(event, 1))
                    if self.broken:
                        break
        except yaml.YAMLError as error:
            self.fail(error)
        self.anchored()

    def document(self, event: DocumentStartEvent, number: int) -> None:
        span = self.span(event)
        mark = Span(self.file, span.line, span.column, span.line, span.column + 3)
        if event.version or event.tags:
            self.add(
                "directive",
                mark,
                "a `%` directive stands before the document",
                "delete it: the reading of a pack never varies",
            )
        if number > 1:
            self.add(
                "several-documents",
                mark,
                "a second document begins here; a file holds one",
                "delete this line if the sections differ, else move what follows to a file of its own",
            )

    def fail(self, error: yaml.YAMLError) -> None:
        """Remember an error of syntax as the mistake that an author made."""
        problem = getattr(error, "problem_mark", None)
        context = getattr(error, "context_mark", None)
        trouble = Trouble(
            str(getattr(error, "problem", None) or error),
            min(problem.line + self.first, len(self.lines) - 1) if problem else self.first,
            problem.column if problem else 0,
            str(getattr(error, "context", None) or ""),
            context.line + self.first if context else -1,
            context.column if context else -1,
            self.closed_quote(problem.line if problem else -1),
        )
        self.broken = recognise(trouble, self.lines, self.file)

    def closed_quote(self, line: int) -> tuple[int, int] | None:
        """Where a text over several lines was opened, if it was closed on this line of the run, shortly before."""
        span = self.long_text
        if span is None or span.end_line != line + self.first + 1:
            return None
        return span.line - 1, span.column - 1

    # --- nodes

    def span(self, event: Event) -> Span:
        start, end = event.start_mark, event.end_mark
        return Span(self.file, start.line + self.first + 1, start.column + 1, end.line + self.first + 1, end.column + 1)

    def node(self, event: Event | None, depth: int) -> Node:
        """The node that begins with this event."""
        if type(event) is MappingStartEvent:
            return self.mapping(event, depth)
        if type(event) is SequenceStartEvent:
            return self.sequence(event, depth)
        if type(event) is ScalarEvent:
            return self.scalar(event)
        if type(event) is AliasEvent:
            return self.alias(event)
        # PyYAML 6.0.4 stops some broken streams without a word; there is nothing behind this place.
        return self.broken_off()

    def broken_off(self) -> Scalar:
        """What stands for a node of a stream that stopped before it."""
        line = len(self.lines)
        column = len(self.lines[line - 1]) + 1 if self.lines else 1
        span = Span(self.file, max(line, 1), column, max(line, 1), column)
        hint = "look for a bracket or quote that is not closed"
        self.broken = Mistake("syntax", span, "the structure of the file breaks off", hint, line - 1, line - 1)
        return Scalar(span, None, "", False)

    def scalar(self, event: ScalarEvent) -> Scalar:
        """A scalar; an empty one without quotes is reported by the caller, who knows whose value is missing."""
        start, end, first = event.start_mark, event.end_mark, self.first
        line, end_line = start.line, end.line
        span = Span(self.file, line + first + 1, start.column + 1, end_line + first + 1, end.column + 1)
        text: str = event.value
        if event.anchor or event.tag:
            self.decorated(event, span)
        if event.style:
            if line != end_line and event.style in "\"'":
                self.long_text = span
            if not text.isprintable() and (hidden := source.INVISIBLE.search(text)):
                self.add(
                    "control-character",
                    span,
                    f"the text holds an invisible character, U+{ord(hidden[0]):04X}",
                    "delete the escape; only \\n and \\t may stand in a text",
                )
            return Scalar(span, text, text, False)
        if not text:
            return Scalar(span, None, "", False)
        if text[0] in NUMERIC_START:
            value = meaning(text)
        elif text in WORDS:
            value = WORDS[text]
        else:
            return Scalar(span, text, text, line == end_line)
        if isinstance(value, Complaint):
            self.complain(text, span, value)
            value = None
        return Scalar(span, value, text, line == end_line)

    def complain(self, text: str, span: Span, complaint: Complaint) -> None:
        if complaint.code == "null-value":
            self.add(
                "null-value",
                span,
                f"`{text}` is YAML's sign for nothing",
                f"leave the key out, or write {quoted(text)} for the text",
            )
            return
        if complaint.code == "decimal-number":
            message = f"`{text}` is {complaint.reads_as}; a game counts in whole numbers"
        elif complaint.code == "number-too-large":
            message = f"`{clip(text)}` is {complaint.reads_as}"
        else:
            message = f"`{clip(text)}` without quotes is read as {complaint.reads_as}"
        other = f", or {complaint.instead}" if complaint.instead else ""
        hint = f"write {quoted(clip(text))} for the text{other}"
        before = self.lines[span.line - 1][: span.column - 1]
        if complaint.code == "decimal-number" and before.endswith("version: ") and text.replace(".", "", 1).isdigit():
            hint = f"a version has three numbers: write `version: {clip(text)}.0`"
        self.add(complaint.code, span, message, hint)

    def too_deep(self, event: CollectionStartEvent) -> Mistake:
        span, line = self.span(event), event.start_mark.line + self.first
        message = f"more than {DEEPEST} mappings and lists stand inside each other"
        return Mistake("nested-too-deep", span, message, "give inner parts a name, as a verb or a column", line, line)

    def mapping(self, event: MappingStartEvent, depth: int) -> Map:
        if event.anchor or event.tag:
            self.decorated(event, self.span(event))
        if depth > DEEPEST:
            self.broken = self.too_deep(event)
        flow = event.flow_style
        end_of_flow: Event | None = None
        entries: list[tuple[Scalar, Node]] = []
        seen: dict[str, Scalar] = {}
        commas: list[Scalar] = []  # what followed an unquoted comma and was taken for a key
        get, scalar = self.next, self.scalar
        try:
            while not self.broken:
                event_of_key = get()
                if type(event_of_key) is ScalarEvent:
                    key = scalar(event_of_key)
                elif type(event_of_key) is MappingEndEvent:
                    end_of_flow = event_of_key if flow else None
                    break
                else:
                    key = self.strange_key(event_of_key, depth)
                name = key.text
                event_of_value = get()
                if type(event_of_value) is ScalarEvent:
                    value = scalar(event_of_value)
                    if value.value is None and not value.text and self.lonely(key, value, entries, bool(flow)):
                        commas.append(key)
                        continue
                elif name == "<<":
                    value = self.merged_value(event_of_value, depth)
                else:
                    value = self.node(event_of_value, depth + 1)
                    if self.broken and depth >= _BROKEN_BELOW:
                        break
                if commas:
                    self.unquoted_comma(entries, commas)
                if name == "<<" and key.plain:
                    self.merge_key(key)
                elif name in seen:
                    self.add(*_duplicate(key, seen[name]))
                elif name or key.value is not None:
                    seen[name] = key
                    entries.append((key, value))
        except yaml.YAMLError as error:
            self.fail(error)
            commas.clear()
            if entries and self.doubtful(entries[-1][1], depth):
                entries.pop()
        if commas:
            self.unquoted_comma(entries, commas)
        return Map(self.cover(event, end_of_flow, entries[-1][1] if entries else None), tuple(entries))

    def sequence(self, event: SequenceStartEvent, depth: int) -> Items:
        if event.anchor or event.tag:
            self.decorated(event, self.span(event))
        if depth > DEEPEST:
            self.broken = self.too_deep(event)
        end_of_flow: Event | None = None
        items: list[Node] = []
        get, scalar = self.next, self.scalar
        try:
            while not self.broken:
                inner = get()
                if type(inner) is ScalarEvent:
                    item = scalar(inner)
                    if item.value is None and not item.text:
                        dash = self.dash(item.span)
                        self.add(
                            "empty-value", dash, "an entry of this list has no value", "write one, or delete the dash"
                        )
                elif type(inner) is SequenceEndEvent:
                    end_of_flow = inner if event.flow_style else None
                    break
                else:
                    item = self.node(inner, depth + 1)
                    if self.broken:
                        break
                items.append(item)
        except yaml.YAMLError as error:
            self.fail(error)
            if items and self.doubtful(items[-1], depth):
                items.pop()
        return Items(self.cover(event, end_of_flow, items[-1] if items else None), tuple(items))

    def cover(self, event: Event, end_of_flow: Event | None, last: Node | None) -> Span:
        """The place of a collection: to its closing bracket or, without brackets, to the end of what it holds (the
        parser ends it only where the next thing begins)."""
        start, first = event.start_mark, self.first
        if end_of_flow:
            end = end_of_flow.end_mark
            return Span(self.file, start.line + first + 1, start.column + 1, end.line + first + 1, end.column + 1)
        if last:
            at = last.span
            return Span(self.file, start.line + first + 1, start.column + 1, at.end_line, at.end_column)
        return self.span(event)

    def doubtful(self, last: Node, depth: int) -> bool:
        """Whether the node before an error of syntax may be half of what was meant: it reaches into the line of the
        error, or the line belongs nowhere, and then most likely to it."""
        broken = self.broken
        if broken is None:
            return False
        return (broken.code == "indentation" and depth > 1) or last.span.end_line > broken.line

    def dash(self, span: Span) -> Span:
        """The place of the dash before a missing entry, which the parser places behind it."""
        line = self.lines[span.line - 1] if span.line <= len(self.lines) else ""
        at = line.rfind("-", 0, span.column - 1)
        return Span(self.file, span.line, at + 1, span.line, at + 2) if at >= 0 else span

    # --- what is refused

    def strange_key(self, event: Event | None, depth: int) -> Scalar:
        node = self.node(event, depth + 1)
        if not isinstance(node, Scalar):
            self.add(
                "key-not-a-word",
                node.span,
                "a key must be one word, not a list or a mapping",
                "write a name before the colon",
            )
        return Scalar(node.span, None, "", False)

    def lonely(self, key: Scalar, value: Scalar, entries: list[tuple[Scalar, Node]], flow: bool) -> bool:
        """A key without a value. True if it is the rest of a text behind an unquoted comma: `{text: a, b}`."""
        if not key.text:
            if key.value is None and not key.plain:
                self.add(
                    "key-not-a-word", key.span, "a key is missing before this colon", "write a name before the colon"
                )
            return False
        if flow and key.plain and (tight := _TIGHT.match(key.text)):
            colon = key.span.within(tight.end() - 1, tight.end())
            rest = f"{tight[0]} {clip(key.text[tight.end() :])}"
            self.add(
                "missing-space", colon, "no space follows the colon, so this is one word to YAML", f"write `{rest}`"
            )
            return False
        nothing_written = (value.span.line, value.span.column) == (key.span.end_line, key.span.end_column)
        if flow and nothing_written and entries:
            before = entries[-1][1]
            if isinstance(before, Scalar) and self.lines[before.span.line - 1][before.span.column - 1] not in "\"'":
                return True
        line = self.lines[key.span.end_line - 1]
        rest = line[key.span.end_column - 1 :].lstrip(": \t")
        if rest.startswith("#") and not flow:
            self.add(
                "empty-value",
                key.span,
                f"`{clip(key.text)}` has no value: what follows `#` is a comment",
                f"write `{clip(key.text)}: {quoted(clip(rest))}` if it is text",
            )
        else:
            self.add(
                "empty-value",
                key.span,
                f"`{clip(key.text)}` has no value",
                "write a value after the colon, or delete the key",
            )
        return False

    def unquoted_comma(self, entries: list[tuple[Scalar, Node]], commas: list[Scalar]) -> None:
        key, before = entries[-1]
        last = commas[-1].span
        start = before.span
        if start.line == last.end_line:
            text = self.lines[start.line - 1][start.column - 1 : last.end_column - 1]
        else:
            text = ", ".join([before.text if isinstance(before, Scalar) else "", *(comma.text for comma in commas)])
        self.add(
            "unquoted-comma",
            _cover(start, last),
            f"the comma ends the value of `{clip(key.text)}`; what follows is read as a key",
            f"write `{clip(key.text)}: {quoted(clip(text, 70))}`",
        )
        commas.clear()

    def merged_value(self, event: Event | None, depth: int) -> Node:
        """The value of a merge key: its aliases belong to the finding about the key."""
        before = {name: len(uses) for name, (_, uses) in self.anchors.items()}
        node = self.node(event, depth + 1)
        for name, (_, uses) in self.anchors.items():
            if len(uses) > before.get(name, 0):
                del uses[before.get(name, 0) :]
                self.merged.add(name)
        return node

    def merge_key(self, key: Scalar) -> None:
        self.add(
            "merge-key",
            key.span,
            "`<<` merges another mapping into this one, which every reader does differently",
            "write the keys out; what several items share stands once, in their kind",
        )

    def decorated(self, event: ScalarEvent | CollectionStartEvent, span: Span) -> None:
        """An anchor or a tag before a node."""
        line = self.lines[span.line - 1]
        anchor, tag = event.anchor, event.tag
        if anchor:
            at = line.find(f"&{anchor}", span.column - 1)
            place = span if at < 0 else Span(self.file, span.line, at + 1, span.line, at + 2 + len(anchor))
            self.anchors[anchor] = (place, [])
        if tag:
            at = max(line.find("!", span.column - 1), span.column - 1)
            end = next((k for k in range(at, len(line)) if line[k] in " ,]}"), len(line))
            self.add(
                "tag",
                Span(self.file, span.line, at + 1, span.line, end + 1),
                f"`{clip(line[at:end])}` is a tag, which packs do not use",
                "delete it; put quotes around what shall be text",
            )

    def alias(self, event: AliasEvent) -> Scalar:
        """The use of an anchor. It is never followed: so no few lines can stand for a million."""
        span = self.span(event)
        name = event.anchor
        if name in self.anchors:
            self.anchors[name][1].append(span)
        else:
            self.add(
                "anchor",
                span,
                f"`*{clip(name)}` repeats an anchor, and there is none of this name",
                f'write the value, or "*{clip(name)}" for the text',
            )
        return Scalar(span, None, f"*{name}", False)

    def anchored(self) -> None:
        for name, (span, uses) in self.anchors.items():
            if name in self.merged and not uses:
                continue
            related = tuple(Related(use, "used here") for use in uses[:5])
            times = f", used {count(len(uses), 'time')}" if uses else ""
            self.add(
                "anchor",
                span,
                f"`&{clip(name)}` is an anchor{times}; packs do not use them",
                "write the value out where it is used; what several items share stands once, in their kind",
                related,
            )
