"""Records that repeat others: what is said of them, and by a run that goes on."""

import os
from collections import Counter
from pathlib import Path

import pytest

from collector.repeats import Repeats
from gridmill import kernel
from gridmill.answers import DRESSED, REPEATED, Answer, Status
from gridmill.chunk import Chunk, Fault, Record
from gridmill.errors import OutputError
from gridmill.formats.output import writer
from gridmill.formats.row import Row
from gridmill.formats.sheet import Sheet
from gridmill.questions import LIST_MOST, NOTHING, Questions
from gridmill.reply import Claim, Reply

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
DRESS = PUZZLE.translate(str.maketrans("12345", "23451"))
OTHER = "5" + "." * 80
DEDUPE = Questions(dedupe=True)
BOTH = Questions(dedupe=True, canonical=True)
needs_kernel = pytest.mark.skipif(
    not kernel.native and "GRIDMILL_CI" not in os.environ, reason="this installation has no native kernel"
)


def sheet(*boards: str | None, first: int = 1, asked: Questions = DEDUPE) -> Sheet:
    records = [Record(n, board, None if board else Fault(1, "wrong", PUZZLE)) for n, board in enumerate(boards, first)]
    claims = [Claim(Status.UNDECIDED if board else None) for board in boards]
    return Sheet.of(Chunk.of(first, records), Reply.of(claims), {}, asked)


def details(repeats: Repeats, *boards: str | None, first: int = 1, asked: Questions = DEDUPE) -> list[str]:
    marked, _ = repeats.marked(sheet(*boards, first=first, asked=asked))
    return [answer.detail for answer in marked.answers()]


def test_a_repeated_puzzle_names_the_first_that_is_the_same() -> None:
    assert details(Repeats(DEDUPE), PUZZLE, OTHER, PUZZLE, PUZZLE) == ["", "", *["same as record 1"] * 2]


def test_chunks_before_are_remembered() -> None:
    repeats = Repeats(DEDUPE)
    repeats.marked(sheet(OTHER, PUZZLE))

    assert details(repeats, PUZZLE, first=3) == ["same as record 2"]


@needs_kernel
def test_the_same_in_another_dress_is_told_where_forms_are_asked_for() -> None:
    assert details(Repeats(BOTH), PUZZLE, DRESS, DRESS, asked=BOTH) == [
        "", "same as record 1 in another dress", "same as record 2",
    ]  # fmt: skip


def test_another_dress_is_another_puzzle_where_none_are() -> None:
    assert details(Repeats(DEDUPE), PUZZLE, DRESS) == ["", ""]


def test_what_is_no_puzzle_repeats_nothing() -> None:
    assert all("same" not in detail for detail in details(Repeats(DEDUPE), None, None, PUZZLE))


def test_a_detail_that_is_there_stays() -> None:
    answered = sheet(PUZZLE, PUZZLE)
    ruled = Sheet(answered.boards, answered.side, answered.reply, {1: Answer(Status.FAILED, detail="why")}, DEDUPE)

    marked, _ = Repeats(DEDUPE).marked(ruled)

    assert marked.answer(1) == Answer(Status.FAILED, detail="why; same as record 1")


def test_those_of_each_kind_are_counted() -> None:
    asked = BOTH if kernel.native else DEDUPE
    _, counts = Repeats(asked).marked(sheet(PUZZLE, PUZZLE, DRESS, PUZZLE, asked=asked))

    assert counts == Counter({REPEATED: 2, DRESSED: 1} if kernel.native else {REPEATED: 2})


def test_where_nothing_is_asked_nothing_is_said() -> None:
    answered = sheet(PUZZLE, PUZZLE, asked=NOTHING)

    assert Repeats(NOTHING).marked(answered) == (answered, Counter())


def part(folder: Path, form: str, written: Sheet) -> Path:
    made = writer(form, (), written.asked)
    path = folder / "out.part"
    path.write_bytes(made.header() + b"".join(made.sheet(written)))
    return path


@pytest.mark.parametrize("form", ["csv", "csv.gz", "jsonl", "parquet"])
def test_a_run_that_goes_on_knows_what_it_has_written(tmp_path: Path, form: str) -> None:
    path = part(tmp_path, form, sheet(OTHER, None, DRESS, PUZZLE))

    repeats = Repeats.recalled(DEDUPE, path, 4)

    assert details(repeats, PUZZLE, OTHER, first=5) == ["same as record 4", "same as record 1"]


@pytest.mark.parametrize("form", ["csv", "csv.gz", "jsonl", "parquet"])
def test_rows_of_any_length_are_known_again(tmp_path: Path, form: str) -> None:
    # Given a part whose rows have all solutions that can be listed, and columns that need quotes
    asked = Questions(count=LIST_MOST, every=True, dedupe=True)
    made = writer(form, ("note",), asked)
    listed = " ".join([PUZZLE] * LIST_MOST)
    answer = Answer(Status.UNDECIDED)
    boards = (OTHER, PUZZLE, DRESS)
    rows = [Row(n, n, "", board, answer, ('in "quotes",\ntwice',), (listed,)) for n, board in enumerate(boards, 1)]
    path = tmp_path / "out.part"
    path.write_bytes(made.header() + made.rows(rows))
    # When a run goes on
    repeats = Repeats.recalled(asked, path, 3)
    # Then
    assert details(repeats, PUZZLE, OTHER, first=4) == ["same as record 2", "same as record 1"]


def test_a_run_that_has_written_nothing_reads_nothing(tmp_path: Path) -> None:
    assert details(Repeats.recalled(DEDUPE, tmp_path / "none", 0), PUZZLE) == [""]


def test_a_part_with_fewer_records_than_its_journal_says_is_an_error(tmp_path: Path) -> None:
    path = part(tmp_path, "csv", sheet(OTHER, PUZZLE))

    with pytest.raises(OutputError, match=r"out.part cannot be read again.*fewer records.*--force"):
        Repeats.recalled(DEDUPE, path, 3)


def test_a_row_that_cannot_be_read_again_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "out.part").write_text('{"record":1,\n')

    with pytest.raises(OutputError, match="line 1 cannot be read as JSON"):
        Repeats.recalled(DEDUPE, tmp_path / "out.part", 1)
