"""All measurements of a file, and the report."""

from collections.abc import Callable
from contextlib import closing
from statistics import median
from typing import Any

import msgspec

from gridmill import kernel, roles, solvers
from gridmill.bench import check, pipeline, stages
from gridmill.bench.machine import machine, versions
from gridmill.bench.pipeline import Lap
from gridmill.bench.sample import Sample, sample
from gridmill.reply import Reply
from gridmill.settings import Settings
from gridmill.solvers import Solver


class Report(msgspec.Struct):
    """Puzzles a second, medians of ``repeat`` repetitions; see `gridmill.bench` for what each stage is.

    ``cpu_ns``  CPU nanoseconds a puzzle: of the three stages alone, then of the pipeline's processes (null: not known)
    ``share``   ``pipeline`` as a part of ``cores``
    ``boards``  in the file; ``sampled`` boards were measured in memory; ``piped`` records went through the pipeline,
                ``itself``: they were the file, else its boards again and again as plain lines
    ``counts``  of the sample, by status
    """

    file: str
    solver: str
    width: str
    kernel: float
    cores: float
    verify: float
    parse: float
    pipeline: float
    share: float
    cpu_ns: dict[str, float | None]
    boards: int
    sampled: int
    piped: int
    itself: bool
    counts: dict[str, int]
    repeat: int
    workers: int
    machine: dict[str, str | int]
    versions: dict[str, str]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        made: dict[str, Any] = msgspec.to_builtins(self)
        return made


def run(path: str, name: str, repeat: int, settings: Settings, say: Callable[[str], None]) -> Report:
    """Measure everything; ``say`` gets what is being measured.

    Raises WrongAnswer for any answer that is not right, FormatError for a file without boards, other GridmillErrors.
    """
    solver = solvers.get(name)
    say(f"reading {path}")
    boards = sample(path, solver)
    say("kernel")
    solving, reply = stages.kernel(boards.boards, name, repeat)
    say("verify")
    judging, verdicts = stages.verify(boards.boards, reply, repeat)
    counts = check.check(boards.boards, reply, verdicts)
    say("parse")
    parsing = stages.parse(path, solver.chunk, repeat)
    say("cores")
    cores = median(stages.cores(boards.boards, name, repeat, settings.workers))
    laps, itself = _laps(path, boards, reply, solver, repeat, settings, say)
    piped = median(lap.records / lap.seconds for lap in laps)
    alone = {"parse": _ns(parsing), "kernel": _ns(solving), "verify": _ns(judging)}
    return Report(
        file=path,
        solver=name,
        width=kernel.name(),
        **{stage: 1e9 / spent for stage, spent in alone.items()},
        cores=cores,
        pipeline=piped,
        share=piped / cores,
        cpu_ns={**alone, **_by_process(laps)},
        boards=boards.of,
        sampled=len(boards),
        piped=laps[-1].records,
        itself=itself,
        counts=counts,
        repeat=repeat,
        workers=settings.workers,
        machine=machine(),
        versions=versions(),
    )


def _ns(timings: list[stages.Timing]) -> float:
    return median(timing.cpu_ns for timing in timings)


def _laps(
    path: str, boards: Sample, reply: Reply, solver: Solver, repeat: int, settings: Settings, say: Callable[[str], None]
) -> tuple[list[Lap], bool]:
    laps = []
    with pipeline.course(path, boards, solver, settings) as (course, itself):
        for number in range(1, repeat + 1):
            say(f"pipeline, {number} of {repeat}")
            with closing(roles.nurseries()) as nurseries:  # as `gridmill solve` has them
                lap, out = course.run(nurseries)
            pipeline.check(out, boards, reply)
            out.unlink()
            laps.append(lap)
    return laps, itself


def _by_process(laps: list[Lap]) -> dict[str, float | None]:
    return {name: _median_ns([(lap.cpu[name], lap.records) for lap in laps]) for name in laps[0].cpu}


def _median_ns(spent: list[tuple[float | None, int]]) -> float | None:
    known = [1e9 * seconds / records for seconds, records in spent if seconds is not None]
    return median(known) if known else None
