"""A catalogue as one HTML page that needs nothing else: no file, no network, no library.

    page(catalogue, pictures)  ->  "<!doctype html> …"

What an author writes is data: Jinja escapes every hole, the script only reads and writes text, and the page carries a
policy that lets a browser run no script and use no style but those of this folder, told by their hashes, and load
nothing from anywhere. So even a hole that somebody forgets to escape could show markup, but neither run nor fetch
anything.

Pictures stand at the end of the page as text, each once, and become images when they come near: a page of 200 faces
opens at once. A drawing in an image runs no script of its own either.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import jinja2
from markupsafe import Markup

from ludoloom.compiler.catalogue.entries import facets
from ludoloom.compiler.catalogue.model import Catalogue, Entry, Facet, Picture, Value

MARK: Final = '<meta name="generator" content="ludoloom catalogue">'
"""By this a page is known for one of ours."""
BLANK: Final = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"
_FOLDER: Final = Path(__file__).with_name("templates")
_PIXEL: Final = 25.4 / 96
"""Millimetres."""


@dataclass(frozen=True, slots=True)
class _Row:
    """An entry as the template needs it; `values` is what it is filtered by, as JSON."""

    entry: Entry
    values: str
    printed: tuple[Value, ...]
    unprinted: tuple[Value, ...]
    front: str = ""
    back: str = ""
    picture: Picture | None = None
    width: int = 0
    height: int = 0


def page(catalogue: Catalogue, pictures: Mapping[str, Picture]) -> str:
    """The page. The same catalogue and pictures give the same text."""
    ids = {key: f"picture.{number}" for number, key in enumerate(pictures)}
    style, script = (_read(f"catalogue.{kind}") for kind in ("css", "js"))
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    )
    return _template().render(
        catalogue=catalogue,
        language=catalogue.language or "en",
        copies=sum(entry.copies for entry in catalogue.entries),
        policy=policy,
        style=Markup(style),
        script=Markup(script),
        blank=BLANK,
        first=_first(catalogue),
        rest=[Facet(f"c.{each.name}", each.label, each.values) for each in facets(catalogue.entries)],
        rows=[_row(entry, pictures, ids) for entry in catalogue.entries],
        pictures=[
            {
                "id": ids[key],
                "outline": each.outline,
                "width": _pixels(each.width),
                "height": _pixels(each.height),
                "uri": _raw(each.uri),
            }
            for key, each in pictures.items()
        ],
    )


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.from_string(_read("catalogue.html.j2"))


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _raw(uri: str) -> Markup:
    """A picture as it stands inside of a script element, where nothing but `<` is more than text."""
    assert set(uri).isdisjoint("<>&")
    return Markup(uri)


def _pixels(millimetres: float) -> int:
    return round(millimetres / _PIXEL)


def _first(catalogue: Catalogue) -> list[Facet]:
    """What is always there to filter by: the kind, then origin, pack and modes where there is a choice."""
    columns = {name: Counter[str]() for name in ("kind", "origin", "pack", "mode")}
    labels = {"kind": "Kind", "origin": "Origin", "pack": "Pack", "mode": "Only with"}
    for entry in catalogue.entries:
        for name, values in _general(entry).items():
            columns[name].update(values)
    least = {"kind": 1, "origin": 2, "pack": 2, "mode": 1}
    return [
        Facet(name, labels[name], tuple(many.items() if name == "kind" else sorted(many.items())))
        for name, many in columns.items()
        if len(many) >= least[name]
    ]


def _general(entry: Entry) -> dict[str, tuple[str, ...]]:
    origin = entry.origin.split(",")[0]
    stands_in = ("stand-in",) if origin != entry.origin else ()
    return {"kind": (entry.kind_title,), "origin": (origin, *stands_in), "pack": (entry.pack,), "mode": entry.modes}


def _row(entry: Entry, pictures: Mapping[str, Picture], ids: Mapping[str, str]) -> _Row:
    values: dict[str, tuple[str, ...]] = dict(_general(entry))
    for value in entry.values:
        if value.tokens:
            values[f"c.{value.name}"] = (*values.get(f"c.{value.name}", ()), *value.tokens)
    picture = pictures.get(entry.front)
    return _Row(
        entry=entry,
        values=json.dumps(values, ensure_ascii=False),
        printed=tuple(value for value in entry.values if value.printed),
        unprinted=tuple(value for value in entry.values if not value.printed),
        front=ids.get(entry.front, ""),
        back=ids.get(entry.back, "") if picture is not None else "",
        picture=picture,
        width=_pixels(picture.width) if picture is not None else 0,
        height=_pixels(picture.height) if picture is not None else 0,
    )
