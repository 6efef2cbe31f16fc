"""Who follows a job from elsewhere: by what its server knows of it, or by the track of a run on this machine.

Nothing here changes anything, nor keeps a job from being cleared up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Event
from typing import TYPE_CHECKING, Protocol

import msgspec

from gridmill.errors import BrokerLost, UnknownJob, WireError
from gridmill.job import Spec
from gridmill.track import DONE, RUNNING, Track, Tracks

if TYPE_CHECKING:
    from gridmill.ledger import Ledger

UNFINISHED = "unfinished"  # its process was stopped, or died
LOST = "lost"  # nobody knows it any more


@dataclass(frozen=True)
class Look:
    """One look at ``job``, see `gridmill.progress`. ``state``: `RUNNING`, or how it ended: `DONE`, cancelled,
    `UNFINISHED`, `LOST`.

    ``out``: where the answers go of a run on this machine that reads its input itself; else empty. ``unread``: why this
    release cannot go on with the job; of a run on this machine that is `RUNNING`, nobody asks.
    """

    job: str
    state: str
    written: int
    enqueued: int
    total: int | None
    counts: Mapping[str, int] = field(default_factory=dict)
    size: int | None = None
    position: int = 0
    read: int = 0
    out: str = ""
    unread: str = ""


class View(Protocol):
    """From where a job can be seen."""

    def look(self) -> Look:
        """How far it is now. Raises UnknownJob where it is not known, BrokerLost when a later look may say."""


class OnServer:
    """By what the server knows: what is safe in the output, as the collector says about twice a second."""

    def __init__(self, ledger: Ledger, job: str) -> None:
        self._ledger, self._job = ledger, job

    def look(self) -> Look:
        """See `View`. A job that nobody works on is running too: somebody may still."""
        view = self._ledger.view(self._job)
        unread = ""
        try:
            Spec.decode(view.spec)
        except WireError as error:
            unread = str(error)
        return Look(
            self._job,
            RUNNING if view.state == "open" else view.state,
            view.written,
            view.place.record,
            None if view.total is None else view.place.record,
            msgspec.json.decode(view.counts or b"{}", type=dict[str, int]),
            unread=unread,
        )


class OnThisMachine:
    """By the track of a run of this user. ``unread`` says why this release cannot go on with the run into an output."""

    def __init__(self, tracks: Tracks, job: str, unread: Callable[[str], str]) -> None:
        self._tracks, self._job, self._unread = tracks, job, unread

    def look(self) -> Look:
        """See `View`."""
        track, state = self._track, RUNNING
        if not self._tracks.is_running(track):
            track = self._track  # its last word, now that it can say no more
            state = DONE if track.state == DONE else UNFINISHED
        seen = (track.written, track.enqueued, track.total, track.counts, track.size, track.position, track.read)
        unread = self._unread(track.out) if state == UNFINISHED and track.out else ""
        return Look(self._job, state, *seen, out=track.out if track.size is not None else "", unread=unread)

    @property
    def _track(self) -> Track:
        track = self._tracks.load(self._job)
        if track is None:
            raise UnknownJob(
                f"no run on this machine is job {self._job}; for a job of a server give --broker", job=self._job
            )
        return track


class Onlooker:
    """Looks again and again. ``say`` gets what there is to say about the looking itself; ``clock`` gives seconds.

    A job that has become unknown is lost after ``patience`` seconds: until then, a `gridmill.mill.solve` may make it
    again on a server that has lost its data.
    """

    def __init__(
        self, view: View, patience: float, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._view, self._patience, self._say, self._clock = view, patience, say, clock
        self._is_away = False
        self._unknown_since: float | None = None

    def follow(self, show: Callable[[Look], None], stop: Event, period: float) -> Look:
        """Show each look until the job has ended, or ``stop`` is set: the last one, which is `RUNNING` then.

        Looks every ``period`` seconds. Raises UnknownJob or BrokerError when the first look does.
        """
        last = self._view.look()
        if last.unread and last.state == RUNNING:
            self._say(f"{last.unread}; that release goes on with it")
        show(last)
        while last.state == RUNNING and not stop.wait(period):
            last = self._again(last)
            show(last)
        return last

    def _again(self, last: Look) -> Look:
        try:
            look = self._view.look()
        except BrokerLost as error:
            if not self._is_away:
                self._say(f"waiting for the server: {error}")
            self._is_away, self._unknown_since = True, None
            return last
        except UnknownJob:
            look = self._missed(last)
        else:
            self._unknown_since = None
        if self._is_away:
            self._say("the server is back")
        self._is_away = False
        return look

    def _missed(self, last: Look) -> Look:
        now = self._clock()
        if self._unknown_since is None:
            self._unknown_since = now
        return replace(last, state=LOST) if now - self._unknown_since > self._patience else last
