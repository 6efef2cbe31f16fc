"""Addresses: what is understood, in whose form it is handed on, and that no password is ever shown."""

import pytest
from kombu.utils.url import parse_url as kombu_reads
from redis import ConnectionPool

from gridmill.address import Address, safe_url
from gridmill.errors import BrokerError


def refused(url: str) -> str:
    with pytest.raises(BrokerError) as caught:
        Address.parse(url)
    return str(caught.value)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://box", Address(host="box")),
        ("redis://", Address(host="localhost")),
        ("redis://box:7000/2", Address(host="box", port=7000, db=2)),
        ("redis://box?db=2", Address(host="box", db=2)),
        ("redis://:p%23w@box", Address(host="box", password="p#w")),
        ("redis://me:p%2Fw@box/", Address(host="box", user="me", password="p/w")),
        ("redis://[::1]:7000", Address(host="::1", port=7000)),
        ("rediss://box", Address(host="box", tls={"ssl_cert_reqs": "required"})),
        ("rediss://box?ssl_cert_reqs=CERT_NONE", Address(host="box", tls={"ssl_cert_reqs": "none"})),
        ("unix:///run/a.sock", Address(path="/run/a.sock")),
        ("unix:///run/a.sock?db=3", Address(path="/run/a.sock", db=3)),
        ("redis+socket:///run/a.sock?virtual_host=3", Address(path="/run/a.sock", db=3)),
        ("unix://:pw@/run/a%20b", Address(path="/run/a b", password="pw")),
        ("sentinel://box/mill", Address(sentinels=(("box", 26379),), primary="mill")),
        (
            "sentinel://me:p%40w@box:1,[::1]:2/mill?db=3",
            Address(sentinels=(("box", 1), ("::1", 2)), primary="mill", user="me", password="p@w", db=3),
        ),
    ],
)
def test_an_address_is_read(url: str, address: Address) -> None:
    assert Address.parse(url) == address


@pytest.mark.parametrize(
    "address",
    [
        Address(host="box", port=7000, db=2, user="me", password="p#/@:w"),
        Address(host="::1"),
        Address(path="/run/a b/s", db=3, user="me", password="p@w"),
        Address(host="box", tls={"ssl_ca_certs": "/etc/my ca.pem", "ssl_cert_reqs": "required"}),
    ],
)
def test_both_forms_of_an_address_say_the_same(address: Address) -> None:
    assert Address.parse(address.celery) == address
    assert Address.parse(address.redis) == address


def test_celery_reads_what_was_meant() -> None:
    found = kombu_reads(Address(host="box", port=7000, db=2, user="me", password="p#/@:w").celery)
    assert (found["transport"], found["hostname"], found["port"], found["virtual_host"]) == ("redis", "box", 7000, "2")
    assert (found["userid"], found["password"]) == ("me", "p#/@:w")


def test_redis_reads_what_was_meant() -> None:
    found = ConnectionPool.from_url(
        Address(path="/run/a b/s", db=3, user="me", password="p#/@:w").redis
    ).connection_kwargs
    assert (found["path"], found["db"], found["username"], found["password"]) == ("/run/a b/s", 3, "me", "p#/@:w")


def test_over_tls_celery_checks_the_certificate() -> None:
    found = kombu_reads(Address.parse("rediss://box").celery)
    assert found["ssl"]["ssl_cert_reqs"].name == "CERT_REQUIRED"


@pytest.mark.parametrize("url", ["memory://", "amqp://box", "localhost:6379", "sentinel://box", "", "box"])
def test_what_is_not_redis_is_refused_and_the_forms_are_named(url: str) -> None:
    assert "redis://HOST:6379/0" in refused(url)


@pytest.mark.parametrize(
    ("url", "remedy"),
    [
        ("redis://:\udcff@box:1", "not UTF-8"),
        ("redis://box:port", "host or port cannot be read"),
        ("redis://box:99999", "host or port cannot be read"),
        ("redis://:pa/ss@box:1", "%2F for /"),
        ("redis://box/0#w", "%23"),
        ("redis://box/first", "a database is a number, not 'first'"),
        ("redis://box/-1", "a database is a number, not '-1'"),
        ("redis://box?timeout=3", "unknown part 'timeout'"),
        ("redis://box?ssl_cert_reqs=none", "unknown part 'ssl_cert_reqs'"),
        ("rediss://box?ssl_cert_reqs=maybe", "one of required, optional, none"),
        ("unix://run/a.sock", "three slashes"),
        ("unix://", "three slashes"),
        ("sentinel://box:x,box/mill", "host or port cannot be read"),
        ("sentinel://box", "sentinel://HOST,HOST/NAME"),
    ],
)
def test_a_broken_address_is_refused_with_the_remedy(url: str, remedy: str) -> None:
    assert remedy in refused(url)


@pytest.mark.parametrize(
    "url",
    [
        "redis://:secret@box:port",
        "redis://me:secret@box/first",
        "redis://:sec#secret@box",
        "redis://:sec/secret@box:1",
        "redis://:sec@secret@box:x",
        "unix:///run/a.sock?password=secret",
        "memory://:secret@box",
    ],
)
def test_a_refusal_does_not_show_the_password(url: str) -> None:
    assert "secret" not in refused(url)


def test_celery_reads_every_sentinel() -> None:
    each = Address.parse("sentinel://me:p%40w@box:1,[::1]:2/mill?db=3").celery.split(";")
    assert each == ["sentinel://me:p%40w@box:1/3", "sentinel://me:p%40w@[::1]:2/3"]


def test_an_address_does_not_show_its_password() -> None:
    address = Address.parse("redis://:secret@box")
    assert "secret" not in f"{address!r} {address}"


def test_a_url_without_a_password_is_shown_whole() -> None:
    assert safe_url("redis://box:6379/0") == "redis://box:6379/0"


def test_a_database_of_any_number_of_digits_is_refused_in_words() -> None:
    with pytest.raises(BrokerError, match="a database is a number"):
        Address.parse("redis://h/" + "9" * 5000)
