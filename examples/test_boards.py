"""Tests of boards by the pytest plugin of Gridmill: ``pytest test_boards.py``. See docs/testing.md."""

from pathlib import Path

from gridmill.testing import TrialMill

MIXED = Path(__file__).parent / "mixed.csv"


def test_every_board_is_what_the_file_says(gridmill_mill: TrialMill) -> None:
    account = gridmill_mill.account(gridmill_mill.submit(MIXED, chunk=5))

    assert account.statuses == [row.extras[0] for row in account.rows]


def test_lost_messages_and_lies_change_nothing(gridmill_mill: TrialMill) -> None:
    gridmill_mill.faults.drop_message()
    gridmill_mill.faults.corrupt_answer()

    account = gridmill_mill.account(gridmill_mill.submit(MIXED, chunk=5))

    assert account.faults == ("drop_message", "corrupt_answer")
    assert account.statuses == [row.extras[0] for row in account.rows]
