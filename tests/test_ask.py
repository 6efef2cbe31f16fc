"""What is asked of an input, and how it is written down."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from gridmill import solvers
from gridmill.ask import Ask
from gridmill.board import PACKED
from gridmill.errors import FormatError, SettingsError
from gridmill.formats.input import Input
from gridmill.job import WIRE, Spec
from gridmill.questions import Questions

TABLE = "name,puzzle\neasy,53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    path.write_text(TABLE)
    return path


def spec(ask: Ask) -> Spec:
    return ask.spec(Input(ask.inputs, column=ask.column))


def test_what_is_not_asked_suits_the_solver(file: Path) -> None:
    made = spec(Ask((str(file),), solver="sat"))

    sat = solvers.get("sat")
    assert (made.wire, made.solver, made.version) == (WIRE, "sat", sat.version)
    assert (made.first, made.budget, made.chunk) == (False, sat.budget, sat.chunk)
    assert made.columns == ("name",)


def test_what_is_asked_is_kept_for_whoever_goes_on(file: Path) -> None:
    asked = Ask((str(file),), solver="bitmask", first=True, budget=7, chunk=9, column="puzzle")

    assert Ask.again(Spec.decode(spec(asked).encode())) == asked


def test_what_else_is_asked_is_kept_for_whoever_goes_on(file: Path) -> None:
    asked = Ask((str(file),), solver="bitmask", budget=7, chunk=9, asked=Questions(count=5, every=True))

    assert Ask.again(Spec.decode(spec(asked).encode())) == asked


@pytest.mark.parametrize(
    "asked",
    [
        Questions(),
        Questions(minimal=True),
        Questions(count=1_000_000),
        Questions(count=10_000, every=True),
        Questions(count=500, every=True, minimal=True),
    ],
)
@pytest.mark.parametrize("chunk", [None, 7, 1_000_000])
def test_whoever_goes_on_asks_the_same_in_the_same_chunks(file: Path, asked: Questions, chunk: int | None) -> None:
    made = spec(Ask((str(file),), solver="bitmask", chunk=chunk, asked=asked))

    assert spec(Ask.again(made)) == made


def test_where_givens_are_asked_for_usual_chunks_are_smaller_and_named_ones_are_not(file: Path) -> None:
    usual, minimal = solvers.get("bitmask").chunk, Questions(minimal=True)

    assert 1 <= spec(Ask((str(file),), solver="bitmask", asked=minimal)).chunk < usual
    assert spec(Ask((str(file),), solver="bitmask", chunk=usual, asked=minimal)).chunk == usual


def test_chunks_are_smaller_where_much_is_listed(file: Path) -> None:
    listing = Ask((str(file),), solver="bitmask", asked=Questions(count=1000, every=True))

    assert spec(listing).chunk < solvers.get("bitmask").chunk


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many boards were there each time that a chunk was measured; the first chunk is 70, the next 71, and so on."""
    seen: list[int] = []

    def chunk(solver: solvers.Solver, boards: bytes, *, first: bool, budget: int) -> int:
        seen.append(len(boards) // PACKED)
        return 69 + len(seen)

    monkeypatch.setattr("gridmill.pace.chunk", chunk)
    return seen


@pytest.mark.parametrize(("asked", "chunk"), [(Questions(), 70), (Questions(minimal=True), 7)])
def test_chunks_that_nobody_names_are_measured(file: Path, measured: list[int], asked: Questions, chunk: int) -> None:
    ask = Ask((str(file),), solver="bitmask", asked=asked)

    assert spec(ask.sized(ask.records())).chunk == chunk
    assert measured == [1]


def test_chunks_that_are_named_are_not_measured(file: Path, measured: list[int]) -> None:
    ask = Ask((str(file),), chunk=9)

    assert ask.sized(ask.records()) == ask
    assert measured == []


@pytest.mark.parametrize("named", [None, 9])
def test_who_goes_on_has_the_chunks_that_it_was_begun_with(file: Path, measured: list[int], named: int | None) -> None:
    ask = Ask((str(file),), asked=Questions(minimal=True))
    begun = spec(ask.sized(ask.records()))
    again = replace(ask, chunk=named).resized(begun)

    assert again.sized(again.records()) == again
    assert spec(again) == msgspec.structs.replace(begun, chunk=named or begun.chunk)
    assert measured == [1]


def test_a_solver_that_is_not_there_is_refused_before_it_is_measured(file: Path) -> None:
    ask = Ask((str(file),), solver="magic")
    with pytest.raises(SettingsError, match="no solver is called 'magic'"):
        ask.sized(ask.records())


def test_an_input_is_found_from_any_folder(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)

    assert spec(Ask(("in.csv",))).inputs == (str(file),)


def test_standard_input_stays_what_it_is() -> None:
    ask = Ask(("-",))

    assert ask.spec(Input([__file__])).inputs == ("-",)


def test_an_unknown_solver_is_refused_by_name(file: Path) -> None:
    with pytest.raises(SettingsError, match="no solver is called 'magic'"):
        spec(Ask((str(file),), solver="magic"))


def test_a_file_name_that_is_no_text_is_refused_with_the_remedy(file: Path) -> None:
    with pytest.raises(FormatError, match=r"'/tmp/puzzles\\udcff.txt'.* is not UTF-8; rename it"):
        Ask(("/tmp/puzzles\udcff.txt",)).spec(Input([str(file)]))
