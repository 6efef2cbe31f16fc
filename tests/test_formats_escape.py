"""What is shown of a faulty record can harm no terminal, and can be read back."""

from hypothesis import given
from hypothesis import strategies as st

from gridmill.formats.escape import SHOWN, printable


def test_plain_text_stays_as_it_is() -> None:
    assert printable("Gitter 5 für Anna") == "Gitter 5 für Anna"


def test_a_terminal_escape_becomes_text() -> None:
    assert printable("\x1b[31mred") == "\\x1b[31mred"


def test_a_byte_that_was_not_utf8_shows_as_that_byte() -> None:
    assert printable(b"caf\xe9".decode("utf-8", "surrogateescape")) == "caf\\xe9"


def test_a_backslash_is_doubled_so_that_escapes_are_not_mistaken() -> None:
    assert printable("\\x1b") == "\\\\x1b"


def test_signs_that_turn_the_writing_direction_become_text() -> None:
    assert printable("\u202e12") == "\\u202e12"


def test_the_cut_never_splits_an_escape() -> None:
    assert printable("ab\0\0", limit=7) == "ab\\x00"


@given(st.text(st.characters(codec=None)))
def test_whatever_comes_in_comes_out_printable_and_short(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert len(shown) <= SHOWN


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_what_is_shown_can_be_read_back(text: str) -> None:
    shown = printable(text, limit=1000)
    assert shown.encode("raw_unicode_escape").decode("unicode_escape") == text
