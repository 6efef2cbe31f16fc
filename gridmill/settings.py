"""Every setting: a ``GRIDMILL_*`` variable and, where a command has it, the option of the same name.

An option given on the command line goes before the variable, the variable before the default. ``lease`` is
``GRIDMILL_LEASE`` and ``--lease``. Sizes are bytes, and may be written ``64MB`` or ``64MiB``; times are seconds.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import ByteSize, Field, PositiveInt, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from gridmill.errors import SettingsError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]

VARIABLE = "GRIDMILL_"
SLIP = 0.87  # of two names, how like each other they are when one is meant and the other written (1: the same)
SHOWN = 80  # characters of an unusable value in the error: what was meant is seen, though it be a whole file
WORKERS_MOST = 4096  # processes, far above the cores of any machine: more is a slip of the pen that no system survives
# Bytes: with 64 MB some solvers' threads do not start, and a child whose heart cannot start does nothing for ever; with
# 100 MB all of them solve.
CHILD_MEMORY_LEAST = 128_000_000
_NAME = r"[A-Za-z0-9_.-]{1,64}"  # no colon, brace or star: they have a meaning in keys, hash tags and key patterns
_CPU_QUOTA = Path("/sys/fs/cgroup/cpu.max")  # "max 100000" or "200000 100000": microseconds of CPU in each period


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


class Settings(BaseSettings):
    """The settings of one process, immutable. Make them with `load`, which explains what is wrong."""

    model_config = SettingsConfigDict(env_prefix=VARIABLE, env_ignore_empty=True, extra="forbid", frozen=True)

    broker: str | None = Field(
        None,
        repr=False,  # it may hold a password
        description="URL of a Redis or Valkey server: redis://, rediss:// (TLS), unix:// or sentinel://",
    )
    prefix: str = Field(
        "gridmill", pattern=rf"^{_NAME}$", description="first part of every key: letters, digits, '_', '.' and '-'"
    )
    queue: str = Field(
        "gridmill", pattern=rf"^{_NAME}$", description="name of the task queue: letters, digits, '_', '.' and '-'"
    )
    state_dir: Path = Field(
        default_factory=_state_dir, description="folder for what must outlive a run: jobs and the private server's data"
    )
    # One a core: solving is pure computing, so more would only wait for each other.
    workers: PositiveInt = Field(
        default_factory=usable_cores, le=WORKERS_MOST, description="number of solving processes"
    )
    # Short against a chunk's 0.4 s times the pieces in flight, long against the microseconds that a look costs.
    tick: Seconds = Field(0.25, description="seconds between two looks at how a job or a worker does")
    # A third of the lease, so that one beat may be late and another be lost.
    beat: Seconds = Field(5.0, description="seconds between two signs of life of a worker, less than the lease")
    # Far above what a chunk takes, and short enough that a dead worker delays a run by seconds only.
    lease: Seconds = Field(15.0, description="seconds without a sign of life after which a piece is overdue")
    # The time that a message takes from hand to hand, with plenty to spare; each re-send doubles it, since a
    # broker that is slow rather than empty must not be flooded.
    grace: Seconds = Field(5.0, description="seconds to wait before a lost message is sent again the first time")
    # A lost piece is looked after once a minute however often it was lost before.
    grace_max: Seconds = Field(60.0, description="most seconds to wait before a lost message is sent again")
    # Ten of the largest chunks, so that two workers never wait for the producer; a server with it takes 90 to 114 MB.
    # More solving processes than five want more (docs/scaling.md).
    in_flight: ByteSize = Field(
        ByteSize(96_000_000), gt=0, description="bytes of work that may wait in the server at a time, e.g. 96MB"
    )
    # One for bad luck, one for a bad host; the third says that it is the piece.
    tries: PositiveInt = Field(3, description="starts of a piece without an answer, before it is split")
    lies: PositiveInt = Field(3, description="wrong answers about a piece, before the collector solves it itself")
    # One in a thousand costs 0.05 us of CPU a record, some hundredths of the whole way; of a worker that makes up one
    # answer in a hundred, it finds one among 100,000 with two chances in three.
    audit: float = Field(
        0.001, ge=0, le=1, description="share of the answers that are derived again, from 0 to 1 (all of them)"
    )
    # Python, the SAT solver and its libraries map 0.3 GB of addresses; the rest is for the search.
    child_memory: ByteSize = Field(
        ByteSize(1_000_000_000),
        ge=CHILD_MEMORY_LEAST,
        description="bytes of memory for each process that solves, a worker's or the collector's own, e.g. 1GB",
    )
    # A thousand times what the worst known board takes.
    child_seconds: Seconds = Field(10.0, description="seconds for a board in the collector's own solving process")
    log_format: Literal["auto", "console", "json"] = Field(
        "auto", description="form of the log: console, json, or auto (console on a terminal, json elsewhere)"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="least level that is logged: debug, info, warning or error"
    )

    @field_validator("log_level", "log_format", mode="before")
    @classmethod
    def _lower(cls, value: Any) -> Any:
        return value.lower() if isinstance(value, str) else value

    @field_validator("state_dir")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        try:
            return value.expanduser().absolute()
        except RuntimeError as error:  # ~name of nobody
            raise ValueError("there is no such home folder") from error

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        for low, high in (("beat", "lease"), ("grace", "grace_max")):
            less, more = getattr(self, low), getattr(self, high)
            if less > more:
                raise ValueError(
                    f"{low} ({less:g} s) must not be greater than {high} ({more:g} s): "
                    f"change {VARIABLE}{low.upper()} or {VARIABLE}{high.upper()}"
                )
        return self

    @classmethod
    def load(cls, **overrides: Any) -> Self:
        """Read the variables; ``overrides`` are options from the command line, None where one was not given.

        Raises SettingsError, which names every unusable variable or option, and what it takes; also for a variable
        that is none, when it is nearly called like one: it would do nothing, and nobody would know.
        """
        _refuse_slips()
        given = {name: value for name, value in overrides.items() if value is not None}
        try:
            return cls(**given)
        except ValidationError as error:
            raise SettingsError("\n".join(_explain(fault, given) for fault in error.errors())) from error

    def variables(self) -> dict[str, str]:
        """These settings as environment variables, for a process that shall have the same."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return {VARIABLE + name.upper(): str(value) for name, value in values.items() if value is not None}


