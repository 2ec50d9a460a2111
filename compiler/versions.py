"""Versions of packs and the ranges an expansion asks for: ``1.2.0`` lies in ``>=1.0 <2``.

A version is one to three numbers with dots. A range is one or more comparisons beside each other; all must
hold, and a version without a sign means just that one.
"""

from __future__ import annotations

import re

Version = tuple[int, int, int]

_VERSION = re.compile(r"\d{1,6}(?:\.\d{1,6}){0,2}")
_TEST = re.compile(r"(>=|<=|==|>|<|)(\S+)")


def parse_version(text: str) -> Version | None:
    """`1.2` as (1, 2, 0); None if it is no version."""
    if not _VERSION.fullmatch(text):
        return None
    numbers = [int(part) for part in text.split(".")]
    numbers += [0] * (3 - len(numbers))
    return numbers[0], numbers[1], numbers[2]


def parse_range(text: str) -> list[tuple[str, Version]] | None:
    """The comparisons of a range in order; None if it is no range."""
    tests: list[tuple[str, Version]] = []
    for word in text.split():
        found = _TEST.fullmatch(word)
        version = parse_version(found[2]) if found else None
        if found is None or version is None:
            return None
        tests.append((found[1], version))
    return tests or None


def meets(version: Version, tests: list[tuple[str, Version]]) -> bool:
    """Whether the version passes all comparisons."""
    return all(_holds(version, sign, bound) for sign, bound in tests)


def _holds(version: Version, sign: str, bound: Version) -> bool:
    match sign:
        case ">=":
            return version >= bound
        case "<=":
            return version <= bound
        case ">":
            return version > bound
        case "<":
            return version < bound
        case _:
            return version == bound
