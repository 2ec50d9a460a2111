"""The verifier refuses what is not safe, and says why."""

from __future__ import annotations

import dataclasses

import pytest
from asm import COLUMN, FIRST_TILE, FIRST_ZONE, assemble, image_of
from tiny import TOKENS, tokens

from ludoloom.runtime.errors import ImageError
from ludoloom.runtime.image import ColumnRow, OptionRow, PlaceRow, Program, TypeRow
from ludoloom.runtime.machine import (
    H_FRAMES,
    H_HEAD,
    H_LIMIT,
    H_LOC,
    H_MAIN,
    H_MAPS,
    H_NEXT,
    H_NSEATS,
    H_OPTS,
    H_PLACES,
    H_STACK_MAX,
    H_STATE,
    H_TABLE,
    H_THINGS,
    H_WORDS,
    M_CELL,
    M_FACE,
    M_JOINS,
    M_PLACE,
    M_WIDTH,
    REGISTERS,
)
from ludoloom.runtime.verify import check_image, check_program

CODE: dict[str, tuple[str, str]] = {
    "local outside": ("LDL 4\nPOP", "LDL at 0 in 'main': words 4 to 4 lie outside the frame of 4"),
    "local below": ("LDL -1\nPOP", "outside the frame"),
    "array outside": ("PUSH 0\nLDX 2 3\nPOP", "outside the frame"),
    "set outside": ("SNEW 2 3", "outside the frame"),
    "set by members outside": ("SALL 3 1 31", "outside the frame"),
    "set row outside": ("PUSH 1\nSROW 1 1 =rows 1 900", "do not exist"),
    "column in registers": ("PUSH 1\nLDF 0 1 6\nPOP", "are not the game's"),
    "column in links": (f"PUSH 1\nPUSH 1\nSTF {COLUMN} 1 99", "are not the game's"),
    "word in registers": (f"PUSH 1\nSTS {REGISTERS - 1}", "are not the game's"),
    "word beyond": ("LDS 99999\nPOP", "are not the game's"),
    "constants outside": ("PUSH 1\nLDC 0 1 99999\nPOP", "constants 0 to 99998 do not exist"),
    "table outside": ("PUSH 1\nTAB -1 1 2\nPOP", "do not exist"),
    "jump into an operand": ("JMP 1", "1 is no instruction of the procedure"),
    "jump outside": ("PUSH 1\nJZ 999", "999 is no instruction of the procedure"),
    "switch outside": ("PUSH 1\nSWITCH 0 2", "is no instruction of the procedure"),
    "call of nothing": ("CALL 9", "there is no procedure 9"),
    "settling with results": ("SETTLE &one", "gives results"),
    "stopping with results": ("UNWIND &one", "gives results"),
    "settling with arguments": ("SETTLE &two", "takes arguments"),
    "call of impossible shape": ("PUSH 1\nCALLI 0 999", "no procedure has so many words"),
    "group by two": ("GROUP 2", "a group depth changes by 1"),
    "unknown event": ("EVENT 9 0", "there is no event 9"),
    "event with too few words": ("EVENT 0 0", "the event has 1 words, not 0"),
    "unknown fault": ("FAULT 7", "there is no fault 7"),
    "unknown outcome": ("PUSH 0\nEND 7", "there is no outcome 7"),
    "unknown question": ("PUSH 0\nASK 3", "there is no question 3"),
    "unknown label": ("PUSH 0\nOPTS 0 1 1 7", "there is no label 7"),
    "unknown die": ("ROLL 5 6\nPOP", "there is no die 5"),
    "die with other faces": ("ROLL 0 20\nPOP", "the die has 6 faces, not 20"),
    "unknown step": ("STEP 4", "there is no step 4"),
    "unknown map": ("MENDS 1\nPOP", "there is no growing map 1"),
    "cells outside": ("PUSH 1\nMGAPS 0 4", "outside the frame"),
    "unknown operation on sets": ("SOP 1 2 1 4", "there is no operation on sets 4"),
    "unknown end of a pile": ("PUSH 1\nZTOP 2\nPOP", "there is no end of a pile 2"),
    "word of an option": ("ANS 4\nPOP", "there is no word of an option 4"),
    "members below 0": ("PUSH 1\nSADD 1 -5 3", "members of the set do not exist"),
    "empty stack": ("POP", "POP at 0 in 'main' takes 1 words from a stack of 0"),
    "two depths": ("PUSH 1\nJZ @here\nPUSH 2\nhere:\nPUSH 3\nPOP", "the stack holds"),
    "growing stack": ("again:\nPUSH 1\nJMP @again", "the stack holds"),
    "deep stack": ("PUSH 1\n" * 300 + "POP\n" * 300, "stacks more than 256 words"),
}


@pytest.mark.parametrize("name", sorted(CODE))
def test_unsafe_code_is_refused(name: str) -> None:
    body, reason = CODE[name]
    prog = assemble(
        f"proc main 0 4 0\n{body}\nPUSH 0\nEND 0\nproc one 0 1 1\nPUSH 1\nRET\nproc two 1 1 0\nRET", jumps=""
    )
    problems = check_program(prog)
    assert len(problems) == 1, problems
    assert reason in problems[0]


def test_code_that_runs_on() -> None:
    prog = assemble("proc main 0 1 0\nPUSH 1\nPOP")
    assert check_program(prog) == ["'main' runs on beyond its end at 2"]
    prog = assemble("proc main 0 1 0\nPUSH 1\nPOP\nproc next 0 0 0\nRET")
    assert check_program(prog) == ["'main' runs on beyond its end at 2"]
    prog.code.append(1)
    assert check_program(prog) == ["at 4 the code ends within PUSH"]
    prog.code[-1] = 99
    assert check_program(prog) == ["at 4 there is no opcode 99"]
    prog.code.clear()
    assert check_program(prog) == ["there is no code"]


