"""A listing is read by people: names beside numbers, the YAML line above its instructions."""

from __future__ import annotations

import pytest
from asm import assemble, image_of

from ludoloom.runtime.errors import GameError
from ludoloom.runtime.image import PlaceRow
from ludoloom.runtime.listing import listing

SOURCE = """
proc main 0 4 0
    STEP 0
again:
    PUSH 1
    LDF =column 1 6
    STS =word
    SALL 1 1 6
    PUSH 7
    OPTS 1 1 1 0
    PUSH 7
    ASK 0
    PUSH 5
    CALL &twice
    POP
    ANS 2
    EVENT 0 1
    PUSH -2147483648
    JZ @again
    PUSH 1
    END 0
proc twice 1 1 1
    LDL 0
    DUP
    ADD
    RET
"""

EXPECTED = """\
main: 0 in, 4 in the frame, 0 out
  game.yaml:2:3  turns: {of: players}
       0  STEP 0                     ; turn.play
L2:
  game.yaml:3:5  {set: {what: pot, to: token_1.value}}
       2  PUSH 1
       4  LDF 46 1 6                 ; token.value
       8  STS 32                     ; w0
      10  SALL 1 1 6                 ; tokens
      14  PUSH 7
      16  OPTS 1 1 1 0               ; the value
      21  PUSH 7
      23  ASK 0                      ; pick.token "Which token?"
      25  PUSH 5
      27  CALL 1                     ; twice
      29  POP
      30  ANS 2                      ; a
      32  EVENT 0 1                  ; found "found {a}"
      35  PUSH NIL
      37  JZ L2
      39  PUSH 1
      41  END 0                      ; won

twice: 1 in, 1 in the frame, 1 out
      43  LDL 0
      45  DUP
      46  ADD
      47  RET
"""


def test_whole_program() -> None:
    prog = assemble(SOURCE)
    prog.places[:] = [PlaceRow(0, 0, 2, 3, False), PlaceRow(2, 0, 3, 5, True)]
    image = image_of(prog)
    lines = ["phases:", "  turns: {of: players}", "    {set: {what: pot, to: token_1.value}}"]
    offset = str(prog.columns[-1].offset)
    assert listing(image, prog, lines=lambda _file: lines) == EXPECTED.replace("LDF 46", f"LDF {offset}")


def test_one_procedure() -> None:
    prog = assemble(SOURCE)
    assert listing(image_of(prog), prog, "twice").startswith("twice: 1 in")
    with pytest.raises(GameError, match="there is no procedure called 'twcie'; did you mean 'twice'"):
        listing(image_of(prog), prog, "twcie")


def test_lines_of_a_file_that_changed() -> None:
    prog = assemble(SOURCE)
    prog.places[:] = [PlaceRow(0, 0, 99, 3, False)]
    assert "game.yaml:99:3\n" in listing(image_of(prog), prog, lines=lambda _file: ["short"])
