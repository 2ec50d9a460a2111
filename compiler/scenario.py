"""Scenarios are checked against the game, and their values compiled, so that the runtime can run them without YAML.

    then: {red.score: 12, gamblers.where(score > 10).count: 1}
    ->  {"values": [{"word": "red.score", "how": "formula", "of": "scenario.bank.0", "wanted": "scenario.bank.0.is",
    …}, …]}

`ScenarioPass` types everything that a scenario names. With `lower` it also adds a procedure for each value of `then`
to the program, and one for what it should come to; the plans that it gives are plain data for `runtime.scenario`.
What only playing can tell (is this decision offered?) is left to `ludoloom test`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.infer import Infer
from ludoloom.compiler.analysis.model import Game
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.tree import GameTree, Mode, entries, number, text, words
from ludoloom.compiler.analysis.typed import E
from ludoloom.compiler.backend.proc import Proc
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.diagnostics.wording import count
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span, plain
from ludoloom.compiler.scenario_given import beyond, placed_twice, seat_left_out
from ludoloom.runtime import isa
from ludoloom.schemas.keys import PATH

Plan = dict[str, Any]

_SPECIAL: Final = ("events", "options", "fault", "end", "winners")
_STATE_WORDS: Final = ("active", "phase")
_ANSWERS: Final = ("yes", "no", "true", "false", "none", "done", "pass")
_NAME: Final = re.compile(PATH)
_COPY: Final = re.compile(r"_[0-9]+$")
_WORDS: Final = ("at", "turn", "things")
"""What can be said of any piece, tile or place besides its columns."""
_FOLLOWS: Final = ("count", "top", "bottom", "in_play")
"""What follows from where things are."""


@dataclass(slots=True)
class Scenarios:
    """What is known about the scenarios of a game when all its programs are compiled: a plan for each by name, in the
    order of the files, and its node for the places of its lines."""

    plans: dict[str, Plan] = field(default_factory=dict[str, Plan])
    nodes: dict[str, Map] = field(default_factory=dict[str, Map])

    def place(self, name: str, path: Iterable[str | int]) -> Span:
        """The place of a line: of the value under a key, or of the entry of a list."""
        return place_of(self.nodes[name], path)


def place_of(node: Node, path: Iterable[str | int]) -> Span:
    """Where the way leads, as far as it can be followed; under a key its own place is the best to show."""
    span = node.span
    for step in path:
        if isinstance(node, Map) and isinstance(step, str):
            key, value = node.key(step), node.get(step)
            if key is None or value is None:
                break
            span, node = key.span, value
        elif isinstance(node, Items) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            span = node.span
        else:
            break
    return span


def rule_ids(tree: GameTree) -> dict[str, str]:
    """The ids of everything that a scenario can prove -> the section of the ledger: rules, worked examples, rulings."""
    found: dict[str, str] = {}
    for pack in tree.packs:
        ledger = pack.ledger.tree if pack.ledger is not None else None
        for key, section in entries(ledger):
            for row in section.items if isinstance(section, Items) else ():
                name = text(row.get("id")) if isinstance(row, Map) else ""
                if name:
                    found.setdefault(name, key.text)
    return found


class ScenarioPass:
    """Goes with the compilation of a game: called with each program in the making. `lower` adds the procedures."""

    def __init__(self, tree: GameTree, *, lower: bool = False) -> None:
        self.tree, self.lower = tree, lower
        self.rules = rule_ids(tree)
        self.done = Scenarios()
        self.games: list[Game] = []
        self.words: dict[tuple[str, ...], set[str]] = {}
        """What options can be called in one word, by combination of modes."""
        self.elsewhere: set[str] = set()

    def __call__(self, unit: Unit) -> None:
        """Check the scenarios that are played with this unit's combination of modes."""
        self.games.append(unit.game)
        for name, node in unit.game.scenarios.items():
            if name in self.done.nodes:
                continue
            modes = self.modes_of(node, unit.game)
            if modes == set(unit.game.modes):
                self.done.nodes[name] = node
                plan = _Check(self, unit, name, node).plan()
                if plan is not None:
                    self.done.plans[name] = plan
        unit.drain()

    def is_elsewhere(self, name: str) -> bool:
        """Whether the packs know a name that this combination of modes does not, of a thing that it leaves out, or
        whether something has it as its title: that such a one is not offered says something."""
        if not self.elsewhere:
            for pack in self.tree.packs:
                for file in pack.files:
                    for key, section in entries(file.tree):
                        if key.text != "scenarios":
                            _names_in(section, self.elsewhere)
        first = name.partition(".")[0]
        return name in self.elsewhere or first in self.elsewhere or _COPY.sub("", first) in self.elsewhere

    def modes_of(self, node: Map, game: Game) -> set[str]:
        """The modes that the options of a scenario switch on."""
        chosen = {name: option.values[option.start] for name, option in game.options.items()}
        for key, value in entries(node.get("options")):
            if key.text in chosen and (word := option_word(value)) in game.options[key.text].values:
                chosen[key.text] = word
        return {name for name, mode in self.tree.modes.items() if self.is_on(mode, chosen)}

    def is_on(self, mode: Mode, chosen: Mapping[str, str]) -> bool:
        return chosen.get(mode.option) == mode.value

    def finish(self, bag: Bag) -> Scenarios:
        """All scenarios, when every combination is compiled; reports those whose options no combination allows."""
        game = self.games[0] if self.games and not bag.failed else None
        for name, node in game.scenarios.items() if game is not None else ():
            if name not in self.done.nodes:
                self.done.nodes[name] = node
                options = node.get("options")
                bag.add(
                    "modes-collide",
                    options.span if options is not None else node.span,
                    f"the options of the scenario `{name}` switch on modes that cannot be on together: "
                    + ", ".join(sorted(self.modes_of(node, self.games[0]))),
                    "choose other options",
                )
        return self.done


