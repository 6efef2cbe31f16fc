"""What is seen of many lines at a glance is what a look at each of them says, whatever the file is, however spoilt."""

import csv
import io
import json
import os
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridmill import kernel
from gridmill.answers import Answer, Status
from gridmill.aside import Again
from gridmill.board import CELLS, pack
from gridmill.errors import FormatError
from gridmill.formats import source
from gridmill.formats.answers_file import read_answers, read_sheaves
from gridmill.formats.output import writer
from gridmill.formats.row import ONE_SOLUTION, Row
from gridmill.formats.sheaf import Sheaf
from gridmill.formats.source import Source
from gridmill.formats.told import Own, columns
from gridmill.proof import Proof
from gridmill.questions import NOTHING, Questions

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TWIN = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
FIRST = TWIN.replace("..", "12", 1).replace("..", "21", 1)
SECOND = TWIN.replace("..", "21", 1).replace("..", "12", 1)
CLASH = "55" + "." * 79
NONE = "12345678." + "........9" + "." * 63
DIGITS = str.maketrans("123456789", "234567891")

UNIQUE = (PUZZLE, Answer(Status.UNIQUE, SOLUTION))
TRUE = [
    UNIQUE,
    (PUZZLE.translate(DIGITS), Answer(Status.UNIQUE, SOLUTION.translate(DIGITS), nodes=12)),
    (PUZZLE, Answer(Status.SOLVED, SOLUTION)),
    (TWIN, Answer(Status.MULTIPLE, FIRST, SECOND)),
    (TWIN, Answer(Status.MULTIPLE, FIRST, SECOND, counted="2")),
    (NONE, Answer(Status.NONE)),
    (PUZZLE, Answer(Status.UNDECIDED, nodes=7)),
    (PUZZLE, Answer(Status.FAILED, detail="every attempt, died")),
    (CLASH, Answer(Status.CLASH, detail="5 twice in row 1: r1c1, r1c2")),
    ("no puzzle", Answer(Status.MALFORMED, detail="9 cells instead of 81")),
]
FALSE = [
    (PUZZLE, Answer(Status.UNIQUE, SECOND)),
    (PUZZLE, Answer(Status.MALFORMED)),
    (TWIN, Answer(Status.MULTIPLE, FIRST, FIRST)),
    (CLASH, Answer(Status.NONE)),
    (PUZZLE, Answer(Status.CLASH)),
    (PUZZLE, Answer(Status.UNIQUE, SOLUTION, detail="same as record 1")),
    (PUZZLE, Answer(Status.UNIQUE, SOLUTION, detail="5 more; same as record 9")),
    (TWIN, Answer(Status.UNIQUE)),
    (TWIN, Answer(Status.SOLVED, FIRST, SECOND)),
]
Said = tuple[str, Answer]
Make = Callable[[list[Said]], bytes]

needs_kernel = pytest.mark.skipif(
    not kernel.native and "GRIDMILL_CI" not in os.environ, reason="this installation has no native kernel"
)


ASKED = Questions(canonical=True, difficulty=True)


def ours(name: str, asked: Questions = NOTHING) -> Make:
    def made(said: list[Said]) -> bytes:
        write = writer(name, ["note"], asked)
        rows = [
            Row(n, n, f"i{n}", puzzle, answer, ("ä, b",), own(puzzle, answer.status) if asked == ASKED else ())
            for n, (puzzle, answer) in enumerate(said, 1)
        ]
        return write.header() + write.rows(rows)

    return made


@cache
def own(puzzle: str, status: Status) -> tuple[str, ...]:
    """What is told of a puzzle by itself."""
    if len(puzzle) != CELLS:
        return "", "", ""
    found = Own.of(ASKED, pack(puzzle))
    return tuple(text for (text,) in columns(ASKED, (), (), found, bytes([status in ONE_SOLUTION])))


def table(*names: str, delimiter: str = ",") -> Make:
    """As others write it, who know one solution at most."""

    def made(said: list[Said]) -> bytes:
        text = io.StringIO()
        rows = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
        rows.writerow(("id", *names))
        rows.writerows((n, puzzle, answer.solution) for n, (puzzle, answer) in enumerate(said, 1))
        return text.getvalue().encode()

    return made


