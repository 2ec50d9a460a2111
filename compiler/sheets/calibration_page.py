"""The test page of a printer, written as a PDF of two pages: `calibrate.test_page` drawn."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ludoloom.compiler.sheets.calibrate import test_page
from ludoloom.compiler.sheets.document import drawing
from ludoloom.compiler.sheets.duplex import Rect
from ludoloom.compiler.sheets.finish import Boxes, finish
from ludoloom.compiler.sheets.model import Output
from ludoloom.compiler.sheets.paper import Paper
from ludoloom.compiler.sheets.typeset import typeset


def write_page(paper: Paper, out: Path) -> None:
    """Write both sides of the test page for a paper."""
    out.parent.mkdir(parents=True, exist_ok=True)
    size = paper.size
    text = drawing([(size, test_page(paper, back=False)), (size, test_page(paper, back=True))])
    with tempfile.TemporaryDirectory(prefix=".ludoloom-", dir=out.parent) as folder:
        path = Path(folder) / "page.pdf"
        result = typeset(text, {}, [Output(path, "pdf", pdf_standard="1.7")], reports=False)
        if not result.ok:
            raise AssertionError(f"the test page cannot be set: {result}")
        whole = Rect(0, 0, size.width, size.height)
        finish(path, [Boxes(size, whole, whole)] * 2, "Calibration", version="1.7")
        os.replace(path, out)
