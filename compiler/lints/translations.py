"""`translation-differs`, `translation-stale`, `translation-missing`: the section `languages` against what it
translates.

    verbs: {heal: {says: "{gambler} gains {amount} :health:", …}}
    languages: {fr: {says: {heal: "{gambler} gagne {montant}"}}}
                                                    `montant` is no hole, `amount` and `:health:` are lost

Holes and icons must be the same; their order is free. One note for each language says what is not translated yet.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludoloom.compiler.analysis.model import Game
from ludoloom.compiler.backend.texts import HOLE, ICON
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Map, Scalar, Span
from ludoloom.compiler.lints.texts import AUTO
from ludoloom.compiler.lints.whole import Whole

Source = tuple[str, Span]
"""A text and its place."""


def check(whole: Whole, bag: Bag) -> None:
    languages = whole.first.game.languages
    if languages is None:
        return
    games = [unit.game for unit in whole.units]
    says = _merged(_says(game) for game in games)
    texts = _merged(_texts(game) for game in games)
    named = {name for game in games for name in [*game.items, *game.kinds, *game.zones, *game.tracks, *game.options]}
    for key, language in languages:
        if not isinstance(language, Map):
            continue
        missing: list[str] = []
        for section, sources in (("says", says), ("texts", texts)):
            node = language.get(section)
            given = node if isinstance(node, Map) else Map(language.span, ())
            for name, value in given:
                if name.text not in sources:
                    message = f"`{name.text}` has no {'`says`' if section == 'says' else 'text'} to translate"
                    bag.add("translation-stale", name.span, message, did_you_mean(name.text, sources))
                elif isinstance(value, Scalar):
                    _compare(value, *sources[name.text], bag)
            if given.entries:
                missing += [name for name in sources if name not in given]
        names = language.get("names")
        for name, _ in names if isinstance(names, Map) else ():
            if name.text not in named:
                message = f"nothing is called `{name.text}`"
                bag.add("translation-stale", name.span, message, did_you_mean(name.text, named))
        if missing:
            shown = ", ".join(f"`{name}`" for name in missing[:8]) + (
                f" and {len(missing) - 8} more" if len(missing) > 8 else ""
            )
            bag.add("translation-missing", key.span, f"not translated into `{key.text}` yet: {shown}")


def _compare(value: Scalar, source: str, place: Span, bag: Bag) -> None:
    """The same holes and icons on both sides."""
    wanted, found = _marks(source), _marks(value.text)
    lost, strange = sorted(wanted - found), sorted(found - wanted)
    if lost or strange:
        parts = [f"{', '.join(f'`{each}`' for each in lost)} is lost"] if lost else []
        parts += [f"{', '.join(f'`{each}`' for each in strange)} is not in the original"] if strange else []
        hint = "holes and icons stay as they are, in any order"
        related = (Related(place, "the original stands here"),)
        bag.add("translation-differs", value.span, "; ".join(parts), hint, related)


def _marks(text: str) -> set[str]:
    holes = {f"{{{name.strip()}}}" for name in HOLE.findall(text)}
    return holes | {f":{name}:" for name in ICON.findall(HOLE.sub(" ", text))}


def _merged(parts: Iterator[dict[str, Source]]) -> dict[str, Source]:
    found: dict[str, Source] = {}
    for part in parts:
        found.update(part)
    return found


def _says(game: Game) -> dict[str, Source]:
    """The log lines of acts, by the name of the act (`kind.act` for those of a kind), and the words of formulas."""
    acts: dict[str, Map] = {**game.verbs, **game.rolls, **game.actions, **game.triggers, **game.end}
    for kind in game.kinds.values():
        acts.update({f"{kind.name}.{name}": node for name, node in kind.acts.items()})
    found: dict[str, Source] = {}
    for name, node in acts.items():
        says = node.get("says")
        if isinstance(says, Scalar):
            found[name] = (says.text, says.span)
    for column in [*game.computed.values(), *(each for kind in game.kinds.values() for each in kind.columns.values())]:
        if column.says:
            found[f"{column.kind}.{column.name}" if column.kind else column.name] = (column.says, column.span)
    return found


def _texts(game: Game) -> dict[str, Source]:
    """The printed texts of items, by id (`id.face` where there are faces); what is written by itself is not
    translated."""
    found: dict[str, Source] = {}
    for item in game.items.values():
        for face, node in item.text.items():
            if isinstance(node, Scalar) and node.text != AUTO:
                found[f"{item.id}.{face}" if face else item.id] = (node.text, node.span)
    return found
