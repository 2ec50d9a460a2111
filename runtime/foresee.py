"""What an option would come to: what it costs, and how its roll may turn out.

    game.foresee("wildfire.use (heka)")
    Outlook(price=(Price("heka", "energy", 3, 3),), chances=(Chance("success", 3/5, 3/5), Chance("fail", 2/5, 2/5)))

Neither is declared anywhere: the option is done in a copy of the state, up to where it counts, so modifiers, triggers
and variants are in it. An act pays right before the line of the log that tells of it, so what is less there than it was
is the *price*. Then, if dice are thrown before anybody else is asked, each face is tried in turn, which gives exact
*chances*: of the outcomes by name where the roll has some, else of the lines of the log that follow.

Choices of the same player on the way are tried too, so a chance or a price may lie between two bounds. What would take
too long (many dice, many choices) is left out, and always the same is: the bounds are counts, not times.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from ludoloom.runtime import vm
from ludoloom.runtime.image import OUTCOMES, ColumnRow, Program
from ludoloom.runtime.isa import ASK, EVENT
from ludoloom.runtime.machine import (
    FA_BUDGET,
    FA_NONE,
    H_OPTS,
    H_WORDS,
    OPTION_WORDS,
    R_ASKED,
    R_BREAK,
    R_CP,
    R_FAULT,
    R_FORCED,
    R_OPTIONS,
    R_PC,
    R_QUESTION,
    R_SPENT,
    R_STATUS,
    R_STEP,
    R_WHO,
    REC_CHOICE,
    REC_EVENT,
    REGISTERS,
    ST_ASK,
    ST_FAULT,
    ST_FULL,
    ST_ROLL,
    ST_RUNNING,
)
from ludoloom.runtime.names import Names, names_of
from ludoloom.runtime.views import sees_column, unknown_members

SLICE: Final = 400
"""Instructions between two looks at where the copy stands."""
MOST_INSTRUCTIONS: Final = 200_000
MOST_ROLLS: Final = 400
"""Ways in which dice may fall."""
MOST_WAYS: Final = 6
"""Ways to make the choices of an act that are tried: the first, the last and some between."""
DEPTH: Final = 4
"""Choices in a row."""
WINDOW: Final = "act"
"""What the question of a window is about."""
AGAIN: Final = "again"
"""The question whether to roll once more; the odds are those of a single throw."""
_ENTRY: Final = 3
"""Words of an entry of the record that is no event and no choice."""


@dataclass(frozen=True, slots=True)
class Price:
    """By how much an option lowers a number: a column of a thing, or a word of the game (`thing` is empty)."""

    thing: str
    column: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely something is: `name` is an outcome of the roll, or the act that a line of the log tells of; `text` is
    that line, or the outcome in words. The two bounds differ where it depends on choices that come first."""

    name: str
    text: str
    low: Fraction
    high: Fraction


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is known of an option before it is chosen; empty where nothing is."""

    price: tuple[Price, ...] = ()
    chances: tuple[Chance, ...] = ()


class TooFar(Exception):
    """Working this out takes too long."""


Paid = dict[tuple[int, str], int]
Odds = dict[str, tuple[str, Fraction]]


@dataclass(frozen=True, slots=True)
class End:
    """Where one way of choosing leads: what was paid (None: unknown) and the odds, by name."""

    paid: Paid | None
    odds: Odds


@dataclass(frozen=True, slots=True)
class Told:
    """One report: the row of its event, the act, the line as this player may read it (empty: for no eyes), its words,
    and whether it is the outcome of a roll."""

    row: int
    act: str
    text: str
    parts: tuple[int, ...]
    outcome: bool


@dataclass(slots=True)
class Leaf:
    """One way for the dice to fall: how likely it is, what was reported, the outcome if the roll names it."""

    share: Fraction
    lines: list[Told] = field(default_factory=list[Told])
    outcome: Told | None = None


def foresee(program: Program, state: list[int], index: int, player: int) -> Outlook:
    """The outlook of option `index` of the question that is asked, for the player (a seat) who may choose it."""
    if state[R_STATUS] != ST_ASK or not player:
        return Outlook()
    walk = _Walk(program, player, state)
    is_act = state[program.consts[H_OPTS] + index * OPTION_WORDS + 1] != 0
    copy = list(state)
    copy[R_ASKED], copy[R_FORCED], copy[R_BREAK] = 1, 0, -1
    vm.answer(program.consts, copy, index)
    before = copy[REGISTERS : program.consts[H_WORDS]]
    try:
        ends = list(walk.follow(copy, before if is_act else None, DEPTH))
    except TooFar:
        return Outlook()
    price = tuple(walk.price([end.paid for end in ends])) if is_act else ()
    return Outlook(price, tuple(merged([end.odds for end in ends])))


def common(one: Outlook, other: Outlook) -> Outlook:
    """What two outlooks agree in."""
    return Outlook(one.price if one.price == other.price else (), one.chances if one.chances == other.chances else ())


def merged(ways: list[Odds]) -> Iterator[Chance]:
    """The odds of several ways as one: from the least to the most likely. A way without a roll leaves
    nothing to say."""
    if not ways or not all(ways):
        return
    for name in dict.fromkeys(name for way in ways for name in way):
        texts = {way[name][0] for way in ways if name in way}
        shares = [way[name][1] if name in way else Fraction(0) for way in ways]
        act = name.partition("#")[0]
        text = texts.pop() if len(texts) == 1 else words(act)
        yield Chance(act, text, min(shares), max(shares))


def followed(leaves: list[Leaf]) -> Iterator[tuple[str, tuple[str, Fraction]]]:
    """The lines of the log that follow in some ways and not in others. Of lines that always come together the first
    stands for all."""
    where: dict[tuple[str, int], set[int]] = {}
    texts: dict[tuple[str, int], set[str]] = {}
    for k, leaf in enumerate(leaves):
        for told in leaf.lines:
            if told.text:
                where.setdefault((told.act, told.row), set()).add(k)
                texts.setdefault((told.act, told.row), set()).add(told.text)
    seen: list[set[int]] = []
    for (act, row), ways in where.items():
        if len(ways) < len(leaves) and ways not in seen:
            seen.append(ways)
            lines = texts[act, row]
            text = next(iter(lines)) if len(lines) == 1 else words(act)
            yield f"{act}#{row}", (text, sum((leaves[k].share for k in ways), Fraction(0)))


def words(name: str) -> str:
    """A name as people read it."""
    return name.replace("_", " ")


class _Walk:
    """Does one option in copies of the state."""

    def __init__(self, program: Program, player: int, state: list[int]) -> None:
        self.program, self.player = program, player
        self.names: Names = names_of(program)
        self.code, self.consts = program.code, program.consts
        self.turn_word = next((row.offset for row in program.columns if not row.kind and row.name == "active"), R_STEP)
        self.turn = self.turn_of(state)
        self.calls: int = state[R_CP]
        """Calls that run while the question is asked: back there, the act is over."""
        self.instructions, self.rolls, self.ways = MOST_INSTRUCTIONS, MOST_ROLLS, MOST_WAYS

    # --- up to the roll ----------------------------------------------------------------------------------------------

    def follow(self, state: list[int], before: list[int] | None, depth: int) -> Iterator[End]:
        """Go on from an answer to where dice are thrown, over the choices of this player; `before` are the words from
        which the price is to be seen (None: it is known, or not wanted)."""
        paid: Paid | None = None
        status = ST_RUNNING
        while before is not None:
            status = self.to_report(state)
            if status == ST_FULL and self.code[state[R_PC]] == ASK:
                self.step_over(state)
                continue
            if status == ST_FULL:
                paid = self.lowered(before, state)
                before = None
                if self.code[state[R_PC]] == EVENT:
                    self.step_over(state)
            break
        if before is None:
            status, _ = self.run(state)
        if status == ST_ROLL:
            yield End(paid, self.odds(state) if self.turn_of(state) == self.turn else {})
        elif status == ST_ASK and depth and self.own_choice(state):
            for index in self.some(state[R_OPTIONS]):
                other = list(state)
                vm.answer(self.consts, other, index)
                for end in self.follow(other, before, depth - 1):
                    yield End(end.paid if before is not None else paid, end.odds)
        else:
            yield End(paid, {})

    def turn_of(self, state: list[int]) -> tuple[int, int]:
        """The step and whose turn it is: dice of a later one are not the option's own."""
        return state[R_STEP], state[self.turn_word]

    def own_choice(self, state: list[int]) -> bool:
        """Whether this player is asked for something that belongs to the act."""
        question = self.program.questions[state[R_QUESTION]]
        return question.name != WINDOW and state[R_WHO] == self.player

    def some(self, many: int) -> Iterator[int]:
        """Some of so many options, the first and the last among them."""
        left = max(1, self.ways)
        picked = range(many) if many <= left else sorted({k * (many - 1) // max(1, left - 1) for k in range(left)})
        self.ways = max(1, left // max(1, len(picked)))
        yield from picked

    def to_report(self, state: list[int]) -> int:
        """Run to where something is about to be reported; a record without room stops the machine there."""
        record = [1, 0]
        return self.sliced(state, record)

    def step_over(self, state: list[int]) -> None:
        """Do the one instruction that reports."""
        state[R_STATUS], state[R_SPENT] = ST_RUNNING, 0
        vm.run(self.code, self.consts, state, [0], 1)
        self.go_on(state)

    # --- the dice ----------------------------------------------------------------------------------------------------

    def odds(self, state: list[int]) -> Odds:
        """What the dice that are thrown now lead to, by name."""
        leaves = list(self.fall(state, Leaf(Fraction(1))))
        named = [(leaf.outcome, leaf.share) for leaf in leaves if leaf.outcome is not None]
        if not named:
            return dict(followed(leaves))
        roll = named[0][0].act
        return {
            name: (words(name), sum((share for told, share in named if told.parts[0] == k), Fraction(0)))
            for k, name in enumerate(self.program.enums.get(f"{OUTCOMES}{roll}", []), 1)
        }

    def told(self, state: list[int], row: int, parts: tuple[int, ...]) -> Told:
        """A report in words; the act alone where the line names what this player does not know."""
        line = self.program.events[row]
        values: dict[str, str] = {}
        at, text = 0, line.text
        for name, kind in zip(line.names, line.types, strict=False):
            part = list(parts[at : at + self.names.size(kind)])
            at += len(part)
            values[name] = self.names.title(kind, part)
            if unknown_members(self.program, state, kind, part, self.player):
                text = words(line.act)
        is_outcome = not line.text and bool(line.types) and line.types[0].of == f"{OUTCOMES}{line.act}"
        return Told(row, line.act, "" if line.private else self.names.fill(text, values), parts, is_outcome)

    def fall(self, state: list[int], so_far: Leaf) -> Iterator[Leaf]:
        """All ways in which the dice can fall from here."""
        share = so_far.share / state[R_OPTIONS]
        for face in range(state[R_OPTIONS]):
            self.rolls -= 1
            if self.rolls < 0:
                raise TooFar
            other = list(state)
            vm.answer(self.consts, other, face)
            leaf = Leaf(share, list(so_far.lines))
            status = self.on(other, leaf)
            # Dice that belong together are thrown before anything is told of one.
            if leaf.outcome is None and status == ST_ROLL and not any(told.text for told in leaf.lines):
                yield from self.fall(other, leaf)
            else:
                yield leaf

    def on(self, state: list[int], leaf: Leaf) -> int:
        """Run from a face to the outcome, the next die or the end of the act; nothing is rolled again."""
        while True:
            status, reports = self.run(state)
            for report in reports:
                leaf.lines.append(report)
                if report.outcome and leaf.outcome is None:
                    leaf.outcome = report
            if leaf.outcome is not None or status != ST_ASK:
                return status
            if self.program.questions[state[R_QUESTION]].name != AGAIN:
                return status
            base = self.consts[H_OPTS]
            no = next(k for k in range(state[R_OPTIONS]) if state[base + k * OPTION_WORDS + 2] == 0)
            vm.answer(self.consts, state, no)

    # --- running -----------------------------------------------------------------------------------------------------

    def run(self, state: list[int]) -> tuple[int, list[Told]]:
        """Go on to the next stop, the outcome of a roll, or the end of the act; what was reported on the way."""
        record = [0] * 128
        found: list[Told] = []
        while True:
            status = self.slice(state, record)
            found += [self.told(state, row, parts) for row, parts in events_of(record)]
            record[0] = 0
            if status == ST_RUNNING and (state[R_CP] <= self.calls or any(each.outcome for each in found)):
                return status, found
            if status not in (ST_RUNNING, ST_FULL):
                return status, found

    def sliced(self, state: list[int], record: list[int]) -> int:
        """Go on to the next stop."""
        while True:
            status = self.slice(state, record)
            if status != ST_RUNNING:
                return status

    def slice(self, state: list[int], record: list[int]) -> int:
        """Run a few instructions; the status, ST_RUNNING if nothing has stopped them."""
        self.instructions -= SLICE
        if self.instructions < 0:
            raise TooFar
        state[R_SPENT] = 0
        vm.run(self.code, self.consts, state, record, SLICE)
        return self.go_on(state)

    def go_on(self, state: list[int]) -> int:
        """The status; where only the instructions of this run were used up, the machine may go on."""
        if state[R_STATUS] == ST_FAULT and state[R_FAULT] == FA_BUDGET:
            state[R_STATUS], state[R_FAULT] = ST_RUNNING, FA_NONE
        return state[R_STATUS]

    # --- the price ---------------------------------------------------------------------------------------------------

    def lowered(self, before: list[int], state: list[int]) -> Paid:
        """The numbers that are less than before, of those that this player sees: by thing and column."""
        found: Paid = {}
        for k, word in enumerate(before, REGISTERS):
            if state[k] >= word:
                continue
            for column in self.columns():
                thing = column.first + k - column.offset if column.kind else 0
                if 0 <= k - column.offset < max(column.count, 1) and sees_column(
                    self.program, state, column, thing, self.player
                ):
                    found[thing, column.name] = word - state[k]
        return found

    def columns(self) -> Iterable[ColumnRow]:
        """The columns that hold numbers which change."""
        return (
            column
            for column in self.program.columns
            if column.storage == "state" and column.type.tag == "int" and column.words == 1
        )

    def price(self, ways: list[Paid | None]) -> Iterator[Price]:
        """What all ways cost, each number from the least to the most."""
        if any(paid is None for paid in ways):
            return
        known = [paid for paid in ways if paid is not None]
        for thing, column in dict.fromkeys(key for paid in known for key in paid):
            sums = [paid.get((thing, column), 0) for paid in known]
            yield Price(self.names.thing(thing) if thing else "", column, min(sums), max(sums))


def events_of(record: list[int]) -> list[tuple[int, tuple[int, ...]]]:
    """The events of a record, each with its words."""
    found: list[tuple[int, tuple[int, ...]]] = []
    at = 1
    while at <= record[0]:
        if record[at] == REC_EVENT:
            many = record[at + 2]
            found.append((record[at + 1], tuple(record[at + 3 : at + 3 + many])))
            at += 3 + many
        else:
            at += 8 if record[at] == REC_CHOICE else _ENTRY
    return found
