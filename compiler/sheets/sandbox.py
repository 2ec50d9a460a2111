"""Jinja for templates that somebody else wrote: they see the values they are given, and cannot run away.

Jinja's own sandbox keeps templates from reaching into Python. It does not keep them from taking for ever or filling the
memory (`{% for … %}` in itself, a text doubled forty times), so here each turn of a loop and each call is counted, and
what grows is bounded. Filters that are of no use on a card are left out, with those that are random or read clocks.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from typing import Any, Final, cast

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment

MOST_STEPS: Final = 100_000
"""Turns of loops and calls while one face is drawn."""
MOST_SIGNS: Final = 200_000
"""Characters of a text, entries of a list."""
MOST_BITS: Final = 256
FILTERS: Final = (
    "abs", "batch", "capitalize", "count", "d", "default", "dictsort", "first", "float", "groupby", "int", "items",
    "join", "last", "length", "list", "lower", "map", "max", "min", "reject", "rejectattr", "replace", "reverse",
    "round", "select", "selectattr", "sort", "string", "sum", "title", "trim", "unique", "upper",
)  # fmt: skip
METHODS: Final = (
    "capitalize", "endswith", "items", "keys", "lower", "split", "startswith", "strip", "title", "upper", "values"
)  # fmt: skip
"""What of the methods of texts, lists and mappings a template may call."""


def _size(data: object) -> int:
    return len(data) if isinstance(data, str | list | tuple | dict) else 0  # pyright: ignore[reportUnknownArgumentType]


def _bounded(data: object) -> object:
    if _size(data) > MOST_SIGNS:
        raise SecurityError(f"nothing on a card is longer than {MOST_SIGNS} characters")
    return data


class Code(str):
    """Typst code: written by this package, or by a template around the data that it was given. It is put into a hole as
    it is."""

    __slots__ = ()


class _Generator(CodeGenerator):
    """Notes the line of every piece of a template: Jinja does not for plain text, and Typst complains about that."""

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:
        for child in node.nodes:
            self.newline(child)
            super().visit_Output(nodes.Output([child], lineno=child.lineno), frame)


class Sandbox(ImmutableSandboxedEnvironment):
    """The environment of all templates. `begin` resets what is counted."""

    code_generator_class = _Generator
    intercepted_binops = frozenset({"+", "*", "**", "%", "//", "/", "-"})

    def __init__(self, loader: jinja2.BaseLoader, finalize: Callable[..., str]) -> None:
        super().__init__(
            loader=loader,
            undefined=jinja2.StrictUndefined,
            finalize=finalize,
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self.steps = 0
        self.held: list[str] = []
        """The values that the template has handed over, as Typst literals."""
        known = cast("dict[str, Callable[..., Any]]", self.filters)
        self.filters = {name: known[name] for name in FILTERS} | {
            "_counted": self._counted,
            "_joined": self._joined,
            "replace": self._replaced,
            "join": self._join,
        }
        self.globals = {"range": self._range}

    def begin(self) -> None:
        self.steps = 0
        self.held = []

    def _step(self, number: int = 1) -> None:
        self.steps += number
        if self.steps > MOST_STEPS:
            raise SecurityError(f"a face may not take more than {MOST_STEPS} steps to draw")

    # --- what runs often

    def _range(self, *bounds: int) -> range:
        found = range(*bounds)
        if len(found) > MOST_STEPS:
            raise SecurityError(f"a loop may not have more than {MOST_STEPS} turns")
        return found

    def _counted(self, source: Iterable[object]) -> list[object]:
        """What a loop goes over, its turns counted."""
        found = list(source)
        self._step(len(found) + 1)
        return found

    def call(self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        self._step()
        if not isinstance(__obj, Macro | types.MethodType) and (name := getattr(__obj, "__name__", "")) not in METHODS:
            raise SecurityError(f"`{name}` is not there; use a filter")
        found = _bounded(super().call(__context, __obj, *args, **kwargs))
        return Code(found) if isinstance(__obj, Macro) else found

    # --- what grows

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "%" and isinstance(left, str):
            raise SecurityError("texts are not formatted with `%`; use `~`")
        if operator == "**" and (abs(right) > 64 or abs(left) > 1_000_000):
            raise SecurityError("a power that large is not needed on a card")
        if operator == "*" and _size(left) * (right if isinstance(right, int) else 0) > MOST_SIGNS:
            _bounded("x" * (MOST_SIGNS + 1))
        if operator == "*" and _size(right) * (left if isinstance(left, int) else 0) > MOST_SIGNS:
            _bounded("x" * (MOST_SIGNS + 1))
        found = super().call_binop(context, operator, left, right)
        if isinstance(found, int) and found.bit_length() > MOST_BITS:
            raise SecurityError("a number that large is not needed on a card")
        return _bounded(found)

    def _joined(self, *parts: object) -> str:
        return cast("str", _bounded("".join(str(part) for part in parts)))

    def _join(self, parts: Iterable[object], between: object = "") -> str:
        rows = [str(part) for part in self._counted(parts)]
        if sum(map(len, rows)) + len(str(between)) * len(rows) > MOST_SIGNS:
            _bounded("x" * (MOST_SIGNS + 1))
        return str(between).join(rows)

    def _replaced(self, text: object, old: str, new: str) -> str:
        text = str(text)
        if old == "" or text.count(old) * len(new) + len(text) > MOST_SIGNS:
            raise SecurityError("`replace` needs something to replace, and room for what comes instead")
        return text.replace(old, new)

    # --- how templates are compiled

    def _generate(
        self, source: nodes.Template, name: str | None, filename: str | None, defer_init: bool = False
    ) -> str:
        """Loops are counted and joined texts bounded: both are made filters before the template is compiled."""
        for loop in source.find_all(nodes.For):
            loop.iter = nodes.Filter(loop.iter, "_counted", [], [], None, None, lineno=loop.iter.lineno)
        for joined in list(source.find_all(nodes.Concat)):
            first, *others = joined.nodes
            joined.nodes = [nodes.Filter(first, "_joined", others, [], None, None, lineno=joined.lineno)]
        return super()._generate(source, name, filename, defer_init)
