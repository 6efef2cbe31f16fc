"""Every setting: a ``GRIDMILL_*`` variable and, where a command has it, the option of the same name.

An option given on the command line goes before the variable, the variable before the default. ``lease`` is
``GRIDMILL_LEASE`` and ``--lease``. Sizes are bytes, and may be written ``64MB`` or ``64MiB``; times are seconds.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple, Self

from gridmill.errors import SettingsError
from gridmill.kinds import BYTES, COUNT, FOLDER, NAME, SECONDS, URL, Kind, one_of

VARIABLE = "GRIDMILL_"
_CPU_QUOTA = Path("/sys/fs/cgroup/cpu.max")  # "max 100000" or "200000 100000": microseconds of CPU in each period


class Setting(NamedTuple):
    """What is known of a setting; ``default`` None: there is none, or it depends on the machine."""

    kind: Kind
    description: str
    default: Any


def usable_cores() -> int:
    """How many cores this process may use: its CPU affinity, cut to the quota of its container; at least 1."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = _CPU_QUOTA.read_text("ascii").split()
        return max(1, min(cores, int(quota) // int(period)))
    except (OSError, ValueError):  # no cgroup v2, or no quota ("max")
        return cores


def _state_dir() -> Path:
    """``$XDG_STATE_HOME/gridmill``; by the XDG rules a relative path there does not count."""
    base = Path(os.environ.get("XDG_STATE_HOME", ""))
    try:
        return (base if base.is_absolute() else Path.home() / ".local" / "state") / "gridmill"
    except RuntimeError as error:  # a user without a home, in a container
        raise SettingsError("this user has no home folder: say with GRIDMILL_STATE_DIR where jobs are kept") from error


def _field(kind: Kind, default: Any, description: str, *, secret: bool = False) -> Any:
    """A field whose ``default`` is a value, or what makes it; ``secret``: it may hold a password."""
    if callable(default):
        return field(default_factory=default, metadata={"setting": Setting(kind, description, None)})
    return field(default=default, repr=not secret, metadata={"setting": Setting(kind, description, default)})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of one process, immutable. Make them with `load`, which explains what is wrong."""

    broker: str | None = _field(
        URL, None, "URL of a Redis or Valkey server: redis://, rediss:// (TLS) or unix://", secret=True
    )
    prefix: str = _field(NAME, "gridmill", "first part of every key: letters, digits, '_', '.' and '-'")
    queue: str = _field(NAME, "gridmill", "name of the task queue: letters, digits, '_', '.' and '-'")
    state_dir: Path = _field(  # noqa: RUF009  # it makes a field, and a path cannot be changed
        FOLDER, _state_dir, "folder for what must outlive a run: jobs and the private server's data"
    )
    # One a core: solving is pure computing, so more would only wait for each other.
    workers: int = _field(COUNT, usable_cores, "number of solving processes")
    # Short against a chunk's 100 ms times the pieces in flight, long against the microseconds that a look costs.
    tick: float = _field(SECONDS, 0.25, "seconds between two looks of the collector")
    # A third of the lease, so that one beat may be late and another be lost.
    beat: float = _field(SECONDS, 5.0, "seconds between two signs of life of a worker, less than the lease")
    # Far above what a chunk takes, and short enough that a dead worker delays a run by seconds only.
    lease: float = _field(SECONDS, 15.0, "seconds without a sign of life after which a piece is overdue")
    # The time that a message takes from hand to hand, with plenty to spare; each re-send doubles it, since a
    # broker that is slow rather than empty must not be flooded.
    grace: float = _field(SECONDS, 5.0, "seconds to wait before a lost message is sent again the first time")
    # A lost piece is looked after once a minute however often it was lost before.
    grace_max: float = _field(SECONDS, 60.0, "most seconds to wait before a lost message is sent again")
    # Hundreds of chunks, so no worker waits for the producer, in half of what the server may use in memory.
    in_flight: int = _field(BYTES, 64_000_000, "bytes of work that may wait in the server at a time, e.g. 64MB")
    # One for bad luck, one for a bad host; the third says that it is the piece.
    tries: int = _field(COUNT, 3, "starts of a piece without an answer, before it is no longer sent out")
    lies: int = _field(COUNT, 3, "wrong answers about a piece, before the collector solves it itself")
    # Python, the SAT solver and its libraries map 0.3 GB of addresses; the rest is for the search.
    child_memory: int = _field(
        BYTES, 1_000_000_000, "bytes of memory for the collector's own solving process, e.g. 1GB"
    )
    # A thousand times what the worst known board takes.
    child_seconds: float = _field(SECONDS, 10.0, "seconds for a board in the collector's own solving process")
    log_format: str = _field(
        one_of("auto", "console", "json"), "auto", "form of the log; auto: console on a terminal, json elsewhere"
    )
    log_level: str = _field(one_of("debug", "info", "warning", "error"), "info", "least level that is logged")

    @classmethod
    def load(cls, defaults: Mapping[str, Any] | None = None, /, **overrides: object) -> Self:
        """Read the variables; ``overrides`` are options from the command line, None where one was not given.

        ``defaults`` go before those of the fields. Raises SettingsError, which names every unusable variable or option,
        and what it takes.
        """
        given = {name: value for name, value in overrides.items() if value is not None}
        faults = [f"there is no setting {name!r}" for name in given if name not in SETTINGS]
        values = dict(defaults or {})
        for name, setting in SETTINGS.items():
            value = given.get(name, os.environ.get(VARIABLE + name.upper()) or None)
            if value is not None:
                try:
                    values[name] = setting.kind.read(str(value))
                except ValueError as error:
                    origin = f"--{name.replace('_', '-')}" if name in given else VARIABLE + name.upper()
                    faults.append(f"{origin} is {value!r}: {error}; it takes the {setting.description}")
        if faults:
            raise SettingsError("\n".join(faults))
        return cls(**values)

    def __post_init__(self) -> None:
        """Raises SettingsError for two times in the wrong order."""
        for low, high in (("beat", "lease"), ("grace", "grace_max")):
            less, more = getattr(self, low), getattr(self, high)
            if less > more:
                raise SettingsError(
                    f"{low} ({less:g} s) must not be greater than {high} ({more:g} s): "
                    f"change {VARIABLE}{low.upper()} or {VARIABLE}{high.upper()}"
                )

    def variables(self) -> dict[str, str]:
        """These settings as environment variables, for a process that shall have the same."""
        values = {name: getattr(self, name) for name in SETTINGS}
        return {VARIABLE + name.upper(): str(value) for name, value in values.items() if value is not None}


SETTINGS: dict[str, Setting] = {each.name: each.metadata["setting"] for each in fields(Settings)}
