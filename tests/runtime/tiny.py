"""Two tiny hand-assembled games for the tests of the public interface."""

from __future__ import annotations

from asm import FIRST_SEAT, FIRST_ZONE, assemble, image_of

from ludoloom.runtime.image import Image

DECK = FIRST_ZONE
HAND = FIRST_ZONE + 1
PAIR = FIRST_ZONE + 2

# Six tokens in a shuffled deck. A turn: draw one into the hand of player 1, roll, then choose a token of the hand to
# take out of the game, or stop. It ends when the deck is empty. Word 0 counts the turns; a token's value is the roll
# it was drawn with.
TOKENS = f"""
proc main 0 4 0
    STEP 0
    PUSH 0
    STL 0
fill:
    LDL 0
    PUSH 1
    ADD
    DUP
    STL 0
    PUSH {DECK}
    MOVE 0
    LDL 0
    PUSH 6
    LT
    JNZ @fill
    PUSH {DECK}
    SHUF
turn:
    STEP 1
    LDS =word
    PUSH 1
    ADD
    STS =word
    PUSH {DECK}
    DRAW
    DUP
    STL 0
    JZ @done
    LDL 0
    PUSH {HAND}
    MOVE 0
    LDL 0
    EVENT 0 1
    ROLL 0 6
    LDL 0
    STF =column 1 6
    PUSH {HAND}
    SAT 1 1 6
    SCNT 1 1
    PUSH 2
    LT
    JNZ @few
    PUSH {FIRST_SEAT}
    OPTS 1 1 1 0
few:
    PUSH {FIRST_SEAT}
    PUSH 1
    PUSH 0
    PUSH 0
    OPT
    PUSH {FIRST_SEAT}
    ASK 0
    ANS 1
    JNZ @turn
    ANS 2
    PUSH 0
    MOVE 0
    JMP @turn
done:
    PUSH 1
    END 0
proc twice 1 1 1
    LDL 0
    LDF =column 1 6
    PUSH 2
    MUL
    RET
"""


def tokens() -> Image:
    """The image of the token game."""
    return image_of(assemble(TOKENS))


TURNS = """
proc main 0 0 0
    CALL &turns
    PUSH 1
    END 0
proc turns 0 2 0
    PUSH 6
    STL 0
again:
    PUSH 7
    PUSH 1
    PUSH 9
    PUSH 0
    OPT
    PUSH 7
    PUSH 1
    PUSH 40
    PUSH 0
    OPT
    PUSH 7
    ASK 0
    ANS 2
    CALL &half
    STS 32
    LDL 0
    PUSH 1
    SUB
    DUP
    STL 0
    JNZ @again
    RET
proc half 1 2 1
more:
    LDL 0
    LDL 1
    LE
    JNZ @out
    LDL 0
    PUSH 1
    SUB
    STL 0
    LDL 1
    PUSH 1
    ADD
    STL 1
    JMP @more
out:
    LDL 1
    RET
"""
"""Six questions to one player, and some work after each, in procedures of their own."""
