"""From the bytes of a file to its text: encoding, size, characters that no author can see, leftovers of a merge.

What comes out is what YAML may be parsed from: every character is one column, every line break one of ``\\n``,
``\\r\\n``, ``\\r``, and nothing in it can make the YAML reader fail for a reason that an author would not understand.
"""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
from pathlib import Path
from typing import BinaryIO, Final

from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.frontend.nodes import Span

LARGEST_FILE: Final = 8 * 1024 * 1024
_SHOWN_AT_MOST: Final = 5  # findings of one sort in one file; a binary file would give thousands

_LINE_BREAK = re.compile(r"\r\n|\n|\r")
# Control characters but tab and line breaks; NEL, LS and PS, which only some readers take for line breaks; byte-order
# marks inside.
INVISIBLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_STRANGE = "\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000"
_STRANGE_INDENT: Final = re.compile(f"^ *([{_STRANGE}])[ {_STRANGE}]*(?=\\w+:|- )", re.MULTILINE)
"""Spaces before a key or a dash that YAML takes for text, as web pages and chats leave them."""
_CONTROL_BYTES: Final = bytes({*range(32), 127} - set(b"\t\n\r"))
_CONFLICT = re.compile(r"^(?:<{7}|={7}|\|{7}|>{7})(?=[ \r\n]|\Z)", re.MULTILINE)

_WIDE_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


def open_ordinary(path: str | Path) -> BinaryIO:
    """A file of a pack, opened to be read. An OSError for whatever else may stand at the path: opening a named pipe
    would wait for a writer who never comes, and a device may have no end."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "this is no ordinary file", str(path))
    return open(path, "rb")


def split_lines(text: str) -> list[str]:
    """The lines of a text as the YAML reader counts them (``str.splitlines`` also breaks at form feeds and others)."""
    return _LINE_BREAK.split(text) if "\r" in text else text.split("\n")


def place(text: str, offset: int) -> tuple[int, int]:
    """Line and column, from 1, of the character at `offset`."""
    line, start = 1, 0
    for match in _LINE_BREAK.finditer(text, 0, offset):
        line, start = line + 1, match.end()
    return line, offset - start + 1


def decode(data: bytes, file: str, bag: Bag) -> str | None:
    """The text of a file, or None if it cannot be read at all; reports what is wrong with it. A byte-order mark of
    UTF-8 is accepted and removed, so that it moves no column."""
    top = Span(file, 1, 1, 1, 1)
    if len(data) > LARGEST_FILE:
        bag.add(
            "file-too-large",
            top,
            f"the file has more than the {LARGEST_FILE // 1024 // 1024} MB that are read",
            "spread its sections over several files: a pack is the union of its files",
        )
        return None
    wide = next((name for mark, name in _WIDE_MARKS if data.startswith(mark)), "")
    if not wide and len(data) >= 4 and 0 in data[:2] and data[:2] != b"\0\0":
        wide = "UTF-16"  # without its mark: every other byte of plain English is zero
    if wide:
        bag.add("wrong-encoding", top, f"the file is written in {wide}", "save it as UTF-8")
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", "replace")
        line, column = place(before, len(before))
        bag.add(
            "wrong-encoding",
            Span(file, line, column, line, column + 1),
            f"the byte 0x{data[error.start]:02x} is not UTF-8",
            "the file was saved in an older encoding, or it is not text: save it as UTF-8",
        )
        return None
    # Most files are plain ASCII without control characters, which two looks at the bytes tell; the pattern is slow.
    if data.isascii() and len(data.translate(None, _CONTROL_BYTES)) == len(data):
        return text
    if INVISIBLE.search(text):
        text = _without_invisible(text, file, bag)
    return text if text.isascii() else _with_plain_indentation(text, file, bag)


def _without_invisible(text: str, file: str, bag: Bag) -> str:
    """Report characters that nobody can see and put a space in their place, so that all the rest is checked."""
    for count, match in enumerate(INVISIBLE.finditer(text)):
        if count == _SHOWN_AT_MOST:
            break
        line, column = place(text, match.start())
        bag.add(
            "control-character",
            Span(file, line, column, line, column + 1),
            f"an invisible character, U+{ord(match[0]):04X}, stands here",
            "delete it",
        )
    return INVISIBLE.sub(" ", text)


def _with_plain_indentation(text: str, file: str, bag: Bag) -> str:
    """Report strange spaces in indentations and put ordinary ones in their place, so that all the rest is checked."""
    for count, match in enumerate(_STRANGE_INDENT.finditer(text)):
        if count == _SHOWN_AT_MOST:
            break
        line, column = place(text, match.start(1))
        bag.add(
            "control-character",
            Span(file, line, column, line, column + 1),
            f"the indentation holds U+{ord(match[1]):04X}, which looks like a space and is none for YAML",
            "indent with ordinary spaces",
        )
    return _STRANGE_INDENT.sub(lambda match: " " * len(match[0]), text)


def has_conflicts(text: str, file: str, bag: Bag) -> bool:
    """Whether marks of an unfinished merge (``<<<<<<<`` …) stand in the text; each conflict is reported once, with the
    places of its other marks. A text with such marks is not worth parsing: it would give a hundred errors about one
    fault."""
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return False
    marks = [
        (match[0], Span(file, *(at := place(text, match.start())), at[0], at[1] + 7)) for match in _conflicts(text)
    ]
    groups: list[list[tuple[str, Span]]] = []
    for mark, span in marks:
        if mark[0] == "<" or not groups:
            groups.append([])
        groups[-1].append((mark, span))
    for group in groups:
        words = {
            "|": "what both sides began from",
            "=": "the other side",
            ">": "the end of the conflict",
            "<": "the start",
        }
        others = tuple(Related(span, words[mark[0]]) for mark, span in group[1:])
        bag.add(
            "merge-conflict",
            group[0][1],
            "a mark of an unfinished merge",
            "choose one side and delete the marks",
            others,
        )
    return bool(groups)


def _conflicts(text: str) -> list[re.Match[str]]:
    found = list(_CONFLICT.finditer(text))
    # A line of seven equal signs alone is a heading, not a conflict.
    return found[:200] if any(match[0][0] in "<>" for match in found) else []
