"""A chaos run: an undisturbed solve, then the same under a plan of faults, then the comparison."""

import filecmp
import os
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from chaos import account, puzzles
from chaos.faults import Undo, strike
from chaos.field import HOSTS, Field, MakeRunner
from chaos.plan import Fault, Kind, plan
from chaos.process import Process
from chaos.runner import Apart, Whole

LOOK = 0.1  # seconds between two looks at what runs
READY = 60.0  # seconds for all workers to start, before the first fault
REMEMBER = 5.0  # seconds between two moments that the server may go back to
CALM = 180.0  # seconds to finish when the last fault is over
CHILDREN = 2  # of each worker
LEASE = 3.0  # seconds
SETTINGS = {
    "GRIDMILL_LEASE": str(LEASE), "GRIDMILL_BEAT": "0.5", "GRIDMILL_GRACE": "1", "GRIDMILL_GRACE_MAX": "5",
    "GRIDMILL_WORKERS": str(CHILDREN), "GRIDMILL_LOG_FORMAT": "json", "GRIDMILL_LOG_LEVEL": "info",
}  # fmt: skip
UNDISTURBED = 600.0  # seconds for a run in which nothing happens


@dataclass
class Outcome:
    """What came of one part of a run. ``wrong`` says what must not be; empty when all is well."""

    name: str
    seconds: float = 0.0
    faults: Counter[Kind] = field(default_factory=Counter)
    codes: Counter[int] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Part:
    """One job under its share of the faults; ``records`` puzzles, ``seconds`` of faults. ``questions`` are the options
    that say what is asked beside the answers."""

    name: str
    folder: Path
    records: int
    seconds: float
    faults: int
    chunk: int
    tries: int
    seed: int
    questions: tuple[str, ...]
    say: TextIO

    def run(self) -> Outcome:
        """Solve it twice, and compare."""
        outcome = Outcome(self.name)
        self.folder.mkdir()
        poison = puzzles.write(self.folder / "in.txt", self.records, self.seed)
        env = self._env(poison)
        undisturbed = self._undisturbed(env)
        (self.folder / "calm").unlink()
        begun = time.monotonic()
        place = Field(self.folder, env, self.seed, self._runner(), spread=self.name == "apart")
        if any(way.host for way in place.proxies):
            print(f"{self.name}: the hosts with workers are network namespaces", file=self.say, flush=True)
        try:
            self._torture(place, outcome)
        finally:
            place.close()
        outcome.seconds = time.monotonic() - begun
        outcome.codes = place.runner.codes
        outcome.counts = account.counts(self.folder)
        outcome.wrong += account.faults(self.folder)
        if place.runner.finished and not filecmp.cmp(undisturbed, place.runner.out, shallow=False):
            outcome.wrong.append(f"{place.runner.out} differs from {undisturbed}")
        return outcome

    def _runner(self) -> MakeRunner:
        kind = Apart if self.name == "apart" else Whole
        return lambda folder, env: kind(folder, env, (*self._asked, "--chunk", str(self.chunk)))

    @property
    def _asked(self) -> tuple[str, ...]:
        return ("--solver", "lanes", *self.questions)

    def _env(self, poison: str) -> dict[str, str]:
        here = Path(__file__).parent
        path = [str(here / "site"), str(here.parent), os.environ.get("PYTHONPATH", "")]
        pieces, solving = self.records / self.chunk, 3 * CHILDREN  # a whole run: two hosts and its own
        return {
            **{name: value for name, value in os.environ.items() if not name.startswith("GRIDMILL_")},
            **SETTINGS,
            "GRIDMILL_TRIES": str(self.tries),
            "PYTHONPATH": os.pathsep.join(filter(None, path)),
            "XDG_STATE_HOME": str(self.folder / "state"),
            "CHAOS_POISON": poison,
            "CHAOS_CALM": str(self.folder / "calm"),
            "CHAOS_PACE": str(self.seconds * solving / pieces),  # so it is not finished before the last fault
        }

    def _undisturbed(self, env: dict[str, str]) -> Path:
        (self.folder / "calm").touch()
        out = self.folder / "undisturbed.csv"
        words = ["gridmill", "solve", str(self.folder / "in.txt"), "-o", str(out), *self._asked]
        once = {"GRIDMILL_TRIES": "1"}  # the answers do not depend on it
        process = Process(words, env | once, self.folder / "undisturbed.txt")
        end = time.monotonic() + UNDISTURBED
        while process.code() is None and time.monotonic() < end:
            time.sleep(LOOK)
        process.end()
        if not out.exists():
            raise RuntimeError(f"the undisturbed run failed: {(self.folder / 'undisturbed.txt').read_text()[-2000:]}")
        return out

    def _torture(self, place: Field, outcome: Outcome) -> None:
        faults = plan(self.seed, self.seconds, self.faults, LEASE)
        self._await_workers(place)
        undoes: list[tuple[float, Undo]] = []
        start = time.monotonic()
        remembered, calm = start, False
        while not place.runner.finished:
            time.sleep(LOOK)
            now = time.monotonic() - start
            for due, undo in [each for each in undoes if each[0] <= now]:
                undoes.remove((due, undo))
                undo()
            while faults and faults[0].at <= now:
                self._strike(place, faults.pop(0), outcome, undoes, now)
            if not faults and not undoes:
                if not calm and not place.store.alive():
                    place.store.up()
                (self.folder / "calm").touch()
                calm = True
            if now > self.seconds + CALM:
                outcome.wrong.append(f"not finished {CALM:g} s after the last fault")
                return
            if start + now - remembered > REMEMBER and not undoes:
                place.store.remember()
                remembered = start + now
            place.look()
        if faults:
            outcome.wrong.append(f"finished before {len(faults)} of the faults")

    def _await_workers(self, place: Field) -> None:
        end = time.monotonic() + READY
        while len(place.children()) < HOSTS * CHILDREN and time.monotonic() < end:
            time.sleep(LOOK)
            place.look()

    def _strike(
        self, place: Field, fault: Fault, outcome: Outcome, undoes: list[tuple[float, Undo]], now: float
    ) -> None:
        undo = strike(place, fault)
        print(f"{self.name} {now:6.1f} s  {fault.kind}{'' if undo else ': nobody there'}", file=self.say, flush=True)
        if undo is not None:
            outcome.faults[fault.kind] += 1
            undoes.append((now + fault.seconds, undo))
