"""Over TLS: a server in front of which a certificate stands that an authority of the test's own has signed.

The embedded server has no TLS built in, so a proxy in this process ends it. Both libraries that connect are tested:
redis-py for the ledger, kombu for the queue.
"""

import contextlib
import datetime
import ipaddress
import os
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from kombu.exceptions import OperationalError

from gridmill import broker
from gridmill.embedded import Server
from gridmill.errors import BrokerError
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.settings import Settings

try:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
except ImportError:
    if "GRIDMILL_CI" in os.environ:
        raise
    pytest.skip("certificates are made with the package cryptography", allow_module_level=True)

PIECE = Piece(0, 0, 1)
BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
DAY = datetime.timedelta(days=1)


Serve = Callable[..., int]


class Authority:
    """One that signs certificates; ``file`` is its own."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._key = folder, ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(self._signed(self._name, self._key, x509.BasicConstraints(ca=True, path_length=0)))

    def sign(self, name: str, *hosts: x509.GeneralName) -> tuple[Path, Path]:
        """Certificate and key, as files, of who has these names."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        certificate, secret = self._folder / f"{name}.crt", self._folder / f"{name}.key"
        certificate.write_bytes(self._signed(subject, key, x509.SubjectAlternativeName(hosts or [x509.DNSName(name)])))
        form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        secret.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))
        return certificate, secret

    def _signed(self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, extension: x509.ExtensionType) -> bytes:
        now = datetime.datetime.now(datetime.UTC)
        builder = x509.CertificateBuilder(self._name, subject, key.public_key(), x509.random_serial_number())
        builder = builder.not_valid_before(now - DAY).not_valid_after(now + DAY).add_extension(extension, critical=True)
        return builder.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


class Proxy:
    """Ends TLS on a port of this machine, and passes on what comes to a server's socket."""

    def __init__(self, path: Path, context: ssl.SSLContext) -> None:
        self._path, self._context = path, context
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(plain,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        with (
            self._context.wrap_socket(plain, server_side=True, do_handshake_on_connect=False) as near,
            socket.socket(socket.AF_UNIX) as far,
        ):
            try:
                near.do_handshake()
            except OSError:  # the client would have none of our certificate, or we none of its
                _hear_out(socket.socket(fileno=near.detach()))
                return
            far.connect(str(self._path))
            threading.Thread(target=_pass_on, args=(far, near), daemon=True).start()
            _pass_on(near, far)


def _hear_out(plain: socket.socket) -> None:
    """Close a connection so that the client gets to read why: not while what it has sent is unread."""
    with plain, contextlib.suppress(OSError):
        plain.shutdown(socket.SHUT_WR)
        while plain.recv(65536):
            pass


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_RDWR)
    except OSError:  # the other direction has closed it
        pass


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "authority")


@pytest.fixture
def serve(server: Server) -> Iterator[Serve]:
    """``serve(certificate, key, client_authority=None)``: the port where that certificate is shown."""
    proxies: list[Proxy] = []

    def run(certificate: Path, key: Path, client_authority: Path | None = None) -> int:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        if client_authority is not None:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(client_authority)
        proxies.append(Proxy(server.socket, context))
        return proxies[-1].port

    yield run
    for proxy in proxies:
        proxy.close()


@pytest.fixture
def port(authority: Authority, serve: Serve) -> int:
    """Where a server shows a certificate of `authority` for localhost."""
    return serve(*authority.sign("localhost"))


def use(url: str) -> None:
    """Both libraries connect and say something."""
    settings = Settings.load(broker=url)
    with broker.redis_client(settings) as client:
        broker.check(client, settings)
        Ledger.of(client, settings).send("j1", PIECE, 1)
        assert client.llen(broker.queue_key(settings)) == 1


def refusal(url: str) -> str:
    """What `broker.check` says; kombu must not connect either."""
    settings = Settings.load(broker=url)
    with broker.redis_client(settings) as client, pytest.raises(BrokerError) as caught:
        broker.check(client, settings)
    with broker.make_app(settings).connection_for_read() as connection, pytest.raises(OperationalError):
        connection.ensure_connection(max_retries=1)
    return str(caught.value)


