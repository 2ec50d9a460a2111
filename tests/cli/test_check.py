"""``ludoloom check`` and ``explain`` as a person calls them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
GOOD = "pack: {id: demo, version: 1.0.0, title: Demo, players: 2}\n"
BAD = "pack: {id: demo, version: 1.0.0, title: No, players: 2}\n"


def environment(folder: Path) -> dict[str, str]:
    cleared = {name: value for name, value in os.environ.items() if not name.startswith(("LUDOLOOM", "GITHUB"))}
    return {**cleared, "PYTHONPATH": str(ROOT / ".pypath"), "LUDOLOOM_CACHE": str(folder / ".cache")}


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ludoloom", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment(folder), capture_output=True, encoding="utf-8", check=False, timeout=60
    )


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    (tmp_path / "game.yaml").write_text(GOOD, encoding="utf-8")
    return tmp_path


def test_a_sound_pack(pack: Path) -> None:
    done = run(pack, "check")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "1 file: nothing to report\n"


def test_all_findings_of_all_files(pack: Path) -> None:
    (pack / "cards").mkdir()
    for name in "ab":
        (pack / "cards" / f"{name}.yaml").write_text(
            "cards: {one: {kind: guard, cost: 012, cost: 3}}\n", encoding="utf-8"
        )
    done = run(pack, "check", ".")
    assert done.returncode == 1
    assert [line for line in done.stdout.splitlines() if "-->" in line] == [
        " --> cards/a.yaml:1:34",
        " --> cards/a.yaml:1:39",
        " --> cards/b.yaml:1:9",  # the id that stands in both files
        " --> cards/b.yaml:1:34",
        " --> cards/b.yaml:1:39",
    ]
    assert done.stderr == "3 files, 2 items (2 guard): 5 errors\n"
    assert "\x1b" not in done.stdout


def test_json_and_github(pack: Path) -> None:
    (pack / "game.yaml").write_text(BAD, encoding="utf-8")
    done = run(pack, "check", "--format", "json")
    data = json.loads(done.stdout)
    assert done.returncode == 1
    assert [row["code"] for row in data["findings"]] == ["yaml-reads-differently"]
    assert data["summary"]["errors"] == 1
    done = run(pack, "check", "--format", "github")
    assert done.stdout.startswith("::error file=game.yaml,line=1,")
    assert done.returncode == 1


def test_notes_and_warnings_in_the_exit_code(pack: Path) -> None:
    (pack / "game.yaml").write_text(GOOD.rstrip() + "  # ludoloom: allow x\n", encoding="utf-8")
    done = run(pack, "check")
    assert done.returncode == 1
    assert "warning[bad-allow]" in done.stdout


def test_colour_only_if_asked(pack: Path) -> None:
    (pack / "game.yaml").write_text(BAD, encoding="utf-8")
    assert "\x1b[1;31m" in run(pack, "check", "--color", "always").stdout
    assert "\x1b" not in run(pack, "check", "--color", "never").stdout


def test_no_files_are_no_success(tmp_path: Path) -> None:
    done = run(tmp_path, "check")
    assert done.returncode == 1
    assert "error[nothing-checked]" in done.stdout


def test_wrong_calls(pack: Path) -> None:
    done = run(pack, "check", "missing")
    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        "",
        "ludoloom: there is no pack `missing` (looked in the shipped packs)\n",
    )
    assert run(pack, "check", "--format", "xml").returncode == 2
    assert run(pack, "chek").returncode == 2
    for arguments in (("chek",), ("check", "--nothing")):
        assert "Traceback" not in run(pack, *arguments).stderr


def test_several_paths_and_single_files(pack: Path) -> None:
    done = run(pack, "check", "game.yaml", ".")
    assert done.stderr == "1 file: nothing to report\n"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="rights do not bind everybody")
def test_a_file_without_rights(pack: Path) -> None:
    (pack / "more.yaml").write_text("cards: {}\n", encoding="utf-8")
    (pack / "more.yaml").chmod(0)
    done = run(pack, "check")
    assert done.returncode == 1
    assert "error[unreadable]" in done.stdout
    assert "2 files (1 could be read)" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no path there")
def test_a_pipe_among_the_files_is_not_waited_for(pack: Path) -> None:
    first = run(pack, "check")
    assert first.returncode == 0
    os.mkfifo(pack / "pipe.yaml")
    done = run(pack, "check")
    assert (done.returncode, done.stdout) == (
        1,
        "error[unreadable]: this is no ordinary file\n --> pipe.yaml:1:1\n  = help: name a YAML file\n\n",
    )
    # A file that was read before, and so is looked at again by what is kept of that check.
    (pack / "pipe.yaml").unlink()
    (pack / "game.yaml").unlink()
    os.mkfifo(pack / "game.yaml")
    assert "this is no ordinary file" in run(pack, "check").stdout


def test_an_image_is_no_pack(pack: Path) -> None:
    (pack / "demo.loom").write_bytes(b"LOOM\xff\xfe")
    done = run(pack, "check", "demo.loom")
    assert (done.returncode, done.stdout) == (2, "")
    assert "demo.loom is an image" in done.stderr


def test_links_that_lead_nowhere_or_in_circles(pack: Path) -> None:
    (pack / "circle").symlink_to(pack, target_is_directory=True)
    (pack / "gone.yaml").symlink_to(pack / "nothing.yaml")
    assert run(pack, "check").stderr == "1 file: nothing to report\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_reader_that_goes_away(pack: Path) -> None:
    for file in range(20):  # more than a pipe holds
        (pack / f"more_{file}.yaml").write_text("".join(f"k{n}_{file}: 1\n" for n in range(200)), encoding="utf-8")
    command = f'"{sys.executable}" -m ludoloom check | head -1; exit ${{PIPESTATUS[0]}}'
    done = subprocess.run(
        ["bash", "-c", command], cwd=pack, env=environment(pack), capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 141
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
@pytest.mark.parametrize("command", ["explain", "check", "show pot", "schema", "simulate . -n 3", "--help"])
def test_a_full_disk(pack: Path, command: str) -> None:
    rest = "state: {pot: 0 to 9}\n" if command != "check" else "k: 1\n"
    rest += "play: [on]\nphases: {on: {do: [{gain: {what: pot, amount: 1}}]}}\n"
    rest += "end: {full: {whenever: pot == 3, winners: none}}\n"
    (pack / "game.yaml").write_text(GOOD + rest, encoding="utf-8")
    command = f'"{sys.executable}" -m ludoloom {command}'
    for where in (">/dev/full", ">/dev/full 2>/dev/full"):
        done = subprocess.run(
            ["bash", "-c", f"{command} {where}"],
            cwd=pack,
            env=environment(pack),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 2, done.stderr
        if "2>" not in where:
            assert done.stderr.splitlines()[-1] == "ludoloom: the output cannot be written: No space left on device"
            assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c(pack: Path) -> None:
    script = "import signal; from ludoloom.compiler import pipeline; from ludoloom.compiler.cli.main import main\n"
    script += "def stop(*paths): raise KeyboardInterrupt\npipeline.check = stop\nmain(['check', '--no-cache'])\n"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=pack,
        env=environment(pack),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 130
    assert done.stderr == "stopped\n"
    assert signal.SIGINT.value + 128 == 130


def test_explain(tmp_path: Path) -> None:
    done = run(tmp_path, "explain", "duplicate-key")
    assert done.returncode == 0
    assert done.stdout.startswith("# duplicate-key\n")
    assert "## Wrong" in done.stdout
    listed = run(tmp_path, "explain").stdout
    assert "duplicate-key " in listed
    done = run(tmp_path, "explain", "duplicate-kye")
    assert done.returncode == 2
    assert "did you mean `duplicate-key`?" in done.stderr
    assert run(tmp_path, "explain", "../codes").returncode == 2


def test_help_says_what_a_command_does(tmp_path: Path) -> None:
    done = run(tmp_path, "--help")
    assert done.returncode == 0
    for word in ("check", "explain", "--version"):
        assert word in done.stdout
    assert "--format" in run(tmp_path, "check", "--help").stdout
    assert run(tmp_path, "--version").stdout.startswith("ludoloom 0.")
    assert run(tmp_path).returncode in (0, 2)


def imported(folder: Path, *arguments: str) -> set[str]:
    """The modules that a call imports."""
    script = "import sys\nfrom ludoloom.compiler.cli.main import main\ntry:\n    main(sys.argv[1:])\n"
    script += "except SystemExit:\n    print('\\n'.join(sys.modules), file=sys.stderr)\n"
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment(folder), capture_output=True, encoding="utf-8", check=True
    )
    return set(done.stderr.split())


def test_nothing_heavy_is_imported_before_it_is_used(pack: Path) -> None:
    heavy = {"yaml", "pydantic", "rich", "jinja2", "numba", "numpy", "jsonschema"}
    assert not heavy & imported(pack, "--help")
    assert "yaml" in imported(pack, "check")
    assert not heavy & imported(pack, "check"), "the second time the cache answers"
    assert not heavy & imported(pack, "explain", "tag")


@pytest.mark.skipif(sys.platform == "win32", reason="the time of a child")
def test_start_up_is_quick(tmp_path: Path) -> None:
    def seconds(*command: str) -> float:
        """Of the processor: what else the machine does is nobody's fault."""
        before = os.times()
        subprocess.run(
            [sys.executable, *command], cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=True
        )
        after = os.times()
        return after.children_user - before.children_user + after.children_system - before.children_system

    bare = min(seconds("-c", "pass") for _ in range(4))
    assert min(seconds("-m", "ludoloom", "--help") for _ in range(4)) - bare < 0.25
