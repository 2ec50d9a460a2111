"""The public face of the runtime: load an image, play a game.

    image = load("build/tic_tac_toe.loom")
    game = Game.new(image, players=2, seed=7)
    while game.status in ("ask", "chance"):
        print(game.question.text, [option.label for option in game.options])
        game.apply(0)                      # by number, or by label: game.apply("b2")
    print(game.result)

A game is a program and one flat state. `fork` copies it, `undo` goes back one answer, `view` shows what one player may
see. Everything a caller can do wrong raises `GameError` with a sentence; a fault of the content is a status, never an
exception.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoloom.runtime import jit, vm, worth
from ludoloom.runtime.chance import mix
from ludoloom.runtime.errors import GameError, ImageError, SaveError, unknown
from ludoloom.runtime.image import Image, Program, QuestionRow, TextRow, TypeRow
from ludoloom.runtime.machine import (
    H_OPTS,
    OPTION_WORDS,
    R_BOTS,
    R_BREAK,
    R_DECISIONS,
    R_FAULT,
    R_OPTIONS,
    R_OUTCOME,
    R_PC,
    R_PLAYERS,
    R_QUESTION,
    R_STATUS,
    R_STEP,
    R_WHO,
    R_WINNERS,
    REC_CHOICE,
    REC_DRAW,
    REC_EVENT,
    REC_ROLL,
    ST_ASK,
    ST_BREAK,
    ST_DRAW,
    ST_END,
    ST_FAULT,
    ST_FULL,
    ST_ROLL,
)
from ludoloom.runtime.names import Names, names_of
from ludoloom.runtime.opening import prepare
from ludoloom.runtime.rollout import redeal, rollouts
from ludoloom.runtime.state import evaluate, fault_text, fingerprint, pack, position, reseed, unpack
from ludoloom.runtime.told import Decision, Event, Fault, Option, Question, Result
from ludoloom.runtime.unseen import NOTHING, levelled, table
from ludoloom.runtime.views import EVERYONE, unknown_members, view, viewer_number

if TYPE_CHECKING:
    from ludoloom.runtime.foresee import Outlook

__all__ = [
    "Decision",
    "Event",
    "Fault",
    "Game",
    "GameError",
    "ImageError",
    "Option",
    "Question",
    "Result",
    "SaveError",
    "load",
]

BUDGET = 5_000_000
"""Instructions between two decisions, unless the caller says otherwise."""
RECORD_WORDS = 4096
UNDO_DEPTH = 500
FORESEEN = (1, 2, 3)
"""Seeds of the deals in which an option is looked at beforehand."""
DONE = "done"
"""The answer that ends a choice of several."""
REOPENINGS = 20
"""How often others' secret answers are tried anew, until the game stands at the same question."""
SEED_MASK = (1 << 60) - 1
Sealed = tuple[bytes, tuple[tuple[str, str], ...]]
"""The state before the first of the secret answers that are not turned up yet, and these answers: who gave which."""
STATUS: dict[int, str] = {
    ST_ASK: "ask",
    ST_ROLL: "chance",
    ST_DRAW: "chance",
    ST_END: "end",
    ST_FAULT: "fault",
    ST_BREAK: "break",
}


def load(source: str | Path | bytes) -> Image:
    """Read an image from a file or from bytes; `ImageError` says why if it is none, damaged, or not safe to run."""
    from ludoloom.runtime.serial import from_bytes, read_image
    from ludoloom.runtime.verify import check_image

    image = from_bytes(source) if isinstance(source, bytes) else read_image(Path(source))
    check_image(image)
    return image


