"""Finished PDFs, read by another reader than the one that wrote them: boxes, fonts, counts, bytes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from reading import MM, near, read
from toys import card, deck, faces

from ludoloom.compiler.sheets.model import Printable, Size
from ludoloom.compiler.sheets.pages import Layout
from ludoloom.compiler.sheets.paper import PAPERS
from ludoloom.compiler.sheets.produce import Made, Order, produce
from ludoloom.compiler.sheets.targets import TARGETS
from ludoloom.compiler.sheets.typeset import available

pytestmark = pytest.mark.skipif(not available(), reason="needs the extra `print`")


def _print(things: list[Printable], folder: Path, paper: str = "a4", **more: Any) -> Made:
    folder.mkdir(exist_ok=True)
    made = produce(faces(things), things, Order(TARGETS["home"], Layout(PAPERS[paper], **more)), folder)
    assert made.faults == ()
    return made


def test_the_multiset_of_cards_on_the_pages_is_the_deck(tmp_path: Path) -> None:
    things = [
        *deck(7),
        card("many", copies=12, back="shared.back"),
        card("token", copies=5, back=None, size=Size(30, 30)),
    ]
    made = _print(things, tmp_path)
    seen = Counter(each.key for file in made.files for page in read(tmp_path / file.name) for each in page.seen)
    expected: Counter[str] = Counter()
    for thing in things:
        expected[thing.front.key] += thing.copies
        if thing.back is not None:
            expected[thing.back.key] += thing.copies
    assert seen == expected


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_page_boxes_are_right_to_a_hundredth_of_a_millimetre(paper: str, tmp_path: Path) -> None:
    made = _print(deck(3), tmp_path, paper)
    for page in read(tmp_path / made.files[0].name):
        assert (page.width, page.height) == near((PAPERS[paper].size.width, PAPERS[paper].size.height), 0.01)
        assert page.boxes["TrimBox"] == near(page.boxes["MediaBox"], 0.001)
        assert page.boxes["BleedBox"] == near(page.boxes["MediaBox"], 0.001)


def test_l62_all_fonts_are_embedded_and_cut_down(tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    made = _print(deck(3), tmp_path)
    fonts: dict[str, Any] = {}
    for page in pypdf.PdfReader(tmp_path / made.files[0].name).pages:
        for font in page["/Resources"]["/Font"].values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            fonts[str(inner["/BaseFont"])] = inner["/FontDescriptor"].get_object()
    assert fonts
    for name, descriptor in fonts.items():
        assert name[7] == "+", name  # a subset has six letters before its name
        assert any(key in descriptor for key in ("/FontFile2", "/FontFile3")), name


def test_the_same_things_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        _print(deck(5), tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes(), path.name


def test_a_file_says_nothing_of_when_and_where_it_was_made(tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    made = _print(deck(1), tmp_path)
    info = pypdf.PdfReader(tmp_path / made.files[0].name).metadata
    assert info["/Title"] == "Toy"
    assert info["/CreationDate"] == "D:20000101000000Z"
    assert str(tmp_path).encode() not in (tmp_path / made.files[0].name).read_bytes()


@pytest.mark.parametrize("gap", [0.0, 6.0])
def test_l61_there_is_ink_in_the_bleed_on_every_side(gap: float, tmp_path: Path) -> None:
    """One card, drawn as pixels: 1 mm outside the cut it is coloured, 4 mm outside it is white."""
    image = _pixels(_print(deck(1), tmp_path, gap=gap, marks="none", furniture=False), tmp_path, 0)
    trim = _trim(tmp_path)
    for x, y in (
        (trim[0] - 1, trim[1] + 44),
        (trim[0] + 64, trim[1] + 44),
        (trim[0] + 31, trim[1] - 1),
        (trim[0] + 31, trim[1] + 89),
    ):
        inside = gap > 0 or x < trim[0] or y < trim[1]
        assert (_at(image, x, y) != (255, 255, 255)) == inside
    for x, y in ((trim[0] - 4, trim[1] + 44), (trim[0] + 31, trim[1] - 4)):
        assert _at(image, x, y) == (255, 255, 255)


def test_backs_bleed_further_than_fronts(tmp_path: Path) -> None:
    made = _print(deck(9), tmp_path, marks="none", furniture=False, bleed=1, back_bleed=3)
    trim = _trim(tmp_path)
    front, back = (_pixels(made, tmp_path, page) for page in (0, 1))
    assert _at(front, trim[0] - 2, trim[1] + 44) == (255, 255, 255)
    assert _at(back, trim[0] - 2, trim[1] + 44) != (255, 255, 255)


def test_l66_no_seam_between_neighbours(tmp_path: Path) -> None:
    """Cards without a gap: along the middle of a row no pixel is white."""
    image = _pixels(_print(deck(9), tmp_path, marks="none", furniture=False), tmp_path, 0)
    trim = _trim(tmp_path)
    row = [_at(image, trim[0] + step / 4, trim[1] + 44) for step in range(4 * 189)]
    assert (255, 255, 255) not in row


def _trim(folder: Path) -> tuple[float, float]:
    import json

    slot = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["slots"][0]
    return slot["x"], slot["y"]


def _pixels(made: Made, folder: Path, page: int) -> Any:
    """A page as a picture of 10 pixels a millimetre, drawn by poppler."""
    import shutil
    import subprocess

    if shutil.which("pdftoppm") is None:
        pytest.skip("needs pdftoppm")
    image_module = pytest.importorskip("PIL.Image")
    out = folder / f"page{page}"
    command = ["pdftoppm", "-r", "254", "-f", str(page + 1), "-l", str(page + 1), "-singlefile", "-png"]
    subprocess.run([*command, str(folder / made.files[0].name), str(out)], check=True)
    return image_module.open(f"{out}.png").convert("RGB")


def _at(image: Any, x: float, y: float) -> tuple[int, int, int]:
    return image.getpixel((round(x * 10), round(y * 10)))


def test_a_calibration_moves_backs_only(tmp_path: Path) -> None:
    from ludoloom.compiler.sheets.calibrate import Calibration

    things = deck(2)
    plain, moved = tmp_path / "plain", tmp_path / "moved"
    for folder, calibration in ((plain, None), (moved, Calibration((1.5, -2.0), (1.01, 1.0), (0.0, 0.0)))):
        folder.mkdir()
        order = Order(TARGETS["home"], Layout(PAPERS["a4"]), calibration=calibration)
        assert produce(faces(things), things, order, folder).faults == ()
    before, after = read(plain / "toy.pdf"), read(moved / "toy.pdf")
    assert [each.x for each in before[0].seen] == near([each.x for each in after[0].seen])
    for one, other in zip(before[1].seen, after[1].seen, strict=True):
        # Scaled about the middle of the page (105 mm), then moved to the right and up.
        assert other.x == near((one.x - 105) * 1.01 + 105 + 1.5, 0.01)
        assert other.y == near(one.y + 2.0, 0.01)
        assert other.right == near((1.01, 0), 0.0001)
    assert near(0.352778, 0.000001) == MM


def test_a_calibration_is_turned_round_for_the_short_edge(tmp_path: Path) -> None:
    from ludoloom.compiler.sheets.calibrate import Calibration

    things = deck(2)
    found: dict[str, list[Any]] = {}
    for name, calibration in (("plain", None), ("moved", Calibration((1.5, -2.0)))):
        (tmp_path / name).mkdir()
        order = Order(TARGETS["home"], Layout(PAPERS["a4"], "short"), calibration=calibration)
        assert produce(faces(things), things, order, tmp_path / name).faults == ()
        found[name] = read(tmp_path / name / "toy.pdf")[1].seen
    for one, other in zip(found["plain"], found["moved"], strict=True):
        assert (other.x - one.x, other.y - one.y) == near((-1.5, -2.0), 0.01)
