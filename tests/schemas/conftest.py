"""Lets the tests of this folder share `schema_corpus`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
