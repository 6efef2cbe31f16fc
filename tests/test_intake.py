"""From replies to facts: examined, rejected, settled by the referee, solved here."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from collector import intake as module
from collector.child import Question, _solver, settle
from collector.chunks import HELD, MISSES
from collector.intake import SENDINGS_MOST, SOLVING_MOST, Intake
from collector.progress import Progress
from collector.referee import Ruling
from collector.rows import sheet
from gridmill import broker, solvers
from gridmill.answers import FAILED_DETAIL, Answer, Status
from gridmill.board import pack
from gridmill.chunk import Fault, Record
from gridmill.digest import digest
from gridmill.entry import Entry, Place, Snapshot
from gridmill.errors import BrokerLost, Incomplete
from gridmill.incidents import About, Incidents
from gridmill.job import WIRE, Spec, new_id
from gridmill.ledger import Ledger
from gridmill.pen_name import name_of
from gridmill.piece import Piece
from gridmill.reply import Claim, Reply
from gridmill.testing import FakeBroker
from producer.cut import cut

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NONE = ".71..4.................6...8....9........2..8.....76......81..6....6....6....38.."
BUDGET = 1000
SPEC = Spec(WIRE, "bitmask", solvers.get("bitmask").version, False, BUDGET, 2, "", (), ())
RIGHT = Claim(Status.UNIQUE, 2, pack(SOLUTION))
WRONG = Claim(Status.UNIQUE, 2, pack(SOLUTION[::-1]))
SAYS_NONE = Claim(Status.NONE, 3)
RECORDS = [
    Record(1, BOARD),
    Record(2, NONE),
    Record(3, None, Fault(0, "no cells", "x")),
    Record(4, None, Fault(0, "", "")),
]
FAILED = Answer(Status.FAILED, detail=FAILED_DETAIL)


class Judge:
    """A referee that rules when it is told to, by what the child would say or by what the test says."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, Sequence[Question]]] = []
        self.ready: list[Ruling] = []

    def ask(self, key: int, questions: Sequence[Question]) -> None:
        self.asked.append((key, questions))

    def rulings(self) -> list[Ruling]:
        ready, self.ready = self.ready, []
        return ready

    def drop(self) -> None:
        self.asked = []

    def close(self) -> None:
        pass

    def rule(self, *claims: Claim | None) -> None:
        """Rule the oldest request: with ``claims``, or as the child would."""
        key, questions = self.asked.pop(0)
        self.ready.append(Ruling(key, list(claims) or [settle(question) for question in questions]))


class Rig:
    """A job of two chunks (two boards; no board), a worker whose words are given, and the intake."""

    def __init__(self, fake: FakeBroker, count: int = 1, audit: float = 0) -> None:
        self.client: Any = fake.client()
        self.settings = fake.settings.model_copy(update={"audit": audit})
        self.ledger = Ledger(self.client, fake.settings.prefix, broker.queue_key(fake.settings))
        self.job, self.judge, self.progress = new_id(), Judge(), Progress()
        self.sent: list[tuple[Piece, int]] = []
        self.incidents = Incidents(fake.settings.state_dir, self.job, About("", "csv", b""))
        self.intake = Intake(
            self.ledger, lambda job, piece, seq: self.sent.append((piece, seq)), self.job, SPEC, self.settings,
            self.judge, self.progress, self.incidents,
        )  # fmt: skip
        self.cuts = list(cut(RECORDS * count, 2))
        self.ledger.create(self.job, "p", SPEC.encode(), Place())
        for made in self.cuts:
            assert self.ledger.enqueue(self.job, "p", made.at, made.chunk, made.after, 10**6).said == "ok"

    def piece(self, number: int = 0) -> Piece:
        return Piece(number, 0, 2)

    def entry(self, number: int = 0) -> Entry:
        return self.look().entries[self.piece(number)]

    def exhaust(self, piece: Piece) -> Entry:
        """Begin ``piece`` until it has no tries left; what is seen of it then."""
        while (entry := self.look().entries[piece]).tries < self.settings.tries:
            if entry.state == "s":
                self.intake.again(piece, entry)
            entry = self.look().entries[piece]
            self.ledger.begin(self.job, piece, entry.seq, "w")
        return entry

    def look(self) -> Snapshot:
        snapshot = self.ledger.scan(self.job)
        assert snapshot is not None
        return snapshot

    def answer(self, *claims: Claim, number: int = 0, token: str = "w", secret: str = "") -> None:
        """A worker begins a piece and says this."""
        piece = self.piece(number)
        self.ledger.begin(self.job, piece, self.entry(number).seq, token)
        about = digest(self.cuts[number].chunk.boards)
        assert self.ledger.finish(self.job, piece, token, about, Reply.of(list(claims)).encode(), secret) == "ok"

    def say(self, piece: Piece, *claims: Claim) -> None:
        """Somebody answers a piece of the first chunk."""
        about = digest(self.cuts[0].chunk.boards[41 * piece.lo : 41 * piece.hi])
        assert self.ledger.finish(self.job, piece, "w", about, Reply.of(list(claims)).encode()) == "ok"

    def take(self) -> bool:
        return self.intake.take(self.look())

    def known(self, number: int = 0) -> list[Claim | Answer] | None:
        found = self.intake.facts.covering(number, 2)
        if found is None:
            return None
        assert all(self.intake.reread(piece, fact) for piece, fact in found)
        rows = sheet(self.intake.chunks.get(number), found)
        return [rows.rulings.get(index, claim) for index, claim in enumerate(rows.reply.claims())]


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    """No solver of these tests outlives them: the SAT library complains when Python itself ends it."""
    yield
    _solver.cache_clear()


