"""Whole files as people have them, with which readers of puzzles are known to go wrong: each line is accounted for."""

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from gridmill.errors import FormatError
from gridmill.formats.input import Input

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [PUZZLE[at : at + 9] for at in range(0, 81, 9)]
ZEROS = PUZZLE.replace(".", "0")
BARS = [f"|{row[:3]}|{row[3:6]}|{row[6:]}|\n" for row in ROWS]
BANDS = ["".join(BARS[at : at + 3]) for at in (0, 3, 6)]

Read = Callable[[bytes], Input]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """``read(content)``: the input that a file with this content is."""

    def made(content: bytes) -> Input:
        path = tmp_path / "f"
        path.write_bytes(content)
        return Input([str(path)])

    return made


@pytest.mark.parametrize(
    "text",
    [
        f"{PUZZLE}\n",
        PUZZLE,
        f"\ufeff{PUZZLE}\n",
        f"{ZEROS}\r\n",
        f"{PUZZLE}\r",
        *(f"{PUZZLE.replace('.', sign)}\n" for sign in "0*_xX-?"),
        "\n".join(ROWS),
        "\n".join(" ".join((row[:3], row[3:6], row[6:])) for row in ROWS),
        "\n".join(" ".join(row) for row in ROWS).replace(".", "0"),
        "+---+---+---+\n".join(BANDS),
        "Grid 01\n" + "\n".join(ROWS).replace(".", "0"),
        f"quizzes,solutions\n{ZEROS},{SOLUTION}\n",
        f"puzzle,solution\n{PUZZLE},{SOLUTION}\n",
        f"\ufeffpuzzle,solution\r\n{PUZZLE},{SOLUTION}\r\n",
        f"id,puzzle,solution,clues,difficulty\n1,{PUZZLE},{SOLUTION},30,0.0\n",
        f"source,question,answer,rating\nset,{PUZZLE},{SOLUTION},2\n",
    ],
)  # fmt: skip
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_one_puzzle_is_one_record_however_it_is_written_and_packed(
    read: Read, text: str, pack: Callable[[bytes], bytes]
) -> None:
    source = read(pack(text.encode()))
    assert [(record.board, record.fault) for record in source.records()] == [(PUZZLE, None)]


@pytest.mark.parametrize(
    ("lines", "records", "skipped"),
    [
        (["# note", PUZZLE, PUZZLE[:80]], {2: None, 3: "80 cells instead of 81"}, 1),
        ([PUZZLE[:80], PUZZLE], {1: "80 cells instead of 81", 2: None}, 0),
        (["", PUZZLE, "", "// note", "% note"], {2: None}, 4),
        (
            [PUZZLE, PUZZLE.replace("5", "\uff15"), PUZZLE.replace("3", "\u00b3")],
            {
                1: None,
                2: "'\\uff15' is neither a digit 1-9 nor a blank",
                3: "'\\xb3' is neither a digit 1-9 nor a blank",
            },
            0,
        ),
        ([PUZZLE, "1.3.5." * 6], {1: None, 2: "size 6×6 is not supported, Gridmill solves 9×9"}, 0),
        ([PUZZLE, "123456789" * 81], {1: None, 2: "729 characters are a pencilmark grid"}, 0),
        ([PUZZLE, PUZZLE[:40] + " " + PUZZLE[40:]], {1: None, 2: "81 cells, but set apart unevenly"}, 0),
        ([PUZZLE, "..0" + PUZZLE[3:]], {1: None, 2: "two kinds of blank in one board"}, 0),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_each_line_is_a_record_or_skipped_and_spoils_no_other(
    read: Read, lines: list[str], records: dict[int, str | None], skipped: int, end: str
) -> None:
    source = read(end.join(lines).encode())
    found = {record.line: record.fault.reason if record.fault else None for record in source.records()}
    assert found.keys() == records.keys()
    for line, reason in records.items():
        assert (found[line] or "").startswith(reason or "")
        assert (found[line] is None) is (reason is None)
    assert source.skipped == skipped


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"123456789" * 81, "729 characters are a pencilmark grid, which Gridmill does not read; give the 81 cells"),
        (b"1.3.5." * 6 + b"\n" + b"1.3.5." * 6, "size 6×6 is not supported, Gridmill solves 9×9"),
        (PUZZLE.encode("utf-16"), "UTF-16 text; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"),
        (PUZZLE.encode("utf-16-le"), "UTF-16LE text without a mark; save it as UTF-8"),
    ],
)
def test_a_file_that_is_nothing_to_solve_is_refused_with_what_to_do(read: Read, content: bytes, words: str) -> None:
    with pytest.raises(FormatError) as refused:
        list(read(content).records())
    assert words in str(refused.value)


def test_duplicates_are_records_like_all_others(read: Read) -> None:
    assert [record.line for record in read(f"{PUZZLE}\n".encode() * 3).records()] == [1, 2, 3]
