"""Finding packs, reading them, and merging a game with its expansions.

A pack is a folder with a `game.yaml` or `pack.yaml`, or any YAML file at its top that has a section `pack`. All
`*.yaml` files beneath belong to it, in the order of their names; hidden folders, `build` and folders that are packs
themselves do not. `rulebook.yaml` at the top is the ledger.

    load_game(["chess"], ["./fairy_pieces"], ["~/packs"], bag)

A name is a path or an id. An id is looked for in the paths given, then in the folders of packs (`--packs`,
`LUDOLOOM_PACKS`), then among the shipped packs. Naming an expansion means its game with it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import ludoloom
from ludoloom.compiler.analysis.modes import combine, read_modes
from ludoloom.compiler.analysis.names import did_you_mean
from ludoloom.compiler.analysis.overlay import merge_packs
from ludoloom.compiler.analysis.tree import GameTree, Pack, SourceFile, as_map, entries, text
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.frontend.nodes import Map, Node, Scalar, Span
from ludoloom.compiler.frontend.read import read_path
from ludoloom.compiler.frontend.source import open_ordinary
from ludoloom.compiler.versions import Version, meets, parse_range, parse_version

MOST_FILES: Final = 5000
MOST_DEPTH: Final = 12
LEDGER: Final = "rulebook.yaml"
_MANIFESTS: Final = ("game.yaml", "pack.yaml")
_HAS_PACK: Final = re.compile(rb"^\xef?\xbb?\xbf?pack\s*:", re.MULTILINE)
_SKIPPED: Final = ("build", "node_modules", "__pycache__")


Reader = Callable[[Path, str, Bag], Map | None]
"""A file's tree: path, the name that findings show, the bag for what is wrong with it."""


class PackNotFound(Exception):
    """A name on the command line that leads to no pack; the message says where it was looked for."""


def shipped() -> Path:
    """The folder of the packs that come with ludoloom."""
    return Path(ludoloom.__file__).parent / "content"


def is_pack(folder: Path) -> bool:
    """Whether the folder itself is a pack."""
    return manifest_of(folder) is not None


def manifest_of(folder: Path) -> Path | None:
    """The file that makes the folder a pack."""
    for name in _MANIFESTS:
        if (folder / name).is_file():
            return folder / name
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.name.endswith(".yaml") and entry.is_file())
    except OSError:
        return None
    for name in names:
        try:
            with open_ordinary(folder / name) as file:
                begin = file.read(65536)
            # Most files do not even hold the word.
            if b"pack" in begin and _HAS_PACK.search(begin):
                return folder / name
        except OSError:
            continue
    return None


def packs_beneath(folder: Path, depth: int = 4) -> list[Path]:
    """The packs in a folder: itself, or those in its sub-folders."""
    if is_pack(folder):
        return [folder]
    if depth == 0:
        return []
    found: list[Path] = []
    for child in _folders(folder):
        found += packs_beneath(child, depth - 1)
    return found


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(
            Path(entry.path)
            for entry in os.scandir(folder)
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".") and entry.name not in _SKIPPED
        )
    except OSError:
        return []


def pack_around(path: Path) -> Path | None:
    """The pack to which a file or folder inside one belongs. Further up only the usual names of a manifest count: any
    other YAML file might lie in a folder of downloads by chance."""
    at = (path if path.is_dir() else path.parent).absolute()
    if is_pack(at):
        return at
    for folder in list(at.parents)[:MOST_DEPTH]:
        if any((folder / name).is_file() for name in _MANIFESTS) and is_pack(folder):
            return folder
    return None


def shown_path(path: Path) -> str:
    """A path as findings name it: from the working folder where it lies below, with forward slashes."""
    absolute = Path(os.path.abspath(path))
    try:
        return absolute.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return absolute.as_posix()


