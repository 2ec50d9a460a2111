"""The JSON Schema of one pack: the language's, with the pack's own ids, kinds, columns and verbs, for the editor to
complete.

Three things are narrowed in the schema of the language:

- names become enumerations (`KindName`, `PhaseName` …); where words of the language or paths may stand too
  (`EventName`, `Path` …) the names are offered and others stay possible;
- `Call` knows the verbs with their parameters, so a misspelt verb shows in the editor;
- an item's cells follow from its kind (`derive.py`), in each section for the kinds of its family."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from ludoloom.schemas.base import Json
from ludoloom.schemas.derive import ItemModels, KindSpec
from ludoloom.schemas.export import language_schema, write
from ludoloom.schemas.statements import ON


@dataclass(frozen=True, slots=True)
class VerbSpec:
    """A verb or action: its parameters and whether each must be given, and its words."""

    params: tuple[tuple[str, bool], ...] = ()
    says: str = ""


@dataclass(frozen=True, slots=True)
class PackNames:
    """All that a pack declares, as far as an editor can complete it. `items` are ids by kind, `steps`
    ``phase.step``."""

    title: str
    kinds: Mapping[str, KindSpec] = field(default_factory=dict[str, KindSpec])
    items: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    enums: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    verbs: Mapping[str, VerbSpec] = field(default_factory=dict[str, VerbSpec])
    actions: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    windows: tuple[str, ...] = ()
    rolls: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """Paths such as `deck` and `hero.energy`."""
    rules: tuple[str, ...] = ()
    """Ids of the ledger."""


_SECTIONS: Final = {
    "card": "cards",
    "encounter": "encounters",
    "quest": "quests",
    "map": "maps",
    "space": "spaces",
    "tile": "tiles",
    "piece": "pieces",
    "player": "players",
}
_SIMPLE_TYPES: Final = ("bool", "condition", "effect", "int", "range", "text", "zone")


def pack_schema(names: PackNames) -> Json:
    """The schema of the files of one pack."""
    schema = language_schema()
    schema["title"] = f"A file of {names.title}"
    definitions = cast("dict[str, Json]", schema["definitions"])
    for name, known in _strict(names).items():
        _narrow(definitions, name, known)
    for name, known in _offered(names).items():
        _offer(definitions, name, known)
    _verbs(definitions, names.verbs)
    _items(schema, definitions, names)
    schema["definitions"] = {name: definitions[name] for name in sorted(definitions)}
    return schema


def _strict(names: PackNames) -> dict[str, Iterable[str]]:
    return {
        "KindName": names.kinds,
        "PhaseName": names.phases,
        "WindowName": names.windows,
        "DieName": names.dice,
        "RollName": (*names.rolls, *names.dice),
        "OptionName": names.options,
        "ModeName": names.modes,
        "CountName": names.counts,
        "BareVerb": [verb for verb, spec in names.verbs.items() if not any(needed for _, needed in spec.params)],
    }


def _offered(names: PackNames) -> dict[str, Iterable[str]]:
    items = [item for ids in names.items.values() for item in ids]
    types = (*names.enums, *names.kinds)
    happenings = [*names.verbs, *names.rolls, *names.steps]
    acts = [f"{item}.{act}" for kind, ids in names.items.items() for act in names.kinds[kind].acts for item in ids]
    return {
        "ItemName": items,
        "EventName": happenings,
        "Moment": [f"{when} {what}" for when in ("before", "after") for what in happenings],
        "Path": [*names.words, *names.actions, *acts],
        "StatePath": [*names.words, *items],
        "TypeText": [*_SIMPLE_TYPES, *types, *(f"{name} or none" for name in types)],
        "RuleId": names.rules,
        **{f"id_of_{kind}": (*ids, "none") for kind, ids in names.items.items()},
    }


def _narrow(definitions: dict[str, Json], name: str, known: Iterable[str]) -> None:
    """Only the known names are possible. Where there are none, the pattern stays, so that a first one can be
    written."""
    values = sorted(set(known))
    if name in definitions and values:
        about = {key: value for key, value in definitions[name].items() if key == "description"}
        definitions[name] = {"type": "string", "enum": values, **about}


def _offer(definitions: dict[str, Json], name: str, known: Iterable[str]) -> None:
    """The known names are offered, others stay possible."""
    values = sorted(set(known))
    if name in definitions and values:
        definitions[name] = {"anyOf": [{"enum": values}, definitions[name]]}


def _verbs(definitions: dict[str, Json], verbs: Mapping[str, VerbSpec]) -> None:
    """`Call` knows the verbs; a statement offers them beside the core verbs."""
    if not verbs:
        return
    call = definitions["Call"]
    known = {verb: _call(spec) for verb, spec in sorted(verbs.items())}
    call["properties"] = {**known, **call["properties"]}
    call["additionalProperties"] = False
    call["oneOf"] = [{"required": [verb]} for verb in known]
    call["patternProperties"] = {ON: {"$ref": "#/definitions/Block"}}
    call.pop("propertyNames", None)
    statement = next(form for form in definitions["Statement"]["anyOf"] if form.get("type") == "object")
    statement["properties"] = {**statement["properties"], **{verb: {} for verb in known}}


def _call(spec: VerbSpec) -> Json:
    argument = {"$ref": "#/definitions/Argument"}
    named: Json = {
        "type": "object",
        "properties": {name: argument for name, _ in spec.params},
        "required": [name for name, needed in spec.params if needed],
        "additionalProperties": False,
    }
    told: Json = {"description": spec.says} if spec.says else {}
    if not spec.params:
        return {**told, **named}
    # One value alone is the first parameter; then no other may be needed.
    alone: list[Json] = [] if any(needed for _, needed in spec.params[1:]) else [{"$ref": "#/definitions/Formula"}]
    return {**told, "anyOf": [*alone, named]}


def _items(schema: Json, definitions: dict[str, Json], names: PackNames) -> None:
    """In each section an item is what all items are, and what its kind says."""
    models = ItemModels(names.kinds)
    shared = set(definitions)
    for kind in names.kinds:
        if names.kinds[kind].family == "part":
            continue
        made = write(models.item(kind), kind)
        inner = cast("dict[str, Json]", made.pop("definitions", {}))
        for name, definition in inner.items():
            if name not in shared:
                definitions.setdefault(name, definition)
        definitions[f"item_of_{kind}"] = {key: value for key, value in made.items() if key not in ("$schema", "title")}
    for name, known in _offered(names).items():
        if name.startswith("id_of_"):
            _offer(definitions, name, known)
    for family, section in _SECTIONS.items():
        kinds = [name for name, kind in names.kinds.items() if kind.family == family]
        for place in (schema, definitions["Content"], definitions["Whole"]):
            entry = place["properties"][section]
            if kinds:
                entry["additionalProperties"] = _one_of_kinds(entry["additionalProperties"], kinds)


def _one_of_kinds(common: Json, kinds: Sequence[str]) -> Json:
    rules: list[Json] = [
        {
            "if": {"properties": {"kind": {"const": kind}}, **({"required": ["kind"]} if len(kinds) > 1 else {})},
            "then": {"$ref": f"#/definitions/item_of_{kind}"},
        }
        for kind in kinds
    ]
    return {"allOf": [common, {"properties": {"kind": {"enum": sorted(kinds)}}}, *rules]}
