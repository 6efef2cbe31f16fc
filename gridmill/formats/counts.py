"""``puzzle:count:solution``, one record a line: how lists of test puzzles say what is known about each.

``count`` is exact, or ``>N`` for more than N; ``solution`` stands only where it is known to be one: ``unique`` and
``solved``. Where no count is known it is the status in angle brackets (``puzzle:<undecided>:``), and what is no
puzzle is the line ``<malformed>::``, for its text could hold colons. ``clash`` and ``none`` are both a count of 0.
"""

from collections.abc import Iterable

from gridmill.answers import Status
from gridmill.formats.row import ONE_SOLUTION, Row

MALFORMED = f"<{Status.MALFORMED}>"


class CountsWriter:
    """Writes ``puzzle:count:solution``."""

    def header(self) -> bytes:
        """Nothing."""
        return b""

    def rows(self, rows: Iterable[Row]) -> bytes:
        """One line a row."""
        return "".join(map(_line, rows)).encode()


def _line(row: Row) -> str:
    answer = row.answer
    if answer.status is Status.MALFORMED:
        return f"{MALFORMED}::\n"
    solution = answer.solution if answer.status in ONE_SOLUTION else ""
    return f"{row.puzzle}:{answer.count or f'<{answer.status}>'}:{solution}\n"
