"""The merged tree as a declared game: names resolved to declarations, everything numbered, formulas left as nodes.

    kinds: {token: {family: piece, plural: tokens, fields: {worth: int}}}        Kind("token") with Column("worth")
    pieces: {coin: {kind: token, origin: printed, worth: 3}}                     Item("coin"), thing 1

The order of the passes: enumerations and kinds first (types name them), then the game's own words, items (their kinds
say which keys are acts), maps (their spaces are items too), numbers, where things start, what is counted."""

from __future__ import annotations

from ludoloom.compiler.analysis.counts import check_counts, check_incomplete
from ludoloom.compiler.analysis.declare_game import (
    declare_dice,
    declare_options,
    declare_tracks,
    read_players,
)
from ludoloom.compiler.analysis.declare_items import (
    add_owner_columns,
    check_stand_ins,
    declare_items,
    declare_parts,
    mark_formulas,
)
from ludoloom.compiler.analysis.declare_kinds import declare_kinds, order_kinds, read_zone
from ludoloom.compiler.analysis.declare_maps import check_nesting, declare_maps
from ludoloom.compiler.analysis.declare_names import check_names
from ludoloom.compiler.analysis.declare_types import TypeWords, read_column
from ludoloom.compiler.analysis.model import Game, Item, Kind
from ludoloom.compiler.analysis.modes import tree_with
from ludoloom.compiler.analysis.number import number_things, seat_names
from ludoloom.compiler.analysis.starts import place_things
from ludoloom.compiler.analysis.tree import GameTree, as_map, entries, text, words
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.frontend.nodes import Map, Node, Scalar, Span


def declare(tree: GameTree, modes: tuple[str, ...], bag: Bag) -> Game:
    """The game in one combination of its modes. What cannot be declared is reported and left out."""
    sections, removed = tree_with(tree, modes, bag)
    base = tree.packs[0]
    game = Game(
        tree.id,
        base.title,
        base.version,
        base.span,
        [(pack.id, pack.version) for pack in tree.packs],
        _players(tree, bag),
        "player",
        modes,
        removed=removed,
    )
    for key, node in entries(sections.get("enums")):
        _enum(game, key, node, bag)
    declare_options(game, sections.get("options"), bag)
    ordered, families = order_kinds(sections.get("kinds"), bag)
    seats = _seat_kind(game, families)
    scope = TypeWords(bag, game.enums, families, removed)
    game.kinds = declare_kinds(ordered, scope)
    if seats is not None:
        game.kinds[seats.name] = seats
    for key, node in entries(sections.get("state")):
        column = read_column(key, node, "", "state", scope)
        if column is not None:
            game.state[key.text] = column
    for key, node in entries(sections.get("computed")):
        column = read_column(key, node, "", "computed", scope)
        if column is not None:
            game.computed[key.text] = column
    for key, node in entries(sections.get("zones")):
        game.zones[key.text] = read_zone(key, node, "", scope)
    declare_tracks(game, sections.get("tracks"), bag)
    declare_dice(game, sections.get("dice"), bag)
    declare_items(game, sections, removed, bag)
    _seats(game, seats, len(entries(sections.get("players"))), bag)
    declare_maps(game, sections.get("maps"), bag)
    check_nesting(game, bag)
    add_owner_columns(game)
    mark_formulas(game)
    declare_parts(game, bag)
    check_stand_ins(game, sections, bag)
    _rules(game, sections)
    _check_phases(game, bag)
    _rest(game, sections, tree)
    check_names(game, sections, bag)
    if number_things(game, bag):
        place_things(game, removed, bag)
        if modes != tree.combinations[0]:
            check_counts(game, sections, bag, but=tree.sections)  # what only a mode adds
        else:
            check_counts(game, sections, bag)
            check_incomplete(game, [pack.manifest for pack in tree.packs], bag)
    return game


def _players(tree: GameTree, bag: Bag) -> tuple[int, int]:
    """How many can play; an expansion may say so anew."""
    players = read_players(tree.packs[0].manifest, bag)
    for pack in tree.packs[1:]:
        if "players" in pack.manifest:
            players = read_players(pack.manifest, bag)
    return players


