"""The scripts of benchmarks/ that run the pipeline: they end, check what they time, and say what they promise."""

import importlib.util
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

import gridmill
from gridmill import kernel, solvers
from gridmill.generate import generate

SCRIPTS = Path(__file__).parent.parent / "benchmarks"
LIMIT_SECONDS = 100.0

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="they read /proc"),
    pytest.mark.skipif(not kernel.native, reason="this installation has no native kernel"),
]


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(name: str, *arguments: object) -> str:
    command = [sys.executable, "-P", str(SCRIPTS / f"{name}.py"), *map(str, arguments)]
    return subprocess.run(command, check=True, timeout=LIMIT_SECONDS, stdout=subprocess.PIPE, text=True).stdout


def rows(table: str) -> dict[str, list[str]]:
    """The cells of each row of a table, by the first."""
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")]
    return {cells[0]: cells[1:] for cells in lines[2:]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Enough lines for several chunks of the slow solver."""
    boards = [puzzle for puzzle, _ in generate(40, seed=1)]
    path = tmp_path / "boards.txt"
    path.write_text("".join(f"{board}\n" for board in boards) * (3 * solvers.get("bitmask").chunk // len(boards)))
    return path


def test_the_bare_solver_writes_the_rows_that_gridmill_writes(file: Path, tmp_path: Path) -> None:
    right = tmp_path / "right.csv"
    gridmill.write(right, gridmill.solve_many(gridmill.read(file)))
    for processes in (1, 2):
        out = tmp_path / f"{processes}.csv"

        run("bare", file, out, "--processes", processes)

        assert out.read_bytes() == right.read_bytes().partition(b"\n")[2]


def test_every_peer_is_timed(file: Path) -> None:
    table = rows(run("peers", file, "--repetitions", 1, "--tasks", 20))

    assert list(table) == ["gridmill", "`multiprocessing.Pool`", "`split`, `xargs`, `cat`", "a Celery task a puzzle"]
    assert [cells[:2].count("–") for cells in table.values()] == [0, 0, 1, 1]


def test_a_peer_with_another_answer_gets_no_time(file: Path) -> None:
    peers = script("peers")
    with peers.ground(file, 1) as here:

        def liar(ground: object) -> object:
            right = (here.folder / "right.csv").read_bytes()
            here.out.write_bytes(right.replace(b",unique,1,", b",unique,2,", 1))
            return peers.Times(1, 1.0, 1.0)

        with pytest.raises(SystemExit, match="liar has other answers"):
            peers.checked(liar, here)


def test_the_relay_writes_what_gridmill_writes(file: Path) -> None:
    for form in ("csv", "lines"):
        found = rows(run("relay", file, "--form", form, "--repetitions", 1))

        assert list(found) == ["kernel", "relay", "gridmill"]
        assert all(float(cells[0].replace(",", "")) > 0 for cells in found.values())


def test_a_wrong_answer_of_the_relay_gets_no_rate(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    relay = script("relay")
    monkeypatch.setattr(relay, "judge", lambda boards, reply: bytes([relay.WRONG]) * len(reply.codes))
    with relay.ground(file, "csv") as here, pytest.raises(gridmill.GridmillError, match="wrong answer"):
        relay.relay(here)


def test_each_role_is_timed_alone_and_the_slowest_is_named(file: Path) -> None:
    said = run("scaling", file, "--alone", "--solver", "bitmask", "--repetitions", 1)

    assert list(rows(said)) == ["producer", "one worker", "collector", "server, for all three"]
    assert " is the limit: " in said


def test_a_server_that_took_less_time_than_the_system_counts_has_no_rate() -> None:
    scaling = script("scaling")
    phases = [scaling.Phase(100, seconds, 0.5, 0.0) for seconds in (1.0, 2.0, 4.0)]

    said = list(scaling.told_alone([phases]))

    assert "| server, for all three | – | – | |" in said
    assert said[-1] == "\nThe collector is the limit: 25 puzzles/s, of 0.5 workers."


def test_groups_of_workers_take_turns(file: Path) -> None:
    table = rows(run("scaling", file, "--solver", "bitmask", "--groups", 1, 2, "--repetitions", 1))

    assert list(table) == ["1", "2"]


def test_a_job_of_each_size_is_measured(file: Path) -> None:
    table = rows(run("sizes", file, "--records", 50, 1000, "--repetitions", 1))

    assert list(table) == ["50", "1,000"]


def test_statuses_are_counted_over_boards_that_come_again() -> None:
    assert script("sizes").statuses(["unique", "none", "unique"], 5) == Counter(unique=3, none=2)


def test_the_start_is_held_against_the_imports_of_any_celery_worker(file: Path) -> None:
    found = rows(run("start", file, "--runs", 1))

    (program, imports) = found
    assert program.endswith("gridmill")
    assert imports == "Celery's imports"
    assert all(float(number) > 0 for number in found[program])
    assert found[imports][-1] == "1.0"
