"""No cell of an answers file is run by a spreadsheet, and none is lost by that."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.formats.formula import guard, unguard


@pytest.mark.parametrize(
    "cell", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\tx", "\rx", "\nx", "'quoted", "=", "-", "--..5"]
)
def test_what_a_spreadsheet_could_run_gets_a_mark(cell: str) -> None:
    assert guard(cell) == "'" + cell


@pytest.mark.parametrize("cell", ["", "1.5", "-3", "+4.25", "-1e-9", "53..7....", "name", " =1"])
def test_numbers_and_ordinary_text_stay_as_they_are(cell: str) -> None:
    assert guard(cell) == cell


@given(st.text() | st.text(st.sampled_from("='+-1")))
def test_the_mark_can_be_taken_off_again(cell: str) -> None:
    assert unguard(guard(cell)) == cell
