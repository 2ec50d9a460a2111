"""What belongs to the game itself: options, tracks, dice, and the number of players."""

from __future__ import annotations

import re
from typing import Final

from ludoloom.compiler.analysis.declare_items import check_origin
from ludoloom.compiler.analysis.model import Die, Game, Mark, OptionDecl, Track
from ludoloom.compiler.analysis.names import did_you_mean
from ludoloom.compiler.analysis.tree import as_map, entries, number, text, words
from ludoloom.compiler.analysis.types import Bool, Enum, Int, Type
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar

MOST_PLAYERS: Final = 12
MOST_SPACES: Final = 1000
MOST_FACES: Final = 1000
_SPAN = re.compile(r"(-?\d{1,6}) to (-?\d{1,6})")


def span_of(node: Node | None) -> tuple[int, int] | None:
    """The two ends of ``1 to 6``; a single number is a span of one."""
    one = number(node)
    if one is not None:
        return one, one
    found = _SPAN.fullmatch(text(node))
    return (int(found[1]), int(found[2])) if found else None


def read_players(manifest: Map, bag: Bag) -> tuple[int, int]:
    """`players: 1 to 6` of the pack; one player where it says nothing sound."""
    node = manifest.get("players")
    if node is None:
        return 1, 1
    found = span_of(node)
    if found is None or not 1 <= found[0] <= found[1]:
        bag.add("wrong-type", node.span, f"`{text(node)}` is no number of players", "write `2` or `1 to 6`")
        return 1, 1
    if found[1] > MOST_PLAYERS:
        bag.add("too-large", node.span, f"{found[1]} players; at most {MOST_PLAYERS} are allowed")
        return found[0] if found[0] <= MOST_PLAYERS else 1, MOST_PLAYERS
    return found


def declare_options(game: Game, section: Node | None, bag: Bag) -> None:
    """`mega: {is: bool}` or `tyrants: {one_of: [single, dual], start: single}`, read as ``options.tyrants``."""
    for key, node in entries(section):
        if not isinstance(node, Map):
            continue
        title = text(node.get("name")) or key.text.replace("_", " ").title()
        if "one_of" in node:
            values = tuple(dict.fromkeys(word.text for word in words(node.get("one_of"))))
            kind: Type = Enum(f"options.{key.text}")
            game.enums[f"options.{key.text}"] = list(values)
        else:
            values, kind = ("false", "true"), Bool()
        start = node.get("start")
        at = 0
        if isinstance(start, Scalar):
            if start.text in values:
                at = values.index(start.text)
            else:
                bag.add(
                    "unknown-word",
                    start.span,
                    f"the option `{key.text}` has no value `{start.text}`",
                    did_you_mean(start.text, values) or f"its values are {', '.join(values)}",
                )
        if values:
            game.options[key.text] = OptionDecl(key.text, key.span, title, kind, values, at)


def declare_tracks(game: Game, section: Node | None, bag: Bag) -> None:
    """Tracks with their named marks; a mark may be the `start`."""
    for key, node in entries(section):
        if not isinstance(node, Map):
            continue
        check_origin("the track", key, node, f"tracks.{key.text}", bag)
        spaces = node.get("spaces")
        found = span_of(spaces)
        if found is None or spaces is None:
            continue
        low, high = (1, found[0]) if number(spaces) is not None else found
        if high < low or high - low >= MOST_SPACES:
            code = "wrong-type" if high < low else "too-large"
            bag.add(code, spaces.span, f"a track has 1 to {MOST_SPACES} spaces, in rising order")
            continue
        track = Track(key.text, key.span, text(node.get("shape")) or "line", low, high, node.get("start"))
        for name, value in entries(node.get("marks")):
            mark = as_map(value)
            at = mark.get("at") if mark else None
            if mark is None or at is None:
                continue
            _inside(at, name.text, track, bag)
            track.marks[name.text] = Mark(name.text, name.span, at, mark.get("reached"))
        start = track.start
        if isinstance(start, Scalar) and number(start) is None:
            mark_ = track.marks.get(start.text)
            if mark_ is None:
                bag.add(
                    "unknown-word",
                    start.span,
                    f"the track `{key.text}` has no mark `{start.text}`",
                    did_you_mean(start.text, track.marks),
                )
                track.start = None
            else:
                track.start = mark_.at
        elif start is not None:
            _inside(start, "start", track, bag)
        game.tracks[key.text] = track


