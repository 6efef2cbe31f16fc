"""The text part of the native module by itself: whatever it is handed, it answers or raises."""

import os
import random
import struct
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill import kernel
from gridmill.board import BLANKS, CELLS, HOLE, PACKED, pack, slots, unpack
from gridmill.errors import BoardError

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
LIMIT = 1 << 16
HUGE = (1 << 64) - 1
EMPTY = (b"", b"")


@pytest.fixture(name="native", scope="module")
def native_module() -> ModuleType:
    if not kernel.native:
        missing = pytest.fail if "GRIDMILL_CI" in os.environ else pytest.skip
        missing("this installation has no native kernel")
    return kernel.extension


def sheet(**changed: Any) -> dict[str, Any]:
    """The parts of a good sheet of two records, some of them changed."""
    good = {
        "form": "csv",
        "first": 1,
        "boards": pack(PUZZLE) * 2,
        "codes": b"\1\1",
        "nodes": bytes(8),
        "solutions": pack(SOLUTION) * 2,
        "seconds": b"",
        "lines": struct.pack("<QQ", 0, 1),
        "odd": b"",
        "answers": EMPTY,
        "columns": [EMPTY],
        "names": [],
    }
    return good | changed


def rows(native: ModuleType, size: int = 1 << 17, **changed: Any) -> bytes:
    press = native.Press(**sheet(**changed))
    made = b""
    while block := press.next(size):
        made += block
    return made


@pytest.mark.parametrize("blank", ".0*_xX-?")
def test_every_cell_of_a_board_is_packed_and_written_in_its_place(native: ModuleType, blank: str) -> None:
    # Given boards that have one digit, in each cell and of each kind
    boards = ["." * cell + digit + "." * (80 - cell) for cell in range(81) for digit in "123456789"]
    block = "".join(board.replace(".", blank) + "\n" for board in boards).encode()
    # When they are read
    end, packed, _ = native.read_lines(block, 0, LIMIT, False)
    # Then each is the board that Python packs, and is written as it was
    assert end == len(block)
    assert slots(packed) == [pack(board) for board in boards]
    count = len(boards)
    parts = sheet(boards=packed, codes=b"\4" * count, nodes=bytes(4 * count), solutions=b"", form="counts")
    assert native.Press(**parts).next(1 << 20) == "".join(f"{board}:0:\n" for board in boards).encode()


@pytest.mark.parametrize("cell", range(81))
def test_no_other_sign_is_taken_for_a_cell(native: ModuleType, cell: int) -> None:
    for sign in set(range(256)) - set(b"123456789."):
        block = bytearray(PUZZLE.encode() + b"\n")
        block[cell] = sign
        assert native.read_lines(bytes(block), 0, LIMIT, False) == (0, b"", [])


@given(st.binary(max_size=300), st.integers(0, 310), st.booleans())
def test_any_bytes_are_read_as_far_as_they_are_plain(native: ModuleType, block: bytes, start: int, tails: bool) -> None:
    if start > len(block):
        with pytest.raises(ValueError, match="behind the block"):
            native.read_lines(block, start, LIMIT, tails)
        return
    end, boards, columns = native.read_lines(block, start, LIMIT, tails)
    assert start <= end <= len(block)
    assert all(unpack(slot) for slot in slots(boards))
    assert len(columns) == tails


@pytest.mark.parametrize(("width", "puzzle"), [(0, 0), (2, 2), (HUGE, 0), (1 << 17, 0)])
def test_a_table_that_cannot_be_is_refused(native: ModuleType, width: int, puzzle: int) -> None:
    with pytest.raises(ValueError, match="a table has its puzzles in one of its fields"):
        native.read_table(b"", 0, LIMIT, 44, width, puzzle, False)


@pytest.mark.parametrize("number", [-1, 1 << 64])
def test_numbers_that_are_none_are_refused(native: ModuleType, number: int) -> None:
    with pytest.raises(TypeError):
        native.read_lines(b"", number, LIMIT, False)


