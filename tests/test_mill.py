"""The composition root: what it refuses before it starts anything, and what it says of jobs and runs."""

import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace as replace_spec

from collector.journal import Head, path_of
from collector.manuscript import FileManuscript
from gridmill import mill
from gridmill.ask import Ask
from gridmill.embedded import Server
from gridmill.entry import Place
from gridmill.errors import Fenced, Incomplete, InputChanged, JobError, UnknownJob, WireError
from gridmill.formats.input import Input
from gridmill.job import WIRE, Spec, new_id
from gridmill.ledger import Ledger
from gridmill.runs import Runs
from gridmill.settings import Settings

NOBODYS = "zzzzzzzzzz"


@pytest.fixture
def settings(server: Server) -> Settings:
    return Settings.load(broker=server.url)


@pytest.fixture
def ask(tmp_path: Path, puzzles: list[tuple[str, str]]) -> Ask:
    (tmp_path / "in.txt").write_text("".join(f"{puzzle}\n" for puzzle, _ in puzzles))
    return Ask((str(tmp_path / "in.txt"),), chunk=7)


@pytest.fixture
def job(settings: Settings, ask: Ask) -> str:
    """A job that is enqueued; nobody works."""
    return submit(ask, settings)


def submit(ask: Ask, settings: Settings, job: str | None = None) -> str:
    announced: list[str] = []
    mill.submit(ask, settings, job, announced.append, lambda feed, records: None)
    return announced[0]


def nothing(*_: Any) -> None:
    pass


def test_a_submit_may_be_repeated_and_adds_nothing(settings: Settings, ask: Ask, job: str) -> None:
    before = Ledger.connect(settings).scan(job)

    assert submit(ask, settings, job) == job

    after = Ledger.connect(settings).scan(job)
    assert before
    assert after
    assert after.entries == before.entries
    assert after.job.total == 5


