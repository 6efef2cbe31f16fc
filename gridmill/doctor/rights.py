"""What this user may do on the server: asked without doing it.

In a transaction the server looks at the rights when a command is queued; what was queued is then discarded.
"""

from typing import TYPE_CHECKING

import redis

from gridmill import broker
from gridmill.doctor.finding import Finding, ok, problem
from gridmill.job import new_id
from gridmill.keys import Keys
from gridmill.settings import Settings

if TYPE_CHECKING:
    from redis.connection import AbstractConnection as Connection

Words = tuple[str | int, ...]


def examine(client: "redis.Redis", settings: Settings) -> Finding:
    """Which roles this user can have."""
    with broker.explained(settings):
        lacks = _lacking(client, settings)
    able = [role for role, refused in lacks.items() if not refused]
    if able:
        return ok("rights", f"this user can be {', '.join(able)}")
    role, refused = min(lacks.items(), key=lambda item: len(item[1]))
    text = f"this user can have no role; as a {role} it may not {', '.join(refused)}"
    return problem("rights", text, "give it the rights of its role: see docs/deployment.md")


def _lacking(client: "redis.Redis", settings: Settings) -> dict[str, list[str]]:
    """By role, what is refused."""
    pool = client.connection_pool
    connection = pool.get_connection()
    try:
        return {
            role: [f"{words[0]} {words[1]}" for words in commands if _is_refused(connection, words)]
            for role, commands in _needs(settings).items()
        }
    finally:
        pool.release(connection)


def _is_refused(connection: "Connection", words: Words) -> bool:
    try:
        _say(connection, "MULTI")
        _say(connection, *words)
    except redis.exceptions.NoPermissionError:
        return True
    except redis.ResponseError:  # the server looks at the rights first: as at its memory limit, or with a full disk
        return False
    finally:
        _say(connection, "DISCARD")
    return False


def _say(connection: "Connection", *words: str | int) -> None:
    connection.send_command(*words)  # type: ignore[no-untyped-call]
    connection.read_response()


def _needs(settings: Settings) -> dict[str, list[Words]]:
    """What each role does on the server, one command for each kind of key."""
    keys, job, queue = Keys(settings.prefix), new_id(), broker.queue_key(settings)
    record, led, answers = keys.job(job), keys.led(job), keys.answers(job)
    boards, side, draft = keys.boards(job, 0), keys.side(job, 0), keys.answer(job, "draft")
    step: Words = ("EVALSHA", "0" * 40, 5, record, led, answers, boards, queue)
    send: Words = ("LPUSH", queue, "")
    bring: Words = ("SCRIPT", "LOAD", "")
    return {
        "producer": [
            bring, step, send, ("HSET", record, "", ""), ("HSET", keys.jobs, "", ""), ("INCR", keys.seq),
            ("HSET", led, "", ""), ("SET", boards, ""), ("SET", side, ""),
        ],
        "worker": [
            step, ("BRPOP", queue, 0), ("HGETALL", record), ("HGETALL", keys.jobs), ("GET", keys.seq),
            ("INCRBY", keys.mark, 0), ("HSET", led, "", ""), ("GETRANGE", boards, 0, 0),
            ("SADD", answers, ""), ("SCARD", answers), ("SET", draft, ""), ("RENAMENX", draft, keys.answer(job, "0")),
        ],
        "collector": [
            bring, step, send, ("HSET", record, "", ""), ("HDEL", led, ""), ("MGET", boards, side),
            ("DEL", boards, side), ("SCARD", answers), ("SSCAN", answers, 0), ("SREM", answers, ""),
            ("GETRANGE", draft, 0, 0), ("UNLINK", led), ("SET", keys.mark, 0),
        ],
        "monitor": [step, ("HGETALL", keys.jobs), ("HGETALL", record), ("HGETALL", led), ("GET", keys.seq),
            ("CLIENT", "LIST"),
        ],
    }  # fmt: skip
