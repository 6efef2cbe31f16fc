"""A server that has the users of examples/users.acl, each with the same password."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import pytest

from gridmill.embedded import find
from gridmill.errors import BrokerError

FILE = Path(__file__).parent.parent / "examples" / "users.acl"
PASSWORD = "p#/@:w %"  # all that has a meaning in a URL


def with_passwords(text: str) -> str:
    """The file as somebody has it who gave every user a password, by its hash, since it cannot have a blank there."""
    secret = sha256(PASSWORD.encode()).hexdigest()
    return "".join(f"{line}{'' if ' off ' in line else f' #{secret}'}\n" for line in text.splitlines())


@contextmanager
def serving(data: Path) -> Iterator[Path]:
    """The socket of such a server, which keeps its files in ``data``. Raises BrokerError where there is none."""
    program = find()
    (data / "users.acl").write_text(with_passwords(FILE.read_text()))
    with tempfile.TemporaryDirectory(prefix="gridmill-test-") as folder:  # a socket's path must be short
        socket = Path(folder) / "socket"
        words = ["--port", "0", "--unixsocket", str(socket), "--dir", str(data), "--aclfile", str(data / "users.acl")]
        with subprocess.Popen([str(program), *words], stdout=subprocess.DEVNULL) as server:
            yield socket
            server.terminate()


@contextmanager
def served(data: Path) -> Iterator[Path]:
    """The same; where there is no server, the test is skipped, or fails where none may be missing."""
    try:
        with serving(data) as socket:
            yield socket
    except BrokerError as error:
        (pytest.fail if "GRIDMILL_CI" in os.environ else pytest.skip)(str(error))


def url(place: Path, role: str) -> str:
    """The address of the server whose socket is ``place``, for the user of ``role``."""
    return f"unix://gridmill-{role}:{quote(PASSWORD, safe='')}@{place}"
