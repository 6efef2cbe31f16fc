"""The doctor: what is wrong with this installation, with a server, with the workers on it, and what to change.

It changes nothing that lasts: of this machine it starts a private server for a moment; on a server it reads.
"""

from collections.abc import Iterator

from gridmill.doctor import installation, machine
from gridmill.doctor.finding import Finding, Grade
from gridmill.settings import Settings

__all__ = ["Finding", "Grade", "examine"]


def examine(settings: Settings) -> Iterator[Finding]:
    """Everything there is to say, one thing after the other."""
    yield from installation.examine()
    yield from machine.examine(settings)
