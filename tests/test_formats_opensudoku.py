"""OpenSudoku's XML, and what a hostile file may try."""

import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridmill.chunk import Record
from gridmill.errors import FormatError
from gridmill.formats.input import Input
from gridmill.formats.opensudoku import games, recognise

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
CELLS = PUZZLE.replace(".", "0")
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
ENTITIES = '<!DOCTYPE x [<!ENTITY a "5"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'

Read = Callable[[str], Input]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """``read(text)``: the input that a file with this text is."""

    def made(text: str) -> Input:
        (tmp_path / "f").write_text(text)
        return Input([str(tmp_path / "f")])

    return made


def in_progress(version: int) -> str:
    """The puzzle with all its cells filled, those that are not given by the player."""
    marks = {1: "1,2,|", 2: "5||", 3: "5|", 4: "5|0|", 5: "5|0|3|"}[version]
    cells = (f"{full}|{marks}{int(given == '.')}|" for full, given in zip(SOLUTION, PUZZLE, strict=True))
    return f"version: {version}&#10;{''.join(cells)}"


def test_version_1_has_what_is_said_of_all_games_in_elements(read: Read) -> None:
    source = read(
        f"{HEAD}<opensudoku>\n<name>Mine</name><author/><level>easy</level>\n"
        f'<game data="{CELLS}" />\n<game data="{CELLS}" /></opensudoku>'
    )
    assert source.columns == ("name", "level")
    assert list(source.records()) == [Record(line, PUZZLE, None, "", ("Mine", "easy")) for line in (4, 5)]
    assert source.formats[0].format == "opensudoku"


def test_of_what_is_said_without_end_only_the_first_is_carried(read: Read) -> None:
    said = "".join(f"<a{number}>x</a{number}>" for number in range(1000))
    assert len(read(f'<opensudoku>{said}<game data="{CELLS}"/></opensudoku>').columns) == 50


def test_version_2_has_folders_and_attributes(read: Read) -> None:
    source = read(
        f'{HEAD}<opensudoku version="2"><folder name="A" created="1">\n<game id="7" data="{CELLS}" note="n&amp;m"/>'
        f'</folder>\n<folder name="B"><game data="{CELLS}" state="1"/></folder></opensudoku>'
    )
    assert source.columns == ("folder", "note", "state")
    assert list(source.records()) == [
        Record(3, PUZZLE, None, "7", ("A", "n&m", "")),
        Record(4, PUZZLE, None, "", ("B", "", "1")),
    ]


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5])
def test_of_a_game_in_progress_the_given_cells_are_the_puzzle(read: Read, version: int) -> None:
    source = read(f'<opensudoku><game data="{in_progress(version)}"/></opensudoku>')
    assert [record.board for record in source.records()] == [PUZZLE]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (CELLS[1:], "80 cells instead of 81"),
        ("", "0 cells instead of 81"),
        ("version: 9&#10;1|2|3|", "a game of version 9 is not known, only versions 1 to 5"),
        (in_progress(3)[:-2], "242 fields instead of 243, as a game of version 3 has"),
        ("version: 3&#10;" + "a|1|0|" * 81, "'a' is neither a digit 1-9 nor a blank"),
    ],
)
def test_a_game_that_is_no_board_is_malformed_and_moves_no_other(read: Read, data: str, reason: str) -> None:
    good = f'<game data="{CELLS}"/>'
    records = list(read(f'<opensudoku>{good}<game data="{data}"/>{good}</opensudoku>').records())
    assert [record.board for record in records] == [PUZZLE, None, PUZZLE]
    assert records[1].fault is not None
    assert records[1].fault.reason == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            f'{HEAD}{ENTITIES}<opensudoku><game data="&b;"/></opensudoku>',
            "has a document type .DTD., which is not read",
        ),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><opensudoku/>', "has a document type"),
        (f"{HEAD}<sudokus/>", "is XML, but of another kind than <opensudoku>: <sudokus>"),
        (f"<opensudoku>{'<a>' * 20}", "line 1: elements are nested too deeply"),
        (
            f'<opensudoku>\n<game data="{CELLS}">\n</opensudoku>',
            "is broken XML, line 3: mismatched tag; what follows",
        ),
        ("<opensudoku>", "no element found"),
        ('<?xml version="1.0" encoding="none"?><opensudoku/>', "unknown encoding"),
        (f'<opensudoku><game data="{"1" * 200_000}"/></opensudoku>', "has more than 65,536 bytes in one place"),
    ],
)
def test_hostile_and_broken_files_are_refused(read: Read, text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        list(read(text).records())


def test_what_is_good_before_a_broken_place_is_read(read: Read) -> None:
    records = read(f'<opensudoku><game data="{CELLS}"/><game data="{CELLS}"></oops>').records()
    assert [next(records).board, next(records).board] == [PUZZLE, PUZZLE]
    with pytest.raises(FormatError):
        next(records)


def test_an_encoding_that_is_declared_is_heeded(tmp_path: Path) -> None:
    path = tmp_path / "f"
    head = '<?xml version="1.0" encoding="iso-8859-1"?>'
    text = f'{head}<opensudoku><folder name="é"><game data="{CELLS}"/></folder></opensudoku>'
    path.write_bytes(text.encode("iso-8859-1"))
    assert [record.extras for record in Input([str(path)]).records()] == [("é",)]


@pytest.mark.parametrize("head", [[], [PUZZLE], ["<opensudokus>"], ["<multiple>"], ["text <opensudoku>"]])
def test_other_files_are_not_taken_for_it(head: list[str]) -> None:
    assert recognise(head) is None


def test_memory_does_not_grow_with_the_file(read: Read) -> None:
    source = read(f"<opensudoku>{f'<game data={CELLS!r}/>' * 20_000}</opensudoku>")
    tracemalloc.start()
    try:
        assert sum(1 for record in source.records() if record.board) == 20_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_500_000  # bytes; the file has 2 MB


@settings(deadline=None)
@given(
    content=st.lists(st.binary() | st.sampled_from([b"<opensudoku>", b"<game ", b'data="1"', b"/>", b"<!--", b"&a;"]))
)
def test_any_bytes_are_games_or_a_format_error(content: list[bytes]) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"<opensudoku>"
        yield from content

    with pytest.raises(FormatError, match=r"^f "):
        list(games(pieces(), "f"))
