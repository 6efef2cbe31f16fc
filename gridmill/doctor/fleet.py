"""The workers on a server: who is connected, with which kernel and solvers, and whether they answer."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from gridmill import broker
from gridmill.badge import Badge
from gridmill.doctor.finding import Finding, ok, problem, warning
from gridmill.errors import BrokerError
from gridmill.plural import counted
from gridmill.settings import Settings

if TYPE_CHECKING:
    import redis

ANOTHER = "use one such as gridmill-monitor, see docs/deployment.md"
START = "gridmill work --broker URL"
NAMED = 8  # workers of which each is named; of more the number


def examine(client: "redis.Redis", settings: Settings, ask: Callable[[], str]) -> Iterator[Finding]:
    """Look at the workers; ``ask`` has one of them solve a board, and raises BrokerError when none does."""
    try:
        with broker.explained(settings):
            names = [str(one["name"]) for one in client.client_list()]
    except BrokerError:
        yield warning("workers", "this user may not see who is connected", ANOTHER)
    else:
        workers = sorted({badge for name in names if (badge := Badge.read(name))})
        if not workers:
            yield warning("workers", "none is connected", START)
            return
        yield _seen(workers)
        yield from mixed(workers)
    yield _answering(ask)


def _seen(workers: list[Badge]) -> Finding:
    said = [f"{one.host} (process {one.pid}, {one.kernel} kernel, {one.solvers})" for one in workers[:NAMED]]
    more = f" and {len(workers) - NAMED} more" if len(workers) > NAMED else ""
    return ok("workers", f"{counted(len(workers), 'worker')}: {', '.join(said)}{more}")


def mixed(workers: Iterable[Badge]) -> Iterator[Finding]:
    """What differs between workers and should not. Widths of the native kernel may: answers are the same."""
    releases, lacking = _hosts_by(workers, lambda one: one.release), _hosts_by(workers, lambda one: one.solvers)
    if len(releases) > 1:
        yield warning("releases", f"workers differ: {_listed(releases)}", "install the same release everywhere")
    if len(lacking) > 1:
        text = f"workers differ, and leave a job to others whose solver they have not: {_listed(lacking)}"
        yield warning("solvers of workers", text, "run gridmill doctor on each of these machines")


def _hosts_by(workers: Iterable[Badge], what: Callable[[Badge], str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for one in workers:
        found[what(one)].add(one.host)
    return found


def _listed(groups: dict[str, set[str]]) -> str:
    return "; ".join(f"{what} on {', '.join(sorted(hosts)[:NAMED])}" for what, hosts in sorted(groups.items()))


def _answering(ask: Callable[[], str]) -> Finding:
    try:
        return ok("queue", ask())
    except BrokerError as error:
        if "o permissions" in str(error):
            return warning("queue", "this user may not ask for a board", ANOTHER)
        return problem("queue", str(error), f"look at the log of the workers, or start one: {START}")
