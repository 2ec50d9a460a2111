"""The blocks `on <name>` beside a roll, a verb that gives outcomes, and a question with answers.

on win: […]           ->  a jump on the number of what came out
on tie or lose: […]
"""

from __future__ import annotations

from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.backend.statements import Statements
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Map, Scalar
from ludoloom.runtime import isa


def outcomes(
    st: Statements,
    names: list[str],
    slot: int,
    beside: Map,
    scope: Scope,
    key: Scalar,
    what: str,
    first: int = 0,
    word: str = "outcome",
    *,
    all_needed: bool = False,
) -> None:
    """The blocks `on <outcome>` (findings call it a `word`), the first of which has the number `first`. With three or
    more outcomes, or where `all_needed`, each needs its own."""
    unit, proc = st.unit, st.proc
    end = proc.label()
    seen: set[str] = set()
    for clause, block in beside:
        if not clause.text.startswith("on "):
            continue
        following, match = proc.label(), proc.label()
        for name in (part.strip() for part in clause.text[3:].split(" or ")):
            if name not in names:
                unit.bag.add(
                    "unknown-outcome", clause.span, f"{what} has no {word} `{name}`", did_you_mean(name, names)
                )
                continue
            seen.add(name)
            proc.load(slot)
            proc.push(names.index(name) + first)
            proc.put(isa.EQ)
            proc.put(isa.JNZ, match)
        proc.put(isa.JMP, following)
        proc.set(match)
        st.branch(block, scope, key.span)
        proc.put(isa.JMP, end)
        proc.set(following)
    proc.set(end)
    if all_needed or (seen and len(names) > 2):
        for name in names:
            if name not in seen:
                unit.bag.add(
                    "outcome-forgotten",
                    key.span,
                    f"nothing follows from the {word} `{name}`",
                    f"add `on {name}: [...]` (`[]` for nothing)",
                )