class Library:
    """Reads each pack once, and finds packs by id."""

    def __init__(self, given: Sequence[Path], dirs: Sequence[Path], bag: Bag, read: Reader = read_path) -> None:
        self.given = list(given)
        self.dirs = [*dirs, shipped()]
        self.bag = bag
        self.read = read
        self._read: dict[Path, Pack | None] = {}
        self._ids: dict[Path, str] = {}
        self.circles: set[frozenset[str]] = set()
        """Packs that extend each other in a circle, as far as they were reported."""

    # --- finding
    def find(self, name: str) -> Path | None:
        """The folder of the pack with this id."""
        for folder in self._candidates(name):
            if self._id(folder) == name:
                return folder
        return None

    def known(self) -> list[str]:
        """All ids that can be named."""
        return sorted({self._id(folder) for folder in self._candidates("")} - {""})

    def looked(self) -> str:
        """Where ids are looked for, in words."""
        places = [shown_path(path) for path in self.given] + [shown_path(path) for path in self.dirs[:-1]]
        return ", ".join([*places, "the shipped packs"])

    def _candidates(self, name: str) -> Iterable[Path]:
        yield from self.given
        for folder in self.dirs:
            if name and is_pack(folder / name):
                yield folder / name
            yield from packs_beneath(folder)

    def _id(self, folder: Path) -> str:
        """The id in a folder's manifest, read without reporting anything."""
        if folder not in self._ids:
            path = manifest_of(folder)
            tree = self.read(path, str(path), Bag()) if path else None
            section = as_map(tree.get("pack")) if tree else None
            self._ids[folder] = text(section.get("id")) if section else ""
        return self._ids[folder]

    # --- reading
    def pack(self, folder: Path) -> Pack | None:
        """The pack in a folder with all its files; None if its manifest is not usable."""
        folder = Path(os.path.abspath(folder))
        if folder not in self._read:
            self._read[folder] = self._load(folder)
        return self._read[folder]

    def _load(self, folder: Path) -> Pack | None:
        bag = self.bag
        shown = shown_path(folder)
        files: list[SourceFile] = []
        ledger: SourceFile | None = None
        manifests: list[tuple[Scalar, Map]] = []
        for path, name in pack_files(folder, shown, bag):
            file = SourceFile(name, f"{shown}/{name}" if shown != "." else name, None)
            file.tree = self.read(path, file.shown, bag)
            if name == LEDGER:
                ledger = file
                continue
            files.append(file)
            key = file.tree.key("pack") if file.tree else None
            section = as_map(file.tree.get("pack")) if file.tree else None
            if key is not None and section is not None:
                manifests.append((key, section))
        if not manifests:
            whole = all(file.tree is not None for file in files)
            if whole and files:
                first = files[0]
                bag.add(
                    "pack-missing",
                    Span(first.shown, 1, 1, 1, 1),
                    f"no file of `{shown}` has a section `pack`",
                    "write `pack: {id: …, version: 1.0.0, title: …, players: 2}` in game.yaml",
                )
            return None
        key, manifest = manifests[0]
        return self._manifest(folder, shown, key, manifest, files, ledger)

    def _manifest(
        self, folder: Path, shown: str, key: Scalar, manifest: Map, files: list[SourceFile], ledger: SourceFile | None
    ) -> Pack | None:
        name = text(manifest.get("id"))
        if not name:
            return None
        version = text(manifest.get("version"))
        extends = {word.text: (word, value) for word, value in entries(manifest.get("extends"))}
        title = text(manifest.get("title")) or name
        return Pack(name, version, title, folder, shown, key.span, manifest, extends, files, ledger)