def _enum(game: Game, key: Scalar, node: Node, bag: Bag) -> None:
    first: dict[str, Span] = {}
    for member in words(node):
        if member.text in ("none", "true", "false", "to", "or"):
            bag.add(
                "reserved-word",
                member.span,
                f"`{member.text}` is a word of the language and cannot be a member of `{key.text}`",
                "choose another name"
                + ("; a column that may be empty says `… or none`" if member.text == "none" else ""),
            )
        elif member.text in first:
            bag.add(
                "duplicate-id",
                member.span,
                f"`{member.text}` stands twice in `{key.text}`",
                "take one of them out",
                (Related(first[member.text], "first written here"),),
            )
        else:
            first[member.text] = member.span
    game.enums[key.text] = list(first)


# --- seats ------------------------------------------------------------------------------------------------------------


def _seat_kind(game: Game, families: dict[str, str]) -> Kind | None:
    """The built-in kind `player`, if the game declares none of that family."""
    own = [name for name, family in families.items() if family == "player"]
    if own:
        game.player_kind = own[0]
        return None
    families["player"] = "player"
    return Kind("player", "player", "players", game.span, root="player")


def _seats(game: Game, built_in: Kind | None, written: int, bag: Bag) -> None:
    """The built-in seats, or the check that a game's own are enough. Where not all that are `written` could be
    declared, it is known what is wrong."""
    most = game.players[1]
    if built_in is not None:
        for name in seat_names(most):
            key = Scalar(game.span, name, name, False)
            item = Item(name, built_in.name, game.span, key, Map(game.span, ()), "players")
            item.title = name.replace("_", " ").title()
            if name not in game.items:
                game.items[name] = item
        return
    kinds = [kind for kind in game.kinds.values() if kind.family == "player"]
    seats = [item for item in game.items.values() if game.kinds[item.kind].family == "player"]
    roots = [kind for kind in kinds if kind.root == kind.name]
    if len(roots) > 1:
        bag.add(
            "too-many-seat-kinds",
            roots[1].span,
            f"`{roots[1].name}` is of the family player, and so is `{roots[0].name}`",
            "all seats are of one kind; build one on the other with `is_a`, or make it a piece with an `owner`",
            (Related(roots[0].span, "the first kind of seats"),),
        )
        return
    many = sum(item.copies for item in seats)
    if many < most and len(seats) >= written:
        bag.add(
            "too-few-seats",
            roots[0].span,
            f"the game is for up to {most} players, but has {many} of the kind `{roots[0].name}`",
            "write one in the section `players` for each seat",
            (Related(game.span, "the pack is declared here"),),
        )


# --- rules ------------------------------------------------------------------------------------------------------------


def _rules(game: Game, sections: Map) -> None:
    """What stays a tree until it is lowered."""
    for name, target in (
        ("phases", game.phases),
        ("windows", game.windows),
        ("rolls", game.rolls),
        ("actions", game.actions),
        ("verbs", game.verbs),
        ("triggers", game.triggers),
        ("modifiers", game.modifiers),
        ("end", game.end),
        ("goals", game.goals),
        ("scenarios", game.scenarios),
        ("counts", game.counts),
    ):
        for key, node in entries(sections.get(name)):
            if isinstance(node, Map):
                target[key.text] = node
                game.places[f"{name}.{key.text}"] = key.span


def _check_phases(game: Game, bag: Bag) -> None:
    """A phase is one block or several named ones. Looked at when all overlays are merged: one of them may add `do` to
    a phase of steps."""
    for name, phase in game.phases.items():
        do = phase.key("do")
        if do is not None and "steps" in phase:
            bag.add(
                "wrong-clause",
                do.span,
                f"`do` and `steps` cannot both stand in the phase `{name}`",
                "make what `do` says a step, with a name",
                path=f"phases.{name}.do",
            )


def _rest(game: Game, sections: Map, tree: GameTree) -> None:
    game.play = words(sections.get("play"))
    game.trigger_order = as_map(sections.get("trigger_order"))
    game.icons = {key.text: node for key, node in entries(sections.get("icons"))}
    game.languages = as_map(sections.get("languages"))
    game.sheets = {key.text: (key, node) for key, node in entries(sections.get("sheets")) if isinstance(node, Map)}
    game.facts = {key.text: (key, node) for key, node in entries(sections.get("facts"))}
    game.incomplete = tuple(
        word.text for pack in tree.packs for word in words(pack.manifest.get("incomplete")) if text(word)
    )
    ledger = tree.packs[0].ledger
    game.ledger = ledger.tree if ledger else None
