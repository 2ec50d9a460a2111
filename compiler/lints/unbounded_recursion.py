"""`unbounded-recursion`: verbs, rolls or phases that always call each other in a ring.

    verbs: {heat: {do: [boil]}, boil: {do: [heat]}}

Only a ring in which nothing can hold a step back is reported (`calls.py`).
"""

from __future__ import annotations

from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.lints.calls import Step, calls_of
from ludoloom.compiler.lints.whole import Whole


def check(whole: Whole, bag: Bag) -> None:
    for unit in whole.units:
        for ring in calls_of(unit).rings():
            if not any(step.target.startswith("trigger.") for step in ring):
                related = tuple(Related(step.span, shown(step)) for step in ring[1:])
                message = f"this never ends: {way(ring)}"
                bag.add("unbounded-recursion", ring[0].span, message, "put a condition on one of the steps", related)


def way(ring: list[Step]) -> str:
    """The ring in words: `heat` calls `boil` calls `heat`."""
    return (
        " -> ".join(f"`{step.source.partition('.')[2]}`" for step in ring) + f" -> `{ring[0].source.partition('.')[2]}`"
    )


def shown(step: Step) -> str:
    source, target = (name.partition(".")[2] for name in (step.source, step.target))
    starts = step.target.startswith("trigger.")
    return f"`{source}` {'starts' if starts else 'calls'} `{target}`"
