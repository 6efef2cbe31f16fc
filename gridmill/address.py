"""An address: where a broker is, read from a URL, and written in the forms that Celery and redis-py take.

    redis://[[USER]:PASSWORD@]HOST[:PORT][/DB]       rediss://… the same over TLS
    unix://[[USER]:PASSWORD@]/PATH[?db=DB]           redis+socket://…/PATH[?virtual_host=DB], Celery's name for it
    sentinel://[[USER]:PASSWORD@]HOST[:PORT][,HOST[:PORT]…]/NAME[?db=DB]   the primary that these sentinels call NAME

A TLS address may carry redis-py's ``ssl_cert_reqs`` and ``ssl_ca_certs``, ``ssl_certfile``, ``ssl_keyfile`` (paths).
Both libraries would fail later and obscurely on what this refuses; and kombu checks no certificate unless told to.
"""

import re
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit

from gridmill.errors import BrokerError

FORMS = "redis://HOST:6379/0, rediss://HOST:6379/0 (TLS), unix:///path/to/socket or sentinel://HOST,HOST/NAME"
PORT = 6379  # registered for Redis
SENTINEL_PORT = 26379  # what a sentinel takes where it is told nothing else
_SOCKETS = ("unix", "redis+socket")
_TLS_OPTIONS = frozenset({"ssl_cert_reqs", "ssl_ca_certs", "ssl_certfile", "ssl_keyfile"})
_CERT_REQS = ("required", "optional", "none")


def safe_url(url: str) -> str:
    """``url`` for a message: what may be a password, in a sound URL or a broken one, is left out."""
    without_user = re.sub(r"(?<=://).*@", "***@", url, flags=re.DOTALL)
    return re.sub(r"(?i)(passw[^=&]*=)[^&]*", r"\1***", without_user)


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is: its socket's ``path``, the ``sentinels`` that call it ``primary``, else ``host`` and ``port``.

    User and password are the server's; sentinels are asked without.
    """

    host: str = ""
    port: int = PORT
    path: str = ""
    db: int = 0
    user: str = ""
    password: str = field(default="", repr=False)
    tls: dict[str, str] | None = None
    sentinels: tuple[tuple[str, int], ...] = ()
    primary: str = ""

    @classmethod
    def parse(cls, url: str) -> Self:
        """Read a URL. Raises BrokerError, with the URL's password left out."""
        if any(map(_is_byte, url)):
            raise _refusal(url, "it is not UTF-8")
        try:
            parts = urlsplit(url)
            sentinels = _sentinels(parts) if parts.scheme == "sentinel" else ()
            port = PORT if sentinels else parts.port or PORT
        except ValueError as error:  # a port that is no number, brackets that do not match
            raise _refusal(url, "its host or port cannot be read; in a password write %23 for #, %2F for /") from error
        if parts.fragment:
            raise _refusal(url, "a # inside a password is written %23")
        options = dict(parse_qsl(parts.query, keep_blank_values=True))
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        if parts.scheme in _SOCKETS:
            return cls(path=_socket(parts, url), db=_database(options, "", url), user=user, password=password)
        if sentinels and (primary := unquote(parts.path.strip("/"))):
            db = _database(options, "", url)
            return cls(db=db, user=user, password=password, sentinels=sentinels, primary=primary)
        if parts.scheme not in ("redis", "rediss"):
            raise _refusal(url, f"Gridmill keeps its ledger in Redis or Valkey: give {FORMS}")
        tls = _tls(options, url) if parts.scheme == "rediss" else None
        db = _database(options, parts.path.strip("/"), url)
        return cls(host=parts.hostname or "localhost", port=port, db=db, user=user, password=password, tls=tls)

    def __str__(self) -> str:
        """Where it is, for a message: without user and password."""
        if self.sentinels:
            return f"{self.primary} of {', '.join(f'{host}:{port}' for host, port in self.sentinels)}"
        return self.path or f"{self.host}:{self.port}"

    @property
    def celery(self) -> str:
        """For Celery, as broker and as result backend."""
        if self.sentinels:
            return ";".join(f"sentinel://{self._login}{_host(host)}:{port}/{self.db}" for host, port in self.sentinels)
        if self.path:
            return f"redis+socket://{self._login}{quote(self.path)}?virtual_host={self.db}"
        return self._tcp

    @property
    def redis(self) -> str:
        """For redis-py, which has no URL for sentinels."""
        return f"unix://{self._login}{quote(self.path)}?db={self.db}" if self.path else self._tcp

    @property
    def _tcp(self) -> str:
        options = "" if self.tls is None else "?" + urlencode(self.tls)
        scheme = "redis" if self.tls is None else "rediss"
        return f"{scheme}://{self._login}{_host(self.host)}:{self.port}/{self.db}{options}"

    @property
    def _login(self) -> str:
        if not self.user and not self.password:
            return ""
        return f"{quote(self.user, safe='')}:{quote(self.password, safe='')}@"


def _is_byte(sign: str) -> bool:
    """Whether it is Python's stand-in for a byte that is no text: no server could be sent it."""
    return "\ud800" <= sign <= "\udfff"


def _host(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def _sentinels(parts: SplitResult) -> tuple[tuple[str, int], ...]:
    """Host and port of each; raises ValueError for what is none."""
    each = [urlsplit(f"//{one}") for one in parts.netloc.rpartition("@")[2].split(",")]
    return tuple((one.hostname or "localhost", one.port or SENTINEL_PORT) for one in each)


def _refusal(url: str, reason: str) -> BrokerError:
    return BrokerError(f"{safe_url(url)!r} is not a server's address: {reason}")


def _socket(parts: SplitResult, url: str) -> str:
    if parts.hostname or parts.path in ("", "/"):
        raise _refusal(url, "a socket is given by its absolute path, with three slashes: unix:///path/to/socket")
    return unquote(parts.path)


def _database(options: dict[str, str], path: str, url: str) -> int:
    """The database number, from the path or one of the two names it has in a query; the rest must be empty."""
    given = options.pop("db", "") or options.pop("virtual_host", "") or path or "0"
    if options:
        raise _refusal(url, f"it has the unknown part {next(iter(options))!r}")
    if re.fullmatch("[0-9]{1,9}", given) is None:
        raise _refusal(url, f"a database is a number, not {given!r}")
    return int(given)


def _tls(options: dict[str, str], url: str) -> dict[str, str]:
    """Take the TLS options out of ``options``; certificates are checked unless the address says otherwise."""
    tls = {name: options.pop(name) for name in sorted(_TLS_OPTIONS & options.keys())}
    checks = tls.setdefault("ssl_cert_reqs", "required").removeprefix("CERT_").lower()
    if checks not in _CERT_REQS:
        raise _refusal(url, f"ssl_cert_reqs is one of {', '.join(_CERT_REQS)}")
    return {**tls, "ssl_cert_reqs": checks}
