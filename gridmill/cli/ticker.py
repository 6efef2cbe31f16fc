"""Progress for programs (``--json-progress``): one JSON object a line on standard error, where only the log is besides.

An object has the key ``progress``: ``starting``, ``running``, ``note`` (something said), and in the last, which has
``exit`` too, how it ended. One of the log has ``event`` instead.
"""

import json
import math
import sys
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Self

from gridmill.cli import exit, table
from gridmill.cli.meter import Reading
from gridmill.cli.screen import Screen
from gridmill.progress import Size

FLAG = "--json-progress"
PERIOD = 1.0  # s between two looks: what a person who looks at a page of a program's cares for


class Ticker(Screen):
    """What a command says, as a `Screen` while it runs and as a `gridmill.cli.exit.Voice` at its end."""

    def __init__(self) -> None:
        super().__init__(period=PERIOD)
        self._begun, self._shown = time.monotonic(), -math.inf  # the first is at once
        self._reading: Reading | None = None
        self._is_feeding = False
        self._state = self._reason = self._trace = ""
        self._totals: Mapping[str, Any] = {}

    def __enter__(self) -> Self:
        self._write({"progress": "starting"})
        return self

    def say(self, text: str) -> None:
        """See `Screen`."""
        self._write({"progress": "note", "text": _shown(text)})

    def feed(self, done: int, total: int | None, source: Size | None) -> None:
        """See `Screen`."""
        self._is_feeding = True
        super().feed(done, total, source)

    def summary(self, rows: table.Rows, totals: Mapping[str, Any]) -> None:
        """See `Screen`; people's ``rows`` are left out."""
        self._totals = totals

    def ended(self, state: str, reason: str = "") -> None:
        """See `Screen`."""
        self._state, self._reason = state, reason

    def complain(self, text: object) -> None:
        """See `gridmill.cli.exit.Voice`."""
        self._state, self._reason = "", str(text)

    def trace(self, error: BaseException) -> None:
        """See `gridmill.cli.exit.Voice`."""
        self._trace = "".join(traceback.format_exception(error))

    def interrupted(self) -> None:
        """See `gridmill.cli.exit.Voice`."""
        self.complain("stopped")

    def end(self, code: int) -> None:
        """The last line."""
        last = {
            "progress": self._state or _state_of(code),
            "exit": code,
            "reason": _shown(self._reason) or None,
            **self._figures(),
            **self._totals,
        }
        with suppress(OSError):  # nobody reads it any more
            self._write(last | ({"traceback": _shown(self._trace)} if self._trace else {}))

    def _update(self, reading: Reading) -> None:
        self._reading = reading
        if self._is_due():
            self._write({"progress": "running", **self._figures()})

    def _figures(self) -> dict[str, Any]:
        """Records, records a second, seconds; null: not known."""
        now = self._reading
        return {
            "job": self.job or None,
            "seconds": round(time.monotonic() - self._begun, 1),
            "written": None if now is None or self._is_feeding else now.done,
            "enqueued": now and now.done + now.in_flight,
            "total": now.total if now and now.exact else None,
            "estimate": now and now.total,
            "in_flight": None if now is None or self._is_feeding else now.in_flight,
            "rate": now and round(now.rate, 1),
            "eta": round(now.left, 1) if now and now.left is not None else None,
            "counts": {name: number for name, number in now.counts.items() if number} if now else {},
        }

    def _write(self, line: Mapping[str, Any]) -> None:
        sys.stderr.write(json.dumps(line) + "\n")  # in one piece: workers write there too
        sys.stderr.flush()


def _shown(text: str) -> str:
    from gridmill.logs import visible

    return visible(text)


def _state_of(code: int) -> str:
    if code >= exit.SIGNALLED:
        return "stopped"
    return "done" if code in (exit.DONE, exit.FOUND) else "failed"