def pairs(between: str, behind: str = "") -> Make:
    return lambda said: "".join(f"{puzzle}{between}{answer.solution}{behind}\n" for puzzle, answer in said).encode()


def objects(said: list[Said]) -> bytes:
    """JSON lines of others."""
    some = [{"puzzle": puzzle, "solution": answer.solution, "count": answer.count} for puzzle, answer in said]
    return "".join(json.dumps(one) + "\n" for one in some).encode()


def parquet(said: list[Said]) -> bytes:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    columns = {"puzzle": [puzzle for puzzle, _ in said], "solution": [answer.solution for _, answer in said]}
    stream = io.BytesIO()
    write_table(pyarrow.table(columns), stream)
    return stream.getvalue()


FORMATS: dict[str, Make] = {
    "csv": ours("csv"),
    "told": ours("csv", ASKED),
    "jsonl": ours("jsonl"),
    "counts": ours("counts"),
    "quizzes": table("quizzes", "solutions"),
    "semicolons": table("puzzle", "solution", delimiter=";"),
    "tabs": table("question", "answer", delimiter="\t"),
    "spaces": pairs(" "),
    "commas": pairs(", "),
    "colons": pairs(":"),
    "commented": pairs(",", behind=" 9.5 hard"),
    "objects": objects,
}
HEAD = [UNIQUE] * 250  # the first are read one by one, for they show what the file is, and those behind come with them


def said_of(proof: Proof) -> tuple[list[Any], *tuple[object, ...]]:
    """All that a proof says, and what stopped it."""
    found: list[Any] = []
    try:
        found.extend(proof)
    except FormatError as error:
        found.append(str(error))
    return found, proof.rows, proof.faults, proof.statuses, proof.repeats.unread


def check(path: Path, *, is_repeatable: bool = True) -> list[Any]:
    """Both ways say the same; the faults, and behind them what stopped it."""
    by_line: Again | None = (lambda: read_answers(str(path))) if is_repeatable else None
    at_once: Again | None = (lambda: read_sheaves(Source(str(path)))) if is_repeatable else None
    wanted = said_of(Proof(read_answers(str(path)), None, by_line))
    assert said_of(Proof(read_sheaves(Source(str(path))), None, at_once)) == wanted
    return wanted[0]


@needs_kernel
@pytest.mark.parametrize("name", [*FORMATS, "parquet"])
def test_lines_that_are_true_are_all_seen_at_a_glance(name: str, tmp_path: Path) -> None:
    # Given a file of true answers of which the kernel can pack all
    said = HEAD + [one for one in TRUE if one[1].status not in (Status.MALFORMED, Status.CLASH)] * 5
    said = said if name in ("csv", "told", "jsonl", "counts") else [one for one in said if one[1].solution]
    path = tmp_path / "answers"
    path.write_bytes((FORMATS | {"parquet": parquet})[name](said))
    # When it is read
    read = list(read_sheaves(Source(str(path))))
    # Then what is behind the head comes in sheaves, and none of it is looked at twice
    assert sum(len(part) for part in read if isinstance(part, Sheaf)) >= len(said) - len(HEAD)

    def never(line: int) -> None:
        raise AssertionError(f"line {line} of a sheaf was read by itself")

    for part in read:
        if isinstance(part, Sheaf):
            object.__setattr__(part, "stated", never)
    assert list(Proof(read)) == []
    assert check(path) == []


SPOILS = st.sampled_from(["", "\udcff", *"\n\r\",:;\t '\0ä019.x-#<>²"])
SAID = st.lists(st.sampled_from(TRUE + FALSE), min_size=1, max_size=40)


