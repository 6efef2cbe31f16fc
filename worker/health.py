"""Whether the queue is served: ``python -P -m worker.health`` sends one board through it and waits for the answer.

Not whether a process is there: a worker can be alive, connected and idle for ever. Nor whether this very worker is
well, since any may answer; its supervisor sees to that. A queue that is full answers late, so what also counts is a
sign of work while we waited: a piece taken, or a beat of one that was begun before.

One line on standard output; exit code 0 when the queue is served, 1 when not.
"""

import sys
import time
from typing import TYPE_CHECKING, Any

from kombu.exceptions import KombuError

from gridmill import broker, rules
from gridmill.entry import Snapshot
from gridmill.errors import BrokerError, BrokerLost, GridmillError
from gridmill.ledger import Ledger
from gridmill.settings import Settings

if TYPE_CHECKING:
    from celery import Celery

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"  # unique, a few nodes
PATIENCE = 15.0  # seconds for the answer: three beats, so a worker at a long piece gives a sign within it


def check(settings: Settings, patience: float = PATIENCE) -> str:
    """Say why the queue counts as served. Raises BrokerError when it does not within ``patience`` seconds."""
    client = broker.redis_client(settings)
    broker.check(client, settings)
    ledger = Ledger.of(client, settings)
    before = _snapshots(ledger)
    begun = time.monotonic()
    with broker.explained(settings):
        answer = ask(broker.make_app(settings), patience)
    if answer is not None:
        _believe(answer)
        return f"a board was solved in {time.monotonic() - begun:.2f} s"
    if advanced(before, _snapshots(ledger)):
        return f"busy: no answer within {patience:g} s, but pieces make progress"
    raise BrokerError(f"no worker answered within {patience:g} s, and no piece made progress")


def ask(app: "Celery", patience: float) -> dict[str, str | int] | None:
    """The answer about `BOARD`; None when there is none within ``patience`` seconds, an empty one when it is nothing
    that `gridmill.broker.BOARD_TASK` gives, such as an error that somebody has put there. Raises BrokerLost."""
    from celery.exceptions import TimeoutError

    try:
        result = app.send_task(broker.BOARD_TASK, args=(BOARD,))
    except KombuError as error:
        raise BrokerLost(f"the board could not be sent: {error}") from error
    try:
        answer: Any = result.get(timeout=patience, propagate=False)
    except TimeoutError:
        return None
    finally:
        result.forget()
    return answer if isinstance(answer, dict) else {}


def advanced(before: dict[str, Snapshot], after: dict[str, Snapshot]) -> bool:
    """Whether a worker took a piece or gave a beat between two looks at the jobs."""
    return any(_advanced(before[job], now) for job, now in after.items() if job in before)


def _advanced(before: Snapshot, now: Snapshot) -> bool:
    beats = {(piece, entry.seq): entry.beat for piece, entry in before.entries.items()}
    return now.mark > before.mark or any(
        entry.beat > beats.get((piece, entry.seq), entry.beat) for piece, entry in now.entries.items()
    )


def _snapshots(ledger: Ledger) -> dict[str, Snapshot]:
    return {job: snapshot for job in ledger.jobs() if (snapshot := ledger.scan(job)) is not None}


def _believe(answer: dict[str, str | int]) -> None:
    """Raises BrokerError for a wrong answer: a worker that gives such is no more use than none."""
    fault = rules.verify(BOARD, str(answer.get("solution", "")))
    if fault is not None:
        raise BrokerError(f"a worker gave a wrong answer: {fault}")


def main() -> int:
    """Print one line; the exit code."""
    try:
        print(f"healthy: {check(Settings.load())}")
    except GridmillError as error:
        print(f"unhealthy: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
