"""How long a chunk is left to workers, whatever the ledger says."""

from typing import Any

import pytest

from collector.patience import LEASES, Patience
from gridmill.entry import Entry, JobView, Snapshot
from gridmill.piece import Piece

WAITS = Entry("q", 5, 0, 0, False, 0, "-")
BEGUN = Entry("s", 5, 1, 0, False, 0, "w")
END = LEASES * 15.0


@pytest.fixture
def patience() -> Patience:
    return Patience(15.0)


def seen(entry: Entry = WAITS, *, torn: tuple[int, ...] = (), number: int = 0) -> Snapshot:
    job: Any = JobView
    return Snapshot(job, {Piece(number, 0, 2): entry}, 9, 3, torn=torn)


@pytest.mark.parametrize(
    "snapshot",
    [seen(BEGUN), seen(BEGUN._replace(state="a")), seen(WAITS._replace(tries=1)), seen(torn=(0,))],
    ids=["begun", "answered", "tried", "torn"],
)
def test_it_ends_for_a_chunk_that_somebody_has_had_to_do_with(patience: Patience, snapshot: Snapshot) -> None:
    patience.look(snapshot, 0, 0.0, passed=False)

    assert not patience.is_over(0, END)
    assert patience.is_over(0, END + 1)


def test_it_lasts_while_a_chunk_merely_waits(patience: Patience) -> None:
    """Nobody is there yet, or others are before it in the queue."""
    patience.look(seen(), 0, 0.0, passed=False)

    assert not patience.is_over(0, 10 * END)


def test_a_chunk_that_others_have_passed_does_not_merely_wait(patience: Patience) -> None:
    patience.look(seen(), 0, 0.0, passed=True)

    assert patience.is_over(0, END + 1)


def test_what_the_ledger_says_later_changes_nothing(patience: Patience) -> None:
    """Else whoever writes it could go on for ever."""
    patience.look(seen(BEGUN), 0, 0.0, passed=False)
    for second in range(int(END)):
        patience.look(seen(BEGUN._replace(beat=second)), 0, second, passed=False)
        patience.look(seen(), 0, second, passed=False)

    assert patience.is_over(0, END + 1)


def test_the_time_of_a_chunk_runs_before_its_turn(patience: Patience) -> None:
    """Or a worker that seems to be at all chunks would hold up each for so long."""
    patience.look(seen(BEGUN, number=7), 0, 0.0, passed=False)
    patience.look(seen(BEGUN, number=7), 7, END, passed=False)

    assert patience.is_over(7, END + 1)


def test_it_begins_anew_after_a_reset(patience: Patience) -> None:
    patience.look(seen(BEGUN), 0, 0.0, passed=False)
    patience.reset()
    patience.look(seen(BEGUN), 0, END, passed=False)

    assert not patience.is_over(0, END + 1)
