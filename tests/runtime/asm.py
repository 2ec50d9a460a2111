"""A tiny assembler: programs for tests, written by hand.

    prog = assemble('''
    proc main 0 2 0            # name, argument words, frame words, result words
        PUSH 3
        STL 0
    again:
        LDL 0
        JZ @done               # @label
        JMP @again
    done:
        PUSH 0
        END 0
    ''')

An operand is a number, ``@label``, ``&procedure``, or ``=name`` (a named number given to `assemble`: an offset, a
thing).
"""

from __future__ import annotations

from ludoloom.runtime import machine as m
from ludoloom.runtime.image import (
    ColumnRow,
    DieRow,
    Image,
    KindRow,
    OutcomeRow,
    PlaceRow,
    ProcRow,
    Program,
    QuestionRow,
    TextRow,
    ThingRow,
    TypeRow,
    ZoneRow,
)
from ludoloom.runtime.isa import BY_NAME

SEATS = 2
PIECES = 6
TILES = 3
ZONES = 4
WIDTH = 4
HEIGHT = 3
# things: pieces 1..6, seats 7..8, tiles 9..11 (they hold things), then zones 12..15, the map 16, the table 17
FIRST_SEAT = PIECES + 1
FIRST_TILE = FIRST_SEAT + SEATS
FIRST_ZONE = FIRST_TILE + TILES
MAP = FIRST_ZONE + ZONES
TABLE = MAP + 1
MOVABLE = FIRST_ZONE - 1
WORDS = 8
"""Words of the game: S[32..39]; then one column of the pieces."""
COLUMN = m.REGISTERS + WORDS
FRAMES = 24
OPTIONS = 40
STACK = 1024


def layout() -> tuple[list[int], list[int], dict[str, int]]:
    """Constants (header and tables), the start state, and the offsets that programs name."""
    words_end = COLUMN + PIECES + 2 * TILES
    at = words_end
    offsets: dict[str, int] = {"word": m.REGISTERS, "column": COLUMN}

    def part(size: int) -> int:
        nonlocal at
        at += size
        return at - size

    places = TABLE - FIRST_TILE + 1
    head = [0] * m.HEADER
    head[m.H_THINGS] = TABLE
    head[m.H_MOVABLE] = MOVABLE
    head[m.H_PLACES] = FIRST_TILE
    cell = COLUMN + PIECES
    turn = cell + TILES
    for key in (m.H_LOC, m.H_NEXT, m.H_PREV, m.H_GROUP):
        head[key] = part(MOVABLE + 1)
    for key in (m.H_HEAD, m.H_TAIL, m.H_COUNT):
        head[key] = part(places)
    grid = part(WIDTH * HEIGHT)
    # the cells and turns of tiles are the machine's own, not columns
    cell = part(TILES)
    turn = part(TILES)
    head[m.H_FRAMES] = part(FRAMES * m.FRAME_WORDS)
    head[m.H_FRAME_MAX] = FRAMES
    head[m.H_OPTS] = part(OPTIONS * m.OPTION_WORDS)
    head[m.H_OPT_MAX] = OPTIONS
    head[m.H_STACK] = part(STACK)
    head[m.H_STACK_MAX] = STACK
    head[m.H_STATE] = at
    head[m.H_WORDS] = words_end
    head[m.H_SEATS] = FIRST_SEAT
    head[m.H_NSEATS] = SEATS
    head[m.H_TABLE] = TABLE
    consts = head
    consts[m.H_LIMIT] = len(consts)
    consts += [0, 0, 0, 0, 0, 2, 0, 0, 0]  # zone 3 holds two
    consts[m.H_OUT] = len(consts)
    consts += [0, 0, 0, 0, 0, 0, 1, 0, 0]  # zone 4 is out of play
    joins = len(consts)
    # tile 1: all sides; tile 2: north and south, its back none; tile 3: east only, back west only
    consts += [15, 15, 5, 0, 2, 8]
    consts[m.H_MAPS] = len(consts)
    consts[m.H_NMAPS] = 1
    row = [0] * m.MAP_WORDS
    row[m.M_PLACE] = MAP
    row[m.M_GRID] = grid
    row[m.M_WIDTH] = WIDTH
    row[m.M_HEIGHT] = HEIGHT
    row[m.M_FIRST] = FIRST_TILE
    row[m.M_TILES] = TILES
    row[m.M_CELL] = cell
    row[m.M_TURN] = turn
    row[m.M_FACE] = COLUMN + PIECES
    row[m.M_JOINS] = joins
    row[m.M_FACES] = 2
    consts += row
    offsets["table"] = len(consts)
    consts += [10, 20, 30, 40, 50, 60]  # one printed column of the pieces
    offsets["rows"] = len(consts)
    consts += [0b11, 0b1010, 0b111111, 0, 1, 2]  # set rows of the pieces
    return consts, [0] * at, offsets


