"""The head of an act: its layers, its words, what it needs and what it costs; and the parameters of what is called.

needs: {rich: chips >= 2}, cost: {chips: 2}   ->  a jump if not; a test and, later, a payment
"""

from __future__ import annotations

from dataclasses import dataclass

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.eye import EVERYBODY, Handed
from ludoloom.compiler.analysis.model import Item, Kind, Param
from ludoloom.compiler.analysis.proofs import proofs
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Rows, Var
from ludoloom.compiler.backend import eyes, settle
from ludoloom.compiler.backend.modifiers import jump_if_forbidden, jump_if_lifted
from ludoloom.compiler.backend.proc import Label
from ludoloom.compiler.backend.statements import Statements
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.runtime import isa


@dataclass(frozen=True, slots=True)
class Parts:
    """An act as written: `layers` are the kind's section and the item's, laid one over the other by name."""

    name: str
    layers: tuple[Map, ...]
    item: Item | None = None
    kind: Kind | None = None

    @property
    def span(self) -> Span:
        return self.layers[-1].span

    def merged(self, section: str) -> list[tuple[Scalar, Node]]:
        """The entries of a mapping section over all layers; a later layer replaces an entry of the same name."""
        found: dict[str, tuple[Scalar, Node]] = {}
        for layer in self.layers:
            node = layer.get(section)
            if isinstance(node, Map):
                found.update({key.text: (key, value) for key, value in node})
        return list(found.values())

    def last(self, section: str) -> Node | None:
        """The section of the uppermost layer that has it."""
        for layer in reversed(self.layers):
            node = layer.get(section)
            if node is not None:
                return node
        return None

    @property
    def needs_name(self) -> str:
        """By what name modifiers lift its needs and forbid it."""
        return self.name.rpartition(".")[2] if self.kind is not None else self.name


def bind_values(unit: Unit, parts: Parts, scope: Scope, st: Statements | None = None) -> Scope:
    """The item's `values` and its kind's `variants` as words; with `st` they are frozen into slots, as when an act
    starts."""
    item, kind = parts.item, parts.kind
    if kind is None or scope.self_ is None:
        return scope
    variants: dict[str, E] = {}
    for name, node in kind.variants.items():
        e = unit.infer.condition(node, scope)
        if st is not None and e.op != "const":
            e = _freeze(st, name, e)
        variants[name] = e
    scope = scope.bind(**variants)
    if item is None or item.values is None:
        return scope
    bound: dict[str, E] = {}
    for key, node in item.values:
        base = unit.infer.value(node, scope)
        cases: list[tuple[E, E]] = []
        for variant, overrides in item.variants.items():
            other = overrides.get(key.text)
            if other is not None and variant in variants:
                cases.append((variants[variant], unit.infer.value(other, scope, base.type)))
        value = E("rows", base.type, data=Rows(tuple(cases), base), span=key.span) if cases else base
        if st is not None and value.op != "const" and unit.words(value.type) == 1:
            value = _freeze(st, key.text, value)
        bound[key.text] = value
    return scope.bind(**bound)


def _freeze(st: Statements, name: str, e: E) -> E:
    var = Var(name, e.type, e.span, st.proc.slot())
    st.values.put(e)
    st.proc.store(var.slot)
    return E("var", e.type, data=var, span=e.span)


def test_needs(st: Statements, parts: Parts, scope: Scope, fail: Label, *, logged: bool) -> Scope:
    """Go to `fail` unless nothing forbids the act and every need holds or is lifted. Gives the scope with what was
    proved. `logged`: a line of the log tells everybody that they held."""
    jump_if_forbidden(st.values, parts.needs_name, scope, fail)
    for name, node in parts.merged("needs"):
        condition = st.unit.infer.condition(node, scope)
        st.unit.tested(condition, node.span, "this need")
        if st.offers:
            eyes.look(st, condition, st.by, node.span, "this offer")
        if logged:
            eyes.look(st, condition, EVERYBODY, node.span, "the log line that follows")
        st.given.append(condition)
        with st.proc.at(node.span):
            lifted = [
                each
                for each in st.unit.modifiers
                if each.what == "lifts" and each.target == f"{parts.needs_name}.{name.text}"
            ]
            if lifted:
                met = st.proc.label()
                st.values.jump_if(condition, met)
                jump_if_lifted(st.values, parts.needs_name, name.text, scope, met)
                st.proc.put(isa.JMP, fail)
                st.proc.set(met)
            else:
                st.values.jump_if_not(condition, fail)
        scope = scope.prove(*proofs(node))
    return scope


