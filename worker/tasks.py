"""The two Celery tasks. Names and arguments are the wire format; nothing else is ever accepted."""

from collections.abc import Callable
from typing import Any

from billiard.exceptions import WorkerLostError
from celery import Celery
from celery.signals import task_failure

from gridmill import rules, solvers
from gridmill.board import pack, parse, unpack
from gridmill.broker import BOARD_TASK, PIECE_TASK
from gridmill.errors import BoardError
from gridmill.ledger import Ledger
from gridmill.settings import Settings
from gridmill.solvers.claim import claim as claim_of
from worker.solving import Solving


def register(app: Celery, settings: Settings, connect: Callable[[], Ledger] | None = None) -> None:
    """Give ``app`` the tasks; ``connect`` opens a ledger and is called in each process that gets a message."""
    # shared=False: or every app made later in this process would get these tasks, with this server behind them.
    solving = Solving(settings, connect or (lambda: Ledger.connect(settings)))

    app.task(name=PIECE_TASK, ignore_result=True, shared=False)(solving.take)
    app.task(name=BOARD_TASK, ignore_result=False, shared=False)(solve_board)

    def on_failure(sender: Any, exception: Exception, args: Any, **_: object) -> None:
        if sender.name == PIECE_TASK and isinstance(exception, WorkerLostError) and len(args) == 3:
            solving.lost(*args)

    task_failure.connect(on_failure, weak=False, dispatch_uid=f"gridmill-{id(app)}")


def solve_board(puzzle: str) -> dict[str, str | int]:
    """Solve one board with the default solver, for plain Celery clients.

    ``puzzle`` is 81 characters, blanks ``.`` or ``0``. The result has the keys status, solution, solution2, nodes and
    detail; a text that is no board is an answer too (status ``malformed``), never a failed task.
    """
    answer: dict[str, str | int] = {"status": "malformed", "solution": "", "solution2": "", "nodes": 0, "detail": ""}
    if not isinstance(puzzle, str):
        return answer | {"detail": f"a board is text of 81 characters, not {type(puzzle).__name__}"}
    try:
        board = parse(puzzle)
    except BoardError as error:
        return answer | {"detail": str(error)}
    solver = solvers.get(solvers.DEFAULT)
    claim = claim_of(solver, pack(board), first=False, budget=solver.budget)
    return answer | {
        "status": str(claim.status),
        "solution": unpack(claim.solution) if claim.solution else "",
        "solution2": unpack(claim.second) if claim.second else "",
        "nodes": claim.nodes,
        "detail": str(rules.clash(board) or ""),
    }
