"""Procedures become one code vector, with constants, start state and the tables of names: a `Program`.

What comes in: a `Unit` full of symbolic procedures. What goes out: integers only, and rows for people. Labels become
addresses, the parts of the state get their places behind the game's words, and the header of the constants says where
they are.
"""

from __future__ import annotations

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.members import Members
from ludoloom.compiler.analysis.model import Column
from ludoloom.compiler.backend import maps, sight, surroundings, texts
from ludoloom.compiler.backend.card_texts import text_of
from ludoloom.compiler.backend.depth import needs
from ludoloom.compiler.backend.dice import outcomes_of
from ludoloom.compiler.backend.formulas import formula, printed
from ludoloom.compiler.backend.plans import masks
from ludoloom.compiler.backend.proc import Label, Proc
from ludoloom.compiler.backend.shorten import shorten
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values
from ludoloom.compiler.frontend.nodes import Map, Scalar
from ludoloom.runtime import isa
from ludoloom.runtime import machine as m
from ludoloom.runtime.image import (
    OUTCOMES,
    ColumnRow,
    DieRow,
    KindRow,
    OutcomeRow,
    PlaceRow,
    ProcRow,
    Program,
    ThingRow,
    ZoneRow,
)

OPTIONS = 256
"""Most options of one question."""


def emit(unit: Unit, files: list[str]) -> Program:
    """The program of a lowered game; `files` are the names that places point into (grown as needed)."""
    columns = _columns(unit)
    growing = maps.growing(unit)
    faces = [
        Values(unit, Proc("", 0, 0, 0)).face_column(t.Thing(each.grows_with))
        if unit.game.kinds[each.grows_with].faces
        else None
        for each in growing
    ]
    unit.drain()
    procs = list(unit.procs.values())
    tables: dict[int, list[Label]] = {}
    for jump in unit.jumps:
        tables.setdefault(jump.proc.number, []).extend(jump.labels)
    for proc in procs:
        _close(unit, proc)
        shorten(proc, tables.get(proc.number, ()))
    code, entries, places = _code(procs, files)
    for jump in unit.jumps:
        for place, label in enumerate(jump.labels):
            unit.layout.consts[jump.offset + place] = _address(jump.proc, label, entries)
    consts = unit.layout.consts
    state_size = _layout(unit, procs, entries, growing, faces)
    start = _start(unit, state_size)
    _check_header(consts)
    return Program(
        modes=unit.game.modes,
        code=code,
        consts=consts,
        start=start,
        procs=[ProcRow(proc.name, entries[proc.number][0], proc.arguments, proc.size, proc.results) for proc in procs],
        things=_things(unit),
        kinds=[
            KindRow(k.name, k.plural, k.family, max(k.first, 1), k.count, tuple(k.faces), k.open_faces)
            for k in unit.game.kinds.values()
        ],
        columns=columns,
        zones=_zones(unit),
        dice=[DieRow(die.name, tuple(die.labels)) for die in unit.game.dice.values()],
        labels=unit.labels,
        questions=unit.questions,
        events=unit.events,
        faults=unit.faults,
        steps=unit.steps,
        outcomes=[
            *(_outcome(name, node) for name, node in unit.game.end.items()),
            OutcomeRow("over", "the game is over"),
        ],
        places=places,
        enums={
            **unit.game.enums,
            "phase": list(unit.game.phases),
            **{f"{OUTCOMES}{name}": outcomes for name in unit.game.rolls if (outcomes := outcomes_of(unit, name))},
            **{f"options.{name}": list(option.values) for name, option in unit.game.options.items()},
        },
        tracks=surroundings.tracks(unit),
        maps=surroundings.maps(unit),
    )


def _outcome(name: str, node: Map) -> OutcomeRow:
    says = node.get("says")
    return OutcomeRow(name, says.text if isinstance(says, Scalar) else texts.title(name).lower())


def _close(unit: Unit, proc: Proc) -> None:
    """No procedure may run off its end, and every label needs an instruction to stand at."""
    dangling = any(
        label.at >= len(proc.code) for ins in proc.code for label in ins.operands if isinstance(label, Label)
    )
    if proc.reachable() or dangling:
        proc.put(isa.FAULT, unit.fault("the end of a procedure was passed"))


