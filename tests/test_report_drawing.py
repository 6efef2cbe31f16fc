"""Boards and charts as SVG."""

from xml.etree.ElementTree import Element

import pytest

from gridmill.report.board import board
from gridmill.report.chart import HEIGHT, LABELS, WIDTH, Bar, Step, columns, short, steps

GIVENS = "1.3" + "." * 78
CELLS = "123456789" * 9


def texts(drawn: Element, kind: str) -> list[tuple[str, str | None]]:
    return [(text.text or "", text.get("x")) for text in drawn.iter("text") if kind in (text.get("class") or "")]


def test_a_board_has_each_digit_in_its_place() -> None:
    drawn = board("b", CELLS, GIVENS, (), mark="")
    assert texts(drawn, "given") == [("13", "10 50")]
    assert texts(drawn, "found")[0] == ("2456789", "30 70 90 110 130 150 170")
    assert len(texts(drawn, "found")) == 9


def test_an_empty_cell_has_no_digit() -> None:
    assert texts(board("b", GIVENS, GIVENS, (), mark=""), "found") == []


def test_a_marked_cell_has_a_frame_and_is_named() -> None:
    drawn = board("b", CELLS, GIVENS, {80}, mark="differs")
    (frame,) = [rect for rect in drawn.iter("rect") if rect.get("class") == "frame"]
    assert (frame.get("x"), frame.get("y")) == ("162", "162")
    assert (drawn.findtext("desc") or "").endswith("differs: r9c9.")


def test_a_board_can_be_read_out() -> None:
    drawn = board("Record 1", GIVENS, GIVENS, (), mark="")
    assert drawn.findtext("title") == "Record 1"
    assert (drawn.findtext("desc") or "").startswith("row 1: 1 – 3 – – – – – –; row 2: ")


def test_columns_are_as_high_as_their_numbers() -> None:
    bars = columns("c", [Bar("0", 40), Bar("1", 20), Bar("2", 0)], "axis").iter("rect")
    heights = [float(rect.get("height") or 0) for rect in bars]
    assert len(heights) == 2
    assert heights[0] == pytest.approx(2 * heights[1], rel=0.01)


def test_what_is_not_nothing_can_be_seen() -> None:
    last = list(columns("c", [Bar("0", 10_000_000), Bar("1", 1)], "axis").iter("rect"))[-1]
    assert float(last.get("height") or 0) > 1


def test_names_below_many_columns_are_few() -> None:
    drawn = columns("c", [Bar(str(at), 1) for at in range(82)], "axis")
    assert len(texts(drawn, "middle")) <= LABELS + 1


@pytest.mark.parametrize("height", [0, 0.2, 1, 999_999_999])
def test_a_line_stays_inside_its_chart(height: float) -> None:
    drawn = steps("c", [Step(0, 0.5, height), Step(0.5, 3, height / 2)], [0.5], "seconds")
    (path,) = [path.get("d") or "" for path in drawn.iter("path") if path.get("class") == "line"]
    points = [tuple(map(float, point.split())) for point in path.removeprefix("M").split("L")]
    assert len(points) == 4
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)


def test_a_break_is_marked() -> None:
    drawn = steps("c", [Step(0, 1, 5)], [0.5], "seconds")
    assert len([path for path in drawn.iter("path") if path.get("class") == "break"]) == 1


@pytest.mark.parametrize(("number", "text"), [(0, "0"), (950, "950"), (1200, "1.2k"), (34e6, "34M"), (2e9, "2G")])
def test_numbers_at_an_axis_are_short(number: float, text: str) -> None:
    assert short(number) == text