@needs_kernel
@pytest.mark.parametrize("name", FORMATS)
@settings(deadline=None, max_examples=40)
@given(
    said=SAID,
    spoils=st.lists(st.tuples(st.floats(0, 1), SPOILS, st.integers(0, 90)), max_size=6),
    block=st.sampled_from([200, 4000, 1 << 18]),
    is_repeatable=st.booleans(),
)
def test_both_ways_say_the_same_of_a_spoilt_file(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    said: list[Said],
    spoils: list[tuple[float, str, int]],
    block: int,
    is_repeatable: bool,
) -> None:
    make = FORMATS[name]
    content, head = make(HEAD + said), len(make(HEAD))
    for place, text, gone in spoils:  # behind the head: a text in the place of so many bytes
        at = head + int(place * (len(content) - head))
        content = content[:at] + text.encode("utf-8", "surrogateescape") + content[at + gone // 30 * (gone % 30) :]
    path = tmp_path_factory.mktemp("any") / "answers"
    path.write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "BLOCK", block)  # bytes a read: where it ends must not matter
        check(path, is_repeatable=is_repeatable)


WORDS = ["", "unique", "solved", "multiple", "none", "clash", "malformed", "undecided", "failed", "perfect", "Unique"]
NUMBERS = ["0", "1", "2", "01", "2.", "-1", "+1", "9" * 19, ">0", ">1", "7", "²", "<none>", "<x>"]
BOARDS = [
    PUZZLE,
    SOLUTION,
    SOLUTION[:80],
    FIRST,
    SECOND,
    TWIN,
    f"'{PUZZLE}",
    SOLUTION.replace("1", "0"),
    f'"{SOLUTION}"',
]
FIELDS = st.sampled_from(
    [
        *WORDS,
        *NUMBERS,
        *BOARDS,
        own(PUZZLE, Status.UNIQUE)[0],
        "30",
        "naked single",
        "same as record 1",
        "x; same as record 100",
    ]
)


@needs_kernel
@pytest.mark.parametrize("name", ["csv", "told", "counts", "quizzes", "commas"])
@settings(deadline=None, max_examples=60)
@given(said=SAID, changes=st.lists(st.tuples(st.integers(0, 39), st.integers(0, 13), FIELDS), min_size=1, max_size=8))
def test_both_ways_say_the_same_of_changed_fields(
    tmp_path_factory: pytest.TempPathFactory, name: str, said: list[Said], changes: list[tuple[int, int, str]]
) -> None:
    between = ":" if name == "counts" else ","
    lines = FORMATS[name](HEAD + said).decode().splitlines()
    for line, field, text in changes:
        at = len(lines) - 1 - line % len(said)
        fields = lines[at].split(between)
        fields[field % len(fields)] = text
        lines[at] = between.join(fields)
    path = tmp_path_factory.mktemp("any") / "answers"
    path.write_text("".join(line + "\n" for line in lines))
    check(path)


VALUES = "".join(f"\\u000{digit}" for digit in SOLUTION)
FALSE_LINES = [
    ("csv", f"251,251,,{PUZZLE},'unique,1,{SOLUTION},,0,,"),
    ("csv", f"251,251,,{PUZZLE},unique,1,{SOLUTION},,'0,,"),
    ("counts", f'"{PUZZLE}":1:{SOLUTION}'),
    ("counts", f'{PUZZLE}:"1":{SOLUTION}'),
    ("counts", f'{PUZZLE}:1:"{SOLUTION}"'),
    ("counts", f"{PUZZLE}:{'1' * 25}:{SOLUTION}"),
    ("counts", f"{PUZZLE}:<nice>:{SOLUTION}"),
    ("commas", f"{PUZZLE},{SOLUTION}:1:"),
    ("commas", f"{PUZZLE} {SOLUTION}:<none>:x"),
    ("objects", f'{{"puzzle": "{PUZZLE}", "solution2": "{SECOND}", "count": 2}}'),
    ("objects", f'{{"puzzle": "{PUZZLE}", "solution": "{VALUES}"}}'),
    ("objects", f'{{"puzzle": "{VALUES}", "solution": "{SOLUTION}"}}'),
    ("objects", f'{{"puzzle": "{PUZZLE}", "solution": "{SOLUTION}", "record": 7}}'),
]


