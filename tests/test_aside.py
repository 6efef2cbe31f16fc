"""What an answers file says beside its answers: what is false is found and named, what is true is not blamed."""

import os
from collections.abc import Mapping
from dataclasses import replace

import pytest

from gridmill import kernel
from gridmill.answers import Status
from gridmill.aside import Again, Repeats
from gridmill.board import pack, to_grid, unpack
from gridmill.formats.stated import Stated
from gridmill.proof import Proof
from gridmill.solvers.sat import Sat
from gridmill.truth import RECOUNTED, examine

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
DRESS = PUZZLE.translate(str.maketrans("12345", "23451"))
TWIN = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"  # 12/21 and 21/12
FIRST = TWIN.replace("..", "12", 1).replace("..", "21", 1)
SECOND = TWIN.replace("..", "21", 1).replace("..", "12", 1)
UNIQUE = Stated(2, PUZZLE, Status.UNIQUE, "1", SOLUTION, record=1)
TWO = Stated(2, TWIN, Status.MULTIPLE, "2", FIRST, SECOND, record=1)
NONE = Stated(2, PUZZLE, Status.NONE, "0", record=1)
CLASH = Stated(2, "55" + "." * 79, Status.CLASH, "0", record=1)
NO_BOARD = Stated(2, PUZZLE[:80], Status.MALFORMED, record=1)
ONE_BLANK = replace(UNIQUE, puzzle="." + SOLUTION[1:])
NAMES = [f"r{row}c{column}" for row in range(1, 10) for column in range(1, 10)]
needs_kernel = pytest.mark.skipif(
    not kernel.native and "GRIDMILL_CI" not in os.environ, reason="this installation has no native kernel"
)


def told(stated: Stated, **columns: str) -> Stated:
    return replace(stated, told=columns)


def form(board: str) -> str:
    return unpack(kernel.extension.canon(pack(board))) if kernel.native else board


@pytest.mark.parametrize(
    "stated",
    [
        told(UNIQUE, solutions=SOLUTION),
        told(TWO, solutions=f"{FIRST} {SECOND}"),
        told(replace(TWO, count=">1"), solutions=FIRST),
        told(replace(TWO, count=">1"), solutions=f"{FIRST} {SECOND}"),
        told(NONE, solutions=""),
        told(NO_BOARD, solutions="", minimal="", redundant="", canonical="", givens="", technique=""),
        told(UNIQUE, givens="30", technique="naked single"),
        told(replace(UNIQUE, status=Status.SOLVED, count=">0"), givens="30", technique="naked single"),
        told(TWO, givens="77", technique=""),
        told(CLASH, givens="2", technique=""),
        told(UNIQUE, minimal="yes", redundant=""),
        told(ONE_BLANK, minimal="no", redundant=" ".join(NAMES[1:])),
        told(TWO, minimal="", redundant=""),
        told(UNIQUE, canonical=form(PUZZLE)),
        told(CLASH, canonical=""),
    ],
)
def test_what_is_true_is_not_blamed(stated: Stated) -> None:
    assert examine(stated) is None


