"""Tabletop Simulator: sheets of faces and the saved object that loads them.

    decks(printables, target)        [Deck("spells", grid, printables, "spells.png", "spells-back.png"), …]
    saved_object(decks, url, title)  the JSON: put it into the game's folder of saved objects

A sheet has at most 10 × 7 cells and its last cell is what a hidden hand shows, so 69 faces fit. Cells are whole pixels
and fill the sheet exactly: else the neighbour's edge shows as a hairline. The grid is the one that gives the largest
cells within 4096 pixels. A card's number is 100 times that of its sheet plus its cell; copies repeat the number, the
picture is there once. What is no card (boards, hexagons, tiles) is a tile with a picture of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ludoloom.compiler.sheets.duplex import Rect
from ludoloom.compiler.sheets.model import Face, Printable, Size
from ludoloom.compiler.sheets.pages import Page, Placed
from ludoloom.compiler.sheets.place import portable
from ludoloom.compiler.sheets.targets import Target

COLUMNS: Final = 10
ROWS: Final = 7
LARGEST_CARD: Final = 160.0
"""What is longer, in millimetres, lies on the table as a board."""
_SHARPEST: Final = 300.0
PIXEL: Final = 0.1
"""Millimetres of the page that become one pixel."""
PPI: Final = 25.4 / PIXEL


@dataclass(frozen=True, slots=True)
class Cells:
    """How a sheet is divided: columns, rows, and a cell's pixels."""

    columns: int
    rows: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards of one sheet. `back` is empty if each card has a back of its own: then `backs` is a sheet too. A tile is a
    deck of one thing without cells."""

    name: str
    cells: Cells
    cards: tuple[Printable, ...]
    face_file: str
    back_file: str
    own_backs: bool = False
    tile: bool = False


def cells_for(count: int, size: Size, most: int) -> Cells:
    """The division of a sheet for `count` faces and the hidden one, with the largest cells.

    >>> cells_for(69, Size(63, 88), 4096)
    Cells(columns=10, rows=7, width=409, height=571)
    """
    best: Cells | None = None
    for columns in range(2, COLUMNS + 1):
        rows = max(2, -(-(count + 1) // columns))
        if rows > ROWS:
            continue
        width = min(most // columns, round(size.width / 25.4 * _SHARPEST))
        height = round(width * size.height / size.width)
        if height * rows > most:
            height = most // rows
            width = round(height * size.width / size.height)
        cells = Cells(columns, rows, width, height)
        if best is None or (width, -columns * rows) > (best.width, -best.columns * best.rows):
            best = cells
    assert best is not None, f"{count} faces are more than a sheet holds"
    return best


def decks(printables: Sequence[Printable], target: Target) -> list[Deck]:
    """All things as decks of at most 69 different cards, and as tiles."""
    groups: dict[tuple[str, Size], list[Printable]] = {}
    found: list[Deck] = []
    names: set[str] = set()

    def fresh(wanted: str) -> str:
        name, number = wanted, 1
        while name in names:
            number += 1
            name = f"{wanted}-{number}"
        names.add(name)
        return name

    for each in printables:
        size = each.front.size
        if each.front.shape != "rectangle" or max(size.width, size.height) > LARGEST_CARD:
            name = fresh(portable(each.item, "")[:-1])
            long = min(target.most_pixels, round(max(size.width, size.height) / 25.4 * _SHARPEST))
            scale = long / max(size.width, size.height)
            cells = Cells(1, 1, round(size.width * scale), round(size.height * scale))
            back = "" if each.back is None else f"{name}-back.png"
            found.append(Deck(name, cells, (each,), f"{name}.png", back, tile=True))
        else:
            groups.setdefault((each.deck or each.kind, size), []).append(each)
    for (deck, size), cards in groups.items():
        for start in range(0, len(cards), COLUMNS * ROWS - 1):
            part = tuple(cards[start : start + COLUMNS * ROWS - 1])
            name = fresh(portable(deck, "")[:-1])
            cells = cells_for(len(part), size, target.most_pixels)
            looks = {card.back.digest if card.back else "" for card in part}
            # A card without a back shows its front on both sides.
            back = f"{name}.png" if looks == {""} else f"{name}-back.png"
            found.append(Deck(name, cells, part, f"{name}.png", back, own_backs="" in looks or len(looks) > 1))
    return found


def pages(deck: Deck) -> list[tuple[str, Page]]:
    """The pictures of a deck as pages, with their files."""
    fronts = [card.front for card in deck.cards]
    backs = [card.back or card.front for card in deck.cards]
    found = [(deck.face_file, _sheet(deck, fronts, _hidden(deck)))]
    if deck.back_file in ("", deck.face_file):
        return found
    if deck.own_backs:
        found.append((deck.back_file, _sheet(deck, backs, _hidden(deck))))
    else:
        single = Cells(1, 1, deck.cells.width, deck.cells.height)
        alone = Deck(deck.name, single, deck.cards[:1], "", "")
        found.append((deck.back_file, _sheet(alone, backs[:1], None)))
    return found


def _hidden(deck: Deck) -> Face | None:
    """What the last cell shows: the first back. Cards without any show nothing."""
    return None if deck.tile else next((card.back for card in deck.cards if card.back is not None), None)


def _sheet(deck: Deck, faces: Sequence[Face], hidden: Face | None) -> Page:
    cells = deck.cells
    placed: list[Placed] = []

    def put(face: Face, cell: int, copy: int, item: str) -> None:
        row, column = divmod(cell, cells.columns)
        width, height = cells.width * PIXEL, cells.height * PIXEL
        trim = Rect(column * width, row * height, width, height)
        placed.append(Placed(face, trim, trim, 0, cell, copy, item))

    for cell, (card, face) in enumerate(zip(deck.cards, faces, strict=True)):
        put(face, cell, 1, card.item)
    if hidden is not None:
        put(hidden, cells.columns * cells.rows - 1, 0, "")
    size = Size(cells.columns * cells.width * PIXEL, cells.rows * cells.height * PIXEL)
    return Page(size, "front", 1, tuple(placed))


# --- the saved object ------------------------------------------------------------------------------------------------


def saved_object(made: Sequence[Deck], url: str, title: str) -> str:
    """The JSON of a saved object with all decks and tiles in a row. `url` is put before the names of the pictures."""
    objects: list[dict[str, Any]] = []
    for number, deck in enumerate(made, 1):
        at = {"posX": 3.0 * ((number - 1) % 8), "posY": 1.0, "posZ": -4.0 * ((number - 1) // 8)}
        objects.append(_tile(deck, url, at) if deck.tile else _deck(deck, number, url, at))
    content = {"SaveName": title, "GameMode": title, "Note": "", "ObjectStates": objects}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _transform(at: dict[str, float]) -> dict[str, float]:
    return {**at, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0, "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0}


def _deck(deck: Deck, number: int, url: str, at: dict[str, float]) -> dict[str, Any]:
    sheet = {
        "FaceURL": url + deck.face_file,
        "BackURL": url + deck.back_file,
        "NumWidth": deck.cells.columns,
        "NumHeight": deck.cells.rows,
        "BackIsHidden": not deck.own_backs,
        "UniqueBack": deck.own_backs,
        "Type": 0,
    }
    cards = [
        {
            "Name": "CardCustom",
            "Nickname": card.title,
            "Transform": _transform(at),
            "CardID": 100 * number + cell,
            "SidewaysCard": card.front.size.width > card.front.size.height,
            "CustomDeck": {str(number): sheet},
        }
        for cell, card in _copies(deck)
    ]
    if len(cards) == 1:
        return cards[0]
    return {
        "Name": "DeckCustom",
        "Nickname": deck.name,
        "Transform": _transform(at),
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": {str(number): sheet},
        "ContainedObjects": cards,
    }


def _copies(deck: Deck) -> Iterator[tuple[int, Printable]]:
    for cell, card in enumerate(deck.cards):
        for _ in range(card.copies):
            yield cell, card


def _tile(deck: Deck, url: str, at: dict[str, float]) -> dict[str, Any]:
    (card,) = deck.cards
    hexagon = card.front.shape == "hexagon"
    return {
        "Name": "Custom_Tile",
        "Nickname": card.title,
        "Transform": {**_transform(at), "rotZ": 0.0},
        "CustomImage": {
            "ImageURL": url + deck.face_file,
            "ImageSecondaryURL": url + deck.back_file if deck.back_file else "",
            "WidthScale": 0.0,
            "CustomTile": {"Type": 1 if hexagon else 0, "Thickness": 0.1, "Stackable": False, "Stretch": True},
        },
    }
