"""`no-says`: `text: auto` of an item whose acts do something that has no words.

    cards: {rest: {text: auto, use: {do: [{gain: {what: gambler.chips, amount: 1}}]}}}    `gain` says nothing by itself

Of what chooses, decides or stops a card need not speak.
"""

from __future__ import annotations

from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.frontend.nodes import Scalar
from ludoloom.compiler.lints.texts import AUTO
from ludoloom.compiler.lints.whole import Whole
from ludoloom.compiler.texts_auto import write


def check(whole: Whole, bag: Bag) -> None:
    for unit in whole.units:
        for item in unit.game.items.values():
            for node in item.text.values():
                if not isinstance(node, Scalar) or node.text != AUTO:
                    continue
                written = write(unit.game, item)
                for key in written.speechless:
                    what = (
                        f"the verb `{key.text}` has no `says`"
                        if key.text in unit.game.verbs
                        else f"`{key.text}` says nothing"
                    )
                    hint = (
                        "give the verb `says: …`"
                        if key.text in unit.game.verbs
                        else "make it a verb of the game with `says`"
                    )
                    related = (Related(node.span, "the text is to be written from it"),)
                    bag.add("no-says", key.span, f"{what}, so no text can be written from it", hint, related)
                if not written.text and not written.speechless:
                    bag.add(
                        "no-says",
                        node.span,
                        f"`{item.id}` has no act from which a text could be written",
                        "write the text",
                    )
