"""What stands in the declared game: numbers, names, links, parts, owners, formulas."""

from __future__ import annotations

from collections.abc import Callable

from ludoloom.compiler.analysis.model import Game
from ludoloom.compiler.analysis.types import Effect, Enum, Int, ItemOf, ListOf, SetOf, TableOf, Thing, Type
from ludoloom.compiler.frontend.nodes import Node, plain

GameOf = Callable[[str], Game]

BOARD = """
enums: {ground: [moor, hill]}
kinds:
  isle: {family: map, spaces: land, fields: {wind: int}}
  land: {family: space, plural: lands, fields: {ground: ground, wet: {is: bool, default: false}}}
"""


def types(game: Game, kind: str) -> dict[str, Type]:
    return {name: column.type for name, column in game.kinds[kind].columns.items()}


def bare(node: Node | None) -> object:
    return None if node is None else plain(node)


def test_types_and_bounds(game: GameOf) -> None:
    done = game("""
enums: {element: [fire, ice]}
kinds:
  isle: {family: map}
  need: {family: part, fields: {element: element}}
  token:
    family: piece
    fields:
      cost: int
      element: element or none
      twin: item of token or none
      needs: list of need
      by_element: table of element to need
      friends: set of token
      home: isle
      strong: {is: effect, with: {target: token or none, much: {is: int, default: 1}}}
      size: 2 to size_max
      size_max: 5+
""")
    assert types(done, "token") == {
        "cost": Int(),
        "element": Enum("element", missing=True),
        "twin": ItemOf("token", missing=True),
        "needs": ListOf(Thing("need")),
        "by_element": TableOf(Enum("element"), Thing("need")),
        "friends": SetOf(Thing("token")),
        "home": Thing("isle"),
        "strong": Effect((("target", Thing("token", missing=True)), ("much", Int()))),
        "size": Int(),
        "size_max": Int(),
    }
    size, most = done.kinds["token"].columns["size"], done.kinds["token"].columns["size_max"]
    assert (size.bounded, bare(size.low), bare(size.high)) == (True, 2, "size_max")
    assert (most.bounded, bare(most.low), most.high) == (True, 5, None)
    assert size.high is not None
    assert (size.high.span.line, size.high.span.column) == (18, 18)


def test_things_stand_in_rows(game: GameOf) -> None:
    done = game("""
kinds:
  spot: {family: space, plural: spots}
  foe: {family: piece, plural: foes, zones: {bag: {holds: foe}, belt: {holds: foe}}}
  tile: {family: tile}
  boss: {is_a: foe, zones: {crown: {holds: foe}}}
  friend: {family: piece}
  record: {family: part}
spaces: {corner: {kind: spot, origin: original}}
tiles: {hall: {kind: tile, origin: original}}
pieces:
  king: {kind: boss, origin: original}
  ally: {kind: friend, origin: original}
  cat: {kind: foe, origin: original, copies: 2}
zones: {deck: {holds: foe}}
""")
    assert [thing.name for thing in done.things] == [
        "cat_1", "cat_2", "king", "ally", "player_1", "player_2",
        "hall",
        "corner", "table", "deck",
        "cat_1.bag", "cat_2.bag", "king.bag", "cat_1.belt", "cat_2.belt", "king.belt", "king.crown",
    ]  # fmt: skip
    assert [thing.number for thing in done.things] == list(range(1, 18))
    assert (done.movable, done.first_place) == (7, 7)
    assert (done.kinds["foe"].first, done.kinds["foe"].count) == (1, 3)
    assert (done.kinds["boss"].first, done.kinds["boss"].count) == (3, 1)
    assert (done.kinds["record"].first, done.kinds["record"].count) == (7, 0)
    assert done.kinds["boss"].zones["bag"] is done.kinds["foe"].zones["bag"]
    assert done.kinds["foe"].zones["bag"].first == done.names["cat_1.bag"]
    assert done.things[done.names["king.bag"] - 1].owner == done.names["king"]
    assert done.items["cat"].things == [1, 2]
    assert all(done.names[thing.name] == thing.number for thing in done.things)


def test_drawn_map(game: GameOf) -> None:
    done = game(
        BOARD
        + """
maps:
  home:
    {kind: isle, origin: original, wind: 3, legend: {m: moor, h: hill}, drawing: ["m h", "h m"], at: {b2: {wet: true}}}
"""
    )
    board = done.maps["home"]
    assert board.space_ids == ["home.a1", "home.b1", "home.a2", "home.b2"]
    first = done.names["home.a1"]
    assert board.spaces == [first, first + 1, first + 2, first + 3]
    assert board.links == {
        first: [first + 1, first + 2],
        first + 1: [first + 3, first],
        first + 2: [first, first + 3],
        first + 3: [first + 1, first + 2],
    }
    assert bare(done.items["home.b1"].cells["ground"]) == "hill"
    assert bare(done.items["home.b2"].cells["wet"]) is True
    assert bare(done.items["home"].cells["wind"]) == 3
    assert done.things[board.thing - 1].name == "home"


