"""Commands as a person calls them, in this process: what they print and the code that they leave with."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ludoloom.compiler.cli.main import main

GAMES = Path(__file__).parent.parent / "games"


@dataclass(frozen=True, slots=True)
class Done:
    """What a command did."""

    code: int
    out: str
    err: str


Call = Callable[..., Done]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Runs a command in an empty folder: ``call("play", GAME, typed="1\\nquit\\n")``."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("LUDOLOOM_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LUDOLOOM_PACKS", raising=False)

    def run(*arguments: str | Path, typed: str = "") -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Done(left.value.code if isinstance(left.value.code, int) else 1, captured.out, captured.err)

    return run
