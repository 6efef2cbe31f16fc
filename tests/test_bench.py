"""What `gridmill bench` measures: every answer that is timed is checked, and each process's time is known."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gridmill import bench, kernel, solvers
from gridmill.answers import Status
from gridmill.bench import check, pipeline, stages, usage
from gridmill.bench import sample as sampling
from gridmill.bench.sample import Sample, sample
from gridmill.board import HOLE, PACKED, pack, slots, unpack
from gridmill.errors import FormatError, WrongAnswer
from gridmill.judge import judge
from gridmill.reply import Claim, Reply
from gridmill.settings import Settings
from gridmill.solvers.claim import reply_to

LIMIT = 60.0  # seconds to wait for anything
CHUNK = solvers.get("bitmask").chunk
UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NONE = "12345678.........9" + "." * 63
CLASH = "55" + "." * 79
EMPTY = "." * 81
BOARDS = [UNIQUE, NONE, CLASH, EMPTY]
NOBODY = Claim(Status.UNIQUE, 0, pack(SOLUTION[::-1]))


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """One chunk is enough."""
    monkeypatch.setattr(sampling, "CHUNKS", 1)
    monkeypatch.setattr(pipeline, "CHUNKS", 1)
    monkeypatch.setattr(stages, "LEAST_SECONDS", 0.0)


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Four boards of different statuses, and a line that is none."""
    path = tmp_path / "boards.txt"
    path.write_text("\n".join([UNIQUE, NONE, "?" * 70, CLASH, EMPTY]) + "\n")
    return str(path)


def solved(boards: list[str], *, instead: dict[int, Claim] | None = None) -> tuple[bytes, Reply, bytes]:
    """Boards packed, a reply about them in which some claims are replaced, and the verdicts."""
    packed = b"".join(map(pack, boards))
    bitmask = solvers.get("bitmask")
    claims = list(reply_to(bitmask, packed, first=False, budget=bitmask.budget).claims())
    for at, claim in (instead or {}).items():
        claims[at] = claim
    reply = Reply.of(claims)
    return packed, reply, judge(packed, reply)


