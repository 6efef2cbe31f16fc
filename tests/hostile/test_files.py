"""Input files that mean harm: an answer for what they are, in little memory, and none of their signs in a message."""

import gzip
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

E = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
MEMORY = 900_000_000  # bytes of addresses that a child may have: Python with its libraries maps half of it
LIMIT = 60.0  # seconds for a child: each takes one or two
READ = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
from gridmill.errors import FormatError
from gridmill.formats.input import Input
boards = faults = 0
try:
    for record in Input(sys.argv[1:]).records():
        boards, faults = boards + (record.board is not None), faults + (record.board is None)
except FormatError as error:
    print(error)
print(boards, faults)
"""
STEERING = "\x1b[2J\x9b31m\u202e\u2066\u200b\u2028\U000e0041"
STEERS = {sign for sign in STEERING if not sign.isprintable()}


def read(*paths: Path) -> list[str]:
    """What a child with little memory says of these files: why it gave up, if it did; boards and faults."""
    words = [sys.executable, "-c", READ, *map(str, paths)]
    child = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, cwd=paths[0].parent, check=False)
    assert child.stderr == ""
    return child.stdout.splitlines()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file"


def test_a_line_without_end_is_one_record(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 28)  # all of it NUL bytes, none of them on the disk
    assert read(path) == ["0 1"]


def test_a_line_without_end_leaves_the_lines_around_it_whole(path: Path) -> None:
    with path.open("w") as file:
        for _ in range(100):
            file.write("7" * 1_000_000)
        file.write(f"\n{E}\n")
    path.write_bytes(f"{E}\n".encode() + path.read_bytes())
    assert read(path) == ["2 1"]


def test_a_file_that_unpacks_without_end_is_refused(path: Path) -> None:
    with gzip.open(path, "wb") as file:
        for _ in range(200):
            file.write(bytes(1 << 20))
    why, read_until_then = read(path)
    assert "grows more than" in why
    assert read_until_then.startswith("0 ")


def test_a_quote_that_is_never_closed_costs_its_own_row(path: Path) -> None:
    with path.open("w") as file:
        file.write(f'puzzle,x\n"{E},1\n')
        file.writelines(f"{E},1\n" for _ in range(50_000))
    assert read(path) == ["50000 1"]


def test_a_quote_in_every_row_costs_every_row(path: Path) -> None:
    path.write_text(f"puzzle,x\n{E},1\n" + f'"{E},1\n' * 3000)
    assert read(path) == ["1 3000"]


def test_thousands_of_columns_of_one_name_are_told_apart(path: Path) -> None:
    """Each by the next number, not by trying all numbers again."""
    path.write_text("puzzle," + ",".join("c" * 30_000) + f"\n{E}" + "," * 30_000 + "\n")
    assert read(path) == ["1 0"]


@pytest.mark.parametrize("sign", ["(", " ", "[", "{", '"', "-", "|", "#", "1", "."])
def test_many_equal_signs_are_read_in_one_pass(path: Path, sign: str) -> None:
    """No pattern tries them in all ways there are."""
    path.write_text((sign * 60_000 + "x\n") * 20 + f"{E}\n")
    said = read(path)
    assert len(said) in (1, 2)


@pytest.mark.parametrize("words", [("solve",), ("verify",), ("solve", "-o"), ("convert",), ("bench",)])
def test_no_message_shows_the_signs_of_a_file_s_name(
    refused: Callable[..., str], tmp_path: Path, words: tuple[str, ...]
) -> None:
    name = f"{STEERING}/nowhere" if "-o" in words else STEERING
    (tmp_path / "in.txt").write_text(f"{E}\n")
    rest = [name, "in.txt"] if "-o" in words else [name, "out.csv"] if words == ("convert",) else [name]

    said = refused(*words, *rest)

    assert "\\x1b[2J" in said
    assert not STEERS & set(said)


@pytest.mark.parametrize("form", ["csv", "jsonl", "lines", "counts"])
def test_no_output_shows_the_signs_of_a_puzzle(
    command: Callable[..., "subprocess.CompletedProcess[str]"], tmp_path: Path, form: str
) -> None:
    (tmp_path / "in.txt").write_text(f"{E}\n=cmd|{STEERING}\n{E}\n", encoding="utf-8")

    ended = command("solve", "in.txt", "--format", form, "--quiet")

    assert ended.returncode == 0
    assert len(ended.stdout.splitlines()) == 3 + (form == "csv")
    assert not STEERS & set(ended.stdout)
    assert form != "csv" or ",'=cmd|\\x1b[2J" in ended.stdout
