"""Kinds: families, inheritance, columns, zones, acts.

A kind that `is_a` another has all of its columns, zones, acts, variants, triggers and modifiers (the very same objects,
so that they share their places in the state) and adds its own. An act of the same name is laid over the inherited one.
"""

from __future__ import annotations

from typing import Final

from ludoloom.compiler.analysis.declare_types import TypeWords, read_column
from ludoloom.compiler.analysis.model import Kind, ZoneDecl
from ludoloom.compiler.analysis.names import FAMILIES, column_name, did_you_mean
from ludoloom.compiler.analysis.overlay import lay_over
from ludoloom.compiler.analysis.tree import as_map, entries, text, words
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.frontend.nodes import Map, Node, Scalar, Span

MOST_BASES: Final = 40
BLOCKS: Final = (("fields", "printed"), ("state", "state"), ("computed", "computed"))


def order_kinds(section: Node | None, bag: Bag) -> tuple[dict[str, tuple[Scalar, Map]], dict[str, str]]:
    """The kinds, bases before what is built on them, and the family of each."""
    written = {key.text: (key, node) for key, node in entries(section) if isinstance(node, Map)}
    ordered: dict[str, tuple[Scalar, Map]] = {}
    families: dict[str, str] = {}
    for name in written:
        chain: list[str] = []
        at = name
        while at not in ordered and at not in chain:
            chain.append(at)
            base = text(written[at][1].get("is_a"))
            if not base or base not in written:
                break
            at = base
        else:
            if at in chain:
                loop = chain[chain.index(at) :]
                spot = written[loop[0]][1].get("is_a")
                bag.add(
                    "inheritance-cycle",
                    spot.span if spot else written[name][0].span,
                    f"kinds are built on each other in a circle: {' is a '.join([*loop, at])}",
                    "one of them must not say `is_a`",
                )
                chain = chain[: chain.index(at)] + loop
        for one in reversed(chain):
            key, node = written[one]
            ordered[one] = (key, node)
            families[one] = _family(key, node, families, written, bag)
    return ordered, families


def _family(key: Scalar, node: Map, families: dict[str, str], written: dict[str, tuple[Scalar, Map]], bag: Bag) -> str:
    base = node.get("is_a")
    own = node.get("family")
    if isinstance(base, Scalar):
        if base.text in families:
            family = families[base.text]
            if own is not None and text(own) != family:
                bag.add(
                    "wrong-type",
                    own.span,
                    f"`{key.text}` is a {base.text}, whose family is {family}",
                    "leave `family` out: it comes with `is_a`",
                )
            return family
        if base.text not in written:
            bag.add(
                "unknown-word", base.span, f"there is no kind `{base.text}`", did_you_mean(base.text, written.keys())
            )
    if own is None and base is None:
        bag.add(
            "missing-key",
            key.span,
            f"the kind `{key.text}` says neither `family` nor `is_a`",
            f"write `family:` with one of {', '.join(FAMILIES)}",
            path=f"kinds.{key.text}",
        )
    family = text(own)
    return family if family in FAMILIES else "piece"


def declare_kinds(ordered: dict[str, tuple[Scalar, Map]], scope: TypeWords) -> dict[str, Kind]:
    """All kinds, in the order in which bases come first."""
    kinds: dict[str, Kind] = {}
    depth: dict[str, int] = {}
    for name, (key, node) in ordered.items():
        base = text(node.get("is_a"))
        depth[name] = depth.get(base, 0) + 1
        if depth[name] == MOST_BASES + 1:
            scope.bag.add("too-large", key.span, f"`{name}` is built on more than {MOST_BASES - 1} other kinds")
        kinds[name] = _declare(key, node, kinds.get(base) if depth[name] <= MOST_BASES else None, scope)
    return kinds


