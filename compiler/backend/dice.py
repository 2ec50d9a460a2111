"""What a roll is: its parameters, die, sides and outcomes; and the instructions of one throw.

ROLL die      the number of the face that came up; its columns are tables
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.declare_types import read_params
from ludoloom.compiler.analysis.model import Die, Param
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values, one_word
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Items, Map, Scalar
from ludoloom.runtime import isa
from ludoloom.runtime.image import OUTCOMES


def params_of(unit: Unit, name: str) -> tuple[Param, ...]:
    """The parameters of a named roll."""
    return read_params(unit.game.rolls[name].get("with"), unit.type_words())


def sides_of(unit: Unit, name: str) -> tuple[str, ...]:
    """The two parameters that roll against each other, or nothing."""
    node = unit.game.rolls[name].get("sides")
    sides = tuple(item.text for item in node.items if isinstance(item, Scalar)) if isinstance(node, Items) else ()
    return sides if len(set(sides)) == 2 and len(sides) == 2 else ()


def die_of(unit: Unit, name: str) -> Die | None:
    """The die of a named roll."""
    node = unit.game.rolls[name].get("dice")
    inner = node.get("die") if isinstance(node, Map) else node
    text = inner.text if isinstance(inner, Scalar) else ""
    die = unit.game.dice.get(text)
    if die is None:
        place = inner.span if inner is not None else unit.game.rolls[name].span
        unit.infer.unknown(text, place, f"there is no die `{text}`", did_you_mean(text, unit.game.dice))
    return die


def outcomes_of(unit: Unit, name: str) -> list[str]:
    """The names of a roll's outcomes, in order."""
    node = unit.game.rolls[name].get("outcomes")
    return list(node.names()) if isinstance(node, Map) else []


def words_of(unit: Unit, name: str) -> int:
    """Result words of a named roll: the outcome, then total and face for each side."""
    return 1 + 2 * max(1, len(sides_of(unit, name)))


def die_number(unit: Unit, die: Die) -> int:
    return list(unit.game.dice).index(die.name)


@one_word("face_column")
def _face_column(values: Values, e: E) -> None:
    """A column of the face that was rolled."""
    var, name = e.data
    rolled = var.type
    die = values.unit.game.dice[rolled.die]
    values.proc.load(var.parts["face"])
    values.proc.put(isa.TAB, values.unit.layout.table([face[name] for face in die.faces]), 0, len(die.faces))


def throw(values: Values, die: Die) -> None:
    """Leave the number of the face that came up."""
    values.proc.put(isa.ROLL, die_number(values.unit, die), len(die.faces))


def face_value(values: Values, die: Die, face: int) -> None:
    """Leave the number on the face in a slot: 0 for a die without numbers."""
    if "face" in die.columns:
        values.proc.load(face)
        values.proc.put(isa.TAB, values.unit.layout.table([each["face"] for each in die.faces]), 0, len(die.faces))
    else:
        values.proc.push(0)


def result(unit: Unit, name: str, die: Die, total: int, face: int) -> Var:
    """`roll` with its total and face in these slots; `bounds` is what the total can be, where it is the number of one
    die."""
    var = Var("roll", t.Rolled(die.name, name), slot=total)
    var.parts = {"total": total, "face": face}
    node = unit.game.rolls[name]
    if "face" in die.columns and node.get("add") is None and not isinstance(node.get("dice"), Map):
        numbers = [each["face"] for each in die.faces]
        var.parts["bounds"] = (min(numbers), max(numbers))
    return var


def result_scope(unit: Unit, name: str, scope: Scope, slot: int) -> Scope:
    """The words for triggers after a named roll, whose results begin at `slot` with the number of the outcome, from 0:
    `roll` (with `roll.total(side)` where two roll against each other), and `result` for the outcome."""
    die = die_of(unit, name)
    if die is None:
        return scope
    sides = sides_of(unit, name)
    rolled = [result(unit, name, die, slot + 1 + 2 * each, slot + 2 + 2 * each) for each in range(max(1, len(sides)))]
    found = scope.bind(roll=E("var", rolled[0].type, data=rolled[0]))
    if sides:
        rolled[0].parts["sides"] = {
            side: E("field", t.Int(), data=(var, "total")) for side, var in zip(sides, rolled, strict=True)
        }
    if names := outcomes_of(unit, name):
        kind = t.Enum(f"{OUTCOMES}{name}")
        unit.game.enums[kind.name] = names
        number = E("var", t.Int(), data=Var("result", t.Int(), slot=slot))
        found = found.bind(result=E("add", kind, (number, E("const", t.Int(), data=1))))
    return found
