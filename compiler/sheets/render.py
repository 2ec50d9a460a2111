"""Templates become Typst: the one place that runs Jinja on templates of packs.

A template (`.typ.j2`) is Typst markup with holes. A hole gives a Typst *expression*, so it stands where Typst expects
code, behind a `#` or inside of a call:

    #text(size: 9pt, {{ title }})          ->    #text(size: 9pt, v.at(0))          v = ("Rope",)
    #h({{ size.width / 2 }}mm)             ->    #h(31.5mm)

Numbers and yes/no are written as they are. Everything else, and above all every word that an author wrote on a card, is
handed over as data: the text of a hole is only ever `v.at(k)`, wherever it stands, in markup, in code, inside quotes or
a comment. What stands on a card can therefore never run, whatever the template does with it; and a template that asks
for it in the wrong place shows `v.at(0)` on the card instead.

Templates run in Jinja's sandbox, see only the values that they are given, and can include templates of their pack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import FrameType, GeneratorType
from typing import Final, cast

import jinja2
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context

from ludoloom.compiler.sheets.sandbox import Code, Sandbox

FOLDER: Final = Path(__file__).with_name("templates")
LARGEST: Final = 2_000_000
"""Characters that a template may give for one face."""
_ERRORS: Final = (
    jinja2.TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError, MemoryError
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Content:
    """Words with icons, as they are set: `parts` are texts, and icons by name in a tuple of one."""

    parts: tuple[str | tuple[str], ...]

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __str__(self) -> str:
        return "".join(part if isinstance(part, str) else f":{part[0]}:" for part in self.parts)


class TemplateFault(Exception):
    """A template that is wrong: where, and why."""

    def __init__(self, file: str, line: int, message: str) -> None:
        super().__init__(message)
        self.file, self.line, self.message = file, line, message


@dataclass(frozen=True, slots=True)
class Rendered:
    """The Typst of a face, and from which line of which template each of its lines comes."""

    text: str
    lines: tuple[tuple[str, int], ...]


def string(text: str) -> str:
    """A text as a Typst string. Typst knows four escapes and takes everything else as it is."""
    escaped = (
        text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    )
    return f'"{escaped}"'


def value(data: object) -> str:
    """A value as a Typst expression, made of literals alone."""
    match data:
        case Code():
            return str(data)
        case Content():
            return f"words({', '.join(_part(part) for part in data.parts)})"
        case None:
            return "none"
        case bool():
            return "true" if data else "false"
        case int():
            return str(data)
        case float():
            return _number(data)
        case str():
            return string(data)
        case Mapping():
            pairs = cast("Mapping[object, object]", data).items()
            return f"({', '.join(f'{string(str(key))}: {value(each)}' for key, each in pairs)})" if data else "(:)"
        case Sequence():
            rows = cast("Sequence[object]", data)
            return "(" + "".join(f"{value(each)}, " for each in rows) + ")"
        case _:
            raise TypeError(f"{type(data).__name__} cannot stand in a hole of a template")


def _part(part: str | tuple[str]) -> str:
    return string(part) if isinstance(part, str) else f"inline-icon({string(part[0])})"


def _number(number: float) -> str:
    if number != number or number in (float("inf"), float("-inf")):
        raise TypeError("a number without end cannot stand in a hole of a template")
    return f"{number:.6f}".rstrip("0").rstrip(".") or "0"


@jinja2.pass_context
def _finalize(context: Context, data: object) -> str:
    """What a hole is filled with."""
    if isinstance(data, Code) or data is None or isinstance(data, bool):
        return value(data)
    if isinstance(data, int | float):
        return f"({value(data)})" if data < 0 else value(data)
    if isinstance(data, jinja2.Undefined):
        str(data)  # raises, with the name
    held = cast("Sandbox", context.environment).held
    written = value(data)
    if written not in held:
        held.append(written)
    return f"v.at({held.index(written)})"


class Templates:
    """The templates that ship, and those of packs by their path."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files
        self.environment = Sandbox(jinja2.FunctionLoader(self._load), _finalize)

    def _load(self, name: str) -> tuple[str, str, Callable[[], bool]] | None:
        if name in self.files:
            return self.files[name], name, lambda: True
        shipped = FOLDER / f"{name}.typ.j2"
        if re.fullmatch(r"[a-z_]+", name) and shipped.is_file():
            return shipped.read_text(encoding="utf-8"), name, lambda: True
        return None

    def render(self, name: str, values: Mapping[str, object]) -> Rendered:
        """The Typst expression that a template gives: ``{ let v = (…); [ … ] }``. Raises TemplateFault."""
        self.environment.begin()
        try:
            template = self.environment.get_template(name)
            pieces, lines = _gathered(_pieces(template, template.new_context(dict(values))))
        except jinja2.TemplateNotFound as error:
            raise _fault(error, name, f"there is no template `{error.name}`") from None
        except jinja2.TemplateSyntaxError as error:
            raise TemplateFault(error.name or name, error.lineno, error.message or "it cannot be read") from None
        except SecurityError as error:
            raise _fault(error, name, f"templates may not do that: {error}") from None
        except RecursionError as error:
            raise _fault(error, name, "the template includes or calls itself without end") from None
        except _ERRORS as error:
            raise _fault(error, name, str(error) or type(error).__name__) from None
        data = "".join(f"{each}, " for each in self.environment.held)
        return Rendered(f"{{ let v = ({data}); [{''.join(pieces)}] }}", tuple(lines) or ((name, 1),))