@pytest.mark.parametrize(
    ("stated", "fault"),
    [
        (told(UNIQUE, solutions=""), "solutions: it does not have the one solution, and nothing else"),
        (told(UNIQUE, solutions=f"{SOLUTION} {SOLUTION}"), "solutions: it does not have the one solution, and"),
        (told(NONE, solutions=SOLUTION), "solutions: it lists solutions, and with none there are none to list"),
        (told(NO_BOARD, solutions=SOLUTION), "solutions: it lists solutions, and with malformed there are none"),
        (told(TWO, solutions=f"{FIRST} {SOLUTION}"), "solutions: its solution 2: the given 3 in r1c3 became 4"),
        (told(TWO, solutions=FIRST[:80]), "solutions: its solution 1: the solution has 80 cells"),
        (told(TWO, solutions=f"{SECOND} {FIRST}"), "solutions: its solutions 1 and 2 are not in order"),
        (told(TWO, solutions=f"{FIRST} {FIRST}"), "solutions: its solutions 1 and 2 are the same"),
        (told(TWO, solutions=FIRST), "solutions: it lists 1 solutions, but the count is 2"),
        (
            told(replace(TWO, count="3"), solutions=f"{FIRST} {SECOND}"),
            "solutions: it lists 2 solutions, but the count",
        ),
        (told(replace(TWO, count=">2"), solutions=FIRST), "solutions: it lists 1 solutions, but the count is >2"),
        (told(replace(TWO, count=""), solutions=FIRST), "solutions: it lists 1 solutions, but the count is ''"),
        (told(UNIQUE, minimal="", redundant=""), "minimal: it says '', and of a unique puzzle it is yes or no"),
        (told(UNIQUE, minimal="yes", redundant="r1c1"), "minimal: it says yes, with 1 redundant given"),
        (told(UNIQUE, minimal="no", redundant=""), "minimal: it says no, with 0 redundant givens"),
        (told(TWO, minimal="yes", redundant=""), "minimal: it says 'yes', which can be said of unique puzzles only"),
        (told(UNIQUE, minimal="no", redundant="r1c3"), "redundant: 'r1c3' is no given"),
        (told(UNIQUE, minimal="no", redundant="r0c1"), "redundant: 'r0c1' is no given"),
        (told(UNIQUE, minimal="no", redundant="r1c2 r1c1"), "redundant: its cells are not in order, or one stands"),
        (told(UNIQUE, minimal="no", redundant="r1c2 r1c2"), "redundant: its cells are not in order, or one stands"),
        (told(TWO, minimal="", redundant="r1c3"), "redundant: it names givens, and with multiple none is redundant"),
        (told(UNIQUE, canonical=""), "canonical: '' is no board"),
        (told(UNIQUE, canonical="." * 81), "canonical: "),
        (told(CLASH, canonical=PUZZLE), "canonical: it has a form, and with clash there is none"),
        (told(UNIQUE, givens="31"), "givens: it says '31', and the puzzle has 30"),
        (told(NO_BOARD, givens="30"), "givens: it says '30', and the puzzle has none"),
        (told(UNIQUE, technique="subset"), "technique: it says 'subset', and the puzzle needs naked single"),
        (told(UNIQUE, technique=""), "technique: it says '', and the puzzle needs naked single"),
        (told(TWO, technique="search"), "technique: it says 'search', and with multiple there is none"),
        (told(NO_BOARD, canonical=PUZZLE), "canonical: it has a form, and with malformed there is none"),
    ],
)
def test_what_is_false_is_named_with_its_record_and_column(stated: Stated, fault: str) -> None:
    assert (examine(stated) or "").startswith(f"record 1, column {fault}")


def test_two_solutions_that_are_not_among_all_are_found() -> None:
    # Given a board with three solutions or more, of which the answer has others than the column
    board = FIRST.translate(str.maketrans("12", ".."))
    smallest = Sat().search(to_grid(board), 3, 10).solutions
    stated = Stated(2, board, Status.MULTIPLE, "2", smallest[0], smallest[1], record=1)
    # When it says that there are two
    found = examine(told(stated, solutions=f"{smallest[1]} {smallest[2]}"))
    # Then
    assert found == "record 1, column solutions: the two solutions of the answer are not among those that it lists"


@needs_kernel
def test_a_form_that_is_not_the_smallest_is_found() -> None:
    found = examine(told(UNIQUE, canonical=PUZZLE)) or ""

    assert found.endswith(f"column canonical: the smallest form of the puzzle is another one, {form(PUZZLE)}")


def test_a_form_with_another_number_of_givens_is_found_without_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "native", False)

    assert examine(told(UNIQUE, canonical=PUZZLE)) is None
    assert (examine(told(UNIQUE, canonical=SOLUTION)) or "").endswith("its form has 81 givens, the puzzle 30")


def count_again(board: str, limit: int) -> int:
    return Sat().count(board, limit)


@pytest.mark.parametrize(
    ("stated", "fault"),
    [
        (told(ONE_BLANK, minimal="no", redundant=" ".join(NAMES[1:])), None),
        (
            told(ONE_BLANK, minimal="no", redundant=" ".join(NAMES[1:80])),
            "r9c9 is redundant, too: without it the puzzle has one",
        ),
        (told(UNIQUE, minimal="no", redundant="r3c3"), "r3c3 is not redundant: without it the puzzle has two or more"),
        (told(UNIQUE, minimal="yes", redundant=""), "is redundant, too: without it the puzzle has one solution"),
    ],
)
def test_givens_are_tried_again_where_solutions_are_counted(stated: Stated, fault: str | None) -> None:
    found = examine(stated, count_again)

    assert found is None if fault is None else found is not None and fault in found


