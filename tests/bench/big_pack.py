"""A pack of 3,600 cards in 300 files, with nested effects: the same bytes each time.

python tests/bench/big_pack.py FOLDER      writes it there
"""

from __future__ import annotations

import sys
from pathlib import Path

FILES, CARDS = 300, 12

GAME = """pack: {id: big_pack, version: 1.0.0, title: Big Pack, players: 2}
enums: {element: [fire, ice, poison], moment: [own_turn, any_turn]}
icons: {health: icons/health.svg, energy: icons/energy.svg}
kinds:
  seat:
    family: player
    plural: seats
    state: {energy: {is: 0 to 9, start: 5}, health: {is: 0 to 12, start: 12}}
    zones: {hand: {holds: power, seen_by: owner}, deck: {holds: power, order: pile, seen_by: nobody}}
  token: {family: piece, plural: tokens, owner: seat, state: {wounds: 0 to 9}}
  power:
    family: card
    plural: powers
    owner: seat
    starts_in: owner.deck
    fields: {moment: moment, element: element or none, reach: range}
    acts:
      use:
        who: {seat: owner}
        needs:
          held: self in seat.hand
          turn: moment == any_turn or seat == active
          near: element == none or 1 in reach
players:
  red: {kind: seat, origin: original}
  blue: {kind: seat, origin: original}
play: [deal, rounds]
phases:
  deal: {do: [{for_each: {seat: seats}, do: [{draw: {from: seat.deck, to: seat.hand, count: 5}}]}]}
  rounds: {turns: {of: seats, order: clockwise}, steps: {act: [{open: acts}, {lose: {what: active.health, amount: 1}}]}}
windows: {acts: {who: seats, order: free, offers: [powers.use], closes: {by: active}}}
dice: {d20: {origin: original, faces: 1 to 20}}
rolls: {seat_roll: {with: {need: int}, dice: d20, outcomes: {success: total >= need, fail: else}}}
verbs:
  hurt: {says: "{to} loses {amount}", with: {to: seat, amount: int}, do: [{lose: {what: to.health, amount: amount}}]}
  heal: {says: "{to} gains {amount}", with: {to: seat, amount: int}, do: [{gain: {what: to.health, amount: amount}}]}
end: {fallen: {whenever: seats.where(health == 0).any, winners: seats.where(health > 0)}}
"""

ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><circle cx=".5" cy=".5" r=".5"/></svg>\n'

CARD = """  card_{n}:
    kind: power
    origin: original
    owner: {owner}
    moment: own_turn
    element: {element}
    reach: 0 to {reach}
    values: {{difficulty: {difficulty}, damage: {damage}}}
    text: "Roll {{difficulty}}+: an opponent loses {{damage}} :health:; if weak, you gain {{damage}} :energy:."
    use:
      choose: {{target: seats.where(it != seat)}}
      cost: {{seat.energy: 2}}
      roll: {{seat_roll: difficulty}}
      on success:
        - hurt: {{to: target, amount: damage}}
        - if: target.health < {reach} + 3
          then:
            - gain: {{what: seat.energy, amount: damage}}
            - for_each: {{other: seats.where(health > 0)}}
              do: [{{heal: {{to: other, amount: 1}}}}]
      on fail: [{{lose: {{what: seat.health, amount: 1}}}}]
"""


def write(folder: Path) -> None:
    """Write the pack into a folder."""
    (folder / "cards").mkdir(parents=True, exist_ok=True)
    (folder / "icons").mkdir(exist_ok=True)
    for icon in ("health", "energy"):
        (folder / "icons" / f"{icon}.svg").write_text(ICON, encoding="utf-8")
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    for file in range(FILES):
        cards = [file * CARDS + n for n in range(CARDS)]
        body = "".join(
            CARD.format(
                n=n,
                owner=("red", "blue")[n % 2],
                element=("fire", "ice", "poison", "none")[n % 4],
                reach=n % 3 + 1,
                difficulty=n % 17 + 2,
                damage=n % 4 + 1,
            )
            for n in cards
        )
        (folder / "cards" / f"set_{file:03}.yaml").write_text("cards:\n" + body, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
