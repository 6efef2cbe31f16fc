"""Python runs this at its start, in every process of a chaos run: there the solver lanes has a poison, and takes time.

CHAOS_POISON   boards, separated by blanks; whatever process solves one, the collector's child too, is killed
CHAOS_PACE     seconds that a worker's child spends on a piece besides, until the file CHAOS_CALM exists
"""

import os
import signal
import sys
import time
from collections.abc import Callable


def install(poison: frozenset[bytes]) -> None:
    from gridmill import solvers
    from gridmill.board import slots
    from gridmill.reply import Reply
    from gridmill.solvers.lanes import Lanes

    class Deadly(Lanes):
        def reply(self, boards: bytes, limit: int, budget: int, tick: Callable[[], None] = lambda: None) -> Reply:
            if not os.path.exists(os.environ["CHAOS_CALM"]) and "worker.tasks" in sys.modules:
                time.sleep(float(os.environ["CHAOS_PACE"]))
            if not poison.isdisjoint(slots(boards)):
                os.kill(os.getpid(), signal.SIGKILL)
            return super().reply(boards, limit, budget, tick)

    solvers._SOLVERS[Lanes.name] = Deadly


if "chaos.liar" not in sys.orig_argv:  # any other may be one that solves, or be what such a one is forked from
    from gridmill.board import pack

    install(frozenset(map(pack, os.environ["CHAOS_POISON"].split())))
