"""How a run ended: the table, the exit code, and how to go on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gridmill.answers import DISAGREES, DRESSED, REPEATED, Answer, Status
from gridmill.cli import exit
from gridmill.cli.meter import duration
from gridmill.cli.program import program
from gridmill.cli.screen import Screen
from gridmill.plural import counted
from gridmill.sitting import Summary

RATED_SECONDS = 1.0  # a run takes half a second to start


def conclude(summary: Summary, out: Path | None, screen: Screen, *, strict: bool, go_on: str) -> int:
    """Show how it ended; the exit code. ``go_on`` is the command that goes on with an ``out`` that is not finished."""
    screen.summary(rows(summary, out), totals(summary, out))
    if not summary.finished:
        how = "a run to standard output cannot be resumed, one with -o FILE can"
        if out is not None:
            how = f"to go on: {go_on}" if summary.progress.written else "the same command begins again"
        screen.ended("stopped", f"stopped with {counted(summary.progress.written, 'record')} written; {how}")
        return code(summary, strict=strict)
    screen.ended("done")
    if failed := summary.progress.counts.get(Status.FAILED.value):
        screen.say(
            f"records that failed: {failed:,}. {program()} dead {summary.job} says why, {program()} retry {summary.job}"
            " tries again"
        )
    return code(summary, strict=strict)


def rows(summary: Summary, out: Path | None) -> list[tuple[str, str]]:
    """Name and value of each line of the table; what did not occur, or is not known, has none."""
    progress = summary.progress
    earlier = progress.written - summary.written
    # Of a shorter run it would say how long the start takes; and who did not read the input did not set the pace.
    is_rated = summary.seconds >= RATED_SECONDS and summary.skipped is not None
    numbers = {
        "records read" if summary.finished else "records written": progress.written,
        "  of them by an earlier run": earlier or None,
        "lines skipped": summary.skipped,
        **{status.value: progress.counts.get(status.value) or None for status in Status},
        "disagree with the input": progress.counts.get(DISAGREES),
        "same as an earlier one": progress.counts.get(REPEATED),
        "  in another dress": progress.counts.get(DRESSED),
        "rejected answers": progress.rejected,
        "pieces sent again": progress.resent or None,
        "worker restarts": summary.restarts or None,
        "records a second": round(summary.written / summary.seconds) if is_rated else None,
    }
    return [
        *((name, f"{number:,}") for name, number in numbers.items() if number is not None),
        ("time", duration(summary.seconds) if summary.seconds > 60 else f"{summary.seconds:.1f} s"),
        *(("answers", where) for where in _places(summary, out)),
    ]


def totals(summary: Summary, out: Path | None) -> dict[str, Any]:
    """What programs get beside the progress at its end; seconds, records, answers, pieces, processes."""
    progress = summary.progress
    return {
        "job": summary.job,
        "output": str(out.absolute()) if out else None,
        "earlier": progress.written - summary.written,
        "skipped": summary.skipped,
        "rejected": progress.rejected,
        "resent": progress.resent,
        "restarts": summary.restarts,
    }


def _places(summary: Summary, out: Path | None) -> list[str]:
    """Where the answers are; nowhere, when a run was stopped before the first: it takes its files along."""
    if out is None:
        return ["standard output"]
    if summary.finished:
        return [f"{out}"]
    return [f"{out}.part"] if summary.progress.written else []


def code(summary: Summary, *, strict: bool) -> int:
    """The exit code of a run; what is incomplete goes before what ``strict`` finds."""
    if not summary.finished:
        return exit.SIGNALLED + summary.signal
    if not is_decided(summary.progress.counts):
        return exit.INCOMPLETE
    is_good = set(_occurred(summary.progress.counts)) <= {Status.UNIQUE, Status.SOLVED}
    return exit.FOUND if strict and not is_good else exit.DONE


def is_decided(counts: Mapping[str, int]) -> bool:
    """Whether every record got a final answer."""
    return all(Answer(status).is_decided for status in _occurred(counts))


def _occurred(counts: Mapping[str, int]) -> list[Status]:
    return [status for status in Status if counts.get(status.value)]
