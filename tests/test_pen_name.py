"""The name under which a worker answers."""

import pytest

from gridmill.pen_name import name_of, proven


def test_a_name_follows_from_its_secret_alone() -> None:
    assert name_of("a") == name_of("a") != name_of("b")
    assert len(name_of("a")) == 16


def test_whoever_has_the_secret_is_who_the_token_says() -> None:
    assert proven(f"host/12/345/{name_of('s')}/abc", "s") == (name_of("s"), "host/12")


@pytest.mark.parametrize(
    ("token", "secret"),
    [
        (f"host/12/345/{name_of('s')}/abc", "t"),
        (f"host/12/345/{name_of('s')}/abc", ""),
        (f"host/12/345/{name_of('')}/abc", ""),
        ("w", "s"),
        ("", ""),
        ("////", ""),
        (f"host/12/{name_of('s')}", "s"),
    ],
)
def test_a_token_of_another_proves_nothing(token: str, secret: str) -> None:
    assert proven(token, secret) is None
