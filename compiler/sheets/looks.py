"""How each kind is printed: what `sheets` says, laid over what the kind tells anyway.

    sheets: {spell: {colours: {element: {fire: "#b3361e"}}}}      a poker card by the template `card`, with its back,
                                                                  red where the column `element` holds fire

An entry counts for a kind and for all kinds that are built on it, key by key. What names nothing is a finding here; so
this runs with every check, and needs neither Typst nor a font.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column, Game, Kind
from ludoloom.compiler.analysis.tree import as_map, entries, text, words
from ludoloom.compiler.backend import texts
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Map, Node, Scalar, Span
from ludoloom.compiler.sheets import icons
from ludoloom.compiler.sheets.colour import lightness, parse
from ludoloom.compiler.sheets.model import Shape, Size
from ludoloom.compiler.sheets.spaces import map_cells
from ludoloom.schemas.sizes import SIZES, TEMPLATES

SHADES_APART: Final = 6.0
"""By how much the lightness of two colours must differ (L* of CIELAB) to be told apart in grey."""
SMALLEST: Final = 3.0
LARGEST: Final = 72.0
"""Points of a text."""
COLOURS: Final = ("#8a3b2e", "#2f5d73", "#4f6b34", "#6b4a7d", "#8c6a1f", "#34495e", "#7a4a5a", "#3b6b62")
"""The colours of kinds that say none, one after the other."""


@dataclass(frozen=True, slots=True)
class _Usual:
    """What is usual for a family."""

    size: str
    template: str
    back: str = ""


_FAMILIES: Final[dict[str, _Usual]] = {
    "card": _Usual("poker", "card", "back"),
    "encounter": _Usual("poker", "encounter", "back"),
    "quest": _Usual("tarot", "quest", "back"),
    "tile": _Usual("square_70", "tile"),
    "map": _Usual("", "map"),
    "piece": _Usual("26 x 26", "token"),
    "player": _Usual("a6", "player"),
}


@dataclass(slots=True)
class Look:
    """How the things of a kind are printed. `back` is empty where there is none; `front` and `behind` are the faces
    of the language that are shown, empty where the kind has none. `nodes` are what was written, for places."""

    kind: str
    family: str
    where: Span
    size: Size
    template: str
    back: str = ""
    front: str = ""
    behind: str = ""
    shape: Shape = "rectangle"
    deck: str = ""
    colour: str = ""
    colours: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    icons: dict[str, str | dict[str, str]] = field(default_factory=dict[str, "str | dict[str, str]"])
    labels: dict[str, str] = field(default_factory=dict[str, str])
    corner: str = ""
    mark: str = ""
    show: tuple[str, ...] | None = None
    line: Scalar | None = None
    art: Scalar | None = None
    text_size: tuple[float, float] = (6.0, 9.0)
    nodes: dict[str, tuple[Scalar, Node]] = field(default_factory=dict[str, tuple[Scalar, Node]])

    def place(self, key: str) -> Span:
        """Where `key` is written; else the place of the kind."""
        found = self.nodes.get(key)
        return found[1].span if found else self.where


def looks(game: Game, bag: Bag, *, templates: Iterable[str] | None = None) -> dict[str, Look]:
    """The looks of all kinds that have items and are printed, in the order of their declaration. `templates` are the
    files of the packs, if they are to be looked for."""
    _unknown_kinds(game, bag)
    known = None if templates is None else set(templates)
    used = {item.kind for item in game.items.values() if item.section != "parts" and "." not in item.id}
    found: dict[str, Look] = {}
    for kind in game.kinds.values():
        nodes = _written(game, kind)
        if kind.name not in used or _not_printed(kind, nodes):
            continue
        look = _look(game, kind, nodes, len(found), bag)
        if look is not None:
            _templates(look, known, bag)
            found[kind.name] = look
    _check_entries(game, bag)
    _one_size(game, found, bag)
    return found


def record_look(game: Game, kind: str) -> Look | None:
    """The icons of records on the cards that hold them, if a sheet of their own kind says some."""
    if kind not in game.kinds or not (nodes := _written(game, game.kinds[kind])):
        return None
    look = Look(kind, game.kinds[kind].family, game.sheets[kind][0].span, Size(0, 0), "plain", nodes=nodes)
    _by_column(look)
    return look


def _unknown_kinds(game: Game, bag: Bag) -> None:
    for name, (key, _) in game.sheets.items():
        if name not in game.kinds:
            bag.add("unknown-word", key.span, f"there is no kind `{name}`", did_you_mean(name, game.kinds))


def _written(game: Game, kind: Kind) -> dict[str, tuple[Scalar, Node]]:
    """What is written for a kind: that of the kind on which it builds, with its own laid over it."""
    chain = [kind.name]
    while game.kinds[chain[-1]].base in game.kinds and len(chain) < 64:
        chain.append(game.kinds[chain[-1]].base)
    found: dict[str, tuple[Scalar, Node]] = {}
    for name in reversed(chain):
        if name in game.sheets:
            found.update({key.text: (key, node) for key, node in game.sheets[name][1]})
    return found


def _by_column(look: Look) -> None:
    """What is said of single columns: colours, icons, labels."""
    for key, node in entries(_value(look.nodes, "colours")):
        look.colours[key.text] = {member.text: text(colour) for member, colour in entries(node)}
    for key, node in entries(_value(look.nodes, "icons")):
        look.icons[key.text] = (
            {member.text: text(icon) for member, icon in entries(node)} if isinstance(node, Map) else text(node)
        )
    look.labels = {key.text: text(node) for key, node in entries(_value(look.nodes, "labels"))}


def _not_printed(kind: Kind, nodes: dict[str, tuple[Scalar, Node]]) -> bool:
    written = nodes.get("print")
    if written is not None and isinstance(written[1], Scalar) and written[1].value is False:
        return True
    return not nodes and kind.family not in _FAMILIES


def _look(game: Game, kind: Kind, nodes: dict[str, tuple[Scalar, Node]], number: int, bag: Bag) -> Look | None:
    usual = _FAMILIES.get(kind.family, _Usual("poker", ""))
    template = text(_value(nodes, "template")) or usual.template
    where = next((game.sheets[name][0].span for name in (kind.name, kind.base) if name in game.sheets), kind.span)
    if not template:
        bag.add(
            "face-without-template",
            where,
            f"nothing says how a `{kind.name}` is drawn: there is no template for the family {kind.family}",
            f"write `template: plain`, or another of {', '.join(TEMPLATES)}, or `print: false`",
        )
        return None
    shape: Shape = "hexagon" if text(_value(nodes, "shape")) == "hexagon" else "rectangle"
    size = _size(text(_value(nodes, "size")) or usual.size) or _map_size(game, kind)
    look = Look(kind.name, kind.family, where, size, template, shape=shape, nodes=nodes)
    _sides(look, kind, usual, bag)
    look.deck = text(_value(nodes, "deck")) or _pile(game, kind) or kind.name
    look.colour = text(_value(nodes, "colour")) or COLOURS[number % len(COLOURS)]
    _by_column(look)
    look.corner = text(_value(nodes, "corner"))
    look.mark = text(_value(nodes, "mark"))
    shown = _value(nodes, "show")
    look.show = tuple(word.text for word in words(shown)) if shown is not None else None
    line, art = _value(nodes, "line"), _value(nodes, "art")
    look.line = line if isinstance(line, Scalar) else None
    look.art = art if isinstance(art, Scalar) else None
    look.text_size = _points(text(_value(nodes, "text_size")) or "6 to 9")
    if not SMALLEST <= look.text_size[0] <= look.text_size[1] <= LARGEST:
        message = f"text of {text(_value(nodes, 'text_size'))} points cannot be set"
        hint = f"the smaller size first, from {SMALLEST:g} to {LARGEST:g} points: `text_size: 6 to 9`"
        bag.add("wrong-type", look.place("text_size"), message, hint)
    return look


def _value(nodes: dict[str, tuple[Scalar, Node]], key: str) -> Node | None:
    found = nodes.get(key)
    return found[1] if found is not None else None


def _size(written: str) -> Size | None:
    """``poker``, ``63.5 x 88.9``."""
    if written in SIZES:
        return Size(*SIZES[written])
    width, sign, height = written.partition(" x ")
    return Size(float(width), float(height)) if sign else None


def _map_size(game: Game, kind: Kind) -> Size:
    """A map is as large as its cells need: 28 mm each, and a margin."""
    found = [declared for declared in game.maps.values() if declared.kind == kind.name and declared.centres_of]
    cells = [map_cells(declared) for declared in found] or [{"across": 6.0, "down": 6.0}]
    wide, high = max(each["across"] for each in cells), max(each["down"] for each in cells)
    return Size(round(min(600, wide * 28 + 20), 1), round(min(600, high * 28 + 32), 1))


def _pile(game: Game, kind: Kind) -> str:
    """The pile in which the things of a kind start: what lies there is one deck."""
    zone = game.zones.get(text(kind.starts_in))
    return zone.name if zone is not None and zone.order == "pile" else ""


def _points(written: str) -> tuple[float, float]:
    low, sign, high = written.partition(" to ")
    least, most = low.removesuffix("+"), high if sign else low.removesuffix("+")
    return float(least), float(most)


def _sides(look: Look, kind: Kind, usual: _Usual, bag: Bag) -> None:
    """Which face is in front, and what is drawn on the back."""
    if kind.faces:
        front = text(_value(look.nodes, "front"))
        if front and front not in kind.faces:
            hint = did_you_mean(front, kind.faces) or f"its faces are {', '.join(kind.faces)}"
            bag.add("unknown-word", look.place("front"), f"`{kind.name}` has no face `{front}`", hint)
        look.front = front if front in kind.faces else ("front" if "front" in kind.faces else kind.faces[-1])
        look.behind = next((face for face in kind.faces if face != look.front), "")
    back = _value(look.nodes, "back")
    if isinstance(back, Scalar) and back.value is False:
        look.behind = ""
    else:
        look.back = text(back) or (look.template if look.behind else usual.back)


def _templates(look: Look, known: set[str] | None, bag: Bag) -> None:
    """A template that is a file must be there."""
    for key, name in (("template", look.template), ("back", look.back)):
        if known is not None and name.endswith(".typ.j2") and name not in known and key in look.nodes:
            near = did_you_mean(name, [each for each in known if each.endswith(".typ.j2")])
            message = f"there is no template `{name}` in the pack"
            bag.add("template-missing", look.place(key), message, near or "write it, or name one that ships")


# --- what the words of an entry mean ----------------------------------------------------------------------------------


def _check_entries(game: Game, bag: Bag) -> None:
    """The columns, words and icons that entries name; each once, where it is written."""
    for name, (_, node) in game.sheets.items():
        kind = game.kinds.get(name)
        if kind is None:
            continue
        below = [other for other in game.kinds.values() if _builds_on(game, other, name)]
        columns = {column.name: column for one in below for column in one.columns.values()}
        if kind.spaces in game.kinds:
            columns |= {column.name: column for column in game.kinds[kind.spaces].columns.values()}
        columns |= {column.name: column for column in kind.columns.values()}
        if (mark := node.get("mark")) is not None:
            _icons(game, mark, bag)
        for key in ("corner", "show"):
            for word in words(node.get(key)):
                _column(kind, columns, word, bag)
        for key in ("labels", "colours", "icons"):
            for word, value in entries(node.get(key)):
                column = _column(kind, columns, word, bag)
                if column is not None and isinstance(value, Map):
                    _members(game, kind, column, key, value, bag)
                if key == "icons":
                    _icons(game, value, bag)
        line = node.get("line")
        if isinstance(line, Scalar):
            _line(game, kind, columns, line, bag)
        for word, value in entries(node.get("colours")):
            _apart(node, word, value, bag)


def _builds_on(game: Game, kind: Kind, name: str) -> bool:
    for _ in range(64):
        if kind.name == name:
            return True
        if kind.base not in game.kinds:
            return False
        kind = game.kinds[kind.base]
    return False


def _column(kind: Kind, columns: dict[str, Column], word: Scalar, bag: Bag) -> Column | None:
    found = columns.get(word.text)
    if found is None:
        hint = did_you_mean(word.text, columns)
        bag.add("unknown-word", word.span, f"`{kind.name}` has no column `{word.text}`", hint)
    return found


def _line(game: Game, kind: Kind, columns: dict[str, Column], line: Scalar, bag: Bag) -> None:
    """The holes and icons of the line under the title."""
    for hole in texts.HOLE.finditer(line.text):
        name = hole[1].strip()
        if name != "kind" and name not in columns:
            hint = did_you_mean(name, [*columns, "kind"])
            place = texts.place(line, hole.start(1), hole.end(1))
            bag.add("unknown-word", place, f"`{kind.name}` has no column `{name}`", hint)
    texts.unclosed_holes(line, bag)
    texts.unknown_icons(line, game.icons, bag)


def _members(game: Game, kind: Kind, column: Column, key: str, node: Map, bag: Bag) -> None:
    """The words under a column must be what it can hold."""
    held = column.type.of if isinstance(column.type, t.SetOf | t.ListOf) else column.type
    if isinstance(held, t.Enum):
        known = game.enums.get(held.name, [])
    elif isinstance(held, t.Bool):
        known = ["true", "false"]
    elif isinstance(held, t.Thing | t.ItemOf):
        kinds = held.kinds if isinstance(held, t.Thing) else (held.kind,)
        known = [
            item.id for item in game.items.values() if any(_builds_on(game, game.kinds[item.kind], k) for k in kinds)
        ]
    else:
        message = f"`{column.name}` of `{kind.name}` holds no words that could have {key} of their own"
        bag.add("wrong-type", node.span, message, "name a column that holds words of a list or things")
        return
    for word, _ in node:
        if word.text not in known:
            bag.add(
                "unknown-word", word.span, f"`{column.name}` cannot be `{word.text}`", did_you_mean(word.text, known)
            )


def _icons(game: Game, node: Node, bag: Bag) -> None:
    for icon in [value for _, value in node] if isinstance(node, Map) else [node]:
        if isinstance(icon, Scalar) and icon.text not in game.icons and icon.text not in icons.shipped():
            known = [*game.icons, *icons.shipped()]
            hint = did_you_mean(icon.text, known) or f"declare it: `icons: {{{icon.text}: …}}`"
            bag.add("unknown-icon", icon.span, f"there is no icon `{icon.text}`", hint)


def _apart(node: Map, word: Scalar, colours: Node, bag: Bag) -> None:
    """Colours must be told apart on a greyscale printer too, unless icons do it."""
    by_column = as_map(node.get("icons"))
    drawn = as_map(by_column.get(word.text)) if by_column is not None else None
    seen: list[tuple[Scalar, float]] = []
    for member, colour in entries(colours):
        if not isinstance(colour, Scalar) or not isinstance(colour.value, str) or len(colour.text) != 7:
            continue
        light = lightness(parse(colour.text))
        for other, lit in seen:
            if abs(light - lit) >= SHADES_APART or (
                drawn is not None and {member.text, other.text} <= set(drawn.names())
            ):
                continue
            bag.add(
                "colours-alike",
                colour.span,
                f"in greyscale `{member.text}` looks like `{other.text}`",
                f"make one of them lighter, or give both an icon: `icons: {{{word.text}: {{{member.text}: …}}}}`",
                (Related(other.span, f"`{other.text}` is here"),),
            )
            break
        seen.append((member, light))


# --- decks ------------------------------------------------------------------------------------------------------------


def _one_size(game: Game, found: dict[str, Look], bag: Bag) -> None:
    """What is shuffled together has one size, to the tenth of a millimetre: 63 x 88 and 63.5 x 88.9 are two."""
    first: dict[str, Look] = {}
    for look in found.values():
        if look.family not in ("card", "encounter"):
            continue
        other = first.setdefault(look.deck, look)
        if other.size != look.size:
            mine, theirs = (f"{size.width:g} x {size.height:g} mm" for size in (look.size, other.size))
            place = look if "size" in look.nodes else other
            bag.add(
                "deck-of-two-sizes",
                place.place("size"),
                f"`{look.kind}` and `{other.kind}` are one deck, `{look.deck}`, but {mine} is not {theirs}",
                "give both one size, or name their decks with `deck`",
                (Related((other if place is look else look).place("size"), "the other size"),),
            )
