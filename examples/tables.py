"""Prints what becomes of a table of boards that are solved as a column of it. Needs polars and pyarrow."""

from pathlib import Path

import polars

import gridmill

MIXED = Path(__file__).parent / "mixed.csv"

if __name__ == "__main__":
    table = polars.read_csv(MIXED)
    answers = polars.DataFrame(gridmill.solve_many(table["puzzle"])).drop("puzzle")
    whole = table.hstack(answers).with_columns(polars.col("status").cast(str))
    for status, count in sorted(whole.group_by("status").len().iter_rows()):
        print(count, status)
    print(whole.filter(polars.col("expected") != polars.col("status")).height, "are not what the table expects")
