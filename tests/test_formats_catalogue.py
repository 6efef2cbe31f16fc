"""The table of formats is true: each example is read as what it is called, each stranger is refused by its name."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gridmill.errors import FormatError
from gridmill.formats import detect, output, puzzles
from gridmill.formats.catalogue import FORMATS, PUZZLE, REFUSED, Entry
from gridmill.formats.input import Input

PAGE = (Path(__file__).parent.parent / "docs" / "formats.md").read_text()
ROWS = [[cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.splitlines() if line.startswith("|")]
BY_NAME = pytest.mark.parametrize("entry", FORMATS, ids=lambda entry: entry.name)


@pytest.mark.parametrize("entry", [entry for entry in FORMATS if entry.example], ids=lambda entry: entry.name)
def test_an_example_is_read_as_what_it_is(entry: Entry, tmp_path: Path) -> None:
    (tmp_path / "example").write_text(entry.example)
    source = Input([str(tmp_path / "example")])
    assert {record.board for record in source.records()} == {PUZZLE}
    assert source.formats[0].format == (entry.name if entry.read else "lines")


@BY_NAME
def test_what_is_said_to_be_written_is_written_and_nothing_else(entry: Entry) -> None:
    assert (entry.name in output.WRITERS) is entry.solved
    assert (entry.name in (*puzzles.FORMATS, puzzles.PARQUET)) is entry.converted


def test_what_is_said_to_be_read_is_what_can_be_demanded() -> None:
    assert {entry.name for entry in FORMATS if entry.read} == set(detect.FORMATS)


@BY_NAME
def test_the_page_has_a_line_for_every_format(entry: Entry) -> None:
    marks = ["✓" if has else "" for has in (entry.read, entry.solved, entry.converted)]
    assert [f"`{entry.name}`", *marks] in [row[:4] for row in ROWS]


@pytest.fixture
def refusal(tmp_path: Path) -> Callable[[str], str]:
    """``refusal(name)``: what is said of the stranger."""

    def made(name: str) -> str:
        path = tmp_path / "stranger"
        path.write_bytes(REFUSED[name])
        with pytest.raises(FormatError) as refused:
            list(Input([str(path)]))
        said = str(refused.value)
        assert said.startswith(f"{path} is ")
        return said

    return made


@pytest.mark.parametrize("name", REFUSED)
def test_a_stranger_is_refused_by_its_name(name: str, refusal: Callable[[str], str]) -> None:
    assert name in refusal(name)


@pytest.mark.parametrize("name", REFUSED)
def test_the_page_has_every_stranger_with_its_remedy(name: str, refusal: Callable[[str], str]) -> None:
    said = refusal(name)
    words = name.replace("addresses of puzzles at", "addresses").replace("puzzle of", "JSON").split()
    remedies = [row[1] for row in ROWS if len(row) == 2 and all(word in row[0] for word in words)]
    assert [remedy for remedy in remedies if remedy in said] != []
