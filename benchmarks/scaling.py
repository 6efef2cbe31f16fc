"""How many puzzles a second one coordinator moves, and with how many workers.

    python benchmarks/scaling.py FILE [--groups 1 2 4] [--solver NAME] [--repetitions R] [--alone] [--namespaces]

With ``--alone``, each role has the machine for itself: the producer fills a private server with the whole job, then one
worker answers all of it, then the collector takes the answers. So it is known how fast each is when none waits for
another, and what it asks of the server, also where there are fewer cores than roles. It says what each role's own limit
is and what the slowest of them would let pass.

Without, all roles work at the same time, with so many groups of worker processes, each started by a `gridmill work`
with one solving process; the numbers of groups take turns. The clock runs from the moment when all groups are
connected.

With ``--namespaces`` (Linux, as root), each group but the coordinator's own is in a network namespace that
`benchmarks/namespaces.py` makes and removes. It reaches the server by TCP through a pair of devices, as from another
machine, and by password. Without, all use the server's unix socket.

Answers are checked by the collector as in any run, and how many have each status by `gridmill.solve_many`. An easy file
comes close to a solver that does nothing: 40 ns a puzzle. On one machine producer, server, collector and workers share
the cores, so more groups than cores show what a coordinator has to bear, not how fast it is.
"""

import argparse
import csv
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import NamedTuple

import gridmill
from gridmill import broker, mill, solvers
from gridmill.badge import Badge
from gridmill.bench import usage
from gridmill.bench.pipeline import Lap
from gridmill.embedded import Server
from gridmill.ledger import Ledger
from gridmill.settings import Settings

READY_SECONDS = 60.0  # for a group to connect: it takes one
DONE_SECONDS = 60.0  # for the next answer of a worker: a chunk takes 0.1 s
LOOK_SECONDS = 0.002  # between two looks at what there is: a fiftieth of what a chunk takes
ROOM = 4_000_000_000  # bytes in flight: the whole job waits in the server
NAMESPACES = Path(__file__).parent / "namespaces.py"
ROLES = ("producer", "one worker", "collector")


class Phase(NamedTuple):
    """One role alone: so many records in ``seconds`` of the clock, with CPU seconds of its own and of the server."""

    records: int
    seconds: float
    own: float
    server: float


SPENT = attrgetter("own"), attrgetter("server")  # CPU seconds of a phase


class Clock:
    """Reads the clock, a role's CPU time and the server's, all since it was made."""

    def __init__(self, server: Server, own: Callable[[], float]) -> None:
        self._pid, self._own = server.pid, own
        self._begun = self._now()

    def _now(self) -> tuple[float, float, float]:
        return time.perf_counter(), self._own(), usage.seconds([self._pid]) or 0.0

    def phase(self, records: int) -> Phase:
        """What has passed, for so many records."""
        return Phase(records, *(now - then for now, then in zip(self._now(), self._begun, strict=True)))


class Place(NamedTuple):
    """Where a group of workers runs: what its command begins with, and how it reaches the server."""

    within: tuple[str, ...]
    settings: Settings


@contextmanager
def places(number: int, server: Server, settings: Settings, *, apart: bool) -> Iterator[tuple[Settings, list[Place]]]:
    """The coordinator's settings, and places for so many groups; ``apart``: in network namespaces."""
    here = settings.model_copy(update={"broker": server.url})
    if not apart:
        yield here, [Place((), here)] * number
        return
    command, pipe = [sys.executable, "-P", str(NAMESPACES), str(number)], subprocess.PIPE
    # It keeps them until we close its input, or are gone; Ctrl-C does not reach it in a session of its own.
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, start_new_session=True) as keeper:
        assert keeper.stdout is not None
        found = [keeper.stdout.readline().split() for _ in range(number)]
        if not all(found):
            raise SystemExit("there are no network namespaces, for the reason above")
        at = _listening(here, [address for _, address in found])
        yield at("127.0.0.1"), [Place(("ip", "netns", "exec", name), at(address)) for name, address in found]


def _listening(here: Settings, addresses: list[str]) -> Callable[[str], Settings]:
    """Have the server listen at ``addresses`` and loopback, with a password: the settings for each of them."""
    password = secrets.token_hex(16)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    listen = {"requirepass": password, "bind": " ".join(["127.0.0.1", *addresses]), "port": str(port)}
    broker.redis_client(here).config_set(*(part for option in listen.items() for part in option))
    return lambda address: here.model_copy(update={"broker": f"redis://:{password}@{address}:{port}/0"})


