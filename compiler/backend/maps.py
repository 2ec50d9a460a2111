"""Places and ways: ready-made tables for drawn and listed maps, instructions that search for growing ones.

A static map is known whole, so distances, straight lines, neighbours and what lies between are tables of constants; a
growing map changes under the game, so the interpreter searches its grid.
"""

from __future__ import annotations

from collections import deque

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.model import Kind, MapDecl
from ludoloom.compiler.analysis.outlines import crosses
from ludoloom.compiler.analysis.typed import E, Rows, Var
from ludoloom.compiler.backend.layout import Universe
from ludoloom.compiler.backend.proc import Label
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values, one_word, set_of
from ludoloom.runtime import isa

FAR = 1 << 29
"""Farther than any place that can be reached."""


def growing(unit: Unit) -> list[MapDecl]:
    """The growing maps, in order."""
    return [each for each in unit.game.maps.values() if each.grows_with]


def number_of(unit: Unit, declared: MapDecl) -> int:
    """The number of a growing map."""
    return growing(unit).index(declared)


def growing_number(unit: Unit, e: E) -> int:
    """The growing map that an expression names (its thing), or that its kind leaves no choice about."""
    for number, declared in enumerate(growing(unit)):
        if e.op == "const" and e.data == declared.thing:
            return number
    return 0


def map_for(unit: Unit, kind: t.Type) -> MapDecl | None:
    """The growing map on which places of this type lie."""
    if not isinstance(kind, t.Thing):
        return None
    roots = {unit.game.kinds[name].root for name in kind.kinds}
    for declared in growing(unit):
        if unit.game.kinds[declared.grows_with].root in roots:
            return declared
    return None


def place_of(unit: Unit, element: E) -> E:
    """The place of a member of a set: the member itself if it is a place, else where it stands."""
    assert isinstance(element.type, t.Thing)
    kind = unit.game.kinds[element.type.kinds[0]]
    if kind.family in ("space", "tile"):
        return element
    stands = kind.stands_on
    if not stands:
        growing_maps = growing(unit)
        spaces = [each.spaces for each in unit.game.kinds.values() if each.spaces]
        stands = growing_maps[0].grows_with if growing_maps else spaces[0] if spaces else kind.name
    return E("loc", t.Thing(stands), (element,))


def _root(unit: Unit, kind: t.Type) -> Kind:
    assert isinstance(kind, t.Thing)
    return unit.game.kinds[unit.game.kinds[kind.kinds[0]].root]


def _links(unit: Unit) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for declared in unit.game.maps.values():
        for space, links in declared.links.items():
            found.setdefault(space, []).extend(links)
    return found


def _steps(unit: Unit, kind: Kind) -> list[int]:
    """For each pair of spaces of a kind the steps from one to the other, NIL where there is no way."""
    links = _links(unit)
    table: list[int] = []
    for start in range(kind.first, kind.first + kind.count):
        seen = {start: 0}
        todo = deque([start])
        while todo:
            at = todo.popleft()
            for following in links.get(at, ()):
                if following not in seen:
                    seen[following] = seen[at] + 1
                    todo.append(following)
        table += [seen.get(goal, isa.NIL) for goal in range(kind.first, kind.first + kind.count)]
    return table


def _lines(unit: Unit, kind: Kind) -> list[int]:
    """For each pair the steps along one straight row of linked spaces, NIL where there is none."""
    links = _links(unit)
    centres = {space: at for declared in unit.game.maps.values() for space, at in declared.centres.items()}
    homes = {space: declared.name for declared in unit.game.maps.values() for space in declared.spaces}
    spots = {(homes[space], at): space for space, at in centres.items()}
    table = [isa.NIL] * (kind.count * kind.count)
    for start in range(kind.first, kind.first + kind.count):
        table[(start - kind.first) * kind.count + start - kind.first] = 0
        if start not in centres:
            continue
        for neighbour in links.get(start, ()):
            if neighbour not in centres:
                continue
            step = (centres[neighbour][0] - centres[start][0], centres[neighbour][1] - centres[start][1])
            at, count = start, 0
            while True:
                onward = spots.get((homes[start], (centres[at][0] + step[0], centres[at][1] + step[1])))
                if onward is None or onward not in links.get(at, ()) or count > kind.count:
                    break
                at, count = onward, count + 1
                table[(start - kind.first) * kind.count + at - kind.first] = count
    return table


def table_of(unit: Unit, kind: Kind, op: int) -> list[int]:
    """For each pair of spaces of a kind the steps (MDIST) or straight steps (MLINE) from one to the other, or NIL."""
    return _steps(unit, kind) if op == isa.MDIST else _lines(unit, kind)


