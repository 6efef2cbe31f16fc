"""What the doctor finds on a server: faults of a real one, and such as a server says of itself."""

from collections.abc import Callable
from typing import Any

import pytest

from gridmill import broker, doctor
from gridmill.badge import Badge
from gridmill.doctor import fleet, server
from gridmill.doctor.finding import Finding, Grade
from gridmill.embedded import Server
from gridmill.errors import BrokerError
from gridmill.settings import Settings

INFO = {"redis_version": "8.0.0", "redis_mode": "standalone", "role": "master", "aof_enabled": 1}
BADGES = [
    Badge("1.0", "one", "7", "avx512", "lanes=2,sat=1"),
    Badge("1.0", "two", "7", "avx2", "lanes=2,sat=1"),
]


class Answering:
    """Stands for a server that says this of itself."""

    def __init__(self, **info: object) -> None:
        self._info = INFO | info

    def info(self, _section: str = "") -> dict[str, object]:
        return self._info


def said(subject: str, url: str = "redis://box", **info: Any) -> Finding:
    """About a server that says ``info`` of itself."""
    findings = list(server.examine(Answering(**info), Settings.load(broker=url)))  # type: ignore[arg-type]
    return next(finding for finding in findings if finding.subject == subject)


def found(real: Server, subject: str, ask: Callable[[], str] = lambda: "solved") -> Finding:
    """About a real server."""
    findings = list(doctor.examine(Settings.load(broker=real.url), ask))
    return next(finding for finding in findings if finding.subject == subject)


def nobody() -> str:
    raise BrokerError("no worker answered")


def test_a_real_server_is_well_but_for_what_it_is_not_meant_for(server: Server) -> None:
    findings = list(doctor.examine(Settings.load(broker=server.url), nobody))
    assert {finding.subject: finding.grade for finding in findings if finding.grade is not Grade.OK} == {
        "persistence": Grade.WARNING,  # it has no append-only file, and solve needs none
        "workers": Grade.WARNING,
    }


def test_a_server_that_is_not_there_is_a_problem_and_ends_the_examination() -> None:
    findings = list(doctor.examine(Settings.load(broker="unix:///nowhere/socket"), nobody))
    assert (findings[-1].subject, findings[-1].grade) == ("server", Grade.PROBLEM)
    assert "/nowhere/socket" in findings[-1].text


@pytest.mark.parametrize(
    ("info", "text"),
    [
        ({"redis_version": "6.0.16"}, "needs Redis 6.2"),
        ({"redis_mode": "cluster"}, "is a cluster"),
    ],
)
def test_a_server_of_the_wrong_kind_is_a_problem(info: dict[str, Any], text: str) -> None:
    finding = said("server", **info)
    assert finding.grade is Grade.PROBLEM
    assert text in finding.text


@pytest.mark.parametrize(
    ("version", "grade"), [("6.2.14", Grade.WARNING), ("7.0.15", Grade.WARNING), ("7.2.0", Grade.OK)]
)
def test_a_server_that_cannot_promise_its_disk_is_a_warning(version: str, grade: Grade) -> None:
    assert said("server", redis_version=version).grade is grade


def test_the_server_is_called_by_its_name() -> None:
    assert said("server", server_name="valkey", valkey_version="9.1.2").text.startswith("valkey 9.1.2")


@pytest.mark.parametrize(
    ("url", "grade"),
    [
        ("redis://box", Grade.WARNING),
        ("redis://localhost", Grade.OK),
        ("unix:///run/s", Grade.OK),
        ("rediss://box", Grade.OK),
        ("rediss://box?ssl_cert_reqs=none", Grade.WARNING),
    ],
)
def test_what_others_could_read_on_the_way_is_a_warning(url: str, grade: Grade) -> None:
    assert said("network", url).grade is grade


@pytest.mark.parametrize(
    ("url", "grade"), [("redis://box", Grade.WARNING), ("redis://:pw@box", Grade.OK), ("unix:///run/s", Grade.OK)]
)
def test_a_network_without_a_password_is_a_warning(url: str, grade: Grade) -> None:
    findings = list(server.examine(Answering(), Settings.load(broker=url)))  # type: ignore[arg-type]
    assert [one.grade for one in findings if one.subject == "password"] in ([grade], [] if grade is Grade.OK else None)