@contextmanager
def groups(places: Sequence[Place]) -> Iterator[list[int]]:
    """A group of one solving process at each place, connected: the ids of all their processes."""
    command = [sys.executable, "-P", "-m", "gridmill", "work", "--workers", "1", "--log-level", "error"]
    started = []
    for within, settings in places:
        environment = {**os.environ, **settings.variables()}
        started.append(subprocess.Popen([*within, *command], env=environment, start_new_session=True))
    try:
        _wait(
            lambda: not places or _connected(places[0].settings) >= len(places), READY_SECONDS, "all groups of workers"
        )
        yield [pid for one in started for pid in {one.pid, *usage.descendants(one.pid)}]
    finally:
        for one in started:
            one.send_signal(signal.SIGTERM)
        for one in started:
            one.wait(READY_SECONDS)


def _connected(settings: Settings) -> int:
    badges = (Badge.read(str(one["name"])) for one in broker.redis_client(settings).client_list())
    return len({badge.pid for badge in badges if badge})


def _wait(is_so: Callable[[], bool], seconds: float, what: str) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise SystemExit(f"waited {seconds:g} s for {what}")
        time.sleep(LOOK_SECONDS)


def fill(ask: mill.Ask, settings: Settings, server: Server) -> tuple[str, Phase]:
    """The producer alone: the job's id, and what it took."""
    jobs: list[str] = []
    fed: list[int] = []
    clock = Clock(server, time.process_time)
    mill.submit(ask, settings, None, jobs.append, lambda feed, _: fed.append(feed.place.record))
    return jobs[0], clock.phase(fed[-1])


