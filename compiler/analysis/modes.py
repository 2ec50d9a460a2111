"""Modes: overlays chosen before the game starts. Which may be on together, and the tree of each combination.

    modes: {dark: {while: options.dark, excludes: [short], patch: {tracks: {days: {spaces: 0 to 30}}}}}

A mode is on while its option has its value, so a combination is what some setting of the options switches on; settings
whose modes exclude each other, or lack a mode that one requires, are not allowed. The game is linked once for each
combination."""

from __future__ import annotations

import itertools
import math
import re
from typing import Final

from ludoloom.compiler.analysis.names import did_you_mean
from ludoloom.compiler.analysis.overlay import Overlay
from ludoloom.compiler.analysis.tree import GameTree, Mode, as_map, entries, text, words
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.nodes import Map, Node, Scalar, Span

MOST_COMBINATIONS: Final = 32
_MOST_SETTINGS: Final = 4096
_WHILE: Final = re.compile(r"options\.(\w+)(?:\s*==\s*(\w+))?")
_FIXED: Final = ("pack", "options", "modes", "scenarios")
"""Sections that no mode may change: it is chosen through them."""


def read_modes(sections: Map, bag: Bag) -> dict[str, Mode]:
    """The modes of the merged tree, those that others require first."""
    options = {key.text: node for key, node in entries(sections.get("options"))}
    modes: dict[str, Mode] = {}
    for key, node in entries(sections.get("modes")):
        if isinstance(node, Map):
            mode = _read(key, node, options, bag)
            if mode is not None:
                modes[key.text] = mode
    for mode in modes.values():
        for block in ("excludes", "requires"):
            for word in words(mode.node.get(block)):
                if word.text not in modes:
                    bag.add(
                        "unknown-word", word.span, f"there is no mode `{word.text}`", did_you_mean(word.text, modes)
                    )
                elif word.text in mode.excludes and word.text in mode.requires:
                    bag.add(
                        "modes-collide",
                        word.span,
                        f"`{mode.name}` both excludes and requires `{word.text}`",
                        "keep one of the two",
                    )
    return _in_order(modes, bag)


def _read(key: Scalar, node: Map, options: dict[str, Node], bag: Bag) -> Mode | None:
    for section in ("add", "patch", "replace", "remove"):
        for inner, _ in entries(node.get(section)):
            if inner.text in _FIXED:
                bag.add(
                    "mode-cycle",
                    inner.span,
                    f"the mode `{key.text}` changes `{inner.text}`, by which modes are chosen",
                    "write it outside the mode",
                )
    condition = node.get("while")
    found = _WHILE.fullmatch(text(condition))
    if found is None:
        if isinstance(condition, Scalar):
            bag.add(
                "wrong-type",
                condition.span,
                f"`{condition.text}` is no condition of a mode",
                "write `while: options.x` for a yes/no option, or `while: options.x == value`",
            )
        return None
    assert condition is not None
    option = as_map(options.get(found[1]))
    if option is None:
        bag.add("unknown-word", condition.span, f"there is no option `{found[1]}`", did_you_mean(found[1], options))
        return None
    values = option_values(option)
    value = found[2] or "true"
    if value not in values:
        hint = did_you_mean(value, values) or f"its values are {', '.join(values)}"
        message = f"the option `{found[1]}` has no value `{value}`" if found[2] else f"`{found[1]}` is not yes or no"
        bag.add("unknown-word", condition.span, message, hint)
        return None
    excludes = tuple(word.text for word in words(node.get("excludes")))
    requires = tuple(word.text for word in words(node.get("requires")))
    return Mode(key.text, key, node, found[1], value, excludes, requires)


def option_values(option: Map) -> list[str]:
    """The values of an option in order."""
    return [word.text for word in words(option.get("one_of"))] if "one_of" in option else ["false", "true"]


