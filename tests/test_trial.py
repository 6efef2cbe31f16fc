"""Faults in a mill on trial: each comes about, is seen in the account, and changes no answer."""

from collections.abc import Callable
from dataclasses import replace

import pytest

import gridmill
from gridmill.generate import generate
from gridmill.record import Record
from gridmill.testing import Account, TrialMill

BOARDS = [puzzle for puzzle, _ in generate(4, seed=6)] + ["." * 81, "what is this?", "55" + "." * 79]
CHUNK = 2

Arm = Callable[[TrialMill], None]


@pytest.fixture(params=["gridmill_mill", "gridmill_local_mill"])
def mill(request: pytest.FixtureRequest, session_server: object) -> TrialMill:
    """Inside this process, and with processes. (Without a server for the session, the tests are skipped.)"""
    made: TrialMill = request.getfixturevalue(request.param)
    return made


def run(mill: TrialMill) -> Account:
    account = mill.account(mill.submit(BOARDS, solver="bitmask", chunk=CHUNK))
    assert account.answers == list(gridmill.solve_many(BOARDS, solver="bitmask"))
    return account


def test_nothing_goes_wrong_by_itself(mill: TrialMill) -> None:
    account = run(mill)
    assert (account.faults, account.resent, account.rejected) == ((), 0, 0)
    assert account.messages == len(BOARDS) // CHUNK + 1


def test_a_message_that_is_lost_is_sent_again(mill: TrialMill) -> None:
    mill.faults.drop_message()
    account = run(mill)
    assert account.faults == ("drop_message",)
    assert account.resent >= 1


def test_a_message_that_comes_twice_does_nothing(mill: TrialMill) -> None:
    mill.faults.double_message()
    account = run(mill)
    assert account.faults == ("double_message",)
    assert account.messages == len(BOARDS) // CHUNK + 2
    assert account.resent == 0


def test_a_false_answer_is_rejected(mill: TrialMill) -> None:
    mill.faults.corrupt_answer()
    account = run(mill)
    assert account.faults == ("corrupt_answer",)
    assert account.rejected == 1


def test_every_answer_may_be_false(mill: TrialMill) -> None:
    """The collector then solves by itself."""
    for _ in range(20):
        mill.faults.corrupt_answer()
    account = run(mill)
    assert set(account.faults) == {"corrupt_answer"}
    assert account.rejected == len(account.faults)


def test_a_worker_that_dies_is_replaced(mill: TrialMill) -> None:
    mill.faults.kill_worker()
    account = run(mill)
    assert account.faults == ("kill_worker",)
    assert account.restarts == (1 if mill.house else 0)
    assert account.resent >= (0 if mill.house else 1)


def test_faults_strike_one_after_the_other(gridmill_mill: TrialMill) -> None:
    gridmill_mill.faults.drop_message()
    gridmill_mill.faults.corrupt_answer()
    gridmill_mill.faults.kill_worker()
    assert gridmill_mill.faults.waiting == 3
    account = run(gridmill_mill)
    assert account.faults == ("drop_message", "corrupt_answer", "kill_worker")
    assert gridmill_mill.faults.waiting == 0


def test_a_job_that_does_not_end_is_a_failure(gridmill_mill: TrialMill) -> None:
    job = gridmill_mill.submit(("." * 81 for _ in iter(int, 1)), first=True, chunk=CHUNK)
    with pytest.raises(AssertionError, match=r"did not end within 0\.1 s"):
        gridmill_mill.account(job, seconds=0.1)


@pytest.fixture
def account(gridmill_mill: TrialMill) -> Account:
    return run(gridmill_mill)


def test_a_record_that_is_answered_twice_is_told(account: Account) -> None:
    with pytest.raises(AssertionError, match=r"records answered more than once: \[1\]"):
        replace(account, rows=(account.rows[0], *account.rows)).check()


def test_a_record_without_an_answer_is_told(account: Account) -> None:
    with pytest.raises(AssertionError, match=r"records without an answer: \[2\]"):
        replace(account, rows=(account.rows[0], *account.rows[2:])).check()


def test_answers_out_of_order_are_told(account: Account) -> None:
    with pytest.raises(AssertionError, match="not in the order of the records"):
        replace(account, rows=account.rows[::-1]).check()


def test_counts_that_do_not_add_up_are_told(account: Account) -> None:
    counts = account.progress.counts | {gridmill.Status.UNIQUE: 3}
    with pytest.raises(AssertionError, match="counted"):
        replace(account, progress=replace(account.progress, counts=counts)).check()


def test_an_answer_to_no_record_is_told(account: Account) -> None:
    extra = account.rows[-1]._replace(record=len(account.rows) + 1)
    with pytest.raises(AssertionError, match="8 answers to 7 records"):
        replace(account, rows=(*account.rows, extra)).check()


def test_records_of_an_account_are_those_that_were_given(gridmill_mill: TrialMill) -> None:
    account = gridmill_mill.account(gridmill_mill.submit([Record(9, "." * 81, id="x")]))
    assert [(row.line, row.id, row.answer.status.value) for row in account.rows] == [(9, "x", "multiple")]
    assert account.statuses == ["multiple"]