def distance(values: Values, one: E, two: E, op: int) -> None:
    """Leave the steps (MDIST) or the straight steps (MLINE) between two places on the stack."""
    unit, proc = values.unit, values.proc
    declared = map_for(unit, one.type)
    if declared is not None:
        values.put(one)
        values.put(two)
        proc.put(op, number_of(unit, declared))
        return
    kind = _root(unit, one.type)
    table = unit.layout.table(table_of(unit, kind, op))
    if not any(_maybe_nowhere(each) for each in (one, two)):
        low = _pair(values, one, two, kind)
        proc.put(isa.TAB, table, low, kind.count * kind.count)
        return
    with proc.block():
        here, there = Var("place", one.type, slot=proc.slot()), Var("place", two.type, slot=proc.slot())
        nowhere, end = proc.label(), proc.label()
        for var, e in ((here, one), (there, two)):
            values.put(e)
            proc.store(var.slot)
            proc.load(var.slot)
            proc.put(isa.JZ, nowhere)
        low = _pair(values, E("var", here.type, data=here), E("var", there.type, data=there), kind)
        proc.put(isa.TAB, table, low, kind.count * kind.count)
        proc.put(isa.JMP, end)
        proc.set(nowhere)
        proc.push(isa.NIL)
        proc.set(end)


def _maybe_nowhere(e: E) -> bool:
    """Whether a place may be none: where something stands that is off the map."""
    return e.op == "loc" or t.missing(e.type)


def _pair(values: Values, one: E, two: E, kind: Kind) -> int:
    """Leave the number of a pair of spaces on the stack; returns the number of the first pair."""
    proc = values.proc
    values.put(one)
    proc.push(kind.count)
    proc.put(isa.MUL)
    values.put(two)
    proc.put(isa.ADD)
    return kind.first * kind.count + kind.first


def neighbours(values: Values, place: E, slot: int, universe: Universe, which: str) -> None:
    """The linked (or adjacent) places as a set."""
    unit, proc = values.unit, values.proc
    declared = map_for(unit, place.type)
    values.put(place)
    if declared is not None:
        proc.put(isa.MLINKS if which == "links" else isa.MNEXT, number_of(unit, declared), slot)
        return
    kind = _root(unit, place.type)
    links = _links(unit)
    rows: list[int] = []
    for space in range(kind.first, kind.first + kind.count):
        rows += unit.layout.bits(sorted(set(links.get(space, ()))), universe)
    proc.put(isa.SROW, slot, universe.words, unit.layout.table(rows), kind.first, max(kind.count, 1))


@set_of("between")
def _between(values: Values, e: E, slot: int, universe: Universe) -> None:
    """What the straight way from centre to centre crosses, ends left out."""
    unit, proc = values.unit, values.proc
    kind = _root(unit, e.args[0].type)
    rows: list[int] = []
    homes = {space: declared for declared in unit.game.maps.values() for space in declared.centres}
    span = range(kind.first, kind.first + kind.count)
    for start in span:
        for goal in span:
            met = _crossed(homes[start], start, goal) if start in homes and homes[start] is homes.get(goal) else []
            rows += unit.layout.bits(met, universe)
    with proc.block():
        low = _pair(values, e.args[0], e.args[1], kind)
        proc.put(isa.SROW, slot, universe.words, unit.layout.table(rows), low, kind.count * kind.count)


def _crossed(board: MapDecl, start: int, goal: int) -> list[int]:
    """The spaces of a map that the way from the centre of one to the centre of another crosses."""
    one, two = board.centres[start], board.centres[goal]
    return [
        space
        for space, centre in sorted(board.centres.items())
        if space not in (start, goal) and crosses(one, two, centre, board.outlines[space])
    ]


@set_of("spaces")
def _spaces(values: Values, e: E, slot: int, universe: Universe) -> None:
    """All spaces of a map."""
    unit, proc = values.unit, values.proc
    declared = sorted((each for each in unit.game.maps.values()), key=lambda each: each.thing)
    rows: list[int] = []
    first = declared[0].thing
    by_thing = {each.thing: each for each in declared}
    last = declared[-1].thing
    for thing in range(first, last + 1):
        inside = by_thing[thing].spaces if thing in by_thing else []
        rows += unit.layout.bits([s for s in inside if universe.first <= s < universe.first + universe.count], universe)
    values.put(e.args[0])
    proc.put(isa.SROW, slot, universe.words, unit.layout.table(rows), first, last - first + 1)


@one_word("map_of")
def _map_of(values: Values, e: E) -> None:
    """From a place to its map."""
    unit = values.unit
    values.put(e.args[0])
    declared = map_for(unit, e.args[0].type)
    if declared is not None:
        values.proc.put(isa.LOC, declared.thing, 1)
        return
    kind = _root(unit, e.args[0].type)
    homes = {space: each.thing for each in unit.game.maps.values() for space in each.spaces}
    row = [homes.get(space, 0) for space in range(kind.first, kind.first + kind.count)]
    values.proc.put(isa.LDC, unit.layout.table(row), kind.first, max(kind.count, 1))


