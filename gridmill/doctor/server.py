"""The server: whether it can be reached and used, how it keeps what it is given, and what else somebody should know."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gridmill import broker
from gridmill.address import Address
from gridmill.doctor.finding import Finding, ok, problem, warning
from gridmill.errors import BrokerError
from gridmill.settings import Settings

if TYPE_CHECKING:
    import redis

DURABLE = (7, 2)  # WAITAOF: submit can wait until what it has sent is on the disk
ROOM = 2  # times the bytes in flight: the server's own structures, its buffers and its file take as much again
_NEAR = ("localhost", "127.0.0.1", "::1")

Info = dict[str, Any]


def examine(client: "redis.Redis", settings: Settings) -> Iterator[Finding]:
    """Look at the server; the last finding is a problem where it cannot be used at all."""
    address = Address.parse(settings.broker or "")
    try:
        with broker.explained(settings):
            info = client.info()
        broker.check(client, settings)
    except BrokerError as error:
        yield problem("server", str(error), _remedy(str(error)))
        return
    yield _version(info)
    yield from _network(address)
    for look in (_role, _eviction, _persistence):
        yield look(info)
    yield _memory(info, settings)


def _remedy(text: str) -> str:
    """What to do about a server that cannot be used, where its own words do not say it."""
    remedies = {
        "password": "the address is redis://USER:PASSWORD@HOST:6379/0; in a password write %40 for @, %2F for /",
        "certificate": "name the authority that signed it: rediss://HOST:6379/0?ssl_ca_certs=/path/to/ca.pem",
        "o permissions": "give this user the rights of its role: see docs/deployment.md",
        "cluster": "start one server, or Sentinel with its replicas",
        "LOADING": "wait until it has read its file",
    }
    start = "give another address, or start a server there"
    return next((what for word, what in remedies.items() if word in text), start)


def _version(info: Info) -> Finding:
    version = str(info.get("redis_version", "0"))
    name = info.get("server_name", "redis")
    said = f"{name} {info.get(f'{name}_version', version)}, up {int(info.get('uptime_in_seconds', 0)):,} s"
    if tuple(map(int, version.split(".")[:2])) >= DURABLE:
        return ok("server", said)
    return warning("server", f"{said}: submit cannot wait for its disk", "upgrade to Redis 7.2 or newer, or Valkey")


def _network(address: Address) -> Iterator[Finding]:
    if address.path:
        yield ok("network", "a socket of this machine")
    elif address.tls is None and not {host for host, _ in address.sentinels or [(address.host, 0)]} <= set(_NEAR):
        yield warning("network", "passwords and boards go through the network for all to read", "use rediss:// (TLS)")
    elif address.tls is not None and address.tls["ssl_cert_reqs"] != "required":
        yield warning("network", "TLS, but the server's certificate is not checked", "leave out ssl_cert_reqs")
    else:
        yield ok("network", "TLS, the certificate is checked" if address.tls else "this machine alone")
    if not address.password:
        text = "whoever reaches the server can use it: this address has no password"
        yield ok("password", "none") if address.path else warning("password", text, "see docs/deployment.md, users")


def _role(info: Info) -> Finding:
    role = info.get("role", "master")
    if role == "master":
        return ok("role", f"primary, {info.get('connected_slaves', 0)} replicas")
    primary = f"{info.get('master_host')}:{info.get('master_port')}"
    return problem(
        "role", f"a replica, which cannot be written; its primary is {primary}", f"give {primary}, or Sentinel"
    )


def _eviction(info: Info) -> Finding:
    policy = str(info.get("maxmemory_policy", "noeviction"))
    if policy == "noeviction":
        return ok("eviction", policy)
    remedy = "CONFIG SET maxmemory-policy noeviction, and the same in its configuration file"
    if int(info.get("maxmemory", 0)):
        return problem("eviction", f"{policy}: when memory is short it drops keys of a job", remedy)
    return warning("eviction", f"{policy}: with a limit on its memory it would drop keys of a job", remedy)


def _persistence(info: Info) -> Finding:
    if str(info.get("aof_last_write_status", "ok")) != "ok" or str(info.get("rdb_last_bgsave_status", "ok")) != "ok":
        return problem(
            "persistence", "its last write to the disk failed", "look at its log, and at the room on its disk"
        )
    if int(info.get("aof_enabled", 0)):
        return ok("persistence", "append-only file")
    text = "no append-only file: a restart loses jobs that were submitted (solve goes on all the same)"
    return warning("persistence", text, "CONFIG SET appendonly yes, and the same in its configuration file")


def _memory(info: Info, settings: Settings) -> Finding:
    limit, used = int(info.get("maxmemory", 0)), int(info.get("used_memory", 0))
    needed = ROOM * settings.in_flight
    if not limit:
        return ok("server's memory", f"{used / 1e6:,.0f} MB used, no limit")
    text = f"{used / 1e6:,.0f} of {limit / 1e6:,.0f} MB used; a job may take {needed / 1e6:,.0f} MB"
    if limit - used >= needed:
        return ok("server's memory", text)
    grade = problem if used >= limit else warning  # there it refuses all work
    return grade("server's memory", text, f"CONFIG SET maxmemory {used + needed}, or a smaller --in-flight")
