"""A typed expression: what the words of a designer mean, before it becomes instructions.

`E` is one node: `op` names what it does (the table below), `type` what it gives, `args` its parts, `data` what else
it needs. `infer.py` and its layers make them, and what `backend/verbs.py` lists turns them into code, so the ops are a
contract of two folders:

    numbers   const(n) var(Var) word(key) column(Column; thing[, argument]) field(Var, name) rows(Rows)
              add sub mul div mod neg min max range table_at(column, key) face_column(Var, name)
              zone_count distance line closed_ends
    tests     not and or eq ne lt le in_range(n, range) has(thing, set) is_kind(thing; kinds) at_zone(thing, zone)
    things    loc(thing) zone_of(thing; ZoneDecl) item(thing) showing(thing) facet(thing; face) map_of(place)
              location(map) next_seat next_thing opponent only(set) top nth by_kind
    sets      in_play(kind) all_of(kind) at(place; kinds) owned(thing; kind) where(set; Var, E) union minus single
              things(numbers) links next_to gaps between steps_toward nearest farthest spaces least most
    assigned  assigned_of assigned_at assigned_targets assigned_things
    of sets   any empty count all sum min_of max_of
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludoloom.compiler.analysis.types import Type
from ludoloom.compiler.frontend.nodes import Span


@dataclass(eq=False, slots=True)
class Var:
    """A name bound in an act. `slot` is its first word in the frame, set when code binds it; `parts` are further
    slots of a result with several words (a roll: total, face)."""

    name: str
    type: Type
    span: Span | None = None
    slot: int = -1
    parts: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, eq=False)
class E:
    """One node of a typed expression."""

    op: str
    type: Type
    args: tuple[E, ...] = ()
    data: Any = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Rows:
    """Cases in order: the first whose condition holds gives its value; `subject` is bound first, where the rows
    depend on one. `otherwise` is None where every case is covered (or promised to be: `else: impossible`)."""

    cases: tuple[tuple[E, E], ...]
    otherwise: E | None
    subject: tuple[Var, E] | None = None
    impossible: Span | None = None


def by_kind(node: E) -> list[E]:
    """The values of a reading that differs from kind to kind."""
    values: list[tuple[str, E]] = node.data
    return [value for _, value in values]


def walk(expression: E) -> list[E]:
    """The node and all nodes below it."""
    found = [expression]
    for node in found:
        found.extend(node.args)
        if node.op in ("where", "all", "sum", "min_of", "max_of", "least", "most") and node.data is not None:
            found.append(node.data[1])
        elif isinstance(node.data, Rows):
            rows = node.data
            for condition, value in rows.cases:
                found += (condition, value)
            if rows.otherwise is not None:
                found.append(rows.otherwise)
            if rows.subject is not None:
                found.append(rows.subject[1])
        elif node.op == "by_kind":
            found.extend(by_kind(node))
    return found
