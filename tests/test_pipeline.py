"""The whole way of a record, in this process: the real producer and collector, kombu's genuine transport on fakeredis,
and a Celery worker in a thread. Nothing is eager: what no worker takes waits on the queue."""

import csv
import io
import random
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from collector.child import Question, settle
from collector.journal import Head
from collector.manuscript import FileManuscript
from collector.progress import Progress
from collector.referee import ChildReferee
from gridmill import broker, roles, rules, solvers
from gridmill.ask import Ask
from gridmill.board import pack
from gridmill.chunk import Chunk
from gridmill.formats.input import Input
from gridmill.formats.output import writer
from gridmill.formats.sheet import Sheet
from gridmill.job import new_id
from gridmill.questions import Questions
from gridmill.reply import Claim, Reply
from gridmill.sitting import Sitting
from gridmill.solvers.bitmask import Bitmask
from gridmill.solvers.outcome import Outcome, Tally
from gridmill.solvers.sat import Sat
from gridmill.testing import FakeBroker, fake_worker
from worker.tasks import register

UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
UNIQUE_TOO = ".23.97645456231978789564312.97.23564231456897564789231645312789978645123312978456"
MULTIPLE = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
SEVERAL = "1234.678.4.678.12378.1234.621436.8.736.8.72148.721436..31642.78642.78.31.78.31642"  # has four
NONE = ".71..4.................6...8....9........2..8.....76......81..6....6....6....38.."
CLASH = "55" + "." * 79
HARD = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."  # none, a long search says
BUDGET = 30  # search nodes: enough for all of these but the last
EVERY_KIND = {
    UNIQUE: "unique", UNIQUE[:80]: "malformed", MULTIPLE: "multiple", CLASH: "clash", UNIQUE_TOO: "unique",
    NONE: "none", "what is this?": "malformed", HARD: "undecided",
}  # fmt: skip

Row = dict[str, str]


class Flow:
    """One job, and the roles around it on a broker of its own."""

    def __init__(self, fake: FakeBroker, folder: Path) -> None:
        self.fake, self.settings, self.folder = fake, fake.settings, folder
        self.job = new_id()
        self.app = fake.app()
        register(self.app, self.settings, self.fake.ledger)
        self.progress = Progress()

    def submit(self, lines: Sequence[str], **asked: Any) -> None:
        """Enqueue ``lines``; nobody begins with them."""
        records = read(self.folder, lines)
        spec = asking(self.folder, **asked).spec(records)
        ledger = self.fake.ledger()
        roles.feeding(ledger, self.job, spec, records, self.settings, origin=None).feed.run()

    def solve(self, lines: Sequence[str], **asked: Any) -> bytes:
        """The bytes of the answers to ``lines``, from whatever worker there is."""
        records = read(self.folder, lines)
        spec = asking(self.folder, **asked).spec(records)
        out = self.folder / "out.csv"
        manuscript = FileManuscript.open(out, Head(self.job, spec.encode(), "csv"))
        ledger = self.fake.ledger()
        collector = Sitting(ledger, self.job, spec, manuscript, out, "csv", self.settings, feeding=True).collector
        feeding = roles.feeding(ledger, self.job, spec, records, self.settings, origin=lambda: collector.place)
        feeding.start()
        try:
            assert collector.run(threading.Event(), lambda _: feeding.check())
        finally:
            feeding.stop()
            manuscript.close()
        self.progress = collector.progress
        return out.read_bytes()


def asking(folder: Path, **asked: Any) -> Ask:
    every: dict[str, Any] = {"solver": "bitmask", "chunk": 3, "budget": BUDGET} | asked
    return Ask((str(folder / "input.txt"),), **every)


def read(folder: Path, lines: Sequence[str]) -> Input:
    (folder / "input.txt").write_text("".join(f"{line}\n" for line in lines))
    return Input([str(folder / "input.txt")])


def expected(folder: Path, lines: Sequence[str], **asked: Any) -> bytes:
    """The answers to ``lines``, made without queue, chunks or workers."""
    records = read(folder, lines)
    spec = asking(folder, **asked).spec(records)
    made = writer("csv", (), spec.asked)
    every = list(records.records())
    chunk = Chunk.of(1, every)
    claims = [
        Claim(None) if record.board is None
        else settle(Question(spec.solver, spec.first, spec.budget, pack(record.board), None, asked=spec.asked))
        for record in every
    ]  # fmt: skip
    return made.header() + made.rows(Sheet.of(chunk, Reply.of(claims), {}, spec.asked).rows())


def table(answers: bytes) -> list[Row]:
    return list(csv.DictReader(io.StringIO(answers.decode(), newline="")))


@pytest.fixture
def flow(fake: FakeBroker, tmp_path: Path) -> Flow:
    return Flow(fake, tmp_path)


