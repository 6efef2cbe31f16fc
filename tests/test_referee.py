"""The last word comes from a child that may die without taking anything along."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import msgspec
import pytest
from structlog.testing import capture_logs

from collector import child as program
from collector import nursery
from collector import referee as module
from collector.child import Question, _solver, settle, write
from collector.referee import AHEAD, DEATHS, STARTS, ChildReferee, Ruling
from gridmill.answers import Status
from gridmill.board import pack
from gridmill.errors import Incomplete
from gridmill.questions import Questions
from gridmill.reply import Claim

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NONE = ".71..4.................6...8....9........2..8.....76......81..6....6....6....38.."
POISON = "1" + "." * 80  # kills the child
ENDLESS = "2" + "." * 80  # never ends
GREEDY = "3" + "." * 80  # wants more memory than there may be
MEMORY = 1_000_000_000

# The child as the collector starts it, but with solvers of its own.
CHILD = """
import os, signal, sys
from gridmill import solvers
from gridmill.solvers.bitmask import Bitmask

class Deadly(Bitmask):
    def search(self, grid, limit, budget):
        first = grid[0][0]
        if first == "1": os.kill(os.getpid(), signal.SIGKILL)
        while first == "2": pass
        if first == "3": bytearray(8 << 30)
        return super().search(grid, limit, budget)

class Wrong(Bitmask):
    def search(self, grid, limit, budget):
        return type(super().search(grid, limit, budget))((), 1, False)

solvers._SOLVERS["deadly"], solvers._SOLVERS["wrong"] = Deadly, Wrong
from collector.child import main
main()
"""


def question(board: str, solver: str = "deadly", claimed: Status | None = None, budget: int = 1000) -> Question:
    return Question(solver, False, budget, pack(board), claimed)


def audit(board: str) -> Question:
    return question(board, budget=1)._replace(audit=True)


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    """No solver of these tests outlives them: the SAT library complains when Python itself ends it."""
    yield
    _solver.cache_clear()


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nursery, "PROGRAM", (sys.executable, "-P", "-c", CHILD))


@pytest.fixture
def referee(child: None) -> Iterator[ChildReferee]:
    made = ChildReferee(memory=MEMORY, seconds=20)
    yield made
    made.close()


@pytest.fixture
def impatient(child: None) -> Iterator[ChildReferee]:
    """One that waits a twentieth of a second, or as long as a budget of nodes may take."""
    made = ChildReferee(memory=MEMORY, seconds=0.05)
    yield made
    made.close()


@pytest.fixture
def ruled(wait_until: Callable[..., None]) -> Callable[[ChildReferee, int], list[Ruling]]:
    """So many rulings, waited for."""

    def wait(referee: ChildReferee, count: int = 1) -> list[Ruling]:
        found: list[Ruling] = []

        def look() -> bool:
            found.extend(referee.rulings())
            return len(found) >= count

        wait_until(look, f"{count} rulings", 60)
        return found

    return wait


Ruled = Callable[..., list[Ruling]]


def test_questions_are_answered_in_their_order_under_their_key(referee: ChildReferee, ruled: Ruled) -> None:
    referee.ask(7, [question(BOARD), question(NONE)])
    referee.ask(8, [question("55" + "." * 79)])

    assert ruled(referee, 2) == [
        Ruling(7, [Claim(Status.UNIQUE, 0, pack(SOLUTION)), Claim(Status.NONE)]),
        Ruling(8, [Claim(Status.CLASH)]),
    ]


def test_a_board_that_kills_the_child_gets_no_claim_and_its_neighbours_do(referee: ChildReferee, ruled: Ruled) -> None:
    with capture_logs() as logs:
        referee.ask(1, [question(BOARD), question(POISON), question(BOARD)])
        (ruling,) = ruled(referee)

    assert [claim and claim.status for claim in ruling.claims] == [Status.UNIQUE, None, Status.UNIQUE]
    assert ruling.causes == {1: "exit code -9"}
    deaths = [line for line in logs if line["event"] == "the solving child died"]
    assert [line["death"] for line in deaths] == list(range(1, DEATHS + 1))
    assert all(pack(POISON).hex().startswith(line["board"]) for line in deaths)


def test_a_child_that_dies_before_it_has_all_its_questions_has_answered_those_before(
    referee: ChildReferee, ruled: Ruled, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else their boards would be taken for what killed it."""
    last = [question(BOARD)]

    def write_late(stream: IO[bytes], data: bytes) -> None:
        if last[0].board == pack(POISON):
            assert referee._child is not None
            referee._child.process.wait()
        if data != program.MEMORY.pack(MEMORY):
            (last[0],) = msgspec.msgpack.decode(data, type=list[Question])
        write(stream, data)

    monkeypatch.setattr(module, "write", write_late)
    with capture_logs() as logs:
        referee.ask(1, [question(BOARD), question(POISON), question(BOARD)])
        (ruling,) = ruled(referee)

    assert [claim and claim.status for claim in ruling.claims] == [Status.UNIQUE, None, Status.UNIQUE]
    assert ruling.causes == {1: "exit code -9"}
    assert [line["board"] for line in logs if "board" in line] == [pack(POISON).hex()[:81]] * DEATHS


