"""Checkers that say whether a value has a shape, made of what was kept of the models (`ludoloom.schemas.quick`).

Importing Pydantic and building the models takes longer than the rest of a small check. So a checker of each model that
was needed is kept as data, by a name that stands for all that the model is made of (`cells.py` makes those of kinds),
in an entry of the cache that another version of the tool or of a library does not look at. A checker only accepts: what
it does not accept is looked at by the model itself, which also tells what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ludoloom.schemas.base import Part

_MOST: Final = 100
"""Checkers that are kept; each version of a kind has one."""

Accepts = Callable[[object], bool]


@dataclass(slots=True)
class Checkers:
    """The checkers of one run. `rows` are those that were kept; without `keep` nothing new is."""

    rows: Mapping[str, str] = field(default_factory=dict[str, str])
    keep: bool = False
    new: dict[str, str] = field(default_factory=dict[str, str])
    _made: dict[str, Accepts] = field(default_factory=dict[str, Accepts])

    def accept(self, name: str, model: Callable[[], type[Part]], value: object) -> bool:
        """Whether the value is right for sure; what is not may be right all the same."""
        checker = self._made.get(name)
        if checker is None:
            checker = self._made[name] = self._kept(name) or self._of(name, model())
        return checker(value)

    def _kept(self, name: str) -> Accepts | None:
        if name not in self.rows:
            return None
        from ludoloom.schemas.quick import checker_of

        try:
            return checker_of(self.rows[name])
        except Exception:  # somebody damaged it: whatever the core says of that, there is the model
            return None

    def _of(self, name: str, model: type[Part]) -> Accepts:
        accepts: Accepts = model.__pydantic_validator__.isinstance_python
        if self.keep:
            from ludoloom.schemas.quick import Unfit, data_of

            with suppress(Unfit):
                self.new[name] = data_of(model.__pydantic_core_schema__)
        return accepts

    def filled(self) -> dict[str, str] | None:
        """All that is worth keeping now; None if it is kept already."""
        if not self.new:
            return None
        return dict(list({**self.rows, **self.new}.items())[-_MOST:])
