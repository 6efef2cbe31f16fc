"""What is false is rejected, and blamed on whoever proves to have said it."""

import pytest

from collector.child import Question, settle
from gridmill.answered import Answered
from gridmill.answers import Status
from gridmill.board import pack
from gridmill.pen_name import name_of
from gridmill.reply import Claim
from gridmill.testing import FakeBroker

from .rig import BOARD, BUDGET, NONE, RIGHT, SAYS_NONE, SOLUTION, WRONG, Rig


def test_an_entry_that_says_answered_without_an_answer_is_not_believed(rig: Rig) -> None:
    """Else a board would go without."""
    rig.client.hset(rig.client.keys("*:led")[0], "0:0:2", "a 1 0 0 0 0 -")

    rig.take()

    assert rig.known() is None
    assert rig.sent == [(rig.piece(), rig.entry().seq)]


def test_a_false_claim_is_rejected_sent_again_and_counted(rig: Rig) -> None:
    rig.answer(WRONG, SAYS_NONE)

    rig.take()

    entry = rig.entry()
    assert (entry.state, entry.lies, entry.tries) == ("q", 1, 0)
    assert rig.sent == [(rig.piece(), entry.seq)]
    assert rig.progress.rejected == 1
    assert rig.known() is None


def test_a_none_that_the_referee_refutes_is_a_lie(rig: Rig) -> None:
    rig.answer(SAYS_NONE, SAYS_NONE)
    rig.take()

    rig.judge.rule()
    rig.take()

    assert rig.entry().lies == 1
    assert rig.known() is None


def test_a_false_claim_is_blamed_on_whoever_proves_to_have_made_it(rig: Rig) -> None:
    for _ in range(rig.settings.lies):
        rig.answer(WRONG, SAYS_NONE, token=f"host/1/2/{name_of('s')}/x", secret="s")
        rig.take()

    assert rig.look().job.refused == {name_of("s"): "host/1"}


@pytest.mark.parametrize("secret", ["", "mine"])
def test_a_false_claim_in_the_name_of_another_is_blamed_on_nobody(rig: Rig, secret: str) -> None:
    for _ in range(rig.settings.lies):
        rig.answer(WRONG, SAYS_NONE, token=f"host/1/2/{name_of('s')}/x", secret=secret)
        rig.take()

    assert rig.look().job.refused == {}
    assert rig.entry().lies == rig.settings.lies


def test_a_lie_that_the_referee_finds_is_blamed_too(rig: Rig) -> None:
    for _ in range(rig.settings.lies):
        rig.answer(SAYS_NONE, SAYS_NONE, token=f"host/1/2/{name_of('s')}/x", secret="s")
        rig.take()
        rig.judge.rule()
        rig.take()

    assert list(rig.look().job.refused) == [name_of("s")]


HONEST = settle(Question("bitmask", False, BUDGET, pack(BOARD), None))
HONEST_NONE = settle(Question("bitmask", False, BUDGET, pack(NONE), None, audit=True))


def test_an_answer_that_is_audited_is_a_fact_when_it_is_confirmed(fake: FakeBroker) -> None:
    rig = Rig(fake, audit=1)
    rig.answer(HONEST, HONEST_NONE)

    rig.take()
    assert rig.known() is None
    ((_, questions),) = rig.judge.asked
    assert [(question.board, question.claimed, question.audit) for question in questions] == [
        (pack(NONE), Status.NONE, False),
        (pack(BOARD), None, True),
        (pack(NONE), None, True),
    ]

    rig.judge.rule()
    rig.take()
    assert rig.known() == [HONEST, HONEST_NONE]


@pytest.mark.parametrize(
    "found",
    [
        HONEST._replace(nodes=HONEST.nodes + 1),
        Claim(Status.MULTIPLE, HONEST.nodes, pack(SOLUTION), pack(SOLUTION[::-1])),
    ],
)
def test_an_answer_that_the_audit_does_not_confirm_is_a_lie(fake: FakeBroker, found: Claim) -> None:
    rig = Rig(fake, audit=1)
    rig.answer(HONEST, HONEST_NONE, token=f"host/1/2/{name_of('s')}/x", secret="s")
    rig.take()

    rig.judge.rule(SAYS_NONE, found, HONEST_NONE)
    rig.take()

    assert rig.known() is None
    assert (rig.entry().lies, rig.progress.rejected) == (1, 1)