@pytest.mark.parametrize(
    ("count", "fault"),
    [
        ("2", None),
        (">1", None),
        ("3", "the count is 3, but it has two solutions"),
        (">2", "the count is >2, but it has two solutions"),
    ],
)
def test_counts_are_counted_again(count: str, fault: str | None) -> None:
    assert examine(replace(TWO, count=count), count_again) == fault


def test_a_count_that_is_too_low_is_found() -> None:
    assert (
        examine(replace(TWO, count="5"), lambda board, limit: limit) == "the count is 5, but it has 6 or more solutions"
    )


@pytest.mark.parametrize("count", ["1000000", ">1000000", str(RECOUNTED)])
def test_large_counts_are_counted_again_up_to_a_limit(count: str) -> None:
    asked: list[int] = []

    def recount(board: str, limit: int) -> int:
        asked.append(limit)
        return limit

    assert examine(replace(TWO, count=count), recount) is None
    assert asked == [RECOUNTED]


def lines(*said: tuple[str, str], forms: Mapping[str, str] | None = None) -> list[Stated]:
    """Records with these puzzles and details."""
    known = forms or {}
    return [
        Stated(n + 1, board, Status.UNDECIDED, record=n, detail=detail, told={"canonical": known.get(board, "")})
        for n, (board, detail) in enumerate(said, 1)
    ]


def faults(stated: list[Stated], again: Again | None = None) -> list[str | None]:
    repeats = Repeats(again or (lambda: stated))
    return [repeats.fault(said) for said in stated]


FORMS = {PUZZLE: PUZZLE, DRESS: PUZZLE, TWIN: TWIN}  # of each dress, one


@pytest.mark.parametrize(
    "said",
    [
        [(PUZZLE, ""), (PUZZLE, "")],  # nobody asked
        [(TWIN, ""), (PUZZLE, ""), (PUZZLE, "same as record 2"), (TWIN, "why; same as record 1")],
        [(PUZZLE, ""), (DRESS, "same as record 1 in another dress"), (DRESS, "same as record 2")],
        [(PUZZLE, ""), (PUZZLE, "same as record 1; disagrees with the input's solution")],
    ],
)
def test_what_is_said_of_repeats_is_not_blamed_where_it_is_true(said: list[tuple[str, str]]) -> None:
    assert not any(faults(lines(*said, forms=FORMS)))


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ([(PUZZLE, ""), (TWIN, "same as record 1")], "that record 1 is the same, but no earlier one is"),
        ([(PUZZLE, "same as record 1")], "that record 1 is the same, but no earlier one is"),
        ([(PUZZLE, ""), (PUZZLE, ""), (PUZZLE, "same as record 2")], "record 2 is the same, but the first is record 1"),
        ([(PUZZLE, ""), (DRESS, "same as record 1")], "that record 1 is the same, but no earlier one is"),
        (
            [(PUZZLE, ""), (PUZZLE, "same as record 1 in another dress")],
            "is the same in another dress, but the first is",
        ),
        (
            [(PUZZLE, ""), (TWIN, "same as record 1 in another dress")],
            "the same in another dress, but no earlier one is",
        ),
        ([("x", ""), ("x", "same as record 1")], "that record 1 is the same, but no earlier one is"),
    ],
)
def test_what_is_false_of_repeats_is_found(said: list[tuple[str, str]], fault: str) -> None:
    found = faults(lines(*said, forms=FORMS))

    assert not any(found[:-1])
    assert (found[-1] or "").startswith(f"record {len(said)}, column detail: it says ")
    assert fault in (found[-1] or "")


def test_nothing_is_read_again_before_a_line_says_that_it_repeats_another() -> None:
    def again() -> list[Stated]:
        raise AssertionError("there is no reason to")

    assert not any(faults(lines((PUZZLE, ""), (PUZZLE, "")), again))


def test_what_cannot_be_read_again_is_counted() -> None:
    repeats = Repeats(None)

    assert [repeats.fault(said) for said in lines((PUZZLE, ""), (TWIN, "same as record 1"))] == [None, None]
    assert repeats.unread == 1


def test_a_proof_has_the_faults_of_repeats_too() -> None:
    stated = [replace(UNIQUE, line=2), replace(UNIQUE, line=3, record=2, puzzle=SOLUTION, detail="same as record 1")]

    (fault,) = Proof(stated, again=lambda: stated)

    assert fault == (3, "record 2, column detail: it says that record 1 is the same, but no earlier one is")
