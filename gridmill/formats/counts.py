"""``puzzle:count:solution``, one record a line: how lists of test puzzles say what is known about each.

``count`` is exact, or ``>N`` for more than N; ``solution`` stands only where it is known to be one: ``unique`` and
``solved``. Where no count is known it is the status in angle brackets (``puzzle:<undecided>:``), and what is no
puzzle is the line ``<malformed>::``, for its text could hold colons. ``clash`` and ``none`` are both a count of 0.
"""

from collections.abc import Iterable, Iterator

from gridmill import kernel
from gridmill.answers import Answer, Status
from gridmill.formats.press import press
from gridmill.formats.row import ONE_SOLUTION, Row
from gridmill.formats.sheet import Sheet

MALFORMED = f"<{Status.MALFORMED}>"


class CountsWriter:
    """Writes ``puzzle:count:solution``."""

    def header(self) -> bytes:
        """Nothing."""
        return b""

    def rows(self, rows: Iterable[Row]) -> bytes:
        """One line a row."""
        return "".join([_said(row.puzzle, row.answer) + "\n" for row in rows]).encode()

    def sheet(self, sheet: Sheet) -> Iterator[bytes]:
        return press("counts", sheet, _said) if kernel.native else iter((self.rows(sheet.rows()),))


def _said(puzzle: str, answer: Answer) -> str:
    if answer.status is Status.MALFORMED:
        return f"{MALFORMED}::"
    solution = answer.solution if answer.status in ONE_SOLUTION else ""
    return f"{puzzle}:{answer.count or f'<{answer.status}>'}:{solution}"