@pytest.fixture
def rig(fake: FakeBroker) -> Rig:
    return Rig(fake)


def test_a_reply_whose_every_claim_was_checked_is_a_fact(rig: Rig) -> None:
    other = Claim(Status.CLASH)
    rig.cuts = list(cut([Record(1, BOARD), Record(2, "55" + "." * 79)], 2))
    rig.client.set(rig.client.keys("*:b:0")[0], rig.cuts[0].chunk.boards)
    rig.answer(RIGHT, other)

    rig.take()

    assert rig.known() == [RIGHT, other]
    assert rig.judge.asked == []


def test_a_chunk_without_a_board_is_known_without_a_worker(rig: Rig) -> None:
    rig.take()

    assert rig.known(1) == [Claim(None), Claim(None)]


def test_an_entry_that_says_answered_without_an_answer_is_not_believed(rig: Rig) -> None:
    """Else a board would go without."""
    rig.client.hset(rig.client.keys("*:led")[0], "0:0:2", "a 1 0 0 0 0 - -")

    rig.take()

    assert rig.known() is None
    assert rig.sent == [(rig.piece(), rig.entry().seq)]


def test_a_claim_of_none_is_known_when_the_referee_says_so_too(rig: Rig) -> None:
    rig.answer(RIGHT, SAYS_NONE)

    rig.take()
    assert rig.known() is None
    ((_, questions),) = rig.judge.asked
    assert questions == [Question("bitmask", False, BUDGET, pack(NONE), Status.NONE)]

    rig.judge.rule()
    rig.take()
    assert rig.known() == [RIGHT, SAYS_NONE]


def test_a_piece_that_was_written_since_it_was_seen_needs_nobody(rig: Rig) -> None:
    # Given pieces that were seen, and one of them is written and committed now
    rig.intake.drop(0)
    place = Place(1, 2, rig.cuts[0].after.chain)
    assert rig.ledger.commit(rig.job, "c", place, b"{}", out="here", own=True) == "ok"
    # When
    rig.intake.solve([rig.piece(0)])
    # Then nobody looks for its boards, which are gone
    assert rig.judge.asked == []
    assert rig.intake.waits_for(rig.piece(1))


def test_the_referee_is_asked_once(rig: Rig) -> None:
    rig.answer(RIGHT, SAYS_NONE)

    for _ in range(3):
        rig.take()

    assert len(rig.judge.asked) == 1


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