def pack_files(folder: Path, shown: str, bag: Bag) -> list[tuple[Path, str]]:
    """All files of a pack, sorted by their names inside it. Reports what looks like content but is not read."""
    found: list[tuple[Path, str]] = []
    root = Path(os.path.realpath(folder))

    def walk(at: Path, above: str, depth: int) -> None:
        try:
            rows = sorted(os.scandir(at), key=lambda entry: entry.name)
        except OSError as error:
            bag.add(
                "unreadable",
                Span(shown_path(at), 1, 1, 1, 1),
                f"this folder cannot be read: {error.strerror or error}",
            )
            return
        for entry in rows:
            path, name = Path(entry.path), above + entry.name
            where = Span(f"{shown}/{name}" if shown != "." else name, 1, 1, 1, 1)
            if entry.name.startswith("."):
                continue
            if entry.is_symlink():
                wanted = entry.name.endswith(".yaml") or path.is_dir()
                inside = root in (Path(os.path.realpath(path)), *Path(os.path.realpath(path)).parents)
                if wanted and not inside:
                    bag.add(
                        "link-leaves-pack",
                        where,
                        f"`{name}` is a link that leads out of the pack",
                        "put a copy into the pack: a pack must be whole when it is sent to somebody",
                    )
                continue
            if entry.is_dir():
                if entry.name not in _SKIPPED and not is_pack(path) and depth < MOST_DEPTH:
                    walk(path, f"{name}/", depth + 1)
            elif entry.name.endswith(".yaml"):
                if len(found) == MOST_FILES:
                    bag.add("too-large", where, f"the pack has more than {MOST_FILES} files; the rest is not read")
                    found.append((path, name))
                elif len(found) < MOST_FILES:
                    found.append((path, name))
            elif entry.name.endswith(".yml"):
                bag.add(
                    "not-read",
                    where,
                    f"`{name}` is not read: files of a pack end in .yaml",
                    f"rename it to {entry.name[:-4]}.yaml",
                )

    walk(folder, "", 0)
    return sorted(found[:MOST_FILES], key=lambda row: row[1])


# --- games ------------------------------------------------------------------------------------------------------------


def load_game(
    names: Sequence[str],
    with_packs: Sequence[str],
    packs_dirs: Sequence[str | Path],
    bag: Bag,
    read: Reader = read_path,
) -> list[GameTree]:
    """The games that the names mean, each merged with the expansions named for it.

    A path may be a pack, something inside one, or a folder of packs; an expansion among the names gives its game with
    that expansion; `with_packs` are added to every game; `read` may be another way to a file's tree (a cache).
    Raises PackNotFound for a name that leads nowhere, and for a folder of packs that is not there."""
    dirs = named_folders(packs_dirs)
    dirs += [Path(folder).expanduser() for folder in os.environ.get("LUDOLOOM_PACKS", "").split(os.pathsep) if folder]
    folders = {name: _folders_of(name) for name in (*names, *with_packs)}
    given = [folder for found in folders.values() for folder in found]
    library = Library(given, dirs, bag, read)
    roots = [pack for name in names for pack in _resolve(name, folders[name], library)]
    extra = [pack for name in with_packs for pack in _resolve(name, folders[name], library)]
    trees: list[GameTree] = []
    done: set[tuple[str, ...]] = set()
    for root in roots:
        chain = _chain(root, extra, library, bag)
        if chain is None:
            continue
        key = tuple(str(pack.folder) for pack in chain)
        if key not in done:
            done.add(key)
            trees.append(merge_game(chain, bag))
    return trees


def named_folders(packs_dirs: Sequence[str | Path]) -> list[Path]:
    """The folders that a call names to look for packs in; raises PackNotFound for one that is not there."""
    dirs = [Path(folder).expanduser() for folder in packs_dirs]
    for folder in dirs:
        if not folder.is_dir():
            raise PackNotFound(f"{folder.as_posix()}: there is no such folder to look for packs in")
    return dirs


def _folders_of(name: str) -> list[Path]:
    """The packs that a name means as a path; none if it is no path of any."""
    path = Path(name).expanduser()
    if not path.exists():
        return []
    if path.is_dir() and (found := packs_beneath(path)):
        return found
    around = pack_around(path)
    return [around] if around is not None else []


def _resolve(name: str, folders: list[Path], library: Library) -> list[Pack]:
    if not folders:
        found = library.find(name)
        if found is None:
            path = Path(name)
            if path.exists():
                raise PackNotFound(f"{name}: no pack is there (a pack has a game.yaml with a section `pack`)")
            if os.sep in name or name.endswith(".yaml"):
                raise PackNotFound(f"{name}: there is no such file or folder")
            hint = did_you_mean(name, library.known())
            raise PackNotFound(
                f"there is no pack `{name}` (looked in {library.looked()})" + (f"; {hint}" if hint else "")
            )
        folders = [found]
    return [pack for folder in folders if (pack := library.pack(folder)) is not None]


