"""What people install: the wheel, built from the tree and from the source archive, used from another folder."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
BAD = "pack: {id: demo, version: 1.0.0, title: No, players: 2}\n"

pytestmark = pytest.mark.slow


def call(*command: str, cwd: Path, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "LUDOLOOM_CACHE")}
    environment["LUDOLOOM_CACHE"] = str(cwd / ".cache")
    if path:
        environment["PYTHONPATH"] = str(path)
    return subprocess.run(
        [sys.executable, *command], cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=False
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel that was built from the source archive, as a package index would have it."""
    out = tmp_path_factory.mktemp("dist")
    done = call("-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT), cwd=out)
    assert done.returncode == 0, done.stdout + done.stderr
    [built] = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("site")
    done = call("-m", "pip", "install", "--no-deps", "--quiet", "--target", str(site), str(wheel), cwd=site)
    assert done.returncode == 0, done.stderr
    return site


def test_it_holds_one_package(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"ludoloom"}
    for name in ("__init__.py", "__main__.py", "py.typed", "runtime/isa.py", "compiler/diagnostics/explain/tag.md"):
        assert f"ludoloom/{name}" in names
    assert not [name for name in names if "__pycache__" in name or name.startswith("ludoloom/tests")]
    shipped = {path.relative_to(ROOT).as_posix() for path in (ROOT / "content").rglob("*.yaml")}
    assert {f"ludoloom/{name}" for name in shipped} <= set(names)


def test_it_works_in_a_folder_that_has_folders_of_the_same_names(installed: Path, tmp_path: Path) -> None:
    for name in ("schemas", "compiler", "runtime", "content"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError\n", encoding="utf-8")
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "game.yaml").write_text(BAD, encoding="utf-8")
    done = call("-m", "ludoloom", "check", "pack", cwd=tmp_path, path=installed)
    assert done.returncode == 1, done.stderr
    assert " --> pack/game.yaml:1:41" in done.stdout
    assert call("-m", "ludoloom", "explain", "tag", cwd=tmp_path, path=installed).stdout.startswith("# tag\n")


def test_the_interface_is_there(installed: Path, tmp_path: Path) -> None:
    script = "import ludoloom; print(ludoloom.__file__); print(*(getattr(ludoloom, name) for name in dir(ludoloom)))"
    done = call("-c", script, cwd=tmp_path, path=installed)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(installed))


def test_a_checkout_can_be_installed_for_editing(tmp_path: Path) -> None:
    site = tmp_path / "site"
    command = [
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--no-build-isolation",
        "--quiet",
        "--target",
        str(site),
        "-e",
        str(ROOT),
    ]
    done = call(*command, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    [pointer] = site.glob("*.pth")
    assert Path(pointer.read_text(encoding="utf-8").strip()) == ROOT / ".pypath"
