"""``ludoloom explain``: what a code means."""

from __future__ import annotations

from typing import Annotated

import typer

from ludoloom.compiler.cli.output import fail, write
from ludoloom.compiler.diagnostics.codes import CODES
from ludoloom.compiler.diagnostics.explain import raw_page
from ludoloom.compiler.diagnostics.nearest import did_you_mean


def run(
    code: Annotated[
        str | None, typer.Argument(metavar="[CODE]", help="The code of a finding, as `duplicate-key`.")
    ] = None,
) -> int:
    """Explain the code of a finding: what it means, why it matters, an example that raises it and one that does not.

    Without a code, all codes are listed with one line each.

    \b
    ludoloom explain
    ludoloom explain duplicate-key
    """
    if code is None:
        width = max(len(slug) for slug in CODES)
        for slug, row in sorted(CODES.items()):
            write(f"{slug:<{width}}  {row.severity:<7}  {row.title}\n")
        return 0
    slug = code.strip().strip("[]`").lower()
    page = raw_page(slug) if slug in CODES else None
    if page is None:
        return fail(
            f"there is no code `{code}`"
            + (f"; {hint}" if (hint := did_you_mean(slug, CODES)) else "")
            + "\n`ludoloom explain` lists them all"
        )
    write(page if page.endswith("\n") else page + "\n")
    return 0
