"""Typst in its child process: what it gives, what it cannot reach, and what ends it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoloom.compiler.sheets import fonts, typeset
from ludoloom.compiler.sheets.model import Output
from ludoloom.compiler.sheets.typeset import stage

pytestmark = pytest.mark.skipif(not typeset.available(), reason="the extra `print` is not installed")

CARD = "#set page(width: 63mm, height: 88mm, margin: 5mm)\n"


def run(
    source: str, tmp_path: Path, *, seconds: int = 60, megabytes: int = 1500, **files: bytes | Path
) -> typeset.Typeset:
    named = {name.replace("__", "."): content for name, content in files.items()}
    output = Output(tmp_path / "out.pdf")
    return typeset.typeset(CARD + source, named, [output], seconds=seconds, megabytes=megabytes)


def test_a_file_is_written_and_reports_are_read_back(tmp_path: Path) -> None:
    found = run("Hello #metadata((face: 1))<report>", tmp_path)
    assert found.ok
    assert found.written == (tmp_path / "out.pdf",)
    assert found.reports == ({"face": 1},)
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF-")


def test_a_page_is_as_large_as_it_says_and_has_no_tags(tmp_path: Path) -> None:
    """L60: 63 x 88 mm, not a rounded number of pixels."""
    pypdf = pytest.importorskip("pypdf")
    run("Hello", tmp_path)
    document = pypdf.PdfReader(tmp_path / "out.pdf")
    box = document.pages[0].mediabox
    assert abs(float(box.width) / 72 * 25.4 - 63) < 0.01
    assert abs(float(box.height) / 72 * 25.4 - 88) < 0.01
    assert "/StructTreeRoot" not in document.trailer["/Root"]


def test_the_same_source_gives_the_same_bytes(tmp_path: Path) -> None:
    run(f'#set text(font: "{fonts.TEXT}")\nHello', tmp_path)
    first = (tmp_path / "out.pdf").read_bytes()
    run(f'#set text(font: "{fonts.TEXT}")\nHello', tmp_path)
    assert (tmp_path / "out.pdf").read_bytes() == first


def test_pages_become_pictures_in_order(tmp_path: Path) -> None:
    output = Output(tmp_path / "p{page}.png", "png", ppi=72)
    found = typeset.typeset(CARD + "a #pagebreak() b #pagebreak() c", {}, [output])
    assert [path.name for path in found.written] == ["p0001.png", "p0002.png", "p0003.png"]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('#read("/etc/passwd")', "not found"),
        ('#read("../../../../../../etc/passwd")', "escape the project root"),
        ('#image("C:\\\\secret.png")', ""),
        ('#import "@preview/cetz:0.3.0"', "failed to download"),
        ('#import ("@pre" + "view/cetz:0.3.0"): canvas', "failed to download"),
        ('#import "@local/mine:1.0.0"', "not found"),
    ],
)
def test_nothing_outside_is_reached(source: str, words: str, tmp_path: Path) -> None:
    found = run(source, tmp_path)
    assert not found.ok
    assert not found.written
    assert words in found.troubles[0].message


def test_a_link_is_copied_never_followed_by_typst(tmp_path: Path) -> None:
    """Typst follows links out of its root; so none is ever in it."""
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (tmp_path / "link.txt").symlink_to(tmp_path / "secret.txt")
    stage(tmp_path / "root", {"given.txt": tmp_path / "link.txt"})
    assert not (tmp_path / "root" / "given.txt").is_symlink()


@pytest.mark.parametrize("name", ["../out.txt", "/etc/out.txt", "a/../../out.txt"])
def test_no_file_is_staged_outside(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="leads out"):
        stage(tmp_path / "root", {name: b"x"})


def test_the_environment_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setenv("TYPST_FONT_PATHS", str(tmp_path))
    run("Hello", tmp_path)
    first = (tmp_path / "out.pdf").read_bytes()
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    run("Hello", tmp_path)
    assert (tmp_path / "out.pdf").read_bytes() == first


def test_too_much_memory_ends_it(tmp_path: Path) -> None:
    found = run("#range(900000000).len()", tmp_path, megabytes=300)
    assert (found.stopped, found.written) == ("memory", ())


def test_too_long_ends_it(tmp_path: Path) -> None:
    found = run(
        "#let f(n) = { let a = 0\n for i in range(2000) { for j in range(2000) { a += j } }\n a }\n"
        "#range(1000).map(f).sum()",
        tmp_path,
        seconds=2,
    )
    assert found.stopped == "time"


def test_a_function_without_end_is_told(tmp_path: Path) -> None:
    found = run("#let f(n) = f(n + 1)\n#f(1)", tmp_path)
    assert "call depth" in found.troubles[0].message


def test_a_mistake_has_its_line(tmp_path: Path) -> None:
    found = run("\n#box(\n  wdth: 3pt)", tmp_path)
    (trouble,) = found.troubles
    assert (trouble.file, trouble.line, trouble.column) == ("main.typ", 4, 2)
    assert "wdth" in trouble.message


def test_a_mistake_in_a_function_is_told_where_it_is(tmp_path: Path) -> None:
    found = run('#import "more.typ": f\n#f(1)', tmp_path, more__typ=b"#let f(a) = {\n  a.foo\n}")
    (trouble,) = found.troubles
    assert (trouble.file, trouble.line) == ("more.typ", 2)


def test_a_mistake_that_only_a_query_finds_has_its_line_too(tmp_path: Path) -> None:
    found = typeset.typeset(CARD + "#box(wdth: 3pt)", {}, [])
    assert [(trouble.line, trouble.message) for trouble in found.troubles] == [(2, "unexpected argument: wdth")]


@pytest.mark.parametrize(
    "link", ["/etc/hostname.png", "file:///etc/x.png", "../../../x.png", "http://127.0.0.1:9/x.png"]
)
def test_a_vector_picture_reaches_nothing(link: str, tmp_path: Path) -> None:
    """Those of packs are looked at before; this is the second wall."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><image href="{link}" width="9" height="9"/></svg>'
    found = run('#image("a.svg")', tmp_path, a__svg=svg.encode())
    assert not found.ok
    assert "failed to load linked image" in found.troubles[0].message