def _refuse_slips() -> None:
    known = {VARIABLE + name.upper() for name in Settings.model_fields}
    strange = [name for name in os.environ if name.startswith(VARIABLE) and name not in known]
    if not strange:
        return
    import difflib  # 5 ms, which a start is better without

    slips = {name: near[0] for name in strange if (near := difflib.get_close_matches(name, known, 1, SLIP))}
    if slips:
        raise SettingsError("\n".join(f"{name} is no setting; is {meant} meant?" for name, meant in slips.items()))


def _explain(fault: "ErrorDetails", given: dict[str, Any]) -> str:
    """One line about one unusable value: who gave it, what is wrong, what it takes."""
    problem = fault["msg"].removeprefix("Value error, ")
    if not fault["loc"]:  # a rule about several settings, which it names itself
        return problem
    field = str(fault["loc"][0])
    if field not in Settings.model_fields:
        return f"there is no setting {field!r}"
    name = f"--{field.replace('_', '-')}" if field in given else VARIABLE + field.upper()
    given_as = repr(fault["input"])
    shown = given_as if len(given_as) <= SHOWN else f"{given_as[:SHOWN]}…"
    value = "" if field == "broker" else f" is {shown}"  # a URL may hold a password
    description = Settings.model_fields[field].description
    return f"{name}{value}: {problem[:1].lower()}{problem[1:]}; it takes the {description}"
