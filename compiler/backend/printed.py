"""What is sure of an item before the game begins, since it is printed.

    offers: [tricks.where(moment == reaction).use]     ->  an item printed with another moment is never among them

Acts of things that a window can never offer need no code there, and the words of what the window answers do not
concern them. Only words of enumerations are looked at: numbers and conditions may be changed by modifiers.
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Column, Game, Item
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend.cells import cell_of
from ludoloom.compiler.frontend.nodes import Scalar


def never_in(game: Game, things: E, item: Item) -> bool:
    """Whether an item is kept out of a set by a `where` on what is printed on it."""
    if things.op == "where":
        it, condition = things.data
        return _holds(game, condition, it, item) is False or never_in(game, things.args[0], item)
    if things.op == "union":
        return all(never_in(game, part, item) for part in things.args)
    return False


def _holds(game: Game, e: E, it: Var, item: Item) -> bool | None:
    """Whether a condition on the element holds for the item, whatever happens in play; None: that depends."""
    match e.op:
        case "and" | "or":
            answers = [_holds(game, part, it, item) for part in e.args]
            decisive = e.op == "or"
            if decisive in answers:
                return decisive
            return None if None in answers else not decisive
        case "not":
            answer = _holds(game, e.args[0], it, item)
            return None if answer is None else not answer
        case "eq" | "ne":
            one, two = (_word(game, part, it, item) for part in e.args)
            return None if one is None or two is None else (one == two) is (e.op == "eq")
        case _:
            return None


def _word(game: Game, e: E, it: Var, item: Item) -> int | None:
    """The number of a member of an enumeration: written out, or printed on the item."""
    if not isinstance(e.type, t.Enum):
        return None
    if e.op == "const":
        return e.data
    column = e.data
    if e.op != "column" or not isinstance(column, Column) or column.storage != "printed" or column.is_formula:
        return None
    if len(e.args) != 1 or e.args[0].op != "var" or e.args[0].data is not it or column.face:
        return None
    cell, members = cell_of(item, column), game.enums.get(e.type.name, [])
    return members.index(cell.text) + 1 if isinstance(cell, Scalar) and cell.text in members else None
