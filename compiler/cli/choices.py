"""The options of a question as lines: grouped by the act, each with its price, its odds and the text of its card.

Use
  4  Heka: Wildfire                  costs energy 3 · success 60 %
     Roll 9+: deal 1 damage to each monster on a tile at range 0 to 1.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from ludoloom.compiler.cli.board import Board
from ludoloom.compiler.cli.words import plain, spans, spoken
from ludoloom.runtime.foresee import WINDOW, Chance, Outlook, Price
from ludoloom.runtime.game import Game, Option
from ludoloom.runtime.machine import H_PLACES, R_QUESTION

Line = tuple[str, str]
"""A line and how it looks."""

MOST_TEXT: Final = 44
"""Columns of the longest option beside which notes still stand in one column."""
MOST_FORESEEN: Final = 40
"""Options of which the odds are worked out; more would make people wait."""
MOST_CHANCES: Final = 4
YES_NO: Final = {"true": "yes", "false": "no"}


def alike(game: Game, board: Board, options: Sequence[Option]) -> list[list[Option]]:
    """The options in their order, those together that differ only in which copy of a thing they name."""
    found: dict[object, list[Option]] = {}
    for option in options:
        thing = named_thing(game, option)
        copies = thing in board.things and board.rows[thing].item not in ("", thing)
        key: object = option.index
        if copies and game.names.things[thing] < game.program.consts[H_PLACES]:
            row = tuple(sorted((name, str(value)) for name, value in board.things[thing].items()))
            words = option.words[:3] if is_act(game, option) else ()
            key = (board.rows[thing].item, row, words)
        found.setdefault(key, []).append(option)
    return list(found.values())


def lines(game: Game, board: Board, groups: Sequence[Sequence[Option]]) -> list[Line]:
    """All options, numbered from 1 in this order; one line for options that are alike."""
    options = [each[0] for each in groups]
    if by_value(game, options):
        return list(values(game, board, options))
    short = [single(game, board, option) for option in options]
    told = [
        f"{text} ×{len(each)}" if len(each) > 1 else text if short.count(text) == 1 else wording(game, each[0])
        for text, each in zip(short, groups, strict=True)
    ]
    notes = [", ".join(noted(game, board, option, len(options) <= MOST_FORESEEN)) for option in options]
    column = min(MOST_TEXT, max(map(len, told), default=0)) + 2
    acts = [group(game, option) for option in options]
    headed = [name if acts.count(name) > 1 and len(set(acts)) > 1 else "" for name in acts]
    found: list[Line] = []
    texts: set[str] = set()
    for k, option in enumerate(options):
        if headed[k] and headed[k] != (headed[k - 1] if k else ""):
            found.append((f"  {headed[k]}", "dim"))
        indent = 2 if headed[k] else 0
        found += numbered(k + 1, told[k], notes[k], column, board.width, indent)
        text = card_text(game, board, option)
        if text and text not in texts:
            texts.add(text)
            found += [(" " * (8 + indent) + part, "dim") for part in textwrap.wrap(text, board.width - 8 - indent)]
    return found


def by_value(game: Game, options: Sequence[Option]) -> bool:
    """Whether numbers are chosen from, which are typed as they are."""
    if game.status != "ask":  # dice and draws are no questions of the program
        return False
    question = game.program.questions[game.state[R_QUESTION]]
    return question.type.tag == "int" and all(option.words[1] == 0 for option in options)


def values(game: Game, board: Board, options: Sequence[Option]) -> Iterator[Line]:
    """The numbers to choose from: each with its notes where there are any, else from the lowest to the highest."""
    notes = [", ".join(noted(game, board, option, len(options) <= MOST_FORESEEN)) for option in options]
    if any(notes):
        yield from ((f"{wording(game, option):>4}  {note}", "") for option, note in zip(options, notes, strict=True))
        return
    numbers = sorted(option.value for option in options if option.value is not None)
    words = [wording(game, option) for option in options if option.value is None]
    yield f"      {', '.join([spans(numbers), *words])}", ""


def numbered(number: int, text: str, note: str, column: int, width: int, indent: int) -> Iterator[Line]:
    """An option and its notes: beside it where they fit, else below."""
    head = f"{number:>{4 + indent}}  {text}"
    wide = 6 + indent + column
    if note and len(text) < column and wide + len(note) <= width:
        yield f"{head.ljust(wide)}{note}", ""
        return
    yield head, ""
    yield from ((" " * (8 + indent) + part, "") for part in textwrap.wrap(note, width - 8 - indent))


def single(game: Game, board: Board, option: Option) -> str:
    """An option in words without the number of the copy that it names."""
    text, thing = wording(game, option), named_thing(game, option)
    return text.replace(board.title(thing), board.base(thing)) if thing in board.rows else text


def wording(game: Game, option: Option) -> str:
    """An option in words; yes and no instead of true and false."""
    text = plain(option.text)
    if game.status != "ask":
        return text
    is_answer = option.words[1] == 0 and game.program.questions[game.state[R_QUESTION]].type.tag == "bool"
    return YES_NO.get(text, text) if is_answer else text


def group(game: Game, option: Option) -> str:
    """The act of cards by which options of a window stand together; empty for all others, whose words name the act."""
    if not on_card(game, option):
        return ""
    return spoken(option.act).capitalize()


def noted(game: Game, board: Board, option: Option, deep: bool) -> Iterator[str]:
    """What one wants to know before deciding: where and how a thing is, what it costs, how the roll may turn out."""
    yield from about(game, board, option)
    outlook = game.foresee(option) if deep and option.player else Outlook()
    prices = [price(board, option, each) for each in outlook.price]
    if prices:
        yield f"costs {', '.join(prices)}"
    yield from odds(outlook.chances)


def about(game: Game, board: Board, option: Option) -> Iterator[str]:
    """Of a thing that is chosen: where it is and what has changed about it; of a place: what lies there."""
    yield from ways(game, board, option)
    thing = chosen_thing(game, option)
    if not thing or thing not in board.rows:
        return
    if game.names.things[thing] >= game.program.consts[H_PLACES]:
        yield from board.ground(thing)
        inside = board.alike(board.at(thing))
        if inside:
            yield f"there: {', '.join(inside)}"
        return
    yield from (board.fact(key, value) for key, value in board.changing(thing).items())
    place = board.things.get(thing, {}).get("at", "")
    if place and not board.mine(place):
        yield board.place_title(place)


def ways(game: Game, board: Board, option: Option) -> Iterator[str]:
    """Of a cell for a tile: where its ways lead if it is laid so."""
    question, row = game.program.questions[game.state[R_QUESTION]], option.words[1]
    label = game.program.labels[row]
    if row and question.about and label.types and label.types[0].tag == "cell":
        sides = board.turned(label.types[0].of, game.state[question.about], option.words[3])
        if sides:
            yield f"ways to the {sides}"


def chosen_thing(game: Game, option: Option) -> str:
    """The thing that a plain answer names."""
    if game.status != "ask" or is_act(game, option) or not isinstance(option.value, str):
        return ""
    row = option.words[1]
    kinds = game.program.labels[row].types[:1] if row else (game.program.questions[game.state[R_QUESTION]].type,)
    return option.value if kinds and kinds[0].tag == "thing" else ""


def is_act(game: Game, option: Option) -> bool:
    """Whether an option of a window does something (or passes)."""
    return option.words[1] != 0 and game.question.name == WINDOW


def on_card(game: Game, option: Option) -> bool:
    """Whether an option is the act of a card or another thing."""
    return is_act(game, option) and "self" in game.program.labels[option.words[1]].names


def named_thing(game: Game, option: Option) -> str:
    """The thing that an option plays or names; empty if there is none."""
    return game.names.thing(option.words[3]) if on_card(game, option) else chosen_thing(game, option)


def card_text(game: Game, board: Board, option: Option) -> str:
    """The printed text of the card that an option plays or names."""
    thing = named_thing(game, option)
    return plain(board.rows[thing].text) if thing in board.rows and thing in board.things else ""


def price(board: Board, option: Option, each: Price) -> str:
    """``energy 2``, or ``Ann's coins 1 to 3`` where it is not the one who acts that pays."""
    many = str(each.low) if each.low == each.high else f"{each.low} to {each.high}"
    doer = board.names.thing(option.words[2])
    whose = "" if each.thing in ("", doer, option.player) else f"{board.title(each.thing)}: "
    return f"{whose}{spoken(each.column)} {many}"


def odds(chances: Sequence[Chance]) -> Iterator[str]:
    """The chances in words; of outcomes by name the last, which is what remains, is left out."""
    named = all(chance.text == spoken(chance.name) for chance in chances)
    complete = sum((chance.low for chance in chances), Fraction(0)) == 1
    shown = chances[:-1] if named and complete and len(chances) > 1 else chances
    for chance in shown[:MOST_CHANCES]:
        yield f"{plain(chance.text)} {percent(chance)}"


def percent(chance: Chance) -> str:
    """``60 %``, or ``45–70 %`` where it depends on what is chosen next."""
    low, high = (round(100 * share) for share in (chance.low, chance.high))
    return f"{low} %" if low == high else f"{low}–{high} %"