@needs_kernel
@pytest.mark.parametrize(("name", "line"), FALSE_LINES)
def test_what_a_look_at_the_line_blames_is_not_true_at_a_glance(name: str, line: str, tmp_path: Path) -> None:
    path = tmp_path / "answers"
    path.write_bytes(FORMATS[name](HEAD) + f"{line}\n{line}\n".encode())
    assert len(check(path)) >= 1


@needs_kernel
@pytest.mark.skipif(find_spec("pyarrow") is None and "GRIDMILL_CI" not in os.environ, reason="needs pyarrow")
@settings(deadline=None, max_examples=20)
@given(said=SAID)
def test_both_ways_say_the_same_of_parquet(tmp_path_factory: pytest.TempPathFactory, said: list[Said]) -> None:
    path = tmp_path_factory.mktemp("any") / "answers"
    path.write_bytes(parquet(said))
    check(path)


@needs_kernel
@pytest.mark.parametrize("cut", [1, 2])
def test_what_stands_before_the_end_of_a_broken_file_is_judged_all_the_same(cut: int, tmp_path: Path) -> None:
    import gzip

    path = tmp_path / "answers.gz"
    path.write_bytes(gzip.compress(ours("jsonl")(HEAD + FALSE * 500))[: -9 * cut])
    *faults, error = check(path)
    assert len(faults) > len(FALSE)
    assert isinstance(error, str)


@needs_kernel
def test_repeats_are_checked_behind_many_lines_that_were_counted_at_once(tmp_path: Path) -> None:
    # Given different puzzles, and behind them some that say which one they are the same as
    swaps = [str.maketrans("123456789", "123456789"[at:] + "123456789"[:at]) for at in range(9)]
    said = [(PUZZLE.translate(swap), Answer(Status.UNIQUE, SOLUTION.translate(swap))) for swap in swaps]
    unlike = [(TWIN, Answer(Status.MULTIPLE, FIRST, SECOND))] * 200
    right = (said[3][0], Answer(Status.UNIQUE, said[3][1].solution, detail="same as record 4"))
    wrong = (said[5][0], Answer(Status.UNIQUE, said[5][1].solution, detail="same as record 4"))
    path = tmp_path / "answers"
    path.write_bytes(ours("csv")([*said, *unlike, right, *unlike, wrong]))
    # When it is verified, then the right one is believed and the wrong one is not
    assert check(path) == [
        (412, "record 411, column detail: it says that record 4 is the same, but the first is record 6")
    ]


@needs_kernel
def test_true_repeats_are_seen_at_a_glance_but_for_the_first(tmp_path: Path) -> None:
    # Given a file in which all but the first record repeat that one
    again = (PUZZLE, Answer(Status.UNIQUE, SOLUTION, detail="same as record 1"))
    path = tmp_path / "answers"
    path.write_bytes(ours("csv")([UNIQUE, *[again] * 600]))
    read = list(read_sheaves(Source(str(path))))
    looked: list[int] = []
    # When it is read, and each look at a line of a sheaf is noted
    for part in read:
        if isinstance(part, Sheaf):
            object.__setattr__(part, "stated", looked.append)
    # Then the lines that came one by one have begun it, and nobody looks at one of the others
    assert list(Proof(read, None, lambda: read_answers(str(path)))) == []
    assert sum(isinstance(part, Sheaf) for part in read) > 0
    assert looked == []
    assert check(path) == []


@needs_kernel
def test_only_lines_that_can_be_read_are_what_others_repeat(tmp_path: Path) -> None:
    # Given a puzzle in lines that cannot be read or call it malformed, and then twice as it should be
    lines = ours("csv")(HEAD).decode().splitlines()
    twin = f"{TWIN},multiple,>1,{FIRST},{SECOND},0"
    lines += [f"251,251,,{TWIN},perfect,>1,{FIRST},{SECOND},0,,", f"252,252,,{TWIN},malformed,,,,0,,"]
    lines += [f"253,253,,{twin[:-1]}x,,", f"254,254,,{twin},,", f"255,255,,{twin},same as record 254,"]
    path = tmp_path / "answers"
    path.write_text("".join(line + "\n" for line in lines))
    # When it is verified, then the first that counts is the first that can be read
    assert [line for line, _ in check(path)] == [252, 253, 254]
