"""Every error that Gridmill raises on purpose.

GridmillError
├── BoardError          a text or grid is not a 9×9 board
├── WireError           bytes from the broker do not have the agreed form
│   └── OtherRelease    they have that of another release
├── FormatError         an input as a whole cannot be read: unknown, refused or ambiguous
├── SettingsError       an option or GRIDMILL_* variable has an unusable value
├── KernelError         the native kernel is required and missing
├── PackageError        what was asked for needs a package that is not installed
├── BrokerError         no server, or one that cannot be used
│   └── BrokerLost      the connection broke or the server cannot answer now; trying again is right
│       └── BrokerFull  the server is at its memory limit
├── JobError            a job cannot go on
│   ├── UnknownJob      no such job on this broker
│   ├── JobEnded        it is done or cancelled, and what was asked needs one that is open
│   ├── Fenced          somebody else has taken over this role for the job
│   ├── Incomplete      the job stopped before its end and can be resumed
│   │   └── Stopped     because a signal said so
│   └── InputChanged    the input is not the one the job was started with
├── WrongAnswer         what a benchmark measured gave a false answer
└── OutputError         the output or its journal cannot be written, or belongs to another run
    └── OutputRefused   before anything was begun: the output that was named cannot be used
"""


class GridmillError(Exception):
    """The root. Its text is written for the person who reads it: what is wrong, where, and what to do."""


class BoardError(GridmillError, ValueError):
    """Not a board. ``column`` counts characters from 1 (0: the text as a whole), ``found`` is what stood there."""

    def __init__(self, message: str, *, column: int = 0, found: str = "") -> None:
        super().__init__(message)
        self.column = column
        self.found = found


class WireError(GridmillError, ValueError):
    """Bytes from the broker do not have the form that this version writes."""


class OtherRelease(WireError):
    """A release with another wire version made the job."""


class FormatError(GridmillError, ValueError):
    """An input as a whole cannot be read."""


class SettingsError(GridmillError, ValueError):
    """An option or variable has an unusable value."""


class KernelError(GridmillError, RuntimeError):
    """The native kernel was demanded and is not there."""


class PackageError(GridmillError, ImportError):
    """What was asked for needs a package that is not installed."""


class BrokerError(GridmillError, RuntimeError):
    """The broker cannot be reached or used."""


class BrokerLost(BrokerError):
    """The connection broke, or the server cannot answer now; trying again later is right."""


class BrokerFull(BrokerLost):
    """The server is at its memory limit."""


class JobError(GridmillError, RuntimeError):
    """A job cannot go on. ``job`` is its id."""

    def __init__(self, message: str, *, job: str = "") -> None:
        super().__init__(message)
        self.job = job


class UnknownJob(JobError):
    """No such job on this broker."""


class JobEnded(JobError):
    """The job is done or cancelled already."""


class Fenced(JobError):
    """Another process has taken this role over."""


class Incomplete(JobError):
    """Stopped before the end; what was written stays valid and the job can be resumed."""


class Stopped(Incomplete):
    """This process was told to stop. ``signal`` is the number of the signal."""

    def __init__(self, message: str, *, job: str = "", signal: int) -> None:
        super().__init__(message, job=job)
        self.signal = signal


class InputChanged(JobError):
    """The input is not the one that the job was started with."""


class WrongAnswer(GridmillError, RuntimeError):
    """An answer that was measured is false: a fault in Gridmill."""


class OutputError(GridmillError, RuntimeError):
    """The output or its journal cannot be written, or another collector has it."""


class OutputRefused(OutputError):
    """The output that was named cannot be used, and nothing was begun: it exists, is another job's, has no folder."""