def _in_order(modes: dict[str, Mode], bag: Bag) -> dict[str, Mode]:
    """Required modes first, else as written. A circle is reported and cut."""
    ordered: dict[str, Mode] = {}

    def visit(name: str, trail: tuple[str, ...]) -> None:
        if name in ordered or name not in modes:
            return
        if name in trail:
            loop = [*trail[trail.index(name) :], name]
            bag.add(
                "mode-cycle",
                modes[name].key.span,
                f"modes require each other in a circle: {' requires '.join(loop)}",
                "make them one mode, or leave one `requires` out",
            )
            return
        if len(trail) > 200:
            return
        for other in modes[name].requires:
            visit(other, (*trail, name))
        ordered.setdefault(name, modes[name])

    for name in modes:
        visit(name, ())
    return ordered


def combine(sections: Map, modes: dict[str, Mode], bag: Bag) -> list[tuple[str, ...]]:
    """The allowed combinations: first what the options' starting values switch on, then by the order of the modes."""
    if not modes:
        return [()]
    options = {key.text: node for key, node in entries(sections.get("options"))}
    used = list(dict.fromkeys(mode.option for mode in modes.values()))
    spread: list[list[str]] = []
    for name in used:
        option = as_map(options.get(name))
        values = option_values(option) if option is not None else []
        start = text(option.get("start")) if option is not None else ""
        told = {mode.value for mode in modes.values() if mode.option == name}
        # values that no mode names are alike: one of them stands for all
        quiet = [value for value in values if value not in told]
        stand_for = start if start in quiet else quiet[0] if quiet else ""
        kept = [value for value in values if value in told or value == stand_for]
        first = start if start in kept else values[0] if values and values[0] in kept else kept[0]
        spread.append([first, *(value for value in kept if value != first)])
    many = math.prod(len(values) for values in spread)
    first_mode = next(iter(modes.values()))
    if many > _MOST_SETTINGS:
        _too_many(many, first_mode, bag)
        return [()]
    found: dict[tuple[str, ...], None] = {}
    for setting in itertools.product(*spread):
        chosen = dict(zip(used, setting, strict=True))
        on = tuple(name for name, mode in modes.items() if chosen[mode.option] == mode.value)
        if _allowed(on, modes):
            found[on] = None
    if len(found) > MOST_COMBINATIONS:
        _too_many(len(found), first_mode, bag)
        return [next(iter(found))]
    for name, mode in modes.items():
        if not any(name in on for on in found):
            bag.add(
                "modes-collide",
                mode.key.span,
                f"the mode `{name}` can never be on: what it requires is excluded, "
                "or switched on by another value of the same option",
                "look at its `requires` and `excludes`",
            )
    rest = list(found)[1:]
    names = list(modes)
    return [next(iter(found), ()), *sorted(rest, key=lambda on: (len(on), [names.index(name) for name in on]))]


def _too_many(many: int, first: Mode, bag: Bag) -> None:
    bag.add(
        "too-many-modes",
        first.key.span,
        f"the modes can be combined in {many} ways; at most {MOST_COMBINATIONS} are allowed",
        "let modes exclude each other, or make some of them values of one option, or read the option in a formula",
    )


def _allowed(on: tuple[str, ...], modes: dict[str, Mode]) -> bool:
    return not any(
        any(other in on for other in modes[name].excludes) or any(other not in on for other in modes[name].requires)
        for name in on
    )


def tree_with(tree: GameTree, on: tuple[str, ...], bag: Bag) -> tuple[Map, dict[str, Span]]:
    """The sections with the modes `on` laid over them, and what has been removed by anyone."""
    if not on:
        return tree.sections, tree.removed
    needs = {name: _closure(name, tree.modes) for name in on}
    overlay = Overlay(
        bag,
        {key.text: node for key, node in tree.sections},
        clash="modes-collide",
        related=lambda first, second: first == second or first in needs.get(second, ()),
        removed=dict(tree.removed),
    )
    for name in on:
        node = tree.modes[name].node
        new = as_map(node.get("add"))
        if new is not None:
            overlay.add(Map(new.span, tuple(row for row in new if row[0].text not in _FIXED)), name)
        overlay.apply(node, name)
    return overlay.tree(), overlay.removed


def _closure(name: str, modes: dict[str, Mode]) -> set[str]:
    seen: set[str] = set()
    todo = [name]
    while todo:
        for other in modes[todo.pop()].requires:
            if other in modes and other not in seen:
                seen.add(other)
                todo.append(other)
    return seen
