"""Many games and what came of them; numba's door."""

from __future__ import annotations

import itertools
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from asm import assemble, image_of
from tiny import TURNS, tokens
from ways import in_plain_python

from ludoloom.runtime import jit, playouts, vm
from ludoloom.runtime.errors import GameError
from ludoloom.runtime.game import BUDGET, Game
from ludoloom.runtime.image import PlaceRow, Program
from ludoloom.runtime.opening import prepare
from ludoloom.runtime.playouts import Playouts, Row
from ludoloom.runtime.rollout import rollouts
from ludoloom.runtime.simulate import Summary, median, simulate
from ludoloom.runtime.specialise import Special, specialise
from ludoloom.runtime.verify import prove


def test_summary_is_what_the_games_give() -> None:
    told: list[int] = []
    summary = simulate(tokens(), 25, 2, seed=40, fast=False, progress=told.append)
    assert told == list(range(1, 26))
    data = summary.data()
    assert data["games"] == 25
    assert data["outcomes"] == {"won": 25}
    assert data["winners"] == {"player_1": 25}
    # Six turns, one decision each.
    assert data["decisions"] == {"least": 6, "median": 6, "mean": 6.0, "most": 6}
    assert data["unfinished"] == 0
    assert data["faults"] == []
    assert simulate(tokens(), 25, 2, seed=40, fast=False).data() == data


def test_the_number_in_the_middle() -> None:
    for ordered, middle in (([], "0"), ([7], "7"), ([1, 2, 9], "2"), ([1, 2, 3, 9], "2.5"), ([2, 4], "3")):
        assert str(median(ordered)) == middle
    assert Summary(lengths=[9, 2, 5, 4]).data()["decisions"] == {"least": 2, "median": 4.5, "mean": 5.0, "most": 9}


def test_faults_can_be_played_again() -> None:
    made = assemble("proc main 0 1 0\nROLL 0 6\nJNZ @fine\nPUSH 0\nLDF =column 1 6\nPOP\nfine:\nPUSH 0\nEND 1")
    made.places[:] = [PlaceRow(0, 0, 3, 1, True), PlaceRow(5, 0, 12, 9, True)]
    image = image_of(made)
    summary = simulate(image, 60, 1, seed=5, fast=False)
    assert 2 <= len(summary.faults) <= 25
    assert summary.outcomes == {"drawn": 60 - len(summary.faults)}
    for stopped in summary.faults:
        assert (stopped.file, stopped.line) == ("game.yaml", 12)
        game = Game.new(image, 1, seed=stopped.seed)
        assert game.fault is not None
        assert game.fault.text == stopped.text


def test_games_without_end_are_given_up() -> None:
    body = "again:\nPUSH 7\nPUSH 1\nDUP\nDUP\nOPT\nPUSH 7\nPUSH 1\nDUP\nDUP\nOPT\nPUSH 7\nASK 0\nJMP @again"
    image = image_of(assemble(f"proc main 0 1 0\n{body}"))
    summary = simulate(image, 3, fast=False, decisions=50)
    assert summary.unfinished == 3
    assert summary.lengths == [50, 50, 50]
    # Rules that ask nobody and never end are stopped by the budget.
    image = image_of(assemble("proc main 0 1 0\nagain:\nJMP @again"))
    assert [row.text[:22] for row in simulate(image, 2, fast=False, budget=500).faults] == [
        "the instruction budget"
    ] * 2


def test_wrong_requests_are_sentences() -> None:
    with pytest.raises(GameError, match="there is no agent called 'ranodm'; did you mean 'random'"):
        simulate(tokens(), 1, agent="ranodm")
    with pytest.raises(GameError, match="Demo is for 1 to 2 players, not 7"):
        simulate(tokens(), 1, players=7)
    with pytest.raises(GameError, match="cannot be negative"):
        simulate(tokens(), -1)
    assert simulate(tokens(), 0).data()["games"] == 0


def test_without_numba_games_run_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_name: str) -> None:
        raise ImportError

    monkeypatch.setattr(jit, "import_module", missing)
    assert not jit.available()
    assert "pip install 'ludoloom[fast]'" in jit.why_not()
    assert jit.machine() is None
    assert not simulate(tokens(), 3, fast=True).fast
    assert Game.new(tokens(), fast=True).status == "ask"