def test_a_false_claim_may_end_the_ruling_before_the_audit(fake: FakeBroker) -> None:
    rig = Rig(fake, audit=1)
    rig.answer(SAYS_NONE, SAYS_NONE)
    rig.take()

    rig.judge.rule(HONEST)
    rig.take()

    assert rig.known() is None
    assert (rig.entry().lies, rig.progress.rejected) == (1, 1)


def test_an_answer_stands_that_the_audit_died_of(fake: FakeBroker) -> None:
    """Else an answer would depend on the sample."""
    rig = Rig(fake, audit=1)
    rig.answer(HONEST, HONEST_NONE)
    rig.take()

    rig.judge.rule(SAYS_NONE, None, None)
    rig.take()

    assert rig.known() == [HONEST, HONEST_NONE]


def test_undecided_is_not_audited_besides(fake: FakeBroker) -> None:
    """The collector's own answer is written anyway."""
    rig = Rig(fake, audit=1)
    rig.answer(HONEST, Claim(Status.UNDECIDED, 5))
    rig.take()

    ((_, questions),) = rig.judge.asked
    assert [question.audit for question in questions] == [False, True]


def test_a_piece_with_three_lies_is_sent_to_nobody_any_more_and_solved_here(rig: Rig) -> None:
    for _ in range(3):
        rig.answer(WRONG, SAYS_NONE)
        rig.take()
    assert len(rig.sent) == 2
    rig.intake.solve([rig.piece()])
    ((_, questions),) = rig.judge.asked
    assert [question.claimed for question in questions] == [None, None]

    rig.judge.rule()
    rig.take()

    found = rig.known()
    assert found is not None
    assert [claim.status for claim in found] == [Status.UNIQUE, Status.NONE]


def spoil(rig: Rig, way: str) -> None:
    """Write something about the first chunk that cannot be."""
    led = rig.client.keys("*:led")[0]
    if way == "torn":
        rig.client.hset(led, "0:0:2", "garbage")
        rig.intake.mend(0)
    elif way == "no answer":
        rig.client.hset(led, "0:0:2", "a 1 0 0 0 0 w")
    else:
        rig.client.set(led.replace(b":led", b":a:0:0:2:1"), Answered(b"1:0:2", "w", b"", b"x").encode())
        rig.client.hset(led, "0:0:2", "a 1 0 0 0 0 w")


@pytest.mark.parametrize("way", ["torn", "no answer", "answer to another"])
def test_a_chunk_that_is_spoilt_by_hand_again_and_again_is_solved_here(rig: Rig, way: str) -> None:
    """It ends, however long somebody goes on."""
    for _ in range(rig.settings.lies):
        assert rig.judge.asked == []
        spoil(rig, way)
        rig.take()

    assert len(rig.judge.asked) == 1
    rig.judge.rule()
    rig.take()
    found = rig.known()
    assert found is not None
    assert [claim.status for claim in found] == [Status.UNIQUE, Status.NONE]


def test_nobody_is_blamed_for_an_answer_that_somebody_else_has_put_in_a_wrong_place(rig: Rig) -> None:
    """Else a worker could have another refused."""
    secret = "s"
    token = f"host/1/2/{name_of(secret)}/x"
    led = rig.client.keys("*:led")[0]
    for _ in range(rig.settings.lies):
        rig.client.set(led.replace(b":led", b":a:0:0:2:1"), Answered(b"1:0:2", token, b"", b"x", secret).encode())
        rig.client.hset(led, "0:0:2", f"a 1 0 0 0 0 {token}")
        rig.take()

    assert rig.look().job.refused == {}
    assert rig.progress.rejected == 0


def test_thousands_of_forged_answers_are_passed_over_and_the_true_one_is_read(rig: Rig) -> None:
    (led,) = rig.client.keys("*:led")
    for number in range(3000):
        rig.client.set(led.replace(b":led", b":a:%d:0:2:%d" % (number + 2, number)), b"x" * 1000)
        rig.client.hset(led, f"{number + 2}:0:2", f"a {number} 0 0 0 0 w")
    rig.answer(RIGHT, SAYS_NONE)

    assert rig.take() is False

    rig.judge.rule()
    rig.take()
    assert rig.known() == [RIGHT, SAYS_NONE]
