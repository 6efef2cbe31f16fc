"""``gridmill verify``: hold an answers file against the rules."""

from typing import TYPE_CHECKING

from gridmill.cli import exit
from gridmill.cli.command import command
from gridmill.cli.options import are_typed
from gridmill.cli.panels import argument, option
from gridmill.cli.screen import TYPING

if TYPE_CHECKING:
    from gridmill.aside import Recount


@command()
@argument("file", metavar="FILE", help="Answers of gridmill or of others; - is standard input.")
@option("--recount", is_flag=True, help="Count the solutions of each puzzle too: shows a false unique or none.")
@option("--quiet", "-q", is_flag=True, help="Print nothing but faults.")
def verify(file: str, recount: bool, quiet: bool) -> int:
    """Check an answers file against the rules, without any queue.

    Prints each line that is false; exit code 1 when there is any. Reads CSV, JSON lines and Parquet with puzzle
    and solution, lines with both, and puzzle:count:solution.
    """
    from gridmill.formats.answers_file import read_answers
    from gridmill.formats.source import Source
    from gridmill.logs import visible
    from gridmill.proof import Proof

    if are_typed([file]) and not quiet:
        exit.complain(TYPING)
    again = (lambda: read_answers(file)) if Source(file).is_repeatable else None
    proof = Proof(read_answers(file), _recount() if recount else None, again)
    name = visible(file)
    for line, fault in proof:
        print(f"{name}:{line}: {visible(fault)}")
    if not quiet:
        said = ", ".join(f"{number:,} {status}" for status, number in sorted(proof.statuses.items()))
        counted = ", their solutions counted again" if recount else ""
        answers = "1 answer" if proof.rows == 1 else f"{proof.rows:,} answers"
        print(f"{answers} ({said or 'none'}){counted}, faults: {proof.faults:,}")
        if proof.repeats.unread:
            some = proof.repeats.unread
            says = (
                "1 says which record it is the same as"
                if some == 1
                else f"{some:,} say which record they are the same as"
            )
            exit.complain(f"{says}; that can be checked in a file only, for it is read twice")
    return exit.FOUND if proof.faults else exit.DONE


def _recount() -> "Recount":
    from gridmill.solvers.sat import Sat

    sat = Sat()
    return sat.count
