"""Runs one scenario, a test of content given as plain data, and tells which of its lines do not come true.

    plan = {"name": "banking", "given": {"at": "turn.act", "pot": 7}, "when": [{"act": "bank", "by": "red"}],
            "then": {"values": [{"word": "pot", "how": "formula", "of": "then.0", "wanted": "is.0", "type": ["int",
            ""]}]}}
    outcome = run(image, plan)
    outcome.failures           [Failure(path=("then", "pot"), …)]

The keys are those of a scenario's YAML; `then` comes with its values compiled: formulas that the program holds. A
scenario plays from the start of the game to the step `at` (set-up answered by `setup`, else by the first option), lays
`given` over the state, makes the decisions of `when`, and compares.

- Every question is asked, those with one option too. A line of `when` that fits answers it; else one with a single
  option is answered by the machine, and any other is a failure that lists what was offered.
- Chance is asked. A line `die` or `draw` answers it; else the seed does. After the last line the game waits at the next
  die, draw or real question.
- The lines after a failed one are not run: they would only repeat it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

from ludoloom.runtime import named
from ludoloom.runtime.chance import chance
from ludoloom.runtime.errors import GameError
from ludoloom.runtime.game import Game, Option
from ludoloom.runtime.image import Image, Program, TypeRow
from ludoloom.runtime.machine import R_DECKS, R_DICE
from ludoloom.runtime.names import names_of
from ludoloom.runtime.opening import option_words, program_of

Plan = dict[str, Any]
Path = tuple[str | int, ...]

NOT_OFFERED = "decision-not-offered"
FAILED = "scenario-failed"
MOST_ANSWERS = 20_000
"""Questions answered in one scenario; more, and it is given up."""
DONE = "done"
_YES_NO = {"yes": "true", "no": "false"}
_ENDS_WINDOW = ("pass", "done")


@dataclass(frozen=True, slots=True)
class Failure:
    """What did not come true: the way to the line in the scenario (``("when", 2)``), the sentence, what was offered,
    what the machine and chance have answered since the line before, and the place of the rules at which a fault
    stopped the game (file, line, column)."""

    path: Path
    code: str
    message: str
    offered: tuple[str, ...] = ()
    wanted: str = ""
    alone: tuple[str, ...] = ()
    fault: tuple[str, int, int] | None = None


@dataclass(slots=True)
class Outcome:
    """How a scenario went, and the program it was run with."""

    name: str
    failures: list[Failure] = field(default_factory=list[Failure])
    program: Program | None = None

    @property
    def passed(self) -> bool:
        return not self.failures


class Watched(list[int]):
    """A code vector that remembers which of its words were read: what an interpreter reads is what it executes.
    Compiled code never sees one, so watching costs nothing where nobody watches."""

    def __init__(self, code: list[int]) -> None:
        super().__init__(code)
        self.read: set[int] = set()

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, int):
            self.read.add(at)
        return super().__getitem__(at)


class Runner:
    """Runs scenarios against one image that holds their formulas. Those that begin alike share the way to their step:
    a game is played there once and forked."""

    def __init__(self, image: Image, *, watch: bool = False) -> None:
        self.image, self.watch = image, watch
        self.watched: dict[tuple[str, ...], tuple[Image, Watched]] = {}
        self.begun: dict[str, tuple[Game, int]] = {}

    def run(self, plan: Plan) -> Outcome:
        """Run one scenario."""
        outcome = Outcome(plan["name"])
        try:
            image, outcome.program = self.image_of(plan)
        except GameError as error:
            outcome.failures.append(Failure(("options",), FAILED, str(error)))
            return outcome
        try:
            _Run(image, plan, self.begun).through()
        except _Failed as failed:
            outcome.failures += failed.failures
        return outcome

    def image_of(self, plan: Plan) -> tuple[Image, Program]:
        """The image that a scenario runs on, and the program of its modes. If the code is watched, each program is one
        that remembers."""
        _, modes, _ = option_words(self.image, plan.get("options", {}))
        program = program_of(self.image, modes)
        if not self.watch:
            return self.image, program
        if program.modes not in self.watched:
            code = Watched(program.code)
            self.watched[program.modes] = replace(self.image, programs=[replace(program, code=code)]), code
        return self.watched[program.modes][0], program

    def executed(self) -> Iterator[tuple[Program, set[int]]]:
        """Each program that was run with the words of its code that were read."""
        for image, code in self.watched.values():
            yield image.programs[0], code.read


def run(image: Image, plan: Plan) -> Outcome:
    """Run one scenario by itself."""
    return Runner(image).run(plan)


class _Failed(Exception):
    def __init__(self, *failures: Failure) -> None:
        super().__init__()
        self.failures = failures


class _Run:
    """One scenario on its way."""

    def __init__(self, image: Image, plan: Plan, begun: dict[str, tuple[Game, int]]) -> None:
        self.image, self.plan, self.begun = image, plan, begun
        self.answers = 0
        self.due: list[tuple[Path, dict[str, Any]]] = []
        """Lines still to be made, the next one first."""
        self.choices: dict[str, list[Any]] = {}
        """Choices that the line `act` names, by the name of the choice."""
        self.listed: dict[str, int] = {}
        """How many answers it lists for each of them."""
        self.act: tuple[Path, str] = ((), "")
        self.answered: list[str] = []
        """What was answered without a line since the last one that was made."""

    def through(self) -> None:
        game = self.begin_alike()
        seen = len(game.events)
        self.given(game)
        self.due = list(lines("when", self.plan.get("when", ())))
        while self.due or self.pending(game) or not (self.rests(game) or self.meant(game)):
            self.step(game)
        self.then(game, seen)

    # --- to where it begins ------------------------------------------------------------------------------------------
    def new(self, until: str | None) -> Game:
        plan = self.plan
        try:
            return Game.new(
                self.image,
                plan.get("players"),
                plan.get("options", {}),
                plan.get("seed", 0),
                asked=True,
                forced=True,
                until=until,
            )
        except GameError as error:
            where: Path = ("given", "at") if until is not None else ()
            raise _Failed(Failure(where, FAILED, str(error))) from None

    def begin_alike(self) -> Game:
        """The game where the scenario begins, forked from the one of an earlier scenario that begins there too."""
        plan = self.plan
        given: dict[str, Any] = plan.get("given", {})
        # whether anything is given decides where a scenario without `at` begins
        key = repr(
            [plan.get(part) for part in ("players", "seed", "options", "setup")] + [given.get("at"), bool(given)]
        )
        if key not in self.begun:
            self.begun[key] = self.set_up(), self.answers
        game, self.answers = self.begun[key]
        return game.fork()

    def set_up(self) -> Game:
        """The game at the step where `given` is laid; without `at`, that of the first question."""
        given: dict[str, Any] = self.plan.get("given", {})
        at = given.get("at")
        if at is None:
            game = self.new(None)
            if not given or not game.step:
                return game
            at = game.step
        game = self.new(at)
        self.due = list(lines("setup", self.plan.get("setup", ())))
        if game.status != "break" and not game.run_until(at, self.first):
            raise _Failed(
                Failure(("given", "at"), FAILED, f"the game did not come to the step {at}: {game.status_text()}")
            )
        if self.due:
            raise _Failed(Failure(self.due[0][0], NOT_OFFERED, "this decision of the set-up was never asked for"))
        return game

    def first(self, game: Game) -> int:
        """The answer during set-up: what `setup` says if it fits, else the first option."""
        self.count()
        if self.due and (option := found(game, self.due[0][1])) is not None:
            path, line = self.due.pop(0)
            self.begin(path, line)
            return option.index
        if game.status == "chance":
            return by_seed(game)
        left = self.choices.get(game.question.name)
        option = found(game, {"answer": left.pop(0)}) if left else None
        return option.index if option is not None else 0

    def given(self, game: Game) -> None:
        """Lay the named state over the game and go on."""
        failures: list[Failure] = []
        for path, value in self.plan.get("given", {}).items():
            if path == "at":
                continue
            try:
                named.write(game.program, game.state, path, value)
            except GameError as error:
                failures.append(Failure(("given", path), FAILED, str(error)))
        if failures:
            raise _Failed(*failures)
        game.changed()
        if game.status == "break":
            game.resume()

    # --- decisions ---------------------------------------------------------------------------------------------------
    def rests(self, game: Game) -> bool:
        """Whether the game waits for something that only a scenario can decide, or is over."""
        return game.status != "ask" or len(game.options) > 1

    def meant(self, game: Game) -> bool:
        """Whether the one option that is left is one of which `then` speaks."""
        options = self.plan.get("then", {}).get("options", {})
        texts = [*options.get("present", ()), *options.get("absent", ())]
        return any(means(game, option, text) for option in game.options for text in texts)

    def count(self) -> None:
        self.answers += 1
        if self.answers > MOST_ANSWERS:
            message = f"more than {MOST_ANSWERS:,} questions were answered; the scenario does not come to its end"
            raise _Failed(Failure((), FAILED, message))

    def step(self, game: Game) -> None:
        """Answer the question that the game asks, or judge one line that answers nothing."""
        self.count()
        if game.status not in ("ask", "chance"):
            self.over(game)
            return
        if self.choose(game):
            return
        if not self.due:
            self.alone(game)
            return
        path, line = self.due[0]
        if "refused" in line:
            self.refused(game, path, line["refused"])
            return
        if (
            isinstance(line.get("answer"), list)
            and game.status == "ask"
            and line.get("to", game.question.name) == game.question.name
        ):
            self.due.pop(0)
            self.act = (path, "")
            self.name_choices({game.question.name: line["answer"]})
            return
        option = found(game, line)
        if option is not None:
            self.due.pop(0)
            self.begin(path, line)
            game.apply(option.index)
        elif not self.alone(game):
            raise _Failed(self.not_offered(game, path, line))

    def begin(self, path: Path, line: dict[str, Any]) -> None:
        """Remember the choices that a line names."""
        self.answered.clear()
        self.act = (path, str(line.get("act", "")))
        self.name_choices(line.get("choose", {}))

    def name_choices(self, choices: dict[str, Any]) -> None:
        self.choices = {name: listed(value) for name, value in choices.items()}
        self.listed = {name: len(values) for name, values in self.choices.items()}

    def pending(self, game: Game) -> bool:
        """Whether choices that a line named are still to be made, or to be ended."""
        return any(self.choices.values()) or (
            game.status == "ask"
            and game.question.name in self.choices
            and any(option.label == DONE for option in game.options)
        )

    def choose(self, game: Game) -> bool:
        """Answer a choice that the last line named. A list for a choice of several is ended with ``done``."""
        if game.status != "ask" or not self.pending(game):
            return False
        path, act = self.act
        question = game.question
        left = self.choices.get(question.name)
        if left is None:
            if not self.rests(game):
                self.by_itself(game, 0)
                return True
            name = next(name for name, values in self.choices.items() if values)
            what = self.too_many(name)
            what = what or (f"`{act}` does not ask for `{name}` here" if act else f"`{name}` is not asked for again")
            at: Path = (*path, "choose", name) if act else (*path, "answer")
            raise _Failed(Failure(at, NOT_OFFERED, f"{what}; asked is `{question.name}`", labels(game), name))
        line = {"answer": left.pop(0) if left else DONE}
        option = found(game, line)
        if option is None:
            at = (*path, "choose", question.name) if act else (*path, "answer")
            raise _Failed(self.not_offered(game, at, line))
        if line["answer"] == DONE:
            del self.choices[question.name]
        game.apply(option.index)
        return True

    def too_many(self, name: str) -> str:
        """The sentence about a choice that took some of the answers that are listed for it; empty if it took none."""
        many, left = self.listed.get(name, 0), len(self.choices[name])
        if left == many:
            return ""
        taken = "one answer" if many - left == 1 else f"{many - left} answers"
        return f"the choice `{name}` takes {taken} here, and {many} are listed"

    def alone(self, game: Game) -> bool:
        """Answer what needs no line: a question with one option, and draws by the seed. False if a player must
        decide."""
        if game.status == "chance":
            if self.due and self.scripted(self.due[0][1]):
                return False
            if game.question.chance == "roll":
                # What a die shows by the seed would be true by luck.
                message = f"a die is rolled ({game.question.text}), and no line says what it shows"
                raise _Failed(Failure(self.act[0], FAILED, message, labels(game)))
            self.by_itself(game, by_seed(game))
            return True
        if len(game.options) != 1:
            return False
        self.by_itself(game, 0)
        return True

    def by_itself(self, game: Game, index: int) -> None:
        """Give an answer that no line gives."""
        self.answered.append(f"{game.question.name}: {game.options[index].label}")
        game.apply(index)

    def over(self, game: Game) -> None:
        """The game has stopped while lines are left."""
        if any(self.choices.values()):
            path, act = self.act
            name = next(name for name, values in self.choices.items() if values)
            path = (*path, "choose", name) if act else path
            message = self.too_many(name)
            message = message or (f"`{act}` did not ask for `{name}`" if act else f"`{name}` was not asked again")
        else:
            path, line = self.due[0]
            if "refused" in line:
                self.due.pop(0)
                return
            message = f"{said(line)} comes too late"
        raise _Failed(stopped(game, path, message, NOT_OFFERED))

    def refused(self, game: Game, path: Path, line: dict[str, Any]) -> None:
        """See to it that a decision is not offered. At a question with one option that no later line names, the game
        goes on first."""
        following = next((later for _, later in self.due if "refused" not in later), None)
        named_later = following is not None and found(game, following) is not None
        if not named_later and (game.status == "chance" or not self.rests(game)) and not self.scripted(following):
            if not self.alone(game):
                self.due.pop(0)
            return
        self.due.pop(0)
        option = found(game, line)
        if option is None:
            return
        trial = game.fork()
        trial.apply(option.index)
        for name, values in line.get("choose", {}).items():
            for value in listed(values):
                while trial.status == "ask" and trial.question.name != name and len(trial.options) == 1:
                    trial.apply(0)
                option = found(trial, {"answer": value, "to": name})
                if option is None:
                    return
                trial.apply(option.index)
        raise _Failed(Failure(path, FAILED, f"{said(line)} is offered here", labels(game)))

    def scripted(self, line: dict[str, Any] | None) -> bool:
        return line is not None and ("die" in line or "draw" in line)

    def not_offered(self, game: Game, path: Path, line: dict[str, Any]) -> Failure:
        question = game.question
        asked = f"chance is asked ({question.text})" if game.status == "chance" else f"`{question.name}` is asked"
        if question.player:
            asked = f"{question.player} is asked for `{question.name}`"
        several = len(candidates(game, line)) > 1
        reason = "could mean several of the options" if several else "is not offered here"
        return Failure(
            path, NOT_OFFERED, f"{said(line)} {reason}: {asked}", labels(game), wanted(line), tuple(self.answered[-6:])
        )

    # --- what must be true -------------------------------------------------------------------------------------------
    def then(self, game: Game, seen: int) -> None:
        then: dict[str, Any] = self.plan.get("then", {})
        if game.status == "fault" and "fault" not in then:
            raise _Failed(stopped(game, ("then",) if then else (), "the scenario is not finished", FAILED))
        failures = [
            *self.values(game, then.get("values", ())),
            *self.end(game, then),
            *self.events(game, seen, then.get("events", ())),
            *self.options(game, then.get("options", {})),
        ]
        if failures:
            raise _Failed(*(replace(failure, message=failure.message + waiting(game)) for failure in failures))

    def end(self, game: Game, then: dict[str, Any]) -> Iterator[Failure]:
        if "fault" in then:
            text = game.fault.text if game.fault is not None else ""
            if str(then["fault"]).lower() not in text.lower() or not text:
                yield Failure(
                    ("then", "fault"), FAILED, f"no such fault stopped the game: {text or game.status_text()}"
                )
        if "end" in then:
            reached = game.result.outcome if game.result is not None else named.NONE
            if str(then["end"]) != reached:
                yield Failure(("then", "end"), FAILED, f"the end is {told(reached)}, not {told(then['end'])}")
        if "winners" in then:
            won = sorted(game.result.winners) if game.result is not None else []
            if won != sorted(then["winners"]):
                wanted = ", ".join(sorted(then["winners"])) or "nobody"
                yield Failure(("then", "winners"), FAILED, f"won by {', '.join(won) or 'nobody'}, not by {wanted}")

    def values(self, game: Game, checks: list[dict[str, Any]]) -> Iterator[Failure]:
        for check in checks:
            path: Path = ("then", check["word"])
            try:
                actual, expected, ordered = value_of(game, check)
            except GameError as error:
                yield Failure(path, FAILED, str(error))
                continue
            same = actual == expected
            if isinstance(actual, list) and isinstance(expected, list) and not ordered:
                same = sorted(map(str, cast("list[Any]", actual))) == sorted(map(str, cast("list[Any]", expected)))
            if not same:
                yield Failure(path, FAILED, f"`{check['word']}` is {told(actual)}, not {told(expected)}")

    def events(self, game: Game, seen: int, wanted_events: list[str]) -> Iterator[Failure]:
        at = seen
        for number, text in enumerate(wanted_events):
            events = game.events
            hit = next(
                (k for k in range(at, len(events)) if text == events[k].act or says(events[k].text, text)),
                None,
            )
            if hit is None:
                told_so_far = tuple(event.text for event in events[at:])
                after = " after the one before" if number else ""
                yield Failure(
                    ("then", "events", number), FAILED, f"`{text}` was not reported{after}", told_so_far, text
                )
                return
            at = hit + 1

    def options(self, game: Game, then: dict[str, Any]) -> Iterator[Failure]:
        offered = game.options if game.status in ("ask", "chance") else []
        for number, text in enumerate(then.get("present", ())):
            if not any(means(game, option, text) for option in offered):
                yield Failure(
                    ("then", "options", "present", number), FAILED, f"`{text}` is not offered", labels(game), str(text)
                )
        for number, text in enumerate(then.get("absent", ())):
            if any(means(game, option, text) for option in offered):
                yield Failure(("then", "options", "absent", number), FAILED, f"`{text}` is offered", labels(game))


# --- lines and options -----------------------------------------------------------------------------------------------
def lines(section: str, steps: Any) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The lines of `setup` or `when`, chance taken apart: ``{die: [3, 4]}`` are two."""
    for number, step in enumerate(steps):
        for key in ("die", "draw"):
            values = step.get(key)
            if isinstance(values, list):
                for value in cast("list[Any]", values):
                    yield (section, number), {**step, key: value}
                break
        else:
            yield (section, number), step


