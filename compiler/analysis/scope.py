"""Which words mean what at one place of an act: the names bound so far, `self`, `it`, and what has been proved not to
be none."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.analysis.types import Thing


@dataclass(slots=True)
class Scope:
    """`names` are the words of the first level: parameters, choices, lets, values (an expression each); `self_` the
    thing whose card or kind is being read; `it` the element of the innermost `.where(…)`; `proven` are texts known
    not to be none."""

    names: dict[str, E] = field(default_factory=dict[str, E])
    self_: E | None = None
    it: E | None = None
    proven: frozenset[str] = frozenset()

    def bind(self, /, **more: E) -> Scope:
        """A scope with further names."""
        return Scope({**self.names, **more}, self.self_, self.it, self.proven - frozenset(more))

    def bind_var(self, var: Var) -> Scope:
        """A scope in which `var` is a word."""
        return self.bind(**{var.name: E("var", var.type, data=var, span=var.span)})

    def inside(self, element: Var) -> Scope:
        """The scope inside `.where(…)`."""
        return Scope(self.names, self.self_, E("var", element.type, data=element), self.proven)

    def prove(self, *texts: str) -> Scope:
        """A scope in which these words are known not to be none."""
        return Scope(self.names, self.self_, self.it, self.proven | frozenset(texts))

    def of(self, kind: str, thing: E) -> Scope:
        """A fresh scope of a kind's or card's own formulas: `self` is `thing`."""
        return Scope({}, E(thing.op, Thing(kind), thing.args, thing.data), None, frozenset())
