"""Packs that are strange on purpose: very deep, very large, in circles.

The compiler ends in time with findings, or with an image that is proved safe and in which nothing hangs; it never
raises. `REFUSED` must have an error (the code, where it matters), `SOUND` must be without one.
"""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

from ludoloom.compiler.pipeline import check_folder, load
from ludoloom.runtime.game import Game
from ludoloom.runtime.verify import check_image

LONGEST = 15.0
"""Seconds: far more than any of them takes, far less than for ever."""
BASE = """pack: {id: demo, version: 1.0.0, title: Demo, players: 2}
kinds: {gambler: {family: player, plural: gamblers, state: {score: 0 to 9}}}
players: {ann: {kind: gambler, origin: original}, bob: {kind: gambler, origin: original}}
"""
LOOSE = """play: [round]
phases: {round: {do: [{set: {what: ann.score, to: 1}}]}}
end: {over: {whenever: ann.score == 1, winners: none}}
"""


def nested_blocks(depth: int) -> str:
    return "[{if: ann.score == 0, then: " * depth + "[{set: {what: ann.score, to: 1}}]" + "}]" * depth


def play(statements: str) -> str:
    end = "end: {over: {whenever: ann.score == 1, winners: none}}\n"
    return f"play: [round]\nphases: {{round: {{do: {statements}}}}}\n{end}"


