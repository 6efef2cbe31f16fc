"""Tables: drawn on a terminal, plain aligned columns elsewhere."""

from collections.abc import Sequence
from typing import TextIO

Rows = Sequence[Sequence[str]]


def show(rows: Rows, stream: TextIO, *, head: Sequence[str] = (), numbers: Sequence[int] = ()) -> None:
    """Write ``rows`` to ``stream``; ``numbers`` are the columns that are aligned to the right."""
    from gridmill.logs import visible

    clean = [[visible(cell) for cell in row] for row in rows]
    if stream.isatty():
        _draw(clean, stream, head, numbers)
    else:
        print("\n".join(_plain([list(head), *clean] if head else clean, numbers)), file=stream)


def part(stream: TextIO) -> None:
    """A blank line between a table with a head and what is beside it; one that is drawn has it by itself."""
    print(end="" if stream.isatty() else "\n", file=stream)


def _plain(rows: list[list[str]], numbers: Sequence[int]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.rjust(width) if place in numbers else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return [line.rstrip() for line in lines]


def _draw(rows: Rows, stream: TextIO, head: Sequence[str], numbers: Sequence[int]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD if head else box.HORIZONTALS, show_header=bool(head), header_style="bold")
    for place in range(max(map(len, [head, *rows]))):
        table.add_column(head[place] if head else "", justify="right" if place in numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console(file=stream, highlight=False).print(table)
