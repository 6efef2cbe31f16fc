"""Packed records: taken apart and put together, they stay what they are."""

from hypothesis import given
from hypothesis import strategies as st

from gridmill.batch import Batch, one_by_one, weight_of
from gridmill.board import HOLE, pack
from gridmill.chunk import Fault, Record
from gridmill.column import Column

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
TEXTS = st.sampled_from(["", "", "a", "é", "some text"])


@st.composite
def records(draw: st.DrawFn, width: int = 2) -> list[Record]:
    made: list[Record] = []
    for _ in range(draw(st.integers(0, 10))):
        line = draw(st.integers(1, 5)) if not made or draw(st.booleans()) else made[-1].line + 1
        fault = draw(st.sampled_from([None, None, Fault(1, "reason", "é")]))
        extras = tuple(draw(TEXTS) for _ in range(width))
        made.append(Record(line, None if fault else PUZZLE, fault, draw(TEXTS), extras))
    return made


@given(records())
def test_records_come_back(made: list[Record]) -> None:
    assert list(Batch.of(made).records()) == made
    assert len(Batch.of(made)) == len(made)


@given(records(), st.integers(0, 10), st.integers(0, 10))
def test_a_part_has_its_records(made: list[Record], one: int, other: int) -> None:
    lo, hi = sorted((min(one, len(made)), min(other, len(made))))
    part = Batch.of(made).part(lo, hi)
    assert list(part.records()) == made[lo:hi]
    assert part == Batch.of(made[lo:hi]) or lo == hi


@given(records(), st.integers(0, 10))
def test_where_records_are_divided_cannot_be_seen_when_they_are_joined(made: list[Record], at: int) -> None:
    at = min(at, len(made))
    whole = Batch.of(made)
    assert Batch.join([whole.part(0, at), whole.part(at, len(made))]) == Batch.join([whole])
    assert Batch.join([Batch.of(made[:at]), Batch.of(made[at:])]) == Batch.join([whole])


@given(records())
def test_a_batch_weighs_as_much_as_its_records(made: list[Record]) -> None:
    batch = Batch.of(made)
    assert list(batch.weights()) == [weight_of(record) for record in made]
    assert batch.weight == sum(batch.weights())


def test_a_record_weighs_its_bytes_of_text_and_a_size_for_each_column() -> None:
    assert weight_of(Record(1, PUZZLE)) == 0
    assert weight_of(Record(1, PUZZLE, id="é")) == 2
    assert weight_of(Record(1, PUZZLE, extras=("", "abc"))) == 4 + 4 + 3
    assert weight_of(Record(1, None, Fault(1, "reason", "éa"))) == 3


def test_slots_lines_and_faults_are_where_their_records_are() -> None:
    fault = Fault(1, "reason", "text")
    batch = Batch.of([Record(3, PUZZLE), Record(4, None, fault), Record(9, PUZZLE)])
    assert batch.boards == pack(PUZZLE) + HOLE + pack(PUZZLE)
    assert batch.lines == [(0, 3), (2, 9)]
    assert batch.faults == {1: fault}


def test_columns_without_any_text_are_left_out_when_they_are_joined() -> None:
    joined = Batch.join([Batch.of([Record(1, PUZZLE, extras=("", ""))])])
    assert (joined.ids, joined.extras) == (Column(), ())


def test_one_column_with_text_keeps_the_others_in_their_places() -> None:
    joined = Batch.join([Batch.of([Record(1, PUZZLE, extras=("", "a"))])])
    assert joined.extras == [Column(), Column.of(["a"])]


def test_records_are_taken_out_of_batches_in_their_order() -> None:
    made = [Record(n, PUZZLE) for n in range(1, 5)]
    assert list(one_by_one([made[0], Batch.of(made[1:3]), made[3]])) == made
