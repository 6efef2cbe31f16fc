"""The columns that say what else was asked of each puzzle (`gridmill.questions`): behind ours, before the input's own.

In CSV they are texts; in JSON some are lists.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple, Self

import msgspec

from gridmill import kernel
from gridmill.answers import Answer
from gridmill.board import CELLS, HOLE, slots, unpack
from gridmill.errors import SettingsError
from gridmill.questions import Questions
from gridmill.technique import NAMES, NONE, techniques

NUMBERS = frozenset(("givens",))  # columns of numbers, or nothing; all others are texts

_DIGITS = CELLS + 1  # hexadecimal ones of a packed board


class Own(NamedTuple):
    """What is told of packed boards by nothing but themselves; each is empty where it is not asked.

    ``forms`` as of `forms`; ``givens``, a byte a board; ``techniques``, the codes of `gridmill.technique`.
    """

    forms: bytes = b""
    givens: bytes = b""
    techniques: bytes = b""

    @classmethod
    def of(cls, asked: Questions, boards: bytes) -> Self:
        """All that is ``asked``."""
        own = cls(forms(asked, boards))
        return own._replace(givens=givens(boards), techniques=techniques(boards)) if asked.difficulty else own


Spared = tuple[str, ...] | None  # the cells that can be spared, as of `gridmill.answers.Answer`


def names(asked: Questions) -> tuple[str, ...]:
    """What the columns are called."""
    said = {
        "solutions": asked.every,
        "minimal": asked.minimal,
        "redundant": asked.minimal,
        "canonical": asked.canonical,
        "givens": asked.difficulty,
        "technique": asked.difficulty,
    }
    return tuple(name for name, is_asked in said.items() if is_asked)


def columns(
    asked: Questions, answers: Iterable[Answer], spared: Iterable[Spared], own: Own, single: bytes
) -> list[list[str]]:
    """The texts of each of `names`, one a record; items of a list are separated by spaces.

    ``answers`` and ``spared`` are taken where they are needed. ``single``: a byte a record, 1 where its answer is a
    single solution.
    """
    made = []
    if asked.every:
        made.append([" ".join(answer.listed) for answer in answers])
    if asked.minimal:
        cells = list(spared)
        made.append(["" if names is None else "no" if names else "yes" for names in cells])
        made.append([" ".join(names or ()) for names in cells])
    if asked.canonical:
        made.append(["" if form == HOLE else unpack(form) for form in slots(own.forms)])
    if asked.difficulty:
        is_board = [code != NONE for code in own.techniques]
        made.append([str(number) if there else "" for number, there in zip(own.givens, is_board, strict=True)])
        made.append([NAMES[code] if has_one else "" for code, has_one in zip(own.techniques, single, strict=True)])
    return made


def forms(asked: Questions, boards: bytes) -> bytes:
    """The smallest forms of packed boards where they are asked for, packed as well; a hole where there is none."""
    return kernel.extension.canon(boards) if asked.canonical else b""


def givens(boards: bytes) -> bytes:
    """How many givens each packed board has, a byte each; `CELLS` for a hole."""
    digits = boards.hex()
    return bytes([CELLS - digits.count("0", at, at + CELLS) for at in range(0, len(digits), _DIGITS)])


def check(asked: Questions) -> None:
    """Raises SettingsError where this installation cannot say what is ``asked``."""
    if asked.canonical and not kernel.native:
        raise SettingsError(f"--canonical needs the native kernel: {kernel.unused()}")


def value(name: str, text: str) -> object:
    """What stands for ``text`` in JSON."""
    return _VALUES.get(name, str)(text)


def text(value: object) -> str:
    """The text that `value` makes such a thing of."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    if value is None:
        return ""
    return str(value) if not isinstance(value, bool) else "yes" if value else "no"


def encoded(name: str, text: str) -> str:
    """The JSON of `value`."""
    return msgspec.json.encode(value(name, text)).decode()


TYPES = {  # of them in JSON
    "solutions": list[str],
    "minimal": bool | None,
    "redundant": list[str],
    "canonical": str,
    "givens": int | None,
    "technique": str,
}
_VALUES: dict[str, Callable[[str], object]] = {
    "solutions": str.split,
    "minimal": {"": None, "yes": True, "no": False}.get,
    "redundant": str.split,
    "givens": lambda text: int(text) if text else None,
}