def found(game: Game, line: dict[str, Any]) -> Option | None:
    """The one option that a line means, None if there is none (or if it could mean several)."""
    options = candidates(game, line)
    return options[0] if len(options) == 1 else None


def candidates(game: Game, line: dict[str, Any]) -> list[Option]:
    """The options that a line could mean, exact words first."""
    if game.status == "chance":
        key = "die" if game.question.chance == "roll" else "draw"
        if key not in line and "answer" not in line:
            return []
        text = str(line.get(key, line.get("answer")))
        exact = [option for option in game.options if option.label == text]
        return exact or [option for option in game.options if text in option.label.split()]
    if game.status != "ask":
        return []
    options = [option for option in game.options if fits_player(game, option, line.get("by"))]
    if "act" in line:
        return [option for option in options if option.words[1] and is_act(game, option, str(line["act"]))]
    if "pass" in line:
        here = game.question.act == line["pass"]
        return [option for option in options if here and option.act in _ENDS_WINDOW]
    if "answer" in line:
        if line.get("to", game.question.name) != game.question.name:
            return []
        exact = [option for option in options if plain_label(option) == str(line["answer"])]
        return exact or [option for option in options if means(game, option, line["answer"])]
    return []


def fits_player(game: Game, option: Option, by: Any) -> bool:
    """Whether an option is for the player, or for the thing that acts, that a line names."""
    return by is None or str(by) in (option.player, *things_of(game, option)[:1])