def test_result_words_must_be_there() -> None:
    prog = assemble("proc main 0 1 0\nPUSH 0\nEND 0\nproc one 0 1 1\nRET")
    assert check_program(prog) == ["RET at 4 in 'one' takes 1 words from a stack of 0"]


HEADERS: dict[str, tuple[int, int, str]] = {
    "state of another size": (H_STATE, 5, "the start state has"),
    "overlapping parts": (H_LOC, REGISTERS, "overlap"),
    "frames in the registers": (H_FRAMES, 0, "overlap"),
    "options outside": (H_OPTS, 1 << 20, "the options lie outside the state"),
    "game's words too many": (H_WORDS, 400, "overlap"),
    "small stack": (H_STACK_MAX, 10, "too small"),
    "no things": (H_THINGS, -1, "not numbered in a row"),
    "places that are none": (H_PLACES, 99, "not numbered in a row"),
    "no seats": (H_NSEATS, 0, "the seats are no movable things"),
    "table that is no place": (H_TABLE, 1, "the table is no place"),
    "limits outside": (H_LIMIT, 9999, "lie outside the constants"),
    "maps outside": (H_MAPS, 9999, "the growing maps lie outside the constants"),
    "no main": (H_MAIN, 9, "the procedure that plays the game is missing"),
}


@pytest.mark.parametrize("name", sorted(HEADERS))
def test_impossible_header_is_refused(name: str) -> None:
    word, value, reason = HEADERS[name]
    prog = assemble(TOKENS)
    prog.consts[word] = value
    assert any(reason in problem for problem in check_program(prog)), check_program(prog)


@pytest.mark.parametrize(
    ("word", "value", "reason"),
    [
        (M_WIDTH, 0, "the grid of map 0 is 0 x 3"),
        (M_PLACE, 1, "map 0 is no place"),
        (M_PLACE, FIRST_TILE, "one of its own tiles"),
        (M_CELL, REGISTERS, "overlap"),
        (M_FACE, 5, "are no words of the game"),
        (M_JOINS, -4, "paths of map 0 lie outside"),
    ],
)
def test_impossible_map_is_refused(word: int, value: int, reason: str) -> None:
    prog = assemble(TOKENS)
    prog.consts[prog.consts[H_MAPS] + word] = value
    assert any(reason in problem for problem in check_program(prog)), check_program(prog)


def lay_badly(prog: Program, kind: str) -> None:
    """Damage the start state's lists of things."""
    c, state = prog.consts, prog.start
    if kind == "no place":
        state[c[H_LOC] + 1] = 2
    elif kind == "not in the list":
        state[c[H_LOC] + 1] = FIRST_ZONE
    elif kind == "circle":
        state[c[H_LOC] + 1] = FIRST_ZONE
        state[c[H_NEXT] + 1] = 1
        state[c[H_HEAD] + FIRST_ZONE - c[H_PLACES]] = 1
    else:
        state[c[H_HEAD]] = 1


@pytest.mark.parametrize("kind", ["no place", "not in the list", "circle", "foreign head"])
def test_start_state_with_broken_lists_is_refused(kind: str) -> None:
    prog = assemble(TOKENS)
    lay_badly(prog, kind)
    problems = check_program(prog)
    assert len(problems) == 1
    assert problems[0].startswith("at the start ")


def test_tables_must_agree() -> None:
    prog = assemble(TOKENS)
    prog.things.pop()
    assert check_program(prog) == ["there are 16 names for 17 things"]
    prog = assemble(TOKENS)
    prog.procs[0] = dataclasses.replace(prog.procs[0], nlocals=2)
    assert "differs between the constants and the names" in check_program(prog)[0]
    prog = assemble(TOKENS)
    number = TypeRow("int")
    prog.columns += [
        ColumnRow("token", "far", "state", 9999, 1, 6, number),
        ColumnRow("token", "away", "printed", 9999, 1, 6, number),
        ColumnRow("token", "none", "computed", 7, 1, 6, number),
        ColumnRow("token", "odd", "written", 7, 1, 6, number),
    ]
    assert [problem.split("'")[1] for problem in check_program(prog)] == [
        "token.far",
        "token.away",
        "token.none",
        "token.odd",
    ]
    prog.consts[0] = 1 << 40
    assert check_program(prog) == ["the constants holds a number beyond 32 bits"]


def test_images_are_checked_as_a_whole() -> None:
    image = tokens()
    check_image(image)
    image.players = (1, 3)
    with pytest.raises(ImageError, match="there are 2 seats for 3 players"):
        check_image(image)
    image = tokens()
    image.options.append(OptionRow("mega", "Mega", ("false", "true"), 0, 3, ("", "")))
    with pytest.raises(ImageError, match="the option 'mega' has no word"):
        check_image(image)
    image = tokens()
    image.programs[0].places.append(PlaceRow(9, 4, 1, 1, False))
    with pytest.raises(ImageError, match="places of the instructions"):
        check_image(image)
    image.programs.clear()
    with pytest.raises(ImageError, match="no program"):
        check_image(image)
    image = image_of(assemble("proc main 0 0 0\nPOP\nPUSH 0\nEND 0"))
    with pytest.raises(ImageError, match="the program 'base' is not safe to run: POP at 0"):
        check_image(image)
