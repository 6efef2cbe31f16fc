"""The connection to the server that runs the steps: bringing them there, running them, and what its refusals mean.

What a step does stands in ``steps/*.lua``, what it is asked and says in `gridmill.ledger`.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import redis

from gridmill import refusal
from gridmill.errors import BrokerError, BrokerLost

Command = tuple[Any, ...]  # its name and its words: bytes, text and numbers


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
        (said,) = self.gather(self.step(step, keys, args))
        return said

    def step(self, name: str, keys: Sequence[str], args: Sequence[Any]) -> Command:
        """A step as one of the commands of `gather` or `transact`."""
        return "EVALSHA", _steps()[name].sha, len(keys), *keys, *args

    def transact(self, *commands: Command) -> list[Any]:
        """The replies of a transaction (MULTI), which is one step as much as a script is."""

        def ask(client: "redis.Redis") -> Any:
            *taken, done = exchange(client, ("MULTI",), *commands, ("EXEC",))
            if isinstance(done, Exception):  # and what was refused before says why
                raise next((reply for reply in taken if isinstance(reply, Exception)), done)
            return _good([_noted(reply, command) for reply, command in zip(done, commands, strict=True)])

        return list(self.call(ask))

    def gather(self, *commands: Command) -> list[Any]:
        """The replies of commands that are sent together, each a step of its own. At its memory limit a Redis takes no
        transaction, not even one that only reads."""
        return list(self.call(lambda client: _good(exchange(client, *commands))))

    @contextmanager
    def looking(self) -> Iterator[Callable[..., Any]]:
        """A function for short commands that are asked again and again: what each says. It has a connection of its own
        as long: to get one from the pool and give it back costs more than the look (0.35 against 0.15 ms)."""
        with ExitStack() as stack:
            connection = self.call(lambda client: stack.enter_context(_lent(client)))

            def look(*command: str) -> Any:
                (said,) = self.call(lambda _: _good(_asked(connection, command)))
                return said

            yield look

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
        except BaseException:
            # An interrupt may have left a connection half made, without its database, or with a reply still to come.
            self._client.connection_pool.disconnect(inuse_connections=False)
            raise


def exchange(client: "redis.Redis", *commands: Command) -> list[Any]:
    """What the server says to each of ``commands``, which are sent together; an error is one of the replies.

    By a connection of its pool, as `redis.Redis` does it, and without what that puts around it, which costs as much
    again. Raises what redis-py raises when the connection breaks.
    """
    with _lent(client) as connection:
        return list(connection.retry.call_with_retry(lambda: _asked(connection, *commands), connection.disconnect))


@contextmanager
def _lent(client: "redis.Redis") -> Iterator[Any]:
    """A connection of its pool, for as long. (redis-py's types are missing.)"""
    connection: Any = client.connection_pool.get_connection()
    try:
        yield connection
    except BaseException:
        connection.disconnect()  # or whoever has it next might get what was meant for this
        raise
    finally:
        client.connection_pool.release(connection)


def _asked(connection: Any, *commands: Command) -> list[Any]:
    connection.send_packed_command(connection.pack_commands(commands))
    return [_noted(_reply(connection), command) for command in commands]


def _reply(connection: Any) -> Any:
    try:
        return connection.read_response()
    except redis.ResponseError as error:
        return error


def _noted(reply: Any, command: Command) -> Any:
    """``reply``; where it is an error, with a note of what was asked, which few servers' words tell."""
    if isinstance(reply, Exception):
        reply.add_note(_told(*command))
    return reply


def _told(word: str, *rest: Any) -> str:
    if word != "EVALSHA":
        return " ".join(map(str, (word, *rest[:1])))
    sha, number, *keys = rest
    name = next(name for name, step in _steps().items() if step.sha == sha)
    return f"{name.upper()} of {', '.join(keys[:number])}"


def _good(replies: list[Any]) -> list[Any]:
    """``replies``. Raises the first of them that is an error."""
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
    return replies


def _bring(client: "redis.Redis") -> None:
    _good(exchange(client, *(("SCRIPT", "LOAD", step.text) for step in _steps().values())))
