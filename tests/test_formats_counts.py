"""``puzzle:count:solution``."""

import pytest

from gridmill.answers import Answer, Status
from gridmill.formats.counts import CountsWriter
from gridmill.formats.row import Row

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (Answer(Status.UNIQUE, SOLUTION), f"{PUZZLE}:1:{SOLUTION}"),
        (Answer(Status.SOLVED, SOLUTION), f"{PUZZLE}:>0:{SOLUTION}"),
        (Answer(Status.MULTIPLE, SOLUTION, SOLUTION), f"{PUZZLE}:>1:"),
        (Answer(Status.NONE), f"{PUZZLE}:0:"),
        (Answer(Status.CLASH, detail="5 twice in row 1: r1c1, r1c2"), f"{PUZZLE}:0:"),
        (Answer(Status.UNDECIDED), f"{PUZZLE}:<undecided>:"),
        (Answer(Status.FAILED), f"{PUZZLE}:<failed>:"),
    ],
)
def test_a_line_has_the_count_or_the_status_and_a_solution_where_there_is_one(answer: Answer, line: str) -> None:
    assert CountsWriter().rows([Row(1, 1, "", PUZZLE, answer)]) == f"{line}\n".encode()


def test_what_is_no_puzzle_does_not_put_its_own_colons_into_the_line() -> None:
    assert CountsWriter().rows([Row(1, 1, "", "a:1:b", Answer(Status.MALFORMED))]) == b"<malformed>::\n"


def test_there_is_no_header() -> None:
    assert CountsWriter().header() == b""
