"""For tests: a pytest plugin (docs/testing.md), and what it is made of.

    FakeBroker      a broker inside the process, on fakeredis
    fake_worker     a Celery worker in a thread
    TrialMill       a mill in which something can be made to go wrong
    Account         what became of a job

pytest imports this at every start, so nothing is imported here that a test does not ask for.
"""

from typing import TYPE_CHECKING

from gridmill.testing.fixtures import (
    gridmill_fake,
    gridmill_local_mill,
    gridmill_mill,
    gridmill_server,
    gridmill_session_server,
    gridmill_settings,
)

if TYPE_CHECKING:
    from gridmill.testing.account import Account
    from gridmill.testing.broker import FakeBroker
    from gridmill.testing.trial import TrialMill
    from gridmill.testing.worker import fake_worker

__all__ = [
    "Account", "FakeBroker", "TrialMill", "fake_worker",
    "gridmill_fake", "gridmill_local_mill", "gridmill_mill", "gridmill_server", "gridmill_session_server",
    "gridmill_settings",
]  # fmt: skip

_LATE = {"Account": "account", "FakeBroker": "broker", "TrialMill": "trial", "fake_worker": "worker"}


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"gridmill.testing.{_LATE[name]}"), name)
