"""``gridmill verify``: hold an answers file against the rules."""

import time
from typing import TYPE_CHECKING, NamedTuple

from gridmill.cli import exit
from gridmill.cli.command import LOGS, command
from gridmill.cli.options import are_typed
from gridmill.cli.panels import argument, option
from gridmill.cli.screen import Screen, open_screen
from gridmill.plural import counted
from gridmill.settings import Settings

if TYPE_CHECKING:
    from gridmill.aside import Recount
    from gridmill.formats.source import Source
    from gridmill.proof import Proof

LOOKS = 0.1  # s between two looks at how far it is: more often than anything is drawn


@command(*LOGS, log_level="warning")
@argument("file", metavar="FILE", help="Answers of gridmill or of others; - is standard input.")
@option("--recount", is_flag=True, help="Count the solutions of each puzzle too: shows a false unique or none.")
@option("--quiet", "-q", is_flag=True, help="Print nothing but faults.")
def verify(file: str, recount: bool, quiet: bool, settings: Settings) -> int:
    """Check an answers file against the rules, without any queue.

    Prints each line that is false, and what is false about it; exit code 1 when there is any. It takes, also in gzip or
    xz:

    \b
    CSV, JSON lines, Parquet  with a column for puzzles and one for solutions,
                              as solve writes them, and as others do
    PUZZLE SOLUTION           one pair a line; or with a comma, a semicolon,
                              a colon or a tab between the two
    PUZZLE:COUNT:SOLUTION     counts 0, 1, 12, >1; SOLUTION may be missing

    The plain lines that solve writes are solutions without their puzzles, and are refused.
    """
    from gridmill.formats.answers_file import read_sheaves
    from gridmill.formats.source import Source
    from gridmill.logs import visible
    from gridmill.proof import Proof

    source = Source(file)
    again = (lambda: read_sheaves(Source(file))) if source.is_repeatable else None
    proof = Proof(read_sheaves(source), _recount() if recount else None, again)
    with open_screen(settings, quiet=quiet, typed=are_typed([file])) as screen:
        _follow(proof, source, visible(file), screen)
    if not quiet:
        said = ", ".join(f"{number:,} {status}" for status, number in sorted(proof.statuses.items()))
        recounted = ", their solutions counted again" if recount else ""
        print(f"{counted(proof.rows, 'answer')} ({said or 'none'}){recounted}, faults: {proof.faults:,}")
        if some := proof.repeats.unread:
            says = "1 says which record it is" if some == 1 else f"{some:,} say which record they are"
            exit.complain(f"{says} the same as; that can be checked in a file only, for it is read twice")
    return exit.FOUND if proof.faults else exit.DONE


class _Read(NamedTuple):
    """How far a file is read, see `gridmill.progress.Size`."""

    size: int | None
    position: int
    read: int


def _follow(proof: "Proof", source: "Source", name: str, screen: Screen) -> None:
    """Print the faults as they are found, and how far it is."""
    from gridmill.logs import visible

    looked = 0.0
    for faults in proof.parts():
        if faults:
            screen.out("\n".join(f"{name}:{line}: {visible(fault)}" for line, fault in faults))
        if (now := time.monotonic()) - looked >= LOOKS:
            looked = now
            far = _Read(source.size, source.position, proof.rows)
            screen.show(proof.rows, proof.rows, None, far, proof.statuses)
    screen.show(proof.rows, proof.rows, proof.rows, None, proof.statuses)


def _recount() -> "Recount":
    from gridmill.solvers.sat import Sat

    sat = Sat()
    return sat.count
