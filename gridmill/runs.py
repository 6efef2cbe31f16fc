"""The runs of this user that are not finished: one small file each, so that `resume` finds their outputs.

Convenience only: the journal beside an output is what counts, and `gridmill resume OUT` needs nothing else.
"""

import shutil
from pathlib import Path

from gridmill.job import is_id


class Runs:
    """The files ``<state_dir>/runs/<job>``, each holding the path of its output."""

    def __init__(self, state_dir: Path) -> None:
        self._folder = state_dir / "runs"
        self._servers = state_dir / "servers"

    def add(self, job: str, out: Path) -> None:
        """Remember a run that begins or goes on."""
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / job).write_text(str(out.absolute()))

    def remove(self, job: str) -> None:
        """Forget a run, and the data of its private server."""
        (self._folder / job).unlink(missing_ok=True)
        shutil.rmtree(self.server_folder(job), ignore_errors=True)

    def server_folder(self, job: str) -> Path:
        """Where the private server of a run keeps its data."""
        return self._servers / job

    def served(self) -> list[str]:
        """The jobs for which there is a private server's folder."""
        return sorted(folder.name for folder in self._servers.glob("*") if is_id(folder.name))

    def unfinished(self) -> dict[str, Path]:
        """Outputs by job, the latest last."""
        if not self._folder.is_dir():
            return {}
        files = sorted(
            (file for file in self._folder.iterdir() if is_id(file.name)), key=lambda file: file.stat().st_mtime
        )
        return {file.name: Path(file.read_text()) for file in files}