def things_of(game: Game, option: Option) -> list[str]:
    """The things and words behind an option: who acts, then what with."""
    if not option.words[1]:
        return []
    row = game.program.labels[option.words[1]]
    return [game.names.show(kind, [word]) for kind, word in zip(row.types, option.words[2:], strict=False)]


def is_act(game: Game, option: Option, act: str) -> bool:
    """Whether an option is the action `act`, or the act of a card: ``spark.use`` is `use` with the thing spark."""
    if option.act == act:
        return True
    thing, _, name = act.rpartition(".")
    return bool(thing) and option.act in (name, act) and thing in things_of(game, option)


def means(game: Game, option: Option, answer: Any) -> bool:
    """Whether an answer in a scenario means this option: by its label, its value, its words, its act."""
    text = "true" if answer is True else "false" if answer is False else "none" if answer is None else str(answer)
    shown = [plain_label(option), option.text, option.act if option.words[1] else "", *things_of(game, option)]
    if text in shown or ", ".join(things_of(game, option)) == text or is_act(game, option, text):
        return True
    return isinstance(option.value, bool) and _YES_NO.get(text) == option.label


def plain_label(option: Option) -> str:
    """The label without the player in front of it."""
    return option.label.removeprefix(f"{option.player}: ")


def labels(game: Game) -> tuple[str, ...]:
    """What is offered, in words."""
    return tuple(option.label for option in game.options) if game.status in ("ask", "chance") else ()