def test_what_is_left_of_an_answer_is_not_derived_again_when_a_claim_of_it_is_false(
    referee: ChildReferee, ruled: Ruled
) -> None:
    """Else one answer of false claims alone would hold up the true ones of all others."""
    referee.ask(1, [question(NONE, "sat", Status.NONE), *[question(BOARD, claimed=Status.NONE)] * (10 * AHEAD)])
    referee.ask(2, [question(BOARD)])

    first, second = ruled(referee, 2)
    assert [claim and claim.status for claim in first.claims[:2]] == [Status.NONE, Status.UNIQUE]
    assert len(first.claims) <= AHEAD
    assert second == Ruling(2, [Claim(Status.UNIQUE, 0, pack(SOLUTION))])


def test_audits_say_what_the_solver_says_however_many_there_are(referee: ChildReferee, ruled: Ruled) -> None:
    referee.ask(1, [question(BOARD), *[audit(NONE), audit(BOARD)] * AHEAD, question(NONE)])

    (ruling,) = ruled(referee)

    first, *audited, last = [claim and claim.status for claim in ruling.claims]
    assert (first, last) == (Status.UNIQUE, Status.NONE)
    assert audited == [Status.NONE, Status.UNIQUE] * AHEAD


def test_a_claim_that_is_longer_than_a_pipe_holds_comes_whole(referee: ChildReferee, ruled: Ruled) -> None:
    listed = Questions(count=3000, every=True)
    open_board = "." * 80 + "1"
    for asked in (question(open_board, "lanes"), audit(open_board)._replace(solver="lanes")):
        referee.ask(1, [asked._replace(asked=listed, budget=100_000)])

    for ruling in ruled(referee, 2):
        assert ruling.causes == {}
        assert [len(msgspec.msgpack.encode(claim)) > 100_000 for claim in ruling.claims] == [True]


def test_a_board_that_kills_the_child_in_an_audit_gets_no_claim_and_those_beside_it_do(
    referee: ChildReferee, ruled: Ruled
) -> None:
    with capture_logs() as logs:
        referee.ask(1, [audit(BOARD), audit(NONE), audit(POISON), audit(BOARD)])
        (ruling,) = ruled(referee)

    assert [claim and claim.status for claim in ruling.claims] == [Status.UNIQUE, Status.NONE, None, Status.UNIQUE]
    assert ruling.causes == {2: "exit code -9"}
    assert [line["death"] for line in logs] == list(range(1, DEATHS + 1))


def test_audits_that_take_longer_together_than_one_may_are_asked_one_by_one(
    impatient: ChildReferee, ruled: Ruled
) -> None:
    impatient.ask(1, [audit(BOARD), audit(ENDLESS), audit(BOARD)])

    claims = ruled(impatient)[0].claims

    assert [claim and claim.status for claim in claims] == [Status.UNIQUE, None, Status.UNIQUE]


def test_a_board_that_takes_longer_than_it_may_gets_no_claim(impatient: ChildReferee, ruled: Ruled) -> None:
    impatient.ask(1, [question(ENDLESS, budget=1), question(BOARD, budget=10_000)])

    claims = ruled(impatient)[0].claims

    assert claims[0] is None
    assert claims[1] is not None


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS refuses to limit a process's memory")
def test_a_board_that_wants_more_memory_than_there_is_gets_no_claim(referee: ChildReferee, ruled: Ruled) -> None:
    referee.ask(1, [question(GREEDY), question(BOARD)])

    claims = ruled(referee)[0].claims

    assert claims[0] is None
    assert claims[1] is not None


