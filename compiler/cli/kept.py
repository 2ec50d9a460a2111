"""The checkers of shapes that earlier commands kept, for those that read packs."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ludoloom.compiler import cache
from ludoloom.compiler.frontend.checkers import Checkers


@contextmanager
def kept_checkers(*, use_cache: bool = True) -> Generator[Checkers, None, None]:
    """What was kept; what is new afterwards is kept too."""
    name = cache.key("checkers")
    checkers = Checkers(cache.load_rows("checkers", name) if use_cache else {}, keep=use_cache)
    yield checkers
    if use_cache and (rows := checkers.filled()) is not None:
        cache.store_rows("checkers", name, rows)
