"""How types fit: what may stand where something is expected, what stands for a set, one type for several values.

a card where a set of cards is expected   ->  a set of one
none where a number is expected           ->  `maybe-none`
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Game
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.analysis.uses import Uses
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.frontend.nodes import Span
from ludoloom.runtime.isa import NIL, RANGE_BIAS, RANGE_MAX

UNKNOWN = t.Unknown()


def bad(span: Span | None = None) -> E:
    """What stands for an expression that was already reported."""
    return E("const", UNKNOWN, data=0, span=span)


def packs(number: int) -> bool:
    """Whether a number can be an end of a range that is one word. The largest means no end."""
    return -RANGE_BIAS <= number < RANGE_MAX


def pack_range(low: int, high: int) -> int:
    """A range as one word; its ends are numbers that pack, or RANGE_MAX for none."""
    assert -RANGE_BIAS <= low <= RANGE_MAX
    assert -RANGE_BIAS <= high <= RANGE_MAX
    return (high + RANGE_BIAS) << 15 | (low + RANGE_BIAS)


@dataclass(slots=True)
class Fitting:
    """The types of one game; `bag` takes the findings, `uses` what is read."""

    game: Game
    bag: Bag
    uses: Uses = field(default_factory=Uses)

    def unknown(self, name: str, span: Span, message: str, hint: str) -> None:
        """Report a word that names nothing, or that an overlay has taken out."""
        gone = self.game.removed.get(name)
        if gone is not None:
            related = (Related(gone, "removed here"),)
            self.bag.add("removed-but-used", span, f"`{name}` is used here, but it has been removed", "", related)
        else:
            self.bag.add("unknown-word", span, message, hint)

    def members_of(self, kind: t.Enum) -> list[str]:
        """The members of an enumeration, in order (member k is the word k+1)."""
        if kind.name == "phase":
            return list(self.game.phases)
        if kind.name.startswith("options."):
            return list(self.game.options[kind.name[8:]].values)
        return self.game.enums.get(kind.name, [])

    def packable(self, end: E, span: Span) -> bool:
        """Whether a number that stands there may be an end of a range that is kept as one word; else a finding."""
        if packs(end.data):
            return True
        self.bag.add(
            "number-too-large",
            end.span or span,
            f"the end {end.data} of a range lies beyond {-RANGE_BIAS} to {RANGE_MAX - 1}",
            "leave the upper end open, as in `5+`, or compare: `low <= number and number <= high`",
        )
        return False

    def is_setlike(self, kind: t.Type) -> bool:
        return isinstance(kind, t.SetOf | t.ListOf | t.Zone)

    def as_set(self, value: E) -> E:
        """Anything that can stand for a set: zones (what lies there), lists, one thing (a set of one; none: an empty
        set)."""
        match value.type:
            case t.SetOf():
                return value
            case t.ListOf(of=of):
                return E(value.op, t.SetOf(of), value.args, value.data, value.span)
            case t.Zone(holds=holds):
                kinds = holds or tuple(
                    kind.name for kind in self.game.kinds.values() if kind.family not in ("space", "map", "part")
                )
                return E("at", t.SetOf(t.Thing(*kinds)), (value,), kinds, value.span)
            case t.Thing(kinds=kinds):
                return E("single", t.SetOf(t.Thing(*kinds)), (value,), span=value.span)
            case t.Enum(name=name):
                return E("single", t.SetOf(t.Enum(name)), (value,), span=value.span)
            case t.NoneType():
                return E("things", t.SetOf(UNKNOWN), data=(), span=value.span)
            case t.Unknown():
                return E("things", t.SetOf(UNKNOWN), data=(), span=value.span)
            case _:
                self.bag.add(
                    "wrong-type",
                    value.span or Span("", 1, 1, 1, 1),
                    f"{t.show(value.type)} is no set",
                    "a set of things is expected here",
                )
                return E("things", t.SetOf(UNKNOWN), data=(), span=value.span)

    def union(self, one: E, two: E, span: Span) -> E:
        first = one.type.of if isinstance(one.type, t.SetOf) else UNKNOWN
        second = two.type.of if isinstance(two.type, t.SetOf) else UNKNOWN
        return E("union", t.SetOf(self.common([first, second])), (one, two), span=span)

    def need_int(self, value: E, span: Span | None, allow_missing: bool = False) -> E:
        """A number; a missing one is refused unless allowed."""
        kind = value.type
        if isinstance(kind, t.Unknown):
            return E("const", t.Int(), data=0, span=span)
        if isinstance(kind, t.Int):
            if kind.missing and not allow_missing:
                self.bag.add(
                    "maybe-none",
                    span or Span("", 1, 1, 1, 1),
                    "this number may be none",
                    "ask first: `… is not none and …`",
                )
            return value
        self.bag.add("wrong-type", span or Span("", 1, 1, 1, 1), f"a number is expected here, not {t.show(kind)}")
        return E("const", t.Int(), data=0, span=span)

    def certain(self, value: E) -> E:
        """The same value, known not to be none."""
        kind = value.type
        match kind:
            case t.Thing(kinds=kinds):
                certain: t.Type = t.Thing(*kinds)
            case t.Int():
                certain = t.Int()
            case t.Enum(name=name):
                certain = t.Enum(name)
            case t.ItemOf(kind=name):
                certain = t.ItemOf(name)
            case _:
                certain = kind
        return E(value.op, certain, value.args, value.data, value.span)

    def is_a(self, kind: str, base: str) -> bool:
        """Whether things of `kind` are things of `base` too."""
        seen = kind
        while seen:
            if seen == base:
                return True
            seen = self.game.kinds[seen].base if seen in self.game.kinds else ""
        return False

    def fits(self, found: t.Type, expected: t.Type) -> bool:
        """Whether a value of type `found` may stand where `expected` is asked for (none aside)."""
        match expected, found:
            case (t.Unknown(), _) | (_, t.Unknown()):
                return True
            case t.Thing(), t.Thing():
                return all(any(self.is_a(kind, base) for base in expected.kinds) for kind in found.kinds)
            case t.ItemOf(), t.ItemOf():
                return self.is_a(found.kind, expected.kind)
            case t.Enum(), t.Enum():
                return expected.name == found.name
            case (t.SetOf(), t.SetOf()) | (t.ListOf(), t.ListOf()) | (t.SetOf(), t.ListOf()):
                return self.fits(found.of, expected.of)
            case _, t.NoneType():
                return t.missing(expected)
            case t.Zone(), t.Thing():
                return False
            case _:
                return type(expected) is type(found)

    def fit(self, value: E, expected: t.Type | None, span: Span) -> E:
        """`value` as what is expected, or a finding."""
        if expected is None or isinstance(expected, t.Unknown) or isinstance(value.type, t.Unknown):
            return value
        if (
            isinstance(expected, t.SetOf)
            and not isinstance(value.type, t.SetOf)
            and self.is_setlike(value.type) | isinstance(value.type, t.Thing | t.NoneType | t.Enum)
        ):
            value = self.as_set(value)
        if isinstance(value.type, t.NoneType):
            if t.missing(expected):
                return E("const", expected, data=NIL if isinstance(expected, t.Int) else 0, span=value.span)
            self.bag.add("maybe-none", span, f"none cannot stand here: {t.show(expected)} is expected")
            return bad(span)
        if isinstance(expected, t.Range) and isinstance(value.type, t.Int):
            if value.op == "const":
                if not self.packable(value, span):
                    return bad(span)
                return E("const", t.Range(), data=pack_range(value.data, value.data), span=value.span)
            return E("range", t.Range(), (value, value), span=value.span)
        if not self.fits(value.type, expected):
            self.bag.add("wrong-type", span, f"{t.show(expected)} is expected here, not {t.show(value.type)}")
            return bad(span)
        if t.missing(value.type) and not t.missing(expected):
            self.bag.add(
                "maybe-none",
                span,
                f"this may be none, and {t.show(expected)} is expected",
                "ask first: `… is not none`, or choose from it",
            )
            return self.certain(value)
        return value

    def widened(self, kind: t.Type) -> t.Type:
        """What further rows of a table may be once the first is known."""
        match kind:
            case t.Thing(kinds=kinds):
                return t.Thing(*(self.game.kinds[name].root for name in kinds), missing=True)
            case t.Int():
                return t.Int(missing=True)
            case t.Enum(name=name):
                return t.Enum(name, missing=True)
            case t.SetOf():
                return t.SetOf(UNKNOWN)
            case t.NoneType():
                return UNKNOWN
            case _:
                return kind

    def common(self, kinds: Iterable[t.Type]) -> t.Type:
        """One type for several values."""
        result: t.Type = UNKNOWN
        for kind in kinds:
            if isinstance(result, t.Unknown) or result == kind:
                result = kind
            elif isinstance(kind, t.Unknown):
                continue
            elif isinstance(kind, t.NoneType):
                result = self.maybe(result)
            elif isinstance(result, t.NoneType):
                result = self.maybe(kind)
            elif isinstance(result, t.Thing) and isinstance(kind, t.Thing):
                names = list(dict.fromkeys((*result.kinds, *kind.kinds)))
                names = [name for name in names if not any(other != name and self.is_a(name, other) for other in names)]
                result = t.Thing(*names, missing=result.missing or kind.missing)
            elif isinstance(result, t.Int) and isinstance(kind, t.Int):
                result = t.Int(missing=result.missing or kind.missing)
            elif isinstance(result, t.Enum) and isinstance(kind, t.Enum) and result.name == kind.name:
                result = t.Enum(result.name, missing=True)
            elif isinstance(result, t.SetOf) and isinstance(kind, t.SetOf):
                result = t.SetOf(self.common([result.of, kind.of]))
        return result

    def maybe(self, kind: t.Type) -> t.Type:
        match kind:
            case t.Thing(kinds=kinds):
                return t.Thing(*kinds, missing=True)
            case t.Int():
                return t.Int(missing=True)
            case t.Enum(name=name):
                return t.Enum(name, missing=True)
            case t.ItemOf(kind=name):
                return t.ItemOf(name, missing=True)
            case _:
                return kind
