"""What each input file was taken for, and why: ``--explain`` and ``gridmill formats FILE``."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridmill.formats.input import Input


def told(records: "Input") -> list[str]:
    """One line a file."""
    return [f"{found.file}: {found.format}, for {found.reason}" for found in records.formats]


class Explanation:
    """Says it once, if it is ``wanted``."""

    def __init__(self, say: Callable[[str], None], *, wanted: bool) -> None:
        self._say, self._wanted = say, wanted

    def seen(self, records: "Input | None") -> "Input | None":
        """``records``, explained when they are seen for the first time."""
        if self._wanted and records is not None:
            self._wanted = False
            for line in told(records):
                self._say(line)
        return records
