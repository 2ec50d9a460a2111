"""From a parser's complaint to an author's mistake.

A YAML parser says where it could not go on ("did not find expected key"); what the author did stands often elsewhere:
text that needs quotes, a bracket that was never closed, a tab. `recognise` looks at the complaint and the line, and
gives the finding in the author's words. Where the intended line is beyond doubt (text without quotes), it gives that
line too: the reader goes on with it, so that one slip does not hide all that follows.

Both parsers of PyYAML (libyaml's and the one in Python) say the same in slightly different words; the table below knows
both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ludoloom.compiler.diagnostics.model import Related
from ludoloom.compiler.diagnostics.wording import clip
from ludoloom.compiler.frontend.nodes import Span
from ludoloom.compiler.frontend.scalars import quoted


@dataclass(frozen=True, slots=True)
class Trouble:
    """What the parser said: the words, where it stopped (line and column from 0), and where the construct began.
    `quote` is where a text over several lines was opened that closed just before, on the line where the parser
    stopped."""

    problem: str
    line: int
    column: int
    context: str = ""
    context_line: int = -1
    context_column: int = -1
    quote: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Mistake:
    """The finding for it. `line` is where reading stopped (from 0), `began` where the broken construct begins;
    `repaired` is the line as it was meant, or None if nobody can know."""

    code: str
    span: Span
    message: str
    hint: str
    line: int
    began: int
    related: tuple[Related, ...] = ()
    repaired: str | None = None


_SORTS: Final[tuple[tuple[str, str], ...]] = (
    ("violates indentation", "tab"),
    ("mapping values are not allowed", "colon"),
    ("sequence entries are not allowed", "dash"),
    ("mapping keys are not allowed", "question"),
    ("cannot start any token", "start"),
    ("comment or line break", "block-header"),
    ("comment or a line break", "block-header"),
    ("chomping or indentation indicators", "block-header"),
    ("expected ',' or", "flow"),
    ("expected node content", "nothing"),
    ("expected the node content", "nothing"),
    ("unexpected end of stream", "endless-quote"),
    ("unexpected document separator", "endless-quote"),
    ("unexpected document indicator", "endless-quote"),
    ("unknown escape", "escape"),
    ("hexdecimal", "escape"),
    ("hexadecimal", "escape"),
    ("invalid Unicode character", "escape"),
    ("expected ':'", "no-colon"),
    ("expected key", "key"),
    ("expected '-'", "key"),
    ("expected <block end>", "key"),
    ("expected alphabetic or numeric", "name"),
    ("expected <document start>", "key"),
)

# `- - key: value`, as far as it goes on one line: what stands before the value, the key, the value.
_PAIR = re.compile(r"^(?P<before>\s*(?:- +)*(?P<key>[^\s#'\"\[\]{},&*!|>%@`-][^#:]*?)\s*:\s+)(?P<value>\S.*?)\s*$")
_ENTRY = re.compile(r"^(?P<before>\s*(?:- +)+)(?P<value>\S.*?)\s*$")
_TIGHT = re.compile(r"^\s*(?:- +)*[A-Za-z_][A-Za-z0-9_]*:(?=[^\s:])")
_COMMENT = re.compile(r"\s#.*$")
_CLOSING: Final = {"{": "}", "[": "]"}


def recognise(trouble: Trouble, lines: Sequence[str], file: str) -> Mistake:
    """The mistake behind a complaint of the parser. `lines` are the lines of the file that was parsed."""
    sort = next((sort for words, sort in _SORTS if words in trouble.problem), "")
    line = lines[trouble.line] if trouble.line < len(lines) else ""
    indent = line[: len(line) - len(line.lstrip())]
    if sort == "tab" or "\t" in indent or line[trouble.column : trouble.column + 1] == "\t":
        return _tab(trouble, lines, file)
    if sort == "endless-quote":
        return _endless_quote((trouble.context_line, trouble.context_column), trouble, lines, file)
    if trouble.quote:
        # A quote was forgotten, and the next one of the file, lines below, closed the text and opened the trouble.
        return _endless_quote(trouble.quote, trouble, lines, file)
    if sort == "escape":
        return _escape(trouble, line, file)
    if sort == "flow":
        return _flow(trouble, lines, file)
    if sort in ("colon", "dash", "question", "start", "block-header", "key", "name") and (
        found := _unquoted(trouble, sort, line, file)
    ):
        return found
    if sort in ("colon", "key"):
        return _misplaced(trouble, sort, lines, file)
    if sort == "no-colon":
        return _no_colon(trouble, lines, file)
    if sort == "nothing":
        return _nothing(trouble, line, file)
    if sort == "start" and line[trouble.column : trouble.column + 1] in "@`%":
        sign = line[trouble.column]
        return _make(
            "unquoted-text",
            trouble,
            file,
            f"nothing may begin with `{sign}` unless it stands in quotes",
            "put quotes around it",
        )
    if "nesting" in trouble.problem:  # newer parsers count themselves, long after any sensible file
        message = "too many mappings and lists stand inside each other"
        return _make("nested-too-deep", trouble, file, message, "give inner parts a name, as a verb or a column")
    return _make("syntax", trouble, file, f"this is not YAML: {trouble.problem}", "compare with the lines above")


def _make(
    code: str,
    trouble: Trouble,
    file: str,
    message: str,
    hint: str,
    *,
    line: int | None = None,
    columns: tuple[int, int] | None = None,
    related: tuple[Related, ...] = (),
    repaired: str | None = None,
) -> Mistake:
    at = trouble.line if line is None else line
    start, end = columns or (trouble.column, trouble.column + 1)
    began = trouble.context_line if trouble.context_line >= 0 else at
    span = Span(file, at + 1, start + 1, at + 1, max(end, start + 1) + 1)
    return Mistake(code, span, message, hint, trouble.line, min(began, at), related, repaired)


def _tab(trouble: Trouble, lines: Sequence[str], file: str) -> Mistake:
    line = lines[trouble.line]
    indent = line[: len(line) - len(line.lstrip())]
    column = indent.find("\t") if "\t" in indent else trouble.column
    others = sum("\t" in other[: len(other) - len(other.lstrip())] for other in lines) - ("\t" in indent)
    more = f" (and on {others} more line{'s' * (others > 1)} of this file)" if others else ""
    if column < len(indent):
        return _make(
            "tab-indentation",
            trouble,
            file,
            f"a tab is used for indentation{more}",
            "indent with spaces: two for each level",
            columns=(column, len(indent)),
        )
    return _make("tab-indentation", trouble, file, "a tab stands where YAML allows only spaces", "write spaces")


def _unquoted(trouble: Trouble, sort: str, line: str, file: str) -> Mistake | None:
    """Text that YAML does not take without quotes: `text: Forced: take 2`, `text: - draw`, `text: @home`, `text: [x]
    y`."""
    match = _PAIR.match(line) or _ENTRY.match(line)
    if not match or trouble.column < match.start("value"):
        return None
    value = match["value"]
    opening, start = value[0], match.start("value")
    if sort == "key":
        if trouble.column == start or opening not in "\"'[{*&!":
            return None
        if opening in "[{" and not _COMMENT.sub("", line)[trouble.column :].strip("]}, "):
            return _make(
                "unclosed-bracket",
                trouble,
                file,
                f"this `{line[trouble.column]}` closes nothing",
                "delete it",
                repaired=line[: trouble.column].rstrip(),
            )
    if opening in "[{" and trouble.column > start and sort in ("start", "block-header", "name"):
        return _unquoted_inside(trouble, match["value"], start, line, file)
    value = _COMMENT.sub("", value)
    text = _bare(value)
    reason = {
        "colon": "text that holds `: ` needs quotes",
        "dash": "text that begins with `- ` needs quotes",
        "question": "text that begins with `? ` needs quotes",
    }.get(sort, f"text that begins with {'a backtick' if opening == '`' else f'`{opening}`'} needs quotes")
    if sort == "colon" and opening in "\"'":
        reason = "something follows the closing quote"
    shown = f"{match['key']}: " if "key" in match.groupdict() else "- "
    return _make(
        "unquoted-text",
        trouble,
        file,
        reason,
        f"write `{shown}{quoted(text)}`",
        columns=(start, start + len(value)),
        repaired=line[:start] + quoted(text) + line[start + len(value) :],
    )


_INSIDE = re.compile(r"""(?P<key>[A-Za-z_][A-Za-z0-9_.]*:\s+)?(?P<text>[@`%>|*&!][^,{}\[\]#]*)""")
_SEPARATORS: Final = "{[,"


def _unquoted_inside(trouble: Trouble, value: str, start: int, line: str, file: str) -> Mistake | None:
    """The same among brackets, where only that one text needs quotes: `{with: {price: >=3}, do: []}`."""
    for match in _INSIDE.finditer(line, start, start + len(value)):
        text = match["text"].rstrip()
        at = match.start("text")
        if line[: match.start()].rstrip()[-1:] in _SEPARATORS and at <= trouble.column <= at + len(text):
            opening = "a backtick" if text[0] == "`" else f"`{text[0]}`"
            return _make(
                "unquoted-text",
                trouble,
                file,
                f"text that begins with {opening} needs quotes",
                f"write `{match['key'] or ''}{quoted(text)}`",
                columns=(at, at + len(text)),
                repaired=line[:at] + quoted(text) + line[at + len(text) :],
            )
    return None


def _bare(value: str) -> str:
    """The text meant by a value with quotes in the wrong places: the outer pair is the author's attempt at quoting."""
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


def _misplaced(trouble: Trouble, sort: str, lines: Sequence[str], file: str) -> Mistake:
    """A key where no key can stand: indentation that fits nothing, or a line above that is no `key: value`."""
    line = lines[trouble.line] if trouble.line < len(lines) else ""
    indent = len(line) - len(line.lstrip())
    above = next((k for k in range(min(trouble.line, len(lines)) - 1, -1, -1) if _content(lines[k])), None)
    whole = (indent, len(_COMMENT.sub("", line).rstrip()))
    if line.lstrip().startswith(":"):
        return _make(
            "key-not-a-word", trouble, file, "a key is missing before this colon", "write a name before the colon"
        )
    # The parser took this line and the one above for one text, and then met the colon.
    misread = sort == "colon"
    if above is not None:
        before = _COMMENT.sub("", lines[above])
        tight = _TIGHT.match(before)
        depth = len(before) - len(before.lstrip())
        related = (Related(Span(file, above + 1, depth + 1, above + 1, len(before.rstrip()) + 1), "the line above"),)
        if tight and (misread or depth == indent):
            end = tight.end()
            return _make(
                "missing-space",
                trouble,
                file,
                "no space follows the colon, so this is one word to YAML",
                f"write `{before.strip()[: end - depth]} {clip(before[end:])}`",
                line=above,
                columns=(end - 1, end),
                repaired=None,
            )
        if (
            (misread or depth == indent)
            and not _PAIR.match(before)
            and not before.rstrip().endswith(":")
            and not before.lstrip().startswith("-")
        ):
            return _make(
                "missing-colon",
                trouble,
                file,
                f"`{clip(before)}` is no `key: value`",
                "write a colon and a space after the key",
                line=above,
                columns=(depth, len(before.rstrip())),
            )
        if indent > depth and _PAIR.match(before):
            return _make(
                "indentation",
                trouble,
                file,
                "this line stands deeper than the line above, which has its value already",
                "give both the same indentation, or move the value of the line above into lines of its own",
                columns=whole,
                related=related,
            )
    if line.lstrip().startswith("- "):
        return _make(
            "indentation",
            trouble,
            file,
            "an entry of a list stands among keys",
            "a list stands below its own key, or inside `[ ]` behind it",
            columns=whole,
        )
    return _make(
        "indentation",
        trouble,
        file,
        "the indentation of this line fits no line above",
        "begin it in the same column as the lines it belongs to",
        columns=whole,
    )


def _content(line: str) -> bool:
    stripped = line.strip()
    return bool(stripped) and not stripped.startswith("#")


def _no_colon(trouble: Trouble, lines: Sequence[str], file: str) -> Mistake:
    at = trouble.context_line if trouble.context_line >= 0 else trouble.line
    line = lines[at] if at < len(lines) else ""
    start = len(line) - len(line.lstrip())
    tight = _TIGHT.match(line)
    if tight:
        return _make(
            "missing-space",
            trouble,
            file,
            "no space follows the colon, so this is one word to YAML",
            f"write `{line[start : tight.end()]} {clip(line[tight.end() :])}`",
            line=at,
            columns=(tight.end() - 1, tight.end()),
            repaired=None,
        )
    return _make(
        "missing-colon",
        trouble,
        file,
        f"`{clip(line)}` is no `key: value`",
        "write a colon and a space after the key",
        line=at,
        columns=(start, len(line.rstrip())),
    )


def _endless_quote(opened: tuple[int, int], trouble: Trouble, lines: Sequence[str], file: str) -> Mistake:
    line, column = opened
    quote = lines[line][column : column + 1]
    mistake = _make(
        "unclosed-quote",
        trouble,
        file,
        f"the quote {quote} that opens here is never closed",
        f"write {quote} at the end of the text",
        line=line,
        columns=(column, column + 1),
    )
    # All that follows was swallowed as text: reading goes on behind the line of the quote.
    return replace(mistake, line=line, began=line)


def _escape(trouble: Trouble, line: str, file: str) -> Mistake:
    start = trouble.column
    while start > 0 and line[start : start + 1] != "\\":
        start -= 1
    return _make(
        "bad-escape",
        trouble,
        file,
        f"`{line[start : start + 2]}` has no meaning inside double quotes",
        "write `\\\\` for a backslash, or use single quotes",
        columns=(start, start + 2),
    )


def _flow(trouble: Trouble, lines: Sequence[str], file: str) -> Mistake:
    """Inside `{ }` or `[ ]` something else than a comma or the closing bracket was met."""
    opened = lines[trouble.context_line][trouble.context_column : trouble.context_column + 1]
    line = lines[trouble.line] if trouble.line < len(lines) else ""
    met = line[trouble.column : trouble.column + 1]
    at_open = Span(
        file, trouble.context_line + 1, trouble.context_column + 1, trouble.context_line + 1, trouble.context_column + 2
    )
    opener = (Related(at_open, f"the `{opened}` stands here"),)
    if met in ("}", "]"):
        return _make(
            "unclosed-bracket",
            trouble,
            file,
            f"`{met}` does not close the `{opened}` that is open",
            f"write `{_CLOSING.get(opened, '}')}` first",
            related=opener,
        )
    before = line[: trouble.column]
    cut = max(before.rfind(sign) for sign in (",", "{", "[", ": "))
    inside = before[cut + 1 :].strip() if cut >= 0 else ""
    if met == ":" and inside:
        start = cut + 1 + len(before[cut + 1 :]) - len(before[cut + 1 :].lstrip())
        key = before[:cut].rstrip().rsplit(" ", 1)[-1].strip("{[,") if before[cut : cut + 2] == ": " else ""
        if " " not in inside:
            rest = re.split(r"[,}\]]", line[trouble.column :], maxsplit=1)[0]
            text = inside + rest.rstrip()
            return _make(
                "unquoted-text",
                trouble,
                file,
                "text that holds `: ` needs quotes",
                f"write `{key + ': ' if key else ''}{quoted(text)}`",
                columns=(start, start + len(text)),
                repaired=line[:start] + quoted(text) + line[start + len(text) :],
            )
        word = inside.rsplit(" ", 1)[-1]
        return _make(
            "flow-syntax",
            trouble,
            file,
            f"a second `:` follows `{clip(inside)}`",
            f"write a comma before `{clip(word)}`, or put the text in quotes",
            columns=(start, trouble.column + 1),
            related=opener,
        )
    if met and inside and before.strip():
        return _make(
            "flow-syntax",
            trouble,
            file,
            f"`{clip(line[trouble.column :], 12)}` follows where a comma or `{_CLOSING.get(opened, '}')}` must stand",
            "write a comma between two entries; put quotes around the whole text",
            related=opener,
        )
    noticed = (
        Related(Span(file, trouble.line + 1, trouble.column + 1, trouble.line + 1, trouble.column + 2), "noticed here"),
    )
    return _make(
        "unclosed-bracket",
        trouble,
        file,
        f"the `{opened}` that opens here is never closed",
        f"write `{_CLOSING.get(opened, '}')}` where it ends",
        line=trouble.context_line,
        columns=(trouble.context_column, trouble.context_column + 1),
        related=noticed if line else (),
    )


def _nothing(trouble: Trouble, line: str, file: str) -> Mistake:
    met = line[trouble.column : trouble.column + 1]
    if met in (",", "]", "}"):
        return _make(
            "flow-syntax",
            trouble,
            file,
            f"nothing stands before this `{met}`",
            "delete a comma, or write what is missing",
        )
    if match := _PAIR.match(line):
        return _make(
            "unquoted-text",
            trouble,
            file,
            f"text that begins with `{match['value'][0]}` needs quotes",
            f"write `{match['key']}: {quoted(_bare(match['value']))}`",
            columns=match.span("value"),
            repaired=match["before"] + quoted(_bare(match["value"])),
        )
    return _make("syntax", trouble, file, "a value is missing here", "write a value, or delete the key")
