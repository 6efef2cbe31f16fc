"""A number and what it counts."""

import pytest

from gridmill.plural import counted


@pytest.mark.parametrize(("number", "said"), [(0, "0 records"), (1, "1 record"), (1234, "1,234 records")])
def test_one_is_no_plural(number: int, said: str) -> None:
    assert counted(number, "record") == said
