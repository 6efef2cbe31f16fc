"""What ends a run before its job is done, and what it says then."""

import pytest

from gridmill.entry import Place
from gridmill.errors import Incomplete, JobError, OutputError
from gridmill.testing import FakeBroker

from .rig import LEASE, Paper, Rig


def test_a_lost_job_ends_a_collector_that_is_alone(fake: FakeBroker) -> None:
    rig = Rig(fake, feeding=False)
    rig.feed()
    rig.happens = lambda look: rig.client.flushall() if look == 3 else None

    with pytest.raises(Incomplete, match=r"has lost job .* what was written stays valid, and gridmill resume out goes"):
        rig.run()
    assert rig.referee.closed


def test_a_producer_that_has_gone_is_said_when_all_that_it_sent_is_written(fake: FakeBroker) -> None:
    rig = Rig(fake, feeding=False)
    rig.feed(stop=2, close=False)
    rig.work()

    with pytest.raises(Incomplete, match=rf"Go on with gridmill submit --job {rig.job} and the same input"):
        rig.run()

    assert rig.count == 4
    assert rig.paper.state.place == rig.cuts[1].after
    assert LEASE < rig.clock.time - 100 < 2 * LEASE


def test_a_chunk_of_which_nothing_is_left_ends_the_run_with_the_way_to_go_on(rig: Rig) -> None:
    rig.feed()
    rig.happens = lambda look: rig.client.delete("none", *rig.client.keys("*:led"), *rig.client.keys("*:b:*"))

    with pytest.raises(Incomplete, match=rf"gridmill cancel {rig.job}, gridmill clean, then gridmill resume OUT"):
        rig.run()


@pytest.mark.parametrize("state", ["cancelled", "done"])
def test_a_job_that_somebody_ended_ends_the_run(rig: Rig, state: str) -> None:
    rig.feed()

    def happens(look: int) -> None:
        if look == 3:
            rig.ledger.final(rig.job, state)

    rig.happens = happens
    with pytest.raises(JobError, match=f"was {state}; what was written stays valid"):
        rig.run()


def test_a_job_that_is_collected_elsewhere_is_left_alone(rig: Rig) -> None:
    rig.feed()
    rig.ledger.commit(rig.job, "c", Place(), b"{}", out="other:/b.csv", own=True)

    with pytest.raises(JobError, match=r"is being collected into other:/b\.csv; go on with that output"):
        rig.run()


def test_an_output_that_lacks_what_another_one_took_is_not_begun(rig: Rig) -> None:
    rig.feed()
    rig.ledger.commit(rig.job, "c", rig.cuts[0].after, b"{}", out=Paper.name, own=True)

    with pytest.raises(JobError, match="collected before, by an output that is not this one"):
        rig.run()


def test_an_output_that_cannot_be_written_ends_the_run(rig: Rig) -> None:
    rig.feed()
    rig.work()
    rig.paper.refuses = True

    with pytest.raises(OutputError, match="no space left"):
        rig.run()

    assert rig.paper.state.place == Place()
    assert "commit" not in rig.paper.notes
    assert rig.referee.closed


def test_a_chunk_that_does_not_follow_is_not_written(rig: Rig) -> None:
    rig.feed()
    rig.client.set(rig.client.keys("*:s:0")[0], rig.cuts[1].chunk.side)
    rig.work()

    with pytest.raises(Incomplete, match="chunk 0 begins with record 3, the output ends with 0"):
        rig.run()
    assert rig.paper.written == b""
