"""Who drives a job to its end: whatever of it dies is started again, as its last words say."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from chaos.process import Process


class Runner(ABC):
    """A job in ``folder``: from ``in.txt`` to ``out.csv``, with the options ``asked``. Call `look` regularly until
    ``finished``."""

    def __init__(self, folder: Path, env: Mapping[str, str], asked: Sequence[str]) -> None:
        self.folder, self._env, self._asked = folder, env, asked
        self.out = folder / "out.csv"
        self._input = str(folder / "in.txt")
        self.finished = False
        self.codes: Counter[int] = Counter()  # exit codes of what was started

    @property
    @abstractmethod
    def collector(self) -> Process | None:
        """The process that collects."""

    @property
    @abstractmethod
    def producer(self) -> Process | None:
        """The process that feeds."""

    @abstractmethod
    def look(self) -> None:
        """Start again what has ended too early."""

    def end(self) -> None:
        """Kill what runs."""
        for process in (self.collector, self.producer):
            if process is not None:
                process.end()

    def _start(self, *words: str, out: Path | None = None) -> Process:
        return Process(["gridmill", *words], self._env, self.folder / "roles.log", out)

    def _ended(self, process: Process) -> int | None:
        code = process.code()
        if code is not None:
            self.codes[code] += 1
        return code


class Whole(Runner):
    """``gridmill solve`` on a server that is not its own, then the same command or ``gridmill resume`` by turns."""

    def __init__(self, folder: Path, env: Mapping[str, str], asked: Sequence[str]) -> None:
        super().__init__(folder, env, asked)
        self._starts = 0
        self._process = self._again()

    @property
    def collector(self) -> Process | None:
        """See `Runner`."""
        return self._process

    @property
    def producer(self) -> Process | None:
        """See `Runner`."""
        return self._process

    def look(self) -> None:
        """See `Runner`."""
        code = self._ended(self._process)
        if code == 0 or (code == 3 and self.out.exists()):  # 3: everything is written, and a record is `failed`
            self.finished = True
        elif code is not None:
            self._process = self._again()

    def _again(self) -> Process:
        self._starts += 1
        if self._starts % 2 == 0 and journal(self.out).exists():
            return self._start("resume", str(self.out))
        return self._start("solve", self._input, "-o", str(self.out), *self._asked)


class Apart(Runner):
    """``gridmill submit`` and ``gridmill collect``; `Whole` takes over when the server has lost the job."""

    def __init__(self, folder: Path, env: Mapping[str, str], asked: Sequence[str]) -> None:
        super().__init__(folder, env, asked)
        self._job_file = folder / "job"
        self._collector: Process | None = None
        self._producer: Process | None = None
        self._fed = False
        self._whole: Whole | None = None

    @property
    def collector(self) -> Process | None:
        """See `Runner`."""
        return self._whole.collector if self._whole else self._collector

    @property
    def producer(self) -> Process | None:
        """See `Runner`."""
        return self._whole.producer if self._whole else self._producer

    def look(self) -> None:
        """See `Runner`."""
        if self._whole is not None:
            self._whole.look()
            self.finished = self._whole.finished
            return
        job = (self._job_file.read_text().split() or [""])[0] if self._job_file.exists() else ""
        self._look_at_producer(job)
        if job:
            self._look_at_collector(job)

    def _look_at_producer(self, job: str) -> None:
        if self._fed:
            return
        code = self._ended(self._producer) if self._producer else -1
        if code is None:
            return
        self._fed = code == 0
        if not self._fed:
            words = ("--job", job) if job else ()
            self._producer = self._start("submit", self._input, *words, *self._asked, out=self._job_file)

    def _look_at_collector(self, job: str) -> None:
        code = self._ended(self._collector) if self._collector else -1
        if code is None:
            return
        said = (self.folder / "roles.log").read_text("utf-8", "replace").splitlines()[-20:]
        if self._collector is not None and self.out.exists():
            self.finished = True
        elif any(f"lost job {job}" in line or f"knows no job {job}" in line for line in said):
            self.end()
            self._whole = Whole(self.folder, self._env, self._asked)
            self._whole.codes = self.codes
        else:
            self._fed = self._fed and not any("submit --job" in line for line in said)
            self._collector = self._start("collect", job, "-o", str(self.out))


def journal(out: Path) -> Path:
    """What is beside ``out`` while it is not finished."""
    return out.with_name(out.name + ".gridmill")
