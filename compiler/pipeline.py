"""The passes of a check, in order; what each needs of those before it.

    files ── read ── shape ── merge (packs, overlays, modes) ── declare ── cells ── lower ── scenarios

- *read* and *shape* look at each file alone; everything after them at whole packs.
- A file that could not be read keeps the later passes from its pack: what it declares would be missed everywhere.
- A file of a wrong shape keeps acts and formulas from being lowered; names and cells are still checked, and what is
  found inside an entry that an earlier pass has complained about is left out, as it would be the same fault once more.

`check` runs them all over packs and single files; `load` is the same for games by name, for those who play them."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ludoloom.compiler.analysis.tree import GameTree
from ludoloom.compiler.cache import Trace, yaml_files
from ludoloom.compiler.compile import compile_tree
from ludoloom.compiler.diagnostics.again import not_again
from ludoloom.compiler.diagnostics.limits import limited
from ludoloom.compiler.diagnostics.model import Bag, Diagnostic
from ludoloom.compiler.diagnostics.silences import settle
from ludoloom.compiler.frontend.kept import Shelf
from ludoloom.compiler.frontend.nodes import Map, Scalar, Span
from ludoloom.compiler.frontend.read import read, read_bytes
from ludoloom.compiler.frontend.shape import check_shape, is_ledger
from ludoloom.compiler.packs import load_game, pack_around, packs_beneath, shipped, shown_path
from ludoloom.compiler.report import Report
from ludoloom.compiler.scenario import ScenarioPass, Scenarios
from ludoloom.runtime.image import Image


@dataclass(slots=True)
class Compiled:
    """A game with its expansions, merged, and what it became; no image after errors."""

    tree: GameTree
    image: Image | None
    scenarios: Scenarios


@dataclass(slots=True)
class Checked:
    """Everything a check worked out: the findings, the trees by the shown name of their file, what was looked at, and
    the games."""

    bag: Bag = field(default_factory=Bag)
    trees: dict[str, Map] = field(default_factory=dict[str, Map])
    files: int = 0
    trace: Trace = field(default_factory=Trace)
    shelf: Shelf = field(default_factory=Shelf)
    hidden: dict[str, int] = field(default_factory=dict[str, int])
    """How many findings of each severity are too many to show."""
    games: list[Compiled] = field(default_factory=list[Compiled])

    def report(self) -> Report:
        items: Counter[str] = Counter()
        for tree in self.trees.values():
            for _, section in tree:
                for _, item in section if isinstance(section, Map) else ():
                    kind = item.get("kind") if isinstance(item, Map) else None
                    if isinstance(kind, Scalar) and isinstance(kind.value, str):
                        items[kind.value] += 1
        return Report(self.bag.findings, self.files, len(self.trees), dict(items), self.hidden)

    def settle(self) -> None:
        """All passes are through: silence what is silenced, and leave out what is too much to show."""
        self.bag.findings, self.hidden = limited(settle(self.bag))


def check_folder(path: Path) -> Bag:
    """The findings about the packs in a folder."""
    return check([path]).bag


def check(
    paths: Sequence[Path],
    with_packs: Sequence[str] = (),
    packs_dirs: Sequence[str | Path] = (),
    shelf: Shelf | None = None,
) -> Checked:
    """Check the packs in these folders, and single files; all findings of all files. A file that is on the `shelf` as
    it is now is not read again."""
    checked = Checked(shelf=shelf or Shelf())
    with _no_collector():
        names: list[str] = []
        for path in paths:
            names += _names(path, checked)
        _check_games(names, with_packs, packs_dirs, checked, checking=True)
    if not checked.files and not checked.bag.findings:
        shown = " ".join(shown_path(path) for path in paths)
        checked.bag.add(
            "nothing-checked",
            Span(shown, 1, 1, 1, 1),
            "no YAML file was found here",
            "name the folder of a pack; its files end in .yaml",
        )
    checked.settle()
    return checked


def load(
    names: Sequence[str],
    with_packs: Sequence[str] = (),
    packs_dirs: Sequence[str | Path] = (),
    *,
    scenarios: bool = False,
) -> Checked:
    """Check games, named by their folders or ids. Raises `PackNotFound` if a name leads nowhere. With `scenarios` the
    images also hold what is needed to run these."""
    checked = Checked()
    with _no_collector():
        _check_games(names, with_packs, packs_dirs, checked, scenarios)
    checked.settle()
    return checked


def _names(path: Path, checked: Checked) -> list[str]:
    """The packs that a path means; where nothing lies, it is taken for an id. What belongs to no pack is read here,
    file by file."""
    if not os.path.lexists(path):
        return [str(path)]
    if path.is_dir():
        checked.trace.folder(path)
        if found := packs_beneath(path):
            return [str(folder) for folder in found]
        files = yaml_files(path)
    else:
        files = [path]
    around = pack_around(path)
    if around is not None:
        return [str(around)]
    reader = _Reader(checked)
    for file in files:
        reader(file, shown_path(file), reader.merging)
    if path.is_dir() and files and not checked.bag.failed:
        checked.bag.add(
            "pack-missing",
            Span(shown_path(files[0]), 1, 1, 1, 1),
            f"no file of `{shown_path(path)}` has a section `pack`",
            "write `pack: {id: …, version: 1.0.0, title: …, players: 2}` in game.yaml",
        )
    return []


class _Reader:
    """Reads each file once, checks its shape, and notes what was looked at."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.merging = Bag()
        """What is found when files are brought together; it counts only where the files alone are sound."""
        self.known: dict[str, Map | None] = {}
        self.torn: set[str] = set()
        """Files that could not be read whole."""

    def __call__(self, path: Path, shown: str, bag: Bag) -> Map | None:
        """The tree of a file. A manifest that is only looked at for its id comes with a bag of its own."""
        checked, found = self.checked, self.checked.bag
        if bag is not self.merging:
            data = read_bytes(path, shown, bag)
            checked.trace.file(path, data)
            return None if data is None else read(data, shown, bag)
        if shown in self.known:
            return self.known[shown]
        checked.files += 1
        data = read_bytes(path, shown, found)
        name = checked.trace.file(path, data) + ("!" if is_ledger(shown) else "")
        tree = None if data is None else self._tree(data, shown, name, found)
        self.known[shown] = tree
        if tree is not None:
            checked.trees[shown] = tree
        if tree is None or shown in found.torn:
            self.torn.add(shown)
        return tree

    def _tree(self, data: bytes, shown: str, name: str, found: Bag) -> Map | None:
        """The tree of a file from its content, read and of the right shape, or as it is kept under `name`."""
        shelf, own = self.checked.shelf, Bag()
        if kept := shelf.take(name, data, shown):
            found.silences += kept.silences
            return kept.tree
        tree = read(data, shown, own)
        if tree is not None and shown not in own.torn:
            self._shape(tree, shown, own)
            if not own.findings:
                shelf.put(name, tree, own.silences)
        _add(own.findings, found)
        found.silences += own.silences
        found.torn |= own.torn
        return tree

    def _shape(self, tree: Map, shown: str, found: Bag) -> None:
        """Check the shape of a file, apart from what could not be read well."""
        errors = [finding for finding in found.findings if finding.severity == "error"]
        if not errors:
            check_shape(tree, shown, found)
            return
        shape = Bag()
        check_shape(tree, shown, shape)
        _add(not_again(errors, shape.findings, {shown: tree}), found)