def test_a_line_beyond_the_limit_is_left_alone(native: ModuleType) -> None:
    block = f"{PUZZLE},{'x' * 100}\n".encode()
    assert native.read_table(block, 0, 182, 44, 2, 0, False)[0] == 0
    assert native.read_table(block, 0, 183, 44, 2, 0, False)[0] == len(block)
    assert native.read_lines(block, 0, 182, True)[0] == 0
    assert native.read_lines(block, 0, HUGE, True)[0] == len(block)


@pytest.mark.parametrize("content", [bytearray(b""), memoryview(b""), "", None])
def test_nothing_that_can_change_meanwhile_is_taken(native: ModuleType, content: object) -> None:
    with pytest.raises(TypeError):
        native.read_lines(content, 0, LIMIT, False)
    with pytest.raises(TypeError):
        native.Press(**sheet(boards=content))


@pytest.mark.parametrize("size", [0, 1, 300, 1 << 20])
def test_rows_come_whole_in_blocks_of_any_size(native: ModuleType, size: int) -> None:
    line = f",{PUZZLE},unique,1,{SOLUTION},,0,\n"
    assert rows(native, size) == f"1,1,{line}2,2,{line}".encode()


def test_a_row_that_is_longer_than_a_block_comes_whole(native: ModuleType) -> None:
    made = rows(native, 100, columns=[(b"x" * 5000, struct.pack("<II", 5000, 0))])
    assert made.count(b"x") == 5000
    assert made.count(b"\n") == 2


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"boards": pack(PUZZLE)}, "not of as many records"),
        ({"boards": pack(PUZZLE) * 2 + b"\0"}, "not of as many records"),
        ({"nodes": bytes(7)}, "not of as many records"),
        ({"codes": b"\1\7"}, "stands for nothing"),
        ({"codes": b"\1\xff"}, "stands for nothing"),
        ({"solutions": pack(SOLUTION)}, "more or fewer solutions"),
        ({"codes": b"\1\3"}, "more or fewer solutions"),
        ({"lines": bytes(15)}, "lines do not fit"),
        ({"lines": struct.pack("<QQ", 2, 1)}, "lines do not fit"),
        ({"lines": struct.pack("<QQQQ", 1, 1, 1, 1)}, "lines do not fit"),
        ({"odd": bytes(3)}, "not in order"),
        ({"odd": struct.pack("<II", 1, 1)}, "not in order"),
        ({"odd": struct.pack("<I", 2)}, "not in order"),
        ({"odd": struct.pack("<I", 1), "answers": (b"a", b"")}, "odd answers do not fit"),
        ({"answers": (b"a", b"\1\0\0\0")}, "odd answers do not fit"),
        ({"columns": []}, "column of the ids is missing"),
        ({"columns": [(b"a", b"")]}, "a column does not fit"),
        ({"columns": [(b"a", b"\1\0\0\0")]}, "a column does not fit"),
        ({"columns": [(b"a", b"\xff\xff\xff\xff\2\0\0\0")]}, "a column does not fit"),
        ({"form": "jsonl", "columns": [EMPTY, EMPTY]}, "every column needs a name"),
        ({"form": "xml"}, "no such form"),
    ],
)
def test_parts_that_do_not_fit_are_refused(native: ModuleType, changed: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        native.Press(**sheet(**changed))


@pytest.mark.parametrize("form", ["csv", "jsonl", "counts"])
@pytest.mark.parametrize("slot", [HOLE, b"\xaa" * PACKED, pack(PUZZLE)[:-1] + b"\1", b"\xa0" + pack(PUZZLE)[1:]])
def test_a_slot_that_is_no_board_is_an_error(native: ModuleType, form: str, slot: bytes) -> None:
    with pytest.raises(ValueError, match="no board"):
        rows(native, form=form, boards=pack(PUZZLE) + slot)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_clash_without_its_detail_is_an_error(native: ModuleType, form: str) -> None:
    with pytest.raises(ValueError, match="has no answer"):
        rows(native, form=form, codes=b"\5\5", solutions=b"")


def test_numbers_grow_to_their_last_digit(native: ModuleType) -> None:
    made = rows(native, first=HUGE - 1, lines=struct.pack("<QQ", 0, 10**19 - 1), nodes=b"\xff" * 8)
    assert [line.split(b",")[:2] for line in made.splitlines()] == [
        [b"%d" % (HUGE - 1), b"%d" % (10**19 - 1)],
        [b"%d" % HUGE, b"%d" % 10**19],
    ]
    assert made.count(b",4294967295,") == 2


def numbers_in(native: ModuleType, first: int, line: int, nodes: Iterable[int]) -> list[tuple[int, int, int]]:
    """Number, line and nodes of each row, as they are written."""
    packed = [struct.pack("<I", number) for number in nodes]
    count = len(packed)
    parts: dict[str, Any] = {
        "boards": bytes(PACKED * count),
        "codes": b"\4" * count,
        "solutions": b"",
        "nodes": b"".join(packed),
    }
    made = rows(native, first=first, lines=struct.pack("<QQ", 0, line), **parts)
    fields = [row.split(b",") for row in made.splitlines()]
    for number in (text for row in fields for text in (row[0], row[1], row[8])):
        assert number == b"%d" % int(number)  # no zeros in front of it
    return [(int(row[0]), int(row[1]), int(row[8])) for row in fields]


@pytest.mark.parametrize("digits", range(1, 20))
def test_numbers_are_counted_over_every_power_of_ten(native: ModuleType, digits: int) -> None:
    first, line = 10**digits - 7, 10**digits - 1003
    assert numbers_in(native, first, max(line, 1), [0] * 2100) == [
        (first + index, max(line, 1) + index, 0) for index in range(2100)
    ]


def test_nodes_of_any_size_are_written(native: ModuleType) -> None:
    shuffle = random.Random(6)
    nodes = [10**digits + more for digits in range(10) for more in (-1, 0, 1)] + [(1 << 32) - 1]
    nodes += [shuffle.randrange(1 << shuffle.randrange(33)) for _ in range(3000)]
    assert [row[2] for row in numbers_in(native, 1, 1, nodes)] == nodes


@pytest.mark.parametrize("seed", range(20))
def test_rows_of_every_kind_are_written_as_they_are_said(native: ModuleType, seed: int) -> None:
    # Given records of every code, some odd, in runs of lines, with and without ids and a column, in blocks of any size
    shuffle = random.Random(seed)
    words = ["malformed,", "unique,1", "solved,>0", "multiple,>1", "none,0", "clash,0", "undecided,"]
    count, line = shuffle.choice([1, 7, 300]), 1
    has_texts, some_odd = shuffle.random() < 0.5, shuffle.choice([0, 0.02, 0.5])
    parts: dict[str, list[Any]] = {"odd": [], "answers": [], "lines": [], "ids": [], "column": []}
    codes, expected = b"", ""
    for index in range(count):
        if not index or shuffle.random() < 0.05:
            line += shuffle.randrange(10 ** shuffle.randrange(1, 12))
            parts["lines"] += [index, line]
        ident = shuffle.choice(["", "a", "some name"]) if has_texts else ""
        code = shuffle.randrange(1, 7)
        first = SOLUTION if code in (1, 2, 3) else ""
        said = f"{PUZZLE},{words[code]},{first},{SOLUTION if code == 3 else ''},{index},"
        if code == 5 or shuffle.random() < some_odd:
            said = "x" * shuffle.randrange(1000)
            parts["odd"].append(index)
            parts["answers"].append(said)
        parts["ids"].append(ident)
        parts["column"].append(ident[::-1])
        codes += bytes([code])
        expected += f"{7 + index},{line},{ident},{said},{ident[::-1]}\n"
        line += 1
    # When they are written, then as they are
    texts = [column_of(parts["ids"]), column_of(parts["column"])] if has_texts else [EMPTY, EMPTY]
    made = rows(
        native, shuffle.choice([0, 700, 5000, 1 << 20]), first=7, codes=codes, columns=texts,
        boards=pack(PUZZLE) * count, nodes=struct.pack(f"<{count}I", *range(count)),
        solutions=pack(SOLUTION) * sum(code in (1, 2, 3) for code in codes),
        seconds=pack(SOLUTION) * codes.count(3),
        lines=struct.pack(f"<{len(parts['lines'])}Q", *parts["lines"]),
        odd=struct.pack(f"<{len(parts['odd'])}I", *parts["odd"]), answers=column_of(parts["answers"]),
    )  # fmt: skip
    assert made.decode() == expected


def column_of(texts: list[str]) -> tuple[bytes, bytes]:
    return "".join(texts).encode(), struct.pack(f"<{len(texts)}I", *map(len, texts))


def test_every_codec_packs_what_python_packs(native: ModuleType) -> None:
    # Given a puzzle in which any cell is any sign, and boards of all digits with any blank
    puzzle = PUZZLE.encode()
    made = [puzzle[:at] + bytes([sign]) + puzzle[at + 1 :] for at in range(CELLS) for sign in range(256)]
    shuffle = random.Random(8)
    made += [bytes(shuffle.choices(b"123456789" + blank.encode() * 9, k=CELLS)) for blank in BLANKS for _ in range(50)]
    # When they are packed
    packed = {native.pack_rows(b"".join(made), CELLS, codec) for codec in native.cell_codecs()}
    # Then all codecs say the same: Python's board, or that there is none
    ((boards, holes),) = packed
    are_holes = {number for (number,) in struct.iter_unpack("<Q", holes)}
    assert len(are_holes) == CELLS * (256 - 10)
    for index, (row, slot) in enumerate(zip(made, slots(boards), strict=True)):
        board = HOLE if index in are_holes else pack(row.decode().translate(dict.fromkeys(map(ord, BLANKS), ".")))
        assert slot == board


def test_every_codec_unpacks_what_python_unpacks(native: ModuleType) -> None:
    # Given a board in which any byte is any other
    board = pack(SOLUTION)
    for at in range(PACKED):
        for byte in range(255):  # 0xff in front would be a hole
            slot = board[:at] + bytes([byte]) + board[at + 1 :]
            try:
                wanted = unpack(slot).encode()
            except BoardError:
                wanted = None
            # When it is unpacked, then it is Python's, or an error
            for codec in native.cell_codecs():
                try:
                    found = native.unpack_rows(slot, b"\1", 2, True, codec)
                except ValueError:
                    found = None
                assert found == wanted


def test_a_codec_that_there_is_not_is_refused(native: ModuleType) -> None:
    with pytest.raises(ValueError, match="no codec called morse"):
        native.pack_rows(b"", CELLS, "morse")
    with pytest.raises(ValueError, match="no codec called morse"):
        native.unpack_rows(b"", b"", 0, True, "morse")


def test_what_rows_are_made_from_may_go_before_they_are_made(native: ModuleType) -> None:
    parts = sheet(columns=[(bytes(b"x" * 1000), struct.pack("<II", 400, 600))])
    press = native.Press(**parts)
    parts.clear()
    assert press.next(1 << 20).count(b"x") == 1000


@given(
    st.sampled_from(["csv", "jsonl", "lines", "counts"]),
    st.binary(max_size=2 * PACKED),
    st.binary(max_size=3),
    st.lists(st.tuples(st.binary(max_size=9), st.binary(max_size=9)), max_size=3),
    st.binary(max_size=33),
)
def test_any_parts_give_rows_or_an_error(
    native: ModuleType, form: str, boards: bytes, codes: bytes, columns: list[tuple[bytes, bytes]], lines: bytes
) -> None:
    changed: dict[str, Any] = {"boards": boards, "codes": codes, "columns": columns, "lines": lines, "odd": lines[:8]}
    try:
        made = rows(native, form=form, **changed)
    except ValueError:
        return
    assert made.count(b"\n") >= len(codes)
