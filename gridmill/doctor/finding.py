"""What an examination finds."""

from enum import StrEnum
from typing import NamedTuple


class Grade(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"  # it works, and not as well or as safely as it could
    PROBLEM = "problem"  # it does not work


class Finding(NamedTuple):
    """``subject`` is what was looked at, ``text`` what was found, ``remedy`` what to change; empty where it is well."""

    grade: Grade
    subject: str
    text: str
    remedy: str = ""


def ok(subject: str, text: str) -> Finding:
    """It is well."""
    return Finding(Grade.OK, subject, text)


def warning(subject: str, text: str, remedy: str) -> Finding:
    """It works, and could be better."""
    return Finding(Grade.WARNING, subject, text, remedy)


def problem(subject: str, text: str, remedy: str) -> Finding:
    """It does not work."""
    return Finding(Grade.PROBLEM, subject, text, remedy)
