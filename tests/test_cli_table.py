"""Tables: plain where nobody looks, drawn on a terminal."""

import io

from gridmill.cli.table import part, show


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_columns_are_aligned() -> None:
    stream = io.StringIO()
    show([("apples", "5"), ("figs", "1,200")], stream, numbers=(1,))
    assert stream.getvalue() == "apples      5\nfigs    1,200\n"


def test_a_head_stands_over_its_column() -> None:
    stream = io.StringIO()
    show([("apples", "5")], stream, head=("fruit", "number"))
    assert stream.getvalue() == "fruit   number\napples  5\n"


def test_there_is_one_blank_line_behind_a_table_with_a_head() -> None:
    for stream in (io.StringIO(), Terminal()):
        show([("apples", "5")], stream, head=("fruit", "number"))
        part(stream)
        stream.write("all of them")
        assert [line.strip() for line in stream.getvalue().splitlines()][-2:] == ["", "all of them"]
        assert stream.getvalue().splitlines()[-3].strip()


def test_a_cell_cannot_steer_the_terminal() -> None:
    stream = io.StringIO()
    show([("\x1b[2J", "5")], stream)
    assert stream.getvalue() == "\\x1b[2J  5\n"


def test_a_terminal_gets_lines_around_it() -> None:
    stream = Terminal()
    show([("apples", "5"), ("figs", "1,200")], stream, numbers=(1,))
    assert "  apples       5  " in stream.getvalue()
    assert "───" in stream.getvalue()


def test_square_brackets_are_no_markup() -> None:
    stream = Terminal()
    show([("[red]apples", "5")], stream)
    assert "[red]apples" in stream.getvalue()
