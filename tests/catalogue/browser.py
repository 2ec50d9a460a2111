"""A headless Chromium, driven through the pipe of its DevTools protocol: no port, no library.

    with Browser(folder) as browser:
        browser.open(page, "q=fire")
        browser.run("document.title")
        browser.press("Escape")

The protocol is JSON, one message after another with a zero byte between, on the file descriptors 3 and 4 of the
browser.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip
SECONDS = 120


def program() -> str | None:
    """Where the browser is; None if there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One browser with one tab; `asked` are the addresses that it was made to ask for, `complaints` what its console
    and its policy said."""

    def __init__(self, folder: Path) -> None:
        chromium = program()
        assert chromium is not None
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        # What starts as Python gives the ends of the pipes the numbers that the browser looks for, then becomes it.
        theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (theirs_in, theirs_out)]
        become = (
            "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); "
            "os.execv(sys.argv[3], sys.argv[3:])"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-c", become, *map(str, theirs), chromium, *FLAGS, f"--user-data-dir={folder}"],
            pass_fds=theirs,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in theirs:
            os.close(end)
        os.close(theirs_in)
        os.close(theirs_out)
        self._held = b""
        self._number = 0
        self._session = ""
        self.asked: list[str] = []
        self.complaints: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)

    def call(self, method: str, **given: Any) -> dict[str, Any]:
        """One call of the protocol, and its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": given}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def _next(self) -> dict[str, Any]:
        until = time.monotonic() + SECONDS
        while b"\0" not in self._held:
            ready, _, _ = select.select([self._in], [], [], max(0.0, until - time.monotonic()))
            assert ready, "the browser does not answer"
            piece = os.read(self._in, 1 << 20)
            assert piece, "the browser went away"
            self._held += piece
        message, _, self._held = self._held.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        given = found.get("params", {})
        match found.get("method"):
            case "Network.requestWillBeSent":
                self.asked.append(given["request"]["url"])
            case "Log.entryAdded":
                self.complaints.append(given["entry"]["text"])
            case "Runtime.exceptionThrown":
                self.complaints.append(str(given["exceptionDetails"]))
            case _:
                pass
        return found

    def open(self, page: Path, fragment: str = "", width: int = 1280, height: int = 900) -> None:
        """Open a page anew, and wait until it is there."""
        self.call("Page.navigate", url="about:blank")
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.call("Page.navigate", url=page.resolve().as_uri() + (f"#{fragment}" if fragment else ""))
        self.wait("location.protocol === 'file:' && document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """What an expression of JavaScript gives."""
        # The page's policy forbids nothing here: this is the console, not the page.
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, script: str) -> None:
        """Wait until an expression is true."""
        until = time.monotonic() + SECONDS
        while not self.run(script):
            assert time.monotonic() < until, f"never true: {script}"
            time.sleep(0.05)

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.call("Input.insertText", text=text)

    def press(self, key: str) -> None:
        """Press a key: `Escape`, `Enter`, `Tab`, `ArrowRight`, `/`."""
        codes = {"Enter": (13, "\r"), "Escape": (27, ""), "Tab": (9, ""), "ArrowLeft": (37, ""), "ArrowRight": (39, "")}
        code, text = codes.get(key, (ord(key[0]), key))
        more = {"text": text} if text else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def click(self, selector: str) -> None:
        """Click with the mouse into the middle of an element."""
        x, y = self.run(
            f"(() => {{ const one = document.querySelector({json.dumps(selector)});"
            " one.scrollIntoView({block: 'center'});"
            " const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self) -> bytes:
        """What is seen, as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def dark(self) -> None:
        """As if the system were dark."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