def assemble(text: str, jumps: str = "", **names: int) -> Program:
    """The program of a text. `jumps` names labels of a jump table, which ``=jumps`` is the offset of."""
    consts, state, offsets = layout()
    jump_labels = jumps.split()
    offsets["jumps"] = len(consts)
    consts += [0] * len(jump_labels)
    offsets.update(names)
    code: list[int] = []
    labels: dict[str, int] = {}
    procs: list[ProcRow] = []
    holes: list[tuple[int, str]] = []
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] == "proc":
            nargs, nlocals, nret = (int(word) for word in words[2:])
            procs.append(ProcRow(words[1], len(code), nargs, nlocals, nret))
        elif words[0].endswith(":"):
            labels[words[0][:-1]] = len(code)
        else:
            op = BY_NAME[words[0]]
            assert len(words) - 1 == len(op.operands), line
            code.append(op.code)
            for word in words[1:]:
                if word[0] in "@&":
                    holes.append((len(code), word))
                    code.append(0)
                elif word[0] == "=":
                    code.append(offsets[word[1:]])
                else:
                    code.append(int(word))
    index = {proc.name: number for number, proc in enumerate(procs)}
    for at, word in holes:
        code[at] = labels[word[1:]] if word[0] == "@" else index[word[1:]]
    for number, label in enumerate(jump_labels):
        consts[offsets["jumps"] + number] = labels[label]
    consts[m.H_PROCS] = len(consts)
    consts[m.H_NPROCS] = len(procs)
    consts[m.H_MAIN] = index["main"]
    for proc in procs:
        consts += [proc.entry, proc.nargs, proc.nlocals, proc.nret]
    return Program((), code, consts, state, procs, *tables())


def tables() -> tuple[
    list[ThingRow],
    list[KindRow],
    list[ColumnRow],
    list[ZoneRow],
    list[DieRow],
    list[TextRow],
    list[QuestionRow],
    list[TextRow],
    list[str],
    list[str],
    list[OutcomeRow],
    list[PlaceRow],
    dict[str, list[str]],
]:
    """The names that go with the layout."""
    things = [ThingRow(f"token_{k}", "token", "token", f"Token {k}") for k in range(1, PIECES + 1)]
    things += [ThingRow(f"player_{k}", "player", f"player_{k}", f"Player {k}") for k in range(1, SEATS + 1)]
    things += [ThingRow(f"tile_{k}", "tile", f"tile_{k}", f"Tile {k}") for k in range(1, TILES + 1)]
    things += [ThingRow("deck", "", "", ""), ThingRow("hand", "", "", "", owner=FIRST_SEAT)]
    things += [ThingRow("pair", "", "", ""), ThingRow("box", "", "", "")]
    things += [ThingRow("land", "board", "land", "Land"), ThingRow("table", "", "", "")]
    kinds = [
        KindRow("token", "tokens", "piece", 1, PIECES),
        KindRow("player", "players", "player", FIRST_SEAT, SEATS),
        KindRow("tile", "tiles", "tile", FIRST_TILE, TILES, ("front", "back")),
        KindRow("board", "boards", "map", MAP, 1),
    ]
    number = TypeRow("int")
    columns = [ColumnRow("", f"w{k}", "state", m.REGISTERS + k, 0, 1, number) for k in range(WORDS)]
    columns.append(ColumnRow("token", "value", "state", COLUMN, 1, PIECES, number))
    zones = [
        ZoneRow("deck", FIRST_ZONE, 0, "pile", "nobody", "everyone"),
        ZoneRow("hand", FIRST_ZONE + 1, FIRST_SEAT, "none", "owner", "everyone"),
        ZoneRow("pair", FIRST_ZONE + 2, 0, "row", "everyone", "everyone"),
        ZoneRow("box", FIRST_ZONE + 3, 0, "none", "everyone", "everyone"),
    ]
    dice = [DieRow("d6", ("1", "2", "3", "4", "5", "6")), DieRow("disc", ("flat",))]
    labels = [TextRow("", "{a}", ("a",), (TypeRow("thing", "token"),)), TextRow("stop", "stop")]
    questions = [QuestionRow("pick", "token", "Which token?", TypeRow("thing", "token"))]
    events = [TextRow("found", "found {a}", ("a",), (TypeRow("thing", "token"),)), TextRow("done", "done")]
    places = [PlaceRow(0, 0, 1, 1, True)]
    return (
        things,
        kinds,
        columns,
        zones,
        dice,
        labels,
        questions,
        events,
        ["the promise is broken"],
        ["turn.play", "turn.rest"],
        [OutcomeRow("won", "somebody wins"), OutcomeRow("drawn", "nobody wins")],
        places,
        {"colour": ["red", "blue"]},
    )


def image_of(program: Program) -> Image:
    """An image that holds only this program."""
    return Image("demo", "Demo", [("demo", "1.0.0")], (1, SEATS), [], ["game.yaml"], [program])
