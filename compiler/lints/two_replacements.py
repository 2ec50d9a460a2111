"""`two-replacements`: two `instead_of` for the same act from the same source, of which the first always takes place.

    triggers: {soften: {instead_of: wound, do: […]}, harden: {instead_of: wound, do: […]}}

The first has no `needs` and does not `proceed`: the second never happens.
"""

from __future__ import annotations

from ludoloom.compiler.backend.records import Trigger
from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.lints.whole import Whole


def check(whole: Whole, bag: Bag) -> None:
    for unit in whole.units:
        for target, hooks in unit.hooks.items():
            first: dict[tuple[str, str], Trigger] = {}
            for trigger in hooks.instead_of:
                source = (trigger.source.kind, trigger.source.item.id if trigger.source.item else "")
                before = first.get(source)
                if before is None:
                    if "needs" not in trigger.node and not _goes_on(trigger):
                        first[source] = trigger
                    continue
                bag.add(
                    "two-replacements",
                    trigger.node.span,
                    f"`{trigger.name}` never happens: `{before.name}` always takes the place of `{target}`",
                    "say with `needs` when each of them counts, or make one of both",
                    (Related(before.node.span, f"`{before.name}` stands here"),),
                )


def _goes_on(trigger: Trigger) -> bool:
    """Whether a replacement hands on to the next one."""
    from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar

    def inside(node: Node) -> bool:
        if isinstance(node, Scalar):
            return node.text == "proceed"
        if isinstance(node, Items):
            return any(inside(item) for item in node.items)
        assert isinstance(node, Map)
        return any(key.text == "proceed" or inside(value) for key, value in node)

    return inside(trigger.node)