@pytest.mark.usefixtures("short")
def test_a_report_has_every_stage_and_process(file: str) -> None:
    said: list[str] = []

    report = bench.run(file, "bitmask", 1, Settings.load(workers=1), said.append)

    assert min(report.kernel, report.cores, report.verify, report.parse, report.pipeline, report.share) > 0
    assert report.counts == dict.fromkeys(("unique", "multiple", "none", "clash"), CHUNK // 4)
    assert (report.boards, report.sampled, report.piped, report.itself) == (4, CHUNK, CHUNK, False)
    assert (report.width, report.machine["cores"]) == (kernel.name(), Settings.load().workers)
    assert said[-1] == "pipeline, 1 of 1"
    if sys.platform == "linux":
        processes = {"producer", "collector", "server", "workers", "referee"}
        assert report.cpu_ns.keys() == {"parse", "kernel", "verify"} | processes
        assert all(spent is not None and spent >= 0 for spent in report.cpu_ns.values())
        assert (report.cpu_ns["workers"] or 0) > (report.cpu_ns["producer"] or 0)  # bitmask takes 100 times as long


@pytest.mark.usefixtures("short")
def test_a_file_of_enough_chunks_goes_through_the_pipeline_itself(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(f"{UNIQUE}\n" * CHUNK)

    with pipeline.course(str(path), Sample(pack(UNIQUE), CHUNK), solvers.get("bitmask"), Settings.load()) as (
        _,
        itself,
    ):
        assert itself


@pytest.mark.parametrize("of", [2, 4, 8])
def test_a_small_file_is_taken_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of: int) -> None:
    monkeypatch.setattr(sampling, "CHUNKS", 8 / CHUNK)  # eight boards for bitmask
    boards = [str(digit) + "." * 80 for digit in range(1, of + 1)]
    path = tmp_path / "boards.txt"
    path.write_text("\n".join(boards) + "\n")

    found = sample(str(path), solvers.get("bitmask"))

    assert found.of == of
    assert [unpack(slot) for slot in slots(found.boards)] == boards * (8 // of)


def test_a_large_file_gives_every_so_many_th_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "CHUNKS", 2 / CHUNK)  # two boards
    path = tmp_path / "boards.txt"
    path.write_text("".join(f"{digit}{'.' * 80}\n" for digit in range(1, 9)))

    found = sample(str(path), solvers.get("bitmask"))

    assert [unpack(slot)[0] for slot in slots(found.boards)] == ["1", "5"]
    assert found.of == 8


@pytest.mark.parametrize(("name", "text"), [("-", ""), ("boards.txt", "nothing here\n")])
def test_a_file_that_cannot_be_measured_is_refused(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(text)
    with pytest.raises(FormatError):
        sample("-" if name == "-" else str(path), solvers.get("bitmask"))


def test_true_answers_are_counted() -> None:
    assert check.check(*solved(BOARDS)) == {"unique": 1, "multiple": 1, "none": 1, "clash": 1}


@pytest.mark.parametrize(
    ("at", "lie", "judge"),
    [
        (0, NOBODY, "the judge"),
        (0, Claim(Status.NONE), "sat"),
        (2, Claim(Status.NONE), "the judge"),
        (3, Claim(Status.MULTIPLE, 0, pack(SOLUTION), pack(SOLUTION)), "the judge"),
    ],
)
def test_a_false_answer_is_found(at: int, lie: Claim, judge: str) -> None:
    with pytest.raises(WrongAnswer, match=f"{judge} that it is not"):
        check.check(*solved(BOARDS, instead={at: lie}))


def test_the_rules_are_asked_too() -> None:
    packed, reply, _ = solved(BOARDS, instead={0: NOBODY})
    with pytest.raises(WrongAnswer, match="the rules"):
        check.check(packed, reply, b"\0\2\0\0")


def test_answers_of_the_pipeline_are_held_against_those_of_the_solver(tmp_path: Path) -> None:
    packed, reply, _ = solved([UNIQUE])
    out = tmp_path / "out.csv"
    out.write_text(f"puzzle,status,solution,solution2\n{UNIQUE},unique,{SOLUTION},\n")
    pipeline.check(out, Sample(packed, 1), reply)

    out.write_text(f"puzzle,status,solution,solution2\n{UNIQUE},unique,{SOLUTION[::-1]},\n")
    with pytest.raises(WrongAnswer, match="by the pipeline"):
        pipeline.check(out, Sample(packed, 1), reply)


def test_a_solver_that_changes_its_mind_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(range(100))
    monkeypatch.setattr(stages, "reply_to", lambda *_, **__: Reply.of([Claim(Status.NONE, next(answers))]))
    with pytest.raises(WrongAnswer, match="same answers"):
        stages.kernel(pack(EMPTY), "bitmask", 2)


@pytest.mark.usefixtures("short")
def test_a_hole_costs_nothing_and_is_counted() -> None:
    timings, reply = stages.kernel(HOLE + pack(UNIQUE), "bitmask", 3)
    assert [timing.number for timing in timings] == [2, 2, 2]
    assert [claim.status for claim in reply.claims()] == [None, Status.UNIQUE]
    assert len(reply.solutions) == PACKED


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_descendants_are_found_and_their_time_is_read() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert child.pid in usage.descendants(os.getpid())
        assert usage.seconds([child.pid, os.getpid()]) >= usage.seconds([os.getpid()]) > 0  # type: ignore[operator]
        child.kill()
    assert usage.seconds([child.pid]) == 0.0


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="a thread's clock cannot be read here")
def test_what_the_producer_took_is_known_when_it_has_ended() -> None:
    meter, goes_on = usage.Meter(os.getpid()), threading.Event()

    def work() -> None:
        while time.thread_time() < 0.01:
            pass
        goes_on.wait(LIMIT)

    producer = threading.Thread(target=work, name="producer")
    producer.start()
    end = time.monotonic() + LIMIT
    while (seen := meter.read().producer or 0.0) < 0.01:
        assert time.monotonic() < end
    goes_on.set()
    producer.join()

    assert meter.read().producer == seen
