"""The whole pipeline as an object, with real processes: its answers are the command's, whatever happens to it."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

import gridmill
from gridmill import Answers, Job, Mill, Progress
from gridmill.api.mill import ROOM
from gridmill.embedded import Server
from gridmill.errors import (
    BoardError,
    BrokerError,
    FormatError,
    GridmillError,
    Incomplete,
    JobEnded,
    SettingsError,
)  # fmt: skip
from gridmill.generate import generate

MIXED = Path(__file__).parent.parent / "examples" / "mixed.csv"
CHUNK = 40  # records: a job of many chunks, so that something is left when something is killed

Start = Callable[..., "subprocess.Popen[str]"]
Wait = Callable[..., None]


@pytest.fixture(scope="module")
def mill(session_server: Server) -> Iterator[Mill]:
    """One for all tests. (Without a server for the session, the tests are skipped.)"""
    with gridmill.Mill.local(workers=2, grace=0.3) as mill:
        yield mill


@pytest.fixture(scope="module")
def boards() -> list[str]:
    return ([puzzle for puzzle, _ in generate(30, seed=5)] + ["." * 81, "what is this?", "55" + "." * 79]) * 100


@pytest.fixture(scope="module")
def expected(boards: list[str]) -> list[gridmill.Answer]:
    return list(gridmill.solve_many(boards, solver="bitmask"))


def submit(mill: Mill, boards: Any, **options: Any) -> Job:
    every: dict[str, Any] = {"solver": "bitmask", "chunk": CHUNK} | options
    return mill.submit(boards, **every)


def alive(pid: int | None) -> bool:
    try:
        os.kill(pid or 0, 0)
    except ProcessLookupError:
        return False
    return True


def test_answers_come_in_the_order_of_the_boards(
    mill: Mill, boards: list[str], expected: list[gridmill.Answer]
) -> None:
    assert list(submit(mill, boards)) == expected


@pytest.mark.parametrize(
    "form",
    [iter, lambda boards: [gridmill.Record(7, board) for board in boards], lambda boards: "".join(boards).encode()],
)
def test_boards_may_come_in_any_form(mill: Mill, boards: list[str], form: Callable[[list[str]], Any]) -> None:
    some = [board for board in boards if len(board) == 81][:100]
    assert list(submit(mill, form(some))) == list(gridmill.solve_many(some, solver="bitmask"))


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_what_is_written_of_a_file_is_what_the_command_writes(
    mill: Mill, name: str, command: Callable[..., Any], tmp_path: Path
) -> None:
    assert command("solve", MIXED, "-o", name).returncode == 0
    gridmill.write(tmp_path / f"own-{name}", mill.submit(MIXED).blocks())
    assert (tmp_path / f"own-{name}").read_bytes() == (tmp_path / name).read_bytes()


def test_what_else_is_asked_is_answered(mill: Mill) -> None:
    asked = gridmill.Questions.of(count=3, every=True)
    job = mill.submit(["." * 81, "55" + "." * 79], solver="bitmask", asked=asked)
    assert [(answer.count, len(answer.listed)) for answer in job] == [(">3", 3), ("0", 0)]


def test_records_come_with_their_answers(mill: Mill) -> None:
    rows = [row for block in mill.submit(MIXED).blocks() for row in block.rows()]
    assert [row.answer.status.value for row in rows] == [row.extras[0] for row in rows]
    assert rows[4].id == "m05"


def test_all_answers_at_once_are_one_collection(mill: Mill, boards: list[str]) -> None:
    answers = submit(mill, boards).answers()
    assert isinstance(answers, Answers)
    assert len(answers) == len(boards)
    assert answers.counts == {"unique": 3000, "multiple": 100, "malformed": 100, "clash": 100}


def test_each_answer_is_given_once(mill: Mill, boards: list[str], expected: list[gridmill.Answer]) -> None:
    job = submit(mill, boards)
    first = list(islice(job, 50))
    assert first + list(job) == expected
    assert list(job) == []


def test_jobs_run_side_by_side(mill: Mill, boards: list[str], expected: list[gridmill.Answer]) -> None:
    jobs = [submit(mill, boards) for _ in range(3)]
    assert [list(job) for job in jobs] == [expected] * 3


def test_an_input_without_end_is_read_no_farther_than_there_is_room(server: Server, wait_until: Wait) -> None:
    """Nobody works here."""
    read = count()
    with Mill(server.url, in_flight=10_000) as mill:
        job = submit(mill, ("." * 81 for _ in read))
        wait_until(lambda: job._run._job.feeding.feed.full, "a full server")
        assert next(read) <= 2 * 8192  # a block of boards is read at a time, and the next one when it is cut


def test_no_boards_are_no_answers(mill: Mill) -> None:
    assert list(mill.submit([])) == []


def test_whoever_watches_is_told_how_far_it_is(mill: Mill, boards: list[str]) -> None:
    seen: list[Progress] = []
    job = submit(mill, boards, watch=seen.append)
    job.answers()
    job._run.join()
    assert seen[-1] == job.progress
    assert seen[-1].answered == seen[-1].total == sum(seen[-1].counts.values()) == len(boards)


def test_what_a_watcher_raises_ends_the_job(mill: Mill, boards: list[str]) -> None:
    def watch(progress: Progress) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        submit(mill, boards, watch=watch).answers()


def test_what_boards_raise_ends_the_job(mill: Mill) -> None:
    def boards() -> Iterator[str]:
        yield "." * 81
        raise LookupError("torn")

    with pytest.raises(LookupError, match="torn"):
        list(mill.submit(boards()))


def test_an_item_that_is_no_text_ends_the_job(mill: Mill) -> None:
    with pytest.raises(BoardError, match="board 2 is of type int"):
        list(mill.submit(["." * 81, 7]))  # type: ignore[arg-type]


def test_a_job_that_is_cancelled_says_so_and_is_gone_from_the_server(mill: Mill) -> None:
    job = submit(mill, ("." * 81 for _ in count()), first=True)
    next(iter(job))
    job.cancel()
    job.cancel()
    with pytest.raises(JobEnded, match=f"job {job.id} was cancelled"):
        list(job)
    assert mill._ledger.view(job.id).state == "cancelled"


def test_a_job_that_is_cancelled_with_its_last_answers_on_the_way_is_not_whole(mill: Mill, wait_until: Wait) -> None:
    job = submit(mill, ["." * 81] * (CHUNK * (ROOM + 1)), first=True)
    changed: Any = job._run._job.delivery._changed
    wait_until(lambda: changed._waiters, "a collector that waits with the last chunk")
    assert job.progress.answered == CHUNK * ROOM
    job.cancel()
    with pytest.raises(JobEnded):
        list(job)


def test_a_job_that_nobody_holds_is_cancelled(mill: Mill, wait_until: Wait) -> None:
    job = submit(mill, ("." * 81 for _ in count()), first=True)
    next(iter(job))
    name = job.id
    del job
    wait_until(lambda: mill._ledger.view(name).state == "cancelled", "the job's end")


def test_answers_come_to_a_coroutine(mill: Mill, boards: list[str], expected: list[gridmill.Answer]) -> None:
    async def run() -> list[gridmill.Answer]:
        return [answer async for answer in submit(mill, boards)]

    assert asyncio.run(run()) == expected


def test_two_jobs_are_awaited_at_a_time(mill: Mill, boards: list[str], expected: list[gridmill.Answer]) -> None:
    async def take(job: Job) -> list[gridmill.Answer]:
        return [answer async for answer in job]

    async def run() -> Any:
        return await asyncio.gather(take(submit(mill, boards)), take(submit(mill, boards)))

    assert asyncio.run(run()) == [expected, expected]


def test_what_a_coroutine_leaves_is_there_for_the_next(
    mill: Mill, boards: list[str], expected: list[gridmill.Answer]
) -> None:
    job = submit(mill, boards)
    taken: list[gridmill.Answer] = []

    async def take(most: int) -> None:
        async for answer in job:
            taken.append(answer)
            if len(taken) == most:
                break

    asyncio.run(take(CHUNK + 1))
    asyncio.run(take(2 * CHUNK))
    assert taken + list(job) == expected


def test_a_coroutine_that_is_cancelled_while_it_waits_loses_no_answer(server: Server, start: Start) -> None:
    with Mill(server.url) as mill:
        job = submit(mill, ["." * 81] * 100)

        async def give_up() -> None:
            async for _ in job:
                pass

        with pytest.raises(TimeoutError):
            asyncio.run(asyncio.wait_for(give_up(), 0.01))
        start("work", "--broker", server.url, "--workers", "1", stderr=subprocess.DEVNULL)
        assert len(list(job)) == 100


@pytest.mark.parametrize("victim", ["worker", "child", "server"])
def test_what_is_killed_in_the_middle_changes_no_answer(
    mill: Mill, boards: list[str], expected: list[gridmill.Answer], victim: str
) -> None:
    assert mill.house
    job = submit(mill, boards)
    answers = list(islice(job, 1))
    group = mill.house.workers.pid or 0
    if victim == "server":
        os.kill(mill.house.server.pid, signal.SIGKILL)
    elif victim == "worker":
        os.killpg(group, signal.SIGKILL)
    else:
        os.kill(max(map(int, children(group))), signal.SIGKILL)
    assert answers + list(job) == expected


def children(pid: int) -> list[str]:
    return subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, timeout=10).stdout.split()


@pytest.mark.parametrize(
    ("boards", "options", "error", "reason"),
    [
        ("no.txt", {}, FormatError, "no.txt cannot be read"),
        (["." * 81], {"solver": "x"}, SettingsError, "no solver is called 'x'"),
        (7, {}, BoardError, "int holds no boards"),
    ],
)
def test_what_cannot_be_begun_is_refused_at_once(
    mill: Mill, boards: Any, options: Any, error: type[Exception], reason: str
) -> None:
    with pytest.raises(error, match=reason):
        mill.submit(boards, **options)


def test_a_server_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BrokerError):
        Mill(f"redis+socket://{tmp_path}/none")


def test_another_process_may_not_use_it(mill: Mill, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getpid", lambda: 1)
    with pytest.raises(GridmillError, match="make another in the child"):
        mill.submit(["." * 81])


def test_what_fails_in_its_block_ends_all_that_it_started(session_server: Server, boards: list[str]) -> None:
    def use() -> None:
        with Mill.local(workers=1) as mill:
            assert mill.house
            started.extend((mill.house.server.pid, mill.house.workers.pid))
            jobs.append(submit(mill, boards))
            raise LookupError

    started: list[int | None] = []
    jobs: list[Job] = []
    with pytest.raises(LookupError):
        use()
    assert [alive(pid) for pid in started] == [False, False]
    with pytest.raises(JobEnded):
        list(jobs[0])


def test_a_mill_that_is_closed_leaves_no_thread(session_server: Server, boards: list[str]) -> None:
    before = set(threading.enumerate())
    with Mill.local(workers=1) as mill:
        submit(mill, boards).answers()
        next(iter(submit(mill, boards)))
    left = {thread for thread in threading.enumerate() if thread.is_alive()} - before
    assert {thread.name for thread in left} <= {"producer"}  # which ends soon after its job


def test_a_mill_that_is_closed_is_refused_and_may_be_closed_again(server: Server) -> None:
    mill = Mill(server.url)
    mill.close()
    mill.close()
    with pytest.raises(GridmillError, match="this mill is closed"):
        mill.submit(["." * 81])


def test_a_fleet_that_is_there_does_the_work(
    server: Server, start: Start, boards: list[str], expected: list[gridmill.Answer]
) -> None:
    start("work", "--broker", server.url, "--workers", "1", stderr=subprocess.DEVNULL)
    with Mill(server.url) as mill:
        assert list(submit(mill, boards)) == expected


def test_an_iterator_whose_job_the_server_has_lost_cannot_go_on(server: Server, wait_until: Wait) -> None:
    """Nobody works here, so that nothing is answered before."""
    with Mill(server.url) as mill:
        job = submit(mill, iter(["." * 81] * 100))
        wait_until(lambda: job.progress.read == 100, "the whole input")
        mill._ledger._server.call(lambda client: client.flushall())
        with pytest.raises(Incomplete, match="cannot be read twice"):
            list(job)


BEGIN = """
import gridmill
mill = gridmill.Mill.local(workers=1)
job = mill.submit(("." * 81 for _ in iter(int, 1)), first=True, chunk=40)
answers = iter(job)
next(answers)
print(mill.house.server.pid, mill.house.workers.pid, flush=True)
"""


@pytest.mark.parametrize("end", ["", "raise LookupError", "for _ in answers: pass"])
def test_a_program_that_ends_however_leaves_nothing_running(session_server: Server, end: str, wait_until: Wait) -> None:
    """It goes to its end, or an error does it, or Ctrl-C."""
    command = [sys.executable, "-P", "-c", BEGIN + end]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        pids = list(map(int, process.stdout.readline().split()))
        assert len(pids) == 2
        if end.startswith("for"):
            process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    wait_until(lambda: not any(map(alive, pids)), "their end")
    wanted = {"raise": "LookupError", "for": "KeyboardInterrupt"}.get(end.split(" ")[0])
    assert errors.strip().splitlines()[-1:] == ([wanted] if wanted else [])