def test_machine_code_lies_in_the_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUDOLOOM_CACHE", str(tmp_path))
    assert jit.cache_folder() == tmp_path / "jit"
    monkeypatch.delenv("LUDOLOOM_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("sys.platform", "linux")
    assert jit.cache_folder() == tmp_path / "cache" / "ludoloom" / "jit"
    # A folder that cannot be made is no reason not to run.
    (tmp_path / "file").write_text("")
    assert not jit.writable(tmp_path / "file" / "deep")


def plain_machine(special: Special | None = None, start: float = 0) -> jit.Machine:
    """What numba would compile, uncompiled; with functions of a game's own."""
    names = dict(vars(vm))
    played = vm.playouts
    if special is not None:
        names["run"] = in_plain_python(special)
        names["playout"] = FunctionType(vm.playout.__code__, names)
        played = FunctionType(vm.playouts.__code__, names)

    def code(words: list[int]) -> Any:
        return words if special is None else (words, special.laid)

    return jit.Machine(vm.run, vm.answer, vm.playout, played, rollouts, list, lambda n: [0] * n, code, start)


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes on by a second at each look."""
    looks = itertools.count()
    monkeypatch.setattr(playouts, "clock", lambda: float(next(looks)))


@pytest.mark.usefixtures("seconds")
@pytest.mark.parametrize(
    ("stretch", "games", "start", "told"),
    [
        (200, 40, 10, [1, 1, 1, 32, 5]),  # after 3 seconds the rest is known to take 37
        (200, 12, 10, [1] * 10 + [2]),  # the rest would take less, but plain Python has taken as long
        (200, 8, 10, [1] * 8),
        (1, 40, 2, [32, 8]),  # 3 seconds of the first game have passed, which the machine begins again
        (1, 40, 10, [1, 32, 7]),
        (1, 3, 1000, [1, 1, 1]),
    ],
)
def test_the_compiled_machine_takes_over_when_that_pays(
    stretch: int, games: int, start: float, told: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "machine", lambda: plain_machine(start=start))
    monkeypatch.setattr(playouts, "STRETCH", stretch)
    image = tokens()
    program, first, _ = prepare(image, 2, {}, 3)
    one = Playouts(program, first, BUDGET, 100, games=games)
    other = Playouts(program, first, BUDGET, 100, games=games, patient=True)
    rows: list[Row] = []
    counts: list[int] = []
    while len(rows) < games:
        found = other.next(3 + len(rows))
        rows += found
        counts.append(len(found))
    assert rows == one.results(3, games)
    assert counts == told
    assert other.compiled == (max(told) > 1)
    plain = simulate(image, games, 2, seed=3, fast=False)
    assert simulate(image, games, 2, seed=3).data() == plain.data()


@pytest.mark.usefixtures("seconds")
@pytest.mark.parametrize("numba", [False, True])
def test_no_fault_is_lost_when_the_way_of_playing_changes(numba: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "machine", lambda: plain_machine(start=4) if numba else None)
    monkeypatch.setattr(playouts, "STRETCH", 1)
    made = assemble(
        "proc main 0 1 0\nPUSH 7\nPUSH 1\nDUP\nDUP\nOPT\nPUSH 7\nPUSH 1\nDUP\nDUP\nOPT\nPUSH 7\nASK 0\n"
        "PUSH 0\nLDF =column 1 6\nPOP\nPUSH 0\nEND 1"
    )
    made.places[:] = [PlaceRow(0, 0, 3, 1, True)]
    image = image_of(made)
    for patience in range(12):
        monkeypatch.setattr(playouts, "PATIENCE", patience)
        assert len(simulate(image, 6, 1).faults) == 6


def test_games_are_given_up_at_the_same_answer_however_they_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playouts, "STRETCH", 3)
    image = tokens()
    for most in (1, 2, 3, 4, 5, 6, 7):
        one, other = (simulate(image, 5, 2, fast=fast, decisions=most) for fast in (False, None))
        assert one.data() == other.data()
        assert one.unfinished == (5 if most < 5 else 0)  # one of the six answers is forced, and asked of nobody
    with pytest.raises(GameError, match="at the earliest"):
        simulate(image, 5, 2, decisions=0)


@pytest.mark.usefixtures("seconds")
def test_without_numba_plain_python_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "machine", lambda: None)
    found = simulate(tokens(), 15, 2)
    assert not found.fast
    assert found.data() == simulate(tokens(), 15, 2, fast=False).data()


@pytest.mark.parametrize("start", [0.0, 1000.0])
def test_many_games_are_played_by_functions_of_their_own(start: float, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Special] = []

    def specialised(program: Program, places: list[int]) -> jit.Machine:
        made.append(specialise(program, prove(program), places))
        return plain_machine(made[-1], start)

    monkeypatch.setattr(jit, "machine", plain_machine)
    monkeypatch.setattr(jit, "specialised", specialised)
    monkeypatch.setattr("ludoloom.runtime.playouts.AT_ONCE", 4)
    image = image_of(assemble(TURNS))
    plain = simulate(image, 30, 2, seed=3, fast=False)
    assert simulate(image, 30, 2, seed=3, fast=True).data() == plain.data()
    assert made == []  # a few games are not worth it
    monkeypatch.setattr("ludoloom.runtime.playouts.LEAST_SAVED", 0)
    assert simulate(image, 30, 2, seed=3, fast=True).data() == plain.data()
    assert len(made) == 1
    assert made[0].entries