def _code(procs: list[Proc], files: list[str]) -> tuple[list[int], dict[int, tuple[int, list[int]]], list[PlaceRow]]:
    """The code vector; for each procedure its entry and the address of each of its instructions; the places."""
    entries: dict[int, tuple[int, list[int]]] = {}
    at = 0
    for proc in procs:
        addresses: list[int] = []
        start = at
        for ins in proc.code:
            addresses.append(at)
            at += 1 + len(ins.operands)
        addresses.append(at)
        entries[proc.number] = (start, addresses)
    code: list[int] = []
    places: list[PlaceRow] = []
    known = {name: number for number, name in enumerate(files)}
    last: tuple[int, int, int, bool] | None = None
    for proc in procs:
        for ins in proc.code:
            span = ins.span
            if span is not None:
                if span.file not in known:
                    known[span.file] = len(files)
                    files.append(span.file)
                here = (known[span.file], span.line, span.column, ins.effect)
                if here != last:
                    places.append(PlaceRow(len(code), *here))
                    last = here
            code.append(ins.op)
            for operand in ins.operands:
                code.append(_address(proc, operand, entries) if isinstance(operand, Label) else operand)
    return code, entries, places


def _address(proc: Proc, label: Label, entries: dict[int, tuple[int, list[int]]]) -> int:
    return entries[proc.number][1][label.at]


def _layout(
    unit: Unit,
    procs: list[Proc],
    entries: dict[int, tuple[int, list[int]]],
    growing: list[maps.MapDecl],
    faces: list[tuple[int, int, int] | None],
) -> int:
    """Place the parts of the state behind the game's words, fill the header; gives the size of a state."""
    game, layout, consts = unit.game, unit.layout, unit.layout.consts
    things = len(game.things)
    places = things - game.first_place + 1
    header: dict[int, int] = {
        m.H_THINGS: things,
        m.H_MOVABLE: game.movable,
        m.H_PLACES: game.first_place,
        m.H_WORDS: layout.size,
    }
    at = layout.size
    for key in (m.H_LOC, m.H_NEXT, m.H_PREV, m.H_GROUP):
        header[key] = at - 1  # offset + p for things from 1
        at += game.movable
    for key in (m.H_HEAD, m.H_TAIL, m.H_COUNT):
        header[key] = at
        at += places
    limits, out = [0] * places, [0] * places
    for zone in [*game.zones.values(), *(zone for kind in game.kinds.values() for zone in kind.zones.values())]:
        many = game.kinds[zone.kind].count if zone.kind else 1
        for number in range(many):
            slot = zone.first + number - game.first_place
            if 0 <= slot < places:
                limits[slot] = _limit(unit, zone.limit)
                out[slot] = int(zone.out_of_play)
    header[m.H_LIMIT] = layout.table(limits or [0])
    header[m.H_OUT] = layout.table(out or [0])
    rows: list[int] = []
    for declared, face in zip(growing, faces, strict=True):
        kind = game.kinds[game.kinds[declared.grows_with].root]
        joins = masks(Values(unit, Proc("", 0, 0, 0)), declared)
        width = max((len(row) for row in joins), default=1)
        table = layout.table([mask for row in joins for mask in [*row, *([0] * (width - len(row)))]] or [0])
        cells = declared.width * declared.height
        rows += [declared.thing, at, declared.width, declared.height, kind.first, kind.count]
        cell, turn = at + cells, at + cells + kind.count
        at = turn + kind.count
        rows += [cell, turn, face[0] if face is not None else -1, table, width]
    header[m.H_NMAPS] = len(growing)
    header[m.H_MAPS] = layout.fresh(rows or [0])
    stack, frames = needs(procs)
    header[m.H_FRAMES], header[m.H_FRAME_MAX] = at, frames
    at += frames * m.FRAME_WORDS
    header[m.H_OPTS], header[m.H_OPT_MAX] = at, OPTIONS
    at += OPTIONS * m.OPTION_WORDS
    header[m.H_STACK], header[m.H_STACK_MAX] = at, stack
    at += stack
    header[m.H_STATE] = at
    header[m.H_PROCS] = layout.fresh(
        [word for proc in procs for word in (entries[proc.number][0], proc.arguments, proc.size, proc.results)]
    )
    header[m.H_NPROCS] = len(procs)
    header[m.H_MAIN] = unit.procs["main"].number
    seats = game.kinds[game.player_kind]
    header[m.H_SEATS], header[m.H_NSEATS] = seats.first, seats.count
    header[m.H_TABLE] = game.names["table"]
    for key, value in header.items():
        consts[key] = value
    return at


def _limit(unit: Unit, node: object) -> int:
    return node.value if isinstance(node, Scalar) and type(node.value) is int else 0


def _check_header(consts: list[int]) -> None:
    assert all(-(2**31) <= word < 2**31 for word in consts), "a constant leaves 32 bits"


