"""The descriptions of models and keys, taken from the docstrings under the fields: what a designer reads in the editor.

Reading source text costs time, so this happens only when a schema is exported or a key is explained, never in a check.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import cache
from typing import Any

from ludoloom.schemas.base import Part, alias


def _one_line(text: str) -> str:
    return " ".join(inspect.cleandoc(text).split())


@cache
def _own(part: type[Part]) -> dict[str, str]:
    try:
        source = textwrap.dedent(inspect.getsource(part))
    except (OSError, TypeError):
        return {}  # a derived model has no source of its own
    body = ast.parse(source).body[0]
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    for statement, after in zip(body.body, body.body[1:], strict=False):
        if (
            isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
            and isinstance(after.value.value, str)
        ):
            found[alias(statement.target.id)] = _one_line(after.value.value)
    return found


@cache
def key_docs(part: type[Part]) -> dict[str, str]:
    """The description of each key of a part, those of its bases included."""
    patched: type[Part] | None = getattr(part, "patched", None)
    if patched is not None:
        return key_docs(patched)
    found: dict[str, str] = {}
    for base in reversed(part.__mro__):
        if issubclass(base, Part) and base is not Part:
            found.update(_own(base))
    for name, info in part.model_fields.items():
        if info.description:
            found[info.alias or alias(name)] = info.description
    return found


def describe(part: type[Part], schema: dict[str, Any]) -> None:
    """Write the descriptions of a part and its keys into its JSON Schema."""
    docs = key_docs(part)
    for key, value in schema.get("properties", {}).items():
        if key in docs:
            value["description"] = docs[key]
    if part.__doc__ and part.__doc__ != Part.__doc__:
        schema["description"] = _one_line(part.__doc__)