class CostTest:
    """Tests whether a price can be paid; `words` are the words in it, for choices that it depends on."""

    def __init__(self, st: Statements, parts: Parts) -> None:
        self.st = st
        self.entries = parts.merged("cost")
        found: set[str] = set()
        for key, node in self.entries:
            texts_of = [key.text] + ([node.text] if isinstance(node, Scalar) else [])
            for text in texts_of:
                found |= set(text.replace(".", " ").replace("(", " ").replace(")", " ").split())
        self.words = frozenset(found)

    def mentions(self, name: str) -> bool:
        """Whether the price speaks of a choice."""
        return name in self.words

    def __call__(self, scope: Scope, fail: Label) -> None:
        for key, node in self.entries:
            e = self.st.target(key, scope)
            if e is None:
                continue
            self.st.unit.infer.uses.note(e, self.st.unit.game)
            if self.st.offers:
                eyes.look(self.st, e, self.st.by, key.span, "this offer")
            if not isinstance(e.type, t.Int):
                self.st.unit.bag.add("unknown-cost", key.span, f"`{key.text}` is no number that could be paid")
                continue
            with self.st.proc.block(), self.st.proc.at(key.span):
                thing = self.st.held(e) if e.op == "column" else None
                low, _ = self.st.bounds(e, thing)
                price = self.st.unit.infer.value(node, scope, t.Int())
                self.st.unit.tested(price, node.span, "this price")
                self.st.unit.not_negative(price, node.span, "the price", "a cost is paid: write what is gained in `do`")
                self.st.values.put(price)
                self.st.read(e, thing)
                if low is not None:
                    self.st.values.put(low)
                    self.st.proc.put(isa.SUB)
                self.st.proc.put(isa.LE)
                self.st.proc.put(isa.JZ, fail)

    def pay(self, scope: Scope) -> list[str]:
        """Pay the price; gives the keys of what was written. It settles when the act is over."""
        written: list[str] = []
        for key, node in self.entries:
            e = self.st.target(key, scope)
            if e is None or not isinstance(e.type, t.Int):
                continue
            with self.st.proc.block(), self.st.proc.at(key.span, effect=True):
                thing = self.st.held(e) if e.op == "column" else None
                self.st.read(e, thing)
                self.st.values.put(self.st.unit.infer.value(node, scope, t.Int()))
                self.st.proc.put(isa.SUB)
                self.st.write(e, thing)
            written.append(settle.key_of(e))
        return written


def parameters(unit: Unit, params: tuple[Param, ...], scope: Scope, first: int) -> Scope:
    """Bind parameters to the first words of the frame."""
    slot, siblings = first, dict[Span, Var]()
    for param in params:
        var = siblings[param.span] = Var(param.name, param.type, param.span, slot, {"siblings": siblings})
        scope = scope.bind_var(var)
        slot += unit.words(param.type)
    return scope


def put_arguments(
    st: Statements, params: tuple[Param, ...], argument: Node, scope: Scope, what: str, key: Scalar
) -> None:
    """Leave the arguments of a call on the stack: from a mapping by name, or one value for the first parameter."""
    unit = st.unit
    given: dict[str, Node] = {}
    names = [param.name for param in params]
    if isinstance(argument, Map) and "rows" not in argument:
        for name, value in argument:
            if name.text not in names:
                unit.bag.add(
                    "unknown-parameter",
                    name.span,
                    f"`{what}` has no parameter `{name.text}`",
                    did_you_mean(name.text, names),
                )
            else:
                given[name.text] = value
    elif isinstance(argument, Items):
        unit.bag.add(
            "wrong-type",
            argument.span,
            f"a list cannot be what `{what}` is called with",
            f"name the parameters: `{{{what}: {{{names[0] if names else 'name'}: …}}}}`",
        )
        return
    elif not (isinstance(argument, Scalar) and argument.value is None):
        if not params:
            unit.bag.add("unknown-parameter", argument.span, f"`{what}` takes nothing", f"write `{what}` alone")
        else:
            given[names[0]] = argument
    arguments: dict[Span, E] = {}
    for param in params:
        node = given.get(param.name)
        if node is not None:
            e = unit.infer.value(node, scope, param.type)
        elif param.implied and param.name in scope.names:
            unit.infer.uses.read_name(scope.names[param.name])
            e = unit.infer.fit(scope.names[param.name], param.type, key.span)
        elif param.default is not None:
            e = unit.infer.value(param.default, Scope(), param.type)
        else:
            if param.implied:
                unit.bag.add(
                    "implied-missing",
                    key.span,
                    f"`{what}` takes `{param.name}` from its caller, where nothing has this name",
                    f"give it: `{{{what}: {{{param.name}: …}}}}`",
                )
            else:
                unit.bag.add(
                    "missing-parameter",
                    key.span,
                    f"`{what}` needs `{param.name}`",
                    f"write `{{{what}: {{{param.name}: …}}}}`",
                )
            e = (
                E("const", param.type, data=0)
                if not isinstance(param.type, t.SetOf)
                else E("things", param.type, data=())
            )
        arguments[param.span] = e
        st.values.put(e)
    handed = Handed(arguments, key.span, tuple(st.given))
    for param in params:
        unit.handed.setdefault(param.span, []).append(handed)


def _who(unit: Unit, parts: Parts) -> tuple[Scalar, Node] | None:
    merged = parts.merged("who")
    if len(merged) != 1:
        unit.bag.add(
            "nobody-can-act", parts.span, f"`{parts.name}` does not say who may do it", "add `who: {name: set}`"
        )
        return None
    return merged[0]


def doers(unit: Unit, parts: Parts, scope: Scope) -> tuple[str, E] | None:
    """Who may do an act: the name and the set."""
    who = _who(unit, parts)
    if who is None:
        return None
    whole = unit.infer.as_set(unit.infer.value(who[1], scope))
    if not isinstance(whole.type, t.SetOf) or not isinstance(whole.type.of, t.Thing):
        return None
    return who[0].text, whole
