"""The passes of a check, in order: read each file."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ludoloom.compiler.cache import Trace, yaml_files
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.diagnostics.silences import settle
from ludoloom.compiler.frontend.nodes import Map, Scalar, Span
from ludoloom.compiler.frontend.read import read, read_bytes
from ludoloom.compiler.report import Report


@dataclass(slots=True)
class Checked:
    """Everything a check worked out: the findings, the trees by the shown name of their file, what was looked at."""

    bag: Bag = field(default_factory=Bag)
    trees: dict[str, Map] = field(default_factory=dict[str, Map])
    files: int = 0
    trace: Trace = field(default_factory=Trace)

    def report(self) -> Report:
        items: Counter[str] = Counter()
        for tree in self.trees.values():
            for _, section in tree:
                for _, item in section if isinstance(section, Map) else ():
                    kind = item.get("kind") if isinstance(item, Map) else None
                    if isinstance(kind, Scalar) and isinstance(kind.value, str):
                        items[kind.value] += 1
        return Report(self.bag.findings, self.files, len(self.trees), dict(items))


def check_folder(path: Path) -> Bag:
    """The findings about the pack in a folder."""
    return check([path]).bag


def check(paths: Sequence[Path]) -> Checked:
    """Check the packs in these folders, and single files; all findings of all files."""
    checked = Checked()
    with _no_collector():
        for path in paths:
            _check_path(path, checked)
    if not checked.files:
        names = " ".join(shown(path) for path in paths)
        checked.bag.add(
            "nothing-checked",
            Span(names, 1, 1, 1, 1),
            "no YAML file was found here",
            "name the folder of a pack; its files end in .yaml",
        )
    checked.bag.findings = settle(checked.bag)
    return checked


def _check_path(path: Path, checked: Checked) -> None:
    if path.is_dir():
        checked.trace.folder(path)
        files = yaml_files(path)
    else:
        files = [path]
    for file in files:
        name = shown(file)
        if name in checked.trees:
            continue
        checked.files += 1
        data = read_bytes(file, name, checked.bag)
        checked.trace.file(file, data)
        tree = None if data is None else read(data, name, checked.bag)
        if tree is not None:
            checked.trees[name] = tree


def shown(path: Path) -> str:
    """The name by which messages call a file: relative to the working folder if it lies below, with forward slashes."""
    full = Path(os.path.abspath(path))
    here = Path.cwd()
    return (full.relative_to(here) if full.is_relative_to(here) else full).as_posix()


@contextmanager
def _no_collector() -> Generator[None, None, None]:
    """Trees are large and hold no cycles: looking for some takes a fifth of the time of reading."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