def test_a_submit_is_gone_on_with_in_the_chunks_that_were_measured_for_it(
    settings: Settings, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = iter((7, 9))
    monkeypatch.setattr("gridmill.pace.chunk", lambda *_, **__: next(measured))
    unnamed = replace(ask, chunk=None)
    job = submit(unnamed, settings)

    assert submit(unnamed, settings, job) == job

    view = Ledger.connect(settings).view(job)
    assert (Spec.decode(view.spec).chunk, view.total) == (7, 5)
    assert next(measured) == 9


def test_a_submit_with_another_input_is_refused(settings: Settings, ask: Ask, job: str) -> None:
    lines = Path(ask.inputs[0]).read_text().splitlines(keepends=True)
    Path(ask.inputs[0]).write_text("".join(reversed(lines)))

    with pytest.raises(InputChanged):
        submit(ask, settings, job)


def test_a_submit_to_a_job_that_has_ended_says_what_to_do(settings: Settings, ask: Ask, job: str) -> None:
    assert mill.cancel(job, settings) == "cancelled"

    with pytest.raises(JobError, match="has ended; submit without --job makes a new one"):
        submit(ask, settings, job)


def test_a_job_of_another_release_is_not_gone_on_with_here(settings: Settings, ask: Ask, tmp_path: Path) -> None:
    job, spec = new_id(), replace_spec(ask.spec(ask.records()), wire=WIRE - 1)
    Ledger.connect(settings).create(job, "token", spec.encode(), Place())
    remedy = f"use that release, or gridmill cancel {job} ends it"
    with pytest.raises(WireError, match=f"cannot go on with job {job}: another release made the job.*; {remedy}"):
        submit(ask, settings, job)
    with pytest.raises(WireError, match=f"cannot collect job {job}: another release made the job.*; {remedy}"):
        mill.collect(job, tmp_path / "out.csv", "csv", settings, nothing)


def test_a_job_that_is_done_is_not_cancelled(settings: Settings, job: str) -> None:
    Ledger.connect(settings).final(job, "done")

    assert mill.cancel(job, settings) == "done"


@pytest.mark.parametrize("name", [NOBODYS, "*", "../x"])
def test_a_job_that_nobody_knows_is_an_error(settings: Settings, ask: Ask, tmp_path: Path, name: str) -> None:
    with pytest.raises(UnknownJob):
        mill.cancel(name, settings)
    with pytest.raises(UnknownJob):
        submit(ask, settings, name)
    with pytest.raises(UnknownJob):
        mill.collect(name, tmp_path / "out.csv", "csv", settings, nothing)


def test_a_job_that_is_done_says_where_its_answers_are(settings: Settings, job: str, tmp_path: Path) -> None:
    ledger = Ledger.connect(settings)
    ledger.commit(job, "token", Place(), b"{}", own=True, out="host:/answers.csv")
    ledger.final(job, "done")

    with pytest.raises(JobError, match=r"is done and written to host:/answers\.csv"):
        mill.collect(job, tmp_path / "out.csv", "csv", settings, nothing)


def begun(ask: Ask, out: Path, job: str) -> None:
    """A run into ``out`` that was stopped after three records."""
    manuscript = FileManuscript.open(out, Head(job, ask.spec(Input(ask.inputs)).encode(), "csv"))
    manuscript.write([b"rows"])
    manuscript.saving(Place(1, 3), {})()
    manuscript.close()
    Runs(Settings.load().state_dir).add(job, out)


@pytest.mark.parametrize("name", ["out.csv", None])
@pytest.mark.parametrize(
    ("error", "state"), [(KeyboardInterrupt(), "cancelled"), (Incomplete("-"), "cancelled"), (Fenced("-"), "open")]
)
def test_a_job_that_nobody_can_go_on_with_is_not_left_on_a_server_unless_it_is_anothers(
    settings: Settings, ask: Ask, tmp_path: Path, name: str | None, error: BaseException, state: str
) -> None:
    """Others' workers would solve it, and its chunks would be there for ever."""
    ledger = Ledger.connect(settings)

    def end(*_: Any) -> None:
        if ledger.jobs():
            raise error

    with pytest.raises(type(error)):
        mill.solve(ask, tmp_path / name if name else None, "csv", settings, end, tell=nothing)

    (job,) = ledger.jobs()
    assert ledger.view(job).state == state
    assert state == "open" or not ledger.in_flight(job)


def test_a_job_that_can_be_gone_on_with_stays_on_a_server(settings: Settings, ask: Ask, tmp_path: Path) -> None:
    signals = iter([signal.SIGTERM])

    def stop(progress: Any, _: Any) -> None:
        if progress.written and (number := next(signals, None)):
            signal.raise_signal(number)

    big = replace(ask, inputs=ask.inputs * 1000, chunk=1000)
    little = settings.model_copy(update={"in_flight": 200_000})  # so that most of it is still to be sent
    assert not mill.solve(big, tmp_path / "out.csv", "csv", little, stop, tell=nothing).finished

    (job,) = (ledger := Ledger.connect(settings)).jobs()
    assert ledger.view(job).state == "open"


def test_runs_that_can_be_gone_on_with_are_listed_and_no_others(ask: Ask, tmp_path: Path) -> None:
    for name, job in (("a.csv", "aaaaaaaaaa"), ("b.csv", "bbbbbbbbbb"), ("c.csv", "cccccccccc")):
        begun(ask, tmp_path / name, job)
    path_of(tmp_path / "b.csv").unlink()

    assert {(run.job, run.written) for run in mill.unfinished(Settings.load())} == {
        ("aaaaaaaaaa", 3),
        ("cccccccccc", 3),
    }


def test_there_must_be_something_to_resume(tmp_path: Path) -> None:
    with pytest.raises(UnknownJob, match=r"out\.csv has no journal"):
        mill.resume(tmp_path / "out.csv", Settings.load(), nothing)