def _names_in(node: Node, found: set[str]) -> None:
    """All keys of a value, and all titles."""
    if isinstance(node, Items):
        for item in node.items:
            _names_in(item, found)
    elif isinstance(node, Map):
        for key, value in node:
            found.add(key.text)
            if key.text == "title":
                found.add(text(value))
            _names_in(value, found)


def option_word(value: Node) -> str:
    """The value of an option in words."""
    if isinstance(value, Scalar) and isinstance(value.value, bool):
        return "true" if value.value else "false"
    return text(value)


class _Check:
    """One scenario."""

    def __init__(self, owner: ScenarioPass, unit: Unit, name: str, node: Map) -> None:
        self.owner, self.unit, self.name, self.node = owner, unit, name, node
        self.game, self.bag = unit.game, unit.bag
        self.infer: Infer = unit.infer
        self.sound = True

    def plan(self) -> Plan | None:
        """The plan of the scenario; None after errors."""
        node = self.node
        plan: Plan = {"name": self.name}
        for key in ("players", "seed", "options"):
            if key in node:
                plan[key] = plain(node.get(key) or node)
        self.players(node.get("players"))
        self.options(node.get("options"))
        for key in ("setup", "when"):
            listed = node.get(key)
            if isinstance(listed, Items):
                for step in listed.items:
                    self.step(step)
                plan[key] = plain(listed)
        given = node.get("given")
        if isinstance(given, Map):
            for key, value in given:
                self.given(key, value)
                self.playing(key)
                if key.text == "active":
                    self.playing(value)
                if message := beyond(self.game, key.text, value):
                    self.say("wrong-type", value.span, message, "lay what play could come to, or widen the bounds")
            for twice in placed_twice(self.game, given):
                self.sound = False
                self.bag.add(twice.code, twice.span, twice.message, twice.hint, twice.related)
            plan["given"] = plain(given)
        plan["then"] = self.then(node.get("then"))
        for rule in words(node.get("proves")):
            if rule.text not in self.owner.rules:
                hint = did_you_mean(rule.text, self.owner.rules) or "the rules stand in `rulebook.yaml`"
                self.say("unknown-rule", rule.span, f"the ledger has no rule `{rule.text}`", hint)
        return plan if self.sound else None

    def say(self, code: str, span: Span, message: str, hint: str = "") -> None:
        self.sound = False
        self.bag.add(code, span, message, hint, path=f"scenarios.{self.name}")

    # --- how it begins -----------------------------------------------------------------------------------------------

    def players(self, node: Node | None) -> None:
        fewest, most = self.game.players
        if isinstance(node, Scalar) and isinstance(node.value, int) and not fewest <= node.value <= most:
            many = str(fewest) if fewest == most else f"{fewest} to {most}"
            self.say("wrong-type", node.span, f"the game is for {many} players, not {node.value}", "")

    def playing(self, node: Node | None) -> None:
        """What is laid for a seat, and what a seat decides, needs one that plays."""
        fewest, most = self.game.players
        players = number(self.node.get("players")) or fewest
        if node is not None and fewest <= players <= most and (seat := seat_left_out(self.game, players, text(node))):
            seats = self.game.kinds[self.game.player_kind]
            needed = self.game.names[seat] - seats.first + 1
            hint = f"write `players: {needed}`" if needed <= most else ""
            self.say(
                "wrong-type", node.span, f"`{seat}` does not play: the scenario is for {count(players, 'player')}", hint
            )

    def options(self, node: Node | None) -> None:
        for key, value in entries(node):
            option = self.game.options.get(key.text)
            if option is None:
                self.say(
                    "unknown-word",
                    key.span,
                    f"the game has no option `{key.text}`",
                    did_you_mean(key.text, self.game.options),
                )
            elif option_word(value) not in option.values:
                hint = did_you_mean(option_word(value), option.values) or f"write one of {', '.join(option.values)}"
                self.say(
                    "unknown-word", value.span, f"`{option_word(value)}` is no value of the option `{key.text}`", hint
                )

    def given(self, key: Scalar, value: Node) -> None:
        """A line of `given`: a step, or a path into the state that can be set."""
        if key.text == "at":
            step = text(value)
            if step not in self.unit.steps:
                self.say(
                    "unknown-word",
                    value.span,
                    f"there is no step `{step}`",
                    did_you_mean(step, self.unit.steps) or _phase_hint(step, self.unit.steps),
                )
            return
        path, game = key.text, self.game
        if path in game.names:
            number = game.names[path]
            self.things(value, self.is_container(number))
            if self.is_container(number):
                for node in value.items if isinstance(value, Items) else ():
                    self.holds(number, game.names.get(text(node), 0), node)
            else:
                self.held(number, value)
            return
        if path in game.state:
            self.fits(value, game.state[path].type)
            return
        if path in game.tracks or path in _STATE_WORDS:
            return
        front, _, word = path.rpartition(".")
        number = game.names.get(front)
        if number is None:
            first = front or path
            known = (*game.names, *game.state, *game.tracks, *_STATE_WORDS)
            if path in game.computed:
                self.say(
                    "wrong-type", key.span, f"`{path}` is a formula and cannot be set", "set what it is worked out from"
                )
            else:
                self.say("unknown-word", key.span, f"`{first}` names nothing in the game", did_you_mean(first, known))
            return
        self.column(key, number, word, value)

    def column(self, key: Scalar, number: int, word: str, value: Node) -> None:
        """A column of a thing, which only what changes can be."""
        thing = self.game.things[number - 1]
        kind = self.game.kinds.get(thing.kind)
        column = kind.columns.get(word) if kind is not None else None
        own = (*_WORDS, *(["showing"] if kind is not None and kind.faces else []))
        if column is not None and column.storage != "state":
            how = "printed" if column.storage == "printed" else "a formula"
            self.say("wrong-type", key.span, f"`{key.text}` is {how} and cannot be set", "set a column of `state`")
        elif column is None and word in _FOLLOWS:
            self.say("wrong-type", key.span, f"`{key.text}` follows from what lies where", "say where the things are")
        elif column is None and word in (*self.game.kinds, "at"):
            self.thing(value)
            self.held(number, value)
        elif column is None and word not in own:
            known = [name for name, each in kind.columns.items() if each.storage == "state"] if kind is not None else []
            self.say(
                "unknown-word",
                key.span,
                f"`{thing.name}` has nothing called `{word}`",
                did_you_mean(word, (*known, *own)),
            )
        elif column is not None:
            self.fits(value, column.type)

    def held(self, number: int, value: Node) -> None:
        """Whether the place that is named can hold the thing."""
        self.holds(self.game.names.get(text(value), 0), number, value)

    def holds(self, place: int, number: int, node: Node) -> None:
        zone = self.game.things[place - 1].zone if place else None
        if zone is None or not number:
            return
        kinds: list[str] = []
        kind = self.game.kinds.get(self.game.things[number - 1].kind)
        while kind is not None:
            kinds.append(kind.name)
            kind = self.game.kinds.get(kind.base)
        if not set(kinds) & set(zone.holds):
            name, thing = self.game.things[place - 1].name, self.game.things[number - 1].name
            kind_name = kinds[0] if kinds else "zone"
            message = f"`{name}` holds {' and '.join(zone.holds)}, and `{thing}` is a {kind_name}"
            self.say("holds-other-kind", node.span, message)

    def is_container(self, number: int) -> bool:
        return number > self.game.movable

    def things(self, value: Node, several: bool) -> None:
        """Where a thing is, or what lies in a place."""
        for node in value.items if isinstance(value, Items) else (value,):
            self.thing(node)
        if isinstance(value, Items) and not several:
            return
        if not isinstance(value, Items) and several and text(value) != "none":
            self.say("wrong-type", value.span, "what lies in a place is written as a list", f"write `[{text(value)}]`")

    def thing(self, node: Node) -> None:
        name = text(node)
        if name not in self.game.names and name != "none" and not self.is_cell(name):
            self.say(
                "unknown-word", node.span, f"`{name}` names nothing in the game", did_you_mean(name, self.game.names)
            )

    def is_cell(self, name: str) -> bool:
        """Whether a name could be a cell of a growing map: ``island.k11``, or ``k11`` alone."""
        front, _, cell = name.rpartition(".")
        growing = [key for key, each in self.game.maps.items() if each.grows_with]
        return bool(growing) and front in ("", *growing) and cell[-1:].isdigit()

    def fits(self, value: Node, kind: t.Type) -> None:
        """Whether a value can stand in a column of this type."""
        before = len(self.bag.findings)
        self.infer.value(value, Scope(), kind)
        self.sound = self.sound and len(self.bag.findings) == before

    # --- what happens ------------------------------------------------------------------------------------------------

    def step(self, node: Node) -> None:
        """A line of `setup` or `when`: the acts, windows and players that it names exist."""
        if not isinstance(node, Map):
            return
        if isinstance(inner := node.get("refused"), Map):
            self.step(inner)
            return
        act, window, by = node.get("act"), node.get("pass"), node.get("by")
        if isinstance(act, Scalar) and not self.is_act(act.text):
            known = (*self.game.actions, *self.card_acts())
            self.say("unknown-word", act.span, f"there is no action or act `{act.text}`", did_you_mean(act.text, known))
        if isinstance(window, Scalar) and window.text not in self.game.windows:
            self.say(
                "unknown-word",
                window.span,
                f"there is no window `{window.text}`",
                did_you_mean(window.text, self.game.windows),
            )
        if isinstance(by, Scalar) and by.text not in self.game.names:
            self.say(
                "unknown-word",
                by.span,
                f"`{by.text}` names nothing in the game",
                did_you_mean(by.text, self.game.names),
            )
        self.playing(by)
        for key, value in entries(node.get("choose")):
            self.question(key)
            self.answers(value)
        if isinstance(to := node.get("to"), Scalar):
            self.question(to)
        self.answers(node.get("answer"))
        draw = node.get("draw")
        for drawn in draw.items if isinstance(draw, Items) else (draw,) if draw is not None else ():
            self.thing(drawn)

    def question(self, node: Scalar) -> None:
        """The name of a choice, which some rule asks for. (That a typing error is refused would prove nothing.)"""
        known = {row.name for row in self.unit.questions}
        if node.text not in known:
            self.say("unknown-word", node.span, f"no choice is called `{node.text}`", did_you_mean(node.text, known))

    def answers(self, node: Node | None) -> None:
        """One word or several that stand for an option: if they look like a name, it is one of the game's."""
        for each in node.items if isinstance(node, Items) else (node,) if node is not None else ():
            if not isinstance(each, Scalar) or not isinstance(each.value, str) or not _NAME.fullmatch(each.text):
                continue
            known = self.option_words()
            if each.text not in known and not self.is_cell(each.text) and not self.owner.is_elsewhere(each.text):
                hint = did_you_mean(each.text, known)
                self.say("unknown-word", each.span, f"`{each.text}` names nothing in the game", hint)

    def option_words(self) -> set[str]:
        """What an option can be called in one word."""
        game = self.game
        if tuple(game.modes) not in self.owner.words:
            words = {*game.names, *game.actions, *self.card_acts(), *_ANSWERS}
            words.update(word for enum in game.enums.values() for word in enum)
            words.update(act for kind in game.kinds.values() for act in kind.acts)
            self.owner.words[tuple(game.modes)] = words
        return self.owner.words[tuple(game.modes)]

    def is_act(self, name: str) -> bool:
        if name in self.game.actions:
            return True
        thing, _, act = name.rpartition(".")
        number = self.game.names.get(thing)
        return number is not None and act in self.game.kinds[self.game.things[number - 1].kind].acts

    def card_acts(self) -> Iterator[str]:
        for thing in self.game.things:
            if thing.kind in self.game.kinds:
                yield from (f"{thing.name}.{act}" for act in self.game.kinds[thing.kind].acts)

    # --- what must be true -------------------------------------------------------------------------------------------

    def then(self, node: Node | None) -> Plan:
        found: Plan = {"values": []}
        if not isinstance(node, Map):
            return found
        for key, value in node:
            if key.text in _SPECIAL:
                found[key.text] = plain(value)
                if key.text == "end":
                    self.end(value)
                elif key.text == "options":
                    for _, texts in entries(value):
                        self.answers(texts)
                elif key.text == "winners":
                    self.things(value, True)
            else:
                row = self.value(key, value, len(found["values"]))
                if row is not None:
                    found["values"].append(row)
        return found

    def end(self, node: Node) -> None:
        name = text(node)
        if name not in (*self.game.end, "none", "over"):
            self.say("unknown-word", node.span, f"the game has no end `{name}`", did_you_mean(name, self.game.end))

    def value(self, key: Scalar, value: Node, number: int) -> Plan | None:
        """A value that must be: where a thing lies, what lies in a zone, or any expression."""
        movable = self.game.names.get(key.text, 0)
        if 0 < movable <= self.game.movable or self.by_name_only(key.text):
            if not key.text.endswith(".turn"):
                self.thing(value)
            return {"word": key.text, "how": "name", "wanted": plain(value)}
        before = len(self.bag.findings)
        e = self.infer.scalar(Scalar(key.span, key.text, key.text, key.plain), Scope())
        if isinstance(e.type, t.Zone) or (e.op == "const" and movable):
            self.things(value, True)
            wanted: object = [] if text(value) == "none" else plain(value)
            row: Plan = {"word": key.text, "how": "zone", "wanted": wanted}
            if self.owner.lower:
                row["of"] = self.procedure(f"{number}", e, key.span)
            return row
        if len(self.bag.findings) > before:
            self.sound = False
            return None
        # a thing may stand nowhere, which rules leave aside but tests ask for
        expected = self.infer.value(value, Scope(), self.infer.maybe(e.type))
        if len(self.bag.findings) > before:
            self.sound = False
            return None
        row = {"word": key.text, "how": "formula"}
        if self.owner.lower:
            shown = self.unit.row(e.type)
            row |= {
                "of": self.procedure(f"{number}", e, key.span),
                "wanted": self.procedure(f"{number}.is", self.shaped(expected, e.type), value.span),
                "type": [shown.tag, shown.of],
            }
        return row

    def by_name_only(self, path: str) -> bool:
        """Words about a thing that formulas do not have: the place where it lies, whatever its kind, and a tile's
        turn."""
        front, _, word = path.rpartition(".")
        return front in self.game.names and word in ("at", "turn")

    def shaped(self, e: E, kind: t.Type) -> E:
        """One thing where a set is compared is a set of one."""
        return self.infer.as_set(e) if isinstance(kind, t.SetOf | t.ListOf) else e

    def procedure(self, name: str, e: E, span: Span) -> str:
        """Add the procedure that gives the value of `e`."""
        key = f"scenario.{self.name}.{name}"

        def build(proc: Proc) -> None:
            with proc.at(span):
                Values(self.unit, proc).put(e)
                proc.put(isa.RET)

        self.unit.proc(key, 0, self.unit.words(e.type), build)
        return key


def _phase_hint(step: str, steps: Iterable[str]) -> str:
    """A phase alone names no step if it has several."""
    of_phase = [name for name in steps if name.startswith(f"{step}.")]
    return f"write one of {', '.join(of_phase)}" if of_phase else ""