class Game:
    """A running game. Make one with `Game.new`; `image`, `program`, `settings` and `state` may be read."""

    __slots__ = (
        "_arrays",
        "_budget",
        "_decisions",
        "_events",
        "_fast",
        "_labels",
        "_pending",
        "_prepared",
        "_record",
        "_sealed",
        "_undo",
        "image",
        "names",
        "program",
        "settings",
        "state",
    )

    def __init__(
        self,
        image: Image,
        program: Program,
        state: list[int],
        settings: dict[str, Any],
        *,
        fast: bool | None,
        budget: int,
    ) -> None:
        self.image = image
        self.program = program
        self.state = state
        self.settings = settings
        self.names: Names = names_of(program)
        self._budget = budget
        self._fast = jit.machine() if fast else None
        self._arrays: tuple[Any, Any, Any] | None = None
        if self._fast is not None:
            self._arrays = (*fixed_vectors(self._fast, program), self._fast.vector([0] * RECORD_WORDS))
        self._record = [0] * RECORD_WORDS
        self._events: list[Event] = []
        self._decisions: list[Decision] = []
        self._undo: deque[tuple[bytes, int, int, Sealed | None]] = deque(maxlen=UNDO_DEPTH)
        self._pending: Option | None = None
        self._labels: list[Option] | None = None
        self._sealed: Sealed | None = None
        self._prepared: dict[int, tuple[Any, Any]] = {}
        """For a seat that looks ahead: what is unseen, and the state from which it does; till something changes."""

    # --- beginning -------------------------------------------------------------------------------------------------
    @classmethod
    def new(
        cls,
        image: Image,
        players: int | None = None,
        options: dict[str, Any] | None = None,
        seed: int = 0,
        *,
        asked: bool = False,
        forced: bool = False,
        fast: bool | None = None,
        budget: int = BUDGET,
        until: str | None = None,
    ) -> Game:
        """A new game, run to its first question.

        `players`: how many (left out: the fewest). `options`: the game's options by name. `asked`: chance is asked
        instead of drawn. `forced`: questions with one option are asked too. `fast`: run compiled by numba where it is
        installed. `budget`: instructions between two decisions. `until`: stop when this step (``phase.step``) is about
        to begin.
        """
        if not 1 <= budget <= vm.WORD_MAX:
            raise GameError(f"a budget is a number from 1 to {vm.WORD_MAX}")
        program, state, settings = prepare(image, players, options or {}, seed, asked=asked, forced=forced)
        game = cls(image, program, state, settings, fast=fast, budget=budget)
        if until is not None:
            state[R_BREAK] = game._step(until)
        game._go()
        state[R_BREAK] = -1
        return game

    @classmethod
    def restored(
        cls,
        image: Image,
        program: Program,
        state: list[int],
        settings: dict[str, Any],
        events: list[Event],
        decisions: list[Decision],
        *,
        fast: bool | None = None,
        budget: int = BUDGET,
    ) -> Game:
        """A game that stands where `state` does (see `save.py`; the state must have been checked)."""
        game = cls(image, program, state, settings, fast=fast, budget=budget)
        game._events = list(events)
        game._decisions = list(decisions)
        return game

    def changed(self) -> None:
        """Tell the game that its state was written to from outside (`named.write`): options are read anew."""
        self._labels = None
        self._prepared.clear()

    # --- where it stands -------------------------------------------------------------------------------------------
    @property
    def status(self) -> str:
        """ask (a player), chance (a die or draw from outside), end, fault, or break (a step waited for is about to
        begin).
        """
        return STATUS.get(self.state[R_STATUS], "running")

    @property
    def players(self) -> list[str]:
        """The players in play, in seat order."""
        return [self.names.thing(seat) for seat in self.names.seats[: self.state[R_PLAYERS]]]

    @property
    def step(self) -> str:
        """``phase.step`` where the game stands; empty before the first."""
        row = self.state[R_STEP]
        return self.program.steps[row] if 0 <= row < len(self.program.steps) else ""

    @property
    def question(self) -> Question:
        """What is asked now."""
        status, row = self.state[R_STATUS], self.state[R_QUESTION]
        if status == ST_ASK:
            found = self.program.questions[row]
            who = self.names.thing(self.state[R_WHO]) if self.state[R_WHO] else ""
            text = found.text
            if found.about:
                text = text.replace("{about}", self.names.title(TypeRow("thing"), [self.state[found.about]]))
            return Question(who, found.act, found.name, text, found.secret, found.chance)
        if status == ST_ROLL:
            name = self.program.dice[row].name
            return Question("", "", name, f"{name} shows", chance="roll")
        if status == ST_DRAW:
            name = self.names.thing(row)
            return Question("", "", name, f"drawn from {name}", chance="draw")
        raise GameError(f"nothing is asked: {self.status_text()}")

    @property
    def options(self) -> list[Option]:
        """The answers to choose from; empty when nothing is asked."""
        if self._labels is None:
            self._labels = self._read_options()
        return list(self._labels)

    @property
    def events(self) -> list[Event]:
        """All that has been reported, oldest first."""
        return list(self._events)

    @property
    def decisions(self) -> list[Decision]:
        """All answers, forced ones and chance too, oldest first."""
        return list(self._decisions)

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it runs."""
        if self.state[R_STATUS] != ST_END:
            return None
        row = self.state[R_OUTCOME]
        winners = tuple(
            self.names.thing(seat) for k, seat in enumerate(self.names.seats) if self.state[R_WINNERS] >> k & 1
        )
        if not 0 <= row < len(self.program.outcomes):
            return Result("", "", winners)
        return Result(self.program.outcomes[row].name, self.program.outcomes[row].text, winners)

    @property
    def fault(self) -> Fault | None:
        """Why the game was stopped, with the place in the YAML; None if it was not."""
        if self.state[R_STATUS] != ST_FAULT:
            return None
        file, line, column = self.place(self.state[R_PC])
        return Fault(self.state[R_FAULT], fault_text(self.program, self.state[R_FAULT]), file, line, column)

    def place(self, pc: int) -> tuple[str, int, int]:
        """File, line and column of the YAML from which the instruction at `pc` comes."""
        from bisect import bisect_right

        places = self.program.places
        k = bisect_right(places, pc, key=lambda row: row.pc) - 1
        if k < 0:
            return "", 0, 0
        row = places[k]
        return self.image.files[row.file] if 0 <= row.file < len(self.image.files) else "", row.line, row.column

    # --- going on --------------------------------------------------------------------------------------------------
    def apply(self, answer: int | str) -> None:
        """Answer the question by the number or the label of an option, and go on to the next question."""
        if self.status not in ("ask", "chance"):
            raise GameError(f"nothing is asked: {self.status_text()}")
        options = self.options
        if isinstance(answer, str):
            chosen = next((option for option in options if option.label == answer), None)
            if chosen is None:
                raise GameError(unknown("option", answer, [option.label for option in options]))
        elif 0 <= answer < len(options):
            chosen = options[answer]
        else:
            raise GameError(f"there is no option {answer}; the options are 0 to {len(options) - 1}")
        before = pack(self.state)
        self._undo.append((before, len(self._events), len(self._decisions), self._sealed))
        secret = self.status == "ask" and self.question.secret
        vm.answer(self.program.consts, self.state, chosen.index)
        self._pending = chosen
        self._go()
        if not secret or self.status != "ask" or not self.question.secret:
            self._sealed = None
        else:
            first, answers = self._sealed or (before, ())
            self._sealed = (first, (*answers, (chosen.player, chosen.label)))

    def undo(self) -> bool:
        """Go back to before the last answer; False if there is none (the last 500 are kept)."""
        if not self._undo:
            return False
        data, events, decisions, self._sealed = self._undo.pop()
        self.state = unpack(data)
        del self._events[events:]
        del self._decisions[decisions:]
        self._labels = None
        self._prepared.clear()
        return True

    def fork(self) -> Game:
        """A game that stands exactly where this one does and goes its own way."""
        other = Game(
            self.image,
            self.program,
            list(self.state),
            {**self.settings, "options": dict(self.settings["options"])},
            fast=self._fast is not None,
            budget=self._budget,
        )
        other._events = list(self._events)
        other._decisions = list(self._decisions)
        other._undo = self._undo.copy()
        other._sealed = self._sealed
        return other

    def run_until(self, step: str, choose: Callable[[Game], int | str] | None = None) -> bool:
        """Go on until the step (``phase.step``) is about to begin; questions on the way are answered by `choose`, or
        else with the first option. False if the game ends or faults before; the step counts only if it begins anew."""
        row = self._step(step)
        self.state[R_BREAK] = row
        try:
            if self.status == "break":
                self._go()
            while self.status in ("ask", "chance"):
                self.apply(choose(self) if choose else 0)
            return self.status == "break"
        finally:
            self.state[R_BREAK] = -1

    def resume(self) -> None:
        """Go on after a stop at a step."""
        if self.status != "break":
            raise GameError(f"the game does not wait at a step: {self.status_text()}")
        self._go()

    def call(self, proc: int | str, arguments: list[int] | None = None) -> list[int]:
        """The result words of a formula of the program (by number or name) as the game stands; nothing changes."""
        if isinstance(proc, str):
            numbers = {row.name: number for number, row in enumerate(self.program.procs)}
            if proc not in numbers:
                raise GameError(unknown("procedure", proc, numbers))
            proc = numbers[proc]
        return evaluate(self.program, self.state, proc, arguments or [])

    # --- what it is worth ------------------------------------------------------------------------------------------
    def goals(self, player: str) -> dict[str, int]:
        """What each declared goal counts for a player now, in thousandths of a won game; nothing where the game
        declares none. A goal that has no value at this moment (it asks for what is not there) counts nothing."""
        return worth.goals(self.program, self.state, viewer_number(self.program, player))

    def value(self, player: str) -> int:
        """How well a player stands, from -1000 (lost) to 1000 (won): by the result if the game is over, else by its
        goals, which count 900 at most."""
        return worth.value(self.program, self.state, viewer_number(self.program, player))

    def rollouts(
        self, options: Sequence[int], count: int, *, depth: int = 0, seed: int = 0, player: str | None = None
    ) -> list[int]:
        """Try options of the question, by number: each is taken `count` times and the game played on at random for
        `depth` more answers (or to its end). For each option how well `player` stands then (`value`), added up; left
        out: the player whose option it is.

        Before each try what that player does not see is dealt anew. Nothing changes in this game; the same seed gives
        the same sums, compiled or not.
        """
        mine = self.options
        for index in options:
            if not 0 <= index < len(mine):
                raise GameError(f"there is no option {index}; the options are 0 to {len(mine) - 1}")
        found: dict[int, int] = {}
        seats = {index: player or mine[index].player or self.players[0] for index in options}
        for name in dict.fromkeys(seats.values()):
            own = [index for index in options if seats[index] == name]
            seat = viewer_number(self.program, name)
            found.update(zip(own, self._rollouts(own, count, depth, seed, seat), strict=True))
        return [found[index] for index in options]

    def resample(self, player: str, seed: int = 0) -> Game:
        """A fork with another luck, in which everything is dealt anew that `player` does not see: a game that this one
        could be, as far as the player knows. What others have answered in secret is answered again by chance."""
        seat = viewer_number(self.program, player)
        other = self._reopened(seat, seed) if self._sealed is not None else self.fork()
        other._deal(seat, seed)
        return other

    def _deal(self, seat: int, seed: int) -> None:
        reseed(self.state, seed & SEED_MASK)
        unseen = table(self.program, self.state, seat)
        self.state = levelled(self.program, self.state, unseen)
        redeal(self.program.consts, self.state, unseen)
        self.changed()

    def _rollouts(self, options: list[int], count: int, depth: int, seed: int, seat: int) -> list[int]:
        if self._sealed is not None:
            # Others have answered in secret: each try begins in another world that could be this one.
            totals = [0] * len(options)
            for k in range(count):
                world = self.resample(self.names.thing(seat), seed + k)
                for row, total in enumerate(world._tries(options, 1, depth, seed + k, seat)):
                    totals[row] += total
            return totals
        return self._tries(options, count, depth, seed, seat)

    def _tries(self, options: list[int], count: int, depth: int, seed: int, seat: int) -> list[int]:
        program, goals = self.program, worth.goals_of(self.program)
        vector: Callable[[list[int]], Any] = self._fast.vector if self._fast is not None else list[int]
        if seat not in self._prepared:
            unseen = table(program, self.state, seat)
            self._prepared[seat] = vector(unseen), vector(levelled(program, self.state, unseen))
        unseen, first = self._prepared[seat]
        code, consts = self._arrays[:2] if self._arrays is not None else (program.code, program.consts)
        asked = (self._budget, seed, count, depth, seat, goals.judge, int(goals.together))
        totals = vector([0] * len(options))
        run = self._fast.rollouts if self._fast is not None else rollouts
        run(code, consts, first, first.copy(), vector([0]), unseen, *asked, vector(options), totals)
        return jit.listed(totals)

    def _reopened(self, seat: int, seed: int) -> Game:
        """A fork that stands where this game does; what others have answered in secret is answered by chance."""
        assert self._sealed is not None
        data, answers = self._sealed
        for attempt in range(REOPENINGS):
            other = self.fork()
            other.state = unpack(data)
            other._deal(seat, mix(seed + attempt))
            for number, (player, label) in enumerate(answers):
                if other.status != "ask" or other.question.player != player:
                    break
                # How many things somebody takes is seen, so a choice of several ends where it ended.
                own, ends = player == self.names.thing(seat), label == DONE
                offered = [
                    each for each in other.options if (each.label == DONE) is ends and (not own or each.label == label)
                ]
                if not offered:
                    break
                other.apply(offered[mix(seed + 31 * attempt + 7 * number + 1) % len(offered)].index)
            else:
                if other.status == self.status and other.question == self.question:
                    return other
        return self.fork()

    # --- what one sees ---------------------------------------------------------------------------------------------
    def view(self, player: str | None = None, *, formulas: bool = True) -> dict[str, Any]:
        """What a player may see, by names (None: everything); `views.view` describes the parts."""
        viewer = viewer_number(self.program, player)
        found = view(self.program, self.state, viewer, formulas=formulas)
        found["status"] = self.status
        if self.status in ("ask", "chance"):
            question = self.question
            found["asked"] = question.player
            mine = viewer == EVERYONE or question.player in ("", player)
            if mine or not question.secret:
                found["question"] = question.text
            if mine and self.status == "ask":
                found["options"] = [
                    option.label for option in self.options if viewer == EVERYONE or option.player in ("", player)
                ]
        return found

    def foresee(self, option: Option | int) -> Outlook:
        """What an option costs, and how the roll may turn out that it begins; see `foresee.py`.

        It is worked out from what the option's player knows: in games that this one could be as far as the player
        sees. What is not the same in all of them is left out.
        """
        from ludoloom.runtime.foresee import Outlook, common, foresee

        options = self.options
        index = option if isinstance(option, int) else option.index
        if not 0 <= index < len(options):
            raise GameError(f"there is no option {index}; there are {len(options)}")
        player = options[index].player
        if self.status != "ask" or not player:
            return Outlook()
        seat = self.names.number(player)
        if self._sealed is None and table(self.program, self.state, seat) == NOTHING:
            return foresee(self.program, self.state, index, seat)
        found: Outlook | None = None
        aside = self.fork()
        aside.state[R_BOTS] = 0  # the same deals whatever was dealt to look ahead before
        for seed in FORESEEN:
            told = foresee(self.program, aside.resample(player, seed).state, index, seat)
            found = told if found is None else common(found, told)
            if found == Outlook():
                break
        return found or Outlook()

    def log(self, player: str | None = None, since: int = 0) -> list[str]:
        """The sentences of the events from number `since` on, as a player may read them (None: all)."""
        viewer = viewer_number(self.program, player)
        lines: list[str] = []
        for event in self._events[since:]:
            text = self.tell(event, viewer)
            if text:
                lines.append(text)
        return lines

    def tell(self, event: Event, viewer: int) -> str:
        """The sentence of an event for a seat (0: all); empty if it is not for this seat's eyes."""
        if viewer == EVERYONE or event.row < 0:
            return event.text
        if event.private and (not event.words or event.words[0] != viewer):
            return ""
        hidden = event.unseen[self.names.seats.index(viewer)] if event.unseen else frozenset[int]()
        if not hidden:
            return event.text
        return self._sentence(self.program.events[event.row], event.words, hidden)

    def digest(self) -> str:
        """A fingerprint of where the game stands; the same in plain Python and compiled, today and next year."""
        return fingerprint([*position(self.program, self.state, machine=True), self.state[R_DECISIONS]])

    def key(self, *, machine: bool = False) -> tuple[int, ...]:
        """The position as one value, for counting positions: equal if all things, columns and questions are alike. With
        `machine` two states with one key also go on alike, chance apart."""
        return tuple(position(self.program, self.state, machine=machine))

    # --- inside ----------------------------------------------------------------------------------------------------
    def _step(self, step: str) -> int:
        if step not in self.names.steps:
            raise GameError(unknown("step", step, self.names.steps))
        return self.names.steps[step]

    def status_text(self) -> str:
        """Where the game stands, in words."""
        match self.status:
            case "end":
                return "the game is over"
            case "fault":
                return f"the game was stopped ({self.fault})"
            case "break":
                return f"the game waits at the step {self.step}"
            case _:
                return "the game waits for an answer"

    def _go(self) -> None:
        """Run to the next stop and take over what was reported."""
        self._labels = None
        self._prepared.clear()
        program = self.program
        while True:
            if self._fast is not None and self._arrays is not None:
                code, consts, record = self._arrays
                vector = self._fast.vector(self.state)
                status = self._fast.run(code, consts, vector, record, self._budget)
                self.state[:] = vector.tolist()
                self._drain(record[: int(record[0]) + 1].tolist())
                record[0] = 0
            else:
                status = vm.run(program.code, program.consts, self.state, self._record, self._budget)
                self._drain(self._record)
                self._record[0] = 0
            if status != ST_FULL:
                break

    def _drain(self, record: list[int]) -> None:
        at, end = 1, record[0]
        while at <= end:
            match record[at]:
                case m if m == REC_EVENT:
                    n = record[at + 2]
                    self._events.append(self._event(record[at + 1], record[at + 3 : at + 3 + n]))
                    at += 3 + n
                case m if m == REC_CHOICE:
                    self._decisions.append(
                        self._choice(record[at + 1], record[at + 2], record[at + 3], record[at + 4 : at + 8])
                    )
                    at += 8
                case m if m == REC_ROLL:
                    die = self.program.dice[record[at + 1]]
                    face = face_text(die.faces, record[at + 2])
                    self._chance("roll", die.name, face)
                    self._events.append(
                        Event("roll", f"{die.name.replace('_', ' ')}: {face}", {"die": die.name, "face": face}, ())
                    )
                    at += 3
                case m if m == REC_DRAW:
                    self._chance("draw", self.names.thing(record[at + 1]), self.names.thing(record[at + 2]))
                    at += 3
                case _:
                    raise AssertionError("the record is damaged")

    def _choice(self, row: int, who: int, index: int, words: list[int]) -> Decision:
        question = self.program.questions[row]
        pending, self._pending = self._pending, None
        label = pending.label if pending is not None else self._label(question, words)
        player = self.names.thing(who) if who else ""
        return Decision("choice", player, question.name, label, index, pending is None, question.act)

    def _chance(self, kind: str, name: str, label: str) -> None:
        pending, self._pending = self._pending, None
        index = pending.index if pending is not None else -1
        label = pending.label if pending is not None else label
        self._decisions.append(Decision(kind, "", name, label, index))

    def _event(self, row: int, words: list[int]) -> Event:
        text = self.program.events[row]
        values = {name: self.names.value(kind, part) for name, kind, part in self._holes(text, words)}
        unseen = tuple(
            frozenset(
                thing
                for _, kind, part in self._holes(text, words)
                for thing in unknown_members(self.program, self.state, kind, part, seat)
            )
            for seat in self.names.seats
        )
        sentence = self._sentence(text, tuple(words), frozenset())
        return Event(text.act, sentence, values, tuple(words), text.private, row, unseen)

    def _holes(self, text: TextRow, words: tuple[int, ...] | list[int]) -> list[tuple[str, TypeRow, list[int]]]:
        found: list[tuple[str, TypeRow, list[int]]] = []
        at = 0
        for name, kind in zip(text.names, text.types, strict=False):
            size = self.names.size(kind)
            found.append((name, kind, list(words[at : at + size])))
            at += size
        return found

    def _sentence(self, text: TextRow, words: tuple[int, ...], hidden: frozenset[int]) -> str:
        values: dict[str, str] = {}
        for name, kind, part in self._holes(text, words):
            if kind.tag == "thing" and part and part[0] in hidden:
                values[name] = f"a {self.names.kind_of(part[0])}"
            elif kind.tag == "set" and hidden:
                members: list[str] = self.names.value(kind, part)
                shown = [
                    f"a {self.names.kind_of(self.names.things[member])}"
                    if self.names.things.get(member) in hidden
                    else self.names.named(member)
                    for member in members
                ]
                values[name] = ", ".join(shown)
            else:
                values[name] = self.names.title(kind, part)
        return self.names.fill(text.text, values)

    def _read_options(self) -> list[Option]:
        status = self.state[R_STATUS]
        if status not in (ST_ASK, ST_ROLL, ST_DRAW):
            return []
        base = self.program.consts[H_OPTS]
        rows = [
            self.state[base + k * OPTION_WORDS : base + (k + 1) * OPTION_WORDS] for k in range(self.state[R_OPTIONS])
        ]
        if status == ST_ASK:
            question = self.program.questions[self.state[R_QUESTION]]
            found = [self._option(k, question, words) for k, words in enumerate(rows)]
        elif status == ST_ROLL:
            faces = self.program.dice[self.state[R_QUESTION]].faces
            found = [self._face(k, face_text(faces, words[2]), words) for k, words in enumerate(rows)]
        else:
            found = [self._face(k, self.names.thing(words[2]), words) for k, words in enumerate(rows)]
        return unique(found)

    def _face(self, index: int, label: str, words: list[int]) -> Option:
        return Option(index, "", "", label, label, label, tuple(words))

    def _option(self, index: int, question: QuestionRow, words: list[int]) -> Option:
        player, row, a, b = words
        who = self.names.thing(player or self.state[R_WHO]) if player or self.state[R_WHO] else ""
        label = self._label(question, words)
        if row == 0:
            return Option(
                index,
                who,
                question.act,
                label,
                self.names.title(question.type, [a]),
                self.names.value(question.type, [a]),
                (player, row, a, b),
            )
        text = self.program.labels[row]
        values = {
            name: self.names.title(kind, [word])
            for name, kind, word in zip(text.names, text.types, (a, b), strict=False)
        }
        value = self.names.value(text.types[0], [a]) if text.types else text.act
        return Option(
            index, who, text.act or question.act, label, self.names.fill(text.text, values), value, (player, row, a, b)
        )

    def _label(self, question: QuestionRow, words: list[int]) -> str:
        """The label of an option: the value itself, or the act with what it is done to: ``core_attack (ann)``."""
        _, row, a, b = words
        if row == 0:
            return self.names.show(question.type, [a])
        text = self.program.labels[row]
        shown = [self.names.show(kind, [word]) for kind, word in zip(text.types, (a, b), strict=False)]
        name = text.act or self.names.fill(text.text, dict(zip(text.names, shown, strict=False)))
        return f"{name} ({', '.join(shown)})" if text.act and shown else name


