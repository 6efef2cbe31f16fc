"""The connection to the server that runs the steps: bringing them there, running them, and what its refusals mean.

What a step does stands in ``steps/*.lua``, what it is asked and says in `gridmill.ledger`.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from typing import Any

import redis

from gridmill import refusal
from gridmill.errors import BrokerError, BrokerLost


@cache
def _steps() -> dict[str, str]:
    """The text of each step by name; what all share goes before it."""
    files = {
        file.name.removesuffix(".lua"): file.read_text() for file in (resources.files("gridmill") / "steps").iterdir()
    }
    shared = files.pop("entry")
    return {name: shared + text for name, text in files.items()}


class Connection:
    """``client`` is a pool of connections.

    All methods raise `BrokerLost` when the connection broke or the server cannot answer now (try again later), else
    `BrokerError`.
    """

    def __init__(self, client: "redis.Redis") -> None:
        self._client = client
        self._scripts = {name: client.register_script(text) for name, text in _steps().items()}

    def offer(self) -> None:
        """Load every step, so that a user who may only run what has been loaded (a worker's) finds it.

        Raises BrokerError for such a user."""

        def load(transaction: "redis.client.Pipeline") -> None:
            for script in self._scripts.values():
                transaction.script_load(script.script)

        try:
            self.transact(load)
        except BrokerLost as error:
            if isinstance(error.__cause__, redis.exceptions.NoPermissionError):  # it will not pass
                raise BrokerError(
                    "this user may not bring steps to the server: submit needs the user of a producer, collect that of "
                    "a collector (docs/deployment.md)"
                ) from error
            raise

    def run(self, step: str, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """What a step says."""
        return self.call(lambda client: self.put(step, keys, args, client))

    def put(self, step: str, keys: Sequence[str], args: Sequence[Any], client: "redis.Redis") -> Any:
        """A step as one of the commands of ``client``, a pipeline inside `call` or `transact`."""
        return self._scripts[step](keys=keys, args=args, client=client)

    def transact(self, fill: Callable[["redis.client.Pipeline"], None]) -> list[Any]:
        """The replies of a transaction (MULTI), which is one step as much as a script is."""

        def execute(client: "redis.Redis") -> list[Any]:
            transaction = client.pipeline(transaction=True)
            fill(transaction)
            return transaction.execute()

        return list(self.call(execute))

    def call(self, action: Callable[["redis.Redis"], Any]) -> Any:
        """What ``action`` makes of the client."""
        try:
            return action(self._client)
        except redis.RedisError as error:
            raise refusal.explained(error) from error