def test_not_everything_is_solved_here_at_once(fake: FakeBroker) -> None:
    rig = Rig(fake, count=5)
    pieces = [piece for piece in sorted(rig.look().entries) if piece.chunk % 2 == 0]

    rig.intake.solve(pieces)
    assert [rig.intake.waits_for(piece) for piece in pieces] == [False] * SOLVING_MOST + [True] * (5 - SOLVING_MOST)

    rig.judge.rule()
    rig.take()
    rig.intake.solve(pieces)
    assert sum(map(rig.intake.waits_for, pieces)) == 5 - SOLVING_MOST - 1


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


def test_a_referee_that_died_of_a_claimed_none_makes_it_failed(rig: Rig) -> None:
    rig.answer(RIGHT, SAYS_NONE)
    rig.take()

    rig.judge.rule(None)
    rig.take()

    assert rig.known() == [RIGHT, FAILED]


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


def test_undecided_has_the_nodes_that_the_referee_counted(rig: Rig) -> None:
    """A worker could say any number."""
    rig.answer(RIGHT, Claim(Status.UNDECIDED, 77))
    rig.take()

    rig.judge.rule(Claim(Status.UNDECIDED, BUDGET))
    rig.take()

    assert rig.known() == [RIGHT, Answer(Status.UNDECIDED, nodes=BUDGET)]


def test_a_none_that_nobody_can_confirm_is_undecided(rig: Rig) -> None:
    rig.answer(RIGHT, SAYS_NONE)
    rig.take()

    rig.judge.rule(Claim(Status.UNDECIDED))
    rig.take()

    assert rig.known() == [RIGHT, Answer(Status.UNDECIDED)]
    assert rig.progress.rejected == 0


def test_a_reply_that_has_vanished_is_asked_for_again(rig: Rig) -> None:
    rig.answer(RIGHT, SAYS_NONE)
    rig.client.delete(*rig.client.keys("*:answers"))

    rig.take()

    assert rig.entry().state == "q"
    assert rig.sent == [(rig.piece(), rig.entry().seq)]


def test_the_collectors_word_is_the_last(rig: Rig) -> None:
    """A worker that answers after all changes nothing, and is not asked about."""
    rig.intake.again(rig.piece(), rig.entry()._replace(state="s", lies=3))
    rig.judge.rule(RIGHT, SAYS_NONE)
    rig.take()
    rig.answer(WRONG, SAYS_NONE)

    rig.take()

    assert rig.known() == [RIGHT, SAYS_NONE]
    assert rig.entry().lies == 0


def test_a_reply_that_was_given_up_is_read_again(rig: Rig) -> None:
    rig.answer(RIGHT, SAYS_NONE)
    rig.take()
    rig.judge.rule()
    rig.take()
    found = rig.intake.facts.covering(0, 2)
    assert found is not None
    found[0][1].give_up()

    assert rig.known() == [RIGHT, SAYS_NONE]


@pytest.mark.parametrize("content", [None, b"another"])
def test_a_reply_that_is_no_longer_what_was_verified_is_no_fact(rig: Rig, content: bytes | None) -> None:
    rig.answer(RIGHT, SAYS_NONE)
    rig.take()
    rig.judge.rule()
    rig.take()
    found = rig.intake.facts.covering(0, 2)
    assert found is not None
    ((piece, fact),) = found
    fact.give_up()
    (key,) = rig.client.keys("*:answers")
    rig.client.delete(key)
    if content is not None:
        rig.client.xadd(key, {"piece": b"0:0:2", "reply": content}, id=fact.eid)

    assert rig.intake.reread(piece, fact) is False
    assert piece not in rig.intake.facts


def test_replies_are_read_a_few_at_a_time_the_nearest_to_their_turn_first(fake: FakeBroker) -> None:
    rig = Rig(fake, count=HELD)
    for number in reversed(range(0, 2 * HELD, 2)):
        rig.answer(RIGHT, SAYS_NONE, number=number)

    assert rig.take() is True

    assert [rig.known(number) is not None for number in (1, HELD - 1, HELD + 1)] == [True, True, False]
    assert rig.take() is False
    assert rig.known(2 * HELD - 1) is not None


