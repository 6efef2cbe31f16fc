"""A worker's user in the hands of somebody who writes whatever it may: it costs time, and nothing else."""

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from users import served, url

from gridmill import broker
from gridmill.generate import generate
from gridmill.keys import Keys
from gridmill.settings import Settings

from .scribbler import DEEDS, Scribbler

PUZZLES = list(generate(60, seed=3)) * 20
CHUNK = 20
REST = 0.01  # seconds between two deeds
LIMIT = 55  # seconds for a job that takes one
RESIDENT_MOST = 200_000  # KiB: three times what the collector has when nobody disturbs it
HASTE = {"LEASE": 0.4, "BEAT": 0.2, "GRACE": 0.3, "GRACE_MAX": 1, "TICK": 0.05, "WORKERS": 1}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The socket of a server that has the users of the file."""
    with served(tmp_path_factory.mktemp("scribbled")) as socket:
        yield socket


@pytest.fixture
def scribbling(place: Path) -> Iterator[Callable[[str, list[str]], None]]:
    """``scribbling(job, deeds)``: somebody does these again and again, until the test ends."""
    over = threading.Event()
    threads: list[threading.Thread] = []

    def run(job: str, deeds: list[str]) -> None:
        with broker.redis_client(Settings.load(broker=url(place, "worker"))) as client:
            scribbler = Scribbler(client, Keys("gridmill"), "gridmill:mq:gridmill", job, seed=1)
            while not over.wait(REST):
                scribbler.scribble(DEEDS[scribbler.chance.choice(deeds)])

    def begin(job: str, deeds: list[str]) -> None:
        threads.append(threading.Thread(target=run, args=(job, deeds)))
        threads[-1].start()

    yield begin
    over.set()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("deeds", [list(DEEDS), ["work that never ends"]], ids=["everything", "work that never ends"])
def test_whatever_a_workers_user_writes_all_the_time_every_record_gets_its_answer(
    deeds: list[str],
    place: Path,
    start: Any,
    command: Any,
    scribbling: Any,
    wait_until: Callable[..., None],
    tmp_path: Path,
) -> None:
    (tmp_path / "in.txt").write_text("".join(f"{puzzle}\n" for puzzle, _ in PUZZLES))
    haste = {**os.environ, **{f"GRIDMILL_{name}": str(value) for name, value in HASTE.items()}}
    job = command("submit", "-q", "in.txt", "--chunk", CHUNK, "--broker", url(place, "producer")).stdout.strip()
    scribbling(job, deeds)
    work = start("work", "--broker", url(place, "worker"), env=haste)
    collector = start("collect", job, "-q", "-o", "out.txt", "--format", "lines", "--broker", url(place, "collector"),
                      env=haste)  # fmt: skip
    wait_until(lambda: collector.poll() is not None or _resident(collector.pid) > RESIDENT_MOST, "its end", LIMIT)

    assert collector.poll() == 0, collector.communicate()[1]
    assert (tmp_path / "out.txt").read_text() == "".join(f"{solution}\n" for _, solution in PUZZLES)
    assert work.poll() is None


def _resident(pid: int) -> int:
    """KiB that a process has in memory; 0 when it has just ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")), 0)
