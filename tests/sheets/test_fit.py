"""Text that fits, or says that it does not: what faces report, told at the line, with the card and by how much."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from valley import GAME, SHEETS, drawn, found, front, line_of, valley

from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.pipeline import check_folder, load
from ludoloom.compiler.sheets import fit, fonts, typeset
from ludoloom.compiler.sheets.model import Output, Trouble, Typeset, Wish
from ludoloom.compiler.sheets.render import FOLDER
from ludoloom.compiler.sheets.sources import Sources
from ludoloom.schemas.sizes import SIZES, TEMPLATES

pytestmark = pytest.mark.skipif(
    not (typeset.available() and fonts.available()), reason="the extra `print` is not installed"
)

TEXT = "All threats on one field are stunned."


def set_with(
    tmp_path: Path,
    game: str = GAME,
    sheets: str = SHEETS,
    wish: Wish | None = None,
    files: Mapping[str, str] = {},
) -> list[Diagnostic]:
    _, bag = drawn(valley(tmp_path, files, game=game, sheets=sheets), wish, fitted=True)
    return bag.findings


def test_a_pack_without_faults_has_no_finding(tmp_path: Path) -> None:
    assert set_with(tmp_path) == []


def test_l65_eighty_words(tmp_path: Path) -> None:
    """In a small box, eighty words are too many: the card, the line, and by how many lines."""
    words = " ".join(["stunned"] * 80)
    game = GAME.replace(TEXT, words)
    sheets = "sheets: {charm: {size: mini_american}}\n"
    (finding,) = set_with(tmp_path, game, sheets)
    assert (finding.code, finding.span.line) == ("text-overflows", line_of(game, words))
    column = game.split("\n")[finding.span.line - 1].index(words)
    assert finding.span.column in (column, column + 1), "the text itself is marked, not the card"
    assert "`hoarfrost`" in finding.message
    assert re.search(r"\d+ lines too long", finding.message)
    assert "6 points" in finding.message


def test_l65_more_words_are_more_lines(tmp_path: Path) -> None:
    over: list[int] = []
    for many in (70, 90, 110):
        game = GAME.replace(TEXT, " ".join(["stunned"] * many))
        (finding,) = set_with(tmp_path, game, "sheets: {charm: {size: mini_american}}\n")
        over.append(int(re.search(r"(\d+) lines? too long", finding.message)[1]))  # type: ignore[index]
    assert over == sorted(set(over))


def test_l65_the_smallest_size_is_honoured(tmp_path: Path) -> None:
    """What fits at 5 points does not at 7, and the sheet says which is allowed."""
    game = GAME.replace(TEXT, " ".join(["stunned"] * 48))
    small = "sheets: {charm: {size: mini_american, text_size: 5 to 9}}\n"
    large = "sheets: {charm: {size: mini_american, text_size: 7 to 9}}\n"
    assert set_with(tmp_path, game, small) == []
    (finding,) = set_with(tmp_path, game, large)
    assert "7 points" in finding.message


def test_l65_a_word_of_forty_letters(tmp_path: Path) -> None:
    game = GAME.replace("hoarfrost: {kind", f"hoarfrost: {{title: {'Donaudampfschiff' * 4}, kind")
    (finding,) = set_with(tmp_path, game, "sheets: {charm: {size: mini_american}}\n")
    assert (finding.code, finding.span.line) == ("text-overflows", line_of(game, "Donau"))
    assert "the title of `hoarfrost` has a word that is too wide" in finding.message


def test_l65_the_translation_of_a_text_that_fits(tmp_path: Path) -> None:
    german = "Alle Bedrohungen auf einem gemeinsamen Feld sind betäubt. " * 14
    languages = f'languages:\n  de:\n    texts: {{hoarfrost: "{german.strip()}"}}\n'
    sheets = "sheets: {charm: {size: mini_american}}\n"
    assert set_with(tmp_path, sheets=sheets, files={"de.yaml": languages}) == []
    (finding,) = set_with(tmp_path, sheets=sheets, wish=Wish(language="de"), files={"de.yaml": languages})
    assert finding.code == "text-overflows"
    assert "`hoarfrost` in `de`" in finding.message


def test_texts_shrink_before_they_are_too_long(tmp_path: Path) -> None:
    """The height that a text takes: the same card with little and much text is set in two sizes."""
    sizes: list[float] = []
    for many in (5, 60):
        made, _ = drawn(valley(tmp_path, game=GAME.replace(TEXT, " ".join(["stunned"] * many))))
        face = front(made, "hoarfrost")
        probe = "#set page(width: auto, height: auto)\n#show text: it => [#it#context metadata(text.size / 1pt)]\n"
        source = (
            made.preamble.text
            + probe
            + f"#{face.body}\n#context [#metadata(query(metadata).map(m => m.value))<report>]"
        )
        reports = typeset.typeset(source, made.preamble.files, []).reports
        assert reports
        pdf = tmp_path / f"{many}.pdf"
        typeset.typeset(fit.document(made, [face]), made.preamble.files, [Output(pdf)])
        sizes.append(_size_of("stunned", pdf))
    assert sizes[0] == 9
    assert 6 <= sizes[1] < 9


def _size_of(word: str, path: Path) -> float:
    """In which size a word is set, read from the file by another program."""
    pypdf = pytest.importorskip("pypdf")
    found_sizes: list[float] = []

    def visit(text: str, cm: list[float], tm: list[float], _font: object, size: float) -> None:
        if word in text:
            found_sizes.append(round(abs(size * tm[3] * cm[3]), 2))

    pypdf.PdfReader(path).pages[0].extract_text(visitor_text=visit)
    assert found_sizes
    return found_sizes[0]


def test_outside_of_the_safe_zone(tmp_path: Path) -> None:
    template = '#area({{ face }}, "title", x: 1.5mm, y: 5mm, width: 40mm, height: 8mm, {{ title }})\n'
    sheets = "sheets: {threat: {template: sheets/t.typ.j2}}\n"
    findings = set_with(tmp_path, sheets=sheets, files={"sheets/t.typ.j2": template})
    assert [(row.code, row.span.line) for row in findings] == [
        ("outside-safe-zone", line_of(GAME, "wolf_pack")),
        ("outside-safe-zone", line_of(GAME, "landslide")),
    ]
    assert "1.5 mm too near" in findings[0].message


# --- templates --------------------------------------------------------------------------------------------------------
def kinds_of_sizes(template: str, sizes: Sequence[str], back: str = "back") -> tuple[str, str]:
    """A game with a kind of card for each size, and its sheets."""
    game = "pack: {id: sizes, version: 1.0.0, title: Sizes, players: 2}\nenums: {season: [summer, winter]}\n"
    kinds = "".join(
        f"  card_{number}: {{family: card, plural: cards_{number}, "
        "fields: {season: season, cost: int, reach: range}}\n"
        for number in range(len(sizes))
    )
    cards = "".join(
        f"  ember_{number}: {{kind: card_{number}, title: Ember Cloud, origin: original, season: summer, cost: 12, "
        'reach: 0 to 2, text: "All threats on one field are stunned until winter."}\n'
        for number in range(len(sizes))
    )
    sheets = "".join(
        f"  card_{number}: {{template: {template}, size: {size}, corner: cost, back: {back}}}\n"
        for number, size in enumerate(sizes)
    )
    return f"{game}kinds:\n{kinds}cards:\n{cards}", f"sheets:\n{sheets}"


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_takes_every_size(template: str, tmp_path: Path) -> None:
    """Whatever a designer combines is drawn; what does not fit is told, and nothing else happens."""
    game, sheets = kinds_of_sizes(template, [*SIZES, "20 x 20", "200 x 30", "30 x 200", "400 x 400"], back=template)
    made, bag = drawn(valley(tmp_path, game=game, sheets=sheets), fitted=True)
    assert {row.code for row in bag.findings} <= {"text-overflows", "outside-safe-zone"}, bag.findings
    assert len(made.printables) == len(SIZES) + 4


@pytest.mark.parametrize("template", [name for name in TEMPLATES if name not in ("map", "player", "token", "back")])
def test_a_usual_card_fits_on_every_usual_size(template: str, tmp_path: Path) -> None:
    sizes = [name for name in SIZES if name not in ("business", "us_mini", "mini_american")]
    game, sheets = kinds_of_sizes(template, sizes)
    assert set_with(tmp_path, game, sheets) == []


@pytest.mark.parametrize("template", ["card", "encounter", "quest"])
def test_many_values_take_more_lines(template: str, tmp_path: Path) -> None:
    names = (
        "strength",
        "defence",
        "movement",
        "willpower",
        "intuition",
        "dexterity",
        "constitution",
        "charisma",
        "luck",
    )
    columns = "".join(f", {name}: int" for name in names)
    cells = "".join(f", {name}: {number + 1}" for number, name in enumerate(names))
    game, sheets = kinds_of_sizes(template, ["poker", "euro"])
    game = game.replace("reach: range", f"reach: range{columns}").replace("reach: 0 to 2", f"reach: 0 to 2{cells}")
    assert [row.message for row in set_with(tmp_path, game, sheets)] == []


def test_every_family_is_drawn_in_every_way(tmp_path: Path) -> None:
    for wish in (Wish(), Wish(ink="low", bleed=0, back_bleed=0), Wish(colours="cmyk", language="de")):
        made, bag = drawn(valley(tmp_path), wish, fitted=True)
        assert [(row.code, row.message) for row in bag.findings] == []
        assert len(made.printables) == 13


def _pixels(tmp_path: Path, wish: Wish) -> list[tuple[int, int, int]]:
    image = pytest.importorskip("PIL.Image")
    made, bag = drawn(valley(tmp_path), wish)
    assert found(bag) == []
    shown = made.unique()
    result = typeset.typeset(
        fit.document(made, shown), made.preamble.files, [Output(tmp_path / "{page}.png", "png", 30)]
    )
    assert result.ok, result.troubles
    assert len(result.written) == len(shown)
    pixels: list[tuple[int, int, int]] = []
    for path in result.written:
        with image.open(path) as picture:
            data = picture.convert("RGB").tobytes()
            pixels += zip(data[::3], data[1::3], data[2::3], strict=True)
    return pixels


def _ink(pixels: list[tuple[int, int, int]]) -> float:
    return sum(765 - sum(pixel) for pixel in pixels) / len(pixels)


def test_low_ink_takes_little_ink(tmp_path: Path) -> None:
    """Frames, icons and words stay; grounds and pictures go."""
    full, low = _pixels(tmp_path, Wish()), _pixels(tmp_path, Wish(ink="low"))
    assert 0 < _ink(low) < _ink(full) / 4


def test_grey_is_grey(tmp_path: Path) -> None:
    colourful = [pixel for pixel in _pixels(tmp_path, Wish(colours="grey")) if max(pixel) - min(pixel) > 2]
    assert colourful == []


def test_a_symbol_tells_suits_apart_in_low_ink(tmp_path: Path) -> None:
    made, _ = drawn(valley(tmp_path), Wish(ink="low", colours="grey"))
    assert {
        icon
        for item in ("ember", "hoarfrost", "new_leaves")
        for icon in re.findall(r"mark: v\.at\((\d+)\)", front(made, item).body)
    }
    assert '"sun"' in front(made, "ember").body
    assert '"snow"' in front(made, "hoarfrost").body


def test_a_face_is_as_large_as_it_says(tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    made, _ = drawn(valley(tmp_path), Wish(bleed=2, back_bleed=4))
    shown = made.unique()
    typeset.typeset(fit.document(made, shown), made.preamble.files, [Output(tmp_path / "all.pdf")])
    for face, page in zip(shown, pypdf.PdfReader(tmp_path / "all.pdf").pages, strict=True):
        assert abs(float(page.mediabox.width) / 72 * 25.4 - face.box.width) < 0.01
        assert abs(float(page.mediabox.height) / 72 * 25.4 - face.box.height) < 0.01
        assert face.bleed == (2 if face.side == "front" else 4)


PAGE = (Path(__file__).parents[2] / "docs" / "printing.md").read_text(encoding="utf-8")


def told_in(name: str) -> set[str]:
    """The words of the first column of a table of docs/printing.md."""
    table = PAGE.partition(f"<!-- list: {name} -->")[2].partition("\n\n")[0]
    return set(re.findall(r"^\| `([a-z_-]+)", table, re.MULTILINE))


def test_the_template_of_the_page_is_drawn(tmp_path: Path) -> None:
    fence = re.search(r"```jinja sheets/spell.typ.j2\n(.*?)```", PAGE, re.DOTALL)
    assert fence is not None
    sheets = SHEETS.replace("  charm:", "  charm:\n    template: sheets/spell.typ.j2")
    assert set_with(tmp_path, sheets=sheets, files={"sheets/spell.typ.j2": fence[1]}) == []


def test_every_value_of_the_page_is_given(tmp_path: Path) -> None:
    names = sorted(told_in("values of a template"))
    template = "".join(f"#let _ = {{{{ {name} }}}}\n" for name in names)
    sheets = "sheets: {charm: {template: sheets/t.typ.j2, back: sheets/t.typ.j2}}\n"
    assert len(names) > 25
    assert set_with(tmp_path, sheets=sheets, files={"sheets/t.typ.j2": template}) == []


def test_every_function_of_the_page_is_there(tmp_path: Path) -> None:
    names = told_in("functions of the library")
    template = "".join(f"#assert.eq(type({name}), function)\n" for name in names)
    assert len(names) > 10
    sheets = "sheets: {charm: {template: sheets/t.typ.j2}}\n"
    assert set_with(tmp_path, sheets=sheets, files={"sheets/t.typ.j2": template}) == []


def test_templates_that_ship_use_only_what_is_documented() -> None:
    """The names that templates are given are those of docs/printing.md."""
    told = told_in("values of a template")
    for path in FOLDER.glob("*.typ.j2"):
        names = re.findall(r"\{\{ ([a-z_]+)", path.read_text(encoding="utf-8"))
        loops = {"cell", "row", "space", "table", "track"}
        assert set(names) - loops <= told, path.name


# --- what Typst complains about ---------------------------------------------------------------------------------------
def test_a_mistake_of_typst_is_told_at_the_line_of_the_template(tmp_path: Path) -> None:
    template = (
        "#let f = {{ face }}\n{% for cell in cells %}\n#text({{ cell.label }})\n{% endfor %}\n#txet({{ title }})\n"
    )
    (finding,) = set_with(
        tmp_path, sheets="sheets: {charm: {template: sheets/t.typ.j2}}\n", files={"sheets/t.typ.j2": template}
    )
    assert (finding.code, Path(finding.span.file).name, finding.span.line) == ("template-wrong", "t.typ.j2", 5)
    assert "txet" in finding.message


@pytest.mark.parametrize(
    "call",
    [
        '#area({{ face }}, "title", x: 3, width: 20mm, height: 8mm, {{ title }})',
        '#icon("nothing_like_it")',
        '#badge({{ face }}, size: "large", 3)',
        "#ground({{ title }}, black)",
    ],
)
def test_a_wrong_call_of_the_library_is_told_at_the_template(call: str, tmp_path: Path) -> None:
    sheets = "sheets: {charm: {template: sheets/t.typ.j2}}\n"
    (finding,) = set_with(tmp_path, sheets=sheets, files={"sheets/t.typ.j2": f"\n\n{call}\n"})
    place = finding.span
    assert (finding.code, Path(place.file).name, place.line) == ("template-wrong", "t.typ.j2", 3), finding


def test_a_mistake_in_a_file_beside_is_told_there(tmp_path: Path) -> None:
    template = '#import "/sheets/m.typ": big\n#big({{ title }})\n'
    (finding,) = set_with(
        tmp_path,
        sheets="sheets: {charm: {template: sheets/t.typ.j2}}\n",
        files={"sheets/t.typ.j2": template, "sheets/m.typ": "#let big(words) = {\n  txet(words)\n}\n"},
    )
    assert (finding.code, Path(finding.span.file).name, finding.span.line) == ("template-wrong", "m.typ", 2)


def test_a_broken_template_hides_nothing_that_is_wrong_elsewhere(tmp_path: Path) -> None:
    """Typst stops at its first mistake; the other faces are set without it. Each line of a template is told once."""
    game = GAME.replace("Rest here: gain 1 :heal:.", " ".join(["stunned"] * 300))
    sheets = "sheets: {charm: {template: sheets/t.typ.j2}, threat: {template: sheets/u.typ.j2}}\n"
    files = {"sheets/t.typ.j2": "\n#txet({{ title }})\n", "sheets/u.typ.j2": "#umage({{ title }})\n"}
    findings = set_with(tmp_path, game, sheets, files=files)
    assert [(row.code, Path(row.span.file).name, row.span.line) for row in findings] == [
        ("template-wrong", "t.typ.j2", 2),
        ("template-wrong", "u.typ.j2", 1),
        ("text-overflows", "game.yaml", line_of(game, "stunned stunned")),
    ]


def test_what_is_told_without_a_place_has_one(tmp_path: Path) -> None:
    """Whatever Typst says, a finding has a place in the pack."""
    folder = valley(tmp_path)
    made, _ = drawn(folder)
    sources = Sources.of(load([str(folder)]).games[0].tree)
    for trouble in (
        Trouble(1, 1, "no place"),
        Trouble(99999, 1, "far"),
        Trouble(3, 1, "elsewhere", file="ludoloom.typ"),
    ):
        bag = Bag()
        fit.findings(Typeset(troubles=(trouble,)), "x", made, sources, bag)
        assert [row.code for row in bag.findings] == ["template-wrong"]


# --- five faults, each told once at its line --------------------------------------------------------------------------
PLANTED = {
    "text-overflows": (TEXT, " ".join(["stunned"] * 160), "stunned stunned"),
    "glyph-missing": (TEXT, "All threats ★ are stunned.", "★"),
    "unknown-icon": (TEXT, "All threats are :stuned:.", ":stuned:"),
    "count-differs": ("kinds:\n", "counts: {charms: {of: charms, is: 6}}\nkinds:\n", "is: 6"),
}


@pytest.mark.parametrize("code", PLANTED)
def test_a_planted_fault_is_one_finding_at_its_line(code: str, tmp_path: Path) -> None:
    old, new, sign = PLANTED[code]
    game = GAME.replace(old, new, 1)
    folder = valley(tmp_path, game=game)
    bag = check_folder(folder)
    if not bag.findings:
        _, bag = drawn(folder, fitted=True)
    (finding,) = bag.findings
    assert (finding.code, Path(finding.span.file).name, finding.span.line) == (code, "game.yaml", line_of(game, sign))


@pytest.mark.parametrize(
    ("pixels", "code"), [(120, "picture-too-coarse"), (480, "picture-coarse"), (None, "picture-missing")]
)
def test_a_planted_picture_is_one_finding_at_its_line(pixels: int | None, code: str, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    folder = valley(tmp_path, sheets='sheets: {threat: {art: "art/{id}.png"}}\n')
    (folder / "art").mkdir()
    for name, wide in (("wolf_pack", 744), ("landslide", pixels)):
        if wide is not None:
            image.new("RGB", (wide, wide)).save(folder / "art" / f"{name}.png")
    _, bag = drawn(folder, fitted=True)
    (finding,) = bag.findings
    assert (finding.code, finding.span.line) == (code, line_of(GAME, "landslide"))
    assert "landslide" in finding.message
