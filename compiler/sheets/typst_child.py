"""A child process that runs Typst once: a job as JSON on its input, the result as JSON on its output.

It is a script of its own and imports nothing of ludoloom, so that it starts quickly and whatever a template makes Typst
do stays in this process: it has a limit of memory and of time, a root out of which no path leads, an empty environment
and no network. Typst itself has none of these limits.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any

OVER_MEMORY = 97
"""Exit code of a child that took too much memory."""


def _watch(megabytes: int) -> None:
    """End the process when it has taken too much memory. Where there is no `resource` (Windows) only the time that the
    parent gives is a limit."""
    try:
        import resource
    except ImportError:
        return
    unit = 1 if sys.platform == "darwin" else 1024
    while True:
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit > megabytes * 1024 * 1024:
            os._exit(OVER_MEMORY)
        time.sleep(0.02)


def _limit(megabytes: int, seconds: int) -> None:
    """Hard limits behind the watch: it looks fifty times a second, and much can be taken in between."""
    try:
        import resource
    except ImportError:
        return
    room = (megabytes + 2048) * 1024 * 1024  # Typst maps its fonts and a stack for each thread
    for which, most in (("RLIMIT_AS", room), ("RLIMIT_CPU", 4 * seconds), ("RLIMIT_CORE", 0)):
        try:
            resource.setrlimit(getattr(resource, which), (most, most))
        except (AttributeError, ValueError, OSError):
            continue


def _trouble(found: Any) -> dict[str, Any]:
    return {"message": str(found.message), "diagnostic": str(found.diagnostic), "hints": [str(x) for x in found.hints]}


def _run(job: dict[str, Any]) -> dict[str, Any]:
    import typst

    fonts = typst.Fonts(include_system_fonts=False, font_paths=job["fonts"])
    compiler = typst.Compiler(
        job["main"],
        root=job["root"],
        font_paths=fonts,
        package_path=job["nowhere"],
        package_cache_path=job["nowhere"],
    )
    answer: dict[str, Any] = {"written": [], "warnings": [], "reports": []}
    try:
        for number, output in enumerate(job["outputs"]):
            pages, warnings = compiler.compile_with_warnings(
                format=output["format"],
                ppi=output["ppi"],
                pdf_standards=[output["standard"]] if output["standard"] else [],
                timestamp=0,
                pdf_tags=False,
            )
            answer["warnings"] = [_trouble(each) for each in warnings]
            for page, data in enumerate(pages if isinstance(pages, list) else [pages or b""], 1):
                path = output["path"] if output["format"] == "pdf" else output["path"].replace("{page}", f"{page:04d}")
                with open(path, "wb") as file:
                    file.write(data)
                answer["written"].append([number, path])
        if job["report"]:
            answer["reports"] = _reports(compiler, job["report"])
    except typst.TypstError as error:
        answer["trouble"] = _trouble(error)
    except RuntimeError as error:
        answer["trouble"] = {"message": str(error), "diagnostic": str(error), "hints": []}
    return answer


def _reports(compiler: Any, label: str) -> Any:
    try:
        return json.loads(compiler.query(label, field="value"))
    except RuntimeError:
        compiler.compile(format="pdf", timestamp=0, pdf_tags=False)  # says where it fails, which a query does not
        raise


def main() -> None:
    job = json.load(sys.stdin)
    _limit(job["megabytes"], job["seconds"])
    threading.Thread(target=_watch, args=(job["megabytes"],), daemon=True).start()
    answer = _run(job)
    sys.stdout.write(json.dumps(answer))
    sys.stdout.flush()
    os._exit(0)  # nothing is left to be tidied up, and freeing a large document takes time


if __name__ == "__main__":
    main()
