"""What went wrong in a job: lost attempts, split pieces, rejected answers, records that failed.

Kept by the collector on its own machine, a file of JSON lines a job, ``<state_dir>/dead/<job>.jsonl``, begun with the
first incident. So it is there when the job has ended, and when the server has lost it. Like `gridmill.runs` it is for
people: no answer depends on it, and where it cannot be written, that is logged and the run goes on.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import msgspec

from gridmill import logs
from gridmill.errors import UnknownJob, WireError
from gridmill.job import is_id

BYTES_MOST = 1_000_000  # of a file; some thousand incidents tell whoever reads them enough
FAILED_BYTES_MOST = 20_000_000  # up to which records that failed are still noted: 100,000 of them

log = logs.get("incidents")


class About(msgspec.Struct, frozen=True):
    """The job: where its answers go (empty: standard output), in which form, and what was asked."""

    out: str
    form: str
    spec: bytes


class Incident(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that went wrong, to the records ``first`` to ``last`` of the input (0: not known).

    ``what``: lost, split, rejected, solved here, refused, declined, failed or retried. ``worker`` is whose attempt it
    was, as its token says; ``at`` is in seconds since 1970.
    """

    what: str
    cause: str = ""
    first: int = 0
    last: int = 0
    worker: str = ""
    puzzle: str = ""
    at: float = 0.0


class Incidents:
    """Those of one job."""

    def __init__(self, state_dir: Path, job: str, about: About) -> None:
        self._path = _path(state_dir, job)
        self.job, self.about = job, about

    @classmethod
    def load(cls, state_dir: Path, job: str) -> Self:
        """Those that were noted. Raises UnknownJob when there is nothing, WireError when it cannot be read."""
        path = _path(state_dir, job)
        if not is_id(job) or not path.exists():
            raise UnknownJob(f"nothing is known here to have gone wrong in job {job[:60]!r}", job=job)
        try:
            with path.open("rb") as file:
                return cls(state_dir, job, msgspec.json.decode(file.readline(), type=About))
        except msgspec.MsgspecError as error:
            raise WireError(f"{path} cannot be read: {error}; remove it") from error

    def note(self, incident: Incident) -> None:
        """Add ``incident``, unless there are too many of its kind."""
        line = msgspec.json.encode(msgspec.structs.replace(incident, at=round(time.time(), 3))) + b"\n"
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                size = os.fstat(descriptor).st_size
                head = b"" if size else msgspec.json.encode(self.about) + b"\n"
                if size < (FAILED_BYTES_MOST if incident.what == "failed" else BYTES_MOST):
                    os.write(descriptor, head + line)  # at once, so that nobody reads half of it
            finally:
                os.close(descriptor)
        except OSError as error:
            log.warning("not noted for gridmill dead", job=self.job, what=incident.what, reason=str(error))

    def adopt(self, job: str) -> None:
        """Take over what another job noted, whose records are some of this one's, and not numbered as here."""
        other = _path(self._path.parent.parent, job)
        if other.exists():
            for incident in Incidents.load(self._path.parent.parent, job):
                self.note(msgspec.structs.replace(incident, first=0, last=0))
            other.unlink()

    def __iter__(self) -> Iterator[Incident]:
        """All, the oldest first. A line that a full disk cut short is passed over."""
        decoder = msgspec.json.Decoder(Incident)
        with self._path.open("rb") as file:
            file.readline()
            for line in file:
                try:
                    yield decoder.decode(line)
                except msgspec.MsgspecError:
                    continue


def jobs(state_dir: Path) -> list[str]:
    """The jobs in which something went wrong, the latest last."""
    files = [file for file in (state_dir / "dead").glob("*.jsonl") if is_id(file.stem)]
    return [file.stem for file in sorted(files, key=lambda file: file.stat().st_mtime)]


def remove(state_dir: Path, job: str) -> None:
    """Forget what went wrong in a job."""
    _path(state_dir, job).unlink(missing_ok=True)


def _path(state_dir: Path, job: str) -> Path:
    return state_dir / "dead" / f"{job}.jsonl"
