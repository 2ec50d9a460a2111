"""What all parts of the lowering share: the game, the tables that fill up, and the procedures by name.

A procedure is asked for by key and built later from a queue, so that mutual calls need no order and no deep recursion.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.declare_types import TypeWords
from ludoloom.compiler.analysis.eye import ANYBODY, Eye, Handed
from ludoloom.compiler.analysis.infer import Infer
from ludoloom.compiler.analysis.model import Game, Param
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.backend.layout import Layout, Universe
from ludoloom.compiler.backend.proc import Label, Proc
from ludoloom.compiler.backend.records import Action, Alike, Hooks, Modifier, Printed, Signature, Watcher
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Span
from ludoloom.runtime.image import QuestionRow, TextRow, TypeRow


@dataclass(slots=True)
class Jumps:
    """A jump table of constants whose entries are labels of a procedure."""

    offset: int
    proc: Proc
    labels: list[Label]


class Makers(Protocol):
    """Procedures that a layer above knows how to build, asked for by name: a statement may stop a phase or open a
    window, and both are made of statements."""

    def hooked(self, unit: Unit, target: str, params: tuple[Param, ...], words: int, results: int, core: Proc) -> Proc:
        """`core` with the triggers and windows that lie round it (`triggers`)."""
        ...

    def window(self, unit: Unit, name: str, target: str) -> Proc:
        """A window, opened round the verb `target` or by itself (`windows`)."""
        ...

    def phase(self, unit: Unit, name: str) -> Proc:
        """A phase (`phases`)."""
        ...

    def turns(self, unit: Unit, name: str) -> Proc:
        """One turn of a phase (`phases`)."""
        ...

    def action(self, unit: Unit, name: str) -> Action:
        """An action of the game (`acts`)."""
        ...

    def verb_core(self, unit: Unit, name: str) -> Proc:
        """A verb without what lies round it (`acts`)."""
        ...

    def settle(self, unit: Unit, concerned: tuple[int, ...]) -> Proc:
        """The test of some watchers, given by their places (`watchers`)."""
        ...


@dataclass(slots=True)
class Unit:
    """One program in the making."""

    game: Game
    bag: Bag
    infer: Infer
    layout: Layout
    makers: Makers
    procs: dict[str, Proc] = field(default_factory=dict[str, Proc])
    queue: deque[Callable[[], None]] = field(default_factory=deque[Callable[[], None]])
    labels: list[TextRow] = field(default_factory=lambda: [TextRow("", "{value}")])
    label_numbers: dict[str, int] = field(default_factory=dict[str, int])
    questions: list[QuestionRow] = field(default_factory=list[QuestionRow])
    events: list[TextRow] = field(default_factory=list[TextRow])
    event_numbers: dict[TextRow, int] = field(default_factory=dict[TextRow, int])
    faults: list[str] = field(default_factory=list[str])
    steps: list[str] = field(default_factory=list[str])
    jumps: list[Jumps] = field(default_factory=list[Jumps])
    printed: dict[str, Printed] = field(default_factory=dict[str, Printed])
    modifiers: list[Modifier] = field(default_factory=list[Modifier])
    watchers: list[Watcher] = field(default_factory=list[Watcher])
    hooks: dict[str, Hooks] = field(default_factory=dict[str, Hooks])
    signatures: dict[str, Signature] = field(default_factory=dict[str, Signature])
    actions: dict[str, Action] = field(default_factory=dict[str, Action])
    checking: bool = False
    """Only findings are wanted: card acts that say the same are lowered once."""
    alike: dict[object, Alike] = field(default_factory=dict[object, Alike])
    """Card acts by what they say (`acts`)."""
    doers: dict[tuple[str, str], tuple[str, t.Type]] = field(default_factory=dict[tuple[str, str], tuple[str, t.Type]])
    called: set[str] = field(default_factory=set[str])
    """Verbs, rolls, windows, phases and actions that something uses."""
    eyes: list[Eye] = field(default_factory=list[Eye])
    """What players come to know, for the check that it is not hidden from them."""
    handed: dict[Span, list[Handed]] = field(default_factory=dict[Span, list[Handed]])
    """What verbs and rolls are called with, by the place where a parameter is declared."""
    tests: list[Eye] = field(default_factory=list[Eye])
    """What is only asked, perhaps many times: needs, prices, `whenever` … They may not draw."""
    shuffled: list[E] = field(default_factory=list[E])
    """The zones that a statement shuffles."""

    def proc(self, key: str, arguments: int, results: int, build: Callable[[Proc], None]) -> Proc:
        """The procedure `key`; the first who asks also says how it is built."""
        found = self.procs.get(key)
        if found is None:
            found = Proc(key, len(self.procs), arguments, results)
            self.procs[key] = found
            made = found
            self.queue.append(lambda: build(made))
        return found

    def tested(self, e: E, span: Span, what: str) -> None:
        """Note what is only asked, and so may not draw from a pile (the lint `test_draws`)."""
        self.tests.append(Eye(e, ANYBODY, span, what))

    def not_negative(self, e: E, span: Span, what: str, instead: str) -> None:
        """Report a number, written as such, that would do the opposite of what the word says."""
        if e.op == "const" and isinstance(e.data, int) and e.data < 0:
            self.bag.add("wrong-type", span, f"{what} is {e.data}, less than nothing", instead)

    def drain(self) -> None:
        """Build what was asked for, and what that asks for."""
        while self.queue:
            self.queue.popleft()()

    def label(self, key: str, row: TextRow) -> int:
        """The number of an option label."""
        if key not in self.label_numbers:
            self.label_numbers[key] = len(self.labels)
            self.labels.append(row)
        return self.label_numbers[key]

    def question(self, row: QuestionRow) -> int:
        self.questions.append(row)
        return len(self.questions) - 1

    def event(self, row: TextRow) -> int:
        number = self.event_numbers.get(row)
        if number is None:
            number = self.event_numbers[row] = len(self.events)
            self.events.append(row)
        return number

    def fault(self, text: str) -> int:
        """The operand of FAULT for a text of the game's own."""
        if text not in self.faults:
            self.faults.append(text)
        return self.faults.index(text)

    def type_words(self) -> TypeWords:
        """What may stand in a type."""
        return TypeWords(self.bag, self.game.enums, {kind.name: kind.family for kind in self.game.kinds.values()})

    @property
    def quiet(self) -> Infer:
        """Types what was typed before, once more: nothing is reported or counted again."""
        return Infer(self.game, Bag())

    # --- types in the machine ---------------------------------------------------------------------------------------

    def universe(self, kind: t.Type) -> Universe:
        """The universe of a set with elements of this type."""
        match kind:
            case t.Thing(kinds=kinds):
                roots = [self.game.kinds[self.game.kinds[name].root] for name in kinds]
                return self.layout.span_of(roots)
            case t.ItemOf(kind=name):
                return self.layout.span_of([self.game.kinds[self.game.kinds[name].root]])
            case t.Enum():
                return Universe(1, max(1, len(self.infer.members_of(kind))))
            case t.Cell(map=name):
                growing = self.game.maps[name]
                return Universe(1, growing.width * growing.height)
            case _:
                return Universe(1, 1)

    def words(self, kind: t.Type) -> int:
        """Words that a value of this type takes in a frame."""
        return self.universe(kind.of).words if isinstance(kind, t.SetOf | t.ListOf) else 1

    def row(self, kind: t.Type) -> TypeRow:
        """The type as the runtime shows it."""
        match kind:
            case t.Int():
                return TypeRow("int")
            case t.Bool():
                return TypeRow("bool")
            case t.Enum(name=name):
                return TypeRow("enum", name)
            case t.Thing(kinds=kinds):
                return TypeRow("thing", "|".join(kinds))
            case t.ItemOf(kind=name):
                return TypeRow("thing", name)
            case t.Zone():
                return TypeRow("thing")
            case t.SetOf(of=of) | t.ListOf(of=of):
                return TypeRow("set", self.row(of).of)
            case t.Range():
                return TypeRow("range")
            case t.Cell(map=name):
                return TypeRow("cell", name)
            case _:
                return TypeRow("int")

    # --- players ----------------------------------------------------------------------------------------------------

    def player_of(self, thing: E) -> E | None:
        """The seat for which a thing stands: a player itself, or the owner of a piece (and so on), or None."""
        kind = thing.type
        for _ in range(8):
            if not isinstance(kind, t.Thing) or not kind.kinds or kind.kinds[0] not in self.game.kinds:
                return None
            declared = self.game.kinds[kind.kinds[0]]
            if declared.family == "player":
                return thing
            column = declared.columns.get("owner")
            if column is None or not isinstance(column.type, t.Thing):
                return None
            kind = t.Thing(*column.type.kinds)
            thing = E("column", kind, (thing,), column)
        return None
