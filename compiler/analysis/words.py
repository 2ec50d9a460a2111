"""Bare words, looked up level by level: names of the act, columns (of `it`, else of `self`), the game.

stake   ->  a name of the act, or column(stake; self), or a word of the state
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.bounds import bounds_of
from ludoloom.compiler.analysis.fitting import UNKNOWN, Fitting, bad
from ludoloom.compiler.analysis.members import Members
from ludoloom.compiler.analysis.model import Column
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Map, Node, Scalar, Span
from ludoloom.runtime.isa import NIL

_MEMBERS = {"column": "a column of", "zone_of": "a zone of", "loc": "the place of"}
"""What of the thing that is looked at a bare word can mean, and so must not be a name of the act as well."""


@dataclass(slots=True)
class Words(Fitting, ABC):
    """Gives bare words their meaning; a formula that a word names is typed on first use, by `value`."""

    _resolving: list[Column] = field(default_factory=list[Column])
    _broken: dict[int, Column] = field(default_factory=dict[int, Column])
    """Formulas whose type cannot be told, by identity: each is looked at and reported once, however often it is
    read."""

    @abstractmethod
    def value(self, node: Node, scope: Scope, expected: t.Type | None = None) -> E:
        """The value of a node of a file."""

    def typed(self, e: E) -> E:
        """The same reading of a column with its type; a formula's type is what its text gives, worked out on first
        use."""
        self.uses.note(e, self.game)
        if e.op == "by_kind":
            values = [(kind, self.typed(value)) for kind, value in e.data]
            return E("by_kind", self.common([value.type for _, value in values]), e.args, values, e.span)
        if e.op != "column" or not isinstance(e.type, t.Unknown) or e.data.formula is None:
            return e
        return E("column", self.resolve(e.data), e.args, e.data, e.span)

    def resolve(self, column: Column) -> t.Type:
        """The type of a computed column."""
        if not isinstance(column.type, t.Unknown) or column.formula is None or id(column) in self._broken:
            return column.type
        if any(column is other for other in self._resolving):
            start = next(at for at, other in enumerate(self._resolving) if other is column)
            ring = self._resolving[start:]
            first = min(ring, key=lambda each: (each.span.file, each.span.line, each.span.column))
            at = next(at for at, other in enumerate(ring) if other is first)
            names = [each.name for each in (*ring[at:], *ring[:at], first)]
            self.bag.add(
                "formula-cycle",
                first.span,
                f"`{first.name}` is worked out from itself: {' -> '.join(f'`{name}`' for name in names)}",
                "take one of the steps out",
            )
            return column.type
        self._resolving.append(column)
        thing = E("var", t.Thing(column.kind), data=Var("self", t.Thing(column.kind))) if column.kind else None
        names = {param.name: E("var", param.type, data=Var(param.name, param.type)) for param in column.params}
        found = self.value(column.formula, Scope(names, thing))
        self._resolving.pop()
        kind = t.SetOf(found.type.of) if isinstance(found.type, t.ListOf) else found.type
        if isinstance(kind, t.NoneType):
            self.bag.add("wrong-type", column.span, f"`{column.name}` is always none", "a formula gives a value")
            kind = UNKNOWN
        column.type = kind
        column.within = bounds_of(self.game, found)
        if isinstance(kind, t.Unknown):
            self._broken[id(column)] = column
        return kind

    def known(self, name: str, scope: Scope) -> bool:
        """Whether a bare name means something without an expected type."""
        return (
            name in scope.names
            or name in ("self", "it", "true", "false", "none", "active", "phase")
            or self.bare(name, Span("", 0, 0, 0, 0), scope, quiet=True) is not None
        )

    def word(self, name: str, span: Span, scope: Scope, expected: t.Type | None = None) -> E:
        """A bare word, looked up level by level; at last, where no type is expected, as a member of the one enumeration
        that has it."""
        match name:
            case "true" | "false":
                return E("const", t.Bool(), data=int(name == "true"), span=span)
            case "none":
                return E("const", t.NoneType(), data=NIL if isinstance(expected, t.Int) else 0, span=span)
            case "self" if scope.self_ is not None:
                return scope.self_
            case "it" if scope.it is not None:
                return scope.it
            case "self" | "it":
                self.bag.add(
                    "unknown-word",
                    span,
                    f"there is no `{name}` here",
                    "`self` is the card or kind that the line belongs to, `it` the element inside `.where(…)`",
                )
                return bad(span)
            case _:
                pass
        found = self.bare(name, span, scope, expected=expected)
        if found is not None:
            found = self.typed(found)
            if t.missing(found.type) and name in scope.proven:
                found = self.certain(found)
            return found
        if isinstance(expected, t.Unknown) and self.bag.failed:
            return bad(span)  # what stands here depends on something that was reported
        declared = self.game.enums.items() if expected is None else ()
        homes = [enum for enum, members in declared if name in members and "." not in enum]
        if len(homes) == 1:
            return E("const", t.Enum(homes[0]), data=self.game.enums[homes[0]].index(name) + 1, span=span)
        several = " and of ".join(f"`{enum}`" for enum in homes)
        hint = f"it is a value of {several}; nothing here says which" if homes else ""
        candidates = self.candidates(scope, expected)
        self.unknown(name, span, f"`{name}` is not known here", hint or did_you_mean(name, candidates))
        return bad(span)

    def bare(
        self, name: str, span: Span, scope: Scope, expected: t.Type | None = None, quiet: bool = False
    ) -> E | None:
        first = scope.names.get(name)
        if first is not None and not quiet:
            self.uses.read_name(first)
        owner = scope.it if scope.it is not None else scope.self_
        second = (
            Members(self.game).of_thing(owner, name, span)
            if owner is not None and isinstance(owner.type, t.Thing)
            else None
        )
        if (
            second is None
            and scope.it is not None
            and scope.self_ is not None
            and isinstance(scope.self_.type, t.Thing)
            and name not in self.game.names
        ):
            second = Members(self.game).of_thing(scope.self_, name, span) if self._own_only(name, scope) else None
        if first is not None and second is not None and second.op in _MEMBERS and not quiet:
            it, what = "it" if scope.it is not None else "self", _MEMBERS[second.op]
            self.bag.add(
                "ambiguous-word",
                span,
                f"`{name}` is a name of this act and {what} `{it}`",
                f"write `{it}.{name}` for that of `{it}`, or give the name another spelling",
            )
        if first is not None:
            return E(first.op, first.type, first.args, first.data, span)
        if second is not None and not (
            second.op == "facet" and expected is not None and self.member_of(name, expected, span) is not None
        ):
            return second
        if expected is not None:
            member = self.member_of(name, expected, span)
            if member is not None:
                return member
        return self.of_game(name, span)

    def _own_only(self, name: str, scope: Scope) -> bool:
        """Inside `.where(…)` the columns of `self` are written `self.x`; only what the game does not know is looked
        for there."""
        return self.of_game(name, None) is None

    def member_of(self, name: str, expected: t.Type, span: Span) -> E | None:
        """A name that the expected type finds: an enumeration member, a printed thing."""
        if isinstance(expected, t.SetOf | t.ListOf):
            return self.member_of(name, expected.of, span)
        if isinstance(expected, t.Enum):
            members = self.members_of(expected)
            if name in members:
                return E("const", t.Enum(expected.name), data=members.index(name) + 1, span=span)
        if isinstance(expected, t.ItemOf):
            item = self.game.items.get(name)
            if item is not None and self.is_a(item.kind, expected.kind):
                return E("const", t.ItemOf(expected.kind), data=item.things[0] if item.things else 0, span=span)
        return None

    def of_game(self, name: str, span: Span | None) -> E | None:
        """A word of the game itself."""
        game = self.game
        if name == "active":
            return E("word", t.Thing(self.active_kind()), data="active", span=span)
        if name == "phase":
            return E("word", t.Enum("phase"), data="phase", span=span)
        if name in game.state:
            return E("word", game.state[name].type, data=f"state.{name}", span=span)
        if name in game.computed:
            column = game.computed[name]
            return E("column", column.type, data=column, span=span) if not column.params else None
        if name in game.tracks:
            return E("word", t.Int(), data=f"track.{name}", span=span)
        for kind in game.kinds.values():
            if kind.plural == name:
                op = "all_of" if kind.family in ("space", "part", "map") else "in_play"
                return E(op, t.SetOf(t.Thing(kind.name)), data=kind.name, span=span)
        number = game.names.get(name)
        if number is not None:
            thing = game.things[number - 1]
            if thing.zone is not None:
                return E("const", t.Zone(thing.zone.holds, thing.zone.order), data=number, span=span)
            return E("const", t.Thing(thing.kind), data=number, span=span)
        return None

    def active_kind(self) -> str:
        """The kind of `active`: what the phases' turns go round."""
        for phase in self.game.phases.values():
            turns = phase.get("turns")
            of = turns.get("of") if isinstance(turns, Map) else None
            if isinstance(of, Scalar):
                for kind in self.game.kinds.values():
                    if kind.plural == of.text.split(".")[0]:
                        return kind.name
        return self.game.player_kind

    def candidates(self, scope: Scope, expected: t.Type | None = None) -> list[str]:
        """All words known here, for «did you mean»."""
        words = [*scope.names, *self.game.state, *self.game.computed, *self.game.tracks, *self.game.names]
        words += [kind.plural for kind in self.game.kinds.values()] + [
            "active",
            "phase",
            "options",
            "none",
            "true",
            "false",
        ]
        for owner in (scope.it, scope.self_):
            if owner is not None and isinstance(owner.type, t.Thing):
                words += Members(self.game).names(owner.type)
        if isinstance(expected, t.Enum):
            words += self.members_of(expected)
        if isinstance(expected, t.ItemOf):
            words += [item.id for item in self.game.items.values() if self.is_a(item.kind, expected.kind)]
        return words