_VECTORS: dict[int, tuple[Program, Any, Any]] = {}
_VECTORS_KEPT = 16


def fixed_vectors(machine: jit.Machine, program: Program) -> tuple[Any, Any]:
    """Code and constants of a program as the compiled machine takes them, made once (the last few are remembered)."""
    found = _VECTORS.get(id(program))
    if found is None or found[0] is not program:
        if len(_VECTORS) >= _VECTORS_KEPT:
            _VECTORS.clear()
        found = _VECTORS[id(program)] = program, machine.vector(program.code), machine.vector(program.consts)
    return found[1], found[2]


def face_text(faces: tuple[str, ...], face: int) -> str:
    """The text of a face of a die."""
    return faces[face] if 0 <= face < len(faces) else str(face)


def unique(options: list[Option]) -> list[Option]:
    """The same options with different labels. Equal labels of several players are told apart by the player
    (``player_2: pass``), what is equal then by a number (``pass #2``)."""
    players: dict[str, set[str]] = {}
    for option in options:
        players.setdefault(option.label, set()).add(option.player)
    taken: set[str] = set()
    found: list[Option] = []
    for option in options:
        label = f"{option.player}: {option.label}" if len(players[option.label]) > 1 else option.label
        count, plain = 1, label
        while label in taken:
            count += 1
            label = f"{plain} #{count}"
        taken.add(label)
        found.append(replace(option, label=label))
    return found
