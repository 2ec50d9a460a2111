"""Promises about the tree itself."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import ludoloom

ROOT = Path(__file__).parent.parent.parent


def project() -> dict[str, object]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_one_version() -> None:
    assert project()["version"] == ludoloom.__version__


def test_the_links_of_a_checkout_are_links() -> None:
    for name in ("schemas", "compiler", "runtime", "content"):
        link = ROOT / ".pypath" / "ludoloom" / name
        assert link.is_symlink()
        assert link.readlink() == Path("../..") / name


def test_names_of_the_interface_exist() -> None:
    for name in dir(ludoloom):
        assert getattr(ludoloom, name) is not None


def test_nothing_is_imported_before_it_is_used() -> None:
    script = "import sys, ludoloom; print(*(name for name in sys.modules if name.startswith('ludoloom')))"
    command = [sys.executable, "-c", script]
    environment = {"PYTHONPATH": str(ROOT / ".pypath")}
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == ["ludoloom"]


def test_l24_the_hook_for_packs_checks_the_whole_pack() -> None:
    # A pack is right or wrong as a whole: a hook that sees changed files only would miss what a change broke elsewhere.
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    assert re.search(r"^  pass_filenames: false$", hooks, re.MULTILINE)


def test_the_readme_has_two_commands_in_one_line_each() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.split("## Two commands")[1].split("\n## ")[0]
    commands = re.findall(r"^```sh\n(.*?)\n```$", section, re.MULTILINE | re.DOTALL)
    assert len(commands) == 2
    assert not any("\n" in command for command in commands)


def test_links_between_pages_lead_somewhere() -> None:
    pages = [
        *ROOT.glob("*.md"),
        *(
            page
            for top in ("compiler", "runtime", "schemas", "tests", "docs")
            for page in (ROOT / top).rglob("README.md")
            if "node_modules" not in page.parts
        ),
    ]
    for page in pages:
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"


def test_nothing_of_this_machine_is_in_the_tree() -> None:
    tops = ("schemas", "compiler", "runtime", "content", "tests", "docs", ".ci", ".pypath")
    files = [path for path in ROOT.iterdir() if path.is_file()]
    files += [path for top in tops for path in (ROOT / top).rglob("*") if path.is_file()]
    texts = [path for path in files if path.suffix in (".py", ".md", ".toml", ".yaml", ".json", ".txt", "")]
    assert len(texts) > 50
    for path in texts:
        text = path.read_text(encoding="utf-8", errors="replace")
        assert f"{ROOT}/" not in text, path
