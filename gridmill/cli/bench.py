"""``gridmill bench``: how fast this installation is with a file."""

import json
import sys
from typing import TYPE_CHECKING

from gridmill.cli import options, table
from gridmill.cli.command import LOGS, command
from gridmill.cli.exit import complain
from gridmill.cli.panels import argument, option
from gridmill.plural import counted
from gridmill.settings import Settings

if TYPE_CHECKING:
    from gridmill.bench import Report


@command("workers", *LOGS, log_level="warning")
@argument("file", metavar="FILE", help="Puzzles of any form that solve takes; no stream.")
@option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@option("--repeat", type=options.COUNT, metavar="N", default=3, help="Repetitions; medians count. Default: 3.")
@options.solver
def bench(file: str, as_json: bool, repeat: int, solver: str, settings: Settings) -> int:
    """Measure how fast a file is solved here, by stage; every answer is checked.

    Prints puzzles a second of the solver alone (kernel; cores: one process a core), of the judge (verify), of the
    reader (parse: of a short file most of it is finding out its form) and of the whole pipeline from file to file, once
    its processes are started; and the CPU time that each takes a puzzle.
    """
    from gridmill import bench as measuring
    from gridmill import kernel

    kernel.require()
    report = measuring.run(file, solver, repeat, settings, complain)
    if as_json:
        print(json.dumps(report.as_dict(), indent=2))
    else:
        _show(report)
    return 0


def _show(report: "Report") -> None:
    rates = [("kernel", report.kernel), ("cores", report.cores), ("verify", report.verify), ("parse", report.parse)]
    rows = [(name, f"{rate:,.0f}", _ns(report.cpu_ns.get(name))) for name, rate in rates]
    table.show(
        [*rows, ("pipeline", f"{report.pipeline:,.0f}", _ns(_pipeline_ns(report)))]
        + [(f"  {name}", "", _ns(report.cpu_ns[name])) for name in _processes(report)],
        sys.stdout,
        head=("stage", "puzzles/s", "CPU ns/puzzle"),
        numbers=(1, 2),
    )
    table.part(sys.stdout)
    print("\n".join(_notes(report)))


def _processes(report: "Report") -> list[str]:
    return [name for name in report.cpu_ns if name not in ("parse", "kernel", "verify")]


def _pipeline_ns(report: "Report") -> float | None:
    known = [report.cpu_ns[name] for name in _processes(report)]
    return None if None in known else sum(spent or 0.0 for spent in known)


def _ns(spent: float | None) -> str:
    return "" if spent is None else f"{spent:,.0f}"


def _notes(report: "Report") -> list[str]:
    of, machine = report.counts, report.machine
    through = "the file" if report.itself else "its boards again and again, as plain lines"
    return [
        f"{report.file}: {counted(report.boards, 'board')}; {report.sampled:,} in memory "
        f"({', '.join(f'{number:,} {status}' for status, number in of.items())}), every answer checked",
        f"pipeline: {report.share:.0%} of the solver alone on {counted(report.workers, 'core')}; "
        f"{counted(report.piped, 'record')} ({through}), from the first one read to the output in its place",
        f"solver {report.solver}, kernel {report.width}; {_repetitions(report.repeat)}",
        f"{machine['processor']}, {counted(int(machine['cores']), 'core')}, {machine['system']}; "
        + ", ".join(f"{name} {number}" for name, number in report.versions.items() if name != "kernel"),
    ]


def _repetitions(number: int) -> str:
    return "each measured once" if number == 1 else f"medians of {number} repetitions"
