"""A row of an answers file: a record with its answer."""

from typing import NamedTuple

from gridmill.answers import Answer, Status

FIELDS = ("record", "line", "id", "puzzle", "status", "count", "solution", "solution2", "nodes", "detail")
OWN_PREFIX = "in_"  # of the input's own columns, so that none of them can be taken for one of ours
ONE_SOLUTION = frozenset((Status.UNIQUE, Status.SOLVED))  # where a single solution can be printed as the answer


class Row(NamedTuple):
    """``record`` and ``line`` count from 1. ``puzzle``: 81 characters with ``.``, or a malformed record's `Fault.text`.

    ``extras`` has one text for each of the input's columns, or is empty when all of them are. ``told`` says what else
    was asked (`gridmill.formats.told`).
    """

    record: int
    line: int
    id: str
    puzzle: str
    answer: Answer
    extras: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
