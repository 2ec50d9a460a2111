"""Makes the assembler importable, and compiled functions that test every index."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ludoloom.runtime import jit


@pytest.fixture(scope="session")
def checked() -> jit.Machine:
    """The interpreter compiled with index tests; without numba the tests that compare both ways do not apply."""
    if not jit.available():
        pytest.skip(jit.why_not())
    return jit.compiled(True)
