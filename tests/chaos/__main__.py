"""``python -P -m chaos``, with the tests' folder on the path: one chaos run, and its account.

Exit code 0 when the answers are those of an undisturbed run, 1 when they are not or when there is no end to it.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from chaos.run import Outcome, Part
from gridmill import kernel

PARTS = ("whole", "apart")
QUESTIONS = ("--count", "3", "--dedupe")  # by a run whose seed is odd: one for the workers, one for the collector


def main() -> int:
    """Run both parts; the exit code."""
    ask = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    ask.add_argument("--seed", type=int, default=1, help="what decides the puzzles, the faults and their order")
    ask.add_argument("--seconds", type=float, default=240, help="of faults; making, solving and ending come on top")
    ask.add_argument("--records", type=int, default=1_000_000, help="puzzles")
    ask.add_argument("--faults", type=int, default=60)
    ask.add_argument("--chunk", type=int, default=1000, help="puzzles a piece")
    ask.add_argument("--tries", type=int, default=3, help="GRIDMILL_TRIES")
    ask.add_argument("--part", choices=PARTS, help="with one command that does it all, or the roles apart; else both")
    ask.add_argument("--keep", action="store_true", help="keep inputs, outputs and logs of a run without a fault too")
    given = ask.parse_args()
    if not kernel.native:
        sys.exit("a chaos run needs the native kernel")
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    begun = time.monotonic()
    names = [given.part] if given.part else list(PARTS)
    share = len(names)
    outcomes = [
        Part(
            name, folder / name, given.records // share, given.seconds / share, given.faults // share, given.chunk,
            given.tries, share * given.seed + turn, QUESTIONS if given.seed % 2 else (), sys.stderr,
        ).run()
        for turn, name in enumerate(names)
    ]  # fmt: skip
    report(outcomes, given.seed, given.records, time.monotonic() - begun)
    wrong = [f"{outcome.name}: {text}" for outcome in outcomes for text in outcome.wrong]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    if wrong or given.keep:
        print(f"everything is kept in {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
        print("the answers are, byte for byte, those of an undisturbed run")
    return 1 if wrong else 0


def report(outcomes: list[Outcome], seed: int, records: int, seconds: float) -> None:
    """Print what was done, and what came of it."""
    print(f"seed {seed}: {records:,} records, {seconds:.0f} s")
    for title, counted in (
        ("faults", sum((Counter({str(kind): n for kind, n in each.faults.items()}) for each in outcomes), Counter())),
        ("what followed", sum((each.counts for each in outcomes), Counter())),
        (
            "exit codes",
            sum((Counter({str(code): n for code, n in each.codes.items()}) for each in outcomes), Counter()),
        ),
    ):
        print(f"{title}: {counted.total()}")
        for name, number in sorted(counted.items()):
            print(f"  {name:50} {number:8,}")


if __name__ == "__main__":
    sys.exit(main())
