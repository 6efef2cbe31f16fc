"""The doctor: what is wrong with this installation, with a server, with the workers on it, and what to change.

It changes nothing that lasts: of this machine it starts a private server for a moment; on a server it reads.
"""

from collections.abc import Callable, Iterator

from gridmill import broker
from gridmill.doctor import fleet, installation, machine, rights, server
from gridmill.doctor.finding import Finding, Grade
from gridmill.settings import Settings

__all__ = ["Finding", "Grade", "examine"]


def examine(settings: Settings, ask: Callable[[], str]) -> Iterator[Finding]:
    """Everything there is to say, one thing after the other.

    ``ask`` has a worker solve a board and says how that went; it raises BrokerError when none does.
    """
    yield from installation.examine()
    yield from machine.examine(settings)
    if settings.broker is None:
        return
    with broker.redis_client(settings) as client:
        findings = list(server.examine(client, settings))
        yield from findings
        if all(finding.grade is not Grade.PROBLEM for finding in findings if finding.subject in ("server", "role")):
            yield rights.examine(client, settings)
            yield from fleet.examine(client, settings, ask)
