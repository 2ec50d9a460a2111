"""`text: auto`: the sentence of a card, written from what its acts say.

    rolls: {dare: {says: "roll {need}+", …}}
    verbs: {damage: {says: "deal {amount} to {to}", …}}
    cards: {bolt: {text: auto, values: {need: 7, harm: 2}, use: {choose: {target: rivals_in(reach)},
      roll: {dare: need}, on success: [{damage: {to: target, amount: harm}}]}}}

gives "Roll {need}+: deal {harm} to a rival in range {reach}." The holes that are left are values and columns of the
card, so that the number that is printed is the number that counts. What an argument is, is said like this: a number
as itself, a value or column as a hole, a choice by the `says` of the formula that it is made from (else by its kind),
anything else by its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ludoloom.compiler.analysis.model import Column, Game, Item
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar

HOLE = re.compile(r"\{([^{}]*)\}")
CALL = re.compile(r"(?:\w+\.)*(\w+)(?:\((.*)\))?$")
AUTO = "auto"
BESIDE = ("as", "then", "else", "do")
SILENT = ("let", "stop", "give", "cancel", "proceed")
"""Verbs of which a card need not speak."""


@dataclass(slots=True)
class Written:
    """The sentence, and what in the acts has no words."""

    text: str
    speechless: list[Scalar] = field(default_factory=list[Scalar])


def write(game: Game, item: Item, language: str = "") -> Written:
    """The text of an item in a language (the game's own, if empty or not translated)."""
    writer = _Writer(game, item, section(game, language, "says"), section(game, language, "names"))
    kind = game.kinds[item.kind]
    sentences: list[str] = []
    for name in kind.acts:
        layers = [act for act in (kind.acts[name], item.acts.get(name)) if act is not None]
        sentences += writer.act(layers)
    return Written(" ".join(sentences), writer.speechless)


def section(game: Game, language: str, name: str) -> dict[str, str]:
    """What a language says instead, by name."""
    whole = game.languages.get(language) if game.languages is not None and language else None
    section = whole.get(name) if isinstance(whole, Map) else None
    if not isinstance(section, Map):
        return {}
    return {key.text: value.text for key, value in section if isinstance(value, Scalar)}


def _plain(name: str) -> str:
    return name.replace("_", " ")


@dataclass(slots=True)
class _Writer:
    game: Game
    item: Item
    says: dict[str, str]
    names: dict[str, str]
    speechless: list[Scalar] = field(default_factory=list[Scalar])

    def act(self, layers: list[Map]) -> list[str]:
        """The sentences of one act: what is rolled, then what happens by each outcome, then what happens in any
        case."""
        choices: dict[str, Node] = {}
        for layer in layers:
            chosen = layer.get("choose")
            if isinstance(chosen, Map):
                choices.update((key.text, value) for key, value in chosen)
        rolled = next((layer.get("roll") for layer in reversed(layers) if layer.get("roll") is not None), None)
        sentences: list[str] = []
        own = layers[-1]
        outcomes = [(key, value) for key, value in own if key.text.startswith("on ")]
        always = "; ".join(self.block(own.get("do"), choices))
        if rolled is not None:
            roll = self.rolled(rolled, choices)
            for number, (key, block) in enumerate(outcomes):
                follows = "; ".join(self.block(block, choices))
                if follows:
                    head = roll if number == 0 else key.text[3:].replace("_", " ")
                    sentences.append(_sentence(f"{head}: {follows}" if head else follows))
            if not outcomes and roll:
                sentences.append(_sentence(f"{roll}: {always}" if always else roll))
                return sentences
        if always:
            sentences.append(_sentence(always))
        return sentences

    def rolled(self, node: Node, choices: dict[str, Node]) -> str:
        name, argument = (node.entries[0]) if isinstance(node, Map) and node.entries else (node, None)
        if not isinstance(name, Scalar) or name.text not in self.game.rolls:
            return ""
        return self.called(name, self.game.rolls[name.text], argument, choices)

    def block(self, node: Node | None, choices: dict[str, Node]) -> list[str]:
        """What each statement of a block says."""
        found: list[str] = []
        for statement in node.items if isinstance(node, Items) else ():
            for key, argument in _verbs(statement):
                if key.text in self.game.verbs:
                    said = self.called(key, self.game.verbs[key.text], argument, choices)
                    found += [said] if said else []
                elif key.text in ("group", "for_each", "repeat", "if"):
                    inner = argument if key.text == "group" else None
                    found += self.block(inner, choices)
                    for clause in ("do", "then", "else"):
                        if isinstance(statement, Map):
                            found += self.block(statement.get(clause), choices)
                elif key.text not in SILENT:
                    self.speechless.append(key)
        return found

    def called(self, key: Scalar, node: Map, argument: Node | None, choices: dict[str, Node]) -> str:
        says = node.get("says")
        pattern = self.says.get(key.text, says.text if isinstance(says, Scalar) else "")
        if not pattern:
            self.speechless.append(key)
            return ""
        params = node.get("with")
        names = list(params.names()) if isinstance(params, Map) else []
        given: dict[str, Node] = {}
        if isinstance(argument, Map) and "rows" not in argument:
            given = {name.text: value for name, value in argument}
        elif argument is not None and names:
            given = {names[0]: argument}

        def fill(hole: re.Match[str]) -> str:
            node = given.get(hole[1].strip())
            return self.said(node, choices) if node is not None else _plain(hole[1].strip())

        return HOLE.sub(fill, pattern)

    def said(self, node: Node, choices: dict[str, Node]) -> str:
        """An argument in words."""
        if not isinstance(node, Scalar):
            return "that"
        if node.text in choices:
            return self.chosen(choices[node.text])
        if isinstance(node.value, int):
            return node.text
        kind = self.game.kinds[self.item.kind]
        if (self.item.values is not None and node.text in self.item.values) or node.text in kind.columns:
            return f"{{{node.text}}}"
        return node.text.rpartition(".")[2].replace("_", " ")

    def chosen(self, source: Node) -> str:
        """What somebody chooses: by the words of the formula, else "a" and the kind."""
        if isinstance(source, Map):
            source = source.get("from") or source
        if not isinstance(source, Scalar):
            return "one of them"
        head = source.text.split(".where(")[0]
        found = CALL.match(head)
        name, argument = (found[1], found[2] or "") if found else (head, "")
        for column in self.columns():
            says = self.says.get(f"{column.kind}.{name}" if column.kind else name, column.says)
            if column.name == name and says:
                return HOLE.sub(self.parameter(column, argument), says)
        for kind in self.game.kinds.values():
            if kind.plural == name:
                return self.names.get(kind.name) or f"{'an' if kind.name[:1] in 'aeiou' else 'a'} {_plain(kind.name)}"
        return f"one of {name.replace('_', ' ')}"

    def parameter(self, column: Column, argument: str) -> Callable[[re.Match[str]], str]:
        """How the hole of a formula's words is filled: with what it was asked for."""
        kind = self.game.kinds[self.item.kind]
        known = [*kind.columns, *(self.item.values.names() if self.item.values is not None else ())]
        name = argument.strip()
        shown = f"{{{name}}}" if name in known else name.replace("_", " ")
        return lambda hole: shown if column.params and hole[1].strip() == column.params[0].name else hole[0]

    def columns(self) -> Iterator[Column]:
        yield from self.game.computed.values()
        for kind in self.game.kinds.values():
            yield from kind.columns.values()


def _verbs(statement: Node) -> list[tuple[Scalar, Node | None]]:
    """The verb of a statement with what stands inside."""
    if isinstance(statement, Scalar):
        return [(statement, None)]
    if isinstance(statement, Map):
        found = [(key, value) for key, value in statement if key.text not in BESIDE and not key.text.startswith("on ")]
        return [(key, value) for key, value in found[:1]]
    return []


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