def test_boards_that_are_missing_may_come_back_and_if_not_the_job_ends(rig: Rig) -> None:
    """A server that went back in time is seen at the next look. Else a piece would be asked for without end."""
    rig.client.delete(*rig.client.keys("*:b:0"))

    for _ in range(MISSES):
        with pytest.raises(BrokerLost, match="the boards of chunk 0 are not there"):
            rig.intake.again(rig.piece(), rig.entry())
        rig.intake.reset()
        rig.intake.chunks.get(1)
    with pytest.raises(Incomplete, match="the server has lost the boards of chunk 0"):
        rig.intake.again(rig.piece(), rig.entry())


def test_after_a_reset_all_is_read_again_and_what_was_asked_is_dropped(rig: Rig) -> None:
    rig.answer(RIGHT, SAYS_NONE)
    rig.take()
    late = Ruling(rig.judge.asked[0][0], [SAYS_NONE])

    rig.intake.reset()
    assert rig.judge.asked == []
    rig.judge.ready.append(late)
    rig.take()

    assert rig.known() is None
    assert len(rig.judge.asked) == 1


def test_a_chunk_whose_entry_is_none_is_sent_again_as_a_whole(rig: Rig) -> None:
    rig.client.hset(rig.client.keys("*:led")[0], "0:0:1", "q 1 0 0 0 0 - -")

    rig.intake.mend(0)

    assert rig.sent == [(rig.piece(), rig.entry().seq)]


def spoil(rig: Rig, way: str) -> None:
    """Write something about the first chunk that cannot be."""
    led = rig.client.keys("*:led")[0]
    if way == "torn":
        rig.client.hset(led, "0:0:2", "garbage")
        rig.intake.mend(0)
    elif way == "no answer":
        rig.client.hset(led, "0:0:2", "a 1 0 0 0 0 1-1 w")
    else:
        eid = rig.client.xadd(led.replace(b":led", b":answers"), {"piece": "1:0:2", "reply": "x"}).decode()
        rig.client.hset(led, "0:0:2", f"a 1 0 0 0 0 {eid} w")


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
    """Entries name answers; so a worker could have another refused."""
    secret = "s"
    token = f"host/1/2/{name_of(secret)}/x"
    led = rig.client.keys("*:led")[0]
    fields = {"piece": "1:0:2", "reply": "x", "token": token, "secret": secret}
    eid = rig.client.xadd(led.replace(b":led", b":answers"), fields).decode()
    for _ in range(rig.settings.lies):
        rig.client.hset(led, "0:0:2", f"a 1 0 0 0 0 {eid} {token}")
        rig.take()

    assert rig.look().job.refused == {}
    assert rig.progress.rejected == 0


def test_a_piece_that_nobody_begins_is_sent_again_so_often_only(rig: Rig) -> None:
    for sent in range(SENDINGS_MOST):
        rig.intake.again(rig.piece(), rig.entry(), sent)
    assert rig.judge.asked == []

    rig.intake.again(rig.piece(), rig.entry(), SENDINGS_MOST)

    assert len(rig.judge.asked) == 1
    assert len(rig.sent) == SENDINGS_MOST


def test_a_ruling_about_a_chunk_that_was_written_meanwhile_is_of_no_use(rig: Rig) -> None:
    rig.intake.solve_chunk(0, "a test")
    rig.intake.drop(0)

    rig.judge.rule()
    rig.take()

    assert not rig.intake.facts.any_of(0)
    assert not rig.intake.is_asking


def test_what_is_solved_here_as_a_whole_needs_no_worker_for_its_parts(rig: Rig) -> None:
    rig.intake.solve_chunk(0, "a test")
    assert not rig.intake.waits_for(Piece(0, 1, 2))

    rig.judge.rule()
    rig.take()
    assert not rig.intake.waits_for(Piece(0, 1, 2))


def test_thousands_of_forged_answers_are_passed_over_and_the_true_one_is_read(rig: Rig) -> None:
    (led,) = rig.client.keys("*:led")
    answers = led.replace(b":led", b":answers")
    for number in range(3000):
        rig.client.xadd(answers, {"piece": "0:0:2", "reply": b"x" * 1000, f"field{number}": ""})
        rig.client.hset(led, f"{number + 2}:0:2", f"a {number} 0 0 0 0 1-{number} w")
    rig.answer(RIGHT, SAYS_NONE)

    assert rig.take() is False

    rig.judge.rule()
    rig.take()
    assert rig.known() == [RIGHT, SAYS_NONE]
