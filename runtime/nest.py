"""From jumps back to loops: the blocks of a procedure as nested Python.

    entry → 6; 6 → 10 or 20; 10 → 6; 20 leaves           while True:  # 6
                                                             if …: break
                                                             …  # 10
                                                         …  # 20

Python has no goto, and a chain ``if at == 6: … elif at == 10: …`` in a loop would cost a jump through a table at each
step, which a compiler cannot see through. So the blocks are nested as they were before they became jumps: a block
that only one other leads to stands inside it; a block where several meet stands behind what leads there; a loop is a
``while``. (The order follows from the dominators: see Ramsey, *Beyond Relooper*, 2022.) To leave several loops at
once, ``b`` says where to, and each loop's end looks at it.

A loop with two ways in, which shortened jumps make now and then, is copied in part (`untangled`). What needs more loops
in each other than Python allows is refused with `TooTangled`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

MOST_LOOPS: Final = 18
"""Python refuses more than 20 in each other."""
MOST_LEVELS: Final = 80
"""Levels of indentation; Python refuses 100."""
MOST_COPIES: Final = 3
"""How many times as many blocks copies may make."""

Line = tuple[int, str]
"""How deep, and the words."""


class TooTangled(Exception):
    """These blocks are left to the interpreter."""


@dataclass(slots=True)
class Arm:
    """A way out of a block: under this condition (empty: otherwise) go to that block. `spent` is handed to it if it
    stands here, and else paid before the jump."""

    condition: str
    to: int
    spent: int = 0


@dataclass(slots=True)
class _Loop:
    """A ``while`` that is open: `again` is where ``continue`` leads (-1: nowhere), `out` where ``break`` does."""

    again: int
    out: int
    escapes: set[int] = field(default_factory=set[int])


Body = Callable[[int, int], Sequence[str | Arm]]
"""The lines of a block (with what was spent before it) and its arms in order, the last one without a condition; no arm
at all if the lines leave the function."""
Pay = Callable[[int], Sequence[str]]
"""The lines that pay what was spent."""


class Nest:
    """Writes the blocks that `entry` leads to. `follows` names for each block those that may come next."""

    def __init__(self, entry: int, follows: Mapping[int, Sequence[int]], body: Body, pay: Pay) -> None:
        self.follows, self.origin = untangled(entry, follows)
        self.goes = {
            block: dict(zip(follows[self.origin[block]], after, strict=True)) for block, after in self.follows.items()
        }
        self.body = body
        self.pay = pay
        self.order = _order(entry, self.follows)
        self.place = {block: k for k, block in enumerate(self.order)}
        self.before = _before(self.order, self.follows)
        self.above = _dominators(self.order, self.before)
        self.loops: dict[int, set[int]] = {}
        for block in self.order:
            for other in self.follows[block]:
                if self.place[other] <= self.place[block]:
                    self.loops.setdefault(other, {other}).update(self._round(other, block))
        self.open: list[_Loop] = []
        self.lines: list[Line | tuple[int, _Loop, int]] = []

    def text(self, level: int) -> list[Line]:
        """All lines, the outermost at this level."""
        self._tree(self.order[0], level, 0)
        found: list[Line] = []
        for line in self.lines:
            if len(line) == 2:
                found.append(line)
            elif line[1].escapes:
                found.append((line[0], f"b = {line[2]}"))
        return found

    def _round(self, head: int, tail: int) -> set[int]:
        """The blocks of the loop that goes from `tail` back to `head`."""
        found = {head, tail}
        todo = [tail] if tail != head else []
        while todo:
            for other in self.before[todo.pop()]:
                if other not in found:
                    found.add(other)
                    todo.append(other)
        return found

    def _tree(self, block: int, level: int, spent: int) -> None:
        """Write a block and all that only it leads to."""
        own = [other for other in self.order if other != block and self.above[other] == block and self._meets(other)]
        loop = self.loops.get(block)
        outside = [other for other in own if loop is not None and other not in loop]
        inside = [other for other in own if other not in outside]
        if loop is None:
            self._within(block, inside, level, spent)
        else:
            self.lines += [(level, line) for line in self.pay(spent)]
            self._wrapped(block, inside, outside, level)

    def _meets(self, block: int) -> bool:
        """Whether a block cannot stand inside the one that leads to it."""
        return sum(1 for other in self.before[block] if self.place[other] < self.place[block]) > 1 or self._leaves_loop(
            block
        )

    def _leaves_loop(self, block: int) -> bool:
        """Whether a block follows a loop and is best written behind it."""
        return any(
            self.above[block] == head and block not in loop and self.place[head] < self.place[block]
            for head, loop in self.loops.items()
        )

    def _wrapped(self, head: int, inside: list[int], outside: list[int], level: int) -> None:
        """A loop, with the blocks behind it: the first of them is where ``break`` leads."""
        if len(outside) > 1:
            self._while(_Loop(-1, outside[-1]), lambda deeper: self._wrapped(head, inside, outside[:-1], deeper), level)
        else:
            out = outside[0] if outside else -1
            self._while(_Loop(head, out), lambda deeper: self._within(head, inside, deeper, 0), level)

    def _within(self, block: int, own: list[int], level: int, spent: int) -> None:
        """A block, with those where its ways meet again behind it, the last outermost."""
        if own:
            self._while(_Loop(-1, own[-1]), lambda deeper: self._within(block, own[:-1], deeper, spent), level)
            return
        for line in self.body(block, spent):
            if isinstance(line, str):
                self.lines.append((level, line))
            elif line.condition:
                self.lines.append((level, f"if {line.condition}:"))
                self._go(block, line, level + 1)
            else:
                self._go(block, line, level)

    def _while(self, loop: _Loop, inner: Callable[[int], None], level: int) -> None:
        """Write a ``while``, then what its end does for those that leave more than it, then what follows it."""
        if len(self.open) >= MOST_LOOPS or level > MOST_LEVELS:
            raise TooTangled("too many loops in each other")
        self.open.append(loop)
        self.lines.append((level, "while True:"))
        inner(level + 1)
        self.open.pop()
        escapes = sorted(loop.escapes)
        for k, to in enumerate(escapes):
            if k == len(escapes) - 1 and loop.out < 0:
                self._jump(to, level)
            else:
                self.lines.append((level, f"if b == {to}:"))
                self._jump(to, level + 1)
        if loop.out >= 0:
            self._tree(loop.out, level, 0)

    def _go(self, block: int, arm: Arm, level: int) -> None:
        """Go on to a block: it stands here, or there is a jump to where it stands."""
        to = self.goes[block][arm.to]
        if self.place[to] <= self.place[block] or self._meets(to):
            self.lines += [(level, line) for line in self.pay(arm.spent)]
            self._jump(to, level)
        else:
            self._tree(to, level, arm.spent)

    def _jump(self, to: int, level: int) -> None:
        """A jump to a block whose place an open ``while`` knows."""
        inner = self.open[-1]
        if inner.again == to:
            self.lines.append((level, "continue"))
            return
        self.lines.append((level, inner, to))
        if inner.out != to:
            inner.escapes.add(to)
        self.lines.append((level, "break"))


def untangled(entry: int, follows: Mapping[int, Sequence[int]]) -> tuple[dict[int, list[int]], dict[int, int]]:
    """The same blocks, but so that each loop has one way in; and for each block of which it is a copy.

    Where several ways lead into a loop, the first way in is kept. Another one leads to copies, which go on until they
    come to where the kept one enters.
    """
    graph = {block: list(after) for block, after in follows.items()}
    origin = {block: block for block in follows}
    while True:
        tangle = _tangle(entry, graph)
        if tangle is None:
            return graph, origin
        loop, head = tangle
        copies: dict[int, int] = {}
        todo = [block for block in graph if block not in loop]
        while todo:
            block = todo.pop()
            for k, to in enumerate(graph[block]):
                if to in loop and to != head:
                    if to not in copies:
                        copies[to] = max(graph) + 1
                        graph[copies[to]] = list(graph[to])
                        origin[copies[to]] = origin[to]
                        todo.append(copies[to])
                    graph[block][k] = copies[to]
        if len(graph) > MOST_COPIES * len(follows):
            raise TooTangled("loops with many ways in")


def _tangle(entry: int, graph: Mapping[int, Sequence[int]]) -> tuple[set[int], int] | None:
    """A loop with several ways in, and the first of them."""
    order = _order(entry, graph)
    before = _before(order, graph)
    regions = [set(order)]
    while regions:
        region = regions.pop()
        for loop in _circles(order, region, graph, before):
            heads = [block for block in order if block in loop and any(other not in loop for other in before[block])]
            if len(heads) > 1:
                return loop, heads[0]
            regions.append(loop - set(heads or [entry]))
    return None


def _circles(
    order: Sequence[int], region: set[int], graph: Mapping[int, Sequence[int]], before: Mapping[int, Sequence[int]]
) -> list[set[int]]:
    """The parts of a region in which each block leads to each other one."""
    found: list[set[int]] = []
    free = set(region)
    for block in order:
        if block in free:
            circle = _reached(block, graph, free) & _reached(block, before, free)
            free -= circle
            if len(circle) > 1 or block in graph[block]:
                found.append(circle)
    return found


def _reached(block: int, follows: Mapping[int, Sequence[int]], within: set[int]) -> set[int]:
    """What a block leads to, itself among it, without leaving the given ones."""
    found = {block}
    todo = [block]
    while todo:
        for other in follows[todo.pop()]:
            if other in within and other not in found:
                found.add(other)
                todo.append(other)
    return found


def _order(entry: int, follows: Mapping[int, Sequence[int]]) -> list[int]:
    """The blocks in reverse postorder: each before all that follow it, ways back aside."""
    seen = {entry}
    found: list[int] = []
    stack: list[tuple[int, int]] = [(entry, 0)]
    while stack:
        block, k = stack.pop()
        after = follows[block]
        if k < len(after):
            stack.append((block, k + 1))
            if after[k] not in seen:
                seen.add(after[k])
                stack.append((after[k], 0))
        else:
            found.append(block)
    return found[::-1]


def _before(order: Sequence[int], follows: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
    """For each block those that lead to it."""
    before: dict[int, list[int]] = {block: [] for block in order}
    for block in order:
        for other in dict.fromkeys(follows[block]):
            before[other].append(block)
    return before


def _dominators(order: Sequence[int], before: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """For each block the last one that every way to it passes (Cooper, Harvey and Kennedy's algorithm)."""
    place = {block: k for k, block in enumerate(order)}
    above = {order[0]: order[0]}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            new = -1
            for other in before[block]:
                if other not in above:
                    continue
                a, b = other, other if new < 0 else new
                while a != b:
                    if place[a] > place[b]:
                        a = above[a]
                    else:
                        b = above[b]
                new = a
            if above.get(block) != new:
                above[block] = new
                changed = True
    return above
