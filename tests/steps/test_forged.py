"""What a hand has written into the ledger and among the answers: no step trips over it, and RESTORE mends it."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies

from gridmill.answered import BESIDES
from gridmill.entry import Entry, Place, Snapshot
from gridmill.errors import WireError
from gridmill.piece import Piece
from gridmill.reply import size_limit

from .rig import Rig

PIECE = Piece(0, 0, 2)
HALVES = PIECE.parts(2)
NEW = Entry("q", 2, 0, 0, False, 0, "-")
NO_LINES = [
    "", "x", "q 1 0 0 0 0", "q " + "9" * 400 + " 0 0 0 0 -", "q -1 0 0 0 0 -", "z 1 0 0 0 0 -",
    "a 1 0 0 0 0 1-1 w", "q 1 0 0 0 0 \xff", "x" * 1_000_000,
    "q 2 0 0 0 0 -",  # a number that was never handed out
]  # fmt: skip
NO_PIECES = [
    "", "x", "0:0", "0:2:1", "1:0:2", "99999999999:0:2", "0:0:3", "0:0:9999999", "9" * 1000, "00:0:2", "0:0:02",
    "-0:0:2",
]  # fmt: skip


@pytest.fixture
def led(rig: Rig) -> str:
    """The key of a ledger with one piece, number 1."""
    rig.fed(1)
    key: Any
    (key,) = rig.client.keys("*:led")
    return str(key, "ascii")


def look(rig: Rig) -> Snapshot:
    snapshot = rig.ledger.scan(rig.job)
    assert snapshot is not None
    return snapshot


def forge(rig: Rig, led: str, *pieces: Piece) -> None:
    """The ledger has these pieces, and no others."""
    rig.client.delete(led)
    for piece in pieces:
        rig.client.hset(led, str(piece), "q 1 0 0 0 0 -")


@pytest.mark.parametrize("line", NO_LINES, ids=lambda line: line[:30])
def test_a_piece_whose_line_is_none_is_restored(rig: Rig, led: str, line: str) -> None:
    rig.client.hset(led, str(PIECE), line)
    assert (look(rig).entries, look(rig).torn) == ({}, (0,))

    assert rig.ledger.restore(rig.job, 0) == [(PIECE, 2)]

    assert (look(rig).entries, look(rig).torn) == ({PIECE: NEW}, ())
    assert rig.begin(0, 2).said == "ok"


@pytest.mark.parametrize(
    "pieces",
    [(), HALVES[:1], HALVES[1:], (PIECE, *HALVES), (PIECE, HALVES[0]), (PIECE, HALVES[1])],
    ids=lambda pieces: " ".join(map(str, pieces)),
)
def test_a_chunk_is_restored_whose_pieces_are_not_each_record_once(
    rig: Rig, led: str, pieces: tuple[Piece, ...]
) -> None:
    forge(rig, led, *pieces)
    assert (look(rig).entries, look(rig).torn) == ({}, (0,))

    assert rig.ledger.restore(rig.job, 0) == [(PIECE, 2)]

    assert look(rig).entries == {PIECE: NEW}


def test_a_chunk_in_parts_stays_as_it_is(rig: Rig, led: str) -> None:
    forge(rig, led, *HALVES)

    assert rig.ledger.restore(rig.job, 0) == []
    assert list(look(rig).entries) == HALVES


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(cuts=strategies.sets(strategies.tuples(*[strategies.integers(0, 8)] * 2).map(sorted).map(tuple), max_size=8))
def test_what_is_torn_is_what_has_not_each_record_once(rig: Rig, led: str, cuts: set[tuple[int, int]]) -> None:
    """Chunk 0 seems to have eight records, and is in whatever pieces."""
    rig.client.set(rig.client.keys("*:b:0")[0], bytes(8 * 41))
    pieces = [Piece(0, lo, hi) for lo, hi in cuts if lo < hi]
    forge(rig, led, *pieces)

    held = sorted(record for piece in pieces for record in range(piece.lo, piece.hi))

    assert look(rig).torn == (() if held == list(range(8)) else (0,))


def test_what_is_written_already_is_neither_shown_nor_restored_nor_cleared_away(rig: Rig) -> None:
    rig.fed(2)
    rig.client.hset(rig.client.keys("*:led")[0], "0:0:1", "q 1 0 0 0 0 -")
    snapshot = rig.ledger.scan(rig.job, start=1)
    assert snapshot is not None
    assert (list(snapshot.entries), snapshot.torn, snapshot.scribbled) == ([Piece(1, 0, 2)], (), False)

    assert rig.ledger.restore(rig.job, 1) == []
    assert look(rig).torn == (0,)


def test_the_answers_of_a_chunk_that_is_restored_go(rig: Rig, led: str) -> None:
    rig.begin(0, 1)
    rig.finish(0)
    rig.client.hset(led, str(HALVES[0]), "q 1 0 0 0 0 -")

    rig.ledger.restore(rig.job, 0)

    assert look(rig).answers == 0
    assert not rig.client.keys("*:a:*")


@pytest.mark.parametrize("name", NO_PIECES)
def test_what_is_no_piece_is_cleared_away_and_disturbs_nothing(rig: Rig, led: str, name: str) -> None:
    rig.client.hset(led, name, "a 1 0 0 0 0 -")
    assert (list(look(rig).entries), look(rig).scribbled) == ([PIECE], True)

    assert rig.ledger.restore(rig.job, 0) == []

    assert (list(look(rig).entries), look(rig).scribbled) == ([PIECE], False)
    assert rig.client.hlen(led) == 1


def test_a_flood_of_entries_is_not_read_and_goes_as_a_whole(rig: Rig, led: str) -> None:
    rig.client.hset(led, mapping={f"0:0:{number}": "x" for number in range(3, 10_100)})
    assert (look(rig).entries, look(rig).torn, look(rig).scribbled) == ({}, (), True)

    assert rig.ledger.restore(rig.job, 0) == [(PIECE, 2)]

    assert rig.client.hlen(led) == 1


@pytest.mark.parametrize("text", ["x", "", "-5", "1e5", "1.5", "0x10", "9" * 30, "\u0663"])
def test_a_mark_that_is_no_number_goes(rig: Rig, led: str, text: str) -> None:
    seq = rig.enqueue(0).seq
    rig.client.set(rig.ledger._keys.mark, text)
    assert (rig.begin(0, seq).said, look(rig).mark, look(rig).scribbled) == ("ok", 0, True)

    rig.ledger.restore(rig.job, 0)

    assert (look(rig).mark, look(rig).scribbled) == (0, False)
    assert (rig.begin(0, seq).said, look(rig).mark) == ("ok", seq)


def test_a_mark_beyond_all_numbers_goes(rig: Rig, led: str) -> None:
    """Else all that waits would seem to have been taken, for ever."""
    rig.client.incrby(rig.ledger._keys.mark, 10**15)
    assert look(rig).scribbled

    rig.ledger.restore(rig.job, 0)

    assert (look(rig).mark, look(rig).scribbled) == (0, False)


def test_an_answer_that_has_no_entry_any_more_goes_with_the_job(rig: Rig, led: str) -> None:
    rig.finish(0)
    rig.client.delete(led)
    rig.client.sadd(rig.ledger._keys.answers(rig.job), "x", *map(str, range(3000)))

    rig.ledger.final(rig.job, "done")

    assert not rig.client.keys("*:a:*") + rig.client.keys("*:answers")


def test_an_answer_is_not_put_where_another_is_until_the_piece_is_sent_again(rig: Rig, led: str) -> None:
    """So nobody who may only do what a worker does can change one."""
    rig.client.set(rig.ledger._keys.answer(rig.job, f"{PIECE}:1"), "by hand")
    assert rig.finish(0) == "refused"
    assert rig.entry(0).state == "q"

    assert rig.requeue(0) == 2

    assert rig.finish(0) == "ok"


def test_what_many_chunks_need_is_restored_in_several_steps(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridmill.ledger.RESTORED_MOST", 2)
    rig.fed(3)
    rig.client.delete(*rig.client.keys("*:led"))

    assert [[piece.chunk for piece, _ in rig.ledger.restore(rig.job, 0)] for _ in range(3)] == [[0, 1], [2], []]


@pytest.mark.parametrize("line", NO_LINES[:-1], ids=lambda line: line[:30])
def test_a_worker_leaves_a_piece_alone_whose_line_is_none(rig: Rig, led: str, line: str) -> None:
    rig.client.hset(led, str(PIECE), line)
    assert rig.finish(0) == "dropped"
    assert rig.ledger.beat(rig.job, PIECE, "w") is False


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    parts=strategies.lists(
        strategies.sampled_from(["q", "s", "a", "1", "0", "-", "9" * 16, "9" * 17, "w", "w" * 200])
        | strategies.text("q0-9 \n\0\xff", max_size=3),
        min_size=6,
        max_size=8,
    )
)
def test_what_is_an_entry_for_the_steps_is_one_for_the_collector(rig: Rig, led: str, parts: list[str]) -> None:
    """Else it would stop at a line that nobody mends."""
    line = " ".join(parts).encode("latin-1")
    rig.client.set(rig.ledger._keys.seq, 10**16 - 1)  # the longest that is a number for the steps
    rig.client.hset(led, str(PIECE), line)

    assert look(rig).entries == ({PIECE: Entry.parse(line)} if is_entry(line) else {})


def is_entry(line: bytes) -> bool:
    try:
        Entry.parse(line)
    except WireError:
        return False
    return True


def test_what_a_hand_has_written_is_deleted_with_the_rest(rig: Rig, led: str) -> None:
    for number, line in enumerate(NO_LINES):
        rig.client.hset(led, f"0:0:{number + 3}", line)
    rig.client.hset(led, "x", "x")
    assert rig.ledger.commit(rig.job, "c", Place(), b"", out="out", own=True) == "ok"

    assert rig.ledger.commit(rig.job, "c", Place(1, 2, b"c" * 16), b"", out="out") == "ok"

    assert not rig.client.exists(led)


@pytest.mark.parametrize("size", [1, 3, size_limit(2) + BESIDES, size_limit(2) + BESIDES + 1, 10_000_000])
def test_no_more_is_read_than_an_answer_can_have(rig: Rig, size: int) -> None:
    rig.fed(1)
    rig.client.set(rig.ledger._keys.answer(rig.job, f"{PIECE}:1"), bytes(size))

    found = rig.ledger.answers(rig.job, {PIECE: 1})[PIECE]

    fits = 4 <= size <= size_limit(2) + BESIDES
    assert (found.piece, found.token, len(found.reply)) == (b"", "", size - 4 if fits else 0)