def _declare(key: Scalar, node: Map, base: Kind | None, scope: TypeWords) -> Kind:
    bag = scope.bag
    family = scope.families[key.text]
    kind = Kind(key.text, family, text(node.get("plural")), key.span, root=key.text)
    if base is not None:
        kind.base, kind.root = base.name, base.root
        kind.columns = dict(base.columns)
        kind.zones = dict(base.zones)
        kind.acts, kind.act_places = dict(base.acts), dict(base.act_places)
        kind.variants = dict(base.variants)
        kind.triggers = dict(base.triggers)
        kind.modifiers = dict(base.modifiers)
        kind.faces, kind.open_faces, kind.alike = base.faces, base.open_faces, base.alike
        kind.active_while, kind.starts_in = base.active_while, base.starts_in
        kind.owner, kind.stands_on, kind.spaces = base.owner, base.stands_on, base.spaces
    if "faces" in node:
        kind.faces = tuple(word.text for word in words(node.get("faces")))
    known = node.get("open_faces")
    if isinstance(known, Scalar):
        kind.open_faces = known.value is True
    if "alike" in node:
        kind.alike = tuple(word.text for word in words(node.get("alike")))
    kind.active_while = node.get("active_while") or kind.active_while
    kind.starts_in = node.get("starts_in") or kind.starts_in
    kind.owner = _kind_word(node.get("owner"), scope, ()) or kind.owner
    kind.stands_on = _kind_word(node.get("stands_on"), scope, ("tile", "space", "piece", "card")) or kind.stands_on
    kind.spaces = _kind_word(node.get("spaces"), scope, ("space", "tile")) or kind.spaces
    for block, storage in BLOCKS:
        for column_key, value in entries(node.get(block)):
            face = as_map(value) if storage == "printed" and column_key.text in kind.faces else None
            if face is not None:
                for inner, cell in face:
                    _column(kind, inner, cell, storage, scope, column_key.text)
            else:
                _column(kind, column_key, value, storage, scope, "")
    for zone_key, value in entries(node.get("zones")):
        if not column_name(zone_key, "a zone", bag):
            continue
        if _twice(kind, zone_key, bag):
            continue
        kind.zones[zone_key.text] = read_zone(zone_key, value, kind.name, scope)
    for act_key, value in entries(node.get("acts")):
        if isinstance(value, Map) and not _twice(kind, act_key, bag, inherited="acts"):
            old = kind.acts.get(act_key.text)
            kind.acts[act_key.text] = lay_over(old, value) if old is not None else value
            kind.act_places[act_key.text] = act_key.span
    for variant_key, value in entries(node.get("variants")):
        if not _twice(kind, variant_key, bag, inherited="variants"):
            kind.variants[variant_key.text] = value
    for block, target in (("triggers", kind.triggers), ("modifiers", kind.modifiers)):
        target.update({name.text: value for name, value in entries(node.get(block)) if isinstance(value, Map)})
    for word in words(node.get("alike")):
        if word.text not in kind.columns:
            bag.add(
                "unknown-word",
                word.span,
                f"`{kind.name}` has no column `{word.text}`",
                did_you_mean(word.text, kind.columns),
            )
    return kind


def _column(kind: Kind, key: Scalar, node: Node, storage: str, scope: TypeWords, face: str) -> None:
    if not column_name(key, "a column", scope.bag):
        return
    name = f"{face}.{key.text}" if face else key.text
    if _twice(kind, key, scope.bag, name):
        return
    column = read_column(key, node, kind.name, storage, scope, face)
    if column is not None:
        kind.columns[name] = column


def _twice(kind: Kind, key: Scalar, bag: Bag, name: str = "", *, inherited: str = "") -> bool:
    """A name means one column, zone, face, act or variant of a kind, inherited ones included; but an act or variant
    that is `inherited` may be laid over."""
    name = name or key.text
    found: Span | None = None
    where = kind.name
    if name in kind.columns:
        found, where = kind.columns[name].span, kind.columns[name].kind
    elif name in kind.zones:
        found, where = kind.zones[name].span, kind.zones[name].kind
    elif name in kind.faces:
        found = kind.span
    elif name in kind.acts and inherited != "acts":
        found = kind.act_places[name]
    elif name in kind.variants and inherited != "variants":
        found = kind.variants[name].span
    if found is None:
        return False
    bag.add(
        "column-twice",
        key.span,
        f"`{kind.name}` has `{name}` already" + (f", from `{where}`" if where != kind.name else ""),
        "rename one of them",
        (Related(found, "declared here"),),
    )
    return True


def _kind_word(node: Node | None, scope: TypeWords, families: tuple[str, ...]) -> str:
    """The name of a kind (of one of the families, if any are given)."""
    if not isinstance(node, Scalar) or not node.text:
        return ""
    if node.text not in scope.families:
        scope.bag.add(
            "unknown-word", node.span, f"there is no kind `{node.text}`", did_you_mean(node.text, scope.families)
        )
        return ""
    if families and scope.families[node.text] not in families:
        scope.bag.add(
            "wrong-type",
            node.span,
            f"`{node.text}` is of the family {scope.families[node.text]}; here stands a kind of the family "
            + " or ".join(families),
        )
        return ""
    return node.text


def read_zone(key: Scalar, node: Node, kind: str, scope: TypeWords) -> ZoneDecl:
    """A zone of the game (`kind` empty) or of a kind."""
    inner = as_map(node)
    zone = ZoneDecl(key.text, kind, key.span, ())
    if inner is None:
        return zone
    holds = [_kind_word(word, scope, ()) for word in words(inner.get("holds"))]
    zone.holds = tuple(name for name in holds if name)
    zone.order = text(inner.get("order")) or "none"
    zone.limit = inner.get("max")
    zone.seen_by = text(inner.get("seen_by")) or "everyone"
    zone.count_seen_by = text(inner.get("count_seen_by")) or "everyone"
    zone.out_of_play = text(inner.get("out_of_play")) == "true"
    zone.refill = as_map(inner.get("refill"))
    source = zone.refill.get("from") if zone.refill is not None else None
    if isinstance(source, Scalar) and source.text == key.text:
        message = f"`{key.text}` is filled from itself, which is empty by then"
        scope.bag.add("wrong-type", source.span, message, "name another zone")
    return zone
