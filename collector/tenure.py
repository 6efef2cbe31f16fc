"""That this collector, and no other, has the job: what the server is told of it, and what the server says to that."""

import secrets

import msgspec

from collector.keeper import Keeper
from gridmill.entry import JobView, Snapshot
from gridmill.errors import JobError
from gridmill.ledger import Ledger


class Tenure:
    """Of ``job``, whose answers go into the output ``out``; ``keeper`` knows how much of that is safe.

    All methods raise JobError when the job has ended or is another's, and BrokerError.
    """

    def __init__(self, ledger: Ledger, job: str, keeper: Keeper, out: str) -> None:
        self._ledger, self._job, self._keeper, self._out = ledger, job, keeper, out
        self._token = secrets.token_hex(8)
        self.is_held = False  # as far as this collector has heard

    def begin(self) -> bool:
        """Take the job over from whoever has it, at what is safe here. False: the server does not know it."""
        said = self._commit(own=True)
        if said == "nojob":
            return False
        self._refuse_unless(said, "ok")
        self.is_held = True
        return True

    def lapse(self) -> None:
        """The server is perhaps no longer as this collector left it."""
        self.is_held = False

    def look(self, start: int) -> Snapshot | None:
        """The job as it is now, from chunk ``start`` on; None: the server went back in time, or has lost the job."""
        snapshot = self._ledger.scan(self._job, self._token, start=start)
        if snapshot is None or not self._is_mine(snapshot.job):
            self.lapse()
            return None
        return snapshot

    def let_go(self) -> None:
        """Have the server forget what is safe."""
        said = self._commit()
        if said in ("fenced", "nojob"):  # the server went back to before this collector, or lost the job
            self.lapse()
        else:
            self._refuse_unless(said, "ok")

    def end(self) -> None:
        """The job is done, and all of it is safe."""
        self._ledger.final(self._job, "done", (self._keeper.saved.record, self._counts()))

    def _is_mine(self, job: JobView) -> bool:
        self._refuse_unless(job.state, "open")
        return job.collector == self._token and job.cursor == self._keeper.saved.chunk

    def _commit(self, *, own: bool = False) -> str:
        safe, counts = self._keeper.saved, self._counts()
        return self._ledger.commit(self._job, self._token, safe, counts, out=self._out, own=own)

    def _counts(self) -> bytes:
        return msgspec.json.encode(self._keeper.counts)

    def _refuse_unless(self, said: str, wanted: str) -> None:
        if said.startswith("elsewhere"):
            raise JobError(
                f"job {self._job} is being collected into {said.partition(' ')[2]}; go on with that output, or"
                " if it is a stream that has ended, cancel the job and submit it again",
                job=self._job,
            )
        if said == "ahead":
            raise JobError(
                f"a part of job {self._job} was collected before, by an output that is not this one, and is no longer "
                "there; go on with that output, or start a new job",
                job=self._job,
            )
        if said != wanted:
            raise JobError(
                f"job {self._job} was {said}; what was written stays valid. Another job has to do the rest: start anew "
                "with --force, or into another output",
                job=self._job,
            )