def test_corners_hexes_and_no_links(game: GameOf) -> None:
    done = game(
        BOARD
        + """
maps:
  a: {kind: isle, origin: original, wind: 0, links: diagonal_too, legend: {m: moor}, drawing: [mmm, mmm, mmm]}
  b: {kind: isle, origin: original, wind: 0, links: hex, legend: {m: moor}, drawing: ["m m m", " m m m", "m m m"]}
  c: {kind: isle, origin: original, wind: 0, links: none, legend: {m: moor, x: none}, drawing: ["m x", "x m"]}
"""
    )

    def linked(board: str, cell: str) -> list[str]:
        names = [done.things[number - 1].name for number in done.maps[board].links[done.names[f"{board}.{cell}"]]]
        return sorted(name.removeprefix(f"{board}.") for name in names)

    assert linked("a", "b2") == ["a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3"]
    assert linked("a", "a1") == ["a2", "b1", "b2"]
    # the second row of hexes stands half a cell to the right
    assert linked("b", "b2") == ["a2", "b1", "b3", "c1", "c2", "c3"]
    assert linked("b", "b1") == ["a1", "a2", "b2", "c1"]
    assert done.maps["c"].space_ids == ["c.a1", "c.b2"]
    assert linked("c", "a1") == []


def test_letters_may_stand_for_kinds_and_for_several_cells(game: GameOf) -> None:
    done = game("""
enums: {ground: [moor, hill]}
kinds:
  isle: {family: map, spaces: land}
  land: {family: space, plural: lands, fields: {ground: ground or none, height: {is: int, default: 0}}}
  gate: {is_a: land}
maps:
  home: {kind: isle, origin: original, legend: {m: {ground: moor, height: 2}, g: gate}, drawing: [mg]}
""")
    assert {name: bare(cell) for name, cell in done.items["home.a1"].cells.items()} == {"ground": "moor", "height": 2}
    assert done.items["home.b1"].kind == "gate"
    assert (done.kinds["land"].count, done.kinds["gate"].count) == (2, 1)


def test_listed_map_with_a_way_back_missing_on_purpose(game: GameOf) -> None:
    done = game("""
kinds: {town: {family: map, spaces: house}, house: {family: space}}
maps:
  old: {kind: town, origin: original, spaces: {a: {links: [b]}, b: {links: [a, c], one_way: [c]}, c: {links: []}}}
""")
    first = done.names["old.a"]
    assert done.maps["old"].links == {first: [first + 1], first + 1: [first, first + 2], first + 2: []}


def test_growing_map(game: GameOf) -> None:
    done = game("""
kinds: {cave: {family: map}, hall: {family: tile, fields: {paths: int}}}
tiles: {start: {kind: hall, origin: original, paths: 3}}
maps:
  deep: {kind: cave, origin: original, grows_with: hall, grid: 5 x 4, joins: paths, turns: quarter, first: {start: c2}}
""")
    deep = done.maps["deep"]
    assert (deep.width, deep.height, deep.turns, deep.joins, deep.first) == (5, 4, 4, "paths", ("start", 8))


def test_doors(game: GameOf) -> None:
    done = game(
        BOARD
        + """
maps:
  home: {kind: isle, origin: original, wind: 0, legend: {m: moor}, drawing: [m], at: {a1: {leads_to: den}}}
  den: {kind: isle, origin: original, wind: 0, legend: {m: moor}, drawing: [m]}
"""
    )
    assert done.maps["home"].leads_to == {done.names["home.a1"]: "den"}
    assert "leads_to" not in done.items["home.a1"].cells


def test_parts_become_items(game: GameOf) -> None:
    done = game("""
enums: {hit: [near, far]}
kinds:
  blow: {family: part, fields: {power: int}}
  strike: {family: part, fields: {blows: list of blow}}
  foe: {family: piece, fields: {first: blow, more: list of strike, by_hit: table of hit to blow}}
pieces:
  cat:
    kind: foe
    origin: original
    first: {power: 1}
    more: [{blows: [{power: 2}, {power: 3}]}, {blows: []}]
    by_hit: {near: {power: 4}, far: {power: 5}}
""")
    cat = done.items["cat"]
    assert cat.part_ids == {
        "first": ["cat.first"],
        "more": ["cat.more.1", "cat.more.2"],
        "by_hit": ["cat.by_hit.near", "cat.by_hit.far"],
    }
    assert cat.parts["more"] == [done.names["cat.more.1"], done.names["cat.more.2"]]
    assert done.items["cat.more.1"].part_ids["blows"] == ["cat.more.1.blows.1", "cat.more.1.blows.2"]
    assert bare(done.items["cat.more.1.blows.2"].cells["power"]) == 3
    assert done.kinds["blow"].count == 5