def test_every_kind_of_record_gets_its_status_in_its_place(flow: Flow) -> None:
    lines = list(EVERY_KIND) * 2

    with fake_worker(flow.app):
        answers = flow.solve(lines)

    assert [(row["line"], row["puzzle"], row["status"]) for row in table(answers)] == [
        (str(number), line, EVERY_KIND[line]) for number, line in enumerate(lines, 1)
    ]
    assert answers == expected(flow.folder, lines)


def test_the_first_solution_is_enough_for_whoever_wants_no_more(flow: Flow) -> None:
    with fake_worker(flow.app):
        answers = flow.solve([UNIQUE, MULTIPLE, NONE], first=True)

    assert [row["status"] for row in table(answers)] == ["solved", "solved", "none"]
    assert rules.verify(MULTIPLE, table(answers)[1]["solution"]) is None


def test_a_thousand_lines_of_rubbish_and_puzzles_get_a_thousand_answers(flow: Flow) -> None:
    # Given
    rng = random.Random(7)
    lines = [rubbish(rng) if rng.random() < 0.5 else rng.choice([UNIQUE, MULTIPLE, NONE, CLASH]) for _ in range(1000)]
    lines[0] = UNIQUE  # what kind of file it is must be plain
    # When
    with fake_worker(flow.app):
        found = table(flow.solve(lines, chunk=64))
    # Then
    assert [row["line"] for row in found] == [str(number) for number in range(1, 1001)]
    assert [row["status"] for row in found] == [EVERY_KIND.get(line, "malformed") for line in lines]
    assert flow.progress.counts == Counter(row["status"] for row in found)


def rubbish(rng: random.Random) -> str:
    """A line that is neither a puzzle nor blank nor a comment."""
    length = rng.choice([1, 5, 80, 82, 200])
    return "!" + "".join(rng.choice("0123456789.*_ ,;|+-'\"\\äß²５=@xX") for _ in range(length))


@pytest.mark.parametrize(("chunk", "pool", "threads"), [(1, "solo", 1), (7, "threads", 3), (1000, "solo", 1)])
def test_neither_chunks_nor_workers_change_a_byte(flow: Flow, chunk: int, pool: str, threads: int) -> None:
    lines = list(EVERY_KIND) * 4

    with fake_worker(flow.app, pool=pool, concurrency=threads):
        answers = flow.solve(lines, chunk=chunk)

    assert answers == expected(flow.folder, lines)


def test_answers_that_come_last_first_are_written_in_order(flow: Flow) -> None:
    lines = list(EVERY_KIND) * 3
    flow.submit(lines)
    reverse(flow)

    with fake_worker(flow.app):
        answers = flow.solve(lines)

    assert answers == expected(flow.folder, lines)


def test_what_else_is_asked_is_answered_whoever_answers_it(flow: Flow) -> None:
    lines = [*EVERY_KIND, SEVERAL] * 3
    asked = Questions(count=3, every=True)

    with fake_worker(flow.app, pool="threads", concurrency=3):
        answers = flow.solve(lines, asked=asked, chunk=2)

    assert answers == expected(flow.folder, lines, asked=asked)


def reverse(flow: Flow) -> None:
    """The newest message of the queue becomes the next one."""
    key = broker.queue_key(flow.settings)
    with flow.fake.client() as client:
        messages: Any = client.lrange(key, 0, -1)
        client.delete(key)
        client.lpush(key, *messages)


def test_what_no_worker_takes_waits_on_the_queue(flow: Flow) -> None:
    """Nothing is solved by whoever sends it."""
    flow.submit([UNIQUE] * 9)

    snapshot = flow.fake.ledger().scan(flow.job)

    assert snapshot
    assert [entry.state for entry in snapshot.entries.values()] == ["q", "q", "q"]
    assert snapshot.queued == 3


