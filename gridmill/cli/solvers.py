"""``gridmill solvers``: what ``--solver`` takes."""

import sys

from gridmill import kernel, solvers
from gridmill.cli import table

HEAD = ("name", "proves", "budget", "version", "summary")


def solvers_command() -> None:
    """List the solvers, and whether the native kernel is there.

    One that proves goes on after the first solution, so its answers are unique, multiple or none; the others' are
    solved. The budget is the search nodes that a puzzle may take where --budget says nothing else.
    """
    every = [solvers.get(name) for name in solvers.names()]
    rows = [
        (
            f"{solver.name} (default)" if solver.name == solvers.DEFAULT else solver.name,
            "yes" if solver.proves else "no",
            f"{solver.budget:,}",
            f"{solver.version}",
            solver.summary,
        )
        for solver in every
    ]
    table.show(rows, sys.stdout, head=HEAD, numbers=(2, 3))
    print(f"kernel: {kernel.name()}")
