"""Every diagnostic code, once: slug, severity, one line. A code is never used again for something else.

The page that explains a code is `explain/<code>.md` beside this file; a test sees to it that each code has one and that
its examples raise it and do not raise it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Code:
    slug: str
    severity: str  # error, warning or note
    title: str


_ROWS: Final[tuple[Code, ...]] = (
    # --- the file itself
    Code("anchor", "error", "an anchor or alias (`&name`, `*name`), which packs do not use"),
    Code("bad-escape", "error", "a backslash in double quotes that means nothing"),
    Code("control-character", "error", "a character that nobody can see"),
    Code("decimal-number", "error", "a number with a fraction"),
    Code("directive", "error", "a `%` directive before the document"),
    Code("duplicate-key", "error", "the same key twice in one mapping"),
    Code("empty-file", "error", "a file without content"),
    Code("empty-value", "error", "a key or an entry without a value"),
    Code("file-too-large", "error", "a file of more than 8 MB"),
    Code("flow-syntax", "error", "a comma that is missing or too many inside brackets"),
    Code("indentation", "error", "a line that begins in a column where nothing can stand"),
    Code("key-not-a-word", "error", "a list, a mapping or nothing in the place of a key"),
    Code("merge-conflict", "error", "marks of an unfinished merge"),
    Code("merge-key", "error", "the merge key `<<`, which packs do not use"),
    Code("missing-colon", "error", "a line among keys that has no colon"),
    Code("missing-space", "error", "a colon without a space behind it"),
    Code("nested-too-deep", "error", "too many mappings and lists inside each other"),
    Code("not-a-mapping", "error", "a file that is no mapping of sections"),
    Code("null-value", "error", "YAML's sign for nothing, `~` or `null`"),
    Code("number-too-large", "error", "a number beyond 32 bits"),
    Code("several-documents", "error", "more than one YAML document in a file"),
    Code("syntax", "error", "something that is not YAML"),
    Code("tab-indentation", "error", "a tab where only spaces may stand"),
    Code("tag", "error", "a tag (`!name`), which packs do not use"),
    Code("unclosed-bracket", "error", "a bracket that is not closed, or closes nothing"),
    Code("unclosed-quote", "error", "a quote that is never closed"),
    Code("unquoted-comma", "error", "a comma that cuts a text inside brackets in two"),
    Code("unquoted-text", "error", "text that YAML does not take without quotes"),
    Code("unreadable", "error", "a file that is missing or cannot be read"),
    Code("wrong-encoding", "error", "a file that is not UTF-8"),
    Code("yaml-reads-differently", "error", "an unquoted word that YAML readers take for something else"),
    # --- the check itself
    Code("nothing-checked", "error", "no file was found to check"),
    Code("allow-of-error", "warning", "a comment that tries to silence an error"),
    Code("bad-allow", "warning", "a `# ludoloom:` comment that is not `allow CODE reason`"),
    Code("unused-allow", "warning", "a comment that silences nothing"),
    # --- words and types
    # --- declarations
    # --- acts
    # --- triggers, modifiers, ends, texts
    # --- scenarios and the ledger
)

CODES: Final[dict[str, Code]] = {row.slug: row for row in _ROWS}