def test_a_server_whose_authority_is_named_is_trusted(authority: Authority, port: int) -> None:
    use(f"rediss://localhost:{port}/0?ssl_ca_certs={authority.file}")


def test_a_job_runs_over_tls(authority: Authority, port: int, start: Any, command: Any, tmp_path: Path) -> None:
    url = f"rediss://localhost:{port}/0?ssl_ca_certs={authority.file}"
    (tmp_path / "in.txt").write_text(
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"
    )
    start("work", "--broker", url)
    job = command("submit", "--quiet", "in.txt", "--broker", url).stdout.strip()
    collected = command("collect", job, "--broker", url, "--quiet")
    assert collected.returncode == 0, collected.stderr
    assert ",unique,1,5346" in collected.stdout


def test_a_server_of_an_unknown_authority_is_refused(port: int) -> None:
    said = refusal(f"rediss://localhost:{port}/0")
    assert "its certificate is not to be trusted" in said
    assert "ssl_ca_certs" in said


def test_a_server_of_another_authority_is_refused(port: int, tmp_path: Path) -> None:
    other = Authority(tmp_path, "other")
    assert "not to be trusted" in refusal(f"rediss://localhost:{port}/0?ssl_ca_certs={other.file}")


def test_a_certificate_for_another_name_is_refused(authority: Authority, serve: Serve) -> None:
    port = serve(*authority.sign("queue.example"))
    said = refusal(f"rediss://localhost:{port}/0?ssl_ca_certs={authority.file}")
    assert "its certificate is for another name" in said
    assert "localhost" in said


def test_a_certificate_for_an_address_is_good_for_that_address(authority: Authority, serve: Serve) -> None:
    port = serve(*authority.sign("box", x509.IPAddress(ipaddress.ip_address("127.0.0.1"))))
    use(f"rediss://127.0.0.1:{port}/0?ssl_ca_certs={authority.file}")
    assert "another name" in refusal(f"rediss://localhost:{port}/0?ssl_ca_certs={authority.file}")


def test_who_says_so_connects_without_a_check(port: int) -> None:
    use(f"rediss://localhost:{port}/0?ssl_cert_reqs=none")


def test_a_server_that_wants_a_certificate_gets_it(authority: Authority, serve: Serve) -> None:
    port = serve(*authority.sign("localhost"), client_authority=authority.file)
    certificate, key = authority.sign("worker")
    ours = f"ssl_certfile={certificate}&ssl_keyfile={key}"
    use(f"rediss://localhost:{port}/0?ssl_ca_certs={authority.file}&{ours}")


def test_a_server_that_wants_a_certificate_is_told_from_others(authority: Authority, serve: Serve) -> None:
    port = serve(*authority.sign("localhost"), client_authority=authority.file)
    assert "ssl_certfile" in refusal(f"rediss://localhost:{port}/0?ssl_ca_certs={authority.file}")


def test_a_server_without_tls_is_told_from_one_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_answer_plainly, args=(listener,), daemon=True).start()
        port = listener.getsockname()[1]
        settings = Settings.load(broker=f"rediss://127.0.0.1:{port}/0")
        with broker.redis_client(settings) as client, pytest.raises(BrokerError, match="does not speak TLS"):
            broker.check(client, settings)


def _answer_plainly(listener: socket.socket) -> None:
    """As a server does that gets no command it knows."""
    try:
        while True:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"-ERR unknown command\r\n" * 10)
    except OSError:  # closed by the test
        pass


@pytest.mark.parametrize("option", ["ssl_ca_certs", "ssl_certfile", "ssl_keyfile"])
def test_a_file_that_is_not_there_is_named(option: str) -> None:
    with pytest.raises(BrokerError, match=f"{option}=/nowhere/file: there is no such file"):
        broker.redis_client(Settings.load(broker=f"rediss://localhost/0?{option}=/nowhere/file"))
