"""What others see of a job, whoever shows it to them: its collector, or from elsewhere a `gridmill.onlooker.Look`."""

from collections.abc import Mapping
from typing import Protocol


class Seen(Protocol):
    """Of ``job``, ``enqueued`` records were sent and ``written`` ones are in the output, with ``counts`` by status and
    the like; ``total`` is None until the input has been read to its end."""

    @property
    def job(self) -> str: ...
    @property
    def written(self) -> int: ...
    @property
    def enqueued(self) -> int: ...
    @property
    def total(self) -> int | None: ...
    @property
    def counts(self) -> Mapping[str, int]: ...


class Size(Protocol):
    """What is known of an input that is being read: ``position`` of ``size`` bytes (None: it is a stream), of which
    ``read`` records came. It may be read ahead of what is sent, and is read again by a run that goes on."""

    @property
    def size(self) -> int | None: ...
    @property
    def position(self) -> int: ...
    @property
    def read(self) -> int: ...
