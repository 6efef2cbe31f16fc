"""Solves a file with workers of its own; prints each record that is no puzzle, and how many of each kind there are."""

import sys
from pathlib import Path

from gridmill import Mill, Progress, Status

MIXED = Path(__file__).parent / "mixed.csv"


def show(progress: Progress) -> None:
    """To standard error, some times a second."""
    print(f"{progress.answered} of {progress.total or '?'}", file=sys.stderr)


def main(path: Path) -> None:
    with Mill.local(workers=2) as mill:
        job = mill.submit(path, watch=show)
        for block in job.blocks():
            for row in block.rows():
                if row.answer.status is Status.MALFORMED:
                    print(f"line {row.line}, {row.id}: {row.answer.detail}")
        print(", ".join(f"{count} {status}" for status, count in sorted(job.progress.counts.items())))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else MIXED)