def test_a_server_at_its_memory_limit_is_a_problem_and_its_rights_are_seen_all_the_same(server: Server) -> None:
    with broker.redis_client(Settings.load(broker=server.url)) as client:
        client.config_set("maxmemory", "1")
        try:
            assert found(server, "server's memory").grade is Grade.PROBLEM
            assert found(server, "rights").grade is Grade.OK
        finally:
            client.config_set("maxmemory", "0")


def test_a_replica_is_a_problem_that_names_its_primary() -> None:
    finding = said("role", role="slave", master_host="first", master_port=7000)
    assert finding.grade is Grade.PROBLEM
    assert "first:7000" in finding.remedy


def test_a_real_replica_is_found(server: Server, client_of: Callable[[Server], Any]) -> None:
    client = client_of(server)
    client.execute_command("REPLICAOF", "127.0.0.1", "1")
    try:
        assert found(server, "role").grade is Grade.PROBLEM
    finally:
        client.execute_command("REPLICAOF", "NO", "ONE")


@pytest.mark.parametrize(("limit", "grade"), [(0, Grade.WARNING), (10**9, Grade.PROBLEM)])
def test_a_server_that_evicts_is_named_with_the_command(
    server: Server, client_of: Callable[[Server], Any], limit: int, grade: Grade
) -> None:
    client = client_of(server)
    client.config_set("maxmemory-policy", "allkeys-lru")
    client.config_set("maxmemory", limit)
    try:
        finding = found(server, "eviction")
    finally:
        client.config_set("maxmemory-policy", "noeviction")
        client.config_set("maxmemory", 0)
    assert finding.grade is grade
    assert finding.remedy.startswith("CONFIG SET maxmemory-policy noeviction")


def test_too_little_memory_for_a_job_is_a_warning(server: Server, client_of: Callable[[Server], Any]) -> None:
    client = client_of(server)
    client.config_set("maxmemory", 50_000_000)
    try:
        assert found(server, "server's memory").grade is Grade.WARNING
    finally:
        client.config_set("maxmemory", 0)


def test_an_append_only_file_is_well() -> None:
    assert said("persistence").grade is Grade.OK


@pytest.mark.parametrize("field", ["aof_last_write_status", "rdb_last_bgsave_status"])
def test_a_disk_that_failed_is_a_problem(field: str) -> None:
    assert said("persistence", **{field: "err"}).grade is Grade.PROBLEM


def test_workers_that_are_connected_are_named(server: Server, client_of: Callable[[Server], Any]) -> None:
    client_of(server).client_setname(str(BADGES[0]))
    assert found(server, "workers").text == "1 worker: one (process 7, avx512 kernel, lanes=2,sat=1)"
    assert found(server, "queue").text == "solved"


def test_workers_of_which_none_answers_are_a_problem(server: Server, client_of: Callable[[Server], Any]) -> None:
    client_of(server).client_setname(str(BADGES[0]))
    assert found(server, "queue", nobody).grade is Grade.PROBLEM


def test_different_widths_of_the_kernel_are_no_fault() -> None:
    assert list(fleet.mixed(BADGES)) == []


@pytest.mark.parametrize(
    ("other", "subject", "text"),
    [
        (Badge("0.9", "old", "7", "avx2", "lanes=2,sat=1"), "releases", "0.9 on old; 1.0 on one, two"),
        (
            Badge("1.0", "bare", "7", "python", "sat=1"),
            "solvers of workers",
            "sat=1 on bare",
        ),
    ],
)
def test_workers_that_differ_are_named(other: Badge, subject: str, text: str) -> None:
    (finding,) = fleet.mixed([*BADGES, other])
    assert (finding.subject, finding.grade) == (subject, Grade.WARNING)
    assert text in finding.text


@pytest.fixture
def client_of() -> Any:
    """A client on a server, closed with the test."""
    opened: list[Any] = []

    def client(server: Server) -> Any:
        opened.append(broker.redis_client(Settings.load(broker=server.url)))
        return opened[-1]

    yield client
    for one in opened:
        one.close()
