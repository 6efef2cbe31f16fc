"""The kinds of values that a setting may have.

Read by hand: every process of a run reads its settings, and a library for that takes 0.15 s to import.
"""

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")  # no colon, brace or star: they mean something in keys and key patterns
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(?:([kmgt]?)(i?)b)?", re.IGNORECASE)


class Kind(NamedTuple):
    """``metavar`` stands for a value in help texts; ``read`` makes one of a text, or raises ValueError."""

    metavar: str
    read: Callable[[str], Any]


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise ValueError("not a number") from None
    if not 0 < number < math.inf:
        raise ValueError("not a time above 0")
    return number


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < len(text) < 10 and int(text)):
        raise ValueError("not a whole number above 0")
    return int(text)


def _bytes(text: str) -> int:
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise ValueError("not a size such as 64MB or 64MiB")
    number, letter, binary = match.groups()
    size = int(float(number) * (1024 if binary else 1000) ** " kmgt".index((letter or " ").lower()))
    if size < 1:
        raise ValueError("not a size above 0")
    return size


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError("not 1 to 64 letters, digits, '_', '.' and '-'")
    return text


def _folder(text: str) -> Path:
    return Path(text).expanduser().absolute()


SECONDS, COUNT, BYTES = Kind("SECONDS", _seconds), Kind("N", _count), Kind("BYTES", _bytes)
NAME, FOLDER, URL = Kind("NAME", _name), Kind("FOLDER", _folder), Kind("URL", str)


def one_of(*words: str) -> Kind:
    """One of ``words``, in whatever case."""

    def read(text: str) -> str:
        if text.lower() not in words:
            raise ValueError(f"not one of {', '.join(words)}")
        return text.lower()

    return Kind("|".join(words), read)


def size(number: int) -> str:
    """``number`` bytes as one reads them in a default: ``64 MB``."""
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if number >= factor:
            return f"{number / factor:g} {unit}"
    return f"{number} B"
