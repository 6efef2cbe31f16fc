"""What has no answer is sent again, split, solved here, or failed in the end; and all of it is noted."""

import pytest

from collector import intake as module
from collector.intake import SENDINGS_MOST, SOLVING_MOST
from collector.referee import Ruling
from gridmill.board import pack
from gridmill.piece import Piece
from gridmill.reply import Claim
from gridmill.testing import FakeBroker

from .rig import FAILED, NONE, RIGHT, SAYS_NONE, WRONG, Rig


def test_not_everything_is_solved_here_at_once(fake: FakeBroker) -> None:
    rig = Rig(fake, count=5)
    pieces = [piece for piece in sorted(rig.look().entries) if piece.chunk % 2 == 0]

    rig.intake.solve(pieces)
    assert [rig.intake.waits_for(piece) for piece in pieces] == [False] * SOLVING_MOST + [True] * (5 - SOLVING_MOST)

    rig.judge.rule()
    rig.take()
    rig.intake.solve(pieces)
    assert sum(map(rig.intake.waits_for, pieces)) == 5 - SOLVING_MOST - 1


PARTS = [Piece(0, 0, 1), Piece(0, 1, 2)]


def test_a_piece_that_was_started_three_times_is_split(rig: Rig) -> None:
    seen = rig.exhaust(rig.piece())
    assert rig.progress.resent == len(rig.sent) == 2

    rig.intake.again(rig.piece(), seen)

    entries = rig.look().entries
    assert rig.sent[2:] == [(part, entries[part].seq) for part in PARTS]
    assert [entries[part].tries for part in PARTS] == [2, 2]
    assert rig.judge.asked == []


def test_a_piece_that_was_answered_meanwhile_is_not_split(rig: Rig) -> None:
    seen = rig.exhaust(rig.piece())
    rig.ledger.finish(rig.job, rig.piece(), "w", b"", b"")

    rig.intake.again(rig.piece(), seen)

    assert rig.entry().state == "a"
    assert len(rig.sent) == 2


def test_one_puzzle_that_was_started_too_often_is_solved_here(rig: Rig) -> None:
    rig.intake.again(rig.piece(), rig.exhaust(rig.piece()))
    rig.ledger.begin(rig.job, PARTS[1], rig.look().entries[PARTS[1]].seq, "w")

    rig.intake.again(PARTS[1], rig.look().entries[PARTS[1]])

    ((_, questions),) = rig.judge.asked
    assert [question.board for question in questions] == [pack(NONE)]
    assert (rig.intake.waits_for(PARTS[0]), rig.intake.waits_for(PARTS[1])) == (True, False)


def test_the_parts_of_a_piece_are_a_whole_when_all_are_known(rig: Rig) -> None:
    rig.intake.again(rig.piece(), rig.exhaust(rig.piece()))
    rig.say(PARTS[0], RIGHT)
    rig.take()
    assert rig.known() is None
    rig.say(PARTS[1], SAYS_NONE)
    rig.take()
    rig.judge.rule(None)
    rig.take()

    assert rig.known() == [RIGHT, FAILED]


