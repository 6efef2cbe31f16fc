"""Solving again what failed in a finished job, and putting the answers in their places in its output.

The records that failed are a small input of their own, solved as any other, into ``OUT.retry.jsonl``. When it was
stopped or killed, the same call goes on with it. The output is replaced when all is there, never written in part.
"""

import shlex
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec

from gridmill import mill
from gridmill.answers import Status
from gridmill.ask import Ask
from gridmill.errors import JobError, OutputError, UnknownJob
from gridmill.formats.amend import FORMS, amended, answers, failed
from gridmill.incidents import Incident, Incidents
from gridmill.job import Spec
from gridmill.roles import Tell
from gridmill.settings import Settings
from gridmill.sitting import Summary
from gridmill.whole import sync


def retry(job: str, settings: Settings, watch: mill.Watch, *, tell: Tell | None = None) -> tuple[Path, Summary | None]:
    """Solve again what failed in ``job``; its output, and how that went. None: nothing had failed.

    Raises UnknownJob, JobError where it is not finished or its output cannot be amended, and what `mill.solve` raises.
    """
    incidents = Incidents.load(settings.state_dir, job)
    out, form = Path(incidents.about.out), incidents.about.form
    _refuse_unless_whole(job, out, form)
    puzzles = failed(out, form)
    again, found, made = _helpers(out)
    if not puzzles:
        _tidy(out)  # when the last retry was killed behind its last step but one
        return out, None
    begun = mill.begun(found)
    again.write_text("".join(f"{puzzle}\n" for puzzle in puzzles))
    ask = Ask.again(Spec.decode(incidents.about.spec))
    asked = msgspec.structs.replace(ask.asked, dedupe=False)  # the records before these are not there
    ask = replace(ask, inputs=(str(again),), column=None, form=None, blank=None, asked=asked)
    summary = mill.solve(ask, found, "jsonl", settings, watch, force=begun is None, tell=tell)
    if summary.finished:
        _replace(out, made, amended(out, form, answers(found)))
        left = summary.progress.counts.get(Status.FAILED.value, 0)
        incidents.note(Incident("retried", f"{len(puzzles) - left} of {len(puzzles)} have an answer now"))
        incidents.adopt(summary.job)
        _tidy(out)
    return out, replace(summary, job=job)


def _refuse_unless_whole(job: str, out: Path, form: str) -> None:
    if out == Path():
        raise JobError(f"the answers of job {job} went to standard output; solve the input again, into a file", job=job)
    if mill.begun(out):
        raise JobError(
            f"job {job} is not finished: gridmill resume {shlex.quote(str(out))}, or collect, goes on with it", job=job
        )
    if not out.is_file():
        raise UnknownJob(f"the output of job {job} is no longer there: {out}", job=job)
    if form not in FORMS:
        known = " and ".join(FORMS)
        raise JobError(f"{out} is {form}; only {known} can be amended: solve the input again with --force", job=job)


def _helpers(out: Path) -> tuple[Path, Path, Path]:
    """The files beside ``out`` while it is retried: what failed, the answers, and ``out`` as it will be."""
    again, found, made = (out.with_name(f"{out.name}.retry.{kind}") for kind in ("txt", "jsonl", "part"))
    return again, found, made


def _tidy(out: Path) -> None:
    for helper in _helpers(out):
        helper.unlink(missing_ok=True)


def _replace(out: Path, made: Path, blocks: Iterator[bytes]) -> None:
    """Put a file of ``blocks`` in the place of ``out``, whole or not at all, by way of ``made``. Raises OutputError."""
    try:
        with made.open("wb") as file:
            file.writelines(blocks)
        sync(made)
        shutil.copymode(out, made)
        made.replace(out)
        sync(out.parent)
    except OSError as error:
        raise OutputError(f"cannot write {made}: {error.strerror}; {out} is as it was") from error