def listed(value: Any) -> list[Any]:
    return list(cast("list[Any]", value)) if isinstance(value, list) else [value]


def says(line: str, wanted: str) -> bool:
    """Whether a line of the log holds what is wanted, as whole words: ``finds 1`` is not in ``Ann finds 12``."""
    line, wanted = line.lower(), wanted.lower()
    at = line.find(wanted)
    while at >= 0:
        if not cuts(line, at) and not cuts(line, at + len(wanted)):
            return True
        at = line.find(wanted, at + 1)
    return False


def cuts(line: str, at: int) -> bool:
    """Whether this place lies inside a word or a number."""
    return 0 < at < len(line) and line[at - 1].isalnum() and line[at].isalnum()


def waiting(game: Game) -> str:
    """What to add to a failure where chance has not been told yet: most often the line for it was forgotten."""
    if game.status != "chance":
        return ""
    if game.question.chance == "roll":
        return "; a die is still to be rolled: write `- {die: …}`"
    return "; something is still to be drawn: write `- {draw: …}`"


def by_seed(game: Game) -> int:
    """The number of the option that chance would have drawn by itself."""
    stream = R_DICE if game.question.chance == "roll" else R_DECKS
    return chance(game.state, stream, len(game.options))


def said(line: dict[str, Any]) -> str:
    """A line in words: `` `walk` by ann``."""
    key, value = next((key, line[key]) for key in ("act", "answer", "die", "draw", "pass", "refused") if key in line)
    if key == "refused":
        return said(value)
    by = f" by {line['by']}" if "by" in line else ""
    return (f"the {key} " if key in ("die", "draw", "pass", "answer") else "") + f"`{value}`{by}"