def _gathered(stream: Iterator[tuple[str, int, str]]) -> tuple[list[str], list[tuple[str, int]]]:
    """The pieces, and where each line of their text comes from."""
    pieces: list[str] = []
    lines: list[tuple[str, int]] = []
    much, fresh = 0, True
    for file, line, piece in stream:
        much += len(piece)
        if much > LARGEST:
            raise TemplateFault(file, line, "the template gives more text than a face can need")
        if fresh and lines:
            lines.pop()  # a guess; where the next piece begins is known
        if fresh:
            lines.append((file, line))
        lines += [(file, line + number) for number in range(1, piece.count("\n") + 1)]
        fresh = piece.endswith("\n") or (fresh and not piece)
        pieces.append(piece)
    return pieces, lines


def _pieces(template: jinja2.Template, context: Context) -> Iterator[tuple[str, int, str]]:
    """What a template gives, piece by piece, each with the file and line of the template where it begins.

    Jinja compiles a template to a generator; where it stands when it gives a piece is a line of the compiled code, for
    which Jinja knows the line of the template."""
    stream = cast("GeneratorType[str, None, None]", template.root_render_func(context))
    for piece in stream:
        frame = _innermost(stream)
        place = _place(frame, frame.f_lineno) if frame is not None else None
        file, line = place or (template.name or "", 1)
        yield file, line, piece


def _innermost(stream: GeneratorType[str, None, None]) -> FrameType | None:
    """The frame of the template that gave the last piece: an included one runs in a generator of its own, which the
    compiled code of the outer one calls `gen`."""
    inner = stream
    while True:
        deeper = cast("object", inner.gi_yieldfrom)
        if not isinstance(deeper, GeneratorType) and inner.gi_frame is not None:
            deeper = inner.gi_frame.f_locals.get("gen")
        if not isinstance(deeper, GeneratorType) or cast("object", deeper.gi_frame) is None:
            return inner.gi_frame
        inner = cast("GeneratorType[str, None, None]", deeper)


def _place(frame: FrameType, line: int) -> tuple[str, int] | None:
    """The template and the line in it for a line of compiled code."""
    owner = frame.f_globals.get("__jinja_template__")
    return _line_of(owner, line) if isinstance(owner, jinja2.Template) else None


@lru_cache(maxsize=10_000)
def _line_of(template: jinja2.Template, line: int) -> tuple[str, int]:
    """Kept, since Jinja reads its table anew for each line."""
    return template.name or "", template.get_corresponding_lineno(line)


def _fault(error: BaseException, name: str, message: str) -> TemplateFault:
    """A fault at the innermost line of a template in the traceback."""
    trace, found = error.__traceback__, (name, 1)
    while trace is not None:
        found = _place(trace.tb_frame, trace.tb_lineno) or found
        trace = trace.tb_next
    return TemplateFault(*found, message)
