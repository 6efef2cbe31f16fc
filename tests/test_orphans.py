"""What a dead worker had begun is reported at once."""

from itertools import pairwise
from pathlib import Path

import pytest
import redis
from structlog.testing import capture_logs

from gridmill.chunk import Chunk, Record
from gridmill.entry import Place
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.settings import Settings
from worker.identity import host
from worker.orphans import report

JOBS = "abcdefghjk", "bcdefghjkm"
GROUP = 12
PIECES = [Piece(number, 0, 1) for number in range(4)]


@pytest.fixture
def ledger(client: redis.Redis, settings: Settings) -> Ledger:
    """With two jobs of four pieces: one waits, the group has two, and another group one."""
    made = Ledger.of(client, settings)
    chunk = Chunk.of(1, [Record(1, "." * 81)])
    for job in JOBS:
        made.create(job, "producer", b"spec", Place())
        places = [Place(number, number) for number in range(len(PIECES) + 1)]
        seqs = [made.enqueue(job, "producer", at, chunk, after, 1_000_000).seq for at, after in pairwise(places)]
        for number, group in ((0, GROUP), (1, GROUP), (2, 123)):
            made.begin(job, PIECES[number], seqs[number], f"{host()}/{group}/1/aa{number}")
    return made


def lost(ledger: Ledger, job: str) -> list[Piece]:
    snapshot = ledger.scan(job)
    assert snapshot
    return sorted(piece for piece, entry in snapshot.entries.items() if entry.lost)


def test_all_that_the_group_had_begun_is_lost_and_nothing_else(ledger: Ledger) -> None:
    report(ledger, GROUP)

    assert [lost(ledger, job) for job in JOBS] == [PIECES[:2], PIECES[:2]]


def test_what_it_had_finished_is_not_lost(ledger: Ledger) -> None:
    assert ledger.finish(JOBS[0], PIECES[0], "late/1/1/a", b"h" * 16, b"reply") == "ok"

    report(ledger, GROUP)

    assert lost(ledger, JOBS[0]) == [PIECES[1]]


def test_a_job_that_has_ended_is_passed_over(ledger: Ledger) -> None:
    ledger.final(JOBS[0], "cancelled")

    report(ledger, GROUP)

    assert lost(ledger, JOBS[1]) == PIECES[:2]


def test_a_server_that_is_away_is_no_error(tmp_path: Path) -> None:
    """The lease ends all the same."""
    ledger = Ledger.connect(Settings.load(broker=f"unix://{tmp_path}/nowhere"))

    with capture_logs() as said:
        report(ledger, GROUP)

    assert [entry["event"] for entry in said] == ["what the worker had begun is not reported"]