def _chain(root: Pack, extra: Sequence[Pack], library: Library, bag: Bag) -> list[Pack] | None:
    """The game, then its expansions, each after those that it extends; None if the game cannot be found."""
    chain: list[Pack] = []
    if not _collect(root, chain, (), library, bag):
        return None
    games = [pack for pack in chain if pack.is_game]
    if len(games) != 1:
        return None
    game = games[0]
    for pack in extra:
        more = list(chain)
        if pack.is_game:
            if pack.id != game.id:
                _other_game(pack, game, bag)
            continue
        if not _collect(pack, more, (), library, bag):
            continue
        if sum(one.is_game for one in more) > 1:
            _other_game(pack, game, bag)
            continue
        chain = more
    return chain


def _other_game(pack: Pack, game: Pack, bag: Bag) -> None:
    word = next((word for word, _ in pack.extends.values()), None)
    bag.add(
        "other-game",
        word.span if word else pack.span,
        f"`{pack.id}` does not extend `{game.id}`, with which it is used",
        "leave it out, or let it extend that game",
        (Related(game.span, f"`{game.id}` is declared here"),),
    )


def _collect(pack: Pack, chain: list[Pack], trail: tuple[Pack, ...], library: Library, bag: Bag) -> bool:
    """Put a pack behind all that it extends. False if one of them cannot be had."""
    if any(pack.id == one.id and pack.folder == one.folder for one in chain):
        return True
    for other in chain:
        if other.id == pack.id:
            bag.add(
                "duplicate-id",
                pack.span,
                f"two packs are called `{pack.id}`",
                "give one of them another id",
                (Related(other.span, "the first one"),),
            )
            return False
    if len(trail) > 50:
        return False
    whole = True
    for name, (word, wanted) in pack.extends.items():
        loop = [one.id for one in (*trail, pack)]
        if name in loop:
            circle = loop[loop.index(name) :]
            if frozenset(circle) not in library.circles:
                library.circles.add(frozenset(circle))
                bag.add(
                    "pack-cycle",
                    word.span,
                    f"packs extend each other in a circle: {' extends '.join([*circle, name])}",
                    "an expansion extends its game; the game knows nothing of it",
                )
            whole = False
            continue
        found = library.find(name)
        other = library.pack(found) if found is not None else None
        if other is None:
            if found is None:
                bag.add(
                    "pack-not-found",
                    word.span,
                    f"there is no pack `{name}` (looked in {library.looked()})",
                    did_you_mean(name, library.known()),
                )
            whole = False
            continue
        _check_version(pack, other, wanted, bag)
        whole = _collect(other, chain, (*trail, pack), library, bag) and whole
    if whole:
        chain.append(pack)
        # the game stands first even if an expansion was collected before it
        chain.sort(key=lambda one: not one.is_game)
    return whole


def _check_version(pack: Pack, other: Pack, wanted: Node, bag: Bag) -> None:
    tests = parse_range(text(wanted))
    version: Version | None = parse_version(other.version)
    if tests is None or version is None or meets(version, tests):
        return
    node = other.manifest.get("version")
    bag.add(
        "version-not-met",
        wanted.span,
        f"`{pack.id}` needs `{other.id}` {text(wanted)}, but this one is {other.version}",
        "use another version of one of them",
        (Related(node.span if node else other.span, f"the version of `{other.id}`"),),
    )


def merge_game(chain: list[Pack], bag: Bag) -> GameTree:
    """A game and its expansions, each after those that it extends, as one tree."""
    above: dict[str, set[str]] = {}
    for pack in chain:
        above[pack.id] = set(pack.extends).union(*(above.get(name, set()) for name in pack.extends))
    merged = merge_packs(chain, lambda first, second: first == second or first in above.get(second, ()), bag)
    sections = merged.tree()
    modes = read_modes(sections, bag)
    return GameTree(
        chain[0].id,
        chain,
        sections,
        modes,
        combine(sections, modes, bag),
        {path: tuple(spans) for path, spans in merged.places.items()},
        merged.removed,
    )


def combinations(tree: GameTree) -> list[tuple[str, ...]]:
    """The allowed combinations of a game's modes; what its options start with comes first."""
    return tree.combinations
