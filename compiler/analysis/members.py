"""What stands behind a dot: the words of things, places, zones, sets, rolls and maps.

    hero.energy      a column           hero.tile     where it stands        tile.monsters   what stands there
    hero.cards       a zone of its own  zone.top      its top thing          set.any         tests and counts of a set

The tables at the top are the closed lists of the language; the rest follows from what the game declares.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column, Game, Kind
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.frontend.nodes import Span

PLACES = ("space", "tile")
"""Families whose things are places."""
OF_SETS = {"any": t.Bool(), "empty": t.Bool(), "count": t.Int()}
OF_SETS_CALLED = ("where", "all", "sum", "min", "max", "least", "most")
OF_PLACES = ("links", "next_to", "gaps", "map")
OF_PLACES_CALLED = ("distance", "line", "between", "steps_toward", "nearest", "farthest")


@dataclass(frozen=True, slots=True)
class Members:
    """Looks members up in one game."""

    game: Game

    # --- columns ----------------------------------------------------------------------------------------------------

    def column(self, kind: t.Thing, name: str, face: str = "") -> Column | None:
        """The column `name` of things of this type (the first kind's, where there are several)."""
        for each in kind.kinds:
            columns = self.game.kinds[each].columns
            found = columns.get(f"{face}.{name}") if face else columns.get(name)
            if found is not None:
                return found
        return None

    def read(self, base: E, name: str, span: Span | None, face: str = "") -> E | None:
        """`base.name` as a column without parameters."""
        assert isinstance(base.type, t.Thing)
        kinds = base.type.kinds
        found = [(kind, self.column(t.Thing(kind), name, face)) for kind in kinds]
        columns = [(kind, column) for kind, column in found if column is not None]
        if len(columns) < len(kinds) or any(
            column.params and not isinstance(column.type, t.Effect) for _, column in columns
        ):
            return None
        first = columns[0][1]
        if all(column is first or (column.kind == first.kind and column.name == first.name) for _, column in columns):
            return E("column", self.certain_owner(first), (base,), first, span)
        values = [
            (
                kind,
                E(
                    "column",
                    self.certain_owner(column),
                    (E(base.op, t.Thing(kind), base.args, base.data),),
                    column,
                    span,
                ),
            )
            for kind, column in columns
        ]
        return E("by_kind", values[0][1].type, (base,), values, span)

    def certain_owner(self, column: Column) -> t.Type:
        """The built-in `owner` is taken to be there (a thing in play is owned); a reading of none is a fault that
        names the line."""
        if isinstance(column.type, t.Condition):
            return t.Bool()
        if column.name == "owner" and isinstance(column.type, t.Thing):
            return t.Thing(*column.type.kinds)
        return column.type

    # --- plain members ----------------------------------------------------------------------------------------------

    def of_thing(self, base: E, name: str, span: Span | None) -> E | None:
        """Words of a thing that need no dot inside its own lines: columns, zones, where it stands, its owner, its
        faces."""
        assert isinstance(base.type, t.Thing)
        face = base.data if base.op == "facet" else ""
        if not base.type.kinds or any(kind not in self.game.kinds for kind in base.type.kinds):
            return None
        kind = self.game.kinds[base.type.kinds[0]]
        found = self.read(base, name, span, face)
        if found is not None:
            return found
        if name == "owner" and kind.family == "player":
            return base
        if name in kind.zones:
            zone = kind.zones[name]
            return E("zone_of", t.Zone(zone.holds, zone.order), (base,), zone, span)
        if name in self.stands_on(base.type):
            return E("loc", t.Thing(name), (base,), span=span)
        if name == "showing" and kind.faces:
            return E("showing", t.Enum(self.faces_enum(kind)), (base,), kind.faces, span)
        if name in kind.faces:
            return E("facet", base.type, (base,), name, span)
        return None

    def faces_enum(self, kind: Kind) -> str:
        """The name of the enumeration of a kind's faces."""
        name = f"faces.{kind.root or kind.name}"
        self.game.enums.setdefault(name, list(kind.faces))
        return name

    def stands_on(self, kind: t.Thing) -> list[str]:
        """By which words the place of a thing is asked: the kinds that its kind stands on."""
        found = [self.game.kinds[each].stands_on for each in kind.kinds]
        return [each for each in dict.fromkeys(found) if each] if all(found) else []

    def plain(self, base: E, attr: str, span: Span | None) -> E | None:
        """`base.attr` without argument, or None."""
        kind = base.type
        match kind:
            case t.Thing():
                return self.of_thing(base, attr, span) or self._thing(base, kind, attr, span)
            case t.Zone():
                return self._zone(base, kind, attr, span)
            case t.SetOf() | t.ListOf():
                return self._set(base, kind, attr, span)
            case t.Rolled():
                return self._rolled(base, kind, attr, span)
            case t.Assigned(left=left, right=right):
                if attr == "targets":
                    return E("assigned_targets", t.SetOf(right), (base,), span=span)
                if attr == "things" and not isinstance(left, t.Int):
                    return E("assigned_things", t.SetOf(left), (base,), span=span)
                return None
            case _:
                return None

    def _thing(self, base: E, kind: t.Thing, attr: str, span: Span | None) -> E | None:
        """What a thing has besides its columns and zones: its definition, who is next, what lies round a place, the
        words of a map, and, by their plural, the things that stand there or belong to it."""
        declared = self.game.kinds[kind.kinds[0]]
        if attr == "item":
            return E("item", t.ItemOf(declared.root), (base,), span=span)
        if declared.family == "player" and attr in ("next", "opponent"):
            return E("next_seat" if attr == "next" else "opponent", kind, (base,), span=span)
        if attr == "next" and declared.owner:
            return E("next_thing", kind, (base,), span=span)
        if declared.family in PLACES and attr in OF_PLACES:
            return self._around(base, kind, attr, span)
        if declared.family == "map":
            found = self._of_map(base, declared, attr, span)
            if found is not None:
                return found
        return self._by_plural(base, declared, attr, span)

    def _around(self, base: E, kind: t.Thing, attr: str, span: Span | None) -> E | None:
        """What lies round a place, and the map on which it lies."""
        game, declared = self.game, self.game.kinds[kind.kinds[0]]
        if attr in ("links", "next_to"):
            return E(attr, t.SetOf(self.places_of(kind)), (base,), span=span)
        if attr == "gaps":
            growing = next(
                (m for m in game.maps.values() if m.grows_with and declared.name in self._with_bases(m.grows_with)),
                None,
            )
            return E("gaps", t.SetOf(t.Cell(growing.name)), (base,), growing, span) if growing else None
        kinds = [
            m.kind for m in game.maps.values() if self.map_spaces(m.kind) in kind.kinds or m.grows_with in kind.kinds
        ]
        return E("map_of", t.Thing(*dict.fromkeys(kinds)), (base,), span=span) if kinds else None

    def _of_map(self, base: E, declared: Kind, attr: str, span: Span | None) -> E | None:
        """One space of a map by its name, all of them, and what a growing map counts."""
        game = self.game
        number: int = base.data if base.op == "const" else 0
        space = game.names.get(f"{game.things[number - 1].name}.{attr}") if number else None
        if space is not None:
            return E("const", t.Thing(game.things[space - 1].kind), data=space, span=span)
        if attr == "spaces":
            spaces = self.map_spaces(declared.name)
            return E("spaces", t.SetOf(t.Thing(spaces)), (base,), span=span) if spaces else None
        if attr == "closed_ends":
            return E("closed_ends", t.Int(), (base,), span=span)
        if attr == "location":
            led = [game.kinds[m.kind].spaces for m in game.maps.values() if m.leads_to]
            return E("location", t.Thing(*dict.fromkeys(led), missing=True), (base,), span=span) if led else None
        return None

    def _by_plural(self, base: E, declared: Kind, attr: str, span: Span | None) -> E | None:
        """The things of a kind that stand at a place, or belong to somebody."""
        place = declared.family in PLACES
        for other in self.game.kinds.values():
            if other.plural != attr:
                continue
            if place and other.stands_on and other.stands_on in self._with_bases(declared.name):
                return E("at", t.SetOf(t.Thing(other.name)), (base,), (other.name,), span)
            if other.owner and other.owner in self._with_bases(declared.name):
                return E("owned", t.SetOf(t.Thing(other.name)), (base,), other.name, span)
            if place and other.family not in ("space", "map", "player"):
                return E("at", t.SetOf(t.Thing(other.name)), (base,), (other.name,), span)
        return None

    def places_of(self, kind: t.Thing) -> t.Thing:
        """What may lie beside a place: places of the same root kind, not only of its own (a lake beside a hill)."""
        return t.Thing(*dict.fromkeys(self.game.kinds[each].root for each in kind.kinds))

    def _with_bases(self, kind: str) -> list[str]:
        found: list[str] = []
        while kind and kind in self.game.kinds:
            found.append(kind)
            kind = self.game.kinds[kind].base
        return found

    def map_spaces(self, kind: str) -> str:
        """The kind of the spaces of a kind of map."""
        return self.game.kinds[kind].spaces if kind in self.game.kinds else ""

    def _zone(self, base: E, kind: t.Zone, attr: str, span: Span | None) -> E | None:
        holds = kind.holds or tuple(
            each.name for each in self.game.kinds.values() if each.family not in ("space", "map", "part")
        )
        if attr in ("top", "bottom"):
            return E("top", t.Thing(*holds, missing=True), (base,), int(attr == "bottom"), span)
        if attr == "count":
            return E("zone_count", t.Int(), (base,), span=span)
        if attr in ("any", "empty"):
            count = E("zone_count", t.Int(), (base,), span=span)
            zero = E("const", t.Int(), data=0)
            return E("ne" if attr == "any" else "eq", t.Bool(), (count, zero), span=span)
        if attr == "only":
            return E(
                "only",
                t.Thing(*holds, missing=True),
                (E("at", t.SetOf(t.Thing(*holds)), (base,), holds, span),),
                span=span,
            )
        for other in self.game.kinds.values():
            if other.plural == attr and (not kind.holds or self._held(other.name, kind.holds)):
                return E("at", t.SetOf(t.Thing(other.name)), (base,), (other.name,), span)
        return None

    def _held(self, kind: str, holds: tuple[str, ...]) -> bool:
        bases = self._with_bases(kind)
        return any(held in bases or kind in self._with_bases(held) for held in holds)

    def _set(self, base: E, kind: t.SetOf | t.ListOf, attr: str, span: Span | None) -> E | None:
        whole = E(base.op, t.SetOf(kind.of), base.args, base.data, base.span)
        if attr in OF_SETS:
            return E(attr, OF_SETS[attr], (whole,), span=span)
        if attr == "only":
            of = kind.of
            maybe = (
                t.Thing(*of.kinds, missing=True)
                if isinstance(of, t.Thing)
                else t.Enum(of.name, missing=True)
                if isinstance(of, t.Enum)
                else of
            )
            return E("only", maybe, (whole,), span=span)
        return None

    def _rolled(self, base: E, kind: t.Rolled, attr: str, span: Span | None) -> E | None:
        var = base.data
        if attr == "total":
            return E("field", t.Int(), (), (var, "total"), span)
        die = self.game.dice.get(kind.die)
        if die is not None and attr in die.columns:
            return E("face_column", die.columns[attr], (base,), (var, attr), span)
        return None

    # --- names for «did you mean» -----------------------------------------------------------------------------------

    def names(self, kind: t.Thing) -> list[str]:
        """Words that things of this type have."""
        declared = self.game.kinds[kind.kinds[0]]
        found = [*declared.columns, *declared.zones, "owner", "item", *declared.faces, *self.stands_on(kind)]
        if declared.family in PLACES:
            found += [*OF_PLACES, *OF_PLACES_CALLED]
        found += [each.plural for each in self.game.kinds.values() if each.plural]
        return found + (["next", "opponent"] if declared.family == "player" else [])

    def names_of(self, kind: t.Type) -> list[str]:
        """Words that stand behind a dot of this type."""
        match kind:
            case t.Thing():
                return self.names(kind)
            case t.Zone():
                return [*OF_SETS, *OF_SETS_CALLED, "top", "bottom", "at", "only"]
            case t.SetOf() | t.ListOf():
                return [*OF_SETS, *OF_SETS_CALLED, "only", "at"]
            case t.Int():
                return ["at_least", "at_most"]
            case t.Rolled():
                die = self.game.dice.get(kind.die)
                return ["total", *(die.columns if die else ())]
            case t.Assigned():
                return ["targets", "things", "of", "at"]
            case t.TableOf():
                return ["at"]
            case _:
                return []
