"""A mill in which something can be made to go wrong, and that accounts for its jobs."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gridmill import roles
from gridmill.api.house import House
from gridmill.api.job import Job
from gridmill.api.mill import QUIET, Mill
from gridmill.errors import JobEnded
from gridmill.settings import Settings
from gridmill.testing.account import Account
from gridmill.testing.broker import FakeBroker
from gridmill.testing.faults import Struck
from gridmill.testing.worker import fake_worker

SECONDS = 60.0  # for a job to end: those of tests take less than one


class TrialMill(Mill):
    """A `gridmill.Mill`; ``faults`` has what can be done to it."""

    def __init__(self, settings: Settings, house: House | None, ledger: Struck) -> None:
        self.faults = ledger.faults
        self._set_up(settings, house, ledger)

    def account(self, job: Job, seconds: float = SECONDS) -> Account:
        """Take all answers of ``job``, check that every record has one (`Account.check`), and say what came of it.

        A job that has not ended within ``seconds`` is cancelled, and an AssertionError.
        """
        timer = threading.Timer(seconds, job.cancel)
        timer.start()
        try:
            rows = tuple(row for block in job.blocks() for row in block.rows())
        except JobEnded as error:
            raise AssertionError(f"{job!r} was cancelled, or did not end within {seconds:g} s") from error
        finally:
            timer.cancel()
        restarts = self.house.workers.restarts if self.house else 0
        account = Account(rows, job.progress, tuple(self.faults.struck), self.faults.sent, restarts)
        account.check()
        return account


@contextmanager
def inside(fake: FakeBroker) -> Iterator[TrialMill]:
    """A mill on ``fake``, its worker in a thread of this process; one at a time."""
    settings, app = fake.settings, fake.app()
    roles.register(app, settings, fake.ledger)
    with fake_worker(app), TrialMill(settings, None, Struck.of(fake.client(), settings)) as made:
        yield made


@contextmanager
def local(**settings: Any) -> Iterator[TrialMill]:
    """A mill with a server and workers of its own, as `Mill.local` makes it."""
    house = House(Settings.load(**(QUIET | settings)))

    def kill() -> None:
        if house.workers.pid is not None:
            os.killpg(house.workers.pid, signal.SIGKILL)

    ledger = Struck.connect(house.settings)
    ledger.faults.kill = kill
    with TrialMill(house.settings, house, ledger) as made:
        yield made
