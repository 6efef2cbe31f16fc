"""The report in a real browser: what it shows, how it looks on a phone and on a desk, and whom it asks for anything.

Chromium runs without a window. At home these tests are skipped when there is none; with GRIDMILL_CI they fail.
"""

import html
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gridmill.answers import DISAGREES, Answer, Status
from gridmill.formats.output import writer
from gridmill.formats.row import Row
from gridmill.report import make

NAMES = ("chromium", "chromium-browser", "google-chrome")
PHONE, DESK = 390, 1280  # pixels
SECONDS = 60  # for a page: it takes one or two
QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--virtual-time-budget=10000",
]
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
OTHER = SOLUTION[9:18] + SOLUTION[:9] + SOLUTION[18:]
EVIL = "<img src=https://example.invalid/x onerror='said=1'><script>said=2</script>" + "x" * 500
ANSWERS = [
    Answer(Status.UNIQUE, SOLUTION, nodes=406),
    Answer(Status.MULTIPLE, SOLUTION, OTHER, nodes=3),
    Answer(Status.NONE),
    Answer(Status.UNDECIDED, nodes=1000),
    Answer(Status.FAILED, detail="every attempt failed"),
    Answer(Status.UNIQUE, SOLUTION, nodes=2, detail=f"{DISAGREES} with the input's solution"),
    Answer(Status.CLASH, detail="5 twice in row 1: r1c1, r1c2"),
    Answer(Status.MALFORMED, detail=f"column 1: {EVIL}"),
]
PUZZLES = [PUZZLE] * 6 + ["55" + "." * 79, EVIL]
SECTIONS = [
    "Totals", "Rate over time", "Difficulty", "Givens", "Hardest puzzles", "More than one solution",
    "Givens that clash", "No solution", "Not a puzzle", "Undecided", "Failed", "Contradicts the input",
]  # fmt: skip

Look = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def browser() -> str:
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        missing = pytest.fail if "GRIDMILL_CI" in os.environ else pytest.skip
        missing(f"there is no browser here: install {NAMES[0]}")
    return found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A report in which everything occurs, with texts that mean harm."""
    answers = tmp_path_factory.mktemp("report") / "answers.csv"
    rows = [Row(n, n, EVIL, puzzle, said) for n, (puzzle, said) in enumerate(zip(PUZZLES, ANSWERS, strict=True), 1)]
    made = writer("csv", [])
    answers.write_bytes(made.header() + made.rows(rows))
    return make(answers, [("time", "3.8 s")], [[(0, 0), (0.5, 3), (1, 5)], [(0, 5), (2.5, 8)]])


@pytest.fixture
def look(browser: str, report: str, tmp_path: Path) -> Look:
    """``look(width, dark=False)``: what ``tests/probe.js`` says of the report, shown that wide."""

    def run(width: int, *, dark: bool = False) -> dict[str, Any]:
        holder = tmp_path / "holder.html"
        page = json.dumps(report).replace("<", "\\u003c")
        holder.write_text(
            f'<!doctype html><meta charset="utf-8"><iframe style="border:0;width:{width}px;height:4000px"></iframe>'
            f'<script type="application/json" id="page">{page}</script>'
            f"<script>{(Path(__file__).parent / 'probe.js').read_text()}</script>"
        )
        scheme = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
        profile = f"--user-data-dir={tmp_path / 'profile'}"
        shown = subprocess.run(
            [browser, *QUIET, scheme, profile, f"--window-size={DESK},800", "--dump-dom", holder.as_uri()],
            capture_output=True,
            timeout=SECONDS,
            check=True,
        ).stdout.decode()
        title = re.search("<title>(.*?)</title>", shown.partition("</head>")[0])
        assert title, shown[:1000]
        said: dict[str, Any] = json.loads(html.unescape(title[1]))
        return said

    return run


def test_every_section_is_there_under_its_heading(look: Look) -> None:
    assert look(DESK)["headings"] == ["H1 answers.csv", *(f"H2 {name}" for name in SECTIONS)]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK], ids=["phone", "desk"])
def test_it_fits_and_can_be_read(width: int, dark: bool, look: Look) -> None:
    said = look(width, dark=dark)
    assert said["dark"] is dark
    assert said["overflow"] <= 0
    assert said["contrast"][0] >= 4.5, said["contrast"]  # WCAG 2.2 AA, for text
    assert said["frames"] >= 3  # and for what is no text
    assert said["smallest"] >= 10  # pixels of the letters in a chart


def test_every_stop_of_the_keyboard_is_seen(look: Look) -> None:
    said = look(PHONE)
    assert (said["unseen"], said["dead"]) == (0, 0)
    assert said["stops"] >= len(SECTIONS) + 3


def test_pictures_have_names_and_tables_have_headings(look: Look) -> None:
    said = look(DESK)
    assert (said["nameless"], said["loose"]) == (0, 0)


def test_nothing_is_loaded_and_nothing_runs(look: Look) -> None:
    said = look(DESK)
    assert (said["loaded"], said["scripts"], said["said"]) == (0, 0, "nothing")