def _check_games(
    names: Sequence[str],
    with_packs: Sequence[str],
    packs_dirs: Sequence[str | Path],
    checked: Checked,
    scenarios: bool = False,
    *,
    checking: bool = False,
) -> None:
    if not names:
        return
    reader = _Reader(checked)
    for folder in [*packs_dirs, *filter(None, os.environ.get("LUDOLOOM_PACKS", "").split(os.pathsep)), shipped()]:
        checked.trace.folder(Path(folder))
    trees = load_game(names, with_packs, packs_dirs, reader.merging, reader)
    errors = [finding for finding in checked.bag.findings if finding.severity == "error"]
    _add(not_again(errors, reader.merging.findings, reader.known), checked.bag)
    for tree in trees:
        for pack in tree.packs:
            checked.trace.folder(pack.folder)
        checked.games.append(_compile(tree, reader, checked.bag, scenarios, checking=checking))


def _compile(tree: GameTree, reader: _Reader, bag: Bag, scenarios: bool, *, checking: bool) -> Compiled:
    files = set(tree.file_names())
    files |= {pack.ledger.shown for pack in tree.packs if pack.ledger is not None}
    if files & reader.torn:
        return Compiled(tree, None, Scenarios())
    earlier = [finding for finding in bag.findings if finding.severity == "error" and finding.span.file in files]
    later = Bag()
    with_scenarios = ScenarioPass(tree, lower=scenarios)
    image = compile_tree(tree, later, with_scenarios, checking=checking, sound=not earlier)
    known = with_scenarios.finish(later)
    if earlier:
        _add(not_again(earlier, later.findings, reader.known), bag)
        return Compiled(tree, None, Scenarios())
    _add(later.findings, bag)
    return Compiled(tree, None if later.failed else image, known)


def _add(findings: Sequence[Diagnostic], bag: Bag) -> None:
    for row in findings:
        bag.add(row.code, row.span, row.message, row.hint, row.related, row.path)


@contextmanager
def _no_collector() -> Generator[None, None, None]:
    """Trees are large and hold no cycles: looking for some takes a fifth of the time of reading."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():
                # Everything counts as old now; else the next few objects would have all of the trees looked at.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
