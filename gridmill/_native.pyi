from collections.abc import Sequence

from typing_extensions import Buffer

def judge(boards: Buffer, codes: Buffer, solutions: Buffer, seconds: Buffer) -> bytes: ...
def solve(boards: Buffer, limit: int, budget: int, width: str) -> tuple[bytes, bytes, bytes, bytes]: ...
def deep(board: Buffer, limit: int, budget: int) -> tuple[bytes, int, bool]: ...
def widths() -> tuple[str, ...]: ...
def read_lines(block: bytes, start: int, limit: int, tails: bool) -> tuple[int, bytes, list[tuple[bytes, bytes]]]: ...
def read_table(
    block: bytes, start: int, limit: int, delimiter: int, width: int, puzzle: int, marked: bool
) -> tuple[int, bytes, list[tuple[bytes, bytes]]]: ...

class Press:
    def __init__(
        self,
        form: str,
        first: int,
        boards: bytes,
        codes: bytes,
        nodes: bytes,
        solutions: bytes,
        seconds: bytes,
        lines: bytes,
        odd: bytes,
        answers: tuple[bytes, bytes],
        columns: Sequence[tuple[bytes, bytes]],
        names: Sequence[bytes],
    ) -> None: ...
    def next(self, size: int) -> bytes: ...