def wanted(line: dict[str, Any]) -> str:
    """The word of a line that was to be found among the options."""
    return str(next((line[key] for key in ("act", "answer", "die", "draw", "pass") if key in line), ""))


def stopped(game: Game, path: Path, message: str, code: str) -> Failure:
    """A failure because the game has ended or was stopped."""
    fault = game.fault
    if fault is None:
        return Failure(path, code, f"{message}: {game.status_text()}")
    return Failure(
        path, FAILED, f"{message}: the game was stopped: {fault.text}", fault=(fault.file, fault.line, fault.column)
    )


# --- values ----------------------------------------------------------------------------------------------------------
def value_of(game: Game, check: dict[str, Any]) -> tuple[Any, Any, bool]:
    """What a line of `then` comes to, what it should, and whether the order of a list counts."""
    names = names_of(game.program)
    if check["how"] == "name":
        actual = named.read(game.program, game.state, check["word"])
        expected = None if check["wanted"] == named.NONE else check["wanted"]
        if isinstance(actual, str) and isinstance(expected, str) and actual.startswith(f"{expected}."):
            actual = expected
        return actual, expected, True
    words = game.call(check["of"])
    if check["how"] == "zone":
        return contents(game, words[0], check["wanted"])
    kind = TypeRow(*check["type"])
    return names.value(kind, words), names.value(kind, game.call(check["wanted"])), True


def contents(game: Game, zone: int, expected: list[Any]) -> tuple[list[Any], list[Any], bool]:
    """What lies in a zone. The order counts where the zone has one and it is known."""
    names = names_of(game.program)
    things = named.things_at(game.program.consts, game.state, zone)
    row = names.zones.get(zone)
    unknown_order = any(game.state[game.program.consts[named.H_GROUP] + thing] for thing in things)
    ordered = row is not None and row.order != "none" and not unknown_order
    return [names.thing(thing) for thing in things], [str(name) for name in expected], ordered


def told(value: Any) -> str:
    """A value in a message."""
    if value is None:
        return "`none`"
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    if isinstance(value, list):
        return f"`[{', '.join(map(str, cast('list[Any]', value)))}]`"
    return f"`{value}`"
