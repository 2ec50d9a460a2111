"""A state by names: what can be read, what can be set, what is told when it cannot."""

from __future__ import annotations

from typing import Any

import pytest
from asm import FIRST_TILE, assemble, image_of
from tiny import tokens

from ludoloom.runtime.errors import GameError, nearest
from ludoloom.runtime.game import Game
from ludoloom.runtime.image import ColumnRow, Program, TypeRow
from ludoloom.runtime.isa import NIL
from ludoloom.runtime.machine import REGISTERS
from ludoloom.runtime.named import paths, read, write
from ludoloom.runtime.names import Names, column_letters, letters_column, names_of
from ludoloom.runtime.state import begin
from ludoloom.runtime.verify import check_places


def typed() -> tuple[Program, list[int]]:
    """A program with a word of each type, and a state."""
    prog = tokens().programs[0]
    types = [("open", "bool", ""), ("colour", "enum", "colour"), ("first", "thing", "token"), ("all", "set", "token")]
    types += [("reach", "range", ""), ("spot", "cell", "land"), ("far", "int", "")]
    for k, (name, tag, of) in enumerate(types):
        prog.columns[k] = ColumnRow("", name, "state", REGISTERS + k, 0, 1, TypeRow(tag, of))
    prog.columns.append(ColumnRow("token", "price", "printed", prog.consts[-1] * 0 + 10, 1, 6, TypeRow("int")))
    prog.columns.append(ColumnRow("token", "twice", "computed", 1, 1, 6, TypeRow("int")))
    return prog, begin(prog, 2, 1, False, False)


@pytest.mark.parametrize(
    ("path", "value", "word"),
    [
        ("open", True, 1),
        ("open", False, 0),
        ("colour", "blue", 2),
        ("colour", None, 0),
        ("first", "token_3", 3),
        ("first", None, 0),
        ("all", ["token_1", "token_3"], 0b101),
        ("all", [], 0),
        ("reach", "0 to 2", (2 + 16384) << 15 | 16384),
        ("reach", "5+", 32767 << 15 | 16389),
        ("reach", "3", (3 + 16384) << 15 | 16387),
        ("spot", "b2", 6),
        ("far", 12, 12),
        ("far", -3, -3),
        ("far", None, NIL),
    ],
)
def test_values_of_every_type(path: str, value: Any, word: int) -> None:
    prog, state = typed()
    write(prog, state, path, value)
    assert state[REGISTERS + [row.name for row in prog.columns].index(path)] == word
    assert read(prog, state, path) == value


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("open", "maybe", "'maybe' is neither true nor false"),
        ("colour", "bleu", "no colour called 'bleu'; did you mean 'blue'"),
        ("first", "token_9", "no token called 'token_9'; did you mean"),
        ("first", "player_1", "'player_1' is a player, but a token stands here"),
        ("reach", "0 to 16383", "beyond what a range holds"),
        ("reach", "2 to 0", "ends before it begins"),
        ("reach", "near", "is no range; write '0 to 2', '5\\+' or a number"),
        ("spot", "z9", "the map 'land' has no cell 'z9'; its cells are a1 to d3"),
        ("far", "much", "'much' is no number"),
        ("far", True, "True is no number"),
        ("far", 1 << 40, "leaves the 32-bit range"),
        ("nowhere", 1, "no thing or word of the game called 'nowhere'"),
        ("opne", 1, "did you mean 'open'"),
        ("token_1.valeu", 1, "'token_1' has no 'valeu': there is no column called 'valeu'; did you mean 'value'"),
        ("token_1.value.more", 1, "one word too many"),
        ("token_1.price", 1, "'price' is printed and cannot be set"),
        ("token_1.twice", 1, "'twice' is a formula and cannot be set"),
        ("token_1", "token_2", "'token_2' is no place where something can lie"),
        ("token_1", "dekc", "did you mean 'deck'"),
        ("token_1.tile", "deck", "'deck' is a zone, but a tile stands here"),
        ("land", ["token_1", "token_1"], "names a thing twice"),
        ("deck", ["hand"], "'hand' cannot be moved"),
        ("deck.count", 3, "follows from what lies where"),
        ("pair", ["token_1", "token_2", "token_3"], "'pair' cannot hold that: a zone is full"),
        ("land.x", "deck", "'land' has no 'x'"),
        ("tile_1", "land.z9", "has no cell 'z9'"),
    ],
)
def test_what_cannot_be_set(path: str, value: Any, sentence: str) -> None:
    prog, state = typed()
    with pytest.raises(GameError, match=sentence):
        write(prog, state, path, value)
    assert check_places(prog, state) == []


def test_columns_and_formulas() -> None:
    prog, state = typed()
    write(prog, state, "token_4.value", 21)
    assert read(prog, state, "token_4.value") == 21
    assert read(prog, state, "token_4.twice") == 42
    assert isinstance(read(prog, state, "token_4.price"), int)
    with pytest.raises(GameError, match="no column called 'worth'"):
        read(prog, state, "token_4.worth")