@one_word("location")
def _location(values: Values, e: E) -> None:
    """From a map to the cell that leads to it, or 0."""
    unit = values.unit
    values.put(e.args[0])
    by_thing = {each.thing: each.name for each in unit.game.maps.values()}
    cells = {name: cell for each in unit.game.maps.values() for cell, name in each.leads_to.items()}
    first, last = min(by_thing), max(by_thing)
    row = [cells.get(by_thing.get(thing, ""), 0) for thing in range(first, last + 1)]
    values.proc.put(isa.LDC, unit.layout.table(row), first, last - first + 1)


@one_word("closed_ends")
def _closed_ends(values: Values, e: E) -> None:
    values.proc.put(isa.MENDS, growing_number(values.unit, e.args[0]))


@one_word("distance")
def _distance(values: Values, e: E) -> None:
    distance(values, e.args[0], e.args[1], isa.MDIST)


@one_word("line")
def _line(values: Values, e: E) -> None:
    distance(values, e.args[0], e.args[1], isa.MLINE)


@set_of("gaps")
def _gaps(values: Values, e: E, slot: int, universe: Universe) -> None:
    growing: MapDecl = e.data
    values.put(e.args[0])
    values.proc.put(isa.MGAPS, number_of(values.unit, growing), slot)


@set_of("steps_toward")
def _steps_toward(values: Values, e: E, slot: int, universe: Universe) -> None:
    """The neighbours that are one step nearer."""
    with values.proc.block():
        start, goal, left = Var("start", e.args[0].type), Var("goal", e.args[1].type), values.proc.slot()
        start.slot, goal.slot = values.proc.slot(), values.proc.slot()
        values.put(e.args[0])
        values.proc.store(start.slot)
        values.put(e.args[1])
        values.proc.store(goal.slot)
        here, there = E("var", start.type, data=start), E("var", goal.type, data=goal)
        distance(values, here, there, isa.MDIST)
        values.proc.store(left)
        empty, end = values.proc.label(), values.proc.label()
        values.proc.load(left)
        values.proc.push(isa.NIL)
        values.proc.put(isa.EQ)
        values.proc.put(isa.JNZ, empty)
        neighbours(values, here, slot, universe, "links")
        it = Var("it", e.args[0].type, slot=values.proc.slot())

        def keep(stays: Label) -> None:
            distance(values, E("var", it.type, data=it), there, isa.MDIST)
            values.proc.load(left)
            values.proc.push(1)
            values.proc.put(isa.SUB)
            values.proc.put(isa.EQ)
            values.proc.put(isa.JNZ, stays)

        values.filter(slot, universe, it.slot, keep)
        values.proc.put(isa.JMP, end)
        values.proc.set(empty)
        values.proc.put(isa.SNEW, slot, universe.words)
        values.proc.set(end)


@set_of("nearest", "farthest")
def _nearest(values: Values, e: E, slot: int, universe: Universe) -> None:
    """Members with the fewest steps from the place, where each stands; who cannot be reached is no nearest one,
    but a farthest."""
    place, whole = e.args
    assert isinstance(whole.type, t.SetOf)
    far = e.op == "farthest"
    with values.proc.block():
        start = Var("start", place.type, slot=values.proc.slot())
        values.put(place)
        values.proc.store(start.slot)
        here = E("var", start.type, data=start)
        it = Var("it", whole.type.of)
        element = E("var", it.type, data=it)
        there = place_of(values.unit, element)
        steps = E("distance", t.Int(missing=True), (here, there))
        if far:
            missing = E("eq", t.Bool(), (steps, E("const", t.Int(missing=True), data=isa.NIL)))
            steps = E("rows", t.Int(), data=Rows(((missing, E("const", t.Int(), data=FAR)),), steps))
            values.set_into(E("most", e.type, (whole,), (it, steps)), slot, universe)
        else:
            reached = E(
                "where",
                whole.type,
                (whole,),
                (it, E("ne", t.Bool(), (steps, E("const", t.Int(missing=True), data=isa.NIL)))),
            )
            again = Var("it", whole.type.of)
            inner = E("distance", t.Int(missing=True), (here, place_of(values.unit, E("var", again.type, data=again))))
            values.set_into(E("least", e.type, (reached,), (again, inner)), slot, universe)


@set_of("links", "next_to")
def _neighbours(values: Values, e: E, slot: int, universe: Universe) -> None:
    neighbours(values, e.args[0], slot, universe, e.op)