def answer(job: str, place: Place, server: Server, records: int) -> Phase:
    """One worker alone, from its first answer, so without its start, to the last."""
    ledger = mill.open_ledger(place.settings)
    chunks = ledger.view(job).total or 0
    with groups([place]) as pids:
        before = _answered(ledger, job, 1)
        if before == chunks:
            raise SystemExit("all was answered before the clock ran: give a longer file")
        clock = Clock(server, lambda: usage.seconds(pids) or 0.0)
        _answered(ledger, job, chunks)
        return clock.phase(records * (chunks - before) // chunks)


def _answered(ledger: Ledger, job: str, number: int) -> int:
    """How many answers there are, as soon as there are so many. What is asked meanwhile costs the server nothing."""
    while (known := _answers(ledger, job)) < number:
        if not ledger.wait(job, known, DONE_SECONDS):
            raise SystemExit(f"no answer came within {DONE_SECONDS:g} s")
    return known


def _answers(ledger: Ledger, job: str) -> int:
    found = ledger.scan(job)
    return found.answers if found else 0


def gather(job: str, out: Path, settings: Settings, server: Server) -> tuple[Counter[str], Phase]:
    """The collector alone, its children included: how many answers have each status, and what it took."""

    def own() -> float:
        spent = os.times()
        return spent.user + spent.system + spent.children_user + spent.children_system

    clock = Clock(server, own)
    summary = mill.collect(job, out, "csv", settings, lambda *_: None)
    return summary.progress.counts, clock.phase(summary.written)


def alone(ask: mill.Ask, settings: Settings, folder: Path, wanted: Counter[str], *, apart: bool) -> list[Phase]:
    """Each of ROLES, one after another."""
    settings = settings.model_copy(update={"in_flight": ROOM, "tick": LOOK_SECONDS})
    with Server(folder / "server") as server, places(1, server, settings, apart=apart) as (here, (place,)):
        job, filled = fill(ask, here, server)
        answered = answer(job, place, server, filled.records)
        out = folder / "alone.csv"
        counts, gathered = gather(job, out, here, server)
        out.unlink()
    _check(counts, wanted)
    return [filled, answered, gathered]


class Race:
    """Times a run from the moment when so many groups are connected to the last call of `stop`."""

    def __init__(self, number: int, settings: Settings, server: Server) -> None:
        self._number, self._settings, self._server = number, settings, server

    def start(self) -> None:
        """Wait for the groups: one that comes later would have done less than its part."""
        _wait(lambda: _connected(self._settings) >= self._number, READY_SECONDS, f"{self._number} groups of workers")
        self._meter = usage.Meter(self._server.pid)
        self._before, self._begun = self._meter.read(), time.perf_counter()

    def stop(self) -> None:
        """Take the time; the mill calls it at each step of the collector, and when the output has its name."""
        self._seconds, self._cpu = time.perf_counter() - self._begun, self._meter.read().since(self._before)

    def lap(self, records: int) -> Lap:
        """What it took."""
        return Lap(records, self._seconds, self._cpu)


def together(ask: mill.Ask, number: int, settings: Settings, folder: Path, wanted: Counter[str], *, apart: bool) -> Lap:
    """All roles at once, with so many groups: one is the coordinator's own."""
    out = folder / "together.csv"
    settings = settings.model_copy(update={"workers": 1})
    with Server(folder / "server") as server, places(number - 1, server, settings, apart=apart) as (here, others):
        race = Race(number, here, server)
        with groups(others):
            summary = mill.solve(ask, out, "csv", here, lambda *_: race.stop(), before=race.start)
    if not summary.finished:
        raise SystemExit("the run was stopped")
    with out.open(encoding="utf-8", newline="") as file:
        _check(Counter(row["status"] for row in csv.DictReader(file)), wanted)
    out.unlink()
    return race.lap(summary.written)


def _check(counts: Counter[str], wanted: Counter[str]) -> None:
    if counts != wanted:
        raise SystemExit(f"the pipeline has {dict(counts)}, gridmill.solve_many {dict(wanted)}")


def told_alone(laps: list[list[Phase]]) -> Iterator[str]:
    """What each role and the server are worth, and the least of it."""
    yield "| alone | puzzles/s by the clock | CPU ns a puzzle | of the server |\n|---|--:|--:|--:|"
    rates, serving = {}, 0.0
    for role, phases in zip(ROLES, zip(*laps, strict=True), strict=True):
        rates[role] = median(one.records / one.seconds for one in phases)
        own, server = (median(1e9 * spent(one) / one.records for one in phases) for spent in SPENT)
        serving += server
        yield f"| {role} | {rates[role]:,.0f} | {own:,.0f} | {server:,.0f} |"
    if serving:
        rates["server"] = 1e9 / serving
        yield f"| server, for all three | {rates['server']:,.0f} | {serving:,.0f} | |"
    else:  # the system counts it in hundredths of a second, and a short file takes less
        yield "| server, for all three | – | – | |"
    worker = rates.pop("one worker")
    least = min(rates, key=rates.__getitem__)
    yield f"\nThe {least} is the limit: {rates[least]:,.0f} puzzles/s, of {rates[least] / worker:.1f} workers."


def told_together(laps: dict[int, list[Lap]]) -> Iterator[str]:
    """The rate with each number of groups, what it is to that with the fewest, and CPU time by process."""
    processes = list(next(iter(laps.values()))[0].cpu)
    yield f"| groups | puzzles/s | to the first | {' | '.join(f'{name}, CPU ns' for name in processes)} |"
    yield f"|--:|--:|--:|{'--:|' * len(processes)}"
    first = 0.0
    for number, some in laps.items():
        rate = median(lap.records / lap.seconds for lap in some)
        first = first or rate
        spent = (median(1e9 * (lap.cpu[name] or 0.0) / lap.records for lap in some) for name in processes)
        yield f"| {number} | {rate:,.0f} | {rate / first:.2f} | {' | '.join(f'{one:,.0f}' for one in spent)} |"


def measure(arguments: argparse.Namespace, folder: Path) -> Iterator[str]:
    """All repetitions, and the lines of the table."""
    ask, apart = mill.Ask((str(arguments.file),), arguments.solver), arguments.namespaces
    settings = Settings.load(state_dir=folder / "state", log_level="error")
    answers = gridmill.solve_many(gridmill.read(arguments.file), solver=arguments.solver)
    wanted = Counter({str(status): count for status, count in answers.counts.items()})
    del answers
    if arguments.alone:
        yield from told_alone([alone(ask, settings, folder, wanted, apart=apart) for _ in range(arguments.repetitions)])
        return
    laps: dict[int, list[Lap]] = {number: [] for number in arguments.groups}
    for _ in range(arguments.repetitions):
        for number in laps:
            laps[number].append(together(ask, number, settings, folder, wanted, apart=apart))
    yield from told_together(laps)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what one coordinator moves, and with how many workers.")
    parser.add_argument("file", type=Path, help="at least two chunks of puzzles, better twenty")
    parser.add_argument("--alone", action="store_true", help="each role has the machine for itself")
    parser.add_argument("--namespaces", action="store_true", help="groups in network namespaces (Linux, as root)")
    parser.add_argument("--groups", type=int, nargs="+", default=[1, 2, 4], help="of worker processes, at a time")
    parser.add_argument("--solver", default=solvers.DEFAULT, choices=solvers.names())
    parser.add_argument("--repetitions", type=int, default=3, help="odd, so that the median is a measurement")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gridmill-scaling-") as name:
        for line in measure(arguments, Path(name)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