REFUSED: dict[str, tuple[str, str]] = {
    "deep brackets": (f"computed: {{deep: {'(' * 900}1{')' * 900}}}\n{LOOSE}", "not-in-language"),
    "many nots": (f"computed: {{deep: {'not ' * 480}true}}\n{LOOSE}", ""),
    "long chain of dots": (f"computed: {{far: ann{'.next' * 390}.score}}\n{LOOSE}", ""),
    "blocks in blocks": (play(nested_blocks(120)), ""),
    "a formula of itself": (f"computed: {{one: one + 1}}\n{LOOSE}", "formula-cycle"),
    "formulas in a ring": (f"computed: {{a: b, b: c, c: a}}\n{LOOSE}", "formula-cycle"),
    "broken formulas that all use each other": (
        "computed: {"
        + ", ".join(f"f{n}: f{n + 1} + f{n + 1} + f{n + 1}" for n in range(60))
        + f", f60: lost}}\n{LOOSE}",
        "unknown-word",
    ),
    "a verb that calls itself": (f"verbs: {{again: {{do: [again]}}}}\n{play('[again]')}", "unbounded-recursion"),
    "verbs that call each other": (
        f"verbs: {{one: {{do: [two]}}, two: {{do: [one]}}}}\n{play('[one]')}",
        "unbounded-recursion",
    ),
    "a phase that runs itself": (play("[{run: round}]"), "unbounded-recursion"),
    "a trigger of itself": (
        (
            "verbs: {pay: {do: [{gain: {what: ann.score, amount: 2}}]}}\n"
            f"triggers: {{more: {{after: pay, do: [pay]}}}}\n{play('[pay]')}"
        ),
        "trigger-cycle",
    ),
    "a formula that asks itself with another number": (
        "computed: {down: {with: {k: int}, is: {rows: {k <= 0: 0, else: down(k - 1) + 1}}}}\n"
        + play("[{set: {what: ann.score, to: down(3)}}]"),
        "formula-cycle",
    ),
    "a kind of itself": (f"kinds: {{gambler: {{is_a: gambler}}}}\n{LOOSE}", ""),
    "a billion copies": (
        "kinds: {chip: {family: piece}}\n"
        f"pieces: {{c: {{kind: chip, origin: original, copies: 1000000000}}}}\n{LOOSE}",
        "",
    ),
    "a million players": (f"pack: {{id: demo, version: 1.0.0, title: Demo, players: 1 to 1000000}}\n{LOOSE}", ""),
    "a die of a billion faces": (
        f"dice: {{d: {{origin: original, faces: 1 to 1000000000}}}}\n{play('[{roll: d}]')}",
        "",
    ),
    "a face a billion times": (
        f"dice: {{d: {{origin: original, faces: [{{side: heads, times: 1000000000}}]}}}}\n{play('[{roll: d}]')}",
        "",
    ),
    "an endless repeat": (
        play("[{repeat: {while: ann.score == 0}, do: [{set: {what: ann.score, to: 0}}]}]"),
        "unbounded-repeat",
    ),
    "numbers without end": (
        play("[{choose: {k: {from: 0+, by: active}}, then: [{set: {what: ann.score, to: k}}]}]"),
        "number-unbounded",
    ),
    "too many numbers": (
        play("[{choose: {k: {from: 0 to 2000000000, by: active}}, then: [{set: {what: ann.score, to: k}}]}]"),
        "",
    ),
    "statements in odd shapes": (
        play("[1, [], {}, none, {if: true}, {then: []}, {set: 3}, {gain: []}, {choose: 3}, {for_each: x}]"),
        "",
    ),
    "sections of a wrong shape": (
        "actions: 3\nverbs: []\nwindows: none\nphases: {round: 3}\nplay: {a: b}\nend: [1]\n",
        "",
    ),
    "a grid of a billion": (
        f"kinds: {{hall: {{family: tile, fields: {{paths: int}}}}, cave: {{family: map}}}}\n"
        f"maps: {{m: {{kind: cave, origin: original, grows_with: hall, grid: 30000 x 30000, joins: paths}}}}\n{LOOSE}",
        "",
    ),
    "too many modes": (
        "options: {" + ", ".join(f"o{n}: {{is: bool, name: O}}" for n in range(12)) + "}\n"
        "modes: {" + ", ".join(f"m{n}: {{while: options.o{n}}}" for n in range(12)) + f"}}\n{LOOSE}",
        "too-many-modes",
    ),
}
SOUND: dict[str, str] = {
    "sections that are empty": "actions: {}\nverbs: {}\nwindows: {}\nphases: {}\nplay: []\nend: {}\n",
    "a long chain of formulas": (
        "computed: {" + ", ".join(f"f{k}: f{k + 1} + 1" for k in range(300)) + f", f300: ann.score}}\n"
        f"{play('[{set: {what: ann.score, to: f0 - 299}}]')}"
    ),
    "a condition that comes true for ever": (
        "state: {on_it: bool}\n"
        "triggers: {flip: {whenever: on_it, do: [{set: {what: on_it, to: false}}, {set: {what: on_it, to: true}}]}}\n"
        + play("[{set: {what: on_it, to: true}}]")
    ),
    "a very long repeat": play("[{repeat: {times: 2000000000}, do: [{set: {what: ann.score, to: 0}}]}]"),
    "a long walk": (
        f"tracks: {{days: {{origin: original, shape: loop, spaces: 0 to 999}}}}\n"
        f"{play('[{advance: {what: days, amount: 2000000000}}, {set: {what: ann.score, to: days}}]')}"
    ),
    "a window that opens itself": (
        "actions: {again: {who: {gambler: gamblers}, do: [{open: deeds}]}}\n"
        "windows: {deeds: {who: gamblers, order: free, offers: [again], closes: one}}\n" + play("[{open: deeds}]")
    ),
    "sums that leave the words": (
        "state: {large: {is: int, start: 2000000000}}\n"
        + play("[{gain: {what: large, amount: large}}, {set: {what: ann.score, to: large}}]")
    ),
    "a division by zero": ("state: {zero: 0 to 9}\n" + play("[{set: {what: ann.score, to: 5 // zero}}]")),
    "beyond a bound": "state: {pot: 0 to 99}\n"
    + play("[{set: {what: pot, to: 50}}, {set: {what: ann.score, to: pot}}]"),
}


def folder_of(tmp_path: Path, text: str) -> Path:
    base = "\n".join(line for line in BASE.splitlines() if f"\n{line.partition(':')[0]}:" not in f"\n{text}")
    (tmp_path / "game.yaml").write_text(f"{base}\n{text}", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    text, code = REFUSED[name]
    start = monotonic()
    found = check_folder(folder_of(tmp_path, text)).findings
    assert monotonic() - start < LONGEST
    errors = [each.code for each in found if each.severity == "error"]
    assert errors, "nothing was found"
    assert not code or code in errors, [(each.code, each.message) for each in found]
    assert len(found) < 60, "the fault is told once, not everywhere"


@pytest.mark.parametrize("name", SOUND)
def test_sound(name: str, tmp_path: Path) -> None:
    start = monotonic()
    checked = load([str(folder_of(tmp_path, SOUND[name]))])
    assert [each.message for each in checked.bag if each.severity == "error"] == []
    image = checked.games[0].image
    assert image is not None
    check_image(image)
    game = Game.new(image, budget=300_000)
    for _ in range(50):
        if game.status != "ask":
            break
        game.apply(0)
    assert game.status in ("end", "fault", "ask")
    assert game.fault is None or game.fault.line > 0, "a fault names its line"
    assert monotonic() - start < LONGEST
