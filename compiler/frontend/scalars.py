"""What an unquoted word of YAML is: a whole number, yes or no, or text. Nothing else.

>>> meaning("3"), meaning("true"), meaning("tile.links")
(3, True, 'tile.links')
>>> meaning("no")
Complaint(code='yaml-reads-differently', reads_as='the yes/no value false', instead='false')

YAML readers disagree about many unquoted words: what one reads as text is a number, a date or a yes/no value for
another (PyYAML reads ``012`` as ten, others as twelve). So only what every reader reads alike is accepted; for the rest
the answer is a complaint, and the author writes quotes. This module is pure: it knows neither files nor places."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

LEAST: Final = -(2**31)
MOST: Final = 2**31 - 1

# The first characters of an unquoted word that may be read as a number or a date; all other words need one dictionary
# look-up.
NUMERIC_START: Final = frozenset("0123456789+-.")

_TRUTHS: Final = ("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "True", "TRUE")
_FALSEHOODS: Final = ("n", "N", "no", "No", "NO", "off", "Off", "OFF", "False", "FALSE")
_NOTHINGS: Final = ("~", "null", "Null", "NULL")


@dataclass(frozen=True, slots=True)
class Complaint:
    """Why a word may not stand unquoted: the code of the finding, what YAML reads it as, and what may be written
    instead of quotes ('' if only quotes help)."""

    code: str
    reads_as: str
    instead: str = ""


# Every word that is not text although it has letters only (or is one of YAML's special signs).
WORDS: Final[dict[str, bool | Complaint]] = {
    "true": True,
    "false": False,
    **dict.fromkeys(_TRUTHS, Complaint("yaml-reads-differently", "the yes/no value true", "true")),
    **dict.fromkeys(_FALSEHOODS, Complaint("yaml-reads-differently", "the yes/no value false", "false")),
    **dict.fromkeys(_NOTHINGS, Complaint("null-value", "nothing")),
    "=": Complaint("yaml-reads-differently", "YAML's sign for a default value"),
}

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)")
_SUSPECTS: Final[tuple[tuple[re.Pattern[str], Complaint], ...]] = (
    (
        re.compile(r"[-+]?0[0-9_]+(?:\.[0-9_]*)?"),
        Complaint(
            "yaml-reads-differently",
            "an octal number by some and a decimal one by others",
            "it without the leading zero",
        ),
    ),
    (
        re.compile(r"[-+]?(?:0x[0-9a-fA-F_]+|0o[0-7_]+|0b[01_]+)"),
        Complaint("yaml-reads-differently", "a number in another base", "the number in decimal digits"),
    ),
    (
        re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"),
        Complaint("yaml-reads-differently", "a number to the base sixty"),
    ),
    (
        re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?"),
        Complaint("yaml-reads-differently", "a date"),
    ),
    (
        re.compile(r"[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)[eE][-+]?[0-9]+"),
        Complaint("yaml-reads-differently", "a number with an exponent", "the number in full"),
    ),
    (
        re.compile(r"[-+]?[0-9][0-9_]*_[0-9_]*"),
        Complaint("yaml-reads-differently", "a number by some and text by others", "the digits without `_`"),
    ),
    (
        re.compile(r"\+[0-9]+"),
        Complaint("yaml-reads-differently", "a number whose sign is lost", "the number without `+`"),
    ),
    (
        re.compile(r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*|\.(?:inf|Inf|INF))|\.(?:nan|NaN|NAN)"),
        Complaint("decimal-number", "a number with a fraction", "a whole number"),
    ),
)
_TOO_LARGE: Final = Complaint("number-too-large", "a number beyond 32 bits", f"a number from {LEAST} to {MOST}")


def meaning(word: str) -> int | bool | str | Complaint:
    """The value of the unquoted, non-empty `word`, or why it may not stand like this."""
    if word[0] not in NUMERIC_START:
        return WORDS.get(word, word)
    if _WHOLE.fullmatch(word):
        # Eleven characters hold every 32-bit number; so no number of a million digits is ever converted.
        return number if len(word) <= 11 and LEAST <= (number := int(word)) <= MOST else _TOO_LARGE
    for pattern, complaint in _SUSPECTS:
        if pattern.fullmatch(word):
            return complaint
    return word


def quoted(text: str) -> str:
    """`text` as a YAML string on one line, with the quotes that need the fewest escapes.

    >>> print(quoted("Forced: take 2"), quoted('say "hi"'))
    "Forced: take 2" 'say "hi"'
    """
    if '"' in text or "\\" in text:
        if "'" not in text and "\n" not in text:
            return f"'{text}'"
        text = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + text.replace("\n", "\\n") + '"'