def test_threads_do_not_share_a_solver(flow: Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver may keep state between boards, so two that search at a time must be two."""
    both = threading.Barrier(2, timeout=10)

    class Shy(Sat):
        busy = False

        def search(self, grid: Any, limit: int, budget: int) -> Outcome:
            assert not self.busy
            self.busy = True
            both.wait()
            self.busy = False
            return super().search(grid, limit, budget)

    monkeypatch.setitem(solvers._SOLVERS, "sat", Shy)

    with fake_worker(flow.app, pool="threads", concurrency=2):
        answers = flow.solve([UNIQUE, UNIQUE_TOO], solver="sat", chunk=1)

    assert [row["status"] for row in table(answers)] == ["unique", "unique"]
    assert flow.progress.resent == 0


class Swapping(Bitmask):
    """Finds grids with two digits swapped: they obey all rules, and are another puzzle's."""

    def search(self, grid: Any, limit: int, budget: int) -> Outcome:
        found = super().search(grid, limit, budget)
        swapped = tuple(solution.translate(str.maketrans("12", "21")) for solution in found.solutions)
        return Outcome(swapped, found.nodes, found.spent)


class Repeating(Bitmask):
    """Says of every board with a solution that it has two, which are the same."""

    def search(self, grid: Any, limit: int, budget: int) -> Outcome:
        found = super().search(grid, limit, budget)
        return Outcome(found.solutions[:1] * 2, found.nodes, found.spent)


class Denying(Bitmask):
    """Finds no solution of anything."""

    def search(self, grid: Any, limit: int, budget: int) -> Outcome:
        return Outcome((), 0, False)


class Tired(Bitmask):
    """Gives up on everything at once."""

    def search(self, grid: Any, limit: int, budget: int) -> Outcome:
        return Outcome((), budget, True)


@pytest.mark.parametrize("solver", [Swapping, Repeating, Denying, Tired])
def test_a_worker_whose_solver_is_wrong_writes_no_wrong_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, solver: type[Bitmask]
) -> None:
    """Nor does it hold the job up, alone as it is: it is refused, and the collector solves the rest itself."""
    flow = Flow(FakeBroker(lease=1.5, beat=0.5), tmp_path)
    lines = [UNIQUE, NONE, UNIQUE_TOO, CLASH]
    right = expected(flow.folder, lines, solver="bitmask")
    monkeypatch.setitem(solvers._SOLVERS, "bitmask", solver)

    with fake_worker(flow.app):
        answers = flow.solve(lines, chunk=2, solver="bitmask")

    assert answers == right
    assert flow.settings.lies <= flow.progress.rejected <= 2 * flow.settings.lies


class Hiding(Bitmask):
    """Looks for no second solution."""

    def search(self, grid: Any, limit: int, budget: int) -> Outcome:
        return super().search(grid, 1, budget)


@pytest.mark.parametrize("audit", [0, 1])
def test_a_worker_that_proves_nothing_is_found_out_by_an_audit_and_by_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, audit: float
) -> None:
    flow = Flow(FakeBroker(lease=1.5, beat=0.5, audit=audit), tmp_path)
    lines = [UNIQUE, MULTIPLE, NONE, CLASH]
    right = expected(flow.folder, lines, solver="bitmask")
    monkeypatch.setitem(solvers._SOLVERS, "bitmask", Hiding)

    with fake_worker(flow.app):
        answers = flow.solve(lines, chunk=2, solver="bitmask")

    assert (answers == right) is (audit == 1)
    assert (flow.progress.rejected > 0) is (audit == 1)


class Miscounting(Bitmask):
    """Counts one solution less than there are."""

    def tally(self, board: bytes, limit: int, budget: int, *, keep: bool) -> Tally:
        found, spent, _ = super().tally(board, limit, budget, keep=keep)
        return Tally(found - 1, spent)


@pytest.mark.parametrize("audit", [0, 1])
def test_a_worker_that_counts_wrong_is_found_out_by_an_audit_and_by_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, audit: float
) -> None:
    flow = Flow(FakeBroker(lease=1.5, beat=0.5, audit=audit), tmp_path)
    lines = [UNIQUE, SEVERAL, NONE, CLASH]
    right = expected(flow.folder, lines, asked=Questions(count=1000))
    monkeypatch.setitem(solvers._SOLVERS, "bitmask", Miscounting)

    with fake_worker(flow.app):
        answers = flow.solve(lines, chunk=2, asked=Questions(count=1000))

    assert (answers == right) is (audit == 1)
    assert (flow.progress.rejected > 0) is (audit == 1)


class Choking(Bitmask):
    """Cannot take one board."""

    def search(self, grid: Any, limit: int, budget: int) -> Outcome:
        if "".join(map("".join, grid)) == UNIQUE_TOO:
            raise MemoryError
        return super().search(grid, limit, budget)


def test_a_board_that_no_worker_survives_is_found_among_others_and_solved_by_the_collector(
    flow: Flow, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Given one among forty in a chunk, and what the collector's own child is asked
    lines = [UNIQUE] * 17 + [UNIQUE_TOO] + [NONE] + [UNIQUE] * 21
    asked: list[Question] = []
    ask = ChildReferee.ask

    def spy(self: ChildReferee, key: int, questions: Sequence[Question]) -> None:
        asked.extend(questions)
        ask(self, key, questions)

    monkeypatch.setattr(ChildReferee, "ask", spy)
    monkeypatch.setitem(solvers._SOLVERS, "bitmask", Choking)

    with fake_worker(flow.app):
        answers = flow.solve(lines, chunk=40, solver="bitmask")

    monkeypatch.undo()
    assert answers == expected(flow.folder, lines, solver="bitmask")
    assert [question.board for question in asked if question.claimed is None and not question.audit] == [
        pack(UNIQUE_TOO)
    ]
    assert flow.progress.resent == 2 + 14 + 3  # twice the whole, then in parts of three, then one by one
