"""The two Celery tasks: their names, and a single board by plain Celery means."""

import json
from typing import Any

import pytest
from billiard.exceptions import WorkerLostError
from celery.signals import task_failure

from gridmill import rules
from gridmill.broker import BOARD_TASK, PIECE_TASK
from gridmill.piece import Piece
from gridmill.testing import FakeBroker
from worker.tasks import register, solve_board

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
TWO = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
NONE = ".71..4.................6...8....9........2..8.....76......81..6....6....6....38.."


class Lost:
    """A ledger that only notes what was lost."""

    def __init__(self) -> None:
        self.notes: list[tuple[str, Piece, int]] = []

    def lost(self, job: str, piece: Piece, seq: int) -> bool:
        self.notes.append((job, piece, seq))
        return True


def test_the_names_of_the_tasks_are_the_wire_format(fake: FakeBroker) -> None:
    app = fake.app()

    register(app, fake.settings)

    assert {PIECE_TASK, BOARD_TASK} <= set(app.tasks)
    assert (PIECE_TASK, BOARD_TASK) == ("gridmill.piece", "gridmill.solve_board")
    assert app.tasks[PIECE_TASK].ignore_result
    assert not app.tasks[BOARD_TASK].ignore_result


@pytest.mark.parametrize("exception", [WorkerLostError("killed"), ValueError("a bug")])
def test_a_child_that_was_killed_at_a_piece_is_reported_and_nothing_else(
    fake: FakeBroker, exception: Exception
) -> None:
    app, ledger = fake.app(), Lost()
    connect: Any = lambda: ledger  # noqa: E731
    register(app, fake.settings, connect)

    for name in (PIECE_TASK, BOARD_TASK):
        task_failure.send(sender=app.tasks[name], exception=exception, args=["2345678923", "0:0:2", 7])

    expected = [("2345678923", Piece(0, 0, 2), 7)] if isinstance(exception, WorkerLostError) else []
    assert ledger.notes == expected


def test_a_board_is_solved_with_its_evidence() -> None:
    answer = solve_board(BOARD)

    assert (answer["status"], answer["solution2"], answer["detail"]) == ("unique", "", "")
    assert rules.verify(BOARD, str(answer["solution"])) is None


def test_two_solutions_are_shown() -> None:
    answer = solve_board(TWO)

    assert answer["status"] == "multiple"
    assert {rules.verify(TWO, str(answer[name])) for name in ("solution", "solution2")} == {None}
    assert answer["solution"] != answer["solution2"]


def test_no_solution_is_an_answer() -> None:
    assert solve_board(NONE)["status"] == "none"


def test_a_clash_is_explained() -> None:
    answer = solve_board("55" + "." * 79)

    assert (answer["status"], answer["detail"]) == ("clash", "5 twice in row 1: r1c1, r1c2")


@pytest.mark.parametrize(
    ("puzzle", "reason"),
    [
        ("", "0 cells instead of 81"),
        (BOARD[:80], "80 cells instead of 81"),
        (BOARD.replace("5", "\uff15", 1), "column 1"),
        (b"53..7", "not bytes"),
        (None, "not NoneType"),
        ([BOARD], "not list"),
    ],
)
def test_what_is_no_board_is_answered_and_no_failed_task(puzzle: Any, reason: str) -> None:
    answer = solve_board(puzzle)

    assert answer["status"] == "malformed"
    assert reason in str(answer["detail"])


@pytest.mark.parametrize("puzzle", [BOARD, TWO, NONE, "", "55" + "." * 79])
def test_an_answer_is_plain_json_with_the_same_keys(puzzle: str) -> None:
    answer = solve_board(puzzle)

    assert json.loads(json.dumps(answer)) == answer
    assert list(answer) == ["status", "solution", "solution2", "nodes", "detail"]
