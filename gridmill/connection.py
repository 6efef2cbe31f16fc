"""The connection to the server that runs the steps: bringing them there, running them, and what its refusals mean.

What a step does stands in ``steps/*.lua``, what it is asked and says in `gridmill.ledger`.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import redis

from gridmill import refusal
from gridmill.errors import BrokerError, BrokerLost


class _Step(NamedTuple):
    """``sha``: the name by which a server knows ``text`` that was brought there."""

    sha: str
    text: str


@cache
def _steps() -> dict[str, _Step]:
    """Each step by name; what all share goes before it."""
    files = {
        file.name.removesuffix(".lua"): file.read_text() for file in (resources.files("gridmill") / "steps").iterdir()
    }
    shared = files.pop("entry")
    texts = {name: shared + text for name, text in files.items()}
    return {name: _Step(hashlib.sha1(text.encode()).hexdigest(), text) for name, text in texts.items()}


class Connection:
    """``client`` is a pool of connections.

    All methods raise `BrokerLost` when the connection broke or the server cannot answer now (try again later), else
    `BrokerError`.
    """

    def __init__(self, client: "redis.Redis") -> None:
        self._client = client

    def offer(self) -> None:
        """Load every step, so that a user who may only run what has been loaded (a worker's) finds it.

        Raises BrokerError for such a user."""
        try:
            self.call(_bring)
        except BrokerLost as error:
            if isinstance(error.__cause__, redis.exceptions.NoPermissionError):  # it will not pass
                raise BrokerError(
                    "this user may not bring steps to the server: submit needs the user of a producer, collect that of "
                    f"a collector (docs/deployment.md); {refusal.USER}"
                ) from error
            raise

    def run(self, step: str, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """What a step says."""
        return self.call(lambda client: self.put(step, keys, args, client))

    def put(self, step: str, keys: Sequence[str], args: Sequence[Any], client: "redis.Redis") -> Any:
        """A step as one of the commands of ``client``, a pipeline inside `call` or `transact`."""
        return client.evalsha(_steps()[step].sha, len(keys), *keys, *args)

    def transact(self, fill: Callable[["redis.client.Pipeline"], None]) -> list[Any]:
        """The replies of a transaction (MULTI), which is one step as much as a script is."""
        return self._together(fill, transaction=True)

    def gather(self, fill: Callable[["redis.client.Pipeline"], None]) -> list[Any]:
        """The replies of commands that are sent together, each a step of its own. At its memory limit a Redis takes no
        transaction, not even one that only reads."""
        return self._together(fill, transaction=False)

    @contextmanager
    def looking(self) -> Iterator[Callable[..., Any]]:
        """A function for short commands that are asked again and again: what each says. It has a connection of its own
        as long: to get one from the pool and give it back costs more than the look (0.35 against 0.15 ms)."""
        connection = self.call(lambda client: client.connection_pool.get_connection())

        def look(*command: str) -> Any:
            def ask(_: "redis.Redis") -> Any:
                connection.send_command(*command)
                return connection.read_response()

            return self.call(ask)

        try:
            yield look
        except BaseException:
            connection.disconnect()  # or whoever has it next might get the answer to this
            raise
        finally:
            self._client.connection_pool.release(connection)

    def _together(self, fill: Callable[["redis.client.Pipeline"], None], *, transaction: bool) -> list[Any]:
        def execute(client: "redis.Redis") -> list[Any]:
            pipeline = client.pipeline(transaction=transaction)
            fill(pipeline)
            return pipeline.execute()

        return list(self.call(execute))

    def call(self, action: Callable[["redis.Redis"], Any]) -> Any:
        """What ``action`` makes of the client; once more, when the server has to be brought the steps first. What else
        was in a transaction has been done then: it does no harm twice."""
        try:
            try:
                return action(self._client)
            except redis.exceptions.NoScriptError:
                _bring(self._client)
                return action(self._client)
        except redis.RedisError as error:
            raise refusal.explained(error) from error


def _bring(client: "redis.Redis") -> None:
    with client.pipeline(transaction=False) as pipeline:  # see `Connection.gather`
        for step in _steps().values():
            pipeline.script_load(step.text)
        pipeline.execute()
