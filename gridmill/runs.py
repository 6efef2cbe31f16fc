"""The runs of this user that are not finished: one small file each, so that `resume` finds their outputs.

Convenience only: the journal beside an output is what counts, and `gridmill resume OUT` needs nothing else.
"""

import contextlib
import shutil
from pathlib import Path

from gridmill import logs
from gridmill.job import is_id

log = logs.get("runs")


class Runs:
    """The files ``<state_dir>/runs/<job>``, each holding the path of its output."""

    def __init__(self, state_dir: Path) -> None:
        self._folder = state_dir / "runs"
        self._servers = state_dir / "servers"

    def add(self, job: str, out: Path) -> None:
        """Remember a run that begins or goes on. Where that cannot be, it is logged."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / job).write_text(str(out.absolute()), "utf-8")
        except OSError as error:
            log.warning("resume will not find this run by itself", out=str(out), reason=str(error))

    def remove(self, job: str) -> None:
        """Forget a run, and the data of its private server."""
        with contextlib.suppress(OSError):  # it was never there, or cannot be written any more
            (self._folder / job).unlink()
        shutil.rmtree(self.server_folder(job), ignore_errors=True)

    def server_folder(self, job: str) -> Path:
        """Where the private server of a run keeps its data."""
        return self._servers / job

    def served(self) -> list[str]:
        """The jobs for which there is a private server's folder."""
        return sorted(folder.name for folder in self._servers.glob("*") if is_id(folder.name))

    def unfinished(self) -> dict[str, Path]:
        """Outputs by job, the latest last."""
        found = []
        for file in self._folder.glob("*"):
            if is_id(file.name):
                with contextlib.suppress(FileNotFoundError):  # its run has just ended
                    found.append((file.stat().st_mtime, file.name, Path(file.read_text("utf-8"))))
        return {job: out for _, job, out in sorted(found)}
