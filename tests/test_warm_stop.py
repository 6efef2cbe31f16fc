"""A worker that is told to stop finishes the piece that it has begun, or says that it did not."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gridmill import solvers
from gridmill.chunk import Chunk, Record
from gridmill.embedded import Server
from gridmill.entry import Entry, Place
from gridmill.job import WIRE, Spec
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.settings import Settings
from worker import orphans
from worker.supervisor import Supervisor

JOB = "abcdefghjk"
PIECE = Piece(0, 0, 1)
BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
LIMIT = 60.0  # seconds for a worker to start, and to finish

# Python runs a file of this name at its start: each board then takes so long.
SLOW = """
import sys, time
from gridmill import solvers

class Slow(solvers.Bitmask):
    def search(self, grid, limit, budget):
        time.sleep({seconds})
        return super().search(grid, limit, budget)

if "worker" in sys.orig_argv:
    solvers._SOLVERS["bitmask"] = Slow
"""


class Lab:
    """A worker whose solver needs ``seconds`` for a board, when it has begun the one piece of a job."""

    def __init__(self, server: Server, site: Path, seconds: float, wait_until: Callable[..., None]) -> None:
        (site / "sitecustomize.py").write_text(SLOW.format(seconds=seconds))
        path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH", "")]))
        settings = Settings.load(broker=server.url, workers=1)
        self.ledger = Ledger.connect(settings)
        self.supervisor = Supervisor(
            {**settings.variables(), "PYTHONPATH": path},
            LIMIT,
            lambda: 0,
            lambda line: None,
            lambda group, told: orphans.report(self.ledger, group, told=told),
        )
        self.supervisor.start()
        self._send()
        wait_until(lambda: self.entry.state == "s", "that the piece is begun", LIMIT)

    def _send(self) -> None:
        bitmask = solvers.get("bitmask")
        spec = Spec(WIRE, bitmask.name, bitmask.version, False, bitmask.budget, 1, "", (), ("-",))
        self.ledger.create(JOB, "producer", spec.encode(), Place())
        chunk = Chunk.of(1, [Record(1, BOARD)])
        seq = self.ledger.enqueue(JOB, "producer", Place(), chunk, Place(1, 1, b"c" * 16), 1_000_000).seq
        self.ledger.send(JOB, PIECE, seq)

    @property
    def entry(self) -> Entry:
        snapshot = self.ledger.scan(JOB)
        assert snapshot is not None
        return snapshot.entries[PIECE]


@pytest.fixture
def lab(server: Server, tmp_path: Path, wait_until: Callable[..., None]) -> Iterator[Callable[[float], Lab]]:
    made: list[Lab] = []

    def make(seconds: float) -> Lab:
        made.append(Lab(server, tmp_path, seconds, wait_until))
        return made[-1]

    yield make
    for each in made:
        each.supervisor.stop()


def test_a_piece_that_is_begun_is_finished(lab: Callable[[float], Lab]) -> None:
    worker = lab(1.0)

    assert worker.supervisor.stop(warm=LIMIT) is True

    assert worker.entry.state == "a"


def test_a_piece_that_takes_too_long_is_handed_back_at_once(lab: Callable[[float], Lab]) -> None:
    """Its lease need not end first, and it has lost no try."""
    worker = lab(600.0)

    assert worker.supervisor.stop(warm=0.5) is False

    assert (worker.entry.state, worker.entry.lost, worker.entry.tries) == ("s", True, 0)
