"""The columns that say what else was asked of each puzzle (`gridmill.questions`): behind ours, before the input's own.

In CSV they are texts; in JSON some are lists.
"""

from collections.abc import Callable

import msgspec

from gridmill.answers import Answer
from gridmill.questions import Questions


def names(asked: Questions) -> tuple[str, ...]:
    """What the columns are called."""
    return ("solutions",) if asked.every else ()


def texts(asked: Questions, answer: Answer) -> tuple[str, ...]:
    """One text for each of `names`; items of a list are separated by spaces."""
    return (" ".join(answer.listed),) if asked.every else ()


def value(name: str, text: str) -> object:
    """What stands for ``text`` in JSON."""
    return _VALUES.get(name, str)(text)


def encoded(name: str, text: str) -> str:
    """The JSON of `value`."""
    return msgspec.json.encode(value(name, text)).decode()


_VALUES: dict[str, Callable[[str], object]] = {"solutions": str.split}
