"""One procedure while it is being built: instructions with names for jumps, slots for locals, and the place each
comes from.

    proc = Proc("verb.damage", arguments=2)
    top = proc.label();  proc.put(isa.LDL, 0);  proc.jump(isa.JZ, top)

Slots follow the blocks of the source: what a block binds is free again behind it (`with proc.block():`), so frames
stay small.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ludoloom.compiler.frontend.nodes import Span
from ludoloom.runtime import isa


@dataclass(eq=False, slots=True)
class Label:
    """A place in the code; `at` is the index of the instruction behind it once it is set."""

    at: int = -1


@dataclass(slots=True)
class Ins:
    """One instruction; an operand is a number or a label."""

    op: int
    operands: tuple[int | Label, ...]
    span: Span | None
    effect: bool


@dataclass(eq=False, slots=True)
class Proc:
    """A procedure: `arguments` words come first in its frame; `results` words are left to the caller."""

    name: str
    number: int
    arguments: int
    results: int
    code: list[Ins] = field(default_factory=list[Ins])
    span: Span | None = None
    effect: bool = False
    size: int = 0
    _next: int = 0

    def __post_init__(self) -> None:
        self._next = self.size = self.arguments

    def slot(self, words: int = 1) -> int:
        """A run of free words of the frame, kept until the block ends."""
        start = self._next
        self._next += words
        self.size = max(self.size, self._next)
        return start

    @contextmanager
    def block(self) -> Generator[None, None, None]:
        """What is bound inside is free again outside."""
        before = self._next
        yield
        self._next = before

    @contextmanager
    def at(self, span: Span | None, effect: bool = False) -> Generator[None, None, None]:
        """Instructions put inside come from `span`; `effect` counts them for coverage."""
        before = (self.span, self.effect)
        self.span, self.effect = span or self.span, effect
        yield
        self.span, self.effect = before

    def put(self, op: int, *operands: int | Label) -> None:
        """Append one instruction."""
        self.code.append(Ins(op, operands, self.span, self.effect))

    def label(self) -> Label:
        """A new label, set later with `set`."""
        return Label()

    def here(self) -> Label:
        """A label for the next instruction."""
        return Label(len(self.code))

    def set(self, label: Label) -> None:
        """The label stands here."""
        label.at = len(self.code)

    def reachable(self) -> bool:
        """Whether control can come to the next instruction from the one before."""
        return not self.code or not isa.BY_CODE[self.code[-1].op].ends

    def push(self, number: int) -> None:
        self.put(isa.PUSH, number)

    def load(self, slot: int) -> None:
        self.put(isa.LDL, slot)

    def store(self, slot: int) -> None:
        self.put(isa.STL, slot)

    def count_down(self, left: int, end: Label) -> None:
        """Take one from the number in a slot; with none left (or less) go to `end`."""
        self.push(0)
        self.load(left)
        self.put(isa.LT)
        self.put(isa.JZ, end)
        self.load(left)
        self.push(1)
        self.put(isa.SUB)
        self.store(left)
