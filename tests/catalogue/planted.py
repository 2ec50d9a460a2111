"""A small game whose words look like markup, with a mode and an expansion."""

from __future__ import annotations

from pathlib import Path

from ludoloom.compiler.analysis.tree import GameTree
from ludoloom.compiler.pipeline import load

EVIL = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>\"' {{ 7*7 }} &lt;b&gt;"
GAME = """pack: {id: demo, version: 1.0.0, title: "Demo <i>", players: 2}
enums: {element: [fire, ice]}
languages:
  de:
    names: {spark: Funke}
    texts: {spark: "Entzünde {amount} Kerzen."}
options: {long: {is: bool, name: Long}}
modes:
  long:
    while: options.long
    add: {cards: {comet: {kind: spell, origin: original, element: ice, cost: 1, text: "Look up."}}}
    patch: {cards: {spark: {cost: 3}}}
    remove: {cards: [ember]}
kinds:
  seat: {family: player, plural: seats, zones: {hand: {holds: prize}}, state: {honey: 2 to 9}}
  prize: {family: card, plural: prizes, starts_in: deck}
  spell: {is_a: prize, plural: spells, fields: {element: element, cost: {is: int, default: 0}}}
  relic: {is_a: prize, plural: relics}
zones: {deck: {holds: prize, order: pile}}
players: {ann: {kind: seat, origin: original}, bea: {kind: seat, origin: original}}
cards:
  spark:
    {kind: spell, origin: original, copies: 3, element: fire, cost: 2, values: {amount: 4},
     text: "Light {amount} candles."}
  frost: {kind: spell, origin: original, copies: 2, element: ice, title: "Fröst", text: "Cool a drink."}
  ember: {kind: spell, origin: printed, element: fire, cost: 10, text: "It glows on."}
  amulet: {kind: relic, origin: original, title: EVIL, text: EVIL}
play: [rest]
phases: {rest: {turns: {of: seats}, do: [{draw: {from: deck, to: active.hand}}]}}
end: {empty: {whenever: deck.empty, winners: none}}
"""


def yaml(text: str) -> str:
    """A text in the quotes of YAML that know two signs only."""
    return "'" + text.replace("'", "''") + "'"


def demo(folder: Path, evil: str = EVIL) -> Path:
    """The game in a new folder; `evil` stands on the amulet."""
    pack = folder / "demo"
    pack.mkdir(exist_ok=True)
    words = evil.replace("{", "(").replace("}", ")")  # holes of texts are the language's own
    (pack / "game.yaml").write_text(GAME.replace("EVIL", yaml(words)), encoding="utf-8")
    return pack


def tree(pack: Path) -> GameTree:
    """The game in a folder, checked."""
    checked = load([str(pack)])
    assert not checked.bag.failed, [(row.code, row.message, row.span) for row in checked.bag.findings]
    return checked.games[0].tree
