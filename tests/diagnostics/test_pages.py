"""Every code has a page, and the page is true: its wrong example raises the code, its right one raises nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ludoloom.compiler.cli.scenarios import run_scenarios
from ludoloom.compiler.diagnostics.codes import CODES
from ludoloom.compiler.diagnostics.explain import PAGES, page
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.frontend.read import read_path
from ludoloom.compiler.frontend.source import LARGEST_FILE
from ludoloom.compiler.packs import load_game
from ludoloom.compiler.pipeline import check_folder, load
from ludoloom.compiler.sheets import fit, fonts, typeset
from ludoloom.compiler.sheets.faces import faces
from ludoloom.compiler.sheets.model import Wish
from ludoloom.compiler.sheets.sources import Sources

HERE = "# <-- here"

# Codes that only playing finds: their examples are run as scenarios, after the check.
PLAYED = ("decision-not-offered", "scenario-failed")

# Codes that show when faces are drawn.
DRAWN = (
    "face-not-printed", "glyph-missing", "outside-safe-zone", "picture-coarse", "picture-missing", "picture-too-coarse",
    "template-endless",
    "template-wrong", "text-overflows",
)  # fmt: skip


def _too_large(folder: Path) -> Bag:
    (folder / "cards.yaml").write_bytes(b"cards:\n" + b"#" * LARGEST_FILE)
    return check_folder(folder)


def _wide(folder: Path) -> Bag:
    (folder / "game.yaml").write_text("pack: {id: demo}\n", encoding="utf-16")
    return check_folder(folder)


def _folder(folder: Path) -> Bag:
    bag = Bag()
    read_path(folder, "cards.yaml", bag)
    return bag


def _link(folder: Path) -> Bag:
    bag = Bag()
    write(folder, {"cards.yaml": "enums: {color: [red]}\n"})
    write(folder, {"demo/game.yaml": "pack: {id: demo, version: 1.0.0, title: Demo, players: 2}\n"})
    (folder / "demo" / "cards.yaml").symlink_to(folder / "cards.yaml")
    load_game([str(folder / "demo")], [], [], bag)
    return bag


def _flood(folder: Path) -> Bag:
    """What is beside those of which there are too many."""
    found = page("not-shown")
    assert found is not None
    write(folder, found.wrong)
    bag = check_folder(folder)
    bag.findings = [finding for finding in bag if finding.code == "not-shown"]
    return bag


def _other_game(folder: Path) -> Bag:
    bag = Bag()
    for name in ("chess", "poker"):
        manifest = f"pack: {{id: {name}, version: 1.0.0, title: Game, players: 2}}\n"
        write(folder, {f"{name}/game.yaml": manifest})
    more = 'pack: {id: more, version: 1.0.0, title: More, extends: {poker: ">=1.0"}}\n'
    write(folder, {"more/pack.yaml": more})
    load_game(["chess"], ["more"], [folder], bag)
    return bag


def check_and_draw(folder: Path) -> Bag:
    """The findings of a check and, where it has none, of drawing every face."""
    bag = check_folder(folder)
    for game in load([str(folder)]).games if not bag.findings else ():
        made = faces(game.tree, Wish(), bag)
        if not bag.failed:
            fit.check(made, Sources.of(game.tree), bag)
    return bag


def _coarse(pixels: int) -> Callable[[Path], Bag]:
    """The example of the page, with pictures so many pixels wide."""

    def make(folder: Path) -> Bag:
        from PIL import Image

        for name, wide in (("spark", pixels), ("frost", 744)):
            path = folder / "art" / f"{name}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            Image.new("RGB", (wide, wide)).save(path)
        found = page("picture-coarse")
        assert found is not None
        write(folder, found.wrong)
        return check_and_draw(folder)

    return make


# What no text on a page can show: each is made by hand.
BY_HAND: dict[str, Callable[[Path], Bag]] = {
    "file-too-large": _too_large,
    "link-leaves-pack": _link,
    "not-shown": _flood,
    "other-game": _other_game,
    "picture-coarse": _coarse(480),
    "picture-too-coarse": _coarse(300),
    "wrong-encoding": _wide,
    "unreadable": _folder,
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def check_and_play(folder: Path) -> Bag:
    """The findings of a check and, where it has none, of the scenarios."""
    bag = check_folder(folder)
    for game in load([str(folder)], scenarios=True).games if not bag.findings else ():
        bag.findings = run_scenarios(game, lambda _name, _span: True).findings
    return bag


def places_meant(files: dict[str, str]) -> set[tuple[str, int]]:
    lines = ((name, number, line) for name, text in files.items() for number, line in enumerate(text.split("\n"), 1))
    return {(name, number) for name, number, line in lines if HERE in line}


def tells_the_truth(code: str, folder: Path) -> str:
    """'' if the page is true, else what is not."""
    found = page(code)
    assert found is not None
    check = check_and_play if code in PLAYED else check_and_draw if code in DRAWN else check_folder
    wrong, right = folder / "wrong", folder / "right"
    wrong.mkdir()
    right.mkdir()
    if code in BY_HAND:
        bag = BY_HAND[code](wrong)
    else:
        write(wrong, found.wrong)
        bag = check(wrong)
    if {finding.code for finding in bag} != {code}:
        return f"the wrong example gives {[(finding.code, finding.span.line, finding.message) for finding in bag]}"
    meant = places_meant(found.wrong)
    where = {(Path(finding.span.file).relative_to(wrong).as_posix(), finding.span.line) for finding in bag if meant}
    if where != meant:
        return f"the finding stands at {sorted(where)}, not at {sorted(meant)}"
    write(right, found.right)
    bag = check(right)
    if bag.findings:
        return f"the right example gives {[(finding.code, finding.span.line, finding.message) for finding in bag]}"
    return ""


@pytest.mark.parametrize("code", sorted(CODES))
def test_page(code: str, tmp_path: Path) -> None:
    found = page(code)
    assert found is not None, f"there is no page explain/{code}.md"
    assert found.code == code, "the heading is the code"
    assert len(found.text) > 80, "a page says what it means, why it matters and what to do"
    assert found.wrong, "a page has a wrong example"
    assert found.right, "a page has a right example"
    if code in DRAWN and not (typeset.available() and fonts.available()):
        pytest.skip("the extra `print` is not installed")
    untrue = tells_the_truth(code, tmp_path)
    assert not untrue, untrue


def test_no_page_without_a_code() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} <= set(CODES)