def test_a_server_full_of_parts_gets_no_more_of_them(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker could begin everything and answer nothing."""
    monkeypatch.setattr(module, "PIECES_MOST", 2)
    seen = rig.exhaust(rig.piece())
    rig.take()

    rig.intake.again(rig.piece(), seen)

    assert len(rig.judge.asked) == 1
    assert set(rig.look().entries) == {rig.piece(0), rig.piece(1)}


def test_a_piece_of_which_a_worker_lied_is_not_split(rig: Rig) -> None:
    """Nothing kills in there."""
    rig.intake.again(rig.piece(), rig.entry()._replace(state="s", tries=3, lies=3))

    assert len(rig.judge.asked) == 1


def test_a_piece_that_was_never_started_is_sent_again_without_end(rig: Rig) -> None:
    for _ in range(20):
        rig.intake.again(rig.piece(), rig.entry())

    assert len(rig.sent) == 20
    assert rig.entry().tries == 0
    assert rig.judge.asked == []


def test_what_the_child_died_of_is_failed_and_the_rest_is_not(rig: Rig) -> None:
    rig.intake.again(rig.piece(), rig.entry()._replace(state="s", lies=3))

    rig.judge.rule(None, SAYS_NONE)
    rig.take()

    assert rig.known() == [FAILED, SAYS_NONE]


def noted(rig: Rig) -> list[tuple[str, int, int, str, str]]:
    return [(each.what, each.first, each.last, each.cause, each.worker) for each in rig.incidents]


def test_each_attempt_and_its_end_are_noted(rig: Rig) -> None:
    for lost in (True, False, True):
        rig.ledger.begin(rig.job, rig.piece(), rig.entry().seq, "host/1")
        if lost:
            rig.ledger.lost(rig.job, rig.piece(), rig.entry().seq)
        rig.intake.again(rig.piece(), rig.entry())

    assert noted(rig) == [
        ("lost", 1, 2, "start 1: its process died", "host/1"),
        ("lost", 1, 2, "start 2: no sign of life", "host/1"),
        ("split", 1, 2, "start 3: its process died, no try is left", "host/1"),
    ]


def test_a_rejected_answer_is_noted_with_its_fault_and_whose_it_was(rig: Rig) -> None:
    rig.answer(WRONG, SAYS_NONE)
    rig.take()

    assert noted(rig) == [("rejected", 1, 2, "the claim about its record 0 is false", "w")]


def test_a_record_that_failed_is_noted_with_its_number_its_puzzle_and_the_cause(rig: Rig) -> None:
    rig.answer(RIGHT, SAYS_NONE)
    rig.take()
    key, _ = rig.judge.asked.pop()
    rig.judge.ready.append(Ruling(key, [None], {0: "exit code -9"}))
    rig.take()

    assert noted(rig) == [("failed", 2, 2, "exit code -9", "")]
    assert [each.puzzle for each in rig.incidents] == [NONE]


def test_solvers_that_contradict_each_other_are_failed(rig: Rig) -> None:
    rig.intake.again(rig.piece(), rig.entry()._replace(state="s", lies=3))

    rig.judge.rule(Claim(None), SAYS_NONE)
    rig.take()

    assert rig.known() == [FAILED, SAYS_NONE]


def test_the_collectors_own_solver_is_not_believed_either(rig: Rig) -> None:
    """A wrong answer is never written, whoever gives it."""
    rig.intake.again(rig.piece(), rig.entry()._replace(state="s", lies=3))

    rig.judge.rule(WRONG, SAYS_NONE)
    rig.take()

    assert rig.known() == [FAILED, SAYS_NONE]


def test_a_chunk_whose_entry_is_none_is_sent_again_as_a_whole(rig: Rig) -> None:
    rig.client.hset(rig.client.keys("*:led")[0], "0:0:1", "q 1 0 0 0 0 -")

    rig.intake.mend(0)

    assert rig.sent == [(rig.piece(), rig.entry().seq)]


def test_a_piece_that_nobody_begins_is_sent_again_so_often_only(rig: Rig) -> None:
    for sent in range(SENDINGS_MOST):
        rig.intake.again(rig.piece(), rig.entry(), sent)
    assert rig.judge.asked == []

    rig.intake.again(rig.piece(), rig.entry(), SENDINGS_MOST)

    assert len(rig.judge.asked) == 1
    assert len(rig.sent) == SENDINGS_MOST


def test_what_is_solved_here_as_a_whole_needs_no_worker_for_its_parts(rig: Rig) -> None:
    rig.intake.solve_chunk(0, "a test")
    assert not rig.intake.waits_for(Piece(0, 1, 2))

    rig.judge.rule()
    rig.take()
    assert not rig.intake.waits_for(Piece(0, 1, 2))
