"""What each service and virtual table is given, read back from the files."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from reading import near, read
from toys import card, deck, face, faces

from ludoloom.compiler.sheets import ghostscript, pdf
from ludoloom.compiler.sheets.duplex import Rect
from ludoloom.compiler.sheets.finish import Boxes
from ludoloom.compiler.sheets.manifest import verify
from ludoloom.compiler.sheets.model import Face, Faces, Preamble, Printable, Size
from ludoloom.compiler.sheets.pages import DoesNotFit, Layout
from ludoloom.compiler.sheets.paper import PAPERS
from ludoloom.compiler.sheets.place import portable
from ludoloom.compiler.sheets.preflight import check_pdf, check_picture
from ludoloom.compiler.sheets.produce import Made, Order, Refused, produce
from ludoloom.compiler.sheets.tabletop import Cells, cells_for, decks
from ludoloom.compiler.sheets.targets import TARGETS, product_for
from ludoloom.compiler.sheets.typeset import available

pytestmark = pytest.mark.skipif(not available(), reason="needs the extra `print`")
needs_ghostscript = pytest.mark.skipif(ghostscript.program() is None, reason="needs Ghostscript")
MM = 72 / 25.4


def _make(name: str, things: list[Printable], folder: Path, **more: Any) -> Made:
    target = TARGETS[name]
    layout = Layout(
        PAPERS[target.paper or "a4"],
        target.backs or "long",
        gap=target.gap,
        bleed=target.bleed,
        back_bleed=target.bleed,
        marks="corners" if target.furniture else "none",
        furniture=target.furniture,
        turn=target.turn,
        grid=target.grid,
    )
    folder.mkdir(exist_ok=True)
    made = produce(faces(things), things, Order(target, layout, **more), folder)
    assert made.faults == ()
    return made


# --- PDF for services ------------------------------------------------------------------------------------------------


def test_drivethrucards_backs_come_before_fronts_in_a_pdf_x(tmp_path: Path) -> None:
    things = [card("knight", copies=2, back="royal.back", bleed=4), card("dame", back="royal.back", bleed=4)]
    made = _make("drivethrucards", [*things, card("board", back=None, size=Size(300, 200), bleed=4)], tmp_path)
    assert [item for item, _ in made.left_out] == ["board"]
    pages = read(tmp_path / "toy-card.pdf")
    keys = [page.seen[0].key for page in pages]
    assert keys == ["royal.back", "knight.front", "royal.back", "knight.front", "royal.back", "dame.front"]
    for page in pages:
        assert (page.width, page.height) == near((2.75 * 25.4, 3.75 * 25.4), 0.01)
        assert page.boxes["TrimBox"] == near((3.175, 3.175, 3.175 + 63.5, 3.175 + 88.9), 0.01)
        assert page.boxes["BleedBox"] == near(page.boxes["MediaBox"], 0.01)
        assert (page.seen[0].x, page.seen[0].y) == near((3.175, 3.175), 0.01)  # stretched from 63 × 88
        assert page.seen[0].right[0] == near(63.5 / 63, 1e-4)
    pypdf = pytest.importorskip("pypdf")
    reader = pypdf.PdfReader(tmp_path / "toy-card.pdf")
    assert reader.pdf_header == "%PDF-1.4"
    assert reader.metadata["/GTS_PDFXVersion"] == "PDF/X-1a:2003"
    assert reader.metadata["/Trapped"] == "/False"
    intent = reader.trailer["/Root"]["/OutputIntents"][0]
    assert intent["/OutputConditionIdentifier"] == "CGATS TR 001"
    assert "/ID" in reader.trailer


@needs_ghostscript
def test_mbprint_has_fronts_before_backs_in_a_file_for_each_size_and_no_fonts(tmp_path: Path) -> None:
    _make("mbprint", [card("a", copies=2), card("b"), card("c", size=Size(41, 63))], tmp_path)
    pypdf = pytest.importorskip("pypdf")
    for name, pages, size in (("toy-63x88.pdf", 6, (69, 94)), ("toy-41x63.pdf", 2, (47, 69))):
        reader = pypdf.PdfReader(tmp_path / name)
        assert len(reader.pages) == pages
        for page in reader.pages:
            assert "/Font" not in page["/Resources"]
            assert [float(x) for x in page.mediabox] == near([0, 0, size[0] * MM, size[1] * MM], 0.03)
            assert [float(x) for x in page.trimbox] == near(
                [3 * MM, 3 * MM, (size[0] - 3) * MM, (size[1] - 3) * MM], 0.03
            )


@needs_ghostscript
def test_outlines_come_out_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        _make("mbprint", deck(2), tmp_path / name)
    assert (tmp_path / "one" / "toy-63x88.pdf").read_bytes() == (tmp_path / "two" / "toy-63x88.pdf").read_bytes()


def test_print_and_play_games_has_18_cards_a_sheet_and_backs_at_the_other_side(tmp_path: Path) -> None:
    _make("printplaygames", deck(20, bleed=4.0), tmp_path)
    pages = read(tmp_path / "toy.pdf")
    assert [len(page.seen) for page in pages] == [18, 18, 2, 2]
    assert (pages[0].width, pages[0].height) == near((304.8, 457.2), 0.01)
    front, back = pages[2].seen[0], pages[3].seen[0]
    assert front.x < 100  # upper left …
    assert back.x > 200  # … meets upper right
    assert front.y > 300
    for seen in (front, back):  # stretched to the US size, along its own edges
        assert math.hypot(*seen.up) == near(88.9 / 88, 1e-4)
        assert math.hypot(*seen.right) == near(63.5 / 63, 1e-4)
    slot = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))["slots"][36]
    # Turned clockwise, the lower left corner of the card is the upper left one of its place.
    assert (slot["page"], slot["turn"]) == (3, 90)
    assert (front.x, pages[2].height - front.y) == near((slot["x"], slot["y"]), 0.01)


def test_a_target_that_needs_ghostscript_is_refused_without_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ghostscript, "program", lambda: None)
    with pytest.raises(Refused, match="MB Print wants letters as shapes, which needs Ghostscript"):
        _make("mbprint", deck(1), tmp_path)
    seen_through = [_glass("glass")]
    with pytest.raises(Refused, match="DriveThruCards takes nothing that shows through"):
        _make("drivethrucards", seen_through, tmp_path)


@needs_ghostscript
def test_what_shows_through_is_flattened(tmp_path: Path) -> None:
    _make("drivethrucards", [_glass("glass")], tmp_path)
    pages = read(tmp_path / "toy-card.pdf")
    assert len(pages) == 2
    assert pages[1].boxes["TrimBox"] == near((3.175, 3.175, 3.175 + 63.5, 3.175 + 88.9), 0.01)


def _glass(item: str) -> Printable:
    made: list[Face] = []
    for side in ("front", "back"):
        plain = face(f"{item}.{side}", side, bleed=4)
        body = (
            'box(width: 71mm, height: 96mm, fill: rgb("#aa2233"), place(circle(radius: 2cm, fill: rgb("#00ff0080"))))'
        )
        made.append(Face(plain.key, "card", item, side, item, plain.size, 4, body, item, plain.where))
    return Printable(item, "card", "card", item, 1, *made, deck="card")


def test_a_card_without_a_back_or_of_another_size_is_left_out_and_told(tmp_path: Path) -> None:
    made = _make(
        "drivethrucards", [card("a", bleed=4), card("b", back=None, bleed=4), card("c", size=Size(70, 120))], tmp_path
    )
    assert dict(made.left_out) == {
        "b": "it has no back, and DriveThruCards prints both sides",
        "c": "70 × 120 mm is no size of DriveThruCards, which has US poker (63.5 × 88.9 mm)",
    }
    left = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))["left_out"]
    assert [row["item"] for row in left] == ["b", "c"]


def test_nothing_to_print_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="nothing can be printed for DriveThruCards: 70 × 120 mm"):
        _make("drivethrucards", [card("c", size=Size(70, 120))], tmp_path)


def test_too_little_bleed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="has 1 mm of bleed; DriveThruCards wants 3"):
        _make("drivethrucards", [card("a", bleed=1)], tmp_path)


def test_both_poker_sizes_are_poker_and_a_card_on_its_side_too() -> None:
    target = TARGETS["gamecrafter"]
    for size in (Size(63, 88), Size(63.5, 88.9)):
        product = product_for(size, target)
        assert product is not None
        assert product.pixels == (825, 1125)
        lying = product_for(size.turned(), target)
        assert lying is not None
        assert lying.pixels == (1125, 825)
    assert product_for(Size(57, 89), target) is None


# --- pictures --------------------------------------------------------------------------------------------------------


def test_a_picture_for_each_face_of_the_size_that_the_service_says(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    things = [card("a", copies=3, back="s.back", bleed=4), card("b", back="s.back", bleed=4)]
    _make("gamecrafter", things, tmp_path)
    assert sorted(path.name for path in tmp_path.glob("*.png")) == ["a-front.png", "b-front.png", "s-back.png"]
    for path in tmp_path.glob("*.png"):
        with image.open(path) as picture:
            assert picture.size == (825, 1125)
            assert picture.mode == "RGB"
            assert round(picture.info["dpi"][0]) == 300


def test_tabletopia_has_ten_pixels_a_millimetre_and_a_longest_side(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    _make("tabletopia", [card("a"), card("board", back=None, size=Size(600, 300))], tmp_path)
    sizes = {path.name: image.open(path).size for path in tmp_path.glob("*.png")}
    assert sizes == {"a-front.png": (630, 880), "a-back.png": (630, 880), "board-front.png": (4000, 2000)}


def test_l67_every_slot_of_a_large_order_names_its_picture_and_a_changed_folder_is_told(tmp_path: Path) -> None:
    things = [card(f"c{n}", copies=40, back=f"{'ab'[n % 2]}.back", size=Size(20, 30), bleed=4) for n in range(15)]
    _make("makeplayingcards", things, tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    slots = manifest["slots"]
    assert len(slots) == 2 * 600
    files = {row["name"]: row["sha256"] for row in manifest["files"]}
    assert all(slot["file"] in files for slot in slots)
    for thing in things:
        assert thing.back is not None
        fronts = [slot for slot in slots if slot["item"] == thing.item and slot["side"] == "front"]
        backs = [slot for slot in slots if slot["item"] == thing.item and slot["side"] == "back"]
        assert [slot["copy"] for slot in fronts] == [slot["copy"] for slot in backs] == list(range(1, 41))
        assert {slot["file"] for slot in fronts} == {f"{thing.item}-front.png"}
        assert {slot["file"] for slot in backs} == {thing.back.key.replace(".", "-") + ".png"}
    assert verify(tmp_path) == []
    (tmp_path / "c1-front.png").write_bytes((tmp_path / "c2-front.png").read_bytes())
    (tmp_path / "c3-front.png").unlink()
    (tmp_path / "stray.png").write_bytes(b"")
    assert verify(tmp_path) == [
        "c1-front.png is not the file that was written",
        "c3-front.png is missing",
        "stray.png does not belong to what was written",
    ]


def test_l53_names_of_files_are_portable_and_none_is_written_twice(tmp_path: Path) -> None:
    assert portable("a/b:c.", "png") == "a-b-c.png"
    assert portable("aux", "png") == "aux-.png"
    assert portable("../../x", "png") == "x.png"
    clash = [card("ab.c", bleed=4), card("ab-c", bleed=4)]
    with pytest.raises(DoesNotFit, match="two things would be written to ab-c-front"):
        _make("gamecrafter", clash, tmp_path)
    assert list(tmp_path.glob("*.png")) == []


def test_l54_an_id_in_the_column_of_copies_is_refused_before_anything_is_drawn(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="41,026 copies would be printed, more than 2,000; the most are 41,025 of `b`"):
        _make("drivethrucards", [card("a", bleed=4), card("b", copies=41025, bleed=4)], tmp_path)


# --- virtual table ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 10, 30, 54, 69])
@pytest.mark.parametrize("size", [Size(63, 88), Size(44, 68), Size(88, 63), Size(70, 70), Size(70, 120)])
def test_l66_cells_are_whole_pixels_and_fill_the_sheet(count: int, size: Size) -> None:
    cells = cells_for(count, size, 4096)
    assert cells.columns * cells.rows >= count + 1
    assert cells.columns <= 10
    assert cells.rows <= 7
    assert cells.columns * cells.width <= 4096
    assert cells.rows * cells.height <= 4096
    assert cells.width / cells.height == near(size.width / size.height, 0.01)


def test_fewer_cards_get_larger_cells() -> None:
    assert cells_for(69, Size(63, 88), 4096) == Cells(10, 7, 409, 571)
    assert cells_for(20, Size(63, 88), 4096).width > 580


def test_tabletop_simulator_loads_every_copy(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    things = [
        *[card(f"c{n}", copies=2, back="s.back", size=Size(20, 28)) for n in range(75)],
        *[card(f"own{n}", kind="quest") for n in range(3)],
        card("board", back=None, size=Size(180, 20), kind="map"),
        card("lone", kind="hero"),
    ]
    _make("tabletopsimulator", things, tmp_path, url="https://example.org/toy/")
    saved = json.loads((tmp_path / "toy.json").read_text(encoding="utf-8"))["ObjectStates"]
    by_name = {each["Nickname"]: each for each in saved}
    first, second = by_name["card"], by_name["card-2"]
    assert len(first["DeckIDs"]) == 2 * 69
    assert len(second["DeckIDs"]) == 2 * 6
    (key,) = first["CustomDeck"]
    sheet = first["CustomDeck"][key]
    assert (sheet["NumWidth"], sheet["NumHeight"], sheet["UniqueBack"], sheet["BackIsHidden"]) == (10, 7, False, True)
    assert sheet["FaceURL"] == "https://example.org/toy/card.png"
    assert first["DeckIDs"][:3] == [100 * int(key), 100 * int(key), 100 * int(key) + 1]
    assert max(first["DeckIDs"]) == 100 * int(key) + 68  # cell 69 is the hidden face
    quests = next(iter(by_name["quest"]["CustomDeck"].values()))
    assert (quests["UniqueBack"], quests["BackIsHidden"]) == (True, False)
    assert by_name["Lone"]["CardID"] % 100 == 0  # a deck of one is a card
    assert by_name["Board"]["Name"] == "Custom_Tile"
    with image.open(tmp_path / "card.png") as picture:
        assert picture.mode == "RGB"
        cell = cells_for(69, Size(20, 28), 4096)
        assert cell == Cells(10, 7, 236, 330)
        assert picture.size == (2360, 2310)
        hidden = picture.getpixel((9 * cell.width + 100, 6 * cell.height + 100))
        unused = picture.getpixel((100, 100))
        assert hidden not in ((255, 255, 255), unused)
        # No seam: the last column of a cell and the first of the next have ink.
        assert picture.getpixel((cell.width - 1, 100)) != (255, 255, 255)
        assert picture.getpixel((cell.width, 100)) != (255, 255, 255)
    with image.open(tmp_path / "card-back.png") as back:
        assert back.size == (236, 330)


def test_a_deck_without_backs_shows_its_fronts_on_both_sides() -> None:
    (made,) = decks([card(f"c{n}", back=None) for n in range(3)], TARGETS["tabletopsimulator"])
    assert made.own_backs
    assert made.back_file == made.face_file


# --- preflight -------------------------------------------------------------------------------------------------------


def test_a_preflight_finds_what_is_wrong(tmp_path: Path) -> None:
    """Files with a planted fault each: the last look must see it."""
    made = _make("drivethrucards", [card("a", bleed=4)], tmp_path)
    path = tmp_path / made.files[0].name
    target = TARGETS["drivethrucards"]
    size = Size(69.85, 95.25)
    boxes = [Boxes(size, Rect(0, 0, 69.85, 95.25), Rect(3.175, 3.175, 63.5, 88.9))] * 2
    assert check_pdf(path, boxes, target) == []
    assert check_pdf(path, boxes[:1], target) == ["there are 2 pages, not 1"]

    def spoil(change: Any) -> list[str]:
        with pdf.opened(path.read_bytes()) as file:
            change(file)
            pdf.save(file, tmp_path / "spoilt.pdf", "1.4")
        return check_pdf(tmp_path / "spoilt.pdf", boxes, target)

    def smaller(file: Any) -> None:
        file.pages[1].obj["/TrimBox"] = pdf.array([9, 9, 188, 260])

    def coloured(file: Any) -> None:
        file.pages[0].contents_add(pdf.stream(file, b"1 0 0 rg 0 0 9 9 re f 1 1 1 0.5 k 9 9 9 9 re f"))

    def loose(file: Any) -> None:
        for font in pdf.entries(file.pages[0].obj["/Resources"], "Font"):
            del font["/DescendantFonts"][0]["/FontDescriptor"]["/FontFile3"]

    def undone(file: Any) -> None:
        del file.docinfo["/GTS_PDFXVersion"]
        del file.Root["/OutputIntents"]

    def glassy(file: Any) -> None:
        half = pdf.dictionary({"ca": 0.5})
        file.pages[0].obj["/Resources"]["/ExtGState"] = pdf.dictionary({"g": half})

    assert [row[:30] for row in spoil(smaller)] == ["page 2: the trim box is 63.15 "]
    assert spoil(coloured) == ["1 colours are not inks", "a colour takes 350 % of ink; 240 % are the limit"]
    assert [row for row in spoil(loose) if "not embedded" in row]
    assert spoil(undone) == ["the output intent is not CGATS TR 001", "the file does not say PDF/X-1a:2003"]
    assert spoil(glassy) == ["a colour that is partly transparent is left"]
    (tmp_path / "broken.pdf").write_bytes(path.read_bytes()[:300])
    assert check_pdf(tmp_path / "broken.pdf", boxes, target)[0].startswith("the file cannot be read again")


def test_a_preflight_measures_pictures_at_their_size_in_print(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    image.new("RGB", (300, 300), "red").save(tmp_path / "p.png")
    files: dict[str, bytes | Path] = {"p.png": tmp_path / "p.png"}

    def printed(width: float) -> tuple[tuple[str, str], ...]:
        plain = face("a.front")
        body = f'box(width: 69mm, height: 94mm, image("p.png", width: {width}mm))'
        front = Face(plain.key, "card", "a", "front", "A", plain.size, 3, body, "x", plain.where)
        things = [Printable("a", "card", "card", "A", 1, front)]
        made = Faces("toy", "Toy", Preamble("", files), tuple(things))
        return produce(made, things, Order(TARGETS["home"], Layout(PAPERS["a4"])), tmp_path).faults

    assert printed(50) == ()  # 300 pixels on 50 mm: 152 dpi
    assert printed(60) == (("toy-one-sided.pdf", "page 1: a picture has 127 dpi at this size; 150 are needed"),)


def test_a_preflight_looks_at_pictures_too(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    path = tmp_path / "p.png"
    image.new("RGBA", (5000, 10)).save(path)
    assert check_picture(path, (4096, 10), TARGETS["tabletopsimulator"]) == [
        "it is 5000 × 10 pixels, not 4096 × 10",
        "its colours are RGBA, not RGB",
        "a side is longer than 4096 pixels",
    ]
    path.write_bytes(b"no picture")
    assert check_picture(path, (1, 1), TARGETS["tabletopia"])[0].startswith("the file cannot be read again")


def test_the_page_about_printing_lists_the_targets() -> None:
    text = (Path(__file__).parents[2] / "docs" / "printing.md").read_text(encoding="utf-8")
    table = text.partition("<!-- list: targets -->\n")[2].partition("\n\n")[0]
    named = [row.split("`")[1] for row in table.splitlines()[2:]]
    assert named == list(TARGETS)


def test_each_target_has_its_pictures() -> None:
    """Of every game that ships; `docs/pictures/draw.py` draws them."""
    root = Path(__file__).parents[2]
    page = (root / "docs" / "printing.md").read_text(encoding="utf-8")
    for game in (path.parent.name for path in (root / "content").glob("*/game.yaml")):
        for name in TARGETS:
            picture = root / "docs" / "pictures" / f"{game}-{name}.png"
            assert f"pictures/{picture.name}" in page
            assert 5_000 < picture.stat().st_size < 100_000
