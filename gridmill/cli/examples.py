"""Commands to copy, shown under each ``--help``."""

from collections.abc import Sequence

EXAMPLES: dict[str, Sequence[str]] = {
    "solve": (
        "gridmill solve puzzles.txt -o answers.csv",
        "gridmill solve puzzles.txt -o answers.csv --report report.html",
        "zcat puzzles.txt.gz | gridmill solve - --format lines > solutions.txt",
    ),
    "resume": ("gridmill resume", "gridmill resume answers.csv"),
    "dead": ("gridmill dead", "gridmill dead $JOB --json"),
    "retry": ("gridmill retry $JOB --child-seconds 60",),
    "submit": ("JOB=$(gridmill submit puzzles.txt --broker redis://queue.example:6379/0)",),
    "work": ("gridmill work --broker redis://queue.example:6379/0 --workers 8",),
    "collect": ("gridmill collect $JOB -o answers.csv --broker redis://queue.example:6379/0",),
    "status": ("gridmill status", "gridmill status $JOB --json --broker redis://queue.example:6379/0"),
    "watch": (
        "gridmill watch answers.csv",
        "gridmill watch $JOB --broker redis://queue.example:6379/0",
        "gridmill watch answers.csv --quiet && gridmill report answers.csv -o report.html",
    ),
    "cancel": ("gridmill cancel $JOB --broker redis://queue.example:6379/0",),
    "verify": ("gridmill verify answers.csv --recount",),
    "stats": ("gridmill stats puzzles.txt", "gridmill stats answers.csv --json"),
    "report": ("gridmill report answers.csv -o report.html",),
    "convert": (
        "gridmill convert puzzles.csv puzzles.sdm",
        "gridmill convert opensudoku/*.opensudoku all.csv.gz",
    ),
    "formats": ("gridmill formats", "gridmill formats unknown.txt"),
    "show": (
        "gridmill show ..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
        "gridmill show puzzles.txt 17",
    ),
    "generate": (
        "gridmill generate 1000 --seed 7 --givens 24-28 > puzzles.txt",
        "gridmill generate 100 --minimal --solutions -o puzzles.csv",
    ),
    "solvers": ("gridmill solvers",),
    "bench": ("gridmill bench puzzles.txt", "gridmill bench puzzles.txt --json --repeat 9 --solver bitmask"),
    "doctor": ("gridmill doctor", "gridmill doctor --json --broker redis://queue.example:6379/0"),
    "clean": ("gridmill clean --dry-run",),
}


def epilog(command: str) -> str:
    """The examples of a command, as they stand under its help."""
    return "\n  ".join(("Examples:", *EXAMPLES[command]))