def _inside(at: Node, name: str, track: Track, bag: Bag) -> None:
    where = number(at)
    if where is not None and not track.low <= where <= track.high:
        bag.add(
            "mark-outside",
            at.span,
            f"`{name}` stands at {where}, but `{track.name}` goes from {track.low} to {track.high}",
            related=(Related(track.span, "the track is declared here"),),
        )


def declare_dice(game: Game, section: Node | None, bag: Bag) -> None:
    """Dice: numbers (`1 to 20`), a list of numbers or words (the column `face`), or records with several columns."""
    for key, node in entries(section):
        if not isinstance(node, Map):
            continue
        check_origin("the die", key, node, f"dice.{key.text}", bag)
        faces = node.get("faces")
        if faces is None:
            continue
        die = Die(key.text, key.span)
        if isinstance(faces, Items):
            _listed(game, die, faces, bag)
        else:
            found = span_of(faces)
            if found is None:
                continue
            low, high = (1, found[0]) if number(faces) is not None else found
            if not low <= high < low + MOST_FACES:
                bag.add("too-large", faces.span, f"a die has 1 to {MOST_FACES} faces, in rising order")
                continue
            die.columns = {"face": Int()}
            die.faces = [{"face": k} for k in range(low, high + 1)]
            die.labels = [str(k) for k in range(low, high + 1)]
        if die.faces:
            game.dice[key.text] = die


def _listed(game: Game, die: Die, faces: Items, bag: Bag) -> None:
    rows: list[tuple[Node, dict[str, Scalar], int]] = []
    for face in faces.items:
        if isinstance(face, Scalar):
            rows.append((face, {"face": face}, 1))
        elif isinstance(face, Map):
            cells = {key.text: value for key, value in face if isinstance(value, Scalar) and key.text != "times"}
            times = face.get("times")
            many = 1 if times is None else number(times)
            if many is None or many < 1:
                many = 1
            rows.append((face, cells, min(many, MOST_FACES + 1)))
    if not rows:
        return
    if sum(many for _, _, many in rows) > MOST_FACES:
        bag.add("too-large", faces.span, f"`{die.name}` has more than {MOST_FACES} faces")
        return
    first = list(rows[0][1])
    for face, cells, _ in rows[1:]:
        if set(cells) != set(first):
            odd = sorted(set(cells) ^ set(first))
            bag.add(
                "faces-differ",
                face.span,
                f"this face of `{die.name}` has the columns {', '.join(cells) or '(none)'}; "
                f"the first one has {', '.join(first)}",
                f"give every face the same columns ({', '.join(odd)} differ)",
                (Related(rows[0][0].span, "the first face"),),
            )
            return
    columns: dict[str, list[str] | None] = {}
    for name in first:
        cells = [row[1][name] for row in rows]
        die.columns[name], columns[name] = _column_type(game, die.name, name, cells, bag)
    for _, cells, many in rows:
        face = {name: _word(cell, columns[name]) for name, cell in cells.items()}
        label = " ".join(cells[name].text for name in first)
        die.faces += [dict(face) for _ in range(many)]
        die.labels += [label] * many


def _column_type(game: Game, die: str, name: str, cells: list[Scalar], bag: Bag) -> tuple[Type, list[str] | None]:
    """Numbers, yes/no, or words of an enumeration: the one called like the column, the only one that has all of them,
    or a new one that belongs to the die."""
    if all(number(cell) is not None for cell in cells):
        return Int(), None
    if all(isinstance(cell.value, bool) for cell in cells):
        return Bool(), None
    odd = next((cell for cell in cells if not isinstance(cell.value, str)), None)
    if odd is not None:
        bag.add("faces-differ", odd.span, f"`{name}` of `{die}` is a word on one face and `{odd.text}` on this one")
        return Int(), None
    values = dict.fromkeys(cell.text for cell in cells)
    holding = [enum for enum, members in game.enums.items() if "." not in enum and set(values) <= set(members)]
    if name in holding or len(holding) == 1:
        enum = name if name in holding else holding[0]
        return Enum(enum), game.enums[enum]
    enum = f"{die}.{name}"
    game.enums[enum] = list(values)
    return Enum(enum), game.enums[enum]


def _word(cell: Scalar, members: list[str] | None) -> int:
    """The word of a cell: of an enumeration the members are numbered from 1, as everywhere in the state."""
    if members is not None:
        return members.index(cell.text) + 1 if cell.text in members else 0
    return int(cell.value) if isinstance(cell.value, int) else 0
