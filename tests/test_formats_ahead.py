"""What an input shows ahead of its first records is what it holds, and everything is read all the same."""

import gzip
import io
import json
import os
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gridmill.batch import Batch
from gridmill.board import PACKED, to_grid
from gridmill.chunk import Record
from gridmill.errors import FormatError
from gridmill.formats import input as inputs
from gridmill.formats.input import Input

pytestmark = pytest.mark.usefixtures("implementation")

COUNT = 900  # boards: three blocks of plain lines
BLOCK = 1 << 15  # bytes of a block, here
BOARDS = [f"{number:09d}".replace("0", ".") + "." * 72 for number in range(COUNT)]


def lines() -> str:
    return "".join(f"{board}\n" for board in BOARDS)


def table() -> str:
    return "id,puzzle,note\n" + "".join(
        f'{number},{board},"a ""note""\nof two lines"\n' for number, board in enumerate(BOARDS)
    )


def blocks() -> str:
    return "".join("\n".join("".join(row) for row in to_grid(board)) + "\n\n" for board in BOARDS)


def listed() -> str:
    return json.dumps([{"puzzle": board, "rank": 7} for board in BOARDS], indent=1)


def objects() -> str:
    return "".join(json.dumps({"puzzle": board}) + "\n" for board in BOARDS)


def broken() -> str:
    """One good board in three lines, and at the end of the first block half a line."""
    return "".join(f"{board}\nrubbish\n{board[:50]}\n" for board in BOARDS[: COUNT // 3])


TEXTS = [lines, table, blocks, listed, objects, broken]


def boards_of(packed: bytes) -> list[str | None]:
    return [record.board for record in Batch(packed, [(0, 1)]).records()]


def check(source: Input, expected: list[Record]) -> None:
    """What is ahead are the first boards, perhaps but for a last one that is cut in half; reading has all of them."""
    before = source.skipped
    ahead = boards_of(source.ahead())
    assert source.ahead() == source.ahead()
    assert len(ahead) >= inputs.AHEAD
    assert ahead[:-1] == [record.board for record in expected[: len(ahead) - 1]]
    assert source.skipped == before
    assert list(source.records()) == expected


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridmill.formats.source.BLOCK", BLOCK)
    monkeypatch.setattr("gridmill.formats.unpack.BLOCK", BLOCK)


@pytest.fixture(params=TEXTS, ids=[text.__name__ for text in TEXTS])
def text(request: pytest.FixtureRequest) -> str:
    made: str = request.param()
    return made


@pytest.fixture
def expected(text: str, tmp_path: Path) -> list[Record]:
    """The records, read from a file without a look ahead."""
    (tmp_path / "expected").write_text(text)
    return list(Input([str(tmp_path / "expected")]).records())


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_is_read_whole(
    tmp_path: Path, text: str, expected: list[Record], pack: Callable[[bytes], bytes]
) -> None:
    (tmp_path / "file").write_bytes(pack(text.encode()))
    source = Input([str(tmp_path / "file")])
    check(source, expected)
    check(source, expected)


def test_a_member_of_a_zip_file_is_read_whole(tmp_path: Path, text: str, expected: list[Record]) -> None:
    with zipfile.ZipFile(tmp_path / "file.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", text)
    check(Input([str(tmp_path / "file.zip")]), expected)


def test_of_a_folder_the_first_file_is_shown(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, part in (("a", BOARDS[:400]), ("b", BOARDS[400:])):
        (tmp_path / "in" / name).write_text("\n".join(part))
    source = Input([str(tmp_path / "in")])
    assert source.columns == ("file",)
    assert boards_of(source.ahead()) == BOARDS[: len(source.ahead()) // PACKED]
    assert [record.board for record in source.records()] == BOARDS


def stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> Input:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    return Input(["-"])


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("text", [lines, table, blocks, objects, broken], indirect=True)
def test_standard_input_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, text: str, expected: list[Record], pack: Callable[[bytes], bytes]
) -> None:
    source = stdin(monkeypatch, pack(text.encode()))
    check(source, expected)
    with pytest.raises(FormatError, match="standard input cannot be read twice"):
        iter(source)


def parquet() -> bytes:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    made = io.BytesIO()
    write_table(pyarrow.table({"puzzle": BOARDS}), made)
    return made.getvalue()


@pytest.mark.parametrize("content", [lambda: listed().encode(), parquet], ids=["json", "parquet"])
def test_what_is_no_text_shows_nothing_where_it_cannot_be_read_twice(
    monkeypatch: pytest.MonkeyPatch, content: Callable[[], bytes]
) -> None:
    source = stdin(monkeypatch, content())
    assert source.columns is not None
    assert source.ahead() == b""
    assert [record.board for record in source.records()] == BOARDS


def test_a_parquet_file_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "file.parquet").write_bytes(parquet())
    source = Input([str(tmp_path / "file.parquet")])
    assert boards_of(source.ahead()) == BOARDS[: inputs.AHEAD]
    assert [record.board for record in source.records()] == BOARDS


def test_a_pipe_is_not_waited_for_beyond_what_the_format_takes(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    seen = threading.Event()
    waited = []

    def feed() -> None:
        with path.open("w") as pipe:
            pipe.writelines(f"{board}\n" for board in BOARDS[:150])
            pipe.flush()
            waited.append(seen.wait(20))
            pipe.writelines(f"{board}\n" for board in BOARDS[150:])

    feeder = threading.Thread(target=feed)
    feeder.start()
    source = Input([str(path)])
    ahead = boards_of(source.ahead())
    seen.set()
    assert [record.board for record in source.records()] == BOARDS
    feeder.join(20)
    assert waited == [True]
    assert ahead == BOARDS[:150]


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"x" * 100_000, gzip.compress(lines().encode())[:-500], b"# note\n" * 20_000 + BOARDS[1].encode()],
    ids=["empty", "a blank line", "one line", "truncated", "comments"],
)
def test_odd_files_say_what_is_wrong_where_they_are_read(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)

    def read() -> Iterator[str]:
        try:
            yield from (str(record) for record in source.records())
        except FormatError as error:
            yield str(error)

    source = Input([str(tmp_path / "file")])
    before = list(read())
    source.ahead()
    assert list(read()) == before


def test_a_file_of_comments_is_not_read_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(BOARDS[1].encode() + b"\n# note" * 20_000 + b"\n" + BOARDS[2].encode())
    source = Input([str(tmp_path / "file")])
    assert boards_of(source.ahead()) == [BOARDS[1]]
    assert [record.board for record in source.records()] == BOARDS[1:3]
