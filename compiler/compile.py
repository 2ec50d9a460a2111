"""A merged game becomes an image: each allowed combination of its modes is declared, checked, lowered and emitted.

trees = load_game(["my_game"], …)          the files
image = compile_tree(trees[0], bag)        None if there were errors; the findings are in `bag`
"""

from __future__ import annotations

from collections.abc import Callable

from ludoloom.compiler.analysis.cells import check_cells
from ludoloom.compiler.analysis.declare import declare
from ludoloom.compiler.analysis.model import Game
from ludoloom.compiler.analysis.tree import GameTree
from ludoloom.compiler.backend.emit import emit
from ludoloom.compiler.backend.layout import Layout
from ludoloom.compiler.backend.lower import lower
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.diagnostics.model import Bag
from ludoloom.compiler.lints import lint
from ludoloom.runtime.image import Image, OptionRow, Program


def compile_tree(
    tree: GameTree,
    bag: Bag,
    each: Callable[[Unit], None] | None = None,
    *,
    checking: bool = False,
    sound: bool = True,
) -> Image | None:
    """The image of a game, or None after errors. Every combination of modes is compiled, so that all are checked;
    `each` is called with every sound program before it is emitted. With `checking` only the findings count, which
    takes a quarter of the time: there is no image. `sound`: nothing was found wrong before, so that the whole game
    can be judged (`lints`)."""
    files: list[str] = []
    programs: list[Program] = []
    first: tuple[Game, Layout] | None = None
    names = tree.file_names()
    units: list[Unit] = []
    for combination in tree.combinations:
        game = declare(tree, combination, bag)
        check_cells(game, bag)
        if not game.things:
            return None  # so little was declared that typing would only repeat what is known to be wrong
        unit = lower(game, bag, checking=checking)
        units.append(unit)
        if each is not None and not bag.failed:
            each(unit)
        if bag.failed or checking:
            continue
        programs.append(emit(unit, files))
        if first is None:
            first = (game, unit.layout)
    if sound and not bag.failed:
        lint(tree, units, bag)
    if first is None or bag.failed:
        return None
    game, layout = first
    return Image(
        game=game.id,
        title=game.title,
        packs=list(game.packs),
        players=game.players,
        options=_options(tree, game, layout),
        files=[names.get(file, file) for file in files],
        programs=programs,
    )


def lowered(tree: GameTree, bag: Bag) -> Unit:
    """The first combination, lowered (for scenarios and listings that need names with their types)."""
    return lower(declare(tree, tree.combinations[0], bag), bag)


def _options(tree: GameTree, game: Game, layout: Layout) -> list[OptionRow]:
    rows: list[OptionRow] = []
    for name, option in game.options.items():
        modes = tuple(
            next((mode.name for mode in tree.modes.values() if mode.option == name and mode.value == value), "")
            for value in option.values
        )
        rows.append(OptionRow(name, option.title, option.values, option.start, layout.word(f"option.{name}"), modes))
    return rows