def test_a_child_that_cannot_start_is_no_boards_fault(
    monkeypatch: pytest.MonkeyPatch, wait_until: Callable[..., None]
) -> None:
    """Else a broken installation would answer `failed` to everything."""
    monkeypatch.setattr(nursery, "PROGRAM", (sys.executable, "-c", "raise SystemExit(3)"))
    with capture_logs() as logs:
        broken = ChildReferee(memory=MEMORY, seconds=20)
        broken.ask(1, [question(BOARD)])
        wait_until(lambda: not broken._thread.is_alive(), "the end of its thread")

    with pytest.raises(Incomplete, match=r"does not start \(exit code 3\); is GRIDMILL_CHILD_MEMORY low"):
        broken.rulings()
    assert [(line["event"], line["start"], line["code"]) for line in logs] == [
        ("the solving child did not start", start, 3) for start in range(1, STARTS + 1)
    ]
    broken.close()


def test_a_child_that_is_killed_while_it_starts_is_started_again(
    monkeypatch: pytest.MonkeyPatch, ruled: Ruled, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    killed = f"import os, pathlib\nif not pathlib.Path({str(mark)!r}).exists():\n"
    killed += f"    open({str(mark)!r}, 'w').close()\n    os.kill(os.getpid(), 9)\n"
    monkeypatch.setattr(nursery, "PROGRAM", (sys.executable, "-P", "-c", killed + CHILD))
    struck = ChildReferee(memory=MEMORY, seconds=20)

    with capture_logs() as logs:
        struck.ask(1, [question(BOARD)])
        (ruling,) = ruled(struck)

    assert [claim and claim.status for claim in ruling.claims] == [Status.UNIQUE]
    assert [(line["event"], line["code"]) for line in logs] == [("the solving child did not start", -9)]
    struck.close()


def test_a_command_that_is_not_there_is_said_too(
    monkeypatch: pytest.MonkeyPatch, wait_until: Callable[..., None], tmp_path: Path
) -> None:
    monkeypatch.setattr(nursery, "PROGRAM", (str(tmp_path / "none"),))
    broken = ChildReferee(memory=MEMORY, seconds=20)
    broken.ask(1, [question(BOARD)])
    wait_until(lambda: not broken._thread.is_alive(), "the end of its thread")

    with pytest.raises(Incomplete, match="No such file"):
        broken.rulings()


def test_what_is_dropped_is_not_asked_any_more(
    impatient: ChildReferee, ruled: Ruled, wait_until: Callable[..., None]
) -> None:
    impatient.ask(1, [question(ENDLESS, budget=1)])
    wait_until(impatient._requests.empty, "the referee at work on the first")
    impatient.ask(2, [question(BOARD)])

    impatient.drop()
    impatient.ask(3, [question(BOARD)])

    assert [ruling.key for ruling in ruled(impatient, 2)] == [1, 3]


def test_closing_does_not_wait_for_an_endless_board(referee: ChildReferee, ruled: Ruled) -> None:
    referee.ask(1, [question(BOARD)])
    ruled(referee)
    assert referee._child is not None
    pid = referee._child.process.pid
    referee.ask(2, [question(ENDLESS)])

    referee.close()

    assert not referee._thread.is_alive()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_no_child_is_started_before_there_is_a_question(referee: ChildReferee) -> None:
    assert referee.rulings() == []
    assert referee._child is None


# -- what the child says (in this process)


def test_none_is_believed_when_another_solver_finds_none_either() -> None:
    assert settle(question(NONE, "bitmask", Status.NONE)).status is Status.NONE
    assert settle(question(NONE, "sat", Status.NONE)).status is Status.NONE


def test_a_false_none_is_answered_with_what_there_is() -> None:
    assert settle(question(BOARD, "bitmask", Status.NONE)) == Claim(Status.UNIQUE, 2, pack(SOLUTION))


def test_undecided_is_derived_again_under_the_same_budget() -> None:
    hard = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."

    assert settle(question(hard, "bitmask", Status.UNDECIDED, budget=5)) == Claim(Status.UNDECIDED, 5)
    assert settle(question(BOARD, "bitmask", Status.UNDECIDED)).status is Status.UNIQUE


def test_two_solvers_that_contradict_each_other_make_no_claim(referee: ChildReferee, ruled: Ruled) -> None:
    """A solver that finds none where there is one: nothing that it says becomes an answer."""
    referee.ask(1, [question(BOARD, "wrong"), question(NONE, "wrong")])

    assert [claim and claim.status for claim in ruled(referee)[0].claims] == [None, Status.NONE]