def test_owner_is_printed_if_it_is_written(game: GameOf) -> None:
    done = game("""
kinds:
  side: {family: player, plural: sides}
  man: {family: piece, owner: side}
  card_: {family: card, owner: side}
  chip: {family: piece, owner: side}
players: {white: {kind: side, origin: original}, black: {kind: side, origin: original}}
pieces:
  pawn: {kind: man, origin: original, owner: white}
  rook: {kind: man, origin: original, owner: black}
  red: {kind: chip, origin: original, owner: white}
  blue: {kind: chip, origin: original}
cards: {ace: {kind: card_, origin: original}}
""")
    owners = {name: (kind.owner_storage, kind.columns["owner"].type) for name, kind in done.kinds.items() if kind.owner}
    assert owners == {
        "man": ("printed", Thing("side")),
        "chip": ("printed", Thing("side", missing=True)),
        "card_": ("state", Thing("side", missing=True)),
    }


def test_formula_columns(game: GameOf) -> None:
    done = game("""
kinds:
  foe:
    family: piece
    plural: foes
    fields: {plain: int, rows: int, words: int, asked: {is: int, with: {target: foe}}, span: range, twin: foe or none}
pieces:
  cat:
    {kind: foe, origin: original, plain: 3, rows: {depends_on: health, rows: {0: 1, 1+: 2}}, words: plain + 1, asked: 3,
     span: 0 to 2, twin: dog}
  dog: {kind: foe, origin: original, plain: 3, rows: 2, words: 1, asked: target.plain, span: 5+, twin: none}
""")
    columns = done.kinds["foe"].columns
    assert {name for name, column in columns.items() if column.is_formula} == {"rows", "words", "asked"}


def test_faces_dice_tracks_options(game: GameOf) -> None:
    done = game("""
enums: {role: [spy, guard]}
options: {level: {one_of: [easy, hard], start: hard, name: Level}, long: {is: bool, name: Long}}
kinds: {courtier: {family: piece, faces: [back, front], fields: {front: {role: role}}}}
pieces: {ann: {kind: courtier, origin: original, text: {front: "A spy."}, front: {role: spy}}}
tracks: {days: {origin: original, shape: loop, spaces: 0 to 9, start: noon, marks: {noon: {at: 4, reached: [rest]}}}}
dice:
  d6: {origin: original, faces: 1 to 6}
  coin: {origin: original, faces: [{side: heads, times: 2, worth: 3}, {side: tails, worth: 0}]}
  who: {origin: original, faces: [{role: guard}, {role: spy}]}
""")
    assert done.kinds["courtier"].columns["front.role"].face == "front"
    assert bare(done.items["ann"].cells["front.role"]) == "spy"
    assert bare(done.items["ann"].text["front"]) == "A spy."
    days = done.tracks["days"]
    assert (days.shape, days.low, days.high, bare(days.start)) == ("loop", 0, 9, 4)
    assert done.dice["d6"].faces[5] == {"face": 6}
    coin = done.dice["coin"]
    assert coin.columns == {"side": Enum("coin.side"), "worth": Int()}
    assert coin.faces == [{"side": 1, "worth": 3}, {"side": 1, "worth": 3}, {"side": 2, "worth": 0}]
    assert done.enums["coin.side"] == ["heads", "tails"]
    assert done.dice["who"].columns == {"role": Enum("role")}
    assert done.dice["who"].faces == [{"role": 2}, {"role": 1}]
    assert done.options["level"].values == ("easy", "hard")
    assert (done.options["level"].start, done.options["long"].start) == (1, 0)
    assert done.enums["options.level"] == ["easy", "hard"]


def test_where_things_start(game: GameOf) -> None:
    done = game("""
kinds:
  side: {family: player, plural: sides, zones: {hand: {holds: card_}}}
  card_: {family: card, owner: side, starts_in: owner.hand}
players: {white: {kind: side, origin: original}, black: {kind: side, origin: original}}
zones: {deck: {holds: card_}}
cards:
  ace: {kind: card_, origin: original, owner: black, copies: 2}
  two: {kind: card_, origin: original, owner: white, starts_in: deck}
""")
    starts = {thing.name: done.things[thing.starts - 1].name for thing in done.things if thing.starts}
    assert starts == {"ace_1": "black.hand", "ace_2": "black.hand", "two": "deck"}
