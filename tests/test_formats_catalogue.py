"""The table of formats is true: each example is read as what it is called, each stranger is refused by its name."""

from pathlib import Path

import pytest

from gridmill.errors import FormatError
from gridmill.formats import detect, output, puzzles
from gridmill.formats.catalogue import FORMATS, PUZZLE, REFUSED, Entry
from gridmill.formats.input import Input

PAGE = (Path(__file__).parent.parent / "docs" / "formats.md").read_text()
BY_NAME = pytest.mark.parametrize("entry", FORMATS, ids=lambda entry: entry.name)
WRITTEN_AS = {"table": "csv"}  # where the format is called otherwise when it is written


@pytest.mark.parametrize("entry", [entry for entry in FORMATS if entry.example], ids=lambda entry: entry.name)
def test_an_example_is_read_as_what_it_is(entry: Entry, tmp_path: Path) -> None:
    (tmp_path / "example").write_text(entry.example)
    source = Input([str(tmp_path / "example")])
    assert {record.board for record in source.records()} == {PUZZLE}
    assert source.formats[0].format == (entry.name if entry.read else "lines")


@BY_NAME
def test_what_is_said_to_be_written_is_written_and_nothing_else(entry: Entry) -> None:
    name = WRITTEN_AS.get(entry.name, entry.name)
    assert (name in output.WRITERS) is entry.solved
    assert (name in (*puzzles.FORMATS, puzzles.PARQUET)) is entry.converted


def test_what_is_said_to_be_read_is_what_can_be_demanded() -> None:
    assert {entry.name for entry in FORMATS if entry.read} == set(detect.FORMATS)


@BY_NAME
def test_the_page_has_a_line_for_every_format(entry: Entry) -> None:
    marks = ["✓" if has else "" for has in (entry.read, entry.solved, entry.converted)]
    rows = [[cell.strip() for cell in line.split("|")[1:5]] for line in PAGE.splitlines() if line.startswith("|")]
    assert [f"`{entry.name}`", *marks] in rows


@pytest.mark.parametrize("name", REFUSED)
def test_a_stranger_is_refused_by_its_name(name: str, tmp_path: Path) -> None:
    path = tmp_path / "stranger"
    path.write_bytes(REFUSED[name])
    with pytest.raises(FormatError) as refused:
        list(Input([str(path)]))
    assert name in str(refused.value)
    assert str(refused.value).startswith(f"{path} is ")


@pytest.mark.parametrize("name", REFUSED)
def test_the_page_names_every_stranger(name: str) -> None:
    assert all(word in PAGE for word in name.replace("addresses of puzzles at ", "").replace("puzzle of ", "").split())
