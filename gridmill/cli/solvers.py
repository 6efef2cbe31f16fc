"""``gridmill solvers``: what ``--solver`` takes."""

import sys

from gridmill.cli import table
from gridmill.cli.command import command

HEAD = ("name", "proves", "budget", "version", "summary")


@command()
def solvers() -> None:
    """List the solvers, and whether the native kernel is there.

    One that proves goes on after the first solution, so its answers are unique, multiple or none; the others' are
    solved. The budget is the search nodes that a puzzle may take where --budget says nothing else.
    """
    from gridmill import kernel
    from gridmill.solvers import DEFAULT, get, names

    kernel.require()
    every = [get(name) for name in names()]
    rows = [
        (
            f"{solver.name} (default)" if solver.name == DEFAULT else solver.name,
            "yes" if solver.proves else "no",
            f"{solver.budget:,}",
            f"{solver.version}",
            solver.summary,
        )
        for solver in every
    ]
    table.show(rows, sys.stdout, head=HEAD, numbers=(2, 3))
    print(f"answers are checked by: {kernel.name()} kernel")