def _start(unit: Unit, size: int) -> list[int]:
    """The state before the first instruction: first values, and everything where it starts."""
    consts = unit.layout.consts
    state = [0] * size
    for word, value in unit.layout.initial.items():
        state[word] = value
    state[m.R_OUTCOME] = -1
    state[m.R_STEP] = -1
    state[m.R_BREAK] = -1
    for name, option in unit.game.options.items():
        state[unit.layout.word(f"option.{name}")] = option.start
    for thing in unit.game.things:
        place = thing.starts
        if not place or thing.number > unit.game.movable:
            continue
        slot = place - consts[m.H_PLACES]
        tail = state[consts[m.H_TAIL] + slot]
        state[consts[m.H_LOC] + thing.number] = place
        state[consts[m.H_PREV] + thing.number] = tail
        if tail:
            state[consts[m.H_NEXT] + tail] = thing.number
        else:
            state[consts[m.H_HEAD] + slot] = thing.number
        state[consts[m.H_TAIL] + slot] = thing.number
        state[consts[m.H_COUNT] + slot] += 1
    return state


def _things(unit: Unit) -> list[ThingRow]:
    rows: list[ThingRow] = []
    for thing in unit.game.things:
        item = thing.item
        title = item.title if item is not None and item.title else texts.title(thing.name.rpartition(".")[2])
        if item is not None and item.copies > 1:
            title = f"{title} {item.things.index(thing.number) + 1}"
        rows.append(
            ThingRow(
                thing.name,
                thing.kind,
                item.id if item else "",
                title,
                item.origin if item else "",
                text_of(unit, thing.number),
                thing.owner,
            )
        )
    return rows


def _zones(unit: Unit) -> list[ZoneRow]:
    rows: list[ZoneRow] = []
    for thing in unit.game.things:
        zone = thing.zone
        if zone is not None:
            rows.append(ZoneRow(thing.name, thing.number, thing.owner, zone.order, zone.seen_by, zone.count_seen_by))
    return rows


def _columns(unit: Unit) -> list[ColumnRow]:
    """Every word that people may see."""
    game, layout = unit.game, unit.layout
    rows: list[ColumnRow] = []
    for name, column in game.state.items():
        rows.append(
            ColumnRow("", name, "state", layout.word(f"state.{name}"), 0, 1, unit.row(column.type), column.seen_by)
        )
    for name in game.tracks:
        rows.append(ColumnRow("", name, "state", layout.word(f"track.{name}"), 0, 1, unit.row(t.Int())))
    active = unit.infer.active_kind()
    rows.append(ColumnRow("", "active", "state", layout.word("active"), 0, 1, unit.row(t.Thing(active))))
    rows.append(ColumnRow("", "phase", "state", layout.word("phase"), 0, 1, unit.row(t.Enum("phase"))))
    for name, option in game.options.items():
        rows.append(
            ColumnRow("", f"options.{name}", "state", layout.word(f"option.{name}"), 0, 1, unit.row(option.type))
        )
    for column in game.computed.values():
        if not column.params and unit.words(column.type) == 1:
            rows.append(
                ColumnRow(
                    "",
                    column.name,
                    "computed",
                    formula(unit, column).number,
                    0,
                    1,
                    unit.row(column.type),
                    sight.of_formula(unit, column),
                )
            )
    for kind in game.kinds.values():
        if kind.faces:
            offset, first, count = Values(unit, Proc("", 0, 0, 0)).face_column(t.Thing(kind.name))
            if kind.root == kind.name:
                rows.append(
                    ColumnRow(
                        kind.name,
                        "showing",
                        "state",
                        offset,
                        first,
                        count,
                        unit.row(t.Enum(Members(game).faces_enum(kind))),
                    )
                )
        for column in kind.columns.values():
            row = _column(unit, column) if column.kind == kind.name else None
            if row is not None:
                rows.append(row)
    return rows


def _column(unit: Unit, column: Column) -> ColumnRow | None:
    kind = unit.game.kinds[column.kind]
    shown = unit.row(t.Bool() if isinstance(column.type, t.Condition) else column.type)
    first, count = max(kind.first, 1), kind.count
    if column.storage == "state":
        offset, first, count = unit.layout.column(column)
        return ColumnRow(kind.name, column.name, "state", offset, first, count, shown, column.seen_by, column.face)
    if column.params or isinstance(column.type, t.Effect | t.Text | t.TableOf):
        return None
    if column.storage == "printed":
        table = printed(unit, column)
        if not table.formula:
            return ColumnRow(
                kind.name,
                column.name,
                "printed",
                table.offset,
                first,
                count,
                shown,
                column.seen_by,
                column.face,
                table.words,
            )
    if unit.words(column.type) != 1 or isinstance(column.type, t.SetOf | t.ListOf):
        return None
    return ColumnRow(
        kind.name,
        column.name,
        "computed",
        formula(unit, column).number,
        first,
        count,
        shown,
        sight.of_formula(unit, column) if column.storage == "computed" else column.seen_by,
        column.face,
    )
