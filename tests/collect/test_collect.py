"""From answers to an output: what is written when, and what is saved before what."""

import json
import threading
from typing import Any

import pytest
from intake.rig import Judge

from collector import keeper
from collector.journal import State
from gridmill.chunk import Fault, Record
from gridmill.piece import Piece
from gridmill.testing import FakeBroker

from .rig import (
    ANSWERS,
    Rig,
)


def test_a_job_is_written_in_order_and_ends(rig: Rig) -> None:
    rig.feed()
    rig.work(3)
    rig.work(1)
    rig.work()

    assert rig.run() is True

    assert rig.paper.written == ANSWERS * 7
    assert (rig.paper.state.place, rig.paper.state.counts) == (rig.cuts[-1].after, {"unique": 7})
    assert rig.ledger.view(rig.job).state == "done"
    assert rig.referee.closed


def test_an_empty_job_is_an_empty_output(fake: FakeBroker) -> None:
    rig = Rig(fake, [])
    rig.feed()

    assert rig.run() is True
    assert (rig.paper.written, rig.paper.notes[-3:]) == (b"", ["done", "publish", "final"])


def test_a_job_of_rubbish_needs_no_worker(fake: FakeBroker) -> None:
    rig = Rig(fake, [Record(line, None, Fault(0, "no cells", "x")) for line in range(1, 8)])
    rig.feed()

    assert rig.run() is True
    assert rig.paper.written == b"<malformed>\n" * 7


def test_nothing_is_written_before_its_turn(rig: Rig) -> None:
    rig.feed()
    rig.work(1, 2, 3)
    seen: list[int] = []

    def happens(look: int) -> None:
        seen.append(rig.count)
        if look == 6:
            rig.work(0)

    rig.happens = happens
    rig.run()

    assert set(seen[:6]) == {0}
    assert rig.count == 7


def test_what_the_referee_confirms_is_written_without_another_look(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    judge, wait = Judge(), rig.ledger.wait
    rig.settings = rig.settings.model_copy(update={"audit": 1.0})
    written: list[int] = []

    def waited(*args: Any) -> bool:
        judge.rule()
        found = wait(*args)
        written.append(rig.count)
        return found

    monkeypatch.setattr(rig.ledger, "wait", waited)
    rig.feed()
    rig.work()

    assert rig.run(rig.collector(referee=judge)) is True
    assert written == [2, 4, 6, 7]


def test_a_save_comes_before_the_commit_and_the_journal_before_the_name(rig: Rig) -> None:
    rig.feed()
    rig.happens = lambda look: rig.work(look // 8 - 1) if look in (8, 16, 24, 32) else None

    rig.run()

    notes = rig.paper.notes
    assert all(notes[at - 1] == "save" for at, note in enumerate(notes) if note in ("commit", "attach"))
    assert notes[-3:] == ["done", "publish", "final"]
    assert "commit" in notes


def test_a_job_that_is_being_made_is_soon_found_and_nothing_is_saved_for_it(rig: Rig) -> None:
    begun, notes = rig.clock.time, []

    def happens(look: int) -> None:
        if look == 5:
            notes.extend(rig.paper.notes)
            rig.feed()
            rig.work()

    rig.happens = happens

    assert rig.run() is True
    assert notes == ["save", *4 * ["attach"]]
    assert rig.clock.time - begun < 1.0  # a tick each would be more


def test_saves_are_grouped(rig: Rig) -> None:
    """Two syncs a chunk would be most of the work."""
    rig.feed()
    rig.work()

    rig.run()

    assert rig.paper.notes.count("commit") == 0


def test_an_answer_is_read_once_though_it_stays_until_it_is_safe(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "SAVE_SECONDS", 1000)
    rig.feed()
    rig.happens = lambda look: rig.work(look // 8 - 1) if look in (8, 16, 24, 32) else None

    rig.run()

    assert "commit" not in rig.paper.notes
    assert len(rig.ledger.read) == len(set(rig.ledger.read)) == 4


def test_much_data_is_saved_at_once(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "SAVE_BYTES", 100)
    rig.feed()
    rig.work()

    rig.run()

    assert rig.paper.notes.count("commit") >= 3


def test_what_was_written_leaves_the_server(rig: Rig) -> None:
    rig.feed()
    rig.work(0, 1)
    rig.happens = lambda look: rig.stop.set() if rig.ledger.view(rig.job).cursor == 2 else None

    assert rig.run() is False

    assert [rig.ledger.chunk(rig.job, number) is None for number in range(4)] == [True, True, False, False]
    assert rig.ledger.view(rig.job).written == 4


def test_stopping_saves_and_the_next_run_goes_on(rig: Rig) -> None:
    rig.feed()
    rig.work(0)
    rig.happens = lambda look: rig.stop.set() if rig.count == 2 else None
    assert rig.run() is False
    assert rig.paper.state.place == rig.cuts[0].after

    rig.stop, rig.happens = threading.Event(), lambda look: None
    rig.work()
    assert rig.run() is True

    assert rig.paper.written == ANSWERS * 7
    assert rig.paper.state.counts == {"unique": 7}


def test_the_header_is_written_once(rig: Rig) -> None:
    rig.feed()
    rig.work(0)
    rig.happens = lambda look: rig.stop.set() if rig.count == 3 else None
    rig.run(rig.collector("csv"))
    rig.stop, rig.happens = threading.Event(), lambda look: None
    rig.work()

    rig.run(rig.collector("csv"))

    assert rig.paper.written.count(b"record,") == 1
    assert rig.paper.written.startswith(b"record,")


def test_a_finished_manuscript_is_only_published(rig: Rig) -> None:
    """As a crash after the last save leaves it."""
    rig.feed()
    rig.paper.state = State(9, rig.cuts[-1].after, 100, {"unique": 7}, True)

    assert rig.run() is True

    assert rig.paper.notes == ["publish", "final"]
    assert rig.ledger.view(rig.job).counts == json.dumps({"unique": 7}, separators=(",", ":")).encode()


def test_an_output_that_has_to_be_made_is_made_in_ticks(rig: Rig) -> None:
    rig.feed()
    rig.paper.state = State(9, rig.cuts[-1].after, 100, {"unique": 7}, True)
    rig.paper.steps = 2
    rig.happens = lambda look: rig.paper.notes.append("tick")

    assert rig.run() is True

    assert rig.paper.notes == ["finish", "tick", "finish", "tick", "publish", "final"]


def test_making_an_output_can_be_stopped_and_goes_on_with_the_next_run(rig: Rig) -> None:
    rig.feed()
    rig.work()
    rig.paper.steps = 2
    rig.happens = lambda look: rig.stop.set() if "finish" in rig.paper.notes else None

    assert rig.run() is False
    assert (rig.paper.state.done, rig.paper.notes[-1]) == (True, "finish")

    rig.stop, rig.happens = threading.Event(), lambda look: None
    rig.paper.notes.clear()
    assert rig.run(rig.collector()) is True
    assert rig.paper.notes == ["finish", "finish", "publish", "final"]


def test_the_progress_is_shown_as_it_is(rig: Rig) -> None:
    rig.feed(close=False)
    rig.work(0)
    rig.ledger.begin(rig.job, Piece(1, 0, 2), 2, "w")
    collector = rig.collector()
    rig.happens = lambda look: rig.stop.set() if look == 3 else None

    rig.run(collector)

    progress = collector.progress
    assert (progress.written, progress.enqueued, progress.total) == (2, 7, None)
    assert (progress.queued, progress.started, progress.counts) == (2, 1, {"unique": 2})
    assert progress.bytes_in_flight > 0