def test_things_and_places() -> None:
    prog, state = typed()
    assert read(prog, state, "token_1") is None
    write(prog, state, "deck", ["token_3", "token_1", "token_2"])
    assert read(prog, state, "deck") == ["token_3", "token_1", "token_2"]
    assert (read(prog, state, "deck.count"), read(prog, state, "deck.top")) == (3, "token_3")
    assert read(prog, state, "deck.bottom") == "token_2"
    assert read(prog, state, "token_1") == read(prog, state, "token_1.at") == "deck"
    # A pile keeps what lies beneath; other places hold exactly what is written.
    write(prog, state, "deck", ["token_2", "token_6"])
    assert read(prog, state, "deck") == ["token_2", "token_6", "token_3", "token_1"]
    write(prog, state, "pair", ["token_1"])
    write(prog, state, "pair", ["token_4", "token_5"])
    assert read(prog, state, "pair") == ["token_4", "token_5"]
    assert read(prog, state, "token_1") is None
    write(prog, state, "deck", [])
    assert read(prog, state, "deck.count") == 0
    assert read(prog, state, "deck.top") is None
    write(prog, state, "token_1", "tile_2")
    assert read(prog, state, "token_1.tile") == "tile_2"
    assert read(prog, state, "tile_2.tokens") == ["token_1"]
    assert read(prog, state, "tile_2.count") == 1
    write(prog, state, "token_1.tile", "none")
    assert read(prog, state, "token_1.tile") is None
    assert check_places(prog, state) == []


def test_unknown_order_is_not_told() -> None:
    game = Game.new(tokens(), asked=True)
    assert read(game.program, game.state, "deck") == [f"token_{k}" for k in range(1, 7)]
    assert read(game.program, game.state, "deck.top") is None
    write(game.program, game.state, "deck", ["token_5"])
    assert read(game.program, game.state, "deck.top") == "token_5"


def test_tiles_on_the_grid() -> None:
    prog, state = typed()
    write(prog, state, "tile_1", "land.b2")
    write(prog, state, "tile_1.turn", 3)
    assert read(prog, state, "tile_1") == "land.b2"
    assert read(prog, state, "tile_1.turn") == 3
    write(prog, state, "tile_1", "c1")
    assert (read(prog, state, "tile_1"), read(prog, state, "land")) == ("land.c1", ["tile_1"])
    with pytest.raises(GameError, match=r"'tile_2' cannot lie at 'land\.c1': a tile was laid where none can lie"):
        write(prog, state, "tile_2", "land.c1")
    write(prog, state, "tile_1", "deck")
    assert read(prog, state, "tile_1") == "deck"
    assert check_places(prog, state) == []


def test_all_paths_can_be_read_and_set() -> None:
    prog, state = typed()
    for path in paths(prog):
        before = list(state)
        write(prog, state, path, read(prog, state, path))
        assert state == before, path


def test_step_is_a_word() -> None:
    game = Game.new(tokens(), until="turn.rest")
    assert read(game.program, game.state, "step") == "turn.rest"


def test_names_of_columns_of_a_sheet() -> None:
    assert [column_letters(k) for k in (0, 25, 26, 51, 52, 701, 702)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]
    assert all(letters_column(column_letters(k)) == k for k in range(2000))


def test_nearest_names() -> None:
    names = ["burning_hands", "harpy_1", "harpy_2", "deck"]
    assert nearest("harpy1", names) == ["harpy_1", "harpy_2"]
    assert nearest("dekc", names) == ["deck"]
    assert nearest("burning_hadns", names) == ["burning_hands"]
    assert nearest("xyzzy", names) == []
    assert nearest("x" * 10_000, names) == []


def test_sets_of_everything() -> None:
    prog, _ = typed()
    names = names_of(prog)
    colours, both, cells = TypeRow("set", "colour"), TypeRow("set", "token|tile"), TypeRow("set", "land")
    assert names.value(colours, [0b10]) == ["blue"]
    assert names.words(both, ["token_1", "tile_3"]) == [1 | 1 << 10]
    assert names.value(both, [1 | 1 << 10]) == ["token_1", "tile_3"]
    assert names.show(cells, names.words(cells, ["d3", "a1"])) == "a1, d3"
    assert names.title(both, [0b11]) == "Token 1, Token 2"
    with pytest.raises(GameError, match="there is no colour called 'bleu'; did you mean 'blue'"):
        names.words(colours, ["bleu"])


def test_dictionaries_are_made_once() -> None:
    prog = assemble("proc main 0 0 0\nPUSH 0\nEND 0")
    assert names_of(prog) is names_of(prog)
    assert isinstance(names_of(prog), Names)
    assert names_of(image_of(prog).programs[0]).thing(FIRST_TILE) == "tile_1"
