"""`ludoloom sheets` and `ludoloom calibrate` as a person calls them."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ludoloom.compiler.sheets.typeset import available

from .conftest import Call, Done  # pyright: ignore[reportMissingImports]

pytestmark = pytest.mark.skipif(not available(), reason="needs the extra `print`")

PACK = """pack: {id: demo, version: 1.0.0, title: Demo, players: 2}
enums: {element: [fire, ice]}
kinds:
  seat: {family: player, plural: seats, zones: {hand: {holds: prize}}}
  prize: {family: card, plural: prizes, starts_in: deck}
  spell: {is_a: prize, plural: spells, fields: {element: element}}
  relic: {is_a: prize, plural: relics}
zones: {deck: {holds: prize, order: pile}}
players: {ann: {kind: seat, origin: original}, bea: {kind: seat, origin: original}}
cards:
  spark: {kind: spell, origin: original, copies: 3, element: fire, text: "Light a candle."}
  frost: {kind: spell, origin: original, copies: 2, element: ice, text: "Cool a drink."}
  amulet: {kind: relic, origin: original, text: "It glows."}
play: [rest]
phases: {rest: {turns: {of: seats}, do: [{draw: {from: deck, to: active.hand}}]}}
end: {empty: {whenever: deck.empty, winners: none}}
"""


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "game.yaml").write_text(PACK, encoding="utf-8")
    return folder


def _manifest(folder: str) -> dict[str, list[dict[str, str]]]:
    return json.loads((Path(folder) / "manifest.json").read_text(encoding="utf-8"))


def _items(folder: str) -> set[str]:
    return {row["item"] for row in _manifest(folder)["faces"]}


def test_a_deck_is_printed_and_told(call: Call, demo: Path) -> None:
    done = call("sheets", demo, "--paper", "a4")
    assert done.code == 0, done.err
    files = done.out.splitlines()
    assert files[0] == "build/sheets/demo-home-a4/demo.pdf"
    assert all(Path(file).is_file() for file in files)
    assert "copies on" in done.err
    fronts = [row for row in _manifest("build/sheets/demo-home-a4")["slots"] if row["side"] == "front"]
    assert sum(row["item"] == "spark" for row in fronts) == 3
    again = call("sheets", demo, "--paper", "a4", "--out", "again")
    assert again.code == 0
    for file in files:
        assert Path(file).read_bytes() == (Path("again") / Path(file).name).read_bytes()


def test_only_some(call: Call, demo: Path) -> None:
    assert call("sheets", demo, "--paper", "letter", "--only", "relics,frost", "--out", "out").code == 0
    assert _items("out") == {"amulet", "frost"}
    wrong = call("sheets", demo, "--paper", "letter", "--only", "frots")
    assert wrong.code == 2
    assert "did you mean `frost`" in wrong.err


def test_only_some_are_looked_at(call: Call, demo: Path) -> None:
    assert call("sheets", demo, "--check").err.splitlines()[-1] == "6 faces: 0 errors, 0 warnings"
    assert call("sheets", demo, "--check", "--only", "frost").err.splitlines()[-1] == "2 faces: 0 errors, 0 warnings"


def test_one_copy_is_no_copies(call: Call, demo: Path) -> None:
    done = call("sheets", demo, "--paper", "a4", "--only", "amulet", "--out", "out")
    assert "1 copy on 2 pages, checked; out" in done.err


def _change(demo: Path, old: str, new: str) -> None:
    text = (demo / "game.yaml").read_text(encoding="utf-8")
    assert old in text
    (demo / "game.yaml").write_text(text.replace(old, new), encoding="utf-8")


def test_after_one_changed_card_one_is_printed(call: Call, demo: Path) -> None:
    assert call("sheets", demo, "--paper", "a4", "--out", "first").code == 0
    same = call("sheets", demo, "--paper", "a4", "--out", "second", "--changed-since", "first")
    assert same.code == 0
    assert same.out == ""
    assert "nothing looks different" in same.err
    _change(demo, "Cool a drink.", "Cool two drinks.")
    for since in ("first", "first/manifest.json"):
        assert call("sheets", demo, "--paper", "a4", "--out", "second", "--changed-since", since).code == 0
        assert _items("second") == {"frost"}


def test_what_changed_since_a_revision_is_printed(call: Call, demo: Path) -> None:
    git = ["git", "-C", str(demo), "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *arguments], check=True, capture_output=True)
    _change(demo, "It glows.", "It hums.")
    done = call("sheets", demo, "--paper", "a4", "--out", "out", "--changed-since", "HEAD")
    assert done.code == 0, done.err
    assert _items("out") == {"amulet"}
    wrong = call("sheets", demo, "--paper", "a4", "--changed-since", "v9")
    assert wrong.code == 2
    assert "`v9` is no manifest, and no revision" in wrong.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "say which paper is in the printer"),
        (["--target", "hoem"], "did you mean `home`"),
        (["--target", "tabletopia", "--paper", "a4"], "has no choice of paper"),
        (["--target", "fold", "--paper", "a4", "--backs", "long"], "backs are always `fold`"),
        (["--target", "drivethrucards", "--marks", "lines"], "takes no marks"),
        (["--paper", "a3"], "a3"),
        (["--paper", "a4", "--gap", "3mm"], "3mm"),
        (["--paper", "a4", "--gap", "nan"], "`--gap nan`: write a number of millimetres"),
        (["--paper", "a4", "--bleed", "nan"], "`--bleed nan`: write a number of millimetres"),
        (["--paper", "a4", "--back-bleed", "nan"], "`--back-bleed nan`: write a number of millimetres"),
        (["--paper", "a4", "--bleed", "inf"], "--bleed"),
        (["--target", "mbprint", "--url", "https://example.org/"], "leave `--url` out"),
        (["--check", "--only", "frots"], "did you mean `frost`"),
        (["--paper", "a4", "--most", "many"], "many"),
        (["--paper", "a4", "--calibration", "nobody"], "there is no calibration `nobody`"),
        (["--paper", "a4", "--most", "2"], "copies would be printed, more than 2"),
        (["--target", "gamecrafter", "--only", "seats"], "nothing can be printed for The Game Crafter"),
    ],
)
def test_a_wrong_call_is_told(call: Call, demo: Path, arguments: list[str], words: str) -> None:
    done = call("sheets", demo, *arguments)
    assert done.code == 2
    assert words in done.err
    assert "Traceback" not in done.err
    assert not Path("build").exists()


def test_errors_of_content_end_it(call: Call, demo: Path) -> None:
    _change(demo, "element: fire", "element: fier")
    done = call("sheets", demo, "--paper", "a4")
    assert done.code == 1
    assert "fier" in done.out
    assert not Path("build").exists()


def test_another_folder_is_not_overwritten(call: Call, demo: Path) -> None:
    Path("photos").mkdir()
    Path("photos/cat.jpg").write_text("x", encoding="utf-8")
    done = call("sheets", demo, "--paper", "a4", "--out", "photos")
    assert done.code == 2
    assert "holds other things than sheets" in done.err
    assert Path("photos/cat.jpg").is_file()


def test_a_folder_is_verified(call: Call, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert call("sheets", demo, "--paper", "a4").code == 0
    assert call("sheets", demo, "--paper", "a4", "--verify").code == 0
    Path("build/sheets/demo-home-a4/demo.pdf").write_bytes(b"%PDF")
    done = call("sheets", demo, "--paper", "a4", "--verify")
    assert done.code == 1
    assert done.out == "demo.pdf is not the file that was written\n"
    monkeypatch.chdir(demo)
    here = call("sheets", ".", "--paper", "a4", "--verify")
    assert here.code == 2
    assert "build/sheets/demo-home-a4 cannot be read" in here.err
    monkeypatch.chdir(demo.parent / "work")
    assert call("sheets", demo, "--paper", "letter", "--verify").code == 2


def test_progress_is_told_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from ludoloom.compiler.cli.sheets import progress

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert progress() is None
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    tell = progress()
    assert tell is not None
    tell(0, 2, "demo.pdf, 3 pages")
    tell(2, 2, "done")
    assert terminal.getvalue() == "\r\x1b[K0/2 demo.pdf, 3 pages\r\x1b[K2/2 done\n"


def test_targets_are_listed(call: Call) -> None:
    done = call("sheets", "--targets")
    assert done.code == 0
    assert "tabletopsimulator  Tabletop Simulator: sheets of at most" in done.out


def test_a_service_gets_its_bleed_on_sheets_too(call: Call, demo: Path) -> None:
    assert call("sheets", demo, "--target", "printplaygames", "--only", "spells", "--out", "out").code == 0
    pixels = _drawn(Path("out/demo.pdf"))
    first = next(row for row in _manifest("out")["slots"] if row["side"] == "front")
    # 2 mm outside the cut of the first card, at the left and above.
    for x, y in ((float(first["x"]) - 2, float(first["y"]) + 30), (float(first["x"]) + 30, float(first["y"]) - 2)):
        assert pixels.getpixel((round(x * 2), round(y * 2))) != (255, 255, 255)


def _drawn(path: Path) -> Any:
    """The first page with two pixels a millimetre."""
    if shutil.which("pdftoppm") is None:
        pytest.skip("needs pdftoppm")
    out = path.with_suffix("")
    subprocess.run(["pdftoppm", "-r", "50.8", "-l", "1", "-singlefile", "-png", str(path), str(out)], check=True)
    return pytest.importorskip("PIL.Image").open(out.with_suffix(".png")).convert("RGB")


@pytest.mark.parametrize("backs", ["short", "fold", "separate", "none"])
def test_backs(call: Call, demo: Path, backs: str) -> None:
    done = call("sheets", demo, "--paper", "letter", "--backs", backs, "--out", "out", "--low-ink", "--only", "spells")
    assert done.code == 0, done.err
    names = [Path(file).name for file in done.out.splitlines()]
    assert names == (["demo-fronts.pdf", "demo-backs.pdf"] if backs == "separate" else ["demo.pdf"])


def test_a_printer_is_calibrated(call: Call, demo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUDOLOOM_CONFIG", str(tmp_path / "config"))
    page = call("calibrate", "--paper", "letter")
    assert page.code == 0
    assert page.out == "build/calibrate-letter.pdf\n"
    assert Path("build/calibrate-letter.pdf").read_bytes().startswith(b"%PDF")
    kept = call("calibrate", "office", "--paper", "letter", "--shift", "upper_left=0.5,-1")
    assert kept.code == 0
    assert json.loads(Path(kept.out.strip()).read_text(encoding="utf-8"))["offset"] == [0.5, -1.0]
    assert "move +0.5 mm to the right and -1 mm down" in kept.err
    done = call("sheets", demo, "--paper", "a4", "--calibration", "office", "--only", "spells", "--out", "moved")
    assert done.code == 0
    plain = call("sheets", demo, "--paper", "a4", "--only", "spells", "--out", "plain")
    assert plain.code == 0
    assert Path("moved/demo.pdf").read_bytes() != Path("plain/demo.pdf").read_bytes()


def test_the_paper_of_a_test_page_is_not_guessed(call: Call) -> None:
    done = call("calibrate")
    assert done.code == 2
    assert "say which paper is in the printer" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["office", "--shift", "upper_left"],
        ["office", "--shift", "upper_left=1"],
        ["office", "--shift", "upper_left=1,2,3"],
        ["office", "--shift", "upper_left=1,x"],
        ["office", "--shift", "middle=1,1"],
        ["office", "--shift", "upper_left=1,1", "--shift", "upper_left=1,2"],
        ["--shift", "upper_left=1,1"],
    ],
)
def test_readings_that_are_none_are_told(call: Call, arguments: list[str]) -> None:
    done: Done = call("calibrate", *arguments, "--paper", "a4")
    assert done.code == 2
    assert "which paper" not in done.err
    assert done.err.startswith("ludoloom: ")
